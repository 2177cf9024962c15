/* Loading and unloading a version. What the signatures say is copied, so that the SavedModel's bytes can go. */
#include "serving/served_model.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "proto/wire.h"
#include "runtime/evaluate.h"
#include "session/local_session.h"
#include "session/saved_model.h"
#include "tensor/tensor_proto.h"

/* ---- signatures */

static sl_code fill_shape(struct sl_shape *out, struct sl_arena *arena, const struct sl_pb_TensorShapeProto *shape,
                          struct sl_error *err) {
    *out = SL_SHAPE_UNKNOWN;
    if (!shape || shape->unknown_rank || shape->dim.n > SL_MAX_RANK) return SL_OK;
    int64_t *dims = SL_ARENA_ARRAY(arena, int64_t, shape->dim.n + 1);
    if (!dims) return sl_fail_memory(err, shape->dim.n * sizeof *dims);
    for (size_t d = 0; d < shape->dim.n; d++) dims[d] = shape->dim.items[d].size < 0 ? -1 : shape->dim.items[d].size;
    *out = (struct sl_shape){(int)shape->dim.n, dims};
    return SL_OK;
}

static int compare_ports(const void *a, const void *b) {
    return sl_str_cmp(((const struct sl_served_port *)a)->name, ((const struct sl_served_port *)b)->name);
}

static sl_code fill_ports(struct sl_served_port **out, int *n, struct sl_served_model *m,
                          const struct sl_pb_map_string_TensorInfo *map, struct sl_error *err) {
    struct sl_served_port *ports = SL_ARENA_ARRAY(&m->arena, struct sl_served_port, map->n + 1);
    if (!ports) return sl_fail_memory(err, map->n * sizeof *ports);
    *out = ports;
    for (size_t i = 0; i < map->n; i++) {
        const struct sl_pb_TensorInfo *info = &map->items[i].value;
        struct sl_served_port *p = &ports[*n];
        if (&map->items[i].value != sl_pb_find_string_TensorInfo(map, map->items[i].key)) continue;
        p->name = sl_arena_str(&m->arena, map->items[i].key);
        p->dtype = (int)info->dtype;
        if (!p->name.p) return sl_fail_memory(err, map->items[i].key.n);
        SL_TRY(fill_shape(&p->shape, &m->arena, info->tensor_shape, err));
        if (info->which == SL_PB_TensorInfo_name) SL_TRY(sl_saved_model_port(&p->port, m->graph, info->name, err));
        ++*n;
    }
    qsort(ports, (size_t)*n, sizeof *ports, compare_ports);
    return SL_OK;
}

static sl_code fill_signature(struct sl_served_signature *s, struct sl_served_model *m,
                              const struct sl_pb_SignatureDef *def, struct sl_error *err) {
    s->method = sl_arena_str(&m->arena, def->method_name);
    if (!s->method.p) return sl_fail_memory(err, def->method_name.n);
    SL_TRY(fill_ports(&s->inputs, &s->n_inputs, m, &def->inputs, err));
    SL_TRY(fill_ports(&s->outputs, &s->n_outputs, m, &def->outputs, err));
    s->fetches = SL_ARENA_ARRAY(&m->arena, struct sl_port, (size_t)s->n_outputs + 1);
    if (!s->fetches) return sl_fail_memory(err, (size_t)s->n_outputs * sizeof *s->fetches);
    for (int i = 0; i < s->n_outputs; i++) s->fetches[i] = s->outputs[i].port;
    for (size_t i = 0; i < def->defaults.n; i++) {
        int k = sl_served_port_find(s->inputs, s->n_inputs, def->defaults.items[i].key);
        if (k >= 0 && !s->inputs[k].fallback)
            SL_TRY(sl_tensor_from_proto(&s->inputs[k].fallback, &def->defaults.items[i].value, err));
    }
    return SL_OK;
}

static int compare_signatures(const void *a, const void *b) {
    return sl_str_cmp(((const struct sl_served_signature *)a)->name, ((const struct sl_served_signature *)b)->name);
}

