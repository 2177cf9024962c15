/* Placement: every node gets one of the session's devices. Called by the pipeline. */
#ifndef SL_PASSES_PLACE_H
#define SL_PASSES_PLACE_H

#include "device/device.h"
#include "graph/graph.h"
#include "kernel/table.h"

/* What placement by cost reckons with. */
struct sl_place_costs {
    struct sl_kernel_table *kernels;
    double latency_ns, ns_per_byte; /* of a value that goes from one device to another */
    FILE *
        explanation; /* NULL, or where to write a line for each node: its cost, and when which device would have done it */
};

struct sl_place_options {
    const struct sl_device_set *devices; /* borrowed as long as the graph */
    int default_device; /* where nodes go that nothing draws elsewhere, and arguments and results always */
    bool is_soft;       /* a device that is not there, or another than the group's, is replaced by one that is */
    const struct sl_place_costs
        *costs; /* NULL: nodes that ask for nothing go to the default device or their neighbours */
    bool logs;  /* "name: (Op): device", a line a node, to stderr */
};

/* Sets `assigned` of every node to the name of one of the devices. In this order:
 *   - nodes are in groups: those that `_class` ("loc:@NAME") names together, and those that a reference or a resource goes between;
 *   - a group goes to the first device (the default one before others) that fits the requests of all its nodes; a consumer of a reference
 *     or resource gives way to the producer;
 *   - with `costs`, groups go to the device of those that fit where a simulation of the step finishes them first (place_greedy.c);
 *   - a variable of a loop goes where its next value is made, unless something asks otherwise;
 *   - Shape, Size and Rank go where their input is, so do Switch, Exit and an Identity behind a Switch, and a node without inputs where all its readers are, unless something asks otherwise.
 * INVALID_ARGUMENT names the node, what was asked for and what there is. */
sl_code sl_pass_place(struct sl_graph *graph, const struct sl_place_options *options, struct sl_error *err);

#endif
