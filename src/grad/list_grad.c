/* Gradients of lists: a list's gradient is a list of the elements' gradients. Optionals alike. */
#include "grad/words.h"

/* The dims of a tensor behind the first: the shape of its rows. */
static struct sl_term row_shape(struct sl_rule *g, struct sl_term t) {
    return emit("Slice", shape(t), ints(1), ints(-1));
}
static struct sl_term element_shape(struct sl_rule *g, struct sl_term list) {
    return emit_with(ATTRS(TYPE("shape_type", SL_INT32)), "TensorListElementShape", list);
}
static struct sl_term length(struct sl_rule *g, struct sl_term list) { return emit("TensorListLength", list); }
#define ELEMENT ATTRS(SAME("element_dtype"))

GRAD(TensorListPushBack) {
    if (!wants(0) && !wants(1)) return;
    struct sl_term popped = emit_with(ELEMENT, "TensorListPopBack", dy(0), shape(x(1)));
    WRT(0) = popped;
    WRT(1) = at(popped, 1);
}
GRAD(TensorListPopBack) { WRT(0) = emit("TensorListPushBack", dy(0), dy(1)); }
GRAD(TensorListStack) { WRT(0) = emit("TensorListFromTensor", dy(0), row_shape(g, dy(0))); }
GRAD(TensorListFromTensor) { WRT(0) = emit_with(ELEMENT, "TensorListStack", dy(0), row_shape(g, x(0))); }
GRAD(TensorListGetItem) {
    if (!wants(0)) return;
    struct sl_term empty = emit_with(ELEMENT, "TensorListReserve", element_shape(g, x(0)), length(g, x(0)));
    WRT(0) = emit("TensorListSetItem", empty, x(1), dy(0));
}
GRAD(TensorListSetItem) {
    struct sl_term list = emit("TensorListSetItem", dy(0), x(1), zeros(x(2)));
    bool grows = attr_bool("resize_if_index_out_of_bounds");
    WRT(0) = grows ? emit("TensorListResize", list, length(g, x(0))) : list;
    WRT(2) = emit_with(ELEMENT, "TensorListGetItem", dy(0), x(1), shape(x(2)));
}
GRAD(TensorListResize) { WRT(0) = emit("TensorListResize", dy(0), length(g, x(0))); }
GRAD(TensorListGather) { WRT(0) = emit("TensorListScatterV2", dy(0), x(1), row_shape(g, dy(0)), length(g, x(0))); }
GRAD(TensorListScatter) { WRT(0) = emit_with(ELEMENT, "TensorListGather", dy(0), x(1), row_shape(g, x(0))); }
GRAD(TensorListScatterIntoExistingList) {
    WRT(0) = emit("TensorListScatterIntoExistingList", dy(0), zeros(x(1)), x(2));
    WRT(1) = emit_with(ELEMENT, "TensorListGather", dy(0), x(2), row_shape(g, x(1)));
}
GRAD(TensorListConcat) { WRT(0) = emit("TensorListSplit", dy(0), element_shape(g, x(0)), y(1)); }
GRAD(TensorListSplit) {
    if (!wants(0)) return;
    struct sl_term one = emit("ConcatV2", ints(-1), row_shape(g, x(0)), i32(0));
    WRT(0) = emit_with(ELEMENT, "TensorListConcatV2", dy(0), one, x(2));
}

/* ---- optionals */
GRAD(OptionalFromValue) {
    const struct sl_pb_AttrValue unknown = {.which = SL_PB_AttrValue_list};
    struct sl_pb_TensorShapeProto *shapes = SL_ARENA_ARRAY(g->arena, struct sl_pb_TensorShapeProto, (size_t)g->n_x + 1);
    if (!shapes) {
        sl_rule_fail(g, SL_RESOURCE_EXHAUSTED, "out of memory");
        return;
    }
    for (int i = 0; i < g->n_x; i++) shapes[i].unknown_rank = true;
    struct sl_pb_AttrValue_ListValue list = {.shape = {shapes, (size_t)g->n_x}};
    struct sl_pb_AttrValue value = unknown;
    value.list = &list;
    struct sl_term values = emit_with(ATTRS(AS("output_types", "Toutput_types"), {SL_STR("output_shapes"), &value}),
                                      "OptionalGetValue", dy(0));
    for (int i = 0; i < g->n_x; i++) WRT(i) = at(values, i);
}
GRAD(OptionalGetValue) {
    struct sl_term *all = SL_ARENA_ARRAY(g->arena, struct sl_term, (size_t)g->n_y + 1);
    if (!all) {
        sl_rule_fail(g, SL_RESOURCE_EXHAUSTED, "out of memory");
        return;
    }
    for (int i = 0; i < g->n_y; i++) all[i] = dy(i);
    WRT(0) = emit_list("OptionalFromValue", all, g->n_y);
}

RULES(list) = {
    /* clang-format off */
    RULE(TensorListPushBack) RULE(TensorListPopBack) RULE(TensorListStack) RULE(TensorListFromTensor)
    RULE(TensorListGetItem) RULE(TensorListSetItem) RULE(TensorListResize) RULE(TensorListGather) RULE(TensorListScatter)
    RULE_OF(TensorListScatterV2, TensorListScatter) RULE(TensorListScatterIntoExistingList) RULE(TensorListConcat)
    RULE_OF(TensorListConcatV2, TensorListConcat) RULE(TensorListSplit) RULE(OptionalFromValue) RULE(OptionalGetValue)
    NO_GRAD(EmptyTensorList) NO_GRAD(TensorListConcatLists) NO_GRAD(TensorListElementShape) NO_GRAD(TensorListLength)
    NO_GRAD(TensorListPushBackBatch) NO_GRAD(TensorListReserve)
    UNDEFINED(TensorMapErase) UNDEFINED(TensorMapInsert) UNDEFINED(TensorMapLookup) UNDEFINED(TensorMapStackKeys)
    RULES_END
    /* clang-format on */
};
