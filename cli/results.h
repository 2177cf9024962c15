/* What is fetched of a graph when nobody says. One thread. */
#ifndef SLUICE_CLI_RESULTS_H
#define SLUICE_CLI_RESULTS_H

#include "tensorflow/c/c_api.h"

/* The outputs of all results (command.h) that can be computed without changing variables, files or the like; `n` gets
 * how many. The other results are named on stderr. The array is the caller's. */
TF_Output *harmless_results(int *n, TF_Graph *graph, const TF_Output *feeds, int n_feeds);

#endif
