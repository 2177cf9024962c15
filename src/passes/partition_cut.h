/* What the files of the partition pass share. Internal; one owner, gone with the pass. */
#ifndef SL_PASSES_PARTITION_CUT_H
#define SL_PASSES_PARTITION_CUT_H

#include "passes/partition.h"

struct sl_cut {
    struct sl_graph *graph;
    const struct sl_device_set *devices;
    enum sl_cut_by by;
    struct sl_arena scratch;
    int n_parts;
    int *device_of_part; /* the first that is used */
    int *part_of_device; /* of those that are used */
    uint32_t n_pairs;    /* so far */
    struct sl_frames frames;
    /* by node id, for nodes that the pass adds as well */
    SL_VEC(int) device;           /* in the set */
    SL_VEC(int) frame;            /* that the node runs in */
    struct sl_node **loop_merges; /* by frame * n_parts + part: what starts an iteration there; NULL: none needed */
    struct sl_error *err;
};

static inline int sl_cut_device(const struct sl_cut *cut, const struct sl_node *n) { return cut->device.items[n->id]; }
static inline int sl_cut_part(const struct sl_cut *cut, const struct sl_node *n) {
    return cut->part_of_device[sl_cut_device(cut, n)];
}

/* Attrs of a Const that is an empty float vector: what a control edge sends. */
extern const struct sl_attrs sl_cut_signal_attrs;
/* Adds a node to the graph that is cut, in `part` (on its first device) and `frame`. */
sl_code sl_cut_add(struct sl_node **out, struct sl_cut *cut, const struct sl_node_spec *spec, int part, int frame);
/* Moves a node of that graph to a device and frame. */
sl_code sl_cut_put(struct sl_cut *cut, const struct sl_node *n, int device, int frame);

/* ---- partition_transfers.c: numbers the client's own transfers. */
sl_code sl_cut_number_transfers(struct sl_cut *cut);
/* ---- partition_flow.c: before the cut */
/* Moves control flow next to what it passes on: Switch and Exit to their input; Enter and NextIteration to those
 * that read them, a copy to each part, so that no edge behind them is cut. */
sl_code sl_cut_move_flow(struct sl_cut *cut);
/* ---- partition_loops.c: finds the frames, and gives parts the loops of their own that they need. */
sl_code sl_cut_add_loops(struct sl_cut *cut);

#endif
