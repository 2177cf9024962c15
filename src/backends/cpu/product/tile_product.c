/* B is packed into panels of 32 columns, which are tiles as the processor wants them: of two rows of B the elements of
 * a column stand side by side. An item of work has some rows of A, as many as stay in the second level cache, and all
 * panels or some. Four tiles of C, 32 rows and columns, stay in registers over the whole of K:
 *
 *     panel j   for each 32 rows of B   [16 pairs of rows][16 columns] [16 pairs of rows][16 columns]
 *
 * A's rows are read where they stand when nothing sticks out; else they are copied, with zeros around. */
#include "backends/cpu/product/tile_product.h"

#include "backends/cpu/array/move_tiles.h"
#include "base/checked.h"
#include "os/tiles.h"

#if defined(__x86_64__) && !defined(__SANITIZE_MEMORY__)

#include <immintrin.h>
#include <stdatomic.h>
#include <string.h>

enum {
    ROWS = 16,              /* of a tile */
    DEPTH = 32,             /* elements of K in a tile */
    BLOCK = 2 * ROWS,       /* rows and columns of C at a time */
    TILE_BYTES = 1024,      /* of a tile */
    ITEM_BYTES = 1 << 20,   /* of A's rows in an item, at most */
    ITEM_ROWS = 16 * BLOCK, /* at most */
    LEAST_ITEMS = 16,       /* where there is so much */
    LEAST_PRODUCTS = 1 << 16
};
#define PRODUCTS_OF_NS 500.0
#define WITH_TILES     __attribute__((target("amx-tile,amx-bf16,avx512f,avx512bw,avx512vl,avx512dq")))
#define WITH_VECTORS   __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq")))

bool sl_tile_product_pays(int64_t m, int64_t n, int64_t k) {
    return m > 4 && n > 4 && (double)m * (double)n * (double)k >= LEAST_PRODUCTS && sl_tiles_are_there();
}

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t divide_up(int64_t a, int64_t b) { return (a + b - 1) / b; }

struct plan {
    const struct sl_tile_product *p;
    char *panels;
    int64_t depth, panel_bytes; /* K in tiles */
    int64_t n_panels, panels_of_item, items_of_row, rows_of_item;
    int64_t step; /* elements between copied rows: no power of two, whose rows would share few places in the caches */
    _Atomic bool is_out_of_memory;
};

