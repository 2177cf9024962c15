/* Folding: a node whose inputs are all known becomes a constant. Called by simplify.c. */
#ifndef SL_PASSES_FOLD_H
#define SL_PASSES_FOLD_H

#include "passes/optimise/rewrite.h"

/* Runs the node's kernel when the node has no effects, all inputs are constants, and its outputs are not larger
 * than the inputs or 100 KiB. True when constants replaced the node. When the kernel fails, the node stays, and
 * the run returns the error. */
bool sl_fold_node(struct sl_rewrite *r, struct sl_node *n);

#endif
