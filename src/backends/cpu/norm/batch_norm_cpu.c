/* FusedBatchNorm and BatchNormWithGlobalNormalization, and their gradients. norm.c does the sums.
 *
 *     y = (x - mean) * scale / sqrt(variance + epsilon) + offset          for each channel
 *
 * In training mean and variance are those of x over everything but channels. */
#include <math.h>
#include <string.h>

#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/norm/norm.h"
#include "backends/cpu/product/channels_last.h"
#include "base/alloc.h"

struct state {
    float epsilon, new_share; /* of this batch in running means */
    bool is_training, channels_first, scales;
};

static sl_code norm_create(void **state, struct sl_kernel_setup *setup) {
    struct state s = {.new_share = 1};
    struct sl_str format;
    SL_TRY(sl_attr_float(&s.epsilon, setup->attrs, "epsilon", setup->err));
    SL_TRY(sl_attr_bool(&s.is_training, setup->attrs, "is_training", setup->err));
    SL_TRY(sl_attr_string(&format, setup->attrs, "data_format", setup->err));
    s.channels_first = sl_str_starts(format, SL_STR("NC"));
    if (sl_attr_find(setup->attrs, SL_STR("exponential_avg_factor")))
        SL_TRY(sl_attr_float(&s.new_share, setup->attrs, "exponential_avg_factor", setup->err));
    struct state *made = sl_malloc(sizeof *made);
    if (!made) return sl_fail_memory(setup->err, sizeof *made);
    *made = s;
    *state = made;
    return SL_OK;
}

static sl_code global_create(void **state, struct sl_kernel_setup *setup) {
    struct state s = {0};
    SL_TRY(sl_attr_float(&s.epsilon, setup->attrs, "variance_epsilon", setup->err));
    SL_TRY(sl_attr_bool(&s.scales, setup->attrs, "scale_after_normalization", setup->err));
    struct state *made = sl_malloc(sizeof *made);
    if (!made) return sl_fail_memory(setup->err, sizeof *made);
    *made = s;
    *state = made;
    return SL_OK;
}

static void norm_destroy(void *state) { sl_free(state); }

/* ---- what all runs need: x as rows of channels, and vectors of doubles */
enum vector { MEAN, VARIANCE, SCALE, OFFSET, SUM, PRODUCT, FACTOR, VECTORS };

struct work {
    struct sl_window w;
    struct sl_norm n;
    struct sl_channels_last x, g, y;
    double *vector[VECTORS];
    size_t bytes;
};

static void work_free(struct work *w) {
    sl_channels_last_free(&w->x);
    sl_channels_last_free(&w->g);
    sl_channels_last_free(&w->y);
    sl_scratch_free(w->vector[0], w->bytes);
}

static sl_code work_init(struct work *w, struct sl_kernel_context *k, struct sl_view x) {
    const struct state *s = k->state;
    char text[SL_SHAPE_TEXT];
    *w = (struct work){0};
    if (x.rank != 4 && x.rank != 5)
        return sl_invalid(k, "input must be 4-dimensional%s", sl_shape_text(text, sl_view_shape(x)));
    w->w = (struct sl_window){.n = x.rank - 2, .channels_first = s->channels_first};
    int64_t channels = x.dims[s->channels_first ? 1 : x.rank - 1];
    w->n = (struct sl_norm){.is_double = x.dtype == SL_DOUBLE,
                            .rows = channels ? x.count / channels : 0,
                            .channels = channels};
    w->bytes = (size_t)(channels ? channels : 1) * VECTORS * sizeof(double);
    w->vector[0] = sl_scratch_new(w->bytes);
    if (!w->vector[0]) return sl_fail_memory(k->err, w->bytes);
    for (int i = 1; i < VECTORS; i++) w->vector[i] = w->vector[0] + i * channels;
    return SL_OK;
}

/* 1 / sqrt(variance + epsilon), each step as the type has it. */
static double factor_of(const struct work *w, double variance, float epsilon) {
    const struct sl_norm *n = &w->n;
    return sl_norm_round(n, 1 / sl_norm_round(n, sqrt(sl_norm_round(n, variance + (double)epsilon))));
}

