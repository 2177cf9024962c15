/* The functions of sluice/saved_model_file.h: a SavedModel's message as plain structs, made when it is read. */
#include "sluice/saved_model_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "capi/handles.h"
#include "session/freeze_graph.h"
#include "session/saved_model.h"
#include "sluice/meta_graph_file.h"

struct model_graph {
    const char **tags;
    int n_tags;
    struct sl_model_signature *signatures;
    int n_signatures;
    struct sl_saver_names saver; /* its names NULL: there is none */
};

struct sl_model {
    struct sl_saved_model model; /* its arena has all that follows */
    struct model_graph *graphs;
    int n;
};

static const char *copy_text(struct sl_model *m, struct sl_str s) { return sl_arena_str(&m->model.arena, s).p; }

static sl_code fill_port(struct sl_model_port *p, struct sl_model *m, struct sl_str name,
                         const struct sl_pb_TensorInfo *info, struct sl_error *err) {
    const struct sl_pb_TensorShapeProto *shape = info ? info->tensor_shape : NULL;
    bool is_known = shape && !shape->unknown_rank && shape->dim.n <= SL_MAX_RANK;
    int64_t *dims = SL_ARENA_ARRAY(&m->model.arena, int64_t, is_known ? shape->dim.n : 1);
    p->name = copy_text(m, name);
    p->tensor = copy_text(m, info && info->which == SL_PB_TensorInfo_name ? info->name : SL_STR(""));
    if (!p->name || !p->tensor || !dims) return sl_fail_memory(err, name.n);
    p->type = info ? (TF_DataType)info->dtype : (TF_DataType)0;
    p->num_dims = is_known ? (int)shape->dim.n : -1;
    for (int i = 0; i < p->num_dims; i++) dims[i] = shape->dim.items[i].size < 0 ? -1 : shape->dim.items[i].size;
    p->dims = dims;
    return SL_OK;
}

static int compare_ports(const void *a, const void *b) {
    return strcmp(((const struct sl_model_port *)a)->name, ((const struct sl_model_port *)b)->name);
}

static sl_code fill_ports(const struct sl_model_port **out, int *n, struct sl_model *m,
                          const struct sl_pb_map_string_TensorInfo *map, struct sl_error *err) {
    struct sl_model_port *ports = SL_ARENA_ARRAY(&m->model.arena, struct sl_model_port, map->n + 1);
    if (!ports) return sl_fail_memory(err, map->n * sizeof *ports);
    for (size_t i = 0; i < map->n; i++) SL_TRY(fill_port(&ports[i], m, map->items[i].key, &map->items[i].value, err));
    if (map->n) qsort(ports, map->n, sizeof *ports, compare_ports);
    *out = ports;
    *n = (int)map->n;
    return SL_OK;
}

static int compare_signatures(const void *a, const void *b) {
    return strcmp(((const struct sl_model_signature *)a)->name, ((const struct sl_model_signature *)b)->name);
}

static sl_code fill_signatures(struct model_graph *g, struct sl_model *m,
                               const struct sl_pb_map_string_SignatureDef *map, struct sl_error *err) {
    g->signatures = SL_ARENA_ARRAY(&m->model.arena, struct sl_model_signature, map->n + 1);
    if (!g->signatures) return sl_fail_memory(err, map->n * sizeof *g->signatures);
    for (size_t i = 0; i < map->n; i++) {
        const struct sl_pb_SignatureDef *def = &map->items[i].value;
        if (sl_str_starts(map->items[i].key, SL_STR("__"))) continue;
        struct sl_model_signature *s = &g->signatures[g->n_signatures++];
        s->name = copy_text(m, map->items[i].key);
        s->method = copy_text(m, def->method_name);
        if (!s->name || !s->method) return sl_fail_memory(err, map->items[i].key.n);
        SL_TRY(fill_ports(&s->inputs, &s->num_inputs, m, &def->inputs, err));
        SL_TRY(fill_ports(&s->outputs, &s->num_outputs, m, &def->outputs, err));
    }
    if (g->n_signatures) qsort(g->signatures, (size_t)g->n_signatures, sizeof *g->signatures, compare_signatures);
    return SL_OK;
}

static sl_code fill_graph(struct model_graph *g, struct sl_model *m, const struct sl_pb_MetaGraphDef *meta,
                          struct sl_error *err) {
    size_t n = meta->meta_info_def ? meta->meta_info_def->tags.n : 0;
    g->tags = SL_ARENA_ARRAY(&m->model.arena, const char *, n + 1);
    if (!g->tags) return sl_fail_memory(err, n * sizeof *g->tags);
    for (size_t i = 0; i < n; i++)
        if (!(g->tags[i] = copy_text(m, meta->meta_info_def->tags.items[i]))) return sl_fail_memory(err, n);
    g->n_tags = (int)n;
    const struct sl_pb_SaverDef *saver = meta->saver_def;
    if (saver && saver->restore_op_name.n) {
        g->saver.filename_tensor = copy_text(m, saver->filename_tensor_name);
        g->saver.save_tensor = copy_text(m, saver->save_tensor_name);
        g->saver.restore_op = copy_text(m, saver->restore_op_name);
        if (!g->saver.filename_tensor || !g->saver.save_tensor || !g->saver.restore_op) return sl_fail_memory(err, n);
    }
    return fill_signatures(g, m, &meta->signature_def, err);
}

