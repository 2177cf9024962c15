/* The gradient of one node as nodes to run: for who runs ops one by one, and meets one whose gradient is a graph (a
 * call, a conditional or a loop that names functions). The node calls other functions then, which give what the
 * gradient reads as further outputs.
 *
 *   before   what the node takes beside its own inputs, such as empty lists: nodes without inputs of their own
 *   call     the node: outputs y..., then what is kept for the gradient
 *   after    the gradient: it reads x, dy, y and what is kept
 *
 * Immutable once made; counted references, from any thread. */
#ifndef SL_GRAD_GRAPH_CALL_GRADIENT_H
#define SL_GRAD_GRAPH_CALL_GRADIENT_H

#include "grad/graph/backprop.h"

struct sl_call_gradient {
    atomic_uint refs;
    struct sl_graph *graph; /* of all nodes; its library has the functions that they call */
    struct sl_node **x;     /* an _Arg for each input */
    struct sl_node **dy;    /* an _Arg for each of the first `n_y` outputs; NULL: one of a type that has no gradient */
    struct sl_node *call;
    int n_x, n_y; /* of the op as it was given */
    struct sl_node **before, **after;
    int n_before, n_after;
    struct sl_gradient *dx; /* one for each x; values.node NULL: it has none */
    /* Of who has made functions known for it: told when it ends, before its functions go. NULL: nobody asks. */
    void (*ends)(void *arg, struct sl_call_gradient *c);
    void *ends_arg;
    struct sl_function_def **needed; /* of `graph`; which those are decides who is told */
    int n_needed;
};

/* An op that calls functions of `library`, with its attrs bound and what is known of its inputs. */
struct sl_call_spec {
    const struct sl_graph *library;
    const struct sl_op *op;
    const struct sl_attrs *attrs;
    const uint8_t *types; /* base types of inputs */
    const struct sl_shape *shapes;
    int n_inputs;
    const struct sl_gradient_rule *(*find_rule)(struct sl_str name); /* see sl_gradient_spec; may be NULL */
    struct sl_str mark; /* in names of the functions that are made; borrowed as long as the gradient lives */
};
/* Gradients of all outputs by all inputs that can have one. Errors are those of sl_graph_gradients. */
sl_code sl_call_gradient_new(struct sl_call_gradient **out, const struct sl_call_spec *spec, struct sl_error *err);
struct sl_call_gradient *sl_call_gradient_ref(struct sl_call_gradient *c);
void sl_call_gradient_unref(struct sl_call_gradient *c); /* NULL is fine */

/* Whether the gradient of an op is one of graphs: it is a function, or names some. */
bool sl_op_calls_functions(const struct sl_op *op);

#endif
