/* The loops of softmax and of cross entropies, float and double. Rows are dense. Constant code; thread-safe. */
#ifndef SL_BACKENDS_CPU_NN_SOFTMAX_LOOPS_H
#define SL_BACKENDS_CPU_NN_SOFTMAX_LOOPS_H

#include <stdbool.h>
#include <stdint.h>

#include "backends/cpu/isa.h"

struct sl_softmax_loops {
    /* to = e^x / sum e^x along each row. With `losses` (one for each row, else NULL): log(sum e^x), less the row's
     * maximum, and in `tops` that maximum. `to` may be x when there are no losses. */
    void (*softmax)(void *to, void *losses, void *tops, const void *x, int64_t rows, int64_t n);
    /* to = x - log(sum e^x). */
    void (*log_softmax)(void *to, const void *x, int64_t rows, int64_t n);
    /* After `softmax`: losses become sum(labels * (losses - (x - tops))), and `labels` are taken from `to`. */
    void (*cross_entropy)(void *to, void *losses, const void *tops, const void *x, const void *labels, int64_t rows,
                          int64_t n);
};

SL_ISA_DECLARE(const struct sl_softmax_loops *, sl_softmax_loops, (bool is_double))

#endif
