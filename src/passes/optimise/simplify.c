/* The loop over the nodes: every node once, producers first, then the nodes whose inputs have changed since. A
 * node that was replaced is not visited again. Visits of a node and the growth of the graph are bounded, so this
 * ends, and takes time linear in the graph. */
#include "passes/optimise/fold.h"
#include "passes/optimise/rewrites.h"

struct row {
    uint32_t op;
    unsigned toggle;
    sl_rewrite_rule *rule;
};

static const struct row rows[] = {
#define RULE(op, function, toggle) {SL_ROW_##op, SL_TOGGLE_##toggle, sl_rule_##function},
#include "passes/optimise/rewrites.def"
#undef RULE
};
enum { N_ROWS = sizeof rows / sizeof *rows };

struct simplification {
    struct sl_rewrite rewrite;
    uint16_t first[SL_ROW_COUNT]; /* of an op: its first row + 1; 0: none */
    uint16_t next[N_ROWS];
};

static void index_rows(struct simplification *s) {
    for (size_t i = N_ROWS; i-- > 0;) {
        s->next[i] = s->first[rows[i].op];
        s->first[rows[i].op] = (uint16_t)(i + 1);
    }
}

static void visit(struct simplification *s, struct sl_node *n) {
    struct sl_rewrite *r = &s->rewrite;
    if (!sl_rewrite_visit(r, n) || !n->uses.n || n->op->index >= SL_ROW_COUNT) return;
    if (r->graph->nodes.n > r->most_nodes) return;
    r->first_fresh = (uint32_t)r->graph->nodes.n;
    if ((r->options->toggles & SL_TOGGLE_CONSTANT_FOLDING) && sl_fold_node(r, n)) return;
    for (uint16_t i = s->first[n->op->index]; i && r->code == SL_OK; i = s->next[i - 1]) {
        r->first_fresh = (uint32_t)r->graph->nodes.n;
        if ((r->options->toggles & rows[i - 1].toggle) && rows[i - 1].rule(r, n)) return;
    }
}

static sl_code simplify_nodes(struct simplification *s) {
    struct sl_rewrite *r = &s->rewrite;
    struct sl_node **order, *n;
    size_t count = 0;
    uint32_t first_new = (uint32_t)r->graph->nodes.n;
    SL_TRY(sl_graph_order(&order, &count, r->graph, &r->scratch, r->err));
    for (size_t i = 0; i < count; i++) sl_rewrite_note(r, order[i]);
    for (size_t i = 0; i < count && r->code == SL_OK; i++) {
        visit(s, order[i]);
        while (r->code == SL_OK && (n = sl_rewrite_next(r, first_new))) visit(s, n);
    }
    while (r->code == SL_OK && (n = sl_rewrite_next(r, 0))) visit(s, n);
    sl_rewrite_remove_doomed(r);
    return r->code;
}

sl_code sl_pass_simplify(struct sl_graph *graph, const struct sl_optimise_options *options, struct sl_error *err) {
    unsigned rules =
        SL_TOGGLE_CONSTANT_FOLDING | SL_TOGGLE_ARITHMETIC | SL_TOGGLE_SHAPE | SL_TOGGLE_DEPENDENCY | SL_TOGGLE_LOOP;
    if (!(options->toggles & rules)) return SL_OK;
    struct simplification *s = sl_calloc(1, sizeof *s);
    if (!s) return sl_fail_memory(err, sizeof *s);
    index_rows(s);
    sl_code code = sl_rewrite_init(&s->rewrite, graph, options, err);
    if (code == SL_OK) code = simplify_nodes(s);
    sl_rewrite_clear(&s->rewrite);
    sl_free(s);
    return code;
}
