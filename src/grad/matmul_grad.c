/* Gradients of products of matrices. A product with both operands turned over as `a`, `b` say. */
#include "grad/words.h"

static struct sl_term product(struct sl_rule *g, struct sl_term a, struct sl_term b, bool turn_a, bool turn_b) {
    return emit_with(ATTRS(BOOL("transpose_a", turn_a), BOOL("transpose_b", turn_b)), "MatMul", a, b);
}

GRAD(MatMul) {
    bool ta = attr_bool("transpose_a"), tb = attr_bool("transpose_b");
    struct sl_term a = conj(x(0)), b = conj(x(1));
    WRT(0) = ta ? product(g, b, dy(0), tb, true) : product(g, dy(0), b, false, !tb);
    WRT(1) = tb ? product(g, dy(0), a, true, ta) : product(g, a, dy(0), !ta, false);
}

/* The result has the type of `of`: BatchMatMulV3 may have two types. */
static struct sl_term batched(struct sl_rule *g, struct sl_term a, struct sl_term b, bool turn_a, bool turn_b,
                              struct sl_term of) {
    if (g->op->index == SL_ROW_BatchMatMulV3)
        return emit_with(ATTRS(BOOL("adj_x", turn_a), BOOL("adj_y", turn_b), TYPE("Tout", dtype(of))), "BatchMatMulV3",
                         a, b);
    const char *op = g->op->index == SL_ROW_BatchMatMul ? "BatchMatMul" : "BatchMatMulV2";
    return emit_with(ATTRS(BOOL("adj_x", turn_a), BOOL("adj_y", turn_b)), op, a, b);
}

GRAD(BatchMatMul) {
    bool ta = attr_bool("adj_x"), tb = attr_bool("adj_y");
    struct sl_term a = x(0), b = x(1);
    WRT(0) = like(a, ta ? batched(g, b, dy(0), tb, true, a) : batched(g, dy(0), b, false, !tb, a));
    WRT(1) = like(b, tb ? batched(g, dy(0), a, true, ta, b) : batched(g, a, dy(0), !ta, false, b));
}

RULES(matmul) = {
    /* clang-format off */
    RULE(MatMul) RULE(BatchMatMul) RULE_OF(BatchMatMulV2, BatchMatMul) RULE_OF(BatchMatMulV3, BatchMatMul)
    RULES_END
    /* clang-format on */
};
