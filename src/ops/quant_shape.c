/* Shape functions of quantised ops. Most are an op's like any other's with scalar ranges behind its inputs and
 * outputs. */
#include <inttypes.h>

#include "ops/shape_functions.h"

/* ---- ranges behind an op: inputs from `first` on are scalars, and so are the last two outputs */
static sl_code with_ranges(struct sl_shape_ctx *c, int first, sl_code (*shape)(struct sl_shape_ctx *c)) {
    SL_TRY(shape(c));
    SL_TRY(sl_infer_check_scalars(c, first, c->n_in - first));
    SL_TRY(sl_infer_set(c, c->n_out - 2, SL_SHAPE_SCALAR));
    return sl_infer_set(c, c->n_out - 1, SL_SHAPE_SCALAR);
}

sl_code sl_shape_quantized_unary(struct sl_shape_ctx *c) { return with_ranges(c, 1, sl_shape_unchanged_shape); }
sl_code sl_shape_quantized_binary(struct sl_shape_ctx *c) { return with_ranges(c, 2, sl_shape_broadcast_binary_shape); }
/* Ranges are not looked at. */
sl_code sl_shape_quantized_mul(struct sl_shape_ctx *c) {
    return with_ranges(c, c->n_in, sl_shape_broadcast_binary_shape);
}
sl_code sl_shape_quantized_matmul(struct sl_shape_ctx *c) { return with_ranges(c, 2, sl_shape_matmul); }
sl_code sl_shape_quantized_max_pool(struct sl_shape_ctx *c) { return with_ranges(c, 1, sl_shape_max_pool); }
sl_code sl_shape_quantized_avg_pool(struct sl_shape_ctx *c) { return with_ranges(c, 1, sl_shape_avg_pool); }
sl_code sl_shape_quantized_bias_add(struct sl_shape_ctx *c) { return with_ranges(c, 2, sl_shape_bias_add_v1); }
sl_code sl_shape_quantized_reshape(struct sl_shape_ctx *c) { return with_ranges(c, 2, sl_shape_reshape); }
SL_SHAPE_RULE(quantized_instance_norm, "[a,b,c,d] [] [] -> $0 [] []")
SL_SHAPE_RULE(quantized_range, "* [] [] -> [] []")
SL_SHAPE_RULE(quantized_batch_norm, "[a,b,c,n] * * [n] * * [n] * * [n] * * [n] * * -> [a,b,c,n] [] []")

sl_code sl_shape_quantized_concat(struct sl_shape_ctx *c) {
    int first, n;
    if (!sl_infer_arg(&first, &n, c, "values")) return sl_infer_fail(c, "QuantizedConcat needs values");
    struct sl_shape_ctx values = *c;
    values.n_in = first + n;
    SL_TRY(sl_shape_concat(&values));
    SL_TRY(sl_infer_check_scalars(c, first + n, c->n_in - first - n));
    SL_TRY(sl_infer_set(c, 1, SL_SHAPE_SCALAR));
    return sl_infer_set(c, 2, SL_SHAPE_SCALAR);
}

/* ---- ranges of the whole tensor (attr axis -1) or of each slice along an axis */
static sl_code check_axis_ranges(struct sl_shape *range, struct sl_shape_ctx *c, struct sl_shape in, int first) {
    struct sl_shape least;
    int64_t axis, n;
    SL_TRY(sl_infer_int(&axis, c, "axis"));
    if (axis < -1) return sl_infer_fail(c, "axis should be at least -1, got %" PRId64, axis);
    if (axis >= SL_MAX_RANK) return sl_infer_fail(c, "Axis cannot be >= %d, got %" PRId64, SL_MAX_RANK, axis);
    SL_TRY(sl_infer_with_rank(&least, c, sl_infer_in(c, first), axis == -1 ? 0 : 1));
    SL_TRY(sl_infer_with_rank(range, c, sl_infer_in(c, first + 1), axis == -1 ? 0 : 1));
    if (axis == -1) return SL_OK;
    SL_TRY(sl_infer_with_rank_at_least(&in, c, in, (int)axis + 1));
    return sl_infer_merge_dim(&n, c, sl_infer_dim(*range, 0), sl_infer_dim(in, (int)axis));
}

sl_code sl_shape_dequantize(struct sl_shape_ctx *c) {
    struct sl_shape range;
    int64_t axis;
    SL_TRY(sl_infer_int(&axis, c, "axis"));
    if (axis != -1 && axis >= sl_infer_in(c, 0).rank) /* an unknown rank is too small too */
        return sl_infer_fail(c, "Axis must be less than input dimension(%d), got %" PRId64, sl_infer_in(c, 0).rank,
                             axis);
    SL_TRY(check_axis_ranges(&range, c, sl_infer_in(c, 0), 1));
    return sl_infer_set(c, 0, sl_infer_in(c, 0));
}

