/* Signatures: what types go into a node and come out of it, once its attrs are known, and the other way round, which
 * attrs follow from the types of its inputs. Pure functions; thread-safe. */
#ifndef SL_OPS_OP_SIGNATURE_H
#define SL_OPS_OP_SIGNATURE_H

#include "ops/attr.h"
#include "ops/op.h"

/* Types of all inputs and outputs in order, lists expanded; a reference is the base type + 100, 0 is a type that an
 * unbound placeholder leaves open. The arrays are in the arena. */
struct sl_signature {
    int n_inputs, n_outputs;
    const uint8_t *inputs, *outputs;
};

/* More tensors than this on one side of a node are refused. */
enum { SL_SIGNATURE_MAX = 1 << 20 };

/* `bound`: from sl_attrs_bind for this op. INVALID_ARGUMENT when a list is too long. */
sl_code sl_op_signature(struct sl_signature *out, struct sl_arena *arena, const struct sl_op *op,
                        const struct sl_attrs *bound, struct sl_error *err);
/* Whether a node has as many data inputs as its signature: "NodeDef expected inputs 'float, float' do not match
 * ...". */
sl_code sl_signature_check(const struct sl_signature *signature, const struct sl_op *op, int n_inputs,
                           struct sl_str node, struct sl_error *err);
/* Where an argument's tensors stand among the inputs (outputs): first and count. `bound` as above. */
void sl_op_input_range(int *first, int *n, const struct sl_op *op, int arg, const struct sl_attrs *bound);
/* The argument that input `i` of a node belongs to. */
int sl_op_input_arg(const struct sl_op *op, int i, const struct sl_attrs *bound);
void sl_op_output_range(int *first, int *n, const struct sl_op *op, int arg, const struct sl_attrs *bound);

/* Whether an output of type `given` may be read by an input of type `wanted`: the same, or a reference read as its base
 * type. */
static inline bool sl_types_fit(int wanted, int given) { return wanted == given || wanted == sl_dtype_base(given); }

/* What a builder was given for one input argument: one tensor, or a list (which may be empty). */
struct sl_given_input {
    bool is_list;
    int n; /* 1 unless is_list */
    const uint8_t *types;
};
/* Attrs that follow from inputs (types, numbers, lists of types), with those of `given` behind them, to be bound.
 * Says all that does not fit, in TensorFlow's words: "Inconsistent values for attr 'T' DT_FLOAT vs. DT_INT32 while
 * building NodeDef 'NODE' using Op<...>". */
sl_code sl_attrs_infer(struct sl_attrs *out, struct sl_arena *arena, const struct sl_op *op,
                       const struct sl_given_input *inputs, int n_inputs, const struct sl_attrs *given,
                       struct sl_str node, struct sl_error *err);

/* UNIMPLEMENTED when graphs of that producer version may not use the op any more. */
sl_code sl_op_check_version(const struct sl_op *op, int producer, struct sl_error *err);

#endif
