/* The arithmetic of collectives: the elements of all members together, by rank. Called by collective.c. Thread-safe. */
#ifndef SL_BACKENDS_ANY_COLLECTIVE_MATH_H
#define SL_BACKENDS_ANY_COLLECTIVE_MATH_H

#include "kernel/kernel.h"

enum sl_merge_op { SL_MERGE_ADD, SL_MERGE_MUL, SL_MERGE_MIN, SL_MERGE_MAX };

struct sl_collective_merge {
    const void *const *in; /* `n` arrays of `dtype`: bfloat16, half, float, double, int32 or int64 */
    int64_t n, count;      /* n >= 1; elements of each */
    int dtype;
    enum sl_merge_op op;
    int64_t divisor; /* at the end; integers towards zero. 0: none */
};

/* `out` may be in[0]. out[e] = in[0][e] op in[1][e] op ..., from left to right and rounded each time, whatever the number of threads.
 * Integers wrap; the least or greatest of a NaN and anything is a NaN. Split over the threads of `k`,
 * unless it is NULL. */
void sl_collective_merge(void *out, struct sl_kernel_context *k, const struct sl_collective_merge *merge);

#endif
