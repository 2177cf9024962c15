/* Pools. Everything goes from the point that is written to those it is made of, so points are independent: an output
 * point goes over its window, an input point of a gradient over the windows that hold it. */
#include "backends/cpu/pool/pooling.h"

#include <string.h>

struct job {
    const struct sl_pool_plan *p;
    const char *x, *in; /* in: of gradients that find the maxima themselves */
    char *to;
    int32_t *from;
    bool is_max;
};

/* A box of points, ends excluded. */
struct box {
    int64_t begin[SL_SPACE], end[SL_SPACE];
};

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }

/* Windows of more points are gone over point by point. */
enum { FEW_POINTS = 64 };
/* Pixels of fewer bytes are picked into rows first, so that loops over them are long; so many bytes of them. */
enum { SMALL_PIXEL = 64, PICKED_BYTES = 16384 };

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

static void split(struct sl_kernel_context *k, const struct sl_pool_plan *p, struct job *job,
                  void (*work)(void *arg, int64_t begin, int64_t end)) {
    double window = (double)p->size[0] * (double)p->size[1] * (double)p->size[2];
    sl_kernel_split(k, p->out.batch * sl_image_points(&p->out), window * (4 + 0.2 * (double)p->out.channels) + 20, work,
                    job);
}

/* How many points from the one at `at` on, `most` at most, can be taken as one: their windows lie inside the row,
 * and each one's points are next to the former's or small enough to be picked. */
static int64_t side_by_side(const struct sl_pool_plan *p, const int64_t at[SL_SPACE], int64_t most) {
    enum { ELEMENTS = 2048 }; /* so many stay near */
    const int64_t first = at[2] - p->before[2], stride = p->stride[2], row = p->in.channels * p->loops->size;
    const int64_t begin = at[2] * stride - p->before[2], inside = p->in.space[2] - p->size[2] - begin;
    if (stride == 1) {
        if (first < 0) return 1;
        most = smaller(most, 1 + ELEMENTS / p->in.channels);
    } else {
        const int64_t points = p->size[0] * p->size[1] * p->size[2];
        if (begin < 0 || row >= SMALL_PIXEL || points > FEW_POINTS || !p->loops->largest) return 1;
        most = smaller(most, PICKED_BYTES / (points * row));
    }
    return larger(smaller(inside < 0 ? 0 : inside / stride + 1, smaller(most, p->out.space[2] - at[2])), 1);
}

/* ---- maxima */
/* The pixels of a box of an image, at most FEW_POINTS, from `from` on. */
static int list_pixels(const void **pixels, const struct box *b, const struct sl_image *image, const char *from,
                       int64_t row) {
    int n = 0;
    FOR_EACH_POINT(*b, z, y, x) pixels[n++] = from + index_of(image, z, y, x) * row;
    return n;
}

/* Pixels of `row` < SMALL_PIXEL bytes, one after `step` bytes: one after the other. */
static inline __attribute__((always_inline)) void pick_row(char *to, const char *from, int64_t n, int64_t row,
                                                           int64_t step) {
    for (int64_t i = 0; i < n; i++, to += row, from += step) {
        int64_t at = 0;
        for (; at + 16 <= row; at += 16) memcpy(to + at, from + at, 16);
        if (row > 16) memcpy(to + row - 16, from + row - 16, 16);
        else
            for (; at < row; at += 4) memcpy(to + at, from + at, 4);
    }
}
/* The same points of the windows of `n` results that are `step` bytes apart: those of the first are at `pixels`,
 * which then are rows. */
static void pick_pixels(char *room, const void **pixels, int count, int64_t n, int64_t row, int64_t step) {
    for (int p = 0; p < count; p++, room += n * row) {
        if (row == 4) pick_row(room, pixels[p], n, 4, step);
        else if (row == 12) pick_row(room, pixels[p], n, 12, step);
        else pick_row(room, pixels[p], n, row, step);
        pixels[p] = room;
    }
}

