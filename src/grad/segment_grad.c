/* Gradients of sums, means, products and extremes of segments. x(1) is the segment of each row. */
#include "grad/words.h"

/* Row s of t for each segment s of `ids`; negative ones, which belong to no segment, are 0 and `*is_there` false. */
static struct sl_term rows_of(struct sl_rule *g, struct sl_term t, struct sl_term ids) {
    return emit("GatherV2", t, ids, i32(0));
}
static struct sl_term not_negative(struct sl_rule *g, struct sl_term ids) { return emit("Maximum", ids, num(ids, 0)); }

/* A condition per segment id, as one per element of `rows`. */
static struct sl_term for_rows(struct sl_rule *g, struct sl_term condition, struct sl_term rows) {
    struct sl_term head = shape(condition), n = sub(emit("Rank", rows), emit("Rank", condition));
    struct sl_term ones = emit("Fill", reshape(n, ints(1)), i32(1));
    return reshape(condition, emit("ConcatV2", head, ones, i32(0)));
}
static struct sl_term dropped(struct sl_rule *g, struct sl_term rows, struct sl_term ids) {
    struct sl_term is_there = for_rows(g, emit("GreaterEqual", ids, num(ids, 0)), rows);
    return select(is_there, rows, num(rows, 0));
}
static struct sl_term gathered(struct sl_rule *g, struct sl_term t, struct sl_term ids) {
    return dropped(g, rows_of(g, t, not_negative(g, ids)), ids);
}

GRAD(SegmentSum) { WRT(0) = rows_of(g, dy(0), x(1)); }
GRAD(SegmentMean) {
    if (!wants(0)) return;
    struct sl_term rank = emit("Rank", x(0)), n = reshape(emit("Size", x(1)), ints(1));
    struct sl_term ones_shape = emit("ConcatV2", n, emit("Fill", reshape(sub(rank, i32(1)), ints(1)), i32(1)), i32(0));
    struct sl_term counts = emit("SegmentSum", emit("Fill", ones_shape, num(dy(0), 1)), x(1));
    WRT(0) = rows_of(g, quo(dy(0), counts), x(1));
}
/* Those that are as large as the result share its gradient. */
GRAD(SegmentMax) {
    struct sl_term chosen = cast(equal(x(0), rows_of(g, y(0), x(1))), dtype(x(0)));
    struct sl_term share = quo(dy(0), emit("SegmentSum", chosen, x(1)));
    WRT(0) = mul(chosen, rows_of(g, share, x(1)));
}
/* The product of a segment without its zeros, and how many zeros it has: of one zero the gradient is the product of the
 * others. */
GRAD(SegmentProd) {
    struct sl_term zero = num(x(0), 0), one = num(x(0), 1), d = dy(0);
    struct sl_term is_zero = equal(x(0), zero);
    struct sl_term n_zeros = emit("SegmentSum", cast(is_zero, SL_INT32), x(1));
    d = select(emit("Greater", n_zeros, i32(1)), zero, d);
    struct sl_term others = emit("SegmentProd", select(is_zero, one, x(0)), x(1));
    struct sl_term partial = select(is_zero, rows_of(g, others, x(1)), quo(rows_of(g, y(0), x(1)), x(0)));
    WRT(0) = mul(rows_of(g, d, x(1)), partial);
}

GRAD(UnsortedSegmentSum) { WRT(0) = gathered(g, dy(0), x(1)); }
GRAD(UnsortedSegmentMax) {
    struct sl_term mine = gathered(g, y(0), x(1));
    struct sl_term is_there = for_rows(g, emit("GreaterEqual", x(1), num(x(1), 0)), x(0));
    struct sl_term chosen = cast(emit("LogicalAnd", equal(x(0), mine), is_there), dtype(x(0)));
    struct sl_term share = quo(dy(0), emit("UnsortedSegmentSum", chosen, x(1), x(2)));
    WRT(0) = mul(chosen, gathered(g, share, x(1)));
}
GRAD(UnsortedSegmentProd) {
    struct sl_term zero = num(x(0), 0), one = num(x(0), 1), d = dy(0);
    struct sl_term is_zero = equal(x(0), zero);
    struct sl_term n_zeros = emit("UnsortedSegmentSum", cast(is_zero, SL_INT32), x(1), x(2));
    d = select(emit("Greater", n_zeros, i32(1)), zero, d);
    struct sl_term ids = not_negative(g, x(1));
    struct sl_term others = emit("UnsortedSegmentProd", select(is_zero, one, x(0)), x(1), x(2));
    struct sl_term partial = select(is_zero, rows_of(g, others, ids), quo(rows_of(g, y(0), ids), x(0)));
    WRT(0) = mul(gathered(g, d, x(1)), partial);
}

/* ---- rows x(0)[x(1)] in segments x(2) */
static void sparse(struct sl_rule *g, const char *op) {
    if (!wants(0)) return;
    struct sl_term n_rows = emit("GatherV2", shape(x(0)), i32(0), i32(0));
    WRT(0) = emit(op, dy(0), x(1), x(2), n_rows);
}
GRAD(SparseSegmentSum) { sparse(g, "SparseSegmentSumGrad"); }
GRAD(SparseSegmentMean) { sparse(g, "SparseSegmentMeanGrad"); }
GRAD(SparseSegmentSqrtN) { sparse(g, "SparseSegmentSqrtNGrad"); }

RULES(segment) = {
    /* clang-format off */
    RULE(SegmentSum) RULE(SegmentMean) RULE(SegmentMax) RULE_OF(SegmentMin, SegmentMax) RULE(SegmentProd)
    RULE(UnsortedSegmentSum) RULE(UnsortedSegmentMax) RULE_OF(UnsortedSegmentMin, UnsortedSegmentMax)
    RULE(UnsortedSegmentProd)
    RULE(SparseSegmentSum) RULE(SparseSegmentMean) RULE(SparseSegmentSqrtN)
    RULE_OF(SparseSegmentSumWithNumSegments, SparseSegmentSum)
    RULE_OF(SparseSegmentMeanWithNumSegments, SparseSegmentMean)
    RULE_OF(SparseSegmentSqrtNWithNumSegments, SparseSegmentSqrtN)
    UNDEFINED(SparseSegmentMeanGrad) UNDEFINED(SparseSegmentMeanGradV2) UNDEFINED(SparseSegmentSqrtNGrad)
    UNDEFINED(SparseSegmentSqrtNGradV2) UNDEFINED(SparseSegmentSumGrad) UNDEFINED(SparseSegmentSumGradV2)
    RULES_END
    /* clang-format on */
};
