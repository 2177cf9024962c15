/* Caches in memory, as objects: a dataset has one of its own, or uses one that a handle names. Thread-safe; counted. */
#ifndef SL_DATA_CACHE_H
#define SL_DATA_CACHE_H

#include "base/error.h"
#include "tensor/object.h"

extern const struct sl_object_type sl_memory_cache_type;
sl_code sl_memory_cache_new(struct sl_object **out, struct sl_error *err); /* an empty one */

#endif
