/* Single numbers of any type: the one, and elements read as double. Threads: pure functions. */
#ifndef SL_BACKENDS_CPU_NUMBER_H
#define SL_BACKENDS_CPU_NUMBER_H

#include "tensor/value.h"

/* An element that is 1 (true, for bool), of a number type; static, aligned for any element. */
const void *sl_one(int dtype);
/* Element i of a view of real numbers or bools, as the nearest double. */
double sl_number_at(struct sl_view v, int64_t i);

#endif
