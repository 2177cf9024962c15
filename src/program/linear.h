/* The two halves of the linear form: structure (the guards of nodes, which outputs share a slot) and emission (order,
 * items, slots, liveness). Internal to the room; one owner. */
#ifndef SL_PROGRAM_LINEAR_H
#define SL_PROGRAM_LINEAR_H

#include "program/compilation.h"
#include "program/guard.h"

enum { SL_NO_PORT = UINT32_MAX, SL_MOST_LOOP_DEPTH = 64 };

enum sl_phase { SL_PHASE_CONDITION, SL_PHASE_BODY, SL_PHASE_TAIL };

struct sl_linear_loop {
    SL_VEC(struct sl_node *) enters;
    SL_VEC(struct sl_node *) merges;
    SL_VEC(struct sl_node *) exits;
    uint32_t gate;                             /* position in `sequence` before which all enters are */
    uint32_t guard;                            /* in the parent */
    uint32_t when_true, when_false;            /* guards of the loop's own condition */
    const struct sl_kernel_node *by_predicate; /* a Switch that goes by that, for messages */
};

struct sl_linear {
    struct sl_compilation *c;
    struct sl_guards guards;
    uint32_t *port_base; /* by node id: number of its output 0; port numbers are dense */
    uint32_t n_ports;
    uint32_t *root;            /* by port: the port whose slot it names; itself for most */
    uint32_t *node_guard;      /* by node id */
    uint32_t *port_guard;      /* by port, as its readers see it */
    uint8_t *phase;            /* by node id, within its frame; root frame: CONDITION */
    struct sl_node **sequence; /* producers first; all enters of a loop before anything inside */
    size_t n_sequence;
    struct sl_linear_loop *loops; /* by frame; [0] unused */
};

static inline uint32_t sl_port_number(const struct sl_linear *l, struct sl_port p) {
    return l->port_base[p.node->id] + (uint32_t)p.index;
}
static inline int sl_frame_of(const struct sl_linear *l, const struct sl_node *n) {
    return l->c->frames.of_node[n->id];
}
/* The frame that an Enter opens. */
int sl_child_frame(const struct sl_linear *l, const struct sl_node *enter);

/* A Merge that stands for a loop's variable: NextIteration feeds it. */
bool sl_is_loop_merge(const struct sl_linear *l, const struct sl_node *n);

/* False in `*fits`: no block structure. */
sl_code sl_linear_structure(bool *fits, struct sl_linear *l);
sl_code sl_linear_emit(struct sl_linear *l);
/* A reference read as a value: then the port gets a slot of its own and cannot be another name. */
static inline bool sl_needs_deref(const struct sl_node *n, int slot) {
    struct sl_port p = n->inputs[slot];
    return sl_dtype_is_ref(p.node->out_types[p.index]) && !sl_dtype_is_ref(n->in_types[slot]);
}

#endif
