/* Every node of a graph and of the functions that it names, under the names that nodes have when they run: NODE of the
 * function that CALL calls is "CALL/NODE" (sluice/function_graph.h has the rules). One thread. */
#ifndef SLUICE_CLI_GRAPH_WALK_H
#define SLUICE_CLI_GRAPH_WALK_H

#include "tensorflow/c/c_api.h"

struct walk; /* has the functions' bodies, which the nodes are in */
struct walk *walk_new(TF_Graph *graph);
void walk_free(struct walk *w);

struct walked {
    const char *name; /* for the call */
    TF_Graph *graph;  /* that has the node: the one walked through, or a body */
    TF_Operation *op;
    int depth; /* how many functions it is in */
};
/* Visits producers and consumers in the graph's order, and behind a node what is in its functions; arguments and results
 * of functions are passed over. A function that calls itself is entered once. */
void walk_each(struct walk *w, void (*visit)(const struct walked *node, void *arg), void *arg);
/* How many functions have been entered. */
int walk_functions(const struct walk *w);

#endif
