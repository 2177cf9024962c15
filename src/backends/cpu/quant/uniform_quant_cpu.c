/* Uniform quantisation: an integer q stands for (q - zero) * scale, with one scale and zero for the tensor or for
 * each slice of an axis. Between two such schemes numbers go by a factor of fixed point (B. Jacob et al.,
 * "Quantization and training of neural networks for efficient integer-arithmetic-only inference", 2018), rounded
 * half up. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/indices.h"
#include "backends/cpu/math/broadcast_map.h"
#include "backends/cpu/quant/quant.h"
#include "base/alloc.h"

enum { OPERANDS = 3 }; /* of an op: those that it reads, then the one that it makes */

struct state {
    int axis[OPERANDS]; /* -1: one scale for the tensor */
    int32_t min, max;   /* of the result */
};

/* ---- schemes */

struct scheme {
    const float *scales;
    const int32_t *zeros;
    int64_t n; /* 1, or the length of the axis */
    int axis;
};

static sl_code read_attrs(struct state *s, const char *const *prefixes, struct sl_kernel_setup *setup) {
    char name[64];
    const char *last = "";
    for (int i = 0; prefixes[i]; i++) {
        last = prefixes[i];
        snprintf(name, sizeof name, "%squantization_axis", last);
        SL_TRY(sl_attr_int32(&s->axis[i], setup->attrs, name, setup->err));
        if (s->axis[i] < -1)
            return sl_fail(setup->err, SL_INVALID_ARGUMENT, "%s must be >= -1, given: %d", name, s->axis[i]);
    }
    if (setup->out_types[0] == SL_FLOAT) return SL_OK; /* what is not quantized has no limits */
    snprintf(name, sizeof name, "%squantization_min_val", last);
    SL_TRY(sl_attr_int32(&s->min, setup->attrs, name, setup->err));
    snprintf(name, sizeof name, "%squantization_max_val", last);
    return sl_attr_int32(&s->max, setup->attrs, name, setup->err);
}
static sl_code create(void **state, struct sl_kernel_setup *setup) {
    struct state *s = sl_calloc(1, sizeof *s);
    if (!s) return sl_fail_memory(setup->err, sizeof *s);
    sl_code code = read_attrs(s, setup->def->data, setup);
    if (code == SL_OK) *state = s;
    else sl_free(s);
    return code;
}
static void destroy(void *state) { sl_free(state); }

/* The scheme in inputs `scales` and `scales + 1`, of a tensor of this shape. */
static sl_code scheme_in(struct scheme *s, struct sl_kernel_context *k, int scales_at, int axis, struct sl_shape of) {
    struct sl_view scales = sl_in(k, scales_at), zeros = sl_in(k, scales_at + 1);
    if (!sl_same_shape(scales, zeros))
        return sl_invalid(
            k, "scales and zero_points shape must be same, but given scales shape %s and zero_points shape %s",
            SHAPE_OF(scales), SHAPE_OF(zeros));
    if (axis < -1 || axis >= of.rank)
        return sl_invalid(k, "quantization_axis must be -1 or in range [0, input.rank), but given %d", axis);
    if (axis == -1 && scales.rank)
        return sl_invalid(k,
                          "If quantization_axis is -1, scales and zero_points must be scalar tensors, but given scales "
                          "shape %s and zero_points shape %s",
                          SHAPE_OF(scales), SHAPE_OF(zeros));
    if (axis >= 0 && (scales.rank != 1 || scales.count != of.dims[axis]))
        return sl_invalid(k,
                          "If quantization_axis is not -1, scales and zero_points must be a tensor of rank 1 and the "
                          "size must be equal to the input.dim_size(quantization_axis), but given quantization_axis "
                          "%d, scales shape %s and zero_points shape %s",
                          axis, SHAPE_OF(scales), SHAPE_OF(zeros));
    *s = (struct scheme){.scales = scales.data, .zeros = zeros.data, .n = scales.count, .axis = axis};
    return SL_OK;
}
static sl_code check_positive(struct sl_kernel_context *k, const struct scheme *s, const char *what) {
    for (int64_t i = 0; i < s->n; i++)
        if (!(s->scales[i] > 0)) return sl_invalid(k, "%s scales elements must be all positive.", what);
    return SL_OK;
}

