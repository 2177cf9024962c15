/* The function of ParseExampleDataset as a graph, out of the ops that parse and pack: serialised examples and the
 * defaults of dense features go in, the features come out, by their keys. */
#ifndef SL_BACKENDS_ANY_PARSE_EXAMPLE_GRAPH_H
#define SL_BACKENDS_ANY_PARSE_EXAMPLE_GRAPH_H

#include "kernel/kernel.h"

struct sl_pb_GraphDef;
/* For the node of `setup`; in `arena`, and borrowed from the node. `*n_captured`: defaults. */
sl_code sl_parse_example_graph(struct sl_pb_GraphDef *out, int *n_captured, struct sl_kernel_setup *setup,
                               struct sl_arena *arena);

#endif
