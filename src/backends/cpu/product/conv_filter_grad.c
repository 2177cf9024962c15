/* The gradient of a convolution by its filter: for each tap, the product of the input's pixels (as columns) with the
 * output's gradient, summed over all points of the output. Points are taken in chunks, whose gradients are packed to
 * panels and whose pixels are pointers. Taps that follow each other on a line are one tap of several pixels
 * (`width`), as their elements follow each other in the image and in the filter; where such pixels stick out of the
 * image there is a copy with zeros. To give every thread work, points are cut in slices that have a filter each,
 * added up at the end in order; and the filter in sets of taps and panels. */
#include <stdatomic.h>
#include <string.h>

#include "backends/cpu/product/conv_methods.h"
#include "backends/cpu/product/gemm.h"
#include "base/checked.h"

/* A chunk's panels and pixels are to stay in the first level cache, unless the filter, which each chunk goes over,
 * is in none. */
enum {
    CHUNK = 256,
    SHORT_CHUNK = 128,
    SHORT_CHUNK_BYTES = 1 << 18,
    ITEMS = 16,
    CHUNKS_OF_SLICE = 4, /* at least, lest adding up slices cost more than what they hold */
    SLICE_NS = 100000,
    SLICES_BYTES = 1 << 26,
    MERGED = 2048,
    UNPACKED_TAPS = 64,    /* up to so many products with it a gradient is not worth packing */
    LARGE_FILTER = 1 << 17 /* elements: of a single tap, a matrix product like others */
};

struct plan {
    const struct sl_conv_spec *c;
    const struct sl_gemm_loops *loops;
    int size, vectors;
    const char *in, *grad, *zeros;
    char *result, *others; /* filters of the first slice, and of each one after it */
    int64_t taps, points, in_channels, out_channels;
    int64_t width, rows; /* pixels of a tap; rows of the filter that belong to it */
    size_t edge_bytes;   /* of copies for a chunk */
    int64_t filter;      /* elements */
    int64_t chunk, slices, chunks_of_slice, tap_sets, panel_sets;
    size_t panel_bytes;
    bool is_in_place; /* gradients fill panels, and are read where they stand */
    atomic_bool is_out_of_memory;
};

/* `width` pixels from position x of a line on, `index` as if that were inside, of which only some are. */
static const void *copy_edge(char *to, const struct plan *p, int64_t index, int64_t x) {
    const int64_t space = p->c->in.space[SL_SPACE - 1], begin = x < 0 ? -x : 0;
    const int64_t end = space - x < p->width ? space - x : p->width, pixel = p->in_channels * p->size;
    if (begin >= end) return p->zeros;
    memset(to, 0, (size_t)(p->width * pixel));
    memcpy(to + begin * pixel, p->in + (index + begin) * pixel, (size_t)((end - begin) * pixel));
    return to;
}

/* Points of a line of the output whose pixels, from position x of the input's line on and a stride apart, are all
 * inside: [*begin, *end) of `n`. */
static void inside(int64_t *begin, int64_t *end, const struct plan *p, int64_t x, int64_t n) {
    const int64_t stride = p->c->stride[SL_SPACE - 1], last = p->c->in.space[SL_SPACE - 1] - p->width - x;
    *begin = x < 0 ? (-x + stride - 1) / stride : 0;
    *end = last < 0 ? 0 : last / stride + 1;
    if (*end > n) *end = n;
    if (*begin > *end) *begin = *end;
}

/* The same for `n` points of one line, `index` being its first pixel at x = 0. */
static void point_to_line(const struct plan *p, const void **pointers, char *edges, int64_t index, int64_t x, int64_t n,
                          int64_t channel) {
    const int64_t pixel = p->c->in.channels * p->size, stride = p->c->stride[SL_SPACE - 1];
    int64_t begin, end;
    inside(&begin, &end, p, x, n);
    for (int64_t i = 0; i < n; i++) {
        if (i == begin) i = end;
        if (i == n) break;
        const int64_t at = x + i * stride;
        pointers[i] = p->width > 1 ? copy_edge(edges + i * p->rows * p->size, p, index + at, at) : p->zeros;
    }
    const char *from = p->in + (index + x + begin * stride) * pixel + channel * p->size;
    for (int64_t i = begin; i < end; i++, from += stride * pixel) pointers[i] = from;
}

