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

/* ---- ports. One for each tensor of a TensorInfo: NAME for a dense one, NAME/PART for sparse and composite ones. */

struct ports {
    struct sl_model_port *items;
    int n;
};

static size_t count_tensors(const struct sl_pb_TensorInfo *info) {
    const struct sl_pb_TensorInfo_CompositeTensor *c =
        info->which == SL_PB_TensorInfo_composite_tensor ? info->composite_tensor : NULL;
    size_t n = c ? 0 : info->which == SL_PB_TensorInfo_coo_sparse ? 3 : 1;
    for (size_t i = 0; c && i < c->components.n; i++) n += count_tensors(&c->components.items[i]);
    return n;
}

static sl_code add_port(struct ports *ports, struct sl_model *m, struct sl_str name, struct sl_str tensor, int type,
                        const struct sl_pb_TensorShapeProto *shape, struct sl_error *err) {
    struct sl_model_port *p = &ports->items[ports->n++];
    bool is_known = shape && !shape->unknown_rank && shape->dim.n <= SL_MAX_RANK;
    int64_t *dims = SL_ARENA_ARRAY(&m->model.arena, int64_t, is_known ? shape->dim.n : 1);
    p->name = copy_text(m, name);
    p->tensor = copy_text(m, tensor);
    if (!p->name || !p->tensor || !dims) return sl_fail_memory(err, name.n);
    p->type = (TF_DataType)type;
    p->num_dims = is_known ? (int)shape->dim.n : -1;
    for (int i = 0; i < p->num_dims; i++) dims[i] = shape->dim.items[i].size < 0 ? -1 : shape->dim.items[i].size;
    p->dims = dims;
    return SL_OK;
}

/* Elements, their places, and the shape of the whole, in the order of the names. */
static sl_code add_sparse(struct ports *ports, struct sl_model *m, struct sl_str name,
                          const struct sl_pb_TensorInfo *info, struct sl_error *err) {
    const struct sl_pb_TensorInfo_CooSparse *parts = info->coo_sparse;
    bool has_rank = info->tensor_shape && !info->tensor_shape->unknown_rank;
    struct sl_pb_TensorShapeProto_Dim some = {.size = -1}, rank = {.size = -1};
    if (has_rank) rank.size = (int64_t)info->tensor_shape->dim.n;
    struct sl_pb_TensorShapeProto_Dim both[] = {some, rank};
    struct sl_pb_TensorShapeProto list = {.dim = {&some, 1}}, table = {.dim = {both, 2}}, row = {.dim = {&rank, 1}};
    const struct {
        const char *part;
        struct sl_str tensor;
        int type;
        const struct sl_pb_TensorShapeProto *shape;
    } rows[] = {{"dense_shape", parts->dense_shape_tensor_name, SL_INT64, &row},
                {"indices", parts->indices_tensor_name, SL_INT64, &table},
                {"values", parts->values_tensor_name, (int)info->dtype, &list}};
    for (int i = 0; i < 3; i++) {
        const char *full = sl_arena_format(&m->model.arena, "%.*s/%s", SL_STR_ARG(name), rows[i].part);
        if (!full) return sl_fail_memory(err, name.n);
        SL_TRY(add_port(ports, m, sl_str_of(full), rows[i].tensor, rows[i].type, rows[i].shape, err));
    }
    return SL_OK;
}

static sl_code add_ports(struct ports *ports, struct sl_model *m, struct sl_str name,
                         const struct sl_pb_TensorInfo *info, struct sl_error *err) {
    if (info->which == SL_PB_TensorInfo_coo_sparse && info->coo_sparse) return add_sparse(ports, m, name, info, err);
    if (info->which != SL_PB_TensorInfo_composite_tensor || !info->composite_tensor)
        return add_port(ports, m, name, info->which == SL_PB_TensorInfo_name ? info->name : SL_STR(""),
                        (int)info->dtype, info->tensor_shape, err);
    const struct sl_pb_array_TensorInfo *parts = &info->composite_tensor->components;
    for (size_t i = 0; i < parts->n; i++) {
        const char *full = sl_arena_format(&m->model.arena, "%.*s/%zu", SL_STR_ARG(name), i);
        if (!full) return sl_fail_memory(err, name.n);
        SL_TRY(add_ports(ports, m, sl_str_of(full), &parts->items[i], err));
    }
    return SL_OK;
}

static int compare_ports(const void *a, const void *b) {
    return strcmp(((const struct sl_model_port *)a)->name, ((const struct sl_model_port *)b)->name);
}

static sl_code fill_ports(const struct sl_model_port **out, int *n, struct sl_model *m,
                          const struct sl_pb_map_string_TensorInfo *map, struct sl_error *err) {
    struct ports ports = {NULL, 0};
    size_t room = 1;
    for (size_t i = 0; i < map->n; i++) room += count_tensors(&map->items[i].value);
    ports.items = SL_ARENA_ARRAY(&m->model.arena, struct sl_model_port, room);
    if (!ports.items) return sl_fail_memory(err, room * sizeof *ports.items);
    for (size_t i = 0; i < map->n; i++) SL_TRY(add_ports(&ports, m, map->items[i].key, &map->items[i].value, err));
    if (ports.n) qsort(ports.items, (size_t)ports.n, sizeof *ports.items, compare_ports);
    *out = ports.items;
    *n = ports.n;
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