static double element(struct sl_view v, int64_t i) {
    if (v.dtype == SL_DOUBLE) return ((const double *)v.data)[i];
    return (double)((const float *)v.data)[i];
}

/* A vector input, one value for each channel. */
static sl_code read_vector(double *to, struct work *w, struct sl_kernel_context *k, int i, const char *what) {
    struct sl_view v = sl_in(k, i);
    struct sl_wide wide;
    char text[SL_SHAPE_TEXT];
    if (v.rank != 1) return sl_invalid(k, "%s must be 1-dimensional%s", what, sl_shape_text(text, sl_view_shape(v)));
    if (v.count != w->n.channels)
        return sl_invalid(k, "%s must have the same number of elements as the channels of x, got %lld and %lld", what,
                          (long long)v.count, (long long)w->n.channels);
    SL_TRY(sl_wide_in(&wide, k, v));
    v.data = wide.data;
    v.dtype = wide.dtype;
    for (int64_t c = 0; c < v.count; c++) to[c] = element(v, c);
    sl_wide_free(&wide);
    return SL_OK;
}

static sl_code write_vector(struct work *w, struct sl_kernel_context *k, int o, const double *from) {
    struct sl_view out;
    struct sl_wide wide;
    SL_TRY(sl_out_new(&out, k, o, (struct sl_shape){1, &w->n.channels}));
    SL_TRY(sl_wide_out(&wide, k, out));
    for (int64_t c = 0; c < out.count; c++) {
        if (wide.dtype == SL_DOUBLE) ((double *)wide.data)[c] = from[c];
        else ((float *)wide.data)[c] = (float)from[c];
    }
    sl_wide_store(&wide, k, out);
    sl_wide_free(&wide);
    return SL_OK;
}

static sl_code write_empty(struct sl_kernel_context *k, int o, int rank) {
    struct sl_view out;
    SL_TRY(sl_out_new(&out, k, o, (struct sl_shape){rank, (const int64_t[]){0}}));
    if (rank == 0) memset(out.data, 0, sl_dtype_size(out.dtype));
    return SL_OK;
}

/* y = (x - mean) * scale + offset, with `scale` and `offset` ready, as output 0. */
static sl_code apply(struct work *w, struct sl_kernel_context *k, struct sl_view x, const double *scale,
                     const double *offset) {
    struct sl_view out;
    SL_TRY(sl_out_reuse(&out, k, 0, sl_view_shape(x), 0, 1));
    if (out.count == 0) return SL_OK;
    SL_TRY(sl_channels_last_out(&w->y, k, &w->w, out));
    SL_TRY(sl_norm_apply(k, &w->n, w->y.data, w->x.data, w->vector[MEAN], scale, offset));
    sl_channels_last_store(&w->y, k, &w->w, out);
    return SL_OK;
}

/* ---- FusedBatchNorm: x, scale, offset, mean, variance */
static sl_code check_running(struct work *w, struct sl_kernel_context *k, bool is_needed) {
    static const char *const name[] = {"mean", "variance"};
    bool is_training = ((const struct state *)k->state)->is_training;
    for (int i = 0; i < 2; i++) {
        struct sl_view v = sl_in(k, 3 + i);
        char text[SL_SHAPE_TEXT];
        if (v.rank != 1)
            return sl_invalid(k, "estimated_%s must be 1-dimensional%s", name[i],
                              sl_shape_text(text, sl_view_shape(v)));
        if (is_needed && v.count != w->n.channels)
            return sl_invalid(
                k, "When %s, %s must have the same number of elements as the channels of x, got %lld and %lld",
                is_training ? "exponential_avg_factor != 1" : "is_training=false", name[i], (long long)v.count,
                (long long)w->n.channels);
    }
    return SL_OK;
}

