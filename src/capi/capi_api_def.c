/* TF_ApiDefMap: an ApiDef for each op of a list, as wrappers of ops want them, and changes to those in protocol text.
 * Once one was read, none may be changed. */
#include <string.h>

#include "base/alloc.h"
#include "base/str_map.h"
#include "capi/handles.h"
#include "proto/text_format.h"
#include "proto/wire.h"

struct TF_ApiDefMap {
    struct sl_mutex mutex;
    struct sl_arena arena;     /* of all below */
    struct sl_str_map by_name; /* struct sl_pb_ApiDef */
    bool was_read;
};

/* ---- what an OpDef gives */
static sl_code fill_args(struct sl_pb_array_ApiDef_Arg *out, const struct sl_pb_array_OpDef_ArgDef *args,
                         struct sl_arena *arena, struct sl_error *err) {
    out->items = SL_ARENA_ARRAY(arena, struct sl_pb_ApiDef_Arg, args->n);
    if (!out->items) return sl_fail_memory(err, args->n * sizeof *out->items);
    out->n = args->n;
    for (size_t i = 0; i < args->n; i++) {
        out->items[i].name = out->items[i].rename_to = args->items[i].name;
        out->items[i].description = args->items[i].description;
    }
    return SL_OK;
}

static sl_code fill_attrs(struct sl_pb_array_ApiDef_Attr *out, const struct sl_pb_array_OpDef_AttrDef *attrs,
                          struct sl_arena *arena, struct sl_error *err) {
    out->items = SL_ARENA_ARRAY(arena, struct sl_pb_ApiDef_Attr, attrs->n);
    if (!out->items) return sl_fail_memory(err, attrs->n * sizeof *out->items);
    out->n = attrs->n;
    for (size_t i = 0; i < attrs->n; i++) {
        out->items[i].name = out->items[i].rename_to = attrs->items[i].name;
        out->items[i].default_value = attrs->items[i].default_value;
        out->items[i].description = attrs->items[i].description;
    }
    return SL_OK;
}

static sl_code fill(struct sl_pb_ApiDef *out, const struct sl_pb_OpDef *op, struct sl_arena *arena,
                    struct sl_error *err) {
    *out = (struct sl_pb_ApiDef){.graph_op_name = op->name,
                                 .visibility = SL_PB_ApiDef_Visibility_VISIBLE,
                                 .summary = op->summary,
                                 .description = op->description};
    SL_TRY(fill_args(&out->in_arg, &op->input_arg, arena, err));
    SL_TRY(fill_args(&out->out_arg, &op->output_arg, arena, err));
    SL_TRY(fill_attrs(&out->attr, &op->attr, arena, err));
    out->endpoint.items = SL_ARENA_NEW(arena, struct sl_pb_ApiDef_Endpoint);
    out->arg_order.items = SL_ARENA_ARRAY(arena, struct sl_str, op->input_arg.n);
    if (!out->endpoint.items || !out->arg_order.items) return sl_fail_memory(err, sizeof *out->endpoint.items);
    out->endpoint.n = 1;
    out->endpoint.items[0].name = op->name;
    out->arg_order.n = op->input_arg.n;
    for (size_t i = 0; i < op->input_arg.n; i++) out->arg_order.items[i] = op->input_arg.items[i].name;
    return SL_OK;
}

static sl_code fill_map(TF_ApiDefMap *map, const TF_Buffer *op_list, struct sl_error *err) {
    struct sl_pb_OpList list;
    struct sl_str bytes = sl_arena_str(&map->arena, sl_bytes_of(op_list->data, op_list->length));
    if (!bytes.p) return sl_fail_memory(err, op_list->length);
    if (sl_pb_decode(&list, SL_PB_TYPE(OpList), bytes, &map->arena, NULL) != SL_OK)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Unparseable OpList");
    struct sl_pb_ApiDef *defs = SL_ARENA_ARRAY(&map->arena, struct sl_pb_ApiDef, list.op.n);
    if (!defs) return sl_fail_memory(err, list.op.n * sizeof *defs);
    for (size_t i = 0; i < list.op.n; i++) {
        SL_TRY(fill(&defs[i], &list.op.items[i], &map->arena, err));
        if (sl_str_map_put(&map->by_name, defs[i].graph_op_name, &defs[i])) return sl_fail_memory(err, sizeof *defs);
    }
    return SL_OK;
}

TF_ApiDefMap *TF_NewApiDefMap(TF_Buffer *op_list_buffer, TF_Status *status) {
    struct sl_error err;
    TF_ApiDefMap *map = sl_calloc(1, sizeof *map);
    if (!map) {
        sl_status_set(status, SL_RESOURCE_EXHAUSTED, "out of memory");
        return NULL;
    }
    sl_mutex_init(&map->mutex);
    sl_arena_init(&map->arena);
    if (sl_status_take(status, fill_map(map, op_list_buffer, &err), &err)) return map;
    TF_DeleteApiDefMap(map);
    return NULL;
}

void TF_DeleteApiDefMap(TF_ApiDefMap *api_def_map) {
    if (!api_def_map) return;
    sl_str_map_free(&api_def_map->by_name);
    sl_arena_clear(&api_def_map->arena);
    sl_mutex_clear(&api_def_map->mutex);
    sl_free(api_def_map);
}

/* ---- changes */
static void merge_text(struct sl_str *to, struct sl_str from) {
    if (from.n) *to = from;
}

