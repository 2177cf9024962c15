/* Graphs and nodes as messages again. Inputs are written as TensorFlow writes them ("x" for output 0, "x:1", "^x"),
 * attrs by name, nodes in order of creation, so that the same graph gives the same bytes. */
#include "base/alloc.h"
#include "graph/graph.h"

#include <stdlib.h>

static struct sl_str input_name(struct sl_arena *arena, const struct sl_node *node, int i) {
    if (i >= node->n_inputs)
        return sl_str_of(sl_arena_format(arena, "^%.*s", SL_STR_ARG(node->controls[i - node->n_inputs]->name)));
    struct sl_port from = node->inputs[i];
    if (!from.node) return SL_STR("");
    if (from.index == 0) return from.node->name;
    return sl_str_of(sl_arena_format(arena, "%.*s:%d", SL_STR_ARG(from.node->name), from.index));
}

static int by_name(const void *a, const void *b) {
    const struct sl_pb_entry_string_AttrValue *x = a, *y = b;
    return sl_str_cmp(x->key, y->key);
}

static int by_text(const void *a, const void *b) {
    return sl_str_cmp(*(const struct sl_str *)a, *(const struct sl_str *)b);
}

static sl_code write_inputs(struct sl_pb_array_str *out, const struct sl_node *node, struct sl_arena *arena,
                            struct sl_error *err) {
    size_t n = (size_t)(node->n_inputs + node->n_controls);
    out->items = SL_ARENA_ARRAY(arena, struct sl_str, n);
    out->n = n;
    if (!out->items) return sl_fail_memory(err, n * sizeof *out->items);
    for (size_t i = 0; i < n; i++) {
        out->items[i] = input_name(arena, node, (int)i);
        if (!out->items[i].p) return sl_fail_memory(err, sizeof(struct sl_str));
    }
    if (node->n_controls > 1) qsort(out->items + node->n_inputs, (size_t)node->n_controls, sizeof *out->items, by_text);
    return SL_OK;
}

sl_code sl_node_export(struct sl_pb_NodeDef *out, const struct sl_node *node, struct sl_arena *arena,
                       struct sl_error *err) {
    size_t n = (size_t)node->attrs.n;
    *out = (struct sl_pb_NodeDef){.name = node->name,
                                  .op = node->op->name,
                                  .device = node->device,
                                  .experimental_debug_info = node->notes ? node->notes->debug_info : NULL,
                                  .experimental_type = node->notes ? node->notes->full_type : NULL};
    SL_TRY(write_inputs(&out->input, node, arena, err));
    out->attr.items = SL_ARENA_ARRAY(arena, struct sl_pb_entry_string_AttrValue, n);
    if (!out->attr.items) return sl_fail_memory(err, n * sizeof *out->attr.items);
    for (size_t i = 0; i < n; i++) {
        out->attr.items[i].key = node->attrs.items[i].name;
        out->attr.items[i].value = *node->attrs.items[i].value;
    }
    out->attr.n = n;
    if (n > 1) qsort(out->attr.items, n, sizeof *out->attr.items, by_name);
    return SL_OK;
}

static sl_code export_library(struct sl_pb_FunctionDefLibrary **out, const struct sl_graph *graph,
                              struct sl_arena *arena, struct sl_error *err) {
    struct sl_pb_FunctionDefLibrary *library = SL_ARENA_NEW(arena, struct sl_pb_FunctionDefLibrary);
    if (!library) return sl_fail_memory(err, sizeof *library);
    library->function.items = SL_ARENA_ARRAY(arena, struct sl_pb_FunctionDef, graph->functions.n);
    library->gradient.items = SL_ARENA_ARRAY(arena, struct sl_pb_GradientDef, graph->gradients.n);
    if (!library->function.items || !library->gradient.items) return sl_fail_memory(err, sizeof(struct sl_str));
    for (size_t i = 0; i < graph->functions.n; i++)
        library->function.items[library->function.n++] = *graph->functions.items[i]->def;
    for (size_t i = 0; i < graph->gradients.n; i++)
        library->gradient.items[library->gradient.n++] =
            (struct sl_pb_GradientDef){.function_name = graph->gradients.items[i].function,
                                       .gradient_func = graph->gradients.items[i].gradient};
    *out = library;
    return SL_OK;
}

sl_code sl_graph_export(struct sl_pb_GraphDef **out, const struct sl_graph *graph, struct sl_arena *arena,
                        struct sl_error *err) {
    struct sl_pb_GraphDef *def = SL_ARENA_NEW(arena, struct sl_pb_GraphDef);
    struct sl_pb_VersionDef *versions = SL_ARENA_NEW(arena, struct sl_pb_VersionDef);
    if (!def || !versions) return sl_fail_memory(err, sizeof *def);
    versions->producer = graph->producer;
    versions->min_consumer = graph->min_consumer;
    versions->bad_consumers = (struct sl_pb_array_i32){graph->bad_consumers, (size_t)graph->n_bad_consumers};
    def->versions = versions;
    def->node.items = SL_ARENA_ARRAY(arena, struct sl_pb_NodeDef, graph->live);
    if (!def->node.items) return sl_fail_memory(err, graph->live * sizeof *def->node.items);
    SL_GRAPH_EACH(node, graph) SL_TRY(sl_node_export(&def->node.items[def->node.n++], node, arena, err));
    SL_TRY(export_library(&def->library, graph, arena, err));
    *out = def;
    return SL_OK;
}

sl_code sl_graph_export_placed(struct sl_pb_GraphDef **out, const struct sl_graph *graph, struct sl_arena *arena,
                               struct sl_error *err) {
    size_t i = 0;
    SL_TRY(sl_graph_export(out, graph, arena, err));
    SL_GRAPH_EACH(node, graph) { /* they were written in this order */
        if (node->assigned.n) (*out)->node.items[i].device = node->assigned;
        i++;
    }
    return SL_OK;
}

const char *sl_node_text(char text[SL_SUMMARY_MAX], const struct sl_node *node) {
    enum { MOST = 64 };
    struct sl_arena arena;
    struct sl_str inputs[MOST];
    int n = node->n_inputs + node->n_controls;
    if (n > MOST) n = MOST;
    sl_arena_init(&arena);
    for (int i = 0; i < n; i++) inputs[i] = input_name(&arena, node, i);
    sl_node_summary(text, node->name, node->op->name, &node->attrs, node->device, inputs, n);
    sl_arena_clear(&arena);
    return text;
}