/* How many elements in a row have one scale. */
static int64_t stretch_of(const struct scheme *s, struct sl_shape shape) {
    int64_t n = 1;
    for (int d = s->axis + 1; d < shape.rank; d++) n *= shape.dims[d];
    return n ? n : 1;
}

static int32_t wrapping_add(int32_t a, int32_t b) { return (int32_t)((uint32_t)a + (uint32_t)b); }
static int32_t wrapping_sub(int32_t a, int32_t b) { return (int32_t)((uint32_t)a - (uint32_t)b); }
static int64_t clamp(int64_t x, int64_t min, int64_t max) {
    if (x > max) x = max;
    return x < min ? min : x;
}
/* As a conversion of the machine does: what does not fit is the lowest integer. */
static int32_t to_int32(float x) { return x >= -0x1p31f && x < 0x1p31f ? (int32_t)x : INT32_MIN; }
/* A number as an element, cut to the element's bits. */
static void put(struct sl_view v, int64_t i, int64_t q) {
    if (v.dtype == SL_QINT32) ((int32_t *)v.data)[i] = (int32_t)q;
    else ((uint8_t *)v.data)[i] = (uint8_t)q;
}

/* ---- real numbers */

static sl_code quantize_run(struct sl_kernel_context *k) {
    const struct state *state = k->state;
    struct sl_view in = sl_in(k, 0), out;
    struct scheme s;
    SL_TRY(scheme_in(&s, k, 1, state->axis[0], sl_view_shape(in)));
    SL_TRY(sl_out_new(&out, k, 0, sl_view_shape(in)));
    const int64_t stretch = s.n > 1 ? stretch_of(&s, sl_view_shape(in)) : 1;
    for (int64_t i = 0; i < in.count; i++) {
        const int64_t c = i / stretch % s.n;
        const float x = floorf(((const float *)in.data)[i] * (1 / s.scales[c]) + 0.5f);
        put(out, i, clamp(wrapping_add(to_int32(x), s.zeros[c]), state->min, state->max));
    }
    return SL_OK;
}

static sl_code dequantize_run(struct sl_kernel_context *k) {
    const struct state *state = k->state;
    struct sl_view in = sl_in(k, 0), out;
    struct scheme s;
    SL_TRY(scheme_in(&s, k, 1, state->axis[0], sl_view_shape(in)));
    SL_TRY(check_positive(k, &s, "rhs"));
    SL_TRY(sl_out_new(&out, k, 0, sl_view_shape(in)));
    const int64_t stretch = s.n > 1 ? stretch_of(&s, sl_view_shape(in)) : 1;
    for (int64_t i = 0; i < in.count; i++) {
        const int64_t c = i / stretch % s.n;
        ((float *)out.data)[i] = (float)wrapping_sub((int32_t)sl_quant_get(in, i), s.zeros[c]) * s.scales[c];
    }
    return SL_OK;
}

/* ---- from one scheme to another */

