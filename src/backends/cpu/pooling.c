/* Pools. Everything goes from the point that is written to those it is made of, so points are independent: an output point goes over its
 * window, an input point of a gradient over the windows that hold it. */
#include "backends/cpu/pooling.h"

#include <string.h>

struct job {
    const struct sl_pool_plan *p;
    const char *x;
    char *to;
    int32_t *from;
};

/* A box of points, ends excluded. */
struct box {
    int64_t begin[SL_SPACE], end[SL_SPACE];
};

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }

/* Windows of more points are gone over point by point. */
enum { FEW_POINTS = 64 };

/* Splits point i of all images into its image, which is returned, and its place there. */
static int64_t locate(int64_t at[SL_SPACE], int64_t i, const struct sl_image *image) {
    for (int d = SL_SPACE - 1; d >= 0; d--) {
        at[d] = i % image->space[d];
        i /= image->space[d];
    }
    return i;
}
/* The point after the one at `at` in image `*image`. */
static void advance(int64_t at[SL_SPACE], int64_t *image, const struct sl_image *of) {
    int d = SL_SPACE - 1;
    while (d >= 0 && ++at[d] == of->space[d]) at[d--] = 0;
    *image += d < 0;
}
static int64_t index_of(const struct sl_image *image, int64_t z, int64_t y, int64_t x) {
    return (z * image->space[1] + y) * image->space[2] + x;
}
static int64_t volume(const struct box *b) {
    int64_t n = 1;
    for (int d = 0; d < SL_SPACE; d++) n *= larger(b->end[d] - b->begin[d], 0);
    return n;
}

static inline void fit_window(struct box *b, const struct sl_pool_plan *p, const int64_t at[SL_SPACE], int d) {
    int64_t first = at[d] * p->stride[d] - p->before[d];
    b->begin[d] = larger(first, 0);
    b->end[d] = smaller(first + p->size[d], p->in.space[d]);
}
/* The input points of the window at output point `at`. */
static struct box window_at(const struct sl_pool_plan *p, const int64_t at[SL_SPACE]) {
    struct box b;
    for (int d = 0; d < SL_SPACE; d++) fit_window(&b, p, at, d);
    return b;
}
/* The same, from the window of a point before it on the same line. */
static inline void window_along(struct box *b, const struct sl_pool_plan *p, const int64_t at[SL_SPACE]) {
    if (at[SL_SPACE - 1] == 0) *b = window_at(p, at);
    else fit_window(b, p, at, SL_SPACE - 1);
}
/* The output points whose windows hold input point `at`. */
static struct box windows_of(const struct sl_pool_plan *p, const int64_t at[SL_SPACE]) {
    struct box b;
    for (int d = 0; d < SL_SPACE; d++) {
        int64_t last = at[d] + p->before[d], first = last - p->size[d] + 1;
        b.begin[d] = first <= 0 ? 0 : (first + p->stride[d] - 1) / p->stride[d];
        b.end[d] = smaller(last / p->stride[d] + 1, p->out.space[d]);
    }
    return b;
}

#define FOR_EACH_POINT(box, z, y, x)                                                                                   \
    for (int64_t z = (box).begin[0]; z < (box).end[0]; z++)                                                            \
        for (int64_t y = (box).begin[1]; y < (box).end[1]; y++)                                                        \
            for (int64_t x = (box).begin[2]; x < (box).end[2]; x++)

static void split(struct sl_kernel_context *k, const struct sl_pool_plan *p, const struct sl_image *image,
                  struct job *job, void (*work)(void *arg, int64_t begin, int64_t end)) {
    double window = (double)p->size[0] * (double)p->size[1] * (double)p->size[2];
    if (image == &p->in) window /= (double)p->stride[0] * (double)p->stride[1] * (double)p->stride[2];
    sl_kernel_split(k, image->batch * sl_image_points(image), window * (4 + 0.2 * (double)image->channels) + 20, work,
                    job);
}

