/* What a plan (sluice/step_plan.h) holds, as arrays that tables and pictures are made from: nodes with their device,
 * loop and cost, edges, pairs of _Send and _Recv. One thread; memory runs out with a message. */
#ifndef SLUICE_CLI_PLAN_H
#define SLUICE_CLI_PLAN_H

#include "amounts.h"
#include "command.h"
#include "sluice/step_plan.h"

enum plan_role { ROLE_PLAIN, ROLE_FED, ROLE_FETCHED, ROLE_CONSTANT, ROLE_FLOW, ROLE_SEND, ROLE_RECV };
enum transfer_kind { TRANSFER_DATA, TRANSFER_CONTROL, TRANSFER_DEAD };
enum edge_kind {
    EDGE_DATA,
    EDGE_CONTROL,
    EDGE_BACK, /* from NextIteration to Merge */
    EDGE_PAIR  /* from _Send to _Recv */
};

struct plan_node {
    TF_Operation *op;
    TF_Graph *graph;
    char *name; /* owned; of what is fed or fetched the node's: "x", not "_arg_x_0_0" */
    const char *type;
    enum plan_role role;
    int device;
    int frame;                 /* of the plan's; Enter and Exit count as within */
    int dead_depth;            /* how many conditions it stands under: above 0 its values may be dead */
    bool is_hidden;            /* the value that stands for a control edge that is sent */
    bool is_added;             /* of a loop that the cut gave a device to go round with */
    enum transfer_kind travel; /* of _Send and _Recv */
    int peer;                  /* the other end's node; -1 */
    char *tensor;              /* what is sent: "hidden/MatMul"; owned, NULL for other nodes */
    int64_t bytes;             /* that are sent, each time; -1: not known */
    struct sl_plan_node plan;
};
struct plan_edge {
    int from, to, output; /* output -1: control */
    enum edge_kind kind;
};
struct plan_frame {
    char *name;
    int parent, depth; /* frame 0 is no loop */
};

struct plan {
    struct sl_step_plan *handle;
    enum sl_plan_stage stage;
    struct plan_node *nodes; /* producers first, back edges aside */
    struct plan_edge *edges;
    struct plan_frame *frames;
    int n_nodes, n_edges, n_frames, n_devices;
    char **devices;     /* "CPU:0" */
    bool is_mere_graph; /* no plan: nobody asked where nodes go and how long they take */
};

/* Takes the handle over. */
struct plan *plan_read(struct sl_step_plan *handle, TF_Session *session, enum sl_plan_stage stage);
/* Of operations of a graph, as it stands: one device, no costs. */
struct plan *plan_of_graph(TF_Graph *graph, TF_Operation *const *ops, int n);
void plan_free(struct plan *p);

/* The loop in which the values of a node are. */
int frame_behind(const struct plan *p, const struct plan_node *n);
/* How long a node is thought to take in a step, in ns: a loop counts as ten rounds. */
double plan_step_ns(const struct plan *p, const struct plan_node *n);
const char *transfer_text(enum transfer_kind kind); /* "data", "control", "may be dead" */
const char *reason_text(enum sl_plan_reason reason);

/* How many bytes an output has; -1: not known. */
int64_t output_bytes(TF_Graph *graph, TF_Output output);

/* On stdout. The tables list every node with `lists_nodes`. */
void print_plan_table(const struct plan *p, bool lists_nodes);
void print_plan_dot(const struct plan *p);
void print_plan_svg(const struct plan *p);

/* sluice show --place, --partition (show_plan.c). */
struct plan_request {
    const char *path, *tags, *signature, *form; /* form: "table", "nodes", "dot", "svg", or of a map (graph_map.h) */
    char *value;                                /* of the option that names the form */
    int64_t devices;                            /* 0: as many as nodes ask for */
    bool by_cost, is_soft, place, partition, pipeline;
    int argc; /* once more, for --feed, --fetch and --target */
    char **argv;
};
int show_plan(const struct plan_request *request);

#endif
