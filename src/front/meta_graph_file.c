/* The functions of sluice/meta_graph_file.h. Collections are taken out of the message when it is read and put back
 * when it is written, so that they can grow. */
#include <string.h>

#include "base/alloc.h"
#include "base/str_map.h"
#include "capi/handles.h"
#include "front/meta_graph.h"
#include "os/file.h"
#include "proto/text_format.h"
#include "proto/wire.h"
#include "root/root.h"
#include "session/saver_nodes.h"

/* ---- collections */

static struct sl_meta_collection *find_collection(const struct sl_meta_graph *meta, const char *name) {
    for (size_t i = 0; i < meta->collections.n; i++)
        if (!strcmp(meta->collections.items[i]->name, name)) return meta->collections.items[i];
    return NULL;
}

static sl_code new_collection(struct sl_meta_collection **out, struct sl_meta_graph *meta, struct sl_str name, int kind,
                              struct sl_error *err) {
    struct sl_meta_collection *c = SL_ARENA_NEW(&meta->arena, struct sl_meta_collection);
    struct sl_str copy = sl_arena_str(&meta->arena, name);
    if (!c || !copy.p || sl_vec_push(&meta->collections, c)) return sl_fail_memory(err, name.n);
    c->name = copy.p;
    c->kind = kind;
    *out = c;
    return SL_OK;
}

/* Copies the strings. */
static sl_code push_item(struct sl_meta_graph *meta, struct sl_meta_collection *c,
                         const struct sl_collection_item *item, struct sl_error *err) {
    struct sl_collection_item copy = {.number = item->number, .real = item->real};
    if (c->kind == SL_COLLECTION_INTS || c->kind == SL_COLLECTION_FLOATS)
        return sl_vec_push(&c->items, copy) ? sl_fail_memory(err, sizeof copy) : SL_OK;
    struct sl_str bytes = sl_arena_str(&meta->arena, (struct sl_str){item->bytes, item->bytes ? item->size : 0});
    copy = (struct sl_collection_item){.bytes = bytes.p, .size = bytes.n};
    if (c->kind == SL_COLLECTION_MESSAGES)
        copy.type_url = sl_arena_str(&meta->arena, sl_str_of(item->type_url ? item->type_url : "")).p;
    bool is_whole = bytes.p && (copy.type_url || c->kind != SL_COLLECTION_MESSAGES);
    return !is_whole || sl_vec_push(&c->items, copy) ? sl_fail_memory(err, item->size) : SL_OK;
}

static sl_code take_strings(struct sl_meta_graph *meta, struct sl_meta_collection *c,
                            const struct sl_pb_array_str *strings, struct sl_error *err) {
    for (size_t i = 0; i < strings->n; i++) {
        struct sl_collection_item item = {.bytes = strings->items[i].p, .size = strings->items[i].n};
        SL_TRY(push_item(meta, c, &item, err));
    }
    return SL_OK;
}

static sl_code take_messages(struct sl_meta_graph *meta, struct sl_meta_collection *c,
                             const struct sl_pb_array_Any *messages, struct sl_error *err) {
    for (size_t i = 0; i < messages->n; i++) {
        const struct sl_pb_Any *any = &messages->items[i];
        struct sl_str url = sl_arena_str(&meta->arena, any->type_url); /* with a NUL */
        struct sl_collection_item item = {.bytes = any->value.p, .size = any->value.n, .type_url = url.p};
        if (!url.p) return sl_fail_memory(err, any->type_url.n);
        SL_TRY(push_item(meta, c, &item, err));
    }
    return SL_OK;
}

static sl_code take_collection(struct sl_meta_graph *meta, struct sl_str name, const struct sl_pb_CollectionDef *def,
                               struct sl_error *err) {
    struct sl_meta_collection *c;
    SL_TRY(new_collection(&c, meta, name, def->which, err));
    switch (def->which) {
    case SL_PB_CollectionDef_node_list: return take_strings(meta, c, &def->node_list->value, err);
    case SL_PB_CollectionDef_bytes_list: return take_strings(meta, c, &def->bytes_list->value, err);
    case SL_PB_CollectionDef_any_list: return take_messages(meta, c, &def->any_list->value, err);
    case SL_PB_CollectionDef_int64_list:
        for (size_t i = 0; i < def->int64_list->value.n; i++)
            SL_TRY(push_item(meta, c, &(struct sl_collection_item){.number = def->int64_list->value.items[i]}, err));
        return SL_OK;
    case SL_PB_CollectionDef_float_list:
        for (size_t i = 0; i < def->float_list->value.n; i++)
            SL_TRY(push_item(meta, c, &(struct sl_collection_item){.real = def->float_list->value.items[i]}, err));
        return SL_OK;
    default: return SL_OK;
    }
}

