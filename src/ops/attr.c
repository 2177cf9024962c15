/* Attr values one by one: reading, checking, comparing. Values with parts of any depth (shapes, tensors, functions) are
 * copied, compared and hashed through their canonical encoding, which is all the proto room knows about equality. */
#include "ops/attr.h"

#include <inttypes.h>
#include <limits.h>

#include "base/hash.h"
#include "ops/op_summary.h"
#include "proto/wire.h"

static const int which_of[SL_ATTR_KINDS] = {
    [SL_ATTR_STRING] = SL_PB_AttrValue_s,      [SL_ATTR_INT] = SL_PB_AttrValue_i,
    [SL_ATTR_FLOAT] = SL_PB_AttrValue_f,       [SL_ATTR_BOOL] = SL_PB_AttrValue_b,
    [SL_ATTR_TYPE] = SL_PB_AttrValue_type,     [SL_ATTR_SHAPE] = SL_PB_AttrValue_shape,
    [SL_ATTR_TENSOR] = SL_PB_AttrValue_tensor, [SL_ATTR_FUNC] = SL_PB_AttrValue_func,
};

/* ---- kinds */
static size_t list_length(const struct sl_pb_AttrValue_ListValue *list, int kind) {
    switch (kind) {
    case SL_ATTR_STRING: return list->s.n;
    case SL_ATTR_INT: return list->i.n;
    case SL_ATTR_FLOAT: return list->f.n;
    case SL_ATTR_BOOL: return list->b.n;
    case SL_ATTR_TYPE: return list->type.n;
    case SL_ATTR_SHAPE: return list->shape.n;
    case SL_ATTR_TENSOR: return list->tensor.n;
    default: return list->func.n;
    }
}

static sl_code fail_kind(int found, bool found_list, int kind, bool is_list, struct sl_str name, struct sl_error *err) {
    return sl_fail(err, SL_INVALID_ARGUMENT,
                   "AttrValue had value with type '%s' when '%s' expected\n\t for attr '%.*s'",
                   sl_attr_kind_name((enum sl_attr_kind)found, found_list),
                   sl_attr_kind_name((enum sl_attr_kind)kind, is_list), SL_STR_ARG(name));
}

static sl_code fail_missing(int kind, bool is_list, struct sl_str name, struct sl_error *err) {
    return sl_fail(err, SL_INVALID_ARGUMENT, "AttrValue missing value with expected type '%s'\n\t for attr '%.*s'",
                   sl_attr_kind_name((enum sl_attr_kind)kind, is_list), SL_STR_ARG(name));
}

/* No value at all is an empty list where a list is wanted: the oldest graphs have it so. */
static sl_code check_kind(const struct sl_pb_AttrValue *value, int kind, bool is_list, struct sl_str name,
                          struct sl_error *err) {
    if (!is_list && value->which == which_of[kind]) return SL_OK;
    if (value->which == SL_PB_AttrValue_placeholder)
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "AttrValue had value with unexpected type 'placeholder'\n\t for attr '%.*s'", SL_STR_ARG(name));
    if (value->which == SL_PB_AttrValue_list) {
        for (int k = 0; value->list && k < SL_ATTR_KINDS; k++)
            if (list_length(value->list, k) && !(is_list && k == kind))
                return fail_kind(k, true, kind, is_list, name, err);
        return is_list ? SL_OK : fail_missing(kind, is_list, name, err);
    }
    for (int k = 0; k < SL_ATTR_KINDS; k++)
        if (value->which == which_of[k]) return fail_kind(k, false, kind, is_list, name, err);
    return is_list ? SL_OK : fail_missing(kind, is_list, name, err);
}

