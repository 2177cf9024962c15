/* Setting attrs of an operation under construction: TF_SetAttr... */
#include <string.h>

#include "capi/description.h"
#include "proto/wire.h"
#include "tensor/tensor_proto.h"

/* An array of `n` elements in the description's arena; NULL when memory is out, which is kept. */
static void *array_of(TF_OperationDescription *d, int n, size_t size) {
    void *items = sl_arena_array(&d->arena, n > 0 ? (size_t)n : 0, size);
    if (!items) sl_description_no_memory(d);
    return items;
}

static bool copy_string(struct sl_str *out, TF_OperationDescription *d, const void *value, size_t length) {
    *out = (struct sl_str){sl_description_copy(d, value, length), length};
    return out->p != NULL;
}

/* ---- scalars */
void TF_SetAttrString(TF_OperationDescription *description, const char *attr_name, const void *value, size_t length) {
    struct sl_pb_AttrValue *attr = sl_description_value(description, SL_PB_AttrValue_s);
    if (attr && copy_string(&attr->s, description, value, length)) sl_description_set(description, attr_name, attr);
}

void TF_SetAttrInt(TF_OperationDescription *description, const char *attr_name, int64_t value) {
    struct sl_pb_AttrValue *attr = sl_description_value(description, SL_PB_AttrValue_i);
    if (attr) attr->i = value;
    sl_description_set(description, attr_name, attr);
}

void TF_SetAttrFloat(TF_OperationDescription *description, const char *attr_name, float value) {
    struct sl_pb_AttrValue *attr = sl_description_value(description, SL_PB_AttrValue_f);
    if (attr) attr->f = value;
    sl_description_set(description, attr_name, attr);
}

void TF_SetAttrBool(TF_OperationDescription *description, const char *attr_name, unsigned char value) {
    struct sl_pb_AttrValue *attr = sl_description_value(description, SL_PB_AttrValue_b);
    if (attr) attr->b = value != 0;
    sl_description_set(description, attr_name, attr);
}

void TF_SetAttrType(TF_OperationDescription *description, const char *attr_name, TF_DataType value) {
    struct sl_pb_AttrValue *attr = sl_description_value(description, SL_PB_AttrValue_type);
    if (attr) attr->type = (int32_t)value;
    sl_description_set(description, attr_name, attr);
}

void TF_SetAttrPlaceholder(TF_OperationDescription *description, const char *attr_name, const char *placeholder) {
    struct sl_pb_AttrValue *attr = sl_description_value(description, SL_PB_AttrValue_placeholder);
    if (attr && copy_string(&attr->placeholder, description, placeholder, placeholder ? strlen(placeholder) : 0))
        sl_description_set(description, attr_name, attr);
}

void TF_SetAttrFuncName(TF_OperationDescription *description, const char *attr_name, const char *value, size_t length) {
    struct sl_pb_AttrValue *attr = sl_description_value(description, SL_PB_AttrValue_func);
    if (!attr) return;
    attr->func = array_of(description, 1, sizeof *attr->func);
    if (attr->func && copy_string(&attr->func->name, description, value, length))
        sl_description_set(description, attr_name, attr);
}

/* ---- lists of scalars */
void TF_SetAttrStringList(TF_OperationDescription *description, const char *attr_name, const void *const *values,
                          const size_t *lengths, int num_values) {
    struct sl_pb_AttrValue *attr = sl_description_list(description);
    struct sl_str *items = attr ? array_of(description, num_values, sizeof *items) : NULL;
    if (!items) return;
    for (int i = 0; i < num_values; i++)
        if (!copy_string(&items[i], description, values[i], lengths[i])) return;
    attr->list->s.items = items;
    attr->list->s.n = num_values > 0 ? (size_t)num_values : 0;
    sl_description_set(description, attr_name, attr);
}

/* A list whose elements are converted one by one. */
#define SET_LIST(member, type)                                                                                         \
    struct sl_pb_AttrValue *attr = sl_description_list(description);                                                   \
    type *items = attr ? array_of(description, num_values, sizeof *items) : NULL;                                      \
    if (!items) return;                                                                                                \
    for (int i = 0; i < num_values; i++) items[i] = (type)(values[i]);                                                 \
    attr->list->member.items = items;                                                                                  \
    attr->list->member.n = num_values > 0 ? (size_t)num_values : 0;                                                    \
    sl_description_set(description, attr_name, attr)

