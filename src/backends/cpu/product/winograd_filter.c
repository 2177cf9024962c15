/* The gradient of a 3 x 3 convolution by its filter: the transpose of winograd.c. For each of 36 points there is a
 * product of the input's points (channels by tiles) with the points of the output's gradient (tiles by channels),
 * summed over all tiles:
 *
 *     take      6 x 6 pixels                 -> [point][tile][channel of in]
 *     spread    4 x 4 pixels of the gradient -> [point] panels of [tile][channel of out]
 *     multiply  some channels by a panel of all points, which become taps before they leave the cache
 *
 * Tiles go in blocks that are the same for any number of threads; those after the first add to the filter. */
#include <stdatomic.h>
#include <string.h>

#include "backends/cpu/product/conv_methods.h"
#include "backends/cpu/product/gemm.h"
#include "backends/cpu/product/winograd.h"
#include "backends/cpu/product/winograd_loops.h"

enum {
    POINTS = SL_WINOGRAD_POINTS,
    SIDE = SL_WINOGRAD_SIDE,
    RESULTS = SL_WINOGRAD_RESULTS,
    PAD = 16,               /* elements between rows and points, lest they fall on few lines of the cache */
    BLOCK_BYTES = 3 << 19,  /* of points of a block */
    LEAST_TILES = 64,       /* of a block; twice as many where the filter, which each block goes over, is large */
    LARGE_FILTER = 1 << 15, /* pairs of channels */
    MOST_TILES = 256,
    ROWS = 48, /* of the filter in an item, at most */
    COLUMNS = 2 * SL_TILE_LANES
};
#define GATHER_BYTES_OF_NS 25.0
#define WORTH_WHILE        0.8

struct plan {
    const struct sl_conv_spec *c;
    const struct sl_winograd_loops *loops;
    const struct sl_gemm_loops *gemm;
    const float *in, *grad, *zeros;
    float *filter;
    int64_t down, across, tiles, tiles_of_block, row_parts;
    int64_t first, n; /* the block's tiles */
    struct sl_panels panels;
    float *taken, *spread;
    int64_t taken_row, taken_point, spread_point;
    atomic_bool has_failed;
};

static int64_t divide_up(int64_t a, int64_t b) { return (a + b - 1) / b; }
static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

static void read_conv(struct plan *p, const struct sl_conv_spec *c) {
    *p = (struct plan){.c = c};
    p->down = divide_up(c->out.space[1], RESULTS);
    p->across = divide_up(c->out.space[2], RESULTS);
    p->tiles = c->out.batch * c->out.space[0] * p->down * p->across;
    const int64_t in = c->in.channels, out = c->out.channels, least = LEAST_TILES * (in * out < LARGE_FILTER ? 1 : 2);
    int64_t most = BLOCK_BYTES / (int64_t)(POINTS * sizeof(float)) / (in + out + 1);
    most = most < least ? least : smaller(most, MOST_TILES);
    const int64_t blocks = divide_up(p->tiles, most);
    p->tiles_of_block = blocks ? divide_up(p->tiles, blocks) : 0;
    p->row_parts = divide_up(c->in.channels, ROWS);
}

bool sl_winograd_filter_pays(const struct sl_conv_spec *c) {
    if (!sl_winograd_fits(c)) return false;
    struct plan p;
    read_conv(&p, c);
    if (p.tiles == 0) return false;
    const int64_t in = c->in.channels, out = c->out.channels, points = c->out.batch * sl_image_points(&c->out);
    const double ns =
        sl_winograd_products_ns(p.tiles * POINTS, in, out) + sl_winograd_points_ns(p.tiles * (in + out)) +
        (double)(POINTS * in * out * divide_up(p.tiles, p.tiles_of_block)) * sizeof(float) / GATHER_BYTES_OF_NS;
    return ns < WORTH_WHILE * sl_winograd_products_ns(points * 9, in, out);
}

/* Items: tiles of the block. */
static void transform_tiles(void *arg, int64_t begin, int64_t end) {
    const struct plan *p = arg;
    const struct sl_conv_spec *c = p->c;
    for (int64_t i = begin; i < end; i++) {
        const int64_t tile = p->first + i, image = tile / (p->down * p->across);
        const int64_t y = tile / p->across % p->down * RESULTS, x = tile % p->across * RESULTS;
        const float *pixels[POINTS];
        sl_winograd_pixels(pixels, &c->in, p->in, image, y - c->before[1], x - c->before[2], SIDE, p->zeros);
        p->loops->take(p->taken + i * p->taken_row, p->taken_point, pixels, c->in.channels);
        sl_winograd_pixels(pixels, &c->out, p->grad, image, y, x, RESULTS, p->zeros);
        for (int64_t j = 0; j < p->panels.count; j++) {
            const int64_t width = (int64_t)sl_panel_vectors(&p->panels, j) * p->panels.lanes;
            p->loops->spread(p->spread + j * p->n * p->panels.width + i * width, p->spread_point, pixels,
                             sl_panel_columns(&p->panels, j));
            for (int q = 0; q < RESULTS * RESULTS; q++) pixels[q] += pixels[q] == p->zeros ? 0 : p->panels.width;
        }
    }
}

