/* Making and undoing connections. Taking back allocates nothing, since the lists of uses keep their room. */
#include "dist/callable_connections.h"

#include "graph/tensor_name.h"

struct sl_moved_input {
    struct sl_node *node;
    int slot;
    struct sl_port before;
};

struct making {
    struct sl_connections *out;
    const struct sl_master_signature *of;
    struct sl_arena *arena;
    struct sl_error *err;
};

static bool find_port(struct sl_port *out, const struct sl_graph *graph, struct sl_str text) {
    const struct sl_tensor_name name = sl_tensor_name_of(text);
    *out = (struct sl_port){sl_graph_find(graph, name.node), name.index};
    return out->node && out->index >= 0 && out->index < out->node->n_outputs;
}

/* Whether one of the names is this tensor's. */
static bool is_named(const struct sl_graph *graph, struct sl_port port, const struct sl_str *names, size_t n) {
    struct sl_port other;
    for (size_t i = 0; i < n; i++)
        if (find_port(&other, graph, names[i]) && other.node == port.node && other.index == port.index) return true;
    return false;
}

static sl_code check_free(const struct making *m, struct sl_port to, size_t of) {
    const struct sl_master_signature *s = m->of;
    const struct sl_graph *graph = m->out->graph;
    bool is_taken = is_named(graph, to, s->feeds, s->n_feeds);
    for (size_t i = 0; i < of; i++) is_taken = is_taken || is_named(graph, to, &s->connections[i].to_tensor, 1);
    if (is_taken)
        return sl_fail(m->err, SL_INVALID_ARGUMENT, "Endpoint \"%.*s:%d\" fed more than once.",
                       SL_STR_ARG(to.node->name), to.index);
    if (is_named(graph, to, s->fetches, s->n_fetches))
        return sl_fail(m->err, SL_INVALID_ARGUMENT, "%.*s:%d is both fed and fetched.", SL_STR_ARG(to.node->name),
                       to.index);
    return SL_OK;
}

static bool reads(const struct sl_node *node, struct sl_port port) {
    for (int i = 0; i < node->n_inputs; i++)
        if (node->inputs[i].node == port.node && node->inputs[i].index == port.index) return true;
    return false;
}

/* Whether what makes `from` reads `to`. What is fed needs no maker. */
static sl_code check_order(const struct making *m, struct sl_port from, struct sl_port to) {
    const struct sl_graph *graph = m->out->graph;
    const size_t n = graph->nodes.n;
    bool *seen = SL_ARENA_ARRAY(m->arena, bool, n + 1), is_cycle = false;
    const struct sl_node **pending = SL_ARENA_ARRAY(m->arena, const struct sl_node *, n + 1);
    size_t n_pending = 0;
    if (!seen || !pending) return sl_fail_memory(m->err, n * sizeof *pending);
    if (!is_named(graph, from, m->of->feeds, m->of->n_feeds)) pending[n_pending++] = from.node;
    seen[from.node->id] = true;
    while (n_pending && !is_cycle) {
        const struct sl_node *node = pending[--n_pending];
        is_cycle = reads(node, to);
        for (int i = 0; i < node->n_inputs + node->n_controls; i++) {
            const struct sl_port in =
                i < node->n_inputs ? node->inputs[i] : (struct sl_port){node->controls[i - node->n_inputs], -1};
            if (!in.node || seen[in.node->id]) continue;
            if (in.index >= 0 && is_named(graph, in, m->of->feeds, m->of->n_feeds)) continue;
            seen[in.node->id] = true;
            pending[n_pending++] = in.node;
        }
    }
    if (!is_cycle) return SL_OK;
    return sl_fail(m->err, SL_INVALID_ARGUMENT,
                   "Requested Tensor connection between nodes \"%.*s\" and \"%.*s\" would create a cycle.",
                   SL_STR_ARG(to.node->name), SL_STR_ARG(from.node->name));
}

/* Room for all that read it, and for what has been moved. */
static sl_code reserve(struct making *m, const struct sl_node *node) {
    struct sl_connections *c = m->out;
    struct sl_moved_input *more = SL_ARENA_ARRAY(m->arena, struct sl_moved_input, c->n + node->uses.n + 1);
    if (!more) return sl_fail_memory(m->err, (c->n + node->uses.n) * sizeof *more);
    if (c->n) memcpy(more, c->moved, c->n * sizeof *more);
    c->moved = more;
    return SL_OK;
}

static sl_code move_readers(struct making *m, struct sl_port from, struct sl_port to) {
    struct sl_connections *c = m->out;
    SL_TRY(reserve(m, to.node));
    for (uint32_t i = to.node->uses.n; i-- > 0;) {
        const struct sl_use use = to.node->uses.items[i];
        if (use.slot < 0 || use.index != to.index) continue;
        SL_TRY(sl_graph_set_input(c->graph, use.node, use.slot, from, m->err));
        c->moved[c->n++] = (struct sl_moved_input){use.node, use.slot, to};
    }
    return SL_OK;
}

static sl_code connect(struct making *m, size_t i) {
    const struct sl_pb_TensorConnection *connection = &m->of->connections[i];
    struct sl_port from, to;
    if (!find_port(&to, m->out->graph, connection->to_tensor))
        return sl_fail(m->err, SL_NOT_FOUND, "FeedInputs: unable to find feed output %.*s",
                       SL_STR_ARG(connection->to_tensor));
    if (!find_port(&from, m->out->graph, connection->from_tensor))
        return sl_fail(m->err, SL_INVALID_ARGUMENT, "Requested tensor connection from unknown node: \"%.*s\".",
                       SL_STR_ARG(connection->to_tensor));
    SL_TRY(check_free(m, to, i));
    SL_TRY(check_order(m, from, to));
    return move_readers(m, from, to);
}

sl_code sl_connections_make(struct sl_connections *out, struct sl_graph *graph, const struct sl_master_signature *of,
                            struct sl_arena *arena, struct sl_error *err) {
    struct making m = {.out = out, .of = of, .arena = arena, .err = err};
    sl_code code = SL_OK;
    *out = (struct sl_connections){.graph = graph};
    for (size_t i = 0; i < of->n_connections && code == SL_OK; i++) code = connect(&m, i);
    if (code != SL_OK) sl_connections_undo(out);
    return code;
}

void sl_connections_undo(struct sl_connections *c) {
    while (c->n) {
        const struct sl_moved_input *moved = &c->moved[--c->n];
        (void)sl_graph_set_input(c->graph, moved->node, moved->slot, moved->before, NULL);
    }
}
