/* TF_SavedModel: loading, what is in it, calls. */
#include <string.h>

#include "base/alloc.h"
#include "capi/saved_model/loaded_model.h"
#include "root/root.h"

/* ---- loading */

static bool is_object(const struct sl_pb_SavedObjectGraph *g, int64_t at) { return at >= 0 && (size_t)at < g->nodes.n; }

/* Numbers of objects are within what there is, so that nobody else has to ask. */
static sl_code check_numbers(const struct sl_pb_SavedObjectGraph *g, struct sl_error *err) {
    bool ok = g->nodes.n > 0;
    for (size_t i = 0; i < g->nodes.n; i++)
        for (size_t k = 0; k < g->nodes.items[i].children.n; k++)
            ok = ok && is_object(g, g->nodes.items[i].children.items[k].node_id);
    for (size_t i = 0; i < g->concrete_functions.n; i++)
        for (size_t k = 0; k < g->concrete_functions.items[i].value.bound_inputs.n; k++)
            ok = ok && is_object(g, g->concrete_functions.items[i].value.bound_inputs.items[k]);
    if (ok) return SL_OK;
    return sl_fail(err, SL_FAILED_PRECONDITION, "The SavedModel's objects name others that it does not have");
}

static sl_code choose(TF_SavedModel *m, const char *const *tags, int n_tags, struct sl_error *err) {
    const struct sl_pb_array_MetaGraphDef *graphs = &m->file.message.meta_graphs;
    if (tags) {
        struct sl_str *list = SL_ARENA_ARRAY(&m->file.arena, struct sl_str, n_tags > 0 ? (size_t)n_tags : 0);
        if (!list) return sl_fail_memory(err, sizeof *list);
        for (int i = 0; i < n_tags; i++) list[i] = sl_str_of(tags[i]);
        SL_TRY(sl_saved_model_choose(&m->meta, &m->file, list, n_tags > 0 ? n_tags : 0, err));
    } else if (graphs->n == 1) m->meta = &graphs->items[0];
    else
        return sl_fail(err, SL_FAILED_PRECONDITION,
                       "The SavedModel has %zu graphs, and one is wanted: TF_LoadSavedModelWithTags chooses",
                       graphs->n);
    m->saved = m->meta->object_graph_def;
    if (!m->saved || !m->saved->nodes.n)
        return sl_fail(err, SL_FAILED_PRECONDITION,
                       "%s has no object graph: TensorFlow 1 wrote it, and TF_LoadSessionFromSavedModel loads it",
                       m->file.dir);
    return check_numbers(m->saved, err);
}

static sl_code open_parts(TF_SavedModel *m, struct sl_error *err) {
    SL_TRY(sl_loaded_add_functions(m, err));
    SL_TRY(sl_loaded_find_signatures(m, err));
    return sl_loaded_make_objects(m, err);
}

void TF_DeleteSavedModel(TF_SavedModel *model) {
    if (!model) return;
    sl_loaded_drop_objects(model);
    sl_loaded_remove_functions(model);
    sl_saved_model_clear(&model->file);
    sl_eager_context_unref(model->context);
    sl_free(model);
}

static sl_code load(TF_SavedModel **out, const char *dir, struct sl_eager_context *context, const char *const *tags,
                    int n_tags, struct sl_error *err) {
    if (!dir || !context) return sl_fail(err, SL_INVALID_ARGUMENT, "there is no folder, or no context");
    TF_SavedModel *m = sl_calloc(1, sizeof *m);
    if (!m) return sl_fail_memory(err, sizeof *m);
    sl_code code = sl_saved_model_read(&m->file, dir, err);
    if (code != SL_OK) {
        sl_free(m);
        return code;
    }
    m->context = sl_eager_context_ref(context);
    code = choose(m, tags, n_tags, err);
    if (code == SL_OK) code = open_parts(m, err);
    if (code == SL_OK) *out = m;
    else TF_DeleteSavedModel(m);
    return code;
}

TF_SavedModel *TF_LoadSavedModel(const char *dirname, TFE_Context *context, TF_Status *status) {
    struct sl_error err;
    TF_SavedModel *model = NULL;
    sl_status_take(status, load(&model, dirname, sl_as_eager(context), NULL, 0, &err), &err);
    return model;
}

TF_SavedModel *TF_LoadSavedModelWithTags(const char *dirname, TFE_Context *context, const char *const *tags,
                                         int tags_len, TF_Status *status) {
    static const char *const none[] = {NULL};
    struct sl_error err;
    TF_SavedModel *model = NULL;
    sl_status_take(status, load(&model, dirname, sl_as_eager(context), tags ? tags : none, tags ? tags_len : 0, &err),
                   &err);
    return model;
}

/* ---- functions by path */

static sl_code find_function(TF_ConcreteFunction **out, TF_SavedModel *m, const char *path, struct sl_error *err) {
    int at = 0;
    if (!m || !path) return sl_fail(err, SL_INVALID_ARGUMENT, "there is no model, or no path");
    for (const char *p = path, *end; at >= 0; p = end + 1) {
        end = strchr(p, '.');
        at = sl_loaded_child(m, at, end ? (struct sl_str){p, (size_t)(end - p)} : sl_str_of(p));
        if (!end) break;
    }
    if (at < 0) return sl_fail(err, SL_NOT_FOUND, "The SavedModel has no object '%s'", path);
    sl_code code = sl_loaded_function(out, m, at, err);
    if (code != SL_OK && err) sl_error_append(err, " ('%s')", path);
    return code;
}