/* Items: panels, in each some of the rows. */
static void multiply(void *arg, int64_t begin, int64_t end) {
    struct plan *p = arg;
    const struct sl_conv_spec *c = p->c;
    const int64_t in = c->in.channels, out = c->out.channels;
    const size_t bytes = sizeof(float) * ROWS * COLUMNS * POINTS;
    float *sums = sl_scratch_new(bytes);
    const void *tiles[MOST_TILES];
    bool is_finite = true;
    for (int64_t item = begin; sums && item < end; item++) {
        const int64_t j = item / p->row_parts, part = item % p->row_parts;
        const int64_t row = part * in / p->row_parts, rows = (part + 1) * in / p->row_parts - row;
        struct sl_gemm_tile t = {.loops = p->gemm, .size = sizeof(float), .vectors = sl_panel_vectors(&p->panels, j)};
        t.columns = sl_panel_columns(&p->panels, j);
        t.b_k = t.c_row = (int64_t)t.vectors * p->panels.lanes;
        const int64_t heights = divide_up(rows, p->gemm->rows_most), point = rows * t.c_row;
        for (int64_t q = 0; q < POINTS; q++) {
            t.b = p->spread + q * p->spread_point + j * p->n * p->panels.width;
            for (int64_t i = 0; i < p->n; i++) tiles[i] = p->taken + q * p->taken_point + i * p->taken_row + row;
            for (int64_t h = 0; h < heights; h++) {
                const int64_t first = h * rows / heights;
                t.rows = (int)((h + 1) * rows / heights - first);
                t.c = sums + q * point + first * t.c_row;
                sl_gemm_tile_lines(&t, p->n, tiles, first);
            }
        }
        for (int64_t r = 0; r < rows; r++)
            is_finite &= p->loops->gather(p->filter + (row + r) * out + j * p->panels.width, in * out,
                                          sums + r * t.c_row, point, t.columns, p->first > 0);
    }
    sl_scratch_free(sums, bytes);
    if (!sums || !is_finite) atomic_store(&p->has_failed, true);
}

static void run_blocks(struct sl_kernel_context *k, struct plan *p) {
    const int64_t in = p->c->in.channels, out = p->c->out.channels;
    for (; p->first < p->tiles && !atomic_load(&p->has_failed); p->first += p->tiles_of_block) {
        p->n = smaller(p->tiles_of_block, p->tiles - p->first);
        sl_kernel_split(k, p->n, sl_winograd_points_ns(in + out), transform_tiles, p);
        sl_kernel_split(k, p->row_parts * p->panels.count,
                        sl_winograd_products_ns(ROWS, p->panels.width, p->n * POINTS), multiply, p);
    }
}

bool sl_winograd_filter_grad(struct sl_kernel_context *k, const struct sl_conv_spec *c, const float *in,
                             const float *grad, float *filter) {
    struct plan p;
    read_conv(&p, c);
    p.loops = SL_ISA_PICK(sl_winograd_loops)();
    p.gemm = sl_gemm_best_loops(false);
    p.in = in;
    p.grad = grad;
    p.filter = filter;
    p.taken_row = c->in.channels + PAD;
    p.taken_point = p.tiles_of_block * p.taken_row + PAD;
    p.spread_point = (int64_t)(sl_panels_init(&p.panels, p.gemm, sizeof(float), c->out.channels, p.tiles_of_block, 2) /
                               sizeof(float)) +
                     PAD;
    const int64_t zeros = c->in.channels > c->out.channels ? c->in.channels : c->out.channels;
    const size_t bytes = (size_t)(zeros + PAD + POINTS * (p.taken_point + p.spread_point)) * sizeof(float);
    float *room = sl_scratch_new(bytes);
    if (!room) return false;
    memset(room, 0, (size_t)zeros * sizeof(float));
    p.zeros = room;
    p.taken = room + zeros + PAD;
    p.spread = p.taken + POINTS * p.taken_point;
    run_blocks(k, &p);
    sl_scratch_free(room, bytes);
    return !atomic_load(&p.has_failed);
}

static sl_code filter_grad(bool *is_done, struct sl_kernel_context *k, const struct sl_conv_spec *c,
                           const struct sl_conv_data *data) {
    *is_done = sl_winograd_filter_grad(k, c, data->in, data->out, data->filter);
    return SL_OK;
}
const struct sl_conv_method sl_conv_filter_grad_by_winograd = {"Winograd", sl_winograd_fits, sl_winograd_filter_pays,
                                                               filter_grad};
