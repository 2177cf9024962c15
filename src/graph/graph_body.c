/* A GraphDef as a body: its `_Arg` and `_Retval` nodes say what it takes and gives. For kernels that write graphs, and
 * for graphs that travel as strings. */
#include "graph/graph.h"

/* Puts a node where its index says; each index from 0 on once. */
static sl_code place_end(struct sl_node **ends, int n, struct sl_node *node, struct sl_error *err) {
    int64_t index;
    SL_TRY(sl_attr_int(&index, &node->attrs, "index", err));
    if (index < 0 || index >= n || ends[index])
        return sl_fail(err, SL_INVALID_ARGUMENT, "The graph has no use for %.*s '%.*s' of index %lld",
                       SL_STR_ARG(node->op->name), SL_STR_ARG(node->name), (long long)index);
    ends[index] = node;
    return SL_OK;
}

static sl_code find_ends(struct sl_body *body, struct sl_error *err) {
    SL_GRAPH_EACH(node, body->graph) {
        body->n_args += sl_node_is(node, "_Arg");
        body->n_rets += sl_node_is(node, "_Retval");
    }
    const size_t n = (size_t)body->n_args + (size_t)body->n_rets;
    body->args = SL_ARENA_ARRAY(&body->graph->arena, struct sl_node *, n + 1);
    if (!body->args) return sl_fail_memory(err, n * sizeof *body->args);
    memset(body->args, 0, n * sizeof *body->args);
    body->rets = body->args + body->n_args;
    body->controls = body->rets + body->n_rets;
    SL_GRAPH_EACH(node, body->graph) {
        if (sl_node_is(node, "_Arg")) SL_TRY(place_end(body->args, body->n_args, node, err));
        if (sl_node_is(node, "_Retval")) SL_TRY(place_end(body->rets, body->n_rets, node, err));
    }
    return SL_OK;
}

/* A function that stands in both must be the same one: calls find the library's. */
static sl_code check_functions(const struct sl_graph *graph, const struct sl_graph *library, struct sl_error *err) {
    for (size_t i = 0; i < graph->functions.n; i++) {
        const struct sl_function_def *own = graph->functions.items[i], *there = sl_graph_function(library, own->name);
        if (there && !sl_function_equal(own, there))
            return sl_fail(err, SL_INVALID_ARGUMENT,
                           "Cannot add function '%.*s' because a different function with the same name already exists.",
                           SL_STR_ARG(own->name));
    }
    return SL_OK;
}

sl_code sl_graph_body(struct sl_body *out, const struct sl_pb_GraphDef *def, const struct sl_graph *library,
                      struct sl_error *err) {
    const struct sl_import_options options = {.no_inference = true,
                                              .allow_unknown_colocation = true,
                                              .allow_internal_names = true};
    *out = (struct sl_body){0};
    SL_TRY(sl_graph_new(&out->graph, library->registry, err));
    out->graph->outer = library;
    out->graph->evaluator = library->evaluator;
    sl_code code = sl_graph_import(NULL, out->graph, def, &options, err);
    if (code == SL_OK) code = check_functions(out->graph, library, err);
    if (code == SL_OK) code = find_ends(out, err);
    if (code != SL_OK) {
        sl_graph_free(out->graph);
        *out = (struct sl_body){0};
    }
    return code;
}
