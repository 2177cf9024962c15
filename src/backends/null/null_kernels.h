/* The null backend: kernels that complete at once, so that what is left of a step's time is the executor's.
 *
 * A node whose results are all floating-point and depend on its inputs alone runs once, in another backend's kernel;
 * from then on it gives the same tensors again, whatever it gets. Everything else (integers, predicates, state, what
 * waits) runs as always, so control flow goes the same way. Shapes must not change from run to run. The caller: the
 * composition root, for SLUICE_DEVICE=null. */
#ifndef SL_BACKENDS_NULL_NULL_KERNELS_H
#define SL_BACKENDS_NULL_NULL_KERNELS_H

#include "kernel/table.h"

/* A family for every row of `families`, `*n_out` of them, in one block (sl_malloc) that is kept as long as the
 * table; the rows behind them stay borrowed. */
sl_code sl_null_families(struct sl_kernel_family **out, size_t *n_out, const struct sl_kernel_family *families,
                         size_t n, struct sl_error *err);

#endif
