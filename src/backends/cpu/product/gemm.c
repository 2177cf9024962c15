/* Matrix products. The ways, from the first that fits:
 *
 *   few rows or columns   B (or A) is read once, in its order: loops `update` and `dots`
 * *   small B               tiles straight from A and B, on this thread
 *   thin A                gemm_thin.c: B is read where it stands, in parallel
 *   else                  K in blocks of K_BLOCK, N in blocks of what fits then: B's block is packed into panels that
 *                         stay in the second level cache; tiles of A's rows go over it
 *
 * Where A's columns are dense, an item of work copies its part of them for the panels that go over it: the columns
 * lie far apart, on a page each, and on few lines of the first level cache. A thread packs the panels that it
 * multiplies with itself where there are enough: what another one packed comes slowly out of that one's cache. What
 * is added up, and in which order, depends on sizes alone. */
#include "backends/cpu/product/gemm.h"

#include <stdatomic.h>
#include <string.h>

#include "backends/cpu/product/gemm_thin.h"
#include "backends/cpu/product/onednn.h"
#include "base/checked.h"
#include "os/pool.h"

enum {
    K_BLOCK = 512,         /* rows of a panel at most */
    COPIED_K_BLOCK = 256,  /* the same where items copy A */
    BLOCK_BYTES = 1 << 20, /* of B, at most */
    BLOCK_COLUMNS = 64,    /* a block has a multiple of these */
    M_BLOCK = 48,          /* rows of an item of work; half of them where elements are double */
    COPY_PANELS = 4,       /* so many of an item make a copy of its columns worth while */
    LEAST_ITEMS = 16,
    GROUP_ROWS = 2, /* times B's rows: so many of A at most go over panels that a thread packs for itself */
    SMALL_B_BYTES = 1 << 18,
    LARGEST_SIZE = 8 /* bytes of an element */
};
#define FLOPS_OF_NS 80.0

const struct sl_gemm_loops *sl_gemm_best_loops(bool is_double) { return SL_ISA_PICK(sl_gemm_loops)(is_double); }

double sl_gemm_ns(int64_t m, int64_t n, int64_t k) { return 2.0 * (double)m * (double)n * (double)k / FLOPS_OF_NS; }

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t divide_up(int64_t a, int64_t b) { return (a + b - 1) / b; }

static void split(struct sl_kernel_context *k, int64_t n, double ns,
                  void (*work)(void *arg, int64_t begin, int64_t end), void *arg) {
    if (k) sl_kernel_split(k, n, ns, work, arg);
    else if (n > 0) work(arg, 0, n);
}

/* ---- panels */
size_t sl_panels_init(struct sl_panels *p, const struct sl_gemm_loops *loops, int size, int64_t n, int64_t k,
                      int vectors) {
    int64_t width = (int64_t)vectors * loops->lanes, bytes;
    *p = (struct sl_panels){
        .n = n, .k = k, .width = width, .count = divide_up(n, width), .lanes = loops->lanes, .size = size};
    if (!sl_mul_i64(&bytes, p->count * width, size) || !sl_mul_i64(&bytes, bytes, k)) return 0;
    return (size_t)bytes;
}

void sl_panel_pack(const struct sl_panels *p, int64_t i, const struct sl_gemm_loops *loops, const void *b, int64_t b_k,
                   int64_t b_column, int64_t first) {
    int64_t columns = sl_panel_columns(p, i), width = (int64_t)sl_panel_vectors(p, i) * p->lanes;
    const char *from = (const char *)b + (first * b_k + i * p->width * b_column) * p->size;
    if (b_column == 1) loops->pack_columns(sl_panel(p, i), width, from, b_k, columns, p->k);
    else loops->pack_lines(sl_panel(p, i), width, from, b_k, b_column, columns, p->k);
}

/* ---- tiles */
struct ragged {
    _Alignas(64) char bytes[SL_TILE_ROWS * 4 * 64];
};
/* `rows` times so many bytes, fewer than rows are apart: as two blocks that overlap, which costs far less than calls
 * of memcpy. */
