/* Blocks of rows of C, at most BLOCK_BYTES of A's, are items of work, cut by columns as well where there are few. An
 * item rounds and packs its rows of A, which stay in the second level cache, and takes them to B's tiles two by two;
 * of a convolution a row of A is what the taps see around a pixel. B is packed before, once if it is constant. */
#include "backends/cpu/product/narrow_product.h"

#include <stdatomic.h>
#include <string.h>

#include "backends/cpu/product/conv_methods.h"
#include "backends/cpu/product/tile_loops.h"
#include "base/checked.h"

enum {
    SIDE = SL_TILE_SIDE,
    BLOCK_BYTES = 1 << 19, /* of A's tiles, about */
    MOST_ROWS = 256,       /* of a block */
    LEAST_ITEMS = 16,
    LEAST_COLUMNS = 64, /* of an item, where blocks are cut by columns: A is packed again for each part */
    LEAST_K = 8,
    LEAST_N = 8,
    SUM_BYTES = 4,
    LEAST_M = 8 /* where B is packed for this product alone */
};
#define FLOPS_OF_NS 800.0
#define PACK_NS     0.1 /* of an element */

struct plan {
    const struct sl_tile_loops *loops;
    const struct sl_gemm *g;      /* A of a convolution is `in` */
    const struct sl_conv_spec *c; /* NULL: A is a matrix */
    const char *in;
    int64_t tiles, columns;          /* along k; along n */
    int64_t rows, row_blocks;        /* of a block; how many */
    int64_t columns_of_item, groups; /* in tiles; of columns */
    char *b;                         /* [columns][tiles] tiles */
    size_t room;                     /* of a block of A with a line of elements and the sums of its rows */
    int64_t size;                    /* bytes of an element of A and of B */
    struct bytes *bytes;             /* NULL: of floats */
    _Atomic bool is_out_of_memory;
};

/* Of products of bytes: what stands for zero in A and B, once they are as tiles have them. */
struct bytes {
    uint8_t a_turn, b_turn;
    uint32_t a_zero, b_zero;
    const float *scales;   /* of columns: results are float; NULL: int32 */
    int32_t *column_terms; /* sums of B's columns times a_zero, behind B's tiles */
};

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t divide_up(int64_t a, int64_t b) { return (a + b - 1) / b; }

static void split(struct sl_kernel_context *k, int64_t n, double ns,
                  void (*work)(void *arg, int64_t begin, int64_t end), void *arg) {
    if (k) sl_kernel_split(k, n, ns, work, arg);
    else if (n > 0) work(arg, 0, n);
}

/* ---- B */
static void pack_b(void *arg, int64_t begin, int64_t end) {
    const struct plan *p = arg;
    const struct sl_gemm *g = p->g;
    for (int64_t j = begin; j < end; j++) {
        const int n = (int)smaller(SIDE, g->n - j * SIDE);
        const char *from = (const char *)g->b + j * SIDE * g->b_column * p->size;
        char *to = p->b + j * p->tiles * SL_TILE_BYTES;
        const uint8_t turn = p->bytes ? p->bytes->b_turn : 0;
        if (g->b_column == 1) p->loops->pack_columns(to, from, g->b_k, n, g->k, turn);
        else {
            if (n < SIDE) memset(to, 0, (size_t)(p->tiles * SL_TILE_BYTES));
            for (int i = 0; i < n; i++)
                p->loops->pack_row(to + i * SL_TILE_ROW_BYTES, from + i * g->b_column * p->size, g->k, turn);
            p->loops->flip(to, p->tiles);
        }
        if (p->bytes) {
            int32_t *terms = p->bytes->column_terms + j * SIDE;
            p->loops->column_sums(terms, to, p->tiles);
            for (int i = 0; i < SIDE; i++) terms[i] = (int32_t)((uint32_t)terms[i] * p->bytes->a_zero);
        }
    }
}

