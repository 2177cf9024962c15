/* Optionals that kernels of other families make: what an iterator gives, or nothing. Immutable once made. */
#ifndef SL_BACKENDS_ANY_OPTIONAL_H
#define SL_BACKENDS_ANY_OPTIONAL_H

#include "kernel/kernel.h"

/* An optional of `n` values, which are moved into it; without a value `n` is 0. The caller's reference. */
sl_code sl_optional_new(struct sl_object **out, struct sl_value *values, int n, bool has_value, struct sl_error *err);

#endif
