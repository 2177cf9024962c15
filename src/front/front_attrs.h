/* What the wrappers of ops give as attrs, as values of attrs. */
#ifndef SL_FRONT_FRONT_ATTRS_H
#define SL_FRONT_FRONT_ATTRS_H

#include "capi/attr_values.h"
#include "front/front.h"

/* The value of an attr that is no tensor, in `arena`; NULL when it keeps its default, and on failure, which the scope
 * tells. Seeds that are not given are the scope's. */
sl_attr_value *sl_given_value(struct sl_scope *scope, struct sl_arena *arena, const struct sl_attr_given *attr);
/* The tensors of an attr of tensors, *n of them, borrowed; NULL: it is none, or keeps its default. */
TF_Tensor *const *sl_given_tensors(int *n, bool *is_list, const struct sl_attr_given *attr);

#endif
