/* Rules for batches: which op does for a stack what an op does for each of its values.
 *
 *   aligned    element by element, with broadcasting: stacks get ones behind their first dimension, up to the largest rank
 *   same       element by element, without: what is no stack is repeated
 *   reduced    sums along axes: the axes move by one
 *   shaped     Reshape, BroadcastTo, Tile: the list of sizes begins with that of the stack, or with 1
 *   permuted   Transpose
 *   product    MatMul, as BatchMatMulV2
 *   known      Shape: one for all
 *
 * All other ops run for each value by itself, and their outputs are stacked. What stacks are is known to no tape: it
 * records the ops that run. */
#include "tape/execute_batch.h"

#include "base/alloc.h"
#include "grad/sums.h"
#include "ops/op_row.h"

enum way { ONE_BY_ONE, ALIGNED, SAME, REDUCED, SHAPED, TILED, PERMUTED, PRODUCT, KNOWN };

/* Of one op under way. */
struct batch {
    struct sl_execute_emitter *e;
    const struct sl_op *op;
    const struct sl_attrs *bound;
    const struct sl_term *inputs;
    int n;
    struct sl_error *err;
};

static enum way way_of(const struct sl_op *op) {
    switch (op->index) {
    case SL_ROW_Add:
    case SL_ROW_AddV2:
    case SL_ROW_Sub:
    case SL_ROW_Mul:
    case SL_ROW_MulNoNan:
    case SL_ROW_Div:
    case SL_ROW_RealDiv:
    case SL_ROW_DivNoNan:
    case SL_ROW_Pow:
    case SL_ROW_Maximum:
    case SL_ROW_Minimum:
    case SL_ROW_Xdivy:
    case SL_ROW_Xlogy:
    case SL_ROW_SelectV2:
    case SL_ROW_Neg:
    case SL_ROW_Conj:
    case SL_ROW_Square:
    case SL_ROW_Exp:
    case SL_ROW_Log:
    case SL_ROW_Sqrt:
    case SL_ROW_Rsqrt:
    case SL_ROW_Reciprocal:
    case SL_ROW_Sin:
    case SL_ROW_Cos:
    case SL_ROW_Tanh:
    case SL_ROW_Sigmoid:
    case SL_ROW_Abs:
    case SL_ROW_Sign:
    case SL_ROW_Cast:
    case SL_ROW_Identity:
    case SL_ROW_StopGradient:
    case SL_ROW_ZerosLike:
    case SL_ROW_OnesLike:
    case SL_ROW_Real:
    case SL_ROW_Imag:
    case SL_ROW_BatchMatMulV2: return ALIGNED;
    case SL_ROW_AddN:
    case SL_ROW_ReluGrad:
    case SL_ROW_Relu6Grad:
    case SL_ROW_EluGrad:
    case SL_ROW_SeluGrad:
    case SL_ROW_LeakyReluGrad:
    case SL_ROW_SoftplusGrad:
    case SL_ROW_SoftsignGrad:
    case SL_ROW_TanhGrad:
    case SL_ROW_SigmoidGrad:
    case SL_ROW_SqrtGrad:
    case SL_ROW_RsqrtGrad:
    case SL_ROW_ReciprocalGrad: return SAME;
    case SL_ROW_Sum:
    case SL_ROW_Mean:
    case SL_ROW_Prod:
    case SL_ROW_Max:
    case SL_ROW_Min: return REDUCED;
    case SL_ROW_Reshape:
    case SL_ROW_BroadcastTo: return SHAPED;
    case SL_ROW_Tile: return TILED;
    case SL_ROW_Transpose: return PERMUTED;
    case SL_ROW_MatMul: return PRODUCT;
    case SL_ROW_Shape: return KNOWN;
    default: return ONE_BY_ONE;
    }
}

/* ---- ops as they are, stacks or not */
static sl_code emit(struct sl_term *out, struct batch *b, const char *op, const struct sl_term *inputs, int n,
                    const struct sl_attr *attrs, int n_attrs) {
    const struct sl_emission what = {sl_str_of(op), inputs, n, attrs, n_attrs};
    const int64_t batch = b->e->batch;
    b->e->batch = 0;
    sl_code code = b->e->base.add(out, &b->e->base, &what, b->err);
    b->e->batch = batch;
    return code;
}

