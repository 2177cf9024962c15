/* Kernel instances of what rules emit again and again, by the name of the op, the types of its inputs and what attrs
 * were given: so that an op is not looked up, nor its attrs bound, each time. Private to src/tape; one owner, that of
 * the environment. */
#ifndef SL_TAPE_EMISSION_CACHE_H
#define SL_TAPE_EMISSION_CACHE_H

#include "tape/execute_emitter.h"

enum { SL_EMITTED_INPUTS = 16, SL_EMITTED_ATTRS = 4 }; /* more are not kept */

/* The instance that such an emission had before, borrowed; NULL: it is to be looked up. `types` are those of the
 * inputs. */
struct sl_kernel_instance *sl_emission_cache_find(const struct sl_execute_env *env, const struct sl_emission *what,
                                                  const uint8_t *types);
/* Keeps one, unless it is not shared with others anyway. When memory is out it is not kept. */
void sl_emission_cache_add(struct sl_execute_env *env, const struct sl_emission *what, const uint8_t *types,
                           struct sl_kernel_instance *instance);
void sl_emission_cache_clear(struct sl_execute_env *env);

#endif
