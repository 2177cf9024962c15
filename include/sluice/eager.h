/* Running ops as they are called, from C: a scope whose ops run at once, over the handles of TensorFlow's eager C API.
 *
 *     struct sl_scope *s = sl_eager_scope_new(NULL, status);
 *     TF_Output x = sl_constant_of(s, TF_FLOAT, SL_SHAPE(2, 2), (const float[]){1, 2, 3, 4});
 *     TF_Output y = sl_matmul(s, x, sl_relu(s, x));                       -- sluice/ops.h, layers.h, train.h ...
 *     sl_print(s, "y =", y);
 *     if (!sl_scope_ok(s)) fprintf(stderr, "%s\n", sl_scope_message(s));
 *     sl_scope_delete(s);
 *
 * It is a struct sl_scope: the functions that add operations to a graph run them here, so one function can do both, and
 * the first error is kept as there. A TF_Output is a value then. What differs:
 *
 *   values     belong to the scope, and are freed by sl_eager_end, or with the scope. Functions that begin with TF_
 *              do not take them, but for TF_OperationOutputType and the like
 *   variables  are found again by their name and the names that were pushed: sl_variable, and so a layer, makes a
 *              variable when it is called for the first time, and later calls use it. An initial value (sl_initial_...) is
 *              computed when a variable is made of it. sl_variables_init has nothing to do
 *   gradients  are those of what ran since sl_record: sl_gradients, sl_compute_gradients, sl_minimize
 *   flow       sl_while, sl_cond and sl_case look at their conditions and call what is to be run
 *   order      ops run in the order of the calls: sl_push_control and sl_group change nothing
 *   a graph    is needed by sl_placeholder, sl_training_new, sl_while_of and sl_case_of: FAILED_PRECONDITION; and by
 *              what takes a TF_Graph
 *
 * One thread at a time may use a scope. */
#ifndef SLUICE_EAGER_H
#define SLUICE_EAGER_H

#include "sluice/scope.h"
#include "sluice/variables.h"
#include "tensorflow/c/eager/c_api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A scope over a context, which is borrowed and must outlive it; NULL: over one of its own. */
SL_API struct sl_scope *sl_eager_scope_new(TFE_Context *context, TF_Status *status);
/* The context, borrowed; NULL for a scope of a graph. */
SL_API TFE_Context *sl_scope_context(const struct sl_scope *scope);

/* ---- values. Those that are made after sl_eager_begin are freed by its sl_eager_end, but for variables and what is
 * kept: sl_eager_keep hands a value (all outputs of its op) to the blocks around, or to the scope. Blocks nest. In a
 * graph these do nothing. */
SL_API void sl_eager_begin(struct sl_scope *scope);
SL_API void sl_eager_end(struct sl_scope *scope); /* FAILED_PRECONDITION when nothing has begun */
SL_API TF_Output sl_eager_keep(struct sl_scope *scope, TF_Output value);

/* A value of a handle, which is shared; the handle of a value, borrowed: valid as long as the value. */
SL_API TF_Output sl_value_of_handle(struct sl_scope *scope, TFE_TensorHandle *handle);
SL_API TFE_TensorHandle *sl_handle_of(struct sl_scope *scope, TF_Output value);
/* Copies the elements of a value that has this type and so many elements: see sl_tensor_read (sluice/tensors.h), but
 * strings are none here. After a failure the array is as before. */
SL_API void sl_eager_read(struct sl_scope *scope, void *elements, TF_Output value, TF_DataType type, int64_t count);
/* A value of one element as a number; 0 after a failure. */
SL_API double sl_number_of(struct sl_scope *scope, TF_Output value);
/* Writes `label`, a space and the value to the standard output, and ends the line: at once, or whenever the operation
 * that is returned runs, in a graph. Of each dimension it writes the first and the last three. */
SL_API TF_Operation *sl_print(struct sl_scope *scope, const char *label, TF_Output value);

/* ---- gradients. From here on the scope's tape records, until the gradients are taken; what it recorded before is
 * forgotten. It watches the scope's trainable variables, also those that are made later. sluice/tape.h has more: several
 * tapes, gradients of gradients, Jacobians. In a graph these do nothing. */
SL_API void sl_record(struct sl_scope *scope);
/* It also watches this value. */
SL_API void sl_watch(struct sl_scope *scope, TF_Output value);

/* ---- functions. A body that is called once, with a scope that adds to a graph, and becomes a function, which runs
 * compiled. It may use variables and values of the eager scope: those are what they are when it is called, and variables
 * may be made by it. `inputs` say of which types and shapes its arguments are. */
struct sl_captured;
typedef void sl_captured_body(struct sl_scope *scope, TF_Output *outputs, const TF_Output *inputs, void *arg);
/* NULL on failure, which the scope tells. All that the body adds is run by a call, in the order that its inputs and
 * sl_push_control say: assignments to a variable and reads of it among them. */
SL_API struct sl_captured *sl_capture(struct sl_scope *scope, const char *name, const TF_Output *inputs, int num_inputs,
                                      sl_captured_body *body, int num_outputs, void *arg);
/* Calls it: `inputs` of the types that it was captured with; `outputs` has room for its outputs. */
SL_API void sl_call(struct sl_scope *scope, TF_Output *outputs, const struct sl_captured *captured,
                    const TF_Output *inputs);
/* NULL is fine. Before its scope is deleted. */
SL_API void sl_captured_delete(struct sl_captured *captured);

#ifdef __cplusplus
}
#endif

#endif
