/* SavedModels: what is in one, its graphs by tags and their signatures; writing one of a session; freezing.
 * TF_LoadSessionFromSavedModel makes a session of one. */
#ifndef SLUICE_SAVED_MODEL_FILE_H
#define SLUICE_SAVED_MODEL_FILE_H

#include "sluice/sluice.h"
#include "tensorflow/c/c_api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Immutable; any number of threads. All that it tells is its own, and NUL-terminated. */
struct sl_model;

/* Reads saved_model.pb or .pbtxt in a directory. NULL on failure: NOT_FOUND, DATA_LOSS, INVALID_ARGUMENT. */
SL_API struct sl_model *sl_model_read(const char *dir, TF_Status *status);
SL_API void sl_model_delete(struct sl_model *model); /* NULL is fine */

/* How many graphs there are; the tags of one, from 0: how many, and `*tags` when it is not NULL. -1 when there is no
 * such graph. */
SL_API int sl_model_graph_count(const struct sl_model *model);
SL_API int sl_model_graph_tags(const char *const **tags, const struct sl_model *model, int graph);

/* An input or output of a signature. */
struct sl_model_port {
    const char *name;
    const char *tensor; /* "node:0"; "" for what is not one dense tensor */
    TF_DataType type;
    int num_dims;        /* -1: not known */
    const int64_t *dims; /* -1: not known */
};
struct sl_model_signature {
    const char *name, *method;
    int num_inputs, num_outputs;
    const struct sl_model_port *inputs, *outputs; /* by name */
};
/* The signatures of a graph by number, from 0, sorted by name; those that TensorFlow made for itself ("__...") are
 * not among them. False when there is no such number. */
SL_API unsigned char sl_model_signature_at(struct sl_model_signature *out, const struct sl_model *model, int graph,
                                           int number);

/* Writes into `graph_def` (empty) a graph that computes `outputs` from `inputs` without variables: constants with
 * the values that they have in the session stand for them, in functions and loops, too. Inputs become placeholders.
 * FAILED_PRECONDITION for a variable without a value; UNIMPLEMENTED for what changes variables, and for tables and
 * other resources. */
SL_API void sl_freeze_session(TF_Buffer *graph_def, TF_Session *session, const TF_Output *inputs, int num_inputs,
                              const TF_Output *outputs, int num_outputs, TF_Status *status);

/* ---- writing */

struct sl_meta_graph; /* sluice/meta_graph_file.h */

/* A signature to be written: type and shape of its tensors are those of the graph. */
struct sl_export_port {
    const char *name;
    TF_Output tensor;
};
struct sl_export_signature {
    const char *name;   /* "serving_default" for the one that is used when nobody chooses */
    const char *method; /* NULL: "tensorflow/serving/predict" */
    int num_inputs, num_outputs;
    const struct sl_export_port *inputs, *outputs;
};
/* A file that goes along. The tensor, a constant string, names the file when the initialisation of a loaded model
 * runs. */
struct sl_export_asset {
    TF_Output tensor;
    const char *path;
};
struct sl_export {
    const char *const *tags;
    int num_tags; /* 0: "serve" */
    const struct sl_export_signature *signatures;
    int num_signatures;
    const struct sl_export_asset *assets;
    int num_assets;
    const TF_Operation *init; /* is run when the model is loaded, after its variables have their values; NULL: none */
    const struct sl_meta_graph *meta; /* its collections go along; NULL: none */
};

/* Writes the graph of a session, functions included, and the values that its variables have now as a SavedModel in
 * the directory `dir`, which must be missing or empty: ALREADY_EXISTS. The directory comes into being whole, by one
 * rename, after everything in it is on the disk; killed before that, what is left beside it is called DIR.<16
 * digits>.tmp. Nodes that save and restore are added to what is written, not to the graph. Tables and other
 * resources are not saved: `init` has to fill them. FAILED_PRECONDITION when a variable has no value; UNIMPLEMENTED
 * for variables of variants. `parts` may be NULL. */
SL_API void sl_model_write(const char *dir, TF_Session *session, const struct sl_export *parts, TF_Status *status);

#ifdef __cplusplus
}
#endif

#endif