struct factor { /* whole / 2^31 * 2^shift */
    int32_t whole;
    int shift;
};
static sl_code factor_of(struct factor *f, double x, struct sl_kernel_context *k) {
    if (!(x > 0) || isinf(x)) return sl_invalid(k, "double_multiplier must be a poisitive finite number. Given %g", x);
    int64_t whole = (int64_t)round(frexp(x, &f->shift) * 0x1p31);
    if (whole == (int64_t)1 << 31) {
        whole /= 2;
        f->shift++;
    }
    if (f->shift < -31) whole = f->shift = 0;
    if (f->shift > 30) {
        whole = INT32_MAX;
        f->shift = 30;
    }
    f->whole = (int32_t)whole;
    return SL_OK;
}
static int32_t scaled(int32_t x, struct factor f) {
    const int down = 31 - f.shift;
    const int64_t product = (int64_t)x * f.whole, half = (int64_t)1 << (down - 1);
    return (int32_t)clamp(product / 2 > INT64_MAX / 2 - half ? INT64_MAX >> down : (product + half) >> down, INT32_MIN,
                          INT32_MAX);
}

/* Numbers of `from` as numbers of `to`; both have the same axis, or one has none. */
struct change {
    struct scheme from, to;
    int64_t n;
    struct factor *factors; /* [n], scratch */
};
static sl_code change_open(struct change *c, struct sl_kernel_context *k) {
    c->n = c->from.n > c->to.n ? c->from.n : c->to.n;
    if (c->from.n == 0 || c->to.n == 0) c->n = 0;
    c->factors = sl_scratch_new((size_t)c->n * sizeof *c->factors);
    if (!c->factors) return sl_fail_memory(k->err, (size_t)c->n * sizeof *c->factors);
    for (int64_t i = 0; i < c->n; i++) {
        const double from = (double)c->from.scales[c->from.n > 1 ? i : 0],
                     to = (double)c->to.scales[c->to.n > 1 ? i : 0];
        SL_TRY(factor_of(&c->factors[i], from / to, k));
    }
    return SL_OK;
}
static void change_close(struct change *c) {
    if (c->factors) sl_scratch_free(c->factors, (size_t)c->n * sizeof *c->factors);
}
/* What q of slice `i` becomes, without the new zero. TensorFlow takes both numbers through float, which shows from
 * 2^24 on. */
static int32_t changed(const struct change *c, int32_t q, int64_t i) {
    const int32_t x = wrapping_sub(to_int32((float)q), c->from.zeros[c->from.n > 1 ? i : 0]);
    const float y = (float)scaled(x, c->factors[c->n > 1 ? i : 0]);
    return y >= 0x1p31f ? INT32_MAX : (int32_t)y;
}
static int32_t new_zero(const struct change *c, int64_t i) { return c->to.zeros[c->to.n > 1 ? i : 0]; }

static sl_code requantize(struct sl_kernel_context *k, struct change *c, struct sl_view in) {
    const struct state *state = k->state;
    struct sl_view out;
    SL_TRY(sl_out_new(&out, k, 0, sl_view_shape(in)));
    if (in.count == 0) return SL_OK;
    SL_TRY(change_open(c, k));
    const int64_t stretch = stretch_of(c->from.axis >= 0 ? &c->from : &c->to, sl_view_shape(in));
    for (int64_t i = 0; i < in.count; i++) {
        const int64_t at = i / stretch % c->n;
        const int32_t q = changed(c, (int32_t)sl_quant_get(in, i), at);
        put(out, i, clamp(wrapping_add(q, new_zero(c, at)), state->min, state->max));
    }
    return SL_OK;
}
static sl_code requantize_run(struct sl_kernel_context *k) {
    const struct state *state = k->state;
    struct sl_view in = sl_in(k, 0);
    struct change c = {.factors = NULL};
    SL_TRY(scheme_in(&c.from, k, 1, state->axis[0], sl_view_shape(in)));
    SL_TRY(scheme_in(&c.to, k, 3, state->axis[1], sl_view_shape(in)));
    if (c.from.axis >= 0 && c.to.axis >= 0 && c.from.axis != c.to.axis)
        return sl_invalid(k, "If input and output is both per-axis quantized, the quantization axis must be same.");
    SL_TRY(check_positive(k, &c.from, "input/output"));
    SL_TRY(check_positive(k, &c.to, "input/output"));
    sl_code code = requantize(k, &c, in);
    change_close(&c);
    return code;
}

