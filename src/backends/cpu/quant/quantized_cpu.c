/* Arithmetic on quantised tensors: every tensor comes with the range that its numbers stand for, and so does every
 * result. */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "backends/cpu/array/move.h"
#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/indices.h"
#include "backends/cpu/product/product.h"
#include "backends/cpu/quant/quant.h"
#include "base/alloc.h"

#define WIDE 2147483648.0f /* 2^31 */

/* ---- sums and products that broadcast */

struct pair {
    struct sl_view x, y, z;
    struct sl_quant_range x_range, y_range, z_range;
    int64_t x_strides[SL_MAX_RANK], y_strides[SL_MAX_RANK];
};

static sl_code read_pair(struct pair *p, struct sl_kernel_context *k, const char *const names[4]) {
    p->x = sl_in(k, 0);
    p->y = sl_in(k, 1);
    SL_TRY(sl_quant_in(&p->x_range, k, 2, names[0], names[1]));
    return sl_quant_in(&p->y_range, k, 4, names[2], names[3]);
}

static sl_code broadcast(struct pair *p, struct sl_kernel_context *k) {
    int64_t dims[SL_MAX_RANK], x_step = 1, y_step = 1;
    int rank = p->x.rank > p->y.rank ? p->x.rank : p->y.rank;
    for (int d = rank - 1; d >= 0; d--) {
        int at_x = d - rank + p->x.rank, at_y = d - rank + p->y.rank;
        int64_t a = at_x < 0 ? 1 : p->x.dims[at_x], b = at_y < 0 ? 1 : p->y.dims[at_y];
        if (a != b && a != 1 && b != 1)
            return sl_invalid(k, "Incompatible shapes: %s vs. %s", SHAPE_OF(p->x), SHAPE_OF(p->y));
        dims[d] = a == 1 ? b : a;
        p->x_strides[d] = a == 1 ? 0 : x_step;
        p->y_strides[d] = b == 1 ? 0 : y_step;
        x_step *= a;
        y_step *= b;
    }
    return sl_out_new(&p->z, k, 0, (struct sl_shape){rank, dims});
}

/* Where element i of the result comes from. */
static void places(int64_t *x, int64_t *y, const struct pair *p, int64_t i) {
    *x = *y = 0;
    for (int d = p->z.rank - 1; d >= 0; d--) {
        int64_t at = i % p->z.dims[d];
        i /= p->z.dims[d];
        *x += at * p->x_strides[d];
        *y += at * p->y_strides[d];
    }
}

/* Numbers of 8 bits in a range as numbers of 32 bits in a wider one: a line through those of 0 and 1. */
struct widening {
    int64_t start, step;
};
static struct widening widen(struct sl_quant_range from, int from_type, struct sl_quant_range to) {
    int64_t zero = sl_quant_outside(sl_quant_value(0, from, from_type), to, SL_QINT32);
    return (struct widening){zero, sl_quant_outside(sl_quant_value(1, from, from_type), to, SL_QINT32) - zero};
}
/* The single number of a scalar is widened by its value, not by the line. */
static struct widening widen_tensor(struct sl_view v, struct sl_quant_range from, struct sl_quant_range to) {
    if (v.count != 1) return widen(from, v.dtype, to);
    return (struct widening){sl_quant_inside(sl_quant_value(sl_quant_get(v, 0), from, v.dtype), to, SL_QINT32), 0};
}
static int32_t saturate(int64_t q) { return q > INT32_MAX ? INT32_MAX : q < INT32_MIN ? INT32_MIN : (int32_t)q; }

static void add_part(void *arg, int64_t begin, int64_t end) {
    const struct pair *p = arg;
    struct widening a = widen_tensor(p->x, p->x_range, p->z_range), b = widen_tensor(p->y, p->y_range, p->z_range);
    for (int64_t i = begin; i < end; i++) {
        int64_t x, y;
        places(&x, &y, p, i);
        int32_t left = saturate(a.start + sl_quant_get(p->x, x) * a.step);
        int32_t right = saturate(b.start + sl_quant_get(p->y, y) * b.step);
        ((int32_t *)p->z.data)[i] = (int32_t)((uint32_t)left + (uint32_t)right);
    }
}