static void copy_rows(char *to, int64_t to_row, const char *from, int64_t from_row, int64_t bytes, int rows) {
#define BLOCKS(n)                                                                                                      \
    for (int i = 0; i < rows; i++, to += to_row, from += from_row) {                                                   \
        memcpy(to, from, n);                                                                                           \
        memcpy(to + bytes - n, from + bytes - n, n);                                                                   \
    }
    if (bytes > 128 || bytes < 4)
        for (int i = 0; i < rows; i++) memcpy(to + i * to_row, from + i * from_row, (size_t)bytes);
    else if (bytes >= 64) BLOCKS(64)
    else if (bytes >= 32) BLOCKS(32)
    else if (bytes >= 16) BLOCKS(16)
    else if (bytes >= 8) BLOCKS(8)
    else BLOCKS(4)
#undef BLOCKS
}
/* Where a tile goes that does not fill its vectors: a copy of C. */
static void *open_ragged(struct ragged *r, const struct sl_gemm_tile *t, int64_t width) {
    if (t->adds) copy_rows(r->bytes, width * t->size, t->c, t->c_row * t->size, t->columns * t->size, t->rows);
    return r->bytes;
}
static void close_ragged(const struct ragged *r, const struct sl_gemm_tile *t, int64_t width) {
    copy_rows(t->c, t->c_row * t->size, r->bytes, width * t->size, t->columns * t->size, t->rows);
}

void sl_gemm_tile_rows(const struct sl_gemm_tile *t, int64_t taps, int64_t run, const void *const *a, int64_t a_tap) {
    sl_tile_rows_fn loop = t->loops->rows[t->vectors / 2][t->rows - 1];
    int64_t width = (int64_t)t->vectors * t->loops->lanes;
    if (t->columns == width) {
        loop(taps, run, a, a_tap, t->b, t->b_k, t->c, t->c_row, t->adds);
        return;
    }
    struct ragged r;
    loop(taps, run, a, a_tap, t->b, t->b_k, open_ragged(&r, t, width), width, t->adds);
    close_ragged(&r, t, width);
}

void sl_gemm_tile_lines(const struct sl_gemm_tile *t, int64_t n, const void *const *a, int64_t offset) {
    sl_tile_lines_fn loop = t->loops->lines[t->vectors / 2][t->rows - 1];
    int64_t width = (int64_t)t->vectors * t->loops->lanes;
    if (t->columns == width) {
        loop(n, a, offset, t->b, t->b_k, t->c, t->c_row, t->adds);
        return;
    }
    struct ragged r;
    loop(n, a, offset, t->b, t->b_k, open_ragged(&r, t, width), width, t->adds);
    close_ragged(&r, t, width);
}

/* ---- the general way */
/* Panels of an item: one thread packs them and then takes rows to them, some at a time; who has no group left takes
 * rows to others'. */
struct group {
    _Atomic bool is_packed;
    _Atomic int64_t next_row;
};
enum { MOST_GROUPS = 32 };

struct plan {
    struct sl_gemm g;
    const struct sl_gemm_loops *loops;
    int size;
    int64_t rows_of_item, panels_of_item, items_of_row; /* an item: rows, some panels of them */
    struct sl_panels panels;                            /* of this block, but with all columns of B's block */
    int64_t first_k, first_n;                           /* of this block */
    bool adds, is_last;                                 /* of the blocks of K that are added up */
    int64_t columns_of_item;                            /* of `update` */
    int64_t n_groups;
    struct group *groups; /* borrowed; NULL: panels are packed for all before */
};

static const char *at(const void *base, int64_t element, int size) { return (const char *)base + element * size; }

static void pack_block(void *arg, int64_t begin, int64_t end) {
    const struct plan *p = arg;
    const void *b = at(p->g.b, p->first_n * p->g.b_column, p->size);
    for (int64_t i = begin; i < end; i++)
        sl_panel_pack(&p->panels, i, p->loops, b, p->g.b_k, p->g.b_column, p->first_k);
}

/* The epilogue of `rows` rows and `n` columns. */
static void finish(const struct plan *p, int64_t row, int64_t rows, int64_t column, int64_t n) {
    const struct sl_gemm *g = &p->g;
    if (g->epilogue)
        sl_epilogue_run(g->epilogue, (char *)g->c + (row * g->c_row + column) * p->size, g->c_row, rows, column, n);
}
static void finish_rows(void *arg, int64_t begin, int64_t end) {
    const struct plan *p = arg;
    finish(p, begin, end - begin, 0, p->g.n);
}