/* ---- A: rows of a matrix */
/* 16 rows from `row` on, of which `n` are there. */
static void pack_matrix_rows(const struct plan *p, char *to, int64_t row, int64_t n) {
    const struct sl_gemm *g = p->g;
    const char *from = (const char *)g->a + row * g->a_row * p->size;
    const uint8_t turn = p->bytes ? p->bytes->a_turn : 0;
    if (g->a_k == 1) {
        for (int64_t i = 0; i < n; i++)
            p->loops->pack_row(to + i * SL_TILE_ROW_BYTES, from + i * g->a_row * p->size, g->k, turn);
    } else {
        p->loops->pack_columns(to, from, g->a_k, (int)n, g->k, turn);
        p->loops->flip(to, p->tiles);
    }
}

/* ---- A: what taps see */
struct point {
    int64_t batch, at[SL_SPACE];
};
static struct point point_of(const struct sl_conv_spec *c, int64_t i) {
    struct point p;
    for (int d = SL_SPACE - 1; d >= 0; d--) {
        p.at[d] = i % c->out.space[d];
        i /= c->out.space[d];
    }
    p.batch = i;
    return p;
}
static void next_point(struct point *p, const struct sl_conv_spec *c) {
    p->at[SL_SPACE - 1]++;
    for (int d = SL_SPACE - 1; d >= 0 && p->at[d] == c->out.space[d]; d--) {
        p->at[d] = 0;
        if (d > 0) p->at[d - 1]++;
        else p->batch++;
    }
}

/* Where `n` elements of the row go: as tiles where they begin and end with one, else to the line of elements. */
struct row {
    const struct plan *p;
    char *to, *line;
    bool is_by_tiles;
    uint8_t turn, outside; /* a byte of what is outside of the image, before it is turned */
};
/* NULL: they are outside. */
static void put(struct row *r, const char *from, int64_t n) {
    const int64_t bytes = n * r->p->size;
    if (n == 0) return;
    if (!r->is_by_tiles) {
        if (from) memcpy(r->line, from, (size_t)bytes);
        else memset(r->line, r->outside, (size_t)bytes);
        r->line += bytes;
        return;
    }
    const int64_t tiles = n / r->p->loops->elements;
    if (from) r->p->loops->pack_row(r->to, from, n, r->turn);
    else
        for (int64_t t = 0; t < tiles; t++)
            memset(r->to + t * SL_TILE_BYTES, (uint8_t)(r->outside + r->turn), SL_TILE_ROW_BYTES);
    r->to += tiles * SL_TILE_BYTES;
}

/* One line of taps, from x on in the image's line. */
static void put_line(struct row *r, const struct sl_conv_spec *c, const char *line, int64_t x) {
    const int64_t pixel = c->in.channels * r->p->size, channels = c->in.channels, size = c->size[2],
                  space = c->in.space[2], step = c->dilation[2];
    if (step == 1) {
        const int64_t begin = x < 0 ? smaller(-x, size) : 0, end = x + size > space ? space - x : size;
        if (!line || end <= begin) {
            put(r, NULL, size * channels);
            return;
        }
        put(r, NULL, begin * channels);
        put(r, line + (x + begin) * pixel, (end - begin) * channels);
        put(r, NULL, (size - end) * channels);
        return;
    }
    for (int64_t q = 0; q < size; q++, x += step)
        put(r, line && x >= 0 && x < space ? line + x * pixel : NULL, channels);
}

static void pack_pixel(const struct plan *p, char *to, char *elements, const struct point *point) {
    const struct sl_conv_spec *c = p->c;
    const int64_t *space = c->in.space;
    int64_t from[SL_SPACE];
    for (int d = 0; d < SL_SPACE; d++) from[d] = point->at[d] * c->stride[d] - c->before[d];
    struct row r = {.p = p, .to = to, .line = elements, .is_by_tiles = c->in.channels % p->loops->elements == 0};
    if (p->bytes) {
        r.turn = p->bytes->a_turn;
        r.outside = (uint8_t)(p->bytes->a_zero - r.turn);
    }
    for (int64_t i = 0; i < c->size[0]; i++)
        for (int64_t j = 0; j < c->size[1]; j++) {
            const int64_t z = from[0] + i * c->dilation[0], y = from[1] + j * c->dilation[1];
            const bool is_inside = z >= 0 && z < space[0] && y >= 0 && y < space[1];
            const int64_t line = ((point->batch * space[0] + z) * space[1] + y) * space[2];
            put_line(&r, c, is_inside ? p->in + line * c->in.channels * p->size : NULL, from[2]);
        }
    if (!r.is_by_tiles) p->loops->pack_row(to, elements, p->g->k, r.turn);
}

