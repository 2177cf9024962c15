/* What a graph optimiser asks of its item: names, shapes, signatures of functions. */
#include <string.h>

#include "base/alloc.h"
#include "capi/handles.h"
#include "plugin/plugin_optimiser.h"
#include "proto/wire.h"
#include "root/root.h"
#include "tensor/tensor_proto.h"
#include "tensorflow/c/experimental/grappler/grappler.h"

/* ---- names */

static void list_size(const struct sl_str *names, size_t n, int *num_values, size_t *storage_size, TF_Status *status) {
    *storage_size = 0;
    for (size_t i = 0; i < n; i++) *storage_size += names[i].n;
    *num_values = (int)n;
    sl_status_set(status, SL_OK, NULL);
}

static void list_names(const struct sl_str *names, size_t n, char **values, size_t *lengths, int num_values,
                       char *storage, size_t room, TF_Status *status) {
    for (size_t i = 0; i < n && (int)i < num_values; i++) {
        if (names[i].n > room) {
            sl_status_set(status, SL_INVALID_ARGUMENT, "Not enough storage to hold the requested list of nodes");
            return;
        }
        values[i] = storage;
        lengths[i] = names[i].n;
        memcpy(storage, names[i].p, names[i].n);
        storage += names[i].n;
        room -= names[i].n;
    }
    sl_status_set(status, SL_OK, NULL);
}

static bool has_item(const TF_GrapplerItem *item, TF_Status *status) {
    if (!item) sl_status_set(status, SL_INVALID_ARGUMENT, "GrapplerItem cannot be NULL");
    return item != NULL;
}

void TF_GetNodesToPreserveListSize(const TF_GrapplerItem *item, int *num_values, size_t *storage_size,
                                   TF_Status *status) {
    if (has_item(item, status)) list_size(item->names->keep, item->names->n_keep, num_values, storage_size, status);
}
void TF_GetNodesToPreserveList(const TF_GrapplerItem *item, char **values, size_t *lengths, int num_values,
                               void *storage, size_t storage_size, TF_Status *status) {
    if (has_item(item, status))
        list_names(item->names->keep, item->names->n_keep, values, lengths, num_values, storage, storage_size, status);
}
void TF_GetFetchNodesListSize(const TF_GrapplerItem *item, int *num_values, size_t *storage_size, TF_Status *status) {
    if (has_item(item, status))
        list_size(item->names->fetches, item->names->n_fetches, num_values, storage_size, status);
}
void TF_GetFetchNodesList(const TF_GrapplerItem *item, char **values, size_t *lengths, int num_values, void *storage,
                          size_t storage_size, TF_Status *status) {
    if (has_item(item, status))
        list_names(item->names->fetches, item->names->n_fetches, values, lengths, num_values, storage, storage_size,
                   status);
}

/* ---- shapes */

struct TF_GraphProperties {
    struct sl_graph *graph;
    bool is_inferred, has_in_values, has_out_values;
};

static sl_code read_graph(struct sl_graph **out, struct sl_str bytes, struct sl_error *err) {
    const struct sl_registries *registries;
    const struct sl_import_options options = {.no_inference = true,
                                              .allow_internal_names = true,
                                              .allow_unknown_colocation = true};
    SL_TRY(sl_root_registries(&registries, err));
    SL_TRY(sl_graph_new(out, registries->ops, err));
    (*out)->evaluator = sl_root_evaluator();
    sl_code code = sl_graph_import_bytes(NULL, *out, bytes, &options, err);
    if (code != SL_OK) sl_graph_free(*out);
    return code;
}

TF_GraphProperties *TF_NewGraphProperties(const TF_GrapplerItem *item) {
    TF_GraphProperties *p = item ? sl_calloc(1, sizeof *p) : NULL;
    if (p && read_graph(&p->graph, item->graph, NULL) == SL_OK) return p;
    sl_free(p);
    return NULL;
}

void TF_DeleteGraphProperties(TF_GraphProperties *graph_properties) {
    if (!graph_properties) return;
    sl_graph_free(graph_properties->graph);
    sl_free(graph_properties);
}

static bool has_properties(const TF_GraphProperties *p, TF_Status *status) {
    if (!p) sl_status_set(status, SL_INVALID_ARGUMENT, "GraphProperties cannot be NULL");
    return p != NULL;
}

