/* Loops and conditionals from C. Operations that a callback adds belong to the loop or branch. It may use values
 * from outside, which are captured.
 *
 *     static TF_Output less(struct sl_scope *s, const TF_Output *v, void *limit) { return sl_less(s, v[0], *(TF_Output *)limit); }
 *     static void twice(struct sl_scope *s, TF_Output *next, const TF_Output *v, void *arg) { next[0] = sl_add_v2(s, v[0], v[0]); }
 *     ...
 *     sl_while(s, &result, &start, 1, less, twice, &limit, NULL);
 *
 * Loops and conditionals nest, and gradients go through them. A value made inside must not be used outside, except
 * for the results. They become Switch, Merge, Enter, Exit and NextIteration operations or, where sl_push_functional
 * says so, While, If and Case operations whose functions the callbacks fill; captured values become further
 * arguments of these. `arg` is passed to the callbacks. Errors and threads: see sluice/scope.h; a callback may also
 * call sl_scope_fail. On failure nothing is added, and results are {NULL, 0}. */
#ifndef SLUICE_FLOW_H
#define SLUICE_FLOW_H

#include "sluice/scope.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sl_while_options {
    const char *name;            /* NULL: "while" */
    int64_t parallel_iterations; /* 0: 10 */
    bool shapes_vary;            /* the shapes of the variables may change from one iteration to the next */
    bool no_gradient;            /* gradients take the results as constants: nothing is kept of the iterations */
    bool recompute; /* gradients keep the variables alone, and compute each iteration again: see sl_recomputed */
};
/* While `cond`, a scalar bool of the n variables, is true: the variables become what `body` puts into `next`, of the
 * same types and, unless `shapes_vary`, shapes. `outputs` are the last ones. n is at least 1; `options` may be NULL. */
SL_API void sl_while(struct sl_scope *scope, TF_Output *outputs, const TF_Output *inputs, int n,
                     TF_Output (*cond)(struct sl_scope *scope, const TF_Output *variables, void *arg),
                     void (*body)(struct sl_scope *scope, TF_Output *next, const TF_Output *variables, void *arg),
                     void *arg, const struct sl_while_options *options);

/* Runs one side only, by `predicate`, a scalar bool; both fill n results of the same types. n is at least 1. */
SL_API void sl_cond(struct sl_scope *scope, TF_Output *outputs, int n, TF_Output predicate,
                    void (*then)(struct sl_scope *scope, TF_Output *outputs, void *arg),
                    void (*otherwise)(struct sl_scope *scope, TF_Output *outputs, void *arg), void *arg);
/* Runs the branch with the number `index`, a scalar int32; the last one when there is no such branch. */
SL_API void sl_case(struct sl_scope *scope, TF_Output *outputs, int n, TF_Output index,
                    void (*const *branches)(struct sl_scope *scope, TF_Output *outputs, void *arg), int num_branches,
                    void *arg);

/* n_outputs results of what `f` adds, made of `inputs` and of values from outside. Their gradient keeps these alone,
 * and computes the rest again: less memory for more time. `f` must not use variables as resources (sl_read,
 * handles): their gradient is UNIMPLEMENTED then. */
SL_API void sl_recomputed(struct sl_scope *scope, TF_Output *outputs, int n_outputs, const TF_Output *inputs,
                          int n_inputs,
                          void (*f)(struct sl_scope *scope, TF_Output *outputs, const TF_Output *inputs, void *arg),
                          void *arg);

/* ---- the same with existing functions, which are copied into the graph; functions that they call must be in the
 * graph already. `inputs` are all their arguments. */
/* `cond`: (variables) -> bool, `body`: (variables) -> variables. */
SL_API void sl_while_of(struct sl_scope *scope, TF_Output *outputs, const TF_Output *inputs, int n,
                        const TF_Function *cond, const TF_Function *body, const struct sl_while_options *options);
/* Branch number `index`, the last one when there is none; with a bool instead of an int32, `branches` are what to do
 * when it is true, and when it is false. */
SL_API void sl_case_of(struct sl_scope *scope, TF_Output *outputs, int n, TF_Output index,
                       const TF_Function *const *branches, int num_branches, const TF_Output *inputs, int num_inputs);

/* ---- element by element */
/* One result for each element of `elements` along its first dimension, in the same order: [n, ...]. `type` is that
 * of what `f` returns, 0: as `elements`. */
SL_API TF_Output sl_map(struct sl_scope *scope, TF_Output elements, TF_DataType type,
                        TF_Output (*f)(struct sl_scope *scope, TF_Output element, void *arg), void *arg);
/* Goes through `elements` along the first dimension with n states: `step` makes the next ones of the present ones
 * and an element. `last` gets the last states; `stacked`, for the first `num_stacked` states, the states after each
 * element: [elements, ...]. */
SL_API void sl_scan(struct sl_scope *scope, TF_Output *stacked, int num_stacked, TF_Output *last,
                    const TF_Output *initial, int n, TF_Output elements,
                    void (*step)(struct sl_scope *scope, TF_Output *next, const TF_Output *states, TF_Output element,
                                 void *arg),
                    void *arg);
/* The last state alone, of one. */
SL_API TF_Output sl_fold(struct sl_scope *scope, TF_Output initial, TF_Output elements,
                         TF_Output (*f)(struct sl_scope *scope, TF_Output state, TF_Output element, void *arg),
                         void *arg);

#ifdef __cplusplus
}
#endif

#endif
