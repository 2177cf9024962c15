/* How the variables of a graph get values before a run: by their initialisers, from a checkpoint. One thread. */
#ifndef SLUICE_CLI_INITIAL_VALUES_H
#define SLUICE_CLI_INITIAL_VALUES_H

#include "model.h"
#include "sluice/saver.h"

/* What the command line says of them. */
struct variables_request {
    const char *path;       /* of the graph or the SavedModel */
    const char *checkpoint; /* prefix or directory; NULL: none */
    bool init;
};

/* Runs initialisers and restores, in this order, as far as it is asked for. `model` is that of a SavedModel (its
 * session NULL: the graph is from a file). False after an error, which has been printed. */
bool prepare_variables(TF_Session *session, TF_Graph *graph, const struct loaded_model *model,
                       const struct variables_request *request);
/* A saver for the graph: with the Saver that its file or its SavedModel tells of. NULL after an error, which `status`
 * has. `options` has all but that. */
struct sl_saver *make_saver(TF_Graph *graph, const struct loaded_model *model, const char *path,
                            struct sl_saver_options options, TF_Status *status);
/* After a run that failed: how variables get values, when they had none. */
void hint_variables(TF_Status *status, const struct variables_request *request);

#endif
