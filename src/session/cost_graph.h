/* What the nodes of a step have cost, as a CostGraphDef: for RunMetadata. */
#ifndef SL_SESSION_COST_GRAPH_H
#define SL_SESSION_COST_GRAPH_H

#include "exec/step_record.h"
#include "graph/graph.h"

/* What is known of a node that ran. */
struct sl_node_cost {
    const struct sl_recorded_event *event; /* the last one; NULL: it is no work */
    int64_t longest_ns;                    /* of all its runs */
};
struct sl_cost_source {
    struct sl_node_cost (*cost_of)(const struct sl_cost_source *source, const struct sl_node *node);
};

/* Graphs one after the other, each with a source and a sink before its nodes; all in `arena`, which the graphs
 * outlive. */
sl_code sl_cost_graph_make(struct sl_pb_CostGraphDef **out, struct sl_graph *const *graphs, size_t n_graphs,
                           const struct sl_cost_source *source, struct sl_arena *arena, struct sl_error *err);
/* Appends the nodes of `more`, in the arena: their numbers go on. `*all` NULL: a new one. */
sl_code sl_cost_graph_append(struct sl_pb_CostGraphDef **all, const struct sl_pb_CostGraphDef *more,
                             struct sl_arena *arena, struct sl_error *err);

#endif
