/* All rules that need no more than an emitter: the families of rules.def, each with its rows at the end of
 * <family>_grad.c. */
#include "grad/rules.h"

#define FAMILY(name) extern const struct sl_rule_row sl_##name##_rules[];
#include "grad/rules.def"
#undef FAMILY

#define FAMILY(name) sl_##name##_rules,
static const struct sl_rule_row *const families[] = {
#include "grad/rules.def"
};

void sl_grad_undefined(struct sl_rule *g) { sl_rule_fail(g, SL_NOT_FOUND, "No gradient defined"); }

enum sl_differentiable sl_rule_kind(const struct sl_rule_row *row) {
    if (!row || row->rule == sl_grad_undefined) return SL_GRADIENT_MISSING;
    return row->rule ? SL_GRADIENT_RULE : SL_GRADIENT_NONE;
}

const struct sl_rule_row *sl_rule_row_find(uint32_t op) {
    for (size_t f = 0; f < sizeof families / sizeof *families; f++)
        for (const struct sl_rule_row *row = families[f]; row->op != SL_ROW_COUNT; row++)
            if (row->op == op) return row;
    return NULL;
}

sl_code sl_rules_index(const struct sl_rule_row ***out, struct sl_arena *arena, struct sl_error *err) {
    const struct sl_rule_row **rows = SL_ARENA_ARRAY(arena, const struct sl_rule_row *, SL_ROW_COUNT);
    if (!rows) return sl_fail_memory(err, SL_ROW_COUNT * sizeof *rows);
    for (size_t f = 0; f < sizeof families / sizeof *families; f++)
        for (const struct sl_rule_row *row = families[f]; row->op != SL_ROW_COUNT; row++) rows[row->op] = row;
    *out = rows;
    return SL_OK;
}