/* ---- checking against a declaration */
static sl_code check_type(const struct sl_op_attr *attr, int type, struct sl_error *err) {
    struct sl_str name = attr->name;
    if (type == 0)
        return sl_fail(err, SL_INVALID_ARGUMENT, "AttrValue has invalid DataType\n\t for attr '%.*s'",
                       SL_STR_ARG(name));
    if (!sl_dtype_is_valid(sl_dtype_base(type)))
        return sl_fail(err, SL_INVALID_ARGUMENT, "AttrValue has invalid DataType enum: %d\n\t for attr '%.*s'", type,
                       SL_STR_ARG(name));
    if (sl_dtype_is_ref(type))
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "AttrValue must not have reference type value of %s\n\t for attr '%.*s'", sl_dtype_name(type),
                       SL_STR_ARG(name));
    if (!attr->types || sl_set_has(attr->types, type)) return SL_OK;
    sl_fail(err, SL_INVALID_ARGUMENT,
            "Value for attr '%.*s' of %s is not in the list of allowed values: ", SL_STR_ARG(name),
            sl_dtype_name(type));
    const struct sl_pb_array_i32 *types = &attr->allowed->list->type;
    for (size_t i = 0; i < types->n; i++) sl_error_append(err, "%s%s", i ? ", " : "", sl_dtype_name(types->items[i]));
    return SL_INVALID_ARGUMENT;
}

static sl_code check_string(const struct sl_op_attr *attr, struct sl_str s, struct sl_error *err) {
    if (!attr->allowed) return SL_OK;
    const struct sl_pb_array_str *allowed = &attr->allowed->list->s;
    for (size_t i = 0; i < allowed->n; i++)
        if (sl_str_eq(s, allowed->items[i])) return SL_OK;
    char text[SL_SUMMARY_MAX];
    struct sl_pb_AttrValue value = {.which = SL_PB_AttrValue_s, .s = s};
    sl_fail(err, SL_INVALID_ARGUMENT,
            "Value for attr '%.*s' of %s is not in the list of allowed values: ", SL_STR_ARG(attr->name),
            sl_attr_summary(text, &value));
    for (size_t i = 0; i < allowed->n; i++)
        sl_error_append(err, "%s\"%.*s\"", i ? ", " : "", SL_STR_ARG(allowed->items[i]));
    return SL_INVALID_ARGUMENT;
}

static sl_code check_list(const struct sl_op_attr *attr, const struct sl_pb_AttrValue *value, struct sl_error *err) {
    const struct sl_pb_AttrValue_ListValue *list = value->which == SL_PB_AttrValue_list ? value->list : NULL;
    size_t n = list ? list_length(list, attr->kind) : 0;
    if (attr->has_minimum && n < (uint64_t)attr->minimum)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Length for attr '%.*s' of %zu must be at least minimum %" PRId64,
                       SL_STR_ARG(attr->name), n, attr->minimum);
    for (size_t i = 0; i < n && attr->kind == SL_ATTR_TYPE; i++) SL_TRY(check_type(attr, list->type.items[i], err));
    for (size_t i = 0; i < n && attr->kind == SL_ATTR_STRING; i++) SL_TRY(check_string(attr, list->s.items[i], err));
    return SL_OK;
}

sl_code sl_attr_check(const struct sl_op_attr *attr, const struct sl_pb_AttrValue *value, struct sl_error *err) {
    SL_TRY(check_kind(value, attr->kind, attr->is_list, attr->name, err));
    if (attr->is_list) return check_list(attr, value, err);
    if (attr->kind == SL_ATTR_TYPE) return check_type(attr, value->type, err);
    if (attr->kind == SL_ATTR_STRING) return check_string(attr, value->s, err);
    if (attr->kind == SL_ATTR_INT && attr->has_minimum && value->i < attr->minimum)
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "Value for attr '%.*s' of %" PRId64 " must be at least minimum %" PRId64, SL_STR_ARG(attr->name),
                       value->i, attr->minimum);
    return SL_OK;
}

/* ---- reading */
const struct sl_pb_AttrValue *sl_attr_find(const struct sl_attrs *attrs, struct sl_str name) {
    for (int i = attrs->n; i-- > 0;)
        if (sl_str_eq(attrs->items[i].name, name)) return attrs->items[i].value;
    return NULL;
}

