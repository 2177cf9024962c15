/* Types of a node against those that the object behind its handle asks for. Pure; thread-safe. */
#ifndef SL_BACKENDS_ANY_KERNEL_SIGNATURE_H
#define SL_BACKENDS_ANY_KERNEL_SIGNATURE_H

#include "kernel/kernel.h"

/* INVALID_ARGUMENT "Signature mismatch, have: resource, int32-> expected: resource, float->" unless the inputs
 * behind the handle have these `n_in` types, and the outputs these `n_out`. */
sl_code sl_kernel_signature_check(struct sl_kernel_context *k, const uint8_t *in, int n_in, const uint8_t *out,
                                  int n_out);

#endif
