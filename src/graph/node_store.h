/* What build.c and edges.c offer the other files of this room: nodes and edges without the checks of graph.h.
 * Private to src/graph. */
#ifndef SL_GRAPH_NODE_STORE_H
#define SL_GRAPH_NODE_STORE_H

#include "graph/graph.h"

/* What a node is made of; device, types and attrs must live in the graph's arena already, or in one that outlives
 * it. */
struct sl_node_parts {
    struct sl_str name; /* copied */
    uint32_t name_hash; /* sl_hash_name of it; 0: not known */
    bool is_listed;     /* the caller makes the table of names */
    struct sl_str device;
    const struct sl_op *op;
    struct sl_attrs attrs;
    const uint8_t *in_types, *out_types;
    int n_inputs, n_outputs;
    int n_controls, n_uses; /* how many to make room for; more may come */
    const struct sl_node_notes *notes;
};
/* Makes a node and appends it: no inputs yet (NULL), shapes unknown. The name must be free. */
sl_code sl_node_make(struct sl_node **out, struct sl_graph *graph, const struct sl_node_parts *parts,
                     struct sl_error *err);
/* Checked and completed attrs, in the graph's arena, values copied. */
sl_code sl_node_attrs_bind(struct sl_attrs *out, struct sl_graph *graph, const struct sl_op *op,
                           const struct sl_attrs *given, struct sl_str node, struct sl_error *err);
/* Takes the nodes from `first` on out of the graph as if they had never been added. */
void sl_graph_truncate(struct sl_graph *graph, size_t first);

/* The functions and gradients of a message's library; and taking away those from `first` on. */
sl_code sl_graph_add_library(struct sl_graph *graph, const struct sl_pb_FunctionDefLibrary *library,
                             struct sl_error *err);
/* Functions alone, as the bytes of FunctionDefs. */
sl_code sl_graph_add_functions(struct sl_graph *graph, const struct sl_str *defs, size_t n, struct sl_error *err);
void sl_graph_truncate_functions(struct sl_graph *graph, size_t first, size_t first_gradient);

/* Whether output `from` may be input `slot` of the node: same graph, index in range, types. */
sl_code sl_edge_check(const struct sl_node *node, int slot, struct sl_port from, struct sl_error *err);
/* INVALID_ARGUMENT, for the node `name`: `from` has no output `index`. */
sl_code sl_edge_fail_output(struct sl_str name, int index, const struct sl_node *from, struct sl_error *err);
void sl_use_drop(struct sl_node *from, const struct sl_node *to, int slot);

sl_code sl_use_push(struct sl_graph *graph, struct sl_node *from, struct sl_use use, struct sl_error *err);

/* Connects an input that nothing was connected to with an output that there is, of a node of the same graph: types
 * must agree. */
static inline sl_code sl_edge_add(struct sl_node *node, int slot, struct sl_port from, struct sl_error *err) {
    struct sl_node *producer = from.node;
    struct sl_use use = {node, slot, from.index};
    if (node->in_types[slot] != producer->out_types[from.index]) SL_TRY(sl_edge_check(node, slot, from, err));
    if (producer->uses.n < producer->uses.cap) producer->uses.items[producer->uses.n++] = use;
    else SL_TRY(sl_use_push(node->graph, producer, use, err));
    node->inputs[slot] = from;
    return SL_OK;
}

/* Whether a name is well formed but for beginning with '_', as names of the system do. */
bool sl_node_name_is_internal(struct sl_str name);

#endif
