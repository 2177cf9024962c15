/* TF_Graph: the handle, its life, its shapes, look-up of operations, export. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "capi/handles.h"
#include "proto/wire.h"
#include "root/root.h"

/* ---- life */
sl_code sl_graph_handle_new(TF_Graph **out, struct sl_error *err) {
    const struct sl_registries *registries;
    SL_TRY(sl_root_registries(&registries, err));
    TF_Graph *graph = sl_calloc(1, sizeof *graph);
    if (!graph) return sl_fail_memory(err, sizeof *graph);
    sl_code code = sl_graph_new(&graph->graph, registries->ops, err);
    if (code != SL_OK) {
        sl_free(graph);
        return code;
    }
    graph->graph->evaluator = sl_root_evaluator();
    sl_mutex_init(&graph->mutex);
    graph->holds = 1;
    atomic_init(&graph->version, 1);
    *out = graph;
    return SL_OK;
}

void sl_graph_handle_drop(TF_Graph *graph) {
    sl_graph_lock(graph);
    bool last = --graph->holds == 0;
    sl_graph_unlock(graph);
    if (!last) return;
    sl_graph_free(graph->graph);
    sl_mutex_clear(&graph->mutex);
    sl_free(graph);
}

TF_Graph *TF_NewGraph(void) {
    TF_Graph *graph;
    return sl_graph_handle_new(&graph, NULL) == SL_OK ? graph : NULL;
}

void TF_DeleteGraph(TF_Graph *graph) {
    if (graph && !graph->loop) sl_graph_handle_drop(graph);
}

void sl_graph_changed(TF_Graph *graph, const struct sl_node *node, const char *how) {
    sl_graph_touch(graph);
    for (TF_Session *s = graph->sessions; s; s = s->next)
        if (node->id < atomic_load(&s->seen_nodes)) {
            sl_root_log(
                SL_LOG_WARNING,
                "Operation '%.*s' was changed by %s after it was run by a session. This mutation may have no effect "
                "there: change operations before they are run, or create a new session.",
                SL_STR_ARG(node->name), how);
            return;
        }
}

bool sl_graph_owns(const TF_Graph *graph, const struct sl_node *node) {
    return node && node->graph == graph->graph && !node->is_removed;
}

sl_code sl_graph_check_output(const TF_Graph *graph, TF_Output output, struct sl_error *err) {
    const struct sl_node *node = sl_as_node(output.oper);
    if (!node) return sl_fail(err, SL_INVALID_ARGUMENT, "Node is null");
    if (!sl_graph_owns(graph, node))
        return sl_fail(err, SL_INVALID_ARGUMENT, "Node %.*s was not found in the graph", SL_STR_ARG(node->name));
    if (output.index < 0 || output.index >= node->n_outputs)
        return sl_fail(err, SL_OUT_OF_RANGE, "Node '%.*s' (type: '%.*s', num of outputs: %d) does not have output %d",
                       SL_STR_ARG(node->name), SL_STR_ARG(node->op->name), node->n_outputs, output.index);
    return SL_OK;
}

/* ---- shapes */
static sl_code set_shape(TF_Graph *graph, TF_Output output, const int64_t *dims, int num_dims, struct sl_error *err) {
    SL_TRY(sl_graph_check_output(graph, output, err));
    if (num_dims < 0) return SL_OK;
    if (num_dims > SL_MAX_RANK) return sl_fail(err, SL_INVALID_ARGUMENT, "Shape of rank %d is too large", num_dims);
    for (int i = 0; i < num_dims; i++)
        if (dims[i] < -1) return sl_fail(err, SL_INVALID_ARGUMENT, "Dimension %d must be -1 or more", i);
    struct sl_shape shape = {num_dims, num_dims ? dims : NULL};
    return sl_graph_set_shape(graph->graph, sl_as_port(output), shape, err);
}

void TF_GraphSetTensorShape(TF_Graph *graph, TF_Output output, const int64_t *dims, int num_dims, TF_Status *status) {
    struct sl_error err;
    sl_graph_lock(graph);
    sl_code code = set_shape(graph, output, dims, num_dims, &err);
    sl_graph_unlock(graph);
    sl_status_take(status, code, &err);
}

int TF_GraphGetTensorNumDims(TF_Graph *graph, TF_Output output, TF_Status *status) {
    struct sl_error err;
    int rank = -1;
    sl_graph_lock(graph);
    sl_code code = sl_graph_check_output(graph, output, &err);
    if (code == SL_OK) rank = sl_as_node(output.oper)->shapes[output.index].rank;
    sl_graph_unlock(graph);
    sl_status_take(status, code, &err);
    return rank;
}

static sl_code get_shape(TF_Graph *graph, TF_Output output, int64_t *dims, int num_dims, struct sl_error *err) {
    SL_TRY(sl_graph_check_output(graph, output, err));
    struct sl_shape shape = sl_as_node(output.oper)->shapes[output.index];
    if (shape.rank < 0) return SL_OK;
    if (shape.rank != num_dims)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Expected rank is %d but actual rank is %d", num_dims, shape.rank);
    if (num_dims == 0) return SL_OK;
    memcpy(dims, shape.dims, (size_t)num_dims * sizeof *dims);
    return SL_OK;
}

void TF_GraphGetTensorShape(TF_Graph *graph, TF_Output output, int64_t *dims, int num_dims, TF_Status *status) {
    struct sl_error err;
    sl_graph_lock(graph);
    sl_code code = get_shape(graph, output, dims, num_dims, &err);
    sl_graph_unlock(graph);
    sl_status_take(status, code, &err);
}

