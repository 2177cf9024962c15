/* Values of attrs out of a C caller's arrays. */
#include "capi/attr_values.h"

#include <string.h>

#include "proto/wire.h"
#include "tensor/tensor_proto.h"

static sl_attr_value *value_new(struct sl_arena *arena, int which) {
    sl_attr_value *v = SL_ARENA_NEW(arena, sl_attr_value);
    if (v) v->which = which;
    return v;
}

static sl_attr_value *list_new(struct sl_arena *arena) {
    sl_attr_value *v = value_new(arena, SL_PB_AttrValue_list);
    if (v) v->list = SL_ARENA_NEW(arena, struct sl_pb_AttrValue_ListValue);
    return v && v->list ? v : NULL;
}

/* The same number for a list, of which there may be none. */
static size_t count_of(int n) { return n > 0 ? (size_t)n : 0; }

static bool copy_bytes(struct sl_str *out, struct sl_arena *arena, const void *p, size_t n) {
    *out = sl_arena_str(arena, (struct sl_str){p ? p : "", p ? n : 0});
    return out->p != NULL;
}

/* ---- one */

sl_attr_value *sl_value_of_string(struct sl_arena *arena, const void *value, size_t length) {
    sl_attr_value *v = value_new(arena, SL_PB_AttrValue_s);
    return v && copy_bytes(&v->s, arena, value, length) ? v : NULL;
}

sl_attr_value *sl_value_of_int(struct sl_arena *arena, int64_t value) {
    sl_attr_value *v = value_new(arena, SL_PB_AttrValue_i);
    if (v) v->i = value;
    return v;
}

sl_attr_value *sl_value_of_float(struct sl_arena *arena, float value) {
    sl_attr_value *v = value_new(arena, SL_PB_AttrValue_f);
    if (v) v->f = value;
    return v;
}

sl_attr_value *sl_value_of_bool(struct sl_arena *arena, bool value) {
    sl_attr_value *v = value_new(arena, SL_PB_AttrValue_b);
    if (v) v->b = value;
    return v;
}

sl_attr_value *sl_value_of_type(struct sl_arena *arena, TF_DataType value) {
    sl_attr_value *v = value_new(arena, SL_PB_AttrValue_type);
    if (v) v->type = (int32_t)value;
    return v;
}

sl_attr_value *sl_value_of_placeholder(struct sl_arena *arena, const char *name) {
    sl_attr_value *v = value_new(arena, SL_PB_AttrValue_placeholder);
    return v && copy_bytes(&v->placeholder, arena, name, name ? strlen(name) : 0) ? v : NULL;
}

sl_attr_value *sl_value_of_function(struct sl_arena *arena, const char *name, size_t length) {
    sl_attr_value *v = value_new(arena, SL_PB_AttrValue_func);
    if (v) v->func = SL_ARENA_NEW(arena, struct sl_pb_NameAttrList);
    return v && v->func && copy_bytes(&v->func->name, arena, name, length) ? v : NULL;
}

static bool fill_shape(struct sl_pb_TensorShapeProto *out, struct sl_arena *arena, const int64_t *dims, int rank) {
    *out = (struct sl_pb_TensorShapeProto){.unknown_rank = rank < 0};
    if (rank <= 0) return true;
    out->dim.items = sl_arena_array(arena, (size_t)rank, sizeof *out->dim.items);
    if (!out->dim.items) return false;
    out->dim.n = (size_t)rank;
    for (int i = 0; i < rank; i++) out->dim.items[i].size = dims[i] < 0 ? -1 : dims[i];
    return true;
}

sl_attr_value *sl_value_of_shape(struct sl_arena *arena, const int64_t *dims, int rank) {
    sl_attr_value *v = value_new(arena, SL_PB_AttrValue_shape);
    if (v) v->shape = SL_ARENA_NEW(arena, struct sl_pb_TensorShapeProto);
    return v && v->shape && fill_shape(v->shape, arena, dims, rank) ? v : NULL;
}

/* ---- lists */

sl_attr_value *sl_value_of_strings(struct sl_arena *arena, const void *const *values, const size_t *lengths, int n) {
    sl_attr_value *v = list_new(arena);
    struct sl_str *items = v ? sl_arena_array(arena, count_of(n), sizeof *items) : NULL;
    for (int i = 0; items && i < n; i++)
        if (!copy_bytes(&items[i], arena, values[i], lengths[i])) return NULL;
    if (!items) return NULL;
    v->list->s.items = items;
    v->list->s.n = count_of(n);
    return v;
}

