/* The loops of depthwise convolutions, along a line of pixels. Constant code; thread-safe. */
#ifndef SL_BACKENDS_CPU_PRODUCT_DEPTHWISE_LOOPS_H
#define SL_BACKENDS_CPU_PRODUCT_DEPTHWISE_LOOPS_H

#include <stdbool.h>
#include <stdint.h>

#include "backends/cpu/isa.h"
#include "backends/cpu/product/gemm_loops.h"

/* Pixels p of x and y, p * step elements behind the first; tap t joins y's pixel p to x's pixel p, x_at[t] elements
 * further on, and to row w_at[t] of the filter. */
struct sl_depthwise_line {
    int64_t pixels, channels, taps;
    const int64_t *x_at, *w_at;
    const void *x;
    void *w, *y;
    int64_t x_step, y_step;
    const struct sl_tile_end *end; /* of `weigh`, where channels fill a vector; mean NULL: offset and bounds alone */
};

/* Pixels side by side, of a filter whose taps across are, too: tap t joins y's pixel p to pixel p + t - before of each of
 * `lines` of x, x_at[i] elements behind the first and `width` pixels long, and to rows from w_at[i] on of the filter.
 * Where there is no such pixel the tap is left out. */
struct sl_depthwise_slide {
    int64_t pixels, channels, lines, width, before;
    const int64_t *x_at, *w_at;
    const float *x, *w;
    float *y;
    const struct sl_tile_end *end; /* as above */
};
enum { SL_SLIDE_PIXELS = 7 }; /* at least */

struct sl_depthwise_loops {
    /* y[p][c] = sum over t of x[p + t][c] * w[t][c], and what `end` makes of that */
    void (*weigh)(const struct sl_depthwise_line *l);
    /* w[t][c] += sum over p of x[p + t][c] * y[p][c] */
    void (*correlate)(const struct sl_depthwise_line *l);
    /* As `weigh`, in the same order, for channels c ... c + slide_channels - 1 of SL_SLIDE_PIXELS pixels and more: by 5
     * or by 7 taps across. Each pixel of x is read once. NULL: of double, and in the base set. */
    void (*slide_5)(const struct sl_depthwise_slide *s, int64_t c);
    void (*slide_7)(const struct sl_depthwise_slide *s, int64_t c);
    int64_t slide_channels;
};

SL_ISA_DECLARE(const struct sl_depthwise_loops *, sl_depthwise_loops, (bool is_double))

#endif
