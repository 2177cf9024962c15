/* Changes to finished operations: edges, attrs, devices, shapes of resources. Sessions that have taken the operation
 * over may not notice; sl_graph_changed warns of that. */
#include <string.h>

#include "capi/handles.h"
#include "proto/wire.h"
#include "tensor/tensor_proto.h"

/* ---- edges */
static sl_code update_edge(TF_Graph *graph, TF_Output from, TF_Input to, struct sl_error *err) {
    struct sl_node *node = sl_as_node(to.oper), *source = sl_as_node(from.oper);
    if (!sl_graph_owns(graph, node) || !sl_graph_owns(graph, source))
        return sl_fail(err, SL_INVALID_ARGUMENT, "Cannot update edge: an operation is not in the graph");
    if (from.index < 0 || from.index >= source->n_outputs)
        return sl_fail(err, SL_OUT_OF_RANGE,
                       "Cannot update edge. Output index [%d] is greater than the number of total outputs [%d].",
                       from.index, source->n_outputs);
    if (to.index < 0 || to.index >= node->n_inputs)
        return sl_fail(err, SL_OUT_OF_RANGE,
                       "Cannot update edge. Input index [%d] is greater than the number of total inputs [%d].",
                       to.index, node->n_inputs);
    struct sl_port old = node->inputs[to.index];
    if (old.node && !sl_shape_is_compatible(old.node->shapes[old.index], source->shapes[from.index])) {
        char is[SL_SHAPE_TEXT], was[SL_SHAPE_TEXT];
        return sl_fail(err, SL_INVALID_ARGUMENT, "Cannot update edge, incompatible shapes: %s and %s.",
                       sl_shape_text(is, source->shapes[from.index]), sl_shape_text(was, old.node->shapes[old.index]));
    }
    SL_TRY(sl_graph_set_input(graph->graph, node, to.index, sl_as_port(from), err));
    sl_graph_changed(graph, node, "updating input tensor");
    return SL_OK;
}

void TF_UpdateEdge(TF_Graph *graph, TF_Output new_src, TF_Input dst, TF_Status *status) {
    struct sl_error err;
    sl_graph_lock(graph);
    sl_code code = update_edge(graph, new_src, dst, &err);
    sl_graph_unlock(graph);
    sl_status_take(status, code, &err);
}

void TF_AddOperationControlInput(TF_Graph *graph, TF_Operation *op, TF_Operation *input) {
    sl_graph_lock(graph);
    if (sl_graph_owns(graph, sl_as_node(op)) && sl_graph_owns(graph, sl_as_node(input)) &&
        sl_graph_add_control(graph->graph, sl_as_node(input), sl_as_node(op), NULL) == SL_OK)
        sl_graph_changed(graph, sl_as_node(op), "adding control input");
    sl_graph_unlock(graph);
}

void TF_RemoveAllControlInputs(TF_Graph *graph, TF_Operation *op) {
    struct sl_node *node = sl_as_node(op);
    sl_graph_lock(graph);
    while (sl_graph_owns(graph, node) && node->n_controls > 0)
        sl_graph_remove_control(graph->graph, node->controls[node->n_controls - 1], node);
    if (sl_graph_owns(graph, node)) sl_graph_changed(graph, node, "removing all control inputs");
    sl_graph_unlock(graph);
}

/* The attrs of a While of one more value: types are those of its inputs and the new one; a list of shapes, if there is
 * one, is made as long. */
static sl_code widen_while(struct sl_attrs *out, const struct sl_node *node, int type, struct sl_arena *arena,
                           struct sl_error *err) {
    const int n = node->n_inputs;
    struct sl_pb_AttrValue_ListValue types = {0}, shapes = {0};
    const struct sl_pb_AttrValue *old = sl_attr_find(&node->attrs, SL_STR("output_shapes"));
    types.type.items = SL_ARENA_ARRAY(arena, int32_t, (size_t)n + 1);
    shapes.shape.items = SL_ARENA_ARRAY(arena, struct sl_pb_TensorShapeProto, (size_t)n + 1);
    if (!types.type.items || !shapes.shape.items) return sl_fail_memory(err, (size_t)n * sizeof *shapes.shape.items);
    for (int i = 0; i <= n; i++) types.type.items[i] = i < n ? node->in_types[i] : type;
    types.type.n = shapes.shape.n = (size_t)n + 1;
    const size_t n_old = old && old->which == SL_PB_AttrValue_list && old->list ? old->list->shape.n : 0;
    for (size_t i = 0; i <= (size_t)n; i++) {
        if (i < n_old) shapes.shape.items[i] = old->list->shape.items[i];
        else shapes.shape.items[i].unknown_rank = true;
    }
    const struct sl_attr t = sl_attr_new_list(arena, SL_STR("T"), &types);
    const struct sl_attr s = sl_attr_new_list(arena, SL_STR("output_shapes"), &shapes);
    if (!t.value || !s.value) return sl_fail_memory(err, sizeof types);
    SL_TRY(sl_attrs_with(out, arena, &node->attrs, t.name, t.value, err));
    return n_old ? sl_attrs_with(out, arena, out, s.name, s.value, err) : SL_OK;
}

