/* A plug-in whose kernels touch state: variables of both kinds, temporary ones, locks, lists, and the session around
 * them. Its functions for elements know floats; they count their calls, and add 1000 to every sum of lists, so that a
 * test can tell who computed. */
#include <stdlib.h>
#include <string.h>

#include "tensorflow/c/experimental/next_pluggable_device/c_api.h"
#include "tensorflow/c/kernels.h"
#include "tensorflow/c/kernels_experimental.h"
#include "tensorflow/c/ops.h"
#include "tensorflow/c/tf_tstring.h"

TF_EXPORT void TF_InitKernel(void); /* the loader looks it up */
TF_EXPORT int state_plugin_copies;  /* calls of copy_floats */
int state_plugin_copies;

static void end(TF_OpKernelContext *context, TF_Status *status) {
    if (TF_GetCode(status) != TF_OK) TF_OpKernelContext_Failure(context, status);
    TF_DeleteStatus(status);
}

/* ---- functions that the library calls; they delete the tensors */
static void copy_floats(TF_OpKernelContext *context, TF_Tensor *source, TF_Tensor *dest) {
    (void)context;
    state_plugin_copies++;
    memcpy(TF_TensorData(dest), TF_TensorData(source), TF_TensorByteSize(source));
    TF_DeleteTensor(source);
    TF_DeleteTensor(dest);
}

static void update_floats(TF_OpKernelContext *context, TF_Tensor *tensor, TF_Tensor *value, int operation) {
    (void)context;
    float *x = TF_TensorData(tensor);
    const float *by = TF_TensorData(value);
    for (int64_t i = 0; i < TF_TensorElementCount(tensor); i++) x[i] += operation == 0 ? by[i] : -by[i];
    TF_DeleteTensor(tensor);
    TF_DeleteTensor(value);
}

static void add_floats(TF_OpKernelContext *context, TF_Tensor *a, TF_Tensor *b, TF_Tensor *out) {
    const float *x = TF_TensorData(a), *y = TF_TensorData(b);
    float *sum = TF_TensorData(out);
    for (int64_t i = 0; i < TF_TensorElementCount(out); i++) sum[i] = x[i] + y[i] + 1000;
    if (TF_TensorElementCount(out) == 13) {
        TF_Status *status = TF_NewStatus();
        TF_SetStatus(status, TF_INVALID_ARGUMENT, "thirteen is bad luck");
        TF_OpKernelContext_Failure(context, status);
        TF_DeleteStatus(status);
    }
    TF_DeleteTensor(a);
    TF_DeleteTensor(b);
    TF_DeleteTensor(out);
}

static void zero_floats(TF_OpKernelContext *context, TF_Tensor *input, TF_Tensor *out) {
    (void)context;
    float *zeros = TF_TensorData(out);
    for (int64_t i = 0; i < TF_TensorElementCount(out); i++) zeros[i] = -1000; /* zero, to this plug-in */
    TF_DeleteTensor(input);
    TF_DeleteTensor(out);
}

static void allocate_floats(TF_OpKernelContext *context, TF_Tensor *tensor, TF_DataType dtype, const int64_t *dims,
                            int num_dims, TF_Status *status) {
    (void)context, (void)dtype, (void)dims, (void)num_dims;
    float *x = TF_TensorData(tensor);
    for (int64_t i = 0; i < TF_TensorElementCount(tensor); i++) x[i] = (float)i;
    TF_SetStatus(status, TF_OK, "");
}

/* ---- variables */
static void assign(void *kernel, TF_OpKernelContext *context) {
    (void)kernel;
    TF_Status *status = TF_NewStatus();
    TF_AssignVariable(context, 0, 1, true, copy_floats, status);
    end(context, status);
}

static void add_to(void *kernel, TF_OpKernelContext *context) {
    (void)kernel;
    TF_Status *status = TF_NewStatus();
    TF_AssignUpdateVariable(context, 0, 1, 0, 0, copy_floats, update_floats, status);
    end(context, status);
}

static void take_from(void *kernel, TF_OpKernelContext *context) {
    (void)kernel;
    TF_Status *status = TF_NewStatus();
    TF_AssignUpdateVariable(context, 0, 1, 1, 0, copy_floats, update_floats, status);
    end(context, status);
}

static void assign_ref(void *kernel, TF_OpKernelContext *context) {
    (void)kernel;
    TF_Status *status = TF_NewStatus();
    TF_AssignRefVariable(context, 0, 0, 1, true, true, copy_floats, status);
    end(context, status);
}

static void same_ref(void *kernel, TF_OpKernelContext *context) {
    (void)kernel;
    TF_OpKernelContext_ForwardRefInputToRefOutput(context, 0, 0);
}

static void make_temporary(void *kernel, TF_OpKernelContext *context) {
    (void)kernel;
    const int64_t dims[1] = {3};
    TF_StringView name = {"temporary", 9};
    TF_Status *status = TF_NewStatus();
    TF_TemporaryVariable(context, TF_FLOAT, dims, 1, &name, allocate_floats, status);
    end(context, status);
}

