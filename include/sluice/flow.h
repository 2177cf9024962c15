/* Loops and conditionals from C. A callback adds the operations of a condition, a body or a branch:
 *
 *     static TF_Output less(struct sl_scope *s, const TF_Output *v, void *limit) {
 *         return sl_less(s, v[0], *(TF_Output *)limit);
 *     }
 *     static void twice(struct sl_scope *s, TF_Output *next, const TF_Output *v, void *limit) {
 *         next[0] = sl_add_v2(s, v[0], v[0]);
 *     }
 *     ...
 *     sl_while(s, &result, &start, 1, less, twice, &limit, NULL);    -- doubles `start` until it reaches `limit`
 *
 * A callback is called once, before the function returns, in the same thread; `arg` is passed to it. It may use
 * values from outside, as `limit` here. What it makes must not be used outside, except for the results. Loops and
 * conditionals nest, and gradients go through them.
 *
 * They become Switch, Merge, Enter, Exit and NextIteration operations or, where sl_push_functional says so, While,
 * If and Case operations with functions; values from outside become further arguments of these.
 *
 * Errors and threads: see sluice/scope.h; a callback may also call sl_scope_fail. On failure nothing is added, and
 * results are {NULL, 0}. */
#ifndef SLUICE_FLOW_H
#define SLUICE_FLOW_H

#include "sluice/scope.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sl_while_options {
    size_t size;                 /* see SL_OPTIONS (sluice/sluice.h) */
    const char *name;            /* prefix of its operations; NULL: "while" */
    int64_t parallel_iterations; /* at most so many run at once; 0: 10 */
    bool shapes_vary;            /* the shapes of the variables may change from one iteration to the next */
    bool no_gradient;            /* gradients take the results for constants, so no values are kept for them */
    bool recompute;              /* gradients keep only the variables of each iteration: see sl_recomputed */
};
/* A loop with n variables, at least 1, whose first values are `inputs`. While `cond`, which returns a scalar bool, is
 * true, the variables become what `body` puts into `next`: values of the same types and, unless `shapes_vary`, of the
 * same shapes. `outputs`, room for n, gets the last values. `options` may be NULL. */
SL_API void sl_while(struct sl_scope *scope, TF_Output *outputs, const TF_Output *inputs, int n,
                     TF_Output (*cond)(struct sl_scope *scope, const TF_Output *variables, void *arg),
                     void (*body)(struct sl_scope *scope, TF_Output *next, const TF_Output *variables, void *arg),
                     void *arg, const struct sl_while_options *options);

/* The results of `then` when `predicate`, a scalar bool, is true, else those of `otherwise`; the other one does
 * not run. Both fill n outputs, at least 1, of the same types. */
SL_API void sl_cond(struct sl_scope *scope, TF_Output *outputs, int n, TF_Output predicate,
                    void (*then)(struct sl_scope *scope, TF_Output *outputs, void *arg),
                    void (*otherwise)(struct sl_scope *scope, TF_Output *outputs, void *arg), void *arg);
/* The n results of the branch with the number `index`, a scalar int32; of the last one when there is no such branch. */
SL_API void sl_case(struct sl_scope *scope, TF_Output *outputs, int n, TF_Output index,
                    void (*const *branches)(struct sl_scope *scope, TF_Output *outputs, void *arg), int num_branches,
                    void *arg);

/* Adds what `f` adds, which fills n_outputs outputs from `inputs` and values from outside. Their gradient keeps only
 * these, and computes what `f` adds a second time: it takes less memory and more time. `f` must not use variables as
 * resources (sl_read, handles): the gradient is UNIMPLEMENTED then. */
SL_API void sl_recomputed(struct sl_scope *scope, TF_Output *outputs, int n_outputs, const TF_Output *inputs,
                          int n_inputs,
                          void (*f)(struct sl_scope *scope, TF_Output *outputs, const TF_Output *inputs, void *arg),
                          void *arg);

/* ---- the same with existing functions, which are copied into the graph; functions that they call must be in the
 * graph already. `inputs` are all their arguments: such functions have no values from outside. */
/* `cond` takes the n variables and returns a scalar bool; `body` takes and returns the n variables. */
SL_API void sl_while_of(struct sl_scope *scope, TF_Output *outputs, const TF_Output *inputs, int n,
                        const TF_Function *cond, const TF_Function *body, const struct sl_while_options *options);
/* Calls the branch with the number `index`, as sl_case. When `index` is a bool there are two branches: the first is
 * called when it is true, the second when it is false. */
SL_API void sl_case_of(struct sl_scope *scope, TF_Output *outputs, int n, TF_Output index,
                       const TF_Function *const *branches, int num_branches, const TF_Output *inputs, int num_inputs);

/* ---- element by element */
/* A loop over the slices of `elements` along its first dimension: when that is [n, a, b], `element` is [a, b]. The
 * results of `f` for the slices, all of one shape, are stacked in the same order: [n, ...]. `type` is the type of these
 * results; 0: that of `elements`. */
SL_API TF_Output sl_map(struct sl_scope *scope, TF_Output elements, TF_DataType type,
                        TF_Output (*f)(struct sl_scope *scope, TF_Output element, void *arg), void *arg);
/* A loop over the slices of `elements` along its first dimension, with n states whose first values are `initial`:
 * `step` makes the next states from the present ones and a slice. `last`, room for n, gets the last states. stacked[i],
 * for the first `num_stacked` states, gets the values of state i after each slice, stacked: [slices, ...]. */
SL_API void sl_scan(struct sl_scope *scope, TF_Output *stacked, int num_stacked, TF_Output *last,
                    const TF_Output *initial, int n, TF_Output elements,
                    void (*step)(struct sl_scope *scope, TF_Output *next, const TF_Output *states, TF_Output element,
                                 void *arg),
                    void *arg);
/* sl_scan with one state, of which only the last value is wanted. */
SL_API TF_Output sl_fold(struct sl_scope *scope, TF_Output initial, TF_Output elements,
                         TF_Output (*f)(struct sl_scope *scope, TF_Output state, TF_Output element, void *arg),
                         void *arg);

#ifdef __cplusplus
}
#endif

#endif
