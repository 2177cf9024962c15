/* Runs tiles of pixels over taps. There is no matrix of image patches: a tile's rows are pointers to pixels, one set
 * for each tap, and for pixels outside of the image to zeros; of several pixels that are not all inside there is a
 * copy. Pixels are taken in blocks, whose pointers are made once for all columns.
 *
 * Items are in the order of pixels where all panels stay in the second level cache: so a thread has a part of the image, and
 * finds in its own cache what it made of that part with the node before. */
#include "backends/cpu/product/conv_taps.h"

#include <stdatomic.h>
#include <string.h>

enum {
    BLOCK = 96,         /* pixels */
    TAPS_OF_BLOCK = 64, /* pointers of a block: 48 KiB of stack */
    LEAST_ITEMS = 16,
    LEAST_BLOCK = 24,      /* pixels, where there are few items */
    LEAST_AHEAD = 1 << 14, /* bytes of a panel for which it pays to ask for the next one */
    LEAST_ROWS = 4,        /* of a tile, where that can be */
    GROUP_BYTES = 1 << 20, /* of panels, about: blocks one after the other find them in the second level cache */
    ROWS_OF_BLOCK = 512    /* of a panel, about: what stays in the second level cache while tiles go over it */
};

#define BYTES_OF_NS 20.0 /* of panels that come from far away */

