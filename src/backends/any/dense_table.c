/* Dense tables: open addressing, a power of two of buckets, steps of 1, 2, 3 ... from the key's own bucket. One key
 * stands for "never used", one for "removed"; nobody may use them. A removed bucket is filled by the next new key
 * that comes by. Called by lookup_table.c with its lock held. */
#include "backends/any/lookup_table.h"

#include "base/hash.h"

static size_t key_bytes(const struct sl_table *t) { return sl_dtype_size(t->key_dtype) * (size_t)t->key_count; }
static size_t value_bytes(const struct sl_table *t) { return sl_dtype_size(t->value_dtype) * (size_t)t->value_count; }

static const char *key_of(const struct sl_table *t, const void *keys, int64_t i) {
    return (const char *)keys + (size_t)i * key_bytes(t);
}

static bool same_key(const struct sl_table *t, const void *a, const void *b) {
    if (t->key_dtype != SL_STRING) return memcmp(a, b, key_bytes(t)) == 0;
    for (int64_t i = 0; i < t->key_count; i++)
        if (!sl_str_eq(sl_string_get((const TF_TString *)a + i), sl_string_get((const TF_TString *)b + i)))
            return false;
    return true;
}

static uint64_t hash_element(const struct sl_table *t, const void *key, int64_t i) {
    if (t->key_dtype == SL_INT64) return (uint64_t)((const int64_t *)key)[i];
    if (t->key_dtype == SL_INT32) return (uint64_t)((const int32_t *)key)[i];
    struct sl_str s = sl_string_get((const TF_TString *)key + i);
    return sl_hash64(s.p, s.n, SL_HASH64_SEED);
}

static uint64_t hash_key(const struct sl_table *t, const void *key) {
    if (t->key_count == 1) return hash_element(t, key, 0);
    uint64_t h = 0;
    for (int64_t i = 0; i < t->key_count; i++) h = sl_hash64_combine(h, hash_element(t, key, i));
    return h;
}

static bool is_empty(const struct sl_table *t, const void *key) { return same_key(t, key, t->empty_key->data); }
static bool is_deleted(const struct sl_table *t, const void *key) { return same_key(t, key, t->deleted_key->data); }

static sl_code check_keys(const struct sl_table *t, struct sl_view keys, struct sl_error *err) {
    for (int64_t i = 0; i * t->key_count < keys.count; i++) {
        const char *key = key_of(t, keys.data, i);
        if (is_empty(t, key))
            return sl_fail(err, SL_INVALID_ARGUMENT, "Using the empty_key as a table key is not allowed");
        if (is_deleted(t, key))
            return sl_fail(err, SL_INVALID_ARGUMENT, "Using the deleted_key as a table key is not allowed");
    }
    return SL_OK;
}

/* The bucket with this key, or with `or_free` the first that is free on the way; -1: there is none. */
static int64_t find_bucket(const struct sl_table *t, const void *key, bool or_free) {
    uint64_t mask = (uint64_t)t->n_buckets - 1, at = hash_key(t, key) & mask;
    for (int64_t step = 1; step <= t->n_buckets; step++) {
        const char *there = key_of(t, t->keys->data, (int64_t)at);
        if (same_key(t, there, key)) return (int64_t)at;
        bool is_unused = is_empty(t, there);
        if (or_free && (is_unused || is_deleted(t, there))) return (int64_t)at;
        if (is_unused) return -1;
        at = (at + (uint64_t)step) & mask;
    }
    return -1;
}

static sl_code set_key(struct sl_table *t, int64_t bucket, const void *key, struct sl_error *err) {
    return sl_elements_copy(t->key_dtype, (void *)key_of(t, t->keys->data, bucket), key, t->key_count, err);
}

static sl_code put(struct sl_table *t, const void *key, const void *value, struct sl_error *err) {
    int64_t bucket = find_bucket(t, key, true);
    if (bucket < 0) return sl_fail(err, SL_INTERNAL, "Internal error in MutableDenseHashTable insert");
    t->n_used += !same_key(t, key_of(t, t->keys->data, bucket), key);
    SL_TRY(set_key(t, bucket, key, err));
    return sl_elements_copy(t->value_dtype, (char *)t->values->data + (size_t)bucket * value_bytes(t), value,
                            t->value_count, err);
}

/* Fresh buckets, all empty; the old ones are the caller's. */
static sl_code make_buckets(struct sl_table *t, int64_t n, struct sl_error *err) {
    struct sl_tensor *keys, *values;
    SL_TRY(sl_tensor_new(&keys, t->key_dtype, (struct sl_shape){2, (const int64_t[]){n, t->key_count}}, err));
    sl_code code =
        sl_tensor_new(&values, t->value_dtype, (struct sl_shape){2, (const int64_t[]){n, t->value_count}}, err);
    if (code != SL_OK) {
        sl_tensor_unref(keys);
        return code;
    }
    if (sl_dtype_is_plain(t->value_dtype)) memset(values->data, 0, values->bytes);
    t->keys = keys;
    t->values = values;
    t->n_buckets = n;
    t->n_used = 0;
    for (int64_t i = 0; i < n && code == SL_OK; i++) code = set_key(t, i, t->empty_key->data, err);
    return code;
}

