/* The suffix TensorFlow gives to names of functions made with `append_hash_to_fn_name`. Private to src/graph. */
#ifndef SL_GRAPH_FUNCTION_HASH_H
#define SL_GRAPH_FUNCTION_HASH_H

#include "base/arena.h"
#include "base/error.h"
#include "proto/gen/messages.h"

enum { SL_FUNCTION_SUFFIX = 12 }; /* 11 characters and a NUL */

/* Of the definition without name and control results. `arena` is for scratch. */
sl_code sl_function_suffix(char out[SL_FUNCTION_SUFFIX], const struct sl_pb_FunctionDef *def, struct sl_arena *arena,
                           struct sl_error *err);

#endif
