/* Tables as data. Called by lookup_any.c. */
#include "backends/any/lookup_table.h"

#include <inttypes.h>

#include "base/alloc.h"
#include "kernel/slices.h"

static void table_free(struct sl_object *object) {
    struct sl_table *t = (struct sl_table *)object;
    sl_chain_map_free(&t->map);
    sl_tensor_unref(t->keys);
    sl_tensor_unref(t->values);
    sl_tensor_unref(t->empty_key);
    sl_tensor_unref(t->deleted_key);
    sl_rwlock_clear(&t->lock);
    sl_session_object_clear(&t->base);
    sl_free(t);
}

const struct sl_object_type sl_table_type = {.name = "tensorflow::lookup::LookupInterface", .free = table_free};

sl_code sl_table_new(struct sl_table **out, const struct sl_table_spec *spec, struct sl_error *err) {
    struct sl_table *t = sl_calloc(1, sizeof *t);
    if (!t) return sl_fail_memory(err, sizeof *t);
    sl_object_init(&t->base.object, &sl_table_type);
    sl_rwlock_init(&t->lock);
    t->kind = spec->kind;
    t->key_dtype = (uint8_t)spec->key_dtype;
    t->value_dtype = (uint8_t)spec->value_dtype;
    t->key_dim = t->key_count = spec->key_shape.rank ? spec->key_shape.dims[0] : 1;
    t->value_dim = t->value_count = spec->value_shape.rank ? spec->value_shape.dims[0] : 1;
    t->key_shape = (struct sl_shape){spec->key_shape.rank, &t->key_dim};
    t->value_shape = (struct sl_shape){spec->value_shape.rank, &t->value_dim};
    *out = t;
    return SL_OK;
}

/* ---- keys and rows */

static struct sl_chain_key key_at(struct sl_view keys, int64_t i) {
    if (keys.dtype == SL_STRING) {
        struct sl_str s = sl_string_get((const TF_TString *)keys.data + i);
        return (struct sl_chain_key){0, {s.p ? s.p : "", s.n}};
    }
    int64_t number = keys.dtype == SL_INT64 ? ((const int64_t *)keys.data)[i] : ((const int32_t *)keys.data)[i];
    return (struct sl_chain_key){number, {NULL, 0}};
}

/* Row i of values, each of the table's value shape. */
static sl_code row_at(struct sl_value *out, const struct sl_table *t, const struct sl_value *values, int64_t i,
                      struct sl_error *err) {
    if (values->kind == SL_VALUE_TENSOR)
        return sl_slice_take(out, values->tensor, i * t->value_count, t->value_shape, err);
    *out = sl_value_share(values);
    return SL_OK;
}

/* ---- the chain map */

static sl_code map_find(struct sl_view out, const struct sl_table *t, struct sl_view keys, struct sl_view defaults,
                        bool has_defaults, struct sl_error *err) {
    size_t size = sl_dtype_size(t->value_dtype);
    for (int64_t i = 0; i < keys.count; i++) {
        const struct sl_value *found = sl_chain_map_get(&t->map, key_at(keys, i));
        const char *from = (const char *)defaults.data + (size_t)(has_defaults ? i * t->value_count : 0) * size;
        if (found) from = sl_value_view(found).data;
        SL_TRY(sl_elements_copy(t->value_dtype, (char *)out.data + (size_t)(i * t->value_count) * size, from,
                                t->value_count, err));
    }
    return SL_OK;
}

static sl_code map_insert(struct sl_table *t, struct sl_view keys, const struct sl_value *values,
                          struct sl_error *err) {
    for (int64_t i = 0; i < keys.count; i++) {
        struct sl_value row;
        SL_TRY(row_at(&row, t, values, i, err));
        SL_TRY(sl_chain_map_put(&t->map, key_at(keys, i), row, err));
    }
    return SL_OK;
}

static sl_code map_export(struct sl_value *keys, struct sl_value *values, const struct sl_table *t,
                          struct sl_error *err) {
    int64_t dims[2] = {(int64_t)t->map.n, t->value_dim}, i = 0;
    struct sl_value k = {0}, v = {0};
    sl_code code = sl_value_new(&k, t->key_dtype, (struct sl_shape){1, dims}, err);
    if (code == SL_OK) code = sl_value_new(&v, t->value_dtype, (struct sl_shape){1 + t->value_shape.rank, dims}, err);
    for (const struct sl_chain_node *n = t->map.first.next; n && code == SL_OK; n = n->link.next, i++) {
        if (t->key_dtype == SL_STRING) code = sl_string_set((TF_TString *)k.tensor->data + i, n->key.text, err);
        else if (t->key_dtype == SL_INT64) ((int64_t *)k.tensor->data)[i] = n->key.number;
        else ((int32_t *)k.tensor->data)[i] = (int32_t)n->key.number;
        if (code == SL_OK) code = sl_slice_put(sl_value_view(&v), i * t->value_count, sl_value_view(&n->value), err);
    }
    if (code == SL_OK) {
        *keys = k;
        *values = v;
    } else {
        sl_value_clear(&k);
        sl_value_clear(&v);
    }
    return code;
}

