/* Orders of nodes in which producers come first. The edges from NextIteration to Merge close loops and are passed over;
 * any other cycle is an error. Nothing here recurses: chains of any length are fine. */
#include "base/alloc.h"
#include "graph/graph.h"

static bool is_back_edge(const struct sl_node *from, const struct sl_node *to) {
    return sl_flow_kind_of(from->op) == SL_FLOW_NEXT && sl_flow_kind_of(to->op) == SL_FLOW_MERGE;
}

/* The i-th producer of a node, data inputs before control inputs; NULL for a back edge or an input not yet given. */
static struct sl_node *producer(const struct sl_node *node, int i) {
    if (i >= node->n_inputs) return node->controls[i - node->n_inputs];
    struct sl_node *from = node->inputs[i].node;
    return from && !is_back_edge(from, node) ? from : NULL;
}

/* Whether creation order is an order already, as it is after an import. */
static bool creation_order_serves(const struct sl_graph *graph) {
    SL_GRAPH_EACH(node, graph)
    for (int i = 0; i < node->n_inputs + node->n_controls; i++) {
        const struct sl_node *from = producer(node, i);
        if (from && from->id >= node->id) return false;
    }
    return true;
}

struct visit {
    struct sl_node *node;
    int next; /* producer to look at */
};

enum { NEW, OPEN, DONE };

/* Depth first from each node in order of creation; what is left of a node when its producers are done is its place. */
static sl_code walk(struct sl_node **order, const struct sl_graph *graph, struct visit *stack, uint8_t *state,
                    struct sl_error *err) {
    size_t n = 0;
    SL_GRAPH_EACH(start, graph) {
        if (state[start->id] != NEW) continue;
        size_t depth = 1;
        stack[0] = (struct visit){start, 0};
        state[start->id] = OPEN;
        while (depth) {
            struct visit *top = &stack[depth - 1];
            if (top->next == top->node->n_inputs + top->node->n_controls) {
                state[top->node->id] = DONE;
                order[n++] = top->node;
                depth--;
                continue;
            }
            struct sl_node *from = producer(top->node, top->next++);
            if (!from || state[from->id] == DONE) continue;
            if (state[from->id] == OPEN)
                return sl_fail(err, SL_INVALID_ARGUMENT, "The graph has a cycle through {{node %.*s}}",
                               SL_STR_ARG(from->name));
            state[from->id] = OPEN;
            stack[depth++] = (struct visit){from, 0};
        }
    }
    return SL_OK;
}

sl_code sl_graph_order(struct sl_node ***out, size_t *n, const struct sl_graph *graph, struct sl_arena *arena,
                       struct sl_error *err) {
    struct sl_node **order = SL_ARENA_ARRAY(arena, struct sl_node *, graph->live);
    if (!order) return sl_fail_memory(err, graph->live * sizeof(struct sl_node *));
    if (creation_order_serves(graph)) {
        size_t at = 0;
        SL_GRAPH_EACH(node, graph) order[at++] = node;
    } else {
        struct visit *stack = sl_calloc(graph->live, sizeof *stack);
        uint8_t *state = sl_calloc(graph->nodes.n, 1);
        sl_code code =
            stack && state ? walk(order, graph, stack, state, err) : sl_fail_memory(err, graph->live * sizeof *stack);
        sl_free(stack);
        sl_free(state);
        SL_TRY(code);
    }
    *out = order;
    *n = graph->live;
    return SL_OK;
}
