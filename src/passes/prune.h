/* Pruning: from the client's graph and what a run feeds and fetches, the graph that has to run. Called by the
 * pipeline. */
#ifndef SL_PASSES_PRUNE_H
#define SL_PASSES_PRUNE_H

#include "graph/graph.h"

struct sl_prune_request {
    const struct sl_port *feeds, *fetches;
    struct sl_node *const *targets;
    int n_feeds, n_fetches, n_targets;
    bool is_partial; /* fetched and fed bit by bit */
    bool is_served;  /* feeds and fetches have the names that they have at TensorFlow's servers */
    size_t n_nodes;  /* nodes of the client's graph that may be used: those with a smaller id */
};

/* Makes a new graph: every node that a fetch or target depends on, an `_Arg` (attr index) in place of each feed,
 * and a `_Retval` (attr index) for each fetch. It borrows names, attrs and ops of the client's graph. It reads no
 * part of that graph that grows, so the client may add nodes meanwhile. INVALID_ARGUMENT and NOT_FOUND with
 * TensorFlow's texts for requests that make no sense. */
sl_code sl_pass_prune(struct sl_graph **out, const struct sl_prune_request *request, struct sl_op_registry *registry,
                      struct sl_error *err);

/* The same for the body of a function, in place: keeps what results, control results and stateful nodes depend on,
 * and all arguments. */
sl_code sl_pass_prune_body(struct sl_body *body, struct sl_error *err);
/* What is needed of a body: sets `keep`, by id and zero before, for arguments, results, control results and what
 * these depend on; with `keeps_effects` also for stateful nodes. What a result depends on that is `unread` (by result; NULL:
 * none is) does not count. */
sl_code sl_pass_needed_in_body(bool *keep, const struct sl_body *body, bool keeps_effects, const bool *unread,
                               struct sl_error *err);

#endif