void TF_InferStatically(TF_GraphProperties *graph_properties, TF_Bool assume_valid_feeds,
                        TF_Bool aggressive_shape_inference, TF_Bool include_input_tensor_values,
                        TF_Bool include_output_tensor_values, TF_Status *status) {
    struct sl_error err;
    TF_GraphProperties *p = graph_properties;
    (void)assume_valid_feeds, (void)aggressive_shape_inference;
    if (!has_properties(p, status)) return;
    p->is_inferred = sl_status_take(status, sl_graph_infer_all(p->graph, &err), &err);
    p->has_in_values = include_input_tensor_values != 0;
    p->has_out_values = include_output_tensor_values != 0;
}

/* NULL: the node is not there, or nothing is known of it. */
static const struct sl_node *find_node(const TF_GraphProperties *p, const char *name) {
    return p->is_inferred ? sl_graph_find(p->graph, sl_str_of(name)) : NULL;
}

void TF_GetInputPropertiesListSize(TF_GraphProperties *graph_properties, const char *name, int *num_values,
                                   TF_Status *status) {
    if (!has_properties(graph_properties, status)) return;
    const struct sl_node *n = find_node(graph_properties, name);
    *num_values = n ? n->n_inputs : 0;
    sl_status_set(status, SL_OK, NULL);
}
void TF_GetOutputPropertiesListSize(TF_GraphProperties *graph_properties, const char *name, int *num_values,
                                    TF_Status *status) {
    if (!has_properties(graph_properties, status)) return;
    const struct sl_node *n = find_node(graph_properties, name);
    *num_values = n ? n->n_outputs : 0;
    sl_status_set(status, SL_OK, NULL);
}

static sl_code put_shape(struct sl_pb_TensorShapeProto *out, struct sl_shape shape, struct sl_arena *arena,
                         struct sl_error *err) {
    out->unknown_rank = shape.rank < 0;
    out->dim.items = sl_arena_array(arena, shape.rank > 0 ? (size_t)shape.rank : 0, sizeof *out->dim.items);
    if (!out->dim.items) return sl_fail_memory(err, sizeof *out);
    for (int d = 0; d < shape.rank; d++) out->dim.items[out->dim.n++].size = shape.dims[d];
    return SL_OK;
}

/* OpInfo.TensorProperties: type and shape are fields 1 and 2, as in TensorDescription; field 3 is the value. */
static sl_code encode_port(struct sl_str *out, struct sl_graph *graph, struct sl_port port, bool has_value,
                           struct sl_arena *arena, struct sl_error *err) {
    enum { VALUE = 3 << 3 | 2 };
    struct sl_pb_TensorShapeProto shape = {.unknown_rank = true};
    struct sl_pb_TensorDescription head = {.dtype = port.node->out_types[port.index], .shape = &shape};
    struct sl_pb_TensorProto proto = {0};
    struct sl_str first, value = {NULL, 0};
    const struct sl_tensor *known = has_value ? sl_graph_constant(graph, port) : NULL;
    SL_TRY(put_shape(&shape, port.node->shapes[port.index], arena, err));
    SL_TRY(sl_pb_encode(&first, SL_PB_TYPE(TensorDescription), &head, 0, arena, err));
    if (known) {
        SL_TRY(sl_tensor_to_proto(&proto, known, arena, err));
        SL_TRY(sl_pb_encode(&value, SL_PB_TYPE(TensorProto), &proto, 0, arena, err));
    }
    char *bytes = sl_malloc(first.n + value.n + 12), *at = bytes;
    if (!bytes) return sl_fail_memory(err, first.n + value.n);
    memcpy(at, first.p, first.n);
    at += first.n;
    if (known) {
        *at++ = VALUE;
        for (size_t n = value.n; n >= 0x80 || (*at++ = (char)n, false); n >>= 7) *at++ = (char)(n | 0x80);
        memcpy(at, value.p, value.n);
        at += value.n;
    }
    *out = (struct sl_str){bytes, (size_t)(at - bytes)};
    return SL_OK;
}

static sl_code list_properties(TF_Buffer **properties, int n, const TF_GraphProperties *p, const char *name,
                               bool is_output, struct sl_error *err) {
    const struct sl_node *node = find_node(p, name);
    const int there = node ? (is_output ? node->n_outputs : node->n_inputs) : 0;
    if (n > there)
        return sl_fail(err, SL_INVALID_ARGUMENT, "%d properties of %s were asked for, and there are %d", n, name,
                       there);
    for (int i = 0; i < n; i++) {
        const struct sl_port port = is_output ? (struct sl_port){(struct sl_node *)node, i} : node->inputs[i];
        struct sl_str bytes;
        struct sl_arena arena;
        SL_TRY(sl_buffer_check_empty(properties[i], err));
        if (!port.node) continue; /* of a loop that is not closed */
        sl_arena_init(&arena);
        sl_code code =
            encode_port(&bytes, p->graph, port, is_output ? p->has_out_values : p->has_in_values, &arena, err);
        sl_arena_clear(&arena);
        SL_TRY(code);
        sl_buffer_own(properties[i], bytes);
    }
    return SL_OK;
}