/* Statistics of the batch (or those given) to MEAN and VARIANCE; outputs 1 to 4. */
static sl_code settle_moments(struct work *w, struct sl_kernel_context *k) {
    const struct state *s = k->state;
    double *mean = w->vector[MEAN], *variance = w->vector[VARIANCE], *shown[2] = {w->vector[SUM], w->vector[PRODUCT]};
    bool mixes = s->is_training && s->new_share != 1;
    SL_TRY(check_running(w, k, !s->is_training || mixes));
    if (!s->is_training) {
        SL_TRY(read_vector(mean, w, k, 3, "mean"));
        SL_TRY(read_vector(variance, w, k, 4, "variance"));
        double nan = w->n.rows ? 0 : NAN;
        for (int64_t c = 0; c < w->n.channels; c++) {
            shown[0][c] = mean[c] + nan;
            shown[1][c] = variance[c] + nan;
        }
    } else {
        SL_TRY(sl_norm_moments(k, &w->n, w->x.data, mean, variance));
        double unbias = w->n.rows > 1 ? (double)w->n.rows / (double)(w->n.rows - 1) : 1;
        for (int i = 0; mixes && i < 2; i++) SL_TRY(read_vector(shown[i], w, k, 3 + i, i ? "variance" : "mean"));
        for (int64_t c = 0; c < w->n.channels; c++) {
            double share = s->new_share, of_batch = variance[c] * unbias;
            shown[0][c] = mixes ? shown[0][c] * (1 - share) + mean[c] * share : mean[c];
            shown[1][c] = mixes ? shown[1][c] * (1 - share) + of_batch * share : of_batch;
        }
    }
    SL_TRY(write_vector(w, k, 1, shown[0]));
    SL_TRY(write_vector(w, k, 2, shown[1]));
    SL_TRY(write_vector(w, k, 3, mean));
    return write_vector(w, k, 4, variance);
}

static sl_code normalise(struct work *w, struct sl_kernel_context *k, struct sl_view x) {
    const struct state *s = k->state;
    SL_TRY(read_vector(w->vector[SCALE], w, k, 1, "scale"));
    SL_TRY(read_vector(w->vector[OFFSET], w, k, 2, "offset"));
    SL_TRY(sl_channels_last_in(&w->x, k, &w->w, x));
    SL_TRY(settle_moments(w, k));
    if (sl_out_count(k) > 5) SL_TRY(write_empty(k, 5, 0));
    for (int64_t c = 0; c < w->n.channels; c++) w->vector[SCALE][c] *= factor_of(w, w->vector[VARIANCE][c], s->epsilon);
    return apply(w, k, x, w->vector[SCALE], w->vector[OFFSET]);
}

static sl_code norm_run(struct sl_kernel_context *k) {
    struct sl_view x = sl_in(k, 0);
    struct work w;
    SL_TRY(work_init(&w, k, x));
    sl_code code = normalise(&w, k, x);
    work_free(&w);
    return code;
}

/* ---- FusedBatchNormGrad: gradient of y, x, scale, mean, variance. With r = 1 / sqrt(variance + epsilon), averages
 * over rows:
 *
 *     dx = (g - average of g - (x - mean) r^2 * average of g (x - mean)) * scale r      in training, else g * scale r
 *     dscale = r * sum of g (x - mean),  doffset = sum of g */
