/* The loop of QuantizeV2: floats as numbers of a quantised type. Constant code; thread-safe. */
#ifndef SL_BACKENDS_CPU_QUANT_QUANTIZE_LOOPS_H
#define SL_BACKENDS_CPU_QUANT_QUANTIZE_LOOPS_H

#include <stdint.h>

#include "backends/cpu/isa.h"

/* What becomes of x. `inside` is x between min and max (NaN: max); whole numbers are int32, the lowest of those where
 * one does not fit. */
enum sl_quantize_way {
    SL_QUANTIZE_SCALED,         /* inside * scale, rounded half away from zero */
    SL_QUANTIZE_SCALED_TO_EVEN, /* the same, half to even */
    SL_QUANTIZE_SIGNED,         /* (inside - min) * scale - shift, rounded half away from zero */
    SL_QUANTIZE_UNSIGNED,       /* (inside - min) * scale + 0.5, cut off */
    SL_QUANTIZE_UNSIGNED_FITS,  /* the same, which always is an int32 */
    SL_QUANTIZE_FROM_MIN        /* x * scale, rounded half away from zero, - shift, between min and max (NaN: min) */
};

struct sl_quantize_rule {
    enum sl_quantize_way way;
    int size; /* bytes of a number: 1, 2 or 4 */
    float min, max, scale, shift;
};

SL_ISA_DECLARE(void, sl_quantize_line, (void *y, const float *x, int64_t n, const struct sl_quantize_rule *rule))

#endif
