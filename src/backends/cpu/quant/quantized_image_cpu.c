/* Quantised convolutions, pools, normalisation and resizing of images. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "backends/cpu/array/move.h"
#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/indices.h"
#include "backends/cpu/product/conv_integers.h"
#include "backends/cpu/quant/quant.h"
#include "backends/cpu/resize.h"
#include "base/alloc.h"

enum { FRACTION = 7 }; /* bits after the point, when resizing */

static sl_code window_create(void **state, struct sl_kernel_setup *setup) {
    struct sl_window *w = sl_calloc(1, sizeof *w);
    if (!w) return sl_fail_memory(setup->err, sizeof *w);
    sl_code code = sl_window_read(w, setup, 2);
    if (code == SL_OK) code = sl_window_check(w, setup->err);
    bool is_pool = sl_attr_find(setup->attrs, SL_STR("ksize")) != NULL;
    if (code == SL_OK && (w->batch_stride != 1 || (!is_pool && w->channel_stride != 1)))
        code = sl_fail(setup->err, SL_INVALID_ARGUMENT,
                       "Current implementation does not yet support strides in the batch and depth dimensions.");
    if (code == SL_OK && is_pool && (w->batch_size <= 0 || w->channel_size <= 0))
        code = sl_fail(setup->err, SL_INVALID_ARGUMENT, "Sliding window ksize must be positive.");
    if (code == SL_OK) *state = w;
    else sl_free(w);
    return code;
}
static void window_destroy(void *state) { sl_free(state); }

/* ---- QuantizedConv2D */

static sl_code plan_conv(struct sl_conv_spec *c, struct sl_kernel_context *k, struct sl_view in,
                         struct sl_view filter) {
    const struct sl_window *w = k->state;
    if (in.rank != 4) return sl_invalid(k, "input must be rank 4 but is rank %d", in.rank);
    if (filter.rank != 4) return sl_invalid(k, "filter must be rank 4 but is rank %d", filter.rank);
    if (in.dims[3] != filter.dims[2])
        return sl_invalid(k, "input and filter must have the same depth: %" PRId64 " vs %" PRId64, in.dims[3],
                          filter.dims[2]);
    if (in.dims[0] == 0) return sl_invalid(k, "batch must not be empty: %s", SHAPE_OF(in));
    if (filter.count == 0)
        return sl_invalid(k, "filter must not have zero elements (i.e. all dimensions must be non-zero)");
    *c = (struct sl_conv_spec){.groups = 1, .in = sl_image_of(w, in.dims), .size = {1, filter.dims[0], filter.dims[1]}};
    for (int d = 0; d < SL_SPACE; d++) {
        c->stride[d] = w->stride[d];
        c->dilation[d] = w->dilation[d];
        if (c->dilation[d] != 1)
            return sl_invalid(k, "Current implementation does not yet support dilations in the spatial dimensions.");
    }
    c->out.batch = c->in.batch;
    c->out.channels = filter.dims[3];
    return sl_window_fit(c->out.space, c->before, w, c->in.space, c->size, k->err);
}

static sl_code conv_run(struct sl_kernel_context *k) {
    struct sl_view in = sl_in(k, 0), filter = sl_in(k, 1), out;
    struct sl_quant_range in_range, filter_range;
    struct sl_conv_spec c;
    int64_t dims[SL_SPACE + 2];
    SL_TRY(sl_quant_in(&in_range, k, 2, "min_input", "max_input"));
    SL_TRY(sl_quant_in(&filter_range, k, 4, "min_filter", "max_filter"));
    SL_TRY(plan_conv(&c, k, in, filter));
    SL_TRY(sl_out_new(&out, k, 0, sl_image_shape(dims, k->state, &c.out)));
    bool is_done = false;
    if (out.count && sl_quant_is_byte(in.dtype) && sl_quant_is_byte(filter.dtype)) {
        const struct sl_bytes x = sl_quant_bytes(in, in_range, false), f = sl_quant_bytes(filter, filter_range, false);
        SL_TRY(sl_byte_conv_run(&is_done, k, &c, &x, &f, NULL, out.data));
    }
    if (is_done) return sl_quant_out(k, 1, sl_quant_product(in_range, in.dtype, filter_range, filter.dtype));
    int32_t *x = sl_quant_centred(in, in_range);
    int32_t *f = sl_quant_centred(filter, filter_range);
    bool has_memory = x && f;
    if (has_memory && out.count) sl_conv_integers(k, &c, x, f, out.data);
    sl_quant_centred_free(x, in);
    sl_quant_centred_free(f, filter);
    if (!has_memory) return sl_fail_memory(k->err, (size_t)(in.count + filter.count) * sizeof *x);
    return sl_quant_out(k, 1, sl_quant_product(in_range, in.dtype, filter_range, filter.dtype));
}

