/* sl_model_write: message, variables and assets go into a temporary directory beside the one that is wanted, all of
 * it is brought to the disk, and a rename makes it the model. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "capi/handles.h"
#include "ckpt/bundle.h"
#include "front/front_options.h"
#include "front/meta_graph.h"
#include "os/file.h"
#include "proto/wire.h"
#include "session/saver_nodes.h"
#include "session/variable_values.h"
#include "sluice/saved_model_file.h"

struct export {
    TF_Session *session;
    const struct sl_export *parts;
    struct sl_meta_graph *meta; /* what is being made */
    struct sl_arena *arena;     /* its */
    const char *dir;            /* the temporary one */
    SL_VEC(struct sl_port) variables;
    SL_VEC(struct sl_tensor *) values; /* one each */
};

/* ---- the message */

static sl_code tensor_text(struct sl_str *out, const struct export *e, TF_Output tensor, struct sl_error *err) {
    SL_TRY(sl_graph_check_output(e->session->graph, tensor, err));
    struct sl_port port = sl_as_port(tensor);
    char *text = sl_arena_format(e->arena, "%.*s:%d", SL_STR_ARG(port.node->name), port.index);
    if (!text) return sl_fail_memory(err, port.node->name.n);
    *out = sl_str_of(text);
    return SL_OK;
}

static sl_code describe_shape(struct sl_pb_TensorShapeProto **out, const struct export *e, struct sl_port port,
                              struct sl_error *err) {
    const struct sl_shape *shape = &port.node->shapes[port.index];
    size_t rank = shape->rank < 0 ? 0 : (size_t)shape->rank;
    struct sl_pb_TensorShapeProto *proto = SL_ARENA_NEW(e->arena, struct sl_pb_TensorShapeProto);
    struct sl_pb_TensorShapeProto_Dim *dims = SL_ARENA_ARRAY(e->arena, struct sl_pb_TensorShapeProto_Dim, rank + 1);
    if (!proto || !dims) return sl_fail_memory(err, rank * sizeof *dims);
    for (size_t i = 0; i < rank; i++) dims[i].size = shape->dims[i] < 0 ? -1 : shape->dims[i];
    proto->unknown_rank = shape->rank < 0;
    proto->dim = (struct sl_pb_array_TensorShapeProto_Dim){dims, rank};
    *out = proto;
    return SL_OK;
}

static sl_code describe_tensor(struct sl_pb_TensorInfo *info, const struct export *e, TF_Output tensor,
                               struct sl_error *err) {
    SL_TRY(tensor_text(&info->name, e, tensor, err));
    struct sl_port port = sl_as_port(tensor);
    info->which = SL_PB_TensorInfo_name;
    info->dtype = sl_dtype_base(port.node->out_types[port.index]);
    return describe_shape(&info->tensor_shape, e, port, err);
}

static sl_code describe_ports(struct sl_pb_map_string_TensorInfo *out, const struct export *e,
                              const struct sl_export_port *ports, int n, struct sl_error *err) {
    out->items = SL_ARENA_ARRAY(e->arena, struct sl_pb_entry_string_TensorInfo, (size_t)(n > 0 ? n : 0) + 1);
    if (!out->items) return sl_fail_memory(err, (size_t)n * sizeof *out->items);
    for (; out->n < (size_t)(n > 0 ? n : 0); out->n++) {
        const struct sl_export_port *port = &ports[out->n];
        struct sl_str name = sl_str_of(port->name);
        if (sl_pb_find_string_TensorInfo(out, name))
            return sl_fail(err, SL_INVALID_ARGUMENT, "a signature names two tensors '%s'", port->name);
        out->items[out->n].key = name;
        SL_TRY(describe_tensor(&out->items[out->n].value, e, port->tensor, err));
    }
    return SL_OK;
}

static sl_code describe_signature(struct sl_pb_SignatureDef *def, const struct export *e,
                                  const struct sl_export_signature *s, struct sl_error *err) {
    def->method_name = s->method ? sl_str_of(s->method) : SL_STR("tensorflow/serving/predict");
    SL_TRY(describe_ports(&def->inputs, e, s->inputs, s->num_inputs, err));
    return describe_ports(&def->outputs, e, s->outputs, s->num_outputs, err);
}

