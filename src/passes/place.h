/* Placement: every node gets one of the session's devices. Called by the pipeline. */
#ifndef SL_PASSES_PLACE_H
#define SL_PASSES_PLACE_H

#include "graph/graph.h"

struct sl_place_options {
    const char *const *devices; /* full names, the default one first; borrowed as long as the graph */
    int n_devices;
    bool is_soft; /* a device that is not there is replaced by one that is */
};

/* Sets `assigned` of every node to one of the devices: the one asked for by the node or by those that it is colocated with (attr
 * `_class`, "loc:@NAME"), else the first. INVALID_ARGUMENT that names node, request and what there is. */
sl_code sl_pass_place(struct sl_graph *graph, const struct sl_place_options *options, struct sl_error *err);

#endif
