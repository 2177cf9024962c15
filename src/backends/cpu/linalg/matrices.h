/* Kernels over the matrices that lie in the last two dims of tensors: each is done by one call, on whatever thread.
 * Half precision is computed in float. One owner: the kernel's run. */
#ifndef SL_BACKENDS_CPU_LINALG_MATRICES_H
#define SL_BACKENDS_CPU_LINALG_MATRICES_H

#include "backends/cpu/linalg/dense.h"
#include "backends/cpu/wide.h"
#include "kernel/kernel.h"

enum { SL_MATRICES_IN = 4, SL_MATRICES_OUT = 3 };

struct sl_matrices {
    struct sl_kernel_context *k;
    const struct sl_dense *dense;
    int dtype;   /* computed in: set before run to something else than the first input's, if wanted */
    size_t size; /* bytes of an element */
    int n_in, n_out;
    struct sl_view in[SL_MATRICES_IN], out[SL_MATRICES_OUT];
    int64_t in_step[SL_MATRICES_IN],
        out_step[SL_MATRICES_OUT]; /* elements from one matrix to the next; 0: the same for all */
    bool is_raw[SL_MATRICES_OUT];  /* an output of its own type, not converted */
    int64_t m, n, columns;         /* rows and columns of input 0, columns of the right-hand side */
    bool flags[3];                 /* what the op makes of them */
    double number;
    int64_t count;  /* matrices */
    size_t room;    /* bytes of scratch for one call */
    double ns_each; /* what one costs */
    /* When the batch dims of the inputs broadcast: `dims` of the result, strides of each input in matrices. rank 0:
     * they are equal. */
    int rank;
    int64_t dims[SL_MAX_RANK], strides[2][SL_MAX_RANK];
    /* Does matrix i. NULL, or what is wrong: the message of an INVALID_ARGUMENT. */
    const char *(*one)(const struct sl_matrices *m, int64_t i, void *room);
    struct sl_wide wide_in[SL_MATRICES_IN], wide_out[SL_MATRICES_OUT];
    _Atomic(const char *) problem;
};

/* Starts on input 0: at least a matrix, square if asked for. INVALID_ARGUMENT. */
sl_code sl_matrices_start(struct sl_matrices *m, struct sl_kernel_context *k, bool is_square);
/* Makes output o: the batch dims of input 0, then `rank` (0 to 2) dims of the rest. */
sl_code sl_matrices_out(struct sl_matrices *m, int o, int rank, int64_t rows, int64_t columns);
/* An output without elements in place of one that is not asked for. */
sl_code sl_matrices_nothing(struct sl_matrices *m, int o);
/* Reads input i, whose batch dims must be those of input 0. INVALID_ARGUMENT. */
sl_code sl_matrices_in(struct sl_matrices *m, int i);
sl_code sl_matrices_run(struct sl_matrices *m);

/* Matrix i of input `in`, of output `out`. */
const void *sl_matrix_in(const struct sl_matrices *m, int in, int64_t i);
void *sl_matrix_out(const struct sl_matrices *m, int out, int64_t i);
/* `to`, n x rows, is `from`, rows x n, transposed. */
void sl_matrix_transpose(const struct sl_matrices *m, void *to, const void *from, int64_t rows, int64_t n);

#endif
