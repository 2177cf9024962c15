/* Variables: values that outlive a step, and what they are at first.
 *
 *     struct sl_var w = sl_variable(s, "w", sl_initial_glorot(s, TF_FLOAT, SL_SHAPE(784, 10)));
 *     TF_Output y = sl_matmul(s, x, w.value);
 *     TF_Operation *init = sl_variables_init(s);      -- run it once, after everything is built
 *
 * Errors and threads: see sluice/scope.h. */
#ifndef SLUICE_VARIABLES_H
#define SLUICE_VARIABLES_H

#include "sluice/scope.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sl_var {
    TF_Output handle; /* the resource: what gradients are asked for, what ops of variables take */
    TF_Output value;  /* what it holds, read somewhere in the step; sl_read says when */
};

/* A variable of the type and shape of `initial`, trainable or not. Its operation, its shared name and its name in
 * checkpoints are the scopes around and `name`. Called within a loop or conditional, the variable is made outside of
 * it, and `initial` must be a value from there. */
SL_API struct sl_var sl_variable(struct sl_scope *scope, const char *name, TF_Output initial);
SL_API struct sl_var sl_variable_untrained(struct sl_scope *scope, const char *name, TF_Output initial);
/* What it holds after the operations of the control scopes around have run. */
SL_API TF_Output sl_read(struct sl_scope *scope, struct sl_var variable);
SL_API TF_Operation *sl_variable_assign(struct sl_scope *scope, struct sl_var variable, TF_Output value);
SL_API TF_Operation *sl_variable_add(struct sl_scope *scope, struct sl_var variable, TF_Output value);
/* Gives all variables made so far through this scope their initial values. */
SL_API TF_Operation *sl_variables_init(struct sl_scope *scope);
/* All variables made so far, and the trainable ones: the scope's, until the next is made. */
SL_API const struct sl_var *sl_variables(const struct sl_scope *scope, int *n);
SL_API const struct sl_var *sl_variables_trainable(const struct sl_scope *scope, int *n);

/* ---- initial values of a known shape */
SL_API TF_Output sl_initial_zeros(struct sl_scope *scope, TF_DataType type, struct sl_dims shape);
SL_API TF_Output sl_initial_ones(struct sl_scope *scope, TF_DataType type, struct sl_dims shape);
SL_API TF_Output sl_initial_filled(struct sl_scope *scope, TF_DataType type, struct sl_dims shape, double value);
/* Numbers from [low, high). */
SL_API TF_Output sl_initial_uniform(struct sl_scope *scope, TF_DataType type, struct sl_dims shape, double low,
                                    double high);
SL_API TF_Output sl_initial_normal(struct sl_scope *scope, TF_DataType type, struct sl_dims shape, double mean,
                                   double deviation);
/* The same, drawn again when further than two deviations from the mean. */
SL_API TF_Output sl_initial_truncated_normal(struct sl_scope *scope, TF_DataType type, struct sl_dims shape,
                                             double mean, double deviation);
/* Uniform within sqrt(6 / (in + out)) of 0 (Glorot and Bengio 2010), and normal, truncated, with a variance of 2 /
 * in (He et al. 2015). The last two sizes of `shape` are in and out, times the product of those before. */
SL_API TF_Output sl_initial_glorot(struct sl_scope *scope, TF_DataType type, struct sl_dims shape);
SL_API TF_Output sl_initial_he(struct sl_scope *scope, TF_DataType type, struct sl_dims shape);

#ifdef __cplusplus
}
#endif

#endif
