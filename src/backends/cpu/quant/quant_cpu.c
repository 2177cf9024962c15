/* Dequantize, QuantizeV2: between real numbers and quantised ones, of one range or of one for each slice of an axis. */
#include <float.h>
#include <math.h>

#include "backends/cpu/array/move.h"
#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/indices.h"
#include "backends/cpu/quant/quant.h"
#include "backends/cpu/quant/quantize_loops.h"
#include "base/alloc.h"
#include "tensor/float16.h"

enum mode { MIN_COMBINED, MIN_FIRST, SCALED };

struct state {
    enum mode mode;
    bool is_narrow, to_even;
    int axis;
    float least_range;
};

static sl_code create(void **out, struct sl_kernel_setup *setup) {
    struct sl_str mode, round_mode = {0};
    struct state s = {0};
    bool quantizes = setup->n_out == 3;
    SL_TRY(sl_attr_string(&mode, setup->attrs, "mode", setup->err));
    SL_TRY(sl_attr_bool(&s.is_narrow, setup->attrs, "narrow_range", setup->err));
    SL_TRY(sl_attr_int32(&s.axis, setup->attrs, "axis", setup->err));
    if (quantizes) {
        SL_TRY(sl_attr_string(&round_mode, setup->attrs, "round_mode", setup->err));
        SL_TRY(sl_attr_float(&s.least_range, setup->attrs, "ensure_minimum_range", setup->err));
    }
    s.mode = sl_str_is(mode, "MIN_COMBINED") ? MIN_COMBINED : sl_str_is(mode, "MIN_FIRST") ? MIN_FIRST : SCALED;
    s.to_even = sl_str_is(round_mode, "HALF_TO_EVEN");
    if (s.to_even && s.mode != SCALED)
        return sl_fail(setup->err, SL_INVALID_ARGUMENT,
                       "Round mode 'HALF_TO_EVEN' only supported for mode 'SCALED', but mode is '%.*s'.",
                       SL_STR_ARG(mode));
    if (!quantizes && setup->out_types[0] == SL_BFLOAT16 && s.mode != MIN_COMBINED)
        return sl_fail(setup->err, SL_INVALID_ARGUMENT,
                       "When output type is bfloat16, Mode string must be 'MIN_COMBINED', is '%.*s'", SL_STR_ARG(mode));
    if (!quantizes && s.mode == MIN_FIRST && s.axis != -1)
        return sl_fail(setup->err, SL_UNIMPLEMENTED,
                       "MIN_FIRST mode is not implemented for Dequantize with axis != -1.");
    struct state *state = sl_malloc(sizeof *state);
    if (!state) return sl_fail_memory(setup->err, sizeof *state);
    *state = s;
    *out = state;
    return SL_OK;
}
static void destroy(void *state) { sl_free(state); }

/* The tensor as [outer, slices, inner], a range for each slice. */
struct slices {
    struct sl_view x, y, min, max;
    int64_t outer, n, inner;
};

static sl_code slice(struct slices *s, struct sl_kernel_context *k, const struct state *state) {
    *s = (struct slices){.x = sl_in(k, 0), .min = sl_in(k, 1), .max = sl_in(k, 2), .outer = 1, .n = 1};
    if (state->axis < -1 || state->axis >= s->x.rank)
        return sl_invalid(k, "Axis must be less than input dimension(%d), got %d", s->x.rank, state->axis);
    s->inner = s->x.count;
    if (state->axis >= 0) {
        s->outer = sl_dims_product(s->x.dims, 0, state->axis);
        s->n = s->x.dims[state->axis];
        s->inner = sl_dims_product(s->x.dims, state->axis + 1, s->x.rank);
        if (s->min.rank != 1 || s->max.rank != 1)
            return sl_invalid(k, "Shape must be rank 1 for input 1 when the axis is specified, got shapes %s and %s",
                              SHAPE_OF(s->min), SHAPE_OF(s->max));
    }
    if (s->min.count != s->n || s->max.count != s->n)
        return sl_invalid(k, "input_min_range must have %lld elements, got %lld and %lld", (long long)s->n,
                          (long long)s->min.count, (long long)s->max.count);
    return SL_OK;
}

