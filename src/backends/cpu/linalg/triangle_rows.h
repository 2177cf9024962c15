/* Triangles of float and double, many right-hand sides at once: loops run along rows of these, and most of the work is
 * products. Pure functions. */
#ifndef SL_BACKENDS_CPU_LINALG_TRIANGLE_ROWS_H
#define SL_BACKENDS_CPU_LINALG_TRIANGLE_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "backends/cpu/isa.h"

/* Row i and column j of the triangle, n x n, are at i * a_row + j * a_column, one of which is 1; x is n rows of m
 * elements, x_row apart. Strides are in elements. */
struct sl_triangle_rows {
    bool is_double;
    const void *a;
    int64_t a_row, a_column;
    void *x;
    int64_t x_row, n, m;
    bool is_lower, is_unit; /* is_unit: the diagonal is ones, whatever is stored */
    void *room;             /* n * n / 4 elements */
};
/* x becomes the solution of a y = x. False when memory is out; x is spoilt then. */
SL_ISA_DECLARE(bool, sl_triangle_rows_solve, (const struct sl_triangle_rows *t))

#endif
