/* The bridge between tensors and TensorProto. The field that holds a type's values: types.proto and tensor.proto. */
#include "tensor/tensor_proto.h"

#include <string.h>

#include "base/alloc.h"
#include "base/checked.h"
#include "proto/wire.h"
#include "tensor/variant_data.h"
#include "tensor/variant_int.h"

static const int64_t SPLAT_LIMIT = INT64_C(1) << 30;

static sl_code read_shape(struct sl_shape *out, int64_t dims[SL_MAX_RANK], const struct sl_pb_TensorShapeProto *proto,
                          struct sl_error *err) {
    *out = SL_SHAPE_SCALAR;
    if (!proto) return SL_OK;
    if (proto->unknown_rank) return sl_fail(err, SL_INVALID_ARGUMENT, "the shape of a tensor must be known");
    if (proto->dim.n > SL_MAX_RANK)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Shape has %zu dimensions, at most %d are possible", proto->dim.n,
                       SL_MAX_RANK);
    for (size_t i = 0; i < proto->dim.n; i++) dims[i] = proto->dim.items[i].size;
    *out = (struct sl_shape){(int)proto->dim.n, dims};
    return SL_OK;
}

/* One value per element: `given` of them are there, `size` bytes each, and the last one is repeated. */
static void repeat_last(char *to, int64_t count, int64_t given, size_t size) {
    if (given >= count) return;
    if (given == 0) {
        memset(to, 0, (size_t)count * size);
        return;
    }
    const char *last = to + (size_t)(given - 1) * size;
    for (int64_t i = given; i < count; i++) memcpy(to + (size_t)i * size, last, size);
}

#define FROM_FIELD(c_type, field)                                                                                      \
    do {                                                                                                               \
        int64_t given = (int64_t)proto->field.n < t->count ? (int64_t)proto->field.n : t->count;                       \
        for (int64_t i = 0; i < given; i++) ((c_type *)t->data)[i] = (c_type)proto->field.items[i];                    \
        repeat_last(t->data, t->count, given, sizeof(c_type));                                                         \
    } while (0)

/* Pairs of numbers: real, imaginary. */
#define FROM_PAIRS(c_type, field)                                                                                      \
    do {                                                                                                               \
        int64_t given = (int64_t)(proto->field.n / 2) < t->count ? (int64_t)(proto->field.n / 2) : t->count;           \
        if (given) memcpy(t->data, proto->field.items, (size_t)given * 2 * sizeof(c_type));                            \
        repeat_last(t->data, t->count, given, 2 * sizeof(c_type));                                                     \
    } while (0)

static sl_code fill_strings(struct sl_tensor *t, const struct sl_pb_TensorProto *proto, struct sl_error *err) {
    TF_TString *s = t->data;
    size_t n = proto->string_val.n;
    for (int64_t i = 0; n && i < t->count; i++)
        SL_TRY(sl_string_set(&s[i], proto->string_val.items[(size_t)i < n ? (size_t)i : n - 1], err));
    return SL_OK;
}

static sl_code fill_plain(struct sl_tensor *t, const struct sl_pb_TensorProto *proto, struct sl_error *err) {
    switch (t->dtype) {
    case SL_FLOAT: FROM_FIELD(float, float_val); break;
    case SL_DOUBLE: FROM_FIELD(double, double_val); break;
    case SL_INT32:
    case SL_QINT32: FROM_FIELD(int32_t, int_val); break;
    case SL_INT16:
    case SL_QINT16: FROM_FIELD(int16_t, int_val); break;
    case SL_UINT16:
    case SL_QUINT16: FROM_FIELD(uint16_t, int_val); break;
    case SL_INT8:
    case SL_QINT8:
    case SL_INT4:
    case SL_INT2: FROM_FIELD(int8_t, int_val); break;
    case SL_UINT8:
    case SL_QUINT8:
    case SL_UINT4:
    case SL_UINT2: FROM_FIELD(uint8_t, int_val); break;
    case SL_INT64: FROM_FIELD(int64_t, int64_val); break;
    case SL_BOOL: FROM_FIELD(bool, bool_val); break;
    case SL_HALF:
    case SL_BFLOAT16: FROM_FIELD(uint16_t, half_val); break;
    case SL_UINT32: FROM_FIELD(uint32_t, uint32_val); break;
    case SL_UINT64: FROM_FIELD(uint64_t, uint64_val); break;
    case SL_COMPLEX64: FROM_PAIRS(float, scomplex_val); break;
    case SL_COMPLEX128: FROM_PAIRS(double, dcomplex_val); break;
    default: {
        if (!sl_set_has(SL_SET_FLOAT8, t->dtype))
            return sl_fail(err, SL_INVALID_ARGUMENT, "tensor of type %d", t->dtype);
        int64_t given = (int64_t)proto->float8_val.n < t->count ? (int64_t)proto->float8_val.n : t->count;
        if (given) memcpy(t->data, proto->float8_val.p, (size_t)given);
        repeat_last(t->data, t->count, given, 1);
    }
    }
    return SL_OK;
}

