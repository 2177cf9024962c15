/* Nodes of functions, when somebody names one. */
#ifndef SLUICE_CLI_INNER_NODES_H
#define SLUICE_CLI_INNER_NODES_H

#include "command.h"
#include "model.h"

/* Puts the bodies of functions in place of what calls them (sluice/function_graph.h), when --feed, --fetch, --target,
 * --init or --step name something that is neither of the signature nor a node as the graph stands: it may be a node of a
 * function. To be called before any name is looked up. False after an error, which has been printed. */
bool reach_inner_nodes(TF_Graph *graph, const struct loaded_model *m, const struct command *self, int argc,
                       char **argv);

#endif