static sl_code find(const struct sl_pb_AttrValue **out, const struct sl_attrs *attrs, const char *name, int kind,
                    bool is_list, struct sl_error *err) {
    const struct sl_pb_AttrValue *value = sl_attr_find(attrs, sl_str_of(name));
    if (!value) return sl_fail(err, SL_NOT_FOUND, "No attr named '%s' in NodeDef:", name);
    *out = value;
    return check_kind(value, kind, is_list, sl_str_of(name), err);
}

/* `out` is set only on success. */
#define SCALAR(function, c_type, kind_, member)                                                                        \
    sl_code function(c_type *out, const struct sl_attrs *attrs, const char *name, struct sl_error *err) {              \
        const struct sl_pb_AttrValue *value;                                                                           \
        SL_TRY(find(&value, attrs, name, kind_, false, err));                                                          \
        *out = value->member;                                                                                          \
        return SL_OK;                                                                                                  \
    }
SCALAR(sl_attr_string, struct sl_str, SL_ATTR_STRING, s)
SCALAR(sl_attr_int, int64_t, SL_ATTR_INT, i)
SCALAR(sl_attr_float, float, SL_ATTR_FLOAT, f)
SCALAR(sl_attr_bool, bool, SL_ATTR_BOOL, b)
SCALAR(sl_attr_type, int, SL_ATTR_TYPE, type)
SCALAR(sl_attr_tensor, const struct sl_pb_TensorProto *, SL_ATTR_TENSOR, tensor)
SCALAR(sl_attr_func, const struct sl_pb_NameAttrList *, SL_ATTR_FUNC, func)

sl_code sl_attr_int32(int *out, const struct sl_attrs *attrs, const char *name, struct sl_error *err) {
    int64_t wide;
    SL_TRY(sl_attr_int(&wide, attrs, name, err));
    if (wide < INT32_MIN || wide > INT32_MAX)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Attr %s has value %" PRId64 " out of range for an int32", name, wide);
    *out = (int)wide;
    return SL_OK;
}

sl_code sl_attr_shape(struct sl_shape *out, struct sl_arena *arena, const struct sl_attrs *attrs, const char *name,
                      struct sl_error *err) {
    const struct sl_pb_AttrValue *value;
    SL_TRY(find(&value, attrs, name, SL_ATTR_SHAPE, false, err));
    return sl_shape_from_proto(out, value->shape, arena, err);
}

/* The list of a value, NULL for an empty one. */
static sl_code find_list(const struct sl_pb_AttrValue_ListValue **out, const struct sl_attrs *attrs, const char *name,
                         int kind, struct sl_error *err) {
    const struct sl_pb_AttrValue *value;
    SL_TRY(find(&value, attrs, name, kind, true, err));
    *out = value->which == SL_PB_AttrValue_list ? value->list : NULL;
    if (*out && list_length(*out, kind) > INT_MAX)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Attr %s is too long a list", name);
    return SL_OK;
}

#define LIST(function, c_type, kind_, member)                                                                          \
    sl_code function(const c_type **out, int *n, const struct sl_attrs *attrs, const char *name,                       \
                     struct sl_error *err) {                                                                           \
        const struct sl_pb_AttrValue_ListValue *list;                                                                  \
        SL_TRY(find_list(&list, attrs, name, kind_, err));                                                             \
        *out = list ? list->member.items : NULL;                                                                       \
        *n = list ? (int)list->member.n : 0;                                                                           \
        return SL_OK;                                                                                                  \
    }
LIST(sl_attr_string_list, struct sl_str, SL_ATTR_STRING, s)
LIST(sl_attr_int_list, int64_t, SL_ATTR_INT, i)
LIST(sl_attr_float_list, float, SL_ATTR_FLOAT, f)
LIST(sl_attr_bool_list, bool, SL_ATTR_BOOL, b)
LIST(sl_attr_type_list, int32_t, SL_ATTR_TYPE, type)
LIST(sl_attr_tensor_list, struct sl_pb_TensorProto, SL_ATTR_TENSOR, tensor)
LIST(sl_attr_func_list, struct sl_pb_NameAttrList, SL_ATTR_FUNC, func)

