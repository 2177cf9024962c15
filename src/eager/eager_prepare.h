/* From an op to its kernel: found among those that were prepared, or prepared now. Private to src/eager. */
#ifndef SL_EAGER_EAGER_PREPARE_H
#define SL_EAGER_EAGER_PREPARE_H

#include "eager/eager_op.h"

/* The kernel for an op with its inputs, a new reference. Errors: eager_execute.c gives them as they are. */
sl_code sl_eager_prepare(struct sl_eager_kernel **out, struct sl_eager_op *op, struct sl_error *err);

#endif
