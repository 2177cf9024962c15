/* TF_LoadSessionFromSavedModel: a SavedModel as a graph and a session that is ready to run. */
#include <string.h>

#include "base/alloc.h"
#include "capi/handles.h"
#include "proto/wire.h"
#include "session/saved_model.h"

struct load {
    struct sl_saved_model model;
    const struct sl_pb_MetaGraphDef *meta;
    const struct sl_pb_RunOptions *options; /* NULL: none */
};

static sl_code read_options(struct load *load, const TF_Buffer *bytes, struct sl_error *err) {
    if (!bytes || bytes->length == 0) return SL_OK;
    struct sl_arena *arena = &load->model.arena;
    struct sl_pb_RunOptions *options = SL_ARENA_NEW(arena, struct sl_pb_RunOptions);
    if (!options) return sl_fail_memory(err, sizeof *options);
    if (sl_pb_decode(options, SL_PB_TYPE(RunOptions), sl_bytes_of(bytes->data, bytes->length), arena, NULL) != SL_OK)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Unparseable RunOptions proto");
    load->options = options;
    return SL_OK;
}

static sl_code choose(struct load *load, const char *const *tags, int n_tags, struct sl_error *err) {
    struct sl_str *list = SL_ARENA_ARRAY(&load->model.arena, struct sl_str, (size_t)(n_tags > 0 ? n_tags : 0) + 1);
    if (!list) return sl_fail_memory(err, (size_t)n_tags * sizeof *list);
    for (int i = 0; i < n_tags; i++) list[i] = sl_str_of(tags[i]);
    return sl_saved_model_choose(&load->meta, &load->model, list, n_tags > 0 ? n_tags : 0, err);
}

sl_code sl_saved_model_import(TF_Graph *graph, const struct sl_saved_model *model,
                              const struct sl_pb_MetaGraphDef *meta, struct sl_error *err) {
    struct sl_str bytes;
    sl_code code;
    sl_graph_lock(graph);
    if (graph->graph->nodes.n > 0) code = sl_fail(err, SL_INVALID_ARGUMENT, "Graph is non-empty.");
    else if (sl_saved_model_graph(&bytes, model, meta))
        code = sl_graph_import_bytes(NULL, graph->graph, bytes, NULL, err);
    else code = sl_graph_import(NULL, graph->graph, meta->graph_def, NULL, err);
    if (code == SL_OK) sl_graph_touch(graph);
    sl_graph_unlock(graph);
    return code;
}

/* A session over the graph, its variables restored. */
static sl_code start(TF_Session **out, TF_Graph *graph, const TF_SessionOptions *options, struct load *load,
                     TF_Buffer *meta_graph, TF_Status *status, struct sl_error *err) {
    SL_TRY(sl_saved_model_import(graph, &load->model, load->meta, err));
    TF_Session *session = TF_NewSession(graph, options, status);
    if (!session) return sl_status_give(status, err);
    sl_code code = sl_session_catch_up(session, err);
    if (code == SL_OK)
        code = sl_saved_model_start(session->session, graph->graph, &load->model, load->meta, load->options, err);
    if (code == SL_OK && meta_graph) code = sl_buffer_encode(meta_graph, SL_PB_TYPE(MetaGraphDef), load->meta, err);
    if (code == SL_OK) *out = session;
    else TF_DeleteSession(session, status);
    return code;
}

TF_Session *TF_LoadSessionFromSavedModel(const TF_SessionOptions *session_options, const TF_Buffer *run_options,
                                         const char *export_dir, const char *const *tags, int tags_len, TF_Graph *graph,
                                         TF_Buffer *meta_graph_def, TF_Status *status) {
    struct sl_error err;
    struct load load = {.meta = NULL};
    TF_Session *session = NULL;
    sl_error_clear(&err);
    if (!export_dir || !graph || (tags_len > 0 && !tags)) {
        sl_status_set(status, SL_INVALID_ARGUMENT, "a SavedModel needs a directory, tags and a graph");
        return NULL;
    }
    sl_code code = meta_graph_def ? sl_buffer_check_empty(meta_graph_def, &err) : SL_OK;
    if (code == SL_OK) code = sl_saved_model_read(&load.model, export_dir, &err);
    if (code == SL_OK) {
        code = choose(&load, tags, tags_len, &err);
        if (code == SL_OK) code = read_options(&load, run_options, &err);
        if (code == SL_OK) code = start(&session, graph, session_options, &load, meta_graph_def, status, &err);
        sl_saved_model_clear(&load.model);
    }
    sl_status_take(status, code, &err);
    return session;
}