/* The signature by which loaders find what initialises. */
static sl_code describe_init(struct sl_pb_SignatureDef *def, const struct export *e, struct sl_str key,
                             struct sl_error *err) {
    struct sl_pb_entry_string_TensorInfo *entry = SL_ARENA_NEW(e->arena, struct sl_pb_entry_string_TensorInfo);
    struct sl_pb_TensorShapeProto *shape = SL_ARENA_NEW(e->arena, struct sl_pb_TensorShapeProto);
    if (!entry || !shape) return sl_fail_memory(err, sizeof *entry);
    shape->unknown_rank = true;
    entry->key = key;
    entry->value.which = SL_PB_TensorInfo_name;
    entry->value.name = sl_as_node(e->parts->init)->name;
    entry->value.tensor_shape = shape;
    def->outputs = (struct sl_pb_map_string_TensorInfo){entry, 1};
    return SL_OK;
}

static sl_code describe_signatures(const struct export *e, struct sl_error *err) {
    struct sl_pb_map_string_SignatureDef *map = &e->meta->message.signature_def;
    size_t n = e->parts->num_signatures > 0 ? (size_t)e->parts->num_signatures : 0;
    struct sl_str init = SL_STR("__saved_model_init_op");
    map->items = SL_ARENA_ARRAY(e->arena, struct sl_pb_entry_string_SignatureDef, n + 1);
    if (!map->items) return sl_fail_memory(err, n * sizeof *map->items);
    for (; map->n < n; map->n++) {
        struct sl_str name = sl_str_of(e->parts->signatures[map->n].name);
        if (sl_pb_find_string_SignatureDef(map, name) || sl_str_eq(name, init))
            return sl_fail(err, SL_INVALID_ARGUMENT, "there are two signatures '%.*s'", SL_STR_ARG(name));
        map->items[map->n].key = name;
        SL_TRY(describe_signature(&map->items[map->n].value, e, &e->parts->signatures[map->n], err));
    }
    if (!e->parts->init) return SL_OK;
    if (!sl_graph_owns(e->session->graph, sl_as_node(e->parts->init)))
        return sl_fail(err, SL_INVALID_ARGUMENT, "the initialisation is no operation of the session's graph");
    map->items[map->n].key = init;
    return describe_init(&map->items[map->n++].value, e, init, err);
}

static sl_code describe_tags(const struct export *e, struct sl_error *err) {
    struct sl_pb_array_str *tags = &e->meta->message.meta_info_def->tags;
    size_t n = e->parts->num_tags > 0 ? (size_t)e->parts->num_tags : 0;
    tags->items = SL_ARENA_ARRAY(e->arena, struct sl_str, n + 1);
    if (!tags->items) return sl_fail_memory(err, n * sizeof *tags->items);
    tags->items[0] = SL_STR("serve");
    for (size_t i = 0; i < n; i++) tags->items[i] = sl_str_of(e->parts->tags[i]);
    tags->n = n ? n : 1;
    return SL_OK;
}

/* ---- assets */

static bool is_taken(const struct sl_pb_array_AssetFileDef *assets, struct sl_str name) {
    for (size_t i = 0; i < assets->n; i++)
        if (sl_str_eq(assets->items[i].filename, name)) return true;
    return false;
}

/* A name for the file in assets/: its own, with a number when another file has that. */
static sl_code name_asset(struct sl_str *out, const struct export *e, size_t i, struct sl_error *err) {
    const struct sl_pb_array_AssetFileDef *assets = &e->meta->message.asset_file_def;
    const char *path = e->parts->assets[i].path, *base = sl_path_base(path);
    for (size_t k = 0; k < i; k++)
        if (!strcmp(e->parts->assets[k].path, path)) {
            *out = assets->items[k].filename;
            return SL_OK;
        }
    *out = sl_str_of(base);
    for (int number = 1; out->p && is_taken(assets, *out); number++)
        *out = sl_str_of(sl_arena_format(e->arena, "%s_%d", base, number));
    return out->p ? SL_OK : sl_fail_memory(err, strlen(base));
}

/* Copies a file and brings it to the disk. */
static sl_code copy_lasting(const char *from, const char *to, struct sl_error *err) {
    struct sl_writer w = {0};
    SL_TRY(sl_file_copy(from, to, err));
    SL_TRY(sl_writer_open(&w, to, SL_WRITER_APPEND, err));
    sl_code code = sl_writer_sync(&w, err);
    if (code == SL_OK) code = sl_writer_close(&w, err);
    else sl_writer_abandon(&w);
    return code;
}

