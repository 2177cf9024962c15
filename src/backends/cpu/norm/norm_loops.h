/* The loops of normalisations: rows of n channels, vectors of n. Constant code; thread-safe. */
#ifndef SL_BACKENDS_CPU_NORM_NORM_LOOPS_H
#define SL_BACKENDS_CPU_NORM_NORM_LOOPS_H

#include <stdbool.h>
#include <stdint.h>

#include "backends/cpu/isa.h"

/* Most channels a call may have. */
enum { SL_NORM_TILE = 512 };

struct sl_norm_loops {
    /* sum += x; squares += (x - mean)^2. Either may be NULL. */
    void (*moments)(double *sum, double *squares, const void *x, const void *mean, int64_t rows, int64_t stride,
                    int64_t n);
    /* sum += g; products += g * ((x - mean) * factor); `factor` NULL: 1. */
    void (*products)(double *sum, double *products, const void *g, const void *x, const void *mean, const void *factor,
                     int64_t rows, int64_t stride, int64_t n);
    /* y = (x - mean) * scale + offset. y may be x. */
    void (*apply)(void *y, const void *x, const void *mean, const void *scale, const void *offset, int64_t rows,
                  int64_t stride, int64_t n);
    /* y = ((x - mean) * factor) * scale + offset for one row of any n: `mean` and `factor` are single elements. y
     * may be x. */
    void (*row)(void *y, const void *x, const void *mean, const void *factor, const void *scale, const void *offset,
                int64_t n);
    /* y = (g - part - (x - mean) * slope) * scale. y may be g or x. */
    void (*backward)(void *y, const void *g, const void *x, const void *mean, const void *scale, const void *part,
                     const void *slope, int64_t rows, int64_t stride, int64_t n);
};

SL_ISA_DECLARE(const struct sl_norm_loops *, sl_norm_loops, (bool is_double))

#endif