/* ---- Dequantize: y = q * scale + add, or, since rounding differs, y = (q + first) * scale + add */

struct line {
    float first, scale, add;
};

static struct line dequantize_line(struct sl_quant_range r, int dtype, const struct state *state) {
    float lowest = (float)sl_quant_lowest(dtype), highest = (float)sl_quant_highest(dtype);
    if (state->mode == SCALED) {
        float low = (float)(sl_quant_lowest(dtype) + state->is_narrow);
        return (struct line){.scale = lowest == 0 ? r.max / highest : fmaxf(r.min / low, r.max / highest)};
    }
    if (state->mode == MIN_COMBINED) {
        float first = lowest == 0 ? 0 : (highest - lowest + 1) / 2;
        return (struct line){.first = first, .scale = (r.max - r.min) / (highest - lowest), .add = r.min};
    }
    double steps = (double)(sl_quant_highest(dtype) - sl_quant_lowest(dtype));
    float scale = (float)((double)(r.max - r.min) / steps);
    float start = r.min == r.max ? r.min : roundf(r.min / scale) * scale;
    return (struct line){.scale = scale, .add = start - lowest * scale};
}

static sl_code dequantize_run(struct sl_kernel_context *k) {
    struct slices s;
    const struct state *state = k->state;
    SL_TRY(slice(&s, k, state));
    SL_TRY(sl_out_new(&s.y, k, 0, sl_view_shape(s.x)));
    for (int64_t c = 0; c < s.n; c++) {
        struct line l =
            dequantize_line((struct sl_quant_range){((const float *)s.min.data)[c], ((const float *)s.max.data)[c]},
                            s.x.dtype, state);
        for (int64_t o = 0; o < s.outer; o++)
            for (int64_t i = (o * s.n + c) * s.inner, end = i + s.inner; i < end; i++) {
                float y = ((float)sl_quant_get(s.x, i) + l.first) * l.scale + l.add;
                if (s.y.dtype == SL_FLOAT) ((float *)s.y.data)[i] = y;
                else ((sl_bfloat16 *)s.y.data)[i] = sl_bfloat16_of_float(y);
            }
    }
    return SL_OK;
}

/* ---- QuantizeV2 */

/* How numbers of a type are made of a range; in mode SCALED the range becomes what its numbers stand for. */
static struct sl_quantize_rule scaled_rule(struct sl_quant_range *r, int dtype, const struct state *state) {
    const float low = (float)(sl_quant_lowest(dtype) + state->is_narrow), high = (float)sl_quant_highest(dtype);
    const float by_min = low * r->min > 0 ? low / r->min : FLT_MAX,
                by_max = high * r->max > 0 ? high / r->max : FLT_MAX;
    const float scale = fminf(by_min, by_max);
    r->min = low / scale;
    r->max = high / scale;
    return (struct sl_quantize_rule){.way = state->to_even ? SL_QUANTIZE_SCALED_TO_EVEN : SL_QUANTIZE_SCALED,
                                     .min = r->min,
                                     .max = r->max,
                                     .scale = scale};
}
static struct sl_quantize_rule combined_rule(struct sl_quant_range r, int dtype) {
    const int64_t lowest = sl_quant_lowest(dtype), highest = sl_quant_highest(dtype);
    const float scale = (float)((double)(highest - lowest) / (double)(r.max - r.min));
    const bool fits = r.max - r.min <= FLT_MAX && scale <= FLT_MAX; /* then none is beyond an int32 or NaN */
    return (struct sl_quantize_rule){.way = lowest ? SL_QUANTIZE_SIGNED
                                            : fits ? SL_QUANTIZE_UNSIGNED_FITS
                                                   : SL_QUANTIZE_UNSIGNED,
                                     .min = r.min,
                                     .max = r.max,
                                     .scale = scale,
                                     .shift = (float)((double)(highest - lowest + 1) / 2)};
}
static struct sl_quantize_rule from_min_rule(struct sl_quant_range r, int dtype) {
    const float lowest = (float)sl_quant_lowest(dtype), highest = (float)sl_quant_highest(dtype);
    const double steps = (double)(sl_quant_highest(dtype) - sl_quant_lowest(dtype));
    const float scale = r.max == r.min ? 0 : (float)(steps / (double)(r.max - r.min));
    return (struct sl_quantize_rule){.way = SL_QUANTIZE_FROM_MIN,
                                     .min = lowest,
                                     .max = fminf(highest, 0x1.fffffep30f), /* the largest float that is an int32 */
                                     .scale = scale,
                                     .shift = roundf(r.min * scale) - lowest};
}
static struct sl_quantize_rule rule_of(struct sl_quant_range *r, int dtype, const struct state *state) {
    struct sl_quantize_rule rule = state->mode == SCALED         ? scaled_rule(r, dtype, state)
                                   : state->mode == MIN_COMBINED ? combined_rule(*r, dtype)
                                                                 : from_min_rule(*r, dtype);
    rule.size = (int)sl_dtype_size(dtype);
    return rule;
}