/* Pixels that tap `tap` joins to output points [first, first + n); `edges` is room for copies. */
static void point_to_pixels(const struct plan *p, const void **pointers, char *edges, int64_t tap, int64_t first,
                            int64_t n, int64_t channel) {
    enum { X = SL_SPACE - 1 };
    const struct sl_conv_spec *c = p->c;
    int64_t at[SL_SPACE], tap_at[SL_SPACE], point = first;
    tap *= p->width;
    for (int d = X; d >= 0; d--) {
        at[d] = point % c->out.space[d];
        point /= c->out.space[d];
        tap_at[d] = tap % c->size[d] * c->dilation[d] - c->before[d];
        tap /= c->size[d];
    }
    for (int64_t some, i = 0; i < n; i += some) {
        int64_t line = point;
        bool is_in = true;
        some = c->out.space[X] - at[X] < n - i ? c->out.space[X] - at[X] : n - i;
        for (int d = 0; d < X; d++) {
            const int64_t x = at[d] * c->stride[d] + tap_at[d];
            is_in = is_in && x >= 0 && x < c->in.space[d];
            line = line * c->in.space[d] + x;
        }
        if (is_in)
            point_to_line(p, pointers + i, edges + i * p->rows * p->size, line * c->in.space[X],
                          at[X] * c->stride[X] + tap_at[X], some, channel);
        else
            for (int64_t q = 0; q < some; q++) pointers[i + q] = p->zeros;
        at[X] = 0;
        int d = X - 1;
        while (d >= 0 && ++at[d] == c->out.space[d]) at[d--] = 0;
        if (d < 0) point++;
    }
}

/* Part of the image that the next chunk reads: asked for a piece with every tile, as tiles read it in an order that
 * processors do not foresee. */
struct ahead {
    const char *at, *end;
    int64_t piece;
};
static struct ahead look_ahead(const struct plan *p, int64_t first, int64_t tiles) {
    const struct sl_conv_spec *c = p->c;
    int64_t begin = first, end = first + p->chunk, step = 1;
    for (int d = SL_SPACE - 1; d >= 0; d--) { /* what the last tap meets first, where pixels and points are the same */
        if (c->in.space[d] != c->out.space[d]) return (struct ahead){NULL, NULL, 0};
        const int64_t shift = ((c->size[d] - 1) * c->dilation[d] - c->before[d]) * step;
        begin += shift;
        end += shift;
        step *= c->in.space[d];
    }
    if (begin < 0) begin = 0;
    if (end > p->points) end = p->points;
    if (begin >= end) return (struct ahead){NULL, NULL, 0};
    const int64_t pixel = c->in.channels * p->size;
    return (struct ahead){p->in + begin * pixel, p->in + end * pixel, (end - begin) * pixel / (tiles * 64) * 64 + 64};
}
static void prefetch_piece(struct ahead *a) {
    for (const char *end = a->at + a->piece; a->at < end && a->at < a->end; a->at += 64) __builtin_prefetch(a->at);
}

/* A range of panels or taps. */
struct range {
    int64_t begin, end;
};
static struct range part(int64_t i, int64_t parts, int64_t n) {
    return (struct range){i * n / parts, (i + 1) * n / parts};
}

/* `grad`: of the chunk's first point, where it is read in place. */
static void run_tap(const struct plan *p, char *filter, const struct sl_panels *panels, const char *grad,
                    struct range some, const void *const *pointers, struct ahead *ahead, bool adds) {
    struct sl_gemm_tile tile = {.loops = p->loops, .size = p->size, .c_row = p->c->out.channels, .adds = adds};
    for (int64_t j = some.begin; j < some.end; j++) {
        tile.b = sl_panel(panels, j);
        tile.columns = sl_panel_columns(panels, j);
        tile.vectors = sl_panel_vectors(panels, j);
        tile.b_k = (int64_t)tile.vectors * p->loops->lanes;
        if (p->is_in_place) {
            tile.b = grad + j * panels->width * p->size;
            tile.b_k = p->c->out.channels;
        }
        int most = tile.vectors == 4 ? p->loops->rows_most / 2 : p->loops->rows_most;
        for (int64_t channel = 0; channel < p->rows; channel += tile.rows) {
            tile.rows = p->rows - channel < most ? (int)(p->rows - channel) : most;
            tile.c = filter + (channel * p->c->out.channels + j * panels->width) * p->size;
            prefetch_piece(ahead);
            sl_gemm_tile_lines(&tile, panels->k, pointers, channel);
        }
    }
}

