/* Pruning: a reverse walk from fetches and targets that stops at feeds. Iterative, so that chains may be of any
 * length. */
#include "passes/prune.h"

#include <inttypes.h>

#include "kernel/kernel.h"
#include "ops/op_effects.h"
#include "ops/op_row.h"

struct prune {
    const struct sl_prune_request *request;
    struct sl_graph *graph;
    struct sl_node **originals; /* by id in the client's graph: the nodes that are wanted */
    struct sl_node **copies;    /* by the same id */
    struct sl_node **feed_of;   /* by feed */
    int32_t *first_feed;        /* by id: index of a feed of this node + 1; others follow in `next_feed` */
    int32_t *next_feed;
    SL_VEC(struct sl_node *) pending;
    struct sl_error *err;
};

static sl_code check_port(const struct sl_prune_request *r, struct sl_port p, const char *what, struct sl_error *err) {
    if (!p.node || p.node->id >= r->n_nodes)
        return sl_fail(err, SL_NOT_FOUND, "%s is not part of the session's graph", what);
    if (p.node->n_outputs == 0)
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "Tried to fetch data for '%.*s:%d', which has no output. To run to a node but not fetch any "
                       "data, pass '%.*s' as a target",
                       SL_STR_ARG(p.node->name), p.index, SL_STR_ARG(p.node->name));
    if (p.index < 0 || p.index >= p.node->n_outputs)
        return sl_fail(err, SL_INVALID_ARGUMENT, "%s %.*s:%d: output index is out of range, the node has %d outputs",
                       what, SL_STR_ARG(p.node->name), p.index, p.node->n_outputs);
    return SL_OK;
}

static int find_feed(const struct prune *p, struct sl_port port) {
    for (int f = p->first_feed[port.node->id]; f; f = p->next_feed[f - 1])
        if (p->request->feeds[f - 1].index == port.index) return f - 1;
    return -1;
}

static sl_code check_request(struct prune *p) {
    const struct sl_prune_request *r = p->request;
    if (!r->n_fetches && !r->n_targets)
        return sl_fail(p->err, SL_INVALID_ARGUMENT, "Must specify at least one target to fetch or execute.");
    for (int f = 0; f < r->n_feeds; f++) {
        struct sl_port feed = r->feeds[f];
        SL_TRY(check_port(r, feed, "feed", p->err));
        if (find_feed(p, feed) >= 0)
            return sl_fail(p->err, SL_INVALID_ARGUMENT, "Endpoint \"%.*s:%d\" fed more than once.",
                           SL_STR_ARG(feed.node->name), feed.index);
        p->next_feed[f] = p->first_feed[feed.node->id];
        p->first_feed[feed.node->id] = f + 1;
    }
    for (int f = 0; f < r->n_fetches; f++) {
        struct sl_port fetch = r->fetches[f];
        SL_TRY(check_port(r, fetch, "fetch", p->err));
        if (find_feed(p, fetch) >= 0)
            return sl_fail(p->err, SL_INVALID_ARGUMENT, "Tensor %.*s:%d is both fed and fetched.",
                           SL_STR_ARG(fetch.node->name), fetch.index);
    }
    for (int t = 0; t < r->n_targets; t++)
        if (!r->targets[t] || r->targets[t]->id >= r->n_nodes)
            return sl_fail(p->err, SL_NOT_FOUND, "target is not part of the session's graph");
    return SL_OK;
}

/* A control edge from a fed placeholder is one from its feed. */
static bool is_fed_placeholder(const struct prune *p, const struct sl_node *n) {
    return p->first_feed[n->id] && sl_op_has(n->op, SL_OP_FED);
}

static sl_code want(struct prune *p, struct sl_node *n) {
    if (n->id >= p->request->n_nodes)
        return sl_fail(p->err, SL_INTERNAL, "an input of the graph is newer than the session");
    if (p->originals[n->id]) return SL_OK;
    p->originals[n->id] = n;
    return sl_vec_push(&p->pending, n) ? sl_fail_memory(p->err, sizeof n) : SL_OK;
}