/* ---- pools */

struct pool {
    const struct sl_window *w;
    struct sl_view x, y;
    struct sl_image in, out;
    int64_t before[SL_SPACE];
    bool is_mean;
};

/* The largest, or the mean (rounded, half down) of the points of window (row, column) that are in the image. */
static int64_t pool_at(const struct pool *p, int64_t batch, int64_t row, int64_t column, int64_t channel) {
    int64_t sum = 0, count = 0, most = sl_quant_lowest(p->x.dtype);
    for (int64_t i = 0; i < p->w->size[1]; i++) {
        int64_t y = row * p->w->stride[1] - p->before[1] + i;
        if (y < 0 || y >= p->in.space[1]) continue;
        for (int64_t j = 0; j < p->w->size[2]; j++) {
            int64_t x = column * p->w->stride[2] - p->before[2] + j;
            if (x < 0 || x >= p->in.space[2]) continue;
            int64_t at = ((batch * p->in.space[1] + y) * p->in.space[2] + x) * p->in.channels + channel;
            int64_t q = sl_quant_get(p->x, at);
            most = q > most ? q : most;
            sum += q;
            count++;
        }
    }
    return !p->is_mean ? most : count ? sum / count : 0;
}

static void pool_part(void *arg, int64_t begin, int64_t end) {
    const struct pool *p = arg;
    for (int64_t i = begin; i < end; i++) {
        int64_t rest = i, channel = rest % p->out.channels;
        rest /= p->out.channels;
        int64_t column = rest % p->out.space[2];
        rest /= p->out.space[2];
        sl_quant_put(p->y, i, pool_at(p, rest / p->out.space[1], rest % p->out.space[1], column, channel));
    }
}

static sl_code pool(struct sl_kernel_context *k, bool is_mean) {
    struct pool p = {.w = k->state, .x = sl_in(k, 0), .is_mean = is_mean};
    struct sl_quant_range range;
    int64_t dims[SL_SPACE + 2];
    SL_TRY(sl_quant_in(&range, k, 1, "min_input", "max_input"));
    if (p.x.rank != 4) return sl_invalid(k, "tensor_in must be 4-dimensional, got shape %s", SHAPE_OF(p.x));
    if (p.w->batch_size != 1 || p.w->channel_size != 1)
        return sl_fail(k->err, SL_UNIMPLEMENTED, "Pooling is not yet supported on the batch or depth dimension.");
    p.in = sl_image_of(p.w, p.x.dims);
    p.out = p.in;
    SL_TRY(sl_window_fit(p.out.space, p.before, p.w, p.in.space, p.w->size, k->err));
    SL_TRY(sl_out_new(&p.y, k, 0, sl_image_shape(dims, p.w, &p.out)));
    sl_kernel_split(k, p.y.count, 2 * (double)(p.w->size[1] * p.w->size[2]), pool_part, &p);
    return sl_quant_out(k, 1, range);
}
static sl_code max_pool_run(struct sl_kernel_context *k) { return pool(k, false); }
static sl_code avg_pool_run(struct sl_kernel_context *k) { return pool(k, true); }

/* ---- batch normalisation: by a mean, a variance, an offset and a scale for each channel */

struct norm_state {
    float epsilon;
    bool scales;
};

static sl_code norm_create(void **out, struct sl_kernel_setup *setup) {
    struct norm_state s;
    SL_TRY(sl_attr_float(&s.epsilon, setup->attrs, "variance_epsilon", setup->err));
    SL_TRY(sl_attr_bool(&s.scales, setup->attrs, "scale_after_normalization", setup->err));
    struct norm_state *state = sl_malloc(sizeof *state);
    if (!state) return sl_fail_memory(setup->err, sizeof *state);
    *state = s;
    *out = state;
    return SL_OK;
}

