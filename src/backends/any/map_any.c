/* TensorMaps: tensors found by tensors. A variant holds the map; as with lists, a kernel changes it in place when
 * nobody else has it. Keys are numbers or strings of any shape, equal when type, shape and bytes are.
 *
 *     buckets[hash % size] -> entries[i] -> entries[i].next ... (index + 1; 0 ends)
 *     entries are dense, in order of insertion until one is erased */
#include "backends/any/any_kernels.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "kernel/variant.h"
#include "tensor/summary.h"

struct entry {
    struct sl_value key, value;
    uint64_t hash;
    uint32_t next;
};

struct map {
    struct sl_object object;
    struct entry *entries;
    uint32_t *buckets; /* as many as `cap` */
    uint32_t n, cap;   /* `cap`: a power of two, or 0 */
};

static void map_free(struct sl_object *object) {
    struct map *m = (struct map *)object;
    for (uint32_t i = 0; i < m->n; i++) {
        sl_value_clear(&m->entries[i].key);
        sl_value_clear(&m->entries[i].value);
    }
    sl_free(m->entries);
    sl_free(m->buckets);
    sl_free(m);
}

static sl_code map_zeros(struct sl_object **out, struct sl_object *like, const struct sl_variant_maths *maths,
                         struct sl_error *err);
static sl_code map_add(struct sl_object **out, struct sl_object *a, struct sl_object *b,
                       const struct sl_variant_maths *maths, struct sl_error *err);

static const struct sl_variant_methods map_methods = {.zeros = map_zeros, .add = map_add};
static const struct sl_object_type map_type = {.name = "tensorflow::TensorMap",
                                               .free = map_free,
                                               .variant = &map_methods};

static sl_code map_new(struct map **out, struct sl_error *err) {
    struct map *m = sl_calloc(1, sizeof *m);
    if (!m) return sl_fail_memory(err, sizeof *m);
    sl_object_init(&m->object, &map_type);
    *out = m;
    return SL_OK;
}

/* ---- keys */

static uint64_t key_hash(struct sl_view key) {
    uint64_t hash = sl_hash_mix((uint64_t)key.dtype, (uint64_t)key.rank);
    for (int d = 0; d < key.rank; d++) hash = sl_hash_mix(hash, (uint64_t)key.dims[d]);
    if (key.dtype != SL_STRING)
        return sl_hash_mix(hash, sl_hash_bytes(key.data, (size_t)key.count * sl_dtype_size(key.dtype)));
    for (int64_t i = 0; i < key.count; i++) {
        struct sl_str s = sl_string_get((const TF_TString *)key.data + i);
        hash = sl_hash_mix(hash, sl_hash_bytes(s.p, s.n));
    }
    return hash;
}

static bool key_equal(struct sl_view a, struct sl_view b) {
    if (a.dtype != b.dtype || !sl_shape_equal(sl_view_shape(a), sl_view_shape(b))) return false;
    if (a.dtype != SL_STRING) return memcmp(a.data, b.data, (size_t)a.count * sl_dtype_size(a.dtype)) == 0;
    for (int64_t i = 0; i < a.count; i++)
        if (!sl_str_eq(sl_string_get((const TF_TString *)a.data + i), sl_string_get((const TF_TString *)b.data + i)))
            return false;
    return true;
}

/* ---- the table */

static struct entry *find(const struct map *m, struct sl_view key, uint64_t hash) {
    if (!m->cap) return NULL;
    for (uint32_t i = m->buckets[hash & (m->cap - 1)]; i; i = m->entries[i - 1].next) {
        struct entry *e = &m->entries[i - 1];
        if (e->hash == hash && key_equal(sl_value_view(&e->key), key)) return e;
    }
    return NULL;
}

static void link_entry(struct map *m, uint32_t i) {
    uint32_t *bucket = &m->buckets[m->entries[i].hash & (m->cap - 1)];
    m->entries[i].next = *bucket;
    *bucket = i + 1;
}

static void unlink_entry(struct map *m, uint32_t i) {
    uint32_t *at = &m->buckets[m->entries[i].hash & (m->cap - 1)];
    while (*at != i + 1) at = &m->entries[*at - 1].next;
    *at = m->entries[i].next;
}

static sl_code grow(struct map *m, uint32_t cap, struct sl_error *err) {
    struct entry *entries = sl_realloc(m->entries, cap * sizeof *entries);
    if (!entries) return sl_fail_memory(err, cap * sizeof *entries);
    m->entries = entries;
    uint32_t *buckets = sl_calloc(cap, sizeof *buckets);
    if (!buckets) return sl_fail_memory(err, cap * sizeof *buckets);
    sl_free(m->buckets);
    m->buckets = buckets;
    m->cap = cap;
    for (uint32_t i = 0; i < m->n; i++) link_entry(m, i);
    return SL_OK;
}

enum { FIRST_CAP = 4, MOST_ENTRIES = 1 << 30 };

