/* The function library of a graph: functions by name, their ops, their gradients. A function is copied once when it
 * is made and never changes; graphs share it by count. Nodes refer to a function's op, so one that leaves the
 * library is kept until its graph goes. */
#include "base/alloc.h"
#include "graph/node_store.h"
#include "proto/wire.h"

#include <stdlib.h>

enum { FIRST_WITH_FUNCTIONS = 12 }; /* version of those who understand a library */

/* ---- one function */
void sl_function_unref(struct sl_function_def *f) {
    if (!f || atomic_fetch_sub_explicit(&f->refs, 1, memory_order_acq_rel) != 1) return;
    sl_arena_clear(&f->arena);
    sl_free(f);
}

/* `bytes` are in the function's arena. */
static sl_code fill(struct sl_function_def *f, struct sl_str bytes, struct sl_error *err) {
    f->def = SL_ARENA_NEW(&f->arena, struct sl_pb_FunctionDef);
    if (!f->def) return sl_fail_memory(err, sizeof *f->def);
    SL_TRY(sl_pb_decode(f->def, SL_PB_TYPE(FunctionDef), bytes, &f->arena, err));
    if (!f->def->signature) {
        f->def->signature = SL_ARENA_NEW(&f->arena, struct sl_pb_OpDef);
        if (!f->def->signature) return sl_fail_memory(err, sizeof *f->def->signature);
    }
    SL_TRY(sl_op_from_def(&f->op, &f->arena, f->def->signature, err));
    f->name = f->def->signature->name;
    return SL_OK;
}

/* A copy of the message, or else of its bytes. */
static sl_code make(struct sl_function_def **out, const struct sl_pb_FunctionDef *def, struct sl_str bytes,
                    struct sl_error *err) {
    struct sl_function_def *f = sl_calloc(1, sizeof *f);
    if (!f) return sl_fail_memory(err, sizeof *f);
    atomic_init(&f->refs, 1);
    sl_arena_init(&f->arena);
    sl_code code = SL_OK;
    if (def) code = sl_pb_encode(&bytes, SL_PB_TYPE(FunctionDef), def, 0, &f->arena, err);
    else if (!(bytes = sl_arena_str(&f->arena, bytes)).p) code = sl_fail_memory(err, bytes.n);
    if (code == SL_OK) code = fill(f, bytes, err);
    if (code != SL_OK) {
        sl_function_unref(f);
        return code;
    }
    *out = f;
    return SL_OK;
}

sl_code sl_function_new(struct sl_function_def **out, const struct sl_pb_FunctionDef *def, struct sl_error *err) {
    return make(out, def, (struct sl_str){NULL, 0}, err);
}

static int by_node_name(const void *a, const void *b) {
    const struct sl_pb_NodeDef *x = a, *y = b;
    return sl_str_cmp(x->name, y->name);
}

/* Bytes that equal functions have in common: maps and nodes in order. */
static struct sl_str canonical(const struct sl_function_def *f, struct sl_arena *arena) {
    struct sl_pb_FunctionDef def = *f->def;
    struct sl_str bytes = {NULL, 0};
    size_t n = def.node_def.n;
    def.node_def.items = SL_ARENA_ARRAY(arena, struct sl_pb_NodeDef, n);
    if (!def.node_def.items) return bytes;
    if (n) memcpy(def.node_def.items, f->def->node_def.items, n * sizeof *def.node_def.items);
    if (n) qsort(def.node_def.items, n, sizeof *def.node_def.items, by_node_name);
    sl_pb_encode(&bytes, SL_PB_TYPE(FunctionDef), &def, SL_PB_SORT_MAPS, arena, NULL);
    return bytes;
}

bool sl_function_equal(const struct sl_function_def *a, const struct sl_function_def *b) {
    struct sl_arena arena;
    if (a == b) return true;
    if (a->def->node_def.n != b->def->node_def.n) return false;
    sl_arena_init(&arena);
    struct sl_str x = canonical(a, &arena), y = canonical(b, &arena);
    bool is_equal = x.p && y.p && sl_str_eq(x, y);
    sl_arena_clear(&arena);
    return is_equal;
}

/* ---- the library */
struct sl_function_def *sl_graph_function(const struct sl_graph *graph, struct sl_str name) {
    for (; graph; graph = graph->outer) {
        struct sl_function_def *f = sl_str_map_get(&graph->functions_by_name, name);
        if (f) return f;
    }
    return NULL;
}

sl_code sl_graph_find_op(const struct sl_op **out, const struct sl_graph *graph, struct sl_str name,
                         struct sl_error *err) {
    struct sl_function_def *f = sl_graph_function(graph, name);
    if (!f) return sl_op_find(out, graph->registry, name, err);
    *out = &f->op;
    return SL_OK;
}

sl_code sl_graph_add_function(struct sl_graph *graph, struct sl_function_def *f, struct sl_error *err) {
    struct sl_function_def *old = sl_str_map_get(&graph->functions_by_name, f->name);
    const struct sl_op *op;
    if (old && sl_function_equal(old, f)) return SL_OK;
    if (old)
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "Cannot add function '%.*s' because a different function with the same name already exists.",
                       SL_STR_ARG(f->name));
    if (sl_op_find(&op, graph->registry, f->name, NULL) == SL_OK)
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "Cannot add function '%.*s' because an op with the same name already exists.",
                       SL_STR_ARG(f->name));
    if (sl_vec_reserve(&graph->functions, 1) || sl_str_map_put(&graph->functions_by_name, f->name, f))
        return sl_fail_memory(err, sizeof f);
    atomic_fetch_add_explicit(&f->refs, 1, memory_order_relaxed);
    graph->functions.items[graph->functions.n++] = f;
    graph->function_nodes += f->def->node_def.n;
    if (graph->min_consumer < FIRST_WITH_FUNCTIONS) graph->min_consumer = FIRST_WITH_FUNCTIONS;
    return SL_OK;
}

