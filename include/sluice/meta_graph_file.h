/* MetaGraphs: a graph with its collections and the names of its Saver, as TensorFlow's .meta files have them. */
#ifndef SLUICE_META_GRAPH_FILE_H
#define SLUICE_META_GRAPH_FILE_H

#include "sluice/sluice.h"
#include "tensorflow/c/c_api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One owner. */
struct sl_meta_graph;

/* One without graph and collections. NULL: memory is out. */
SL_API struct sl_meta_graph *sl_meta_graph_new(TF_Status *status);
/* Reads a MetaGraphDef, binary or text: which of the two is seen from the contents. NULL on failure: NOT_FOUND,
 * INVALID_ARGUMENT, DATA_LOSS. The second form takes bytes that are in memory; what TF_LoadSessionFromSavedModel
 * gives, say. */
SL_API struct sl_meta_graph *sl_meta_graph_read(const char *path, TF_Status *status);
SL_API struct sl_meta_graph *sl_meta_graph_parse(const void *bytes, size_t size, TF_Status *status);
SL_API void sl_meta_graph_delete(struct sl_meta_graph *meta); /* NULL is fine */

/* Writes it, as text or binary. The file has its old or its new bytes at any time. */
SL_API void sl_meta_graph_write(struct sl_meta_graph *meta, const char *path, unsigned char as_text, TF_Status *status);

/* Adds its nodes and functions to `graph`, all or none; errors as of TF_GraphImportGraphDef. Names in collections
 * are as they were in the file, whatever prefix the options give. `options` may be NULL. */
SL_API void sl_meta_graph_import(struct sl_meta_graph *meta, TF_Graph *graph, const TF_ImportGraphDefOptions *options,
                                 TF_Status *status);
/* Takes the nodes and functions that `graph` has now, in place of those it had. */
SL_API void sl_meta_graph_set_graph(struct sl_meta_graph *meta, TF_Graph *graph, TF_Status *status);
/* Adds nodes that save and restore all variables of the graph (not to the TF_Graph that it came from), names them as
 * its Saver, and lists the variables in the collections `variables` and `trainable_variables` where those are
 * missing, so that TensorFlow can go on from it. Without variables there is no Saver. */
SL_API void sl_meta_graph_add_saver(struct sl_meta_graph *meta, TF_Status *status);

/* The tensors and the operation by which its Saver works. Strings are the MetaGraph's, until it changes. False when
 * there is none. */
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
/* The part that the kind has is set, the others are zero. Strings are NUL-terminated (not counted in `size`). */
struct sl_collection_item {
    const char *bytes; /* of nodes, bytes, messages */
    size_t size;
    const char *type_url; /* of messages */
    int64_t number;
    float real;
};

/* A collection by its number, from 0, in the order of the file; one of its items, from 0. Strings live as long as
 * the MetaGraph. False when there is no such number. */
SL_API unsigned char sl_meta_graph_collection(struct sl_collection *out, const struct sl_meta_graph *meta, int number);
SL_API unsigned char sl_meta_graph_item(struct sl_collection_item *out, const struct sl_meta_graph *meta,
                                        int collection, int number);
/* Appends an item, copied, to the collection of that name, which is made when it is missing. INVALID_ARGUMENT when
 * it is of another kind. */
SL_API void sl_meta_graph_add(struct sl_meta_graph *meta, const char *collection, enum sl_collection_kind kind,
                              const struct sl_collection_item *item, TF_Status *status);
/* Removes a collection; false when there is none of this name. */
SL_API unsigned char sl_meta_graph_drop(struct sl_meta_graph *meta, const char *collection);

#ifdef __cplusplus
}
#endif

#endif
