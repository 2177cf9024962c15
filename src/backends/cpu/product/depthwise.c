/* Depthwise convolutions. All three go over lines of pixels, of the output or, for the gradient by the input, of the
 * input; with strides the pixels of such a line are taken by phases, those that are alike modulo the stride and so
 * have the same taps. Pixels whose taps all lie inside the image are one call of a loop, those at the edges one
 * each, with the taps that they have. Where several outputs belong to an input channel, the input is written with
 * each channel repeated, so that all have as many. */
#include "backends/cpu/product/depthwise.h"

#include <stdatomic.h>
#include <string.h>

#include "backends/cpu/product/conv_methods.h"
#include "backends/cpu/product/depthwise_loops.h"
#include "base/checked.h"

enum { LEAST_SLICE = 1024, SLICES = 32, SLICES_BYTES = 1 << 26, LARGEST_VECTOR = 64 /* bytes */, SLIDE_LINES = 8 };
enum { Y = 1, X = 2 }; /* dims of space; the first is 1 */

struct job {
    const struct sl_conv_spec *c;
    const struct sl_depthwise_loops *loops;
    void (*loop)(const struct sl_depthwise_line *l);
    bool is_back;                 /* lines are of the input, and their taps of the output */
    int64_t taps, channels, size; /* channels of out */
    const char *x;
    char *y, *w;
    /* So many pixels, whose channels together about fill vectors, are taken as one where they follow each other. 1: the
     * channels of one do. */
    int64_t wide;
    char *wide_filter; /* of weigh: w for so many pixels */
    int64_t lines, lines_of_slice, slices;
    size_t taps_bytes;
    struct sl_tile_end end; /* done to sums before they are stored, where `ends` */
    bool ends;
    atomic_bool is_out_of_memory;
};

static struct job job_of(const struct sl_conv_spec *c) {
    struct job j = {.c = c,
                    .loops = SL_ISA_PICK(sl_depthwise_loops)(c->is_double),
                    .taps = c->size[Y] * c->size[X],
                    .wide = 1,
                    .channels = c->out.channels,
                    .size = c->is_double ? 8 : 4,
                    .lines = c->out.batch * c->out.space[Y]};
    const int64_t lanes = LARGEST_VECTOR / j.size;
    /* Until at most one lane of eight stays empty. */
    while ((j.channels * j.wide + lanes - 1) / lanes * lanes * 8 > j.channels * j.wide * 9) j.wide *= 2;
    return j;
}

/* Sums become results before they are stored where each vector of channels has its own vectors of the epilogue. */
static void find_end(struct job *j) {
    const struct sl_epilogue *e = j->c->epilogue;
    j->ends = e && j->wide == 1 && j->channels >= LARGEST_VECTOR / j->size && sl_epilogue_of_tile(&j->end, e, 0);
    if (j->ends && !e->mean) j->end.mean = NULL;
}

/* Taps of one dim of the filter, with the positions they reach from some pixel; and taps of both. */
struct reach {
    int64_t n, *at, *tap;
};
struct taps {
    struct reach of[SL_SPACE];
    int64_t *x_at, *w_at;           /* of all in reach, */
    int64_t *edge_x_at, *edge_w_at; /* and those of one pixel at an edge */
    int64_t *wide_w_at;             /* of all in reach, in a wide filter */
};

