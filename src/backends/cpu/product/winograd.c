/* A tile is 4 x 4 pixels of the result; it is made of 6 x 6 pixels, which become 36 points; so do the filter's 3 x 3
 * taps; and of points there are products, a matrix of tiles by channels with one of channels by channels for each
 * point:
 *
 *     take    pixels            -> points of pixels      [point][tile][channel of from]
 *     turn    taps              -> points of the filter  [point] panels, kept where the filter is a constant
 *     multiply                  -> sums                  [point][tile][channel of to]
 *     give    sums              -> results
 *
 * Many tiles: an item of work is some of them through all stages, which stay in the second level cache. Few tiles: a
 * stage after the other, each split, so that the filter's points are read once by all threads together. */
#include "backends/cpu/product/winograd.h"

#include <stdatomic.h>
#include <string.h>

#include "backends/cpu/product/conv_methods.h"
#include "backends/cpu/product/gemm.h"
#include "backends/cpu/product/winograd_loops.h"
#include "base/checked.h"

enum {
    POINTS = SL_WINOGRAD_POINTS,
    SIDE = SL_WINOGRAD_SIDE,
    RESULTS = SL_WINOGRAD_RESULTS,
    TAPS = SL_WINOGRAD_TAPS,
    CHANNELS = 16,      /* their numbers are multiples of it */
    PAD = 16,           /* elements between rows and points, lest they fall on few lines of the cache */
    TILES_OF_ITEM = 48, /* at most */
    MANY_TILES = 192,
    EVEN_ITEMS = 4, /* items are a multiple of it */
    TURNED = 32     /* rows and columns of the filter turned at once, where it is transposed, at most */
};
/* What a thread does in a ns, as measured: products of both methods; bytes of points written and read, of the
 * filter's points read, and made. */
#define FLOPS_OF_NS        150.0
#define BYTES_OF_NS        40.0
#define FILTER_BYTES_OF_NS 25.0
#define TURNED_BYTES_OF_NS 8.0
#define WORTH_WHILE        0.8 /* of the time of taps */

double sl_winograd_products_ns(int64_t m, int64_t n, int64_t k) {
    return 2.0 * (double)m * (double)n * (double)k / FLOPS_OF_NS;
}
/* Points of one channel of `n` tiles. */
double sl_winograd_points_ns(int64_t n) { return 2.0 * sizeof(float) * SL_WINOGRAD_POINTS * (double)n / BYTES_OF_NS; }

struct plan {
    const struct sl_conv_spec *c;
    struct sl_kernel_context *k;
    const struct sl_winograd_loops *loops;
    const struct sl_gemm_loops *gemm;
    struct sl_image from_image, to_image;
    const float *from, *filter, *zeros;
    float *to;
    const struct sl_epilogue *epilogue;
    bool is_transposed;          /* the filter's matrices, for the gradient by the input */
    int64_t before[2];           /* padding above and left */
    int64_t down, across, tiles; /* tiles of an image, of all images */
    int64_t from_row, to_row;    /* elements from tile to tile of points and sums */
    struct sl_panels panels;     /* of a point of the filter */
    float *turned;               /* the filter's points */
    int64_t turned_point;        /* elements of one */
    int64_t items;
    atomic_bool has_failed;
};

/* Tiles [first, first + n) with room for their points and sums. */
struct group {
    struct plan *p;
    int64_t first, n;
    float *taken, *sums;
    int64_t taken_point, sums_point;
};

static int64_t divide_up(int64_t a, int64_t b) { return (a + b - 1) / b; }

/* ---- which */
static void read_conv(struct plan *p, const struct sl_conv_spec *c, bool is_input_grad) {
    *p = (struct plan){.c = c, .is_transposed = is_input_grad};
    p->from_image = is_input_grad ? c->out : c->in;
    p->to_image = is_input_grad ? c->in : c->out;
    for (int d = 0; d < 2; d++) p->before[d] = is_input_grad ? TAPS - 1 - c->before[d + 1] : c->before[d + 1];
    p->down = divide_up(p->to_image.space[1], RESULTS);
    p->across = divide_up(p->to_image.space[2], RESULTS);
    p->tiles = p->to_image.batch * p->to_image.space[0] * p->down * p->across;
    p->items = divide_up(divide_up(p->tiles, TILES_OF_ITEM), EVEN_ITEMS) * EVEN_ITEMS;
}
static bool is_many(const struct plan *p) { return p->tiles >= MANY_TILES; }

