/* The loops of depthwise convolutions, along a line of pixels. Constant code; thread-safe. */
#ifndef SL_BACKENDS_CPU_PRODUCT_DEPTHWISE_LOOPS_H
#define SL_BACKENDS_CPU_PRODUCT_DEPTHWISE_LOOPS_H

#include <stdbool.h>
#include <stdint.h>

#include "backends/cpu/isa.h"

/* Pixels p of x and y, p * step elements behind the first; tap t joins y's pixel p to x's pixel p, x_at[t] elements
 * further on, and to row w_at[t] of the filter. */
struct sl_depthwise_line {
    int64_t pixels, channels, taps;
    const int64_t *x_at, *w_at;
    const void *x;
    void *w, *y;
    int64_t x_step, y_step;
};

struct sl_depthwise_loops {
    /* y[p][c] = sum over t of x[p + t][c] * w[t][c] */
    void (*weigh)(const struct sl_depthwise_line *l);
    /* w[t][c] += sum over p of x[p + t][c] * y[p][c] */
    void (*correlate)(const struct sl_depthwise_line *l);
};

SL_ISA_DECLARE(const struct sl_depthwise_loops *, sl_depthwise_loops, (bool is_double))

#endif
