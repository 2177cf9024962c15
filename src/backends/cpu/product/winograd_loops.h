/* The transforms of Winograd's convolution F(4 x 4, 3 x 3) of floats and of its gradient by the filter, each for
 * many channels side by side. Points are the values that polynomials of six coefficients are known by, in two dims:
 * 36 of them, `point` elements apart; the channels of one follow each other. Numbers of channels are multiples of
 * 16. Constant code; thread-safe. */
#ifndef SL_BACKENDS_CPU_PRODUCT_WINOGRAD_LOOPS_H
#define SL_BACKENDS_CPU_PRODUCT_WINOGRAD_LOOPS_H

#include <stdbool.h>
#include <stdint.h>

#include "backends/cpu/isa.h"

enum { SL_WINOGRAD_SIDE = 6, SL_WINOGRAD_POINTS = 36, SL_WINOGRAD_RESULTS = 4, SL_WINOGRAD_TAPS = 3 };

struct sl_winograd_loops {
    /* Points of 6 x 6 pixels. */
    void (*take)(float *to, int64_t point, const float *const *pixels, int64_t channels);
    /* Points of 3 x 3 taps, from tap to tap `tap` elements. */
    void (*turn)(float *to, int64_t point, const float *filter, int64_t tap, int64_t channels);
    /* The first rows x columns of the 4 x 4 results that sums of products of points make, `row` and `column`
     * elements apart. False: some are not finite. */
    bool (*give)(float *to, int64_t row, int64_t column, int64_t rows, int64_t columns, const float *from,
                 int64_t point, int64_t channels);
    /* Of the gradient by the filter. Points of 4 x 4 pixels of the results' gradient, such that sums of their
     * products with those that `take` makes are points of the filter's gradient; and 3 x 3 taps of these, added to
     * what is there when `adds`. False as above. */
    void (*spread)(float *to, int64_t point, const float *const *pixels, int64_t channels);
    bool (*gather)(float *filter, int64_t tap, const float *from, int64_t point, int64_t channels, bool adds);
};

SL_ISA_DECLARE(const struct sl_winograd_loops *, sl_winograd_loops, (void))

#endif
