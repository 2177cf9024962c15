/* SavedModels. The order is TensorFlow's: graph, variables by the saver's restore operation, then the
 * initialisation, which is a signature, the main op or the legacy init op, whichever there is first. */
#include "session/saved_model.h"

#include <string.h>

#include "base/alloc.h"
#include "base/checked.h"
#include "base/vec.h"
#include "graph/tensor_name.h"
#include "os/file.h"
#include "proto/text_format.h"
#include "proto/wire.h"

/* ---- reading */

static sl_code read_message(struct sl_saved_model *m, const char *path, bool is_text, struct sl_error *err) {
    SL_TRY(sl_file_read(&m->bytes, &m->n_bytes, path, (size_t)INT32_MAX, err));
    struct sl_str bytes = {m->bytes, m->n_bytes};
    m->is_text = is_text;
    struct sl_error why;
    sl_error_clear(&why);
    sl_code code = is_text ? sl_pb_text_parse(&m->message, SL_PB_TYPE(SavedModel), bytes, &m->arena, &why)
                           : sl_pb_decode(&m->message, SL_PB_TYPE(SavedModel), bytes, &m->arena, &why);
    if (code == SL_OK) return SL_OK;
    if (!is_text && code != SL_RESOURCE_EXHAUSTED) code = SL_DATA_LOSS;
    return sl_fail(err, code, "Can't parse %s as %s proto: %s", path, is_text ? "text" : "binary", why.message);
}

static sl_code read_dir(struct sl_saved_model *m, const char *dir, struct sl_error *err) {
    m->dir = sl_arena_str(&m->arena, sl_str_of(dir)).p;
    char *binary = sl_path_join(&m->arena, dir, "saved_model.pb");
    char *text = sl_path_join(&m->arena, dir, "saved_model.pbtxt");
    char *pieces = sl_path_join(&m->arena, dir, "saved_model.cpb");
    if (!m->dir || !binary || !text || !pieces) return sl_fail_memory(err, strlen(dir));
    if (sl_file_exists(binary, NULL) == SL_OK) return read_message(m, binary, false, err);
    if (sl_file_exists(text, NULL) == SL_OK) return read_message(m, text, true, err);
    if (sl_file_exists(pieces, NULL) == SL_OK)
        return sl_fail(err, SL_UNIMPLEMENTED, "%s: a SavedModel in pieces (.cpb) cannot be read", pieces);
    return sl_fail(err, SL_NOT_FOUND,
                   "Could not find SavedModel .pb or .pbtxt at supplied export directory path: %s. Check that the "
                   "directory exists and that you have the right permissions for accessing it.",
                   dir);
}

sl_code sl_saved_model_read(struct sl_saved_model *out, const char *dir, struct sl_error *err) {
    *out = (struct sl_saved_model){.bytes = NULL};
    sl_arena_init(&out->arena);
    sl_code code = read_dir(out, dir, err);
    if (code != SL_OK) sl_saved_model_clear(out);
    return code;
}

void sl_saved_model_clear(struct sl_saved_model *model) {
    sl_free(model->bytes);
    sl_arena_clear(&model->arena);
    *model = (struct sl_saved_model){.bytes = NULL};
}

/* ---- choosing */

static bool is_among(struct sl_str tag, const struct sl_str *tags, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (sl_str_eq(tags[i], tag)) return true;
    return false;
}

/* The same set. */
static bool has_tags(const struct sl_pb_MetaGraphDef *meta, const struct sl_str *tags, size_t n) {
    const struct sl_str *own = meta->meta_info_def ? meta->meta_info_def->tags.items : NULL;
    size_t n_own = meta->meta_info_def ? meta->meta_info_def->tags.n : 0;
    for (size_t i = 0; i < n_own; i++)
        if (!is_among(own[i], tags, n)) return false;
    for (size_t i = 0; i < n; i++)
        if (!is_among(tags[i], own, n_own)) return false;
    return true;
}

static void append_tags(struct sl_error *err, const struct sl_str *tags, size_t n) {
    sl_error_append(err, "{ ");
    for (size_t i = 0; i < n; i++) sl_error_append(err, "%.*s ", SL_STR_ARG(tags[i]));
    sl_error_append(err, "}");
}

