/* The gradient of a function in two parts: the function itself, which is to give some of its intermediate values too,
 * and a function that takes those. Private to src/grad/graph; for the rules of calls, conditionals and loops that name
 * functions. */
#ifndef SL_GRAD_GRAPH_DERIVE_H
#define SL_GRAD_GRAPH_DERIVE_H

#include "grad/graph/walk.h"

/* A value of the forward body that the gradient uses. */
struct sl_body_captured {
    struct sl_port value;  /* in the forward body */
    struct sl_node *stand; /* the _Arg that stands for it in the gradient's body */
    int argument;          /* which argument of the function it is; -1: computed in the body */
};

struct sl_body_capture {
    struct sl_body_captured *items;
    int n, cap;
};

struct sl_derived {
    struct sl_body forward;    /* a copy of the function's body */
    struct sl_graph *backward; /* the gradient's body, without results */
    struct sl_walk walk;
    bool has_walk;
    struct sl_gradient_spec spec;
    struct sl_body_capture capture;
    struct sl_node **dys; /* by result: the _Arg of its gradient; NULL: it has none */
    /* By argument: its gradient in `backward`; node NULL: not asked for, or a resource without one. */
    struct sl_port *dxs;
    /* By argument: where the gradient is IndexedSlices, of which dxs has the values; NULL unless the call keeps them. */
    struct sl_derived_rows {
        struct sl_port indices, dense_shape;
        bool is_none; /* there is no gradient: dxs has zeros */
    } * rows;
};

/* A node of `outer` that calls a function with its inputs from `first` on, and gives its results. */
struct sl_derived_call {
    const struct sl_node *node;
    const struct sl_pb_NameAttrList *function;
    int first;
    const struct sl_term *inputs; /* for their shapes; as many as the function has arguments */
    bool keeps_slices;            /* gradients that are IndexedSlices stay so */
};
/* INVALID_ARGUMENT when the function's body takes or gives anything else than the node says. */
sl_code sl_derived_check(const struct sl_derived_call *call, const struct sl_body *body, struct sl_error *err);
/* Derives the function. `has_dy` by result, `wants` by argument. On failure too sl_derived_clear is called. */
sl_code sl_derive(struct sl_derived *d, struct sl_walk *outer, const struct sl_derived_call *call, const bool *has_dy,
                  const bool *wants);
/* Makes the gradient of an argument dense; or IndexedSlices with indices and shapes of the same types as those of `like`:
 * of no rows where it has none, of all where it is dense. */
sl_code sl_derived_dense(struct sl_derived *d, int argument);
sl_code sl_derived_slices(struct sl_derived *d, int argument, const struct sl_derived *like);
/* Gives a resource, whose gradient is one of what it holds, zeros of that type. */
sl_code sl_derived_resource_zeros(struct sl_derived *d, int argument, int type);
/* Whether one more function may be derived: as a call's (the function itself must not be derived around it), or by name
 * for a gradient of a gradient (nor its gradient be what is made). The error names it, and what led there. */
sl_code sl_derived_check_chain(struct sl_walk *w, struct sl_str function, bool is_by_name);
/* Whether a function is among those that the walk is within. */
bool sl_is_being_derived(const struct sl_walk *w, struct sl_str function);
void sl_derived_clear(struct sl_derived *d);

/* In the gradient's body, uses what an argument was to stand for: the argument is used no more. */
sl_code sl_derived_replace(struct sl_derived *d, struct sl_node *stand, struct sl_term value);

/* A value of the forward body in the gradient's one: makes it an argument. */
sl_code sl_capture_value(struct sl_term *out, struct sl_walk *w, struct sl_port port);
/* A new _Arg in a body. */
sl_code sl_add_argument(struct sl_node **out, struct sl_walk *w, struct sl_grad_scope *scope, int type,
                        struct sl_shape shape);

/* Makes a function of a body and adds it to the library of the graph, and of the target, of `outer`; with it all
 * functions that the body's library gained. `*name` is in the arena of `outer`. */
struct sl_body_function {
    struct sl_graph *graph;
    const char *suffix; /* "forward": part of the name */
    struct sl_str of;   /* the function it is made of */
    struct sl_port *inputs, *outputs;
    int n_inputs, n_outputs;
    struct sl_node **controls; /* run whatever is asked for */
    int n_controls;
};
sl_code sl_body_add_function(struct sl_str *name, struct sl_walk *outer, const struct sl_body_function *from);

/* Gives the library of `to` all functions, and gradients of functions, of that of `from`. */
sl_code sl_share_functions(struct sl_graph *to, const struct sl_graph *from, struct sl_error *err);

/* Extends a forward node (sl_graph_extend_node), so that it can be taken back. */
sl_code sl_walk_extend(struct sl_walk *w, struct sl_node *node, const struct sl_attr *attrs, int n_attrs,
                       const struct sl_port *more, int n_more);

/* The gradient of a conditional or loop runs as that does: as switches and merges, where the attr is there that asks for it.
 * Adds it to the `n` attrs; gives how many there are. */
static inline int sl_lowered_as(struct sl_attr *attrs, int n, const struct sl_rule *g) {
    const struct sl_str name = SL_STR("_lower_using_switch_merge");
    const struct sl_pb_AttrValue *value = sl_attr_find(g->attrs, name);
    if (value) attrs[n++] = (struct sl_attr){name, value};
    return n;
}

#endif