static sl_code differentiate(struct work *w, struct sl_kernel_context *k, struct sl_view g, struct sl_view x) {
    const struct state *s = k->state;
    double *mean = w->vector[MEAN], *part = w->vector[OFFSET], *slope = w->vector[VARIANCE], *scale = w->vector[SCALE];
    double *sum = w->vector[SUM], *product = w->vector[PRODUCT], *factor = w->vector[FACTOR];
    struct sl_view out;
    SL_TRY(read_vector(scale, w, k, 2, "scale"));
    SL_TRY(read_vector(mean, w, k, 3, "reserve_space_1"));
    SL_TRY(read_vector(slope, w, k, 4, "reserve_space_2"));
    SL_TRY(sl_channels_last_in(&w->x, k, &w->w, x));
    SL_TRY(sl_channels_last_in(&w->g, k, &w->w, g));
    SL_TRY(sl_out_reuse(&out, k, 0, sl_view_shape(x), 0, 2));
    SL_TRY(sl_norm_products(k, &w->n, w->g.data, w->x.data, mean, NULL, sum, product));
    for (int64_t c = 0; c < w->n.channels; c++) {
        double r = factor_of(w, slope[c], s->epsilon), rows = (double)w->n.rows;
        factor[c] = r;
        part[c] = s->is_training ? sum[c] * sl_norm_share(&w->n) : 0;
        slope[c] = s->is_training ? sl_norm_round(&w->n, product[c] / rows) * sl_norm_round(&w->n, r * r) : 0;
        scale[c] *= r;
        product[c] = w->n.rows ? product[c] * r : 0; /* of no rows whatever the variance is */
    }
    if (w->n.rows && sl_norm_is_in_order(&w->n))
        SL_TRY(sl_norm_products(k, &w->n, w->g.data, w->x.data, mean, factor, sum, product));
    SL_TRY(write_vector(w, k, 1, product));
    SL_TRY(write_vector(w, k, 2, sum));
    SL_TRY(write_empty(k, 3, 1));
    SL_TRY(write_empty(k, 4, 1));
    if (out.count == 0) return SL_OK;
    SL_TRY(sl_channels_last_out(&w->y, k, &w->w, out));
    SL_TRY(sl_norm_backward(k, &w->n, w->y.data, w->g.data, w->x.data, mean, scale, part, slope));
    sl_channels_last_store(&w->y, k, &w->w, out);
    return SL_OK;
}

static sl_code norm_grad_run(struct sl_kernel_context *k) {
    struct sl_view g = sl_in(k, 0), x = sl_in(k, 1);
    struct work w;
    char a[SL_SHAPE_TEXT], b[SL_SHAPE_TEXT];
    if (!sl_shape_equal(sl_view_shape(g), sl_view_shape(x)))
        return sl_invalid(k, "x and y_backprop must have same shape, but x has shape %s and y_backprop has shape %s",
                          sl_shape_text(a, sl_view_shape(x)), sl_shape_text(b, sl_view_shape(g)));
    SL_TRY(work_init(&w, k, x));
    sl_code code = differentiate(&w, k, g, x);
    work_free(&w);
    return code;
}

/* ---- BatchNormWithGlobalNormalization: x, mean, variance, beta, gamma; gamma counts when the attr says so */
static sl_code global(struct work *w, struct sl_kernel_context *k, struct sl_view x) {
    const struct state *s = k->state;
    SL_TRY(read_vector(w->vector[MEAN], w, k, 1, "mean"));
    SL_TRY(read_vector(w->vector[VARIANCE], w, k, 2, "var"));
    SL_TRY(read_vector(w->vector[OFFSET], w, k, 3, "beta"));
    SL_TRY(read_vector(w->vector[SCALE], w, k, 4, "gamma"));
    SL_TRY(sl_channels_last_in(&w->x, k, &w->w, x));
    for (int64_t c = 0; c < w->n.channels; c++)
        w->vector[SCALE][c] = (s->scales ? w->vector[SCALE][c] : 1) / sqrt(w->vector[VARIANCE][c] + (double)s->epsilon);
    return apply(w, k, x, w->vector[SCALE], w->vector[OFFSET]);
}

static sl_code global_run(struct sl_kernel_context *k) {
    struct sl_view x = sl_in(k, 0);
    struct work w;
    if (x.rank != 4) return sl_invalid(k, "input must be 4-dimensional");
    SL_TRY(work_init(&w, k, x));
    sl_code code = global(&w, k, x);
    work_free(&w);
    return code;
}

/* x, mean, variance, gamma, g: dx = g * gamma r, dm = -gamma r * sum of g, dv = -gamma r^3 / 2 * sum of g (x -
 * mean), dbeta = sum of g, dgamma = r * sum of g (x - mean), 0 when gamma does not count */
