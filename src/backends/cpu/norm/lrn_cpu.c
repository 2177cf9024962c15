/* Local response normalisation over neighbouring channels, and its gradient. With n = bias + alpha * (sum of x^2
 * over the channels at most depth_radius away):
 *
 *     y = x * n^-beta
 *     dx[i] = g[i] n[i]^-beta - 2 alpha beta x[i] * sum over neighbours j of (g[j] y[j] / n[j]) */
#include <stdatomic.h>
#include <string.h>

#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/math/elementwise.h"
#include "backends/cpu/norm/neighbours.h"
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

/* Several pixels are worked on together: at least so many numbers. They stand in a row with `radius` zeros before,
 * between and after them, so that sums over neighbours go over all of it at once. */
enum { BATCH = 512 };
static int64_t batch_of(const struct job *j) { return 1 + BATCH / j->channels; }
static int64_t step_of(const struct job *j) { return j->channels + j->radius; }
/* Places from the first pixel's first to the last one's last. */
static int64_t length_of(const struct job *j, int64_t pixels) { return pixels * step_of(j) - j->radius; }

/* What a thread works in: vectors of a batch. */
struct room {
    float *beta, *n, *power, *sum; /* beta: -beta throughout */
    float *padded;                 /* with the zeros at both ends */
    size_t bytes;
};
static bool room_new(struct room *r, struct job *j) {
    int64_t all = length_of(j, batch_of(j)), count = 5 * all + 2 * j->radius;
    r->bytes = (size_t)count * sizeof(float);
    r->beta = sl_scratch_new(r->bytes);
    if (!r->beta) {
        atomic_store(&j->is_out_of_memory, true);
        return false;
    }
    r->n = r->beta + all;
    r->power = r->n + all;
    r->sum = r->power + all;
    r->padded = r->sum + all;
    for (int64_t i = 0; i < all; i++) r->beta[i] = -j->s->beta;
    return true;
}

/* The first of so many pixels in `padded`, to be filled; the other places are zero again. */
static float *pixels_of(struct room *r, const struct job *j, int64_t pixels) {
    memset(r->padded, 0, (size_t)(length_of(j, pixels) + 2 * j->radius) * sizeof *r->padded);
    return r->padded + j->radius;
}

/* n and n^-beta of pixels from x on. */
static void norms(struct room *r, const struct job *j, const float *x, int64_t pixels) {
    const struct state *s = j->s;
    float *square = pixels_of(r, j, pixels);
    for (int64_t i = 0; i < pixels; i++, x += j->channels, square += step_of(j))
        for (int64_t c = 0; c < j->channels; c++) square[c] = x[c] * x[c];
    SL_ISA_PICK(sl_sum_neighbours)(r->n, r->padded, length_of(j, pixels), j->radius, s->alpha, s->bias);
    j->power(r->power, r->n, r->beta, NULL, length_of(j, pixels));
}

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

static void forward_pixels(void *arg, int64_t begin, int64_t end) {
    struct job *j = arg;
    struct room r;
    if (!room_new(&r, j)) return;
    for (int64_t pixels, i = begin; i < end; i += pixels) {
        pixels = smaller(batch_of(j), end - i);
        norms(&r, j, j->x + i * j->channels, pixels);
        for (int64_t p = 0; p < pixels; p++) {
            const float *x = j->x + (i + p) * j->channels, *power = r.power + p * step_of(j);
            float *restrict to = j->to + (i + p) * j->channels;
            for (int64_t c = 0; c < j->channels; c++) to[c] = x[c] * power[c];
        }
    }
    sl_scratch_free(r.beta, r.bytes);
}

static void backward_pixels(void *arg, int64_t begin, int64_t end) {
    struct job *j = arg;
    struct room r;
    const float factor = 2 * j->s->alpha * j->s->beta;
    if (!room_new(&r, j)) return;
    for (int64_t pixels, i = begin; i < end; i += pixels) {
        pixels = smaller(batch_of(j), end - i);
        norms(&r, j, j->x + i * j->channels, pixels);
        float *part = pixels_of(&r, j, pixels);
        for (int64_t p = 0; p < pixels; p++, part += step_of(j)) {
            const float *y = j->y + (i + p) * j->channels, *g = j->g + (i + p) * j->channels;
            const float *n = r.n + p * step_of(j);
            for (int64_t c = 0; c < j->channels; c++) part[c] = g[c] * y[c] / n[c];
        }
        SL_ISA_PICK(sl_sum_neighbours)(r.sum, r.padded, length_of(j, pixels), j->radius, -factor, 0);
        for (int64_t p = 0; p < pixels; p++) {
            const int64_t at = (i + p) * j->channels;
            const float *x = j->x + at, *g = j->g + at, *power = r.power + p * step_of(j),
                        *sum = r.sum + p * step_of(j);
            float *restrict to = j->to + at;
            for (int64_t c = 0; c < j->channels; c++) to[c] = g[c] * power[c] + x[c] * sum[c];
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
