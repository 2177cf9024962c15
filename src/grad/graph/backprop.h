/* Gradients of graphs: sums of derivatives of ys with respect to xs, built as further nodes.
 *
 * Threads: the graph's owner. On failure the graph is as it was before. */
#ifndef SL_GRAD_GRAPH_BACKPROP_H
#define SL_GRAD_GRAPH_BACKPROP_H

#include "grad/rules.h"
#include "graph/graph.h"

struct sl_walk;

/* A gradient: a tensor, or IndexedSlices (`values` belong to the rows `indices` of a tensor of shape `dense_shape`;
 * rows may occur several times and then add up). Of a tensor `indices.node` is NULL; of nothing `values.node` is NULL
 * too. */
struct sl_gradient {
    struct sl_port values, indices, dense_shape;
};

/* What an x without a gradient gets: nothing; nothing, but an error when no y depends on it in any way; zeros; an error
 * that names the reason. */
enum sl_unconnected { SL_UNCONNECTED_NONE, SL_UNCONNECTED_UNREACHABLE, SL_UNCONNECTED_ZEROS, SL_UNCONNECTED_ERROR };

/* A rule of the caller's for the nodes of an op, or for nodes whose attr _gradient_op_type names it. `xs`, `ys` are the
 * node's inputs and outputs as they may be used where the gradient is computed (within loops they are not the ports of
 * `node`); `dys` has one port for each output, `node` NULL where there is no gradient. Sets `dxs`, one for each input,
 * all NULL at first. It may only add nodes to `graph`. */
struct sl_gradient_call {
    struct sl_graph *graph;
    struct sl_node *node;
    const struct sl_port *xs, *ys, *dys;
    struct sl_port *dxs;
};
struct sl_gradient_rule {
    sl_code (*run)(void *arg, void *owner, const struct sl_gradient_call *call, struct sl_error *err);
    void *arg;
};

/* Below spec.scope, names of what belongs to a node are all in it, in "node_grad", or in the node's own scope. */
enum sl_gradients_named { SL_GRADIENTS_FLAT, SL_GRADIENTS_BY_NODE, SL_GRADIENTS_BY_SCOPE };

struct sl_gradient_spec {
    const struct sl_port *ys, *dys, *xs, *stops; /* `dys` NULL, or one with node NULL: ones */
    int n_ys, n_xs, n_stops;                     /* `stops` are taken as constants */
    struct sl_str scope;                         /* of the names of new nodes */
    enum sl_unconnected unconnected;
    enum sl_gradients_named names;
    bool keeps_slices;            /* IndexedSlices are given as such, not made dense */
    bool is_within_rule;          /* of what a rule built: all is in one frame */
    bool sums_in_pairs;           /* gradients that meet are added two by two, not all at once */
    bool colocates;               /* new nodes ask to be where the node is whose gradient they are */
    struct sl_str function;       /* whose body the graph is; "": no function's */
    const struct sl_walk *within; /* the walk that asks for that function's gradient by name; NULL: nobody does */
    /* The caller's rule of that name, or NULL. May be NULL itself. */
    const struct sl_gradient_rule *(*find_rule)(struct sl_str name);
    void *owner; /* what is handed to those rules */
};

/* `dxs`: one for each x. NOT_FOUND when an op on the way has no rule: "No gradient defined for op: X ...". Ops that are
 * not differentiable by design give nothing; an x that only they lead to is unconnected. */
sl_code sl_graph_gradients(struct sl_gradient *dxs, struct sl_graph *graph, const struct sl_gradient_spec *spec,
                           struct sl_error *err);

/* The body of the gradient of `f`: arguments x..., dy..., results dx... (zeros where there is no gradient). Freed with
 * sl_graph_free(out->graph). */
sl_code sl_function_gradient(struct sl_body *out, const struct sl_function_def *f, const struct sl_attrs *attrs,
                             const struct sl_graph *library, struct sl_error *err);

/* ---- what is known of ops */
enum sl_differentiable sl_op_differentiable(const struct sl_op *op);

#endif