static void run_chunk(const struct plan *p, char *filter, char *panel_room, int64_t first, int64_t n, int64_t set,
                      bool adds) {
    char *edges = panel_room + p->panel_bytes;
    const void *pointers[CHUNK];
    const struct range taps = part(set / p->panel_sets, p->tap_sets, p->taps);
    const int64_t tiles = (taps.end - taps.begin) * ((p->rows + p->loops->rows_most - 1) / p->loops->rows_most);
    struct ahead ahead = look_ahead(p, first + n, tiles > 0 ? tiles : 1);
    for (int64_t group = 0; group < p->c->groups; group++) {
        struct sl_panels panels;
        sl_panels_init(&panels, p->loops, p->size, p->out_channels, n, p->vectors);
        panels.data = panel_room;
        const char *grad = p->grad + group * p->out_channels * p->size;
        const struct range some = part(set % p->panel_sets, p->panel_sets, panels.count);
        for (int64_t j = some.begin; j < some.end && !p->is_in_place; j++)
            sl_panel_pack(&panels, j, p->loops, grad, p->c->out.channels, 1, first);
        for (int64_t tap = taps.begin; tap < taps.end; tap++) {
            point_to_pixels(p, pointers, edges, tap, first, n, group * p->in_channels);
            char *to = filter + (tap * p->rows * p->c->out.channels + group * p->out_channels) * p->size;
            run_tap(p, to, &panels, grad + first * p->c->out.channels * p->size, some, pointers, &ahead, adds);
        }
    }
}

/* Items: sets within slices of points. */
static void run_items(void *arg, int64_t begin, int64_t end) {
    struct plan *p = arg;
    char *panel_room = sl_scratch_new(p->panel_bytes + p->edge_bytes);
    if (!panel_room) {
        atomic_store(&p->is_out_of_memory, true);
        return;
    }
    for (int64_t item = begin; item < end; item++) {
        const int64_t sets = p->tap_sets * p->panel_sets, each = p->chunks_of_slice * p->chunk;
        const int64_t slice = item / sets, set = item % sets;
        int64_t first = slice * each, last = first + each < p->points ? first + each : p->points;
        char *filter = slice == 0 ? p->result : p->others + (slice - 1) * p->filter * p->size;
        for (int64_t i = first; i < last; i += p->chunk)
            run_chunk(p, filter, panel_room, i, last - i < p->chunk ? last - i : p->chunk, set, i > first);
    }
    sl_scratch_free(panel_room, p->panel_bytes + p->edge_bytes);
}

static void add_slices(void *arg, int64_t begin, int64_t end) {
    const struct plan *p = arg;
    for (int64_t s = 1; s < p->slices; s++) {
        if (p->c->is_double) {
            double *to = (double *)p->result;
            const double *from = (const double *)p->others + (s - 1) * p->filter;
            for (int64_t i = begin; i < end; i++) to[i] += from[i];
        } else {
            float *to = (float *)p->result;
            const float *from = (const float *)p->others + (s - 1) * p->filter;
            for (int64_t i = begin; i < end; i++) to[i] += from[i];
        }
    }
}

