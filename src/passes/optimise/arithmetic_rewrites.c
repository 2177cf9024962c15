/* Rules of arithmetic. What is computed instead has the same bits, but for the sign of a zero and the last bits of
 * some powers and of mish, where TensorFlow does the same. Floating-point x * 0 is not 0, and !(a < b) is not a >= b: a
 * NaN may be among them. */
#include "passes/optimise/rewrites.h"

#include <math.h>

/* Whether `n` has the shape of its input `slot`: the other input is a scalar, or no larger. */
static bool has_shape_of(struct sl_rewrite *r, const struct sl_node *n, int slot, int other) {
    struct sl_shape small = sl_rewrite_shape(r, n->inputs[other]);
    if (small.rank == 0) return true;
    struct sl_shape shape = sl_rewrite_shape(r, n->inputs[slot]);
    int64_t count;
    if (sl_shape_is_known(small) && !sl_shape_count(&count, small, NULL) && count == 1 && shape.rank >= small.rank)
        return true;
    return sl_rewrite_same_shape(r, (struct sl_port){(struct sl_node *)(uintptr_t)n, 0}, n->inputs[slot]);
}

/* x op c is x. */
static bool drop_neutral(struct sl_rewrite *r, struct sl_node *n, int slot, double neutral) {
    int other = 1 - slot;
    return sl_rewrite_is_filled(r, n->inputs[other], neutral) && has_shape_of(r, n, slot, other) &&
           sl_rewrite_replace(r, n, n->inputs[slot]);
}

bool sl_rule_add_zero(struct sl_rewrite *r, struct sl_node *n) {
    return drop_neutral(r, n, 0, 0) || drop_neutral(r, n, 1, 0);
}

bool sl_rule_subtract_zero(struct sl_rewrite *r, struct sl_node *n) {
    if (drop_neutral(r, n, 0, 0)) return true;
    return sl_rewrite_is_filled(r, n->inputs[0], 0) && sl_set_has(SL_SET_SIGNED | SL_SET_FLOATS, n->out_types[0]) &&
           has_shape_of(r, n, 1, 0) && sl_rewrite_become(r, n, SL_ROW_Neg, &n->inputs[1], 1, NULL, 0);
}

bool sl_rule_multiply_by_one(struct sl_rewrite *r, struct sl_node *n) {
    return drop_neutral(r, n, 0, 1) || drop_neutral(r, n, 1, 1);
}

/* Of integers only. */
bool sl_rule_multiply_by_zero(struct sl_rewrite *r, struct sl_node *n) {
    if (!sl_set_has(SL_SET_INTEGERS, n->out_types[0])) return false;
    for (int zero = 0; zero < 2; zero++)
        if (sl_rewrite_is_filled(r, n->inputs[zero], 0) &&
            sl_rewrite_same_shape(r, (struct sl_port){n, 0}, n->inputs[zero]))
            return sl_rewrite_replace(r, n, n->inputs[zero]);
    return false;
}

bool sl_rule_multiply_by_itself(struct sl_rewrite *r, struct sl_node *n) {
    return n->inputs[0].node == n->inputs[1].node && n->inputs[0].index == n->inputs[1].index &&
           sl_set_has(SL_SET_FLOATS | SL_SET(INT32) | SL_SET(INT64), n->out_types[0]) &&
           sl_rewrite_become(r, n, SL_ROW_Square, n->inputs, 1, NULL, 0);
}

bool sl_rule_divide_by_one(struct sl_rewrite *r, struct sl_node *n) { return drop_neutral(r, n, 0, 1); }

/* Of integers only: quotients of others are rounded. */
bool sl_rule_divide_whole_by_one(struct sl_rewrite *r, struct sl_node *n) {
    return sl_set_has(SL_SET_INTEGERS, n->out_types[0]) && drop_neutral(r, n, 0, 1);
}