void TF_GetInputPropertiesList(TF_GraphProperties *graph_properties, const char *name, TF_Buffer **properties,
                               int num_values, TF_Status *status) {
    struct sl_error err;
    if (has_properties(graph_properties, status))
        sl_status_take(status, list_properties(properties, num_values, graph_properties, name, false, &err), &err);
}
void TF_GetOutputPropertiesList(TF_GraphProperties *graph_properties, const char *name, TF_Buffer **properties,
                                int num_values, TF_Status *status) {
    struct sl_error err;
    if (has_properties(graph_properties, status))
        sl_status_take(status, list_properties(properties, num_values, graph_properties, name, true, &err), &err);
}

/* ---- functions */

struct TF_FunctionLibraryDefinition {
    struct sl_arena arena;
    char *bytes; /* what `graph` points into */
    struct sl_pb_GraphDef graph;
};

static sl_code read_library(TF_FunctionLibraryDefinition *l, const TF_Buffer *buffer, struct sl_error *err) {
    if (!buffer || (!buffer->data && buffer->length)) return sl_fail(err, SL_INVALID_ARGUMENT, "there is no GraphDef");
    l->bytes = sl_malloc(buffer->length + 1);
    if (!l->bytes) return sl_fail_memory(err, buffer->length);
    if (buffer->length) memcpy(l->bytes, buffer->data, buffer->length);
    if (sl_pb_decode(&l->graph, SL_PB_TYPE(GraphDef), (struct sl_str){l->bytes, buffer->length}, &l->arena, NULL) ==
        SL_OK)
        return SL_OK;
    return sl_fail(err, SL_INVALID_ARGUMENT, "Unparseable GraphDef proto");
}

TF_FunctionLibraryDefinition *TF_NewFunctionLibraryDefinition(const TF_Buffer *graph_buf, TF_Status *status) {
    struct sl_error err;
    TF_FunctionLibraryDefinition *l = sl_calloc(1, sizeof *l);
    if (!l) {
        sl_status_set(status, SL_RESOURCE_EXHAUSTED, "out of memory");
        return NULL;
    }
    sl_arena_init(&l->arena);
    if (sl_status_take(status, read_library(l, graph_buf, &err), &err)) return l;
    TF_DeleteFunctionLibraryDefinition(l);
    return NULL;
}

void TF_DeleteFunctionLibraryDefinition(TF_FunctionLibraryDefinition *library) {
    if (!library) return;
    sl_arena_clear(&library->arena);
    sl_free(library->bytes);
    sl_free(library);
}

static sl_code look_up(const struct sl_pb_OpDef **out, const TF_FunctionLibraryDefinition *l, const char *name,
                       struct sl_error *err) {
    const struct sl_registries *registries;
    const struct sl_op *op;
    const struct sl_pb_FunctionDefLibrary *functions = l ? l->graph.library : NULL;
    if (!l || !name) return sl_fail(err, SL_INVALID_ARGUMENT, "there is no library, or no name");
    for (size_t i = 0; functions && i < functions->function.n; i++) {
        *out = functions->function.items[i].signature;
        if (*out && sl_str_is((*out)->name, name)) return SL_OK;
    }
    SL_TRY(sl_root_registries(&registries, err));
    SL_TRY(sl_op_find(&op, registries->ops, sl_str_of(name), err));
    *out = op->def;
    return SL_OK;
}

void TF_LookUpOpDef(TF_FunctionLibraryDefinition *library, const char *name, TF_Buffer *buffer, TF_Status *status) {
    struct sl_error err;
    const struct sl_pb_OpDef *def = NULL;
    sl_code code = look_up(&def, library, name, &err);
    if (code == SL_OK) code = sl_buffer_check_empty(buffer, &err);
    if (code == SL_OK) code = sl_buffer_encode(buffer, SL_PB_TYPE(OpDef), def, &err);
    sl_status_take(status, code, &err);
}
