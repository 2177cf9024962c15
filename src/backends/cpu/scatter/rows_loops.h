/* Sums of rows of floats. Constant code; thread-safe. */
#ifndef SL_BACKENDS_CPU_SCATTER_ROWS_LOOPS_H
#define SL_BACKENDS_CPU_SCATTER_ROWS_LOOPS_H

#include <stdbool.h>
#include <stdint.h>

#include "backends/cpu/isa.h"

/* Rows are `n` elements each, and a step in elements apart. */
struct sl_rows_loops {
    /* Row rows[i] of `to` += row i of `from`, in order; those below 0 are passed over. */
    void (*add)(void *to, const void *from, const int64_t *rows, int64_t count, int64_t n, int64_t to_step,
                int64_t from_step);
    /* to = the sum of rows rows[0] ... of `from`, at least one, in order. */
    void (*sum)(void *to, const void *from, const int64_t *rows, int64_t count, int64_t n, int64_t from_step);
};

SL_ISA_DECLARE(const struct sl_rows_loops *, sl_rows_loops, (bool is_double))

#endif
