/* Mapping a function over the strings of input 0. Threads: the function is called by several at once. */
#ifndef SL_BACKENDS_CPU_STRING_STRING_MAP_H
#define SL_BACKENDS_CPU_STRING_STRING_MAP_H

#include "kernel/kernel.h"

/* Makes element i of something. */
typedef sl_code (*sl_string_each_fn)(const void *arg, int64_t i, struct sl_error *err);

/* `fn` of elements 0 ... n - 1; `ns_each`: what a call costs. When several fail, the error is that of the first. */
sl_code sl_string_each(struct sl_kernel_context *k, int64_t n, sl_string_each_fn fn, const void *arg, double ns_each);

/* Makes element `to` of the output, an uninitialised plain element or an empty string, from one string. */
typedef sl_code (*sl_string_fn)(void *to, struct sl_str from, const void *arg, struct sl_error *err);

/* Output 0 gets the shape of input 0 and `fn` of each string. */
sl_code sl_string_map(struct sl_kernel_context *k, sl_string_fn fn, const void *arg, double ns_each);

#endif
