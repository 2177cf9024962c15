/* Branches that never run. When the predicate of a Switch is known, the readers of the live side read its input,
 * and all nodes that depend on the dead side are removed, with their effects, up to the Merges. Nothing is done
 * when there is a loop, a result or a trigger on the dead side, or a Merge that would keep more than one input. */
#include "passes/optimise/rewrites.h"

enum { MOST_DOOMED = 1 << 14 };

struct doom {
    struct sl_rewrite *r;
    struct sl_port dead; /* the output that never comes */
    SL_VEC(struct sl_node *) nodes;
    SL_VEC(struct sl_node *) merges; /* behind; some may be among `nodes` in the end */
    bool failed;
};

static bool is_dead(const struct doom *d, struct sl_port port) {
    return (port.node == d->dead.node && port.index == d->dead.index) || sl_rewrite_is_doomed(d->r, port.node);
}

static int live_inputs(const struct doom *d, const struct sl_node *merge, int *last) {
    int n = 0;
    for (int i = 0; i < merge->n_inputs; i++)
        if (!is_dead(d, merge->inputs[i])) {
            n++;
            *last = i;
        }
    return n;
}

static void doom(struct doom *d, struct sl_node *n) {
    if (sl_rewrite_is_doomed(d->r, n)) return;
    d->failed |= d->nodes.n >= MOST_DOOMED || d->r->n_walked++ >= d->r->most_nodes || sl_vec_push(&d->nodes, n) != 0;
    if (!d->failed) sl_rewrite_set_doomed(d->r, n, true);
}

/* A node that reads or waits for what never comes. */
static void reach(struct doom *d, struct sl_use use) {
    struct sl_node *n = use.node;
    int last;
    if (sl_node_is_arg_or_ret(n) || sl_rewrite_is_kept(d->r, n)) {
        d->failed = true;
        return;
    }
    switch (sl_flow_kind_of(n->op)) {
    case SL_FLOW_NONE:
    case SL_FLOW_SWITCH: doom(d, n); return;
    case SL_FLOW_MERGE:
        if (use.slot < 0 || n->n_controls) d->failed = true;
        else if (live_inputs(d, n, &last) == 0) doom(d, n);
        else d->failed |= sl_vec_push(&d->merges, n) != 0;
        return;
    default: d->failed = true;
    }
}

static void walk(struct doom *d) {
    const struct sl_node *first = d->dead.node;
    for (uint32_t u = 0; u < first->uses.n && !d->failed; u++)
        if (first->uses.items[u].index == d->dead.index) reach(d, first->uses.items[u]);
    for (size_t i = 0; i < d->nodes.n && !d->failed; i++) {
        const struct sl_node *n = d->nodes.items[i];
        for (uint32_t u = 0; u < n->uses.n && !d->failed; u++) reach(d, n->uses.items[u]);
    }
    for (size_t i = 0; i < d->merges.n && !d->failed; i++) {
        int last = 0, n_live = live_inputs(d, d->merges.items[i], &last);
        d->failed = n_live > 1 || d->merges.items[i]->n_outputs != 2;
    }
}

static bool resolve_merges(struct doom *d) {
    for (size_t i = 0; i < d->merges.n; i++) {
        struct sl_node *merge = d->merges.items[i];
        int live = 0;
        if (sl_rewrite_is_doomed(d->r, merge) || live_inputs(d, merge, &live) != 1) continue;
        if (!sl_rewrite_resolve_merge(d->r, merge, live)) return false;
        sl_rewrite_set_doomed(d->r, merge, true);
    }
    return true;
}

bool sl_rule_known_branch(struct sl_rewrite *r, struct sl_node *n) {
    const struct sl_tensor *predicate = sl_rewrite_constant(r, n->inputs[1]);
    if (!predicate || predicate->dtype != SL_BOOL || predicate->rank != 0 || sl_dtype_is_ref(n->out_types[0]))
        return false;
    for (uint32_t u = 0; u < n->uses.n; u++)
        if (n->uses.items[u].slot < 0) return false;
    int live = *(const bool *)predicate->data;
    struct doom d = {.r = r, .dead = {n, 1 - live}};
    walk(&d);
    bool done = !d.failed && resolve_merges(&d);
    for (size_t i = 0; i < d.nodes.n && !done; i++) sl_rewrite_set_doomed(r, d.nodes.items[i], false);
    sl_vec_free(&d.nodes);
    sl_vec_free(&d.merges);
    if (!done) return false;
    sl_rewrite_replace_output(r, n, live, n->inputs[0]); /* when it cannot be, the Switch stays for its live side */
    return true;
}