static void mul_part(void *arg, int64_t begin, int64_t end) {
    const struct pair *p = arg;
    int64_t a = sl_quant_inside(0, p->x_range, p->x.dtype), b = sl_quant_inside(0, p->y_range, p->y.dtype);
    for (int64_t i = begin; i < end; i++) {
        int64_t x, y;
        places(&x, &y, p, i);
        ((int32_t *)p->z.data)[i] = (int32_t)((sl_quant_get(p->x, x) - a) * (sl_quant_get(p->y, y) - b));
    }
}

/* The maximum of each range must be above its minimum. */
static sl_code check_ranges(struct sl_kernel_context *k, const struct pair *p, const char *const names[4]) {
    const struct sl_quant_range ranges[] = {p->x_range, p->y_range};
    for (int i = 0; i < 2; i++)
        if (!(ranges[i].max > ranges[i].min))
            return sl_invalid(k, "%s must be larger than %s.", names[2 * i + 1], names[2 * i]);
    return SL_OK;
}

static const char *const pair_names[] = {"min_x", "max_x", "min_y", "max_y"};

static sl_code add_run(struct sl_kernel_context *k) {
    struct pair p;
    SL_TRY(read_pair(&p, k, pair_names));
    SL_TRY(broadcast(&p, k));
    SL_TRY(check_ranges(k, &p, pair_names));
    float most = fmaxf(fmaxf(p.x_range.max, -p.x_range.min), fmaxf(p.y_range.max, -p.y_range.min)) * (float)(1 << 14);
    p.z_range = (struct sl_quant_range){-most, most};
    sl_kernel_split(k, p.z.count, 10, add_part, &p);
    return sl_quant_out(k, 1, p.z_range);
}

static sl_code mul_run(struct sl_kernel_context *k) {
    struct pair p;
    SL_TRY(read_pair(&p, k, pair_names));
    if (p.x.count == 0 || p.y.count == 0)
        return sl_invalid(k, "x and y must not be empty: %s %s", SHAPE_OF(p.x), SHAPE_OF(p.y));
    SL_TRY(broadcast(&p, k));
    SL_TRY(check_ranges(k, &p, pair_names));
    sl_kernel_split(k, p.z.count, 8, mul_part, &p);
    return sl_quant_out(k, 1, sl_quant_product(p.x_range, p.x.dtype, p.y_range, p.y.dtype));
}

static void bias_part(void *arg, int64_t begin, int64_t end) {
    const struct pair *p = arg;
    for (int64_t i = begin; i < end; i++) {
        float x = sl_quant_value(sl_quant_get(p->x, i), p->x_range, p->x.dtype);
        float y = sl_quant_value(sl_quant_get(p->y, i % p->y.count), p->y_range, p->y.dtype);
        uint32_t sum = (uint32_t)sl_quant_inside(x, p->z_range, SL_QINT32);
        ((int32_t *)p->z.data)[i] = (int32_t)(sum + (uint32_t)sl_quant_inside(y, p->z_range, SL_QINT32));
    }
}

static sl_code bias_add_run(struct sl_kernel_context *k) {
    static const char *const names[] = {"min_input", "max_input", "min_bias", "max_bias"};
    struct pair p;
    SL_TRY(read_pair(&p, k, names));
    if (p.x.rank < 2) return sl_invalid(k, "Input tensor must be at least 2D: %s", SHAPE_OF(p.x));
    if (p.y.rank != 1) return sl_invalid(k, "Biases must be 1D: %s", SHAPE_OF(p.y));
    if (p.y.count != p.x.dims[p.x.rank - 1])
        return sl_invalid(k, "Must provide as many biases as the last dimension of the input tensor: %s vs. %s",
                          SHAPE_OF(p.y), SHAPE_OF(p.x));
    if (p.y.count == 0) return sl_invalid(k, "Must provide at least 1 bias");
    SL_TRY(sl_out_new(&p.z, k, 0, sl_view_shape(p.x)));
    p.z_range = sl_quant_sum(p.x_range, p.y_range);
    sl_kernel_split(k, p.z.count, 15, bias_part, &p);
    return sl_quant_out(k, 1, p.z_range);
}

