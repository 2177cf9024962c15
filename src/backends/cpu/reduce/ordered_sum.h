/* Sums of float and double in the order in which TensorFlow's CPU kernels add, so that what cancels leaves the same
 * residue:
 *
 *   rows     A row of n elements longer than 1024 times LANES is cut in two: each half by itself, then their sum. The
 *            cut is near the middle, where an element's index in the whole tensor is a multiple of LANES. A shorter
 *            one is added in LANES lanes: four sets of them by turns when it has so many elements, then set after set,
 *            then the lanes by halves, and to that the sum of the elements that fill no lanes.
 *   columns  Row after row; from 16 rows on in four sums by turns, which are added one after the other, and to them the
 *            rows that are left. Only columns that fill LANES together, counted over all results, are taken in four;
 *            the others are always row after row.
 *   both     Where reduced dims stand before and behind a kept one: all first elements of the rows, then all second
 *            ones.
 *
 * LANES is 8 for float and 4 for double, on every machine. Constant code; thread-safe. */
#ifndef SL_BACKENDS_CPU_REDUCE_ORDERED_SUM_H
#define SL_BACKENDS_CPU_REDUCE_ORDERED_SUM_H

#include <stdbool.h>
#include <stdint.h>

#include "backends/cpu/isa.h"

/* At most so many columns at a time. */
enum { SL_ORDERED_COLUMNS = 512, SL_ORDERED_LEAF = 1024 /* lanes */ };

/* Sums of float are rounded to float at each step, though given as double. */
struct sl_ordered_sum {
    int64_t lanes;
    /* The sum of n elements at x, the first of which is element `first` of its tensor. */
    double (*row)(const void *x, int64_t first, int64_t n);
    /* The same of (x - less)^2, each step rounded. `less`: one element. */
    double (*row_of_squares)(const void *x, const void *less, int64_t first, int64_t n);
    /* Sums x[r * stride + j] over `rows` rows to sums[j], for n columns. */
    void (*columns)(double *sums, const void *x, int64_t rows, int64_t stride, int64_t n, bool by_four);
    /* The sum of x[r * stride + i] for all r < rows, by i < n. */
    double (*both)(const void *x, int64_t rows, int64_t stride, int64_t n);
    double (*add)(double a, double b);
};

/* How long the first of both parts is, in which a row is cut; 0: it is not. */
static inline int64_t sl_ordered_cut(int64_t lanes, int64_t first, int64_t n) {
    if (n <= lanes * SL_ORDERED_LEAF) return 0;
    int64_t middle = first + n / 2 + n % 2;
    return (middle + lanes - 1) / lanes * lanes - first;
}

/* `dtype`: float or double; NULL for others. */
SL_ISA_DECLARE(const struct sl_ordered_sum *, sl_ordered_sum, (int dtype))

#endif
