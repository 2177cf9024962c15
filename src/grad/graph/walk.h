/* Gradients of graphs: what the walk, loops and functions share. Private to src/grad/graph; rules see rule.h alone.
 *
 * A *scope* is where nodes are added: the root of a graph, or a frame of a loop, in the forward graph or in the
 * gradient's. It is an emitter, the one of the rules that run there: values from elsewhere are *brought* to it first,
 * by Enter from outer scopes, out of lists from the forward loop, as arguments from the forward function. */
#ifndef SL_GRAD_GRAPH_WALK_H
#define SL_GRAD_GRAPH_WALK_H

#include "grad/graph/backprop.h"
#include "grad/rules.h"
#include "grad/sums.h"
#include "graph/graph_emitter.h"

struct sl_forward_loop;
struct sl_walk;

struct sl_grad_scope {
    struct sl_graph_emitter emitter; /* first; its `add` brings the inputs, sl_graph_emit does not */
    struct sl_walk *walk;
    struct sl_grad_scope *outer; /* NULL: the root */
    int frame;                   /* of the forward graph: the one whose gradient is here, or that this is */
    bool is_forward;             /* within a frame of the forward graph: values must be brought to be used */
    struct sl_str frame_name;    /* of a gradient's loop */
    int parallel_iterations;
    struct sl_forward_loop *loop; /* loop_gradient.c */
};

struct sl_walk {
    struct sl_graph *graph;  /* whose gradient it is */
    struct sl_graph *target; /* where gradients go; the same, but for gradients of functions */
    const struct sl_gradient_spec *spec;
    struct sl_arena arena;
    const struct sl_rule_row **rules; /* by op */
    uint32_t n_forward;               /* nodes with smaller ids are those of the forward graph */
    bool *between;                    /* by id: on a way from an x to a y */
    bool *reached;                    /* by id: some y is made of it */
    bool *is_x;                       /* by id: one of its outputs is an x, so its gradient is of interest */
    int *pending;                     /* by unit: edges whose gradient is still to come; see walk.c */
    struct sl_gradient_sum **sums;    /* by id: for each output what has come so far; NULL: nothing */
    bool has_loops;
    int home; /* the frame of the ys: 0, or a loop's, whose every iteration has a gradient of its own then */
    struct sl_frames frames;
    struct sl_str_map frames_by_name; /* name -> number + 1 as a pointer */
    struct sl_grad_scope root;
    struct sl_forward_loop **loops; /* by frame; NULL until needed */
    struct sl_str_map brought;      /* port and scope -> the term there */
    struct sl_guard_tree *guards;   /* guards.c */
    struct sl_grad_scope forward;   /* the root of `graph`, for what is added to it */
    struct sl_extended_node {
        struct sl_node *node, before;
        struct sl_extended_node *next;
    } * extended; /* forward nodes that were given further outputs, the newest first */
    /* Gradients of functions (derive.c): */
    struct sl_body_capture *capture; /* of `graph`, in `target`; NULL: they are one graph */
    struct sl_node **arguments;
    int n_arguments;
    struct sl_str function; /* whose body `graph` is; "" */
    struct sl_walk *outer;  /* the walk that derives it */
    struct sl_derived_sum {
        int functions;
        size_t nodes;
    } * spent, own_spent; /* derived so far, by all walks together */
    struct sl_error *err;
};

/* ---- walk.c */
sl_code sl_walk_init(struct sl_walk *w, struct sl_graph *graph, struct sl_graph *target,
                     const struct sl_gradient_spec *spec, struct sl_error *err);
void sl_walk_clear(struct sl_walk *w);
/* Adds a gradient to those of a port. */
sl_code sl_walk_give(struct sl_walk *w, struct sl_port port, struct sl_term_gradient gradient);
/* The sum of what a port was given, in `scope`; no term when there was nothing. */
/* Whether the request takes the output for a constant. */
bool sl_walk_is_stop(const struct sl_walk *w, struct sl_port port);
sl_code sl_walk_sum(struct sl_term_gradient *out, struct sl_walk *w, struct sl_grad_scope *scope, struct sl_port port);
/* Runs the rules of a region in an order in which every gradient is complete before it is used. */
sl_code sl_walk_region(struct sl_walk *w, struct sl_grad_scope *scope, int frame);
static inline bool sl_walk_is_forward(const struct sl_walk *w, const struct sl_node *node) {
    return node->graph == w->graph && node->id < w->n_forward;
}
/* A port whose gradient somebody wants. */
static inline bool sl_walk_wants(const struct sl_walk *w, struct sl_port p) {
    return p.node && sl_is_trainable(p.node->out_types[p.index]) && (w->between[p.node->id] || w->is_x[p.node->id]);
}

/* ---- grad_scope.c */
void sl_grad_scope_init(struct sl_grad_scope *scope, struct sl_walk *w, struct sl_graph *graph, struct sl_str prefix);
/* Adds an op in a scope; its inputs are brought there. */
sl_code sl_walk_emit(struct sl_term *out, struct sl_walk *w, struct sl_grad_scope *scope, const char *op,
                     const struct sl_term *inputs, int n, const struct sl_attr *attrs, int n_attrs);
sl_code sl_walk_bring(struct sl_term *out, struct sl_walk *w, struct sl_grad_scope *scope, struct sl_term term);
sl_code sl_walk_dense(struct sl_term *out, struct sl_walk *w, struct sl_grad_scope *scope,
                      const struct sl_term_gradient *gradient);
/* Zeros of the shape of a term, which may be a forward value: of that only the shape is brought. */
sl_code sl_walk_zeros(struct sl_term *out, struct sl_walk *w, struct sl_grad_scope *scope, struct sl_term like);
/* A scalar. */
sl_code sl_walk_number(struct sl_term *out, struct sl_grad_scope *scope, int type, double value);

/* ---- node_rules.c */
/* A rule as it is applied to a node. */
struct sl_node_rule {
    struct sl_rule base; /* first: what rules of values see */
    struct sl_walk *walk;
    struct sl_grad_scope *scope;
    struct sl_node *node; /* NULL: no rule, but words for the walk itself */
};
/* For rules of nodes (node_rules.def), which nobody else applies. */
static inline struct sl_node_rule *sl_node_rule(struct sl_rule *g) { return (struct sl_node_rule *)g; }
/* The words of rules, in a scope. */
struct sl_node_rule sl_words_in(struct sl_grad_scope *scope);
/* Rows of both kinds of rules by op (enum sl_row); NULL where an op has none. */
sl_code sl_node_rules_index(const struct sl_rule_row ***out, struct sl_arena *arena, struct sl_error *err);
/* The rule of the op or function of that name; NULL without a rule. */
enum sl_differentiable sl_rule_find(sl_rule_function **out, const struct sl_walk *w, struct sl_str name);

/* ---- backprop.c: sl_rule_derive within a graph */
sl_code sl_node_rule_derive(struct sl_rule *g, struct sl_term *dxs, const struct sl_term *xs, int n_xs,
                            const struct sl_term *ys, const struct sl_term *dys, int n_ys);

/* ---- function_gradient.c: sl_function_gradient, for a walk that needs it; NULL: for nobody */
sl_code sl_function_gradient_within(struct sl_body *out, const struct sl_function_def *f, const struct sl_attrs *attrs,
                                    const struct sl_graph *library, const struct sl_walk *within, struct sl_error *err);

/* ---- function_grad.c: of a node whose op is a function */
void sl_grad_call_by_name(struct sl_rule *g);

#endif
