/* Gradients of a graph: the first gradients, the walk, what the xs came to. Nothing is left behind when any of it
 * fails. */
#include "grad/graph/backprop.h"

#include "grad/graph/walk.h"

static sl_code check_port(struct sl_graph *graph, struct sl_port port, const char *what, int i, struct sl_error *err) {
    if (!port.node) return sl_fail(err, SL_INVALID_ARGUMENT, "%s %d is no tensor", what, i);
    if (port.node->graph != graph || port.node->is_removed)
        return sl_fail(err, SL_INVALID_ARGUMENT, "%s %d ('%.*s') is not of the graph", what, i,
                       SL_STR_ARG(port.node->name));
    if (port.index < 0 || port.index >= port.node->n_outputs)
        return sl_fail(err, SL_OUT_OF_RANGE, "%s %d: node '%.*s' has no output %d; it has %d", what, i,
                       SL_STR_ARG(port.node->name), port.index, port.node->n_outputs);
    return SL_OK;
}

static sl_code check_spec(struct sl_graph *graph, const struct sl_gradient_spec *spec, struct sl_error *err) {
    for (int i = 0; i < spec->n_ys; i++) {
        SL_TRY(check_port(graph, spec->ys[i], "y", i, err));
        if (!spec->dys || !spec->dys[i].node) continue;
        SL_TRY(check_port(graph, spec->dys[i], "dy", i, err));
        int y = spec->ys[i].node->out_types[spec->ys[i].index], dy = spec->dys[i].node->out_types[spec->dys[i].index];
        if (sl_dtype_base(y) != sl_dtype_base(dy))
            return sl_fail(err, SL_INVALID_ARGUMENT, "The gradient of y %d ('%.*s') is of type %s, y of type %s", i,
                           SL_STR_ARG(spec->ys[i].node->name), sl_dtype_name(sl_dtype_base(dy)),
                           sl_dtype_name(sl_dtype_base(y)));
    }
    for (int i = 0; i < spec->n_xs; i++) SL_TRY(check_port(graph, spec->xs[i], "x", i, err));
    for (int i = 0; i < spec->n_stops; i++) SL_TRY(check_port(graph, spec->stops[i], "stop", i, err));
    return SL_OK;
}

/* The gradient of a y with respect to itself. */
static sl_code give_first(struct sl_walk *w, int i) {
    struct sl_port y = w->spec->ys[i];
    struct sl_term_gradient first = {0};
    if (!sl_walk_wants(w, y)) return SL_OK; /* no x leads to it, or it is of no type that has gradients */
    if (w->spec->dys && w->spec->dys[i].node) {
        first.values = sl_term_of(w->spec->dys[i]);
    } else {
        struct sl_term term = sl_term_of(y);
        SL_TRY(sl_walk_emit(&first.values, w, &w->root, "OnesLike", &term, 1, NULL, 0));
    }
    return sl_walk_give(w, y, first);
}

/* A node from which gradients do not reach an x, and why: an op without a gradient by design, or values of a type that
 * has none. */
static const struct sl_node *find_end(const char **why, const struct sl_walk *w) {
    SL_GRAPH_EACH(node, w->graph) {
        if (node->id >= w->n_forward || !w->reached[node->id]) continue;
        bool takes = false, gives = false;
        for (int i = 0; i < node->n_inputs; i++) takes |= sl_walk_wants(w, node->inputs[i]);
        for (int i = 0; i < node->n_outputs; i++) gives |= sl_is_trainable(node->out_types[i]);
        *why = gives ? "has no gradient by design" : "gives only values of types that have no gradients";
        if (takes && (!gives || sl_op_differentiable(node->op) == SL_GRADIENT_NONE)) return node;
    }
    return NULL;
}

static sl_code fail_unconnected(struct sl_walk *w, int i) {
    struct sl_port x = w->spec->xs[i];
    const char *why = NULL;
    int type = x.node->out_types[x.index];
    if (!sl_is_trainable(type))
        return sl_fail(w->err, SL_INVALID_ARGUMENT,
                       "There is no gradient with respect to '%.*s': it is of type %s; gradients are of floating and "
                       "complex types (cast it before it is used, and ask for the gradient of what was cast)",
                       SL_STR_ARG(x.node->name), sl_dtype_name(sl_dtype_base(type)));
    for (int k = 0; k < w->spec->n_ys; k++) {
        struct sl_port y = w->spec->ys[k];
        if (!sl_is_trainable(y.node->out_types[y.index]) && w->spec->n_ys == 1)
            return sl_fail(
                w->err, SL_INVALID_ARGUMENT,
                "There is no gradient of '%.*s': it is of type %s; gradients are of floating and complex types",
                SL_STR_ARG(y.node->name), sl_dtype_name(sl_dtype_base(y.node->out_types[y.index])));
    }
    const struct sl_node *end = w->reached[x.node->id] ? find_end(&why, w) : NULL;
    if (end)
        return sl_fail(w->err, SL_INVALID_ARGUMENT,
                       "There is no gradient with respect to '%.*s': operation '%.*s' (op type: %.*s) %s; a rule of "
                       "one's own (sl_register_gradient) could give one",
                       SL_STR_ARG(x.node->name), SL_STR_ARG(end->name), SL_STR_ARG(end->op->name), why);
    return sl_fail(w->err, SL_INVALID_ARGUMENT, "There is no gradient with respect to '%.*s': no y depends on it",
                   SL_STR_ARG(x.node->name));
}

