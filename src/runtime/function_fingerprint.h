/* What a function computes as one number: the same for functions that differ in their own names alone, and in the names of
 * functions that they call; the same in every process. */
#ifndef SL_RUNTIME_FUNCTION_FINGERPRINT_H
#define SL_RUNTIME_FUNCTION_FINGERPRINT_H

#include "runtime/runtime.h"

/* NOT_FOUND when the library has no such function. Thread-safe. */
sl_code sl_function_fingerprint(uint64_t *out, struct sl_runtime *r, struct sl_str function, struct sl_error *err);

#endif
