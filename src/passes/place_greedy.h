/* Placement by a simulation of the step: each group of nodes goes where it would be finished first. Called by
 * place.c. */
#ifndef SL_PASSES_PLACE_GREEDY_H
#define SL_PASSES_PLACE_GREEDY_H

#include "passes/colocate.h"

/* Chooses for all groups that have a node to simulate: `chosen`, by the first node of a group, is set where it was
 * -1. Left at -1: sources of one value, `_Arg` and `_Retval`, and groups whose request no device meets.
 * `options->costs` must be there. */
sl_code sl_place_greedily(int *chosen, struct sl_groups *groups, const struct sl_place_options *options,
                          struct sl_arena *scratch, struct sl_error *err);

/* Estimate of one run of a node, in ns, by its kernel's row and the shapes that are known. */
double sl_place_cost(const struct sl_node *n, const struct sl_place_costs *costs);

#endif
