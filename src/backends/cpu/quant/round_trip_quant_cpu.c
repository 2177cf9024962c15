/* QuantizeAndDequantize: rounds real numbers to those that quantised ones of a range can say; the range may be that
 * of the input, and be one for each slice of an axis. */
#include <math.h>
#include <string.h>

#include "backends/cpu/array/move.h"
#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/indices.h"
#include "backends/cpu/types.inc"
#include "base/alloc.h"

struct rounding {
    int64_t lowest, highest;
    bool half_up, clamps;
};

#define TYPES (FOR_FLOAT | FOR_DOUBLE)
#define BODY  "backends/cpu/quant/round_trip_quant.inc"
#include "backends/cpu/for_types.inc"

struct state {
    bool is_signed, is_given, is_narrow, half_up;
    int bits; /* 0: an input */
    int axis;
    double min, max; /* of the first version */
};

static sl_code read_bits(struct sl_error *err, const struct state *s, int64_t bits) {
    if (bits >= (s->is_signed ? 2 : 1) && bits <= (s->is_signed ? 62 : 63)) return SL_OK;
    return sl_fail(err, SL_INVALID_ARGUMENT, "num_bits is out of range: %lld with `signed_input_` %d", (long long)bits,
                   s->is_signed);
}

static sl_code read_attrs(struct state *s, struct sl_kernel_setup *setup) {
    struct sl_str mode;
    *s = (struct state){.axis = -1};
    SL_TRY(sl_attr_bool(&s->is_signed, setup->attrs, "signed_input", setup->err));
    SL_TRY(sl_attr_bool(&s->is_given, setup->attrs, "range_given", setup->err));
    if (setup->n_in != 4) {
        SL_TRY(sl_attr_int32(&s->bits, setup->attrs, "num_bits", setup->err));
        SL_TRY(read_bits(setup->err, s, s->bits));
    }
    if (setup->n_in == 1) {
        float min, max;
        SL_TRY(sl_attr_float(&min, setup->attrs, "input_min", setup->err));
        SL_TRY(sl_attr_float(&max, setup->attrs, "input_max", setup->err));
        s->min = (double)min;
        s->max = (double)max;
        if (s->is_given && min > max)
            return sl_fail(setup->err, SL_INVALID_ARGUMENT, "Invalid range: input_min %g > input_max %g", s->min,
                           s->max);
        return SL_OK;
    }
    SL_TRY(sl_attr_bool(&s->is_narrow, setup->attrs, "narrow_range", setup->err));
    SL_TRY(sl_attr_int32(&s->axis, setup->attrs, "axis", setup->err));
    if (setup->n_in == 4) return SL_OK;
    SL_TRY(sl_attr_string(&mode, setup->attrs, "round_mode", setup->err));
    s->half_up = sl_str_is(mode, "HALF_UP");
    return SL_OK;
}

static sl_code create(void **out, struct sl_kernel_setup *setup) {
    struct state s;
    SL_TRY(read_attrs(&s, setup));
    struct state *state = sl_malloc(sizeof *state);
    if (!state) return sl_fail_memory(setup->err, sizeof *state);
    *state = s;
    *out = state;
    return SL_OK;
}
static void destroy(void *state) { sl_free(state); }

/* The tensor as [outer, n, inner], a range for each of n. */
struct slices {
    struct sl_view x;
    int64_t outer, n, inner;
};
static sl_code slice(struct slices *s, struct sl_kernel_context *k, struct sl_view x, int axis) {
    *s = (struct slices){.x = x, .outer = 1, .n = 1, .inner = x.count};
    if (axis < -1 || axis >= x.rank)
        return sl_invalid(
            k, "Axis should be -1 or 0 or a positive value less than the rank %d, but given axis value was %d", x.rank,
            axis);
    if (axis < 0) return SL_OK;
    s->outer = sl_dims_product(x.dims, 0, axis);
    s->n = x.dims[axis];
    s->inner = sl_dims_product(x.dims, axis + 1, x.rank);
    return SL_OK;
}

static double number_at(struct sl_view v, int64_t i) {
    return v.dtype == SL_DOUBLE ? ((const double *)v.data)[i] : (double)((const float *)v.data)[i];
}

static sl_code check_ranges(struct sl_kernel_context *k, struct sl_view min, struct sl_view max, int64_t n, int axis) {
    int rank = axis >= 0;
    if (min.rank != rank || max.rank != rank || min.count != n || max.count != n)
        return sl_invalid(k, "Shape must be rank %d with %lld elements for the input range, got shapes %s and %s", rank,
                          (long long)n, SHAPE_OF(min), SHAPE_OF(max));
    return SL_OK;
}