/* The reciprocal of a power of two is exact, unless it is no normal number. */
bool sl_rule_divide_by_power_of_two(struct sl_rewrite *r, struct sl_node *n) {
    double divisor;
    int exponent;
    int dtype = n->out_types[0];
    if ((dtype != SL_FLOAT && dtype != SL_DOUBLE) || !sl_rewrite_real(&divisor, r, n->inputs[1])) return false;
    if (sl_rewrite_constant(r, n->inputs[1])->rank || !isfinite(divisor) || fabs(frexp(divisor, &exponent)) != 0.5)
        return false;
    if (exponent < -100 || exponent > 100) return false;
    struct sl_port in[2] = {n->inputs[0], sl_rewrite_emit_real(r, n, dtype, 1 / divisor)};
    return in[1].node && sl_rewrite_become(r, n, SL_ROW_Mul, in, 2, NULL, 0);
}

bool sl_rule_divide_one(struct sl_rewrite *r, struct sl_node *n) {
    return sl_set_has(SL_SET(FLOAT) | SL_SET(DOUBLE), n->out_types[0]) && sl_rewrite_is_filled(r, n->inputs[0], 1) &&
           has_shape_of(r, n, 1, 0) && sl_rewrite_become(r, n, SL_ROW_Reciprocal, &n->inputs[1], 1, NULL, 0);
}

bool sl_rule_known_power(struct sl_rewrite *r, struct sl_node *n) {
    double power;
    if (!sl_rewrite_real(&power, r, n->inputs[1]) || !has_shape_of(r, n, 0, 1)) return false;
    bool is_float = sl_set_has(SL_SET(FLOAT) | SL_SET(DOUBLE), n->out_types[0]);
    if (power == 1) return sl_rewrite_replace(r, n, n->inputs[0]);
    if (power == 2) return sl_rewrite_become(r, n, SL_ROW_Square, n->inputs, 1, NULL, 0);
    if (power == 0.5 && is_float) return sl_rewrite_become(r, n, SL_ROW_Sqrt, n->inputs, 1, NULL, 0);
    if (power == -0.5 && is_float) return sl_rewrite_become(r, n, SL_ROW_Rsqrt, n->inputs, 1, NULL, 0);
    if (power == -1 && is_float) return sl_rewrite_become(r, n, SL_ROW_Reciprocal, n->inputs, 1, NULL, 0);
    if (power != 3 || !is_float) return false;
    struct sl_node *square = sl_rewrite_emit(r, n, SL_ROW_Square, n->inputs, 1, NULL, 0);
    struct sl_port in[2] = {n->inputs[0], {square, 0}};
    return square && sl_rewrite_become(r, n, SL_ROW_Mul, in, 2, NULL, 0);
}

/* ---- negation */

bool sl_rule_negation_twice(struct sl_rewrite *r, struct sl_node *n) {
    const struct sl_node *inner = sl_rewrite_producer(n, 0, n->op->index);
    return inner && sl_rewrite_replace(r, n, inner->inputs[0]);
}

bool sl_rule_add_negation(struct sl_rewrite *r, struct sl_node *n) {
    for (int slot = 1; slot >= 0; slot--) {
        const struct sl_node *neg = sl_rewrite_producer(n, slot, SL_ROW_Neg);
        if (!neg) continue;
        struct sl_port in[2] = {n->inputs[1 - slot], neg->inputs[0]};
        if (sl_rewrite_become(r, n, SL_ROW_Sub, in, 2, NULL, 0)) return true;
    }
    return false;
}

bool sl_rule_subtract_negation(struct sl_rewrite *r, struct sl_node *n) {
    const struct sl_node *neg = sl_rewrite_producer(n, 1, SL_ROW_Neg);
    struct sl_port in[2] = {n->inputs[0]};
    if (!neg) return false;
    in[1] = neg->inputs[0];
    return sl_rewrite_become(r, n, SL_ROW_AddV2, in, 2, NULL, 0);
}