static sl_code walk(struct prune *p) {
    for (int f = 0; f < p->request->n_fetches; f++) SL_TRY(want(p, p->request->fetches[f].node));
    for (int t = 0; t < p->request->n_targets; t++)
        if (!is_fed_placeholder(p, p->request->targets[t])) SL_TRY(want(p, p->request->targets[t]));
    while (p->pending.n) {
        const struct sl_node *n = p->pending.items[--p->pending.n];
        for (int i = 0; i < n->n_inputs; i++)
            if (find_feed(p, n->inputs[i]) < 0) SL_TRY(want(p, n->inputs[i].node));
        for (int i = 0; i < n->n_controls; i++)
            if (!is_fed_placeholder(p, n->controls[i])) SL_TRY(want(p, n->controls[i]));
    }
    return SL_OK;
}

/* `_Arg` or `_Retval`: attrs T and index. */
static sl_code add_arg_or_ret(struct sl_node **out, struct prune *p, const char *op_name, int dtype, int index,
                              bool is_arg, struct sl_port of, const struct sl_port *input) {
    struct sl_arena *arena = &p->graph->arena;
    const struct sl_attr attrs[] = {sl_attr_new_type(arena, SL_STR("T"), dtype),
                                    sl_attr_new(arena, SL_STR("index"), SL_ATTR_VALUE(i, index))};
    char *name = p->request->is_served ? sl_arena_format(arena, "%s_%.*s_%d", is_arg ? "_recv" : "_send",
                                                         SL_STR_ARG(of.node->name), of.index)
                                       : sl_arena_format(arena, "%s_%.*s_%d_%d", is_arg ? "_arg" : "_retval",
                                                         SL_STR_ARG(of.node->name), of.index, index);
    const struct sl_op *op;
    if (!name) return sl_fail_memory(p->err, of.node->name.n);
    SL_TRY(sl_op_find(&op, p->graph->registry, sl_str_of(op_name), p->err));
    struct sl_node_spec spec = {.name = sl_graph_unique_name(p->graph, sl_str_of(name)),
                                .op = op,
                                .attrs = {attrs, 2},
                                .inputs = input,
                                .n_inputs = input != NULL};
    SL_TRY(sl_graph_add_trusted(out, p->graph, &spec, p->err));
    if (!input) (*out)->shapes[0] = of.node->shapes[of.index];
    return SL_OK;
}

static struct sl_port copied_port(const struct prune *p, struct sl_port from) {
    int feed = find_feed(p, from);
    if (feed >= 0) return (struct sl_port){p->feed_of[feed], 0};
    return (struct sl_port){p->copies[from.node->id], from.index};
}

/* Arguments and results belong to functions; those of a run are the feeds and fetches. */
static sl_code check_arg_or_ret(struct prune *p, const struct sl_node *n) {
    bool is_arg = n->op->index == SL_ROW__Arg;
    int limit = is_arg ? p->request->n_feeds : p->request->n_fetches;
    int64_t index;
    if (!is_arg && n->op->index != SL_ROW__Retval) return SL_OK;
    SL_TRY(sl_attr_int(&index, &n->attrs, "index", p->err));
    if (index < 0 || index >= limit)
        sl_fail(p->err, SL_INVALID_ARGUMENT, "%s %" PRId64 " is not within [0, %d)", is_arg ? "GetArg" : "SetRetval",
                index, limit);
    else sl_fail(p->err, SL_INVALID_ARGUMENT, "%s stands outside of a function", is_arg ? "_Arg" : "_Retval");
    sl_error_name_node(p->err, n->name);
    return SL_INVALID_ARGUMENT;
}

static sl_code map_edge(struct sl_port *port, void *arg, const struct sl_node *n, int slot) {
    const struct prune *p = arg;
    (void)n;
    if (slot >= 0) *port = copied_port(p, *port);
    else if (is_fed_placeholder(p, port->node)) port->node = p->feed_of[p->first_feed[port->node->id] - 1];
    else port->node = p->copies[port->node->id];
    return SL_OK;
}