/* How many points from the one at `at` on, `most` at most, can be taken as one: their windows lie inside the row and each one's points
 * are next to the former's. */
static int64_t side_by_side(const struct sl_pool_plan *p, const int64_t at[SL_SPACE], int64_t most) {
    enum { ELEMENTS = 2048 }; /* so many stay near */
    int64_t first = at[2] - p->before[2], inside = p->in.space[2] - p->size[2] - first + 1;
    if (p->stride[2] != 1 || first < 0) return 1;
    most = smaller(smaller(most, p->out.space[2] - at[2]), 1 + ELEMENTS / p->in.channels);
    return larger(smaller(inside, most), 1);
}

/* ---- maxima */
/* The pixels of a box of an image, at most FEW_POINTS, from `from` on. */
static int list_pixels(const void **pixels, const struct box *b, const struct sl_image *image, const char *from,
                       int64_t row) {
    int n = 0;
    FOR_EACH_POINT(*b, z, y, x) pixels[n++] = from + index_of(image, z, y, x) * row;
    return n;
}

static void max_points(void *arg, int64_t begin, int64_t end) {
    const struct job *j = arg;
    const struct sl_pool_plan *p = j->p;
    const void *pixels[FEW_POINTS];
    int64_t row = p->in.channels * p->loops->size, at[SL_SPACE], image = locate(at, begin, &p->out);
    struct box b = window_at(p, at);
    for (int64_t points, i = begin; i < end; i += points) {
        const char *from = j->x + image * sl_image_points(&p->in) * row;
        window_along(&b, p, at);
        char *to = j->to + i * row;
        points = side_by_side(p, at, end - i);
        const int64_t n = points * p->in.channels, size = volume(&b);
        if (p->loops->largest && size > 0 && size <= FEW_POINTS) {
            p->loops->largest(to, pixels, list_pixels(pixels, &b, &p->in, from, row), n);
        } else {
            p->loops->lowest(to, n);
            FOR_EACH_POINT(b, z, y, x) p->loops->larger(to, from + index_of(&p->in, z, y, x) * row, n);
        }
        at[SL_SPACE - 1] += points - 1;
        advance(at, &image, &p->out);
    }
}

void sl_pool_max(struct sl_kernel_context *k, const struct sl_pool_plan *p, const void *in, void *out) {
    struct job j = {.p = p, .x = in, .to = out};
    split(k, p, &p->out, &j, max_points);
}

static void max_from_points(void *arg, int64_t begin, int64_t end) {
    const struct job *j = arg;
    const struct sl_pool_plan *p = j->p;
    int64_t channels = p->in.channels, row = channels * p->loops->size;
    for (int64_t i = begin; i < end; i++) {
        int64_t at[SL_SPACE], image = locate(at, i, &p->out) * sl_image_points(&p->in);
        struct box b = window_at(p, at);
        char *to = j->to + i * row;
        int32_t *from = j->from + i * channels, first = -1;
        if (volume(&b) > 0) first = (int32_t)index_of(&p->in, b.begin[0], b.begin[1], b.begin[2]);
        for (int64_t c = 0; c < channels; c++) from[c] = first;
        if (first < 0) {
            p->loops->lowest(to, channels);
            continue;
        }
        memcpy(to, j->x + (image + first) * row, (size_t)row);
        FOR_EACH_POINT(b, z, y, x) {
            int64_t index = index_of(&p->in, z, y, x);
            p->loops->larger_from(to, from, j->x + (image + index) * row, (int32_t)index, channels);
        }
    }
}

void sl_pool_max_from(struct sl_kernel_context *k, const struct sl_pool_plan *p, const void *in, void *out,
                      int32_t *from) {
    struct job j = {.p = p, .x = in, .to = out, .from = from};
    split(k, p, &p->out, &j, max_from_points);
}