void TF_SetAttrIntList(TF_OperationDescription *description, const char *attr_name, const int64_t *values,
                       int num_values) {
    SET_LIST(i, int64_t);
}

void TF_SetAttrFloatList(TF_OperationDescription *description, const char *attr_name, const float *values,
                         int num_values) {
    SET_LIST(f, float);
}

void TF_SetAttrBoolList(TF_OperationDescription *description, const char *attr_name, const unsigned char *values,
                        int num_values) {
    SET_LIST(b, bool);
}

void TF_SetAttrTypeList(TF_OperationDescription *description, const char *attr_name, const TF_DataType *values,
                        int num_values) {
    SET_LIST(type, int32_t);
}

/* ---- shapes */
/* Fills a message; false when memory is out, which is kept. Every negative size is unknown. */
static bool fill_shape(struct sl_pb_TensorShapeProto *out, TF_OperationDescription *d, const int64_t *dims, int rank) {
    *out = (struct sl_pb_TensorShapeProto){.unknown_rank = rank < 0};
    if (rank <= 0) return true;
    out->dim.items = array_of(d, rank, sizeof *out->dim.items);
    if (!out->dim.items) return false;
    out->dim.n = (size_t)rank;
    for (int i = 0; i < rank; i++) out->dim.items[i].size = dims[i] < 0 ? -1 : dims[i];
    return true;
}

void TF_SetAttrShape(TF_OperationDescription *description, const char *attr_name, const int64_t *dims, int num_dims) {
    struct sl_pb_AttrValue *attr = sl_description_value(description, SL_PB_AttrValue_shape);
    if (!attr) return;
    attr->shape = array_of(description, 1, sizeof *attr->shape);
    if (attr->shape && fill_shape(attr->shape, description, dims, num_dims))
        sl_description_set(description, attr_name, attr);
}

void TF_SetAttrShapeList(TF_OperationDescription *description, const char *attr_name, const int64_t *const *dims,
                         const int *num_dims, int num_shapes) {
    struct sl_pb_AttrValue *attr = sl_description_list(description);
    struct sl_pb_TensorShapeProto *items = attr ? array_of(description, num_shapes, sizeof *items) : NULL;
    if (!items) return;
    for (int i = 0; i < num_shapes; i++)
        if (!fill_shape(&items[i], description, dims[i], num_dims[i])) return;
    attr->list->shape.items = items;
    attr->list->shape.n = num_shapes > 0 ? (size_t)num_shapes : 0;
    sl_description_set(description, attr_name, attr);
}

/* ---- messages */
static sl_code decode(void *out, TF_OperationDescription *d, const struct sl_pb_message *type, const void *proto,
                      size_t proto_len, const char *what, struct sl_error *err) {
    struct sl_str bytes = {NULL, proto ? proto_len : 0};
    bytes.p = sl_description_copy(d, proto, bytes.n);
    if (!bytes.p) return sl_fail_memory(err, bytes.n);
    if (sl_pb_decode(out, type, bytes, &d->arena, NULL) != SL_OK)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Unparseable %s", what);
    return SL_OK;
}

static sl_code set_shape_protos(TF_OperationDescription *d, const char *attr_name, const void *const *protos,
                                const size_t *lens, int n, bool is_list, struct sl_error *err) {
    struct sl_pb_AttrValue *attr = is_list ? sl_description_list(d) : sl_description_value(d, SL_PB_AttrValue_shape);
    struct sl_pb_TensorShapeProto *items = attr ? array_of(d, n, sizeof *items) : NULL;
    if (!items) return sl_fail(err, SL_RESOURCE_EXHAUSTED, "out of memory");
    for (int i = 0; i < n; i++) {
        struct sl_shape shape;
        SL_TRY(decode(&items[i], d, SL_PB_TYPE(TensorShapeProto), protos[i], lens[i], "TensorShapeProto", err));
        SL_TRY(sl_shape_from_proto(&shape, &items[i], &d->arena, err));
    }
    if (is_list) {
        attr->list->shape.items = items;
        attr->list->shape.n = n > 0 ? (size_t)n : 0;
    } else {
        attr->shape = items;
    }
    sl_description_set(d, attr_name, attr);
    return SL_OK;
}

