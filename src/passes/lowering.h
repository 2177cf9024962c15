/* What the files of the lowering share: lower.c walks, inline_call.c copies bodies, lower_branches.c and
 * lower_loop.c build control flow. Internal; one owner. */
#ifndef SL_PASSES_LOWERING_H
#define SL_PASSES_LOWERING_H

#include "base/vec.h"
#include "ops/op_row.h"
#include "passes/lower.h"

/* The call that a node came from: node->mark of every node that lowering adds. NULL: a node of the graph itself. */
struct sl_call_site {
    const struct sl_call_site *outer;
    struct sl_str function;
    struct sl_node *pivot; /* lives when the body does; NULL: always */
    bool has_flow;         /* the body has switches or loops of its own, so its nodes may be dead one by one */
};

/* What of a function's body is put in place of a call. */
struct sl_lower_part {
    const bool *keep; /* by id */
    bool is_inlinable, has_flow;
};

/* A function as far as lowering wants to know it. A node whose op is the function itself does all that is in the
 * body. Calls by other ops, conditionals and loops do what results and control results depend on: an effect that
 * hangs off none of them is left out. */
struct sl_lower_body {
    struct sl_body body;
    struct sl_lower_part whole, needed;
};

struct sl_lowering {
    struct sl_graph *graph;
    const struct sl_lower_options *options;
    struct sl_str_map bodies; /* of functions without attrs: name -> struct sl_lower_body */
    struct sl_arena *scratch;
    bool has_flow; /* the graph as the client made it has switches or loops */
    struct sl_error *err;
};

/* A node to be added. Its name is that of the scope node, a slash and `suffix`; device and call site are the scope
 * node's. */
struct sl_lower_spec {
    const char *op, *suffix;
    int dtype;                  /* attr T; 0: the op has none */
    const struct sl_attr *more; /* further attrs; values live as long as the graph */
    int n_more;
    const struct sl_port *inputs;
    int n_inputs;
    struct sl_node *const *controls;
    int n_controls;
};
sl_code sl_lower_add(struct sl_node **out, struct sl_lowering *l, const struct sl_node *scope,
                     const struct sl_lower_spec *spec);
/* Identity of `from` after `controls`. */
sl_code sl_lower_identity(struct sl_node **out, struct sl_lowering *l, const struct sl_node *scope, const char *suffix,
                          struct sl_port from, struct sl_node *const *controls, int n_controls);

/* Nodes of which one is dead whenever `n` as a whole is: its control inputs, and identities of its inputs where
 * those may be dead one by one. In the scratch arena. */
sl_code sl_lower_anchors(struct sl_node ***out, int *n_out, struct sl_lowering *l, const struct sl_node *n);

/* The function with its attrs bound, kept until the pass ends; NULL in `*out` when there is none or it is malformed:
 * whoever runs the node will say so. */
sl_code sl_lower_body(const struct sl_lower_body **out, struct sl_lowering *l,
                      const struct sl_pb_NameAttrList *function);

/* One function in place of `caller`, or of a part of it. */
struct sl_lower_call {
    const struct sl_pb_NameAttrList *function;
    const struct sl_lower_body *body;
    const struct sl_node *caller;
    const char *suffix; /* of the scope of the body's nodes; NULL: the caller's name */
    const struct sl_port *args;
    struct sl_node *pivot; /* lives when the body is to; NULL: always */
    const bool *unread;    /* by result: nobody reads it, nor is anything else that it depends on wanted; NULL: none */
};
struct sl_lowered {
    struct sl_port *results;  /* one a result of the function; no node: unread, and left out */
    struct sl_node **effects; /* nodes with side effects, and those that the function names as control results */
    int n_results, n_effects;
};
/* Whether the body may take the caller's place: it is fit for it and the caller is not part of it already. */
bool sl_lower_may_inline(const struct sl_lowering *l, const struct sl_lower_call *call);
/* Puts the body into the graph where it may be, else a node that calls it. In the scratch arena. */
sl_code sl_lower_call(struct sl_lowered *out, struct sl_lowering *l, const struct sl_lower_call *call);
/* Gives the caller's outputs to `results`, its control consumers `done`, which is NULL when it has none, and removes
 * it. */
sl_code sl_lower_replace(struct sl_lowering *l, struct sl_node *n, const struct sl_port *results, struct sl_node *done);
static inline bool sl_lower_has_followers(const struct sl_node *n) {
    for (uint32_t u = 0; u < n->uses.n; u++)
        if (n->uses.items[u].slot < 0) return true;
    return false;
}

/* Each: lowers `n` and removes it, or leaves it as it is. */
sl_code sl_lower_branches(struct sl_lowering *l, struct sl_node *n);
sl_code sl_lower_loop(struct sl_lowering *l, struct sl_node *n);

#endif