sl_code sl_attr_shape_list(const struct sl_shape **out, int *n, struct sl_arena *arena, const struct sl_attrs *attrs,
                           const char *name, struct sl_error *err) {
    const struct sl_pb_AttrValue_ListValue *list;
    SL_TRY(find_list(&list, attrs, name, SL_ATTR_SHAPE, err));
    size_t count = list ? list->shape.n : 0;
    struct sl_shape *shapes = SL_ARENA_ARRAY(arena, struct sl_shape, count);
    if (!shapes) return sl_fail_memory(err, count * sizeof *shapes);
    for (size_t i = 0; i < count; i++) SL_TRY(sl_shape_from_proto(&shapes[i], &list->shape.items[i], arena, err));
    *out = shapes;
    *n = (int)count;
    return SL_OK;
}

sl_code sl_shape_from_proto(struct sl_shape *out, const struct sl_pb_TensorShapeProto *proto, struct sl_arena *arena,
                            struct sl_error *err) {
    *out = SL_SHAPE_UNKNOWN;
    if (!proto) *out = SL_SHAPE_SCALAR;
    if (!proto || proto->unknown_rank) return SL_OK;
    if (proto->dim.n > SL_MAX_RANK)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Shape has %zu dimensions; at most %d are allowed", proto->dim.n,
                       SL_MAX_RANK);
    int64_t *dims = SL_ARENA_ARRAY(arena, int64_t, proto->dim.n);
    if (!dims) return sl_fail_memory(err, proto->dim.n * sizeof *dims);
    for (size_t i = 0; i < proto->dim.n; i++) {
        dims[i] = proto->dim.items[i].size;
        if (dims[i] < -1) {
            char text[SL_SUMMARY_MAX];
            struct sl_pb_AttrValue value = {.which = SL_PB_AttrValue_shape,
                                            .shape = (struct sl_pb_TensorShapeProto *)proto};
            return sl_fail(err, SL_INVALID_ARGUMENT,
                           "Shape %s has dimensions with values below -1 (where -1 means unknown)",
                           sl_attr_summary(text, &value));
        }
    }
    *out = (struct sl_shape){(int)proto->dim.n, proto->dim.n ? dims : NULL};
    return SL_OK;
}

/* ---- comparing */
/* The canonical bytes, in `arena`; {NULL, 0} when memory is out. */
static struct sl_str encode(const struct sl_pb_AttrValue *value, struct sl_arena *arena) {
    struct sl_str bytes;
    sl_code code = sl_pb_encode(&bytes, SL_PB_TYPE(AttrValue), value, SL_PB_SORT_MAPS, arena, NULL);
    return code == SL_OK ? bytes : (struct sl_str){NULL, 0};
}

/* Most constants have nothing but a shape and numbers of one of the usual types: those are compared as they are. */
static bool is_plain_shape(const struct sl_pb_TensorShapeProto *shape) {
    for (size_t d = 0; shape && d < shape->dim.n; d++)
        if (shape->dim.items[d].name.n || shape->dim.items[d].unknown) return false;
    return shape && !shape->unknown;
}

static bool plain_shape_equal(const struct sl_pb_TensorShapeProto *s, const struct sl_pb_TensorShapeProto *t) {
    if (s->unknown_rank != t->unknown_rank || s->dim.n != t->dim.n) return false;
    for (size_t d = 0; d < s->dim.n; d++)
        if (s->dim.items[d].size != t->dim.items[d].size) return false;
    return true;
}

static uint64_t plain_shape_hash(uint64_t hash, const struct sl_pb_TensorShapeProto *shape) {
    hash = sl_hash_mix(hash, shape->dim.n * 2 + shape->unknown_rank);
    for (size_t d = 0; d < shape->dim.n; d++) hash = sl_hash_mix(hash, (uint64_t)shape->dim.items[d].size);
    return hash;
}

