/* The invariants of a graph: what debug builds verify after each pass, and tests after each change. Nothing here is
 * fast path. */
#include "base/alloc.h"
#include "graph/node_store.h"

#include <stdlib.h>

/* An edge as one of its ends tells it. */
struct edge {
    uint32_t from, to;
    int slot, index;
};

static int by_all(const void *a, const void *b) {
    const struct edge *x = a, *y = b;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    if (x->to != y->to) return x->to < y->to ? -1 : 1;
    if (x->slot != y->slot) return x->slot < y->slot ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

static sl_code check_node(const struct sl_graph *graph, const struct sl_node *node, struct sl_error *err) {
    struct sl_str name = node->name;
    if (node->graph != graph || graph->nodes.items[node->id] != node)
        return sl_fail(err, SL_INTERNAL, "Node '%.*s' does not stand where its id says", SL_STR_ARG(name));
    if (sl_graph_find(graph, name) != node)
        return sl_fail(err, SL_INTERNAL, "Node '%.*s' is not found by its name", SL_STR_ARG(name));
    for (int i = 0; i < node->n_inputs; i++) {
        struct sl_port from = node->inputs[i];
        if (!from.node) return sl_fail(err, SL_INVALID_ARGUMENT, "Node '%.*s' lacks input %d", SL_STR_ARG(name), i);
        if (from.node->is_removed)
            return sl_fail(err, SL_INTERNAL, "Node '%.*s' reads '%.*s', which is removed", SL_STR_ARG(name),
                           SL_STR_ARG(from.node->name));
        SL_TRY(sl_edge_check(node, i, from, err));
    }
    for (int i = 0; i < node->n_controls; i++)
        if (node->controls[i]->is_removed)
            return sl_fail(err, SL_INTERNAL, "Node '%.*s' waits for '%.*s', which is removed", SL_STR_ARG(name),
                           SL_STR_ARG(node->controls[i]->name));
    return SL_OK;
}

static size_t edges_read(struct edge *out, const struct sl_graph *graph) {
    size_t n = 0;
    SL_GRAPH_EACH(node, graph) {
        for (int i = 0; i < node->n_inputs; i++, n++)
            if (out) out[n] = (struct edge){node->inputs[i].node->id, node->id, i, node->inputs[i].index};
        for (int i = 0; i < node->n_controls; i++, n++)
            if (out) out[n] = (struct edge){node->controls[i]->id, node->id, -1, -1};
    }
    return n;
}

static size_t edges_used(struct edge *out, const struct sl_graph *graph) {
    size_t n = 0;
    SL_GRAPH_EACH(node, graph)
    for (uint32_t i = 0; i < node->uses.n; i++, n++) {
        struct sl_use use = node->uses.items[i];
        if (out) out[n] = (struct edge){node->id, use.node->id, use.slot, use.index};
    }
    return n;
}

/* What nodes read and what is said of their readers are the same edges. */
static sl_code compare_edges(const struct sl_graph *graph, struct edge *read, struct edge *used, size_t n,
                             struct sl_error *err) {
    edges_read(read, graph);
    edges_used(used, graph);
    qsort(read, n, sizeof *read, by_all);
    qsort(used, n, sizeof *used, by_all);
    for (size_t i = 0; i < n; i++) {
        if (by_all(&read[i], &used[i]))
            return sl_fail(err, SL_INTERNAL, "An edge from '%.*s' to '%.*s' is known at one end only",
                           SL_STR_ARG(graph->nodes.items[read[i].from]->name),
                           SL_STR_ARG(graph->nodes.items[read[i].to]->name));
        if (i && !by_all(&read[i], &read[i - 1]))
            return sl_fail(err, SL_INTERNAL, "'%.*s' waits for '%.*s' twice",
                           SL_STR_ARG(graph->nodes.items[read[i].to]->name),
                           SL_STR_ARG(graph->nodes.items[read[i].from]->name));
    }
    return SL_OK;
}

static sl_code check_edges(const struct sl_graph *graph, struct sl_error *err) {
    size_t n = edges_read(NULL, graph), n_used = edges_used(NULL, graph);
    if (n != n_used) return sl_fail(err, SL_INTERNAL, "Nodes read %zu outputs, but %zu uses are known", n, n_used);
    if (!n) return SL_OK;
    struct edge *edges = sl_calloc(n, 2 * sizeof *edges);
    if (!edges) return sl_fail_memory(err, n * 2 * sizeof *edges);
    sl_code code = compare_edges(graph, edges, edges + n, n, err);
    sl_free(edges);
    return code;
}

sl_code sl_graph_check(const struct sl_graph *graph, struct sl_error *err) {
    struct sl_arena arena;
    struct sl_node **order;
    size_t live = 0, n;
    SL_GRAPH_EACH(node, graph) {
        SL_TRY(check_node(graph, node, err));
        live++;
    }
    if (live != graph->live || graph->names.n != live)
        return sl_fail(err, SL_INTERNAL, "The graph counts %zu nodes, knows %zu by name, and has %zu", graph->live,
                       graph->names.n, live);
    SL_TRY(check_edges(graph, err));
    sl_arena_init(&arena);
    sl_code code = sl_graph_order(&order, &n, graph, &arena, err);
    sl_arena_clear(&arena);
    return code;
}
