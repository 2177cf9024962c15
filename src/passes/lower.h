/* Lowering: replaces nodes that name functions by plain nodes, before placement. A call is replaced by the body of its
 * function; If, Case and While that have the attr _lower_using_switch_merge (front ends set it) become switches, merges
 * and loops, as in TensorFlow. A node that cannot be lowered stays, and calls its function when it runs: recursion,
 * references, bodies whose state is named after their nodes. Called by the pipeline. One owner. */
#ifndef SL_PASSES_LOWER_H
#define SL_PASSES_LOWER_H

#include "graph/graph.h"

struct sl_lower_options {
    const struct sl_graph *library; /* where functions are looked up; nobody changes it meanwhile */
    bool keep_control_flow;         /* calls only: ConfigProto.experimental.disable_functional_ops_lowering */
    bool unmarked_too;              /* also control flow without _lower_using_switch_merge */
    /* Of conditionals, what only results that nobody reads depend on is left out, effects too, as where a graph is lowered
     * before it is pruned. Not of the targets of the run, which do all that is in them. */
    bool drops_unread;
    struct sl_node *const *targets; /* may have NULLs */
    int n_targets;
    bool keep_names; /* an IdentityN of its results, or a NoOp, takes over the name of each node that is replaced */
};

/* Whether there is anything to lower. Looks once at each node. */
bool sl_pass_lower_needed(const struct sl_graph *graph);
/* In place. The graph takes over what the new nodes borrow. */
sl_code sl_pass_lower(struct sl_graph *graph, const struct sl_lower_options *options, struct sl_error *err);

#endif