/* Strings, or the messages of variants, in tensor_content: a varint length of each, then the bytes of each. */
struct content_strings {
    const unsigned char *length, *text, *end;
};

static sl_code content_begin(struct content_strings *c, struct sl_str content, int64_t count, struct sl_error *err) {
    c->length = c->text = (const unsigned char *)content.p;
    c->end = c->length + content.n;
    for (int64_t i = 0; i < count; i++) {
        while (c->text < c->end && *c->text & 0x80) c->text++;
        if (c->text++ >= c->end)
            return sl_fail(err, SL_INVALID_ARGUMENT, "tensor_content ends within the lengths of its strings");
    }
    return SL_OK;
}

static sl_code content_next(struct sl_str *out, struct content_strings *c, struct sl_error *err) {
    uint64_t n = 0;
    for (int shift = 0; shift < 64; shift += 7) {
        n |= (uint64_t)(*c->length & 0x7f) << shift;
        if (!(*c->length++ & 0x80)) break;
    }
    if (n > (uint64_t)(c->end - c->text))
        return sl_fail(err, SL_INVALID_ARGUMENT, "tensor_content is shorter than its strings");
    *out = (struct sl_str){(const char *)c->text, (size_t)n};
    c->text += n;
    return SL_OK;
}

static sl_code strings_from_content(struct sl_tensor *t, struct sl_str content, struct sl_error *err) {
    struct content_strings c;
    struct sl_str text;
    SL_TRY(content_begin(&c, content, t->count, err));
    for (int64_t i = 0; i < t->count; i++) {
        SL_TRY(content_next(&text, &c, err));
        SL_TRY(sl_string_set((TF_TString *)t->data + i, text, err));
    }
    return SL_OK;
}

/* A variant of one of the types that are kept as they stand in messages. */
static sl_code decode_variant_data(struct sl_object **out, const struct sl_pb_VariantTensorDataProto *v,
                                   struct sl_error *err) {
    size_t n = 0;
    struct sl_tensor **tensors = sl_calloc(v->tensors.n + 1, sizeof *tensors);
    if (!tensors) return sl_fail_memory(err, v->tensors.n * sizeof *tensors);
    sl_code code = SL_OK;
    for (; code == SL_OK && n < v->tensors.n; n += code == SL_OK)
        code = sl_tensor_from_proto(&tensors[n], &v->tensors.items[n], err);
    if (code == SL_OK) code = sl_variant_data_new(out, v->type_name, v->metadata, tensors, n, err);
    while (n > 0) sl_tensor_unref(tensors[--n]);
    sl_free(tensors);
    return code;
}

sl_code sl_variant_from_proto(struct sl_object **out, const struct sl_pb_VariantTensorDataProto *v,
                              struct sl_error *err) {
    *out = NULL;
    if (v->type_name.n == 0) return SL_OK;
    if (sl_str_is(v->type_name, "int")) return sl_variant_int_decode(out, v->metadata, err);
    static const char *const kept[] = {SL_VARIANT_ITERATOR_STATE, SL_VARIANT_COMPRESSED_ELEMENT,
                                       SL_VARIANT_TENSOR,         SL_VARIANT_RAGGED_TENSOR,
                                       SL_VARIANT_DATASET,        SL_VARIANT_TENSOR_LIST,
                                       SL_VARIANT_OPTIONAL};
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        if (sl_str_is(v->type_name, kept[i])) return decode_variant_data(out, v, err);
    return sl_fail(err, SL_UNIMPLEMENTED, "a constant variant of type %.*s", SL_STR_ARG(v->type_name));
}

static sl_code variants_from_content(struct sl_tensor *t, struct sl_str content, struct sl_error *err) {
    struct content_strings c;
    struct sl_arena arena;
    SL_TRY(content_begin(&c, content, t->count, err));
    sl_arena_init(&arena);
    sl_code code = SL_OK;
    for (int64_t i = 0; code == SL_OK && i < t->count; i++) {
        struct sl_pb_VariantTensorDataProto message = {0};
        struct sl_str bytes;
        code = content_next(&bytes, &c, err);
        if (code == SL_OK) code = sl_pb_decode(&message, SL_PB_TYPE(VariantTensorDataProto), bytes, &arena, err);
        if (code == SL_OK) code = sl_variant_from_proto(&((struct sl_object **)t->data)[i], &message, err);
    }
    sl_arena_clear(&arena);
    return code;
}