TF_ConcreteFunction *TF_GetSavedModelConcreteFunction(TF_SavedModel *model, const char *function_path,
                                                      TF_Status *status) {
    struct sl_error err;
    TF_ConcreteFunction *function = NULL;
    sl_status_take(status, find_function(&function, model, function_path, &err), &err);
    return function;
}

TF_FunctionMetadata *TF_ConcreteFunctionGetMetadata(TF_ConcreteFunction *function) {
    return function ? &function->metadata : NULL;
}

static sl_code make_op(TFE_Op **out, const TF_ConcreteFunction *f, TFE_TensorHandle **inputs, int n,
                       struct sl_error *err) {
    if (!f) return sl_fail(err, SL_INVALID_ARGUMENT, "there is no function");
    return sl_loaded_call_op(out, f, inputs, n, err);
}

TFE_Op *TF_ConcreteFunctionMakeCallOp(TF_ConcreteFunction *function, TFE_TensorHandle **inputs, int num_inputs,
                                      TF_Status *status) {
    struct sl_error err;
    TFE_Op *op = NULL;
    sl_status_take(status, make_op(&op, function, inputs, num_inputs, &err), &err);
    return op;
}

size_t TF_ConcreteFunctionListSize(TF_ConcreteFunctionList *list) { return list ? (size_t)list->n : 0; }
TF_ConcreteFunction *TF_ConcreteFunctionListGet(TF_ConcreteFunctionList *list, int i) {
    return list && i >= 0 && i < list->n ? list->items[i] : NULL;
}
void TF_DeleteConcreteFunctionList(TF_ConcreteFunctionList *list) {
    if (!list) return;
    sl_free(list->items);
    sl_free(list);
}

/* ---- signatures */

static sl_code find_signature(TF_SignatureDefFunction **out, TF_SavedModel *m, const char *key, struct sl_error *err) {
    if (!m || !key) return sl_fail(err, SL_INVALID_ARGUMENT, "there is no model, or no key");
    for (size_t i = 0; i < m->n_signatures; i++)
        if (sl_str_is(m->signatures[i].key, key)) {
            *out = &m->signatures[i];
            return SL_OK;
        }
    sl_fail(err, SL_NOT_FOUND, "No signature with key %s was found; the SavedModel has", key);
    for (size_t i = 0; err && i < m->n_signatures; i++)
        sl_error_append(err, "%s '%.*s'", i ? "," : "", SL_STR_ARG(m->signatures[i].key));
    if (err && !m->n_signatures) sl_error_append(err, " none");
    return SL_NOT_FOUND;
}

TF_SignatureDefFunction *TF_GetSavedModelSignatureDefFunction(TF_SavedModel *model, const char *signature_def_key,
                                                              TF_Status *status) {
    struct sl_error err;
    TF_SignatureDefFunction *function = NULL;
    sl_status_take(status, find_signature(&function, model, signature_def_key, &err), &err);
    return function;
}

TF_SignatureDefFunctionMetadata *TF_SignatureDefFunctionGetMetadata(TF_SignatureDefFunction *function) {
    return function ? &function->metadata : NULL;
}

TFE_Op *TF_SignatureDefFunctionMakeCallOp(TF_SignatureDefFunction *function, TFE_TensorHandle **inputs, int num_inputs,
                                          TF_Status *status) {
    return TF_ConcreteFunctionMakeCallOp(function ? function->function : NULL, inputs, num_inputs, status);
}

const TF_SignatureDefParamList *TF_SignatureDefFunctionMetadataArgs(const TF_SignatureDefFunctionMetadata *metadata) {
    return metadata ? &metadata->args : NULL;
}
const TF_SignatureDefParamList *TF_SignatureDefFunctionMetadataReturns(
    const TF_SignatureDefFunctionMetadata *metadata) {
    return metadata ? &metadata->returns : NULL;
}

size_t TF_SignatureDefParamListSize(const TF_SignatureDefParamList *list) { return list ? list->n : 0; }
const TF_SignatureDefParam *TF_SignatureDefParamListGet(const TF_SignatureDefParamList *list, int i) {
    return list && i >= 0 && (size_t)i < list->n ? &list->items[i] : NULL;
}
const char *TF_SignatureDefParamName(const TF_SignatureDefParam *param) { return param ? param->name : NULL; }
const TF_TensorSpec *TF_SignatureDefParamTensorSpec(const TF_SignatureDefParam *param) {
    return param ? &param->spec : NULL;
}
TF_DataType TF_TensorSpecDataType(const TF_TensorSpec *spec) { return spec ? spec->dtype : (TF_DataType)0; }
const TF_Shape *TF_TensorSpecShape(const TF_TensorSpec *spec) { return spec ? &spec->shape : NULL; }
