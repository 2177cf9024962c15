/* What stands behind a struct sl_meta_graph, for the files that read and write MetaGraphs. One owner. */
#ifndef SL_FRONT_META_GRAPH_H
#define SL_FRONT_META_GRAPH_H

#include "base/arena.h"
#include "base/error.h"
#include "base/vec.h"
#include "proto/gen/messages.h"
#include "sluice/meta_graph_file.h"

struct sl_meta_collection {
    const char *name;
    int kind; /* 0: a collection of nothing yet, as files may have */
    SL_VEC(struct sl_collection_item) items;
};

struct sl_meta_graph {
    struct sl_arena arena;             /* of all that follows */
    char *bytes;                       /* of the file; what strings of `message` point into */
    struct sl_pb_MetaGraphDef message; /* but for the collections */
    SL_VEC(struct sl_meta_collection *) collections;
};

/* Whether the bytes of a graph's file are those of a MetaGraphDef, not of a GraphDef. Both formats. */
bool sl_is_meta_graph(struct sl_str bytes);
/* Whether binary bytes begin with the node of a GraphDef. */
bool sl_begins_with_node(struct sl_str bytes);
/* Whether they are text. */
bool sl_is_graph_text(struct sl_str bytes);

/* Decodes either format; `bytes` must outlive the MetaGraph. */
sl_code sl_meta_graph_decode(struct sl_meta_graph *meta, struct sl_str bytes, struct sl_error *err);
/* The message with the collections of `from`; in the arena of `meta`. */
sl_code sl_meta_graph_fill(struct sl_meta_graph *meta, const struct sl_meta_graph *from, struct sl_error *err);
/* As the public functions; what they do is in the arena of `meta`. The graph's mutex is not held. */
sl_code sl_meta_graph_take(struct sl_meta_graph *meta, TF_Graph *graph, struct sl_error *err);
sl_code sl_meta_graph_give_saver(struct sl_meta_graph *meta, struct sl_error *err);

#endif
