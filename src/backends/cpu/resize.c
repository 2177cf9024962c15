/* The axes and loops of resizing. The order in which a sum is taken is part of the result: bilinear and area combine
 * along rows first, bicubic along columns first, each sum from the lowest index up. Called by resize_cpu.c and
 * fused_conv_cpu.c. */
#include "backends/cpu/resize.h"

#include <float.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

/* ---- axes */
float sl_resize_scale(int64_t in, int64_t out, enum sl_resize_grid grid) {
    return (grid == SL_GRID_ALIGNED || grid == SL_GRID_ALIGNED_CENTRES) && out > 1 ? (float)(in - 1) / (float)(out - 1)
                                                                                   : (float)in / (float)out;
}

static float place_of(const struct sl_resize_axis *a, enum sl_resize_grid grid, int64_t i) {
    return grid == SL_GRID_CENTRES ? ((float)i + 0.5f) * a->scale - 0.5f : (float)i * a->scale;
}
static int32_t within(const struct sl_resize_axis *a, int64_t i) {
    return (int32_t)(i < 0 ? 0 : i >= a->in ? a->in - 1 : i);
}

static void fill_nearest(struct sl_resize_axis *a, enum sl_resize_grid grid) {
    for (int64_t i = 0; i < a->out; i++) {
        float place = (grid >= SL_GRID_CENTRES ? (float)i + 0.5f : (float)i) * a->scale;
        place = grid == SL_GRID_ALIGNED || grid == SL_GRID_ALIGNED_CENTRES ? roundf(place) : floorf(place);
        a->index[i] = within(a, (int64_t)place);
        a->weight[i] = 1;
    }
}

static void fill_bilinear(struct sl_resize_axis *a, enum sl_resize_grid grid) {
    for (int64_t i = 0; i < a->out; i++) {
        float place = place_of(a, grid, i), low = floorf(place), t = place - low;
        a->index[2 * i] = within(a, (int64_t)low);
        a->index[2 * i + 1] = within(a, (int64_t)ceilf(place));
        a->weight[2 * i] = 1 - t;
        a->weight[2 * i + 1] = t;
    }
}

/* The cubic kernel of Keys ("Cubic convolution interpolation for digital image processing", 1981) at distance `step`
 * / 1024: its inner piece, and its outer one at a distance longer by 1. */
enum { STEPS = 1024 };
static float inner_cubic(double a, long step) {
    float x = (float)((double)step / STEPS);
    return (float)(((a + 2) * x - (a + 3)) * x * x + 1);
}
static float outer_cubic(double a, long step) {
    float x = (float)((double)step / STEPS) + 1;
    return (float)(((a * x - 5 * a) * x + 8 * a) * x - 4 * a);
}

static void fill_bicubic(struct sl_resize_axis *a, enum sl_resize_grid grid) {
    const double sharpness = grid == SL_GRID_CENTRES ? -0.5 : -0.75;
    for (int64_t i = 0; i < a->out; i++) {
        float place = place_of(a, grid, i), low = floorf(place), *w = a->weight + 4 * i, sum = 0;
        long step = lrintf((place - low) * STEPS);
        w[0] = outer_cubic(sharpness, step);
        w[1] = inner_cubic(sharpness, step);
        w[2] = inner_cubic(sharpness, STEPS - step);
        w[3] = outer_cubic(sharpness, STEPS - step);
        for (int t = 0; t < 4; t++) {
            int64_t at = (int64_t)low - 1 + t;
            a->index[4 * i + t] = within(a, at);
            if (grid == SL_GRID_CENTRES && at != a->index[4 * i + t]) w[t] = 0; /* what is outside has no part */
            sum += w[t];
        }
        if (grid == SL_GRID_CENTRES && fabsf(sum) >= 1000 * FLT_MIN) {
            const float one = 1.0f / sum;
            for (int t = 0; t < 4; t++) w[t] *= one;
        }
    }
}

