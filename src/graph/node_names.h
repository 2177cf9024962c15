/* The table of a graph's nodes by name: of ids alone, since names and their hashes stand in the nodes. Private to
 * src/graph. */
#ifndef SL_GRAPH_NODE_NAMES_H
#define SL_GRAPH_NODE_NAMES_H

#include "base/hash.h"
#include "graph/graph.h"

/* Room for `more` further names at once: 0, or -1 when memory is out. */
int sl_node_names_reserve(struct sl_graph *graph, size_t more);
/* The node stands in graph->nodes and has its name_hash; no other has its name. 0, or -1 when memory is out. */
int sl_node_names_add(struct sl_graph *graph, const struct sl_node *node);
/* Gives an empty table all names at once: `slots`, from sl_calloc, as they are here; `cap` a power of two. */
void sl_node_names_take(struct sl_graph *graph, uint32_t *slots, size_t cap, size_t n);
/* Where a name stands, or would: id + 1, or 0 for the caller to fill in (and count in names.n). Only after a
 * reservation. */
uint32_t *sl_node_names_slot(const struct sl_graph *graph, struct sl_str name, uint32_t hash);
/* NULL when there is none. `hash`: sl_hash_name of it. */
struct sl_node *sl_node_names_find(const struct sl_graph *graph, struct sl_str name, uint32_t hash);
/* Nothing happens when it is not there. */
void sl_node_names_remove(struct sl_graph *graph, const struct sl_node *node);

#endif
