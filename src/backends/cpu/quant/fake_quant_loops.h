/* The loop of FakeQuantWithMinMax...: numbers of a grid. Constant code; thread-safe. */
#ifndef SL_BACKENDS_CPU_QUANT_FAKE_QUANT_LOOPS_H
#define SL_BACKENDS_CPU_QUANT_FAKE_QUANT_LOOPS_H

#include <math.h>
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

/* Of numbers from `lowest` (0 or 1) to `highest`. */
static inline struct sl_fake_quant_grid sl_fake_quant_grid_of(float min, float max, int lowest_number,
                                                              int highest_number) {
    if (min == 0 && max == 0) return (struct sl_fake_quant_grid){.is_empty = true};
    const float lowest = (float)lowest_number, highest = (float)highest_number;
    const float step = (max - min) / (highest - lowest), zero = lowest - min / step;
    const float nearest = zero < lowest ? lowest : zero > highest ? highest : roundf(zero);
    return (struct sl_fake_quant_grid){.min = (lowest - nearest) * step,
                                       .max = (highest - nearest) * step,
                                       .step = step,
                                       .inverse = (highest - lowest) / (max - min),
                                       .zero = nearest - lowest};
}

/* `n` elements, `step` apart in both; y may be x. */
SL_ISA_DECLARE(void, sl_fake_quant_line,
               (float *y, const float *x, int64_t n, int64_t step, const struct sl_fake_quant_grid *grid))
/* The same elements as numbers of 8 bits, of which grid->zero stands for 0; NaN as the least. Of a grid that is not empty
 * and does not divide. */
SL_ISA_DECLARE(void, sl_fake_quant_bytes,
               (uint8_t * y, const float *x, int64_t n, const struct sl_fake_quant_grid *grid))

#endif