/* ---- QuantizedMatMul: int32 products of what is left when the zeros are taken off */

static sl_code matmul_run(struct sl_kernel_context *k) {
    static const char *const names[] = {"min_a", "max_a", "min_b", "max_b"};
    struct pair p;
    SL_TRY(read_pair(&p, k, names));
    struct sl_view a = p.x, b = p.y, c;
    bool transposes_a = sl_state_number(k) & 1, transposes_b = sl_state_number(k) & 2;
    if (a.rank != 2) return sl_invalid(k, "In[0] is not a matrix: %s", SHAPE_OF(a));
    if (b.rank != 2) return sl_invalid(k, "In[1] is not a matrix: %s", SHAPE_OF(b));
    if (a.dims[!transposes_a] != b.dims[transposes_b])
        return sl_invalid(k, "Matrix size-incompatible: In[0]: %s, In[1]: %s", SHAPE_OF(a), SHAPE_OF(b));
    SL_TRY(check_ranges(k, &p, names));
    struct sl_product product = {.dtype = SL_INT32,
                                 .m = a.dims[transposes_a],
                                 .n = b.dims[!transposes_b],
                                 .k = a.dims[!transposes_a],
                                 .batch = 1,
                                 .a = {.is_transposed = transposes_a},
                                 .b = {.is_transposed = transposes_b}};
    SL_TRY(sl_out_new(&c, k, 0, (struct sl_shape){2, (int64_t[]){product.m, product.n}}));
    const struct sl_byte_product bytes = {.m = product.m,
                                          .n = product.n,
                                          .k = product.k,
                                          .a = sl_quant_bytes(a, p.x_range, transposes_a),
                                          .b = sl_quant_bytes(b, p.y_range, transposes_b),
                                          .c = c.data};
    bool is_done = false;
    if (sl_quant_is_byte(a.dtype) && sl_quant_is_byte(b.dtype))
        SL_TRY(sl_byte_product_run(&is_done, k, &bytes, k->err));
    if (is_done) return sl_quant_out(k, 1, sl_quant_product(p.x_range, a.dtype, p.y_range, b.dtype));
    int32_t *x = sl_quant_centred(a, p.x_range);
    int32_t *y = sl_quant_centred(b, p.y_range);
    sl_code code = SL_OK;
    if (!x || !y) code = sl_fail_memory(k->err, (size_t)(a.count + b.count) * sizeof *x);
    else if (product.k == 0) sl_move_zero(k, c);
    else if (c.count) {
        product.a.data = x;
        product.b.data = y;
        product.c = c.data;
        code = sl_product_run(k, &product);
    }
    sl_quant_centred_free(x, a);
    sl_quant_centred_free(y, b);
    SL_TRY(code);
    return sl_quant_out(k, 1, sl_quant_product(p.x_range, a.dtype, p.y_range, b.dtype));
}

static sl_code matmul_create(void **state, struct sl_kernel_setup *setup) {
    bool a, b;
    SL_TRY(sl_attr_bool(&a, setup->attrs, "transpose_a", setup->err));
    SL_TRY(sl_attr_bool(&b, setup->attrs, "transpose_b", setup->err));
    *state = (void *)(intptr_t)(a | b << 1);
    return SL_OK;
}

/* ---- relu */

static sl_code relu(struct sl_kernel_context *k, bool has_top) {
    struct sl_view x = sl_in(k, 0), y;
    struct sl_quant_range range;
    SL_TRY(sl_quant_in(&range, k, 1, "min_input", "max_input"));
    int64_t zero = sl_quant_inside(0, range, x.dtype), top = has_top ? sl_quant_inside(6, range, x.dtype) : INT32_MAX;
    SL_TRY(sl_out_new(&y, k, 0, sl_view_shape(x)));
    for (int64_t i = 0; i < x.count; i++) {
        int64_t q = sl_quant_get(x, i);
        q = q < zero ? zero : q;
        sl_quant_put(y, i, q > top ? top : q);
    }
    return sl_quant_out(k, 1, range);
}
static sl_code relu_run(struct sl_kernel_context *k) { return relu(k, false); }
static sl_code relu6_run(struct sl_kernel_context *k) { return relu(k, true); }

