/* The emission table: "add this op with these inputs and attrs, give me its outputs", whatever adding means, and what
 * is known of an output. A graph is one emitter (graph/graph_emitter.h): it adds a node. Execution is another
 * (tape/execute_emitter.h): it runs the op at once. Gradient rules are written on this table and nothing else.
 *
 * A term is one output of something emitted: the emitter's own handle and the position of the output. Only the emitter
 * knows what the handle is; everybody else asks. Terms are plain values, valid as long as their emitter. Threads: an
 * emitter has one owner. */
#ifndef SL_OPS_EMIT_H
#define SL_OPS_EMIT_H

#include "ops/attr.h"
#include "ops/op.h"
#include "ops/op_signature.h"
#include "tensor/shape.h"
#include "tensor/tensor.h"

struct sl_term {
    void *of; /* NULL: no term */
    int index;
};

#define SL_NO_TERM ((struct sl_term){NULL, 0})
static inline bool sl_term_is(struct sl_term t) { return t.of != NULL; }
static inline bool sl_term_eq(struct sl_term a, struct sl_term b) { return a.of == b.of && a.index == b.index; }

/* An op to be added. Types and numbers that follow from the inputs need not be among the attrs; a list argument takes
 * what the other arguments leave. All borrowed for the call. */
struct sl_emission {
    struct sl_str op;
    const struct sl_term *inputs;
    int n_inputs;
    const struct sl_attr *attrs;
    int n_attrs;
};

struct sl_emitter {
    /* Output 0 of the new op; output i is {out->of, i}. On failure nothing was added. */
    sl_code (*add)(struct sl_term *out, struct sl_emitter *self, const struct sl_emission *what, struct sl_error *err);
    /* A constant; the tensor is shared, and changes no more. */
    sl_code (*literal)(struct sl_term *out, struct sl_emitter *self, struct sl_tensor *value, struct sl_error *err);
    int (*dtype)(struct sl_emitter *self, struct sl_term t);                        /* base type */
    struct sl_shape (*shape)(struct sl_emitter *self, struct sl_term t);            /* what is known of it; borrowed */
    const struct sl_tensor *(*constant)(struct sl_emitter *self, struct sl_term t); /* borrowed; NULL: not known */
};

/* How `n` inputs spread over the arguments of an op. `given` has room for op->n_inputs items, `types` are those of the
 * inputs. Several lists share what is left evenly when they have one length (DynamicStitch), else as `attrs` says.
 * INVALID_ARGUMENT when they cannot. */
sl_code sl_emit_spread(struct sl_given_input *given, const struct sl_op *op, const struct sl_attrs *attrs,
                       const uint8_t *types, int n, struct sl_error *err);
/* The attrs of what is emitted: those that follow from the types of its inputs (as sl_attrs_infer finds them), then
 * what was given; to be bound. `node` is for messages. What is made is in `arena`. */
sl_code sl_emit_attrs(struct sl_attrs *out, struct sl_arena *arena, const struct sl_op *op,
                      const struct sl_emission *what, struct sl_emitter *emitter, struct sl_str node,
                      struct sl_error *err);

#endif