/* Of two collections with one name the last counts. */
static sl_code take_collections(struct sl_meta_graph *meta, const struct sl_pb_map_string_CollectionDef *map,
                                struct sl_error *err) {
    struct sl_str_map last = {0};
    sl_code code = SL_OK;
    for (size_t i = 0; i < map->n && code == SL_OK; i++)
        if (sl_str_map_put(&last, map->items[i].key, &map->items[i])) code = sl_fail_memory(err, map->n);
    for (size_t i = 0; i < map->n && code == SL_OK; i++)
        if (sl_str_map_get(&last, map->items[i].key) == &map->items[i])
            code = take_collection(meta, map->items[i].key, &map->items[i].value, err);
    sl_str_map_free(&last);
    return code;
}

static sl_code give_strings(struct sl_pb_array_str *out, const struct sl_meta_collection *c, struct sl_arena *arena,
                            struct sl_error *err) {
    *out = (struct sl_pb_array_str){SL_ARENA_ARRAY(arena, struct sl_str, c->items.n + 1), c->items.n};
    if (!out->items) return sl_fail_memory(err, c->items.n * sizeof *out->items);
    for (size_t i = 0; i < out->n; i++)
        out->items[i] = (struct sl_str){c->items.items[i].bytes, c->items.items[i].size};
    return SL_OK;
}

static sl_code give_messages(struct sl_pb_array_Any *out, const struct sl_meta_collection *c, struct sl_arena *arena,
                             struct sl_error *err) {
    *out = (struct sl_pb_array_Any){SL_ARENA_ARRAY(arena, struct sl_pb_Any, c->items.n + 1), c->items.n};
    if (!out->items) return sl_fail_memory(err, c->items.n * sizeof *out->items);
    for (size_t i = 0; i < out->n; i++) {
        const struct sl_collection_item *item = &c->items.items[i];
        out->items[i].type_url = sl_str_of(item->type_url);
        out->items[i].value = (struct sl_str){item->bytes, item->size};
    }
    return SL_OK;
}

static sl_code give_ints(struct sl_pb_array_i64 *out, const struct sl_meta_collection *c, struct sl_arena *arena,
                         struct sl_error *err) {
    *out = (struct sl_pb_array_i64){SL_ARENA_ARRAY(arena, int64_t, c->items.n + 1), c->items.n};
    if (!out->items) return sl_fail_memory(err, c->items.n * sizeof *out->items);
    for (size_t i = 0; i < out->n; i++) out->items[i] = c->items.items[i].number;
    return SL_OK;
}

static sl_code give_floats(struct sl_pb_array_f32 *out, const struct sl_meta_collection *c, struct sl_arena *arena,
                           struct sl_error *err) {
    *out = (struct sl_pb_array_f32){SL_ARENA_ARRAY(arena, float, c->items.n + 1), c->items.n};
    if (!out->items) return sl_fail_memory(err, c->items.n * sizeof *out->items);
    for (size_t i = 0; i < out->n; i++) out->items[i] = c->items.items[i].real;
    return SL_OK;
}

static sl_code give_collection(struct sl_pb_CollectionDef *def, const struct sl_meta_collection *c,
                               struct sl_arena *arena, struct sl_error *err) {
    union {
        struct sl_pb_CollectionDef_NodeList nodes;
        struct sl_pb_CollectionDef_BytesList bytes;
        struct sl_pb_CollectionDef_Int64List ints;
        struct sl_pb_CollectionDef_FloatList floats;
        struct sl_pb_CollectionDef_AnyList messages;
    } *list = sl_arena_zalloc(arena, sizeof *list);
    if (!list) return sl_fail_memory(err, sizeof *list);
    def->which = c->kind;
    switch (c->kind) {
    case SL_COLLECTION_NODES: def->node_list = &list->nodes; return give_strings(&list->nodes.value, c, arena, err);
    case SL_COLLECTION_BYTES: def->bytes_list = &list->bytes; return give_strings(&list->bytes.value, c, arena, err);
    case SL_COLLECTION_INTS: def->int64_list = &list->ints; return give_ints(&list->ints.value, c, arena, err);
    case SL_COLLECTION_FLOATS: def->float_list = &list->floats; return give_floats(&list->floats.value, c, arena, err);
    case SL_COLLECTION_MESSAGES:
        def->any_list = &list->messages;
        return give_messages(&list->messages.value, c, arena, err);
    default: return SL_OK;
    }
}