static sl_code global_grad(struct work *w, struct sl_kernel_context *k, struct sl_view x, struct sl_view g) {
    const struct state *s = k->state;
    double *mean = w->vector[MEAN], *variance = w->vector[VARIANCE], *scale = w->vector[SCALE],
           *zero = w->vector[OFFSET];
    double *sum = w->vector[SUM], *product = w->vector[PRODUCT];
    struct sl_view out;
    SL_TRY(read_vector(mean, w, k, 1, "mean"));
    SL_TRY(read_vector(variance, w, k, 2, "var"));
    SL_TRY(read_vector(scale, w, k, 3, "gamma"));
    SL_TRY(sl_channels_last_in(&w->x, k, &w->w, x));
    SL_TRY(sl_channels_last_in(&w->g, k, &w->w, g));
    SL_TRY(sl_norm_products(k, &w->n, w->g.data, w->x.data, mean, NULL, sum, product));
    SL_TRY(write_vector(w, k, 3, sum));
    for (int64_t c = 0; c < w->n.channels; c++) {
        double r = 1 / sqrt(variance[c] + (double)s->epsilon);
        scale[c] = (s->scales ? scale[c] : 1) * r;
        variance[c] = -0.5 * scale[c] * r * r * product[c];
        product[c] = s->scales ? product[c] * r : 0;
        sum[c] *= -scale[c];
        zero[c] = 0;
    }
    SL_TRY(write_vector(w, k, 1, sum));
    SL_TRY(write_vector(w, k, 2, variance));
    SL_TRY(write_vector(w, k, 4, product));
    SL_TRY(sl_out_new(&out, k, 0, sl_view_shape(x)));
    if (out.count == 0) return SL_OK;
    SL_TRY(sl_channels_last_out(&w->y, k, &w->w, out));
    SL_TRY(sl_norm_backward(k, &w->n, w->y.data, w->g.data, w->x.data, mean, scale, zero, zero));
    sl_channels_last_store(&w->y, k, &w->w, out);
    return SL_OK;
}

static sl_code global_grad_run(struct sl_kernel_context *k) {
    struct sl_view x = sl_in(k, 0), g = sl_in(k, 4);
    struct work w;
    if (x.rank != 4 || !sl_shape_equal(sl_view_shape(x), sl_view_shape(g)))
        return sl_invalid(k, "input and backprop must be 4-dimensional and of the same shape");
    SL_TRY(work_init(&w, k, x));
    sl_code code = global_grad(&w, k, x, g);
    work_free(&w);
    return code;
}

/* In one step, as KERNEL is. */
#define NORM(op_, rules, create_, run_)                                                                                \
    {.op = op_,                                                                                                        \
     .device = SL_HOST_DEVICE,                                                                                         \
     .types = {rules},                                                                                                 \
     .create = create_,                                                                                                \
     .destroy = norm_destroy,                                                                                          \
     .run = run_,                                                                                                      \
     .cost_ns = 300,                                                                                                   \
     .cost_element = 1},
#define X_RULE RULE("T", SL_SET(HALF) | SL_SET(BFLOAT16) | SL_SET(FLOAT))
#define U_RULE RULE("U", SL_SET(FLOAT) | SL_SET(BFLOAT16))

/* clang-format off */
const struct sl_kernel_def sl_cpu_batch_norm_rows[] = {
    NORM("FusedBatchNorm", RULE("T", SL_SET(FLOAT)), norm_create, norm_run)
    NORM("FusedBatchNormV2", X_RULE U_RULE, norm_create, norm_run)
    NORM("FusedBatchNormV3", X_RULE U_RULE, norm_create, norm_run)
    NORM("FusedBatchNormGrad", RULE("T", SL_SET(FLOAT)), norm_create, norm_grad_run)
    NORM("FusedBatchNormGradV2", X_RULE U_RULE, norm_create, norm_grad_run)
    NORM("FusedBatchNormGradV3", X_RULE U_RULE, norm_create, norm_grad_run)
    NORM("BatchNormWithGlobalNormalization", RULE("T", SL_SET_FLOATS), global_create, global_run)
    NORM("BatchNormWithGlobalNormalizationGrad", RULE("T", SL_SET_FLOATS), global_create, global_grad_run)
    SL_ROWS_END
};
/* clang-format on */