/* Where the maxima of a window are, point by point. */
static void find_maxima(const struct job *j, const struct box *b, char *to, int32_t *from, const char *in) {
    const struct sl_pool_plan *p = j->p;
    const int64_t channels = p->in.channels, row = channels * p->loops->size;
    const bool is_empty = volume(b) == 0;
    const int32_t first = is_empty ? -1 : (int32_t)index_of(&p->in, b->begin[0], b->begin[1], b->begin[2]);
    for (int64_t c = 0; c < channels; c++) from[c] = first;
    if (is_empty) p->loops->lowest(to, channels);
    else memcpy(to, in + first * row, (size_t)row);
    FOR_EACH_POINT(*b, z, y, x) {
        int64_t place = index_of(&p->in, z, y, x);
        p->loops->larger_from(to, from, in + place * row, (int32_t)place, channels);
    }
}
/* Windows of many points, or of integers; `size` points each, `n` elements of results. */
static void pool_large(const struct job *j, const struct box *b, char *to, const char *in, int64_t size, int64_t n) {
    const struct sl_pool_plan *p = j->p;
    const int64_t row = p->in.channels * p->loops->size;
    if (j->is_max) {
        p->loops->lowest(to, n);
        FOR_EACH_POINT(*b, z, y, x) p->loops->larger(to, in + index_of(&p->in, z, y, x) * row, n);
    } else {
        memset(to, 0, (size_t)(n * p->loops->size));
        if (size == 0) return; /* of half as it is there are no further loops */
        FOR_EACH_POINT(*b, z, y, x) p->loops->add(to, in + index_of(&p->in, z, y, x) * row, n);
        p->loops->scale(to, 1 / (double)larger(size, 1), n);
    }
}
/* Windows of `points` results side by side, of which `b` is the first; `size` points each. */
static void pool_few(const struct job *j, const struct box *b, char *to, int32_t *from, const char *in, int64_t size,
                     int64_t points) {
    const struct sl_pool_plan *p = j->p;
    const int64_t channels = p->in.channels, row = channels * p->loops->size, n = points * channels;
    char picked[PICKED_BYTES] __attribute__((aligned(64)));
    const void *pixels[FEW_POINTS];
    int32_t index[FEW_POINTS];
    const int count = list_pixels(pixels, b, &p->in, in, row);
    for (int i = 0; from && i < count; i++) index[i] = (int32_t)(((const char *)pixels[i] - in) / row);
    if (points > 1 && p->stride[2] > 1) pick_pixels(picked, pixels, count, points, row, p->stride[2] * row);
    if (!j->is_max) p->loops->mean(to, pixels, count, 1 / (double)larger(size, 1), n);
    else if (!from) p->loops->largest(to, pixels, count, n);
    else {
        p->loops->largest_from(to, from, pixels, index, count, n);
        for (int64_t i = 1; i < points; i++)
            for (int64_t c = 0; c < channels; c++) from[i * channels + c] += (int32_t)(i * p->stride[2]);
    }
}

/* Maxima, and where they are, or means of the windows of points begin ... of the result. */
static void pool_points(void *arg, int64_t begin, int64_t end) {
    const struct job *j = arg;
    const struct sl_pool_plan *p = j->p;
    int64_t channels = p->in.channels, row = channels * p->loops->size, at[SL_SPACE];
    int64_t image = locate(at, begin, &p->out);
    struct box b = window_at(p, at);
    for (int64_t points, i = begin; i < end; i += points) {
        const char *in = j->x + image * sl_image_points(&p->in) * row;
        window_along(&b, p, at);
        char *to = j->to + i * row;
        int32_t *from = j->from ? j->from + i * channels : NULL;
        const int64_t size = volume(&b);
        const bool is_few = p->loops->largest && size > 0 && size <= FEW_POINTS;
        points = is_few || !from ? side_by_side(p, at, end - i) : 1;
        if (is_few) pool_few(j, &b, to, from, in, size, points);
        else if (from) find_maxima(j, &b, to, from, in);
        else pool_large(j, &b, to, in, size, points * channels);
        at[SL_SPACE - 1] += points - 1;
        advance(at, &image, &p->out);
    }
}

void sl_pool_max(struct sl_kernel_context *k, const struct sl_pool_plan *p, const void *in, void *out) {
    struct job j = {.p = p, .x = in, .to = out, .is_max = true};
    split(k, p, &j, pool_points);
}