static const struct {
    uint32_t op, opposite;
    bool suits_floats; /* a NaN gives false, and its opposite true */
} comparisons[] = {{SL_ROW_Equal, SL_ROW_NotEqual, true},     {SL_ROW_NotEqual, SL_ROW_Equal, true},
                   {SL_ROW_Less, SL_ROW_GreaterEqual, false}, {SL_ROW_GreaterEqual, SL_ROW_Less, false},
                   {SL_ROW_Greater, SL_ROW_LessEqual, false}, {SL_ROW_LessEqual, SL_ROW_Greater, false}};

bool sl_rule_not_of_comparison(struct sl_rewrite *r, struct sl_node *n) {
    for (size_t i = 0; i < sizeof comparisons / sizeof *comparisons; i++) {
        const struct sl_node *compare = sl_rewrite_producer(n, 0, comparisons[i].op);
        if (!compare || !sl_rewrite_is_sole(r, compare, n)) continue;
        if (!comparisons[i].suits_floats && !sl_set_has(SL_SET_INTEGERS, compare->in_types[0])) return false;
        struct sl_attr more[2] = {sl_rewrite_attr_of(compare, "T", "T"),
                                  sl_rewrite_attr_of(compare, "incompatible_shape_error", "incompatible_shape_error")};
        return sl_rewrite_become(r, n, comparisons[i].opposite, compare->inputs, 2, more, more[1].value ? 2 : 1);
    }
    return false;
}

/* ---- logic */

static bool is_all(struct sl_rewrite *r, struct sl_port port, bool value) {
    const struct sl_tensor *t = sl_rewrite_constant(r, port);
    if (!t || t->dtype != SL_BOOL || !t->count) return false;
    for (int64_t i = 0; i < t->count; i++)
        if (((const bool *)t->data)[i] != value) return false;
    return true;
}

/* `neutral` leaves the other operand, its opposite decides. */
static bool with_known(struct sl_rewrite *r, struct sl_node *n, bool neutral) {
    for (int known = 0; known < 2; known++) {
        if (is_all(r, n->inputs[known], neutral) && has_shape_of(r, n, 1 - known, known))
            return sl_rewrite_replace(r, n, n->inputs[1 - known]);
        if (is_all(r, n->inputs[known], !neutral) && sl_rewrite_same_shape(r, (struct sl_port){n, 0}, n->inputs[known]))
            return sl_rewrite_replace(r, n, n->inputs[known]);
    }
    return false;
}

bool sl_rule_and_with_known(struct sl_rewrite *r, struct sl_node *n) { return with_known(r, n, true); }

bool sl_rule_or_with_known(struct sl_rewrite *r, struct sl_node *n) { return with_known(r, n, false); }

bool sl_rule_known_choice(struct sl_rewrite *r, struct sl_node *n) {
    for (int side = 0; side < 2; side++) {
        struct sl_port chosen = n->inputs[1 + side];
        if (is_all(r, n->inputs[0], side == 0) && sl_rewrite_same_shape(r, (struct sl_port){n, 0}, chosen) &&
            sl_rewrite_same_shape(r, n->inputs[1], n->inputs[2]))
            return sl_rewrite_replace(r, n, chosen);
    }
    return false;
}

/* ---- sums and products */

bool sl_rule_square_of_difference(struct sl_rewrite *r, struct sl_node *n) {
    const struct sl_node *sub = sl_rewrite_producer(n, 0, SL_ROW_Sub);
    return sub && sl_set_has(SL_SET(FLOAT) | SL_SET(DOUBLE), n->out_types[0]) && sl_rewrite_is_sole(r, sub, n) &&
           sl_rewrite_become(r, n, SL_ROW_SquaredDifference, sub->inputs, 2, NULL, 0);
}

