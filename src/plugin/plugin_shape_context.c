/* ops.h, inside a shape function: TF_ShapeInferenceContext is the struct sl_shape_ctx that built-in shape functions
 * get. Handles hold a shape or a size by value; the sizes of a shape live in the context's arena. */
#include "base/alloc.h"
#include "capi/handles.h"
#include "ops/shape_ctx.h"
#include "tensorflow/c/eager/c_api_unified_experimental.h"
#include "tensorflow/c/ops.h"
#include "tensorflow/c/tf_shape.h"

struct TF_ShapeHandle {
    struct sl_shape shape;
};
struct TF_DimensionHandle {
    int64_t size; /* -1: unknown */
};

static struct sl_shape_ctx *context_of(TF_ShapeInferenceContext *context) { return (struct sl_shape_ctx *)context; }

static TF_ShapeHandle *new_shape(struct sl_shape shape) {
    TF_ShapeHandle *handle = sl_malloc(sizeof *handle);
    if (handle) handle->shape = shape;
    return handle;
}

TF_ShapeHandle *TF_NewShapeHandle(void) { return new_shape(SL_SHAPE_UNKNOWN); }

void TF_DeleteShapeHandle(TF_ShapeHandle *handle) { sl_free(handle); }

TF_DimensionHandle *TF_NewDimensionHandle(void) {
    TF_DimensionHandle *handle = sl_malloc(sizeof *handle);
    if (handle) handle->size = -1;
    return handle;
}

void TF_DeleteDimensionHandle(TF_DimensionHandle *handle) { sl_free(handle); }

/* ---- inputs, outputs, attrs */
int64_t TF_ShapeInferenceContextNumInputs(TF_ShapeInferenceContext *context) { return context_of(context)->n_in; }

void TF_ShapeInferenceContextGetInput(TF_ShapeInferenceContext *context, int i, TF_ShapeHandle *handle,
                                      TF_Status *status) {
    struct sl_shape_ctx *c = context_of(context);
    if (i < 0 || i >= c->n_in) {
        sl_status_set(status, SL_INVALID_ARGUMENT, "input index out of range");
        return;
    }
    handle->shape = sl_infer_in(c, i);
    sl_status_set(status, SL_OK, NULL);
}

void TF_ShapeInferenceContextSetOutput(TF_ShapeInferenceContext *context, int i, TF_ShapeHandle *handle,
                                       TF_Status *status) {
    struct sl_shape_ctx *c = context_of(context);
    if (i < 0 || i >= c->n_out) {
        sl_status_set(status, SL_INVALID_ARGUMENT, "output index out of range");
        return;
    }
    sl_code code = sl_infer_set(c, i, handle->shape);
    sl_status_set(status, code, "out of memory");
}

void TF_ShapeInferenceContextSetUnknownShape(TF_ShapeInferenceContext *context, TF_Status *status) {
    struct sl_shape_ctx *c = context_of(context);
    for (int i = 0; i < c->n_out; i++) c->out[i] = SL_SHAPE_UNKNOWN;
    sl_status_set(status, SL_OK, NULL);
}

void TF_ShapeInferenceContext_GetAttrType(TF_ShapeInferenceContext *context, const char *attr_name, TF_DataType *value,
                                          TF_Status *status) {
    struct sl_error err;
    int type = 0;
    if (sl_status_take(status, sl_attr_type(&type, context_of(context)->attrs, attr_name, &err), &err))
        *value = (TF_DataType)type;
}

/* ---- making shapes */
TF_ShapeHandle *TF_ShapeInferenceContextScalar(TF_ShapeInferenceContext *context) {
    (void)context;
    return new_shape(SL_SHAPE_SCALAR);
}

TF_ShapeHandle *TF_ShapeInferenceContextVectorFromSize(TF_ShapeInferenceContext *context, size_t size) {
    return new_shape(sl_infer_vector(context_of(context), (int64_t)size));
}