/* A's rows are asked for a tile ahead: a tile reads many rows side by side, which is no order that processors
 * foresee. */
static void prefetch_rows(const struct plan *p, int64_t row, int64_t n) {
    const int64_t end = smaller(row + n, p->g.m), bytes = p->panels.k * p->size;
    for (; row < end; row++) {
        const char *from = at(p->g.a, row * p->g.a_row + p->first_k, p->size);
        for (int64_t i = 0; i < bytes; i += 64) __builtin_prefetch(from + i);
    }
}

/* Rows [row, row + n) of A's columns, as tiles read them: `most` rows of each column one behind the other, then the
 * next rows. */
struct copy {
    _Alignas(64) char bytes[M_BLOCK * COPIED_K_BLOCK * 4];
};
static inline __attribute__((always_inline)) void copy_lines(char *to, int64_t to_step, const char *from, int64_t step,
                                                             size_t bytes, int64_t n) {
    for (; n > 0; n--, to += to_step, from += step) memcpy(to, from, bytes);
}
static void copy_columns(struct copy *to, const struct plan *p, int64_t row, int64_t n, int64_t most) {
    const int64_t k = p->panels.k, step = p->g.a_k * p->size, to_step = most * p->size;
    for (int64_t r = 0; r < n; r += most) {
        const char *from = at(p->g.a, p->first_k * p->g.a_k + row + r, p->size);
        char *line = to->bytes + r * k * p->size;
        const int64_t bytes = smaller(n - r, most) * p->size;
        if (bytes == 48) copy_lines(line, to_step, from, step, 48, k);
        else if (bytes == 96) copy_lines(line, to_step, from, step, 96, k);
        else copy_lines(line, to_step, from, step, (size_t)bytes, k);
    }
}

/* Rows [row, row + n) of C with panels [begin, end). */
static void run_tiles(const struct plan *p, int64_t row, int64_t n, int64_t begin, int64_t end) {
    const struct sl_gemm *g = &p->g;
    const void *pointers[K_BLOCK];
    struct copy copy;
    struct sl_gemm_tile t = {.loops = p->loops, .size = p->size, .c_row = g->c_row, .adds = p->adds};
    const bool is_lines = g->a_k != 1, copies = is_lines && end - begin >= COPY_PANELS;
    const char *a = copies     ? copy.bytes
                    : is_lines ? at(g->a, p->first_k * g->a_k + row, p->size)
                               : at(g->a, row * g->a_row + p->first_k, p->size);
    const int64_t step = (copies ? p->loops->rows_most : is_lines ? g->a_k : g->a_row) * p->size;
    if (copies) copy_columns(&copy, p, row, n, p->loops->rows_most);
    for (int64_t q = 0; is_lines && q < p->panels.k; q++) pointers[q] = a + q * step;
    for (int64_t j = begin; j < end; j++) {
        t.b = sl_panel(&p->panels, j);
        t.vectors = sl_panel_vectors(&p->panels, j);
        t.b_k = (int64_t)t.vectors * p->loops->lanes;
        t.columns = sl_panel_columns(&p->panels, j);
        int most = t.vectors == 4 ? p->loops->rows_most / 2 : p->loops->rows_most;
        for (int64_t r = 0; r < n; r += t.rows) {
            t.rows = (int)smaller(n - r, most);
            t.c = (char *)g->c + ((row + r) * g->c_row + p->first_n + j * p->panels.width) * p->size;
            if (is_lines) {
                sl_gemm_tile_lines(&t, p->panels.k, pointers, copies ? r * p->panels.k : r);
                continue;
            }
            for (int i = 0; i < t.rows; i++) pointers[i] = a + (r + i) * step;
            if (j == begin) prefetch_rows(p, row + r + most, most);
            sl_gemm_tile_rows(&t, 1, p->panels.k, pointers, 0);
        }
    }
}

