/* Products of matrices of any number type, one or many. */
#ifndef SL_BACKENDS_CPU_PRODUCT_PRODUCT_H
#define SL_BACKENDS_CPU_PRODUCT_PRODUCT_H

#include "backends/cpu/product/epilogue.h"
#include "backends/cpu/product/packing.h"
#include "kernel/kernel.h"

/* For each of `batch` products: c (m x n, dense) = a (m x k) b (k x n). `dtype`: float, double, int32, int64
 * (wrapping), complex64, complex128. A matrix is stored with its rows one behind the other, or transposed;
 * `conjugates` says that the conjugate of what is stored is meant. */
struct sl_product_side {
    const void *data;
    bool is_transposed, conjugates;
};
struct sl_product {
    int dtype;
    int64_t m, n, k, batch;
    struct sl_product_side a, b;
    void *c;
    bool rounds;                        /* factors of floats may be rounded to bfloat16 (fpmath.h) */
    const struct sl_epilogue *epilogue; /* of products of floats or doubles; NULL: none */
    struct sl_packing *packing;         /* of b, where that is one constant matrix; NULL: packed anew */
    /* Which matrix of a side belongs to product i, dims of the batch from the outermost: strides in matrices; rank
     * 0: the first. */
    int rank;
    const int64_t *dims, *a_strides, *b_strides;
};
/* The matrix of a side, by its strides, that belongs to product i. */
int64_t sl_product_matrix(int64_t i, const struct sl_product *p, const int64_t *strides);
sl_code sl_product_run(struct sl_kernel_context *k, const struct sl_product *p);

#endif
