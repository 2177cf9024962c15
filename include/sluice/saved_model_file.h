/* SavedModels: listing the graphs and signatures of one, and writing one from a session; freezing a graph. To run one,
 * make a session of it by TF_LoadSessionFromSavedModel. */
#ifndef SLUICE_SAVED_MODEL_FILE_H
#define SLUICE_SAVED_MODEL_FILE_H

#include "sluice/sluice.h"
#include "tensorflow/c/c_api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is in a SavedModel. Any number of threads may use it. Strings and arrays that it gives are its own. */
struct sl_model;

/* Reads saved_model.pb or saved_model.pbtxt in `dir`. NULL on failure: NOT_FOUND, DATA_LOSS, INVALID_ARGUMENT. */
SL_API struct sl_model *sl_model_read(const char *dir, TF_Status *status);
SL_API void sl_model_delete(struct sl_model *model); /* NULL is fine */

/* How many graphs there are. How many tags the graph with the number `graph`, from 0, has, -1 when there is no such
 * graph; puts the tags into `*tags` unless `tags` is NULL. */
SL_API int sl_model_graph_count(const struct sl_model *model);
SL_API int sl_model_graph_tags(const char *const **tags, const struct sl_model *model, int graph);

/* Adds the nodes and functions of one of its graphs, without values of variables, to `graph`, which is empty:
 * INVALID_ARGUMENT otherwise, and when there is no graph of this number. */
SL_API void sl_model_graph(TF_Graph *graph, const struct sl_model *model, int number, TF_Status *status);

/* An input or output of a signature. One that is a sparse tensor counts as three, NAME/indices, NAME/values and
 * NAME/dense_shape; one of another composite type as its components, NAME/0, NAME/1 ... */
struct sl_model_port {
    const char *name;
    const char *tensor; /* as in "node:0"; "" when the signature does not say */
    TF_DataType type;
    int num_dims;        /* -1: the rank is not known */
    const int64_t *dims; /* -1: the size is not known */
};
struct sl_model_signature {
    const char *name, *method;
    int num_inputs, num_outputs;
    const struct sl_model_port *inputs, *outputs; /* sorted by name */
};
/* The signature of a graph with the number `number`, from 0, sorted by name. TensorFlow's internal signatures ("__...")
 * are left out. False when there is no such number. */
SL_API unsigned char sl_model_signature_at(struct sl_model_signature *out, const struct sl_model *model, int graph,
                                           int number);

struct sl_saver_names; /* sluice/meta_graph_file.h */
/* The nodes that save and restore the variables of a graph. The strings belong to the model. False when it has no such
 * nodes, or there is no such graph. */
SL_API unsigned char sl_model_saver(struct sl_saver_names *out, const struct sl_model *model, int graph);

/* Freezes: writes a GraphDef that computes `outputs` from `inputs` into `graph_def`, which must be empty. In it,
 * also in its functions and loops, each variable is replaced by a constant with the value that it has in the
 * session. Inputs become placeholders. FAILED_PRECONDITION when a variable has no value; UNIMPLEMENTED when the
 * outputs depend on operations that change variables, or on tables and other resources. */
SL_API void sl_freeze_session(TF_Buffer *graph_def, TF_Session *session, const TF_Output *inputs, int num_inputs,
                              const TF_Output *outputs, int num_outputs, TF_Status *status);

/* ---- writing */

struct sl_meta_graph; /* sluice/meta_graph_file.h */

/* A signature to be written. The types and shapes of its tensors come from the graph. */
struct sl_export_port {
    const char *name;
    TF_Output tensor;
};
struct sl_export_signature {
    const char *name;   /* "serving_default" is the one that programs use by default */
    const char *method; /* NULL: "tensorflow/serving/predict" */
    int num_inputs, num_outputs;
    const struct sl_export_port *inputs, *outputs;
};
/* A file that is copied into the SavedModel. When the model is loaded, `tensor`, a constant scalar of type string, is
 * the path of the copy while `init` runs. */
struct sl_export_asset {
    TF_Output tensor;
    const char *path;
};
struct sl_export {
    size_t size; /* see SL_OPTIONS (sluice/sluice.h) */
    const char *const *tags;
    int num_tags; /* 0: "serve" */
    const struct sl_export_signature *signatures;
    int num_signatures;
    const struct sl_export_asset *assets;
    int num_assets;
    const TF_Operation *init; /* is run when the model is loaded, after its variables have their values; NULL: none */
    const struct sl_meta_graph *meta; /* its collections are written too; NULL: none */
};

/* Writes a SavedModel: the graph of a session with its functions, and the values that its variables have now.
 * `dir` must be missing or empty, else ALREADY_EXISTS. It appears complete, by one rename, after all is on the
 * disk; if the process is killed before that, DIR.<16 digits>.tmp is left beside it. Nodes that save and restore
 * are added to what is written, not to the graph. Tables and other resources are not saved: `init` has to fill
 * them. FAILED_PRECONDITION when a variable has no value; UNIMPLEMENTED for variables of variants. `parts` may be
 * NULL. */
SL_API void sl_model_write(const char *dir, TF_Session *session, const struct sl_export *parts, TF_Status *status);

#ifdef __cplusplus
}
#endif

#endif