/* Rows from `row` on with panels from `panel` on. */
static void run_item(const struct plan *p, int64_t row, int64_t panel) {
    int64_t rows = smaller(p->rows_of_item, p->g.m - row),
            end_panel = smaller(panel + p->panels_of_item, p->panels.count);
    int64_t column = panel * p->panels.width, end_column = smaller(end_panel * p->panels.width, p->panels.n);
    run_tiles(p, row, rows, panel, end_panel);
    if (p->is_last) finish(p, row, rows, p->first_n + column, end_column - column);
}
static void run_items(void *arg, int64_t begin, int64_t end) {
    const struct plan *p = arg;
    for (int64_t item = begin; item < end; item++)
        run_item(p, item / p->items_of_row * p->rows_of_item, item % p->items_of_row * p->panels_of_item);
}

static void run_rows_of_group(const struct plan *p, int64_t i) {
    for (;;) {
        const int64_t row = atomic_fetch_add(&p->groups[i].next_row, p->rows_of_item);
        if (row >= p->g.m) return;
        run_item(p, row, i * p->panels_of_item);
    }
}
static void run_groups(void *arg, int64_t begin, int64_t end) {
    const struct plan *p = arg;
    for (int64_t i = begin; i < end; i++)
        if (i < p->n_groups) {
            pack_block(arg, i * p->panels_of_item, smaller((i + 1) * p->panels_of_item, p->panels.count));
            atomic_store(&p->groups[i].is_packed, true);
            run_rows_of_group(p, i);
        } else
            for (int64_t j = 0; j < p->n_groups; j++)
                if (atomic_load(&p->groups[j].is_packed)) run_rows_of_group(p, j);
}

/* An item has all panels, unless that makes too few for all threads. */
static void cut_items(struct plan *p) {
    const int64_t row_items = divide_up(p->g.m, p->rows_of_item), panels = p->panels.count;
    int64_t groups = smaller(panels, divide_up(LEAST_ITEMS, row_items));
    p->panels_of_item = divide_up(panels, groups);
    p->items_of_row = divide_up(panels, p->panels_of_item);
}

/* Each thread packs panels and multiplies with them: they stay in its own second level cache. False where there is
 * too little for that, or where A has so many rows that packing does not count, but that all threads read all of A
 * and write to the same rows of C does. */
static bool run_own_groups(struct sl_kernel_context *k, struct plan *p) {
    const int64_t threads = k && k->env->pool ? sl_pool_threads(k->env->pool) : 1;
    if (threads == 1 || threads > MOST_GROUPS || p->panels.count < 2 * threads) return false;
    if (p->g.m > GROUP_ROWS * p->panels.k) return false;
    struct group groups[MOST_GROUPS] = {{0}};
    p->groups = groups;
    p->panels_of_item = divide_up(p->panels.count, threads);
    p->n_groups = divide_up(p->panels.count, p->panels_of_item);
    split(k, 2 * p->n_groups, sl_gemm_ns(p->g.m, p->panels.width * p->panels_of_item, p->panels.k) / 2, run_groups, p);
    p->groups = NULL;
    return true;
}

/* One block of B: rows from first_k, columns from first_n. */
static void run_one_block(struct sl_kernel_context *k, struct plan *p, bool packs) {
    const int64_t rows = p->panels.k;
    p->adds = p->g.adds || p->first_k > 0;
    p->is_last = p->first_k + rows == p->g.k;
    if (packs && run_own_groups(k, p)) return;
    if (packs) split(k, p->panels.count, (double)(rows * p->panels.width) * 0.3, pack_block, p);
    cut_items(p);
    split(k, divide_up(p->g.m, p->rows_of_item) * p->items_of_row,
          sl_gemm_ns(smaller(p->g.m, p->rows_of_item), p->panels.width * p->panels_of_item, rows), run_items, p);
}

/* B's blocks stand one behind the other where they are kept, those of the first columns first; else each where the
 * last one was. */
