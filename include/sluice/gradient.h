/* Gradients beyond TF_AddGradients: with IndexedSlices, stop gradients and name prefixes; comparison with finite
 * differences; gradient rules of the caller's own. */
#ifndef SLUICE_GRADIENT_H
#define SLUICE_GRADIENT_H

#include "sluice/sluice.h"
#include "tensorflow/c/c_api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A gradient. A tensor when `indices.oper` is NULL; else IndexedSlices: `values` belong to the rows `indices` of a
 * tensor of shape `dense_shape`, and rows that occur several times add up. All NULL: there is no gradient. */
struct sl_slices {
    TF_Output values, indices, dense_shape;
};

/* What an x without a gradient gets. */
enum sl_no_gradient {
    SL_NO_GRADIENT_NONE,  /* nothing */
    SL_NO_GRADIENT_ZEROS, /* zeros of its shape */
    SL_NO_GRADIENT_ERROR  /* INVALID_ARGUMENT, saying why */
};

/* How the gradients of a tensor that several operations read are added up. */
enum sl_aggregation {
    SL_ADD_ALL,  /* one AddN: fastest, and all of them are in memory at once */
    SL_ADD_PAIRS /* a tree of AddNs of two, each as soon as its two are there: less memory */
};

struct sl_gradient_options {
    const char *prefix;              /* scope of the new operations; NULL: "gradients", "gradients_1" ... */
    const TF_Output *stop_gradients; /* taken as constants; may be NULL */
    int num_stop_gradients;
    enum sl_no_gradient no_gradient;
    unsigned char keep_slices; /* gradients of gathers are IndexedSlices; otherwise `indices.oper` is always NULL */
    unsigned char colocate;    /* a new operation asks for the device of the operation whose gradient it computes */
    enum sl_aggregation aggregation;
};

/* Adds operations that compute the sum over all y of the derivatives with respect to each x. `dys`: what the
 * gradients of the ys are, NULL for ones (as a whole, or by an `oper` NULL). `options` may be NULL. Fills `dxs`, nx
 * of them. On failure the graph is as before: NOT_FOUND when an operation on the way has no gradient. */
SL_API void sl_add_gradients(TF_Graph *graph, const TF_Output *ys, const TF_Output *dys, int ny, const TF_Output *xs,
                             int nx, const struct sl_gradient_options *options, struct sl_slices *dxs,
                             TF_Status *status);

/* One node whose gradient a rule of the caller's gives. */
struct sl_gradient_node {
    TF_Graph *graph; /* where operations are to be added; a function's body has a graph of its own */
    TF_Operation *operation;
    const TF_Output *xs,
        *ys; /* its inputs and outputs, to be used instead of those of `operation`: within loops they are others */
    const TF_Output *dys; /* the gradients of its outputs, `oper` NULL where there is none */
    TF_Output *dxs;       /* to be filled: the gradients of its inputs; all without `oper` at first */
};

/* Registers a rule, for the whole process and for ever: for operations of type `name`, before any built-in rule, and
 * for operations whose attribute _gradient_op_type is `name`. `rule` may only add operations, and reports failures
 * by its status; nobody else may change the graph meanwhile. It may be called from any thread that asks for
 * gradients. ALREADY_EXISTS. */
SL_API void sl_register_gradient(const char *name,
                                 void (*rule)(const struct sl_gradient_node *node, void *arg, TF_Status *status),
                                 void *arg, TF_Status *status);

/* How far the gradient of y with respect to x is from differences of y: the largest |d - difference| / (1 +
 * |difference|) over the elements of x, of a sum of the elements of y with fixed different weights. x and y are of
 * type float or double; `at` is the value of x to look at, NULL for the one that it has. Works on a copy of the
 * graph. -1 on failure. */
SL_API double sl_check_gradient(TF_Graph *graph, TF_Output y, TF_Output x, const TF_Tensor *at, TF_Status *status);

#ifdef __cplusplus
}
#endif

#endif
