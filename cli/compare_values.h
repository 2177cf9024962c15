/* Where two values differ. */
#ifndef SLUICE_CLI_COMPARE_VALUES_H
#define SLUICE_CLI_COMPARE_VALUES_H

#include <stdbool.h>
#include <stdint.h>

#include "tensorflow/c/c_api.h"

enum { MOST_DIMS = 256 }; /* more than any tensor has */

/* A tensor of some library. */
struct seen_value {
    TF_DataType type;
    int rank;
    int64_t dims[MOST_DIMS], count;
    const void *data;
};

struct difference {
    bool is_shape;     /* types or shapes differ; nothing more is said */
    int64_t n;         /* elements that differ; 0: none */
    int64_t at;        /* the one that differs most: the first, of what is no number */
    double a[2], b[2]; /* what it is, with its imaginary part */
    double largest;    /* |a - b|; NaN: only one is NaN, or they are no numbers */
};

/* Numbers a and b count as equal when |a - b| is at most `tolerance` times the larger of |b| and the largest |b| of the
 * tensor, or both are NaN, or the same infinity; whole numbers, truths, strings when they are the same. A negative tolerance
 * stands for that of the type: 1e-10 for double, 1e-5 for float, 1e-2 for half, 5e-2 for bfloat16. */
struct difference compare_values(const struct seen_value *a, const struct seen_value *b, double tolerance);
bool is_complex_type(TF_DataType type);
bool is_number_type(TF_DataType type);

#endif
