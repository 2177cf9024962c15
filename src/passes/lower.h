/* Lowering: what names functions becomes plain nodes, before placement and for every engine. A call is replaced by
 * the body it calls; If, Case and While that carry the attr _lower_using_switch_merge (the front ends set it) become
 * switches, merges and loops. TensorFlow does the same. What cannot be lowered stays and calls its function when it
 * runs: recursion, references, bodies whose state is named after their nodes. Called by the pipeline. */
#ifndef SL_PASSES_LOWER_H
#define SL_PASSES_LOWER_H

#include "graph/graph.h"

struct sl_lower_options {
    const struct sl_graph *library; /* where functions are looked up; nobody changes it meanwhile */
    bool keep_control_flow;         /* calls only: ConfigProto.experimental.disable_functional_ops_lowering */
};

/* Whether there is anything to lower: no more than a look at each node. */
bool sl_pass_lower_needed(const struct sl_graph *graph);
/* In place. The graph takes over what the new nodes borrow. */
sl_code sl_pass_lower(struct sl_graph *graph, const struct sl_lower_options *options, struct sl_error *err);

#endif
