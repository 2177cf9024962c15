/* Parts of tensors, as lists, arrays and datasets take them apart and put them together, and partly known shapes. Pure
 * functions; thread-safe. */
#ifndef SL_KERNEL_SLICES_H
#define SL_KERNEL_SLICES_H

#include "kernel/kernel.h"

/* The elements of `whole` from `first` on, as a value of `shape`: small ones are copied, larger ones hold a
 * reference to `whole`. The caller has checked that they are within. */
sl_code sl_slice_take(struct sl_value *out, struct sl_tensor *whole, int64_t first, struct sl_shape shape,
                      struct sl_error *err);
/* Copies the elements of `part` to `whole` from `first` on; same type, within. */
sl_code sl_slice_put(struct sl_view whole, int64_t first, struct sl_view part, struct sl_error *err);
/* A value of this type and shape with elements 0, "", empty. */
sl_code sl_value_zero(struct sl_value *out, int dtype, struct sl_shape shape, struct sl_error *err);

/* Dims known in either of two partly known shapes, in `dims` (room for SL_MAX_RANK). False when they differ. */
bool sl_shape_join(struct sl_shape *out, int64_t *dims, struct sl_shape a, struct sl_shape b);

/* For rows whose state is a partly known shape, an attr: `*state` is a struct sl_shape with its dims, for sl_free. */
sl_code sl_shape_state_create(void **state, struct sl_kernel_setup *setup, const char *attr);

#endif