int64_t TF_ShapeInferenceContextRank(TF_ShapeInferenceContext *context, TF_ShapeHandle *handle) {
    (void)context;
    return handle->shape.rank < 0 ? -1 : handle->shape.rank;
}

int TF_ShapeInferenceContextRankKnown(TF_ShapeInferenceContext *context, TF_ShapeHandle *handle) {
    (void)context;
    return handle->shape.rank >= 0;
}

/* Runs `call` with the context's errors going to the status. */
#define INFER(call)                                                                                                    \
    struct sl_shape_ctx *c = context_of(context);                                                                      \
    struct sl_error err, *outer = c->err;                                                                              \
    struct sl_shape shape;                                                                                             \
    sl_error_clear(&err);                                                                                              \
    c->err = &err;                                                                                                     \
    sl_code code = call;                                                                                               \
    c->err = outer;                                                                                                    \
    if (sl_status_take(status, code, &err)) result->shape = shape

static int rank_of(int64_t rank) { return rank > SL_MAX_RANK ? SL_MAX_RANK + 1 : rank < -1 ? -1 : (int)rank; }

void TF_ShapeInferenceContextWithRank(TF_ShapeInferenceContext *context, TF_ShapeHandle *handle, int64_t rank,
                                      TF_ShapeHandle *result, TF_Status *status) {
    INFER(sl_infer_with_rank(&shape, c, handle->shape, rank_of(rank)));
}

void TF_ShapeInferenceContextWithRankAtLeast(TF_ShapeInferenceContext *context, TF_ShapeHandle *handle, int64_t rank,
                                             TF_ShapeHandle *result, TF_Status *status) {
    INFER(sl_infer_with_rank_at_least(&shape, c, handle->shape, rank_of(rank)));
}

void TF_ShapeInferenceContextWithRankAtMost(TF_ShapeInferenceContext *context, TF_ShapeHandle *handle, int64_t rank,
                                            TF_ShapeHandle *result, TF_Status *status) {
    INFER(sl_infer_with_rank_at_most(&shape, c, handle->shape, rank_of(rank)));
}

void TF_ShapeInferenceContextSubshape(TF_ShapeInferenceContext *context, TF_ShapeHandle *shape_handle, int64_t start,
                                      int64_t end, TF_ShapeHandle *result, TF_Status *status) {
    INFER(sl_infer_subshape(&shape, c, shape_handle->shape, start, end));
}

void TF_ShapeInferenceContextConcatenateShapes(TF_ShapeInferenceContext *context, TF_ShapeHandle *first,
                                               TF_ShapeHandle *second, TF_ShapeHandle *result, TF_Status *status) {
    INFER(sl_infer_concat(&shape, c, first->shape, second->shape));
}

void TF_ShapeInferenceContextDim(TF_ShapeInferenceContext *context, TF_ShapeHandle *shape_handle, int64_t i,
                                 TF_DimensionHandle *result) {
    (void)context;
    struct sl_shape shape = shape_handle->shape;
    if (i < 0 && shape.rank >= 0) i += shape.rank;
    result->size = i >= 0 && i < shape.rank ? shape.dims[i] : -1;
}

int TF_DimensionHandleValueKnown(TF_DimensionHandle *dim_handle) { return dim_handle->size >= 0; }

int64_t TF_DimensionHandleValue(TF_DimensionHandle *dim_handle) { return dim_handle->size; }

/* ---- tf_shape.h */
TF_Shape *TF_NewShape(void) {
    TF_Shape *shape = sl_malloc(sizeof *shape);
    if (shape) *shape = (TF_Shape){-1, NULL};
    return shape;
}

int TF_ShapeDims(const TF_Shape *shape) { return shape->num_dims; }

int64_t TF_ShapeDimSize(const TF_Shape *shape, int index) {
    return index >= 0 && index < shape->num_dims ? shape->dim_sizes[index] : -1;
}

void TF_DeleteShape(TF_Shape *shape) { sl_free(shape); }