static sl_code run_blocks(struct sl_kernel_context *k, struct plan *p, struct sl_error *err) {
    const struct sl_gemm *g = &p->g;
    const int64_t k_block = sl_gemm_k_block(g->k, g->a_k == 1 ? K_BLOCK : COPIED_K_BLOCK);
    const int64_t n_block = BLOCK_BYTES / (k_block * p->size) / BLOCK_COLUMNS * BLOCK_COLUMNS;
    const int vectors = g->m <= p->loops->rows_most / 2 && !g->packing ? 4 : 2;
    const size_t bytes = g->packing
                             ? sl_panels_init(&p->panels, p->loops, p->size, g->n, g->k, vectors)
                             : sl_panels_init(&p->panels, p->loops, p->size, smaller(n_block, g->n), k_block, vectors);
    char *kept = sl_packing_get(g->packing, SL_PACKING_PRODUCT, bytes), *data = kept ? kept : sl_scratch_new(bytes);
    if (!data) return sl_fail_memory(err, bytes);
    p->rows_of_item = (g->a_k == 1 ? M_BLOCK / 2 : M_BLOCK) * 4 / p->size;
    for (p->first_n = 0; p->first_n < g->n; p->first_n += n_block)
        for (p->first_k = 0; p->first_k < g->k; p->first_k += k_block) {
            sl_panels_init(&p->panels, p->loops, p->size, smaller(n_block, g->n - p->first_n),
                           smaller(k_block, g->k - p->first_k), vectors);
            p->panels.data = data;
            if (g->packing)
                p->panels.data += (p->first_n * g->k + p->first_k * p->panels.count * p->panels.width) * p->size;
            run_one_block(k, p, !kept);
        }
    if (!kept) sl_packing_put(g->packing, k, SL_PACKING_PRODUCT, data, bytes);
    return SL_OK;
}

/* ---- small B: no packing but of columns that do not fill a vector, and where they lie apart */
/* Rows [0, m) with the columns that `t` says. */
static void run_small_columns(const struct plan *p, struct sl_gemm_tile *t, int64_t column) {
    const struct sl_gemm *g = &p->g;
    const void *pointers[K_BLOCK];
    const int most = t->vectors == 4 ? p->loops->rows_most / 2 : p->loops->rows_most;
    const bool is_lines = g->a_k != 1;
    for (int64_t q = 0; is_lines && q < g->k; q++) pointers[q] = at(g->a, q * g->a_k, p->size);
    for (int64_t row = 0; row < g->m; row += t->rows) {
        t->rows = (int)smaller(g->m - row, most);
        t->c = (char *)g->c + (row * g->c_row + column) * p->size;
        for (int i = 0; !is_lines && i < t->rows; i++) pointers[i] = at(g->a, (row + i) * g->a_row, p->size);
        if (is_lines) sl_gemm_tile_lines(t, g->k, pointers, row);
        else sl_gemm_tile_rows(t, 1, g->k, pointers, 0);
    }
}

static void run_small(const struct plan *p) {
    const struct sl_gemm *g = &p->g;
    const int64_t lanes = p->loops->lanes;
    _Alignas(64) char packed[K_BLOCK * 64]; /* a vector of each row */
    struct sl_gemm_tile t = {.loops = p->loops, .size = p->size, .c_row = g->c_row, .adds = g->adds};
    for (int64_t j = 0; j < g->n; j += t.columns) {
        const int64_t vectors = g->b_column == 1 ? (g->n - j) / lanes : 0;
        t.vectors = vectors >= 4 && g->m <= p->loops->rows_most / 2 ? 4 : vectors >= 2 ? 2 : 1;
        t.columns = smaller(t.vectors * lanes, g->n - j);
        t.b = vectors ? at(g->b, j, p->size) : packed;
        t.b_k = vectors ? g->b_k : lanes;
        const char *from = at(g->b, j * g->b_column, p->size);
        if (!vectors && g->b_column == 1) p->loops->pack_columns(packed, lanes, from, g->b_k, t.columns, g->k);
        else if (!vectors) p->loops->pack_lines(packed, lanes, from, g->b_k, g->b_column, t.columns, g->k);
        run_small_columns(p, &t, j);
    }
    finish(p, 0, g->m, 0, g->n);
}

/* ---- few rows or columns */
enum { COLUMNS_ALONE = 1024, COLUMNS_SHARED = 256, DOT_LINES = 64 }; /* alone, rows of B are best read at a stretch */

static void clear(const struct sl_gemm *g, int size) {
    for (int64_t i = 0; i < g->m; i++) memset((char *)g->c + i * g->c_row * size, 0, (size_t)(g->n * size));
}

