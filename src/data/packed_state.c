/* States as variants: for each path one that names path and keys in its metadata, PATH@@KEY@@KEY..., and holds the values
 * as one compressed element. Older ones hold a tensor for each value. */
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/vec.h"
#include "ckpt/compressed_element.h"
#include "data/dataset_message.h"
#include "data/state.h"
#include "tensor/variant_data.h"

static const struct sl_str separator = {"@@", 2};

/* ---- packing */

struct numbered_entry {
    struct sl_state_entry entry;
    size_t i;
};

static int by_path(const void *a, const void *b) {
    const struct numbered_entry *x = a, *y = b;
    const int c = sl_str_cmp(x->entry.path, y->entry.path);
    return c ? c : (x->i > y->i) - (x->i < y->i);
}

/* Path and keys of `n` entries of one path. */
static char *metadata_of(struct sl_arena *arena, const struct numbered_entry *e, size_t n, size_t *length) {
    const struct sl_str path = e->entry.path, full = SL_STR(SL_STATE_FULL_NAME);
    size_t size = path.n + 1;
    for (size_t i = 0; i < n; i++) size += separator.n + full.n + 1 + path.n + e[i].entry.key.n;
    char *text = sl_arena_alloc(arena, size), *at = text;
    if (!text) return NULL;
    at += snprintf(at, size, "%.*s", SL_STR_ARG(path));
    for (size_t i = 0; i < n; i++) {
        const struct sl_str key = e[i].entry.key;
        const size_t left = size - (size_t)(at - text);
        if (key.n && key.p[0] == ':')
            at += snprintf(at, left, "@@%s|%.*s%.*s", full.p, SL_STR_ARG(path), SL_STR_ARG(key));
        else at += snprintf(at, left, "@@%.*s", SL_STR_ARG(key));
    }
    *length = (size_t)(at - text);
    return text;
}

static sl_code pack_values(struct sl_tensor **out, const struct numbered_entry *e, size_t n, struct sl_error *err) {
    struct sl_value *values = sl_calloc(n, sizeof *values);
    struct sl_str bytes = {0};
    struct sl_tensor *t = NULL;
    if (!values) return sl_fail_memory(err, n * sizeof *values);
    sl_code code = SL_OK;
    for (size_t i = 0; i < n && code == SL_OK; i++)
        code = sl_dataset_value_to_messages(&values[i], e[i].entry.value, err);
    if (code == SL_OK) code = sl_element_compress(&bytes, values, (int)n, err);
    for (size_t i = 0; i < n; i++) sl_value_clear(&values[i]);
    sl_free(values);
    if (code == SL_OK) code = sl_tensor_new(&t, SL_VARIANT, SL_SHAPE_SCALAR, err);
    if (code == SL_OK) code = sl_variant_data_new(t->data, SL_STR(SL_VARIANT_COMPRESSED_ELEMENT), bytes, NULL, 0, err);
    sl_free((void *)bytes.p);
    if (code == SL_OK) *out = t;
    else sl_tensor_unref(t);
    return code;
}

static sl_code pack_path(struct sl_object **out, const struct numbered_entry *e, size_t n, struct sl_error *err) {
    struct sl_arena arena;
    struct sl_tensor *values;
    size_t length;
    SL_TRY(pack_values(&values, e, n, err));
    sl_arena_init(&arena);
    const char *metadata = metadata_of(&arena, e, n, &length);
    sl_code code = metadata ? sl_variant_data_new(out, SL_STR(SL_VARIANT_ITERATOR_STATE),
                                                  (struct sl_str){metadata, length}, &values, 1, err)
                            : sl_fail_memory(err, n);
    sl_arena_clear(&arena);
    sl_tensor_unref(values);
    return code;
}

/* Entries from `i` on that have its path. */
static size_t same_path(const struct numbered_entry *e, size_t i, size_t n) {
    size_t end = i + 1;
    while (end < n && sl_str_eq(e[end].entry.path, e[i].entry.path)) end++;
    return end - i;
}

static sl_code pack_sorted(struct sl_tensor **out, const struct numbered_entry *e, size_t n, struct sl_error *err) {
    int64_t paths = 0;
    for (size_t i = 0; i < n; i += same_path(e, i, n)) paths++;
    struct sl_tensor *t;
    SL_TRY(sl_tensor_new(&t, SL_VARIANT, (struct sl_shape){1, &paths}, err));
    struct sl_object **to = t->data;
    sl_code code = SL_OK;
    for (size_t i = 0; i < n && code == SL_OK; i += same_path(e, i, n))
        code = pack_path(to++, &e[i], same_path(e, i, n), err);
    if (code == SL_OK) *out = t;
    else sl_tensor_unref(t);
    return code;
}