/* A list whose items are converted one by one. */
#define LIST_OF(function, member, type, given)                                                                         \
    sl_attr_value *function(struct sl_arena *arena, const given *values, int n) {                                      \
        sl_attr_value *v = list_new(arena);                                                                            \
        type *items = v ? sl_arena_array(arena, count_of(n), sizeof *items) : NULL;                                    \
        if (!items) return NULL;                                                                                       \
        for (int i = 0; i < n; i++) items[i] = (type)values[i];                                                        \
        v->list->member.items = items;                                                                                 \
        v->list->member.n = count_of(n);                                                                               \
        return v;                                                                                                      \
    }
LIST_OF(sl_value_of_ints, i, int64_t, int64_t)
LIST_OF(sl_value_of_floats, f, float, float)
LIST_OF(sl_value_of_bools, b, bool, unsigned char)
LIST_OF(sl_value_of_types, type, int32_t, TF_DataType)

sl_attr_value *sl_value_of_shapes(struct sl_arena *arena, const int64_t *const *dims, const int *ranks, int n) {
    sl_attr_value *v = list_new(arena);
    struct sl_pb_TensorShapeProto *items = v ? sl_arena_array(arena, count_of(n), sizeof *items) : NULL;
    for (int i = 0; items && i < n; i++)
        if (!fill_shape(&items[i], arena, dims[i], ranks[i])) return NULL;
    if (!items) return NULL;
    v->list->shape.items = items;
    v->list->shape.n = count_of(n);
    return v;
}

/* ---- messages */

static sl_code decode(void *out, struct sl_arena *arena, const struct sl_pb_message *type, const void *proto, size_t n,
                      const char *what, struct sl_error *err) {
    struct sl_str bytes;
    if (!copy_bytes(&bytes, arena, proto, n)) return sl_fail_memory(err, n);
    if (sl_pb_decode(out, type, bytes, arena, NULL) == SL_OK) return SL_OK;
    return sl_fail(err, SL_INVALID_ARGUMENT, "Unparseable %s", what);
}

sl_code sl_value_of_bytes(sl_attr_value **out, struct sl_arena *arena, const void *proto, size_t n,
                          struct sl_error *err) {
    *out = value_new(arena, 0);
    if (!*out) return sl_fail_memory(err, sizeof **out);
    return decode(*out, arena, SL_PB_TYPE(AttrValue), proto, n, "AttrValue proto", err);
}

/* A value of so many items: a list, or the only one. */
static sl_attr_value *value_for(struct sl_arena *arena, int which, bool is_list) {
    return is_list ? list_new(arena) : value_new(arena, which);
}

sl_code sl_value_of_shape_bytes(sl_attr_value **out, struct sl_arena *arena, const void *const *protos,
                                const size_t *lengths, int n, bool is_list, struct sl_error *err) {
    sl_attr_value *v = value_for(arena, SL_PB_AttrValue_shape, is_list);
    struct sl_pb_TensorShapeProto *items = v ? sl_arena_array(arena, count_of(n), sizeof *items) : NULL;
    if (!items) return sl_fail_memory(err, count_of(n) * sizeof *items);
    for (int i = 0; i < n; i++) {
        struct sl_shape shape;
        SL_TRY(decode(&items[i], arena, SL_PB_TYPE(TensorShapeProto), protos[i], lengths[i], "TensorShapeProto", err));
        SL_TRY(sl_shape_from_proto(&shape, &items[i], arena, err));
    }
    if (is_list) {
        v->list->shape.items = items;
        v->list->shape.n = count_of(n);
    } else {
        v->shape = items;
    }
    *out = v;
    return SL_OK;
}

sl_code sl_value_of_tensors(sl_attr_value **out, struct sl_arena *arena, TF_Tensor *const *values, int n, bool is_list,
                            struct sl_error *err) {
    sl_attr_value *v = value_for(arena, SL_PB_AttrValue_tensor, is_list);
    struct sl_pb_TensorProto *items = v ? sl_arena_array(arena, count_of(n), sizeof *items) : NULL;
    if (!items) return sl_fail_memory(err, count_of(n) * sizeof *items);
    for (int i = 0; i < n; i++) {
        if (!values[i]) return sl_fail(err, SL_INVALID_ARGUMENT, "The value of a tensor attribute is NULL");
        SL_TRY(sl_tensor_to_proto(&items[i], values[i]->tensor, arena, err));
    }
    if (is_list) {
        v->list->tensor.items = items;
        v->list->tensor.n = count_of(n);
    } else {
        v->tensor = items;
    }
    *out = v;
    return SL_OK;
}
