/* A part of a library as bytes: functions, and all that their nodes name, each once. */
#include "graph/graph.h"

#include "base/alloc.h"
#include "base/str_map.h"
#include "base/vec.h"
#include "proto/wire.h"

struct reach {
    const struct sl_graph *library;
    struct sl_str_map seen;
    SL_VEC(struct sl_function_def *) found; /* in the order in which they were met */
};

static sl_code meet(struct reach *r, struct sl_str name, bool must_be_there, struct sl_error *err) {
    if (sl_str_map_get(&r->seen, name)) return SL_OK;
    struct sl_function_def *f = sl_graph_function(r->library, name);
    if (!f && must_be_there) return sl_fail(err, SL_NOT_FOUND, "Function %.*s is not defined.", SL_STR_ARG(name));
    if (!f) return SL_OK; /* an op, or what no call gets to */
    if (sl_str_map_put(&r->seen, f->name, f) || sl_vec_push(&r->found, f)) return sl_fail_memory(err, sizeof f);
    return SL_OK;
}

static sl_code meet_value(struct reach *r, const struct sl_pb_AttrValue *v, struct sl_error *err) {
    if (v->which == SL_PB_AttrValue_func && v->func) return meet(r, v->func->name, false, err);
    if (v->which != SL_PB_AttrValue_list || !v->list) return SL_OK;
    for (size_t i = 0; i < v->list->func.n; i++) SL_TRY(meet(r, v->list->func.items[i].name, false, err));
    return SL_OK;
}

static sl_code meet_nodes(struct reach *r, const struct sl_pb_FunctionDef *def, struct sl_error *err) {
    for (size_t i = 0; i < def->node_def.n; i++) {
        const struct sl_pb_NodeDef *node = &def->node_def.items[i];
        SL_TRY(meet(r, node->op, false, err));
        for (size_t a = 0; a < node->attr.n; a++) SL_TRY(meet_value(r, &node->attr.items[a].value, err));
    }
    return SL_OK;
}

static sl_code encode(struct sl_str *bytes, const struct reach *r, struct sl_arena *arena, struct sl_error *err) {
    struct sl_pb_FunctionDefLibrary library = {.unknown = NULL};
    library.function.items = SL_ARENA_ARRAY(arena, struct sl_pb_FunctionDef, r->found.n + 1);
    if (!library.function.items) return sl_fail_memory(err, r->found.n * sizeof *library.function.items);
    for (size_t i = 0; i < r->found.n; i++) library.function.items[library.function.n++] = *r->found.items[i]->def;
    return sl_pb_encode(bytes, SL_PB_TYPE(FunctionDefLibrary), &library, 0, arena, err);
}

sl_code sl_graph_write_library(struct sl_str *bytes, const struct sl_graph *library, const struct sl_str *names, int n,
                               struct sl_arena *arena, struct sl_error *err) {
    struct reach r = {.library = library};
    sl_code code = SL_OK;
    for (int i = 0; i < n && code == SL_OK; i++) code = meet(&r, names[i], true, err);
    for (size_t i = 0; i < r.found.n && code == SL_OK; i++) code = meet_nodes(&r, r.found.items[i]->def, err);
    if (code == SL_OK) code = encode(bytes, &r, arena, err);
    sl_vec_free(&r.found);
    sl_str_map_free(&r.seen);
    return code;
}
