/* Row splits of ragged tensors as inputs of kernels. */
#ifndef SL_BACKENDS_CPU_SPARSE_RAGGED_H
#define SL_BACKENDS_CPU_SPARSE_RAGGED_H

#include "kernel/kernel.h"

/* Splits are a vector that rises from 0 to `values`, the number of rows that they split. INVALID_ARGUMENT. */
sl_code sl_ragged_check(struct sl_kernel_context *k, struct sl_view splits, int64_t values);

#endif