/* The part of [at, at + 1) that lies in [begin, end), which is `scale` long. */
static float overlap(int64_t at, float begin, float end, float scale) {
    bool starts_before = (float)at<begin, ends_behind = (float)(at + 1)> end;
    if (starts_before) return ends_behind ? scale : (float)(at + 1) - begin;
    return ends_behind ? end - (float)at : 1;
}
static void fill_area(struct sl_resize_axis *a) {
    for (int64_t i = 0; i < a->out; i++) {
        float begin = (float)i * a->scale, end = (float)(i + 1) * a->scale;
        int64_t first = (int64_t)floorf(begin), last = (int64_t)ceilf(end);
        a->count[i] = 0;
        for (int64_t at = first; at < last && a->count[i] < a->width; at++) {
            int64_t tap = i * a->width + a->count[i]++;
            a->index[tap] = within(a, at);
            a->weight[tap] = overlap(at, begin, end, a->scale);
        }
    }
}

sl_code sl_resize_axis_new(struct sl_resize_axis *axis, enum sl_resize_method method, enum sl_resize_grid grid,
                           int64_t in, int64_t out, struct sl_error *err) {
    struct sl_resize_axis a = {.in = in, .out = out, .scale = sl_resize_scale(in, out, grid)};
    const int widths[] = {1, 2, 4, (int)fminf(ceilf(a.scale), (float)in) + 2};
    a.width = widths[method];
    size_t taps = (size_t)out * (size_t)a.width;
    a.bytes = (size_t)out * sizeof *a.count + taps * (sizeof *a.index + sizeof *a.weight);
    a.count = sl_scratch_new(a.bytes);
    if (!a.count) return sl_fail_memory(err, a.bytes);
    a.index = a.count + out;
    a.weight = (float *)(a.index + taps);
    for (int64_t i = 0; i < out; i++) a.count[i] = a.width;
    if (method == SL_RESIZE_NEAREST) fill_nearest(&a, grid);
    else if (method == SL_RESIZE_BILINEAR) fill_bilinear(&a, grid);
    else if (method == SL_RESIZE_BICUBIC) fill_bicubic(&a, grid);
    else fill_area(&a);
    *axis = a;
    return SL_OK;
}

void sl_resize_axis_free(struct sl_resize_axis *axis) {
    if (axis->bytes) sl_scratch_free(axis->count, axis->bytes);
    axis->bytes = 0;
}

/* ---- loops */
struct resize {
    enum sl_resize_method method;
    const struct sl_resize_axis *y, *x;
    int64_t channels, in_row, out_row; /* floats of a row */
    float factor;                      /* of the result; area alone */
    float *to;
    const float *from;
    atomic_bool is_out_of_memory;
};

/* to = a + (b - a) * t */
static void mix_rows(float *restrict to, const float *restrict a, const float *restrict b, float t, int64_t n) {
    for (int64_t i = 0; i < n; i++) to[i] = a[i] + (b[i] - a[i]) * t;
}
static void add_row(float *restrict to, const float *restrict row, float weight, int64_t n, bool is_first) {
    if (is_first)
        for (int64_t i = 0; i < n; i++) to[i] = row[i] * weight;
    else
        for (int64_t i = 0; i < n; i++) to[i] += row[i] * weight;
}

static inline void mix_pixels(float *restrict to, const float *restrict from, const struct sl_resize_axis *x,
                              int64_t channels) {
    for (int64_t i = 0; i < x->out; i++) {
        const float *a = from + x->index[2 * i] * channels, *b = from + x->index[2 * i + 1] * channels;
        const float t = x->weight[2 * i + 1];
        for (int64_t c = 0; c < channels; c++) to[i * channels + c] = a[c] + (b[c] - a[c]) * t;
    }
}
static inline void sum_pixels(float *restrict to, const float *restrict from, const struct sl_resize_axis *x,
                              int64_t channels) {
    for (int64_t i = 0; i < x->out; i++) {
        const int32_t *index = x->index + i * x->width;
        const float *weight = x->weight + i * x->width;
        float *pixel = to + i * channels;
        for (int64_t c = 0; c < channels; c++) pixel[c] = from[index[0] * channels + c] * weight[0];
        for (int32_t t = 1; t < x->count[i]; t++)
            for (int64_t c = 0; c < channels; c++) pixel[c] += from[index[t] * channels + c] * weight[t];
    }
}
/* A row of the image made as wide as the result. The usual numbers of channels have loops of their own. */
static void across(const struct resize *r, float *to, const float *from) {
#define FOR_CHANNELS(loop)                                                                                             \
    switch (r->channels) {                                                                                             \
    case 1: loop(to, from, r->x, 1); break;                                                                            \
    case 3: loop(to, from, r->x, 3); break;                                                                            \
    case 4: loop(to, from, r->x, 4); break;                                                                            \
    default: loop(to, from, r->x, r->channels);                                                                        \
    }
    if (r->method == SL_RESIZE_BILINEAR) {
        FOR_CHANNELS(mix_pixels)
    } else {
        FOR_CHANNELS(sum_pixels)
    }
}

