/* Graphs of functions for those who look on. A graph changes from one stage to the next, so each is copied at once. */
#include "runtime/function_graphs.h"

#include <string.h>

#include "base/alloc.h"
#include "proto/wire.h"

struct sl_graph_history {
    struct sl_function_graphs *graphs;
    struct sl_arena arena;
    struct sl_pb_RunMetadata_FunctionGraphs stages;
};

void sl_function_graphs_init(struct sl_function_graphs *graphs) { sl_mutex_init(&graphs->mutex); }

void sl_function_graphs_clear(struct sl_function_graphs *graphs) {
    sl_vec_free(&graphs->bytes);
    sl_mutex_clear(&graphs->mutex);
}

void sl_function_graphs_switch(struct sl_function_graphs *graphs, bool is_on) {
    atomic_store(&graphs->is_on, is_on);
    if (is_on) return;
    sl_mutex_lock(&graphs->mutex);
    sl_vec_free(&graphs->bytes);
    sl_mutex_unlock(&graphs->mutex);
}

sl_code sl_function_graphs_take(struct sl_str *out, struct sl_function_graphs *graphs, struct sl_error *err) {
    sl_code code = SL_OK;
    sl_mutex_lock(&graphs->mutex);
    const size_t n = graphs->bytes.n;
    char *copy = sl_malloc(n + 1);
    if (!copy) code = sl_fail_memory(err, n);
    else {
        if (n) memcpy(copy, graphs->bytes.items, n);
        graphs->bytes.n = 0;
        *out = (struct sl_str){copy, n};
    }
    sl_mutex_unlock(&graphs->mutex);
    return code;
}

/* ---- one function */

/* A copy in the arena, with the devices on which its nodes will run, as far as that is known. */
static sl_code copy_graph(struct sl_pb_GraphDef *out, struct sl_graph_history *h, struct sl_graph *graph,
                          struct sl_error *err) {
    struct sl_pb_GraphDef *def;
    struct sl_str bytes;
    SL_TRY(sl_graph_export_placed(&def, graph, &h->arena, err));
    SL_TRY(sl_pb_encode(&bytes, SL_PB_TYPE(GraphDef), def, 0, &h->arena, err));
    return sl_pb_decode(out, SL_PB_TYPE(GraphDef), bytes, &h->arena, err);
}

static sl_code copy_new(struct sl_pb_GraphDef **out, struct sl_graph_history *h, struct sl_graph *graph,
                        struct sl_error *err) {
    *out = SL_ARENA_NEW(&h->arena, struct sl_pb_GraphDef);
    return *out ? copy_graph(*out, h, graph, err) : sl_fail_memory(err, sizeof **out);
}

sl_code sl_graph_history_begin(struct sl_graph_history **out, struct sl_function_graphs *graphs, struct sl_graph *body,
                               struct sl_error *err) {
    *out = NULL;
    if (!atomic_load_explicit(&graphs->is_on, memory_order_relaxed)) return SL_OK;
    struct sl_graph_history *h = sl_calloc(1, sizeof *h);
    if (!h) return sl_fail_memory(err, sizeof *h);
    h->graphs = graphs;
    sl_arena_init(&h->arena);
    sl_code code = copy_new(&h->stages.pre_optimization_graph, h, body, err);
    if (code == SL_OK) *out = h;
    else sl_graph_history_end(h, code, err);
    return code;
}

sl_code sl_graph_history_optimised(struct sl_graph_history *h, struct sl_graph *graph, struct sl_error *err) {
    return h ? copy_new(&h->stages.post_optimization_graph, h, graph, err) : SL_OK;
}

sl_code sl_graph_history_cut(struct sl_graph_history *h, const struct sl_partitions *pieces, struct sl_graph *graph,
                             struct sl_error *err) {
    if (!h) return SL_OK;
    struct sl_pb_array_GraphDef *to = &h->stages.partition_graphs;
    const size_t n = pieces->n ? (size_t)pieces->n : 1;
    to->items = SL_ARENA_ARRAY(&h->arena, struct sl_pb_GraphDef, n);
    if (!to->items) return sl_fail_memory(err, n * sizeof *to->items);
    for (; to->n < n; to->n++)
        SL_TRY(copy_graph(&to->items[to->n], h, pieces->n ? pieces->items[to->n].graph : graph, err));
    return SL_OK;
}

static sl_code keep(struct sl_graph_history *h, struct sl_error *err) {
    struct sl_str bytes;
    const struct sl_pb_RunMetadata metadata = {.function_graphs = {&h->stages, 1},
                                               .partition_graphs = h->stages.partition_graphs};
    SL_TRY(sl_pb_encode(&bytes, SL_PB_TYPE(RunMetadata), &metadata, SL_PB_SORT_MAPS, &h->arena, err));
    sl_mutex_lock(&h->graphs->mutex);
    sl_code code = SL_OK;
    if (sl_vec_reserve(&h->graphs->bytes, bytes.n)) code = sl_fail_memory(err, bytes.n);
    else {
        memcpy(h->graphs->bytes.items + h->graphs->bytes.n, bytes.p, bytes.n);
        h->graphs->bytes.n += bytes.n;
    }
    sl_mutex_unlock(&h->graphs->mutex);
    return code;
}

sl_code sl_graph_history_end(struct sl_graph_history *h, sl_code code, struct sl_error *err) {
    if (!h) return code;
    if (code == SL_OK) code = keep(h, err);
    sl_arena_clear(&h->arena);
    sl_free(h);
    return code;
}
