/* A graph with one iteration of a loop laid open: the loop ends when it has done as many iterations as are asked for, and
 * its nodes stand once more behind it, outside of loops, working on what the loop has then. What they give can be
 * fetched. Loops are those that frames make (Enter, Merge, Switch, NextIteration, Exit) and that are in no other. One
 * thread. */
#ifndef SLUICE_CLI_LOOP_TURN_H
#define SLUICE_CLI_LOOP_TURN_H

#include <stdbool.h>

#include "tensorflow/c/c_api.h"

/* What the names of the nodes that stand once more end with. Nodes of a loop within the loop stand there with the loop,
 * which can be laid open in turn: their names then end with it twice. */
#define TURN_SUFFIX "._turn"

struct graph_loops;
struct graph_loops *graph_loops_read(TF_Graph *graph);
void graph_loops_free(struct graph_loops *l);
int graph_loops_count(const struct graph_loops *l); /* numbers are below; some are of loops within loops */
/* The number of the loop that the node, an Exit, is an end of; of the loop with this frame; -1: of none. */
int graph_loops_of_exit(const struct graph_loops *l, const char *node);
int graph_loops_find(const struct graph_loops *l, const char *frame);
const char *graph_loops_name(const struct graph_loops *l, int loop);
/* Whether the node is in the loop, or in a loop within it. */
bool graph_loops_has(const struct graph_loops *l, int loop, const char *node);

/* The names of what the graph has more. */
struct turn_names {
    char *limit;     /* a Placeholder: how many iterations the loop does at most, an int64 */
    char *condition; /* whether the iteration that is laid open takes place: "NODE", a bool */
    char **state;    /* the values that the loop has before it: "NODE" */
    int n_state;
};
/* The caller's, as are the names; NULL: the loop has not the usual form. */
TF_Buffer *loop_turn_graph(struct turn_names *names, const struct graph_loops *l, int loop, int depth);
void turn_names_clear(struct turn_names *names);
/* How long the name is without the endings. */
int turn_bare_length(const char *name);

#endif