sl_code sl_meta_graph_fill(struct sl_meta_graph *meta, const struct sl_meta_graph *from, struct sl_error *err) {
    struct sl_pb_map_string_CollectionDef *map = &meta->message.collection_def;
    size_t n = from->collections.n;
    map->n = 0;
    map->items = SL_ARENA_ARRAY(&meta->arena, struct sl_pb_entry_string_CollectionDef, n + 1);
    if (!map->items) return sl_fail_memory(err, n * sizeof *map->items);
    for (size_t i = 0; i < n; i++) {
        const struct sl_meta_collection *c = from->collections.items[i];
        map->items[i].key = sl_str_of(c->name);
        SL_TRY(give_collection(&map->items[i].value, c, &meta->arena, err));
    }
    map->n = n;
    return SL_OK;
}

unsigned char sl_meta_graph_collection(struct sl_collection *out, const struct sl_meta_graph *meta, int number) {
    if (number < 0 || (size_t)number >= meta->collections.n) return 0;
    const struct sl_meta_collection *c = meta->collections.items[number];
    *out = (struct sl_collection){c->name, c->kind ? (enum sl_collection_kind)c->kind : SL_COLLECTION_NODES,
                                  (int)c->items.n};
    return 1;
}

unsigned char sl_meta_graph_item(struct sl_collection_item *out, const struct sl_meta_graph *meta, int collection,
                                 int number) {
    if (collection < 0 || (size_t)collection >= meta->collections.n || number < 0) return 0;
    const struct sl_meta_collection *c = meta->collections.items[collection];
    if ((size_t)number >= c->items.n) return 0;
    *out = c->items.items[number];
    return 1;
}

static sl_code add_item(struct sl_meta_graph *meta, const char *name, int kind, const struct sl_collection_item *item,
                        struct sl_error *err) {
    struct sl_meta_collection *c = find_collection(meta, name);
    if (kind < SL_COLLECTION_NODES || kind > SL_COLLECTION_MESSAGES)
        return sl_fail(err, SL_INVALID_ARGUMENT, "there is no collection of kind %d", kind);
    if (!c) SL_TRY(new_collection(&c, meta, sl_str_of(name), kind, err));
    if (!c->kind) c->kind = kind;
    if (c->kind != kind)
        return sl_fail(err, SL_INVALID_ARGUMENT, "the collection '%s' is of another kind (%d, not %d)", name, c->kind,
                       kind);
    if (c->items.n >= INT32_MAX) return sl_fail(err, SL_RESOURCE_EXHAUSTED, "the collection '%s' is full", name);
    return push_item(meta, c, item, err);
}

void sl_meta_graph_add(struct sl_meta_graph *meta, const char *collection, enum sl_collection_kind kind,
                       const struct sl_collection_item *item, TF_Status *status) {
    struct sl_error err;
    sl_status_take(status, add_item(meta, collection, (int)kind, item, &err), &err);
}

unsigned char sl_meta_graph_drop(struct sl_meta_graph *meta, const char *collection) {
    struct sl_meta_collection **items = meta->collections.items;
    for (size_t i = 0; i < meta->collections.n; i++) {
        if (strcmp(items[i]->name, collection) != 0) continue;
        sl_vec_free(&items[i]->items);
        memmove(items + i, items + i + 1, (--meta->collections.n - i) * sizeof *items);
        return 1;
    }
    return 0;
}

/* ---- reading */

struct sl_meta_graph *sl_meta_graph_new(TF_Status *status) {
    struct sl_meta_graph *meta = sl_calloc(1, sizeof *meta);
    sl_status_set(status, meta ? SL_OK : SL_RESOURCE_EXHAUSTED, meta ? "" : "out of memory");
    if (meta) sl_arena_init(&meta->arena);
    return meta;
}

