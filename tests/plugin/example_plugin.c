/* An example of a plug-in: ops PluginScale (y = x * factor), PluginPair (a list in, its first and last out) and
 * PluginLater (asynchronous identity), with kernels for "CPU". Loading it registers all. */
#include <stdlib.h>
#include <string.h>

#include "tensorflow/c/env.h"
#include "tensorflow/c/kernels.h"
#include "tensorflow/c/ops.h"

TF_EXPORT void TF_InitKernel(void); /* the loader looks it up */

/* ---- PluginScale: float or int32 */
struct scale {
    float factor;
};

static void same_shape(TF_ShapeInferenceContext *context, TF_Status *status) {
    TF_ShapeHandle *shape = TF_NewShapeHandle();
    TF_ShapeInferenceContextGetInput(context, 0, shape, status);
    if (TF_GetCode(status) == TF_OK) TF_ShapeInferenceContextSetOutput(context, 0, shape, status);
    TF_DeleteShapeHandle(shape);
}

static void *scale_create(TF_OpKernelConstruction *context) {
    TF_Status *status = TF_NewStatus();
    struct scale *scale = malloc(sizeof *scale);
    TF_OpKernelConstruction_GetAttrFloat(context, "factor", &scale->factor, status);
    if (TF_GetCode(status) == TF_OK && scale->factor == 0)
        TF_SetStatus(status, TF_INVALID_ARGUMENT, "a factor of zero is pointless");
    if (TF_GetCode(status) != TF_OK) TF_OpKernelConstruction_Failure(context, status);
    TF_DeleteStatus(status);
    return scale;
}

static void scale_delete(void *kernel) { free(kernel); }

/* The dimensions of a tensor, at most 8. */
static int dims_of(const TF_Tensor *tensor, int64_t dims[8]) {
    int rank = TF_NumDims(tensor);
    for (int i = 0; i < rank && i < 8; i++) dims[i] = TF_Dim(tensor, i);
    return rank;
}

static void scale_float(void *kernel, TF_OpKernelContext *context) {
    const struct scale *scale = kernel;
    TF_Status *status = TF_NewStatus();
    TF_Tensor *x = NULL, *y = NULL;
    int64_t dims[8];
    const int candidates[1] = {0};
    int forwarded = -1;
    TF_GetInput(context, 0, &x, status);
    if (TF_GetCode(status) == TF_OK) {
        int rank = dims_of(x, dims);
        y = TF_ForwardInputOrAllocateOutput(context, candidates, 1, 0, dims, rank, &forwarded, status);
    }
    if (TF_GetCode(status) == TF_OK) {
        const float *from = TF_TensorData(x);
        float *to = TF_TensorData(y);
        for (int64_t i = 0; i < TF_TensorElementCount(x); i++) to[i] = from[i] * scale->factor;
    } else {
        TF_OpKernelContext_Failure(context, status);
    }
    TF_DeleteTensor(x);
    TF_DeleteTensor(y);
    TF_DeleteStatus(status);
}

static void scale_int(void *kernel, TF_OpKernelContext *context) {
    const struct scale *scale = kernel;
    TF_Status *status = TF_NewStatus();
    TF_Tensor *x = NULL, *y = NULL;
    int64_t dims[8];
    TF_GetInput(context, 0, &x, status);
    if (TF_GetCode(status) == TF_OK) {
        int rank = dims_of(x, dims);
        y = TF_AllocateOutput(context, 0, TF_ExpectedOutputDataType(context, 0), dims, rank, TF_TensorByteSize(x),
                              status);
    }
    if (TF_GetCode(status) == TF_OK) {
        const int32_t *from = TF_TensorData(x);
        int32_t *to = TF_TensorData(y);
        for (int64_t i = 0; i < TF_TensorElementCount(x); i++) to[i] = (int32_t)((float)from[i] * scale->factor);
    } else {
        TF_OpKernelContext_Failure(context, status);
    }
    TF_DeleteTensor(x);
    TF_DeleteTensor(y);
    TF_DeleteStatus(status);
}

/* ---- PluginPair */
static void pair_shapes(TF_ShapeInferenceContext *context, TF_Status *status) {
    TF_ShapeHandle *shape = TF_NewShapeHandle(), *vector = TF_ShapeInferenceContextVectorFromSize(context, 2);
    TF_DimensionHandle *size = TF_NewDimensionHandle();
    int64_t last = TF_ShapeInferenceContextNumInputs(context) - 1;
    TF_ShapeInferenceContextGetInput(context, 0, shape, status);
    if (TF_GetCode(status) == TF_OK) TF_ShapeInferenceContextWithRankAtLeast(context, shape, 1, shape, status);
    if (TF_GetCode(status) == TF_OK) TF_ShapeInferenceContextSetOutput(context, 0, shape, status);
    if (TF_GetCode(status) == TF_OK) TF_ShapeInferenceContextDim(context, shape, -1, size);
    if (TF_GetCode(status) == TF_OK && TF_DimensionHandleValueKnown(size) && TF_DimensionHandleValue(size) == 13)
        TF_SetStatus(status, TF_INVALID_ARGUMENT, "thirteen is bad luck");
    if (TF_GetCode(status) == TF_OK) TF_ShapeInferenceContextGetInput(context, (int)last, shape, status);
    if (TF_GetCode(status) == TF_OK) TF_ShapeInferenceContextConcatenateShapes(context, vector, shape, shape, status);
    if (TF_GetCode(status) == TF_OK) TF_ShapeInferenceContextSetOutput(context, 1, shape, status);
    TF_DeleteDimensionHandle(size);
    TF_DeleteShapeHandle(vector);
    TF_DeleteShapeHandle(shape);
}

