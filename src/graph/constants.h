/* What build, edges and inference need of constants.c. Private to src/graph. */
#ifndef SL_GRAPH_CONSTANTS_H
#define SL_GRAPH_CONSTANTS_H

#include "graph/graph.h"

/* Forgets all values. */
void sl_constants_free(struct sl_graph *graph);
/* Forgets the values of the nodes from `first` on. */
void sl_constants_truncate(struct sl_graph *graph, size_t first);

/* A vector of int32 or int64 read as a shape, as far as it is known: through Shape, Pack, Concat, StridedSlice,
 * Cast; else by its value; else by its length. Dims are in the graph's arena. INVALID_ARGUMENT when it can be no
 * shape. */
sl_code sl_constants_shape(struct sl_shape *out, struct sl_graph *graph, struct sl_port port, struct sl_error *err);

#endif
