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
    int number; /* of the graph in the model */
    struct sl_model_signature signature;
    TF_Graph *graph;
    TF_Session *session;
};
/* `tags` is a list with commas, NULL for the only graph or the one with the tag "serve"; `signature` NULL:
 * "serving_default", or the only one. False after an error, which has been printed. */
bool load_model(struct loaded_model *m, const char *dir, const char *tags, const char *signature,
                TF_SessionOptions *options);
void unload_model(struct loaded_model *m);
/* The input of the signature with this name; NULL when there is none. */
const struct sl_model_port *model_input(const struct loaded_model *m, const char *name);
/* The tensor's name behind an output of the signature, or else an input, or `name` itself. */
const char *model_output(const struct loaded_model *m, const char *name);

/* The same without a session: the graph alone, in which no variable has a value. */
bool load_model_graph(struct loaded_model *m, const char *dir, const char *tags, const char *signature);
/* What is in the directory, and the number of the graph with these tags, as load_model takes them. NULL, or -1, after an
 * error, which has been printed. */
struct sl_model *model_read(const char *dir);
int model_choose(const struct sl_model *model, const char *tags);
/* One of the model's graphs, the caller's; NULL after an error, which has been printed. */
TF_Graph *model_graph(const struct sl_model *model, int number);

/* For sluice show: tags and signatures of one of the graphs, and the variables, which need not be there. */
void print_signatures(const struct sl_model *model, int graph);
bool print_variables(const char *dir);

#endif
