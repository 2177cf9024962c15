/* Running ops that call functions so that their gradient can be taken. Private to src/tape. */
#ifndef SL_TAPE_EXECUTE_CALL_H
#define SL_TAPE_EXECUTE_CALL_H

#include "tape/execute_emitter.h"

/* Runs a call, for each tape that follows one of its inputs once more made into one that gives what the gradient reads;
 * and records it. `bound` and `inputs` live as long as the emitter's scratch. */
sl_code sl_execute_call(struct sl_term *out, struct sl_execute_emitter *e, const struct sl_op *op,
                        const struct sl_attrs *bound, const struct sl_term *inputs, int n, struct sl_error *err);
/* Runs the nodes of a call's gradient: `terms` by node id, those of what they read are set. */
sl_code sl_execute_nodes(struct sl_term *terms, struct sl_execute_emitter *e, struct sl_node *const *nodes, int n,
                         struct sl_error *err);
/* A call whose gradient is `of`, once more: as the gradient by all outputs that it has since it was extended for that
 * wants it. What the first run kept does not do. UNIMPLEMENTED for a call with effects, which would have them twice. */
struct sl_called_again {
    struct sl_call_gradient *gradient; /* of the extended call; a reference */
    struct sl_term *inputs;            /* of the extended call: those of the call, and what it takes beside */
    struct sl_term call;
};
sl_code sl_execute_call_again(struct sl_called_again *out, struct sl_execute_emitter *e, const struct sl_op *op,
                              struct sl_call_gradient *of, const struct sl_term *inputs, struct sl_error *err);
/* The term of a port, from those of nodes. */
static inline struct sl_term sl_port_term(const struct sl_term *terms, struct sl_port p) {
    if (!p.node) return SL_NO_TERM;
    return (struct sl_term){terms[p.node->id].of, terms[p.node->id].index + p.index};
}

/* ---- execute_emitter.c: runs an op that no tape hears of. `bound` and `inputs` are borrowed until the outcome is
 * released. */
sl_code sl_execute_silently(struct sl_outcome **out, struct sl_execute_emitter *e, const struct sl_op *op,
                            const struct sl_attrs *bound, const struct sl_term *inputs, int n, struct sl_error *err);

#endif
