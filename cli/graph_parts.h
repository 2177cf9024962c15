/* A GraphDef that can be taken apart: nodes with their inputs, and what else a NodeDef has as bytes. One thread. */
#ifndef SLUICE_CLI_GRAPH_PARTS_H
#define SLUICE_CLI_GRAPH_PARTS_H

#include <stdbool.h>

#include "protobuf_bytes.h"
#include "tensorflow/c/c_api.h"
#include "written_message.h"

struct part {
    char *name, *op, *device; /* owned */
    char **inputs;            /* "node", "node:1", "^node"; owned */
    int n_inputs;
    struct message rest; /* attrs and so on: whole fields */
};
struct graph_parts {
    struct part *nodes;
    int n;
    struct message rest; /* library, versions */
};

void graph_parts_read(struct graph_parts *out, struct bytes graph_def);
/* The caller's. */
TF_Buffer *graph_parts_write(const struct graph_parts *g);
struct graph_parts graph_parts_copy(const struct graph_parts *g);
void graph_parts_clear(struct graph_parts *g);
/* The number of the node; -1: there is none. */
int graph_parts_find(const struct graph_parts *g, const char *name);
/* The node that an input is from; `slot` gets its output, -1 for a control edge. -1: there is none. */
int graph_parts_source(int *slot, const struct graph_parts *g, const char *input);
void part_clear(struct part *p);
void part_drop_input(struct part *p, int i);
void part_set_input(struct part *p, int i, const char *input);
/* Makes it a Const of this value. */
void part_set_value(struct part *p, const TF_Tensor *value);
/* The bytes of an attr's value; NULL when there is none. */
struct bytes part_attr(const struct part *p, const char *attr);

#endif