bool sl_pool_has_few_points(const struct sl_pool_plan *p) {
    int64_t points = 1;
    for (int d = 0; d < SL_SPACE; d++)
        points = points > FEW_POINTS ? points : points * smaller(p->size[d], FEW_POINTS + 1);
    return points > 0 && points <= FEW_POINTS;
}
void sl_pool_mean(struct sl_kernel_context *k, const struct sl_pool_plan *p, const void *in, void *out) {
    struct job j = {.p = p, .x = in, .to = out};
    split(k, p, &j, pool_points);
}

/* ---- where maxima are */
void sl_pool_max_from(struct sl_kernel_context *k, const struct sl_pool_plan *p, const void *in, void *out,
                      int32_t *from) {
    struct job j = {.p = p, .x = in, .to = out, .from = from, .is_max = true};
    split(k, p, &j, pool_points);
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
    split(k, p, &j, match_points);
}

/* ---- windows that follow each other, each point in one: no need to write down which point a maximum is from */
bool sl_pool_is_tiled(const struct sl_pool_plan *p) {
    int64_t points = 1;
    if (!p->loops->spread || p->in.channels * p->loops->size < SMALL_PIXEL) return false;
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
    split(k, p, &j, pick_points);
}

/* ---- gradients: rows of the image, each with what the windows that reach it give, in the order of the windows */
/* What window `w` gives to rows [first, last) of the image. */
static void give(const struct job *j, char *to, const char *grad, const int32_t *from, const struct box *w,
                 int64_t first, int64_t last) {
    const struct sl_pool_plan *p = j->p;
    const int64_t channels = p->in.channels, row = channels * p->loops->size;
    const double factor = 1 / (double)larger(volume(w), 1);
    void *pixels[FEW_POINTS];
    int32_t index[FEW_POINTS];
    int n = 0;
    FOR_EACH_POINT(*w, z, y, x) {
        const int64_t line = z * p->in.space[1] + y;
        if (line >= first && line < last) {
            index[n] = (int32_t)index_of(&p->in, z, y, x);
            pixels[n] = to + index[n] * row;
            n++;
        }
        if (n < FEW_POINTS) continue;
        if (!j->is_max) p->loops->add_to(pixels, n, grad, factor, channels);
        else p->loops->add_where(pixels, index, n, from, grad, channels);
        n = 0;
    }
    if (!j->is_max) p->loops->add_to(pixels, n, grad, factor, channels);
    else p->loops->add_where(pixels, index, n, from, grad, channels);
}

/* The same of a window whose maximum is found now: its gradient to one point of it. */
static void give_largest(const struct job *j, char *to, const char *in, const char *grad, const struct box *w,
                         int64_t first, int64_t last) {
    const struct sl_pool_plan *p = j->p;
    const int64_t row = p->in.channels * p->loops->size;
    const void *pixels[FEW_POINTS];
    void *sums[FEW_POINTS];
    int n = 0, begin = 0, end = 0; /* points of rows [first, last) follow each other */
    FOR_EACH_POINT(*w, z, y, x) {
        const int64_t line = z * p->in.space[1] + y, at = (line * p->in.space[2] + x) * row;
        pixels[n] = in + at;
        sums[n++] = to + at;
        begin += line < first;
        end += line < last;
    }
    if (begin < end) p->loops->spread_on(sums, pixels, n, begin, end, grad, p->in.channels);
}