/* ---- from 32 bits to 8 */

static sl_code read_wide(struct sl_quant_range *range, struct sl_kernel_context *k) {
    return sl_quant_in(range, k, 1, "input_min", "input_max");
}

static sl_code shrink_run(struct sl_kernel_context *k) {
    struct sl_view x = sl_in(k, 0), y;
    struct sl_quant_range range;
    SL_TRY(read_wide(&range, k));
    SL_TRY(sl_out_new(&y, k, 0, sl_view_shape(x)));
    struct sl_quant_range actual = sl_quant_actual(x, range);
    if (x.count) sl_quant_shrink(k, y, actual, x, range);
    return sl_quant_out(k, 1, actual);
}

static sl_code requantize_run(struct sl_kernel_context *k) {
    struct sl_view x = sl_in(k, 0), y;
    struct sl_quant_range range, wanted;
    SL_TRY(read_wide(&range, k));
    SL_TRY(sl_quant_in(&wanted, k, 3, "requested_output_min", "requested_output_max"));
    if (wanted.min > 0) return sl_invalid(k, "requested_output_min must be <= 0, but got %g", (double)wanted.min);
    if (wanted.max < wanted.min)
        return sl_invalid(k, "requested_output_max must be >= requested_output_min, but got %g and %g",
                          (double)wanted.max, (double)wanted.min);
    SL_TRY(sl_out_new(&y, k, 0, sl_view_shape(x)));
    sl_quant_shrink(k, y, wanted, x, range);
    return sl_quant_out(k, 1, wanted);
}

static sl_code range_run(struct sl_kernel_context *k) {
    struct sl_quant_range range;
    SL_TRY(read_wide(&range, k));
    return sl_quant_out(k, 0, sl_quant_actual(sl_in(k, 0), range));
}

/* ---- from 32 bits to 8, with a range for each channel; the largest magnitude of a range stands for 2^31 */

/* The ranges of the channels of x, which is in NHWC: two vectors of one length. */
static sl_code read_channels(struct sl_view ranges[2], struct sl_kernel_context *k, struct sl_view x) {
    if (x.rank != 4) return sl_invalid(k, "input must be in NHWC format, not of shape %s", SHAPE_OF(x));
    ranges[0] = sl_in(k, 1);
    ranges[1] = sl_in(k, 2);
    if (ranges[0].count == ranges[1].count) return SL_OK;
    return sl_invalid(k, "input_max has incorrect size, expected %" PRId64 " was %" PRId64, ranges[0].count,
                      ranges[1].count);
}

static float magnitude_of(const struct sl_view ranges[2], int64_t channel) {
    int64_t at = ranges[0].count == 1 ? 0 : channel;
    return fmaxf(fabsf(((const float *)ranges[0].data)[at]), fabsf(((const float *)ranges[1].data)[at]));
}

static sl_code channels_range_run(struct sl_kernel_context *k) {
    const float top = *(const float *)k->state;
    struct sl_view x = sl_in(k, 0), ranges[2];
    SL_TRY(read_channels(ranges, k, x));
    int64_t depth = x.dims[3];
    if (ranges[0].count != depth)
        return sl_invalid(k, "input must have same number of channels as length of input_min: %" PRId64 " vs %" PRId64,
                          depth, ranges[0].count);
    if (x.count == 0) return sl_invalid(k, "input must not be empty");
    const int32_t *from = x.data;
    float most = FLT_MIN;
    bool has_negative = false;
    for (int64_t c = 0; c < depth; c++) {
        int64_t largest = 0;
        for (int64_t i = c; i < x.count; i += depth) {
            int64_t size = from[i] < 0 ? -(int64_t)from[i] : from[i];
            largest = size > largest ? size : largest;
            has_negative |= from[i] < 0;
        }
        most = fmaxf(most, magnitude_of(ranges, c) * (float)largest / WIDE);
    }
    most = fminf(most, top);
    return sl_quant_out(k, 0, (struct sl_quant_range){has_negative ? -most : 0, most});
}