sl_code sl_state_pack(struct sl_tensor **out, const struct sl_state *s, struct sl_error *err) {
    SL_VEC(struct numbered_entry) entries = {0};
    struct numbered_entry e;
    for (e.i = 0; sl_state_entry_at(&e.entry, s, e.i); e.i++)
        if (sl_vec_push(&entries, e)) {
            sl_vec_free(&entries);
            return sl_fail_memory(err, sizeof e);
        }
    if (entries.n) qsort(entries.items, entries.n, sizeof e, by_path);
    sl_code code = pack_sorted(out, entries.items, entries.n, err);
    sl_vec_free(&entries);
    return code;
}

/* ---- unpacking */

/* The text up to the next separator, which is passed by; false at the end. */
static bool next_name(struct sl_str *name, struct sl_str *rest) {
    if (!rest->p) return false;
    size_t n = 0;
    while (n < rest->n && !sl_str_starts((struct sl_str){rest->p + n, rest->n - n}, separator)) n++;
    *name = (struct sl_str){rest->p, n};
    if (n == rest->n) rest->p = NULL;
    else *rest = (struct sl_str){rest->p + n + separator.n, rest->n - n - separator.n};
    return true;
}

/* A key that stands there with its path, without that: HASH|PATH:KEY is :KEY. */
static struct sl_str short_key(struct sl_str key, struct sl_str path) {
    const struct sl_str full = SL_STR(SL_STATE_FULL_NAME "|");
    if (!sl_str_starts(key, full)) return key;
    const struct sl_str rest = {key.p + full.n, key.n - full.n};
    if (!sl_str_starts(rest, path) || rest.n <= path.n || rest.p[path.n] != ':') return key;
    return (struct sl_str){rest.p + path.n, rest.n - path.n};
}

static sl_code bad_state(struct sl_error *err) {
    return sl_fail(err, SL_INVALID_ARGUMENT, "This is no saved position of an iterator");
}

static sl_code put_values(struct sl_state *s, struct sl_str metadata, const struct sl_value *values, size_t n,
                          struct sl_error *err) {
    struct sl_str path, key, rest = metadata;
    if (!next_name(&path, &rest)) return bad_state(err);
    for (size_t i = 0; i < n; i++) {
        if (!next_name(&key, &rest)) return bad_state(err);
        struct sl_value value;
        SL_TRY(sl_dataset_value_from_messages(&value, &values[i], err));
        sl_code code = sl_state_put_at(s, path, short_key(key, path), &value, err);
        sl_value_clear(&value);
        if (code != SL_OK) return code;
    }
    return rest.p ? bad_state(err) : SL_OK;
}

/* The compressed element that holds all values; NULL: each has a tensor. */
static const struct sl_variant_data *compressed_values(const struct sl_variant_data *v) {
    if (v->n != 1 || v->tensors[0]->dtype != SL_VARIANT || v->tensors[0]->count != 1) return NULL;
    return sl_variant_data_of(*(struct sl_object **)v->tensors[0]->data, SL_VARIANT_COMPRESSED_ELEMENT);
}

static sl_code unpack_path(struct sl_state *s, const struct sl_variant_data *v, struct sl_error *err) {
    const struct sl_variant_data *compressed = compressed_values(v);
    struct sl_value *values;
    int n = (int)v->n;
    if (compressed) {
        SL_TRY(sl_element_uncompress(&values, &n, compressed->metadata, err));
    } else {
        values = sl_calloc(v->n + 1, sizeof *values);
        if (!values) return sl_fail_memory(err, v->n * sizeof *values);
        for (size_t i = 0; i < v->n; i++) values[i] = sl_value_of_tensor(sl_tensor_ref(v->tensors[i]));
    }
    sl_code code = put_values(s, v->metadata, values, (size_t)n, err);
    for (int i = 0; i < n; i++) sl_value_clear(&values[i]);
    sl_free(values);
    return code;
}

sl_code sl_state_unpack(struct sl_state **out, const struct sl_value *variants, struct sl_error *err) {
    const struct sl_view v = sl_value_on_host(variants);
    struct sl_state *s;
    if (v.dtype != SL_VARIANT || v.rank != 1) return bad_state(err);
    SL_TRY(sl_state_new(&s, err));
    sl_code code = SL_OK;
    for (int64_t i = 0; i < v.count && code == SL_OK; i++) {
        const struct sl_variant_data *data =
            sl_variant_data_of(((struct sl_object **)v.data)[i], SL_VARIANT_ITERATOR_STATE);
        code = data ? unpack_path(s, data, err) : bad_state(err);
    }
    if (code == SL_OK) *out = s;
    else sl_state_free(s);
    return code;
}