/* Elements that a shape in a message makes; -1 for a shape that makes none. */
static int64_t count_elements(const struct sl_pb_TensorShapeProto *shape) {
    int64_t count = 1;
    for (size_t i = 0; shape && i < shape->dim.n; i++)
        if (shape->dim.items[i].size < 0 || !sl_mul_i64(&count, count, shape->dim.items[i].size)) return -1;
    return shape && shape->unknown_rank ? -1 : count;
}

static sl_code check_constants(const struct sl_pb_array_NodeDef *nodes, struct sl_error *err) {
    for (size_t i = 0; i < nodes->n; i++) {
        const struct sl_pb_NodeDef *node = &nodes->items[i];
        if (!sl_str_is(node->op, "Const")) continue;
        const struct sl_pb_AttrValue *value = sl_pb_find_string_AttrValue(&node->attr, SL_STR("value"));
        if (!value || value->which != SL_PB_AttrValue_tensor)
            return sl_fail(
                err, SL_FAILED_PRECONDITION,
                "Saved model contains node \"%.*s\" which is a constant tensor but no value has been provided",
                SL_STR_ARG(node->name));
        if (count_elements(value->tensor->tensor_shape) < 0)
            return sl_fail(err, SL_FAILED_PRECONDITION,
                           "Saved model contains node \"%.*s\" (op \"Const\") which initializes from a tensor with -1 "
                           "elements",
                           SL_STR_ARG(node->name));
    }
    return SL_OK;
}

/* What other models would fail at later, and TensorFlow at once. */
static sl_code check_graph(const struct sl_pb_MetaGraphDef *meta, struct sl_error *err) {
    if (!meta->graph_def) return sl_fail(err, SL_DATA_LOSS, "The SavedModel has no graph");
    SL_TRY(check_constants(&meta->graph_def->node, err));
    const struct sl_pb_FunctionDefLibrary *library = meta->graph_def->library;
    for (size_t i = 0; library && i < library->function.n; i++)
        SL_TRY(check_constants(&library->function.items[i].node_def, err));
    return SL_OK;
}

sl_code sl_saved_model_choose(const struct sl_pb_MetaGraphDef **out, const struct sl_saved_model *model,
                              const struct sl_str *tags, int n_tags, struct sl_error *err) {
    const struct sl_pb_array_MetaGraphDef *graphs = &model->message.meta_graphs;
    for (size_t i = 0; i < graphs->n; i++)
        if (has_tags(&graphs->items[i], tags, (size_t)n_tags)) {
            *out = &graphs->items[i];
            return check_graph(*out, err);
        }
    sl_fail(err, SL_NOT_FOUND, "Could not find meta graph def matching supplied tags: ");
    if (!err) return SL_NOT_FOUND;
    append_tags(err, tags, (size_t)n_tags);
    sl_error_append(err, ". %s has", model->dir);
    for (size_t i = 0; i < graphs->n; i++) {
        const struct sl_pb_MetaGraphDef_MetaInfoDef *info = graphs->items[i].meta_info_def;
        sl_error_append(err, " ");
        append_tags(err, info ? info->tags.items : NULL, info ? info->tags.n : 0);
    }
    return SL_NOT_FOUND;
}

bool sl_saved_model_graph(struct sl_str *out, const struct sl_saved_model *model,
                          const struct sl_pb_MetaGraphDef *meta) {
    enum { META_GRAPHS = 2, GRAPH_DEF = 2 }; /* fields */
    size_t which = (size_t)(meta - model->message.meta_graphs.items);
    struct sl_str bytes = {model->bytes, model->n_bytes}, second;
    return !model->is_text && sl_pb_field_bytes(&bytes, SL_PB_TYPE(SavedModel), bytes, META_GRAPHS, which) &&
           sl_pb_field_bytes(out, SL_PB_TYPE(MetaGraphDef), bytes, GRAPH_DEF, 0) &&
           !sl_pb_field_bytes(&second, SL_PB_TYPE(MetaGraphDef), bytes, GRAPH_DEF, 1); /* two would be merged */
}

/* ---- starting */

sl_code sl_saved_model_port(struct sl_port *out, const struct sl_graph *graph, struct sl_str name,
                            struct sl_error *err) {
    struct sl_tensor_name parts = sl_tensor_name_of(name);
    struct sl_node *node = parts.index >= 0 ? sl_graph_find(graph, parts.node) : NULL;
    if (!node || parts.index >= node->n_outputs)
        return sl_fail(err, SL_INVALID_ARGUMENT, "The graph of the SavedModel has no tensor '%.*s'", SL_STR_ARG(name));
    *out = (struct sl_port){node, parts.index};
    return SL_OK;
}

