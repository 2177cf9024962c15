/* Gradients of TensorArrays: an array of gradients stands beside each array, known by the scope of the gradient; what
 * was read is written there, adding up, and what was written is read. The gradient of the flow is the flow of that
 * array; reads take it as it came, so that the gradient of a gradient finds the writes behind it. */
#include "grad/words.h"

/* Ops of the three generations have names with "", "V2" or "V3" at the end. */
static const char *generation(const struct sl_rule *g, const char *op) {
    struct sl_str name = g->op->name;
    bool is_numbered = name.n > 2 && name.p[name.n - 2] == 'V';
    const char *full = sl_arena_format(g->arena, "%s%s", op, is_numbered ? name.p + name.n - 2 : "");
    return full ? full : op;
}

/* The array of gradients (and, as output 1, its flow), once the flow is there. */
static struct sl_term gradients(struct sl_rule *g, struct sl_term flow) {
    const struct sl_pb_AttrValue source = {.which = SL_PB_AttrValue_s, .s = g->scope};
    return emit_with(ATTRS({SL_STR("source"), &source}), generation(g, "TensorArrayGrad"), x(0), flow);
}
#define ARRAY(op) generation(g, "TensorArray" op)

GRAD(TensorArrayRead) { /* handle, index, flow */
    if (!wants(2)) return;
    struct sl_term array = gradients(g, x(2));
    WRT(2) = emit(ARRAY("Write"), array, x(1), dy(0), at(array, 1));
}
GRAD(TensorArrayWrite) { /* handle, index, value, flow */
    struct sl_term array = gradients(g, dy(0));
    WRT(2) = emit_with(ATTRS(AS("dtype", "T")), ARRAY("Read"), array, x(1), dy(0));
    WRT(3) = dy(0);
}
GRAD(TensorArrayGather) { /* handle, indices, flow */
    if (!wants(2)) return;
    struct sl_term array = gradients(g, x(2));
    WRT(2) = emit(ARRAY("Scatter"), array, x(1), dy(0), at(array, 1));
}
GRAD(TensorArrayScatter) { /* handle, indices, value, flow */
    struct sl_term array = gradients(g, dy(0));
    WRT(2) = emit_with(ATTRS(AS("dtype", "T")), ARRAY("Gather"), array, x(1), dy(0));
    WRT(3) = dy(0);
}
GRAD(TensorArrayConcat) { /* handle, flow */
    if (!wants(1)) return;
    struct sl_term array = gradients(g, x(1));
    WRT(1) = emit(ARRAY("Split"), array, dy(0), y(1), at(array, 1));
}
GRAD(TensorArraySplit) { /* handle, value, lengths, flow */
    struct sl_term array = gradients(g, dy(0));
    WRT(1) = emit_with(ATTRS(AS("dtype", "T")), ARRAY("Concat"), array, dy(0));
    WRT(3) = dy(0);
}

#define GENERATIONS(op) RULE(op) RULE_OF(op##V2, op) RULE_OF(op##V3, op)
RULES(tensorarray) = {
    /* clang-format off */
    GENERATIONS(TensorArrayRead) GENERATIONS(TensorArrayWrite) GENERATIONS(TensorArrayGather)
    GENERATIONS(TensorArrayScatter) GENERATIONS(TensorArrayConcat) GENERATIONS(TensorArraySplit)
    NO_GRAD(Stack) NO_GRAD(StackClose) NO_GRAD(StackCloseV2) NO_GRAD(StackPop) NO_GRAD(StackPopV2) NO_GRAD(StackPush)
    NO_GRAD(StackPushV2) NO_GRAD(StackV2) NO_GRAD(TensorArray) NO_GRAD(TensorArrayClose) NO_GRAD(TensorArrayCloseV2)
    NO_GRAD(TensorArrayCloseV3) NO_GRAD(TensorArrayGrad) NO_GRAD(TensorArrayGradV2) NO_GRAD(TensorArrayGradV3)
    NO_GRAD(TensorArrayGradWithShape) NO_GRAD(TensorArraySize) NO_GRAD(TensorArraySizeV2) NO_GRAD(TensorArraySizeV3)
    NO_GRAD(TensorArrayV2) NO_GRAD(TensorArrayV3)
    UNDEFINED(TensorArrayPack) UNDEFINED(TensorArrayUnpack)
    RULES_END
    /* clang-format on */
};