/* ---- items */
/* Rows [row, row + n) of A as tiles, those of the last one that are not there as zeros. */
static void pack_a(const struct plan *p, char *to, int64_t row, int64_t n) {
    const int64_t tiles = p->tiles * SL_TILE_BYTES;
    char *const elements = to + divide_up(p->rows, SIDE) * tiles;
    struct point point = {0};
    if (p->c) point = point_of(p->c, row);
    for (int64_t r = 0; r < n; r += SIDE, to += tiles) {
        const int64_t some = smaller(SIDE, n - r);
        if (some < SIDE) memset(to, 0, (size_t)tiles);
        if (!p->c) {
            pack_matrix_rows(p, to, row + r, some);
            continue;
        }
        for (int64_t i = 0; i < some; i++, next_point(&point, p->c))
            pack_pixel(p, to + i * SL_TILE_ROW_BYTES, elements, &point);
    }
}

/* Up to 32 rows by 32 columns of C. */
static void multiply(const struct plan *p, const char *a, int64_t row, int64_t n_rows, int64_t column, int n_columns) {
    const struct sl_gemm *g = p->g;
    const int rows = n_rows > SIDE ? 2 : 1, columns = n_columns > SIDE ? 2 : 1;
    const char *b = p->b + column / SIDE * p->tiles * SL_TILE_BYTES;
    char *c = (char *)g->c + (row * g->c_row + column) * SUM_BYTES;
    if (n_rows == rows * SIDE && n_columns == columns * SIDE) {
        p->loops->multiply(rows, columns, p->tiles, a, b, c, g->c_row);
        return;
    }
    _Alignas(64) char all[2 * SIDE * 2 * SIDE * SUM_BYTES];
    p->loops->multiply(rows, columns, p->tiles, a, b, all, 2 * SIDE);
    for (int64_t i = 0; i < n_rows; i++)
        memcpy(c + i * g->c_row * SUM_BYTES, all + i * 2 * SIDE * SUM_BYTES, (size_t)(n_columns * SUM_BYTES));
}

/* Sums of a b become those of (a - a_zero) (b - b_zero), modulo 2^32. */
static void take_zeros_off(const struct plan *p, const int32_t *row_sums, int64_t row, int64_t n_rows, int64_t column,
                           int64_t n) {
    const struct sl_gemm *g = p->g;
    const struct bytes *b = p->bytes;
    for (int64_t i = 0; i < n_rows; i++) {
        const uint32_t of_row = b->b_zero * (b->a_zero * (uint32_t)g->k - (uint32_t)row_sums[i]);
        p->loops->finish((int32_t *)g->c + (row + i) * g->c_row + column, n, of_row, b->column_terms + column,
                         b->scales ? b->scales + column : NULL);
    }
}

static void run_item(const struct plan *p, char *a, int64_t row, int64_t first_column) {
    const struct sl_gemm *g = p->g;
    const int64_t n = smaller(p->rows, g->m - row), end = smaller(g->n, first_column + p->columns_of_item * SIDE);
    int32_t sums[MOST_ROWS];
    pack_a(p, a, row, n);
    for (int64_t r = 0; p->bytes && r < n; r += SIDE)
        p->loops->row_sums(sums + r, a + r / SIDE * p->tiles * SL_TILE_BYTES, p->tiles);
    p->loops->begin();
    for (int64_t column = first_column; column < end; column += 2 * SIDE) {
        const int columns = (int)smaller(2 * SIDE, end - column);
        for (int64_t r = 0; r < n; r += 2 * SIDE)
            multiply(p, a + r / SIDE * p->tiles * SL_TILE_BYTES, row + r, smaller(2 * SIDE, n - r), column, columns);
        if (p->bytes) take_zeros_off(p, sums, row, n, column, columns);
        if (g->epilogue)
            sl_epilogue_run(g->epilogue, (float *)g->c + row * g->c_row + column, g->c_row, n, column, columns);
    }
    p->loops->end();
}

