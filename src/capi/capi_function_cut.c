/* TF_GraphToFunction: cutting a function out of a graph. Checks and converts the arguments; the rules are those of
 * sl_graph_to_function. */
#include "capi/handles.h"

struct cut {
    const TF_Graph *graph;
    const char *name;
    struct sl_arena arena;
    struct sl_to_function spec;
};

/* Checks the outputs and converts them. */
static sl_code take_ports(const struct sl_port **out, struct cut *c, const TF_Output *outputs, int n, const char *what,
                          const char *way, struct sl_error *err) {
    struct sl_port *ports = SL_ARENA_ARRAY(&c->arena, struct sl_port, n > 0 ? (size_t)n : 0);
    if (!ports) return sl_fail_memory(err, sizeof *ports);
    for (int i = 0; i < n; i++) {
        sl_code code = sl_graph_check_output(c->graph, outputs[i], err);
        if (code != SL_OK) {
            sl_error_append(err, "\n\tEncountered while processing %s %d %s function '%s'", what, i, way, c->name);
            return code;
        }
        ports[i] = sl_as_port(outputs[i]);
    }
    *out = ports;
    return SL_OK;
}

static sl_code take_nodes(struct sl_node *const **out, const struct cut *c, const TF_Operation *const *operations,
                          int n, struct sl_error *err) {
    for (int i = 0; i < n; i++)
        if (!sl_graph_owns(c->graph, sl_as_node(operations[i])))
            return sl_fail(err, SL_INVALID_ARGUMENT,
                           "Node is null\n\tEncountered while processing node %d of function '%s'", i, c->name);
    *out = (struct sl_node *const *)(const void *)operations;
    return SL_OK;
}

static sl_code take_names(const struct sl_str **out, struct cut *c, const char *const *names, int n,
                          struct sl_error *err) {
    *out = NULL;
    if (!names || n <= 0) return SL_OK;
    struct sl_str *copies = SL_ARENA_ARRAY(&c->arena, struct sl_str, (size_t)n);
    if (!copies) return sl_fail_memory(err, sizeof *copies);
    for (int i = 0; i < n; i++) copies[i] = sl_str_of(names[i]);
    *out = copies;
    return SL_OK;
}

static sl_code cut_out(struct sl_function_def **out, struct cut *c, struct sl_error *err) {
    return sl_graph_to_function(out, c->graph->graph, &c->spec, err);
}

TF_Function *TF_GraphToFunctionWithControlOutputs(
    const TF_Graph *function_body, const char *function_name, unsigned char append_hash_to_function_name,
    int num_operations, const TF_Operation *const *operations, int ninputs, const TF_Output *inputs, int noutputs,
    const TF_Output *outputs, const char *const *output_names, int ncontrol_outputs,
    const TF_Operation *const *control_outputs, const char *const *control_output_names,
    const TF_FunctionOptions *options, const char *description, TF_Status *status) {
    (void)options;
    struct sl_error err;
    TF_Graph *graph = (TF_Graph *)function_body;
    TF_Function *function = NULL;
    struct sl_function_def *def;
    struct cut c = {.graph = graph, .name = function_name};
    struct sl_to_function *spec = &c.spec;
    *spec = (struct sl_to_function){.name = sl_str_of(function_name),
                                    .append_hash = append_hash_to_function_name != 0,
                                    .n_body = num_operations,
                                    .n_inputs = ninputs,
                                    .n_outputs = noutputs,
                                    .n_control_outputs = ncontrol_outputs,
                                    .description = sl_str_of(description ? description : "")};
    sl_arena_init(&c.arena);
    sl_graph_lock(graph);
    sl_code code = take_ports(&spec->inputs, &c, inputs, ninputs, "input", "into", &err);
    if (code == SL_OK) code = take_ports(&spec->outputs, &c, outputs, noutputs, "output", "from", &err);
    if (code == SL_OK && num_operations >= 0) code = take_nodes(&spec->body, &c, operations, num_operations, &err);
    if (code == SL_OK) code = take_nodes(&spec->control_outputs, &c, control_outputs, ncontrol_outputs, &err);
    if (code == SL_OK) code = take_names(&spec->output_names, &c, output_names, noutputs, &err);
    if (code == SL_OK) code = take_names(&spec->control_output_names, &c, control_output_names, ncontrol_outputs, &err);
    if (code == SL_OK) code = cut_out(&def, &c, &err);
    sl_graph_unlock(graph);
    if (code == SL_OK) code = sl_function_handle_new(&function, def, &err);
    sl_arena_clear(&c.arena);
    sl_status_take(status, code, &err);
    return function;
}

TF_Function *TF_GraphToFunction(const TF_Graph *function_body, const char *function_name,
                                unsigned char append_hash_to_function_name, int num_operations,
                                const TF_Operation *const *operations, int ninputs, const TF_Output *inputs,
                                int noutputs, const TF_Output *outputs, const char *const *output_names,
                                const TF_FunctionOptions *options, const char *description, TF_Status *status) {
    return TF_GraphToFunctionWithControlOutputs(function_body, function_name, append_hash_to_function_name,
                                                num_operations, operations, ninputs, inputs, noutputs, outputs,
                                                output_names, 0, NULL, NULL, options, description, status);
}