/* TensorFlow's internal ones ("__...") are left out. */
static sl_code fill_signatures(struct sl_served_model *m, const struct sl_pb_map_string_SignatureDef *map,
                               struct sl_error *err) {
    m->signatures = SL_ARENA_ARRAY(&m->arena, struct sl_served_signature, map->n + 1);
    if (!m->signatures) return sl_fail_memory(err, map->n * sizeof *m->signatures);
    for (size_t i = 0; i < map->n; i++) {
        struct sl_served_signature *s = &m->signatures[m->n_signatures];
        if (sl_str_starts(map->items[i].key, SL_STR("__"))) continue;
        if (&map->items[i].value != sl_pb_find_string_SignatureDef(map, map->items[i].key)) continue;
        s->name = sl_arena_str(&m->arena, map->items[i].key);
        if (!s->name.p) return sl_fail_memory(err, map->items[i].key.n);
        m->n_signatures++;
        SL_TRY(fill_signature(s, m, &map->items[i].value, err));
    }
    qsort(m->signatures, (size_t)m->n_signatures, sizeof *m->signatures, compare_signatures);
    for (int i = 0; i < m->n_signatures; i++) {
        sl_mutex_init(&m->signatures[i].mutex);
        sl_condition_init(&m->signatures[i].ended);
    }
    struct sl_pb_serving_SignatureDefMap all = {.signature_def = *map};
    return sl_pb_encode(&m->signature_map, SL_PB_TYPE_OF(serving_SignatureDefMap), &all, SL_PB_SORT_MAPS, &m->arena,
                        err);
}

/* ---- loading */

static sl_code load(struct sl_served_model *m, const struct sl_registries *registries,
                    const struct sl_saved_model *saved, struct sl_error *err) {
    const struct sl_pb_MetaGraphDef *meta;
    struct sl_str tag = SL_STR("serve"), bytes;
    SL_TRY(sl_saved_model_choose(&meta, saved, &tag, 1, err));
    SL_TRY(sl_graph_new(&m->graph, registries->ops, err));
    m->evaluator = sl_registries_evaluator(registries);
    m->graph->evaluator = &m->evaluator;
    if (sl_saved_model_graph(&bytes, saved, meta)) SL_TRY(sl_graph_import_bytes(NULL, m->graph, bytes, NULL, err));
    else SL_TRY(sl_graph_import(NULL, m->graph, meta->graph_def, NULL, err));
    SL_TRY(sl_local_session_new(&m->session, registries, NULL, err));
    SL_TRY(sl_session_extend(m->session, m->graph, err));
    SL_TRY(sl_saved_model_start(m->session, m->graph, saved, meta, NULL, err));
    return fill_signatures(m, &meta->signature_def, err);
}

sl_code sl_served_model_load(struct sl_served_model **out, const struct sl_registries *registries, const char *dir,
                             int64_t version, struct sl_error *err) {
    struct sl_saved_model saved;
    SL_TRY(sl_saved_model_read(&saved, dir, err));
    struct sl_served_model *m = sl_calloc(1, sizeof *m);
    sl_code code = m ? SL_OK : sl_fail_memory(err, sizeof *m);
    if (m) {
        atomic_init(&m->refs, 1);
        m->version = version;
        sl_arena_init(&m->arena);
        code = load(m, registries, &saved, err);
    }
    sl_saved_model_clear(&saved);
    if (code == SL_OK) *out = m;
    else sl_served_model_unref(m);
    return code;
}

struct sl_served_model *sl_served_model_ref(struct sl_served_model *model) {
    atomic_fetch_add_explicit(&model->refs, 1, memory_order_relaxed);
    return model;
}

void sl_served_model_unref(struct sl_served_model *m) {
    if (!m || atomic_fetch_sub_explicit(&m->refs, 1, memory_order_acq_rel) != 1) return;
    void (*unloaded)(void *, int64_t) = m->unloaded;
    void *arg = m->arg;
    int64_t version = m->version;
    for (int i = 0; i < m->n_signatures; i++) {
        for (int k = 0; k < m->signatures[i].n_inputs; k++) sl_tensor_unref(m->signatures[i].inputs[k].fallback);
        sl_condition_clear(&m->signatures[i].ended);
        sl_mutex_clear(&m->signatures[i].mutex);
    }
    sl_session_free(m->session);
    sl_graph_free(m->graph);
    sl_arena_clear(&m->arena);
    sl_free(m);
    if (unloaded) unloaded(arg, version);
}

/* ---- looking up */

sl_code sl_served_signature_find(struct sl_served_signature **out, const struct sl_served_model *model,
                                 struct sl_str name, struct sl_error *err) {
    if (!name.n) name = SL_STR("serving_default");
    for (int i = 0; i < model->n_signatures; i++)
        if (sl_str_eq(model->signatures[i].name, name)) {
            *out = &model->signatures[i];
            return SL_OK;
        }
    sl_code code = sl_fail(err, SL_NOT_FOUND, "The model has no signature \"%.*s\". It has:", SL_STR_ARG(name));
    for (int i = 0; err && i < model->n_signatures; i++)
        sl_error_append(err, "%s \"%.*s\"", i ? "," : "", SL_STR_ARG(model->signatures[i].name));
    return code;
}

int sl_served_port_find(const struct sl_served_port *ports, int n, struct sl_str name) {
    for (int i = 0; i < n; i++)
        if (sl_str_eq(ports[i].name, name)) return i;
    return -1;
}
