/* Inference through calls, for infer.c alone to offer and import and capi to profit from. Private to src/graph. */
#ifndef SL_GRAPH_INFER_H
#define SL_GRAPH_INFER_H

#include "graph/graph.h"

/* Merges the shapes of attr _output_shapes into those inferred. */
sl_code sl_node_merge_shapes(struct sl_graph *graph, struct sl_node *node, const struct sl_pb_AttrValue_ListValue *list,
                             struct sl_error *err);

#endif
