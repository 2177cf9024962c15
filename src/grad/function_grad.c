/* Gradients of calls: SymbolicGradient of what is called, with the arguments and the gradients of the results. */
#include "grad/walk.h"
#include "grad/words.h"

/* The attrs of a node as those of the function it calls. */
static struct sl_pb_NameAttrList *named_call(struct sl_rule *g, struct sl_str name) {
    struct sl_pb_NameAttrList *named = SL_ARENA_NEW(g->arena, struct sl_pb_NameAttrList);
    struct sl_pb_entry_string_AttrValue *items =
        SL_ARENA_ARRAY(g->arena, struct sl_pb_entry_string_AttrValue, (size_t)g->attrs->n + 1);
    if (!named || !items) {
        sl_rule_fail(g, SL_RESOURCE_EXHAUSTED, "out of memory");
        return NULL;
    }
    named->name = name;
    named->attr.items = items;
    for (int i = 0; i < g->attrs->n; i++) {
        if (g->attrs->items[i].name.n && g->attrs->items[i].name.p[0] == '_') continue;
        items[named->attr.n].key = g->attrs->items[i].name;
        items[named->attr.n++].value = *g->attrs->items[i].value;
    }
    return named;
}

static void call_gradient(struct sl_rule *g, const struct sl_pb_NameAttrList *called) {
    struct sl_term *both = SL_ARENA_ARRAY(g->arena, struct sl_term, (size_t)g->n_x + (size_t)g->n_y + 1);
    int32_t *types = SL_ARENA_ARRAY(g->arena, int32_t, (size_t)g->n_x + 1);
    if (!both || !types) {
        sl_rule_fail(g, SL_RESOURCE_EXHAUSTED, "out of memory");
        return;
    }
    for (int i = 0; i < g->n_x; i++) {
        both[i] = x(i);
        types[i] = dtype(x(i));
        if (types[i] == SL_RESOURCE)
            sl_rule_fail(g, SL_UNIMPLEMENTED, "A gradient with respect to a resource that is passed to a function");
    }
    for (int i = 0; i < g->n_y; i++) both[g->n_x + i] = sl_is_trainable(dtype(y(i))) ? dy(i) : zeros(y(i));
    struct sl_pb_AttrValue_ListValue list = {.type = {types, (size_t)g->n_x}};
    const struct sl_pb_AttrValue results = {.which = SL_PB_AttrValue_list, .list = &list};
    const struct sl_pb_AttrValue f = {.which = SL_PB_AttrValue_func, .func = (struct sl_pb_NameAttrList *)called};
    const struct sl_attr attrs[] = {{SL_STR("f"), &f}, {SL_STR("Tout"), &results}};
    struct sl_term dxs = sl_rule_emit(g, "SymbolicGradient", both, g->n_x + g->n_y, attrs, 2);
    for (int i = 0; i < g->n_x; i++)
        if (sl_is_trainable(types[i])) WRT(i) = at(dxs, i);
}

/* A node whose op is a function. */
void sl_grad_call_by_name(struct sl_rule *g) {
    struct sl_pb_NameAttrList *called = named_call(g, g->op->name);
    if (called) call_gradient(g, called);
}

GRAD(PartitionedCall) {
    const struct sl_pb_NameAttrList *called;
    if (sl_attr_func(&called, g->attrs, "f", g->err) == SL_OK) call_gradient(g, called);
    else sl_rule_fail(g, SL_INVALID_ARGUMENT, "A call without a function");
}

RULES(function) = {
    /* clang-format off */
    RULE(PartitionedCall) RULE_OF(StatefulPartitionedCall, PartitionedCall)
    RULES_END
    /* clang-format on */
};
