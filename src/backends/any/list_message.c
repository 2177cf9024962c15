/* Lists and optionals between processes. What comes is a list of the list's kind only when somebody receives it: until then it is what
 * the message says (tensor/variant_data.h). */
#include "backends/any/list_message.h"

#include <string.h>

#include "backends/any/optional.h"
#include "backends/any/tensor_list.h"
#include "base/arena.h"
#include "ops/attr.h"
#include "proto/wire.h"
#include "tensor/tensor_proto.h"
#include "tensor/variant_data.h"

enum { VARINT = 10 };

static char *put_varint(char *at, uint64_t v) {
    for (; v >= 0x80; v >>= 7) *at++ = (char)(v | 0x80);
    *at++ = (char)v;
    return at;
}

/* ---- writing */

static bool is_set(const struct sl_tensor_list *l, int64_t i) {
    return i < l->touched && l->values[i].kind != SL_VALUE_NONE;
}

static sl_code write_metadata(struct sl_str *out, const struct sl_tensor_list *l, int64_t n_unset,
                              struct sl_arena *arena, struct sl_error *err) {
    struct sl_pb_TensorShapeProto *shape;
    struct sl_str encoded;
    SL_TRY(sl_shape_to_proto(&shape, sl_list_shape(l), arena, err));
    SL_TRY(sl_pb_encode(&encoded, SL_PB_TYPE(TensorShapeProto), shape, 0, arena, err));
    size_t room = (size_t)(n_unset + 3) * VARINT + encoded.n;
    char *text = sl_arena_alloc(arena, room), *at = text;
    if (!text) return sl_fail_memory(err, room);
    at = put_varint(at, (uint64_t)n_unset);
    for (int64_t i = 0; i < l->n; i++)
        if (!is_set(l, i)) at = put_varint(at, (uint64_t)i);
    at = put_varint(at, l->dtype);
    at = put_varint(at, (uint64_t)l->max);
    if (encoded.n) memcpy(at, encoded.p, encoded.n);
    *out = (struct sl_str){text, (size_t)(at - text) + encoded.n};
    return SL_OK;
}

/* The tensor that stands for a scalar goes at once, so its bytes are copied. */
sl_code sl_list_write_value(struct sl_pb_TensorProto *out, const struct sl_value *v, struct sl_arena *arena,
                            struct sl_error *err) {
    struct sl_tensor *t;
    if (v->kind == SL_VALUE_TENSOR) return sl_tensor_to_proto(out, v->tensor, arena, err);
    SL_TRY(sl_value_to_tensor(&t, v, err));
    sl_code code = sl_tensor_to_proto(out, t, arena, err);
    if (code == SL_OK && out->tensor_content.n) {
        out->tensor_content = sl_arena_str(arena, out->tensor_content);
        if (!out->tensor_content.p) code = sl_fail_memory(err, t->bytes);
    }
    sl_tensor_unref(t);
    return code;
}

sl_code sl_list_write(struct sl_pb_VariantTensorDataProto *out, const struct sl_object *list, struct sl_arena *arena,
                      struct sl_error *err) {
    const struct sl_tensor_list *l = (const struct sl_tensor_list *)list;
    int64_t n_set = 0;
    for (int64_t i = 0; i < l->touched; i++) n_set += is_set(l, i);
    out->type_name = SL_STR(SL_VARIANT_TENSOR_LIST);
    SL_TRY(write_metadata(&out->metadata, l, l->n - n_set, arena, err));
    out->tensors.items = sl_arena_array(arena, (size_t)n_set + 1, sizeof *out->tensors.items);
    if (!out->tensors.items) return sl_fail_memory(err, (size_t)n_set * sizeof *out->tensors.items);
    for (int64_t i = 0; i < l->touched; i++)
        if (is_set(l, i)) SL_TRY(sl_list_write_value(&out->tensors.items[out->tensors.n++], &l->values[i], arena, err));
    return SL_OK;
}

/* ---- reading */

struct metadata {
    const unsigned char *at, *end;
    bool is_bad;
};

static uint64_t take_varint(struct metadata *m) {
    uint64_t v = 0;
    for (int shift = 0; shift < 7 * VARINT && m->at < m->end; shift += 7) {
        unsigned char byte = *m->at++;
        if (shift < 64) v |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80)) return v;
    }
    m->is_bad = true;
    return 0;
}

static sl_code fail_message(struct sl_error *err) {
    return sl_fail(err, SL_INVALID_ARGUMENT, "a TensorList came with metadata that make no sense");
}

/* The indices of `n_unset` elements, ascending; in the arena. */
static sl_code take_unset(int64_t **out, struct metadata *m, uint64_t n_unset, int64_t n, struct sl_arena *arena,
                          struct sl_error *err) {
    int64_t *indices = sl_arena_array(arena, (size_t)n_unset + 1, sizeof *indices), last = -1;
    if (!indices) return sl_fail_memory(err, (size_t)n_unset * sizeof *indices);
    for (uint64_t i = 0; i < n_unset; i++) {
        uint64_t index = take_varint(m);
        if (m->is_bad || index >= (uint64_t)n || (int64_t)index <= last) return fail_message(err);
        indices[i] = last = (int64_t)index;
    }
    indices[n_unset] = n;
    *out = indices;
    return SL_OK;
}

