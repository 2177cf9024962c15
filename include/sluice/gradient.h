/* Gradients with more options than TF_AddGradients has: IndexedSlices, stop gradients, name prefixes; comparison
 * with finite differences; gradient rules of the caller's own. Threads: a graph may be used by others meanwhile,
 * except while a rule of the caller's runs. */
#ifndef SLUICE_GRADIENT_H
#define SLUICE_GRADIENT_H

#include "sluice/sluice.h"
#include "tensorflow/c/c_api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A gradient. When `indices.oper` is NULL it is the tensor `values`. Else it is IndexedSlices: values[i, ...] belongs
 * to the row indices[i] of a tensor of shape `dense_shape`; rows that occur several times add up, all others are 0.
 * When `values.oper` is NULL there is no gradient. */
struct sl_slices {
    TF_Output values, indices, dense_shape;
};

/* What an x without a gradient gets. */
enum sl_no_gradient {
    SL_NO_GRADIENT_NONE,  /* {NULL, 0} */
    SL_NO_GRADIENT_ZEROS, /* zeros of its shape */
    SL_NO_GRADIENT_ERROR  /* the call fails with INVALID_ARGUMENT */
};

/* How the gradients of a tensor that several operations read are added up. */
enum sl_aggregation {
    SL_ADD_ALL,  /* one AddN: fast, but all of them are in memory at once */
    SL_ADD_PAIRS /* a tree of AddNs of two, each run as soon as its inputs are there: takes less memory */
};

/* Where the names of new operations are, below the prefix: for the operation "dense/MatMul" whose gradient they compute. */
enum sl_gradient_names {
    SL_NAMES_FLAT,    /* prefix/MatMul */
    SL_NAMES_BY_NODE, /* prefix/dense/MatMul_grad/MatMul, as TensorFlow's tf.gradients has them */
    SL_NAMES_BY_SCOPE /* prefix/dense/MatMul */
};

struct sl_gradient_options {
    size_t size; /* see SL_OPTIONS (sluice/sluice.h) */
    /* Of the new operations' names; no operation's name may begin so, unless it ends with "/". NULL: "gradients",
     * "gradients_1" ... */
    const char *prefix;
    const TF_Output *stop_gradients; /* taken for constants: no gradient goes through them; may be NULL */
    int num_stop_gradients;
    enum sl_no_gradient no_gradient;
    unsigned char keep_slices; /* gradients may be IndexedSlices; otherwise `indices.oper` is always NULL */
    unsigned char colocate;    /* a new operation asks for the device of the operation whose gradient it computes */
    enum sl_aggregation aggregation;
    enum sl_gradient_names names;
};

/* Adds operations that compute dxs[i], of the shape of xs[i]: the gradient of the sum of all elements of all ys, each
 * multiplied by its element in `dys`, with respect to xs[i]. dys[i] has the shape of ys[i]; an `oper` of NULL, or a
 * `dys` of NULL, stands for ones. `dxs` has room for nx. `options` may be NULL. On failure the graph is as before:
 * NOT_FOUND when an operation between the xs and the ys has no gradient. */
SL_API void sl_add_gradients(TF_Graph *graph, const TF_Output *ys, const TF_Output *dys, int ny, const TF_Output *xs,
                             int nx, const struct sl_gradient_options *options, struct sl_slices *dxs,
                             TF_Status *status);

/* Gradients of calls and loops make functions in the graph, with names that are free there. Names of those that are made
 * from here on have `mark` (letters, digits, `_`) in them too: graphs with marks of their own never make functions of one
 * name, which they would otherwise, when all go into one context. */
SL_API void sl_graph_mark_functions(TF_Graph *graph, const char *mark, TF_Status *status);

/* What a rule is called with: one operation, and the gradients of its outputs. All is borrowed for the call. */
struct sl_gradient_node {
    TF_Graph *graph;         /* where to add operations; the body of a function has a graph of its own */
    TF_Operation *operation; /* to be asked for attributes */
    /* Its inputs and outputs. Read these, not those that `operation` tells: in the gradient of a loop they are
     * others. */
    const TF_Output *xs, *ys;
    const TF_Output *dys; /* by output: its gradient; `oper` is NULL where there is none */
    TF_Output *dxs;       /* by input: its gradient, to be filled in; `oper` NULL, as at first, for none */
};

/* Registers a rule, for the whole process and for ever: for operations of type `name`, instead of a built-in rule,
 * and for operations whose attribute _gradient_op_type is `name`. `rule` may only add operations to its `graph`,
 * and reports failures by `status`; `arg` is passed to it. It is called in the thread that asks for gradients, so
 * by several at once when several do; no other thread may change the graph meanwhile. ALREADY_EXISTS when `name`
 * has a registered rule. Thread-safe. */
SL_API void sl_register_gradient(const char *name,
                                 void (*rule)(const struct sl_gradient_node *node, void *arg, TF_Status *status),
                                 void *arg, TF_Status *status);

/* Compares the gradient of y with respect to x with finite differences, for a sum of the elements of y with fixed
 * different weights. Returns the largest |gradient - difference| / (1 + |difference|) over the elements of x, -1 on
 * failure. x and y are of type float or double. `at` is the value of x at which it compares; NULL: the value that x has
 * when the graph is run. Works on a copy of the graph, in a session of its own. */
SL_API double sl_check_gradient(TF_Graph *graph, TF_Output y, TF_Output x, const TF_Tensor *at, TF_Status *status);

#ifdef __cplusplus
}
#endif

#endif
