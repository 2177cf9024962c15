/* Products of bfloat16 by the processor's tile registers (AMX), summed in float: C = A B for rows of A that the caller
 * makes, so that convolutions need no patches in memory. Denormals count as zero. Results are the same bits for every
 * number of threads. Pure functions. */
#ifndef SL_BACKENDS_CPU_PRODUCT_TILE_PRODUCT_H
#define SL_BACKENDS_CPU_PRODUCT_TILE_PRODUCT_H

#include "backends/cpu/product/packing.h"
#include "kernel/kernel.h"

enum sl_tile_result {
    SL_TILE_FLOAT,   /* sums as they are */
    SL_TILE_ROUNDED, /* to the nearest bfloat16 */
    SL_TILE_CUT      /* to bfloat16, towards zero */
};

/* C is m x n and dense, A m x k, B k x n. */
struct sl_tile_product {
    int64_t m, n, k;
    /* A: its elements, `a_row` apart, where each row's follow each other; or what writes `rows` rows from `row` on to
     * `to`, `step` elements apart; behind the k of a row there is room for 32 more, which is cleared afterwards. */
    const uint16_t *a;
    int64_t a_row;
    void (*write_rows)(const void *arg, int64_t row, int64_t rows, uint16_t *to, int64_t step);
    const void *arg;
    /* Or where the elements of 32 columns of A each are, from the start of a row on, in bytes; rows are `a_row` apart, and
     * 32 more may be read behind the last. `places`: which row of C each of A makes, -1 for none. */
    const int64_t *steps, *places;
    const uint16_t *b; /* rows of n elements, or columns of k: b_is_transposed */
    bool b_is_transposed;
    void *c;
    enum sl_tile_result result;
    struct sl_packing *packing; /* of B, where that is a constant; NULL: packed anew */
};

/* Whether this process has such registers and the product is large enough for them. The first that is asks the system. */
bool sl_tile_product_pays(int64_t m, int64_t n, int64_t k);
/* `k` may be NULL: then everything is done on this thread. RESOURCE_EXHAUSTED. */
sl_code sl_tile_product_run(struct sl_kernel_context *k, const struct sl_tile_product *p, struct sl_error *err);

#endif