static void match_points(void *arg, int64_t begin, int64_t end) {
    const struct job *j = arg;
    const struct sl_pool_plan *p = j->p;
    int64_t channels = p->in.channels, row = channels * p->loops->size;
    for (int64_t i = begin; i < end; i++) {
        int64_t at[SL_SPACE], image = locate(at, i, &p->out) * sl_image_points(&p->in);
        struct box b = window_at(p, at);
        int32_t *from = j->from + i * channels;
        for (int64_t c = 0; c < channels; c++) from[c] = -1;
        FOR_EACH_POINT(b, z, y, x) {
            int64_t index = index_of(&p->in, z, y, x);
            p->loops->equal_from(j->to + i * row, from, j->x + (image + index) * row, (int32_t)index, channels);
        }
    }
}

void sl_pool_match(struct sl_kernel_context *k, const struct sl_pool_plan *p, const void *in, const void *top,
                   int32_t *from) {
    struct job j = {.p = p, .x = in, .to = (char *)(uintptr_t)top, .from = from};
    split(k, p, &p->out, &j, match_points);
}

static void max_grad_points(void *arg, int64_t begin, int64_t end) {
    const struct job *j = arg;
    const struct sl_pool_plan *p = j->p;
    int64_t channels = p->in.channels, size = p->loops->size, points = sl_image_points(&p->in);
    for (int64_t i = begin; i < end; i++) {
        int64_t at[SL_SPACE], image = locate(at, i, &p->in) * sl_image_points(&p->out);
        struct box b = windows_of(p, at);
        char *to = j->to + i * channels * size;
        memset(to, 0, (size_t)(channels * size));
        FOR_EACH_POINT(b, z, y, x) {
            int64_t window = (image + index_of(&p->out, z, y, x)) * channels;
            p->loops->add_from(to, j->from + window, (int32_t)(i % points), j->x + window * size, channels);
        }
    }
}

void sl_pool_max_grad(struct sl_kernel_context *k, const struct sl_pool_plan *p, const int32_t *from, const void *x,
                      void *in) {
    struct job j = {.p = p, .x = x, .to = in, .from = (int32_t *)(uintptr_t)from};
    split(k, p, &p->in, &j, max_grad_points);
}

/* ---- windows that follow each other, each point in one: no need to write down which point a maximum is from */
bool sl_pool_is_tiled(const struct sl_pool_plan *p) {
    int64_t points = 1;
    if (!p->loops->spread) return false;
    for (int d = 0; d < SL_SPACE; d++) {
        points *= p->size[d];
        if (p->size[d] != p->stride[d] || p->out.space[d] * p->size[d] - p->before[d] < p->in.space[d] ||
            p->before[d] >= p->size[d] || points > FEW_POINTS)
            return false;
    }
    return true;
}

struct spread_job {
    const struct sl_pool_plan *p;
    const char *x, *grad;
    char *to;
};

static void spread_points(void *arg, int64_t begin, int64_t end) {
    const struct spread_job *j = arg;
    const struct sl_pool_plan *p = j->p;
    const void *pixels[FEW_POINTS];
    void *to[FEW_POINTS];
    int64_t row = p->in.channels * p->loops->size, at[SL_SPACE], image = locate(at, begin, &p->out);
    struct box b = window_at(p, at);
    for (int64_t i = begin; i < end; i++) {
        const int64_t first = image * sl_image_points(&p->in) * row;
        window_along(&b, p, at);
        const int n = volume(&b) > 0 ? list_pixels(pixels, &b, &p->in, j->x + first, row) : 0;
        for (int q = 0; q < n; q++) to[q] = j->to + ((const char *)pixels[q] - j->x);
        if (n > 0) p->loops->spread(to, pixels, n, j->grad + i * row, p->in.channels);
        advance(at, &image, &p->out);
    }
}

