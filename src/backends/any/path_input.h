/* File names as inputs of kernels. Thread-safe. */
#ifndef SL_BACKENDS_ANY_PATH_INPUT_H
#define SL_BACKENDS_ANY_PATH_INPUT_H

#include "base/arena.h"
#include "kernel/kernel.h"

/* A string element as a path, NUL-terminated, in `arena`; "file://" before it goes. INVALID_ARGUMENT when it holds a
 * NUL. */
sl_code sl_path_of_string(char **out, const TF_TString *s, struct sl_arena *arena, struct sl_kernel_context *k);
/* Input i, a scalar string, as a path; INVALID_ARGUMENT names `what` otherwise. */
sl_code sl_in_path(char **out, struct sl_kernel_context *k, int i, const char *what, struct sl_arena *arena);
/* Input i, a vector of strings; `count` of them unless that is negative. */
sl_code sl_in_string_vector(struct sl_view *out, struct sl_kernel_context *k, int i, const char *what, int64_t count);
/* Makes output o a scalar string. */
sl_code sl_out_string(struct sl_kernel_context *k, int o, struct sl_str text);

#endif
