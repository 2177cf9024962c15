/* Where the boxes of a plan's picture stand. A box is a node or, when there are too many, all nodes of a name scope
 * on one device and in one loop. One column a device, in it one lane a loop; rows go from producers to consumers.
 * One thread. */
#ifndef SLUICE_CLI_PLAN_LAYOUT_H
#define SLUICE_CLI_PLAN_LAYOUT_H

#include "plan.h"

enum {
    BOX_WIDTH = 150,
    BOX_HEIGHT = 38,
    BOX_GAP = 14,   /* between boxes of a row */
    WIRE_WIDTH = 12 /* what a line takes that goes through a row */
};

struct picture_box {
    const struct plan_node *node; /* the first of its nodes */
    char *title;                  /* owned: of a group its scope; NULL: the node's name */
    int n_nodes, lane, row;       /* row -1: not placed yet */
    double ns;
    int64_t bytes; /* of transfers, in all; -1: not known */
    double x;      /* its middle, within the lane */
    double wish;
    bool is_wire; /* no box: a line goes through here */
};

/* From a box down to another; back edges are turned, so that all go down. */
struct picture_line {
    int from, to; /* boxes */
    enum edge_kind kind;
    enum transfer_kind travel; /* of pairs */
    bool is_turned;            /* the arrow is at `from` */
    int n_wires, *wires;       /* boxes of the rows between; owned */
};

/* A loop on one device, or what is outside of loops there. */
struct picture_lane {
    int device, frame, parent; /* parent: a lane before this one; -1 */
    double x, width;           /* of its own boxes */
    double whole_width;        /* with the lanes within */
    int first_row, last_row;   /* with the lanes within; last_row < first_row: empty */
    int depth;                 /* 0: outside of loops */
};

struct picture_layout {
    const struct plan *plan;
    struct picture_box *boxes;
    struct picture_line *lines;
    struct picture_lane *lanes;
    int n_boxes, n_lines, n_lanes, n_rows;
    int n_shown; /* boxes that are no wires; they come first */
    int levels; /* of name scopes that were kept apart; 0: every node has its box, -1: by op, -2: by op, over all loops */
    double *row_y;     /* by row: its top; the last one is the bottom of the picture */
    double *column_x;  /* by device; the last one is the right end */
    int *device_lanes; /* by device: its first lane; -1: nothing is there */
};

void layout_make(struct picture_layout *out, const struct plan *p);
void layout_clear(struct picture_layout *layout);

#endif