/* ---- sums */

struct addend {
    struct sl_view in;
    struct change change;
    int64_t strides[SL_MAX_RANK]; /* by dims of the sum; 0 where it broadcasts */
    int dim;                      /* of the sum: whose coordinate is the slice; -1: there is one slice */
};

static sl_code addend_in(struct addend *a, struct sl_kernel_context *k, int which, const struct scheme *to,
                         struct sl_shape sum) {
    const struct state *state = k->state;
    static const char *const names[] = {"lhs", "rhs"};
    a->in = sl_in(k, which);
    a->change.to = *to;
    const int missing = sum.rank - a->in.rank;
    SL_TRY(scheme_in(&a->change.from, k, 2 + 2 * which, state->axis[which], sl_view_shape(a->in)));
    a->dim = a->change.from.axis < 0 ? -1 : a->change.from.axis + missing;
    if (a->dim >= 0 && to->axis >= 0 && a->dim != to->axis)
        return sl_invalid(k, "If %s and output is both per-axis quantized, the quantization axis must match.",
                          names[which]);
    if (a->dim < 0) a->dim = to->axis;
    int64_t stride = 1;
    for (int d = sum.rank - 1; d >= 0; d--) {
        const int64_t n = d < missing ? 1 : a->in.dims[d - missing];
        a->strides[d] = n == 1 ? 0 : stride;
        stride *= n;
    }
    return change_open(&a->change, k);
}
static int32_t addend_at(const struct addend *a, const int64_t *index, int rank, int64_t *slice) {
    int64_t at = 0;
    for (int d = 0; d < rank; d++) at += index[d] * a->strides[d];
    *slice = a->dim < 0 ? 0 : index[a->dim];
    return changed(&a->change, ((const int32_t *)a->in.data)[at], *slice);
}

static void add_all(struct sl_view out, const struct addend *a, const struct addend *b, const struct state *state) {
    int64_t index[SL_MAX_RANK] = {0}, slice;
    for (int64_t i = 0; i < out.count; i++) {
        int32_t sum = wrapping_add(addend_at(a, index, out.rank, &slice), addend_at(b, index, out.rank, &slice));
        const struct scheme *to = &a->change.to;
        sum = wrapping_add(sum, to->zeros[to->axis < 0 ? 0 : index[to->axis]]);
        put(out, i, clamp(sum, state->min, state->max));
        for (int d = out.rank - 1; d >= 0 && ++index[d] == out.dims[d]; d--) index[d] = 0;
    }
}

static sl_code add_run(struct sl_kernel_context *k) {
    const struct state *state = k->state;
    struct sl_view lhs = sl_in(k, 0), rhs = sl_in(k, 1), out;
    const struct sl_broadcast_map_input in[] = {sl_broadcast_map_input(lhs), sl_broadcast_map_input(rhs)};
    struct addend a = {.dim = -1}, b = {.dim = -1};
    struct sl_shape shape;
    int64_t dims[SL_MAX_RANK];
    struct scheme to;
    if (!sl_broadcast_map_shape(&shape, dims, in, 2))
        return sl_invalid(k, "Cannot Add tensors of shapes: %s%s", SHAPE_OF(lhs), SHAPE_OF(rhs));
    SL_TRY(scheme_in(&to, k, 6, state->axis[2], shape));
    SL_TRY(sl_out_new(&out, k, 0, shape));
    sl_code code = addend_in(&a, k, 0, &to, shape);
    if (code == SL_OK) code = addend_in(&b, k, 1, &to, shape);
    if (code == SL_OK) add_all(out, &a, &b, state);
    change_close(&a.change);
    change_close(&b.change);
    return code;
}

