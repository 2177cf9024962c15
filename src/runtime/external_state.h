/* What of a function lies outside of it: ops with effects or a memory, which a saved position of a dataset that calls it
 * does not hold. */
#ifndef SL_RUNTIME_EXTERNAL_STATE_H
#define SL_RUNTIME_EXTERNAL_STATE_H

#include "runtime/runtime.h"

/* The name of such an op in the function or in one that it calls, however deep; it lives as long as the registry of
 * ops. NULL: there is none, or the library has no such function. Thread-safe. */
const char *sl_external_state(struct sl_runtime *r, struct sl_str function);

#endif
