/* Single numbers of any type: the one, elements read as double, denormals taken for 0. Threads: pure functions. */
#ifndef SL_BACKENDS_CPU_NUMBER_H
#define SL_BACKENDS_CPU_NUMBER_H

#include <float.h>
#include <math.h>

#include "tensor/value.h"

/* An element that is 1 (true, for bool), of a number type; static, aligned for any element. */
const void *sl_one(int dtype);
/* Element i of a view of real numbers or bools, as the nearest double. */
double sl_number_at(struct sl_view v, int64_t i);
/* The number, or 0 with its sign for a denormal one, whether the thread reads those as 0 or not. */
static inline double sl_normal_of_float(float x) { return fabsf(x) < FLT_MIN ? copysign(0, x) : x; }
static inline double sl_normal_of_double(double x) { return fabs(x) < DBL_MIN ? copysign(0, x) : x; }

#endif
