/* Ops of the unified API: each is an eager op, or a node on its way into a traced graph. */
#include <string.h>

#include "base/alloc.h"
#include "capi/description.h"
#include "capi/unified/unified_handles.h"

/* ---- life */

TF_AbstractOp *TF_NewAbstractOp(TF_ExecutionContext *context) {
    TF_AbstractOp *op = context ? sl_calloc(1, sizeof *op) : NULL;
    if (op) op->context = sl_unified_context_ref(context);
    return op;
}

void TF_DeleteAbstractOp(TF_AbstractOp *op) {
    if (!op) return;
    TFE_DeleteOp(op->eager);
    if (op->description) sl_description_free(op->description);
    sl_free(op->type);
    sl_unified_context_unref(op->context);
    sl_free(op);
}

static sl_code check_op(const TF_AbstractOp *op, struct sl_error *err) {
    if (!op) return sl_fail(err, SL_INVALID_ARGUMENT, "there is no op");
    if (!op->context->is_ended) return SL_OK;
    return sl_fail(err, SL_FAILED_PRECONDITION, "the context of the op was deleted, or its function is finished");
}

/* ---- type, name, attrs */

static sl_code set_type(TF_AbstractOp *op, const char *type, struct sl_error *err) {
    if (op->description) return sl_fail(err, SL_FAILED_PRECONDITION, "Reset called on already built op.");
    const size_t n = strlen(type) + 1;
    char *copy = sl_malloc(n);
    if (!copy) return sl_fail_memory(err, n);
    memcpy(copy, type, n);
    sl_free(op->type);
    op->type = copy;
    return SL_OK;
}

void TF_AbstractOpSetOpType(TF_AbstractOp *op, const char *op_type, TF_Status *status) {
    struct sl_error err;
    sl_code code = check_op(op, &err);
    if (code == SL_OK && !op_type) code = sl_fail(&err, SL_INVALID_ARGUMENT, "an op needs a type");
    if (code == SL_OK && op->context->eager) {
        if (op->eager) TFE_OpReset(op->eager, op_type, NULL, status);
        else op->eager = TFE_NewOp(op->context->eager, op_type, status);
        return;
    }
    if (code == SL_OK) code = set_type(op, op_type, &err);
    sl_status_take(status, code, &err);
}

static sl_code set_name(TF_AbstractOp *op, const char *name, struct sl_error *err) {
    TF_Graph *graph = op->context->graph;
    if (!graph) return sl_fail(err, SL_INVALID_ARGUMENT, "The provided AbstractOperation is not a TracingOperation.");
    if (!name || !*name) return sl_fail(err, SL_INVALID_ARGUMENT, "the name of an op is empty");
    if (op->description) return sl_fail(err, SL_FAILED_PRECONDITION, "SetOpName called on already built op.");
    if (!op->type)
        return sl_fail(err, SL_FAILED_PRECONDITION, "TF_AbstractOpSetOpType comes before TF_AbstractOpSetOpName");
    sl_graph_lock(graph);
    const struct sl_str unique = sl_graph_unique_name(graph->graph, sl_str_of(name));
    sl_graph_unlock(graph);
    op->description = unique.p ? TF_NewOperation(graph, op->type, unique.p) : NULL;
    return op->description ? SL_OK : sl_fail_memory(err, sizeof *op->description);
}

void TF_AbstractOpSetOpName(TF_AbstractOp *op, const char *op_name, TF_Status *status) {
    struct sl_error err;
    sl_code code = check_op(op, &err);
    if (code == SL_OK) code = set_name(op, op_name, &err);
    sl_status_take(status, code, &err);
}

static sl_code set_attr_type(TF_AbstractOp *op, const char *name, TF_DataType value, struct sl_error *err) {
    if (!name) return sl_fail(err, SL_INVALID_ARGUMENT, "an attr needs a name");
    if (!op->eager && !op->description)
        return sl_fail(err, SL_FAILED_PRECONDITION, "the op's type%s come before its attrs",
                       op->context->eager ? "" : " and name");
    if (op->eager) TFE_OpSetAttrType(op->eager, name, value);
    else TF_SetAttrType(op->description, name, value);
    return SL_OK;
}

void TF_AbstractOpSetAttrType(TF_AbstractOp *op, const char *attr_name, TF_DataType value, TF_Status *status) {
    struct sl_error err;
    sl_code code = check_op(op, &err);
    if (code == SL_OK) code = set_attr_type(op, attr_name, value, &err);
    sl_status_take(status, code, &err);
}