/* ---- B */
/* Two rows of B, the second may be missing: NULL; `mask` has its columns. */
static WITH_VECTORS void pack_pair(char *to, const uint16_t *first, const uint16_t *second, __mmask32 mask) {
    const __m512i a = _mm512_maskz_loadu_epi16(mask, first);
    const __m512i b = second ? _mm512_maskz_loadu_epi16(mask, second) : _mm512_setzero_si512();
    const __m512i low = _mm512_cvtepu16_epi32(_mm512_castsi512_si256(a));
    const __m512i high = _mm512_cvtepu16_epi32(_mm512_extracti64x4_epi64(a, 1));
    const __m512i low_2 = _mm512_cvtepu16_epi32(_mm512_castsi512_si256(b));
    const __m512i high_2 = _mm512_cvtepu16_epi32(_mm512_extracti64x4_epi64(b, 1));
    _mm512_storeu_si512(to, _mm512_or_si512(low, _mm512_slli_epi32(low_2, 16)));
    _mm512_storeu_si512(to + TILE_BYTES, _mm512_or_si512(high, _mm512_slli_epi32(high_2, 16)));
}
static WITH_VECTORS void pack_panel(const struct plan *t, int64_t panel) {
    const struct sl_tile_product *p = t->p;
    const int64_t column = panel * BLOCK, columns = smaller(BLOCK, p->n - column);
    const __mmask32 mask = (__mmask32)(UINT32_MAX >> (BLOCK - columns));
    char *to = t->panels + panel * t->panel_bytes;
    for (int64_t k = 0; k < t->depth * DEPTH; k += 2) {
        char *at = to + k / DEPTH * 2 * TILE_BYTES + k % DEPTH * 32;
        const uint16_t *from = p->b + k * p->n + column;
        if (k < p->k) pack_pair(at, from, k + 1 < p->k ? from + p->n : NULL, mask);
        else pack_pair(at, p->b, NULL, 0);
    }
}
/* The same where B's columns are dense: a tile is a transposition of pairs. */
static void pack_columns(const struct plan *t, int64_t panel) {
    const struct sl_tile_product *p = t->p;
    const int64_t column = panel * BLOCK;
    char *to = t->panels + panel * t->panel_bytes;
    for (int64_t k = 0; k < t->depth * DEPTH; k += DEPTH)
        for (int half = 0; half < 2; half++, to += TILE_BYTES) {
            const int64_t first = column + half * ROWS, columns = smaller(ROWS, p->n - first);
            const int64_t some = smaller(DEPTH, p->k - k);
            const uint16_t *from = p->b + first * p->k + k;
            if (columns == ROWS && some == DEPTH && p->k % 2 == 0) {
                const struct sl_plane plane = {
                    .n1 = ROWS, .to1 = ROWS, .from1 = 1, .n0 = ROWS, .to0 = 1, .from0 = p->k / 2};
                sl_plane_transpose(4)(to, from, &plane);
                continue;
            }
            memset(to, 0, TILE_BYTES);
            for (int64_t j = 0; j < columns; j++)
                for (int64_t q = 0; q < some; q++)
                    memcpy(to + q / 2 * 64 + j * 4 + q % 2 * 2, from + j * p->k + q, sizeof *from);
        }
}
static void pack_panels(void *arg, int64_t begin, int64_t end) {
    const struct plan *t = arg;
    for (int64_t i = begin; i < end; i++)
        if (t->p->b_is_transposed) pack_columns(t, i);
        else pack_panel(t, i);
}

/* ---- tiles: 0 to 3 are C, 4 and 5 A, 6 and 7 B */
struct tile_shapes {
    uint8_t palette, start, unused[14];
    uint16_t bytes[16];
    uint8_t rows[16];
};
/* The compilers do not know that instructions on tiles read memory. */
static inline void settle(const void *p) { __asm__ volatile("" : : "r"(p) : "memory"); }
static WITH_TILES void open_tiles(void) {
    struct tile_shapes s = {.palette = 1};
    for (int i = 0; i < 8; i++) {
        s.bytes[i] = 64;
        s.rows[i] = ROWS;
    }
    settle(&s);
    _tile_loadconfig(&s);
}
static WITH_TILES void close_tiles(void) { _tile_release(); }

struct sums {
    _Alignas(64) float of[BLOCK * BLOCK];
};
/* `steps`: where in A's rows the elements for each tile are; NULL: one behind the other. */
static WITH_TILES void multiply(struct sums *to, const char *a_rows, int64_t a_bytes, const int64_t *steps,
                                const char *b, int64_t depth) {
    settle(a_rows);
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
    for (int64_t k = 0; k < depth; k++, b += 2L * TILE_BYTES) {
        const char *a = a_rows + (steps ? steps[k] : 64 * k);
        _tile_loadd(4, a, a_bytes);
        _tile_loadd(6, b, 64);
        _tile_loadd(7, b + TILE_BYTES, 64);
        _tile_dpbf16ps(0, 4, 6);
        _tile_loadd(5, a + ROWS * a_bytes, a_bytes);
        _tile_dpbf16ps(1, 4, 7);
        _tile_dpbf16ps(2, 5, 6);
        _tile_dpbf16ps(3, 5, 7);
    }
    _tile_stored(0, to->of, BLOCK * 4);
    _tile_stored(1, to->of + ROWS, BLOCK * 4);
    _tile_stored(2, to->of + ROWS * BLOCK, BLOCK * 4);
    _tile_stored(3, to->of + ROWS * BLOCK + ROWS, BLOCK * 4);
}