sl_code sl_graph_remove_function(struct sl_graph *graph, struct sl_str name, struct sl_error *err) {
    struct sl_function_def *f = sl_str_map_get(&graph->functions_by_name, name);
    if (!f) return sl_fail(err, SL_NOT_FOUND, "Tried to remove non-existent function '%.*s'.", SL_STR_ARG(name));
    const bool has_nodes = graph->nodes.n > 0; /* which may be of its op */
    if (has_nodes && sl_vec_push(&graph->retired, f)) return sl_fail_memory(err, sizeof f);
    sl_str_map_remove(&graph->functions_by_name, name);
    graph->function_nodes -= f->def->node_def.n;
    size_t kept = 0;
    for (size_t i = 0; i < graph->functions.n; i++)
        if (graph->functions.items[i] != f) graph->functions.items[kept++] = graph->functions.items[i];
    graph->functions.n = kept;
    kept = 0;
    for (size_t i = 0; i < graph->gradients.n; i++)
        if (!sl_str_eq(graph->gradients.items[i].function, f->name))
            graph->gradients.items[kept++] = graph->gradients.items[i];
    graph->gradients.n = kept;
    if (!has_nodes) sl_function_unref(f);
    return SL_OK;
}

void sl_graph_truncate_functions(struct sl_graph *graph, size_t first, size_t first_gradient) {
    while (graph->functions.n > first) {
        struct sl_function_def *f = graph->functions.items[--graph->functions.n];
        sl_str_map_remove(&graph->functions_by_name, f->name);
        graph->function_nodes -= f->def->node_def.n;
        sl_function_unref(f);
    }
    graph->gradients.n = first_gradient;
}

size_t sl_graph_written_nodes(const struct sl_graph *graph) {
    size_t n = graph->live;
    for (; graph; graph = graph->outer) n += graph->function_nodes;
    return n;
}

sl_code sl_graph_share_library(struct sl_graph *to, const struct sl_graph *from, struct sl_error *err) {
    const size_t n = from->functions.n;
    if (sl_vec_reserve(&to->functions, n) || sl_str_map_reserve(&to->functions_by_name, n))
        return sl_fail_memory(err, n * sizeof(struct sl_str_map_entry));
    for (size_t i = 0; i < n; i++) {
        struct sl_function_def *f = from->functions.items[i];
        if (sl_str_map_put(&to->functions_by_name, f->name, f)) return sl_fail_memory(err, sizeof f);
        atomic_fetch_add_explicit(&f->refs, 1, memory_order_relaxed);
        to->functions.items[to->functions.n++] = f;
    }
    to->function_nodes = from->function_nodes;
    for (size_t i = 0; i < from->gradients.n; i++)
        SL_TRY(sl_graph_set_gradient(to, from->gradients.items[i].function, from->gradients.items[i].gradient, err));
    return SL_OK;
}

/* ---- gradients */
struct sl_str sl_graph_gradient(const struct sl_graph *graph, struct sl_str function) {
    for (; graph; graph = graph->outer)
        for (size_t i = 0; i < graph->gradients.n; i++)
            if (sl_str_eq(graph->gradients.items[i].function, function)) return graph->gradients.items[i].gradient;
    return SL_STR("");
}

sl_code sl_graph_set_gradient(struct sl_graph *graph, struct sl_str function, struct sl_str gradient,
                              struct sl_error *err) {
    struct sl_str old = sl_graph_gradient(graph, function);
    if (sl_str_eq(old, gradient)) return SL_OK;
    if (old.n)
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "Cannot assign gradient function '%.*s' to '%.*s' because it already has gradient function "
                       "'%.*s'",
                       SL_STR_ARG(gradient), SL_STR_ARG(function), SL_STR_ARG(old));
    struct sl_gradient_of both = {sl_arena_str(&graph->arena, function), sl_arena_str(&graph->arena, gradient)};
    if (!both.function.p || !both.gradient.p || sl_vec_push(&graph->gradients, both))
        return sl_fail_memory(err, function.n + gradient.n);
    return SL_OK;
}

static sl_code add_new(struct sl_graph *graph, const struct sl_pb_FunctionDef *def, struct sl_str bytes,
                       struct sl_error *err) {
    struct sl_function_def *f;
    SL_TRY(make(&f, def, bytes, err));
    sl_code code = sl_graph_add_function(graph, f, err);
    sl_function_unref(f);
    return code;
}

sl_code sl_graph_add_functions(struct sl_graph *graph, const struct sl_str *defs, size_t n, struct sl_error *err) {
    for (size_t i = 0; i < n; i++) SL_TRY(add_new(graph, NULL, defs[i], err));
    return SL_OK;
}

sl_code sl_graph_add_library(struct sl_graph *graph, const struct sl_pb_FunctionDefLibrary *library,
                             struct sl_error *err) {
    for (size_t i = 0; i < library->function.n; i++)
        SL_TRY(add_new(graph, &library->function.items[i], (struct sl_str){NULL, 0}, err));
    for (size_t i = 0; i < library->gradient.n; i++)
        SL_TRY(sl_graph_set_gradient(graph, library->gradient.items[i].function_name,
                                     library->gradient.items[i].gradient_func, err));
    return SL_OK;
}