static void lay_out(struct plan *p, double ns) {
    p->chunk = p->filter * p->size <= SHORT_CHUNK_BYTES ? SHORT_CHUNK : CHUNK;
    int64_t chunks = (p->points + p->chunk - 1) / p->chunk, room = SLICES_BYTES / (p->filter * p->size);
    const double wanted = ns / SLICE_NS;
    p->slices = wanted < ITEMS ? (int64_t)wanted : ITEMS;
    if (p->slices > chunks / CHUNKS_OF_SLICE) p->slices = chunks / CHUNKS_OF_SLICE;
    if (p->slices > room) p->slices = room;
    if (p->slices < 1) p->slices = 1;
    p->chunks_of_slice = (chunks + p->slices - 1) / p->slices;
    p->slices = (chunks + p->chunks_of_slice - 1) / p->chunks_of_slice;
    p->vectors = p->rows <= p->loops->rows_most / 2 && p->out_channels > 2 * p->loops->lanes ? 4
                 : p->out_channels > p->loops->lanes                                         ? 2
                                                                                             : 1;
    /* Panels first: a set of them packs no others. */
    const int64_t sets = (ITEMS + p->slices - 1) / p->slices, width = p->vectors * p->loops->lanes;
    p->is_in_place = p->c->groups == 1 && p->out_channels % width == 0 && p->rows * p->taps <= UNPACKED_TAPS;
    p->panel_sets = (p->out_channels + width - 1) / width;
    if (p->panel_sets > sets) p->panel_sets = sets;
    p->tap_sets = sets / p->panel_sets;
    if (p->tap_sets > p->taps) p->tap_sets = p->taps;
}

/* ---- of single taps with strides: the pixels that they meet are copied first, one behind the other */
struct thinning {
    const struct sl_conv_spec *c;
    char *to;
    const char *from;
    int size;
};
/* Items: lines of the output. */
static void thin_lines(void *arg, int64_t begin, int64_t end) {
    const struct thinning *t = arg;
    const int64_t *in = t->c->in.space, *out = t->c->out.space, *stride = t->c->stride;
    const int64_t pixel = t->c->in.channels * t->size;
    char *to = t->to + begin * out[2] * pixel;
    for (int64_t i = begin; i < end; i++) {
        const int64_t y = i % out[1], plane = i / out[1], z = plane % out[0], batch = plane / out[0];
        const char *from = t->from + ((batch * in[0] + z * stride[0]) * in[1] + y * stride[1]) * in[2] * pixel;
        for (int64_t x = 0; x < out[2]; x++, to += pixel, from += stride[2] * pixel) memcpy(to, from, (size_t)pixel);
    }
}
/* Of a single tap: whether it meets all pixels, each once; or whether it meets some, and no padding. */
static bool is_product(const struct sl_conv_spec *c) {
    for (int d = 0; d < SL_SPACE; d++)
        if (c->in.space[d] != c->out.space[d]) return false;
    return sl_conv_has_one_tap(c);
}
static bool is_thinned(const struct sl_conv_spec *c) {
    for (int d = 0; d < SL_SPACE; d++)
        if ((c->out.space[d] - 1) * c->stride[d] >= c->in.space[d]) return false;
    return sl_conv_has_one_tap(c) && !is_product(c);
}
static sl_code thinned_filter_grad(bool *is_done, struct sl_kernel_context *k, const struct sl_conv_spec *c,
                                   const struct sl_conv_data *data) {
    (void)is_done;
    struct thinning t = {.c = c, .from = data->in, .size = c->is_double ? 8 : 4};
    struct sl_conv_spec product = *c;
    product.onednn = NULL; /* which was asked for the whole */
    const int64_t lines = c->out.batch * c->out.space[0] * c->out.space[1];
    const size_t bytes = (size_t)(lines * c->out.space[2] * c->in.channels * t.size);
    t.to = sl_scratch_new(bytes);
    if (!t.to) return sl_fail_memory(k->err, bytes);
    sl_kernel_split(k, lines, (double)(c->out.space[2] * c->in.channels * t.size) * 0.1, thin_lines, &t);
    for (int d = 0; d < SL_SPACE; d++) {
        product.in.space[d] = c->out.space[d];
        product.stride[d] = 1;
    }
    const sl_code code = sl_conv_filter_grad(k, &product, t.to, data->out, data->filter);
    sl_scratch_free(t.to, bytes);
    return code;
}
const struct sl_conv_method sl_conv_filter_grad_thinned = {"thinned", is_thinned, NULL, thinned_filter_grad};