static sl_code channels_range_create(void **state, struct sl_kernel_setup *setup) {
    float *top = sl_malloc(sizeof *top);
    if (!top) return sl_fail_memory(setup->err, sizeof *top);
    sl_code code = sl_attr_float(top, setup->attrs, "clip_value_max", setup->err);
    if (code == SL_OK) *state = top;
    else sl_free(top);
    return code;
}

static sl_code channels_run(struct sl_kernel_context *k) {
    struct sl_view x = sl_in(k, 0), y, ranges[2];
    struct sl_quant_range wanted;
    SL_TRY(read_channels(ranges, k, x));
    SL_TRY(sl_quant_in(&wanted, k, 3, "requested_output_min", "requested_output_max"));
    int64_t depth = x.dims[3];
    if (ranges[0].count != 1 && ranges[0].count < depth)
        return sl_invalid(k, "input_min has incorrect size, expected %" PRId64 " was %" PRId64, depth, ranges[0].count);
    SL_TRY(sl_out_new(&y, k, 0, sl_view_shape(x)));
    bool is_signed = y.dtype == SL_QINT8;
    float steps = is_signed ? INT8_MAX : UINT8_MAX, most = fmaxf(fabsf(wanted.min), fabsf(wanted.max));
    float low = is_signed ? INT8_MIN : 0;
    const int32_t *from = x.data;
    for (int64_t i = 0; i < x.count; i++) {
        float scale = steps * (magnitude_of(ranges, i % depth) / most / WIDE), v = rintf((float)from[i] * scale);
        sl_quant_put(y, i, (int64_t)(v > low ? fminf(v, steps) : low)); /* NaN: the lowest */
    }
    return sl_quant_out(k, 1, wanted);
}

/* ---- reshape and concat */

static sl_code reshape_run(struct sl_kernel_context *k) {
    struct sl_view x = sl_in(k, 0), sizes = sl_in(k, 1);
    struct sl_shape shape;
    struct sl_quant_range range;
    int64_t dims[SL_MAX_RANK], known = 1, multiple = 1;
    int open = -1;
    SL_TRY(sl_quant_in(&range, k, 2, "input_min", "input_max"));
    if (sizes.rank != 1) return sl_invalid(k, "sizes input must be 1-D, not %s", SHAPE_OF(sizes));
    SL_TRY(sl_in_ints(dims, &shape.rank, SL_MAX_RANK, k, 1, "sizes input"));
    for (int d = 0; d < shape.rank; d++) {
        if (dims[d] == -1 && open >= 0)
            return sl_invalid(k, "Only one input size may be -1, not both %d and %d", open, d);
        if (dims[d] == -1) open = d;
        else if (dims[d] < 0) return sl_invalid(k, "Size %d must be non-negative, not %" PRId64, d, dims[d]);
        else if (__builtin_mul_overflow(known, dims[d], &known)) return sl_invalid(k, "Shape has too many elements");
    }
    if (open >= 0) {
        if (known == 0)
            return sl_invalid(k, "reshape cannot infer the missing input size for an empty tensor unless all specified "
                                 "input sizes are non-zero");
        multiple = known;
        dims[open] = x.count / known;
        known *= dims[open];
    }
    if (known != x.count)
        return sl_invalid(k,
                          "Input to reshape is a tensor with %" PRId64 " values, but the requested shape %s %" PRId64,
                          x.count, open >= 0 ? "requires a multiple of" : "has", open >= 0 ? multiple : known);
    shape.dims = dims;
    SL_TRY(sl_out_reshape(k, 0, 0, shape));
    return sl_quant_out(k, 1, range);
}

struct concat {
    int n, first, mins, axis_at; /* values; the first of them, of their minima */
    int64_t outer, inner;
};

