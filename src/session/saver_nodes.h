/* A Saver, as TensorFlow's readers expect one, added to the message of a graph: nodes that save and restore every
 * variable of the graph, each under the name of its node. One owner. */
#ifndef SL_SESSION_SAVER_NODES_H
#define SL_SESSION_SAVER_NODES_H

#include "base/arena.h"
#include "base/error.h"
#include "ops/op.h"
#include "proto/gen/messages.h"

/* Whether nodes of the op called `name` are variables. */
bool sl_is_variable_op(struct sl_op_registry *registry, struct sl_str name);

/* Adds the nodes to `meta->graph_def`, in the first free of the scopes save, save_1 and so on, and makes
 * `meta->saver_def` name them. `variables` gets a VariableDef for each variable, encoded, in the order of the nodes.
 * A graph without variables stays as it is, and has no saver. What is made is in `arena`. */
sl_code sl_saver_nodes_add(struct sl_pb_array_str *variables, struct sl_pb_MetaGraphDef *meta,
                           struct sl_op_registry *registry, struct sl_arena *arena, struct sl_error *err);

#endif