bool sl_winograd_fits(const struct sl_conv_spec *c) {
    if (c->is_double || c->groups != 1 || c->in.channels % CHANNELS || c->out.channels % CHANNELS) return false;
    if (c->size[0] != 1 || c->before[0] != 0 || c->in.space[0] != c->out.space[0]) return false;
    for (int d = 0; d < SL_SPACE; d++)
        if (c->stride[d] != 1 || c->dilation[d] != 1 || (d > 0 && c->size[d] != TAPS)) return false;
    return true;
}

bool sl_winograd_pays(const struct sl_conv_spec *c, bool is_input_grad) {
    if (!sl_winograd_fits(c)) return false;
    struct plan p;
    read_conv(&p, c, is_input_grad);
    const int64_t in = c->in.channels, out = c->out.channels, points = p.to_image.batch * sl_image_points(&p.to_image);
    const double filter = (double)(in * out) * POINTS * sizeof(float);
    double ns = sl_winograd_products_ns(p.tiles * POINTS, in, out) + sl_winograd_points_ns(p.tiles * (in + out)) +
                filter / FILTER_BYTES_OF_NS;
    if (is_input_grad || !sl_packing_keeps(c->packing, (size_t)filter)) ns += filter / TURNED_BYTES_OF_NS;
    return ns < WORTH_WHILE * sl_winograd_products_ns(points * TAPS * TAPS, in, out);
}

/* ---- the filter's points */
/* Items: panels. */
static void turn_panels(void *arg, int64_t begin, int64_t end) {
    const struct plan *p = arg;
    const struct sl_panels *panels = &p->panels;
    const int64_t out = p->c->out.channels, tap = p->c->in.channels * out;
    for (int64_t i = begin; i < end; i++) {
        const int64_t columns = sl_panel_columns(panels, i),
                      width = (int64_t)sl_panel_vectors(panels, i) * panels->lanes;
        float *to = p->turned + i * panels->k * panels->width;
        for (int64_t row = 0; row < panels->k; row++)
            p->loops->turn(to + row * width, p->turned_point, p->filter + row * out + i * panels->width, tap, columns);
    }
}

/* The same of transposed matrices, the taps from the last to the first: squares of points are turned, then
 * transposed. */
static void turn_transposed(void *arg, int64_t begin, int64_t end) {
    struct plan *p = arg;
    const struct sl_panels *panels = &p->panels;
    const int64_t out = p->c->out.channels, tap = p->c->in.channels * out, square = TURNED * TURNED + PAD;
    const size_t bytes = (size_t)(POINTS * square) * sizeof(float);
    float *room = sl_scratch_new(bytes);
    if (!room) {
        atomic_store(&p->has_failed, true);
        return;
    }
    for (int64_t i = begin; i < end; i++) {
        const int64_t columns = sl_panel_columns(panels, i),
                      width = (int64_t)sl_panel_vectors(panels, i) * panels->lanes;
        float *to = p->turned + i * panels->k * panels->width;
        const float *from = p->filter + (TAPS * TAPS - 1) * tap + i * panels->width * out;
        for (int64_t row = 0; row < panels->k; row += TURNED) {
            const int64_t rows = panels->k - row < TURNED ? panels->k - row : TURNED;
            for (int64_t j = 0; j < columns; j++)
                p->loops->turn(room + j * TURNED, square, from + j * out + row, -tap, rows);
            for (int64_t point = 0; point < POINTS; point++)
                p->gemm->pack_lines(to + point * p->turned_point + row * width, width, room + point * square, 1, TURNED,
                                    columns, rows);
        }
    }
    sl_scratch_free(room, bytes);
}

/* ---- stages: items are tiles of the group, or points and panels */
void sl_winograd_pixels(const float **pixels, const struct sl_image *image, const float *data, int64_t which, int64_t y,
                        int64_t x, int64_t side, const float *zeros) {
    for (int64_t i = 0; i < side; i++)
        for (int64_t j = 0; j < side; j++, pixels++) {
            const int64_t at_y = y + i, at_x = x + j;
            const bool is_in = at_y >= 0 && at_y < image->space[1] && at_x >= 0 && at_x < image->space[2];
            *pixels =
                is_in ? data + ((which * image->space[1] + at_y) * image->space[2] + at_x) * image->channels : zeros;
        }
}

