/* Gradients of conditionals: a Merge's gradient goes to the side that was taken, a Switch's comes from there. The
 * gradient of a value lives exactly when the value does, so what a branch did not use gets zeros on that branch alone.
 */
#include "grad/graph/guards.h"
#include "grad/words.h"

/* Zeros for a value that may be a resource: those of what it holds. */
static struct sl_term zeros_for(struct sl_rule *g, struct sl_term t, struct sl_term other) {
    if (dtype(t) != SL_RESOURCE) return zeros(t);
    return emit("Fill", emit_with(ATTRS(TYPE("out_type", SL_INT32)), "VariableShape", t), num(other, 0));
}

GRAD(Merge) {
    struct sl_port predicate = {NULL, 0};
    bool first_side = false;
    if (g->n_x > 2) {
        const struct sl_pb_AttrValue n = {.which = SL_PB_AttrValue_i, .i = g->n_x};
        struct sl_term sides = emit_with(ATTRS({SL_STR("num_outs"), &n}), "_SwitchN", dy(0), y(1));
        for (int i = 0; i < g->n_x; i++) WRT(i) = at(sides, i);
        return;
    }
    if (g->n_x == 1) {
        WRT(0) = dy(0);
        return;
    }
    struct sl_node_rule *rule = sl_node_rule(g);
    if (g->code == SL_OK) g->code = sl_guard_of_merge(&predicate, &first_side, rule->walk, rule->node);
    struct sl_term taken = predicate.node ? sl_term_of(predicate) : cast(y(1), SL_BOOL);
    struct sl_term sides = emit("Switch", dy(0), taken);
    WRT(0) = at(sides, predicate.node && first_side ? 1 : 0);
    WRT(1) = at(sides, predicate.node && first_side ? 0 : 1);
}

GRAD(Switch) {
    if (!wants(0)) return;
    struct sl_term sides[2];
    struct sl_term one = has_dy(0) ? dy(0) : dy(1);
    for (int i = 0; i < 2; i++) sides[i] = has_dy(i) ? dy(i) : at(emit("Switch", zeros_for(g, x(0), one), x(1)), i);
    WRT(0) = emit("Merge", sides[0], sides[1]);
}

/* Nodes of a loop, outside of any. */
GRAD(Exit) { sl_rule_fail(g, SL_INVALID_ARGUMENT, "A node of a loop without a frame"); }

RULES(control) = {
    /* clang-format off */
    RULE(Merge) RULE_OF(RefMerge, Merge) RULE(Switch) RULE_OF(RefSwitch, Switch) RULE(Exit) RULE_OF(Enter, Exit)
    RULE_OF(NextIteration, Exit) RULE_OF(RefExit, Exit) RULE_OF(RefEnter, Exit) RULE_OF(RefNextIteration, Exit)
    NO_GRAD(ControlTrigger) NO_GRAD(LoopCond) NO_GRAD(NoOp)
    UNDEFINED(RefSelect) UNDEFINED(_SwitchN)
    RULES_END
    /* clang-format on */
};
