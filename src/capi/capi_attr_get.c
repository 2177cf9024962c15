/* TF_OperationGetAttr...: attrs of finished operations. */
#include <string.h>

#include "capi/attr_reader.h"
#include "capi/handles.h"
#include "proto/wire.h"

static struct sl_attr_source source_of(const TF_Operation *operation) {
    const struct sl_node *node = sl_as_node(operation);
    return (struct sl_attr_source){&node->attrs, node->op, node->name};
}

/* Calls a reader on the operation and gives the status what came of it. */
#define READ(reader, ...)                                                                                              \
    struct sl_error err;                                                                                               \
    struct sl_attr_source from = source_of(operation);                                                                 \
    sl_status_take(status, reader(__VA_ARGS__, &from, attr_name, &err), &err)

TF_AttrMetadata TF_OperationGetAttrMetadata(TF_Operation *operation, const char *attr_name, TF_Status *status) {
    TF_AttrMetadata metadata = {0};
    READ(sl_read_attr_metadata, &metadata);
    return metadata;
}

void TF_OperationGetAttrString(TF_Operation *operation, const char *attr_name, void *value, size_t max_length,
                               TF_Status *status) {
    READ(sl_read_attr_string, value, max_length);
}

void TF_OperationGetAttrStringList(TF_Operation *operation, const char *attr_name, void **values, size_t *lengths,
                                   int max_values, void *storage, size_t storage_size, TF_Status *status) {
    READ(sl_read_attr_strings, values, lengths, max_values, storage, storage_size);
}

void TF_OperationGetAttrInt(TF_Operation *operation, const char *attr_name, int64_t *value, TF_Status *status) {
    READ(sl_read_attr_int, value);
}

void TF_OperationGetAttrIntList(TF_Operation *operation, const char *attr_name, int64_t *values, int max_values,
                                TF_Status *status) {
    READ(sl_read_attr_ints, values, max_values);
}

void TF_OperationGetAttrFloat(TF_Operation *operation, const char *attr_name, float *value, TF_Status *status) {
    READ(sl_read_attr_float, value);
}

void TF_OperationGetAttrFloatList(TF_Operation *operation, const char *attr_name, float *values, int max_values,
                                  TF_Status *status) {
    READ(sl_read_attr_floats, values, max_values);
}

void TF_OperationGetAttrBool(TF_Operation *operation, const char *attr_name, unsigned char *value, TF_Status *status) {
    READ(sl_read_attr_bool, value);
}

void TF_OperationGetAttrBoolList(TF_Operation *operation, const char *attr_name, unsigned char *values, int max_values,
                                 TF_Status *status) {
    READ(sl_read_attr_bools, values, max_values);
}

void TF_OperationGetAttrType(TF_Operation *operation, const char *attr_name, TF_DataType *value, TF_Status *status) {
    READ(sl_read_attr_type, value);
}

void TF_OperationGetAttrTypeList(TF_Operation *operation, const char *attr_name, TF_DataType *values, int max_values,
                                 TF_Status *status) {
    READ(sl_read_attr_types, values, max_values);
}

void TF_OperationGetAttrShape(TF_Operation *operation, const char *attr_name, int64_t *value, int num_dims,
                              TF_Status *status) {
    READ(sl_read_attr_shape, value, num_dims);
}

void TF_OperationGetAttrTensor(TF_Operation *operation, const char *attr_name, TF_Tensor **value, TF_Status *status) {
    *value = NULL;
    READ(sl_read_attr_tensor, value);
}

void TF_OperationGetAttrTensorList(TF_Operation *operation, const char *attr_name, TF_Tensor **values, int max_values,
                                   TF_Status *status) {
    READ(sl_read_attr_tensors, values, max_values);
}

/* ---- shapes of a list */
static sl_code read_shapes(int64_t **dims, int *num_dims, int max, int64_t *storage, int room,
                           const struct sl_attr_source *from, const char *name, struct sl_error *err) {
    struct sl_arena arena;
    const struct sl_shape *shapes;
    int n;
    sl_arena_init(&arena);
    sl_code code = sl_attr_shape_list(&shapes, &n, &arena, from->attrs, name, err);
    if (code == SL_NOT_FOUND) sl_error_append(err, "\n\t [[{{node %.*s}}]]", SL_STR_ARG(from->node));
    for (int i = 0; code == SL_OK && i < n && i < max; i++) {
        num_dims[i] = shapes[i].rank;
        dims[i] = shapes[i].rank < 0 ? NULL : storage;
        if (shapes[i].rank > room)
            code = sl_fail(err, SL_INVALID_ARGUMENT, "Not enough storage to hold the requested list of shapes");
        else if (shapes[i].rank > 0) {
            memcpy(storage, shapes[i].dims, (size_t)shapes[i].rank * sizeof *storage);
            storage += shapes[i].rank;
            room -= shapes[i].rank;
        }
    }
    sl_arena_clear(&arena);
    return code;
}