static sl_code copy_all(struct prune *p) {
    const struct sl_prune_request *r = p->request;
    size_t n = (size_t)r->n_feeds + (size_t)r->n_fetches;
    for (size_t id = 0; id < r->n_nodes; id++) n += p->originals[id] != NULL;
    SL_TRY(sl_graph_reserve(p->graph, n, n, p->err));
    for (int f = 0; f < r->n_feeds; f++) {
        struct sl_port feed = r->feeds[f];
        SL_TRY(add_arg_or_ret(&p->feed_of[f], p, "_Arg", feed.node->out_types[feed.index], f, true, feed, NULL));
    }
    for (size_t id = 0; id < r->n_nodes; id++) {
        const struct sl_node *original = p->originals[id];
        if (!original) continue;
        SL_TRY(check_arg_or_ret(p, original));
        SL_TRY(sl_graph_copy_node(&p->copies[id], p->graph, original, original->name, original->device, p->err));
    }
    for (size_t id = 0; id < r->n_nodes; id++)
        if (p->originals[id]) SL_TRY(sl_graph_copy_edges(p->copies[id], p->originals[id], map_edge, p, p->err));
    for (int f = 0; f < r->n_fetches; f++) {
        struct sl_port fetch = r->fetches[f], from = copied_port(p, fetch);
        struct sl_node *ret;
        SL_TRY(add_arg_or_ret(&ret, p, "_Retval", fetch.node->out_types[fetch.index], f, false, fetch, &from));
    }
    return SL_OK;
}

sl_code sl_pass_prune(struct sl_graph **out, const struct sl_prune_request *request, struct sl_op_registry *registry,
                      struct sl_error *err) {
    struct sl_arena scratch;
    sl_arena_init(&scratch);
    struct prune p = {.request = request, .err = err};
    size_t n = request->n_nodes;
    p.copies = SL_ARENA_ARRAY(&scratch, struct sl_node *, n + 1);
    p.originals = SL_ARENA_ARRAY(&scratch, struct sl_node *, n + 1);
    p.first_feed = SL_ARENA_ARRAY(&scratch, int32_t, n + 1);
    p.next_feed = SL_ARENA_ARRAY(&scratch, int32_t, (size_t)request->n_feeds + 1);
    p.feed_of = SL_ARENA_ARRAY(&scratch, struct sl_node *, (size_t)request->n_feeds + 1);
    sl_code code = p.copies && p.originals && p.first_feed && p.next_feed && p.feed_of ? SL_OK : sl_fail_memory(err, n);
    if (code == SL_OK) code = check_request(&p);
    if (code == SL_OK) code = sl_graph_new(&p.graph, registry, err);
    if (code == SL_OK) code = walk(&p);
    if (code == SL_OK) code = copy_all(&p);
    sl_vec_free(&p.pending);
    sl_arena_clear(&scratch);
    if (code != SL_OK) {
        sl_graph_free(p.graph);
        return code;
    }
    *out = p.graph;
    return SL_OK;
}

struct body_walk {
    bool *keep; /* by id */
    SL_VEC(struct sl_node *) pending;
    bool failed;
};

static void keep_node(struct body_walk *w, struct sl_node *n) {
    if (w->keep[n->id]) return;
    w->keep[n->id] = true;
    if (sl_vec_push(&w->pending, n)) w->failed = true;
}

sl_code sl_pass_needed_in_body(bool *keep, const struct sl_body *body, bool keeps_effects, const bool *unread,
                               struct sl_error *err) {
    struct body_walk w = {.keep = keep};
    for (int i = 0; unread && i < body->n_rets; i++)
        if (unread[i]) keep[body->rets[i]->id] = true; /* and the walk does not start there */
    SL_GRAPH_EACH(n, body->graph)
    if ((keeps_effects && sl_op_is_stateful(n->op)) || sl_node_is_arg_or_ret(n)) keep_node(&w, n);
    for (int i = 0; i < body->n_controls; i++) keep_node(&w, body->controls[i]);
    while (w.pending.n && !w.failed) {
        const struct sl_node *n = w.pending.items[--w.pending.n];
        for (int i = 0; i < n->n_inputs; i++) keep_node(&w, n->inputs[i].node);
        for (int i = 0; i < n->n_controls; i++) keep_node(&w, n->controls[i]);
    }
    sl_vec_free(&w.pending);
    return w.failed ? sl_fail_memory(err, body->graph->nodes.n) : SL_OK;
}

sl_code sl_pass_prune_body(struct sl_body *body, struct sl_error *err) {
    bool *keep = sl_calloc(body->graph->nodes.n + 1, sizeof *keep);
    if (!keep) return sl_fail_memory(err, body->graph->nodes.n);
    sl_code code = sl_pass_needed_in_body(keep, body, true, NULL, err);
    if (code == SL_OK) sl_graph_keep(body->graph, keep);
    sl_free(keep);
    return code;
}
