/* What handles of iterators lead to, for the kernels beside those in iterator_any.c. Thread-safe. */
#ifndef SL_BACKENDS_ANY_ITERATOR_RESOURCE_H
#define SL_BACKENDS_ANY_ITERATOR_RESOURCE_H

#include "data/data_walk.h"

/* The walk of the iterator that input i is a handle of, with a reference; NULL: it is not initialised.
 * INVALID_ARGUMENT when the handle is of something else. */
sl_code sl_iterator_resource_walk(struct sl_data_walk **out, struct sl_kernel_context *k, int i);

#endif
