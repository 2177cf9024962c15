/* Signatures of a SavedModel: the children of the object `signatures`, with names, types and shapes of what goes in and
 * comes out, as they stand in the structured values of their functions. */
#include <stdlib.h>
#include <string.h>

#include "capi/saved_model/loaded_model.h"
#include "ops/attr.h"

/* ---- names, types and shapes */

static sl_code add_param(TF_SignatureDefParamList *list, struct sl_str name, int dtype,
                         const struct sl_pb_TensorShapeProto *shape, struct sl_arena *arena, struct sl_error *err) {
    struct sl_shape s = SL_SHAPE_UNKNOWN;
    if (list->n == list->cap) {
        const size_t cap = list->cap ? 2 * list->cap : 8;
        TF_SignatureDefParam *items = SL_ARENA_ARRAY(arena, TF_SignatureDefParam, cap);
        if (!items) return sl_fail_memory(err, cap * sizeof *items);
        if (list->n) memcpy(items, list->items, list->n * sizeof *items);
        list->items = items;
        list->cap = cap;
    }
    const char *copy = sl_arena_str(arena, name).p;
    if (!copy) return sl_fail_memory(err, name.n);
    if (shape) SL_TRY(sl_shape_from_proto(&s, shape, arena, err));
    list->items[list->n++] = (TF_SignatureDefParam){copy, {(TF_DataType)dtype, {s.rank, (int64_t *)s.dims}}};
    return SL_OK;
}

static sl_code collect(TF_SignatureDefParamList *list, const struct sl_pb_StructuredValue *v, struct sl_str key,
                       int depth, struct sl_arena *arena, struct sl_error *err) {
    const struct sl_pb_array_StructuredValue *values = NULL;
    if (!v) return SL_OK;
    if (depth > 32) return sl_fail(err, SL_FAILED_PRECONDITION, "a signature's values are nested too deeply");
    switch (v->which) {
    case SL_PB_StructuredValue_tensor_spec_value:
        return add_param(list, key.n ? key : v->tensor_spec_value->name, v->tensor_spec_value->dtype,
                         v->tensor_spec_value->shape, arena, err);
    case SL_PB_StructuredValue_bounded_tensor_spec_value:
        return add_param(list, key.n ? key : v->bounded_tensor_spec_value->name, v->bounded_tensor_spec_value->dtype,
                         v->bounded_tensor_spec_value->shape, arena, err);
    case SL_PB_StructuredValue_list_value: values = &v->list_value->values; break;
    case SL_PB_StructuredValue_tuple_value: values = &v->tuple_value->values; break;
    case SL_PB_StructuredValue_dict_value:
        for (size_t i = 0; i < v->dict_value->fields.n; i++)
            SL_TRY(collect(list, &v->dict_value->fields.items[i].value, v->dict_value->fields.items[i].key, depth + 1,
                           arena, err));
        break;
    default: break;
    }
    for (size_t i = 0; values && i < values->n; i++)
        SL_TRY(collect(list, &values->items[i], key, depth + 1, arena, err));
    return SL_OK;
}

static int compare_params(const void *a, const void *b) {
    return strcmp(((const TF_SignatureDefParam *)a)->name, ((const TF_SignatureDefParam *)b)->name);
}

static sl_code read_params(TF_SignatureDefParamList *list, const struct sl_pb_StructuredValue *v,
                           struct sl_arena *arena, struct sl_error *err) {
    SL_TRY(collect(list, v, SL_STR(""), 0, arena, err));
    if (list->n) qsort(list->items, list->n, sizeof *list->items, compare_params);
    return SL_OK;
}

/* ---- finding */

static sl_code add_signature(TF_SavedModel *m, struct sl_str key, int object, struct sl_error *err) {
    TF_SignatureDefFunction *s = &m->signatures[m->n_signatures];
    SL_TRY(sl_loaded_function(&s->function, m, object, err));
    s->key = key;
    SL_TRY(read_params(&s->metadata.args, s->function->saved->canonicalized_input_signature, &m->file.arena, err));
    SL_TRY(read_params(&s->metadata.returns, s->function->saved->output_signature, &m->file.arena, err));
    m->n_signatures++;
    return SL_OK;
}

sl_code sl_loaded_find_signatures(TF_SavedModel *m, struct sl_error *err) {
    const int at = sl_loaded_child(m, 0, SL_STR("signatures"));
    const sl_saved_object *map = at >= 0 ? &m->saved->nodes.items[at] : NULL;
    if (!map || map->which != SL_PB_SavedObject_user_object ||
        !sl_str_is(map->user_object->identifier, "signature_map"))
        return sl_fail(err, SL_FAILED_PRECONDITION,
                       "The SavedModel's root has no child 'signatures' of kind signature_map");
    m->signatures = SL_ARENA_ARRAY(&m->file.arena, TF_SignatureDefFunction, map->children.n + 1);
    if (!m->signatures) return sl_fail_memory(err, map->children.n * sizeof *m->signatures);
    for (size_t i = 0; i < map->children.n; i++)
        SL_TRY(add_signature(m, map->children.items[i].local_name, map->children.items[i].node_id, err));
    return SL_OK;
}