static sl_code grow(struct sl_table *t, int64_t n, struct sl_error *err) {
    struct sl_table old = *t;
    sl_code code = make_buckets(t, n, err);
    for (int64_t i = 0; i < old.n_buckets && code == SL_OK; i++) {
        const char *key = key_of(t, old.keys->data, i);
        if (!is_empty(t, key) && !is_deleted(t, key))
            code = put(t, key, (const char *)old.values->data + (size_t)i * value_bytes(t), err);
    }
    if (code == SL_OK) {
        sl_tensor_unref(old.keys);
        sl_tensor_unref(old.values);
        return SL_OK;
    }
    if (t->keys != old.keys) {
        sl_tensor_unref(t->keys);
        sl_tensor_unref(t->values);
    }
    t->keys = old.keys;
    t->values = old.values;
    t->n_buckets = old.n_buckets;
    t->n_used = old.n_used;
    return code;
}

sl_code sl_dense_init(struct sl_table *t, const struct sl_value *empty_key, const struct sl_value *deleted_key,
                      int64_t n_buckets, float max_load_factor, struct sl_error *err) {
    t->max_load_factor = max_load_factor;
    SL_TRY(sl_value_to_tensor(&t->empty_key, empty_key, err));
    SL_TRY(sl_value_to_tensor(&t->deleted_key, deleted_key, err));
    if (same_key(t, t->empty_key->data, t->deleted_key->data))
        return sl_fail(err, SL_INVALID_ARGUMENT, "Empty and deleted keys cannot be equal");
    return make_buckets(t, n_buckets, err);
}

sl_code sl_dense_find(struct sl_view out, const struct sl_table *t, const struct sl_value *keys,
                      struct sl_view defaults, struct sl_error *err) {
    struct sl_view v = sl_value_view(keys);
    SL_TRY(check_keys(t, v, err));
    for (int64_t i = 0; i * t->key_count < v.count; i++) {
        int64_t bucket = find_bucket(t, key_of(t, v.data, i), false);
        const void *from = bucket < 0 ? defaults.data : (char *)t->values->data + (size_t)bucket * value_bytes(t);
        SL_TRY(
            sl_elements_copy(t->value_dtype, (char *)out.data + (size_t)i * value_bytes(t), from, t->value_count, err));
    }
    return SL_OK;
}

sl_code sl_dense_insert(struct sl_table *t, const struct sl_value *keys, const struct sl_value *values,
                        struct sl_error *err) {
    struct sl_view k = sl_value_view(keys), v = sl_value_view(values);
    int64_t n = k.count / t->key_count, room = t->n_buckets;
    while ((float)(t->n_used + n) > (float)room * t->max_load_factor && room <= INT64_MAX / 2) room *= 2;
    if (room != t->n_buckets) SL_TRY(grow(t, room, err));
    SL_TRY(check_keys(t, k, err));
    for (int64_t i = 0; i < n; i++)
        SL_TRY(put(t, key_of(t, k.data, i), (const char *)v.data + (size_t)i * value_bytes(t), err));
    return SL_OK;
}

sl_code sl_dense_remove(struct sl_table *t, const struct sl_value *keys, struct sl_error *err) {
    struct sl_view v = sl_value_view(keys);
    SL_TRY(check_keys(t, v, err));
    for (int64_t i = 0; i * t->key_count < v.count; i++) {
        int64_t bucket = find_bucket(t, key_of(t, v.data, i), false);
        if (bucket < 0) continue;
        SL_TRY(set_key(t, bucket, t->deleted_key->data, err));
        t->n_used--;
    }
    return SL_OK;
}

sl_code sl_dense_import(struct sl_table *t, const struct sl_value *keys, const struct sl_value *values,
                        struct sl_error *err) {
    struct sl_tensor *k, *v;
    SL_TRY(sl_tensor_copy(&k, keys->tensor, err));
    sl_code code = sl_tensor_copy(&v, values->tensor, err);
    if (code != SL_OK) {
        sl_tensor_unref(k);
        return code;
    }
    sl_tensor_unref(t->keys);
    sl_tensor_unref(t->values);
    t->keys = k;
    t->values = v;
    t->n_buckets = k->dims[0];
    t->n_used = 0;
    for (int64_t i = 0; i < t->n_buckets; i++) {
        const char *key = key_of(t, k->data, i);
        t->n_used += !is_empty(t, key) && !is_deleted(t, key);
    }
    return SL_OK;
}

sl_code sl_dense_export(struct sl_value *keys, struct sl_value *values, const struct sl_table *t,
                        struct sl_error *err) {
    struct sl_tensor *k, *v;
    SL_TRY(sl_tensor_copy(&k, t->keys, err));
    sl_code code = sl_tensor_copy(&v, t->values, err);
    if (code != SL_OK) {
        sl_tensor_unref(k);
        return code;
    }
    *keys = sl_value_of_tensor(k);
    *values = sl_value_of_tensor(v);
    return SL_OK;
}