static void update_columns(void *arg, int64_t begin, int64_t end) {
    const struct plan *p = arg;
    const struct sl_gemm *g = &p->g;
    int64_t first = begin * p->columns_of_item, n = smaller(end * p->columns_of_item, g->n) - first;
    p->loops->update((int)g->m, (char *)g->c + first * p->size, g->c_row, g->a, g->a_row, g->a_k,
                     at(g->b, first, p->size), g->b_k, n, g->k);
}
/* m <= SL_FEW_ROWS, B's rows dense. */
static void run_update(struct sl_kernel_context *k, struct plan *p) {
    p->columns_of_item = k && k->env->pool && sl_pool_threads(k->env->pool) > 1 ? COLUMNS_SHARED : COLUMNS_ALONE;
    if (!p->g.adds) clear(&p->g, p->size);
    split(k, divide_up(p->g.n, p->columns_of_item), (double)(p->g.k * p->columns_of_item) * 0.1, update_columns, p);
}

struct dots {
    const struct sl_gemm_loops *loops;
    int size, few;
    char *c;
    int64_t c_few, c_line;
    const void *a;
    int64_t a_row;
    const void *lines;
    int64_t line, n, k;
    bool adds;
};
static void dot_lines(void *arg, int64_t begin, int64_t end) {
    const struct dots *d = arg;
    int64_t first = begin * DOT_LINES, n = smaller(end * DOT_LINES, d->n) - first;
    d->loops->dots[d->few - 1](d->c + first * d->c_line * d->size, d->c_few, d->c_line, d->a, d->a_row,
                               at(d->lines, first * d->line, d->size), d->line, n, d->k, d->adds);
}
static void run_dots(struct sl_kernel_context *k, struct dots *d) {
    split(k, divide_up(d->n, DOT_LINES), (double)d->k * DOT_LINES * 0.1, dot_lines, d);
}

/* A copy of `rows` rows of k elements that follow each other. */
static void *dense_copy(const void *from, int64_t rows, int64_t row, int64_t k, int64_t step, int size, size_t *bytes,
                        struct sl_error *err) {
    int64_t wanted;
    bool fits = sl_mul_i64(&wanted, rows, k) && sl_mul_i64(&wanted, wanted, size);
    char *to = fits ? sl_scratch_new((size_t)wanted) : NULL;
    *bytes = fits ? (size_t)wanted : SIZE_MAX;
    if (!to) {
        sl_fail_memory(err, *bytes);
        return NULL;
    }
    for (int64_t i = 0; i < rows; i++)
        for (int64_t p = 0; p < k; p++) {
            const char *x = at(from, i * row + p * step, size);
            if (size == 4) memcpy(to + (i * k + p) * 4, x, 4);
            else memcpy(to + (i * k + p) * 8, x, 8);
        }
    return to;
}

/* m <= SL_FEW_ROWS, B's columns dense. */
static sl_code run_few_rows(struct sl_kernel_context *k, struct plan *p, struct sl_error *err) {
    const struct sl_gemm *g = &p->g;
    struct dots d = {.loops = p->loops,
                     .size = p->size,
                     .few = (int)g->m,
                     .c = g->c,
                     .c_few = g->c_row,
                     .c_line = 1,
                     .a = g->a,
                     .a_row = g->a_row,
                     .lines = g->b,
                     .line = g->b_column,
                     .n = g->n,
                     .k = g->k,
                     .adds = g->adds};
    size_t bytes = 0;
    void *copy = NULL;
    if (g->a_k != 1 && g->k > 1) {
        copy = dense_copy(g->a, g->m, g->a_row, g->k, g->a_k, p->size, &bytes, err);
        if (!copy) return SL_RESOURCE_EXHAUSTED;
        d.a = copy;
        d.a_row = g->k;
    }
    run_dots(k, &d);
    sl_scratch_free(copy, bytes);
    return SL_OK;
}

/* n <= SL_FEW_ROWS, A's rows dense: the columns of B are the few. */
static sl_code run_few_columns(struct sl_kernel_context *k, struct plan *p, struct sl_error *err) {
    const struct sl_gemm *g = &p->g;
    struct dots d = {.loops = p->loops,
                     .size = p->size,
                     .few = (int)g->n,
                     .c = g->c,
                     .c_few = 1,
                     .c_line = g->c_row,
                     .a = g->b,
                     .a_row = g->b_column,
                     .lines = g->a,
                     .line = g->a_row,
                     .n = g->m,
                     .k = g->k,
                     .adds = g->adds};
    size_t bytes = 0;
    void *copy = NULL;
    if (g->b_k != 1 && g->k > 1) {
        copy = dense_copy(g->b, g->n, g->b_column, g->k, g->b_k, p->size, &bytes, err);
        if (!copy) return SL_RESOURCE_EXHAUSTED;
        d.a = copy;
        d.a_row = g->k;
    }
    run_dots(k, &d);
    sl_scratch_free(copy, bytes);
    return SL_OK;
}

