/* The second emitter on the same rows: gradients by a tape over ops that run one by one are those that a graph's nodes
 * give. */
#ifndef SL_TESTS_TAPE_AGREES_H
#define SL_TESTS_TAPE_AGREES_H

#include "capi/handles.h"
#include "graph/graph_emitter.h"

/* Of output y of `graph`, whose nodes up to now need no feeds, by the xs; with `second`, of the sum of those too.
 * `what` is for messages. */
void check_tape_agrees(TF_Graph *graph, struct sl_port y, const struct sl_port *xs, int n_xs, bool second,
                       const char *what);

#endif
