/* Input pipelines of a graph: which stages they have, what these take, call and give. One thread. */
#ifndef SLUICE_CLI_SHOW_PIPELINE_H
#define SLUICE_CLI_SHOW_PIPELINE_H

#include <stdbool.h>

#include "tensorflow/c/c_api.h"

/* On stdout, "table" (those in functions, too), "dot" or "svg". False when there is no stage, which has been said. */
bool show_pipeline(TF_Graph *graph, const char *form);

#endif