static sl_code read_concat(struct concat *c, struct sl_kernel_context *k, int64_t dims[SL_MAX_RANK]) {
    bool is_v2 = k->node->def->data != NULL;
    c->n = (sl_in_count(k) - 1) / 3;
    c->first = !is_v2;
    c->axis_at = is_v2 ? c->n : 0;
    c->mins = c->n + 1;
    struct sl_view axis_in = sl_in(k, c->axis_at), first = sl_in(k, c->first);
    if (axis_in.rank)
        return sl_invalid(k, "Concat dim tensor should be a scalar integer, but got shape %s", SHAPE_OF(axis_in));
    int64_t axis = sl_index_at(axis_in, 0);
    if (axis < (is_v2 ? -first.rank : 0) || axis >= first.rank)
        return sl_invalid(k, "ConcatOp : Expected concatenating dimensions in the range [0, %d), but got %" PRId64,
                          first.rank, axis);
    if (axis < 0) axis += first.rank;
    memcpy(dims, first.dims, (size_t)first.rank * sizeof *dims);
    for (int i = 1; i < c->n; i++) {
        struct sl_view v = sl_in(k, c->first + i);
        if (v.rank != first.rank || !sl_dims_equal(v, first, 0, (int)axis) ||
            !sl_dims_equal(v, first, (int)axis + 1, v.rank))
            return sl_invalid(k, "ConcatOp : Dimensions of inputs should match: shape[0] = %s vs. shape[%d] = %s",
                              SHAPE_OF(first), i, SHAPE_OF(v));
        if (__builtin_add_overflow(dims[axis], v.dims[axis], &dims[axis]))
            return sl_invalid(k, "Shape has too many elements");
    }
    for (int i = 0; i < 2 * c->n; i++)
        if (sl_in(k, c->mins + i).count != 1)
            return sl_invalid(k, "%s must be scalars, got shape %s", i < c->n ? "input_mins" : "input_maxes",
                              SHAPE_OF(sl_in(k, c->mins + i)));
    c->outer = sl_dims_product(dims, 0, (int)axis);
    c->inner = sl_dims_product(dims, (int)axis, first.rank);
    return SL_OK;
}

static struct sl_quant_range concat_range(const struct concat *c, struct sl_kernel_context *k, int i) {
    return (struct sl_quant_range){*(const float *)sl_in(k, c->mins + i).data,
                                   *(const float *)sl_in(k, c->mins + c->n + i).data};
}

/* A range for all: of 32 bits, as wide to both sides. */
static struct sl_quant_range common_range(const struct concat *c, struct sl_kernel_context *k) {
    struct sl_quant_range all = concat_range(c, k, 0);
    bool is_same = true, is_wide = sl_in(k, c->first).dtype == SL_QINT32;
    for (int i = 1; i < c->n; i++) {
        struct sl_quant_range r = concat_range(c, k, i);
        is_same &= r.min == all.min && r.max == all.max;
        all = (struct sl_quant_range){fminf(all.min, r.min), fmaxf(all.max, r.max)};
    }
    if (is_same) return all;
    all.min = fminf(all.min, 0);
    if (is_wide) {
        all.max = fmaxf(all.max, -all.min);
        all.min = -all.max;
    }
    return all;
}

/* The number that q of the range `from` is in `to`, both of 8 bits: in float throughout, which decides ties as
 * TensorFlow does. */
static int64_t move_byte(int64_t q, struct sl_quant_range from, struct sl_quant_range to, int dtype) {
    float step = sl_quant_step(from, dtype), scale = (float)(255 / ((double)to.max - to.min));
    float x = roundf(from.min / step) * step + (float)(q - sl_quant_lowest(dtype)) * step;
    float moved = roundf(x * scale) - roundf(to.min * scale);
    return (int64_t)(moved > 255 ? 255 : moved > 0 ? moved : 0) + sl_quant_lowest(dtype);
}