static sl_code write_asset(struct sl_pb_AssetFileDef *def, const struct export *e, size_t i, const char *dir,
                           struct sl_error *err) {
    const struct sl_export_asset *asset = &e->parts->assets[i];
    def->tensor_info = SL_ARENA_NEW(e->arena, struct sl_pb_TensorInfo);
    if (!def->tensor_info) return sl_fail_memory(err, sizeof *def->tensor_info);
    def->tensor_info->which = SL_PB_TensorInfo_name;
    SL_TRY(tensor_text(&def->tensor_info->name, e, asset->tensor, err));
    SL_TRY(name_asset(&def->filename, e, i, err));
    char *path = sl_arena_format(e->arena, "%s/%.*s", dir, SL_STR_ARG(def->filename));
    if (!path) return sl_fail_memory(err, def->filename.n);
    return is_taken(&e->meta->message.asset_file_def, def->filename) ? SL_OK : copy_lasting(asset->path, path, err);
}

static sl_code write_assets(const struct export *e, struct sl_error *err) {
    struct sl_pb_array_AssetFileDef *assets = &e->meta->message.asset_file_def;
    size_t n = e->parts->num_assets > 0 ? (size_t)e->parts->num_assets : 0;
    char *dir = sl_path_join(e->arena, e->dir, "assets");
    assets->items = SL_ARENA_ARRAY(e->arena, struct sl_pb_AssetFileDef, n + 1);
    if (!dir || !assets->items) return sl_fail_memory(err, n * sizeof *assets->items);
    if (n == 0) return SL_OK;
    SL_TRY(sl_dir_create(dir, err));
    for (; assets->n < n; assets->n++) SL_TRY(write_asset(&assets->items[assets->n], e, assets->n, dir, err));
    char *first = sl_arena_format(e->arena, "%s/%.*s", dir, SL_STR_ARG(assets->items[0].filename));
    return first ? sl_file_sync_names(first, err) : sl_fail_memory(err, strlen(dir));
}

/* ---- variables */

/* The variables in the order of the graph, the one in which they were listed in the message. */
static sl_code find_variables(struct export *e, struct sl_error *err) {
    const struct sl_pb_GraphDef *def = e->meta->message.graph_def;
    const struct sl_graph *graph = e->session->graph->graph;
    sl_code code = SL_OK;
    sl_graph_lock(e->session->graph);
    for (size_t i = 0; code == SL_OK && i < def->node.n; i++) {
        if (!sl_is_variable_op(graph->registry, def->node.items[i].op)) continue;
        struct sl_port port = {sl_graph_find(graph, def->node.items[i].name), 0};
        if (!port.node) code = sl_fail(err, SL_ABORTED, "a variable was removed from the graph while it was written");
        else if (sl_vec_push(&e->variables, port)) code = sl_fail_memory(err, sizeof port);
    }
    sl_graph_unlock(e->session->graph);
    return code;
}

static sl_code read_variables(struct export *e, struct sl_error *err) {
    SL_TRY(find_variables(e, err));
    size_t n = e->variables.n;
    if (n == 0) return SL_OK;
    if (n > INT32_MAX / 2) return sl_fail(err, SL_RESOURCE_EXHAUSTED, "too many variables");
    if (sl_vec_reserve(&e->values, n)) return sl_fail_memory(err, n * sizeof *e->values.items);
    SL_TRY(sl_session_read_variables(e->values.items, e->session->session, e->variables.items, n, err));
    e->values.n = n;
    return SL_OK;
}

static sl_code write_variables(const struct export *e, struct sl_error *err) {
    struct sl_bundle_writer *w;
    struct sl_bundle_writer_options options = {.pool = sl_pool_shared()};
    char *dir = sl_path_join(e->arena, e->dir, "variables");
    char *prefix = dir ? sl_path_join(e->arena, dir, "variables") : NULL;
    if (!prefix) return sl_fail_memory(err, strlen(e->dir));
    SL_TRY(sl_dir_create(dir, err));
    if (!e->values.n) return SL_OK;
    SL_TRY(sl_bundle_writer_open(&w, prefix, &options, err));
    for (size_t i = 0; i < e->values.n; i++) {
        sl_code code = sl_bundle_writer_add(w, e->variables.items[i].node->name, e->values.items[i], err);
        if (code != SL_OK) {
            sl_bundle_writer_abandon(w);
            return code;
        }
    }
    return sl_bundle_writer_finish(w, err);
}

/* ---- all of it */