/* Elements that are not given are empty. */
static sl_code fill_variants(struct sl_tensor *t, const struct sl_pb_TensorProto *proto, struct sl_error *err) {
    struct sl_object **elements = t->data;
    if (proto->tensor_content.n) return variants_from_content(t, proto->tensor_content, err);
    if (proto->variant_val.n > (size_t)t->count)
        return sl_fail(err, SL_INVALID_ARGUMENT, "%zu variants are given for a tensor of %lld", proto->variant_val.n,
                       (long long)t->count);
    for (size_t i = 0; i < proto->variant_val.n; i++)
        SL_TRY(sl_variant_from_proto(&elements[i], &proto->variant_val.items[i], err));
    return SL_OK;
}

static sl_code fill(struct sl_tensor *t, const struct sl_pb_TensorProto *proto, struct sl_error *err) {
    char text[SL_SHAPE_TEXT];
    if (t->dtype == SL_STRING)
        return proto->tensor_content.n ? strings_from_content(t, proto->tensor_content, err)
                                       : fill_strings(t, proto, err);
    if (t->dtype == SL_VARIANT) return fill_variants(t, proto, err);
    if (t->dtype == SL_RESOURCE) {
        if (proto->resource_handle_val.n)
            return sl_fail(err, SL_UNIMPLEMENTED, "a TensorProto of resources with contents");
        return SL_OK;
    }
    if (proto->tensor_content.n) {
        if (proto->tensor_content.n != t->bytes)
            return sl_fail(err, SL_INVALID_ARGUMENT,
                           "Tensor of type %s and shape %s needs %zu bytes of tensor_content, %zu are there",
                           sl_dtype_name(t->dtype), sl_shape_text(text, sl_tensor_shape(t)), t->bytes,
                           proto->tensor_content.n);
        memcpy(t->data, proto->tensor_content.p, t->bytes);
        if (t->dtype == SL_BOOL) /* any byte may stand in a file, only 0 and 1 are bools */
            for (int64_t i = 0; i < t->count; i++) ((uint8_t *)t->data)[i] = ((uint8_t *)t->data)[i] != 0;
        return SL_OK;
    }
    return fill_plain(t, proto, err);
}

sl_code sl_tensor_from_proto(struct sl_tensor **out, const struct sl_pb_TensorProto *proto, struct sl_error *err) {
    int64_t dims[SL_MAX_RANK], count, bytes;
    struct sl_shape shape;
    char text[SL_SHAPE_TEXT];
    if (!sl_dtype_is_valid(proto->dtype))
        return sl_fail(err, SL_INVALID_ARGUMENT, "Invalid data type %d in a TensorProto", proto->dtype);
    SL_TRY(read_shape(&shape, dims, proto->tensor_shape, err));
    SL_TRY(sl_shape_count(&count, shape, err));
    if (!sl_mul_i64(&bytes, count, (int64_t)sl_dtype_size(proto->dtype)) ||
        (!proto->tensor_content.n && bytes > SPLAT_LIMIT))
        return sl_fail(err, SL_RESOURCE_EXHAUSTED,
                       "a TensorProto asks for a %s tensor of shape %s but does not hold its elements",
                       sl_dtype_name(proto->dtype), sl_shape_text(text, shape));
    if (proto->tensor_content.n && sl_dtype_is_plain(proto->dtype) && (uint64_t)bytes != proto->tensor_content.n)
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "Tensor of type %s and shape %s needs %lld bytes of tensor_content, %zu are there",
                       sl_dtype_name(proto->dtype), sl_shape_text(text, shape), (long long)bytes,
                       proto->tensor_content.n);
    struct sl_tensor *t;
    SL_TRY(sl_tensor_new(&t, proto->dtype, shape, err));
    sl_code code = fill(t, proto, err);
    if (code != SL_OK) {
        sl_tensor_unref(t);
        return code;
    }
    *out = t;
    return SL_OK;
}

