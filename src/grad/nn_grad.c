/* Gradients of activations, losses, biases. */
#include "grad/words.h"

/* ---- activations; x(0) of a second gradient is the first one's dy */
GRAD(Relu) { WRT(0) = emit("ReluGrad", dy(0), y(0)); }
GRAD(Relu6) { WRT(0) = emit("Relu6Grad", dy(0), y(0)); }
GRAD(Elu) { WRT(0) = emit("EluGrad", dy(0), y(0)); }
GRAD(Selu) { WRT(0) = emit("SeluGrad", dy(0), y(0)); }
GRAD(LeakyRelu) { WRT(0) = emit_with(ATTRS(SAME("alpha")), "LeakyReluGrad", dy(0), x(0)); }
GRAD(Softplus) { WRT(0) = emit("SoftplusGrad", dy(0), x(0)); }
GRAD(Softsign) { WRT(0) = emit("SoftsignGrad", dy(0), x(0)); }

GRAD(ReluGrad) {
    WRT(0) = emit("ReluGrad", dy(0), x(1));
    WRT(1) = zeros(x(1));
}
GRAD(Relu6Grad) {
    WRT(0) = emit("Relu6Grad", dy(0), x(1));
    WRT(1) = zeros(x(1));
}
GRAD(LeakyReluGrad) {
    WRT(0) = emit_with(ATTRS(SAME("alpha")), "LeakyReluGrad", dy(0), x(1));
    WRT(1) = zeros(x(1));
}
static struct sl_term where_negative(struct sl_rule *g, struct sl_term t, struct sl_term value) {
    return select(less(t, num(t, 0)), value, num(value, 0));
}
GRAD(EluGrad) {
    WRT(0) = emit("EluGrad", dy(0), x(1));
    WRT(1) = where_negative(g, x(1), mul(dy(0), x(0)));
}
GRAD(SeluGrad) {
    WRT(0) = emit("SeluGrad", dy(0), x(1));
    WRT(1) = where_negative(g, x(1), mul(dy(0), x(0)));
}
GRAD(SoftplusGrad) {
    WRT(0) = emit("SoftplusGrad", dy(0), x(1));
    WRT(1) = quo(mul(dy(0), x(0)), add(shift(emit("Exp", neg(x(1))), 2), emit("Exp", x(1))));
}

/* ---- softmax and losses */
/* What the gradient d of softmax(t) = s becomes: (d - sum(d s)) s. */
static struct sl_term through_softmax(struct sl_rule *g, struct sl_term d, struct sl_term s) {
    return mul(sub(d, sum_kept(mul(d, s), ints(-1))), s);
}
GRAD(Softmax) { WRT(0) = through_softmax(g, dy(0), y(0)); }
GRAD(LogSoftmax) { WRT(0) = sub(dy(0), mul(sum_kept(dy(0), ints(-1)), emit("Exp", y(0)))); }

/* y(1) is the gradient of the loss; that it was used too counts as a second gradient. */
static struct sl_term through_loss(struct sl_rule *g, struct sl_term d) {
    struct sl_term first = mul(d, y(1));
    return has_dy(1) ? add(first, through_softmax(g, dy(1), emit("Softmax", x(0)))) : first;
}
GRAD(SoftmaxCrossEntropyWithLogits) {
    struct sl_term d = emit("ExpandDims", dy(0), i32(-1));
    WRT(0) = like(x(0), through_loss(g, d));
    WRT(1) = like(x(1), mul(d, neg(emit("LogSoftmax", x(0)))));
}
GRAD(SparseSoftmaxCrossEntropyWithLogits) { WRT(0) = through_loss(g, emit("ExpandDims", dy(0), i32(-1))); }
GRAD(L2Loss) { WRT(0) = mul(x(0), dy(0)); }

/* ---- biases */
GRAD(BiasAdd) {
    g->dx[0] = g->dy[0];
    WRT(1) = emit_with(ATTRS(SAME("data_format")), "BiasAddGrad", dy(0));
}
GRAD(BiasAddV1) {
    g->dx[0] = g->dy[0];
    struct sl_term last = sub(emit("Rank", dy(0)), i32(1));
    WRT(1) = sum(dy(0), emit("Range", i32(0), last, i32(1)));
}
/* Each element of dy stood for all of its channel. */
GRAD(BiasAddGrad) {
    struct sl_term d = dy(0);
    if (sl_str_is(attr_string("data_format"), "NCHW")) {
        struct sl_term sizes = emit("Shape", x(0)), behind = emit("Slice", sizes, ints(2), ints(-1));
        d = reshape(d, emit("ConcatV2", ints(-1), emit("OnesLike", behind), i32(0)));
    }
    WRT(0) = emit("BroadcastTo", d, shape(x(0)));
}

/* ---- the largest of a row */
GRAD(TopKV2) {
    if (!wants(0)) return;
    struct sl_term sizes = shape(x(0)), last = sub(emit("Size", sizes), i32(1));
    struct sl_term row = emit("GatherV2", sizes, last, i32(0));
    struct sl_term k = emit("GatherV2", shape(y(1)), last, i32(0));
    struct sl_term chosen = reshape(cast(y(1), SL_INT32), emit("Pack", i32(-1), k));
    struct sl_term n_rows = emit("Prod", emit("Slice", sizes, ints(0), reshape(last, ints(1))), ints(0));
    struct sl_term starts = mul(emit("Range", i32(0), n_rows, i32(1)), row);
    struct sl_term flat = reshape(add(chosen, emit("ExpandDims", starts, i32(1))), ints(-1, 1));
    struct sl_term size = reshape(emit("Prod", sizes, ints(0)), ints(1));
    WRT(0) = reshape(emit("ScatterNd", flat, reshape(dy(0), ints(-1)), size), sizes);
}
GRAD(NthElement) {
    struct sl_term chosen = cast(equal(emit("ExpandDims", y(0), i32(-1)), x(0)), dtype(x(0)));
    struct sl_term d = emit("ExpandDims", dy(0), i32(-1));
    WRT(0) = mul(quo(chosen, sum_kept(chosen, ints(-1))), d);
}

