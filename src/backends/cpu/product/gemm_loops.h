/* The inner loops that matrix products and convolutions are made of, float and double. Strides are in elements.
 * Constant code; thread-safe. */
#ifndef SL_BACKENDS_CPU_PRODUCT_GEMM_LOOPS_H
#define SL_BACKENDS_CPU_PRODUCT_GEMM_LOOPS_H

#include <stdbool.h>
#include <stdint.h>

#include "backends/cpu/isa.h"

enum { SL_TILE_ROWS = 12, SL_TILE_LANES = 16, SL_TILE_WIDTHS = 3, SL_FEW_ROWS = 4 };

/* A tile of C, R rows of V vectors, from R rows of A and `k` rows of B: C = A B, or C += A B when `adds`. Row p of B
 * is b + p * b_k. There are two ways to say where A is:
 *   rows   a[i] points to row i, whose elements follow each other. For convolutions: `taps` such sets of rows, a_tap
 *          pointers apart, of `run` elements each; k = taps * run.
 *   lines  a[p] points to column p, whose elements follow each other; rows from `offset`. k = n. */
typedef void (*sl_tile_rows_fn)(int64_t taps, int64_t run, const void *const *a, int64_t a_tap, const void *b,
                                int64_t b_k, void *c, int64_t c_row, bool adds);
typedef void (*sl_tile_lines_fn)(int64_t n, const void *const *a, int64_t offset, const void *b, int64_t b_k, void *c,
                                 int64_t c_row, bool adds);

/* What is done to a tile before it is stored, as an epilogue does it (epilogue.h): a value for each of its columns, all
 * there, and two bounds. */
struct sl_tile_end {
    const float *mean, *scale, *offset;
    float low, high;
};
/* As `rows`, C = A B, of one tap; B's rows follow each other. */
typedef void (*sl_tile_end_fn)(int64_t run, const void *const *a, const void *b, void *c, int64_t c_row,
                               const struct sl_tile_end *end);

struct sl_gemm_loops {
    int lanes;     /* elements of a vector */
    int rows_most; /* highest tile */
    sl_tile_rows_fn rows[SL_TILE_WIDTHS]
                        [SL_TILE_ROWS]; /* [0: 1 vector, 1: 2, 2: 4][R - 1]; 4 for half the rows alone */
    sl_tile_lines_fn lines[SL_TILE_WIDTHS][SL_TILE_ROWS];
    sl_tile_end_fn ends[SL_TILE_ROWS]; /* of float, two vectors: [R - 1] */
    /* Few rows: C += A B, with any B whose rows are dense. */
    void (*update)(int rows, void *c, int64_t c_row, const void *a, int64_t a_row, int64_t a_k, const void *b,
                   int64_t b_k, int64_t n, int64_t k);
    /* Few rows, [R - 1]: with B whose columns (`lines`) are dense; A's rows, too. */
    void (*dots[SL_FEW_ROWS])(void *c, int64_t c_row, int64_t c_column, const void *a, int64_t a_row, const void *b,
                              int64_t b_line, int64_t n, int64_t k, bool adds);
    /* A panel: k rows of `width` elements, n from B and zeros, where B's rows are dense, or anyhow. */
    void (*pack_columns)(void *panel, int64_t width, const void *b, int64_t b_k, int64_t n, int64_t k);
    void (*pack_lines)(void *panel, int64_t width, const void *b, int64_t b_k, int64_t b_line, int64_t n, int64_t k);
};

SL_ISA_DECLARE(const struct sl_gemm_loops *, sl_gemm_loops, (bool is_double))

/* Integers of 32 or 64 bits, that wrap: a row of n elements of C += `k` elements of a row of A, a_k apart, times
 * rows of B. */
typedef void (*sl_integer_row_fn)(void *c, const void *a, int64_t a_k, const void *b, int64_t b_k, int64_t n,
                                  int64_t k);
SL_ISA_DECLARE(sl_integer_row_fn, sl_integer_row, (bool is_long))

#endif
