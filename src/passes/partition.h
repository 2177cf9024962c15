/* Partition: a placed graph becomes one graph a device, or one graph a task, whose devices another cut may separate.
 * Called by the pipeline when nodes are on several devices or send to each other. */
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
/* Whether there are transfers (_Send, _Recv) already, which the client wrote: partition makes them meet, on one
 * device too. */
bool sl_graph_has_transfers(const struct sl_graph *graph);

/* Cuts `graph`, every node of which has `assigned`; nodes are added to it on the way, and it must outlive the parts,
 * which borrow from it. An edge from one part to another becomes a _Send and a _Recv, one pair for each output and
 * part that reads it, on the devices of the producer and of the first reader; a control edge sends an empty float
 * vector. Attrs of both: tensor_name, send_device, send_device_incarnation, recv_device as in TensorFlow, and
 * `_pair`, the number of the pair.
 *
 * Loops: each part that runs nodes of a loop that is spread, and does not itself go round with it, gets a loop of
 * its own that does: Enter, Merge, Switch on the loop's LoopCond, NextIteration; its Merge starts the _Recvs of
 * every iteration. The loop of a task has a LoopCond of its own as well, by which the next cut knows the loop.
 * INVALID_ARGUMENT for a spread loop without LoopCond, and for a reference that would have to leave its device. */
sl_code sl_pass_partition(struct sl_partitions *out, struct sl_graph *graph, const struct sl_device_set *devices,
                          enum sl_cut_by by, struct sl_error *err);
void sl_partitions_clear(struct sl_partitions *p); /* frees the graphs; a zeroed one is fine */

#endif