static sl_code take_last(struct sl_gradient *out, struct sl_walk *w, int i) {
    struct sl_term_gradient gradient;
    struct sl_port x = w->spec->xs[i];
    w->root.emitter.colocated = w->spec->colocates && w->graph == w->target ? x.node : NULL;
    SL_TRY(sl_walk_sum(&gradient, w, &w->root, x));
    w->root.emitter.colocated = NULL;
    if (!sl_term_is(gradient.values) && w->spec->unconnected == SL_UNCONNECTED_ERROR) return fail_unconnected(w, i);
    if (!sl_term_is(gradient.values) && w->spec->unconnected == SL_UNCONNECTED_ZEROS)
        SL_TRY(sl_walk_zeros(&gradient.values, w, &w->root, sl_term_of(x)));
    if (sl_term_is(gradient.indices) && !w->spec->keeps_slices) {
        struct sl_term dense;
        SL_TRY(sl_walk_dense(&dense, w, &w->root, &gradient));
        gradient = (struct sl_term_gradient){.values = dense};
    }
    *out = (struct sl_gradient){sl_port_of(gradient.values), sl_port_of(gradient.indices),
                                sl_port_of(gradient.dense_shape)};
    return SL_OK;
}

/* Said before anything is built. */
static sl_code check_reached(const struct sl_walk *w) {
    for (int i = 0; i < w->spec->n_xs && w->spec->unconnected == SL_UNCONNECTED_UNREACHABLE; i++)
        if (!w->reached[w->spec->xs[i].node->id])
            return sl_fail(w->err, SL_INVALID_ARGUMENT,
                           "Cannot compute the partial derivative for node '%.*s' as it's unreachable from the output "
                           "node(s).",
                           SL_STR_ARG(w->spec->xs[i].node->name));
    return SL_OK;
}

static sl_code build(struct sl_gradient *dxs, struct sl_walk *w) {
    const struct sl_gradient_spec *spec = w->spec;
    SL_TRY(check_reached(w));
    for (int i = 0; i < spec->n_ys; i++) SL_TRY(give_first(w, i));
    SL_TRY(sl_walk_region(w, &w->root, w->home));
    for (int i = 0; i < spec->n_xs; i++) SL_TRY(take_last(&dxs[i], w, i));
    return SL_OK;
}

sl_code sl_graph_gradients(struct sl_gradient *dxs, struct sl_graph *graph, const struct sl_gradient_spec *spec,
                           struct sl_error *err) {
    SL_TRY(check_spec(graph, spec, err));
    struct sl_walk w;
    struct sl_graph_mark mark = sl_graph_mark(graph);
    const long inferred = graph->inferred_in_bodies;
    sl_code code = sl_walk_init(&w, graph, graph, spec, err);
    if (code == SL_OK) code = build(dxs, &w);
    if (code != SL_OK) sl_graph_roll_back(graph, mark);
    for (struct sl_extended_node *wide = w.extended; wide && code != SL_OK; wide = wide->next)
        sl_graph_restore_node(graph, wide->node, &wide->before);
    SL_GRAPH_EACH(n, graph) n->mark = NULL; /* scopes end here */
    if (!spec->within) graph->inferred_in_bodies = inferred;
    sl_walk_clear(&w);
    return code;
}

/* ---- within a rule */
sl_code sl_node_rule_derive(struct sl_rule *g, struct sl_term *dxs, const struct sl_term *xs, int n_xs,
                            const struct sl_term *ys, const struct sl_term *dys, int n_ys) {
    struct sl_grad_scope *scope = sl_node_rule(g)->scope;
    struct sl_walk *w = scope->walk, inner;
    size_t first = w->target->nodes.n;
    struct sl_port *ports = SL_ARENA_ARRAY(g->arena, struct sl_port, (size_t)n_xs + (size_t)n_ys);
    if (!ports) return sl_fail_memory(g->err, sizeof *ports);
    for (int i = 0; i < n_xs; i++) ports[i] = sl_port_of(xs[i]);
    for (int i = 0; i < n_ys; i++) ports[n_xs + i] = sl_port_of(ys[i]);
    struct sl_gradient_spec spec = {
        .xs = ports, .n_xs = n_xs, .ys = ports + n_xs, .n_ys = n_ys, .scope = w->spec->scope, .is_within_rule = true};
    sl_code code = sl_walk_init(&inner, w->target, w->target, &spec, g->err);
    inner.root.emitter.anchor = scope->emitter.anchor;
    for (int i = 0; i < n_ys && code == SL_OK; i++)
        code = sl_walk_give(&inner, ports[n_xs + i], (struct sl_term_gradient){.values = dys[i]});
    if (code == SL_OK) code = sl_walk_region(&inner, &inner.root, 0);
    for (int i = 0; i < n_xs && code == SL_OK; i++) {
        struct sl_term_gradient gradient;
        code = sl_walk_sum(&gradient, &inner, &inner.root, ports[i]);
        dxs[i] = gradient.values;
        if (code == SL_OK && sl_term_is(gradient.values)) code = sl_walk_dense(&dxs[i], &inner, &inner.root, &gradient);
    }
    for (size_t id = first; id < w->target->nodes.n; id++) w->target->nodes.items[id]->mark = scope;
    sl_walk_clear(&inner);
    return code;
}
