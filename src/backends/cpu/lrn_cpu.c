/* Local response normalisation over neighbouring channels, and its gradient. With n = bias + alpha * (sum of x^2 over the channels at
 * most depth_radius away):
 *
 *     y = x * n^-beta
 *     dx[i] = g[i] n[i]^-beta - 2 alpha beta x[i] * sum over neighbours j of (g[j] y[j] / n[j]) */
#include <stdatomic.h>
#include <string.h>

#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/elementwise.h"
#include "backends/cpu/wide.h"
#include "base/alloc.h"

struct state {
    int64_t radius;
    float bias, alpha, beta;
};

static sl_code lrn_create(void **state, struct sl_kernel_setup *setup) {
    struct state s;
    SL_TRY(sl_attr_int(&s.radius, setup->attrs, "depth_radius", setup->err));
    SL_TRY(sl_attr_float(&s.bias, setup->attrs, "bias", setup->err));
    SL_TRY(sl_attr_float(&s.alpha, setup->attrs, "alpha", setup->err));
    SL_TRY(sl_attr_float(&s.beta, setup->attrs, "beta", setup->err));
    if (s.radius > INT32_MAX || s.radius < 0)
        return sl_fail(setup->err, SL_INVALID_ARGUMENT, "depth_radius = %lld larger than int max", (long long)s.radius);
    struct state *made = sl_malloc(sizeof *made);
    if (!made) return sl_fail_memory(setup->err, sizeof *made);
    *made = s;
    *state = made;
    return SL_OK;
}

static void lrn_destroy(void *state) { sl_free(state); }

struct job {
    const struct state *s;
    sl_loop_fn power; /* to = n^-beta of n and a vector of -beta */
    const float *x, *y, *g;
    float *to;
    int64_t channels, radius; /* of the neighbours there are */
    atomic_bool is_out_of_memory;
};

/* Powers are taken of several pixels together: at least so many numbers. */
enum { BATCH = 512 };
static int64_t batch_of(const struct job *j) { return 1 + BATCH / j->channels; }

/* What a thread works in: vectors of a batch, then of a pixel. */
struct room {
    float *beta, *n, *power; /* beta: -beta throughout */
    float *sum, *padded;     /* padded: `radius` zeros, a pixel, as many zeros */
    size_t bytes;
};
static bool room_new(struct room *r, struct job *j) {
    int64_t all = batch_of(j) * j->channels, count = 3 * all + 2 * j->channels + 2 * j->radius;
    r->bytes = (size_t)count * sizeof(float);
    r->beta = sl_scratch_new(r->bytes);
    if (!r->beta) {
        atomic_store(&j->is_out_of_memory, true);
        return false;
    }
    r->n = r->beta + all;
    r->power = r->n + all;
    r->sum = r->power + all;
    r->padded = r->sum + j->channels;
    for (int64_t i = 0; i < all; i++) r->beta[i] = -j->s->beta;
    return true;
}

/* The pixel in `padded`, to be filled; the other places are zero again. */
static float *pixel_of(struct room *r, const struct job *j) {
    memset(r->padded, 0, (size_t)j->radius * sizeof *r->padded);
    memset(r->padded + j->radius + j->channels, 0, (size_t)j->radius * sizeof *r->padded);
    return r->padded + j->radius;
}

/* to[i] = sum of the pixel in `padded` over |i - j| <= radius: sums of 1, 2, 4 ... neighbours are made in place, and those that the
 * width has as a binary number are put side by side. */
static void sum_neighbours(float *restrict to, float *padded, int64_t n, int64_t radius) {
    memset(to, 0, (size_t)n * sizeof *to);
    for (int64_t width = 2 * radius + 1, some = 1, from = 0;; some *= 2) {
        if (width & some) {
            for (int64_t i = 0; i < n; i++) to[i] += padded[i + from];
            from += some;
        }
        if (from == width) return;
        for (int64_t i = 0; i <= n + 2 * radius - 2 * some; i++) padded[i] += padded[i + some];
    }
}

/* n and n^-beta of pixels from x on. */
static void norms(struct room *r, const struct job *j, const float *x, int64_t pixels) {
    const struct state *s = j->s;
    const int64_t channels = j->channels;
    for (int64_t i = 0; i < pixels; i++, x += channels) {
        float *n = r->n + i * channels, *square = pixel_of(r, j);
        for (int64_t c = 0; c < channels; c++) square[c] = x[c] * x[c];
        sum_neighbours(n, r->padded, channels, j->radius);
        for (int64_t c = 0; c < channels; c++) n[c] = s->bias + s->alpha * n[c];
    }
    j->power(r->power, r->n, r->beta, NULL, pixels * channels);
}

