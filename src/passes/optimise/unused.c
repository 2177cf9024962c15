/* Removes nodes whose values nothing reads. Nodes with control edges from such a node wait for its inputs instead. For
 * example, TensorFlow's graphs of training steps wait for gradients of what is fed; these are then not computed. Walks
 * from the results backwards, so that a node that only unused nodes read is unused, too. Nodes that check their inputs
 * stay. */
#include "ops/op_effects.h"
#include "passes/optimise/rewrite.h"

/* An Identity of a Switch is how others wait for one side. */
static bool may_go(const struct sl_node *n) {
    if (n->op->index == SL_ROW_Const || sl_op_has(n->op, SL_OP_CHECKS)) return false;
    if (n->op->index == SL_ROW_Identity && n->inputs[0].node &&
        sl_flow_kind_of(n->inputs[0].node->op) == SL_FLOW_SWITCH)
        return false;
    return sl_rewrite_is_pure(n) && n->n_outputs > 0;
}

/* Whether somebody waits for `n` and nobody reads it but nodes that went (by id; NULL: none did). */
static bool is_unused(const struct sl_node *n, const bool *gone) {
    bool is_waited_for = false;
    for (uint32_t u = 0; u < n->uses.n; u++) {
        if (n->uses.items[u].slot < 0) is_waited_for = true;
        else if (!gone || !gone[n->uses.items[u].node->id]) return false;
    }
    return is_waited_for;
}

static sl_code remove_unused(struct sl_rewrite *r, bool *any) {
    struct sl_node **order;
    size_t n = 0;
    SL_TRY(sl_graph_order(&order, &n, r->graph, &r->scratch, r->err));
    bool *gone = SL_ARENA_ARRAY(&r->scratch, bool, r->graph->nodes.n);
    if (!gone) return sl_fail_memory(r->err, r->graph->nodes.n);
    for (size_t i = 0; i < n; i++) sl_rewrite_note(r, order[i]);
    for (size_t i = n; i-- > 0 && r->code == SL_OK;) {
        if (sl_rewrite_is_root(r, order[i]) || !may_go(order[i]) || !is_unused(order[i], gone)) continue;
        gone[order[i]->id] = sl_rewrite_token(r, order[i]);
        *any |= gone[order[i]->id];
    }
    if (r->code == SL_OK) sl_rewrite_remove_doomed(r);
    return r->code;
}

sl_code sl_pass_unused(struct sl_graph *graph, const struct sl_optimise_options *options, struct sl_error *err) {
    bool has_any = false, any = false;
    struct sl_rewrite r;
    if (!(options->toggles & SL_TOGGLE_DEPENDENCY)) return SL_OK;
    SL_GRAPH_EACH(n, graph) has_any = has_any || (is_unused(n, NULL) && may_go(n));
    if (!has_any) return SL_OK;
    sl_code code = sl_rewrite_init(&r, graph, options, err);
    if (code == SL_OK) code = remove_unused(&r, &any);
    sl_rewrite_clear(&r);
    return code == SL_OK && any ? sl_pass_sweep(graph, options, err) : code;
}