static sl_code add_while_input(TF_Graph *graph, TF_Output from, TF_Operation *to, struct sl_error *err) {
    struct sl_attrs attrs;
    struct sl_node *node = sl_as_node(to);
    if (!sl_graph_owns(graph, node)) return sl_fail(err, SL_INVALID_ARGUMENT, "The operation is not in the graph");
    if (!sl_node_is(node, "While") && !sl_node_is(node, "StatelessWhile"))
        return sl_fail(err, SL_INTERNAL, "dst argument to AddWhileEdgeHack should be a While op, got: {{node %.*s}}",
                       SL_STR_ARG(node->name));
    SL_TRY(sl_graph_check_output(graph, from, err));
    const struct sl_port port = sl_as_port(from);
    SL_TRY(widen_while(&attrs, node, port.node->out_types[port.index], &graph->graph->arena, err));
    SL_TRY(sl_graph_extend_node(graph->graph, node, &attrs, &port, 1, err));
    sl_graph_changed(graph, node, "adding an input");
    return SL_OK;
}

void TF_AddWhileInputHack(TF_Graph *graph, TF_Output new_src, TF_Operation *dst, TF_Status *status) {
    struct sl_error err;
    sl_graph_lock(graph);
    sl_code code = add_while_input(graph, new_src, dst, &err);
    sl_graph_unlock(graph);
    sl_status_take(status, code, &err);
}

/* ---- attrs and device */
/* A value in the graph's arena. */
static sl_code decode_value(struct sl_pb_AttrValue **out, TF_Graph *graph, const TF_Buffer *proto,
                            struct sl_error *err) {
    struct sl_arena *arena = &graph->graph->arena;
    struct sl_str bytes = sl_arena_str(arena, sl_bytes_of(proto->data, proto->length));
    *out = SL_ARENA_NEW(arena, struct sl_pb_AttrValue);
    if (!*out || !bytes.p) return sl_fail_memory(err, proto->length);
    if (sl_pb_decode(*out, SL_PB_TYPE(AttrValue), bytes, arena, NULL) != SL_OK)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Unparseable AttrValue proto");
    return SL_OK;
}

static sl_code set_attr(TF_Graph *graph, struct sl_node *node, const char *name, const TF_Buffer *proto,
                        struct sl_error *err) {
    struct sl_pb_AttrValue *value;
    struct sl_attrs attrs;
    if (!sl_graph_owns(graph, node)) return sl_fail(err, SL_INVALID_ARGUMENT, "The operation is not in the graph");
    SL_TRY(decode_value(&value, graph, proto, err));
    int declared = sl_op_attr_index(node->op, sl_str_of(name));
    if (declared >= 0) SL_TRY(sl_attr_check(&node->op->attrs[declared], value, err));
    struct sl_str key = sl_arena_str(&graph->graph->arena, sl_str_of(name));
    if (!key.p) return sl_fail_memory(err, key.n);
    SL_TRY(sl_attrs_with(&attrs, &graph->graph->arena, &node->attrs, key, value, err));
    node->attrs = attrs;
    sl_graph_changed(graph, node, "setting attribute");
    return SL_OK;
}

void TF_SetAttr(TF_Graph *graph, TF_Operation *op, const char *attr_name, TF_Buffer *attr_value_proto,
                TF_Status *status) {
    struct sl_error err;
    sl_graph_lock(graph);
    sl_code code = set_attr(graph, sl_as_node(op), attr_name, attr_value_proto, &err);
    sl_graph_unlock(graph);
    sl_status_take(status, code, &err);
}

static sl_code clear_attr(TF_Graph *graph, struct sl_node *node, const char *name, struct sl_error *err) {
    if (!sl_graph_owns(graph, node)) return sl_fail(err, SL_INVALID_ARGUMENT, "The operation is not in the graph");
    if (sl_op_attr_index(node->op, sl_str_of(name)) >= 0)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Attribute '%s' of %.*s cannot be cleared: its op declares it", name,
                       SL_STR_ARG(node->name));
    struct sl_attr *items = SL_ARENA_ARRAY(&graph->graph->arena, struct sl_attr, (size_t)node->attrs.n);
    int n = 0;
    if (!items) return sl_fail_memory(err, sizeof *items);
    for (int i = 0; i < node->attrs.n; i++)
        if (!sl_str_is(node->attrs.items[i].name, name)) items[n++] = node->attrs.items[i];
    node->attrs = (struct sl_attrs){items, n};
    sl_graph_changed(graph, node, "clearing attribute");
    return SL_OK;
}

void TF_ClearAttr(TF_Graph *graph, TF_Operation *op, const char *attr_name, TF_Status *status) {
    struct sl_error err;
    sl_graph_lock(graph);
    sl_code code = clear_attr(graph, sl_as_node(op), attr_name, &err);
    sl_graph_unlock(graph);
    sl_status_take(status, code, &err);
}

