/* The function-call hook: how kernels (If, While, PartitionedCall ...) run functions of the library without knowing
 * graphs or the executor. The runtime implements it. Threads: thread-safe. */
#ifndef SL_KERNEL_FUNCTIONS_H
#define SL_KERNEL_FUNCTIONS_H

#include "base/error.h"
#include "ops/attr.h"
#include "tensor/value.h"

struct sl_step_env;
struct sl_pb_GraphDef;
struct
    sl_function; /* one function with its attrs bound, compiled on first use; counted, and the runtime has all of them */

struct sl_functions {
    /* Finds or makes the instance of a function, which the caller holds until `release`. `device`: where its nodes go that
     * ask for none; "" for the default. */
    sl_code (*instantiate)(struct sl_function **out, struct sl_functions *self, struct sl_str name,
                           const struct sl_attrs *attrs, struct sl_str device, struct sl_error *err);
    /* The same for the gradient of a function with arguments x and results y: it takes x..., dy... and gives dx...
     * The member may be NULL. */
    sl_code (*instantiate_gradient)(struct sl_function **out, struct sl_functions *self, struct sl_str name,
                                    const struct sl_attrs *attrs, struct sl_str device, struct sl_error *err);
    /* Whether nodes of the function may keep states from one call to the next (counters of random ops), and the same
     * function for somebody whose calls are to have states of their own, likewise held. The members may be NULL: none
     * does. */
    bool (*keeps_states)(const struct sl_function *f);
    /* Whether one call gives many elements the bits that a call for each would give: the first `n_rows` arguments and all
     * results then have a new first dimension, and those behind them are scalars. Arguments with the same number in
     * `groups` must have the same shape. Such a call cannot fail for one element and not for another. The member may be
     * NULL: none is. */
    bool (*is_rowwise)(uint8_t *groups, const struct sl_function *f, int n_rows);
    /* One of its ops, or of those that it calls, with effects or a memory; prints, checks and the like do not count. */
    const char *(*stateful_op)(struct sl_function *f);
    /* What it computes as one number, whatever the names of functions are. The member may be NULL. */
    sl_code (*fingerprint)(uint64_t *out, struct sl_function *f, struct sl_error *err);
    sl_code (*with_own_states)(struct sl_function **out, struct sl_function *f, struct sl_error *err);
    /* One more holder, and one less, with no call of that one's under way. Both NULL: functions last without. */
    void (*hold)(struct sl_function *f);
    void (*release)(struct sl_function *f);
    /* For what outlives the steps that made it, as iterators do which sessions share: from `keep` to `let_go` there are functions,
     * pool and devices, also when who had made them is no more. Both NULL: they last without. */
    void (*keep)(struct sl_functions *self);
    void (*let_go)(struct sl_functions *self);
    /* A function that somebody wrote as a graph: what it takes and gives are its `_Arg` and `_Retval` nodes, its
     * functions become the library's. Held like the others, and nobody else finds it; it keeps its states from one
     * call to the next, whoever calls. The member may be NULL. */
    sl_code (*instantiate_graph)(struct sl_function **out, struct sl_functions *self,
                                 const struct sl_pb_GraphDef *graph, struct sl_error *err);
    /* A FunctionDefLibrary, encoded, with the functions of these names and all that they reach; in `arena`. NOT_FOUND
     * when one is not in the library (any more). The member may be NULL. */
    sl_code (*write_library)(struct sl_str *bytes, struct sl_functions *self, const struct sl_str *names, int n,
                             struct sl_arena *arena, struct sl_error *err);
    /* Number and base types of arguments and results. */
    void (*signature)(const struct sl_function *f, int *n_args, const uint8_t **arg_types, int *n_rets,
                      const uint8_t **ret_types);
    /* True when a call may have to wait for something outside of the step; such functions are called by
     * `call_async`. */
    bool (*is_async)(struct sl_function *f);
    /* Whether this is so for a function that these attrs of a node name. */
    bool (*attrs_wait)(struct sl_functions *self, const struct sl_attrs *attrs);
    /* Tells the trace that the step has of what this thread did from `start_ns` to now, within a node: not of functions, but
     * who calls the hook knows no more of traces. The member may be NULL. */
    void (*trace)(const struct sl_step_env *step, const char *name, const char *kind, int64_t start_ns);
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