/* The second output is not what the shape function promises: this is about lists. */
static void pair_compute(void *kernel, TF_OpKernelContext *context) {
    (void)kernel;
    TF_Status *status = TF_NewStatus();
    TF_InputRange_Args range = {.struct_size = TF_InputRange_Args_STRUCT_SIZE, .status = status};
    TF_InputRange(context, "xs", &range);
    for (int o = 0; o < 2 && TF_GetCode(status) == TF_OK; o++) {
        TF_Tensor *x = NULL;
        TF_GetInput(context, o == 0 ? range.start : range.stop - 1, &x, status);
        if (TF_GetCode(status) == TF_OK) TF_SetOutput(context, o, x, status);
        TF_DeleteTensor(x);
    }
    if (TF_GetCode(status) != TF_OK) TF_OpKernelContext_Failure(context, status);
    TF_DeleteStatus(status);
}

/* ---- PluginLater: another thread ends the run */
struct later {
    TF_OpKernelContext *context;
    TF_AsyncOpKernelDoneCallback *done;
};

static void finish_later(void *arg) {
    struct later *later = arg;
    TF_Status *status = TF_NewStatus();
    TF_Tensor *x = NULL;
    TF_GetInput(later->context, 0, &x, status);
    if (TF_GetCode(status) == TF_OK) TF_SetOutput(later->context, 0, x, status);
    if (TF_GetCode(status) != TF_OK) TF_OpKernelContext_Failure(later->context, status);
    TF_DeleteTensor(x);
    TF_DeleteStatus(status);
    TF_RunAsyncOpKernelDoneCallback(later->done);
    free(later);
}

static TF_Thread *last_thread;

static void later_start(void *kernel, TF_OpKernelContext *context, TF_AsyncOpKernelDoneCallback *done) {
    (void)kernel;
    struct later *later = malloc(sizeof *later);
    *later = (struct later){context, done};
    if (last_thread) TF_JoinThread(last_thread);
    last_thread = TF_StartThread(NULL, "later", finish_later, later);
}

/* The last thread is joined when its kernel goes, so that none is left behind. */
static void *later_create(TF_OpKernelConstruction *construction) {
    (void)construction;
    return &last_thread;
}

static void later_delete(void *kernel) {
    (void)kernel;
    TF_JoinThread(last_thread);
    last_thread = NULL;
}

/* ---- registering */
static void register_op(const char *name, const char *input, const char *const *outputs, const char *const *attrs,
                        void (*shapes)(TF_ShapeInferenceContext *, TF_Status *), TF_Status *status) {
    TF_OpDefinitionBuilder *builder = TF_NewOpDefinitionBuilder(name);
    TF_OpDefinitionBuilderAddInput(builder, input);
    for (; *outputs; outputs++) TF_OpDefinitionBuilderAddOutput(builder, *outputs);
    for (; *attrs; attrs++) TF_OpDefinitionBuilderAddAttr(builder, *attrs);
    TF_OpDefinitionBuilderSetShapeInferenceFunction(builder, shapes);
    TF_RegisterOpDefinition(builder, status);
}

static void register_scale(TF_DataType type, void (*compute)(void *, TF_OpKernelContext *), TF_Status *status) {
    TF_KernelBuilder *builder = TF_NewKernelBuilder("PluginScale", "CPU", scale_create, compute, scale_delete);
    TF_KernelBuilder_TypeConstraint(builder, "T", type, status);
    TF_RegisterKernelBuilder("PluginScale", builder, status);
}

__attribute__((constructor)) static void register_ops(void) {
    TF_Status *status = TF_NewStatus();
    register_op("PluginScale", "x: T", (const char *const[]){"y: T", NULL},
                (const char *const[]){"T: {float, int32}", "factor: float = 2", NULL}, same_shape, status);
    register_op("PluginPair", "xs: N * T", (const char *const[]){"first: T", "last: T", NULL},
                (const char *const[]){"N: int >= 1", "T: type", NULL}, pair_shapes, status);
    register_op("PluginLater", "x: T", (const char *const[]){"y: T", NULL}, (const char *const[]){"T: type", NULL},
                same_shape, status);
    TF_DeleteStatus(status);
}

void TF_InitKernel(void) {
    TF_Status *status = TF_NewStatus();
    register_scale(TF_FLOAT, scale_float, status);
    register_scale(TF_INT32, scale_int, status);
    TF_KernelBuilder *pair = TF_NewKernelBuilder("PluginPair", "CPU", NULL, pair_compute, NULL);
    TF_KernelBuilder_HostMemory(pair, "xs");
    TF_RegisterKernelBuilder("PluginPair", pair, status);
    TF_RegisterKernelBuilder("PluginLater",
                             TF_NewAsyncKernelBuilder("PluginLater", "CPU", later_create, later_start, later_delete),
                             status);
    TF_DeleteStatus(status);
}
