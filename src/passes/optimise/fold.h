/* Folding: a node whose inputs are all known becomes a constant. Called by the driver (simplify.c). */
#ifndef SL_PASSES_FOLD_H
#define SL_PASSES_FOLD_H

#include "passes/optimise/rewrite.h"

/* Runs the node's kernel once when that may be done ahead: no effects, known inputs, and outputs that are not larger
 * than the inputs or 100 KiB. True when the node was replaced. A kernel that fails leaves the node as it is: the run
 * will tell. */
bool sl_fold_node(struct sl_rewrite *r, struct sl_node *n);

#endif