sl_code sl_shape_quantize_v2(struct sl_shape_ctx *c) {
    struct sl_shape range;
    SL_TRY(check_axis_ranges(&range, c, sl_infer_in(c, 0), 1));
    SL_TRY(sl_infer_set(c, 0, sl_infer_in(c, 0)));
    SL_TRY(sl_infer_set(c, 1, range));
    return sl_infer_set(c, 2, range);
}

sl_code sl_shape_quantize_and_dequantize_v3(struct sl_shape_ctx *c) {
    SL_TRY(sl_infer_check_scalars(c, 3, 1));
    return sl_shape_dequantize(c);
}

/* Gradient, input, range: gradients of input and range. */
sl_code sl_shape_quantize_and_dequantize_grad(struct sl_shape_ctx *c) {
    struct sl_shape in, range;
    int64_t axis, n;
    SL_TRY(check_axis_ranges(&range, c, sl_infer_in(c, 0), 2));
    SL_TRY(sl_infer_int(&axis, c, "axis"));
    if (axis >= 0) /* here the smallest values count too */
        SL_TRY(
            sl_infer_merge_dim(&n, c, sl_infer_dim(sl_infer_in(c, 2), 0), sl_infer_dim(sl_infer_in(c, 0), (int)axis)));
    SL_TRY(sl_infer_merge(&in, c, sl_infer_in(c, 0), sl_infer_in(c, 1)));
    SL_TRY(sl_infer_set(c, 0, in));
    SL_TRY(sl_infer_set(c, 1, range));
    return sl_infer_set(c, 2, range);
}

/* ---- fake quantisation */
SL_SHAPE_RULE(fake_quant_vars, "x [] [] -> x")
SL_SHAPE_RULE(fake_quant_channels, "[s...,n] [n] [n] -> $0")
SL_SHAPE_RULE(fake_quant_vars_grad, "x x [] [] -> x [] []")

sl_code sl_shape_fake_quant_channels_grad(struct sl_shape_ctx *c) {
    struct sl_shape in, range;
    int64_t n;
    SL_TRY(sl_infer_merge(&in, c, sl_infer_in(c, 0), sl_infer_in(c, 1)));
    SL_TRY(sl_infer_with_rank_at_least(&in, c, in, 1));
    n = sl_infer_dim(in, -1);
    for (int i = 2; i < 4; i++) {
        SL_TRY(sl_infer_with_rank(&range, c, sl_infer_in(c, i), 1));
        SL_TRY(sl_infer_merge_dim(&n, c, n, range.dims[0]));
    }
    SL_TRY(sl_infer_set(c, 0, in));
    SL_TRY(sl_infer_set_dims(c, 1, 1, &n));
    return sl_infer_set_dims(c, 2, 1, &n);
}

/* ---- uniformly quantised: scales and zero points, scalars or vectors along an axis, stand behind the operands */
/* Scales and zero points at `at` and behind: scalars, or one for each slice of the operand along the axis that an
 * attr says. */
static sl_code check_scales(struct sl_shape_ctx *c, int at, int most, int64_t n) {
    struct sl_shape scales, zero_points;
    SL_TRY(sl_infer_with_rank_at_most(&scales, c, sl_infer_in(c, at), most));
    SL_TRY(sl_infer_with_rank_at_most(&zero_points, c, sl_infer_in(c, at + 1), most));
    if (scales.rank >= 0 && zero_points.rank >= 0 && scales.rank != zero_points.rank)
        return sl_infer_fail(c, "scales and zero_points must have same rank.");
    if (scales.rank != 1 || zero_points.rank != 1) return SL_OK;
    int64_t merged;
    SL_TRY(sl_infer_merge_dim(&merged, c, scales.dims[0], n));
    return sl_infer_merge_dim(&merged, c, zero_points.dims[0], n);
}

static sl_code uniform_dot(struct sl_shape_ctx *c, int rhs_scales) {
    struct sl_shape a, b;
    int64_t inner;
    SL_TRY(sl_infer_with_rank(&a, c, sl_infer_in(c, 0), 2));
    SL_TRY(sl_infer_with_rank(&b, c, sl_infer_in(c, 1), 2));
    SL_TRY(sl_infer_merge_dim(&inner, c, a.dims[1], b.dims[0]));
    SL_TRY(check_scales(c, rhs_scales, 1, b.dims[1]));
    if (rhs_scales > 2) {
        SL_TRY(check_scales(c, 2, 0, -1));
        SL_TRY(check_scales(c, 6, 1, b.dims[1]));
    }
    return sl_infer_set_dims(c, 0, 2, (int64_t[]){a.dims[0], b.dims[1]});
}

sl_code sl_shape_uniform_dot(struct sl_shape_ctx *c) { return uniform_dot(c, 4); }
sl_code sl_shape_uniform_dot_hybrid(struct sl_shape_ctx *c) { return uniform_dot(c, 2); }
