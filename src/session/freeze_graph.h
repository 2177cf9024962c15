/* Freezing: a graph in which constants stand for variables, so that it runs without a checkpoint. Thread-safe, as
 * the session is. */
#ifndef SL_SESSION_FREEZE_GRAPH_H
#define SL_SESSION_FREEZE_GRAPH_H

#include "session/session.h"

/* What `outputs` need of `graph`, fed at `inputs` (first outputs of their nodes, which become placeholders), with
 * the values that the variables have now; in functions and loops, too. In `arena`, and borrowed from `graph`.
 * FAILED_PRECONDITION for a variable without a value, UNIMPLEMENTED, naming the node, for what changes variables or
 * keeps other resources. */
sl_code sl_freeze(struct sl_pb_GraphDef **out, struct sl_session *session, const struct sl_graph *graph,
                  const struct sl_port *inputs, int n_inputs, const struct sl_port *outputs, int n_outputs,
                  struct sl_arena *arena, struct sl_error *err);

#endif
