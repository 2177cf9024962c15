/* Runs tiles of pixels over taps. There is no matrix of image patches: a tile's rows are pointers to pixels, one set for each tap, and
 * for pixels outside of the image to zeros; of several pixels that are not all inside there is a copy. Pixels are taken in blocks, whose
 * pointers are made once for all columns. */
#include "backends/cpu/conv_taps.h"

#include <stdatomic.h>
#include <string.h>

enum {
    BLOCK = 96,         /* pixels */
    TAPS_OF_BLOCK = 64, /* pointers of a block: 48 KiB of stack */
    LEAST_ITEMS = 16,
    ROWS_OF_BLOCK = 512 /* of a panel, about: what stays in the second level cache while tiles go over it */
};

struct plan {
    const struct sl_taps *t;
    const char *zeros;
    const int64_t *deltas;                   /* of each tap: bytes from the pixel at g * step */
    int64_t least[SL_SPACE], most[SL_SPACE]; /* of the offsets */
    int64_t taps_at_once;
    int64_t line, lines, blocks;    /* pixels whose results are evenly spaced; blocks of a line */
    int64_t spacing;                /* elements between those */
    int64_t panels_of_item, groups; /* an item is a block with some panels; groups of panels */
    size_t room;                    /* bytes a thread needs for pixels at edges */
    atomic_bool is_out_of_memory;
};

struct point {
    int64_t batch, at[SL_SPACE];
};

static struct point point_of(const struct sl_taps *t, int64_t i) {
    struct point p;
    for (int d = SL_SPACE - 1; d >= 0; d--) {
        p.at[d] = i % t->grid[d];
        i /= t->grid[d];
    }
    p.batch = i;
    return p;
}
static void next_point(struct point *p, const struct sl_taps *t) {
    for (int d = SL_SPACE - 1; d >= 0; d--) {
        if (++p->at[d] < t->grid[d]) return;
        p->at[d] = 0;
    }
    p->batch++;
}

/* Pixels from `x` of a line on, `base` as if that were inside, of which only some are; nothing of what is outside is read. */
static const void *copy_edge(char *to, const struct plan *p, uintptr_t base, int64_t x) {
    const struct sl_taps *t = p->t;
    const int64_t space = t->in_image.space[SL_SPACE - 1], begin = x < 0 ? -x : 0;
    const int64_t end = space - x < t->width ? space - x : t->width, pixel = t->run / t->width * t->size;
    if (begin >= end) return p->zeros;
    memset(to, 0, (size_t)(t->run * t->size));
    memcpy(to + begin * pixel, (const void *)(base + (uintptr_t)(begin * pixel)), (size_t)((end - begin) * pixel));
    return to;
}

/* Pointers of taps [first, first + n) for `count` pixels from grid point `i`: pointers[tap * BLOCK + pixel]. `room` is for copies. */
static void point_to_pixels(const struct plan *p, const void **pointers, char *room, int64_t i, int64_t count,
                            int64_t first, int64_t n) {
    const struct sl_taps *t = p->t;
    const int64_t *space = t->in_image.space;
    struct point point = point_of(t, i);
    for (int64_t pixel = 0; pixel < count; pixel++, next_point(&point, t)) {
        int64_t at[SL_SPACE], index = point.batch;
        bool is_inside = true;
        for (int d = 0; d < SL_SPACE; d++) {
            at[d] = point.at[d] * t->step[d];
            index = index * space[d] + at[d];
            is_inside = is_inside && at[d] + p->least[d] >= 0 && at[d] + p->most[d] < space[d];
        }
        /* As a number: where the pixel lies outside, so may this. */
        uintptr_t base = (uintptr_t)t->in + (uintptr_t)((index * t->in_image.channels + t->in_channel) * t->size);
        if (is_inside) {
            for (int64_t q = 0; q < n; q++)
                pointers[q * BLOCK + pixel] = (const void *)(base + (uintptr_t)p->deltas[first + q]);
            continue;
        }
        for (int64_t q = 0; q < n; q++) {
            const int64_t *offset = t->offset[first + q];
            bool is_in = true;
            const int64_t x = at[SL_SPACE - 1] + offset[SL_SPACE - 1];
            const uintptr_t from = base + (uintptr_t)p->deltas[first + q];
            for (int d = 0; d < SL_SPACE - 1; d++) is_in = is_in && (uint64_t)(at[d] + offset[d]) < (uint64_t)space[d];
            if (is_in && t->width > 1)
                pointers[q * BLOCK + pixel] =
                    x >= 0 && x + t->width <= space[SL_SPACE - 1]
                        ? (const void *)from
                        : copy_edge(room + (q * BLOCK + pixel) * t->run * t->size, p, from, x);
            else
                pointers[q * BLOCK + pixel] =
                    is_in && (uint64_t)x < (uint64_t)space[SL_SPACE - 1] ? (const void *)from : p->zeros;
        }
    }
}

static char *result_of(const struct sl_taps *t, int64_t i) {
    struct point point = point_of(t, i);
    int64_t index = point.batch;
    for (int d = 0; d < SL_SPACE; d++)
        index = index * t->out_image.space[d] + point.at[d] * t->out_step[d] + t->out_first[d];
    return t->out + (index * t->out_image.channels + t->out_channel) * t->size;
}

