/* Partition: cuts a placed graph into one graph for each device, or for each task; a graph of a task may be cut
 * again, by device. Called by the pipeline when nodes are on several devices, or when the client wrote _Sends and
 * _Recvs. One owner. */
#ifndef SL_PASSES_PARTITION_H
#define SL_PASSES_PARTITION_H

#include "device/device.h"
#include "graph/graph.h"

enum sl_cut_by { SL_CUT_BY_DEVICE, SL_CUT_BY_TASK };

struct sl_partition {
    struct sl_graph *graph;
    int device; /* in the set; of a task: the first that is used */
};

struct sl_partitions {
    struct sl_partition *items; /* in the order of devices; those without nodes are left out */
    int n;
    uint32_t n_pairs; /* of _Send and _Recv */
};

/* Whether nodes are on more than one device. */
bool sl_graph_is_spread(const struct sl_graph *graph);
/* Whether the client wrote _Sends and _Recvs. Partition makes pairs of them, also when all nodes are on one device. */
bool sl_graph_has_transfers(const struct sl_graph *graph);

/* Cuts `graph`, all nodes of which have `assigned`. Adds nodes to it, and the parts borrow from it, so it must
 * outlive them. An edge from one part to another becomes a _Send and a _Recv, one pair for each output and part
 * that reads it, on the devices of the producer and of the first reader; a control edge sends an empty float
 * vector. Attrs of both: tensor_name, send_device, send_device_incarnation, recv_device as in TensorFlow, and
 * `_pair`, the number of the pair.
 *
 * Loops: when the nodes of a loop are in several parts, each part must know of every iteration. A part that does
 * not by its own nodes gets a loop of its own: Enter, Merge, Switch on the loop's LoopCond, NextIteration; its
 * Merge starts the _Recvs of every iteration. The loop of a task also has its own LoopCond, by which the next cut
 * knows the loop. INVALID_ARGUMENT for such a loop without LoopCond, and for a reference that would have to leave
 * its device. */
sl_code sl_pass_partition(struct sl_partitions *out, struct sl_graph *graph, const struct sl_device_set *devices,
                          enum sl_cut_by by, struct sl_error *err);
void sl_partitions_clear(struct sl_partitions *p); /* frees the graphs; a zeroed one is fine */

#endif
