/* Placement: every node gets one of the runtime's devices. Called by the pipeline. One owner. */
#ifndef SL_PASSES_PLACE_H
#define SL_PASSES_PLACE_H

#include "device/device.h"
#include "graph/graph.h"
#include "kernel/table.h"

/* The costs that placement by cost uses. */
struct sl_place_costs {
    struct sl_kernel_table *kernels;
    double latency_ns, ns_per_byte; /* of a transfer from one device to another */
    FILE *explanation; /* gets a line for each node: its cost, and when each device would have finished it; or NULL */
};

/* Why a node is where it is. */
enum sl_place_reason {
    SL_PLACED_BY_DEFAULT,    /* no other reason applies */
    SL_PLACED_AS_ARG_OR_RET, /* it is an _Arg or _Retval, and so on the default device */
    SL_PLACED_AS_ASKED,      /* it asks for this device */
    SL_PLACED_SOFTLY,        /* no device is there that it or its group asks for */
    SL_PLACED_WITH_GROUP,    /* another node of its group asks for this device, or was placed before */
    SL_PLACED_WITH_INPUT,    /* it only tells the size of its input, or passes it on */
    SL_PLACED_WITH_READERS,  /* it has no inputs, and all its readers are there */
    SL_PLACED_WITH_LOOP,     /* its loop is there, or it is a loop's variable whose next value is made there */
    SL_PLACED_NEAR_INPUT,    /* by cost: it takes less time than a transfer */
    SL_PLACED_FIRST          /* by cost: in the simulation it is finished first there */
};
struct sl_place_record {
    enum sl_place_reason reason;
    /* By device: when it would be finished there; below 0: it may not go there. NULL when not placed by cost. */
    const double *finish_ns;
};

struct sl_place_options {
    const struct sl_device_set *devices; /* borrowed as long as the graph */
    int default_device;                  /* for arguments, results, and nodes without any other reason */
    /* The next three are used where there are devices other than the host's. */
    struct sl_kernel_table *kernels;
    const struct sl_kernel_def *call_by_name; /* for nodes whose op is a function of the library; may be NULL */
    /* Nodes that ask for no device go to the default device when it has a kernel. For functions: it is the caller's. */
    bool prefers_default;
    bool is_soft; /* a request for a device that is not there, or that is not the group's, is met by another device */
    /* NULL: nodes that ask for no device go to the default device or with their neighbours. */
    const struct sl_place_costs *costs;
    bool logs;                       /* writes "name: (Op): device", a line for each node, to stderr */
    struct sl_place_record *records; /* by node id, zeroed, to be filled in; or NULL */
};

/* Sets `assigned` of every node to the name of one of the devices.
 *
 * In this order:
 *   - Nodes are put into groups: nodes that `_class` ("loc:@NAME") names together, and nodes that a reference or a
 *     resource goes between.
 *   - A group goes to the first device that fits the requests of all its nodes; the default device is tried first. When
 *     a producer and a consumer of a reference or resource ask for different devices, the producer's request counts.
 *   - With `costs`, a group goes to the device, of those that fit, on which a simulation of the step finishes it first
 *     (place_greedy.c).
 *   - A variable of a loop goes where its next value is made, unless there is a request.
 *   - Shape, Size, Rank, Switch, Exit and an Identity behind a Switch go with their input, and a node without inputs
 *     goes where all its readers are, unless there is a request.
 *
 * Where there are devices other than the host's, a group goes to a device only when all its nodes have kernels
 * there (kernel/ports.h). A group without request goes to the device type of the highest priority on which some
 * node computes. Arguments and results go with all other nodes when these are on one such device.
 *
 * INVALID_ARGUMENT names the node, the request and the devices, or says that there is no kernel. */
sl_code sl_pass_place(struct sl_graph *graph, const struct sl_place_options *options, struct sl_error *err);

/* Whether the devices are there that the nodes from `first` on ask for, needed or not: the error of placing for the first
 * node whose one is not, and that is not placed with others. */
sl_code sl_place_check(const struct sl_graph *graph, size_t first, const struct sl_device_set *devices, bool is_soft,
                       struct sl_error *err);

#endif
