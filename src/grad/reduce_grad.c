/* Gradients of reductions and scans. x(1) is the axes; a reduction's gradient is brought back to the rank of its input
 * by `kept`. */
#include <float.h>

#include "grad/words.h"

/* dy, or y, with the reduced axes as 1. */
static struct sl_term spread(struct sl_rule *g, struct sl_term d) {
    return attr_bool("keep_dims") ? d : kept(x(0), x(1), d);
}
static struct sl_term spread_whole(struct sl_rule *g, struct sl_term d) {
    return emit("BroadcastTo", spread(g, d), shape(x(0)));
}

GRAD(Sum) { WRT(0) = spread_whole(g, dy(0)); }

GRAD(Mean) {
    if (!wants(0)) return;
    int64_t n_x, n_y;
    struct sl_term factor;
    if (sl_shape_is_known(known_shape(x(0))) && sl_shape_is_known(known_shape(y(0))) &&
        sl_shape_count(&n_x, known_shape(x(0)), NULL) == SL_OK &&
        sl_shape_count(&n_y, known_shape(y(0)), NULL) == SL_OK)
        factor = num(x(0), (double)(n_x / (n_y > 1 ? n_y : 1)));
    else
        factor = cast(emit("FloorDiv", emit("Prod", shape(x(0)), ints(0)),
                           emit("Maximum", emit("Prod", shape(y(0)), ints(0)), i32(1))),
                      dtype(x(0)));
    WRT(0) = quo(spread_whole(g, dy(0)), factor);
}

/* Those that are as large as the result share its gradient. */
GRAD(Max) {
    struct sl_term chosen = cast(equal(spread(g, y(0)), x(0)), dtype(x(0)));
    struct sl_term count = spread(g, emit_with(ATTRS(SAME("keep_dims")), "Sum", chosen, x(1)));
    WRT(0) = mul(quo(chosen, count), spread(g, dy(0)));
}

GRAD(EuclideanNorm) { WRT(0) = quo(x(0), quo(spread(g, y(0)), spread(g, dy(0)))); }

/* The axes in an order in which the reduced ones come first. */
static struct sl_term reduced_first(struct sl_rule *g, struct sl_term *n_reduced) {
    struct sl_term rank = emit("Size", shape(x(0)));
    struct sl_term axes = emit("FloorMod", add(reshape(cast(x(1), SL_INT32), ints(-1)), rank), rank);
    struct sl_term others = emit("ListDiff", emit("Range", i32(0), rank, i32(1)), axes);
    *n_reduced = emit("Size", axes);
    return emit("ConcatV2", axes, others, i32(0));
}

/* The product of all others, zeros or not: what comes before times what comes after. */
GRAD(Prod) {
    if (!wants(0)) return;
    struct sl_term n, order = reduced_first(g, &n);
    struct sl_term turned = transpose(x(0), order), sizes = emit("Shape", turned);
    struct sl_term head = emit("Slice", sizes, ints(0), reshape(n, ints(1)));
    struct sl_term others = emit("Slice", sizes, reshape(n, ints(1)), ints(-1));
    struct sl_term flat = reshape(turned, emit("Pack", emit("Prod", head, ints(0)), emit("Prod", others, ints(0))));
    struct sl_term before = emit_with(ATTRS(BOOL("exclusive", true)), "Cumprod", flat, i32(0));
    struct sl_term after = emit_with(ATTRS(BOOL("exclusive", true), BOOL("reverse", true)), "Cumprod", flat, i32(0));
    struct sl_term rest = transpose(reshape(mul(conj(before), conj(after)), sizes), emit("InvertPermutation", order));
    WRT(0) = mul(spread_whole(g, dy(0)), rest);
}

static struct sl_term scanned(struct sl_rule *g, const char *op, struct sl_term t, bool reverse) {
    return emit_with(ATTRS(SAME("exclusive"), BOOL("reverse", reverse)), op, t, x(1));
}

GRAD(Cumsum) { WRT(0) = scanned(g, "Cumsum", dy(0), !attr_bool("reverse")); }

GRAD(Cumprod) {
    bool reverse = attr_bool("reverse");
    struct sl_term product = conj(scanned(g, "Cumprod", x(0), reverse));
    WRT(0) = emit("DivNoNan", scanned(g, "Cumsum", mul(product, dy(0)), !reverse), conj(x(0)));
}

/* In logarithms, positive and negative gradients apart. */
GRAD(CumulativeLogsumexp) {
    struct sl_term d = dy(0), zero = num(d, 0);
    int type = dtype(d);
    double least = type == SL_HALF       ? -65504
                   : type == SL_DOUBLE   ? -DBL_MAX
                   : type == SL_BFLOAT16 ? -3.3895313892515355e38
                                         : -(double)FLT_MAX;
    struct sl_term sides[2];
    for (int i = 0; i < 2; i++) {
        struct sl_term part = i ? neg(d) : d;
        struct sl_term log = select(emit("Greater", part, zero), emit("Log", part), num(d, least));
        sides[i] = emit("Exp", add(scanned(g, "CumulativeLogsumexp", sub(log, y(0)), !attr_bool("reverse")), x(0)));
    }
    WRT(0) = sub(sides[0], sides[1]);
}

RULES(reduce) = {
    /* clang-format off */
    READS(Sum, Sum, X(1)) READS(Mean, Mean, X(1)) RULE(Max) RULE_OF(Min, Max) RULE(EuclideanNorm) RULE(Prod) RULE(Cumsum) RULE(Cumprod)
    RULE(CumulativeLogsumexp)
    NO_GRAD(All) NO_GRAD(Any) NO_GRAD(ArgMax) NO_GRAD(ArgMin) NO_GRAD(Bincount)
    UNDEFINED(DenseBincount) UNDEFINED(RaggedBincount) UNDEFINED(SparseBincount)
    RULES_END
    /* clang-format on */
};
