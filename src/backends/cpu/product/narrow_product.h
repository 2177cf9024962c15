/* Products and convolutions of numbers that are narrower than the sums made of them, where the processor has
 * instructions for such (tile_loops.h): of float whose factors are rounded to bfloat16, where SLUICE_FPMATH=bf16 asks
 * (fpmath.h), and of bytes into int32. Results are the same bits for every number of threads: each is one sum over all
 * of k, in the order of k. All functions do all of the work, or none and `*is_done` false. RESOURCE_EXHAUSTED. */
#ifndef SL_BACKENDS_CPU_PRODUCT_NARROW_PRODUCT_H
#define SL_BACKENDS_CPU_PRODUCT_NARROW_PRODUCT_H

#include "backends/cpu/product/conv.h"
#include "backends/cpu/product/gemm.h"

/* The product with its epilogue. Not done: not asked for, no instructions, of double, added to C, or too small to pay.
 * `k` may be NULL. */
sl_code sl_rounded_product_run(bool *is_done, struct sl_kernel_context *k, const struct sl_gemm *g,
                               struct sl_error *err);

/* A side of a product of bytes, of whose elements `zero` is taken first. Rows follow each other, or, transposed,
 * columns. */
struct sl_bytes {
    const void *data;
    bool is_signed, is_transposed;
    int64_t zero;
};
/* c (m x n, dense) = (a - zero) (b - zero), modulo 2^32. */
struct sl_byte_product {
    int64_t m, n, k;
    struct sl_bytes a, b;
    int32_t *c;
};
sl_code sl_byte_product_run(bool *is_done, struct sl_kernel_context *k, const struct sl_byte_product *p,
                            struct sl_error *err);
/* The forward convolution of the same; what is outside of the image is zero. Not done where its zero is no byte. With
 * `scales`, one of each channel of out, results are floats: sums times these, and then c->epilogue; c->packing says that
 * the filter is constant. */
sl_code sl_byte_conv_run(bool *is_done, struct sl_kernel_context *k, const struct sl_conv_spec *c,
                         const struct sl_bytes *in, const struct sl_bytes *filter, const float *scales, void *out);

#endif