static void run_items(void *arg, int64_t begin, int64_t end) {
    struct plan *p = arg;
    char *a = sl_scratch_new(p->room);
    if (!a) atomic_store(&p->is_out_of_memory, true);
    for (int64_t i = begin; a && i < end; i++)
        run_item(p, a, i / p->groups * p->rows, i % p->groups * p->columns_of_item * SIDE);
    sl_scratch_free(a, p->room);
}

/* ---- the whole */
/* By sizes alone. False: there are too many of them. */
static bool lay_out(struct plan *p) {
    const struct sl_gemm *g = p->g;
    int64_t bytes;
    p->tiles = divide_up(g->k, p->loops->elements);
    p->columns = divide_up(g->n, SIDE);
    if (!sl_mul_i64(&bytes, p->tiles * SL_TILE_BYTES, p->columns)) return false;
    const int64_t most = BLOCK_BYTES / (p->tiles * SL_TILE_ROW_BYTES) / (2 * SIDE) * (2 * SIDE);
    p->rows = most < 2 * SIDE ? 2 * SIDE : smaller(most, MOST_ROWS);
    while (p->rows > 2 * SIDE && divide_up(g->m, p->rows) < LEAST_ITEMS) p->rows -= 2 * SIDE;
    p->row_blocks = divide_up(g->m, p->rows);
    p->groups = smaller(divide_up(LEAST_ITEMS, p->row_blocks), divide_up(g->n, LEAST_COLUMNS));
    p->columns_of_item = divide_up(divide_up(p->columns, p->groups), 2) * 2;
    p->groups = divide_up(p->columns, p->columns_of_item);
    p->room = (size_t)(p->rows * p->tiles * SL_TILE_ROW_BYTES) + (size_t)(g->k * p->size);
    return true;
}

static sl_code run(struct plan *p, struct sl_kernel_context *k, struct sl_error *err) {
    const struct sl_gemm *g = p->g;
    const enum sl_packing_use use = p->bytes ? SL_PACKING_BYTES : SL_PACKING_BF16;
    const size_t tiles = (size_t)(p->columns * p->tiles * SL_TILE_BYTES);
    const size_t bytes = tiles + (p->bytes ? (size_t)(p->columns * SIDE) * sizeof(int32_t) : 0); /* sums of columns */
    p->b = sl_packing_get(g->packing, use, bytes);
    const bool is_kept = p->b;
    if (!is_kept) p->b = sl_scratch_new(bytes);
    if (!p->b) return sl_fail_memory(err, bytes);
    if (p->bytes) p->bytes->column_terms = (int32_t *)(void *)(p->b + tiles);
    if (!is_kept) split(k, p->columns, (double)(g->k * SIDE) * PACK_NS, pack_b, p);
    const double n = (double)smaller(g->n, p->columns_of_item * SIDE), of_item = (double)(p->rows * g->k);
    split(k, p->row_blocks * p->groups, of_item * (2 * n / FLOPS_OF_NS + PACK_NS), run_items, p);
    if (!is_kept) sl_packing_put(g->packing, k, use, p->b, bytes);
    return atomic_load(&p->is_out_of_memory) ? sl_fail_memory(err, p->room) : SL_OK;
}

static bool is_asked(const struct sl_gemm *g) {
    return !g->is_double && !g->adds && g->k >= LEAST_K && g->n >= LEAST_N && (g->packing || g->m >= LEAST_M) &&
           g->rounds;
}
static bool is_dense(const struct sl_gemm *g) {
    return (g->a_k == 1 || g->a_row == 1) && (g->b_k == 1 || g->b_column == 1);
}

sl_code sl_rounded_product_run(bool *is_done, struct sl_kernel_context *k, const struct sl_gemm *g,
                               struct sl_error *err) {
    struct plan p = {.g = g, .size = sizeof(float)};
    if (g->m > 0 && is_dense(g) && is_asked(g)) p.loops = sl_tile_loops_bf16();
    *is_done = p.loops && lay_out(&p);
    return *is_done ? run(&p, k, err) : SL_OK;
}

