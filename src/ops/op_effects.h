/* What an op does besides giving its outputs, and what is known of them: the facts of its row. Ops registered while
 * running, and functions, have those that are safe: all that an op with their flags, types and attrs could do.
 * Immutable; thread-safe.
 *
 * State is what lives on when a node has run. A handle (a resource, or a reference) leads to some of it: what READS
 * and WRITES say of an input argument is meant of the state behind the handles that come in by it. A reference that
 * comes out of an op leads where one that went in does. Two nodes may change places when neither writes state that
 * the other one reads or writes. */
#ifndef SL_OPS_OP_EFFECTS_H
#define SL_OPS_OP_EFFECTS_H

#include "ops/op.h"

/* Members of sl_op.facts. The words of rows are the same without SL_OP_; the five of enum sl_op_flag stand beside
 * them. */
enum sl_op_fact {
    /* handles that come out */
    SL_OP_MAKES = 1 << 5,  /* lead to state that this execution made: nobody else has them */
    SL_OP_NAMES = 1 << 6,  /* lead to state found under a name, which is made when there is none */
    SL_OP_SHARES = 1 << 7, /* lead to the state behind the handles that come in, or to a part of it */
    /* what no handle leads to */
    SL_OP_HIDDEN = 1 << 8, /* reads and writes state of the runtime or of the kernel: stages, rendezvous, stores */
    SL_OP_DRAWS = 1 << 9,  /* random numbers, from a generator of the node's own */
    SL_OP_READS_OUTSIDE = 1 << 10,  /* reads files, clocks, streams, peers */
    SL_OP_WRITES_OUTSIDE = 1 << 11, /* writes files, prints, publishes, ends the process */
    SL_OP_WAITS = 1 << 12,          /* may wait for another node, step or process */
    SL_OP_CALLS = 1 << 13,          /* does what the functions in its attrs do, to what they are given */
    SL_OP_CHECKS = 1 << 14,         /* is there to fail when values are not as promised */
    /* outputs */
    SL_OP_ELEMENTWISE = 1 << 15,   /* an element is made of the elements in its place, after broadcasting */
    SL_OP_FUSABLE = 1 << 16,       /* may be a step of an _ElementwiseProgram */
    SL_OP_SAME_ELEMENTS = 1 << 17, /* output i has the elements of input i in their order, maybe in another shape */
    SL_OP_TELLS_SHAPE = 1 << 18,   /* tells of the shapes of the inputs; their elements are not looked at */
    SL_OP_FED = 1 << 19,           /* the value is the caller's: nodes with equal attrs have different ones */
    /* what savers look for */
    SL_OP_VARIABLE = 1 << 20, /* its handles are of variables */
    SL_OP_SAVES = 1 << 21,    /* writes tensors to a checkpoint */
    SL_OP_RESTORES = 1 << 22  /* reads tensors from a checkpoint */
};

enum sl_effects { SL_EFFECTS_NONE, SL_EFFECTS_READS, SL_EFFECTS_CHANGES };

/* All of `facts`. */
static inline bool sl_op_has(const struct sl_op *op, uint32_t facts) { return (op->facts & facts) == facts; }

/* The effect on what is behind the handles of an input argument. The last bit stands for all arguments from there
 * on. */
static inline enum sl_effects sl_op_effects_on(const struct sl_op *op, int arg) {
    const int bit = arg < SL_OP_MASK_BITS ? arg : SL_OP_MASK_BITS - 1;
    if (op->writes >> bit & 1) return SL_EFFECTS_CHANGES;
    return op->reads >> bit & 1 ? SL_EFFECTS_READS : SL_EFFECTS_NONE;
}

/* The effect on all that no handle leads to, taken as one thing. What checks or calls counts when it is stateful: it
 * may not run before a change that comes before it. To find state by its name is to read. */
static inline enum sl_effects sl_op_effects_at_large(const struct sl_op *op) {
    uint32_t changes = SL_OP_HIDDEN | SL_OP_DRAWS | SL_OP_WRITES_OUTSIDE | SL_OP_WAITS;
    if (sl_op_is_stateful(op)) changes |= SL_OP_CALLS | SL_OP_CHECKS;
    if (op->facts & changes) return SL_EFFECTS_CHANGES;
    return op->facts & (SL_OP_NAMES | SL_OP_READS_OUTSIDE) ? SL_EFFECTS_READS : SL_EFFECTS_NONE;
}

/* Whether nothing but its outputs comes of a node, and inputs and attrs tell them: it may be computed ahead, once
 * for equal ones, or not at all. (It may fail: see SL_OP_CHECKS.) */
static inline bool sl_op_is_pure(const struct sl_op *op) {
    const uint32_t more = SL_OP_MAKES | SL_OP_NAMES | SL_OP_SHARES | SL_OP_HIDDEN | SL_OP_DRAWS | SL_OP_READS_OUTSIDE |
                          SL_OP_WRITES_OUTSIDE | SL_OP_WAITS | SL_OP_FED;
    return !sl_op_is_stateful(op) && op->index != SL_OP_NO_ROW && !(op->facts & more) && !op->reads && !op->writes;
}

/* Whether an attr is a function, or a list of them. */
bool sl_op_takes_functions(const struct sl_op *op);

#endif
