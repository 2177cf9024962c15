/* Depthwise convolutions: a result's channels are sums of products of pixels with rows of the filter, or with pixels. Where several
 * outputs belong to an input channel, the input is written with each channel repeated, so that all have as many. */
#include "backends/cpu/depthwise.h"

#include <stdatomic.h>
#include <string.h>

#include "backends/cpu/depthwise_loops.h"

enum { CHUNK = 256, LEAST_SLICE = 1024, SLICES = 32, SLICES_BYTES = 1 << 26 };

struct job {
    const struct sl_conv *c;
    sl_weigh_fn weigh;
    int64_t taps, channels, size; /* channels of out */
    const char *x, *w;
    char *to;
    int64_t slices, points_of_slice, points;
    atomic_bool is_out_of_memory;
};

static struct job job_of(const struct sl_conv *c) {
    struct job j = {.c = c,
                    .weigh = SL_ISA_PICK(sl_weigh_loop)(c->is_double),
                    .channels = c->out.channels,
                    .size = c->is_double ? 8 : 4};
    j.taps = c->size[0] * c->size[1] * c->size[2];
    j.points = c->out.batch * sl_image_points(&c->out);
    return j;
}

static void split_index(int64_t at[SL_SPACE], int64_t *rest, int64_t i, const int64_t dims[SL_SPACE]) {
    for (int d = SL_SPACE - 1; d >= 0; d--) {
        at[d] = i % dims[d];
        i /= dims[d];
    }
    *rest = i;
}

/* Which input point tap `tap` joins to output point `at`: false when that is padding. */
static bool join(int64_t *index, const struct sl_conv *c, int64_t image, const int64_t at[SL_SPACE],
                 const int64_t tap[SL_SPACE]) {
    *index = image;
    for (int d = 0; d < SL_SPACE; d++) {
        int64_t x = at[d] * c->stride[d] + tap[d] * c->dilation[d] - c->before[d];
        if (x < 0 || x >= c->in.space[d]) return false;
        *index = *index * c->in.space[d] + x;
    }
    return true;
}
/* The other way: which output point has input point `at` under that tap. */
static bool join_back(int64_t *index, const struct sl_conv *c, int64_t image, const int64_t at[SL_SPACE],
                      const int64_t tap[SL_SPACE]) {
    *index = image;
    for (int d = 0; d < SL_SPACE; d++) {
        int64_t distance = at[d] + c->before[d] - tap[d] * c->dilation[d], x = distance / c->stride[d];
        if (distance < 0 || distance % c->stride[d] != 0 || x >= c->out.space[d]) return false;
        *index = *index * c->out.space[d] + x;
    }
    return true;
}

/* ---- forward, and the gradient by the input: points of one image from points of the other under each tap */
static void run_points(const struct job *j, int64_t begin, int64_t end, bool is_back) {
    const struct sl_conv *c = j->c;
    int64_t row = j->channels * j->size;
    const void *x[CHUNK], *w[CHUNK];
    for (int64_t i = begin; i < end; i++) {
        int64_t at[SL_SPACE], image, n = 0;
        bool adds = false;
        split_index(at, &image, i, is_back ? c->in.space : c->out.space);
        for (int64_t t = 0; t < j->taps; t++) {
            int64_t tap[SL_SPACE], rest, index;
            split_index(tap, &rest, t, c->size);
            if (is_back ? !join_back(&index, c, image, at, tap) : !join(&index, c, image, at, tap)) continue;
            if (n == CHUNK) {
                j->weigh(j->to + i * row, n, x, w, j->channels, adds);
                adds = true;
                n = 0;
            }
            x[n] = j->x + index * row;
            w[n++] = j->w + t * row;
        }
        j->weigh(j->to + i * row, n, x, w, j->channels, adds);
        if (!is_back && c->epilogue) sl_epilogue_run(c->epilogue, j->to + i * row, 0, 1, 0, j->channels);
    }
}
static void forward_points(void *arg, int64_t begin, int64_t end) { run_points(arg, begin, end, false); }
static void backward_points(void *arg, int64_t begin, int64_t end) { run_points(arg, begin, end, true); }

/* ---- the gradient by the filter */
static void filter_slices(void *arg, int64_t begin, int64_t end) {
    const struct job *j = arg;
    const struct sl_conv *c = j->c;
    int64_t row = j->channels * j->size;
    const void *x[CHUNK], *g[CHUNK];
    for (int64_t slice = begin; slice < end; slice++) {
        char *to = j->to + slice * j->taps * row;
        int64_t first = slice * j->points_of_slice,
                last = first + j->points_of_slice < j->points ? first + j->points_of_slice : j->points;
        memset(to, 0, (size_t)(j->taps * row));
        for (int64_t chunk = first; chunk < last; chunk += CHUNK)
            for (int64_t t = 0; t < j->taps; t++) {
                int64_t tap[SL_SPACE], rest, n = 0;
                split_index(tap, &rest, t, c->size);
                for (int64_t i = chunk; i < last && i < chunk + CHUNK; i++) {
                    int64_t at[SL_SPACE], image, index;
                    split_index(at, &image, i, c->out.space);
                    if (!join(&index, c, image, at, tap)) continue;
                    x[n] = j->x + index * row;
                    g[n++] = j->w + i * row;
                }
                j->weigh(to + t * row, n, x, g, j->channels, true);
            }
    }
}