/* ---- convolutions */
/* As a product, of which A is not there. */
static struct sl_gemm product_of(const struct sl_conv_spec *c, const void *filter, void *out) {
    return (struct sl_gemm){.m = c->out.batch * sl_image_points(&c->out),
                            .n = c->out.channels,
                            .k = c->size[0] * c->size[1] * c->size[2] * c->in.channels,
                            .b = filter,
                            .b_k = c->out.channels,
                            .b_column = 1,
                            .c = out,
                            .c_row = c->out.channels};
}

static sl_code forward_rounded(bool *is_done, struct sl_kernel_context *k, const struct sl_conv_spec *c,
                               const struct sl_conv_data *data) {
    struct sl_gemm g = product_of(c, data->filter, data->out);
    struct plan p = {.g = &g, .c = c, .in = data->in, .size = sizeof(float)};
    g.is_double = c->is_double;
    g.rounds = c->rounds;
    g.epilogue = c->epilogue;
    g.packing = c->packing;
    if (g.m > 0 && is_asked(&g)) p.loops = sl_tile_loops_bf16();
    *is_done = p.loops && lay_out(&p);
    return *is_done ? run(&p, k, k->err) : SL_OK;
}
static bool has_one_group(const struct sl_conv_spec *c) { return c->groups == 1; }
const struct sl_conv_method sl_conv_forward_rounded = {"rounded", has_one_group, NULL, forward_rounded};

/* ---- bytes */
static sl_code run_bytes(bool *is_done, struct sl_kernel_context *k, struct plan *p, const struct sl_bytes *a,
                         const struct sl_bytes *b, const float *scales, struct sl_error *err) {
    const struct sl_gemm *g = p->g;
    struct bytes bytes = {.a_turn = a->is_signed ? 128 : 0, .b_turn = b->is_signed ? 0 : 128, .scales = scales};
    bytes.a_zero = (uint32_t)a->zero + bytes.a_turn;
    bytes.b_zero = (uint32_t)b->zero - bytes.b_turn;
    p->bytes = &bytes;
    p->size = 1;
    if ((g->m >= LEAST_M || g->packing) && g->n >= LEAST_N && g->k >= LEAST_K) p->loops = sl_tile_loops_bytes();
    *is_done = p->loops && lay_out(p);
    if (!*is_done) return SL_OK;
    return run(p, k, err);
}

sl_code sl_byte_product_run(bool *is_done, struct sl_kernel_context *k, const struct sl_byte_product *b,
                            struct sl_error *err) {
    const struct sl_gemm g = {.m = b->m,
                              .n = b->n,
                              .k = b->k,
                              .a = b->a.data,
                              .a_row = b->a.is_transposed ? 1 : b->k,
                              .a_k = b->a.is_transposed ? b->m : 1,
                              .b = b->b.data,
                              .b_k = b->b.is_transposed ? 1 : b->n,
                              .b_column = b->b.is_transposed ? b->k : 1,
                              .c = b->c,
                              .c_row = b->n};
    struct plan p = {.g = &g};
    return run_bytes(is_done, k, &p, &b->a, &b->b, NULL, err);
}

sl_code sl_byte_conv_run(bool *is_done, struct sl_kernel_context *k, const struct sl_conv_spec *c,
                         const struct sl_bytes *in, const struct sl_bytes *filter, const float *scales, void *out) {
    struct sl_gemm g = product_of(c, filter->data, out);
    struct plan p = {.g = &g, .c = c, .in = in->data};
    const int64_t lowest = in->is_signed ? -128 : 0;
    if (scales) {
        g.epilogue = c->epilogue;
        g.packing = c->packing;
    }
    *is_done = c->groups == 1 && in->zero >= lowest && in->zero <= lowest + 255; /* a byte says what is outside */
    return *is_done ? run_bytes(is_done, k, &p, in, filter, scales, k->err) : SL_OK;
}
