/* What a run waits for, as a chain to its end: the sentences of the library (sl_explain_step), and what the graph says of
 * each: who could end the wait, and whether the run will come to that. */
#ifndef SLUICE_CLI_STUCK_H
#define SLUICE_CLI_STUCK_H

#include "sluice/explain.h"
#include "tensorflow/c/c_api.h"

/* A run of a graph; borrowed. */
struct stuck_run {
    TF_Graph *graph;
    const TF_Output *feeds, *fetches;
    const TF_Operation *const *targets;
    int n_feeds, n_fetches, n_targets;
    const struct sl_source_lines *lines; /* where nodes were made */
};
/* Prints on stderr; `sentences` are lines. */
void stuck_explain(const struct stuck_run *run, const char *sentences);

#endif