static sl_code write_message(const struct export *e, struct sl_error *err) {
    struct sl_pb_SavedModel model = {.saved_model_schema_version = 1, .meta_graphs = {&e->meta->message, 1}};
    struct sl_str bytes;
    char *path = sl_path_join(e->arena, e->dir, "saved_model.pb");
    if (!path) return sl_fail_memory(err, strlen(e->dir));
    SL_TRY(sl_pb_encode(&bytes, SL_PB_TYPE(SavedModel), &model, 0, NULL, err));
    sl_code code = sl_file_write_atomic(path, bytes.p, bytes.n, err);
    sl_free((void *)(uintptr_t)bytes.p);
    return code;
}

static sl_code add_collections(const struct export *e, struct sl_error *err) {
    struct sl_collection c;
    struct sl_collection_item item;
    TF_Status *status = TF_NewStatus();
    if (!status) return sl_fail_memory(err, sizeof *status);
    for (int i = 0; e->parts->meta && sl_meta_graph_collection(&c, e->parts->meta, i); i++)
        for (int k = 0; TF_GetCode(status) == TF_OK && sl_meta_graph_item(&item, e->parts->meta, i, k); k++)
            sl_meta_graph_add(e->meta, c.name, c.kind, &item, status);
    sl_code code = sl_status_give(status, err);
    TF_DeleteStatus(status);
    return code;
}

static sl_code fill_directory(struct export *e, struct sl_error *err) {
    SL_TRY(sl_meta_graph_take(e->meta, e->session->graph, err));
    SL_TRY(describe_tags(e, err));
    SL_TRY(describe_signatures(e, err));
    SL_TRY(add_collections(e, err));
    SL_TRY(read_variables(e, err));
    SL_TRY(sl_meta_graph_give_saver(e->meta, err));
    SL_TRY(sl_meta_graph_fill(e->meta, e->meta, err));
    SL_TRY(write_variables(e, err));
    SL_TRY(write_assets(e, err));
    return write_message(e, err);
}

static sl_code check_missing(const char *dir, struct sl_arena *arena, struct sl_error *err) {
    char **names;
    size_t n = 0;
    sl_code code = sl_dir_list(&names, &n, dir, arena, err);
    if (code == SL_NOT_FOUND || (code == SL_OK && n == 0)) return SL_OK;
    if (code != SL_OK) return code;
    return sl_fail(err, SL_ALREADY_EXISTS,
                   "Export directory already exists, and isn't empty. Please choose a different export directory, or "
                   "delete all the contents of the specified directory: %s",
                   dir);
}

/* "dir" without slashes at its end, for the temporary one beside it. */
static char *trim(const char *dir, struct sl_arena *arena) {
    size_t n = strlen(dir);
    while (n > 1 && dir[n - 1] == '/') n--;
    return sl_arena_format(arena, "%.*s", (int)n, dir);
}

static sl_code write_model(const char *dir, struct export *e, struct sl_error *err) {
    char *target = trim(dir, e->arena), *above = target ? sl_path_dir(e->arena, target) : NULL;
    e->dir = target ? sl_path_temporary(e->arena, target) : NULL;
    if (!e->dir || !above) return sl_fail_memory(err, strlen(dir));
    SL_TRY(sl_session_catch_up(e->session, err));
    SL_TRY(check_missing(target, e->arena, err));
    if (*above) SL_TRY(sl_dir_create_all(above, err));
    SL_TRY(sl_dir_create(e->dir, err));
    sl_code code = fill_directory(e, err);
    if (code == SL_OK) code = sl_file_rename(e->dir, target, err);
    if (code != SL_OK) {
        (void)sl_dir_remove_all(e->dir, NULL);
        return code;
    }
    return sl_file_sync_names(target, err);
}

void sl_model_write(const char *dir, TF_Session *session, const struct sl_export *parts, TF_Status *status) {
    struct sl_export o;
    struct sl_error err;
    if (!SL_OPTIONS_TAKE(&o, sl_export, meta, parts, status)) return;
    struct export e = {.session = session, .parts = &o, .meta = sl_meta_graph_new(status)};
    if (!e.meta) return;
    e.arena = &e.meta->arena;
    sl_error_clear(&err);
    sl_status_take(status, write_model(dir, &e, &err), &err);
    for (size_t i = 0; i < e.values.n; i++) sl_tensor_unref(e.values.items[i]);
    sl_vec_free(&e.values);
    sl_vec_free(&e.variables);
    sl_meta_graph_delete(e.meta);
}
