/* What one step did, from the RunMetadata of a traced run: the graph that ran after all passes, and when each node ran and
 * put out what. One thread. */
#ifndef SLUICE_CLI_STEP_STATS_H
#define SLUICE_CLI_STEP_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tensorflow/c/c_api.h"

enum { STATS_RANK = 8 };
struct stats_shape {
    int dtype, rank; /* rank -1: not known, or above STATS_RANK */
    int64_t dims[STATS_RANK], bytes;
};
struct stats_output {
    int slot;
    struct stats_shape shape;
    uint64_t address; /* of its elements */
};
struct stats_input {
    int node, slot; /* node -1: not in the graph; slot -1: a control edge */
};
struct stats_node {
    char *name, *op; /* owned */
    struct stats_input *inputs;
    int n_inputs;
    unsigned char *def; /* its NodeDef */
    size_t def_size;
    int frame; /* number of the loop it is in, by the name of the frame; -1: none */
    int first_event, last_event;
    int cursor; /* the event that was asked for last: the next one is near */
};
struct stats_event {
    char *name;                     /* owned, when `node` is -1: of a function, say */
    int node, previous, next;       /* events of the same node; -1: none */
    int64_t start_ns, end_ns, made; /* made: bytes that it allocated for outputs */
    struct stats_output *outputs;
    int n_outputs;
    long thread;
};
struct step_stats {
    struct stats_node *nodes;
    struct stats_event *events; /* in the order in which they began */
    int n_nodes, n_events, n_frames;
    char **frames; /* names of loops */
    int *by_name;  /* numbers of nodes, sorted by name */
    struct stats_shape *feeds;
    int n_feeds;
};

/* `feeds` are what the step was fed. */
void step_stats_read(struct step_stats *out, const TF_Buffer *metadata, TF_Tensor *const *feeds, int n_feeds);
void step_stats_clear(struct step_stats *s);
/* The node of this name; -1: there is none. */
int step_stats_find(const struct step_stats *s, const char *name);
/* Of an output at that time, of which the step itself says nothing when it passes a value on or is constant. False when it
 * is not known. */
bool step_stats_shape(struct stats_shape *out, const struct step_stats *s, struct stats_input from, int64_t before_ns);
/* The event that made what `from` was at that time, through nodes that pass a value on; -1: not of this step. `slot` gets
 * the output. */
int step_stats_maker(int *slot, const struct step_stats *s, struct stats_input from, int64_t before_ns);
/* Attrs of a node: a bool or an integer (`missing` when there is none), a string or function name. */
int64_t stats_attr(const struct stats_node *n, const char *attr, int64_t missing);

#endif
