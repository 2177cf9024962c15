/* Large graphs by scope: a page in which scopes and functions open and close, and the same as text. One thread. */
#ifndef SLUICE_CLI_GRAPH_MAP_H
#define SLUICE_CLI_GRAPH_MAP_H

#include <stdbool.h>

#include "tensorflow/c/c_api.h"

struct map_input {
    int node, output; /* output -1: a control edge */
};
struct map_node {
    TF_Operation *op;
    const char *name, *type; /* the graph's */
    struct map_input *inputs;
    int n_inputs;
};
/* A graph with the bodies of functions, conditionals and loops in place of what calls them. */
struct graph_map {
    TF_Graph *graph; /* borrowed */
    struct map_node *nodes;
    int n;
    char **calls, **functions; /* names of nodes that were calls, and what they called; owned */
    int n_calls;
};
/* Changes the graph. False after an error, which has been printed. */
bool graph_map_make(struct graph_map *out, TF_Graph *graph);
void graph_map_clear(struct graph_map *m);
/* The number of the node; -1 after an error, which has been printed. */
int graph_map_find(const struct graph_map *m, const char *name);

/* Scopes with how many nodes they have and which ops most of these are, so many levels deep. */
void graph_map_print_tree(const struct graph_map *m, int depth);
/* Nodes whose name or op has the text, whatever the case. False when there is none. */
bool graph_map_print_found(const struct graph_map *m, const char *text);
/* The shortest way along edges from one to the other, and how many nodes are on any. False when there is none. */
bool graph_map_print_path(const struct graph_map *m, const char *from, const char *to);
/* A page for a browser; false after an error, which has been printed. */
bool graph_map_write_page(const char *path, const struct graph_map *m, const char *title);

#endif
