/* The hash of a FunctionDef, bit for bit that of TensorFlow 2.21, so that the same function gets the same name here
 * and there. It goes over the signature, the nodes by name with their attrs by name, and the results by name; what
 * has no order in the message has none in the hash. Found by comparing with names that TensorFlow gave; the tests
 * hold some. */
#include "graph/function_hash.h"

#include "base/hash.h"
#include "proto/wire.h"
#include "tensor/tensor_proto.h"

#include <stdlib.h>

struct hasher {
    struct sl_arena *arena;
    struct sl_error *err;
    sl_code code; /* the first failure */
};

static uint64_t hash_text(struct sl_str s, uint64_t h) { return sl_hash64(s.p, s.n, h); }

static void fail(struct hasher *x, sl_code code) {
    if (x->code == SL_OK) x->code = code;
}

static void *new_array(struct hasher *x, size_t n, size_t size) {
    void *p = sl_arena_array(x->arena, n, size);
    if (!p) fail(x, sl_fail_memory(x->err, n * size));
    return p;
}

static uint64_t hash_message(struct hasher *x, const struct sl_pb_message *type, const void *message, uint64_t h) {
    struct sl_str bytes = {NULL, 0};
    fail(x, sl_pb_encode(&bytes, type, message, SL_PB_SORT_MAPS, x->arena, x->err));
    return hash_text(bytes, h);
}

/* ---- values */

/* Strings as one content: the lengths as varints, then the bytes. */
static struct sl_str string_content(struct hasher *x, const struct sl_tensor *t) {
    const TF_TString *strings = t->data;
    size_t n = 0;
    for (int64_t i = 0; i < t->count; i++) n += sl_string_get(&strings[i]).n + 10;
    unsigned char *p = new_array(x, n, 1), *at = p;
    if (!p) return (struct sl_str){NULL, 0};
    for (int64_t i = 0; i < t->count; i++) {
        size_t length = sl_string_get(&strings[i]).n;
        for (; length > 127; length >>= 7) *at++ = (unsigned char)(length | 128);
        *at++ = (unsigned char)length;
    }
    for (int64_t i = 0; i < t->count; i++) {
        struct sl_str s = sl_string_get(&strings[i]);
        if (s.n) memcpy(at, s.p, s.n);
        at += s.n;
    }
    return (struct sl_str){(const char *)p, (size_t)(at - p)};
}

/* Tensors are hashed by what they hold, not by how the message spells it. */
static uint64_t hash_tensor(struct hasher *x, const struct sl_pb_TensorProto *proto) {
    struct sl_tensor *t;
    struct sl_pb_TensorProto plain = {.dtype = proto->dtype};
    if (sl_tensor_from_proto(&t, proto, NULL)) return hash_message(x, SL_PB_TYPE(TensorProto), proto, SL_HASH64_SEED);
    fail(x, sl_shape_to_proto(&plain.tensor_shape, sl_tensor_shape(t), x->arena, x->err));
    plain.tensor_content =
        t->dtype == SL_STRING ? string_content(x, t) : (struct sl_str){(const char *)t->data, t->bytes};
    uint64_t h = x->code == SL_OK ? hash_message(x, SL_PB_TYPE(TensorProto), &plain, SL_HASH64_SEED) : 0;
    sl_tensor_unref(t);
    return h;
}

static uint64_t hash_attrs(struct hasher *x, const struct sl_pb_map_string_AttrValue *map, bool with_internal,
                           uint64_t h);

static uint64_t hash_value(struct hasher *x, const struct sl_pb_AttrValue *value) {
    if (value->which == SL_PB_AttrValue_tensor) return hash_tensor(x, value->tensor);
    if (value->which == SL_PB_AttrValue_func)
        return hash_attrs(x, &value->func->attr, true, hash_text(value->func->name, SL_HASH64_SEED));
    return hash_message(x, SL_PB_TYPE(AttrValue), value, SL_HASH64_SEED);
}

static int by_key(const void *a, const void *b) {
    return sl_str_cmp((*(const struct sl_pb_entry_string_AttrValue *const *)a)->key,
                      (*(const struct sl_pb_entry_string_AttrValue *const *)b)->key);
}

static uint64_t hash_attrs(struct hasher *x, const struct sl_pb_map_string_AttrValue *map, bool with_internal,
                           uint64_t h) {
    const struct sl_pb_entry_string_AttrValue **sorted = new_array(x, map->n, sizeof *sorted);
    size_t n = 0;
    for (size_t i = 0; i < map->n && sorted; i++)
        if (with_internal || !sl_str_starts(map->items[i].key, SL_STR("_"))) sorted[n++] = &map->items[i];
    if (n > 1) qsort(sorted, n, sizeof *sorted, by_key);
    for (size_t i = 0; i < n; i++) {
        h = hash_text(sorted[i]->key, h);
        h = sl_hash64_combine(hash_value(x, &sorted[i]->value), h);
    }
    return h;
}

/* ---- nodes */
static int by_text(const void *a, const void *b) {
    return sl_str_cmp(*(const struct sl_str *)a, *(const struct sl_str *)b);
}