static sl_code run(struct sl_term *out, struct batch *b, const struct sl_term *inputs) {
    const int64_t batch = b->e->batch;
    b->e->batch = 0;
    sl_code code = sl_execute(out, b->e, b->op, b->bound, inputs, b->n, b->err);
    b->e->batch = batch;
    if (code == SL_OK) sl_term_as_batch(*out, true);
    return code;
}

static sl_code numbers(struct sl_term *out, struct batch *b, int dtype, const int64_t *v, int n) {
    struct sl_tensor *t;
    const int64_t dims[] = {n};
    SL_TRY(sl_tensor_new(&t, dtype, (struct sl_shape){1, dims}, b->err));
    for (int i = 0; i < n; i++)
        if (dtype == SL_INT32) ((int32_t *)t->data)[i] = (int32_t)v[i];
        else ((int64_t *)t->data)[i] = v[i];
    sl_code code = b->e->base.literal(out, &b->e->base, t, b->err);
    sl_tensor_unref(t);
    return code;
}

/* The elements of an integer input that is no stack, at most SL_MAX_RANK; false when it is one, or has more. */
static bool read_numbers(int64_t *v, int *n, struct batch *b, int input) {
    const struct sl_term t = b->inputs[input];
    if (sl_term_is_batch(t) || sl_value_memory(&sl_term_value(t)->value)) return false;
    const struct sl_view view = sl_value_view(&sl_term_value(t)->value);
    if (view.count > SL_MAX_RANK - 2 || (view.dtype != SL_INT32 && view.dtype != SL_INT64)) return false;
    *n = (int)view.count;
    for (int i = 0; i < *n; i++)
        v[i] = view.dtype == SL_INT32 ? ((const int32_t *)view.data)[i] : ((const int64_t *)view.data)[i];
    return true;
}

static struct sl_shape shape_of(struct batch *b, struct sl_term t) { return b->e->base.shape(&b->e->base, t); }

/* A stack with ones behind its first dimension, so that each of its values has this rank. */
static sl_code raise_rank(struct sl_term *out, struct batch *b, struct sl_term t, int rank) {
    const struct sl_shape shape = shape_of(b, t);
    int64_t dims[SL_MAX_RANK];
    struct sl_term both[2] = {t};
    *out = t;
    if (shape.rank >= rank || rank + 1 > SL_MAX_RANK) return SL_OK;
    dims[0] = b->e->batch;
    for (int i = 0; i < rank - shape.rank; i++) dims[1 + i] = 1;
    for (int i = 0; i < shape.rank; i++) dims[1 + rank - shape.rank + i] = shape.dims[i];
    SL_TRY(numbers(&both[1], b, SL_INT64, dims, rank + 1));
    SL_TRY(emit(out, b, "Reshape", both, 2, NULL, 0));
    sl_term_as_batch(*out, true);
    return SL_OK;
}

/* ---- the rules */
static sl_code run_aligned(struct sl_term *out, struct batch *b) {
    struct sl_term *inputs = SL_ARENA_ARRAY(&b->e->room.scratch, struct sl_term, (size_t)b->n);
    int rank = 0;
    if (!inputs) return sl_fail_memory(b->err, sizeof *inputs);
    for (int i = 0; i < b->n; i++) {
        const struct sl_shape shape = shape_of(b, b->inputs[i]);
        if (shape.rank > rank) rank = shape.rank;
    }
    for (int i = 0; i < b->n; i++) {
        inputs[i] = b->inputs[i];
        if (sl_term_is_batch(inputs[i])) SL_TRY(raise_rank(&inputs[i], b, inputs[i], rank));
    }
    return run(out, b, inputs);
}

/* A value as a stack of the same. */
static sl_code repeat(struct sl_term *out, struct batch *b, struct sl_term t) {
    const struct sl_shape shape = shape_of(b, t);
    int64_t dims[SL_MAX_RANK];
    struct sl_term both[2] = {t};
    dims[0] = b->e->batch;
    for (int i = 0; i < shape.rank; i++) dims[1 + i] = shape.dims[i];
    SL_TRY(numbers(&both[1], b, SL_INT64, dims, shape.rank + 1));
    SL_TRY(emit(out, b, "BroadcastTo", both, 2, NULL, 0));
    sl_term_as_batch(*out, true);
    return SL_OK;
}

