/* Sparse matrices as variants: one matrix or a batch of them, row by row.
 *
 *   batch_ends  batch + 1            where the entries of each matrix begin
 *   row_ends    batch x (rows + 1)   where the entries of each row begin, within its matrix
 *   at          entries x 2          row and column of each entry, in order
 *   values      entries
 *
 * Objects never change once made: thread-safe. */
#ifndef SL_BACKENDS_CPU_SPARSE_CSR_H
#define SL_BACKENDS_CPU_SPARSE_CSR_H

#include "kernel/kernel.h"

struct sl_csr {
    struct sl_object object;
    int rank;               /* 2, or 3 with a batch */
    int64_t dims[3], batch; /* dims: as the tensor has them */
    struct sl_tensor *batch_ends, *row_ends, *at, *values;
};

static inline int64_t sl_csr_rows(const struct sl_csr *m) { return m->dims[m->rank - 2]; }
static inline int64_t sl_csr_columns(const struct sl_csr *m) { return m->dims[m->rank - 1]; }
/* The first entry of a matrix, and of a row of it; those behind the last are the ends. */
static inline int64_t sl_csr_begin(const struct sl_csr *m, int64_t matrix) {
    return ((const int64_t *)m->batch_ends->data)[matrix];
}
static inline int64_t sl_csr_row_begin(const struct sl_csr *m, int64_t matrix, int64_t row) {
    return sl_csr_begin(m, matrix) + ((const int32_t *)m->row_ends->data)[matrix * (sl_csr_rows(m) + 1) + row];
}

/* The matrix of input `in`, of any element type; borrowed. INVALID_ARGUMENT when the input is something else. */
sl_code sl_csr_in(const struct sl_csr **out, struct sl_kernel_context *k, int in);
/* A matrix with room for n entries, all tensors of which are to be filled. On failure, too, what is in `*out` is to be
 * freed by sl_csr_free, unless it is NULL. */
sl_code sl_csr_new(struct sl_csr **out, int rank, const int64_t *dims, int64_t n, int dtype, struct sl_error *err);
void sl_csr_free(struct sl_csr *m);

#endif
