/* kernels.h, while a kernel is made: the node's name and attrs. */
#include <stdlib.h>
#include <string.h>

#include "plugin/plugin_kernel.h"
#include "proto/wire.h"
#include "tensorflow/c/kernels_experimental.h"

void TF_OpKernelConstruction_Failure(TF_OpKernelConstruction *context, TF_Status *status) {
    sl_code code = sl_status_give(status, context->setup->err);
    if (code != SL_OK) context->failed = code;
}

TF_StringView TF_OpKernelConstruction_GetName(TF_OpKernelConstruction *context) {
    return (TF_StringView){context->setup->name.p, context->setup->name.n};
}

bool TF_OpKernelConstruction_HasAttr(TF_OpKernelConstruction *context, const char *attr_name, TF_Status *status) {
    sl_status_set(status, SL_OK, NULL);
    return sl_attr_find(context->setup->attrs, sl_str_of(attr_name)) != NULL;
}

/* The node's edges are not known here: the message has no inputs. */
static sl_code encode_node(TF_Buffer **out, const struct sl_kernel_setup *setup, struct sl_error *err) {
    struct sl_arena arena;
    struct sl_pb_NodeDef node = {.name = setup->name, .op = setup->op->name, .device = setup->device};
    sl_arena_init(&arena);
    node.attr.items = sl_arena_array(&arena, (size_t)setup->attrs->n, sizeof *node.attr.items);
    sl_code code = node.attr.items ? SL_OK : sl_fail_memory(err, sizeof *node.attr.items);
    for (int i = 0; i < setup->attrs->n && code == SL_OK; i++) {
        node.attr.items[i].key = setup->attrs->items[i].name;
        node.attr.items[i].value = *setup->attrs->items[i].value;
        node.attr.n++;
    }
    if (code == SL_OK) code = sl_buffer_new_encoded(out, SL_PB_TYPE(NodeDef), &node, err);
    sl_arena_clear(&arena);
    return code;
}

TF_Buffer *TF_OpKernelConstruction_GetNodeDef(TF_OpKernelConstruction *context, TF_Status *status) {
    struct sl_error err;
    TF_Buffer *buffer = NULL;
    sl_status_take(status, encode_node(&buffer, context->setup, &err), &err);
    return buffer;
}

/* ---- attrs */
static struct sl_attr_source source_of(const TF_OpKernelConstruction *context) {
    return (struct sl_attr_source){context->setup->attrs, context->setup->op, context->setup->name};
}

#define READ(reader, ...)                                                                                              \
    struct sl_error err;                                                                                               \
    struct sl_attr_source from = source_of(context);                                                                   \
    sl_status_take(status, reader(__VA_ARGS__, &from, attr_name, &err), &err)

void TF_OpKernelConstruction_GetAttrSize(TF_OpKernelConstruction *context, const char *attr_name, int32_t *list_size,
                                         int32_t *total_size, TF_Status *status) {
    TF_AttrMetadata metadata = {.list_size = -1, .total_size = -1};
    *list_size = *total_size = -1;
    READ(sl_read_attr_metadata, &metadata);
    *list_size = (int32_t)metadata.list_size;
    *total_size = (int32_t)metadata.total_size;
}

void TF_OpKernelConstruction_GetAttrType(TF_OpKernelConstruction *context, const char *attr_name, TF_DataType *value,
                                         TF_Status *status) {
    READ(sl_read_attr_type, value);
}

static sl_code read_int32(int32_t *value, const struct sl_attr_source *from, const char *name, struct sl_error *err) {
    int v;
    SL_TRY(sl_attr_int32(&v, from->attrs, name, err));
    *value = v;
    return SL_OK;
}

void TF_OpKernelConstruction_GetAttrInt32(TF_OpKernelConstruction *context, const char *attr_name, int32_t *value,
                                          TF_Status *status) {
    READ(read_int32, value);
}

void TF_OpKernelConstruction_GetAttrInt64(TF_OpKernelConstruction *context, const char *attr_name, int64_t *value,
                                          TF_Status *status) {
    READ(sl_read_attr_int, value);
}

void TF_OpKernelConstruction_GetAttrFloat(TF_OpKernelConstruction *context, const char *attr_name, float *value,
                                          TF_Status *status) {
    READ(sl_read_attr_float, value);
}