sl_code sl_shape_to_proto(struct sl_pb_TensorShapeProto **out, struct sl_shape shape, struct sl_arena *arena,
                          struct sl_error *err) {
    struct sl_pb_TensorShapeProto *p = SL_ARENA_NEW(arena, struct sl_pb_TensorShapeProto);
    if (!p) return sl_fail_memory(err, sizeof *p);
    p->unknown_rank = shape.rank < 0;
    if (shape.rank > 0) {
        p->dim.items = sl_arena_array(arena, (size_t)shape.rank, sizeof *p->dim.items);
        if (!p->dim.items) return sl_fail_memory(err, (size_t)shape.rank);
        p->dim.n = (size_t)shape.rank;
        for (int i = 0; i < shape.rank; i++) p->dim.items[i].size = shape.dims[i];
    }
    *out = p;
    return SL_OK;
}

bool sl_variant_is_writable(const struct sl_object *o) {
    return !o || o->type == &sl_variant_data_type || o->type->tensors;
}

sl_code sl_variant_to_proto(struct sl_pb_VariantTensorDataProto *out, const struct sl_object *o, struct sl_arena *arena,
                            struct sl_error *err) {
    memset(out, 0, sizeof *out);
    if (!o) return SL_OK;
    if (o->type->write) return o->type->write(out, o, arena, err);
    struct sl_tensor *const *tensors;
    size_t n;
    if (!sl_variant_is_writable(o))
        return sl_fail(err, SL_UNIMPLEMENTED, "a variant of type %s as a message", o->type->name);
    if (o->type == &sl_variant_data_type) {
        const struct sl_variant_data *v = (const struct sl_variant_data *)o;
        out->type_name = v->type_name;
        out->metadata = v->metadata;
        tensors = v->tensors;
        n = v->n;
    } else {
        out->type_name = sl_str_of(o->type->name);
        n = o->type->tensors(&tensors, o);
    }
    out->tensors.items = sl_arena_array(arena, n + 1, sizeof *out->tensors.items);
    if (!out->tensors.items) return sl_fail_memory(err, n);
    for (; out->tensors.n < n; out->tensors.n++)
        SL_TRY(sl_tensor_to_proto(&out->tensors.items[out->tensors.n], tensors[out->tensors.n], arena, err));
    return SL_OK;
}

static sl_code variants_to_proto(struct sl_pb_TensorProto *out, const struct sl_tensor *t, struct sl_arena *arena,
                                 struct sl_error *err) {
    out->variant_val.items = sl_arena_array(arena, (size_t)t->count + 1, sizeof *out->variant_val.items);
    if (!out->variant_val.items) return sl_fail_memory(err, (size_t)t->count);
    out->variant_val.n = (size_t)t->count;
    for (int64_t i = 0; i < t->count; i++)
        SL_TRY(sl_variant_to_proto(&out->variant_val.items[i], ((struct sl_object *const *)t->data)[i], arena, err));
    return SL_OK;
}

sl_code sl_tensor_to_proto(struct sl_pb_TensorProto *out, const struct sl_tensor *t, struct sl_arena *arena,
                           struct sl_error *err) {
    memset(out, 0, sizeof *out);
    out->dtype = t->dtype;
    SL_TRY(sl_shape_to_proto(&out->tensor_shape, sl_tensor_shape(t), arena, err));
    if (t->dtype == SL_STRING) {
        out->string_val.items = sl_arena_array(arena, (size_t)t->count, sizeof *out->string_val.items);
        if (!out->string_val.items) return sl_fail_memory(err, (size_t)t->count);
        out->string_val.n = (size_t)t->count;
        for (int64_t i = 0; i < t->count; i++)
            out->string_val.items[i] = sl_string_get((const TF_TString *)t->data + i);
        return SL_OK;
    }
    if (t->dtype == SL_VARIANT) return variants_to_proto(out, t, arena, err);
    if (!sl_dtype_is_plain(t->dtype))
        return sl_fail(err, SL_UNIMPLEMENTED, "a %s tensor as a TensorProto", sl_dtype_name(t->dtype));
    out->tensor_content = (struct sl_str){t->data, t->bytes};
    return SL_OK;
}

sl_code sl_tensor_proto_decode(struct sl_pb_TensorProto *out, struct sl_str bytes, struct sl_arena *arena,
                               struct sl_error *err) {
    return sl_pb_decode(out, SL_PB_TYPE(TensorProto), bytes, arena, err);
}

sl_code sl_tensor_proto_encode(struct sl_str *bytes, const struct sl_pb_TensorProto *proto, struct sl_arena *arena,
                               struct sl_error *err) {
    return sl_pb_encode(bytes, SL_PB_TYPE(TensorProto), proto, 0, arena, err);
}