/* Sets key to value, both shared. */
static sl_code insert(struct map *m, const struct sl_value *key, const struct sl_value *value, uint64_t hash,
                      struct sl_error *err) {
    SL_TRY(sl_variant_hold(&m->object, value, err));
    struct entry *e = find(m, sl_value_view(key), hash);
    if (e) {
        struct sl_value old = e->value;
        e->value = sl_value_share(value);
        sl_value_clear(&old);
        return SL_OK;
    }
    if (m->n >= MOST_ENTRIES) return sl_fail(err, SL_RESOURCE_EXHAUSTED, "a map of %u entries", m->n);
    if (m->n == m->cap) SL_TRY(grow(m, m->cap ? m->cap * 2 : FIRST_CAP, err));
    m->entries[m->n] = (struct entry){.key = sl_value_share(key), .value = sl_value_share(value), .hash = hash};
    link_entry(m, m->n++);
    return SL_OK;
}

/* The last entry takes the place of the erased one. */
static void erase(struct map *m, struct entry *e) {
    uint32_t i = (uint32_t)(e - m->entries), last = m->n - 1;
    unlink_entry(m, i);
    sl_value_clear(&e->key);
    sl_value_clear(&e->value);
    m->n = last;
    if (i == last) return;
    unlink_entry(m, last);
    m->entries[i] = m->entries[last];
    link_entry(m, i);
}

static sl_code copy(struct map **out, const struct map *m, struct sl_error *err) {
    struct map *c = NULL;
    SL_TRY(map_new(&c, err));
    sl_code code = m->cap ? grow(c, m->cap, err) : SL_OK;
    for (uint32_t i = 0; i < m->n && code == SL_OK; i++)
        code = insert(c, &m->entries[i].key, &m->entries[i].value, m->entries[i].hash, err);
    if (code == SL_OK) *out = c;
    else map_free(&c->object);
    return code;
}

/* ---- what variants can do */

static sl_code map_zeros(struct sl_object **out, struct sl_object *like, const struct sl_variant_maths *maths,
                         struct sl_error *err) {
    (void)like, (void)maths;
    struct map *m = NULL;
    SL_TRY(map_new(&m, err));
    *out = &m->object;
    return SL_OK;
}

/* Values of keys that both have are added. */
static sl_code map_add(struct sl_object **out, struct sl_object *first, struct sl_object *second,
                       const struct sl_variant_maths *maths, struct sl_error *err) {
    const struct map *b = (const struct map *)second;
    struct map *sum;
    SL_TRY(copy(&sum, (const struct map *)first, err));
    sl_code code = SL_OK;
    for (uint32_t i = 0; i < b->n && code == SL_OK; i++) {
        const struct entry *from = &b->entries[i];
        struct entry *e = find(sum, sl_value_view(&from->key), from->hash);
        struct sl_value total;
        if (!e) {
            code = insert(sum, &from->key, &from->value, from->hash, err);
            continue;
        }
        code = sl_value_add(&total, &e->value, &from->value, maths, err);
        if (code != SL_OK) break;
        sl_value_clear(&e->value);
        e->value = total;
    }
    if (code == SL_OK) *out = &sum->object;
    else map_free(&sum->object);
    return code;
}

/* ---- kernels */

static sl_code map_at(struct map **out, struct sl_kernel_context *k) {
    struct sl_view v = sl_in(k, 0);
    char text[SL_SHAPE_TEXT];
    if (v.rank != 0) return sl_invalid(k, "Input map must be a scalar. Saw: %s", sl_shape_text(text, sl_view_shape(v)));
    struct sl_object *o = *(struct sl_object **)v.data;
    if (!o || o->type != &map_type)
        return sl_invalid(k, "Input handle is not a map. Saw: 'Variant<type: %s>'", o ? o->type->name : "");
    *out = (struct map *)o;
    return SL_OK;
}

/* Input 0 as a map that may be changed, with a reference of its own. */
static sl_code own_map(struct map **out, struct sl_kernel_context *k) {
    struct map *m = NULL;
    SL_TRY(map_at(&m, k));
    struct sl_value *v = sl_in_value(k, 0);
    if (!(k->may_take & 1) || v->kind != SL_VALUE_OBJECT || !sl_object_is_sole(&m->object)) return copy(out, m, k->err);
    sl_value_move(v);
    *out = m;
    return SL_OK;
}

static sl_code check_key(struct sl_kernel_context *k) {
    struct sl_view key = sl_in(k, 1);
    if (sl_dtype_is_plain(key.dtype) || key.dtype == SL_STRING) return SL_OK;
    return sl_invalid(k, "A map's key cannot be of type %s", sl_dtype_name(key.dtype));
}

static sl_code no_such_key(struct sl_kernel_context *k, const char *format) {
    char *key;
    SL_TRY(sl_view_summary(&key, sl_in(k, 1), 100, k->err));
    sl_code code = sl_invalid(k, format, key);
    sl_free(key);
    return code;
}

static sl_code empty_run(struct sl_kernel_context *k) {
    struct map *m = NULL;
    SL_TRY(map_new(&m, k->err));
    sl_out_object(k, 0, &m->object);
    return SL_OK;
}