static sl_code clip_run(struct sl_kernel_context *k) {
    static const char *const names[] = {"min", "max"};
    const struct state *state = k->state;
    struct sl_view in = sl_in(k, 0), out;
    struct scheme s;
    SL_TRY(scheme_in(&s, k, 3, state->axis[0], sl_view_shape(in)));
    for (int i = 0; i < 2; i++)
        if (!sl_same_shape(sl_in(k, 1 + i), sl_in(k, 3)))
            return sl_invalid(k,
                              "Input %s shape must be same as scales/zero_points. Given %s of shape %s and "
                              "scales/zero_points of shape %s",
                              names[i], names[i], SHAPE_OF(sl_in(k, 1 + i)), SHAPE_OF(sl_in(k, 3)));
    SL_TRY(sl_out_new(&out, k, 0, sl_view_shape(in)));
    const int32_t *min = sl_in(k, 1).data, *max = sl_in(k, 2).data;
    const int64_t stretch = s.n > 1 ? stretch_of(&s, sl_view_shape(in)) : 1;
    for (int64_t i = 0; i < in.count; i++) {
        const int64_t c = i / stretch % s.n;
        int32_t q = ((const int32_t *)in.data)[i];
        if (q < min[c]) q = min[c];
        ((int32_t *)out.data)[i] = q > max[c] ? max[c] : q;
    }
    return SL_OK;
}

/* ---- products of matrices */

static sl_code check_matrices(struct sl_kernel_context *k, struct sl_view lhs, struct sl_view rhs) {
    if (lhs.rank != 2) return sl_invalid(k, "lhs rank must be 2, but given lhs shape %s", SHAPE_OF(lhs));
    if (rhs.rank != 2) return sl_invalid(k, "rhs rank must be 2, but given rhs shape %s", SHAPE_OF(rhs));
    if (lhs.dims[1] == rhs.dims[0]) return SL_OK;
    return sl_invalid(k, "lhs.dim_size(1) and rhs.dim_size(0) must be equal, but given lhs shape %s and rhs shape %s",
                      SHAPE_OF(lhs), SHAPE_OF(rhs));
}

static sl_code axis_create(void **state, struct sl_kernel_setup *setup) {
    static const char *const names[] = {"lhs", "rhs", "output"};
    const bool is_hybrid = setup->n_in == 4; /* only the right side has a scheme */
    struct state *s;
    SL_TRY(create((void **)&s, setup));
    sl_code code = SL_OK;
    for (int i = 0; i < (is_hybrid ? 1 : OPERANDS) && code == SL_OK; i++) {
        const bool is_lhs = !is_hybrid && i == 0;
        const char *name = names[is_hybrid ? 1 : i];
        if (is_lhs && s->axis[i] != -1)
            code = sl_fail(setup->err, SL_INVALID_ARGUMENT, "lhs_quantization_axis Attr must be -1 (per-tensor).");
        else if (s->axis[i] != -1 && s->axis[i] != 1)
            code = sl_fail(setup->err, SL_INVALID_ARGUMENT,
                           "%s_quantization_axis Attr must be 1 (per-channel) or -1 (per-tensor).", name);
    }
    if (code == SL_OK) *state = s;
    else destroy(s);
    return code;
}

struct dot {
    struct sl_view lhs, rhs, out;
    struct scheme l, r, to;
    struct factor *factors; /* [columns] */
    const struct state *state;
};

static void dot_rows(void *arg, int64_t begin, int64_t end) {
    const struct dot *d = arg;
    const int64_t depth = d->lhs.dims[1], columns = d->rhs.dims[1];
    for (int64_t row = begin; row < end; row++)
        for (int64_t c = 0; c < columns; c++) {
            const int32_t l_zero = d->l.zeros[0], r_zero = d->r.zeros[d->r.n > 1 ? c : 0];
            int64_t sum = 0;
            for (int64_t j = 0; j < depth; j++)
                sum += (int64_t)wrapping_sub(((const int8_t *)d->lhs.data)[row * depth + j], l_zero) *
                       wrapping_sub(((const int8_t *)d->rhs.data)[j * columns + c], r_zero);
            const int32_t q = scaled((int32_t)clamp(sum, INT32_MIN, INT32_MAX), d->factors[c]);
            put(d->out, row * columns + c,
                clamp(wrapping_add(q, d->to.zeros[d->to.n > 1 ? c : 0]), d->state->min, d->state->max));
        }
}