static bool is_plain(const struct sl_pb_TensorProto *t) {
    return is_plain_shape(t->tensor_shape) && !t->unknown && !t->version_number && !t->half_val.n && !t->double_val.n &&
           !t->string_val.n && !t->scomplex_val.n && !t->dcomplex_val.n && !t->resource_handle_val.n &&
           !t->variant_val.n && !t->uint32_val.n && !t->uint64_val.n && !t->float8_val.n;
}

struct piece {
    const void *p;
    size_t n;
};
enum { PIECES = 5 };
static void list_pieces(struct piece pieces[PIECES], const struct sl_pb_TensorProto *t) {
    pieces[0] = (struct piece){t->tensor_content.p, t->tensor_content.n};
    pieces[1] = (struct piece){t->float_val.items, t->float_val.n * sizeof *t->float_val.items};
    pieces[2] = (struct piece){t->int_val.items, t->int_val.n * sizeof *t->int_val.items};
    pieces[3] = (struct piece){t->int64_val.items, t->int64_val.n * sizeof *t->int64_val.items};
    pieces[4] = (struct piece){t->bool_val.items, t->bool_val.n * sizeof *t->bool_val.items};
}

static bool plain_equal(const struct sl_pb_TensorProto *a, const struct sl_pb_TensorProto *b) {
    struct piece x[PIECES], y[PIECES];
    if (a->dtype != b->dtype || !plain_shape_equal(a->tensor_shape, b->tensor_shape)) return false;
    list_pieces(x, a);
    list_pieces(y, b);
    for (int i = 0; i < PIECES; i++)
        if (x[i].n != y[i].n || (x[i].n && memcmp(x[i].p, y[i].p, x[i].n) != 0)) return false;
    return true;
}

static uint64_t plain_hash(const struct sl_pb_TensorProto *t) {
    struct piece pieces[PIECES];
    uint64_t hash = plain_shape_hash((uint64_t)t->dtype, t->tensor_shape);
    list_pieces(pieces, t);
    for (uint64_t i = 0; i < PIECES; i++)
        if (pieces[i].n) hash = sl_hash_mix(sl_hash_mix(hash, i), sl_hash_bytes(pieces[i].p, pieces[i].n));
    return hash;
}

/* Nor have most lists anything but numbers, types and strings. */
static bool is_plain_list(const struct sl_pb_AttrValue_ListValue *l) {
    return l && !l->unknown && !l->shape.n && !l->tensor.n && !l->func.n;
}

/* Most functions are a name. */
static bool is_plain_func(const struct sl_pb_NameAttrList *f) { return f && !f->unknown && !f->attr.n; }

static bool same_items(const void *a, size_t n_a, const void *b, size_t n_b, size_t size) {
    return n_a == n_b && (n_a == 0 || memcmp(a, b, n_a * size) == 0);
}
#define SAME_ITEMS(x, y) same_items((x).items, (x).n, (y).items, (y).n, sizeof *(x).items)

static bool plain_list_equal(const struct sl_pb_AttrValue_ListValue *a, const struct sl_pb_AttrValue_ListValue *b) {
    if (!SAME_ITEMS(a->i, b->i) || !SAME_ITEMS(a->type, b->type) || !SAME_ITEMS(a->f, b->f) ||
        !SAME_ITEMS(a->b, b->b) || a->s.n != b->s.n)
        return false;
    for (size_t i = 0; i < a->s.n; i++)
        if (!sl_str_eq(a->s.items[i], b->s.items[i])) return false;
    return true;
}

