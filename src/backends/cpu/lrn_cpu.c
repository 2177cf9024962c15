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
    sl_loop_fn power;
    const float *x, *y, *g;
    float *to;
    int64_t channels;
    atomic_bool is_out_of_memory;
};

/* to[i] = sum of from[j] over |i - j| <= radius */
static void sum_neighbours(float *to, const float *from, int64_t n, int64_t radius) {
    for (int64_t i = 0; i < n; i++) {
        int64_t begin = i - radius > 0 ? i - radius : 0, end = i + radius + 1 < n ? i + radius + 1 : n;
        float sum = 0;
        for (int64_t j = begin; j < end; j++) sum += from[j];
        to[i] = sum;
    }
}

/* n and n^-beta of a pixel; room: 3 vectors, the last one -beta throughout. */
static void norms(const struct job *j, float *n, float *power, float *room, const float *x) {
    const struct state *s = j->s;
    for (int64_t c = 0; c < j->channels; c++) power[c] = x[c] * x[c];
    sum_neighbours(n, power, j->channels, s->radius);
    for (int64_t c = 0; c < j->channels; c++) n[c] = s->bias + s->alpha * n[c];
    j->power(power, n, room, NULL, j->channels);
}

static float *room_new(struct job *j, size_t *bytes) {
    *bytes = (size_t)(5 * j->channels) * sizeof(float);
    float *room = sl_scratch_new(*bytes);
    if (!room) atomic_store(&j->is_out_of_memory, true);
    else
        for (int64_t c = 0; c < j->channels; c++) room[c] = -j->s->beta;
    return room;
}

static void forward_pixels(void *arg, int64_t begin, int64_t end) {
    struct job *j = arg;
    size_t bytes;
    float *room = room_new(j, &bytes), *n = room + j->channels, *power = n + j->channels;
    if (!room) return;
    for (int64_t i = begin; i < end; i++) {
        const float *x = j->x + i * j->channels;
        float *to = j->to + i * j->channels;
        norms(j, n, power, room, x);
        for (int64_t c = 0; c < j->channels; c++) to[c] = x[c] * power[c];
    }
    sl_scratch_free(room, bytes);
}

static void backward_pixels(void *arg, int64_t begin, int64_t end) {
    struct job *j = arg;
    size_t bytes;
    float *room = room_new(j, &bytes), *n = room + j->channels, *power = n + j->channels;
    float *part = power + j->channels, *sum = part + j->channels, factor = 2 * j->s->alpha * j->s->beta;
    if (!room) return;
    for (int64_t i = begin; i < end; i++) {
        int64_t at = i * j->channels;
        norms(j, n, power, room, j->x + at);
        for (int64_t c = 0; c < j->channels; c++) part[c] = j->g[at + c] * j->y[at + c] / n[c];
        sum_neighbours(sum, part, j->channels, j->s->radius);
        for (int64_t c = 0; c < j->channels; c++)
            j->to[at + c] = j->g[at + c] * power[c] - factor * j->x[at + c] * sum[c];
    }
    sl_scratch_free(room, bytes);
}

/* Inputs are x, or g, x, y. */
static sl_code run(struct sl_kernel_context *k, bool is_grad) {
    int inputs = is_grad ? 3 : 1;
    struct sl_view in[3], out;
    struct sl_wide wide[4] = {0};
    struct job j = {.s = k->state, .power = sl_elementwise_loop(SL_LOOP_Pow, SL_FLOAT).run};
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
        j.g = wide[0].data;
        j.x = wide[is_grad].data;
        j.y = wide[2].data;
        j.to = wide[3].data;
        sl_kernel_split(k, out.count / j.channels, (double)j.channels * (is_grad ? 8 : 6) + 50,
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
           .cost_element = 6) KERNEL("LRNGrad", RULE("T", TYPES), .create = lrn_create, .destroy = lrn_destroy,
                                     .run = lrn_grad_run, .cost_ns = 200, .cost_element = 8) SL_ROWS_END};