static sl_code plan_taps(struct job *j, struct sl_error *err) {
    const int64_t *size = j->c->size;
    int64_t words;
    if (!sl_mul_i64(&words, size[Y], size[X]) || !sl_mul_i64(&words, words, 5) ||
        !sl_mul_i64(&words, words + 2 * (size[Y] + size[X]), (int64_t)sizeof(int64_t)))
        return sl_fail_memory(err, SIZE_MAX);
    j->taps_bytes = (size_t)words;
    return SL_OK;
}
static void *taps_new(struct taps *t, struct job *j) {
    int64_t *room = sl_scratch_new(j->taps_bytes);
    if (!room) {
        atomic_store(&j->is_out_of_memory, true);
        return NULL;
    }
    t->x_at = room;
    t->w_at = t->x_at + j->taps;
    t->edge_x_at = t->w_at + j->taps;
    t->edge_w_at = t->edge_x_at + j->taps;
    t->wide_w_at = t->edge_w_at + j->taps;
    t->of[Y].at = t->wide_w_at + j->taps;
    t->of[Y].tap = t->of[Y].at + j->c->size[Y];
    t->of[X].at = t->of[Y].tap + j->c->size[Y];
    t->of[X].tap = t->of[X].at + j->c->size[X];
    return room;
}

static const struct sl_image *source(const struct job *j) { return j->is_back ? &j->c->out : &j->c->in; }
static const struct sl_image *target(const struct job *j) { return j->is_back ? &j->c->in : &j->c->out; }

/* The taps of dim d that pixel `from` has, wherever they lie. */
static void reach_from(struct reach *r, const struct job *j, int d, int64_t from) {
    const struct sl_conv_spec *c = j->c;
    r->n = 0;
    for (int64_t tap = 0; tap < c->size[d]; tap++) {
        int64_t at = from * c->stride[d] + tap * c->dilation[d] - c->before[d];
        if (j->is_back) {
            int64_t distance = from + c->before[d] - tap * c->dilation[d];
            if (distance % c->stride[d] != 0) continue;
            at = distance / c->stride[d];
        }
        r->at[r->n] = at;
        r->tap[r->n++] = tap;
    }
}
static void keep_inside(struct reach *r, int64_t space) {
    int64_t n = 0;
    for (int64_t i = 0; i < r->n; i++) {
        if (r->at[i] < 0 || r->at[i] >= space) continue;
        r->at[n] = r->at[i];
        r->tap[n++] = r->tap[i];
    }
    r->n = n;
}

/* Pairs taps of Y with those of X that lie inside from pixel `i` on, which is i * x_step further right. */
static int64_t join(int64_t *x_at, int64_t *w_at, const struct job *j, const struct taps *t, int64_t right) {
    const struct reach *ys = &t->of[Y], *xs = &t->of[X];
    const int64_t width = source(j)->space[X];
    int64_t n = 0;
    for (int64_t a = 0; a < ys->n; a++)
        for (int64_t b = 0; b < xs->n; b++) {
            int64_t at = xs->at[b] + right;
            if (at < 0 || at >= width) continue;
            x_at[n] = (ys->at[a] * width + at) * j->channels;
            w_at[n++] = (ys->tap[a] * j->c->size[X] + xs->tap[b]) * j->channels;
        }
    return n;
}

/* The pixels [*begin, *end) of `count` whose taps of X all lie inside. */
static void find_inside(int64_t *begin, int64_t *end, const struct reach *r, int64_t step, int64_t width,
                        int64_t count) {
    *begin = 0;
    *end = count;
    for (int64_t i = 0; i < r->n; i++) {
        int64_t first = r->at[i] < 0 ? (-r->at[i] + step - 1) / step : 0;
        int64_t last = r->at[i] < width ? (width - 1 - r->at[i]) / step + 1 : 0;
        if (first > *begin) *begin = first;
        if (last < *end) *end = last;
    }
    if (*begin > *end) *begin = *end;
}

/* Pixels that have all their taps; several at once where they stand side by side in x and y. */
static void run_inside(const struct job *j, struct taps *t, struct sl_depthwise_line *l, char *wide_w) {
    if (j->wide <= 1 || l->x_step != j->channels || l->y_step != j->channels || l->pixels < j->wide) {
        j->loop(l);
        return;
    }
    struct sl_depthwise_line wide = *l;
    const int64_t pixel = j->channels * j->size, rest = l->pixels % j->wide, whole = l->pixels - rest;
    for (int64_t i = 0; i < l->taps; i++) t->wide_w_at[i] = l->w_at[i] * j->wide;
    wide.w_at = t->wide_w_at;
    wide.w = wide_w;
    wide.channels = wide.x_step = wide.y_step = j->channels * j->wide;
    wide.pixels = whole / j->wide;
    j->loop(&wide);
    l->x = (const char *)l->x + whole * pixel;
    l->y = (char *)l->y + whole * pixel;
    l->pixels = rest;
    j->loop(l);
}

