/* The loop of FakeQuantWithMinMax...: numbers of a grid. Constant code; thread-safe. */
#ifndef SL_BACKENDS_CPU_QUANT_FAKE_QUANT_LOOPS_H
#define SL_BACKENDS_CPU_QUANT_FAKE_QUANT_LOOPS_H

#include <stdbool.h>
#include <stdint.h>

#include "backends/cpu/isa.h"

/* The range as it is used: zero is that many steps above its minimum. Elements are divided by the step where one
 * range was an input, else multiplied by its inverse: that decides those half way between two steps as TensorFlow
 * does. */
struct sl_fake_quant_grid {
    float min, max, step, inverse, zero;
    bool is_empty; /* min = max = 0 was given */
    bool divides;
};

/* `n` elements, `step` apart in both; y may be x. */
SL_ISA_DECLARE(void, sl_fake_quant_line,
               (float *y, const float *x, int64_t n, int64_t step, const struct sl_fake_quant_grid *grid))

#endif