static void drop_temporary(void *kernel, TF_OpKernelContext *context) {
    (void)kernel;
    TF_StringView name = {"temporary", 9};
    TF_Status *status = TF_NewStatus();
    TF_DestroyTemporaryVariable(context, 0, &name, status);
    end(context, status);
}

/* Moves `amount` from the variable in input 0 to that in input 1, which may be the same. */
static void move(TF_OpKernelContext *context, bool sparse, TF_Status *status) {
    const int inputs[3] = {1, 0, 1};
    TF_VariableInputLockHolder *holder = NULL;
    TF_Tensor *tensors[2] = {NULL, NULL}, *amount = NULL;
    TF_MaybeLockVariableInputMutexesInOrder(context, true, sparse, inputs, 3, copy_floats, &holder, status);
    for (int i = 0; i < 2 && TF_GetCode(status) == TF_OK; i++)
        TF_GetInputTensorFromVariable(context, i, true, false, sparse, copy_floats, &tensors[i], status);
    if (TF_GetCode(status) == TF_OK) TF_GetInput(context, 2, &amount, status);
    if (TF_GetCode(status) == TF_OK) {
        *(float *)TF_TensorData(tensors[0]) -= *(float *)TF_TensorData(amount);
        *(float *)TF_TensorData(tensors[1]) += *(float *)TF_TensorData(amount);
    }
    TF_DeleteTensor(tensors[0]);
    TF_DeleteTensor(tensors[1]);
    TF_DeleteTensor(amount);
    TF_ReleaseVariableInputLockHolder(holder);
}

static void move_dense(void *kernel, TF_OpKernelContext *context) {
    (void)kernel;
    TF_Status *status = TF_NewStatus();
    move(context, false, status);
    end(context, status);
}

static void move_sparse(void *kernel, TF_OpKernelContext *context) {
    (void)kernel;
    TF_Status *status = TF_NewStatus();
    move(context, true, status);
    end(context, status);
}

/* ---- variants */
static void add_n(void *kernel, TF_OpKernelContext *context) {
    (void)kernel;
    TF_Status *status = TF_NewStatus();
    TF_AddNVariant(context, add_floats, status);
    end(context, status);
}

static void zeros_like(void *kernel, TF_OpKernelContext *context) {
    (void)kernel;
    TF_Status *status = TF_NewStatus();
    TF_ZerosLikeVariant(context, zero_floats, status);
    end(context, status);
}

/* ---- the session around: function library, configuration, handle of input 0, as three strings */
static void tell(void *kernel, TF_OpKernelContext *context) {
    (void)kernel;
    TF_Status *status = TF_NewStatus();
    for (int i = 0; i < 3 && TF_GetCode(status) == TF_OK; i++) {
        TF_Buffer *bytes = TF_NewBuffer();
        if (i == 0) TF_GetSerializedFunctionDefLibrary(context, bytes, status);
        else if (i == 1) TF_GetSerializedConfigProto(context, bytes, status);
        else TF_GetSerializedResourceHandleProto(context, 0, bytes, status);
        TF_Tensor *out = NULL;
        if (TF_GetCode(status) == TF_OK)
            out = TF_AllocateOutput(context, i, TF_STRING, NULL, 0, sizeof(TF_TString), status);
        if (TF_GetCode(status) == TF_OK) TF_StringCopy(TF_TensorData(out), bytes->data, bytes->length);
        TF_DeleteTensor(out);
        TF_DeleteBuffer(bytes);
    }
    end(context, status);
}

/* ---- registering */
static void no_shapes(TF_ShapeInferenceContext *context, TF_Status *status) {
    TF_ShapeInferenceContextSetUnknownShape(context, status);
}

/* ---- resources of its own, and variables taken in hand */
TF_EXPORT int state_plugin_counters; /* that live now */
int state_plugin_counters;

static void *new_counter(void *first) {
    float *counter = malloc(sizeof *counter);
    *counter = *(const float *)first;
    state_plugin_counters++;
    return counter;
}
static void delete_counter(void *counter) {
    free(counter);
    state_plugin_counters--;
}

/* Gives 100, 101, 102 ... in a session. */
static void count(void *kernel, TF_OpKernelContext *context) {
    TF_Status *status = TF_NewStatus();
    float first = 100;
    void *counter = NULL;
    (void)kernel;
    TF_LookupOrCreatePluginResource(context, "", "counter", &counter, new_counter, &first, delete_counter, status);
    if (counter) {
        TF_Tensor *out = TF_AllocateOutput(context, 0, TF_FLOAT, NULL, 0, sizeof first, status);
        *(float *)TF_TensorData(out) = (*(float *)counter)++;
        TF_DeleteTensor(out);
    }
    end(context, status);
}