/* n = 1, A's columns dense, C a dense column: C's transpose is a row. */
static void run_column(struct sl_kernel_context *k, struct plan *p) {
    const struct sl_gemm g = p->g;
    p->g = (struct sl_gemm){.is_double = g.is_double,
                            .adds = g.adds,
                            .m = 1,
                            .n = g.m,
                            .k = g.k,
                            .a = g.b,
                            .a_row = g.b_column,
                            .a_k = g.b_k,
                            .b = g.a,
                            .b_k = g.a_k,
                            .b_column = 1,
                            .c = g.c,
                            .c_row = g.m};
    run_update(k, p);
}

/* Done by this thread before others come. Packed columns are used for few rows here, so they are to be few. */
static bool is_small_product(const struct sl_gemm *g, int size) {
    if (g->packing || g->k > K_BLOCK || g->k * g->n > SMALL_B_BYTES / size) return false;
    const bool is_short = sl_gemm_ns(g->m, g->n, g->k) < 8000;
    return g->b_column == 1 && g->a_k == 1 ? is_short || g->m <= M_BLOCK : is_short;
}

/* The ways that read B (or A) once; sets `*is_done` when there is one. */
static sl_code run_few(bool *is_done, struct sl_kernel_context *k, struct plan *p, struct sl_error *err) {
    const struct sl_gemm *g = &p->g;
    /* Each dot ends with a sum over lanes. */
    const bool dots_pay = g->k >= 2 * p->loops->lanes || g->m == 1 || g->n == 1 || !is_small_product(g, p->size);
    *is_done = true;
    if (g->m <= SL_FEW_ROWS) {
        if (g->b_column == 1) {
            run_update(k, p);
            return SL_OK;
        }
        if ((g->b_k == 1 || g->k == 1) && dots_pay) return run_few_rows(k, p, err);
    }
    if (g->n <= SL_FEW_ROWS && g->a_k == 1 && dots_pay) return run_few_columns(k, p, err);
    if (g->n == 1 && g->a_row == 1 && g->c_row == 1) {
        run_column(k, p);
        return SL_OK;
    }
    *is_done = false;
    return SL_OK;
}

sl_code sl_gemm_run(struct sl_kernel_context *k, const struct sl_gemm *given, struct sl_error *err) {
    struct plan p = {.g = *given, .loops = sl_gemm_best_loops(given->is_double), .size = given->is_double ? 8 : 4};
    struct sl_gemm *g = &p.g;
    if (g->m <= 0 || g->n <= 0) return SL_OK;
    if (g->k <= 0) {
        if (!g->adds) clear(g, p.size);
        finish(&p, 0, g->m, 0, g->n);
        return SL_OK;
    }
    if (g->k == 1) g->a_k = 1;
    if (g->n == 1) g->b_column = 1;
    bool is_done;
    SL_TRY(run_few(&is_done, k, &p, err));
    if (is_done) {
        p.g = *given;
        if (g->epilogue) split(k, g->m, (double)g->n, finish_rows, &p);
        return SL_OK;
    }
    if (sl_onednn_product(k, given)) return SL_OK;
    size_t bytes = 0;
    void *copy = NULL;
    if (g->a_k != 1 && g->a_row != 1) {
        copy = dense_copy(g->a, g->m, g->a_row, g->k, g->a_k, p.size, &bytes, err);
        if (!copy) return SL_RESOURCE_EXHAUSTED;
        g->a = copy;
        g->a_row = g->k;
        g->a_k = 1;
    }
    const bool is_small = is_small_product(g, p.size);
    if (is_small) run_small(&p);
    sl_code code = is_small             ? SL_OK
                   : sl_gemm_is_thin(g) ? sl_gemm_run_thin(k, g, sl_gemm_k_block(g->k, K_BLOCK), err)
                                        : run_blocks(k, &p, err);
    sl_scratch_free(copy, bytes);
    return code;
}