static uint64_t hash_node(struct hasher *x, const struct sl_pb_NodeDef *def) {
    uint64_t h = hash_text(def->device, hash_text(def->op, hash_text(def->name, SL_HASH64_SEED)));
    size_t n_data = 0, n = def->input.n;
    while (n_data < n && !sl_str_starts(def->input.items[n_data], SL_STR("^"))) n_data++;
    for (size_t i = 0; i < n_data; i++) h = hash_text(def->input.items[i], h);
    struct sl_str *controls = new_array(x, n - n_data, sizeof *controls);
    if (!controls) return h;
    if (n > n_data) memcpy(controls, def->input.items + n_data, (n - n_data) * sizeof *controls);
    if (n > n_data) qsort(controls, n - n_data, sizeof *controls, by_text);
    for (size_t i = 0; i < n - n_data; i++)
        if (!i || !sl_str_eq(controls[i], controls[i - 1])) h = hash_text(controls[i], h);
    return hash_attrs(x, &def->attr, false, h);
}

static int by_node_name(const void *a, const void *b) {
    return sl_str_cmp((*(const struct sl_pb_NodeDef *const *)a)->name, (*(const struct sl_pb_NodeDef *const *)b)->name);
}

static uint64_t hash_nodes(struct hasher *x, const struct sl_pb_array_NodeDef *nodes) {
    const struct sl_pb_NodeDef **sorted = new_array(x, nodes->n, sizeof *sorted);
    uint64_t h = SL_HASH64_SEED;
    if (!sorted) return h;
    for (size_t i = 0; i < nodes->n; i++) sorted[i] = &nodes->items[i];
    if (nodes->n > 1) qsort(sorted, nodes->n, sizeof *sorted, by_node_name);
    for (size_t i = 0; i < nodes->n; i++) {
        h = hash_text(sorted[i]->name, h);
        h = sl_hash64_combine(hash_node(x, sorted[i]), h);
    }
    return h;
}

/* ---- signature and results */
static uint64_t hash_declaration(struct hasher *x, const struct sl_pb_OpDef_AttrDef *attr) {
    static const struct sl_pb_AttrValue none = {0};
    uint64_t h = hash_text(attr->type, hash_text(attr->name, SL_HASH64_SEED));
    h = sl_hash64_combine(hash_value(x, attr->default_value ? attr->default_value : &none), h);
    h = hash_text(attr->description, h);
    h = sl_hash64_combine(attr->has_minimum, h);
    h = sl_hash64_combine((uint64_t)attr->minimum, h);
    return sl_hash64_combine(hash_value(x, attr->allowed_values ? attr->allowed_values : &none), h);
}

static int by_attr_name(const void *a, const void *b) {
    return sl_str_cmp(((const struct sl_pb_OpDef_AttrDef *)a)->name, ((const struct sl_pb_OpDef_AttrDef *)b)->name);
}

static uint64_t hash_signature(struct hasher *x, const struct sl_pb_OpDef *signature) {
    struct sl_pb_OpDef rest = *signature;
    size_t n = signature->attr.n;
    struct sl_pb_OpDef_AttrDef *attrs = new_array(x, n, sizeof *attrs);
    uint64_t h = SL_HASH64_SEED;
    if (!attrs) return h;
    if (n) memcpy(attrs, signature->attr.items, n * sizeof *attrs);
    if (n > 1) qsort(attrs, n, sizeof *attrs, by_attr_name);
    for (size_t i = 0; i < n; i++) {
        h = hash_text(attrs[i].name, h);
        h = sl_hash64_combine(hash_declaration(x, &attrs[i]), h);
    }
    rest.name = (struct sl_str){NULL, 0};
    rest.attr = (struct sl_pb_array_OpDef_AttrDef){0};
    rest.control_output = (struct sl_pb_array_str){0};
    return hash_message(x, SL_PB_TYPE(OpDef), &rest, h);
}

static int by_result(const void *a, const void *b) {
    return sl_str_cmp((*(const struct sl_pb_entry_string_string *const *)a)->key,
                      (*(const struct sl_pb_entry_string_string *const *)b)->key);
}

static uint64_t hash_results(struct hasher *x, const struct sl_pb_map_string_string *map, uint64_t h) {
    const struct sl_pb_entry_string_string **sorted = new_array(x, map->n, sizeof *sorted);
    if (!sorted) return h;
    for (size_t i = 0; i < map->n; i++) sorted[i] = &map->items[i];
    if (map->n > 1) qsort(sorted, map->n, sizeof *sorted, by_result);
    for (size_t i = 0; i < map->n; i++) h = hash_text(sorted[i]->value, hash_text(sorted[i]->key, h));
    return h;
}

sl_code sl_function_suffix(char out[SL_FUNCTION_SUFFIX], const struct sl_pb_FunctionDef *def, struct sl_arena *arena,
                           struct sl_error *err) {
    /* Base64 for names, with letters where it has '-' and '_'. */
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789aA";
    struct hasher x = {.arena = arena, .err = err};
    uint64_t h = hash_attrs(&x, &def->attr, true, hash_signature(&x, def->signature));
    h = sl_hash64_combine(hash_nodes(&x, &def->node_def), h);
    h = hash_results(&x, &def->ret, h);
    if (x.code != SL_OK) return x.code;
    h = __builtin_bswap64(h); /* its bytes, lowest first, are read six bits at a time from the top */
    for (int i = 0; i < SL_FUNCTION_SUFFIX - 1; i++) {
        int shift = 58 - 6 * i;
        out[i] = digits[(shift >= 0 ? h >> shift : h << -shift) & 63];
    }
    out[SL_FUNCTION_SUFFIX - 1] = 0;
    return SL_OK;
}
