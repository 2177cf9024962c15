/* Inside the gradient engine: what the walk, loops and functions share. Private to src/grad; rules see rule.h alone.
 *
 * A *place* is where nodes are added: the root of a graph, or a frame of a loop, in the forward graph or in the gradient's. A rule's
 * emitter belongs to a place; values from elsewhere are *brought* there first: by Enter from outer places, out of lists from the
 * forward loop, as arguments from the forward function. */
#ifndef SL_GRAD_WALK_H
#define SL_GRAD_WALK_H

#include "grad/backprop.h"
#include "grad/rule.h"
#include "graph/graph_emitter.h"

struct sl_loop;

struct sl_place {
    struct sl_graph_emitter emitter;
    struct sl_place *outer;   /* NULL: the root */
    int frame;                /* of the forward graph: the one whose gradient is here, or that this is */
    bool is_forward;          /* within a frame of the forward graph: values must be brought to be used */
    struct sl_str frame_name; /* of a gradient's loop */
    int parallel_iterations;
    struct sl_loop *loop; /* loop_gradient.c */
};

struct sl_walk {
    struct sl_graph *graph;  /* whose gradient it is */
    struct sl_graph *target; /* where gradients go; the same, but for gradients of functions */
    const struct sl_gradient_spec *spec;
    struct sl_arena arena;
    const struct sl_rule_row *const *rules; /* by op */
    uint32_t n_forward;                     /* nodes with smaller ids are those of the forward graph */
    bool *between;                          /* by id: on a way from an x to a y */
    bool *reached;                          /* by id: some y is made of it */
    bool *is_x;                             /* by id: one of its outputs is an x, so its gradient is of interest */
    int *pending;                           /* by unit: edges whose gradient is still to come; see walk.c */
    struct sl_sum {
        struct sl_slope *items;
        int n, cap;
    } * *sums; /* by id: for each output what has come so far; NULL: nothing */
    bool has_loops;
    int home; /* the frame of the ys: 0, or a loop's, whose every iteration has a gradient of its own then */
    struct sl_frames frames;
    struct sl_map frames_by_name; /* name -> number + 1 as a pointer */
    struct sl_place root;
    struct sl_loop **loops;   /* by frame; NULL until needed */
    struct sl_map brought;    /* port and place -> the term there */
    struct sl_guards *guards; /* guards.c */
    struct sl_place forward;  /* the root of `graph`, for what is added to it */
    struct sl_widened {
        struct sl_node *node, before;
        struct sl_widened *next;
    } * widened; /* forward nodes that were given further outputs, the newest first */
    /* Gradients of functions (derive.c): */
    struct sl_capture *capture; /* of `graph`, in `target`; NULL: they are one graph */
    struct sl_node **arguments;
    int n_arguments;
    struct sl_str function; /* whose body `graph` is; "" */
    struct sl_walk *outer;  /* the walk that derives it */
    int *n_derived;         /* functions so far, of all walks together */
    int derived;
    struct sl_error *err;
};

/* ---- walk.c */
sl_code sl_walk_init(struct sl_walk *w, struct sl_graph *graph, struct sl_graph *target,
                     const struct sl_gradient_spec *spec, struct sl_error *err);
void sl_walk_clear(struct sl_walk *w);
/* Adds a gradient to those of a port. */
sl_code sl_walk_give(struct sl_walk *w, struct sl_port port, struct sl_slope slope);
/* The sum of what a port was given, in `place`; no term when there was nothing. */
sl_code sl_walk_sum(struct sl_slope *out, struct sl_walk *w, struct sl_place *place, struct sl_port port);
/* Runs the rules of a region in an order in which every gradient is complete before it is used. */
sl_code sl_walk_region(struct sl_walk *w, struct sl_place *place, int frame);
/* Whether gradients flow through values of that type. */
static inline bool sl_is_trainable(int dtype) {
    return sl_set_has(SL_SET_FLOATS | SL_SET_COMPLEX | SL_SET(RESOURCE) | SL_SET(VARIANT), sl_dtype_base(dtype));
}
static inline bool sl_walk_is_forward(const struct sl_walk *w, const struct sl_node *node) {
    return node->graph == w->graph && node->id < w->n_forward;
}
/* A port whose gradient somebody wants. */
static inline bool sl_walk_wants(const struct sl_walk *w, struct sl_port p) {
    return p.node && sl_is_trainable(p.node->out_types[p.index]) && (w->between[p.node->id] || w->is_x[p.node->id]);
}

/* ---- emission.c */
/* Adds an op in a place; its inputs are brought there. */
sl_code sl_walk_emit(struct sl_term *out, struct sl_walk *w, struct sl_place *place, const char *op,
                     const struct sl_term *inputs, int n, const struct sl_attr *attrs, int n_attrs);
sl_code sl_walk_bring(struct sl_term *out, struct sl_walk *w, struct sl_place *place, struct sl_term term);
sl_code sl_walk_dense(struct sl_term *out, struct sl_walk *w, struct sl_place *place, const struct sl_slope *slope);
/* The shape of a term, which may be a forward value: of that only the shape is brought. `attrs`: out_type. */
sl_code sl_walk_shape(struct sl_term *out, struct sl_walk *w, struct sl_place *place, struct sl_term t,
                      const struct sl_attr *attrs);
/* Zeros of the shape of a term, which may be a forward value: of that only the shape is brought. */
sl_code sl_walk_zeros(struct sl_term *out, struct sl_walk *w, struct sl_place *place, struct sl_term like);

/* ---- rules.c */
/* The rows of all rules by op (enum sl_row); NULL where an op has none. */
sl_code sl_rules_index(const struct sl_rule_row *const **out, struct sl_arena *arena, struct sl_error *err);
/* The rule of the op or function of that name; NULL without a rule. */
enum sl_differentiable sl_rule_find(sl_rule_function **out, const struct sl_walk *w, struct sl_str name);

/* ---- function_grad.c: of a node whose op is a function */
void sl_grad_call_by_name(struct sl_rule *g);

#endif
