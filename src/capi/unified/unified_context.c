/* Contexts of the unified API, their tensors, and lists of those. */
#include <string.h>

#include "base/alloc.h"
#include "capi/unified/unified_handles.h"

/* ---- contexts */

void TF_SetTracingImplementation(const char *name, TF_Status *status) {
    if (name && !strcmp(name, "graphdef")) sl_status_set(status, SL_OK, NULL);
    else
        sl_status_fail(status, SL_INVALID_ARGUMENT,
                       "No tracing engine factory has been registered with the key '%s' (available: graphdef)",
                       name ? name : "");
}

static TF_ExecutionContext *context_new(TF_Status *status) {
    TF_ExecutionContext *context = sl_calloc(1, sizeof *context);
    sl_status_set(status, context ? SL_OK : SL_RESOURCE_EXHAUSTED, "out of memory");
    if (context) atomic_init(&context->refs, 1);
    return context;
}

void sl_unified_context_unref(TF_ExecutionContext *context) {
    if (atomic_fetch_sub_explicit(&context->refs, 1, memory_order_acq_rel) != 1) return;
    TFE_DeleteContext(context->eager);
    TF_DeleteGraph(context->graph);
    sl_vec_free(&context->parameters);
    sl_free(context->name);
    sl_free(context);
}

void TF_DeleteExecutionContext(TF_ExecutionContext *context) {
    if (!context) return;
    context->is_ended = true;
    sl_unified_context_unref(context);
}

TF_ExecutionContext *TF_NewEagerExecutionContext(TFE_ContextOptions *options, TF_Status *status) {
    TF_ExecutionContext *context = context_new(status);
    if (!context) return NULL;
    context->eager = TFE_NewContext(options, status);
    if (context->eager) return context;
    sl_unified_context_unref(context);
    return NULL;
}

static sl_code begin_trace(TF_ExecutionContext *context, const char *name, struct sl_error *err) {
    if (!name || !*name) return sl_fail(err, SL_INVALID_ARGUMENT, "a function needs a name");
    const size_t n = strlen(name) + 1;
    context->name = sl_malloc(n);
    if (!context->name) return sl_fail_memory(err, n);
    memcpy(context->name, name, n);
    return sl_graph_handle_new(&context->graph, err);
}

TF_ExecutionContext *TF_CreateFunction(const char *function_name, TF_Status *status) {
    struct sl_error err;
    TF_ExecutionContext *context = context_new(status);
    if (!context) return NULL;
    if (sl_status_take(status, begin_trace(context, function_name, &err), &err)) return context;
    sl_unified_context_unref(context);
    return NULL;
}

TFE_Context *TF_ExecutionContextGetTFEContext(TF_ExecutionContext *context, TF_Status *status) {
    const bool is_eager = context && context->eager;
    sl_status_set(status, is_eager ? SL_OK : SL_INVALID_ARGUMENT, "Not an eager context handle.");
    return is_eager ? context->eager : NULL;
}

/* ---- tensors */

TF_AbstractTensor *sl_traced_tensor_new(TF_ExecutionContext *context, TF_Output output) {
    struct sl_traced_tensor *tensor = sl_malloc(sizeof *tensor);
    if (!tensor) return NULL;
    *tensor = (struct sl_traced_tensor){sl_unified_context_ref(context), output};
    return (TF_AbstractTensor *)((char *)tensor + 1);
}

void TF_DeleteAbstractTensor(TF_AbstractTensor *tensor) {
    struct sl_traced_tensor *traced = (struct sl_traced_tensor *)sl_as_traced(tensor);
    if (!traced) {
        TFE_DeleteTensorHandle(sl_as_eager_tensor(tensor));
        return;
    }
    sl_unified_context_unref(traced->context);
    sl_free(traced);
}

TF_AbstractTensor *TF_CreateAbstractTensorFromEagerTensor(TFE_TensorHandle *tensor, TF_Status *status) {
    sl_status_set(status, tensor ? SL_OK : SL_INVALID_ARGUMENT, "Invalid handle");
    return (TF_AbstractTensor *)tensor;
}

TFE_TensorHandle *TF_AbstractTensorGetEagerTensor(TF_AbstractTensor *tensor, TF_Status *status) {
    TFE_TensorHandle *eager = sl_as_eager_tensor(tensor);
    sl_status_set(status, eager ? SL_OK : SL_INVALID_ARGUMENT, "Not an eager tensor handle.");
    return eager;
}

/* ---- lists */

TF_OutputList *TF_NewOutputList(void) { return sl_calloc(1, sizeof(TF_OutputList)); }

void TF_DeleteOutputList(TF_OutputList *outputs) {
    if (!outputs) return;
    sl_vec_free(&outputs->tensors);
    sl_free(outputs);
}

void TF_OutputListSetNumOutputs(TF_OutputList *outputs, int num_outputs, TF_Status *status) {
    if (!outputs || num_outputs < 0) {
        sl_status_fail(status, SL_INVALID_ARGUMENT, "%d is no number of outputs, or there is no list", num_outputs);
        return;
    }
    outputs->tensors.n = 0;
    if (sl_vec_reserve(&outputs->tensors, num_outputs)) {
        sl_status_set(status, SL_RESOURCE_EXHAUSTED, "out of memory");
        return;
    }
    for (int i = 0; i < num_outputs; i++) outputs->tensors.items[i] = NULL;
    outputs->tensors.n = (size_t)num_outputs;
    sl_status_set(status, SL_OK, NULL);
}

int TF_OutputListNumOutputs(TF_OutputList *outputs) { return outputs ? (int)outputs->tensors.n : 0; }

TF_AbstractTensor *TF_OutputListGet(TF_OutputList *outputs, int i) {
    return outputs && i >= 0 && (size_t)i < outputs->tensors.n ? outputs->tensors.items[i] : NULL;
}

void TF_OutputListPushBack(TF_OutputList *outputs, TF_AbstractTensor *tensor, TF_Status *status) {
    if (!outputs || !tensor) sl_status_set(status, SL_INVALID_ARGUMENT, "there is no list, or no tensor to add to it");
    else if (sl_vec_push(&outputs->tensors, tensor)) sl_status_set(status, SL_RESOURCE_EXHAUSTED, "out of memory");
    else sl_status_set(status, SL_OK, NULL);
}