static sl_code dot_run(struct sl_kernel_context *k) {
    const struct state *state = k->state;
    struct dot d = {.lhs = sl_in(k, 0), .rhs = sl_in(k, 1), .state = state};
    SL_TRY(check_matrices(k, d.lhs, d.rhs));
    const int64_t dims[] = {d.lhs.dims[0], d.rhs.dims[1]};
    const struct sl_shape shape = {2, dims};
    SL_TRY(scheme_in(&d.l, k, 2, -1, sl_view_shape(d.lhs)));
    SL_TRY(scheme_in(&d.r, k, 4, state->axis[1], sl_view_shape(d.rhs)));
    SL_TRY(scheme_in(&d.to, k, 6, state->axis[2], shape));
    if (d.r.axis < 0 && d.to.axis >= 0)
        return sl_invalid(k,
                          "If rhs is per-tensor quantized, output must be also per-tensor quantized. Given rhs scales "
                          "and zero_points of shape %s but given output scales and zero_points of shape %s",
                          SHAPE_OF(sl_in(k, 4)), SHAPE_OF(sl_in(k, 6)));
    SL_TRY(check_positive(k, &d.l, "lhs"));
    SL_TRY(check_positive(k, &d.r, "rhs"));
    SL_TRY(check_positive(k, &d.to, "output"));
    SL_TRY(sl_out_new(&d.out, k, 0, shape));
    if (d.out.count == 0) return SL_OK;
    const size_t bytes = (size_t)dims[1] * sizeof *d.factors;
    d.factors = sl_scratch_new(bytes);
    if (!d.factors) return sl_fail_memory(k->err, bytes);
    sl_code code = SL_OK;
    for (int64_t c = 0; c < dims[1] && code == SL_OK; c++) {
        const double r = (double)d.r.scales[d.r.n > 1 ? c : 0], to = (double)d.to.scales[d.to.n > 1 ? c : 0];
        code = factor_of(&d.factors[c], (double)d.l.scales[0] * r / to, k);
    }
    if (code == SL_OK) sl_kernel_split(k, dims[0], (double)(d.lhs.dims[1] * dims[1]), dot_rows, &d);
    sl_scratch_free(d.factors, bytes);
    return code;
}

/* A scheme of 8 bits that has all of x[0 ... n) and 0; false when they are all 0, or no numbers. `*steps`: integers
 * for a one. */
static bool fit_scheme(float *scale, float *steps, int32_t *zero, const float *x, int64_t n) {
    float min = 0, max = 0;
    for (int64_t i = 0; i < n; i++) {
        if (isnan(x[i])) return false;
        if (x[i] < min) min = x[i];
        if (x[i] > max) max = x[i];
    }
    *scale = (max - min) / 255;
    *steps = 255 / (max - min);
    if (!(*scale > 0)) return false;
    const float from_min = -128 - min / *scale, from_max = 127 - max / *scale;
    const bool by_min = 128 + fabsf(min / *scale) < 127 + fabsf(max / *scale);
    const float z = by_min ? from_min : from_max;
    *zero = isnan(z) ? 0 : z <= -128 ? -128 : z >= 127 ? 127 : (int32_t)roundf(z);
    return true;
}