/* Runs the loop over one line of the target; `w` is the filter, of this slice, `wide_w` that for several pixels. */
static void run_line(const struct job *j, struct taps *t, int64_t line, char *w, char *wide_w) {
    const struct sl_image *from = source(j), *to = target(j);
    const int64_t phases = j->is_back ? j->c->stride[X] : 1, row = j->channels * j->size;
    const char *x = j->x + line / to->space[Y] * from->space[Y] * from->space[X] * row;
    char *y = j->y + line * to->space[X] * row;
    reach_from(&t->of[Y], j, Y, line % to->space[Y]);
    keep_inside(&t->of[Y], from->space[Y]);
    for (int64_t phase = 0; phase < phases && phase < to->space[X]; phase++) {
        const int64_t count = (to->space[X] - phase + phases - 1) / phases, step = j->is_back ? 1 : j->c->stride[X];
        struct sl_depthwise_line l = {.channels = j->channels,
                                      .w = w,
                                      .x_step = step * j->channels,
                                      .end = j->ends ? &j->end : NULL,
                                      .y_step = phases * j->channels};
        int64_t begin, end;
        reach_from(&t->of[X], j, X, phase);
        find_inside(&begin, &end, &t->of[X], step, from->space[X], count);
        for (int64_t i = 0; i < count; i += l.pixels) {
            const bool is_inside = i == begin && end > begin;
            l.pixels = is_inside ? end - begin : 1;
            l.x_at = is_inside ? t->x_at : t->edge_x_at;
            l.w_at = is_inside ? t->w_at : t->edge_w_at;
            l.taps =
                is_inside ? join(t->x_at, t->w_at, j, t, i * step) : join(t->edge_x_at, t->edge_w_at, j, t, i * step);
            l.x = x;
            l.y = y + (phase + i * phases) * row;
            const int64_t pixels = l.pixels;
            if (is_inside) run_inside(j, t, &l, wide_w);
            else j->loop(&l);
            l.pixels = pixels;
        }
    }
}

/* ---- filters of 5 and 7 taps across: each pixel is read once for all of them */
typedef void (*slide_fn)(const struct sl_depthwise_slide *s, int64_t c);
/* NULL: the taps of this job do not slide. */
static slide_fn slide_of(const struct job *j) {
    const struct sl_conv_spec *c = j->c;
    const int64_t taps = c->size[X], vector = j->loops->slide_channels;
    const bool fits = !j->is_back && c->stride[X] == 1 && c->dilation[X] == 1 && c->out.space[X] >= SL_SLIDE_PIXELS &&
                      j->channels >= (j->wide == 1 ? vector : 2 * vector);
    return !fits ? NULL : taps == 5 ? j->loops->slide_5 : taps == 7 ? j->loops->slide_7 : NULL;
}
/* A vector of channels of all lines, then the next: what several lines read stays in the first level cache. */
static void slide_lines(const struct job *j, struct taps *t, slide_fn slide, int64_t begin, int64_t end) {
    const struct sl_image *from = source(j), *to = target(j);
    const int64_t vector = j->loops->slide_channels, line_size = from->space[X] * j->channels;
    const struct reach *ys = &t->of[Y];
    for (int64_t c = 0; c < j->channels; c += vector)
        for (int64_t line = begin; line < end; line++) {
            reach_from(&t->of[Y], j, Y, line % to->space[Y]);
            keep_inside(&t->of[Y], from->space[Y]);
            for (int64_t i = 0; i < ys->n; i++) {
                t->x_at[i] = ys->at[i] * line_size;
                t->w_at[i] = ys->tap[i] * j->c->size[X] * j->channels;
            }
            const struct sl_depthwise_slide s = {.pixels = to->space[X],
                                                 .channels = j->channels,
                                                 .lines = ys->n,
                                                 .width = from->space[X],
                                                 .before = j->c->before[X],
                                                 .x_at = t->x_at,
                                                 .w_at = t->w_at,
                                                 .x = (const float *)(const void *)j->x +
                                                      line / to->space[Y] * from->space[Y] * line_size,
                                                 .w = (const float *)(const void *)j->w,
                                                 .y = (float *)(void *)j->y + line * to->space[X] * j->channels,
                                                 .end = j->ends ? &j->end : NULL};
            slide(&s, c + vector <= j->channels ? c : j->channels - vector);
        }
}