static sl_code run_same(struct sl_term *out, struct batch *b) {
    struct sl_term *inputs = SL_ARENA_ARRAY(&b->e->room.scratch, struct sl_term, (size_t)b->n);
    if (!inputs) return sl_fail_memory(b->err, sizeof *inputs);
    for (int i = 0; i < b->n; i++) {
        inputs[i] = b->inputs[i];
        if (!sl_term_is_batch(inputs[i])) SL_TRY(repeat(&inputs[i], b, inputs[i]));
    }
    return run(out, b, inputs);
}

/* With another second input. */
static sl_code run_with(struct sl_term *out, struct batch *b, struct sl_term first, const int64_t *v, int n) {
    struct sl_term inputs[2] = {first};
    SL_TRY(numbers(&inputs[1], b, sl_term_value(b->inputs[1])->value.dtype, v, n));
    return run(out, b, inputs);
}

static sl_code run_one_by_one(struct sl_term *out, struct batch *b);

static sl_code run_reduced(struct sl_term *out, struct batch *b) {
    int64_t axes[SL_MAX_RANK];
    int n;
    if (!read_numbers(axes, &n, b, 1)) return run_one_by_one(out, b);
    for (int i = 0; i < n; i++) axes[i] += axes[i] < 0 ? shape_of(b, b->inputs[0]).rank + 1 : 1;
    return run_with(out, b, b->inputs[0], axes, n);
}

static sl_code run_shaped(struct sl_term *out, struct batch *b, int64_t first) {
    int64_t dims[SL_MAX_RANK];
    int n;
    struct sl_term x = b->inputs[0];
    if (!read_numbers(dims + 1, &n, b, 1) || n + 1 > SL_MAX_RANK - 1) return run_one_by_one(out, b);
    if (b->op->index == SL_ROW_BroadcastTo) SL_TRY(raise_rank(&x, b, x, n));
    dims[0] = first;
    return run_with(out, b, x, dims, n + 1);
}

static sl_code run_permuted(struct sl_term *out, struct batch *b) {
    int64_t order[SL_MAX_RANK];
    int n;
    if (!read_numbers(order + 1, &n, b, 1) || n + 1 > SL_MAX_RANK - 1) return run_one_by_one(out, b);
    for (int i = 1; i <= n; i++) order[i] += order[i] < 0 ? n + 1 : 1;
    order[0] = 0;
    return run_with(out, b, b->inputs[0], order, n + 1);
}

/* Of complex numbers BatchMatMulV2 would take the conjugate, too. */
static sl_code run_product(struct sl_term *out, struct batch *b) {
    bool first = false, second = false;
    if (!sl_set_has(SL_SET_FLOATS, sl_term_value(b->inputs[0])->value.dtype)) return run_one_by_one(out, b);
    SL_TRY(sl_attr_bool(&first, b->bound, "transpose_a", b->err));
    SL_TRY(sl_attr_bool(&second, b->bound, "transpose_b", b->err));
    const struct sl_attr attrs[] = {{SL_STR("adj_x"), SL_ATTR_VALUE(b, first)},
                                    {SL_STR("adj_y"), SL_ATTR_VALUE(b, second)}};
    SL_TRY(emit(out, b, "BatchMatMulV2", b->inputs, 2, attrs, 2));
    sl_term_as_batch(*out, true);
    return SL_OK;
}

static sl_code run_known(struct sl_term *out, struct batch *b) {
    const struct sl_shape shape = shape_of(b, b->inputs[0]);
    int type = SL_INT32;
    SL_TRY(sl_attr_type(&type, b->bound, "out_type", b->err));
    return numbers(out, b, type, shape.dims, shape.rank);
}

/* ---- one by one */
static sl_code check_stackable(struct batch *b, struct sl_term t) {
    const int dtype = sl_term_value(t)->value.dtype;
    if (dtype != SL_VARIANT && dtype != SL_RESOURCE) return SL_OK;
    return sl_fail(b->err, SL_UNIMPLEMENTED, "Op %.*s for many values at once: values of type %s are not stacked",
                   SL_STR_ARG(b->op->name), sl_dtype_name(dtype));
}