static sl_code batch_norm_run(struct sl_kernel_context *k) {
    enum { X, MEAN, VARIANCE, BETA, GAMMA, TENSORS };
    static const char *const names[TENSORS] = {"t", "mean", "var", "beta", "gamma"};
    const struct norm_state *state = k->state;
    const struct sl_quant_range out_range = {-(1 << 20), 1 << 20};
    struct sl_view v[TENSORS], y;
    struct sl_quant_range r[TENSORS];
    for (int i = 0; i < TENSORS; i++) {
        v[i] = sl_in(k, 3 * i);
        struct sl_view min = sl_in(k, 3 * i + 1), max = sl_in(k, 3 * i + 2);
        if (min.count != 1 || max.count != 1)
            return sl_invalid(k, "%s_min and %s_max must have 1 element", names[i], names[i]);
        r[i] = (struct sl_quant_range){*(const float *)min.data, *(const float *)max.data};
    }
    if (v[X].rank != 4) return sl_invalid(k, "input must be 4-dimensional%s", SHAPE_OF(v[X]));
    int64_t channels = v[X].dims[3];
    for (int i = 1; i < TENSORS; i++) {
        if (v[i].rank != 1) return sl_invalid(k, "%s must be 1-dimensional%s", names[i], SHAPE_OF(v[i]));
        if (v[i].count != channels)
            return sl_invalid(k, "%s must have as many elements as there are channels", names[i]);
    }
    if (channels < 1) return sl_invalid(k, "Must provide at least 1 element for all inputs");
    SL_TRY(sl_out_new(&y, k, 0, sl_view_shape(v[X])));
    for (int64_t c = 0; c < channels; c++) {
        float p[TENSORS];
        for (int i = 1; i < TENSORS; i++) p[i] = sl_quant_value(sl_quant_get(v[i], c), r[i], v[i].dtype);
        float scale = 1 / sqrtf(p[VARIANCE] + state->epsilon);
        if (state->scales) scale *= p[GAMMA];
        int64_t factor = sl_quant_inside(scale, out_range, SL_QINT32), one = sl_quant_inside(1, out_range, SL_QINT32);
        int64_t offset = sl_quant_inside(p[BETA] - p[MEAN] * scale, out_range, SL_QINT32);
        for (int64_t i = c; i < v[X].count; i += channels) {
            float x = sl_quant_value(sl_quant_get(v[X], i), r[X], v[X].dtype);
            sl_quant_put(y, i, sl_quant_inside(x, out_range, SL_QINT32) * factor / one + offset);
        }
    }
    return sl_quant_out(k, 1, out_range);
}

/* ---- instance normalisation: of each image and channel by its own mean and variance */

struct instance_state {
    bool is_given;
    float min, max, epsilon, least;
};

static sl_code instance_create(void **out, struct sl_kernel_setup *setup) {
    struct instance_state s;
    SL_TRY(sl_attr_bool(&s.is_given, setup->attrs, "output_range_given", setup->err));
    SL_TRY(sl_attr_float(&s.min, setup->attrs, "given_y_min", setup->err));
    SL_TRY(sl_attr_float(&s.max, setup->attrs, "given_y_max", setup->err));
    SL_TRY(sl_attr_float(&s.epsilon, setup->attrs, "variance_epsilon", setup->err));
    SL_TRY(sl_attr_float(&s.least, setup->attrs, "min_separation", setup->err));
    if (s.is_given && !(s.min < s.max))
        return sl_fail(setup->err, SL_INVALID_ARGUMENT, "given_y_min must be less than given_y_max : %g >= %g",
                       (double)s.min, (double)s.max);
    struct instance_state *state = sl_malloc(sizeof *state);
    if (!state) return sl_fail_memory(setup->err, sizeof *state);
    *state = s;
    *out = state;
    return SL_OK;
}
static void destroy(void *state) { sl_free(state); }

