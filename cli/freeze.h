/* Graphs without variables, for commands that want no more than what a graph computes. One thread. */
#ifndef SLUICE_CLI_FREEZE_H
#define SLUICE_CLI_FREEZE_H

#include "initial_values.h"

/* What `sluice freeze` writes of a graph or a SavedModel when no input or output is named. The caller's; NULL after an
 * error, which has been printed. */
TF_Buffer *freeze_unasked(const struct variables_request *variables, const char *tags, const char *signature);

#endif