/* Along the axis that was searched: one at each position that was taken. */
GRAD(ApproxTopK) {
    if (!wants(0)) return;
    int rank = rank_of(x(0));
    int64_t axis = attr_int("reduction_dimension");
    if (axis < 0) axis += rank;
    if (rank < 1 || axis < 0 || axis >= rank) {
        sl_rule_fail(g, SL_UNIMPLEMENTED, "A tensor of unknown rank");
        return;
    }
    struct sl_term length = emit("GatherV2", shape(x(0)), i32(axis), i32(0));
    struct sl_term where = emit_with(ATTRS(INT("axis", axis)), "OneHot", y(1), length, num(dy(0), 1), num(dy(0), 0));
    WRT(0) = sum(mul(where, emit("ExpandDims", dy(0), i32(axis))), i32(axis + 1));
}

/* ---- recurrent cells and sequences */
static void block_lstm(struct sl_rule *g, const char *op) {
    struct sl_term in[18];
    for (int i = 0; i < 9; i++) in[i] = x(i);
    for (int i = 0; i < 7; i++) in[9 + i] = y(i);
    in[16] = dy(1);
    in[17] = dy(6);
    struct sl_term all = sl_rule_emit(g, op, in, 18, ATTRS(SAME("use_peephole")), 1);
    for (int i = 1; i < 9; i++) WRT(i) = at(all, i - 1);
}
GRAD(BlockLSTM) { block_lstm(g, "BlockLSTMGrad"); }
GRAD(BlockLSTMV2) { block_lstm(g, "BlockLSTMGradV2"); }
/* y(1) is the gradient of each loss; its own gradient is not known. */
GRAD(CTCLoss) {
    const struct sl_pb_AttrValue why = {.which = SL_PB_AttrValue_s,
                                        .s = SL_STR("the second gradient of CTCLoss is not known")};
    struct sl_term first = emit_with(ATTRS({SL_STR("message"), &why}), "PreventGradient", y(1));
    WRT(0) = mul(emit("ExpandDims", dy(0), i32(-1)), first);
}
/* Each row falls into segments; y is the mean of each. */
GRAD(IsotonicRegression) {
    if (!wants(0)) return;
    struct sl_term size = shape(y(1)), last = emit("GatherV2", size, sub(emit("Size", size), i32(1)), i32(0));
    struct sl_term per_row = reshape(y(1), emit("Pack", i32(-1), last)),
                   n_rows = emit("GatherV2", emit("Shape", per_row), i32(0), i32(0));
    struct sl_term starts = mul(emit("Range", i32(0), n_rows, i32(1)), last);
    struct sl_term segments = reshape(add(per_row, emit("ExpandDims", starts, i32(1))), ints(-1)),
                   n = emit("Size", segments);
    struct sl_term d = reshape(dy(0), ints(-1));
    struct sl_term count = emit("UnsortedSegmentSum", emit("OnesLike", d), segments, n);
    struct sl_term mean = emit("DivNoNan", emit("UnsortedSegmentSum", d, segments, n), count);
    WRT(0) = cast(as(x(0), emit("GatherV2", mean, segments, i32(0))), dtype(x(0)));
}

RULES(nn) = {
    /* clang-format off */
    READS(Relu, Relu, Y(0)) READS(Relu6, Relu6, Y(0)) READS(Elu, Elu, Y(0)) READS(Selu, Selu, Y(0)) RULE(LeakyRelu) READS(Softplus, Softplus, X(0)) RULE(Softsign)
    READS(ReluGrad, ReluGrad, X(1)) RULE(Relu6Grad) RULE(LeakyReluGrad) RULE(EluGrad) RULE(SeluGrad) RULE(SoftplusGrad)
    READS(Softmax, Softmax, Y(0)) READS(LogSoftmax, LogSoftmax, Y(0)) RULE(SoftmaxCrossEntropyWithLogits) RULE(SparseSoftmaxCrossEntropyWithLogits) RULE(L2Loss)
    READS(BiasAdd, BiasAdd, NOTHING) READS(BiasAddV1, BiasAddV1, NOTHING) RULE(BiasAddGrad) RULE(TopKV2) RULE_OF(TopK, TopKV2) RULE(NthElement)
    RULE(ApproxTopK) RULE(BlockLSTM) RULE(BlockLSTMV2) RULE(CTCLoss) RULE_OF(CTCLossV2, CTCLoss) RULE(IsotonicRegression)
    NO_GRAD(CTCBeamSearchDecoder) NO_GRAD(CTCGreedyDecoder) NO_GRAD(InTopK) NO_GRAD(InTopKV2)
    UNDEFINED(BlockLSTMGrad) UNDEFINED(BlockLSTMGradV2) UNDEFINED(GRUBlockCell) UNDEFINED(GRUBlockCellGrad)
    UNDEFINED(LSTMBlockCell) UNDEFINED(LSTMBlockCellGrad) UNDEFINED(SoftsignGrad)
    RULES_END
    /* clang-format on */
};
