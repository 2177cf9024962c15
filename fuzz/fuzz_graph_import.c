/* GraphDefs as they come from outside: imported into a graph that has nodes already, with every option by turns.
 * What is taken in must be a sound graph that can be written and taken in again; what is refused must leave nothing
 * behind. */
#include "graph/graph.h"
#include "proto/wire.h"

#include <stdlib.h>

static struct sl_op_registry *registry;

/* Two nodes called "x" and "s/y", so that names and mappings have something to meet. */
static struct sl_graph *new_graph(void) {
    struct sl_graph *graph;
    struct sl_node *node;
    struct sl_pb_AttrValue type = {.which = SL_PB_AttrValue_type, .type = SL_FLOAT};
    struct sl_attr dtype = {SL_STR("dtype"), &type};
    struct sl_node_spec spec = {.name = SL_STR("x"), .attrs = {&dtype, 1}};
    if (sl_graph_new(&graph, registry, NULL) || sl_op_find(&spec.op, registry, SL_STR("Placeholder"), NULL)) abort();
    if (sl_graph_add(&node, graph, &spec, NULL)) abort();
    spec.name = SL_STR("s/y");
    if (sl_graph_add(&node, graph, &spec, NULL)) abort();
    return graph;
}

static void use(struct sl_graph *graph, struct sl_arena *arena) {
    struct sl_frames frames;
    struct sl_pb_GraphDef *def;
    struct sl_str bytes;
    struct sl_graph *again;
    sl_graph_frames(&frames, graph, arena, NULL);
    SL_GRAPH_EACH(node, graph)
    for (int o = 0; o < node->n_outputs; o++) sl_graph_constant(graph, (struct sl_port){node, o});
    for (size_t i = 0; i < graph->functions.n; i++) {
        struct sl_body body;
        if (sl_function_instantiate(&body, graph->functions.items[i], NULL, graph, NULL) == SL_OK) {
            sl_graph_infer_all(body.graph, NULL);
            sl_graph_free(body.graph);
        }
    }
    struct sl_function_def *f;
    struct sl_to_function spec = {.name = SL_STR("f"), .append_hash = true};
    if (sl_graph_to_function(&f, graph, &spec, NULL) == SL_OK) sl_function_unref(f);
    if (sl_graph_export(&def, graph, arena, NULL)) abort();
    if (sl_pb_encode(&bytes, SL_PB_TYPE(GraphDef), def, 0, arena, NULL)) return; /* too deep or too large */
    if (sl_graph_new(&again, registry, NULL)) abort();
    struct sl_import_options options = {.keep_shape_attr = true,
                                        .no_inference = true,
                                        .allow_unknown_colocation = true,
                                        .allow_internal_names = true};
    if (sl_graph_import(NULL, again, def, &options, NULL)) abort();
    if (again->live != graph->live) abort();
    sl_graph_free(again);
}

/* The graph that an import into a new one gives, or NULL, and then nothing was left behind. */
static struct sl_graph *take_in(const struct sl_pb_GraphDef *def, struct sl_str bytes, unsigned choice) {
    struct sl_graph *graph = new_graph();
    struct sl_node *x = graph->nodes.items[0];
    struct sl_import_mapping maps[] = {{SL_STR("a"), 0, {x, 0}}, {SL_STR("b"), -1, {x, -1}}};
    struct sl_import_return asked[] = {{SL_STR("a"), 0}};
    struct sl_import_options options = {.prefix = choice & 1 ? SL_STR("s") : SL_STR(""),
                                        .uniquify_names = choice & 2,
                                        .uniquify_prefix = choice & 4,
                                        .mappings = maps,
                                        .n_mappings = choice & 8 ? 2 : 0,
                                        .control_dependencies = &x,
                                        .n_control_dependencies = choice & 16 ? 1 : 0,
                                        .returns = asked,
                                        .n_returns = choice & 32 ? 1 : 0,
                                        .keep_shape_attr = choice & 64,
                                        .allow_unknown_colocation = choice & 128,
                                        .allow_internal_names = choice & 128};
    struct sl_import_results results;
    sl_code code = def ? sl_graph_import(&results, graph, def, &options, NULL)
                       : sl_graph_import_bytes(&results, graph, bytes, &options, NULL);
    if (sl_graph_check(graph, NULL)) abort();
    if (code == SL_OK) return graph;
    if (graph->nodes.n != 2 || x->uses.n || graph->functions.n || graph->gradients.n) abort();
    sl_graph_free(graph);
    return NULL;
}

static struct sl_str written(const struct sl_graph *graph, struct sl_arena *arena) {
    struct sl_pb_GraphDef *def;
    struct sl_str bytes;
    if (sl_graph_export(&def, graph, arena, NULL)) abort();
    return sl_pb_encode(&bytes, SL_PB_TYPE(GraphDef), def, SL_PB_SORT_MAPS, arena, NULL) ? SL_STR("") : bytes;
}

/* Bytes and the message that they hold are to give the same graph. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!registry && sl_op_registry_new(&registry, NULL)) abort();
    if (size < 1) return 0;
    unsigned choice = data[0];
    struct sl_str bytes = {(const char *)data + 1, size - 1};
    struct sl_arena arena;
    struct sl_pb_GraphDef def;
    sl_arena_init(&arena);
    struct sl_graph *direct = take_in(NULL, bytes, choice), *graph = NULL;
    if (sl_pb_decode(&def, SL_PB_TYPE(GraphDef), bytes, &arena, NULL) == SL_OK) graph = take_in(&def, bytes, choice);
    if (!graph != !direct) abort();
    if (graph && !sl_str_eq(written(graph, &arena), written(direct, &arena))) abort();
    if (graph) use(direct, &arena);
    sl_graph_free(graph);
    sl_graph_free(direct);
    sl_arena_clear(&arena);
    return 0;
}