/* ---- executing */

/* What an inner call has said. */
static sl_code take_own(TF_Status *own, struct sl_error *err) {
    sl_code code = sl_status_give(own, err);
    sl_status_set(own, SL_OK, NULL);
    return code;
}

static sl_code add_eager_inputs(TF_AbstractOp *op, TF_AbstractTensor *const *inputs, int n, struct sl_error *err) {
    TF_Status own = {.code = SL_OK};
    for (int i = 0; i < n; i++) {
        TFE_TensorHandle *input = sl_as_eager_tensor(inputs[i]);
        if (!input)
            return sl_fail(err, SL_INVALID_ARGUMENT, "input %d of %s is no tensor of an eager context", i,
                           TFE_OpGetName(op->eager, NULL));
        TFE_OpAddInput(op->eager, input, &own);
        SL_TRY(take_own(&own, err));
    }
    return SL_OK;
}

static sl_code run(TF_AbstractOp *op, TF_AbstractTensor *const *inputs, int n, TF_OutputList *outputs,
                   struct sl_error *err) {
    TF_Status own = {.code = SL_OK};
    int n_out = (int)outputs->tensors.n;
    sl_code code = add_eager_inputs(op, inputs, n, err);
    if (code == SL_OK) {
        TFE_Execute(op->eager, (TFE_TensorHandle **)outputs->tensors.items, &n_out, &own);
        code = take_own(&own, err);
    }
    return code;
}

/* The description's end, also on failure. */
static sl_code trace(TF_AbstractOp *op, TF_AbstractTensor *const *inputs, int n, TF_OutputList *outputs,
                     struct sl_error *err) {
    TF_Status own = {.code = SL_OK};
    TF_OperationDescription *description = op->description;
    for (int i = 0; i < n; i++)
        if (!inputs[i] || !sl_as_traced(inputs[i]) || sl_as_traced(inputs[i])->context != op->context)
            return sl_fail(err, SL_INVALID_ARGUMENT, "input %d of %s is no tensor of the function that is traced", i,
                           op->type);
    for (int i = 0; i < n; i++) TF_AddInput(description, sl_as_traced(inputs[i])->output);
    op->description = NULL;
    TF_Operation *operation = TF_FinishOperation(description, &own);
    SL_TRY(take_own(&own, err));
    const int n_out = sl_as_node(operation)->n_outputs;
    if ((size_t)n_out > outputs->tensors.n) {
        TF_Graph *graph = op->context->graph;
        sl_graph_lock(graph);
        sl_graph_remove(graph->graph, sl_as_node(operation));
        sl_graph_unlock(graph);
        return sl_fail(err, SL_INVALID_ARGUMENT, "Expecting %d outputs, but *num_retvals is %zu", n_out,
                       outputs->tensors.n);
    }
    for (int o = 0; o < n_out; o++) {
        outputs->tensors.items[o] = sl_traced_tensor_new(op->context, (TF_Output){operation, o});
        if (outputs->tensors.items[o]) continue;
        while (o--) TF_DeleteAbstractTensor(outputs->tensors.items[o]);
        return sl_fail_memory(err, sizeof(struct sl_traced_tensor));
    }
    return SL_OK;
}

static sl_code execute(TF_AbstractOp *op, TF_AbstractTensor *const *inputs, int n, TF_OutputList *outputs,
                       struct sl_error *err) {
    SL_TRY(check_op(op, err));
    if (!outputs) return sl_fail(err, SL_INVALID_ARGUMENT, "there is no list for the outputs");
    if (n < 0 || (n && !inputs)) return sl_fail(err, SL_INVALID_ARGUMENT, "there are no inputs, or %d of them", n);
    if (!op->eager && !op->description)
        return sl_fail(err, SL_INVALID_ARGUMENT, "AbstractOp is incomplete: it has no %s",
                       op->context->eager || !op->type ? "type" : "name");
    return op->eager ? run(op, inputs, n, outputs, err) : trace(op, inputs, n, outputs, err);
}

void TF_ExecuteOperation(TF_AbstractOp *op, int num_inputs, TF_AbstractTensor *const *inputs, TF_OutputList *outputs,
                         TF_Status *status) {
    struct sl_error err;
    sl_status_take(status, execute(op, inputs, num_inputs, outputs, &err), &err);
}
