/* The loop of epilogue.h: what a vector for each column, another matrix and two bounds make of rows. Constant code;
 * thread-safe. */
#ifndef SL_BACKENDS_CPU_PRODUCT_EPILOGUE_LOOPS_H
#define SL_BACKENDS_CPU_PRODUCT_EPILOGUE_LOOPS_H

#include <stdbool.h>
#include <stdint.h>

#include "backends/cpu/isa.h"

/* `rows` rows of `n` elements; element (i, j) of c and side at i * row + j. NULL: without it. */
struct sl_epilogue_rows {
    void *c;
    const void *side;
    int64_t row, rows, n;
    const void *mean, *scale, *offset; /* n elements each */
    double low, high, slope;
};

struct sl_epilogue_loops {
    /* c = clip(affine(c) + side, low, high); affine(x) is x, x + offset, or with a mean (x - mean) * scale + offset.
     * NaN stays. */
    void (*finish)(const struct sl_epilogue_rows *r);
    /* c = c > 0 ? c : c * slope */
    void (*leak)(const struct sl_epilogue_rows *r);
};

SL_ISA_DECLARE(const struct sl_epilogue_loops *, sl_epilogue_loops, (bool is_double))

#endif
