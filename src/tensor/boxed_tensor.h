/* Tensors as elements of variants. Immutable and counted. */
#ifndef SL_TENSOR_BOXED_TENSOR_H
#define SL_TENSOR_BOXED_TENSOR_H

#include "tensor/object.h"
#include "tensor/tensor.h"

/* A box with a reference of its own. */
sl_code sl_boxed_tensor_new(struct sl_object **out, struct sl_tensor *t, struct sl_error *err);
/* What a box holds, borrowed; NULL when `object` is none, or NULL. */
struct sl_tensor *sl_boxed_tensor_of(const struct sl_object *object);

#endif
