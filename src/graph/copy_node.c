/* Copies of nodes: what was checked when the node was made is not checked again. Callers: the passes that make a
 * graph of parts of another (prune, lower, partition). */
#include "graph/node_store.h"

/* The items are the copy's own, since a set of attrs may be exchanged; names and values stay where they are. */
static sl_code copy_attrs(struct sl_attrs *out, struct sl_arena *arena, const struct sl_attrs *from,
                          struct sl_error *err) {
    *out = (struct sl_attrs){NULL, from->n};
    if (!from->n) return SL_OK;
    struct sl_attr *items = sl_arena_alloc(arena, (size_t)from->n * sizeof *items);
    if (!items) return sl_fail_memory(err, (size_t)from->n * sizeof *items);
    memcpy(items, from->items, (size_t)from->n * sizeof *items);
    out->items = items;
    return SL_OK;
}

sl_code sl_graph_copy_node(struct sl_node **out, struct sl_graph *graph, const struct sl_node *n, struct sl_str name,
                           struct sl_str device, struct sl_error *err) {
    struct sl_node_parts parts = {.name = sl_arena_str(&graph->arena, name),
                                  .device = sl_arena_str(&graph->arena, device),
                                  .op = n->op,
                                  .in_types = n->in_types,
                                  .out_types = n->out_types,
                                  .n_inputs = n->n_inputs,
                                  .n_outputs = n->n_outputs,
                                  .n_controls = n->n_controls};
    if (!name.p || !parts.name.p || !parts.device.p) return sl_fail_memory(err, name.n + device.n);
    if (sl_graph_find(graph, name))
        return sl_fail(err, SL_INVALID_ARGUMENT, "Duplicate node name in graph: '%.*s'", SL_STR_ARG(name));
    SL_TRY(copy_attrs(&parts.attrs, &graph->arena, &n->attrs, err));
    SL_TRY(sl_node_make(out, graph, &parts, err));
    for (int o = 0; o < n->n_outputs; o++) (*out)->shapes[o] = n->shapes[o];
    (*out)->assigned = n->assigned;
    return SL_OK;
}

sl_code sl_graph_copy_edges(struct sl_node *copy, const struct sl_node *n,
                            sl_code (*map)(struct sl_port *port, void *arg, const struct sl_node *n, int slot),
                            void *arg, struct sl_error *err) {
    for (int i = 0; i < n->n_inputs; i++) {
        struct sl_port from = n->inputs[i];
        if (map) SL_TRY(map(&from, arg, n, i));
        SL_TRY(sl_graph_set_input(copy->graph, copy, i, from, err));
    }
    for (int i = 0; i < n->n_controls; i++) {
        struct sl_port from = {n->controls[i], -1};
        if (map) SL_TRY(map(&from, arg, n, -1));
        SL_TRY(sl_graph_add_control(copy->graph, from.node, copy, err));
    }
    return SL_OK;
}