static sl_code find_node(struct sl_node **out, const struct sl_graph *graph, struct sl_str name, struct sl_error *err) {
    struct sl_tensor_name parts = sl_tensor_name_of(name);
    *out = sl_graph_find(graph, parts.node);
    if (*out) return SL_OK;
    return sl_fail(err, SL_INVALID_ARGUMENT, "The graph of the SavedModel has no operation '%.*s'", SL_STR_ARG(name));
}

/* What the runs are fed. */
struct feeds {
    SL_VEC(struct sl_port) ports;
    SL_VEC(struct sl_tensor *) tensors;
};

static void feeds_free(struct feeds *feeds) {
    for (size_t i = 0; i < feeds->tensors.n; i++) sl_tensor_unref(feeds->tensors.items[i]);
    sl_vec_free(&feeds->ports);
    sl_vec_free(&feeds->tensors);
}

static sl_code feed_text(struct feeds *feeds, const struct sl_graph *graph, struct sl_str name, const char *text,
                         struct sl_error *err) {
    struct sl_port port;
    struct sl_tensor *t;
    SL_TRY(sl_saved_model_port(&port, graph, name, err));
    if (sl_vec_reserve(&feeds->ports, 1) || sl_vec_reserve(&feeds->tensors, 1)) return sl_fail_memory(err, sizeof port);
    SL_TRY(sl_tensor_new(&t, SL_STRING, SL_SHAPE_SCALAR, err));
    (void)sl_vec_push(&feeds->ports, port);
    (void)sl_vec_push(&feeds->tensors, t);
    return sl_string_set(t->data, sl_str_of(text), err);
}

static sl_code feed_asset(struct feeds *feeds, const struct sl_graph *graph, const char *dir,
                          const struct sl_pb_AssetFileDef *asset, struct sl_arena *arena, struct sl_error *err) {
    if (!asset->tensor_info || asset->tensor_info->which != SL_PB_TensorInfo_name)
        return sl_fail(err, SL_INVALID_ARGUMENT, "An asset of the SavedModel (%.*s) names no tensor",
                       SL_STR_ARG(asset->filename));
    char *path = sl_arena_format(arena, "%s/assets/%.*s", dir, SL_STR_ARG(asset->filename));
    if (!path) return sl_fail_memory(err, asset->filename.n);
    return feed_text(feeds, graph, asset->tensor_info->name, path, err);
}

/* Assets stand in the graph's message, or, before there was a place for them, in a collection. */
static sl_code feed_assets(struct feeds *feeds, const struct sl_graph *graph, const char *dir,
                           const struct sl_pb_MetaGraphDef *meta, struct sl_arena *arena, struct sl_error *err) {
    for (size_t i = 0; i < meta->asset_file_def.n; i++)
        SL_TRY(feed_asset(feeds, graph, dir, &meta->asset_file_def.items[i], arena, err));
    const struct sl_pb_CollectionDef *old =
        sl_pb_find_string_CollectionDef(&meta->collection_def, SL_STR("saved_model_assets"));
    if (meta->asset_file_def.n || !old || old->which != SL_PB_CollectionDef_any_list) return SL_OK;
    for (size_t i = 0; i < old->any_list->value.n; i++) {
        struct sl_pb_AssetFileDef asset;
        SL_TRY(sl_pb_decode(&asset, SL_PB_TYPE(AssetFileDef), old->any_list->value.items[i].value, arena, err));
        SL_TRY(feed_asset(feeds, graph, dir, &asset, arena, err));
    }
    return SL_OK;
}

static sl_code run_target(struct sl_session *session, const struct feeds *feeds, size_t n_feeds, struct sl_node *target,
                          const struct sl_pb_RunOptions *options, struct sl_error *err) {
    struct sl_run run = {.feeds = feeds->ports.items,
                         .feed_tensors = feeds->tensors.items,
                         .n_feeds = (int)n_feeds,
                         .targets = &target,
                         .n_targets = 1,
                         .options = options};
    return sl_session_run(session, &run, err);
}