/* One slice, by several threads. */
struct quantizing {
    struct sl_quantize_rule rule;
    const float *x;
    char *y;
};
static void quantize_range(void *arg, int64_t begin, int64_t end) {
    const struct quantizing *q = arg;
    SL_ISA_PICK(sl_quantize_line)(q->y + begin * q->rule.size, q->x + begin, end - begin, &q->rule);
}

static sl_code quantize_run(struct sl_kernel_context *k) {
    struct slices s;
    const struct state *state = k->state;
    struct sl_view out_min, out_max;
    SL_TRY(slice(&s, k, state));
    for (int64_t c = 0; c < s.n; c++)
        if (((const float *)s.min.data)[c] > ((const float *)s.max.data)[c])
            return sl_invalid(k, "input_max_range must be larger than input_min_range.");
    SL_TRY(sl_out_new(&s.y, k, 0, sl_view_shape(s.x)));
    SL_TRY(sl_out_new(&out_min, k, 1, sl_view_shape(s.min)));
    SL_TRY(sl_out_new(&out_max, k, 2, sl_view_shape(s.min)));
    for (int64_t c = 0; c < s.n; c++) {
        float min = ((const float *)s.min.data)[c], max = ((const float *)s.max.data)[c];
        float least = fmaxf(1, fmaxf(fabsf(min), fabsf(max))) * state->least_range;
        struct sl_quant_range r = {.min = fminf(0, min)};
        r.max = fmaxf(0, fmaxf(max, r.min + least));
        struct quantizing q = {.rule = rule_of(&r, s.y.dtype, state)};
        for (int64_t o = 0; o < s.outer; o++) {
            const int64_t at = (o * s.n + c) * s.inner;
            q.x = (const float *)s.x.data + at;
            q.y = (char *)s.y.data + at * q.rule.size;
            sl_kernel_split(k, s.inner, 1, quantize_range, &q);
        }
        ((float *)out_min.data)[c] = r.min;
        ((float *)out_max.data)[c] = r.max;
    }
    return SL_OK;
}

#define QUANTIZED RULE("T", SL_SET_QUANTIZED)
/* clang-format off */
const struct sl_kernel_def sl_cpu_quant_rows[] = {
    KERNEL("Dequantize", QUANTIZED RULE("dtype", SL_SET(FLOAT) | SL_SET(BFLOAT16)), .run = dequantize_run, .create = create, .destroy = destroy, .cost_element = 2)
    KERNEL("QuantizeV2", QUANTIZED, .run = quantize_run, .create = create, .destroy = destroy, .cost_element = 3)
    SL_ROWS_END
};
/* clang-format on */
