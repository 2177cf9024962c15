/* Two ways, by how B stands:
 *
 *   rows dense      tiles straight from B, a panel of its columns at a time; only columns at the right that fill no
 *                   vector are packed
 *   columns dense   the transposed product: B's columns are the rows of tiles, A is packed, and blocks of the result
 *                   are transposed
 *
 * An item of work writes its own part of C. Sums are those of the general way: K in the same blocks, each in its
 * order. */
#include "backends/cpu/product/gemm_thin.h"

#include "backends/cpu/array/move_tiles.h"

enum {
    PAGE = 4096,           /* of memory */
    MOST_PAGES = 2048,     /* whose addresses a processor keeps: a panel of B's columns has a part of each */
    MOST_ROWS = 256,       /* of A */
    MOST_WIDE_ROWS = 128,  /* the same where rows of B stand a page or more apart: they share lines of the caches */
    MOST_TURNED_ROWS = 64, /* where the transposed product is made */
    MOST_B_BYTES = 64 << 20,
    ROWS_OF_ITEM = 36,    /* of C */
    COLUMNS_OF_ITEM = 48, /* of C, where it is made transposed */
    LEAST_GAIN = 2,       /* B is so many times as large as what is copied instead */
    PACK_NS_OF_1000 = 500,
    /* Rows of A and bytes of B where that is a constant, which could be kept packed. Reading such a small one where it
     * stands takes no longer; and many nodes of an unrolled loop have the same one, but each a copy of its own. */
    MOST_ROWS_OF_CONSTANT = 12,
    MOST_CONSTANT_BYTES = 2 << 20
};

struct thin {
    const struct sl_gemm *g;
    const struct sl_gemm_loops *loops;
    int size, vectors;
    int64_t k_block, rows_of_item, items_of_panel;
    const char *right;       /* the columns at the right, k rows of one vector */
    struct sl_panels panels; /* of A's transpose, all of k */
};

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }
static const char *at(const void *base, int64_t element, int size) { return (const char *)base + element * size; }

bool sl_gemm_is_thin(const struct sl_gemm *g) {
    const int64_t size = g->is_double ? 8 : 4, row = g->b_k * size;
    const int64_t most_rows = g->packing ? MOST_ROWS_OF_CONSTANT : MOST_ROWS;
    const int64_t most = (g->packing ? MOST_CONSTANT_BYTES : MOST_B_BYTES) / size;
    if (g->m > most_rows || g->a_k != 1 || g->n > most || g->k > most || g->k * g->n > most) return false;
    if (g->b_column == 1)
        return g->m <= (row < PAGE ? MOST_ROWS : MOST_WIDE_ROWS) && g->k * smaller(row, PAGE) <= MOST_PAGES * PAGE;
    return g->b_k == 1 && g->m <= MOST_TURNED_ROWS && !g->adds && LEAST_GAIN * g->m * (g->k + g->n) <= g->k * g->n;
}

static void split(struct sl_kernel_context *k, int64_t n, double ns,
                  void (*work)(void *arg, int64_t begin, int64_t end), void *arg) {
    if (k) sl_kernel_split(k, n, ns, work, arg);
    else work(arg, 0, n);
}

static void finish(const struct thin *t, int64_t row, int64_t rows, int64_t column, int64_t n) {
    const struct sl_gemm *g = t->g;
    if (g->epilogue)
        sl_epilogue_run(g->epilogue, (char *)g->c + (row * g->c_row + column) * t->size, g->c_row, rows, column, n);
}

/* ---- B's rows are dense */
/* Rows [row, row + n) of C, its columns from `column` on; b is the first of k rows of so many columns. */
static void run_panel(const struct thin *t, int64_t row, int64_t n, int64_t column, int64_t columns, int vectors,
                      const char *b, int64_t b_k) {
    const struct sl_gemm *g = t->g;
    const void *pointers[SL_TILE_ROWS];
    struct sl_gemm_tile tile = {
        .loops = t->loops, .size = t->size, .vectors = vectors, .columns = columns, .b_k = b_k, .c_row = g->c_row};
    const int64_t most = vectors == 4 ? t->loops->rows_most / 2 : t->loops->rows_most;
    for (int64_t first = 0; first < g->k; first += t->k_block) {
        tile.adds = g->adds || first > 0;
        tile.b = b + first * b_k * t->size;
        for (int64_t r = row; r < row + n; r += tile.rows) {
            tile.rows = (int)smaller(row + n - r, most);
            tile.c = (char *)g->c + (r * g->c_row + column) * t->size;
            for (int i = 0; i < tile.rows; i++) pointers[i] = at(g->a, (r + i) * g->a_row + first, t->size);
            sl_gemm_tile_rows(&tile, 1, smaller(t->k_block, g->k - first), pointers, 0);
        }
    }
}

static void run_items(void *arg, int64_t begin, int64_t end) {
    const struct thin *t = arg;
    const struct sl_gemm *g = t->g;
    const int64_t lanes = t->loops->lanes, width = t->vectors * lanes;
    for (int64_t item = begin; item < end; item++) {
        const int64_t row = item % t->items_of_panel * t->rows_of_item, rows = smaller(t->rows_of_item, g->m - row);
        const int64_t first = item / t->items_of_panel * width, last = smaller(first + width, g->n);
        int64_t column = first;
        for (int vectors = t->vectors; last - column >= lanes; vectors = 1)
            for (const int64_t step = vectors * lanes; last - column >= step; column += step)
                run_panel(t, row, rows, column, step, vectors, at(g->b, column, t->size), g->b_k);
        if (column < last) run_panel(t, row, rows, column, last - column, 1, t->right, lanes);
        finish(t, row, rows, first, last - first);
    }
}

