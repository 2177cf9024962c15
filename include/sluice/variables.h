/* Variables, which keep their values from one step to the next, and their initial values.
 *
 *     struct sl_var w = sl_variable(s, "w", sl_initial_glorot(s, TF_FLOAT, SL_SHAPE(784, 10)));
 *     TF_Output y = sl_matmul(s, x, w.value);
 *     TF_Operation *init = sl_variables_init(s);      -- call this when the graph is complete, and run `init` once
 *
 * Errors and threads: see sluice/scope.h. */
#ifndef SLUICE_VARIABLES_H
#define SLUICE_VARIABLES_H

#include "sluice/scope.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sl_var {
    TF_Output handle; /* the resource: for gradients, and for ops that read or change the variable */
    TF_Output value;  /* its value, read at no certain time in the step; where that matters, use sl_read */
};

/* A variable of the type and shape of `initial`, its initial value. Trainable variables are those that sl_minimize
 * changes. `name`, behind the prefix of the scope, is the name of its operation, its shared name, and its name in
 * checkpoints. Within a loop or conditional the variable is made outside of it, and `initial` must be from outside. */
SL_API struct sl_var sl_variable(struct sl_scope *scope, const char *name, TF_Output initial);
SL_API struct sl_var sl_variable_untrained(struct sl_scope *scope, const char *name, TF_Output initial);
/* The value after the operations of sl_push_control have run. */
SL_API TF_Output sl_read(struct sl_scope *scope, struct sl_var variable);
/* Operations that set the variable to `value`, and add `value` to it: of its type and shape. */
SL_API TF_Operation *sl_variable_assign(struct sl_scope *scope, struct sl_var variable, TF_Output value);
SL_API TF_Operation *sl_variable_add(struct sl_scope *scope, struct sl_var variable, TF_Output value);
/* An operation that gives all variables that this scope has made so far their initial values. */
SL_API TF_Operation *sl_variables_init(struct sl_scope *scope);
/* All variables that this scope has made so far, and the trainable ones: *n of them, in the order in which they were
 * made. The array is the scope's and is valid until the next variable is made. */
SL_API const struct sl_var *sl_variables(const struct sl_scope *scope, int *n);
SL_API const struct sl_var *sl_variables_trainable(const struct sl_scope *scope, int *n);

/* ---- initial values: tensors of type `type` and of `shape`, all of whose sizes must be known */
SL_API TF_Output sl_initial_zeros(struct sl_scope *scope, TF_DataType type, struct sl_dims shape);
SL_API TF_Output sl_initial_ones(struct sl_scope *scope, TF_DataType type, struct sl_dims shape);
SL_API TF_Output sl_initial_filled(struct sl_scope *scope, TF_DataType type, struct sl_dims shape, double value);
/* Uniformly distributed in [low, high). */
SL_API TF_Output sl_initial_uniform(struct sl_scope *scope, TF_DataType type, struct sl_dims shape, double low,
                                    double high);
/* Normally distributed. */
SL_API TF_Output sl_initial_normal(struct sl_scope *scope, TF_DataType type, struct sl_dims shape, double mean,
                                   double deviation);
/* The same, but a number further than two deviations from the mean is drawn again. */
SL_API TF_Output sl_initial_truncated_normal(struct sl_scope *scope, TF_DataType type, struct sl_dims shape,
                                             double mean, double deviation);
/* Uniform in [-limit, limit), limit = sqrt(6 / (in + out)) (Glorot and Bengio 2010); truncated normal with mean 0 and
 * variance 2 / in (He et al. 2015). For a shape [window..., inputs, outputs], `in` is inputs times the product of the
 * window's sizes, and `out` is outputs times that product. */
SL_API TF_Output sl_initial_glorot(struct sl_scope *scope, TF_DataType type, struct sl_dims shape);
SL_API TF_Output sl_initial_he(struct sl_scope *scope, TF_DataType type, struct sl_dims shape);

#ifdef __cplusplus
}
#endif

#endif