static sl_code concat_run(struct sl_kernel_context *k) {
    struct concat c = {0};
    struct sl_view y;
    int64_t dims[SL_MAX_RANK], at = 0;
    SL_TRY(read_concat(&c, k, dims));
    struct sl_quant_range all = common_range(&c, k);
    SL_TRY(sl_out_new(&y, k, 0, (struct sl_shape){sl_in(k, c.first).rank, dims}));
    for (int i = 0; i < c.n; i++) {
        struct sl_view x = sl_in(k, c.first + i);
        struct sl_quant_range r = concat_range(&c, k, i);
        bool is_same = r.min == all.min && r.max == all.max;
        bool is_byte = x.dtype != SL_QINT32 && r.min != r.max && all.min != all.max;
        int64_t inner = c.outer ? x.count / c.outer : 0;
        for (int64_t j = 0; j < x.count; j++) {
            int64_t q = sl_quant_get(x, j);
            if (!is_same && is_byte) {
                q = move_byte(q, r, all, x.dtype);
            } else if (!is_same) { /* TensorFlow's go through float once more */
                float moved = (float)sl_quant_inside(sl_quant_value(q, r, x.dtype), all, x.dtype);
                q = moved >= 0x1p31f ? INT32_MAX : (int64_t)moved;
            }
            sl_quant_put(y, j / inner * c.inner + at + j % inner, q);
        }
        at += inner;
    }
    return sl_quant_out(k, 1, all);
}

/* clang-format off */
#define SMALL2(a, b) RULE(a, SL_SET(QUINT8)) RULE(b, SL_SET(QUINT8))
#define LARGE(name)  RULE(name, SL_SET(QINT32))
#define BYTES        (SL_SET(QINT8) | SL_SET(QUINT8))
const struct sl_kernel_def sl_cpu_quantized_rows[] = {
    KERNEL("QuantizedAdd", SMALL2("T1", "T2") LARGE("Toutput"), .run = add_run, .cost_element = 10)
    KERNEL("QuantizedMul", SMALL2("T1", "T2") LARGE("Toutput"), .run = mul_run, .cost_element = 10)
    KERNEL("QuantizedBiasAdd", SMALL2("T1", "T2") LARGE("out_type"), .run = bias_add_run, .cost_element = 15)
    KERNEL("QuantizedBiasAdd", RULE("T1", SL_SET(QINT8)) RULE("T2", SL_SET(QINT8)) LARGE("out_type"), .run = bias_add_run, .cost_element = 15)
    KERNEL("QuantizedMatMul", SMALL2("T1", "T2") LARGE("Toutput"), .run = matmul_run, .create = matmul_create, .cost_element = 20)
    KERNEL("QuantizedRelu", RULE("Tinput", SL_SET(QUINT8)) RULE("out_type", SL_SET(QUINT8)), .run = relu_run, .cost_element = 2)
    KERNEL("QuantizedRelu", LARGE("Tinput") LARGE("out_type"), .run = relu_run, .cost_element = 2)
    KERNEL("QuantizedRelu6", RULE("Tinput", SL_SET(QUINT8)) RULE("out_type", SL_SET(QUINT8)), .run = relu6_run, .cost_element = 2)
    KERNEL("QuantizedRelu6", LARGE("Tinput") LARGE("out_type"), .run = relu6_run, .cost_element = 2)
    KERNEL("QuantizeDownAndShrinkRange", LARGE("Tinput") RULE("out_type", SL_SET(QUINT8)), .run = shrink_run, .cost_element = 4)
    KERNEL("Requantize", LARGE("Tinput") RULE("out_type", BYTES), .run = requantize_run, .cost_element = 3)
    KERNEL("RequantizePerChannel", LARGE("T") RULE("out_type", BYTES), .run = channels_run, .cost_element = 3)
    KERNEL("RequantizationRangePerChannel", LARGE("T"), .run = channels_range_run, .create = channels_range_create, .destroy = sl_free, .cost_element = 1)
    KERNEL("RequantizationRange", LARGE("Tinput"), .run = range_run, .cost_element = 1)
    KERNEL("QuantizedReshape", RULE("T", SL_SET(QUINT8) | SL_SET(QINT32)), .run = reshape_run, .cost_ns = 50)
    KERNEL("QuantizedConcat", RULE("T", SL_SET(QUINT8) | SL_SET(QINT32)), .run = concat_run, .cost_element = 3)
    KERNEL("QuantizedConcatV2", RULE("T", BYTES), .run = concat_run, .cost_element = 3, .data = &(const bool){true})
    SL_ROWS_END
};
/* clang-format on */