struct plan {
    const struct sl_taps *t;
    const char *zeros;
    const int64_t *deltas;                   /* of each tap: bytes from the pixel at g * step */
    int64_t least[SL_SPACE], most[SL_SPACE]; /* of the offsets */
    int64_t taps_at_once;
    int64_t line, lines;            /* pixels whose results are evenly spaced; such lines */
    int64_t block, blocks;          /* pixels of a block; blocks of a line */
    int64_t spacing;                /* elements between those */
    int64_t panels_of_item, groups; /* an item is a block with some panels; groups of panels */
    bool is_by_pixels;              /* items of one block follow each other; else those of one group */
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
/* `n` points further on, on the same line or at the start of the next. */
static void skip_points(struct point *p, const struct sl_taps *t, int64_t n) {
    p->at[SL_SPACE - 1] += n;
    for (int d = SL_SPACE - 1; d >= 0 && p->at[d] == t->grid[d]; d--) {
        p->at[d] = 0;
        if (d > 0) p->at[d - 1]++;
        else p->batch++;
    }
}

/* Pixels from `x` of a line on, `base` as if that were inside, of which only some are; nothing of what is outside is
 * read. */
static const void *copy_edge(char *to, const struct plan *p, uintptr_t base, int64_t x) {
    const struct sl_taps *t = p->t;
    const int64_t space = t->in_image.space[SL_SPACE - 1], begin = x < 0 ? -x : 0;
    const int64_t end = space - x < t->width ? space - x : t->width, pixel = t->run / t->width * t->size;
    if (begin >= end) return p->zeros;
    memset(to, 0, (size_t)(t->run * t->size));
    memcpy(to + begin * pixel, (const void *)(base + (uintptr_t)(begin * pixel)), (size_t)((end - begin) * pixel));
    return to;
}

/* Pixels at the same place of all but the last dim, from `point` on, `count` of them at most, which are all inside
 * for all taps, or all not; how many. */
static int64_t pixels_alike(bool *is_inside, const struct plan *p, const struct point *point, int64_t count) {
    const struct sl_taps *t = p->t;
    const int64_t *space = t->in_image.space, last = SL_SPACE - 1, step = t->step[last];
    const int64_t x = point->at[last], left = t->grid[last] - x;
    if (left < count) count = left;
    *is_inside = true;
    for (int d = 0; d < last; d++) {
        const int64_t at = point->at[d] * t->step[d];
        *is_inside = *is_inside && at + p->least[d] >= 0 && at + p->most[d] < space[d];
    }
    if (!*is_inside) return count;
    /* Pixels [begin, end) of the line have all taps. */
    const int64_t begin = p->least[last] < 0 ? (-p->least[last] + step - 1) / step : 0;
    const int64_t end = p->most[last] < space[last] ? (space[last] - 1 - p->most[last]) / step + 1 : 0;
    *is_inside = x >= begin && x < end;
    const int64_t until = *is_inside ? end : x < begin ? begin : x + count;
    return until - x < count ? until - x : count;
}

/* The pointer of a tap for a pixel at `at` that may lie outside, `from` as if it did not. `room` is for a copy. */
static const void *point_to_edge(const struct plan *p, char *room, const int64_t at[SL_SPACE], uintptr_t from,
                                 const int64_t *offset) {
    const struct sl_taps *t = p->t;
    const int64_t *space = t->in_image.space, x = at[SL_SPACE - 1] + offset[SL_SPACE - 1];
    for (int d = 0; d < SL_SPACE - 1; d++)
        if ((uint64_t)(at[d] + offset[d]) >= (uint64_t)space[d]) return p->zeros;
    if (t->width > 1 && (x < 0 || x + t->width > space[SL_SPACE - 1])) return copy_edge(room, p, from, x);
    return (uint64_t)x < (uint64_t)space[SL_SPACE - 1] ? (const void *)from : p->zeros;
}

/* Pointers of taps [first, first + n) for `count` pixels from grid point `i`: pointers[tap * BLOCK + pixel]. `room`
 * is for copies. */
static void point_to_pixels(const struct plan *p, const void **pointers, char *room, int64_t i, int64_t count,
                            int64_t first, int64_t n) {
    const struct sl_taps *t = p->t;
    struct point point = point_of(t, i);
    int64_t some;
    for (int64_t pixel = 0; pixel < count; pixel += some) {
        int64_t at[SL_SPACE], index = point.batch;
        bool is_inside;
        some = pixels_alike(&is_inside, p, &point, count - pixel);
        for (int d = 0; d < SL_SPACE; d++) {
            at[d] = point.at[d] * t->step[d];
            index = index * t->in_image.space[d] + at[d];
        }
        /* As a number: where the pixel lies outside, so may this. */
        const uintptr_t base = (uintptr_t)t->in + (uintptr_t)((index * t->in_image.channels + t->in_channel) * t->size),
                        step = (uintptr_t)(t->step[SL_SPACE - 1] * t->in_image.channels * t->size);
        for (int64_t q = 0; q < n; q++) {
            const void **to = pointers + q * BLOCK + pixel;
            uintptr_t from = base + (uintptr_t)p->deltas[first + q];
            if (is_inside)
                for (int64_t j = 0; j < some; j++, from += step) to[j] = (const void *)from;
            else
                for (int64_t j = 0; j < some; j++, from += step) {
                    int64_t here[SL_SPACE];
                    memcpy(here, at, sizeof here);
                    here[SL_SPACE - 1] += j * t->step[SL_SPACE - 1];
                    to[j] = point_to_edge(p, room + (q * BLOCK + pixel + j) * t->run * t->size, here, from,
                                          t->offset[first + q]);
                }
        }
        skip_points(&point, t, some);
    }
}

static char *result_of(const struct sl_taps *t, int64_t i) {
    struct point point = point_of(t, i);
    int64_t index = point.batch;
    for (int d = 0; d < SL_SPACE; d++)
        index = index * t->out_image.space[d] + point.at[d] * t->out_step[d] + t->out_first[d];
    return t->out + (index * t->out_image.channels + t->out_channel) * t->size;
}

/* While tiles of rows [row, row + rows) of `all` are made with a panel, asks for their share of the next one: large
 * filters of a network come from far away at each step. */
static void prefetch_panel(const struct plan *p, const struct sl_gemm_tile *tile, int64_t k, int64_t row, int64_t all) {
    const struct sl_panels *panels = &p->t->panels;
    const int64_t lines = k * tile->b_k * tile->size / 64;
    const char *next = (const char *)tile->b + panels->k * panels->width * tile->size;
    for (int64_t i = lines * row / all; i < lines * (row + tile->rows) / all; i++)
        __builtin_prefetch(next + i * 64, 0, 2);
}

/* Rows of the next tile, with `left` to do: no tile that is left is so low that products would wait for each other. */
static int tile_rows(int64_t left, int most) {
    if (left <= most) return (int)left;
    return left < most + LEAST_ROWS ? (int)((left + 1) / 2) : most;
}

/* Pixels [i, i + count) of the grid, in one line, with a group of panels; `is_first`: this thread has not seen those
 * yet. */
static void run_block(const struct plan *p, char *room, int64_t i, int64_t count, int64_t group, bool is_first) {
    const struct sl_taps *t = p->t;
    const void *pointers[TAPS_OF_BLOCK * BLOCK];
    struct sl_gemm_tile tile = {.loops = t->loops, .size = t->size, .c_row = p->spacing};
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
            const int64_t column = j * t->panels.width, channel = t->out_channel + column;
            struct sl_tile_end end;
            /* Done before tiles are stored, where they are whole. */
            const bool has_end = t->epilogue && t->count == 1 && tile.vectors == 2 && tile.columns == tile.b_k &&
                                 sl_epilogue_of_tile(&end, t->epilogue, channel);
            int most = tile.vectors == 4 ? t->loops->rows_most / 2 : t->loops->rows_most;
            for (int64_t pixel = 0; pixel < count; pixel += tile.rows) {
                tile.rows = tile_rows(count - pixel, most);
                tile.c = out + (pixel * p->spacing + column) * t->size;
                if (is_first && j + 1 < end_panel) prefetch_panel(p, &tile, taps * t->run, pixel, count);
                if (has_end) t->loops->ends[tile.rows - 1](t->run, pointers + pixel, tile.b, tile.c, tile.c_row, &end);
                else sl_gemm_tile_rows(&tile, taps, t->run, pointers + pixel, BLOCK);
            }
            if (t->epilogue && !has_end && first + taps == t->count)
                sl_epilogue_finish(t->epilogue, out + column * t->size, p->spacing, count, channel, tile.columns);
        }
        first += taps;
    } while (first < t->count);
    if (t->epilogue) {
        const int64_t column = first_panel * t->panels.width, end = end_panel * t->panels.width;
        sl_epilogue_activate(t->epilogue, out + column * t->size, p->spacing, count,
                             (end < t->panels.n ? end : t->panels.n) - column);
    }
}