/* Elements of different kinds are mixed in differently. */
static uint64_t plain_list_hash(const struct sl_pb_AttrValue_ListValue *l) {
    uint64_t hash = 0;
    for (size_t i = 0; i < l->i.n; i++) hash = sl_hash_mix(hash, (uint64_t)l->i.items[i]);
    for (size_t i = 0; i < l->type.n; i++) hash = sl_hash_mix(hash + 1, (uint64_t)l->type.items[i]);
    for (size_t i = 0; i < l->b.n; i++) hash = sl_hash_mix(hash + 2, l->b.items[i]);
    for (size_t i = 0; i < l->s.n; i++) hash = sl_hash_mix(hash + 3, sl_hash_bytes(l->s.items[i].p, l->s.items[i].n));
    return l->f.n ? sl_hash_mix(hash + 4, sl_hash_bytes(l->f.items, l->f.n * sizeof *l->f.items)) : hash;
}

bool sl_attr_equal(const struct sl_pb_AttrValue *a, const struct sl_pb_AttrValue *b) {
    if (a == b) return true;
    if (a->which != b->which) return false;
    switch (a->which) {
    case 0: return true;
    case SL_PB_AttrValue_s: return sl_str_eq(a->s, b->s);
    case SL_PB_AttrValue_i: return a->i == b->i;
    case SL_PB_AttrValue_b: return a->b == b->b;
    case SL_PB_AttrValue_type: return a->type == b->type;
    case SL_PB_AttrValue_f: return memcmp(&a->f, &b->f, sizeof a->f) == 0;
    case SL_PB_AttrValue_placeholder: return sl_str_eq(a->placeholder, b->placeholder);
    case SL_PB_AttrValue_func:
        if (is_plain_func(a->func) && is_plain_func(b->func)) return sl_str_eq(a->func->name, b->func->name);
        break;
    case SL_PB_AttrValue_list:
        if (is_plain_list(a->list) && is_plain_list(b->list)) return plain_list_equal(a->list, b->list);
        break;
    case SL_PB_AttrValue_shape:
        if (is_plain_shape(a->shape) && is_plain_shape(b->shape)) return plain_shape_equal(a->shape, b->shape);
        break;
    case SL_PB_AttrValue_tensor:
        if (is_plain(a->tensor) && is_plain(b->tensor)) return plain_equal(a->tensor, b->tensor);
        break;
    default: break;
    }
    struct sl_arena arena;
    sl_arena_init(&arena);
    struct sl_str x = encode(a, &arena), y = encode(b, &arena);
    bool equal = x.p && y.p && sl_str_eq(x, y);
    sl_arena_clear(&arena);
    return equal;
}

uint64_t sl_attr_hash(const struct sl_pb_AttrValue *value) {
    uint64_t kind = (uint64_t)value->which;
    switch (value->which) {
    case 0: return sl_hash_mix(kind, 0);
    case SL_PB_AttrValue_s: return sl_hash_mix(kind, sl_hash_bytes(value->s.p, value->s.n));
    case SL_PB_AttrValue_i: return sl_hash_mix(kind, (uint64_t)value->i);
    case SL_PB_AttrValue_b: return sl_hash_mix(kind, value->b);
    case SL_PB_AttrValue_type: return sl_hash_mix(kind, (uint64_t)value->type);
    case SL_PB_AttrValue_placeholder:
        return sl_hash_mix(kind, sl_hash_bytes(value->placeholder.p, value->placeholder.n));
    case SL_PB_AttrValue_func:
        if (is_plain_func(value->func))
            return sl_hash_mix(kind, sl_hash_bytes(value->func->name.p, value->func->name.n));
        break;
    case SL_PB_AttrValue_list:
        if (is_plain_list(value->list)) return sl_hash_mix(kind, plain_list_hash(value->list));
        break;
    case SL_PB_AttrValue_shape:
        if (is_plain_shape(value->shape)) return plain_shape_hash(kind, value->shape);
        break;
    case SL_PB_AttrValue_tensor:
        if (is_plain(value->tensor)) return sl_hash_mix(kind, plain_hash(value->tensor));
        break;
    default: break;
    }
    struct sl_arena arena;
    sl_arena_init(&arena);
    struct sl_str bytes = encode(value, &arena);
    uint64_t hash = sl_hash_mix(kind, sl_hash_bytes(bytes.p, bytes.n));
    sl_arena_clear(&arena);
    return hash;
}
