/* All rules: the families of rules.def, each with its rows at the end of <family>_grad.c. */
#include "grad/walk.h"

#define FAMILY(name) extern const struct sl_rule_row sl_##name##_rules[];
#include "grad/rules.def"
#undef FAMILY

#define FAMILY(name) sl_##name##_rules,
static const struct sl_rule_row *const families[] = {
#include "grad/rules.def"
};

void sl_grad_undefined(struct sl_rule *g) { sl_rule_fail(g, SL_NOT_FOUND, "No gradient defined"); }

static enum sl_differentiable kind_of(const struct sl_rule_row *row) {
    if (!row || row->rule == sl_grad_undefined) return SL_GRADIENT_MISSING;
    return row->rule ? SL_GRADIENT_RULE : SL_GRADIENT_NONE;
}

static const struct sl_rule_row *find_row(uint32_t op) {
    for (size_t f = 0; f < sizeof families / sizeof *families; f++)
        for (const struct sl_rule_row *row = families[f]; row->op != SL_ROW_COUNT; row++)
            if (row->op == op) return row;
    return NULL;
}

enum sl_differentiable sl_op_differentiable(const struct sl_op *op) { return kind_of(find_row(op->index)); }

sl_code sl_rules_index(const struct sl_rule_row *const **out, struct sl_arena *arena, struct sl_error *err) {
    const struct sl_rule_row **rows = SL_ARENA_ARRAY(arena, const struct sl_rule_row *, SL_ROW_COUNT);
    if (!rows) return sl_fail_memory(err, SL_ROW_COUNT * sizeof *rows);
    for (size_t f = 0; f < sizeof families / sizeof *families; f++)
        for (const struct sl_rule_row *row = families[f]; row->op != SL_ROW_COUNT; row++) rows[row->op] = row;
    *out = rows;
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
    return kind_of(row);
}