void sl_meta_graph_delete(struct sl_meta_graph *meta) {
    if (!meta) return;
    for (size_t i = 0; i < meta->collections.n; i++) sl_vec_free(&meta->collections.items[i]->items);
    sl_vec_free(&meta->collections);
    sl_arena_clear(&meta->arena);
    sl_free(meta->bytes);
    sl_free(meta);
}

sl_code sl_meta_graph_decode(struct sl_meta_graph *meta, struct sl_str bytes, struct sl_error *err) {
    struct sl_pb_MetaGraphDef *m = &meta->message;
    if (sl_is_graph_text(bytes)) SL_TRY(sl_pb_text_parse(m, SL_PB_TYPE(MetaGraphDef), bytes, &meta->arena, err));
    else if (sl_begins_with_node(bytes)) return sl_fail(err, SL_INVALID_ARGUMENT, "a GraphDef, not a MetaGraphDef");
    else SL_TRY(sl_pb_decode(m, SL_PB_TYPE(MetaGraphDef), bytes, &meta->arena, err));
    return take_collections(meta, &m->collection_def, err);
}

static sl_code read_bytes(struct sl_meta_graph *meta, const void *bytes, size_t size, struct sl_error *err) {
    meta->bytes = sl_malloc(size + 1);
    if (!meta->bytes) return sl_fail_memory(err, size);
    if (size) memcpy(meta->bytes, bytes, size);
    return sl_meta_graph_decode(meta, (struct sl_str){meta->bytes, size}, err);
}

static sl_code read_file(struct sl_meta_graph *meta, const char *path, struct sl_error *err) {
    size_t size;
    struct sl_error inner;
    SL_TRY(sl_file_read(&meta->bytes, &size, path, (size_t)INT32_MAX, err));
    sl_error_clear(&inner);
    sl_code code = sl_meta_graph_decode(meta, (struct sl_str){meta->bytes, size}, &inner);
    return code == SL_OK ? SL_OK : sl_fail(err, code, "%s: %s", path, inner.message);
}

struct sl_meta_graph *sl_meta_graph_parse(const void *bytes, size_t size, TF_Status *status) {
    struct sl_error err;
    struct sl_meta_graph *meta = sl_meta_graph_new(status);
    if (!meta || sl_status_take(status, read_bytes(meta, bytes, size, &err), &err)) return meta;
    sl_meta_graph_delete(meta);
    return NULL;
}

struct sl_meta_graph *sl_meta_graph_read(const char *path, TF_Status *status) {
    struct sl_error err;
    struct sl_meta_graph *meta = sl_meta_graph_new(status);
    if (!meta || sl_status_take(status, read_file(meta, path, &err), &err)) return meta;
    sl_meta_graph_delete(meta);
    return NULL;
}

unsigned char sl_meta_graph_saver(struct sl_saver_names *out, struct sl_meta_graph *meta) {
    const struct sl_pb_SaverDef *def = meta->message.saver_def;
    if (!def) return 0;
    out->filename_tensor = sl_arena_str(&meta->arena, def->filename_tensor_name).p;
    out->save_tensor = sl_arena_str(&meta->arena, def->save_tensor_name).p;
    out->restore_op = sl_arena_str(&meta->arena, def->restore_op_name).p;
    return out->filename_tensor && out->save_tensor && out->restore_op;
}

/* ---- writing */

static sl_code write_file(struct sl_meta_graph *meta, const char *path, bool as_text, struct sl_error *err) {
    struct sl_str bytes;
    SL_TRY(sl_meta_graph_fill(meta, meta, err));
    SL_TRY(as_text ? sl_pb_text_print(&bytes, SL_PB_TYPE(MetaGraphDef), &meta->message, 0, NULL, err)
                   : sl_pb_encode(&bytes, SL_PB_TYPE(MetaGraphDef), &meta->message, 0, NULL, err));
    sl_code code = sl_file_write_atomic(path, bytes.p, bytes.n, err);
    sl_free((void *)(uintptr_t)bytes.p);
    return code;
}

void sl_meta_graph_write(struct sl_meta_graph *meta, const char *path, unsigned char as_text, TF_Status *status) {
    struct sl_error err;
    sl_status_take(status, write_file(meta, path, as_text != 0, &err), &err);
}

/* ---- graphs */

