/* Gradients of batch normalisation. The first one is an op; the second one is the gradient of what that op computes,
 * written out. */
#include "grad/words.h"

static bool is_first(struct sl_rule *g) { /* channels before height and width */
    struct sl_str format = attr_string("data_format");
    return sl_str_is(format, "NCHW") || sl_str_is(format, "NCDHW");
}

/* Statistics of the batch were computed (y(3), y(4), and y(5) of V3), or given (x(3), x(4)). */
GRAD(FusedBatchNorm) {
    if (!wants(0) && !wants(1) && !wants(2)) return;
    bool trains = attr_bool("is_training"), is_v3 = g->n_y > 5, is_v1 = g->op->index == SL_ROW_FusedBatchNorm;
    struct sl_term d = dy(0), t = x(0), mean = trains ? y(3) : x(3), variance = trains ? y(4) : x(4);
    bool turns = !trains && is_first(g);
    int rank = rank_of(t) > 0 ? rank_of(t) : 4;
    int64_t there[8] = {0}, back[8] = {0, rank - 1};
    for (int i = 1; i < rank && i < 8; i++) there[i] = i + 1 < rank ? i + 1 : 1;
    for (int i = 2; i < rank && i < 8; i++) back[i] = i - 1;
    if (turns) {
        struct sl_term order = sl_rule_vector(g, SL_INT32, there, rank);
        d = transpose(d, order);
        t = transpose(t, order);
    }
    const struct sl_pb_AttrValue last = {.which = SL_PB_AttrValue_s, .s = rank == 5 ? SL_STR("NDHWC") : SL_STR("NHWC")};
    struct sl_attr format = SAME("data_format");
    if (turns) format.value = &last;
    const struct sl_attr attrs[] = {SAME("epsilon"), SAME("is_training"), format};
    const struct sl_term inputs[] = {d, t, x(1), mean, variance, y(g->n_y - 1)};
    const char *op = is_v3 ? "FusedBatchNormGradV3" : is_v1 ? "FusedBatchNormGrad" : "FusedBatchNormGradV2";
    struct sl_term all = sl_rule_emit(g, op, inputs, is_v3 ? 6 : 5, attrs, 3);
    WRT(0) = turns ? transpose(all, sl_rule_vector(g, SL_INT32, back, rank)) : all;
    WRT(1) = at(all, 1);
    WRT(2) = at(all, 2);
}

struct normalised {
    struct sl_term dx, dscale, doffset;
};

/* What FusedBatchNormGrad computes, all in float. Per channel values are broadcast by `across`. */
static struct normalised written_out(struct sl_rule *g, struct sl_term d, struct sl_term t, struct sl_term scale_,
                                     struct sl_term mean, struct sl_term variance, bool trains) {
    int rank = rank_of(x(1)) > 0 ? rank_of(x(1)) : 4, channel = is_first(g) ? 1 : rank - 1;
    int64_t others[8], wide[8];
    int n = 0;
    for (int i = 0; i < rank && i < 8; i++) {
        wide[i] = i == channel ? -1 : 1;
        if (i != channel) others[n++] = i;
    }
    struct sl_term axes = sl_rule_vector(g, SL_INT32, others, n), across = sl_rule_vector(g, SL_INT32, wide, rank);
    float epsilon = attr_float("epsilon");
#define mean_of(t) emit_with(ATTRS(BOOL("keep_dims", true)), "Mean", t, axes)
    if (trains) {
        mean = mean_of(t);
        variance = mean_of(emit("SquaredDifference", t, emit("StopGradient", mean)));
    } else {
        mean = reshape(mean, across);
        variance = reshape(variance, across);
    }
    struct sl_term spread = shift(variance, epsilon), factor = emit("Rsqrt", spread), off = sub(t, mean);
    struct sl_term weight = mul(reshape(scale_, across), factor);
    struct normalised out;
    if (trains) {
        struct sl_term d_off = sub(d, mean_of(d)), along = mul(mul(inv(spread), mean_of(mul(d, off))), off);
        out.dx = mul(weight, sub(d_off, along));
    } else {
        out.dx = mul(weight, d);
    }
    out.dscale = sum(mul(mul(d, off), factor), axes);
    out.doffset = sum(d, axes);
    return out;
}

GRAD(FusedBatchNormGrad) {
    if (!wants(0) && !wants(1) && !wants(2)) return;
    int type = dtype(x(0));
    const struct sl_term in[] = {emit("Identity", cast(x(0), SL_FLOAT)), emit("Identity", cast(x(1), SL_FLOAT)),
                                 emit("Identity", x(2))};
    struct normalised out = written_out(g, in[0], in[1], in[2], x(3), x(4), attr_bool("is_training"));
    const struct sl_term outs[] = {out.dx, out.dscale, out.doffset};
    const struct sl_term ds[] = {cast(dy(0), SL_FLOAT), dy(1), dy(2)};
    struct sl_term dxs[3];
    if (g->code != SL_OK) return;
    sl_rule_derive(g, dxs, in, 3, outs, ds, 3);
    for (int i = 0; i < 3; i++)
        if (sl_term_is(dxs[i])) WRT(i) = i < 2 ? cast(dxs[i], type) : dxs[i];
}

GRAD(BatchNormWithGlobalNormalization) {
    struct sl_term all = emit_with(ATTRS(SAME("variance_epsilon"), SAME("scale_after_normalization")),
                                   "BatchNormWithGlobalNormalizationGrad", x(0), x(1), x(2), x(4), dy(0));
    for (int i = 0; i < 5; i++) WRT(i) = at(all, i);
}

RULES(norm) = {
    /* clang-format off */
    RULE(FusedBatchNorm) RULE_OF(FusedBatchNormV2, FusedBatchNorm) RULE_OF(FusedBatchNormV3, FusedBatchNorm)
    RULE(FusedBatchNormGrad) RULE_OF(FusedBatchNormGradV2, FusedBatchNormGrad)
    RULE_OF(FusedBatchNormGradV3, FusedBatchNormGrad) RULE(BatchNormWithGlobalNormalization)
    UNDEFINED(BatchNormWithGlobalNormalizationGrad) UNDEFINED(LRNGrad)
    RULES_END
    /* clang-format on */
};