/* The upper halves; with `rounded` of what is half a unit more, half to even. NaN stays one. */
static WITH_VECTORS __m256i narrow(__m512i x, bool rounded) {
    const __mmask16 is_nan = _mm512_cmp_ps_mask(_mm512_castsi512_ps(x), _mm512_castsi512_ps(x), _CMP_UNORD_Q);
    const __m512i high = _mm512_srli_epi32(x, 16);
    if (rounded) {
        const __m512i half = _mm512_add_epi32(_mm512_set1_epi32(0x7fff), _mm512_and_si512(high, _mm512_set1_epi32(1)));
        x = _mm512_mask_add_epi32(x, (__mmask16)~is_nan, x, half);
    }
    x = _mm512_mask_or_epi32(x, is_nan, x, _mm512_set1_epi32(0x7fc00000));
    return _mm512_cvtepi32_epi16(_mm512_srli_epi32(x, 16));
}
static WITH_VECTORS void put(const struct sl_tile_product *p, const struct sums *s, int64_t row, int64_t rows,
                             int64_t column, int64_t columns) {
    const __mmask16 low = (__mmask16)(columns >= ROWS ? 0xffff : (1u << columns) - 1);
    const __mmask16 high = (__mmask16)(columns > ROWS ? (1u << (columns - ROWS)) - 1 : 0);
    for (int64_t i = 0; i < rows; i++) {
        const int64_t place = p->places ? p->places[row + i] : row + i;
        const float *from = s->of + i * BLOCK;
        uint16_t *to = (uint16_t *)p->c + place * p->n + column;
        if (place < 0) continue;
        if (p->result == SL_TILE_FLOAT) {
            memcpy((float *)p->c + place * p->n + column, from, (size_t)columns * sizeof *from);
            continue;
        }
        const bool rounded = p->result == SL_TILE_ROUNDED;
        _mm256_mask_storeu_epi16(to, low, narrow(_mm512_load_si512(from), rounded));
        if (high) _mm256_mask_storeu_epi16(to + ROWS, high, narrow(_mm512_load_si512(from + ROWS), rounded));
    }
}

/* ---- A */
/* `rows` rows from `row` on, in blocks of BLOCK with zeros where there are fewer, and up to whole tiles of K. */
static void copy_rows(const struct plan *t, int64_t row, int64_t rows, uint16_t *to) {
    const struct sl_tile_product *p = t->p;
    const int64_t width = t->depth * DEPTH;
    if (p->write_rows) p->write_rows(p->arg, row, rows, to, t->step);
    else
        for (int64_t i = 0; i < rows; i++)
            memcpy(to + i * t->step, p->a + (row + i) * p->a_row, (size_t)p->k * sizeof *to);
    for (int64_t i = 0; i < divide_up(rows, BLOCK) * BLOCK; i++) {
        const int64_t have = i < rows ? p->k : 0;
        memset(to + i * t->step + have, 0, (size_t)(width - have) * sizeof *to);
    }
}

/* Of the next panel, while the rows before `end` are multiplied with this one. */
static void ask_for_part(const char *panel, int64_t bytes, int64_t row, int64_t end) {
    const int64_t some = divide_up(bytes, divide_up(end, BLOCK) * 64) * 64, first = row / BLOCK * some;
    for (int64_t i = first; i < smaller(first + some, bytes); i += 64) __builtin_prefetch(panel + i, 0, 2);
}

