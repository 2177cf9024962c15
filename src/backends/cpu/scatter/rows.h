/* Rows picked by number: what gathering, scattering and segment sums do inside. A row is `n` elements in a run.
 * Threads: pure functions on the caller's memory. */
#ifndef SL_BACKENDS_CPU_SCATTER_ROWS_H
#define SL_BACKENDS_CPU_SCATTER_ROWS_H

#include "kernel/kernel.h"

/* to[i] = from[rows[i]] for i < count; a row below 0 gives zeros (empty strings, NULL). */
sl_code sl_rows_gather(int dtype, void *to, const void *from, const int64_t *rows, int64_t count, int64_t n,
                       struct sl_error *err);
/* to[rows[i]] = from[i], in order; a row below 0 is passed over. From one row to the next it is `to_step` and
 * `from_step` elements: n and n when rows stand close, from_step 0 when there is one row for all. */
sl_code sl_rows_put(int dtype, void *to, const void *from, const int64_t *rows, int64_t count, int64_t n,
                    int64_t to_step, int64_t from_step, struct sl_error *err);

/* to[rows[i]] = to[rows[i]] op from[i], in the same way. */
typedef void (*sl_combine_fn)(void *to, const void *from, const int64_t *rows, int64_t count, int64_t n,
                              int64_t to_step, int64_t from_step);
enum sl_combine_op {
    SL_COMBINE_ADD,
    SL_COMBINE_SUB,
    SL_COMBINE_MUL,
    SL_COMBINE_DIV,
    SL_COMBINE_MIN,
    SL_COMBINE_MAX,
    SL_COMBINE_LOWER, /* as MIN and MAX, but of NaN and a number the new one stays: what segments have */
    SL_COMBINE_HIGHER,
    SL_COMBINE_OPS
};
/* NULL when the type has no such operation: min and max want real types; bool has add (or), sub (xor), mul and min
 * (and), max (or). DIV of integers truncates; the caller sees to it that no divisor is 0. min and max keep `to`
 * where either is NaN; lower and higher are for floats alone. */
sl_combine_fn sl_combine_find(enum sl_combine_op op, int dtype);

#endif