static sl_code import(struct sl_meta_graph *meta, TF_Graph *graph, const TF_ImportGraphDefOptions *options,
                      TF_Status *status, struct sl_error *err) {
    TF_Buffer *bytes;
    if (!meta->message.graph_def) return sl_fail(err, SL_INVALID_ARGUMENT, "The MetaGraphDef has no graph");
    SL_TRY(sl_buffer_new_encoded(&bytes, SL_PB_TYPE(GraphDef), meta->message.graph_def, err));
    TF_ImportGraphDefOptions *own = options ? NULL : TF_NewImportGraphDefOptions();
    if (options || own) TF_GraphImportGraphDef(graph, bytes, options ? options : own, status);
    TF_DeleteImportGraphDefOptions(own);
    TF_DeleteBuffer(bytes);
    return options || own ? sl_status_give(status, err) : sl_fail_memory(err, 1);
}

void sl_meta_graph_import(struct sl_meta_graph *meta, TF_Graph *graph, const TF_ImportGraphDefOptions *options,
                          TF_Status *status) {
    struct sl_error err;
    sl_status_take(status, import(meta, graph, options, status, &err), &err);
}

sl_code sl_meta_graph_take(struct sl_meta_graph *meta, TF_Graph *graph, struct sl_error *err) {
    struct sl_pb_GraphDef *def;
    struct sl_str bytes = SL_STR("");
    struct sl_arena arena; /* what is exported is the graph's, which may change */
    sl_arena_init(&arena);
    sl_graph_lock(graph);
    sl_code code = sl_graph_export(&def, graph->graph, &arena, err);
    if (code == SL_OK) code = sl_pb_encode(&bytes, SL_PB_TYPE(GraphDef), def, 0, &meta->arena, err);
    sl_graph_unlock(graph);
    sl_arena_clear(&arena);
    struct sl_pb_MetaGraphDef *m = &meta->message;
    if (code == SL_OK && !(def = SL_ARENA_NEW(&meta->arena, struct sl_pb_GraphDef)))
        code = sl_fail_memory(err, sizeof *def);
    if (code == SL_OK && !m->meta_info_def &&
        !(m->meta_info_def = SL_ARENA_NEW(&meta->arena, struct sl_pb_MetaGraphDef_MetaInfoDef)))
        code = sl_fail_memory(err, sizeof *m->meta_info_def);
    if (code == SL_OK) code = sl_pb_decode(def, SL_PB_TYPE(GraphDef), bytes, &meta->arena, err);
    if (code != SL_OK) return code;
    m->graph_def = def;
    m->meta_info_def->tensorflow_version = sl_str_of(TF_Version());
    return SL_OK;
}

void sl_meta_graph_set_graph(struct sl_meta_graph *meta, TF_Graph *graph, TF_Status *status) {
    struct sl_error err;
    sl_status_take(status, sl_meta_graph_take(meta, graph, &err), &err);
}

/* ---- a Saver */

static sl_code list_variables(struct sl_meta_graph *meta, const char *name, const struct sl_pb_array_str *variables,
                              bool only_trainable, struct sl_error *err) {
    if (find_collection(meta, name)) return SL_OK;
    for (size_t i = 0; i < variables->n; i++) {
        struct sl_pb_VariableDef def;
        struct sl_collection_item item = {.bytes = variables->items[i].p, .size = variables->items[i].n};
        if (only_trainable) {
            SL_TRY(sl_pb_decode(&def, SL_PB_TYPE(VariableDef), variables->items[i], &meta->arena, err));
            if (!def.trainable) continue;
        }
        SL_TRY(add_item(meta, name, SL_COLLECTION_BYTES, &item, err));
    }
    return SL_OK;
}

sl_code sl_meta_graph_give_saver(struct sl_meta_graph *meta, struct sl_error *err) {
    struct sl_pb_array_str variables;
    const struct sl_registries *registries;
    if (!meta->message.graph_def) return sl_fail(err, SL_FAILED_PRECONDITION, "The MetaGraphDef has no graph");
    SL_TRY(sl_root_registries(&registries, err));
    SL_TRY(sl_saver_nodes_add(&variables, &meta->message, registries->ops, &meta->arena, err));
    SL_TRY(list_variables(meta, "variables", &variables, false, err));
    return list_variables(meta, "trainable_variables", &variables, true, err);
}

void sl_meta_graph_add_saver(struct sl_meta_graph *meta, TF_Status *status) {
    struct sl_error err;
    sl_status_take(status, sl_meta_graph_give_saver(meta, &err), &err);
}