/* Rows of the left side become integers of a scheme of their own, in `row`. */
static void hybrid_rows(struct sl_view out, struct sl_view lhs, struct sl_view rhs, const struct scheme *r,
                        int32_t *row) {
    const int64_t depth = lhs.dims[1], columns = rhs.dims[1];
    for (int64_t i = 0; i < lhs.dims[0]; i++) {
        const float *x = (const float *)lhs.data + i * depth;
        float scale = 0, steps = 0, *y = (float *)out.data + i * columns;
        int32_t zero = 0;
        const bool has_scheme = fit_scheme(&scale, &steps, &zero, x, depth);
        for (int64_t j = 0; has_scheme && j < depth; j++)
            row[j] = (int32_t)clamp(wrapping_add(to_int32(floorf(x[j] * steps + 0.5f)), zero), -128, 127) - zero;
        for (int64_t c = 0; c < columns; c++) {
            const int64_t at = r->n > 1 ? c : 0;
            uint32_t sum = 0;
            for (int64_t j = 0; has_scheme && j < depth; j++)
                sum += (uint32_t)row[j] * (uint32_t)(((const int8_t *)rhs.data)[j * columns + c] - r->zeros[at]);
            y[c] = has_scheme ? (float)(int32_t)sum * scale * r->scales[at] : 0;
        }
    }
}

static sl_code hybrid_run(struct sl_kernel_context *k) {
    const struct state *state = k->state;
    struct sl_view lhs = sl_in(k, 0), rhs = sl_in(k, 1), out;
    struct scheme r;
    SL_TRY(check_matrices(k, lhs, rhs));
    SL_TRY(scheme_in(&r, k, 2, state->axis[0], sl_view_shape(rhs)));
    SL_TRY(check_positive(k, &r, "rhs"));
    SL_TRY(sl_out_new(&out, k, 0, (struct sl_shape){2, (int64_t[]){lhs.dims[0], rhs.dims[1]}}));
    const size_t bytes = (size_t)lhs.dims[1] * sizeof(int32_t);
    int32_t *row = sl_scratch_new(bytes);
    if (!row) return sl_fail_memory(k->err, bytes);
    hybrid_rows(out, lhs, rhs, &r, row);
    sl_scratch_free(row, bytes);
    return SL_OK;
}

/* Prefixes of the attrs of each operand, the result last. */
#define PREFIXES(...) .data = (const char *const[]){__VA_ARGS__, NULL}, .destroy = destroy
#define EIGHT_BITS    (SL_SET(QINT8) | SL_SET(QUINT8))
/* clang-format off */
const struct sl_kernel_def sl_cpu_uniform_quant_rows[] = {
    KERNEL("UniformQuantize", RULE("Tout", EIGHT_BITS | SL_SET(QINT32)), .run = quantize_run, .create = create, PREFIXES(""), .cost_element = 4)
    KERNEL("UniformDequantize", RULE("Tin", EIGHT_BITS | SL_SET(QINT32)), .run = dequantize_run, .create = create, PREFIXES(""), .cost_element = 3)
    KERNEL("UniformRequantize", RULE("Tin", SL_SET(QINT8) | SL_SET(QINT32)) RULE("Tout", SL_SET(QINT8)), .run = requantize_run, .create = create, PREFIXES("input_", "output_"), .cost_element = 6)
    KERNEL("UniformQuantizedAdd", RULE("T", SL_SET(QINT32)), .run = add_run, .create = create, PREFIXES("lhs_", "rhs_", "output_"), .cost_element = 20)
    KERNEL("UniformQuantizedClipByValue", RULE("T", SL_SET(QINT32)), .run = clip_run, .create = create, PREFIXES(""), .cost_element = 3)
    KERNEL("UniformQuantizedDot", RULE("Tin", SL_SET(QINT8)), .run = dot_run, .create = axis_create, PREFIXES("lhs_", "rhs_", "output_"), .cost_element = 50)
    KERNEL("UniformQuantizedDotHybrid", RULE("Trhs", SL_SET(QINT8)), .run = hybrid_run, .create = axis_create, PREFIXES("rhs_"), .cost_element = 50)
    SL_ROWS_END
};
/* clang-format on */
