/* Running an op for many values at once. A *stack* is a value that stands for `batch` values of the emitter: they are
 * stacked along a first dimension, and whoever asks for its shape hears that of one of them. An op that takes a stack
 * gives stacks: by one op, where a rule for batches knows which, else by that op for each of the values.
 *
 * So the backward pass of a tape runs once for many gradients: Jacobians (derivatives.h). Private to src/tape. */
#ifndef SL_TAPE_EXECUTE_BATCH_H
#define SL_TAPE_EXECUTE_BATCH_H

#include "tape/execute_emitter.h"

/* sl_execute, where some input is a stack. UNIMPLEMENTED for values that cannot be stacked. */
sl_code sl_execute_batch(struct sl_term *out, struct sl_execute_emitter *e, const struct sl_op *op,
                         const struct sl_attrs *bound, const struct sl_term *inputs, int n, struct sl_error *err);
/* Says that all outputs of what a term is of are stacks, or that they are not. */
static inline struct sl_term sl_term_as_batch(struct sl_term t, bool is_batch) {
    ((struct sl_outcome *)t.of)->is_batch = is_batch;
    return t;
}

#endif