static sl_code run_columns(struct sl_kernel_context *k, struct thin *t, struct sl_error *err) {
    const struct sl_gemm *g = t->g;
    const int64_t lanes = t->loops->lanes, whole = g->n / lanes * lanes, rest = g->n - whole;
    const size_t bytes = rest ? (size_t)(g->k * lanes * t->size) : 0;
    char *right = bytes ? sl_scratch_new(bytes) : NULL;
    if (bytes && !right) return sl_fail_memory(err, bytes);
    if (rest) t->loops->pack_columns(right, lanes, at(g->b, whole, t->size), g->b_k, rest, g->k);
    t->right = right;
    t->vectors = g->m <= t->loops->rows_most / 2 ? 4 : 2;
    const int64_t width = t->vectors * lanes, panels = (g->n + width - 1) / width;
    t->rows_of_item = sl_gemm_k_block(g->m, ROWS_OF_ITEM);
    t->rows_of_item = (t->rows_of_item + t->loops->rows_most - 1) / t->loops->rows_most * t->loops->rows_most;
    t->items_of_panel = (g->m + t->rows_of_item - 1) / t->rows_of_item;
    split(k, panels * t->items_of_panel, sl_gemm_ns(smaller(t->rows_of_item, g->m), width, g->k), run_items, t);
    sl_scratch_free(right, bytes);
    return SL_OK;
}

/* ---- B's columns are dense */
struct turned {
    _Alignas(64) char bytes[COLUMNS_OF_ITEM * MOST_TURNED_ROWS * 8];
};

/* C's columns [column, column + n), as rows of `to`. */
static void run_turned(const struct thin *t, char *to, int64_t to_row, int64_t column, int64_t n) {
    const struct sl_gemm *g = t->g;
    const void *pointers[SL_TILE_ROWS];
    struct sl_gemm_tile tile = {.loops = t->loops, .size = t->size, .c_row = to_row};
    for (int64_t first = 0; first < g->k; first += t->k_block) {
        tile.adds = first > 0;
        for (int64_t j = 0; j < t->panels.count; j++) {
            tile.vectors = sl_panel_vectors(&t->panels, j);
            tile.columns = tile.b_k = (int64_t)tile.vectors * t->loops->lanes;
            tile.b = sl_panel(&t->panels, j) + first * tile.b_k * t->size;
            for (int64_t r = 0; r < n; r += tile.rows) {
                tile.rows = (int)smaller(n - r, t->loops->rows_most);
                tile.c = to + (r * to_row + j * t->panels.width) * t->size;
                for (int i = 0; i < tile.rows; i++)
                    pointers[i] = at(g->b, (column + r + i) * g->b_column + first, t->size);
                sl_gemm_tile_rows(&tile, 1, smaller(t->k_block, g->k - first), pointers, 0);
            }
        }
    }
}

static void run_turned_items(void *arg, int64_t begin, int64_t end) {
    const struct thin *t = arg;
    const struct sl_gemm *g = t->g;
    const int64_t to_row = t->panels.count * t->panels.width;
    struct turned turned;
    for (int64_t item = begin; item < end; item++) {
        const int64_t column = item * COLUMNS_OF_ITEM, n = smaller(COLUMNS_OF_ITEM, g->n - column);
        run_turned(t, turned.bytes, to_row, column, n);
        sl_plane_transpose(
            t->size)((char *)g->c + column * t->size, turned.bytes,
                     &(struct sl_plane){.n1 = g->m, .to1 = g->c_row, .from1 = 1, .n0 = n, .to0 = 1, .from0 = to_row});
        finish(t, 0, g->m, column, n);
    }
}

static void pack_a(void *arg, int64_t begin, int64_t end) {
    const struct thin *t = arg;
    for (int64_t i = begin; i < end; i++) sl_panel_pack(&t->panels, i, t->loops, t->g->a, 1, t->g->a_row, 0);
}

static sl_code run_lines(struct sl_kernel_context *k, struct thin *t, struct sl_error *err) {
    const struct sl_gemm *g = t->g;
    const size_t bytes = sl_panels_init(&t->panels, t->loops, t->size, g->m, g->k, g->m > t->loops->lanes ? 2 : 1);
    t->panels.data = sl_scratch_new(bytes);
    if (!t->panels.data) return sl_fail_memory(err, bytes);
    split(k, t->panels.count, (double)(g->k * t->panels.width) * PACK_NS_OF_1000 / 1000, pack_a, t);
    split(k, (g->n + COLUMNS_OF_ITEM - 1) / COLUMNS_OF_ITEM, sl_gemm_ns(g->m, COLUMNS_OF_ITEM, g->k), run_turned_items,
          t);
    sl_scratch_free(t->panels.data, bytes);
    return SL_OK;
}

sl_code sl_gemm_run_thin(struct sl_kernel_context *k, const struct sl_gemm *g, int64_t k_block, struct sl_error *err) {
    struct thin t = {.g = g,
                     .loops = sl_gemm_best_loops(g->is_double),
                     .size = g->is_double ? 8 : 4,
                     .k_block = k_block};
    return g->b_column == 1 ? run_columns(k, &t, err) : run_lines(k, &t, err);
}
