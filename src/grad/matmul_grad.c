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

/* ---- Einsum: "in,other->out" gives "out,other->in". A label of `in` alone was summed over: dy is repeated along it
 * first. */
struct subscripts {
    const char *p;
    int n;
};

static bool has_label(struct subscripts s, char label) {
    for (int i = 0; i < s.n; i++)
        if (s.p[i] == label) return true;
    return false;
}

/* "a,b->c": up to two inputs. */
static bool split_equation(struct subscripts in[2], struct subscripts *out, struct sl_str equation, int n) {
    const char *arrow = memmem(equation.p, equation.n, "->", 2);
    if (!arrow) return false;
    *out = (struct subscripts){arrow + 2, (int)(equation.p + equation.n - arrow - 2)};
    const char *comma = memchr(equation.p, ',', (size_t)(arrow - equation.p));
    in[0] = (struct subscripts){equation.p, (int)((comma ? comma : arrow) - equation.p)};
    in[1] = comma ? (struct subscripts){comma + 1, (int)(arrow - comma - 1)} : (struct subscripts){"", 0};
    return (comma != NULL) == (n == 2);
}

/* Along which axis of t a label lies, as a length: labels behind "..." are counted from the end. */
static struct sl_term label_length(struct sl_rule *g, struct sl_term t, struct subscripts s, char label) {
    int axis = 0;
    while (axis < s.n && s.p[axis] != label) axis++;
    bool is_behind = axis >= 3 && memmem(s.p, (size_t)axis, "...", 3) != NULL;
    if (is_behind) axis -= s.n;
    return emit_with(ATTRS(INT("end_mask", axis == -1 ? 1 : 0)), "StridedSlice", shape(t), ints(axis), ints(axis + 1),
                     ints(1));
}

static struct sl_term einsum_by(struct sl_rule *g, int i, const struct subscripts in[2], struct subscripts out) {
    char summed[64];
    int n_summed = 0;
    struct subscripts own = in[i], other = in[1 - i];
    struct sl_term d = dy(0);
    for (int k = 0; k < own.n && n_summed < 60; k++)
        if (own.p[k] != '.' && !has_label(other, own.p[k]) && !has_label(out, own.p[k]) &&
            !has_label((struct subscripts){summed, n_summed}, own.p[k]))
            summed[n_summed++] = own.p[k];
    if (n_summed) {
        struct sl_term sizes = shape(d);
        for (int k = n_summed; k-- > 0;) sizes = emit("ConcatV2", label_length(g, x(i), own, summed[k]), sizes, i32(0));
        d = emit("BroadcastTo", d, sizes);
    }
    const bool is_rest_summed = has_label(out, '.') && !has_label(own, '.'); /* by like() */
    const char *equation =
        g->n_x == 2 ? sl_arena_format(g->arena, "%.*s%.*s,%.*s->%s%.*s", n_summed, summed, out.n, out.p, other.n,
                                      other.p, is_rest_summed ? "..." : "", own.n, own.p)
                    : sl_arena_format(g->arena, "%.*s%.*s->%.*s", n_summed, summed, out.n, out.p, own.n, own.p);
    if (!equation) {
        sl_rule_fail(g, SL_RESOURCE_EXHAUSTED, "out of memory");
        return SL_NO_TERM;
    }
    const struct sl_pb_AttrValue value = {.which = SL_PB_AttrValue_s, .s = sl_str_of(equation)};
    if (g->n_x == 2) return emit_with(ATTRS({SL_STR("equation"), &value}), "Einsum", d, conj(x(1 - i)));
    return emit_with(ATTRS({SL_STR("equation"), &value}), "Einsum", d);
}

GRAD(Einsum) {
    struct subscripts in[2], out;
    if (!split_equation(in, &out, attr_string("equation"), g->n_x)) {
        sl_rule_fail(g, SL_UNIMPLEMENTED, "An equation with other than one or two inputs and \"->\"");
        return;
    }
    for (int i = 0; i < g->n_x; i++) WRT(i) = like(x(i), einsum_by(g, i, in, out));
}

RULES(matmul) = {
    /* clang-format off */
    READS(MatMul, MatMul, X(0) | X(1)) READS(BatchMatMul, BatchMatMul, X(0) | X(1)) READS(BatchMatMulV2, BatchMatMul, X(0) | X(1)) READS(BatchMatMulV3, BatchMatMul, X(0) | X(1)) RULE(Einsum)
    UNDEFINED(_FusedMatMul)
    RULES_END
    /* clang-format on */
};
