/* Rules as they are applied to the nodes of a graph: what the walk answers them, and the rows that only nodes have
 * beside those of grad/rules.def. */
#include "grad/graph/loop_gradient.h"
#include "grad/graph/walk.h"

#define FAMILY(name) extern const struct sl_rule_row sl_##name##_rules[];
#include "grad/graph/node_rules.def"
#undef FAMILY

#define FAMILY(name) sl_##name##_rules,
static const struct sl_rule_row *const families[] = {
#include "grad/graph/node_rules.def"
};

/* ---- what the walk answers */
static struct sl_emitter *emitter_of(struct sl_rule *g, struct sl_term t) {
    struct sl_node_rule *rule = sl_node_rule(g);
    struct sl_grad_scope *home = sl_loop_home(rule->walk, rule->scope, t);
    return home ? &home->emitter.base : NULL;
}

static void name(const struct sl_rule *g, struct sl_error *err) {
    const struct sl_node *node = ((const struct sl_node_rule *)g)->node;
    sl_error_append(err, "'%.*s' (op type: %.*s)", SL_STR_ARG(node->name), SL_STR_ARG(node->op->name));
}

struct sl_node_rule sl_words_in(struct sl_grad_scope *scope) {
    static const struct sl_rule_home home = {emitter_of, sl_node_rule_derive, name};
    struct sl_walk *w = scope->walk;
    return (struct sl_node_rule){.base = {.emitter = &scope->emitter.base,
                                          .home = &home,
                                          .comes_from_far = w->has_loops || w->capture,
                                          .scope = w->spec->scope,
                                          .arena = &w->arena,
                                          .err = w->err},
                                 .walk = w,
                                 .scope = scope};
}

/* ---- finding rules */
enum sl_differentiable sl_op_differentiable(const struct sl_op *op) {
    for (size_t f = 0; f < sizeof families / sizeof *families; f++)
        for (const struct sl_rule_row *row = families[f]; row->op != SL_ROW_COUNT; row++)
            if (row->op == op->index) return sl_rule_kind(row);
    return sl_rule_kind(sl_rule_row_find(op->index));
}

sl_code sl_node_rules_index(const struct sl_rule_row ***out, struct sl_arena *arena, struct sl_error *err) {
    SL_TRY(sl_rules_index(out, arena, err));
    for (size_t f = 0; f < sizeof families / sizeof *families; f++)
        for (const struct sl_rule_row *row = families[f]; row->op != SL_ROW_COUNT; row++) (*out)[row->op] = row;
    return SL_OK;
}

enum sl_differentiable sl_rule_find(sl_rule_function **out, const struct sl_walk *w, struct sl_str name) {
    const struct sl_op *op;
    if (sl_graph_find_op(&op, w->graph, name, NULL) != SL_OK) return SL_GRADIENT_MISSING;
    const struct sl_rule_row *row = op->index < SL_ROW_COUNT ? w->rules[op->index] : NULL;
    if (!row && sl_graph_function(w->graph, name)) {
        *out = sl_grad_call_by_name;
        return SL_GRADIENT_RULE;
    }
    if (row) *out = row->rule;
    return sl_rule_kind(row);
}
