/* Products and convolutions of float whose factors are rounded to bfloat16 and whose sums are float, where
 * SLUICE_FPMATH=bf16 asks (fpmath.h) and the processor has instructions for it (tile_loops.h). Each result is one sum
 * over all of k, in the order of k: the same bits for every number of threads. */
#ifndef SL_BACKENDS_CPU_PRODUCT_ROUNDED_PRODUCT_H
#define SL_BACKENDS_CPU_PRODUCT_ROUNDED_PRODUCT_H

#include "backends/cpu/product/gemm.h"

/* Does all of the product and its epilogue, or none and `*is_done` false: not asked for, no instructions, of double,
 * added to C, or too small to pay. `k` may be NULL. RESOURCE_EXHAUSTED. */
sl_code sl_rounded_product_run(bool *is_done, struct sl_kernel_context *k, const struct sl_gemm *g,
                               struct sl_error *err);

#endif
