/* The loops of pools, over the channels of a pixel. Constant code; thread-safe. */
#ifndef SL_BACKENDS_CPU_POOL_POOL_LOOPS_H
#define SL_BACKENDS_CPU_POOL_POOL_LOOPS_H

#include <stdbool.h>
#include <stdint.h>

#include "backends/cpu/isa.h"

struct sl_pool_loops {
    int64_t size; /* bytes of an element */
    /* top = the least value (of floats: finite). */
    void (*lowest)(void *top, int64_t n);
    /* top = the larger of top and x; NaN is passed over. */
    void (*larger)(void *top, const void *x, int64_t n);
    /* Where x is larger than top: top = x, from = index. */
    void (*larger_from)(void *top, int32_t *from, const void *x, int32_t index, int64_t n);
    /* Where x equals top and from is -1: from = index. */
    void (*equal_from)(const void *top, int32_t *from, const void *x, int32_t index, int64_t n);
    /* For `points` pixels of `channels`: x is added to pixel `from` of the same channel, where begin <= from < end. */
    void (*add_from)(void *to, const int32_t *from, int32_t begin, int32_t end, const void *x, int64_t points,
                     int64_t channels);
    /* NULL for integers, like all that follow. top = the largest of `points` (at least one) pixels x[0] ..., as
     * `lowest` and `larger` give it. */
    void (*largest)(void *top, const void *const *x, int points, int64_t n);
    /* The same, of numbers as `larger_from` leaves the first; from = index[p] of the pixel that is the first of the
     * largest. */
    void (*largest_from)(void *top, int32_t *from, const void *const *x, const int32_t *index, int points, int64_t n);
    /* to[i] = grad where x[i] is the first of the largest of `points` pixels (at least one), else 0. */
    void (*spread)(void *const *to, const void *const *x, int points, const void *grad, int64_t n);
    /* to[i] += grad where x[i] is the first of the largest of `points` pixels, and begin <= i < end. */
    void (*spread_on)(void *const *to, const void *const *x, int points, int begin, int end, const void *grad,
                      int64_t n);
    /* to = the sum of `points` pixels x[0] ..., one after the other, times `factor`. */
    void (*mean)(void *to, const void *const *x, int points, double factor, int64_t n);
    /* to += x. */
    void (*add)(void *to, const void *x, int64_t n);
    /* Each of `points` pixels to[0] ... += x * factor. */
    void (*add_to)(void *const *to, int points, const void *x, double factor, int64_t n);
    /* Each of `points` pixels += x where from is its index. */
    void (*add_where)(void *const *to, const int32_t *index, int points, const int32_t *from, const void *x, int64_t n);
    void (*scale)(void *to, double factor, int64_t n);
};

/* `dtype`: float, double, integers; NULL for others. */
const struct sl_pool_loops *sl_pool_loops(int dtype);
/* Its part for every instruction set. */
SL_ISA_DECLARE(const struct sl_pool_loops *, sl_pool_float_loops, (bool is_double))
/* Of half and bfloat16 as they are: `lowest`, `larger`, `largest` and `mean` (summed in float), and no more. The least
 * value is -infinity. */
SL_ISA_DECLARE(const struct sl_pool_loops *, sl_pool_half_loops, (bool is_bfloat16))

#endif
