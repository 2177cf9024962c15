/* The inner loops of products of numbers that are narrower than the sums made of them: bfloat16 into float, bytes
 * (A's without a sign, B's with one) into int32. A tile has
 * 16 rows of 64 bytes; a row of A's tiles is a part of a row of A, a row of B's has two (of bytes: four) rows of B, of
 * 16 columns, element by element:
 *
 *     A   a[r][0] a[r][1] a[r][2] ...              B   b[0][c] b[1][c]  b[0][c+1] b[1][c+1] ...
 *         ... 16 of them                               b[2][c] b[3][c]  ...
 *
 * Constant code; thread-safe. Only where the functions below give some. */
#ifndef SL_BACKENDS_CPU_PRODUCT_TILE_LOOPS_H
#define SL_BACKENDS_CPU_PRODUCT_TILE_LOOPS_H

#include <stddef.h>
#include <stdint.h>

enum { SL_TILE_SIDE = 16, SL_TILE_ROW_BYTES = 64, SL_TILE_BYTES = SL_TILE_SIDE * SL_TILE_ROW_BYTES };

struct sl_tile_loops {
    int elements; /* of a row of 64 bytes */
    /* A thread calls `multiply` between these. */
    void (*begin)(void);
    void (*end)(void);
    /* C = A B for `rows` by `columns` tiles of C, each 1 or 2: A has `rows` times `k` tiles that follow each other, B
     * `columns` times `k`. C's rows are c_row elements of 4 bytes apart. */
    void (*multiply)(int rows, int columns, int64_t k, const char *a, const char *b, void *c, int64_t c_row);
    /* `n` elements of a row of A, floats or bytes, to one row of as many tiles as that takes, zeros at the end. `turn`
     * is added to bytes, modulo 256: 0 or 128, which turns those with a sign into those without and back. */
    void (*pack_row)(char *to, const void *from, int64_t n, uint8_t turn);
    /* `k` rows of B, `row` elements apart, of which `n` <= 16 columns count: as many tiles as that takes. */
    void (*pack_columns)(char *to, const void *from, int64_t row, int n, int64_t k, uint8_t turn);
    /* Rows and columns of `tiles` tiles change places, by 4 bytes: A's tiles from what pack_columns made, B's from
     * pack_row. */
    void (*flip)(char *to, int64_t tiles);
    /* Of bytes: sums of the 16 rows of `k` tiles of A, of the 16 columns of `k` tiles of B. */
    void (*row_sums)(int32_t sums[SL_TILE_SIDE], const char *a, int64_t k);
    void (*column_sums)(int32_t sums[SL_TILE_SIDE], const char *b, int64_t k);
    /* `n` of C's sums plus `more` less `less`, modulo 2^32; with `scales` as floats, times these. */
    void (*finish)(void *c, int64_t n, uint32_t more, const int32_t *less, const float *scales);
};

/* NULL: this processor has nothing for it. */
#if defined(__x86_64__)
const struct sl_tile_loops *sl_tile_loops_bf16(void);
const struct sl_tile_loops *sl_tile_loops_bytes(void);
#else
static inline const struct sl_tile_loops *sl_tile_loops_bf16(void) { return NULL; }
static inline const struct sl_tile_loops *sl_tile_loops_bytes(void) { return NULL; }
#endif

#endif
