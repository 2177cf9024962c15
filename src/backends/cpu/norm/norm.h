/* Batch normalisation of float and double: rows of channels, statistics for each channel. Sums of float over few
 * rows are made row after row in float, as TensorFlow makes those of few channels: what cancels leaves the same
 * residue. Pure functions. */
#ifndef SL_BACKENDS_CPU_NORM_NORM_H
#define SL_BACKENDS_CPU_NORM_NORM_H

#include "kernel/kernel.h"

struct sl_norm {
    bool is_double;
    int64_t rows, channels;
};
static inline bool sl_norm_is_in_order(const struct sl_norm *n) { return !n->is_double && n->rows <= 64; }
/* `value` as the type has it. */
static inline double sl_norm_round(const struct sl_norm *n, double value) {
    return n->is_double ? value : (double)(float)value;
}
/* What a sum is multiplied by to give an average. */
static inline double sl_norm_share(const struct sl_norm *n) {
    const double share = 1 / (double)n->rows;
    return sl_norm_is_in_order(n) ? (double)(float)share : share;
}

/* Vectors of `channels` doubles. All fail with RESOURCE_EXHAUSTED alone. Mean and variance (divided by the number of
 * rows) of x: */
sl_code sl_norm_moments(struct sl_kernel_context *k, const struct sl_norm *n, const void *x, double *mean,
                        double *variance);
/* sum = sum of g, products = sum of g * ((x - mean) * factor); `factor` NULL: 1 */
sl_code sl_norm_products(struct sl_kernel_context *k, const struct sl_norm *n, const void *g, const void *x,
                         const double *mean, const double *factor, double *sum, double *products);
/* y = (x - mean) * scale + offset; y may be x */
sl_code sl_norm_apply(struct sl_kernel_context *k, const struct sl_norm *n, void *y, const void *x, const double *mean,
                      const double *scale, const double *offset);
/* y = (g - part - (x - mean) * slope) * scale; y may be g or x */
sl_code sl_norm_backward(struct sl_kernel_context *k, const struct sl_norm *n, void *y, const void *g, const void *x,
                         const double *mean, const double *scale, const double *part, const double *slope);

#endif
