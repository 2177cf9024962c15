/* Placement: every node gets one of the session's devices. Called by the pipeline. */
#ifndef SL_PASSES_PLACE_H
#define SL_PASSES_PLACE_H

#include "device/device.h"
#include "graph/graph.h"

struct sl_place_options {
    const struct sl_device_set *devices; /* borrowed as long as the graph */
    int default_device; /* where nodes go that nothing draws elsewhere, and arguments and results always */
    bool is_soft;       /* a device that is not there, or another than the group's, is replaced by one that is */
    bool logs;          /* "name: (Op): device", a line a node, to stderr */
};

/* Sets `assigned` of every node to the name of one of the devices. In this order:
 *   - nodes are in groups: those that `_class` ("loc:@NAME") names together, and those that a reference or a resource goes between;
 *   - a group goes to the first device (the default one before others) that fits the requests of all its nodes; a consumer of a reference
 *     or resource gives way to the producer;
 *   - Shape, Size and Rank go where their input is, and a node without inputs where all its readers are, unless something asks otherwise.
 * INVALID_ARGUMENT names the node, what was asked for and what there is. */
sl_code sl_pass_place(struct sl_graph *graph, const struct sl_place_options *options, struct sl_error *err);

#endif