/* ---- all kinds */

int64_t sl_table_size(struct sl_table *t) {
    sl_rwlock_read(&t->lock);
    bool is_hidden = t->kind == SL_TABLE_STATIC && !t->is_initialized;
    int64_t n = t->kind == SL_TABLE_DENSE ? t->n_used : is_hidden ? 0 : (int64_t)t->map.n;
    sl_rwlock_unlock(&t->lock);
    return n;
}

sl_code sl_table_find(struct sl_view out, struct sl_table *t, const struct sl_value *keys, struct sl_view defaults,
                      bool has_defaults, struct sl_error *err) {
    sl_code code;
    sl_rwlock_read(&t->lock);
    if (t->kind == SL_TABLE_DENSE) code = sl_dense_find(out, t, keys, defaults, err);
    else if (t->kind == SL_TABLE_STATIC && !t->is_initialized)
        code = sl_fail(err, SL_FAILED_PRECONDITION, "Table not initialized.");
    else code = map_find(out, t, sl_value_view(keys), defaults, has_defaults && t->kind != SL_TABLE_STATIC, err);
    sl_rwlock_unlock(&t->lock);
    return code;
}

sl_code sl_table_insert(struct sl_table *t, const struct sl_value *keys, const struct sl_value *values, bool replaces,
                        struct sl_error *err) {
    sl_code code;
    sl_rwlock_write(&t->lock);
    if (t->kind == SL_TABLE_DENSE) {
        code = replaces ? sl_dense_import(t, keys, values, err) : sl_dense_insert(t, keys, values, err);
    } else {
        if (replaces) sl_chain_map_clear(&t->map);
        code = map_insert(t, sl_value_view(keys), values, err);
    }
    sl_rwlock_unlock(&t->lock);
    return code;
}

static bool same_value(struct sl_view a, struct sl_view b) {
    if (a.dtype == SL_STRING) return sl_str_eq(sl_string_get(a.data), sl_string_get(b.data));
    return memcmp(a.data, b.data, sl_dtype_size(a.dtype)) == 0;
}

/* A key that is there already must have the very value that comes. */
static sl_code check_same(struct sl_chain_key key, const struct sl_value *have, const struct sl_value *comes,
                          struct sl_error *err) {
    if (same_value(sl_value_view(have), sl_value_view(comes))) return SL_OK;
    if (key.text.p)
        return sl_fail(err, SL_FAILED_PRECONDITION, "HashTable has different value for same key. Key %.*s",
                       SL_STR_ARG(key.text));
    return sl_fail(err, SL_FAILED_PRECONDITION, "HashTable has different value for same key. Key %" PRId64, key.number);
}

static sl_code initialize(struct sl_table *t, struct sl_view keys, const struct sl_value *values,
                          struct sl_error *err) {
    if (t->is_initialized)
        return (int64_t)t->map.n == keys.count
                   ? SL_OK
                   : sl_fail(err, SL_FAILED_PRECONDITION, "Table was already initialized with different data.");
    for (int64_t i = 0; i < keys.count; i++) {
        struct sl_chain_key key = key_at(keys, i);
        const struct sl_value *have = sl_chain_map_get(&t->map, key);
        struct sl_value row;
        SL_TRY(row_at(&row, t, values, i, err));
        sl_code code = have ? check_same(key, have, &row, err) : SL_OK;
        if (code != SL_OK) {
            sl_value_clear(&row);
            return code;
        }
        SL_TRY(sl_chain_map_put(&t->map, key, row, err));
    }
    t->is_initialized = true;
    return SL_OK;
}

sl_code sl_table_initialize(struct sl_table *t, const struct sl_value *keys, const struct sl_value *values,
                            struct sl_error *err) {
    sl_rwlock_write(&t->lock);
    sl_code code = initialize(t, sl_value_view(keys), values, err);
    sl_rwlock_unlock(&t->lock);
    return code;
}

sl_code sl_table_remove(struct sl_table *t, const struct sl_value *keys, struct sl_error *err) {
    sl_code code = SL_OK;
    struct sl_view v = sl_value_view(keys);
    sl_rwlock_write(&t->lock);
    if (t->kind == SL_TABLE_DENSE) code = sl_dense_remove(t, keys, err);
    else
        for (int64_t i = 0; i < v.count; i++) sl_chain_map_remove(&t->map, key_at(v, i));
    sl_rwlock_unlock(&t->lock);
    return code;
}

sl_code sl_table_export(struct sl_value *keys, struct sl_value *values, struct sl_table *t, struct sl_error *err) {
    sl_code code;
    sl_rwlock_read(&t->lock);
    if (t->kind == SL_TABLE_DENSE) code = sl_dense_export(keys, values, t, err);
    else if (t->kind == SL_TABLE_STATIC && !t->is_initialized)
        code = sl_fail(err, SL_ABORTED, "HashTable is not initialized.");
    else code = map_export(keys, values, t, err);
    sl_rwlock_unlock(&t->lock);
    return code;
}
