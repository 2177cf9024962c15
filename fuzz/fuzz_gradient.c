/* Gradients of graphs as they come from outside, changed here and there: what cannot be done leaves the graph as it
 * was, what is done leaves a sound one.
 *
 *     how many changes, four bytes for each; four bytes that choose ys and xs; a GraphDef */
#include <stdlib.h>

#include "grad/graph/backprop.h"
#include "graph/graph.h"
#include "proto/wire.h"

enum { MOST_CHANGES = 8, MOST_NODES = 2000 };

static struct sl_op_registry *registry;

/* Another input, another op, one input less. */
static void change(struct sl_pb_GraphDef *def, const uint8_t *by) {
    struct sl_pb_NodeDef *node = &def->node.items[by[0] % def->node.n], *other = &def->node.items[by[1] % def->node.n];
    struct sl_str *inputs = node->input.items;
    size_t n = node->input.n, slot = n ? by[2] % n : 0;
    switch (by[3] % 4) {
    case 0:
        if (n) inputs[slot] = other->name;
        break;
    case 1:
        if (n && other->input.n) inputs[slot] = other->input.items[by[2] % other->input.n];
        break;
    case 2: {
        struct sl_str op = node->op;
        node->op = other->op;
        other->op = op;
        break;
    }
    default:
        if (n) node->input.n--;
        break;
    }
}

static struct sl_port choose(struct sl_graph *graph, unsigned by) {
    struct sl_node *node = graph->nodes.items[by % graph->nodes.n];
    return (struct sl_port){node, node->n_outputs ? (int)(by / 64) % node->n_outputs : 0};
}

static void derive(struct sl_graph *graph, const uint8_t *by) {
    const struct sl_port ys[] = {choose(graph, by[0] * 7u), choose(graph, by[1] * 3u)};
    const struct sl_port xs[] = {choose(graph, by[2]), choose(graph, by[3] * 5u)};
    struct sl_gradient dxs[2] = {0};
    struct sl_gradient_spec spec = {.ys = ys,
                                    .n_ys = 1 + (by[0] & 1),
                                    .xs = xs,
                                    .n_xs = 1 + (by[1] & 1),
                                    .stops = xs + 1,
                                    .n_stops = by[2] & 1,
                                    .scope = SL_STR("gradients"),
                                    .unconnected = (enum sl_unconnected)(by[3] & 3),
                                    .keeps_slices = by[2] & 2,
                                    .colocates = by[2] & 4};
    size_t nodes = graph->nodes.n, functions = graph->functions.n, live = graph->live;
    sl_code code = sl_graph_gradients(dxs, graph, &spec, NULL);
    if (code != SL_OK && (graph->nodes.n != nodes || graph->live != live || graph->functions.n != functions)) abort();
    if (sl_graph_check(graph, NULL)) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!registry && sl_op_registry_new(&registry, NULL)) abort();
    size_t n_changes = size ? data[0] % (MOST_CHANGES + 1) : 0, head = 1 + 4 * (n_changes + 1);
    if (size < head) return 0;
    struct sl_arena arena;
    struct sl_pb_GraphDef def;
    struct sl_graph *graph;
    sl_arena_init(&arena);
    struct sl_str bytes = {(const char *)data + head, size - head};
    if (sl_pb_decode(&def, SL_PB_TYPE(GraphDef), bytes, &arena, NULL) == SL_OK && def.node.n &&
        def.node.n < MOST_NODES) {
        for (size_t i = 0; i < n_changes; i++) change(&def, data + 1 + 4 * i);
        const struct sl_import_options options = {.allow_unknown_colocation = true};
        if (sl_graph_new(&graph, registry, NULL)) abort();
        if (sl_graph_import(NULL, graph, &def, &options, NULL) == SL_OK && graph->nodes.n)
            derive(graph, data + head - 4);
        sl_graph_free(graph);
    }
    sl_arena_clear(&arena);
    return 0;
}
