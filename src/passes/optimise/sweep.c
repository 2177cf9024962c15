/* Removes all nodes but those that results, targets and nodes with effects need. All effects in the graph count: a rule
 * that finds that a branch never runs must remove the effects of the branch. */
#include "base/vec.h"
#include "passes/optimise/optimise.h"

struct sweep {
    bool *keep; /* by id */
    SL_VEC(struct sl_node *) pending;
    size_t n_kept;
    bool failed;
};

static void keep_node(struct sweep *s, struct sl_node *n) {
    if (s->keep[n->id]) return;
    s->keep[n->id] = true;
    s->n_kept++;
    if (sl_vec_push(&s->pending, n)) s->failed = true;
}

/* Replaced nodes read their inputs still, but nobody reads them: a node is a root by what it is or because the
 * caller says so. */
static bool is_root(const struct sl_node *n) { return sl_op_is_stateful(n->op) || sl_node_is_arg_or_ret(n); }

sl_code sl_pass_sweep(struct sl_graph *graph, const struct sl_optimise_options *options, struct sl_error *err) {
    struct sweep s = {.keep = sl_calloc(graph->nodes.n + 1, sizeof(bool))};
    if (!s.keep) return sl_fail_memory(err, graph->nodes.n);
    SL_GRAPH_EACH(n, graph) if (is_root(n)) keep_node(&s, n);
    for (int i = 0; i < options->n_keep; i++) keep_node(&s, options->keep[i]);
    while (s.pending.n && !s.failed) {
        const struct sl_node *n = s.pending.items[--s.pending.n];
        for (int i = 0; i < n->n_inputs; i++)
            if (n->inputs[i].node) keep_node(&s, n->inputs[i].node);
        for (int i = 0; i < n->n_controls; i++) keep_node(&s, n->controls[i]);
    }
    if (!s.failed && s.n_kept < graph->live) sl_graph_keep(graph, s.keep);
    sl_vec_free(&s.pending);
    sl_free(s.keep);
    return s.failed ? sl_fail_memory(err, graph->nodes.n) : SL_OK;
}