void TF_OpKernelConstruction_GetAttrBool(TF_OpKernelConstruction *context, const char *attr_name, TF_Bool *value,
                                         TF_Status *status) {
    READ(sl_read_attr_bool, value);
}

void TF_OpKernelConstruction_GetAttrString(TF_OpKernelConstruction *context, const char *attr_name, char *value,
                                           size_t max_length, TF_Status *status) {
    READ(sl_read_attr_string, value, max_length);
}

void TF_OpKernelConstruction_GetAttrTensor(TF_OpKernelConstruction *context, const char *attr_name, TF_Tensor **value,
                                           TF_Status *status) {
    *value = NULL;
    READ(sl_read_attr_tensor, value);
}

void TF_OpKernelConstruction_GetAttrTypeList(TF_OpKernelConstruction *context, const char *attr_name,
                                             TF_DataType *values, int max_values, TF_Status *status) {
    READ(sl_read_attr_types, values, max_values);
}

static sl_code read_int32s(int32_t *values, int max, const struct sl_attr_source *from, const char *name,
                           struct sl_error *err) {
    const int64_t *items;
    int n;
    SL_TRY(sl_attr_int_list(&items, &n, from->attrs, name, err));
    for (int i = 0; i < n && i < max; i++) {
        if (items[i] < INT32_MIN || items[i] > INT32_MAX)
            return sl_fail(err, SL_INVALID_ARGUMENT, "Attr %s has value %lld out of range for an int32", name,
                           (long long)items[i]);
        values[i] = (int32_t)items[i];
    }
    return SL_OK;
}

void TF_OpKernelConstruction_GetAttrInt32List(TF_OpKernelConstruction *context, const char *attr_name, int32_t *values,
                                              int max_values, TF_Status *status) {
    READ(read_int32s, values, max_values);
}

void TF_OpKernelConstruction_GetAttrInt64List(TF_OpKernelConstruction *context, const char *attr_name, int64_t *values,
                                              int max_values, TF_Status *status) {
    READ(sl_read_attr_ints, values, max_values);
}

void TF_OpKernelConstruction_GetAttrFloatList(TF_OpKernelConstruction *context, const char *attr_name, float *values,
                                              int max_values, TF_Status *status) {
    READ(sl_read_attr_floats, values, max_values);
}

void TF_OpKernelConstruction_GetAttrBoolList(TF_OpKernelConstruction *context, const char *attr_name, TF_Bool *values,
                                             int max_values, TF_Status *status) {
    READ(sl_read_attr_bools, values, max_values);
}

void TF_OpKernelConstruction_GetAttrStringList(TF_OpKernelConstruction *context, const char *attr_name, char **values,
                                               size_t *lengths, int max_values, void *storage, size_t storage_size,
                                               TF_Status *status) {
    READ(sl_read_attr_strings, (void **)values, lengths, max_values, storage, storage_size);
}

void TF_OpKernelConstruction_GetAttrTensorList(TF_OpKernelConstruction *context, const char *attr_name,
                                               TF_Tensor **values, int max_values, TF_Status *status) {
    READ(sl_read_attr_tensors, values, max_values);
}

static sl_code read_function(TF_Buffer **out, const struct sl_attr_source *from, const char *name,
                             struct sl_error *err) {
    const struct sl_pb_NameAttrList *func;
    SL_TRY(sl_attr_func(&func, from->attrs, name, err));
    return sl_buffer_new_encoded(out, SL_PB_TYPE(NameAttrList), func, err);
}

TF_Buffer *TF_OpKernelConstruction_GetAttrFunction(TF_OpKernelConstruction *context, const char *attr_name,
                                                   TF_Status *status) {
    TF_Buffer *buffer = NULL;
    READ(read_function, &buffer);
    return buffer;
}

void TF_OpKernelConstruction_GetAttrTensorShape(TF_OpKernelConstruction *context, const char *attr_name, int64_t *dims,
                                                size_t num_dims, TF_Status *status) {
    READ(sl_read_attr_shape, dims, num_dims > SL_MAX_RANK ? SL_MAX_RANK : (int)num_dims);
}
