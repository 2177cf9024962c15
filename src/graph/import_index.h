/* An import under way: the NodeDefs by name, what each reads and who reads it. Private to src/graph; one owner. */
#ifndef SL_GRAPH_IMPORT_INDEX_H
#define SL_GRAPH_IMPORT_INDEX_H

#include "graph/graph.h"
#include "graph/tensor_name.h"

struct sl_import_entry {
    const struct sl_pb_NodeDef *def;
    struct sl_node *node;                 /* NULL until made */
    uint32_t first_source;                /* what it reads: sources[first_source] and on, one for each input */
    uint32_t first_consumer, n_consumers; /* who reads it: consumers[first_consumer] and on, one for each input */
    uint32_t pending;                     /* inputs to wait for */
};

struct sl_import_source {
    int entry; /* of the GraphDef; ~i: mappings[i] says what is read */
    int index; /* output; -1: control */
};

struct sl_import {
    struct sl_graph *graph;
    const struct sl_pb_GraphDef *def;
    const struct sl_import_options *options;
    struct sl_arena scratch;      /* everything below lives here */
    struct sl_str prefix;         /* with its slash, or empty */
    bool names_are_free;          /* no name can be that of an older node: the graph was empty, or the prefix is new */
    bool has_renamed;             /* some node is not called prefix + its own name */
    int producer;                 /* version of who wrote the GraphDef */
    size_t first_node;            /* what the graph had before */
    struct sl_str device;         /* of the last node, in the graph's arena */
    SL_VEC(struct sl_attr) given; /* attrs of the node being made */
    const struct sl_pb_AttrValue_ListValue *shapes; /* its _output_shapes; NULL: none */

    struct sl_import_entry *entries; /* in order of the GraphDef */
    size_t n;
    struct sl_import_source *sources;
    uint32_t *consumers;   /* entry numbers */
    uint64_t *ready;       /* bit set of entries that wait for nothing */
    size_t first_ready;    /* no bit is set in the words before */
    struct sl_map by_name; /* -> entry */
    struct sl_map mapped;  /* node name -> mapping number + 1; the others of that node follow in next_mapping */
    int *next_mapping;
    bool *mapping_used;
    struct sl_map scopes; /* scopes of the GraphDef's names; filled when a free name is searched for */

    struct sl_back_edge {
        struct sl_node *node;
        int slot; /* -1: control */
        struct sl_import_source source;
        struct sl_back_edge *next;
    } * back_edges, **last_back_edge;
    struct sl_error *err;
};

/* Decides the prefix, checks all names and options, links inputs to entries; fills everything above. */
sl_code sl_import_index(struct sl_import *im);
/* The number of the first entry that waits for nothing, taken off the set; -1 when there is none. */
long sl_import_next_ready(struct sl_import *im);
/* Entries that read this one wait for one input less. */
void sl_import_notify(struct sl_import *im, const struct sl_import_entry *entry);
/* A name for a new node, in the graph's arena: prefix and, where that is allowed and needed, a number. */
sl_code sl_import_new_name(struct sl_str *out, struct sl_import *im, struct sl_str name);
void sl_import_release(struct sl_import *im);

static inline struct sl_import_entry *sl_import_find(const struct sl_import *im, struct sl_str name) {
    return sl_map_get(&im->by_name, name);
}
/* The mapping of this tensor name, or -1. */
int sl_import_mapping_of(const struct sl_import *im, struct sl_tensor_name name);

#endif