void TF_SetAttrTensorShapeProto(TF_OperationDescription *description, const char *attr_name, const void *proto,
                                size_t proto_len, TF_Status *status) {
    struct sl_error err;
    sl_status_take(status, set_shape_protos(description, attr_name, &proto, &proto_len, 1, false, &err), &err);
}

void TF_SetAttrTensorShapeProtoList(TF_OperationDescription *description, const char *attr_name,
                                    const void *const *protos, const size_t *proto_lens, int num_shapes,
                                    TF_Status *status) {
    struct sl_error err;
    sl_status_take(status, set_shape_protos(description, attr_name, protos, proto_lens, num_shapes, true, &err), &err);
}

static sl_code set_value_proto(TF_OperationDescription *d, const char *attr_name, const void *proto, size_t proto_len,
                               struct sl_error *err) {
    struct sl_pb_AttrValue *attr = sl_description_value(d, 0);
    if (!attr) return sl_fail(err, SL_RESOURCE_EXHAUSTED, "out of memory");
    SL_TRY(decode(attr, d, SL_PB_TYPE(AttrValue), proto, proto_len, "AttrValue proto", err));
    if (strcmp(attr_name, "_class") == 0 && attr->which != 0 && attr->which != SL_PB_AttrValue_list)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Expected \"list\" field for \"_class\" attribute");
    sl_description_set(d, attr_name, attr);
    return SL_OK;
}

void TF_SetAttrValueProto(TF_OperationDescription *description, const char *attr_name, const void *proto,
                          size_t proto_len, TF_Status *status) {
    struct sl_error err;
    sl_status_take(status, set_value_proto(description, attr_name, proto, proto_len, &err), &err);
}

/* ---- tensors */
/* The elements are borrowed from the tensor, which the description keeps. */
static sl_code fill_tensor(struct sl_pb_TensorProto *out, TF_OperationDescription *d, const TF_Tensor *value,
                           struct sl_error *err) {
    if (!value) return sl_fail(err, SL_INVALID_ARGUMENT, "The value of a tensor attribute is NULL");
    SL_TRY(sl_tensor_to_proto(out, value->tensor, &d->arena, err));
    if (sl_vec_push(&d->tensors, value->tensor)) return sl_fail_memory(err, sizeof value);
    sl_tensor_ref(value->tensor);
    return SL_OK;
}

static sl_code set_tensors(TF_OperationDescription *d, const char *attr_name, TF_Tensor *const *values, int n,
                           bool is_list, struct sl_error *err) {
    struct sl_pb_AttrValue *attr = is_list ? sl_description_list(d) : sl_description_value(d, SL_PB_AttrValue_tensor);
    struct sl_pb_TensorProto *items = attr ? array_of(d, n, sizeof *items) : NULL;
    if (!items) return sl_fail(err, SL_RESOURCE_EXHAUSTED, "out of memory");
    for (int i = 0; i < n; i++) SL_TRY(fill_tensor(&items[i], d, values[i], err));
    if (is_list) {
        attr->list->tensor.items = items;
        attr->list->tensor.n = n > 0 ? (size_t)n : 0;
    } else {
        attr->tensor = items;
    }
    sl_description_set(d, attr_name, attr);
    return SL_OK;
}

void TF_SetAttrTensor(TF_OperationDescription *description, const char *attr_name, TF_Tensor *value,
                      TF_Status *status) {
    struct sl_error err;
    sl_status_take(status, set_tensors(description, attr_name, &value, 1, false, &err), &err);
}

void TF_SetAttrTensorList(TF_OperationDescription *description, const char *attr_name, TF_Tensor *const *values,
                          int num_values, TF_Status *status) {
    struct sl_error err;
    sl_status_take(status, set_tensors(description, attr_name, values, num_values, true, &err), &err);
}
