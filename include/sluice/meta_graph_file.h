/* MetaGraphs: a graph, its collections and the names of its Saver, as in TensorFlow's .meta files. */
#ifndef SLUICE_META_GRAPH_FILE_H
#define SLUICE_META_GRAPH_FILE_H

#include "sluice/sluice.h"
#include "tensorflow/c/c_api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One thread at a time may use a MetaGraph. */
struct sl_meta_graph;

/* An empty one: no graph, no collections. NULL when memory is out. */
SL_API struct sl_meta_graph *sl_meta_graph_new(TF_Status *status);
/* Reads a MetaGraphDef from a file, binary or text, which it finds out by the contents; from bytes in memory, such as
 * the meta_graph_def of TF_LoadSessionFromSavedModel. NULL on failure: NOT_FOUND, INVALID_ARGUMENT, DATA_LOSS. */
SL_API struct sl_meta_graph *sl_meta_graph_read(const char *path, TF_Status *status);
SL_API struct sl_meta_graph *sl_meta_graph_parse(const void *bytes, size_t size, TF_Status *status);
SL_API void sl_meta_graph_delete(struct sl_meta_graph *meta); /* NULL is fine */

/* Writes it, as text or binary. The file is replaced in one step: a failure leaves the old one. */
SL_API void sl_meta_graph_write(struct sl_meta_graph *meta, const char *path, unsigned char as_text, TF_Status *status);

/* Adds its nodes and functions to `graph`, all or none. Errors: those of TF_GraphImportGraphDef. A prefix in the
 * options does not change the names in the collections. `options` may be NULL. */
SL_API void sl_meta_graph_import(struct sl_meta_graph *meta, TF_Graph *graph, const TF_ImportGraphDefOptions *options,
                                 TF_Status *status);
/* Replaces its nodes and functions by those that `graph` has now; later changes of `graph` do not matter to it. */
SL_API void sl_meta_graph_set_graph(struct sl_meta_graph *meta, TF_Graph *graph, TF_Status *status);
/* Adds a Saver: nodes of the MetaGraph (not of the TF_Graph that it was made from) that save and restore all variables.
 * If the collections `variables` and `trainable_variables` are missing, they are made, with all variables. TensorFlow
 * can then restore and train the graph. Without variables it adds nothing. */
SL_API void sl_meta_graph_add_saver(struct sl_meta_graph *meta, TF_Status *status);

/* The tensors and the operation of its Saver, by name: what to feed with the prefix of a checkpoint, what to fetch to
 * save, what to run to restore. The strings are the MetaGraph's and are valid until it changes. False when it has no
 * Saver. */
struct sl_saver_names {
    const char *filename_tensor, *save_tensor, *restore_op;
};
SL_API unsigned char sl_meta_graph_saver(struct sl_saver_names *out, struct sl_meta_graph *meta);

/* ---- collections */

enum sl_collection_kind {
    SL_COLLECTION_NODES = 1, /* names of tensors and operations */
    SL_COLLECTION_BYTES,     /* encoded messages for the most part: VariableDef, WhileContextDef, QueueRunnerDef ... */
    SL_COLLECTION_INTS,
    SL_COLLECTION_FLOATS,
    SL_COLLECTION_MESSAGES /* encoded messages with the name of their type */
};
struct sl_collection {
    const char *name;
    enum sl_collection_kind kind;
    int count;
};
/* An item. The members of its kind are set, the others are 0. `bytes` are NUL-terminated; `size` does not count
 * that. */
struct sl_collection_item {
    const char *bytes; /* of nodes, bytes, messages */
    size_t size;
    const char *type_url; /* of messages */
    int64_t number;
    float real;
};

/* The collection with the number `number`, from 0, in the order of the file; an item of a collection, from 0. Strings
 * live as long as the MetaGraph. False when there is no such number. */
SL_API unsigned char sl_meta_graph_collection(struct sl_collection *out, const struct sl_meta_graph *meta, int number);
SL_API unsigned char sl_meta_graph_item(struct sl_collection_item *out, const struct sl_meta_graph *meta,
                                        int collection, int number);
/* Appends a copy of `item` to a collection, which is made when it is missing. INVALID_ARGUMENT when the collection
 * is of another kind. */
SL_API void sl_meta_graph_add(struct sl_meta_graph *meta, const char *collection, enum sl_collection_kind kind,
                              const struct sl_collection_item *item, TF_Status *status);
/* Removes a collection; false when there is none of this name. */
SL_API unsigned char sl_meta_graph_drop(struct sl_meta_graph *meta, const char *collection);

#ifdef __cplusplus
}
#endif

#endif