static sl_code arrive_tensor(struct sl_tensor *t, struct sl_error *err);

static sl_code fill_list(struct sl_tensor_list *l, const struct sl_variant_data *v, const int64_t *unset,
                         struct sl_error *err) {
    size_t next = 0;
    for (int64_t i = 0; i < l->n; i++) {
        if (*unset == i) {
            unset++;
            continue;
        }
        struct sl_tensor *t = v->tensors[next++];
        if (t->dtype != l->dtype)
            return sl_fail(err, SL_INVALID_ARGUMENT, "a TensorList of %s came with an element of type %s",
                           sl_dtype_name(l->dtype), sl_dtype_name(t->dtype));
        SL_TRY(arrive_tensor(t, err));
        struct sl_value value = sl_value_of_tensor(sl_tensor_ref(t));
        sl_code code = sl_list_put(l, i, value, err);
        if (code != SL_OK) {
            sl_value_clear(&value);
            return code;
        }
    }
    return SL_OK;
}

static sl_code read_list(struct sl_object **out, const struct sl_variant_data *v, struct sl_arena *arena,
                         struct sl_error *err) {
    const unsigned char *text = (const unsigned char *)v->metadata.p;
    struct metadata m = {.at = text, .end = text + v->metadata.n};
    struct sl_pb_TensorShapeProto proto;
    struct sl_tensor_list *list;
    struct sl_shape shape;
    int64_t *unset = NULL;
    uint64_t n_unset = take_varint(&m);
    if (m.is_bad || n_unset > v->metadata.n) return fail_message(err);
    const int64_t n = (int64_t)(v->n + n_unset);
    SL_TRY(take_unset(&unset, &m, n_unset, n, arena, err));
    uint64_t dtype = take_varint(&m), max = take_varint(&m);
    if (m.is_bad || dtype > 255 || !sl_dtype_is_valid((int)dtype)) return fail_message(err);
    const struct sl_str rest = {(const char *)m.at, (size_t)(m.end - m.at)};
    SL_TRY(sl_pb_decode(&proto, SL_PB_TYPE(TensorShapeProto), rest, arena, err));
    SL_TRY(sl_shape_from_proto(&shape, &proto, arena, err));
    SL_TRY(sl_list_new(&list, (int)dtype, shape, (int64_t)max, n, err));
    sl_code code = fill_list(list, v, unset, err);
    if (code == SL_OK) *out = &list->object;
    else sl_object_unref(&list->object);
    return code;
}

static sl_code read_optional(struct sl_object **out, const struct sl_variant_data *v, struct sl_arena *arena,
                             struct sl_error *err) {
    struct sl_value *values = sl_arena_array(arena, v->n + 1, sizeof *values);
    if (!values) return sl_fail_memory(err, v->n);
    for (size_t i = 0; i < v->n; i++) SL_TRY(arrive_tensor(v->tensors[i], err));
    for (size_t i = 0; i < v->n; i++) values[i] = sl_value_of_tensor(sl_tensor_ref(v->tensors[i]));
    sl_code code = sl_optional_new(out, values, (int)v->n, v->metadata.n && *v->metadata.p, err);
    for (size_t i = 0; i < v->n; i++) sl_value_clear(&values[i]); /* what has not been moved */
    return code;
}

/* The object's reference goes over to the list. */
static sl_code arrive_object(struct sl_object **object, struct sl_error *err) {
    const struct sl_variant_data *list = sl_variant_data_of(*object, SL_VARIANT_TENSOR_LIST);
    const struct sl_variant_data *optional = sl_variant_data_of(*object, SL_VARIANT_OPTIONAL);
    struct sl_object *made = NULL;
    struct sl_arena arena;
    if (!list && !optional) return SL_OK;
    sl_arena_init(&arena);
    sl_code code = list ? read_list(&made, list, &arena, err) : read_optional(&made, optional, &arena, err);
    sl_arena_clear(&arena);
    if (code != SL_OK) return code;
    sl_object_unref(*object);
    *object = made;
    return SL_OK;
}

/* What has just been read from a message is nobody else's: it is changed in place. Within a process a list never is a
 * message, so that there is nothing to change. */
static sl_code arrive_tensor(struct sl_tensor *t, struct sl_error *err) {
    for (int64_t i = 0; t->dtype == SL_VARIANT && i < t->count; i++)
        SL_TRY(arrive_object(&((struct sl_object **)t->data)[i], err));
    return SL_OK;
}

sl_code sl_list_arrive(struct sl_value *value, struct sl_error *err) {
    if (value->kind == SL_VALUE_OBJECT) return arrive_object(&value->object, err);
    return value->kind == SL_VALUE_TENSOR ? arrive_tensor(value->tensor, err) : SL_OK;
}
