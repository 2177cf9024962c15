/* Placeholders and constants, and what is known of an output. */
#include <stdint.h>

#include "front/front_eager.h"
#include "sluice/ops.h"
#include "sluice/scope.h"
#include "sluice/tensors.h"

SL_API TF_Output sl_placeholder(struct sl_scope *scope, const char *name, TF_DataType type, struct sl_dims shape) {
    if (!sl_scope_needs_graph(scope, "sl_placeholder")) return sl_op_first(NULL);
    return sl_placeholder_op(sl_name(scope, name), (struct sl_placeholder_op_attrs){type, shape});
}

SL_API TF_Output sl_constant(struct sl_scope *scope, const TF_Tensor *value) {
    if (!value) {
        sl_scope_fail(scope, TF_INVALID_ARGUMENT, "sl_constant: there is no tensor");
        return sl_op_first(NULL);
    }
    if (sl_is_eager(scope)) return sl_scope_ok(scope) ? sl_eager_constant(scope, value) : sl_op_first(NULL);
    return sl_const(scope, (struct sl_const_attrs){(TF_Tensor *)value, TF_TensorType(value)});
}

SL_API TF_Output sl_constant_of(struct sl_scope *scope, TF_DataType type, struct sl_dims shape, const void *elements) {
    TF_Output out = sl_op_first(NULL);
    if (!sl_scope_ok(scope)) return out;
    TF_Tensor *tensor = sl_tensor_of(type, shape, elements, scope->status);
    if (tensor) out = sl_constant(scope, tensor);
    TF_DeleteTensor(tensor);
    return out;
}

#define SCALAR(name, ctype)                                                                                            \
    case name: {                                                                                                       \
        ctype number = (ctype)value;                                                                                   \
        return sl_constant_of(scope, type, SL_SCALAR, &number);                                                        \
    }

SL_API TF_Output sl_scalar(struct sl_scope *scope, TF_DataType type, double value) {
    switch (type) {
        SCALAR(TF_DOUBLE, double)
        SCALAR(TF_INT8, int8_t)
        SCALAR(TF_INT16, int16_t)
        SCALAR(TF_INT32, int32_t)
        SCALAR(TF_INT64, int64_t)
        SCALAR(TF_UINT8, uint8_t)
        SCALAR(TF_UINT16, uint16_t)
        SCALAR(TF_UINT32, uint32_t)
        SCALAR(TF_UINT64, uint64_t)
        SCALAR(TF_FLOAT, float)
    case TF_BOOL: {
        bool truth = value != 0;
        return sl_constant_of(scope, type, SL_SCALAR, &truth);
    }
    default: /* half, complex ...: out of a double */
        return sl_cast(scope, sl_scalar(scope, TF_DOUBLE, value), (struct sl_cast_attrs){.DstT = type});
    }
}

SL_API TF_Output sl_scalar_like(struct sl_scope *scope, TF_Output like, double value) {
    return sl_scalar(scope, sl_type_of(scope, like), value);
}

SL_API TF_Output sl_int_vector(struct sl_scope *scope, struct sl_ints values) {
    enum { MOST = 64 };
    int32_t narrow[MOST];
    if (values.n < 0 || values.n > MOST) {
        sl_scope_fail(scope, TF_INVALID_ARGUMENT, "sl_int_vector: at most 64 numbers");
        return sl_op_first(NULL);
    }
    for (int i = 0; i < values.n; i++) {
        narrow[i] = (int32_t)values.items[i];
        if (narrow[i] != values.items[i]) sl_scope_fail(scope, TF_INVALID_ARGUMENT, "sl_int_vector: not an int32");
    }
    return sl_constant_of(scope, TF_INT32, SL_SHAPE(values.n), narrow);
}

SL_API TF_Output sl_float_vector(struct sl_scope *scope, struct sl_floats values) {
    return sl_constant_of(scope, TF_FLOAT, SL_SHAPE(values.n), values.items);
}

SL_API TF_Output sl_string_scalar(struct sl_scope *scope, const char *text) {
    return sl_constant_of(scope, TF_STRING, SL_SCALAR, &text);
}

SL_API TF_DataType sl_type_of(struct sl_scope *scope, TF_Output output) {
    enum { FIRST_REFERENCE = 100 };
    if (!sl_scope_ok(scope) || !output.oper) return (TF_DataType)0;
    int type = (int)TF_OperationOutputType(output);
    return (TF_DataType)(type > FIRST_REFERENCE ? type - FIRST_REFERENCE : type);
}

static int shape_of(struct sl_scope *scope, TF_Output output, int64_t dims[], int most) {
    if (!sl_scope_ok(scope) || !output.oper) return -1;
    if (sl_is_eager(scope)) return sl_eager_shape(scope, output, dims, most);
    if (sl_is_eager_value(scope->around, output)) return sl_eager_shape(scope->around, output, dims, most);
    TF_Status *status = TF_NewStatus();
    if (!status) {
        sl_scope_fail(scope, TF_RESOURCE_EXHAUSTED, "out of memory");
        return -1;
    }
    TF_Graph *graph = sl_scope_graph_of(scope, output.oper);
    int rank = TF_GraphGetTensorNumDims(graph, output, status);
    if (rank > most) rank = -1;
    if (rank > 0 && dims) TF_GraphGetTensorShape(graph, output, dims, rank, status);
    if (TF_GetCode(status) != TF_OK) {
        sl_scope_fail(scope, TF_GetCode(status), TF_Message(status));
        rank = -1;
    }
    TF_DeleteStatus(status);
    return rank;
}

void sl_scope_set_shape(struct sl_scope *scope, TF_Output value, const int64_t *dims, int rank) {
    if (!sl_is_eager(scope)) TF_GraphSetTensorShape(scope->graph, value, dims, rank, scope->status);
}

SL_API int sl_rank_of(struct sl_scope *scope, TF_Output output) { return shape_of(scope, output, NULL, INT32_MAX); }

SL_API int64_t sl_size_of(struct sl_scope *scope, TF_Output output, int dim) {
    int64_t dims[254];
    int rank = shape_of(scope, output, dims, 254);
    int at = dim < 0 ? rank + dim : dim;
    return rank > 0 && at >= 0 && at < rank ? dims[at] : -1;
}