/* ---- operations */
TF_Operation *TF_GraphOperationByName(TF_Graph *graph, const char *operation_name) {
    if (!graph || !operation_name) return NULL;
    sl_graph_lock(graph);
    struct sl_node *node = sl_graph_find(graph->graph, sl_str_of(operation_name));
    sl_graph_unlock(graph);
    return sl_as_operation(node);
}

/* A position is that of the operation found last. The original counts its source and sink nodes, which are the first
 * two of every graph there; clients keep positions. */
TF_Operation *TF_GraphNextOperation(TF_Graph *graph, size_t *pos) {
    enum { SENTINELS = 2 };
    if (!graph || !pos) return NULL;
    struct sl_node *found = NULL;
    if (*pos < SENTINELS) *pos = SENTINELS;
    else if (*pos < SIZE_MAX) ++*pos;
    sl_graph_lock(graph);
    for (; *pos - SENTINELS < graph->graph->nodes.n; ++*pos) {
        struct sl_node *node = graph->graph->nodes.items[*pos - SENTINELS];
        if (!node || node->is_removed) continue;
        found = node;
        break;
    }
    sl_graph_unlock(graph);
    return sl_as_operation(found);
}

/* ---- export */
static sl_code export_graph(TF_Buffer *out, TF_Graph *graph, struct sl_error *err) {
    struct sl_arena arena;
    struct sl_pb_GraphDef *def;
    SL_TRY(sl_buffer_check_empty(out, err));
    sl_arena_init(&arena);
    sl_code code = sl_graph_export(&def, graph->graph, &arena, err);
    if (code == SL_OK) code = sl_buffer_encode(out, SL_PB_TYPE(GraphDef), def, err);
    sl_arena_clear(&arena);
    return code;
}

void TF_GraphToGraphDef(TF_Graph *graph, TF_Buffer *output_graph_def, TF_Status *status) {
    struct sl_error err;
    sl_graph_lock(graph);
    sl_code code = export_graph(output_graph_def, graph, &err);
    sl_graph_unlock(graph);
    sl_status_take(status, code, &err);
}

static sl_code get_op_def(TF_Buffer *out, TF_Graph *graph, const char *name, struct sl_error *err) {
    const struct sl_op *op;
    SL_TRY(sl_graph_find_op(&op, graph->graph, sl_str_of(name), err));
    SL_TRY(sl_buffer_check_empty(out, err));
    return sl_buffer_encode(out, SL_PB_TYPE(OpDef), op->def, err);
}

void TF_GraphGetOpDef(TF_Graph *graph, const char *op_name, TF_Buffer *output_op_def, TF_Status *status) {
    struct sl_error err;
    sl_graph_lock(graph);
    sl_code code = get_op_def(output_op_def, graph, op_name, &err);
    sl_graph_unlock(graph);
    sl_status_take(status, code, &err);
}

void TF_GraphVersions(TF_Graph *graph, TF_Buffer *output_version_def, TF_Status *status) {
    struct sl_error err;
    sl_graph_lock(graph);
    const struct sl_graph *g = graph->graph;
    struct sl_pb_VersionDef versions = {.producer = g->producer, .min_consumer = g->min_consumer};
    versions.bad_consumers.items = g->bad_consumers;
    versions.bad_consumers.n = (size_t)g->n_bad_consumers;
    sl_code code = sl_buffer_encode(output_version_def, SL_PB_TYPE(VersionDef), &versions, &err);
    sl_graph_unlock(graph);
    sl_status_take(status, code, &err);
}

/* ---- values that need no run */
static sl_code evaluate(TF_Tensor **out, TF_Graph *graph, TF_Output output, struct sl_error *err) {
    SL_TRY(sl_graph_check_output(graph, output, err));
    const struct sl_tensor *value = sl_graph_constant(graph->graph, sl_as_port(output));
    return value ? sl_tensor_handle_try(out, sl_tensor_ref((struct sl_tensor *)value), err) : SL_OK;
}

unsigned char TF_TryEvaluateConstant(TF_Graph *graph, TF_Output output, TF_Tensor **result, TF_Status *status) {
    struct sl_error err;
    *result = NULL;
    sl_graph_lock(graph);
    sl_code code = evaluate(result, graph, output, &err);
    sl_graph_unlock(graph);
    sl_status_take(status, code, &err);
    return *result != NULL;
}

sl_code sl_graph_output(TF_Output *out, TF_Graph *graph, const char *name, struct sl_error *err) {
    struct sl_str node_name = sl_str_of(name);
    const char *colon = strrchr(name, ':');
    long index = 0;
    if (colon) {
        char *end;
        index = strtol(colon + 1, &end, 10);
        if (*end || end == colon + 1 || index < 0 || index > 1 << 20)
            return sl_fail(err, SL_INVALID_ARGUMENT, "Tensor %s is not of the form \"node:index\"", name);
        node_name.n = (size_t)(colon - name);
    }
    sl_graph_lock(graph);
    struct sl_node *node = sl_graph_find(graph->graph, node_name);
    sl_graph_unlock(graph);
    if (!node) return sl_fail(err, SL_NOT_FOUND, "There is no node %.*s", SL_STR_ARG(node_name));
    if (index >= node->n_outputs)
        return sl_fail(err, SL_NOT_FOUND, "Node %.*s has no output %ld", SL_STR_ARG(node_name), index);
    *out = (TF_Output){sl_as_operation(node), (int)index};
    return SL_OK;
}