static void run_lines(void *arg, int64_t begin, int64_t end) {
    struct job *j = arg;
    const struct sl_image *to = target(j);
    struct taps t;
    void *room = taps_new(&t, j);
    if (!room) return;
    const slide_fn slide = slide_of(j);
    for (int64_t n, line = begin; line < end; line += n) {
        n = !slide ? 1 : end - line < SLIDE_LINES ? end - line : SLIDE_LINES;
        if (slide) slide_lines(j, &t, slide, line, line + n);
        else run_line(j, &t, line, j->w, j->wide_filter);
        if (j->is_back || !j->c->epilogue) continue;
        char *y = j->y + line * to->space[X] * j->channels * j->size;
        if (!j->ends) sl_epilogue_finish(j->c->epilogue, y, j->channels, n * to->space[X], 0, j->channels);
        sl_epilogue_activate(j->c->epilogue, y, j->channels, n * to->space[X], j->channels);
    }
    sl_scratch_free(room, j->taps_bytes);
}

/* ---- the gradient by the filter: slices of lines have filters of their own, added up in order */
static void run_slices(void *arg, int64_t begin, int64_t end) {
    struct job *j = arg;
    const int64_t narrow = j->taps * j->channels * j->size, each = narrow * (1 + j->wide);
    struct taps t;
    void *room = taps_new(&t, j);
    if (!room) return;
    for (int64_t slice = begin; slice < end; slice++) {
        int64_t line = slice * j->lines_of_slice, last = line + j->lines_of_slice;
        memset(j->w + slice * each, 0, (size_t)each);
        for (; line < last && line < j->lines; line++)
            run_line(j, &t, line, j->w + slice * each, j->w + slice * each + narrow);
    }
    sl_scratch_free(room, j->taps_bytes);
}

#define ADD_SLICES(T)                                                                                                  \
    static void add_slices_##T(T *filter, const T *slice, int64_t slices, int64_t taps, int64_t channels,              \
                               int64_t wide) {                                                                         \
        memset(filter, 0, (size_t)(taps * channels) * sizeof *filter);                                                 \
        for (int64_t s = 0; s < slices; s++, slice += taps * channels * (1 + wide))                                    \
            for (int64_t t = 0; t < taps; t++)                                                                         \
                for (int64_t i = 0; i < channels; i++) {                                                               \
                    T *to = filter + t * channels + i;                                                                 \
                    const T *from = slice + taps * channels + t * channels * wide + i;                                 \
                    *to += slice[t * channels + i];                                                                    \
                    for (int64_t p = 0; p < wide; p++) *to += from[p * channels];                                      \
                }                                                                                                      \
    }
ADD_SLICES(float)
ADD_SLICES(double)

/* ---- repeated channels */
static int64_t multiplier(const struct sl_conv_spec *c) {
    return c->in.channels ? c->out.channels / c->in.channels : 1;
}

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

static int64_t in_elements(const struct sl_conv_spec *c) {
    return c->in.batch * sl_image_points(&c->in) * c->in.channels;
}

