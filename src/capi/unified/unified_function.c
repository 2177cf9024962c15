/* Functions that are traced: their parameters, their end, and where they may be called from then on. */
#include <stdio.h>

#include "base/alloc.h"
#include "capi/unified/unified_handles.h"

/* ---- parameters */

static sl_code check_parameter(const TF_ExecutionContext *context, TF_Shape shape, struct sl_error *err) {
    if (!context || context->eager)
        return sl_fail(err, SL_INVALID_ARGUMENT, "TF_AddFunctionParameter: the context traces no function");
    if (context->is_ended) return sl_fail(err, SL_FAILED_PRECONDITION, "the function is finished");
    if (shape.num_dims < -1 || shape.num_dims > SL_MAX_RANK || (shape.num_dims > 0 && !shape.dim_sizes))
        return sl_fail(err, SL_INVALID_ARGUMENT, "a parameter of rank %d", shape.num_dims);
    for (int i = 0; i < shape.num_dims; i++)
        if (shape.dim_sizes[i] < -1)
            return sl_fail(err, SL_INVALID_ARGUMENT, "Dimension %d must be -1 or more, and is %lld", i,
                           (long long)shape.dim_sizes[i]);
    return SL_OK;
}

static sl_code add_parameter(TF_AbstractTensor **out, TF_ExecutionContext *context, TF_DataType dtype, TF_Shape shape,
                             struct sl_error *err) {
    char name[32];
    TF_Status own = {.code = SL_OK};
    SL_TRY(check_parameter(context, shape, err));
    snprintf(name, sizeof name, "_input_%zu", context->parameters.n);
    if (sl_vec_reserve(&context->parameters, 1)) return sl_fail_memory(err, sizeof(TF_Output));
    TF_OperationDescription *description = TF_NewOperation(context->graph, "Placeholder", name);
    if (description) TF_SetAttrType(description, "dtype", dtype);
    if (description) TF_SetAttrShape(description, "shape", shape.dim_sizes, shape.num_dims);
    TF_Operation *operation = TF_FinishOperation(description, &own);
    sl_code code = sl_status_give(&own, err);
    sl_status_set(&own, SL_OK, NULL);
    SL_TRY(code);
    const TF_Output parameter = {operation, 0};
    *out = sl_traced_tensor_new(context, parameter);
    if (!*out) return sl_fail_memory(err, sizeof(struct sl_traced_tensor));
    context->parameters.items[context->parameters.n++] = parameter;
    return SL_OK;
}

TF_AbstractTensor *TF_AddFunctionParameter(TF_ExecutionContext *function, TF_DataType dtype, TF_Shape shape,
                                           TF_Status *status) {
    struct sl_error err;
    TF_AbstractTensor *tensor = NULL;
    sl_status_take(status, add_parameter(&tensor, function, dtype, shape, &err), &err);
    return tensor;
}

/* ---- the end */

static sl_code list_results(TF_Output **out, const TF_OutputList *outputs, struct sl_arena *arena,
                            struct sl_error *err) {
    if (!outputs) return sl_fail(err, SL_INVALID_ARGUMENT, "there is no list of what the function returns");
    *out = SL_ARENA_ARRAY(arena, TF_Output, outputs->tensors.n + 1);
    if (!*out) return sl_fail_memory(err, sizeof **out);
    for (size_t i = 0; i < outputs->tensors.n; i++) {
        const struct sl_traced_tensor *traced = sl_as_traced(outputs->tensors.items[i]);
        if (!traced)
            return sl_fail(err, SL_UNIMPLEMENTED,
                           "Returning a non-graph tensor from a function has not been implemented yet.");
        (*out)[i] = traced->output;
    }
    return SL_OK;
}

static sl_code finish(TF_Function **out, const TF_ExecutionContext *context, const TF_OutputList *outputs,
                      struct sl_arena *arena, struct sl_error *err) {
    TF_Output *results = NULL;
    TF_Status own = {.code = SL_OK};
    SL_TRY(list_results(&results, outputs, arena, err));
    *out = TF_GraphToFunction(context->graph, context->name, 0, -1, NULL, (int)context->parameters.n,
                              context->parameters.items, (int)outputs->tensors.n, results, NULL, NULL, context->name,
                              &own);
    sl_code code = sl_status_give(&own, err);
    sl_status_set(&own, SL_OK, NULL);
    return code;
}

static sl_code finalize(TF_AbstractFunction **out, const TF_ExecutionContext *context, const TF_OutputList *outputs,
                        struct sl_error *err) {
    struct sl_arena arena;
    TF_AbstractFunction *function = sl_malloc(sizeof *function);
    if (!function) return sl_fail_memory(err, sizeof *function);
    sl_arena_init(&arena);
    sl_code code = finish(&function->function, context, outputs, &arena, err);
    sl_arena_clear(&arena);
    if (code == SL_OK) *out = function;
    else sl_free(function);
    return code;
}

TF_AbstractFunction *TF_FinalizeFunction(TF_ExecutionContext *context, TF_OutputList *outputs, TF_Status *status) {
    struct sl_error err;
    TF_AbstractFunction *function = NULL;
    if (!context || context->eager) {
        sl_status_set(status, SL_INVALID_ARGUMENT, "Only TracingContext can be converted into a function.");
        return NULL;
    }
    sl_status_take(status, finalize(&function, context, outputs, &err), &err);
    TF_DeleteExecutionContext(context);
    return function;
}

void TF_DeleteAbstractFunction(TF_AbstractFunction *function) {
    if (!function) return;
    TF_DeleteFunction(function->function);
    sl_free(function);
}

/* While tracing, too: one function may call another, which the eager context has to know as well. */
void TF_ExecutionContextRegisterFunction(TF_ExecutionContext *context, TF_AbstractFunction *function,
                                         TF_Status *status) {
    if (!context || !function)
        sl_status_set(status, SL_INVALID_ARGUMENT, "there is no context, or no function to register");
    else if (context->eager) TFE_ContextAddFunction(context->eager, function->function, status);
    else TF_GraphCopyFunction(context->graph, function->function, NULL, status);
}
