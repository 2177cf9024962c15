/* A graph as an emitter (ops/emit.h): a term is a port, `of` its node. Nodes are called SCOPE/Op, SCOPE/Op_1 ...
 *
 * Everything it adds comes after `first` in the graph, so that taking it back is one call. One owner, as the graph. */
#ifndef SL_GRAPH_GRAPH_EMITTER_H
#define SL_GRAPH_GRAPH_EMITTER_H

#include "graph/graph.h"
#include "ops/emit.h"

struct sl_graph_emitter {
    struct sl_emitter base;
    struct sl_graph *graph;
    struct sl_arena *scratch;  /* borrowed; grows with each op */
    struct sl_str scope;       /* without the slash; "": none */
    struct sl_str device;      /* of new nodes */
    struct sl_node *colocated; /* new nodes ask to be where this one is; NULL: anywhere */
    struct sl_node *anchor;    /* control input of new nodes that have no input at all; NULL: none */
    struct sl_node *control;   /* control input of the next new node; NULL: none */
};

void sl_graph_emitter_init(struct sl_graph_emitter *e, struct sl_graph *graph, struct sl_str scope,
                           struct sl_arena *scratch);
/* What `add` of a graph emitter does, for emitters that are made of one and do more. */
sl_code sl_graph_emit(struct sl_term *out, struct sl_graph_emitter *e, const struct sl_emission *what,
                      struct sl_error *err);

static inline struct sl_port sl_port_of(struct sl_term t) { return (struct sl_port){t.of, t.index}; }
static inline struct sl_term sl_term_of(struct sl_port p) { return (struct sl_term){p.node, p.index}; }

/* Takes all nodes from position `first` on, and the functions and gradients of functions from theirs on, out of the
 * graph, as if they had never been added. */
struct sl_graph_mark {
    size_t nodes, functions, gradients;
};
struct sl_graph_mark sl_graph_mark(const struct sl_graph *graph);
void sl_graph_roll_back(struct sl_graph *graph, struct sl_graph_mark mark);

#endif