/* Room for the input with repeated channels; NULL (and no bytes) when they are not. */
static sl_code wide_input(char **room, size_t *bytes, struct sl_kernel_context *k, const struct sl_conv_spec *c) {
    *room = NULL;
    *bytes = 0;
    if (multiplier(c) == 1) return SL_OK;
    *bytes = (size_t)(in_elements(c) * multiplier(c)) * (c->is_double ? 8 : 4) + 1;
    *room = sl_scratch_new(*bytes);
    return *room ? SL_OK : sl_fail_memory(k->err, *bytes);
}
static const void *repeat_input(char *room, const struct sl_conv_spec *c, const void *in) {
    if (!room) return in;
    if (c->is_double) repeat_double((double *)(void *)room, in, in_elements(c), multiplier(c));
    else repeat_float((float *)(void *)room, in, in_elements(c), multiplier(c));
    return room;
}

/* The filter with each row repeated for the pixels of `wide`; NULL (and no bytes): none is needed. */
static sl_code wide_filter(char **room, size_t *bytes, struct sl_kernel_context *k, const struct job *j) {
    int64_t wanted;
    *room = NULL;
    *bytes = 0;
    if (j->wide == 1) return SL_OK;
    if (!sl_mul_i64(&wanted, j->taps, j->channels * j->wide * j->size)) return sl_fail_memory(k->err, SIZE_MAX);
    *bytes = (size_t)wanted + 1;
    *room = sl_scratch_new(*bytes);
    if (!*room) return sl_fail_memory(k->err, *bytes);
    const int64_t row = j->channels * j->size;
    for (int64_t i = 0; i < j->taps * j->wide; i++) memcpy(*room + i * row, j->w + i / j->wide * row, (size_t)row);
    return SL_OK;
}

static double ns_of_line(const struct job *j) {
    const bool has_end = !j->is_back && j->c->epilogue;
    const double channel = (double)j->taps * 0.04 + (has_end ? 0.2 : 0);
    return (double)target(j)->space[X] * ((double)j->channels * channel + 10) + 100;
}
static sl_code outcome(struct sl_kernel_context *k, struct job *j) {
    return atomic_load(&j->is_out_of_memory) ? sl_fail_memory(k->err, j->taps_bytes) : SL_OK;
}

/* All lines of weighed pixels. */
static sl_code run_all(struct sl_kernel_context *k, struct job *j, int64_t lines) {
    size_t bytes;
    SL_TRY(wide_filter(&j->wide_filter, &bytes, k, j));
    sl_kernel_split(k, lines, ns_of_line(j), run_lines, j);
    sl_scratch_free(j->wide_filter, bytes);
    return outcome(k, j);
}

sl_code sl_depthwise_forward(struct sl_kernel_context *k, const struct sl_conv_spec *c, const void *in,
                             const void *filter, void *out) {
    struct job j = job_of(c);
    char *room;
    size_t bytes;
    SL_TRY(plan_taps(&j, k->err));
    SL_TRY(wide_input(&room, &bytes, k, c));
    j.loop = j.loops->weigh;
    find_end(&j);
    j.x = repeat_input(room, c, in);
    j.w = (char *)filter; /* only read */
    j.y = out;
    sl_code code = run_all(k, &j, j.lines);
    sl_scratch_free(room, bytes);
    return code;
}

sl_code sl_depthwise_lines(struct sl_kernel_context *k, const struct sl_conv_spec *c, const void *in,
                           const void *filter, void *out, int64_t begin, int64_t end) {
    struct job j = job_of(c);
    size_t bytes;
    j.loop = j.loops->weigh;
    find_end(&j);
    j.x = in;
    j.w = (char *)filter; /* only read */
    j.y = out;
    SL_TRY(plan_taps(&j, k->err));
    SL_TRY(wide_filter(&j.wide_filter, &bytes, k, &j));
    run_lines(&j, begin, end);
    sl_scratch_free(j.wide_filter, bytes);
    return outcome(k, &j);
}