static sl_code instance_norm_run(struct sl_kernel_context *k) {
    const struct instance_state *s = k->state;
    struct sl_view x = sl_in(k, 0), y;
    struct sl_quant_range in, out = {s->min, s->max};
    SL_TRY(sl_quant_in(&in, k, 1, "x_min", "x_max"));
    if (!(in.min < in.max))
        return sl_invalid(k, "input_min must be less than input_max : %g >= %g", (double)in.min, (double)in.max);
    if (x.rank != 4) return sl_invalid(k, "input must be 4-dimensional%s", SHAPE_OF(x));
    SL_TRY(sl_out_new(&y, k, 0, sl_view_shape(x)));
    int64_t points = x.dims[1] * x.dims[2], channels = x.dims[3];
    size_t bytes = (size_t)(x.count + 1) * sizeof(float);
    float *values = sl_scratch_new(bytes), low = INFINITY, high = -INFINITY;
    if (!values) return sl_fail_memory(k->err, bytes);
    for (int64_t o = 0; o < x.dims[0] * channels && points; o++) {
        int64_t first = o / channels * points * channels + o % channels, end = first + points * channels;
        double mean = 0, variance = 0;
        for (int64_t i = first; i < end; i += channels) {
            values[i] = sl_quant_value(sl_quant_get(x, i), in, x.dtype);
            mean += (double)values[i];
        }
        mean /= (double)points;
        for (int64_t i = first; i < end; i += channels)
            variance += ((double)values[i] - mean) * ((double)values[i] - mean);
        double scale = 1 / sqrt(variance / (double)points + (double)s->epsilon);
        for (int64_t i = first; i < end; i += channels) {
            values[i] = (float)(((double)values[i] - mean) * scale);
            low = fminf(low, values[i]);
            high = fmaxf(high, values[i]);
        }
    }
    if (!s->is_given) out = (struct sl_quant_range){fminf(low, 0), fmaxf(high, fminf(low, 0) + s->least)};
    for (int64_t i = 0; i < x.count; i++) sl_quant_put(y, i, sl_quant_inside(values[i], out, y.dtype));
    sl_scratch_free(values, bytes);
    return sl_quant_out(k, 1, out);
}

/* ---- QuantizedResizeBilinear */

static sl_code resize_create(void **state, struct sl_kernel_setup *setup) {
    bool is_aligned, is_centred;
    SL_TRY(sl_attr_bool(&is_aligned, setup->attrs, "align_corners", setup->err));
    SL_TRY(sl_attr_bool(&is_centred, setup->attrs, "half_pixel_centers", setup->err));
    if (is_aligned && is_centred)
        return sl_fail(setup->err, SL_INVALID_ARGUMENT, "If half_pixel_centers is True, align_corners must be False.");
    *state = (void *)(intptr_t)(is_centred ? SL_GRID_CENTRES : is_aligned ? SL_GRID_ALIGNED : SL_GRID_CORNERS);
    return SL_OK;
}

/* One element of 8 bits, in fixed point: what is between two rows is cut to a whole number before it is weighed. */
static int64_t mix(const struct sl_view in, const int64_t at[4], float x, float y) {
    const int64_t one = 1 << FRACTION, across = (int64_t)(x * (float)one), down = (int64_t)(y * (float)one);
    int64_t q[4];
    for (int i = 0; i < 4; i++) q[i] = sl_quant_get(in, at[i]);
    int64_t top = q[0] * one + (q[1] - q[0]) * across, bottom = q[2] * one + (q[3] - q[2]) * across;
    return (top + (bottom - top) / one * down + one / 2) / one;
}

static void resize_bytes(struct sl_view in, struct sl_view out, const struct sl_resize_axis *y,
                         const struct sl_resize_axis *x) {
    int64_t channels = in.dims[3], i = 0;
    for (int64_t b = 0; b < out.dims[0]; b++)
        for (int64_t r = 0; r < y->out; r++)
            for (int64_t c = 0; c < x->out; c++) {
                const int32_t *rows = y->index + r * y->width, *columns = x->index + c * x->width;
                for (int64_t d = 0; d < channels; d++, i++) {
                    int64_t at[4];
                    for (int p = 0; p < 4; p++)
                        at[p] = ((b * in.dims[1] + rows[p / 2]) * in.dims[2] + columns[p % 2]) * channels + d;
                    sl_quant_put(out, i, mix(in, at, x->weight[c * x->width + 1], y->weight[r * y->width + 1]));
                }
            }
}

