/* Inspecting operations: names, types, edges. What a finished operation tells about itself never changes; its consumers
 * do, so a caller that builds the graph meanwhile has to keep both apart. */
#include "capi/handles.h"
#include "ops/op_signature.h"
#include "proto/wire.h"

const char *TF_OperationName(TF_Operation *operation) { return sl_as_node(operation)->name.p; }

const char *TF_OperationOpType(TF_Operation *operation) { return sl_as_node(operation)->op->name.p; }

const char *TF_OperationDevice(TF_Operation *operation) {
    const char *device = sl_as_node(operation)->device.p;
    return device ? device : "";
}

/* ---- outputs and inputs */
int TF_OperationNumOutputs(TF_Operation *operation) { return sl_as_node(operation)->n_outputs; }

TF_DataType TF_OperationOutputType(TF_Output output) {
    const struct sl_node *node = sl_as_node(output.oper);
    return output.index >= 0 && output.index < node->n_outputs ? (TF_DataType)node->out_types[output.index]
                                                               : (TF_DataType)0;
}

/* Tensors of the argument called `name`; -1 when there is none. */
static int list_length(const struct sl_node *node, const struct sl_op_arg *args, int n_args, const char *name,
                       void (*range)(int *first, int *n, const struct sl_op *op, int arg,
                                     const struct sl_attrs *bound)) {
    int first, n;
    for (int i = 0; name && i < n_args; i++)
        if (sl_str_is(args[i].name, name)) {
            range(&first, &n, node->op, i, &node->attrs);
            return n;
        }
    return -1;
}

int TF_OperationOutputListLength(TF_Operation *operation, const char *arg_name, TF_Status *status) {
    const struct sl_node *node = sl_as_node(operation);
    int n = list_length(node, node->op->outputs, node->op->n_outputs, arg_name, sl_op_output_range);
    if (n < 0) sl_status_fail(status, SL_INVALID_ARGUMENT, "Output arg '%s' not found", arg_name ? arg_name : "");
    else sl_status_set(status, SL_OK, NULL);
    return n;
}

int TF_OperationNumInputs(TF_Operation *operation) { return sl_as_node(operation)->n_inputs; }

TF_DataType TF_OperationInputType(TF_Input input) {
    const struct sl_node *node = sl_as_node(input.oper);
    return input.index >= 0 && input.index < node->n_inputs ? (TF_DataType)node->in_types[input.index] : (TF_DataType)0;
}

int TF_OperationInputListLength(TF_Operation *operation, const char *arg_name, TF_Status *status) {
    const struct sl_node *node = sl_as_node(operation);
    int n = list_length(node, node->op->inputs, node->op->n_inputs, arg_name, sl_op_input_range);
    if (n < 0) sl_status_fail(status, SL_INVALID_ARGUMENT, "Input arg '%s' not found", arg_name ? arg_name : "");
    else sl_status_set(status, SL_OK, NULL);
    return n;
}

TF_Output TF_OperationInput(TF_Input input) {
    const struct sl_node *node = sl_as_node(input.oper);
    if (input.index < 0 || input.index >= node->n_inputs) return (TF_Output){NULL, -1};
    return sl_as_output(node->inputs[input.index]);
}

void TF_OperationAllInputs(TF_Operation *operation, TF_Output *inputs, int max_inputs) {
    const struct sl_node *node = sl_as_node(operation);
    for (int i = 0; i < node->n_inputs && i < max_inputs; i++) inputs[i] = sl_as_output(node->inputs[i]);
}

/* ---- consumers */
int TF_OperationOutputNumConsumers(TF_Output output) {
    const struct sl_node *node = sl_as_node(output.oper);
    int n = 0;
    for (uint32_t i = 0; i < node->uses.n; i++) n += node->uses.items[i].index == output.index && output.index >= 0;
    return n;
}

/* The result counts all of them, also those that there was no room for. */
int TF_OperationOutputConsumers(TF_Output output, TF_Input *consumers, int max_consumers) {
    const struct sl_node *node = sl_as_node(output.oper);
    int n = 0;
    for (uint32_t i = 0; i < node->uses.n; i++) {
        const struct sl_use *use = &node->uses.items[i];
        if (use->index != output.index || output.index < 0) continue;
        if (n < max_consumers) consumers[n] = (TF_Input){sl_as_operation(use->node), use->slot};
        n++;
    }
    return n;
}

/* ---- control edges */
int TF_OperationNumControlInputs(TF_Operation *operation) { return sl_as_node(operation)->n_controls; }

int TF_OperationGetControlInputs(TF_Operation *operation, TF_Operation **control_inputs, int max_control_inputs) {
    const struct sl_node *node = sl_as_node(operation);
    int n = 0;
    for (; n < node->n_controls && n < max_control_inputs; n++) control_inputs[n] = sl_as_operation(node->controls[n]);
    return n;
}

int TF_OperationNumControlOutputs(TF_Operation *operation) {
    const struct sl_node *node = sl_as_node(operation);
    int n = 0;
    for (uint32_t i = 0; i < node->uses.n; i++) n += node->uses.items[i].index < 0;
    return n;
}

int TF_OperationGetControlOutputs(TF_Operation *operation, TF_Operation **control_outputs, int max_control_outputs) {
    const struct sl_node *node = sl_as_node(operation);
    int n = 0;
    for (uint32_t i = 0; i < node->uses.n && n < max_control_outputs; i++)
        if (node->uses.items[i].index < 0) control_outputs[n++] = sl_as_operation(node->uses.items[i].node);
    return n;
}

/* ---- as a message */
static sl_code to_node_def(TF_Buffer *out, const struct sl_node *node, struct sl_error *err) {
    struct sl_arena arena;
    struct sl_pb_NodeDef def;
    SL_TRY(sl_buffer_check_empty(out, err));
    sl_arena_init(&arena);
    sl_code code = sl_node_export(&def, node, &arena, err);
    if (code == SL_OK) code = sl_buffer_encode(out, SL_PB_TYPE(NodeDef), &def, err);
    sl_arena_clear(&arena);
    return code;
}

void TF_OperationToNodeDef(TF_Operation *operation, TF_Buffer *output_node_def, TF_Status *status) {
    struct sl_error err;
    sl_status_take(status, to_node_def(output_node_def, sl_as_node(operation), &err), &err);
}