/* Whether the folder has variables, in either version. */
static bool has_variables(const char *prefix, struct sl_arena *arena) {
    char *index = sl_arena_format(arena, "%s.index", prefix), *pattern = sl_arena_format(arena, "%s-*-of-*", prefix);
    char **paths;
    size_t n;
    if (!index || !pattern || sl_file_exists(index, NULL) == SL_OK || sl_file_exists(prefix, NULL) == SL_OK)
        return true;
    return sl_path_glob(&paths, &n, pattern, arena, NULL) == SL_OK && n > 0;
}

static sl_code restore(struct sl_session *session, const struct sl_graph *graph, const char *dir,
                       const struct sl_pb_SaverDef *saver, struct feeds *feeds, const struct sl_pb_RunOptions *options,
                       struct sl_arena *arena, struct sl_error *err) {
    struct sl_node *target;
    char *prefix = sl_path_join(arena, dir, "variables/variables");
    if (!prefix) return sl_fail_memory(err, strlen(dir));
    if (!saver || !has_variables(prefix, arena)) return SL_OK; /* nothing was saved */
    SL_TRY(find_node(&target, graph, saver->restore_op_name, err));
    size_t n_assets = feeds->ports.n;
    SL_TRY(feed_text(feeds, graph, saver->filename_tensor_name, prefix, err));
    sl_code code = run_target(session, feeds, feeds->ports.n, target, options, err);
    while (feeds->ports.n > n_assets) {
        feeds->ports.n--;
        sl_tensor_unref(feeds->tensors.items[--feeds->tensors.n]);
    }
    return code;
}

/* The one operation that a collection lists; "" when there is no such collection. */
static sl_code listed_op(struct sl_str *out, const struct sl_pb_MetaGraphDef *meta, struct sl_str key,
                         struct sl_error *err) {
    const struct sl_pb_CollectionDef *c = sl_pb_find_string_CollectionDef(&meta->collection_def, key);
    *out = SL_STR("");
    if (!c) return SL_OK;
    if (c->which != SL_PB_CollectionDef_node_list || c->node_list->value.n != 1)
        return sl_fail(err, SL_FAILED_PRECONDITION, "Expected exactly one main op in the collection '%.*s'",
                       SL_STR_ARG(key));
    *out = c->node_list->value.items[0];
    return SL_OK;
}

/* What initialises; "" when nothing does. */
static sl_code find_init(struct sl_str *out, const struct sl_pb_MetaGraphDef *meta, struct sl_error *err) {
    struct sl_str key = SL_STR("__saved_model_init_op");
    const struct sl_pb_SignatureDef *signature = sl_pb_find_string_SignatureDef(&meta->signature_def, key);
    const struct sl_pb_TensorInfo *op = signature ? sl_pb_find_string_TensorInfo(&signature->outputs, key) : NULL;
    if (op && op->which == SL_PB_TensorInfo_name) {
        *out = op->name;
        return SL_OK;
    }
    SL_TRY(listed_op(out, meta, SL_STR("saved_model_main_op"), err));
    return out->n ? SL_OK : listed_op(out, meta, SL_STR("legacy_init_op"), err);
}

static sl_code start(struct sl_session *session, const struct sl_graph *graph, const char *dir,
                     const struct sl_pb_MetaGraphDef *meta, struct feeds *feeds, const struct sl_pb_RunOptions *options,
                     struct sl_arena *arena, struct sl_error *err) {
    struct sl_str init;
    struct sl_node *target;
    SL_TRY(feed_assets(feeds, graph, dir, meta, arena, err));
    SL_TRY(restore(session, graph, dir, meta->saver_def, feeds, options, arena, err));
    SL_TRY(find_init(&init, meta, err));
    if (!init.n) return SL_OK;
    SL_TRY(find_node(&target, graph, init, err));
    return run_target(session, feeds, feeds->ports.n, target, options, err);
}

sl_code sl_saved_model_start(struct sl_session *session, const struct sl_graph *graph,
                             const struct sl_saved_model *model, const struct sl_pb_MetaGraphDef *meta,
                             const struct sl_pb_RunOptions *options, struct sl_error *err) {
    struct feeds feeds = {0};
    struct sl_arena arena;
    sl_arena_init(&arena);
    sl_code code = start(session, graph, model->dir, meta, &feeds, options, &arena, err);
    feeds_free(&feeds);
    sl_arena_clear(&arena);
    return code;
}
