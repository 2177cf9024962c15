/* When fetched reference variables are read. Called by the pipeline, after pruning. */
#ifndef SL_PASSES_FETCH_REFERENCES_H
#define SL_PASSES_FETCH_REFERENCES_H

#include "graph/graph.h"

/* In the graph of one run: a `_Retval` of a reference variable, or of an Identity of one, reads it after all nodes that write
 * it. Not for partial runs, whose writers may wait for what is fed later. */
sl_code sl_pass_fetch_references(struct sl_graph *graph, struct sl_error *err);

#endif