/* Of large windows, few channels, integers each gradient goes by itself to where the maximum is. */
bool sl_pool_is_small(const struct sl_pool_plan *p) {
    enum { POINTS = 16 };
    return p->loops->spread_on && p->in.channels * p->loops->size >= SMALL_PIXEL &&
           p->size[0] * p->size[1] * p->size[2] <= POINTS;
}
static void grad_rows(const struct job *j, int64_t image, int64_t first, int64_t last) {
    const struct sl_pool_plan *p = j->p;
    const int64_t channels = p->in.channels, row = channels * p->loops->size, width = p->in.space[2];
    char *to = j->to + image * sl_image_points(&p->in) * row;
    const int64_t top[SL_SPACE] = {first / p->in.space[1], first % p->in.space[1], 0};
    const int64_t bottom[SL_SPACE] = {(last - 1) / p->in.space[1], (last - 1) % p->in.space[1], 0};
    struct box reach = windows_of(p, top), w;
    const struct box end = windows_of(p, bottom);
    reach.end[0] = end.end[0];
    reach.end[1] = end.end[1];
    if (top[0] != bottom[0]) reach.begin[1] = 0, reach.end[1] = p->out.space[1];
    int64_t clear = first; /* rows up to there are set to zero, shortly before something is added to them */
    for (int64_t z = reach.begin[0]; z < reach.end[0]; z++)
        for (int64_t y = reach.begin[1]; y < reach.end[1]; y++) {
            const int64_t i = image * sl_image_points(&p->out) + index_of(&p->out, z, y, 0);
            const char *grad = j->x + i * row;
            w = window_at(p, (const int64_t[]){z, y, 0});
            const int64_t reached = smaller((w.end[0] - 1) * p->in.space[1] + w.end[1], last);
            if (reached > clear) {
                memset(to + clear * width * row, 0, (size_t)((reached - clear) * width * row));
                clear = reached;
            }
            if (j->is_max && !sl_pool_is_small(p))
                p->loops->add_from(to, j->from + i * channels, (int32_t)(first * width), (int32_t)(last * width), grad,
                                   p->out.space[2], channels);
            else
                for (int64_t x = 0; x < p->out.space[2]; x++) {
                    window_along(&w, p, (const int64_t[]){z, y, x});
                    if (j->in) give_largest(j, to, j->in + (to - j->to), grad + x * row, &w, first, last);
                    else give(j, to, grad + x * row, j->is_max ? j->from + (i + x) * channels : NULL, &w, first, last);
                }
        }
    memset(to + clear * width * row, 0, (size_t)((last - clear) * width * row));
}
/* Rows are taken in bands much higher than a window, as windows between two bands are gone over for both. */
static int64_t band_rows(const struct sl_pool_plan *p) {
    return p->in.space[0] > 1 ? p->in.space[1] * p->size[0] * 4 : p->size[1] * 8;
}
static int64_t bands_of(const struct sl_pool_plan *p) {
    return (p->in.space[0] * p->in.space[1] - 1) / band_rows(p) + 1;
}
static void grad_bands(void *arg, int64_t begin, int64_t end) {
    const struct job *j = arg;
    const int64_t rows = j->p->in.space[0] * j->p->in.space[1], bands = bands_of(j->p), high = band_rows(j->p);
    for (int64_t i = begin; i < end; i++) {
        const int64_t first = i % bands * high;
        grad_rows(j, i / bands, first, smaller(first + high, rows));
    }
}
static void split_grad(struct sl_kernel_context *k, const struct sl_pool_plan *p, struct job *job) {
    const int64_t bands = p->in.batch * bands_of(p);
    const double points = (double)(p->out.batch * sl_image_points(&p->out)), channels = (double)p->in.channels;
    const double window = (double)p->size[0] * (double)p->size[1] * (double)p->size[2];
    const double ns = points * (job->is_max ? channels : 10 + window * (2 + 0.2 * channels));
    if (p->in.batch * sl_image_points(&p->in) > 0) sl_kernel_split(k, bands, ns / (double)bands, grad_bands, job);
}

void sl_pool_max_grad(struct sl_kernel_context *k, const struct sl_pool_plan *p, const int32_t *from, const void *x,
                      void *in) {
    struct job j = {.p = p, .x = x, .to = in, .from = (int32_t *)(uintptr_t)from, .is_max = true};
    split_grad(k, p, &j);
}

void sl_pool_max_grad_of(struct sl_kernel_context *k, const struct sl_pool_plan *p, const void *in, const void *x,
                         void *to) {
    struct job j = {.p = p, .x = x, .in = in, .to = to, .is_max = true};
    split_grad(k, p, &j);
}

void sl_pool_mean_grad(struct sl_kernel_context *k, const struct sl_pool_plan *p, const void *x, void *in) {
    struct job j = {.p = p, .x = x, .to = in};
    split_grad(k, p, &j);
}