static void run_blocks(void *arg, int64_t begin, int64_t end) {
    struct plan *p = arg;
    char *room = p->room ? sl_scratch_new(p->room) : NULL;
    if (p->room && !room) {
        atomic_store(&p->is_out_of_memory, true);
        return;
    }
    const bool asks_ahead = p->t->panels.k * p->t->panels.width * p->t->size >= LEAST_AHEAD;
    for (int64_t item = begin; item < end; item++) {
        const int64_t blocks = p->lines * p->blocks;
        const int64_t group = p->is_by_pixels ? item % p->groups : item / blocks;
        const int64_t block = p->is_by_pixels ? item / p->groups : item % blocks;
        int64_t line = block / p->blocks, first = block % p->blocks * p->block;
        run_block(p, room, line * p->line + first, p->line - first < p->block ? p->line - first : p->block, group,
                  asks_ahead && (item == begin || (!p->is_by_pixels && block == 0)));
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
    p->block = (p->line + p->blocks - 1) / p->blocks;
    p->spacing = t->out_step[2] * t->out_image.channels;
    p->taps_at_once = ROWS_OF_BLOCK / t->run;
    if (p->taps_at_once < 1) p->taps_at_once = 1;
    if (p->taps_at_once > TAPS_OF_BLOCK) p->taps_at_once = TAPS_OF_BLOCK;
    const int64_t panel = t->count * t->run * t->panels.width * t->size;
    p->groups = (LEAST_ITEMS + p->lines * p->blocks - 1) / (p->lines * p->blocks);
    if (p->groups < t->panels.count * panel / GROUP_BYTES) p->groups = t->panels.count * panel / GROUP_BYTES;
    if (p->groups > t->panels.count) p->groups = t->panels.count;
    p->panels_of_item = (t->panels.count + p->groups - 1) / p->groups;
    p->groups = (t->panels.count + p->panels_of_item - 1) / p->panels_of_item;
    for (; p->lines * p->blocks * p->groups < LEAST_ITEMS && p->block >= 2 * LEAST_BLOCK; p->blocks *= 2)
        p->block = (p->block + 1) / 2;
    p->blocks = (p->line + p->block - 1) / p->block;
    p->is_by_pixels = t->panels.count * panel <= GROUP_BYTES;
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
    const int64_t rows = t->count * t->run;
    const double products = sl_gemm_ns(p.block, t->panels.n, rows),
                 reading = (double)(t->panels.n * rows * t->size) / BYTES_OF_NS,
                 ns = products > reading ? products : reading;
    sl_kernel_split(k, p.lines * p.blocks * p.groups, ns / (double)p.groups + 50, run_blocks, &p);
    sl_scratch_free(scratch, bytes);
    if (atomic_load(&p.is_out_of_memory)) return sl_fail_memory(k->err, p.room);
    return SL_OK;
}