static sl_code merge_args(struct sl_pb_array_ApiDef_Arg *to, const struct sl_pb_array_ApiDef_Arg *from,
                          struct sl_str op, struct sl_error *err) {
    for (size_t i = 0; i < from->n; i++) {
        size_t at = 0;
        while (at < to->n && !sl_str_eq(to->items[at].name, from->items[i].name)) at++;
        if (at == to->n)
            return sl_fail(err, SL_FAILED_PRECONDITION, "Argument %.*s not defined in base api for %.*s",
                           SL_STR_ARG(from->items[i].name), SL_STR_ARG(op));
        merge_text(&to->items[at].rename_to, from->items[i].rename_to);
        merge_text(&to->items[at].description, from->items[i].description);
    }
    return SL_OK;
}

static sl_code merge_attrs(struct sl_pb_array_ApiDef_Attr *to, const struct sl_pb_array_ApiDef_Attr *from,
                           struct sl_str op, struct sl_error *err) {
    for (size_t i = 0; i < from->n; i++) {
        size_t at = 0;
        while (at < to->n && !sl_str_eq(to->items[at].name, from->items[i].name)) at++;
        if (at == to->n)
            return sl_fail(err, SL_FAILED_PRECONDITION, "Attribute %.*s not defined in base api for %.*s",
                           SL_STR_ARG(from->items[i].name), SL_STR_ARG(op));
        merge_text(&to->items[at].rename_to, from->items[i].rename_to);
        merge_text(&to->items[at].description, from->items[i].description);
        if (from->items[i].default_value) to->items[at].default_value = from->items[i].default_value;
    }
    return SL_OK;
}

/* The order may only change, not what there is. */
static sl_code merge_order(struct sl_pb_ApiDef *to, const struct sl_pb_array_str *from, struct sl_error *err) {
    if (from->n == 0) return SL_OK;
    bool fits = from->n == to->in_arg.n;
    for (size_t i = 0; fits && i < from->n; i++) {
        size_t at = 0;
        while (at < to->in_arg.n && !sl_str_eq(to->in_arg.items[at].name, from->items[i])) at++;
        fits = at < to->in_arg.n;
    }
    if (!fits)
        return sl_fail(err, SL_FAILED_PRECONDITION, "Invalid arg_order for %.*s: it has to name every input once",
                       SL_STR_ARG(to->graph_op_name));
    to->arg_order = *from;
    return SL_OK;
}

static sl_code join(struct sl_str *out, struct sl_str a, struct sl_str b, struct sl_arena *arena,
                    struct sl_error *err) {
    char *text = sl_arena_format(arena, "%.*s\n%.*s", SL_STR_ARG(a), SL_STR_ARG(b));
    if (!text) return sl_fail_memory(err, a.n + b.n);
    *out = sl_str_of(text);
    return SL_OK;
}

static sl_code merge(struct sl_pb_ApiDef *to, const struct sl_pb_ApiDef *from, struct sl_arena *arena,
                     struct sl_error *err) {
    SL_TRY(merge_args(&to->in_arg, &from->in_arg, to->graph_op_name, err));
    SL_TRY(merge_args(&to->out_arg, &from->out_arg, to->graph_op_name, err));
    SL_TRY(merge_attrs(&to->attr, &from->attr, to->graph_op_name, err));
    SL_TRY(merge_order(to, &from->arg_order, err));
    if (from->visibility) to->visibility = from->visibility;
    if (from->endpoint.n) to->endpoint = from->endpoint;
    merge_text(&to->deprecation_message, from->deprecation_message);
    if (from->deprecation_version) to->deprecation_version = from->deprecation_version;
    merge_text(&to->summary, from->summary);
    merge_text(&to->description, from->description);
    if (from->description_prefix.n)
        SL_TRY(join(&to->description, from->description_prefix, to->description, arena, err));
    if (from->description_suffix.n)
        SL_TRY(join(&to->description, to->description, from->description_suffix, arena, err));
    return SL_OK;
}

static sl_code put(TF_ApiDefMap *map, struct sl_str text, struct sl_error *err) {
    struct sl_pb_ApiDefs defs;
    if (map->was_read)
        return sl_fail(err, SL_FAILED_PRECONDITION,
                       "TF_ApiDefMapPut cannot be called after TF_ApiDefMapGet has been called.");
    struct sl_str copy = sl_arena_str(&map->arena, text);
    if (!copy.p) return sl_fail_memory(err, text.n);
    SL_TRY(sl_pb_text_parse(&defs, SL_PB_TYPE(ApiDefs), copy, &map->arena, err));
    for (size_t i = 0; i < defs.op.n; i++) { /* ops that the list has not got are passed over */
        struct sl_pb_ApiDef *known = sl_str_map_get(&map->by_name, defs.op.items[i].graph_op_name);
        if (known) SL_TRY(merge(known, &defs.op.items[i], &map->arena, err));
    }
    return SL_OK;
}

void TF_ApiDefMapPut(TF_ApiDefMap *api_def_map, const char *text, size_t text_len, TF_Status *status) {
    struct sl_error err;
    sl_mutex_lock(&api_def_map->mutex);
    sl_code code = put(api_def_map, sl_bytes_of(text, text_len), &err);
    sl_mutex_unlock(&api_def_map->mutex);
    sl_status_take(status, code, &err);
}

TF_Buffer *TF_ApiDefMapGet(TF_ApiDefMap *api_def_map, const char *name, size_t name_len, TF_Status *status) {
    struct sl_error err;
    TF_Buffer *buffer = NULL;
    sl_code code = SL_OK;
    sl_mutex_lock(&api_def_map->mutex);
    api_def_map->was_read = true;
    const struct sl_pb_ApiDef *def = sl_str_map_get(&api_def_map->by_name, sl_bytes_of(name, name_len));
    if (def) code = sl_buffer_new_encoded(&buffer, SL_PB_TYPE(ApiDef), def, &err);
    sl_mutex_unlock(&api_def_map->mutex);
    sl_status_take(status, code, &err);
    return buffer;
}