/* The values of each input that is a stack, as outputs of one term each. */
static sl_code take_apart(struct sl_term *parts, struct batch *b) {
    const struct sl_attr attrs[] = {{SL_STR("num"), SL_ATTR_VALUE(i, b->e->batch)}};
    for (int i = 0; i < b->n; i++) {
        if (!sl_term_is_batch(b->inputs[i])) continue;
        SL_TRY(check_stackable(b, b->inputs[i]));
        SL_TRY(emit(&parts[i], b, "Unpack", &b->inputs[i], 1, attrs, 1));
    }
    return SL_OK;
}

/* Stacks of the outputs of all runs, as one term. */
static sl_code stack(struct sl_term *out, struct batch *b, const struct sl_term *runs) {
    const int n_out = ((const struct sl_outcome *)runs[0].of)->n;
    struct sl_term *each = SL_ARENA_ARRAY(&b->e->room.scratch, struct sl_term, (size_t)b->e->batch), packed;
    struct sl_traced *values = SL_ARENA_ARRAY(&b->e->room.scratch, struct sl_traced, (size_t)n_out + 1);
    if (!each || !values) return sl_fail_memory(b->err, (size_t)b->e->batch * sizeof *each);
    for (int o = 0; o < n_out; o++) {
        for (int64_t k = 0; k < b->e->batch; k++) each[k] = (struct sl_term){runs[k].of, o};
        SL_TRY(check_stackable(b, each[0]));
        SL_TRY(emit(&packed, b, "Pack", each, (int)b->e->batch, NULL, 0));
        values[o] = *sl_term_value(packed);
    }
    SL_TRY(sl_execute_bring(out, b->e, values, NULL, n_out, b->err));
    sl_term_as_batch(*out, true);
    return SL_OK;
}

static sl_code run_one_by_one(struct sl_term *out, struct batch *b) {
    struct sl_arena *arena = &b->e->room.scratch;
    struct sl_term *parts = SL_ARENA_ARRAY(arena, struct sl_term, (size_t)b->n);
    struct sl_term *runs = SL_ARENA_ARRAY(arena, struct sl_term, (size_t)b->e->batch);
    if (!parts || !runs) return sl_fail_memory(b->err, (size_t)b->e->batch * sizeof *runs);
    SL_TRY(take_apart(parts, b));
    for (int64_t k = 0; k < b->e->batch; k++) {
        struct sl_term *inputs = SL_ARENA_ARRAY(arena, struct sl_term, (size_t)b->n);
        if (!inputs) return sl_fail_memory(b->err, (size_t)b->n * sizeof *inputs);
        for (int i = 0; i < b->n; i++)
            inputs[i] = sl_term_is(parts[i]) ? (struct sl_term){parts[i].of, (int)k} : b->inputs[i];
        SL_TRY(run(&runs[k], b, inputs));
        sl_term_as_batch(runs[k], false);
    }
    return stack(out, b, runs);
}

sl_code sl_execute_batch(struct sl_term *out, struct sl_execute_emitter *e, const struct sl_op *op,
                         const struct sl_attrs *bound, const struct sl_term *inputs, int n, struct sl_error *err) {
    struct batch b = {e, op, bound, inputs, n, err};
    const bool is_first = sl_term_is_batch(inputs[0]);
    switch (way_of(op)) {
    case ALIGNED: return run_aligned(out, &b);
    case SAME: return run_same(out, &b);
    case REDUCED: return is_first ? run_reduced(out, &b) : run_one_by_one(out, &b);
    case SHAPED: return is_first ? run_shaped(out, &b, e->batch) : run_one_by_one(out, &b);
    case TILED: return is_first ? run_shaped(out, &b, 1) : run_one_by_one(out, &b);
    case PERMUTED: return is_first ? run_permuted(out, &b) : run_one_by_one(out, &b);
    case PRODUCT: return run_product(out, &b);
    case KNOWN: return run_known(out, &b);
    default: return run_one_by_one(out, &b);
    }
}