/* The name is free once, and taken then. */
static void claim(void *kernel, TF_OpKernelContext *context) {
    TF_Status *status = TF_NewStatus();
    float first = 0;
    (void)kernel;
    void *counter = new_counter(&first);
    TF_CreatePluginResource(context, "claims", "one", counter, delete_counter, status);
    if (TF_GetCode(status) != TF_OK) delete_counter(counter);
    if (TF_GetCode(status) == TF_OK && !TF_GetDevice(context)) TF_SetStatus(status, TF_INTERNAL, "there is no device");
    end(context, status);
}

/* Both variables are doubled, in elements of their own; they may be one. */
static void double_both(void *kernel, TF_OpKernelContext *context) {
    TF_Status *status = TF_NewStatus();
    TF_VariableInfo *infos[2] = {NULL, NULL};
    (void)kernel;
    for (int i = 0; i < 2 && TF_GetCode(status) == TF_OK; i++)
        infos[i] = TF_CreateVariableInfoFromContext(context, i, status);
    if (TF_GetCode(status) == TF_OK) TF_LockVariableInfos(infos, 2, status);
    for (int i = 0; i < 2 && TF_GetCode(status) == TF_OK; i++) {
        TF_Tensor *old = TF_GetTensorFromVariableInfo(infos[i], status);
        if (TF_GetCode(status) == TF_OK) TF_AllocateTempForVariableInfo(context, infos[i], status);
        TF_Tensor *fresh = TF_GetCode(status) == TF_OK ? TF_GetTensorFromVariableInfo(infos[i], status) : NULL;
        for (int64_t k = 0; fresh && k < TF_TensorElementCount(fresh); k++)
            ((float *)TF_TensorData(fresh))[k] = 2 * ((float *)TF_TensorData(old))[k];
        TF_DeleteTensor(old);
        TF_DeleteTensor(fresh);
    }
    for (int i = 0; i < 2; i++) TF_DeleteVariableInfo(infos[i]);
    end(context, status);
}

static const struct {
    const char *op, *inputs[3], *outputs[3];
    void (*compute)(void *kernel, TF_OpKernelContext *context);
} rows[] = {{"PluginAssign", {"var: resource", "value: float"}, {0}, assign},
            {"PluginAddTo", {"var: resource", "value: float"}, {0}, add_to},
            {"PluginTakeFrom", {"var: resource", "value: float"}, {0}, take_from},
            {"PluginAssignRef", {"ref: Ref(float)", "value: float"}, {"out: Ref(float)"}, assign_ref},
            {"PluginSameRef", {"ref: Ref(float)"}, {"out: Ref(float)"}, same_ref},
            {"PluginMakeTemporary", {0}, {"ref: Ref(float)"}, make_temporary},
            {"PluginDropTemporary", {"ref: Ref(float)"}, {"value: float"}, drop_temporary},
            {"PluginMove", {"from: resource", "to: resource", "amount: float"}, {0}, move_dense},
            {"PluginMoveSparse", {"from: resource", "to: resource", "amount: float"}, {0}, move_sparse},
            {"PluginAddTwo", {"a: variant", "b: variant"}, {"sum: variant"}, add_n},
            {"PluginZeros", {"like: variant"}, {"zeros: variant"}, zeros_like},
            {"PluginTell", {"var: resource"}, {"library: string", "config: string", "handle: string"}, tell},
            {"PluginCount", {0}, {"n: float"}, count},
            {"PluginClaim", {0}, {0}, claim},
            {"PluginDoubleBoth", {"a: resource", "b: resource"}, {0}, double_both}};
enum { N_ROWS = sizeof rows / sizeof *rows };

__attribute__((constructor)) static void register_ops(void) {
    TF_Status *status = TF_NewStatus();
    for (int i = 0; i < N_ROWS; i++) {
        TF_OpDefinitionBuilder *builder = TF_NewOpDefinitionBuilder(rows[i].op);
        for (int k = 0; k < 3 && rows[i].inputs[k]; k++) TF_OpDefinitionBuilderAddInput(builder, rows[i].inputs[k]);
        for (int k = 0; k < 3 && rows[i].outputs[k]; k++) TF_OpDefinitionBuilderAddOutput(builder, rows[i].outputs[k]);
        TF_OpDefinitionBuilderSetIsStateful(builder, true);
        TF_OpDefinitionBuilderSetShapeInferenceFunction(builder, no_shapes);
        TF_RegisterOpDefinition(builder, status);
    }
    TF_DeleteStatus(status);
}

void TF_InitKernel(void) {
    TF_Status *status = TF_NewStatus();
    for (int i = 0; i < N_ROWS; i++)
        TF_RegisterKernelBuilder(rows[i].op, TF_NewKernelBuilder(rows[i].op, "CPU", NULL, rows[i].compute, NULL),
                                 status);
    TF_DeleteStatus(status);
}