static void take_tiles(void *arg, int64_t begin, int64_t end) {
    const struct group *g = arg;
    const struct plan *p = g->p;
    for (int64_t i = begin; i < end; i++) {
        const int64_t tile = g->first + i;
        const float *pixels[POINTS];
        sl_winograd_pixels(pixels, &p->from_image, p->from, tile / (p->down * p->across),
                           tile / p->across % p->down * RESULTS - p->before[0],
                           tile % p->across * RESULTS - p->before[1], SIDE, p->zeros);
        p->loops->take(g->taken + i * p->from_row, g->taken_point, pixels, p->from_image.channels);
    }
}

static void multiply(void *arg, int64_t begin, int64_t end) {
    const struct group *g = arg;
    const struct plan *p = g->p;
    const struct sl_panels *panels = &p->panels;
    for (int64_t i = begin; i < end; i++) {
        const int64_t point = i / panels->count, j = i % panels->count;
        struct sl_gemm_tile t = {.loops = p->gemm, .size = sizeof(float), .c_row = p->to_row};
        t.b = p->turned + point * p->turned_point + j * panels->k * panels->width;
        t.vectors = sl_panel_vectors(panels, j);
        t.b_k = (int64_t)t.vectors * panels->lanes;
        t.columns = sl_panel_columns(panels, j);
        const int64_t parts = divide_up(g->n, p->gemm->rows_most); /* of nearly equal height */
        for (int64_t part = 0; part < parts; part++) {
            const int64_t row = part * g->n / parts, end_row = (part + 1) * g->n / parts;
            const void *rows[SL_TILE_ROWS];
            t.rows = (int)(end_row - row);
            for (int q = 0; q < t.rows; q++) rows[q] = g->taken + point * g->taken_point + (row + q) * p->from_row;
            t.c = g->sums + point * g->sums_point + row * p->to_row + j * panels->width;
            sl_gemm_tile_rows(&t, 1, panels->k, rows, 0);
        }
    }
}

static void give_tiles(void *arg, int64_t begin, int64_t end) {
    const struct group *g = arg;
    struct plan *p = g->p;
    const int64_t channels = p->to_image.channels, *space = p->to_image.space, line = space[2] * channels;
    bool is_finite = true;
    for (int64_t i = begin; i < end; i++) {
        const int64_t tile = g->first + i, image = tile / (p->down * p->across);
        const int64_t y = tile / p->across % p->down * RESULTS, x = tile % p->across * RESULTS;
        const int64_t rows = space[1] - y < RESULTS ? space[1] - y : RESULTS;
        const int64_t columns = space[2] - x < RESULTS ? space[2] - x : RESULTS;
        float *to = p->to + ((image * space[1] + y) * space[2] + x) * channels;
        is_finite &=
            p->loops->give(to, line, channels, rows, columns, g->sums + i * p->to_row, g->sums_point, channels);
        for (int64_t row = 0; p->epilogue && row < rows; row++)
            sl_epilogue_run(p->epilogue, to + row * line, channels, columns, 0, channels);
    }
    if (!is_finite) atomic_store(&p->has_failed, true);
}

/* ---- groups */
static float *group_open(struct group *g, size_t *bytes, struct plan *p, int64_t most) {
    *g = (struct group){.p = p,
                        .n = most,
                        .taken_point = most * p->from_row + PAD,
                        .sums_point = most * p->to_row + PAD};
    *bytes = (size_t)(POINTS * (g->taken_point + g->sums_point)) * sizeof(float);
    g->taken = sl_scratch_new(*bytes);
    if (!g->taken) atomic_store(&p->has_failed, true);
    else g->sums = g->taken + POINTS * g->taken_point;
    return g->taken;
}

static void run_items(void *arg, int64_t begin, int64_t end) {
    struct plan *p = arg;
    struct group g;
    size_t bytes;
    float *room = group_open(&g, &bytes, p, divide_up(p->tiles, p->items));
    for (int64_t item = begin; room && item < end && !atomic_load(&p->has_failed); item++) {
        g.first = item * p->tiles / p->items;
        g.n = (item + 1) * p->tiles / p->items - g.first;
        take_tiles(&g, 0, g.n);
        multiply(&g, 0, POINTS * p->panels.count);
        give_tiles(&g, 0, g.n);
    }
    sl_scratch_free(room, bytes);
}