void TF_OperationGetAttrShapeList(TF_Operation *operation, const char *attr_name, int64_t **dims, int *num_dims,
                                  int num_shapes, int64_t *storage, int storage_size, TF_Status *status) {
    READ(read_shapes, dims, num_dims, num_shapes, storage, storage_size);
}

/* ---- as messages */
static sl_code wrong_kind(const char *name, const char *wanted, struct sl_error *err) {
    return sl_fail(err, SL_INVALID_ARGUMENT, "Value for '%s' is not a %s.", name, wanted);
}

static sl_code read_shape_proto(TF_Buffer *out, const struct sl_attr_source *from, const char *name,
                                struct sl_error *err) {
    const struct sl_pb_AttrValue *value;
    SL_TRY(sl_buffer_check_empty(out, err));
    SL_TRY(sl_read_attr(&value, from, name, err));
    if (value->which != SL_PB_AttrValue_shape) return wrong_kind(name, "shape", err);
    return sl_buffer_encode(out, SL_PB_TYPE(TensorShapeProto), value->shape, err);
}

void TF_OperationGetAttrTensorShapeProto(TF_Operation *operation, const char *attr_name, TF_Buffer *value,
                                         TF_Status *status) {
    READ(read_shape_proto, value);
}

static sl_code read_shape_protos(TF_Buffer **values, int max, const struct sl_attr_source *from, const char *name,
                                 struct sl_error *err) {
    const struct sl_pb_AttrValue *value;
    SL_TRY(sl_read_attr(&value, from, name, err));
    if (value->which != SL_PB_AttrValue_list) return wrong_kind(name, "list of shapes", err);
    for (int i = 0; i < max && (size_t)i < value->list->shape.n; i++) {
        sl_code code =
            sl_buffer_new_encoded(&values[i], SL_PB_TYPE(TensorShapeProto), &value->list->shape.items[i], err);
        if (code == SL_OK) continue;
        while (i-- > 0) TF_DeleteBuffer(values[i]);
        return code;
    }
    return SL_OK;
}

void TF_OperationGetAttrTensorShapeProtoList(TF_Operation *operation, const char *attr_name, TF_Buffer **values,
                                             int max_values, TF_Status *status) {
    READ(read_shape_protos, values, max_values);
}

static sl_code read_value_proto(TF_Buffer *out, const struct sl_attr_source *from, const char *name,
                                struct sl_error *err) {
    const struct sl_pb_AttrValue *value;
    SL_TRY(sl_read_attr(&value, from, name, err));
    return sl_buffer_encode(out, SL_PB_TYPE(AttrValue), value, err);
}

void TF_OperationGetAttrValueProto(TF_Operation *operation, const char *attr_name, TF_Buffer *output_attr_value,
                                   TF_Status *status) {
    READ(read_value_proto, output_attr_value);
}

/* ---- names */
int TF_OperationGetNumAttrs(TF_Operation *operation) { return sl_as_node(operation)->attrs.n; }

int TF_OperationGetAttrNameLength(TF_Operation *operation, int i) {
    const struct sl_attrs *attrs = &sl_as_node(operation)->attrs;
    return i >= 0 && i < attrs->n ? (int)attrs->items[i].name.n : -1;
}

void TF_OperationGetAttrName(TF_Operation *operation, int i, char *output, TF_Status *status) {
    const struct sl_attrs *attrs = &sl_as_node(operation)->attrs;
    if (i < 0 || i >= attrs->n) {
        sl_status_fail(status, SL_OUT_OF_RANGE, "attribute index %d is not in [0, %d)", i, attrs->n);
        return;
    }
    memcpy(output, attrs->items[i].name.p, attrs->items[i].name.n);
    sl_status_set(status, SL_OK, NULL);
}