/* Pixels [i, i + count) of the grid, in one line, with a group of panels. */
static void run_block(const struct plan *p, char *room, int64_t i, int64_t count, int64_t group) {
    const struct sl_taps *t = p->t;
    const void *pointers[TAPS_OF_BLOCK * BLOCK];
    struct sl_tile tile = {.loops = t->loops, .size = t->size, .c_row = p->spacing};
    char *out = result_of(t, i);
    const int64_t first_panel = group * p->panels_of_item, next = first_panel + p->panels_of_item;
    const int64_t end_panel = next < t->panels.count ? next : t->panels.count;
    int64_t first = 0;
    do {
        int64_t taps = t->count - first < p->taps_at_once ? t->count - first : p->taps_at_once;
        point_to_pixels(p, pointers, room, i, count, first, taps);
        tile.adds = first > 0;
        for (int64_t j = first_panel; j < end_panel; j++) {
            tile.columns = sl_panel_columns(&t->panels, j);
            tile.vectors = sl_panel_vectors(&t->panels, j);
            tile.b_k = (int64_t)tile.vectors * t->loops->lanes;
            tile.b = sl_panel(&t->panels, j) + first * t->run * tile.b_k * t->size;
            int most = tile.vectors == 4 ? t->loops->rows_most / 2 : t->loops->rows_most;
            for (int64_t pixel = 0; pixel < count; pixel += tile.rows) {
                tile.rows = count - pixel < most ? (int)(count - pixel) : most;
                tile.c = out + (pixel * p->spacing + j * t->panels.width) * t->size;
                sl_tile_rows(&tile, taps, t->run, pointers + pixel, BLOCK);
            }
        }
        first += taps;
    } while (first < t->count);
    const int64_t column = first_panel * t->panels.width, end = end_panel * t->panels.width;
    if (t->epilogue)
        sl_epilogue_run(t->epilogue, out + column * t->size, p->spacing, count, t->out_channel + column,
                        (end < t->panels.n ? end : t->panels.n) - column);
}

static void run_blocks(void *arg, int64_t begin, int64_t end) {
    struct plan *p = arg;
    char *room = p->room ? sl_scratch_new(p->room) : NULL;
    if (p->room && !room) {
        atomic_store(&p->is_out_of_memory, true);
        return;
    }
    for (int64_t item = begin; item < end; item++) {
        int64_t block = item / p->groups, line = block / p->blocks, first = block % p->blocks * BLOCK;
        run_block(p, room, line * p->line + first, p->line - first < BLOCK ? p->line - first : BLOCK, item % p->groups);
    }
    sl_scratch_free(room, p->room);
}

static void lay_out(struct plan *p) {
    const struct sl_taps *t = p->t;
    bool is_dense = true;
    for (int d = 0; d < SL_SPACE; d++) {
        is_dense = is_dense && t->out_step[d] == 1 && t->grid[d] == t->out_image.space[d];
        p->least[d] = INT64_MAX;
        p->most[d] = INT64_MIN;
        for (int64_t q = 0; q < t->count; q++) {
            if (t->offset[q][d] < p->least[d]) p->least[d] = t->offset[q][d];
            if (t->offset[q][d] > p->most[d]) p->most[d] = t->offset[q][d];
        }
        if (t->count == 0) p->least[d] = p->most[d] = 0;
    }
    p->most[SL_SPACE - 1] += t->width - 1;
    int64_t points = t->in_image.batch * t->grid[0] * t->grid[1] * t->grid[2];
    p->line = is_dense ? points : t->grid[2];
    p->lines = is_dense ? 1 : points / t->grid[2];
    p->blocks = (p->line + BLOCK - 1) / BLOCK;
    p->spacing = t->out_step[2] * t->out_image.channels;
    p->taps_at_once = ROWS_OF_BLOCK / t->run;
    if (p->taps_at_once < 1) p->taps_at_once = 1;
    if (p->taps_at_once > TAPS_OF_BLOCK) p->taps_at_once = TAPS_OF_BLOCK;
    p->groups = (LEAST_ITEMS + p->lines * p->blocks - 1) / (p->lines * p->blocks);
    if (p->groups > t->panels.count) p->groups = t->panels.count;
    p->panels_of_item = (t->panels.count + p->groups - 1) / p->groups;
    p->groups = (t->panels.count + p->panels_of_item - 1) / p->panels_of_item;
    if (t->width > 1) p->room = (size_t)(p->taps_at_once * BLOCK * t->run * t->size);
}

sl_code sl_taps_run(struct sl_kernel_context *k, const struct sl_taps *t) {
    struct plan p = {.t = t};
    if (t->in_image.batch == 0 || t->grid[0] == 0 || t->grid[1] == 0 || t->grid[2] == 0 || t->panels.n == 0)
        return SL_OK;
    lay_out(&p);
    size_t zeros = ((size_t)t->run * (size_t)t->size + 63) & ~(size_t)63,
           bytes = zeros + (size_t)t->count * sizeof *p.deltas;
    char *scratch = sl_scratch_new(bytes);
    if (!scratch) return sl_fail_memory(k->err, bytes);
    memset(scratch, 0, zeros);
    int64_t *deltas = (int64_t *)(void *)(scratch + zeros);
    const int64_t *space = t->in_image.space;
    for (int64_t q = 0; q < t->count; q++)
        deltas[q] = ((t->offset[q][0] * space[1] + t->offset[q][1]) * space[2] + t->offset[q][2]) *
                    t->in_image.channels * t->size;
    p.zeros = scratch;
    p.deltas = deltas;
    const double ns = sl_gemm_ns(p.line < BLOCK ? p.line : BLOCK, t->panels.n, t->count * t->run) / (double)p.groups;
    sl_kernel_split(k, p.lines * p.blocks * p.groups, ns + 50, run_blocks, &p);
    sl_scratch_free(scratch, bytes);
    if (atomic_load(&p.is_out_of_memory)) return sl_fail_memory(k->err, p.room);
    return SL_OK;
}