static sl_code size_run(struct sl_kernel_context *k) {
    struct map *m = NULL;
    SL_TRY(map_at(&m, k));
    return sl_out_int(k, 0, m->n);
}

static sl_code lookup_run(struct sl_kernel_context *k) {
    struct map *m = NULL;
    SL_TRY(map_at(&m, k));
    SL_TRY(check_key(k));
    const struct entry *e = find(m, sl_in(k, 1), key_hash(sl_in(k, 1)));
    if (!e) return no_such_key(k, "Trying to lookup non-existent key. Could not find key \"%s\".");
    if (e->value.dtype != sl_out_type(k, 0))
        return sl_fail(k->err, SL_INTERNAL, "Output 0 of type %s does not match declared output type %s for node %.*s",
                       sl_dtype_name(e->value.dtype), sl_dtype_name(sl_out_type(k, 0)), SL_STR_ARG(k->node->name));
    *sl_out_value(k, 0) = sl_value_share(&e->value);
    return sl_out_settle(k, 0);
}

static sl_code has_key_run(struct sl_kernel_context *k) {
    struct map *m = NULL;
    SL_TRY(map_at(&m, k));
    SL_TRY(check_key(k));
    bool has = find(m, sl_in(k, 1), key_hash(sl_in(k, 1))) != NULL;
    *sl_out_value(k, 0) = (struct sl_value){.kind = SL_VALUE_SCALAR, .dtype = SL_BOOL, .b = has};
    return SL_OK;
}

static sl_code insert_run(struct sl_kernel_context *k) {
    struct map *m = NULL;
    SL_TRY(check_key(k));
    SL_TRY(own_map(&m, k));
    sl_code code = insert(m, sl_in_value(k, 1), sl_in_value(k, 2), key_hash(sl_in(k, 1)), k->err);
    if (code == SL_OK) sl_out_object(k, 0, &m->object);
    else sl_object_unref(&m->object);
    return code;
}

static sl_code erase_run(struct sl_kernel_context *k) {
    struct map *m = NULL;
    SL_TRY(map_at(&m, k));
    SL_TRY(check_key(k));
    uint64_t hash = key_hash(sl_in(k, 1));
    if (!find(m, sl_in(k, 1), hash))
        return no_such_key(k, "Trying to erase non-existent item. Could not find key \"%s\".");
    SL_TRY(own_map(&m, k));
    erase(m, find(m, sl_in(k, 1), hash));
    sl_out_object(k, 0, &m->object);
    return SL_OK;
}

static sl_code stack_keys_run(struct sl_kernel_context *k) {
    struct map *m = NULL;
    struct sl_view out;
    int64_t dims[SL_MAX_RANK], at = 0;
    SL_TRY(map_at(&m, k));
    if (m->n == 0) return sl_invalid(k, "TensorMapStackKeys cannot be called on empty map.");
    struct sl_view first = sl_value_view(&m->entries[0].key);
    if (first.rank + 1 > SL_MAX_RANK) return sl_invalid(k, "Shape must be at most rank %d", SL_MAX_RANK);
    for (uint32_t i = 0; i < m->n; i++) {
        struct sl_view key = sl_value_view(&m->entries[i].key);
        if (key.dtype != sl_out_type(k, 0)) return sl_invalid(k, "Key does not match requested dtype.");
        if (!sl_shape_equal(sl_view_shape(key), sl_view_shape(first)))
            return sl_invalid(k, "Keys must all have the same shape.");
    }
    dims[0] = m->n;
    for (int d = 0; d < first.rank; d++) dims[d + 1] = first.dims[d];
    SL_TRY(sl_out_new(&out, k, 0, (struct sl_shape){first.rank + 1, dims}));
    for (uint32_t i = 0; i < m->n; i++) {
        struct sl_view key = sl_value_view(&m->entries[i].key);
        char *to = (char *)out.data + (size_t)at * sl_dtype_size(out.dtype);
        SL_TRY(sl_elements_copy(out.dtype, to, key.data, key.count, k->err));
        at += key.count;
    }
    return SL_OK;
}

#define MOVES .flags = SL_KERNEL_CHEAP | SL_KERNEL_MOVES, .host = "key"
/* clang-format off */
const struct sl_kernel_def sl_any_map_rows[] = {
    KERNEL("EmptyTensorMap", NO_RULE, .run = empty_run, .flags = SL_KERNEL_CHEAP)
    KERNEL("TensorMapSize", NO_RULE, .run = size_run, .flags = SL_KERNEL_CHEAP)
    KERNEL("TensorMapLookup", NO_RULE, .run = lookup_run, MOVES)
    KERNEL("TensorMapHasKey", NO_RULE, .run = has_key_run, .flags = SL_KERNEL_CHEAP)
    KERNEL("TensorMapInsert", NO_RULE, .run = insert_run, MOVES)
    KERNEL("TensorMapErase", NO_RULE, .run = erase_run, .flags = SL_KERNEL_CHEAP)
    KERNEL("TensorMapStackKeys", NO_RULE, .run = stack_keys_run)
    SL_ROWS_END
};
/* clang-format on */