static void add_slices(const struct job *j, void *filter) {
    int64_t n = j->taps * j->channels;
    memcpy(filter, j->to, (size_t)(n * j->size));
    for (int64_t s = 1; s < j->slices; s++)
        for (int64_t i = 0; i < n; i++) {
            if (j->size == 8) ((double *)filter)[i] += ((const double *)(const void *)j->to)[s * n + i];
            else ((float *)filter)[i] += ((const float *)(const void *)j->to)[s * n + i];
        }
}

/* ---- repeated channels */
static int64_t multiplier(const struct sl_conv *c) { return c->in.channels ? c->out.channels / c->in.channels : 1; }

#define REPEAT(T)                                                                                                      \
    static void repeat_##T(T *restrict to, const T *restrict from, int64_t n, int64_t times) {                         \
        for (int64_t i = 0; i < n; i++)                                                                                \
            for (int64_t j = 0; j < times; j++) to[i * times + j] = from[i];                                           \
    }                                                                                                                  \
    static void sum_##T(T *restrict to, const T *restrict from, int64_t n, int64_t times) {                            \
        for (int64_t i = 0; i < n; i++) {                                                                              \
            T sum = 0;                                                                                                 \
            for (int64_t j = 0; j < times; j++) sum += from[i * times + j];                                            \
            to[i] = sum;                                                                                               \
        }                                                                                                              \
    }
REPEAT(float)
REPEAT(double)

static int64_t in_elements(const struct sl_conv *c) { return c->in.batch * sl_image_points(&c->in) * c->in.channels; }

/* Room for the input with repeated channels; NULL (and no bytes) when they are not. */
static sl_code wide_input(char **room, size_t *bytes, struct sl_kernel_context *k, const struct sl_conv *c) {
    *room = NULL;
    *bytes = 0;
    if (multiplier(c) == 1) return SL_OK;
    *bytes = (size_t)(in_elements(c) * multiplier(c)) * (c->is_double ? 8 : 4) + 1;
    *room = sl_scratch_new(*bytes);
    return *room ? SL_OK : sl_fail_memory(k->err, *bytes);
}
static const void *repeat_input(char *room, const struct sl_conv *c, const void *in) {
    if (!room) return in;
    if (c->is_double) repeat_double((double *)(void *)room, in, in_elements(c), multiplier(c));
    else repeat_float((float *)(void *)room, in, in_elements(c), multiplier(c));
    return room;
}

static double ns_of_point(const struct job *j) { return (double)j->taps * (4 + 0.15 * (double)j->channels) + 10; }

sl_code sl_depthwise_forward(struct sl_kernel_context *k, const struct sl_conv *c, const void *in, const void *filter,
                             void *out) {
    struct job j = job_of(c);
    char *room;
    size_t bytes;
    SL_TRY(wide_input(&room, &bytes, k, c));
    j.x = repeat_input(room, c, in);
    j.w = filter;
    j.to = out;
    sl_kernel_split(k, j.points, ns_of_point(&j), forward_points, &j);
    sl_scratch_free(room, bytes);
    return SL_OK;
}

sl_code sl_depthwise_input_grad(struct sl_kernel_context *k, const struct sl_conv *c, const void *filter,
                                const void *grad, void *in) {
    struct job j = job_of(c);
    char *room;
    size_t bytes;
    SL_TRY(wide_input(&room, &bytes, k, c));
    j.x = grad;
    j.w = filter;
    j.to = room ? room : in;
    sl_kernel_split(k, c->in.batch * sl_image_points(&c->in), ns_of_point(&j), backward_points, &j);
    if (room && c->is_double) sum_double(in, (const double *)(void *)room, in_elements(c), multiplier(c));
    else if (room) sum_float(in, (const float *)(void *)room, in_elements(c), multiplier(c));
    sl_scratch_free(room, bytes);
    return SL_OK;
}

sl_code sl_depthwise_filter_grad(struct sl_kernel_context *k, const struct sl_conv *c, const void *in, const void *grad,
                                 void *filter) {
    struct job j = job_of(c);
    char *room;
    size_t bytes;
    int64_t each = j.taps * j.channels * j.size;
    if (each == 0) return SL_OK;
    SL_TRY(wide_input(&room, &bytes, k, c));
    j.x = repeat_input(room, c, in);
    j.w = grad;
    j.slices = j.points / LEAST_SLICE < SLICES ? j.points / LEAST_SLICE : SLICES;
    if (j.slices > SLICES_BYTES / each) j.slices = SLICES_BYTES / each;
    if (j.slices < 1) j.slices = 1;
    j.points_of_slice = (j.points + j.slices - 1) / j.slices;
    size_t slices = (size_t)(j.slices * each);
    j.to = sl_scratch_new(slices);
    if (j.to) {
        sl_kernel_split(k, j.slices, ns_of_point(&j) * (double)j.points_of_slice, filter_slices, &j);
        add_slices(&j, filter);
    }
    sl_code code = j.to ? SL_OK : sl_fail_memory(k->err, slices);
    sl_scratch_free(j.to, slices);
    sl_scratch_free(room, bytes);
    return code;
}