void sl_pool_max_spread(struct sl_kernel_context *k, const struct sl_pool_plan *p, const void *in, const void *grad,
                        void *out) {
    struct spread_job j = {.p = p, .x = in, .grad = grad, .to = out};
    double window = (double)p->size[0] * (double)p->size[1] * (double)p->size[2];
    sl_kernel_split(k, p->out.batch * sl_image_points(&p->out), window * (6 + 0.4 * (double)p->in.channels) + 20,
                    spread_points, &j);
}

static void pick_points(void *arg, int64_t begin, int64_t end) {
    const struct job *j = arg;
    const struct sl_pool_plan *p = j->p;
    int64_t channels = p->in.channels, size = p->loops->size, points = sl_image_points(&p->out);
    for (int64_t i = begin; i < end; i++) {
        const char *image = j->x + i / points * sl_image_points(&p->in) * channels * size;
        for (int64_t c = 0; c < channels; c++) {
            char *to = j->to + (i * channels + c) * size;
            int64_t from = j->from[i * channels + c];
            if (from < 0) memset(to, 0, (size_t)size);
            else memcpy(to, image + (from * channels + c) * size, (size_t)size);
        }
    }
}

void sl_pool_max_pick(struct sl_kernel_context *k, const struct sl_pool_plan *p, const int32_t *from, const void *x,
                      void *out) {
    struct job j = {.p = p, .x = x, .to = out, .from = (int32_t *)(uintptr_t)from};
    split(k, p, &p->out, &j, pick_points);
}

/* ---- means */
static void mean_points(void *arg, int64_t begin, int64_t end) {
    const struct job *j = arg;
    const struct sl_pool_plan *p = j->p;
    const void *pixels[FEW_POINTS];
    int64_t row = p->in.channels * p->loops->size, at[SL_SPACE], image = locate(at, begin, &p->out);
    struct box b = window_at(p, at);
    for (int64_t points, i = begin; i < end; i += points) {
        const char *from = j->x + image * sl_image_points(&p->in) * row;
        window_along(&b, p, at);
        char *to = j->to + i * row;
        points = side_by_side(p, at, end - i);
        const int64_t n = points * p->in.channels, size = volume(&b);
        const double factor = 1 / (double)larger(size, 1);
        if (size <= FEW_POINTS) {
            p->loops->mean(to, pixels, list_pixels(pixels, &b, &p->in, from, row), factor, n);
        } else {
            memset(to, 0, (size_t)(n * p->loops->size));
            FOR_EACH_POINT(b, z, y, x) p->loops->add(to, from + index_of(&p->in, z, y, x) * row, n);
            p->loops->scale(to, factor, n);
        }
        at[SL_SPACE - 1] += points - 1;
        advance(at, &image, &p->out);
    }
}

void sl_pool_mean(struct sl_kernel_context *k, const struct sl_pool_plan *p, const void *in, void *out) {
    struct job j = {.p = p, .x = in, .to = out};
    split(k, p, &p->out, &j, mean_points);
}

static void mean_grad_points(void *arg, int64_t begin, int64_t end) {
    const struct job *j = arg;
    const struct sl_pool_plan *p = j->p;
    int64_t channels = p->in.channels, size = p->loops->size;
    for (int64_t i = begin; i < end; i++) {
        int64_t at[SL_SPACE], image = locate(at, i, &p->in) * sl_image_points(&p->out);
        struct box b = windows_of(p, at);
        char *to = j->to + i * channels * size;
        memset(to, 0, (size_t)(channels * size));
        FOR_EACH_POINT(b, z, y, x) {
            struct box window = window_at(p, (const int64_t[]){z, y, x});
            int64_t points = volume(&window);
            if (points == 0) continue;
            p->loops->add_scaled(to, j->x + (image + index_of(&p->out, z, y, x)) * channels * size, 1 / (double)points,
                                 channels);
        }
    }
}

void sl_pool_mean_grad(struct sl_kernel_context *k, const struct sl_pool_plan *p, const void *x, void *in) {
    struct job j = {.p = p, .x = x, .to = in};
    split(k, p, &p->in, &j, mean_grad_points);
}