static void run_item(const struct plan *t, int64_t item, uint16_t *room) {
    const struct sl_tile_product *p = t->p;
    const int64_t row = item / t->items_of_row * t->rows_of_item, rows = smaller(t->rows_of_item, p->m - row);
    const int64_t first = item % t->items_of_row * t->panels_of_item;
    const int64_t last = smaller(first + t->panels_of_item, t->n_panels);
    /* what stands in place: all rows of whole blocks, where K fills tiles */
    const int64_t direct = p->steps ? rows : p->write_rows || p->k % DEPTH != 0 ? 0 : rows / BLOCK * BLOCK;
    struct sums sums;
    if (direct < rows) copy_rows(t, row + direct, rows - direct, room);
    for (int64_t j = first; j < last; j++)
        for (int64_t r = 0; r < rows; r += BLOCK) {
            const bool is_direct = r < direct;
            if (j + 1 < last) ask_for_part(t->panels + (j + 1) * t->panel_bytes, t->panel_bytes, r, rows);
            const uint16_t *a = is_direct ? p->a + (row + r) * p->a_row : room + (r - direct) * t->step;
            multiply(&sums, (const char *)a, (is_direct ? p->a_row : t->step) * 2, p->steps,
                     t->panels + j * t->panel_bytes, t->depth);
            put(p, &sums, row + r, smaller(BLOCK, rows - r), j * BLOCK, smaller(BLOCK, p->n - j * BLOCK));
        }
}
static void run_items(void *arg, int64_t begin, int64_t end) {
    struct plan *t = arg;
    const size_t bytes = (size_t)(t->rows_of_item * t->step) * sizeof(uint16_t);
    uint16_t *room = sl_scratch_new(bytes);
    if (!room) {
        atomic_store(&t->is_out_of_memory, true);
        return;
    }
    open_tiles();
    for (int64_t item = begin; item < end; item++) run_item(t, item, room);
    close_tiles();
    sl_scratch_free(room, bytes);
}

/* Items by sizes alone: as square as can be, since each reads its rows of A and its panels once. */
static void cut_items(struct plan *t) {
    const int64_t m = divide_up(t->p->m, BLOCK) * BLOCK;
    int64_t most = ITEM_BYTES / (t->step * 2) / BLOCK * BLOCK, rows, panels = t->n_panels;
    most = most < BLOCK ? BLOCK : smaller(most, ITEM_ROWS);
    rows = smaller(m, most);
    while (divide_up(m, rows) * divide_up(t->n_panels, panels) < LEAST_ITEMS && (rows > BLOCK || panels > 1))
        if (panels * BLOCK >= rows) panels = divide_up(panels, 2);
        else rows = divide_up(rows, 2 * BLOCK) * BLOCK;
    t->rows_of_item = rows;
    t->panels_of_item = panels;
    t->items_of_row = divide_up(t->n_panels, panels);
}

static void split(struct sl_kernel_context *k, int64_t n, double ns,
                  void (*work)(void *arg, int64_t begin, int64_t end), void *arg) {
    if (k) sl_kernel_split(k, n, ns, work, arg);
    else work(arg, 0, n);
}

sl_code sl_tile_product_run(struct sl_kernel_context *k, const struct sl_tile_product *p, struct sl_error *err) {
    struct plan t = {.p = p, .depth = divide_up(p->k, DEPTH), .n_panels = divide_up(p->n, BLOCK)};
    int64_t bytes;
    t.panel_bytes = t.depth * 2 * TILE_BYTES;
    t.step = t.depth * DEPTH + DEPTH;
    if (!sl_mul_i64(&bytes, t.panel_bytes, t.n_panels)) return sl_fail_memory(err, SIZE_MAX);
    char *kept = sl_packing_get(p->packing, SL_PACKING_TILES, (size_t)bytes);
    t.panels = kept ? kept : sl_scratch_new((size_t)bytes);
    if (!t.panels) return sl_fail_memory(err, (size_t)bytes);
    if (!kept) split(k, t.n_panels, (double)t.panel_bytes * 0.06, pack_panels, &t);
    cut_items(&t);
    const double products = (double)(t.rows_of_item * t.panels_of_item * BLOCK) * (double)p->k;
    split(k, divide_up(p->m, t.rows_of_item) * t.items_of_row, products / PRODUCTS_OF_NS, run_items, &t);
    if (!kept) sl_packing_put(p->packing, k, SL_PACKING_TILES, t.panels, (size_t)bytes);
    return atomic_load(&t.is_out_of_memory) ? sl_fail_memory(err, (size_t)(t.rows_of_item * t.step) * 2) : SL_OK;
}

#else

bool sl_tile_product_pays(int64_t m, int64_t n, int64_t k) {
    (void)m, (void)n, (void)k;
    return false;
}
sl_code sl_tile_product_run(struct sl_kernel_context *k, const struct sl_tile_product *p, struct sl_error *err) {
    (void)k, (void)p;
    return sl_fail(err, SL_INTERNAL, "there are no tile registers");
}

#endif
