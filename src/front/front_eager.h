/* Scopes whose ops run at once (sluice/eager.h). A value of such a scope is an operation without inputs in an empty
 * graph, with a tensor handle behind each output: so whatever takes a TF_Output takes it.
 *
 * Used by front_*.c alone; functions that have a scope accept NULL. One owner, as the scope. */
#ifndef SL_FRONT_FRONT_EAGER_H
#define SL_FRONT_FRONT_EAGER_H

#include "front/front.h"
#include "sluice/gradient.h"

static inline bool sl_is_eager(const struct sl_scope *scope) { return scope && scope->eager; }
/* Whether a value is one of this eager scope, also when it has been freed. */
bool sl_is_eager_value(const struct sl_scope *scope, TF_Output value);

/* sl_op. */
TF_Operation *sl_eager_op_run(struct sl_scope *scope, const char *op, const struct sl_op_input *inputs, int n_inputs,
                              const struct sl_attr_given *attrs, int n_attrs);
/* A constant, whose elements are shared. */
TF_Output sl_eager_constant(struct sl_scope *scope, const TF_Tensor *tensor);
/* The rank of a value that is there, and its first `most` dimensions; -1 after a failure. */
int sl_eager_shape(struct sl_scope *scope, TF_Output value, int64_t *dims, int most);
/* Writes the shape, and of a variable's handle what the variable holds, where functions that capture the value look for
 * it. False after a failure, which the scope tells. */
bool sl_eager_tell_shape(struct sl_scope *scope, TF_Output value);

/* ---- values that are computed when somebody reads them: initial values, which are read once, or never */
typedef TF_Output sl_initial_function(struct sl_scope *scope, TF_DataType type, struct sl_dims shape, double a,
                                      double b);
/* `f` of these, now in a graph, later in an eager scope or in one that captures for it. */
TF_Output sl_initial_later(struct sl_scope *scope, sl_initial_function *f, TF_DataType type, struct sl_dims shape,
                           double a, double b);

/* ---- variables, of an eager scope or of the one around, where they are found by their names */
static inline bool sl_scope_makes_variables(const struct sl_scope *scope) {
    return scope && (scope->eager || scope->around);
}
/* The variable of that name, with the names around; it is made when it is not there. */
struct sl_var sl_eager_variable(struct sl_scope *scope, const char *name, TF_Output initial, bool is_trained);
/* The variable of which a value is what it holds; `oper` NULL: of none. */
TF_Output sl_eager_variable_of(TF_Output value);
/* The name of a variable, for those that belong to it. */
const char *sl_variable_name(struct sl_scope *scope, struct sl_var variable);

/* sl_scope_make_function's part. */
bool sl_eager_make_function(struct sl_scope_function *out, struct sl_scope *scope, const char *part,
                            const TF_DataType *types, const struct sl_dims *shapes, int n, sl_scope_body *body,
                            TF_DataType *ret_types, struct sl_dims *ret_shapes, int n_rets, void *arg);

/* ---- gradients by the scope's tape */
void sl_eager_gradients(struct sl_scope *scope, struct sl_slices *found, const TF_Output *ys, int n_ys,
                        const TF_Output *xs, int n_xs, bool keeps_slices);

/* sl_scope_delete's part. */
void sl_scope_end_eager(struct sl_scope *scope);
/* FAILED_PRECONDITION for what needs a graph; false then. */
bool sl_scope_needs_graph(struct sl_scope *scope, const char *what);

#endif