/* ---- of nothing */
static int64_t filter_elements(const struct sl_conv_spec *c) {
    return c->size[0] * c->size[1] * c->size[2] * (c->in.channels / c->groups) * c->out.channels;
}
static bool is_empty(const struct sl_conv_spec *c) {
    return filter_elements(c) == 0 || c->out.batch * sl_image_points(&c->out) == 0 ||
           c->in.batch * sl_image_points(&c->in) == 0;
}
static sl_code empty_filter_grad(bool *is_done, struct sl_kernel_context *k, const struct sl_conv_spec *c,
                                 const struct sl_conv_data *data) {
    (void)is_done, (void)k;
    const size_t bytes = (size_t)filter_elements(c) * (c->is_double ? 8 : 4);
    if (bytes) memset(data->filter, 0, bytes);
    return SL_OK;
}
const struct sl_conv_method sl_conv_filter_grad_empty = {"empty", is_empty, NULL, empty_filter_grad};

/* ---- of single taps that meet all pixels: a product, whose rows are the input's channels */
static bool is_large_filter(const struct sl_conv_spec *c) { return filter_elements(c) >= LARGE_FILTER; }
static sl_code filter_grad_by_product(bool *is_done, struct sl_kernel_context *k, const struct sl_conv_spec *c,
                                      const struct sl_conv_data *data) {
    (void)is_done;
    struct sl_gemm g = {.is_double = c->is_double,
                        .m = c->in.channels,
                        .n = c->out.channels,
                        .k = c->out.batch * sl_image_points(&c->out),
                        .a = data->in,
                        .a_row = 1,
                        .a_k = c->in.channels,
                        .b = data->out,
                        .b_k = c->out.channels,
                        .b_column = 1,
                        .c = data->filter,
                        .c_row = c->out.channels};
    return sl_gemm_run(k, &g, k->err);
}
const struct sl_conv_method sl_conv_filter_grad_by_product = {"product", is_product, is_large_filter,
                                                              filter_grad_by_product};

/* ---- of any that is not empty: sums over points */
static bool has_points(const struct sl_conv_spec *c) { return !is_empty(c); }
static sl_code filter_grad_by_points(bool *is_done, struct sl_kernel_context *k, const struct sl_conv_spec *c,
                                     const struct sl_conv_data *data) {
    (void)is_done;
    struct plan p = {.c = c,
                     .loops = sl_gemm_best_loops(c->is_double),
                     .size = c->is_double ? 8 : 4,
                     .in = data->in,
                     .grad = data->out};
    p.taps = c->size[0] * c->size[1] * c->size[2];
    p.points = c->out.batch * sl_image_points(&c->out);
    p.in_channels = c->in.channels / c->groups;
    p.out_channels = c->out.channels / c->groups;
    p.filter = filter_elements(c);
    const bool merges = c->groups == 1 && c->dilation[2] == 1 && p.in_channels * c->size[2] <= MERGED;
    p.width = merges ? c->size[2] : 1;
    p.rows = p.in_channels * p.width;
    p.taps /= p.width;
    if (p.width > 1) p.edge_bytes = (size_t)(CHUNK * p.rows * p.size);
    double ns = sl_gemm_ns(p.points, p.out_channels, p.taps * p.width * c->in.channels);
    lay_out(&p, ns);
    struct sl_panels panels;
    p.panel_bytes = sl_panels_init(&panels, p.loops, p.size, p.out_channels, CHUNK, p.vectors);
    size_t zeros = (size_t)(p.rows * p.size), slices = (size_t)((p.slices - 1) * p.filter * p.size);
    char *zero_room = sl_scratch_new(zeros), *slice_room = slices ? sl_scratch_new(slices) : NULL;
    const bool has_room = zero_room && (slice_room || !slices);
    if (has_room) {
        memset(zero_room, 0, zeros);
        p.zeros = zero_room;
        p.result = data->filter;
        p.others = slice_room;
        const int64_t items = p.slices * p.tap_sets * p.panel_sets;
        sl_kernel_split(k, items, ns / (double)items, run_items, &p);
        if (slices) sl_kernel_split(k, p.filter, 0.3 * (double)p.slices, add_slices, &p);
    }
    sl_code code = !has_room || atomic_load(&p.is_out_of_memory)
                       ? sl_fail_memory(k->err, zeros + slices + p.panel_bytes + p.edge_bytes)
                       : SL_OK;
    sl_scratch_free(zero_room, zeros);
    if (slices) sl_scratch_free(slice_room, slices);
    return code;
}
const struct sl_conv_method sl_conv_filter_grad_by_points = {"points", has_points, NULL, filter_grad_by_points};