sl_code sl_depthwise_input_grad(struct sl_kernel_context *k, const struct sl_conv_spec *c, const void *filter,
                                const void *grad, void *in) {
    struct job j = job_of(c);
    char *room;
    size_t bytes;
    if (c->out.channels == 0) {
        memset(in, 0, (size_t)(in_elements(c) * j.size));
        return SL_OK;
    }
    SL_TRY(plan_taps(&j, k->err));
    SL_TRY(wide_input(&room, &bytes, k, c));
    j.is_back = true;
    j.loop = j.loops->weigh;
    j.x = grad;
    j.w = (char *)filter; /* only read */
    j.y = room ? room : in;
    sl_code code = run_all(k, &j, c->in.batch * c->in.space[Y]);
    if (room && c->is_double) sum_double(in, (const double *)(void *)room, in_elements(c), multiplier(c));
    else if (room) sum_float(in, (const float *)(void *)room, in_elements(c), multiplier(c));
    sl_scratch_free(room, bytes);
    return code;
}

sl_code sl_depthwise_filter_grad(struct sl_kernel_context *k, const struct sl_conv_spec *c, const void *in,
                                 const void *grad, void *filter) {
    struct job j = job_of(c);
    char *room;
    size_t bytes;
    if (j.wide == 1) j.wide = 0;
    const int64_t each = j.taps * j.channels * j.size * (1 + j.wide), points = j.lines * c->out.space[X];
    if (each == 0) return SL_OK;
    SL_TRY(plan_taps(&j, k->err));
    SL_TRY(wide_input(&room, &bytes, k, c));
    j.loop = j.loops->correlate;
    j.x = repeat_input(room, c, in);
    j.y = (char *)grad; /* only read */
    j.slices = points / LEAST_SLICE < SLICES ? points / LEAST_SLICE : SLICES;
    if (j.slices > SLICES_BYTES / each) j.slices = SLICES_BYTES / each;
    if (j.slices > j.lines) j.slices = j.lines;
    if (j.slices < 1) j.slices = 1;
    j.lines_of_slice = (j.lines + j.slices - 1) / j.slices;
    const size_t slices = (size_t)(j.slices * each);
    j.w = sl_scratch_new(slices);
    if (j.w) {
        sl_kernel_split(k, j.slices, ns_of_line(&j) * (double)j.lines_of_slice, run_slices, &j);
        if (c->is_double) add_slices_double(filter, (const double *)(void *)j.w, j.slices, j.taps, j.channels, j.wide);
        else add_slices_float(filter, (const float *)(void *)j.w, j.slices, j.taps, j.channels, j.wide);
    }
    const sl_code code = j.w ? outcome(k, &j) : sl_fail_memory(k->err, slices);
    sl_scratch_free(j.w, slices);
    sl_scratch_free(room, bytes);
    return code;
}

/* ---- as rows, for convolutions each of whose groups is one channel */
static sl_code forward(bool *is_done, struct sl_kernel_context *k, const struct sl_conv_spec *c,
                       const struct sl_conv_data *data) {
    (void)is_done;
    return sl_depthwise_forward(k, c, data->in, data->filter, data->out);
}
static sl_code input_grad(bool *is_done, struct sl_kernel_context *k, const struct sl_conv_spec *c,
                          const struct sl_conv_data *data) {
    (void)is_done;
    return sl_depthwise_input_grad(k, c, data->filter, data->out, data->in);
}
static sl_code filter_grad(bool *is_done, struct sl_kernel_context *k, const struct sl_conv_spec *c,
                           const struct sl_conv_data *data) {
    (void)is_done;
    return sl_depthwise_filter_grad(k, c, data->in, data->out, data->filter);
}
const struct sl_conv_method sl_conv_forward_depthwise = {"depthwise", sl_conv_is_depthwise, NULL, forward},
                            sl_conv_input_grad_depthwise = {"depthwise", sl_conv_is_depthwise, NULL, input_grad},
                            sl_conv_filter_grad_depthwise = {"depthwise", sl_conv_is_depthwise, NULL, filter_grad};
