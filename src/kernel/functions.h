/* The function-call hook: how kernels (If, While, PartitionedCall ...) run functions of the library without knowing
 * graphs or the executor. The runtime implements it. Threads: thread-safe. */
#ifndef SL_KERNEL_FUNCTIONS_H
#define SL_KERNEL_FUNCTIONS_H

#include "base/error.h"
#include "ops/attr.h"
#include "tensor/value.h"

struct sl_step_env;
struct sl_function; /* one function with its attrs bound, compiled on first use; lives as long as the runtime */

struct sl_functions {
    /* Finds or makes the instance of a function. `device`: where its nodes go that ask for none; "" for the default. */
    sl_code (*instantiate)(struct sl_function **out, struct sl_functions *self, struct sl_str name,
                           const struct sl_attrs *attrs, struct sl_str device, struct sl_error *err);
    /* The same for the gradient of a function with arguments x and results y: it takes x..., dy... and gives dx...
     * The member may be NULL. */
    sl_code (*instantiate_gradient)(struct sl_function **out, struct sl_functions *self, struct sl_str name,
                                    const struct sl_attrs *attrs, struct sl_str device, struct sl_error *err);
    /* Number and base types of arguments and results. */
    void (*signature)(const struct sl_function *f, int *n_args, const uint8_t **arg_types, int *n_rets,
                      const uint8_t **ret_types);
    /* True when a call may have to wait for something outside of the step; such functions are called by
     * `call_async`. */
    bool (*is_async)(struct sl_function *f);
    /* Whether this is so for a function that these attrs of a node name. */
    bool (*attrs_wait)(struct sl_functions *self, const struct sl_attrs *attrs);
    /* Runs it on this thread. Takes over the values of `args` (leaves them NONE); fills `rets` with values the
     * caller owns. */
    sl_code (*call)(struct sl_function *f, struct sl_step_env *env, struct sl_value *args, struct sl_value *rets,
                    struct sl_error *err);
    /* The same without holding the thread: `done` is called exactly once, from any thread, maybe before this
     * returns. `args`, `rets` and `err` stay valid until then. */
    void (*call_async)(struct sl_function *f, struct sl_step_env *env, struct sl_value *args, struct sl_value *rets,
                       struct sl_error *err, void (*done)(void *arg, sl_code code), void *arg);
};

#endif
