/* The product of a sparse and a dense matrix. Threads: split over the pool by columns; the same bits for every
 * number of threads. */
#ifndef SL_BACKENDS_CPU_SPARSE_SPARSE_PRODUCT_H
#define SL_BACKENDS_CPU_SPARSE_SPARSE_PRODUCT_H

#include "kernel/kernel.h"

/* y (rows of `n` columns) += a b. Entry e of a has the value a[e] at row indices[2e], column indices[2e + 1], or the
 * other way round with `is_transposed`. Element (i, j) of b is b[i * b_row + j * b_column]. The indices must lie in
 * the matrices. */
struct sl_sparse_product {
    int dtype;              /* float, double, int32, complex64, complex128 */
    struct sl_view indices; /* int32 or int64 */
    const void *a, *b;
    void *y;
    int64_t count, n, b_row, b_column;
    bool is_transposed, conjugates_a, conjugates_b;
};
void sl_sparse_product_run(struct sl_kernel_context *k, const struct sl_sparse_product *p);

#endif
