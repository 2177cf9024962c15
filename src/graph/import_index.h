/* An import under way: the nodes of the GraphDef by name, what each reads and who reads it. Private to src/graph;
 * one owner. */
#ifndef SL_GRAPH_IMPORT_INDEX_H
#define SL_GRAPH_IMPORT_INDEX_H

#include "graph/graph.h"
#include "graph/tensor_name.h"

/* What nodes alike have in common: op, device, attrs. Found in the GraphDef, and made fit for nodes (bound) with the
 * first of them. Nodes of a GraphDef as bytes share one when these bytes are the same; in a message each has its
 * own. */
struct sl_import_kind {
    struct sl_str op_name, wanted_device;
    const struct sl_pb_NodeDef *def; /* of a message; NULL: `rest` tells */
    struct sl_str rest;              /* bytes of the attrs and of what follows them */
    bool is_merge, is_next, is_bound;

    const struct sl_op *op; /* from here on once bound; all in the graph's arena */
    struct sl_str device;
    struct sl_attrs attrs;
    struct sl_signature signature;
    const struct sl_pb_AttrValue_ListValue *shapes; /* _output_shapes; NULL: none */
    const struct sl_node_notes *notes;
    struct sl_import_kind *next_colocated; /* those that have _class */
};

struct sl_import_entry {
    struct sl_str name; /* as in the GraphDef */
    struct sl_import_kind *kind;
    struct sl_node *node; /* NULL until made */
    const void *inputs;   /* their names, for sl_import_input */
    uint32_t n_inputs : 31;
    bool is_mixed : 1;                    /* a data input stands behind a control input */
    uint32_t hash;                        /* of the name */
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
    const struct sl_import_options *options;
    struct sl_arena scratch; /* everything below lives here */

    /* What is imported: filled by import_read.c. */
    struct sl_import_entry *entries; /* in order of the GraphDef */
    size_t n;
    bool is_bytes;                   /* not a message: */
    struct sl_str bytes;             /* these */
    SL_VEC(struct sl_str) functions; /* FunctionDefs as bytes, which come before those of `library` */
    const struct sl_pb_FunctionDefLibrary *library;
    const struct sl_pb_VersionDef *versions;

    struct sl_str prefix;         /* with its slash, or empty */
    bool names_are_free;          /* no name can be that of an older node: the graph was empty, or the prefix is new */
    bool has_renamed;             /* some node is not called prefix + its own name */
    size_t first_node;            /* what the graph had before */
    struct sl_str device;         /* of the last kind, in the graph's arena */
    SL_VEC(struct sl_attr) given; /* attrs of the kind being bound */
    SL_VEC(char) name;            /* of the node being made */
    struct sl_import_kind *colocated;

    struct sl_import_source *sources;
    bool is_straight; /* import_straight.c makes the nodes: there are neither entries nor what follows */
    uint32_t *slots;  /* entries by name: number + 1; 0: free. Linear probing; `n_slots`, a power of two */
    size_t n_slots;
    bool is_whole;   /* the graph will be the GraphDef: ids are entry numbers, and `slots` becomes its table of names */
    bool is_ordered; /* every node stands behind what it reads: what follows is not needed */
    uint32_t *consumers;      /* entry numbers */
    uint64_t *ready;          /* bit set of entries that wait for nothing */
    size_t first_ready;       /* no bit is set in the words before */
    struct sl_str_map mapped; /* node name -> mapping number + 1; the others of that node follow in next_mapping */
    int *next_mapping;
    bool *mapping_used;
    struct sl_str_map scopes; /* scopes of the GraphDef's names; filled when a free name is searched for */

    struct sl_back_edge {
        struct sl_node *node;
        int slot; /* -1: control */
        struct sl_import_source source;
        struct sl_back_edge *next;
    } * back_edges, **last_back_edge;
    struct sl_error *err;
};

/* ---- reading (graph/import_read.c) */
sl_code sl_import_read_message(struct sl_import *im, const struct sl_pb_GraphDef *def);
/* `*is_usual` is false when the bytes are malformed, or well formed in a way that is not read here: then they have
 * to be decoded as a message. Attrs are looked at only when their kind is bound. */
sl_code sl_import_begin_bytes(bool *is_usual, struct sl_import *im, struct sl_str bytes); /* all but the nodes */
sl_code sl_import_read_bytes(bool *is_usual, struct sl_import *im);
/* The next input's name; `*at` begins as entry->inputs and may be read entry->n_inputs times. */
struct sl_str sl_import_input(const struct sl_import *im, const void **at);

/* ---- making nodes (graph/import.c) */
/* Finds the op of a kind, checks and keeps its attrs. The first of the kind is called `node` in the GraphDef, `name`
 * in the graph. */
sl_code sl_import_bind(struct sl_import *im, struct sl_import_kind *kind, struct sl_str node, struct sl_str name);

/* Whether the nodes are there that `node` wants to be colocated with. */
sl_code sl_import_check_colocation(const struct sl_import *im, struct sl_str node, const struct sl_attrs *attrs);

/* ---- all at once (graph/import_straight.c) */
/* Whether it may be tried: bytes for an empty graph, and nothing asked but nodes. */
bool sl_import_may_go_straight(const struct sl_import *im);
/* Makes all nodes and edges, reading the bytes once. Any failure means that the import has to be done the long way,
 * which then says what is wrong, if anything is; nodes made so far are in the graph. */
sl_code sl_import_straight(struct sl_import *im);

/* ---- the index (graph/import_index.c) */
/* Decides the prefix, checks all names and options, links inputs to entries; fills everything above. */
sl_code sl_import_index(struct sl_import *im);
/* The number of the first entry that waits for nothing, taken off the set; -1 when there is none. Not when
 * `is_ordered`. */
long sl_import_next_ready(struct sl_import *im);
/* Entries that read this one wait for one input less. Not when `is_ordered`. */
void sl_import_notify(struct sl_import *im, const struct sl_import_entry *entry);
/* A name for a new node that is not simply its own: with prefix and, where that is allowed and needed, a number.
 * Valid until the next call. */
sl_code sl_import_new_name(struct sl_str *out, struct sl_import *im, const struct sl_import_entry *entry);
void sl_import_release(struct sl_import *im);
struct sl_import_entry *sl_import_find(const struct sl_import *im, struct sl_str name); /* NULL when there is none */
/* The mapping of this tensor name, or -1. */
int sl_import_mapping_of(const struct sl_import *im, struct sl_tensor_name name);

#endif