static sl_code resize(struct sl_kernel_context *k, struct sl_view in, struct sl_view out, float *room) {
    struct sl_resize_axis y = {0}, x = {0};
    float *from = room, *to = room + in.count;
    bool is_float = in.dtype == SL_FLOAT;
    enum sl_resize_grid grid = (enum sl_resize_grid)sl_state_number(k);
    for (int64_t i = 0; i < in.count; i++)
        from[i] = is_float ? ((const float *)in.data)[i] : (float)sl_quant_get(in, i);
    sl_code code = sl_resize_axis_new(&y, SL_RESIZE_BILINEAR, grid, in.dims[1], out.dims[1], k->err);
    if (code == SL_OK) code = sl_resize_axis_new(&x, SL_RESIZE_BILINEAR, grid, in.dims[2], out.dims[2], k->err);
    bool is_byte = in.dtype == SL_QUINT8;
    if (code == SL_OK && is_byte) resize_bytes(in, out, &y, &x);
    else if (code == SL_OK) code = sl_resize_run(k, SL_RESIZE_BILINEAR, &y, &x, in.dims[0], in.dims[3], to, from);
    sl_resize_axis_free(&y);
    sl_resize_axis_free(&x);
    for (int64_t i = 0; code == SL_OK && !is_byte && i < out.count; i++) {
        if (is_float) ((float *)out.data)[i] = to[i];
        else {
            float q = roundf(to[i]);
            sl_quant_put(out, i, q >= 0x1p31f ? INT32_MAX : q <= -0x1p31f ? INT32_MIN : (int64_t)q);
        }
    }
    return code;
}

static sl_code resize_run(struct sl_kernel_context *k) {
    struct sl_view in = sl_in(k, 0), size = sl_in(k, 1), out;
    struct sl_quant_range range;
    SL_TRY(sl_quant_in(&range, k, 2, "min", "max"));
    if (in.rank != 4) return sl_invalid(k, "input must be 4-dimensional%s", SHAPE_OF(in));
    if (size.rank != 1 || size.count != 2) return sl_invalid(k, "shape_t must have two elements%s", SHAPE_OF(size));
    if (in.dims[0] == 0) return sl_fail(k->err, SL_INTERNAL, "input image must be of non-zero size");
    int64_t dims[4] = {in.dims[0], sl_index_at(size, 0), sl_index_at(size, 1), in.dims[3]};
    if (dims[1] <= 0 || dims[2] <= 0) return sl_invalid(k, "output dimensions must be positive");
    if (in.dims[1] <= 0 || in.dims[2] <= 0 || in.dims[3] <= 0)
        return sl_invalid(k, "input image must be of non-zero size");
    if (in.dims[1] > INT32_MAX || in.dims[2] > INT32_MAX) return sl_invalid(k, "input sizes must fit in 32 bits");
    SL_TRY(sl_out_new(&out, k, 0, (struct sl_shape){4, dims}));
    size_t bytes = (size_t)(in.count + out.count + 1) * sizeof(float);
    float *room = sl_scratch_new(bytes);
    if (!room) return sl_fail_memory(k->err, bytes);
    sl_code code = out.count ? resize(k, in, out, room) : SL_OK;
    sl_scratch_free(room, bytes);
    SL_TRY(code);
    return sl_quant_out(k, 1, range);
}

/* clang-format off */
#define BYTES  (SL_SET(QINT8) | SL_SET(QUINT8))
#define WINDOW .create = window_create, .destroy = window_destroy
const struct sl_kernel_def sl_cpu_quantized_image_rows[] = {
    KERNEL("QuantizedConv2D", RULE("Tinput", SL_SET(QUINT8)) RULE("Tfilter", BYTES) RULE("out_type", SL_SET(QINT32)), .run = conv_run, WINDOW, .cost_element = 30)
    KERNEL("QuantizedMaxPool", RULE("T", BYTES), .run = max_pool_run, WINDOW, .cost_element = 10)
    KERNEL("QuantizedAvgPool", RULE("T", BYTES), .run = avg_pool_run, WINDOW, .cost_element = 10)
    KERNEL("QuantizedBatchNormWithGlobalNormalization", RULE("Tinput", SL_SET(QUINT8)) RULE("out_type", SL_SET(QINT32)), .run = batch_norm_run, .create = norm_create, .destroy = destroy, .cost_element = 10)
    KERNEL("QuantizedInstanceNorm", RULE("T", SL_SET(QUINT8)), .run = instance_norm_run, .create = instance_create, .destroy = destroy, .cost_element = 20)
    KERNEL("QuantizedResizeBilinear", RULE("T", SL_SET(QUINT8) | SL_SET(QINT32) | SL_SET(FLOAT)), .run = resize_run, .create = resize_create, .cost_element = 10)
    SL_ROWS_END
};
/* clang-format on */