/* Rows of the image that are already as wide as the result: row i stands in slot i % n. */
struct wide_rows {
    float *rows;
    int64_t *held; /* which row a slot holds; -1: none */
    int64_t n;
};
static const float *wide_row(struct wide_rows *w, const struct resize *r, const float *image, int64_t row) {
    int64_t slot = row % w->n;
    float *to = w->rows + slot * r->out_row;
    if (w->held[slot] != row) across(r, to, image + row * r->in_row);
    w->held[slot] = row;
    return to;
}

static void row_first(const struct resize *r, struct wide_rows *w, float *to, const float *image, int64_t y) {
    const int32_t *index = r->y->index + y * r->y->width;
    const float *weight = r->y->weight + y * r->y->width;
    if (r->method == SL_RESIZE_BILINEAR) {
        const float *top = wide_row(w, r, image, index[0]);
        mix_rows(to, top, wide_row(w, r, image, index[1]), weight[1], r->out_row);
        return;
    }
    for (int32_t t = 0; t < r->y->count[y]; t++)
        add_row(to, wide_row(w, r, image, index[t]), weight[t], r->out_row, t == 0);
    for (int64_t i = 0; i < r->out_row; i++) to[i] *= r->factor;
}

static void column_first(const struct resize *r, float *room, float *to, const float *image, int64_t y) {
    const int32_t *index = r->y->index + y * r->y->width;
    const float *weight = r->y->weight + y * r->y->width;
    for (int32_t t = 0; t < r->y->count[y]; t++)
        add_row(room, image + index[t] * r->in_row, weight[t], r->in_row, t == 0);
    across(r, to, room);
}

/* Rows [begin, end) of the results of all images. */
static void resize_rows(void *arg, int64_t begin, int64_t end) {
    struct resize *r = arg;
    bool columns_first = r->method == SL_RESIZE_BICUBIC;
    struct wide_rows w = {.n = r->y->width};
    size_t floats = columns_first ? (size_t)r->in_row : (size_t)(w.n * r->out_row);
    size_t held_bytes = (size_t)w.n * sizeof *w.held, bytes = held_bytes + floats * sizeof *w.rows;
    w.held = sl_scratch_new(bytes);
    if (!w.held) {
        atomic_store(&r->is_out_of_memory, true);
        return;
    }
    w.rows = (float *)(w.held + w.n);
    int64_t image = -1;
    for (int64_t i = begin; i < end; i++) {
        if (i / r->y->out != image) memset(w.held, -1, held_bytes);
        image = i / r->y->out;
        const float *from = r->from + image * r->y->in * r->in_row;
        float *to = r->to + i * r->out_row;
        if (columns_first) column_first(r, w.rows, to, from, i % r->y->out);
        else row_first(r, &w, to, from, i % r->y->out);
    }
    sl_scratch_free(w.held, bytes);
}

sl_code sl_resize_run(struct sl_kernel_context *k, enum sl_resize_method method, const struct sl_resize_axis *y,
                      const struct sl_resize_axis *x, int64_t batch, int64_t channels, float *to, const float *from) {
    struct resize r = {.method = method, .y = y, .x = x, .channels = channels, .to = to, .from = from};
    r.in_row = x->in * channels;
    r.out_row = x->out * channels;
    r.factor = 1.0f / (y->scale * x->scale);
    double ns =
        (double)r.out_row * (x->width + y->width) + (double)r.in_row * (method == SL_RESIZE_BICUBIC ? y->width : 0);
    sl_kernel_split(k, batch * y->out, 0.5 * ns + 20, resize_rows, &r);
    return atomic_load(&r.is_out_of_memory) ? sl_fail_memory(k->err, (size_t)r.out_row * sizeof(float)) : SL_OK;
}