/* ---- of images with few channels, which tiles soon are done with: the padding is copied with the image, so that no
 * pixel at an edge is one by itself */
enum { FEW_CHANNELS = 4 };
/* How many pixels the taps see along a dim, from the first on. */
static double seen(const struct sl_conv_spec *c, int d) {
    return (double)(c->out.space[d] - 1) * (double)c->stride[d] + (double)(c->size[d] - 1) * (double)c->dilation[d] + 1;
}
static bool is_framed(const struct sl_conv_spec *c) {
    double points = 1;
    for (int d = 0; d < SL_SPACE; d++) points *= seen(c, d);
    return c->groups == 1 && !is_empty(c) && points <= 4 * (double)sl_image_points(&c->in) + 1024;
}
static bool has_few_channels(const struct sl_conv_spec *c) { return c->in.channels <= FEW_CHANNELS && c->size[2] > 1; }

struct framing {
    const struct sl_conv_spec *c;
    int64_t space[SL_SPACE], pixel;
    const char *from;
    char *to;
};
/* Items: lines of the images with their frames. */
static void frame_lines(void *arg, int64_t begin, int64_t end) {
    const struct framing *f = arg;
    const struct sl_conv_spec *c = f->c;
    const int64_t width = f->space[2], left = c->before[2] < width ? c->before[2] : width;
    const int64_t some = c->in.space[2] < width - left ? c->in.space[2] : width - left, right = width - left - some;
    for (int64_t i = begin; i < end; i++) {
        const int64_t plane = i / f->space[1], image = plane / f->space[0];
        const int64_t y = i % f->space[1] - c->before[1], z = plane % f->space[0] - c->before[0];
        char *to = f->to + i * width * f->pixel;
        if (y < 0 || y >= c->in.space[1] || z < 0 || z >= c->in.space[0]) {
            memset(to, 0, (size_t)(width * f->pixel));
            continue;
        }
        const int64_t line = (image * c->in.space[0] + z) * c->in.space[1] + y;
        memset(to, 0, (size_t)(left * f->pixel));
        memcpy(to + left * f->pixel, f->from + line * c->in.space[2] * f->pixel, (size_t)(some * f->pixel));
        memset(to + (left + some) * f->pixel, 0, (size_t)(right * f->pixel));
    }
}
static sl_code framed_filter_grad(bool *is_done, struct sl_kernel_context *k, const struct sl_conv_spec *c,
                                  const struct sl_conv_data *data) {
    struct framing f = {.c = c, .from = data->in, .pixel = c->in.channels * (c->is_double ? 8 : 4)};
    struct sl_conv_spec framed = *c;
    for (int d = 0; d < SL_SPACE; d++) {
        f.space[d] = framed.in.space[d] = (int64_t)seen(c, d);
        framed.before[d] = 0;
    }
    const int64_t lines = c->in.batch * f.space[0] * f.space[1];
    int64_t bytes;
    if (!sl_mul_i64(&bytes, lines, f.space[2] * f.pixel)) return sl_fail_memory(k->err, SIZE_MAX);
    f.to = sl_scratch_new((size_t)bytes);
    if (!f.to) return sl_fail_memory(k->err, (size_t)bytes);
    sl_kernel_split(k, lines, (double)(f.space[2] * f.pixel) * 0.1 + 10, frame_lines, &f);
    const sl_code code =
        filter_grad_by_points(is_done, k, &framed, &(struct sl_conv_data){f.to, data->filter, data->out});
    sl_scratch_free(f.to, (size_t)bytes);
    return code;
}
const struct sl_conv_method sl_conv_filter_grad_framed = {"framed", is_framed, has_few_channels, framed_filter_grad};
