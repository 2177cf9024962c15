/* Gradients of calls that were made before: making one differentiates functions, and what it makes has to be compiled.
 * Private to src/tape. */
#ifndef SL_TAPE_CALL_CACHE_H
#define SL_TAPE_CALL_CACHE_H

#include "tape/execute_emitter.h"

/* The gradient of a call of the same op, attrs, types and shapes, a new reference; NULL: there is none. Whoever made it
 * may have seen other functions of those names: a name means one function in an environment. */
struct sl_call_gradient *sl_call_cache_find(const struct sl_execute_env *env, const struct sl_call_spec *spec);
/* Keeps one. When memory is out it is not kept. */
void sl_call_cache_add(struct sl_execute_env *env, const struct sl_call_spec *spec, struct sl_call_gradient *made);
void sl_call_cache_clear(struct sl_execute_env *env);

#endif