static sl_code round_trip_run(struct sl_kernel_context *k) {
    const struct state *s = k->state;
    struct sl_view y, min = {0}, max = {0};
    struct slices l = {0};
    int64_t bits = s->bits;
    SL_TRY(slice(&l, k, sl_in(k, 0), s->axis));
    bool has_ranges = s->is_given && sl_in_count(k) > 1;
    if (sl_in_count(k) == 4) {
        struct sl_view in = sl_in(k, 3);
        if (in.rank)
            return sl_invalid(k, "Invalid shape. The `num_bits` tensor should be a scalar. Got dimensions: %d",
                              in.rank);
        bits = sl_index_at(in, 0);
        SL_TRY(read_bits(k->err, s, bits));
    }
    if (sl_in_count(k) == 4 && l.x.rank == 0)
        return sl_invalid(k, "Axis requested is larger than input dimensions. Axis: %d Input Dimensions: 0", s->axis);
    if (has_ranges) {
        min = sl_in(k, 1);
        max = sl_in(k, 2);
        if (sl_in_count(k) == 3 && min.rank) return sl_invalid(k, "input_min must be a scalar.");
        if (sl_in_count(k) == 3 && max.rank) return sl_invalid(k, "input_max must be a scalar.");
        SL_TRY(check_ranges(k, min, max, l.n, s->axis));
        for (int64_t c = 0; c < l.n; c++)
            if (number_at(min, c) > number_at(max, c))
                return sl_invalid(k, "Invalid range: input_min %g > input_max %g", number_at(min, c),
                                  number_at(max, c));
    }
    struct rounding r = {.half_up = s->half_up, .clamps = s->is_given};
    r.lowest = s->is_signed ? -(INT64_C(1) << (bits - 1)) + s->is_narrow : 0;
    r.highest = s->is_signed ? (INT64_C(1) << (bits - 1)) - 1 : (int64_t)((UINT64_C(1) << bits) - 1);
    SL_TRY(sl_out_new(&y, k, 0, sl_view_shape(l.x)));
    for (int64_t c = 0; c < l.n && l.x.count; c++) {
        const void *from = sl_element(l.x.data, l.x.dtype, c * l.inner);
        void *to = sl_element(y.data, y.dtype, c * l.inner);
        double low = has_ranges ? number_at(min, c) : s->min, high = has_ranges ? number_at(max, c) : s->max;
        bool is_double = l.x.dtype == SL_DOUBLE;
        if (!s->is_given)
            (is_double ? find_range_DOUBLE : find_range_FLOAT)(&low, &high, from, l.outer, l.inner, l.n * l.inner);
        (is_double ? round_trip_DOUBLE : round_trip_FLOAT)(to, from, l.outer, l.inner, l.n * l.inner, low, high, &r);
    }
    return SL_OK;
}

static sl_code grad_run(struct sl_kernel_context *k) {
    struct sl_view dy = sl_in(k, 0), x = sl_in(k, 1), min = sl_in(k, 2), max = sl_in(k, 3), dx, out;
    struct slices l = {0};
    int axis = (int)sl_state_number(k);
    SL_TRY(slice(&l, k, x, axis));
    if (!sl_same_shape(dy, x)) return sl_invalid(k, "gradient and input must be the same size");
    SL_TRY(check_ranges(k, min, max, l.n, axis));
    SL_TRY(sl_out_new(&dx, k, 0, sl_view_shape(x)));
    for (int o = 1; o < 3; o++) {
        SL_TRY(sl_out_new(&out, k, o, sl_view_shape(min)));
        sl_move_zero(k, out);
    }
    for (int64_t c = 0; c < l.n && x.count; c++) {
        int64_t at = c * l.inner;
        (x.dtype == SL_DOUBLE ? pass_DOUBLE : pass_FLOAT)(sl_element(dx.data, x.dtype, at),
                                                          sl_element(dy.data, x.dtype, at),
                                                          sl_element(x.data, x.dtype, at), l.outer, l.inner,
                                                          l.n * l.inner, number_at(min, c), number_at(max, c));
    }
    return SL_OK;
}
static sl_code grad_create(void **state, struct sl_kernel_setup *setup) {
    return sl_state_of_int(state, setup, "axis");
}

#define WIDE RULE("T", SL_SET(FLOAT) | SL_SET(DOUBLE))
/* clang-format off */
const struct sl_kernel_def sl_cpu_round_trip_quant_rows[] = {
    KERNEL("QuantizeAndDequantize", WIDE, .run = round_trip_run, .create = create, .destroy = destroy, .cost_element = 3)
    KERNEL("QuantizeAndDequantizeV2", WIDE, .run = round_trip_run, .create = create, .destroy = destroy, .cost_element = 3)
    KERNEL("QuantizeAndDequantizeV3", WIDE, .run = round_trip_run, .create = create, .destroy = destroy, .cost_element = 3)
    KERNEL("QuantizeAndDequantizeV4", WIDE, .run = round_trip_run, .create = create, .destroy = destroy, .cost_element = 3)
    KERNEL("QuantizeAndDequantizeV4Grad", WIDE, .run = grad_run, .create = grad_create, .cost_element = 2)
    SL_ROWS_END
};
/* clang-format on */