void TF_SetRequestedDevice(TF_Graph *graph, TF_Operation *op, const char *device) {
    struct sl_node *node = sl_as_node(op);
    sl_graph_lock(graph);
    struct sl_str copy = sl_arena_str(&graph->graph->arena, sl_str_of(device ? device : ""));
    if (copy.p && sl_graph_owns(graph, node)) {
        node->device = copy;
        sl_graph_changed(graph, node, "setting device");
    }
    sl_graph_unlock(graph);
}

/* Full types say nothing that this library would not know from dtypes and handle data: they are not kept. */
void TF_SetFullType(TF_Graph *graph, TF_Operation *op, const TF_Buffer *full_type_proto) {
    (void)graph, (void)op, (void)full_type_proto;
}

/* An op without a shape function gives outputs of unknown shape, whatever is required. */
void TF_SetRequireShapeInferenceFns(TF_Graph *graph, bool require) { (void)graph, (void)require; }

/* ---- what a resource or variant stands for */
static sl_code handle_message(struct sl_pb_CppShapeInferenceResult_HandleData *out, const struct sl_handle_data *data,
                              struct sl_arena *arena, struct sl_error *err) {
    *out = (struct sl_pb_CppShapeInferenceResult_HandleData){.is_set = data && data->n > 0};
    if (!out->is_set) return SL_OK;
    out->shape_and_type.items = sl_arena_array(arena, (size_t)data->n, sizeof *out->shape_and_type.items);
    if (!out->shape_and_type.items) return sl_fail_memory(err, sizeof *out->shape_and_type.items);
    out->shape_and_type.n = (size_t)data->n;
    for (int i = 0; i < data->n; i++) {
        out->shape_and_type.items[i].dtype = data->items[i].dtype;
        SL_TRY(sl_shape_to_proto(&out->shape_and_type.items[i].shape, data->items[i].shape, arena, err));
    }
    return SL_OK;
}

TF_Buffer *TF_GetHandleShapeAndType(TF_Graph *graph, TF_Output output) {
    struct sl_arena arena;
    struct sl_pb_CppShapeInferenceResult_HandleData message;
    TF_Buffer *buffer = NULL;
    sl_arena_init(&arena);
    sl_graph_lock(graph);
    if (sl_graph_check_output(graph, output, NULL) == SL_OK) {
        const struct sl_handle_data *handles = sl_as_node(output.oper)->handles;
        if (handle_message(&message, handles ? &handles[output.index] : NULL, &arena, NULL) == SL_OK)
            sl_buffer_new_encoded(&buffer, SL_PB_TYPE(CppShapeInferenceResult_HandleData), &message, NULL);
    }
    sl_graph_unlock(graph);
    sl_arena_clear(&arena);
    return buffer;
}

static sl_code set_handle(TF_Graph *graph, TF_Output output,
                          const struct sl_pb_CppShapeInferenceResult_HandleData *message, struct sl_error *err) {
    struct sl_arena *arena = &graph->graph->arena;
    struct sl_node *node = sl_as_node(output.oper);
    size_t n = message->shape_and_type.n;
    struct sl_handle_item *items = SL_ARENA_ARRAY(arena, struct sl_handle_item, n);
    if (!node->handles) node->handles = SL_ARENA_ARRAY(arena, struct sl_handle_data, (size_t)node->n_outputs);
    if (!items || !node->handles) return sl_fail_memory(err, n * sizeof *items);
    for (size_t i = 0; i < n; i++) {
        const struct sl_pb_CppShapeInferenceResult_HandleShapeAndType *from = &message->shape_and_type.items[i];
        items[i] = (struct sl_handle_item){from->dtype, SL_SHAPE_UNKNOWN};
        if (!sl_dtype_is_valid(from->dtype)) return sl_fail(err, SL_INVALID_ARGUMENT, "Invalid dtype %d", from->dtype);
        if (from->shape) SL_TRY(sl_shape_from_proto(&items[i].shape, from->shape, arena, err));
    }
    node->handles[output.index] = (struct sl_handle_data){message->is_set ? (int)n : 0, items};
    return SL_OK;
}

void TF_SetHandleShapeAndType(TF_Graph *graph, TF_Output output, const void *proto, size_t proto_len,
                              TF_Status *status) {
    struct sl_error err;
    struct sl_arena arena;
    struct sl_pb_CppShapeInferenceResult_HandleData message;
    sl_arena_init(&arena);
    sl_graph_lock(graph);
    sl_code code = sl_graph_check_output(graph, output, &err);
    if (code == SL_OK && sl_pb_decode(&message, SL_PB_TYPE(CppShapeInferenceResult_HandleData),
                                      sl_bytes_of(proto, proto_len), &arena, NULL) != SL_OK)
        code = sl_fail(&err, SL_INVALID_ARGUMENT, "Couldn't deserialize HandleData proto");
    if (code == SL_OK) code = set_handle(graph, output, &message, &err);
    sl_graph_unlock(graph);
    sl_arena_clear(&arena);
    sl_status_take(status, code, &err);
}
