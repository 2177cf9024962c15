/* Function instances: a function of a runtime's library with its attrs bound, compiled by its first call. There is
 * one for the same function, attrs and device. Instances are counted: one that is taken from the library goes with its
 * last holder, the others with the runtime, whoever holds them. Drivers call these; kernels reach the same instances by
 * kernel/functions.h.
 *
 *     sl_instance_find(&f, runtime, SL_STR("square"), NULL, SL_STR(""), err);
 *     sl_runtime_begin_step(&env, runtime, NULL, 0, err);
 *     sl_instance_call(f, &env, args, rets, err);
 *     sl_runtime_end_step(&env);
 *     sl_instance_unref(f);
 *
 * Threads: thread-safe; any number of calls at once. */
#ifndef SL_RUNTIME_INSTANCES_H
#define SL_RUNTIME_INSTANCES_H

#include "runtime/runtime.h"

/* Finds or makes it, a new reference, and compiles nothing: recursion is fine. `attrs` may be NULL; `device`: where nodes of the body
 * go that ask for none, "" for the runtime's first. NOT_FOUND "Function NAME is not defined." */
sl_code sl_instance_find(struct sl_function **out, struct sl_runtime *runtime, struct sl_str name,
                         const struct sl_attrs *attrs, struct sl_str device, struct sl_error *err);
/* The same, with another way to place its nodes than the runtime's. */
sl_code sl_instance_find_placed(struct sl_function **out, struct sl_runtime *runtime, struct sl_str name,
                                const struct sl_attrs *attrs, struct sl_str device, bool is_soft, struct sl_error *err);
void sl_instance_unref(struct sl_function *f); /* no call of the caller's is under way */
/* Number and base types of arguments and results; the types are the instance's. */
void sl_instance_signature(const struct sl_function *f, int *n_args, const uint8_t **arg_types, int *n_rets,
                           const uint8_t **ret_types);
/* The device, of the runtime's, where a result is computed; of what always lies on the host, the first. After a call. */
int sl_instance_ret_device(const struct sl_function *f, int ret);
/* The program of its body; makes it when nobody has yet, and else gives it at once. */
sl_code sl_instance_program(struct sl_program **out, struct sl_function *f, struct sl_error *err);
/* Whether a node that fails cancels the step that it runs in: in bodies that are not straight lines. Makes the program. */
sl_code sl_instance_cancels(bool *out, struct sl_function *f, struct sl_error *err);
/* Runs it within the step, on this thread. The values of `args` are taken over (left NONE, also on failure); `rets`
 * are the caller's, all NONE after a failure. RESOURCE_EXHAUSTED when calls are nested too deep. */
sl_code sl_instance_call(struct sl_function *f, struct sl_step_env *env, struct sl_value *args, struct sl_value *rets,
                         struct sl_error *err);
/* The same without holding the thread: `done` is called exactly once, from any thread, maybe before this returns;
 * `args`, `rets`, `err` and what `env` points to stay valid until then. */
void sl_instance_start(struct sl_function *f, struct sl_step_env *env, struct sl_value *args, struct sl_value *rets,
                       struct sl_error *err, void (*done)(void *arg, sl_code code), void *arg);

#endif
