/* SavedModels for the commands that take one in place of a graph. One thread. */
#ifndef SLUICE_CLI_MODEL_H
#define SLUICE_CLI_MODEL_H

#include "command.h"
#include "sluice/saved_model_file.h"

/* Whether `path` is a directory, which then is a SavedModel. */
bool is_directory(const char *path);

/* A model that is ready to run, and the signature in use (its `name` NULL: none). */
struct loaded_model {
    struct sl_model *model;
    struct sl_model_signature signature;
    TF_Graph *graph;
    TF_Session *session;
};
/* `tags` is a list with commas, NULL for the only graph or the one with the tag "serve"; `signature` NULL:
 * "serving_default", or the only one. False after an error, which has been printed. */
bool load_model(struct loaded_model *m, const char *dir, const char *tags, const char *signature,
                TF_SessionOptions *options);
void unload_model(struct loaded_model *m);
/* The tensor's name behind an input or output of the signature, or `text` itself. */
const char *model_tensor(const struct loaded_model *m, const char *text);

/* sluice show DIRECTORY. */
int show_model(const char *dir);

#endif
