/* Effects: finds out what a run would change, without running it. */
#ifndef SLUICE_EFFECTS_H
#define SLUICE_EFFECTS_H

#include "sluice/sluice.h"
#include "tensorflow/c/c_api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* changes[i] is a node that would change something that outlives the run, if a run with these feeds had
 * operations[i] as its target; NULL when there is no such node. Variables, queues, tables, other resources and
 * files count. Reading, drawing random numbers, printing, and objects that the run makes for itself, such as
 * TensorArrays, do not. Nodes in functions count as well. An op whose effects are not known, such as one of a
 * plug-in, counts when it is stateful. `changes` has room for num_operations; all are NULL on failure. */
SL_API void sl_find_changes(TF_Operation **changes, TF_Graph *graph, const TF_Output *feeds, int num_feeds,
                            const TF_Operation *const *operations, int num_operations, TF_Status *status);

#ifdef __cplusplus
}
#endif

#endif