static void forward_pixels(void *arg, int64_t begin, int64_t end) {
    struct job *j = arg;
    struct room r;
    if (!room_new(&r, j)) return;
    for (int64_t pixels, i = begin; i < end; i += pixels) {
        const int64_t at = i * j->channels;
        pixels = batch_of(j) < end - i ? batch_of(j) : end - i;
        norms(&r, j, j->x + at, pixels);
        for (int64_t c = 0; c < pixels * j->channels; c++) j->to[at + c] = j->x[at + c] * r.power[c];
    }
    sl_scratch_free(r.beta, r.bytes);
}

static void backward_pixels(void *arg, int64_t begin, int64_t end) {
    struct job *j = arg;
    struct room r;
    const float factor = 2 * j->s->alpha * j->s->beta;
    if (!room_new(&r, j)) return;
    for (int64_t pixels, i = begin; i < end; i += pixels) {
        pixels = batch_of(j) < end - i ? batch_of(j) : end - i;
        norms(&r, j, j->x + i * j->channels, pixels);
        for (int64_t p = 0; p < pixels; p++) {
            const int64_t at = (i + p) * j->channels;
            const float *x = j->x + at, *y = j->y + at, *g = j->g + at;
            const float *n = r.n + p * j->channels, *power = r.power + p * j->channels;
            float *part = pixel_of(&r, j);
            for (int64_t c = 0; c < j->channels; c++) part[c] = g[c] * y[c] / n[c];
            sum_neighbours(r.sum, r.padded, j->channels, j->radius);
            for (int64_t c = 0; c < j->channels; c++) j->to[at + c] = g[c] * power[c] - factor * x[c] * r.sum[c];
        }
    }
    sl_scratch_free(r.beta, r.bytes);
}

/* The square root and the quotient are cheaper than a power. */
static sl_loop_fn power_loop(float beta) {
    return sl_elementwise_loop(beta == 0.5f ? SL_LOOP_Rsqrt
                               : beta == 1  ? SL_LOOP_Reciprocal
                                            : SL_LOOP_Pow,
                               SL_FLOAT)
        .run;
}

/* Inputs are x, or g, x, y. */
static sl_code run(struct sl_kernel_context *k, bool is_grad) {
    int inputs = is_grad ? 3 : 1;
    struct sl_view in[3], out;
    struct sl_wide wide[4] = {0};
    struct job j = {.s = k->state};
    j.power = power_loop(j.s->beta);
    for (int i = 0; i < inputs; i++) {
        in[i] = sl_in(k, i);
        if (in[i].rank != 4) return sl_invalid(k, "in must be 4-dimensional");
        if (!sl_shape_equal(sl_view_shape(in[i]), sl_view_shape(in[0])))
            return sl_invalid(k, "input_grads, input_image, and out_image should have the same shape");
    }
    SL_TRY(sl_out_new(&out, k, 0, sl_view_shape(in[0])));
    if (out.count == 0) return SL_OK;
    sl_code code = sl_wide_out(&wide[3], k, out);
    for (int i = 0; i < inputs && code == SL_OK; i++) code = sl_wide_in(&wide[i], k, in[i]);
    if (code == SL_OK) {
        j.channels = out.dims[3];
        j.radius = j.s->radius < j.channels ? j.s->radius : j.channels - 1;
        j.g = wide[0].data;
        j.x = wide[is_grad].data;
        j.y = wide[2].data;
        j.to = wide[3].data;
        sl_kernel_split(k, out.count / j.channels, (double)j.channels * (is_grad ? 4 : 2),
                        is_grad ? backward_pixels : forward_pixels, &j);
        if (atomic_load(&j.is_out_of_memory)) code = sl_fail_memory(k->err, (size_t)j.channels * sizeof(float));
        else sl_wide_store(&wide[3], k, out);
    }
    for (int i = 0; i < 4; i++) sl_wide_free(&wide[i]);
    return code;
}
static sl_code lrn_run(struct sl_kernel_context *k) { return run(k, false); }
static sl_code lrn_grad_run(struct sl_kernel_context *k) { return run(k, true); }

#define TYPES (SL_SET(HALF) | SL_SET(BFLOAT16) | SL_SET(FLOAT))

const struct sl_kernel_def sl_cpu_lrn_rows[] = {
    KERNEL("LRN", RULE("T", TYPES), .create = lrn_create, .destroy = lrn_destroy, .run = lrn_run, .cost_ns = 200,
           .cost_element = 2) KERNEL("LRNGrad", RULE("T", TYPES), .create = lrn_create, .destroy = lrn_destroy,
                                     .run = lrn_grad_run, .cost_ns = 200, .cost_element = 4) SL_ROWS_END};
