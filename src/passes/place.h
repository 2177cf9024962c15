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

/* Why a node is where it is. */
enum sl_place_reason {
    SL_PLACED_BY_DEFAULT,    /* nothing drew it elsewhere */
    SL_PLACED_AS_ARG_OR_RET, /* and so on the default device */
    SL_PLACED_AS_ASKED,
    SL_PLACED_SOFTLY,       /* what it or its group asked for is not there */
    SL_PLACED_WITH_GROUP,   /* another node of its group asked, or came first */
    SL_PLACED_WITH_INPUT,   /* it tells its input's size, or passes it on */
    SL_PLACED_WITH_READERS, /* it has no inputs, and all its readers are there */
    SL_PLACED_WITH_LOOP,    /* its loop is there, or its next value is made there */
    SL_PLACED_NEAR_INPUT,   /* by cost: it takes less time than a transfer */
    SL_PLACED_FIRST         /* by cost: there it would be finished first */
};
struct sl_place_record {
    enum sl_place_reason reason;
    const double
        *finish_ns; /* by device, when it would be finished there; < 0: it may not go there; NULL: not by cost */
};

struct sl_place_options {
    const struct sl_device_set *devices; /* borrowed as long as the graph */
    int default_device;                  /* where nodes go that nothing draws elsewhere, and arguments and results */
    /* Where there are devices other than the host's: */
    struct sl_kernel_table *kernels;
    const struct sl_kernel_def *call_by_name; /* for nodes whose op is a function of the library; may be NULL */
    bool
        prefers_default; /* nodes that ask for nothing go to the default device when it has a kernel: the caller's, for a function */
    bool is_soft; /* a device that is not there, or another than the group's, is replaced by one that is */
    const struct sl_place_costs
        *costs;                      /* NULL: nodes that ask for nothing go to the default device or their neighbours */
    bool logs;                       /* "name: (Op): device", a line a node, to stderr */
    struct sl_place_record *records; /* NULL, or room for one for each node id, zeroed, to be filled in */
};

/* Sets `assigned` of every node to the name of one of the devices.
 *
 * Where there are devices other than the host's, a group may go to a device only when all its nodes have kernels
 * there (kernel/ports.h), and one that asks for nothing goes to that of the highest priority on which some node
 * computes. Arguments and results go with all other nodes when these are on one such device.
 *
 * In this order:
 *   - nodes are in groups: those that `_class` ("loc:@NAME") names together, and those that a reference or a resource goes between;
 *   - a group goes to the first device (the default one before others) that fits the requests of all its nodes; a consumer of a reference
 *     or resource gives way to the producer;
 *   - with `costs`, groups go to the device of those that fit where a simulation of the step finishes them first (place_greedy.c);
 *   - a variable of a loop goes where its next value is made, unless something asks otherwise;
 *   - Shape, Size and Rank go where their input is, so do Switch, Exit and an Identity behind a Switch, and a node without inputs where all its readers are, unless something asks otherwise.
 * INVALID_ARGUMENT names the node, what was asked for and what there is, or that there is no kernel. */
sl_code sl_pass_place(struct sl_graph *graph, const struct sl_place_options *options, struct sl_error *err);

#endif
