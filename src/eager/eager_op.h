/* An op on its way to being executed: what is called, with which inputs and attrs, where.
 *
 *     SL_TRY(sl_eager_op_new(&op, context, SL_STR("AddV2"), err));
 *     SL_TRY(sl_eager_op_add(op, a, err));                                 T follows from the first input
 *     SL_TRY(sl_eager_op_add(op, b, err));
 *     SL_TRY(sl_eager_execute(&sum, &n, op, err));                         n: room before, outputs after
 *     sl_eager_op_free(op);
 *
 * An op may be executed again, with inputs added anew. One owner. */
#ifndef SL_EAGER_EAGER_OP_H
#define SL_EAGER_EAGER_OP_H

#include "eager/eager_context.h"
#include "eager/eager_handle.h"

enum { SL_EAGER_FEW_INPUTS = 8 };

struct sl_eager_op {
    struct sl_eager_context *context; /* a reference */
    const struct sl_op *op;
    struct sl_function_def *function; /* a reference: `op` is its signature; NULL for an op */
    struct sl_eager_attrs attrs;
    struct sl_eager_handle **inputs, *few[SL_EAGER_FEW_INPUTS]; /* one reference each */
    int n_inputs, inputs_cap;
    int next_arg; /* the argument that the next input belongs to; -1: nothing more follows from inputs */
    struct sl_cancellation *cancellation; /* borrowed; NULL: nobody's */
    const char *device;                   /* as asked for, canonical; "" for none. In `device_text` */
    char device_text[SL_DEVICE_TEXT];
};

/* NOT_FOUND "'NAME' is neither a type of a primitive operation nor a name of a function registered ...". */
sl_code sl_eager_op_new(struct sl_eager_op **out, struct sl_eager_context *context, struct sl_str name,
                        struct sl_error *err);
void sl_eager_op_free(struct sl_eager_op *op); /* NULL is fine */
/* Makes another op of it: inputs, attrs and cancellation go. On failure it is an op without name, which only resetting
 * and freeing may follow. */
sl_code sl_eager_op_reset(struct sl_eager_op *op, struct sl_str name, struct sl_str device, struct sl_error *err);
/* INVALID_ARGUMENT "Malformed device specification ...". */
sl_code sl_eager_op_set_device(struct sl_eager_op *op, struct sl_str device, struct sl_error *err);

/* One input, or one list argument. The handles are shared. INVALID_ARGUMENT for more inputs than the op has arguments,
 * and for a list where the op takes none. */
sl_code sl_eager_op_add(struct sl_eager_op *op, struct sl_eager_handle *input, struct sl_error *err);
sl_code sl_eager_op_add_list(struct sl_eager_op *op, struct sl_eager_handle *const *inputs, int n,
                             struct sl_error *err);
void sl_eager_op_drop_inputs(struct sl_eager_op *op);

/* Bound attrs, defaults filled in; in `arena`. */
sl_code sl_eager_op_bind(struct sl_attrs *out, struct sl_arena *arena, const struct sl_eager_op *op,
                         struct sl_error *err);

/* ---- eager_execute.c
 * Runs it, or gives it to the thread's executor. `*n`: room in `outputs`; then how many there are, each the caller's
 * reference. INVALID_ARGUMENT when there is too little room. On failure there are no outputs. Inputs are gone once the
 * kernel was reached, also when it failed. */
sl_code sl_eager_execute(struct sl_eager_handle **outputs, int *n, struct sl_eager_op *op, struct sl_error *err);

#endif
