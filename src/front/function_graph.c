/* The functions of sluice/function_graph.h, by what lowering does in each run. Shapes are inferred as far as that goes:
 * what is wrong in a function is the run's to say. */
#include "sluice/function_graph.h"

#include "capi/handles.h"
#include "passes/lower.h"

/* ---- bodies */

static sl_code make_body(TF_Graph **out, TF_Graph *graph, struct sl_str name, struct sl_error *err) {
    const struct sl_attrs none = {NULL, 0};
    struct sl_body body;
    struct sl_function_def *def = sl_graph_function(graph->graph, name);
    if (!def) return sl_fail(err, SL_NOT_FOUND, "the graph has no function '%.*s'", SL_STR_ARG(name));
    SL_TRY(sl_graph_handle_new(out, err));
    sl_code code = sl_function_instantiate(&body, def, &none, graph->graph, err);
    if (code != SL_OK) {
        sl_graph_handle_drop(*out);
        return code;
    }
    sl_graph_free((*out)->graph);
    (*out)->graph = body.graph;
    (void)sl_graph_infer_all(body.graph, NULL);
    return SL_OK;
}

SL_API TF_Graph *sl_function_graph(TF_Graph *graph, const char *function, TF_Status *status) {
    struct sl_error err;
    TF_Graph *body = NULL;
    sl_graph_lock(graph);
    sl_code code = make_body(&body, graph, sl_str_of(function), &err);
    sl_graph_unlock(graph);
    return sl_status_take(status, code, &err) ? body : NULL;
}

/* ---- bodies in place of calls */

static sl_code put_in_place(struct sl_graph *graph, bool control_flow, struct sl_error *err) {
    const struct sl_lower_options options = {.library = graph, .keep_control_flow = !control_flow, .keep_names = true};
    SL_TRY(sl_pass_lower(graph, &options, err));
    (void)sl_graph_infer_all(graph, NULL);
    return SL_OK;
}

SL_API void sl_graph_inline(TF_Graph *graph, bool control_flow, TF_Status *status) {
    struct sl_error err;
    sl_code code = SL_OK;
    sl_graph_lock(graph);
    if (sl_pass_lower_needed(graph->graph)) {
        code = put_in_place(graph->graph, control_flow, &err);
        sl_graph_touch(graph);
    }
    sl_graph_unlock(graph);
    sl_status_take(status, code, &err);
}
