/* Rows of a batch, out and in, as queues, barriers and staging areas need them. Pure functions; thread-safe. */
#ifndef SL_BACKENDS_ANY_BATCH_H
#define SL_BACKENDS_ANY_BATCH_H

#include "tensor/value.h"

/* Row `i` of a tensor of rank > 0, as a value; the caller has checked that there is one. */
sl_code sl_batch_row(struct sl_value *out, struct sl_tensor *batch, int64_t i, struct sl_error *err);
/* `n` values of one type, `stride` apart, as the rows of a tensor. `row` is what is known of their shape, to which
 * they fit: an unknown dim becomes the largest one (0 without rows), and smaller rows are filled up with zeros or
 * "". */
sl_code sl_batch_join(struct sl_value *out, int dtype, struct sl_shape row, const struct sl_value *values,
                      int64_t stride, int64_t n, struct sl_error *err);

#endif
