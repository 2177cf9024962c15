/* Setting attrs of an operation under construction: TF_SetAttr... */
#include <string.h>

#include "capi/attr_values.h"
#include "capi/description.h"

/* A value, or "out of memory", which the description keeps. */
static void set(TF_OperationDescription *d, const char *attr_name, const sl_attr_value *value) {
    if (value) sl_description_set(d, attr_name, value);
    else sl_description_no_memory(d);
}

#define SET(value)                                                                                                     \
    do {                                                                                                               \
        if (description) set(description, attr_name, (value));                                                         \
    } while (0)

void TF_SetAttrString(TF_OperationDescription *description, const char *attr_name, const void *value, size_t length) {
    SET(sl_value_of_string(&description->arena, value, length));
}
void TF_SetAttrInt(TF_OperationDescription *description, const char *attr_name, int64_t value) {
    SET(sl_value_of_int(&description->arena, value));
}
void TF_SetAttrFloat(TF_OperationDescription *description, const char *attr_name, float value) {
    SET(sl_value_of_float(&description->arena, value));
}
void TF_SetAttrBool(TF_OperationDescription *description, const char *attr_name, unsigned char value) {
    SET(sl_value_of_bool(&description->arena, value != 0));
}
void TF_SetAttrType(TF_OperationDescription *description, const char *attr_name, TF_DataType value) {
    SET(sl_value_of_type(&description->arena, value));
}
void TF_SetAttrPlaceholder(TF_OperationDescription *description, const char *attr_name, const char *placeholder) {
    SET(sl_value_of_placeholder(&description->arena, placeholder));
}
void TF_SetAttrFuncName(TF_OperationDescription *description, const char *attr_name, const char *value, size_t length) {
    SET(sl_value_of_function(&description->arena, value, length));
}
void TF_SetAttrShape(TF_OperationDescription *description, const char *attr_name, const int64_t *dims, int num_dims) {
    SET(sl_value_of_shape(&description->arena, dims, num_dims));
}

void TF_SetAttrStringList(TF_OperationDescription *description, const char *attr_name, const void *const *values,
                          const size_t *lengths, int num_values) {
    SET(sl_value_of_strings(&description->arena, values, lengths, num_values));
}
void TF_SetAttrIntList(TF_OperationDescription *description, const char *attr_name, const int64_t *values,
                       int num_values) {
    SET(sl_value_of_ints(&description->arena, values, num_values));
}
void TF_SetAttrFloatList(TF_OperationDescription *description, const char *attr_name, const float *values,
                         int num_values) {
    SET(sl_value_of_floats(&description->arena, values, num_values));
}
void TF_SetAttrBoolList(TF_OperationDescription *description, const char *attr_name, const unsigned char *values,
                        int num_values) {
    SET(sl_value_of_bools(&description->arena, values, num_values));
}
void TF_SetAttrTypeList(TF_OperationDescription *description, const char *attr_name, const TF_DataType *values,
                        int num_values) {
    SET(sl_value_of_types(&description->arena, values, num_values));
}
void TF_SetAttrShapeList(TF_OperationDescription *description, const char *attr_name, const int64_t *const *dims,
                         const int *num_dims, int num_shapes) {
    SET(sl_value_of_shapes(&description->arena, dims, num_dims, num_shapes));
}

/* ---- messages */

static sl_code set_shape_protos(TF_OperationDescription *d, const char *attr_name, const void *const *protos,
                                const size_t *lens, int n, bool is_list, struct sl_error *err) {
    sl_attr_value *value;
    SL_TRY(sl_value_of_shape_bytes(&value, &d->arena, protos, lens, n, is_list, err));
    sl_description_set(d, attr_name, value);
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
    sl_attr_value *value;
    SL_TRY(sl_value_of_bytes(&value, &d->arena, proto, proto_len, err));
    if (strcmp(attr_name, "_class") == 0 && value->which != 0 && value->which != SL_PB_AttrValue_list)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Expected \"list\" field for \"_class\" attribute");
    sl_description_set(d, attr_name, value);
    return SL_OK;
}

void TF_SetAttrValueProto(TF_OperationDescription *description, const char *attr_name, const void *proto,
                          size_t proto_len, TF_Status *status) {
    struct sl_error err;
    sl_status_take(status, set_value_proto(description, attr_name, proto, proto_len, &err), &err);
}

/* ---- tensors, which the description keeps */

static sl_code set_tensors(TF_OperationDescription *d, const char *attr_name, TF_Tensor *const *values, int n,
                           bool is_list, struct sl_error *err) {
    sl_attr_value *value;
    SL_TRY(sl_value_of_tensors(&value, &d->arena, values, n, is_list, err));
    for (int i = 0; i < n; i++) {
        if (sl_vec_push(&d->tensors, values[i]->tensor)) return sl_fail_memory(err, sizeof *values);
        sl_tensor_ref(values[i]->tensor);
    }
    sl_description_set(d, attr_name, value);
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