static sl_code read_model(struct sl_model *m, const char *dir, struct sl_error *err) {
    SL_TRY(sl_saved_model_read(&m->model, dir, err));
    const struct sl_pb_array_MetaGraphDef *metas = &m->model.message.meta_graphs;
    m->graphs = SL_ARENA_ARRAY(&m->model.arena, struct model_graph, metas->n + 1);
    if (!m->graphs) return sl_fail_memory(err, metas->n * sizeof *m->graphs);
    for (size_t i = 0; i < metas->n; i++) SL_TRY(fill_graph(&m->graphs[i], m, &metas->items[i], err));
    m->n = (int)metas->n;
    return SL_OK;
}

struct sl_model *sl_model_read(const char *dir, TF_Status *status) {
    struct sl_error err;
    struct sl_model *m = sl_calloc(1, sizeof *m);
    if (!m) {
        sl_status_set(status, SL_RESOURCE_EXHAUSTED, "out of memory");
        return NULL;
    }
    if (sl_status_take(status, read_model(m, dir, &err), &err)) return m;
    sl_model_delete(m);
    return NULL;
}

void sl_model_delete(struct sl_model *model) {
    if (!model) return;
    sl_saved_model_clear(&model->model);
    sl_free(model);
}

int sl_model_graph_count(const struct sl_model *model) { return model->n; }

int sl_model_graph_tags(const char *const **tags, const struct sl_model *model, int graph) {
    if (graph < 0 || graph >= model->n) return -1;
    if (tags) *tags = model->graphs[graph].tags;
    return model->graphs[graph].n_tags;
}

void sl_model_graph(TF_Graph *graph, const struct sl_model *model, int number, TF_Status *status) {
    struct sl_error err;
    const struct sl_pb_array_MetaGraphDef *metas = &model->model.message.meta_graphs;
    sl_code code = number < 0 || (size_t)number >= metas->n
                       ? sl_fail(&err, SL_INVALID_ARGUMENT, "the model has no graph of number %d", number)
                       : sl_saved_model_import(graph, &model->model, &metas->items[number], &err);
    sl_status_take(status, code, &err);
}

unsigned char sl_model_signature_at(struct sl_model_signature *out, const struct sl_model *model, int graph,
                                    int number) {
    if (graph < 0 || graph >= model->n || number < 0 || number >= model->graphs[graph].n_signatures) return 0;
    *out = model->graphs[graph].signatures[number];
    return 1;
}

unsigned char sl_model_saver(struct sl_saver_names *out, const struct sl_model *model, int graph) {
    if (graph < 0 || graph >= model->n || !model->graphs[graph].saver.restore_op) return 0;
    *out = model->graphs[graph].saver;
    return 1;
}

/* ---- freezing */

/* Public outputs as ports, each checked. */
static sl_code take_ports(struct sl_port **out, const TF_Graph *graph, const TF_Output *outputs, int n,
                          struct sl_arena *arena, struct sl_error *err) {
    *out = SL_ARENA_ARRAY(arena, struct sl_port, (size_t)(n > 0 ? n : 0) + 1);
    if (!*out) return sl_fail_memory(err, (size_t)n * sizeof **out);
    for (int i = 0; i < n; i++) {
        SL_TRY(sl_graph_check_output(graph, outputs[i], err));
        (*out)[i] = sl_as_port(outputs[i]);
    }
    return SL_OK;
}

static sl_code freeze(TF_Buffer *graph_def, TF_Session *session, const TF_Output *inputs, int n_inputs,
                      const TF_Output *outputs, int n_outputs, struct sl_arena *arena, struct sl_error *err) {
    struct sl_port *in, *out;
    struct sl_pb_GraphDef *frozen;
    SL_TRY(sl_buffer_check_empty(graph_def, err));
    SL_TRY(take_ports(&in, session->graph, inputs, n_inputs, arena, err));
    SL_TRY(take_ports(&out, session->graph, outputs, n_outputs, arena, err));
    SL_TRY(sl_session_catch_up(session, err));
    sl_graph_lock(session->graph);
    sl_code code =
        sl_freeze(&frozen, session->session, session->graph->graph, in, n_inputs, out, n_outputs, arena, err);
    sl_graph_unlock(session->graph);
    return code == SL_OK ? sl_buffer_encode(graph_def, SL_PB_TYPE(GraphDef), frozen, err) : code;
}

void sl_freeze_session(TF_Buffer *graph_def, TF_Session *session, const TF_Output *inputs, int num_inputs,
                       const TF_Output *outputs, int num_outputs, TF_Status *status) {
    struct sl_error err;
    struct sl_arena arena;
    sl_arena_init(&arena);
    sl_code code = freeze(graph_def, session, inputs, num_inputs, outputs, num_outputs, &arena, &err);
    sl_arena_clear(&arena);
    sl_status_take(status, code, &err);
}
