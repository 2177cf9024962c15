/* Products with few rows of A: a batch that goes through a layer. B, the weights, is large beside A and the result
 * and used too few times for a packed copy to pay, so it is read where it stands. Called by gemm.c; the same bits as
 * its general way. */
#ifndef SL_BACKENDS_CPU_PRODUCT_GEMM_THIN_H
#define SL_BACKENDS_CPU_PRODUCT_GEMM_THIN_H

#include "backends/cpu/product/gemm.h"

/* Rows of k that are added up in one go, `most` or a little less. */
static inline int64_t sl_gemm_k_block(int64_t k, int64_t most) {
    const int64_t blocks = (k + most - 1) / most;
    return (k + blocks - 1) / blocks;
}

/* Whether this way is the faster one: B not too large, with dense rows or columns; A's rows dense. m, n, k > 0. */
bool sl_gemm_is_thin(const struct sl_gemm *g);
/* C with the epilogue, for a product that is thin; `k_block` rows of B at a time. RESOURCE_EXHAUSTED. */
sl_code sl_gemm_run_thin(struct sl_kernel_context *k, const struct sl_gemm *g, int64_t k_block, struct sl_error *err);

#endif