/* One exponential in place of two, and a logarithm. */
bool sl_rule_tanh_of_softplus(struct sl_rewrite *r, struct sl_node *n) {
    const struct sl_node *softplus = sl_rewrite_producer(n, 0, SL_ROW_Softplus);
    return softplus && sl_set_has(SL_SET(FLOAT) | SL_SET(DOUBLE), n->out_types[0]) &&
           sl_rewrite_is_sole(r, softplus, n) &&
           sl_rewrite_become(r, n, SL_ROW__TanhSoftplus, softplus->inputs, 1, NULL, 0);
}

/* x * sigmoid(x) and x * tanh(softplus(x)): silu and mish. */
bool sl_rule_multiply_by_own_gate(struct sl_rewrite *r, struct sl_node *n) {
    static const uint32_t gates[][2] = {{SL_ROW_Sigmoid, SL_ROW__Silu}, {SL_ROW__TanhSoftplus, SL_ROW__Mish}};
    if (!sl_set_has(SL_SET(FLOAT) | SL_SET(DOUBLE), n->out_types[0])) return false;
    for (int slot = 0; slot < 2; slot++)
        for (int g = 0; g < 2; g++) {
            const struct sl_node *gate = sl_rewrite_producer(n, slot, gates[g][0]);
            const struct sl_port x = n->inputs[1 - slot];
            if (!gate || gate->inputs[0].node != x.node || gate->inputs[0].index != x.index) continue;
            return sl_rewrite_is_sole(r, gate, n) && sl_rewrite_become(r, n, gates[g][1], &x, 1, NULL, 0);
        }
    return false;
}

bool sl_rule_sum_of_one(struct sl_rewrite *r, struct sl_node *n) {
    return n->n_inputs == 1 && sl_rewrite_replace(r, n, n->inputs[0]);
}

bool sl_rule_reduce_nothing(struct sl_rewrite *r, struct sl_node *n) {
    const struct sl_tensor *axes = sl_rewrite_constant(r, n->inputs[1]);
    return axes && axes->count == 0 && axes->rank <= 1 && sl_rewrite_replace(r, n, n->inputs[0]);
}

/* ---- matrices */

/* Whether `from` exchanges the last two of `rank` dims and leaves the others. */
static bool swaps_last_two(struct sl_rewrite *r, const struct sl_node *from) {
    const struct sl_tensor *perm = from ? sl_rewrite_integers(r, from->inputs[1]) : NULL;
    if (!perm || perm->rank != 1 || perm->count < 2) return false;
    for (int64_t i = 0; i < perm->count; i++) {
        int64_t wanted = i < perm->count - 2 ? i : i == perm->count - 1 ? i - 1 : i + 1;
        if (sl_rewrite_element(perm, i) != wanted) return false;
    }
    return true;
}

static bool take_transpose(struct sl_rewrite *r, struct sl_node *n, int64_t rank, const char *const names[2]) {
    struct sl_port in[2] = {n->inputs[0], n->inputs[1]};
    struct sl_attr more[2];
    int n_more = 0;
    for (int i = 0; i < 2; i++) {
        const struct sl_node *transpose = sl_rewrite_producer(n, i, SL_ROW_Transpose);
        if (!swaps_last_two(r, transpose)) continue;
        if (rank && sl_rewrite_constant(r, transpose->inputs[1])->count != rank) continue;
        in[i] = transpose->inputs[0];
        more[n_more++] = sl_rewrite_attr_bool(r, names[i], !sl_rewrite_attr_is(n, names[i], true));
    }
    return n_more && sl_rewrite_become(r, n, n->op->index, in, 2, more, n_more);
}

bool sl_rule_matmul_of_transpose(struct sl_rewrite *r, struct sl_node *n) {
    static const char *const names[2] = {"transpose_a", "transpose_b"};
    return take_transpose(r, n, 2, names);
}

/* adj_x of complex matrices conjugates too. */
bool sl_rule_batch_matmul_of_transpose(struct sl_rewrite *r, struct sl_node *n) {
    static const char *const names[2] = {"adj_x", "adj_y"};
    return sl_set_has(SL_SET_REAL, n->out_types[0]) && take_transpose(r, n, 0, names);
}