static void run_stages(struct plan *p) {
    struct group g;
    size_t bytes;
    const int64_t in = p->from_image.channels, out = p->to_image.channels;
    if (!group_open(&g, &bytes, p, p->tiles)) return;
    sl_kernel_split(p->k, g.n, sl_winograd_points_ns(in), take_tiles, &g);
    sl_kernel_split(p->k, POINTS * p->panels.count, sl_winograd_products_ns(g.n, in, p->panels.width), multiply, &g);
    sl_kernel_split(p->k, g.n, sl_winograd_points_ns(out), give_tiles, &g);
    sl_scratch_free(g.taken, bytes);
}

static void run_plan(struct plan *p) {
    const int64_t in = p->from_image.channels, out = p->to_image.channels;
    if (is_many(p))
        sl_kernel_split(p->k, p->items, sl_winograd_products_ns(p->tiles / p->items * POINTS, in, out), run_items, p);
    else run_stages(p);
}

bool sl_winograd_run(struct sl_kernel_context *k, const struct sl_conv_spec *c, bool is_input_grad, const void *from,
                     const void *filter, void *to) {
    struct plan p;
    read_conv(&p, c, is_input_grad);
    p.k = k;
    p.loops = SL_ISA_PICK(sl_winograd_loops)();
    p.gemm = sl_gemm_best_loops(false);
    p.from = from;
    p.filter = filter;
    p.to = to;
    p.from_row = p.from_image.channels + PAD;
    p.to_row = p.to_image.channels + PAD;
    if (!is_input_grad) p.epilogue = c->epilogue;
    struct sl_packing *packing = is_input_grad ? NULL : c->packing;
    const size_t point_bytes =
        sl_panels_init(&p.panels, p.gemm, sizeof(float), p.to_image.channels, p.from_image.channels, 2);
    const size_t zeros = (size_t)p.from_image.channels * sizeof(float);
    p.turned_point = (int64_t)(point_bytes / sizeof(float)) + PAD;
    const size_t bytes = (size_t)(p.turned_point * POINTS) * sizeof(float);
    float *kept = sl_packing_get(packing, SL_PACKING_WINOGRAD, bytes), *zero_room = sl_scratch_new(zeros);
    p.turned = kept ? kept : sl_scratch_new(bytes);
    if (p.turned && zero_room) {
        memset(zero_room, 0, zeros);
        p.zeros = zero_room;
        if (!kept)
            sl_kernel_split(k, p.panels.count, (double)(POINTS * p.panels.k * p.panels.width) * 0.5,
                            is_input_grad ? turn_transposed : turn_panels, &p);
        if (!atomic_load(&p.has_failed)) run_plan(&p);
    } else atomic_store(&p.has_failed, true);
    sl_scratch_free(zero_room, zeros);
    if (!kept && p.turned) sl_packing_put(packing, k, SL_PACKING_WINOGRAD, p.turned, bytes);
    return !atomic_load(&p.has_failed);
}

/* ---- as rows */
static bool forward_pays(const struct sl_conv_spec *c) { return sl_winograd_pays(c, false); }
static sl_code forward(bool *is_done, struct sl_kernel_context *k, const struct sl_conv_spec *c,
                       const struct sl_conv_data *data) {
    *is_done = sl_winograd_run(k, c, false, data->in, data->filter, data->out);
    return SL_OK;
}
static bool input_grad_pays(const struct sl_conv_spec *c) { return sl_winograd_pays(c, true); }
static sl_code input_grad(bool *is_done, struct sl_kernel_context *k, const struct sl_conv_spec *c,
                          const struct sl_conv_data *data) {
    *is_done = sl_winograd_run(k, c, true, data->out, data->filter, data->in);
    return SL_OK;
}
const struct sl_conv_method sl_conv_forward_by_winograd = {"Winograd", sl_winograd_fits, forward_pays, forward},
                            sl_conv_input_grad_by_winograd = {"Winograd", sl_winograd_fits, input_grad_pays,
                                                              input_grad};
