/* TF_Function: life, messages, attributes; and the library of a graph. capi_function_cut.c makes functions of graphs.
 *
 * A struct sl_function_def is shared and never changes: setting an attribute makes the handle refer to a new one. */
#include <string.h>

#include "base/alloc.h"
#include "capi/handles.h"
#include "proto/text_format.h"
#include "proto/wire.h"
#include "tensorflow/c/c_api_experimental.h"

sl_code sl_function_handle_new(TF_Function **out, struct sl_function_def *def, struct sl_error *err) {
    TF_Function *function = sl_malloc(sizeof *function);
    if (!function) {
        sl_function_unref(def);
        return sl_fail_memory(err, sizeof *function);
    }
    function->def = function->first = def;
    atomic_fetch_add_explicit(&def->refs, 1, memory_order_relaxed);
    *out = function;
    return SL_OK;
}

void TF_DeleteFunction(TF_Function *function) {
    if (!function) return;
    sl_function_unref(function->def);
    sl_function_unref(function->first);
    sl_free(function);
}

const char *TF_FunctionName(TF_Function *function) { return function->first->op.name.p; }

/* ---- as messages */
void TF_FunctionToFunctionDef(TF_Function *function, TF_Buffer *output_function_def, TF_Status *status) {
    struct sl_error err;
    sl_status_take(status, sl_buffer_encode(output_function_def, SL_PB_TYPE(FunctionDef), function->def->def, &err),
                   &err);
}

static sl_code import_function(TF_Function **out, struct sl_str bytes, struct sl_arena *arena, struct sl_error *err) {
    struct sl_pb_FunctionDef def;
    struct sl_function_def *made;
    if (sl_pb_decode(&def, SL_PB_TYPE(FunctionDef), bytes, arena, NULL) != SL_OK)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Invalid FunctionDef given to TF_FunctionImportFunctionDef");
    SL_TRY(sl_function_new(&made, &def, err));
    return sl_function_handle_new(out, made, err);
}

TF_Function *TF_FunctionImportFunctionDef(const void *proto, size_t proto_len, TF_Status *status) {
    struct sl_error err;
    struct sl_arena arena;
    TF_Function *function = NULL;
    sl_arena_init(&arena);
    sl_status_take(status, import_function(&function, sl_bytes_of(proto, proto_len), &arena, &err), &err);
    sl_arena_clear(&arena);
    return function;
}

/* Protocol text that free() takes; NULL when memory is out. */
static char *text_of(const struct sl_pb_message *type, const void *message, size_t *len) {
    struct sl_str text;
    if (sl_pb_text_print(&text, type, message, 0, NULL, NULL) != SL_OK) return NULL;
    if (len) *len = text.n;
    return (char *)text.p;
}

char *TF_FunctionDebugString(TF_Function *function, size_t *len) {
    return text_of(SL_PB_TYPE(FunctionDef), function->def->def, len);
}

const char *TF_GraphDebugString(TF_Graph *graph, size_t *len) {
    struct sl_arena arena;
    struct sl_pb_GraphDef *def;
    const char *text = NULL;
    sl_arena_init(&arena);
    sl_graph_lock(graph);
    if (sl_graph_export(&def, graph->graph, &arena, NULL) == SL_OK) text = text_of(SL_PB_TYPE(GraphDef), def, len);
    sl_graph_unlock(graph);
    sl_arena_clear(&arena);
    return text;
}

/* ---- attributes */
static sl_code set_attr(TF_Function *function, const char *name, struct sl_str proto, struct sl_arena *arena,
                        struct sl_error *err) {
    struct sl_pb_AttrValue value;
    struct sl_function_def *changed;
    if (sl_pb_decode(&value, SL_PB_TYPE(AttrValue), proto, arena, NULL) != SL_OK)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Unparseable AttrValue proto passed to TF_FunctionSetAttrValueProto");
    struct sl_pb_FunctionDef def = *function->def->def;
    size_t n = def.attr.n, at = 0;
    def.attr.items = sl_arena_array(arena, n + 1, sizeof *def.attr.items);
    if (!def.attr.items) return sl_fail_memory(err, (n + 1) * sizeof *def.attr.items);
    if (n) memcpy(def.attr.items, function->def->def->attr.items, n * sizeof *def.attr.items);
    while (at < n && !sl_str_is(def.attr.items[at].key, name)) at++;
    def.attr.items[at].key = sl_str_of(name);
    def.attr.items[at].value = value;
    if (at == n) def.attr.n++;
    SL_TRY(sl_function_new(&changed, &def, err));
    sl_function_unref(function->def);
    function->def = changed;
    return SL_OK;
}

void TF_FunctionSetAttrValueProto(TF_Function *function, const char *attr_name, const void *proto, size_t proto_len,
                                  TF_Status *status) {
    struct sl_error err;
    struct sl_arena arena;
    sl_arena_init(&arena);
    sl_status_take(status, set_attr(function, attr_name, sl_bytes_of(proto, proto_len), &arena, &err), &err);
    sl_arena_clear(&arena);
}

static sl_code get_attr(TF_Buffer *out, const TF_Function *function, const char *name, struct sl_error *err) {
    const struct sl_pb_AttrValue *value = sl_pb_find_string_AttrValue(&function->def->def->attr, sl_str_of(name));
    if (value) return sl_buffer_encode(out, SL_PB_TYPE(AttrValue), value, err);
    return sl_fail(err, SL_INVALID_ARGUMENT, "Function '%.*s' has no attr named '%s'.", SL_STR_ARG(function->def->name),
                   name);
}

void TF_FunctionGetAttrValueProto(TF_Function *function, const char *attr_name, TF_Buffer *output_attr_value,
                                  TF_Status *status) {
    struct sl_error err;
    sl_status_take(status, get_attr(output_attr_value, function, attr_name, &err), &err);
}

/* ---- the library of a graph */
static sl_code copy_function(TF_Graph *graph, const TF_Function *function, const TF_Function *gradient,
                             struct sl_error *err) {
    if (!function) return sl_fail(err, SL_INVALID_ARGUMENT, "'func' argument to TF_GraphCopyFunction cannot be null");
    if (gradient) { /* before anything is added */
        struct sl_str old = sl_graph_gradient(graph->graph, function->def->name);
        if (old.n && !sl_str_eq(old, gradient->def->name))
            return sl_graph_set_gradient(graph->graph, function->def->name, gradient->def->name, err);
    }
    sl_graph_touch(graph);
    SL_TRY(sl_graph_add_function(graph->graph, function->def, err));
    if (!gradient) return SL_OK;
    SL_TRY(sl_graph_add_function(graph->graph, gradient->def, err));
    return sl_graph_set_gradient(graph->graph, function->def->name, gradient->def->name, err);
}

void TF_GraphCopyFunction(TF_Graph *graph, const TF_Function *function, const TF_Function *gradient,
                          TF_Status *status) {
    struct sl_error err;
    sl_graph_lock(graph);
    sl_code code = copy_function(graph, function, gradient, &err);
    sl_graph_unlock(graph);
    sl_status_take(status, code, &err);
}

void TF_GraphRemoveFunction(TF_Graph *graph, const char *function_name, TF_Status *status) {
    struct sl_error err;
    sl_graph_lock(graph);
    sl_code code = sl_graph_remove_function(graph->graph, sl_str_of(function_name), &err);
    sl_graph_unlock(graph);
    if (code == SL_NOT_FOUND) code = SL_INVALID_ARGUMENT; /* what the original answers */
    sl_status_take(status, code, &err);
}

int TF_GraphNumFunctions(TF_Graph *graph) {
    sl_graph_lock(graph);
    int n = (int)graph->graph->functions.n;
    sl_graph_unlock(graph);
    return n;
}

static sl_code get_functions(TF_Function **functions, int *n, int max, const struct sl_graph *graph,
                             struct sl_error *err) {
    for (*n = 0; *n < max && (size_t)*n < graph->functions.n; ++*n) {
        struct sl_function_def *def = graph->functions.items[*n];
        atomic_fetch_add_explicit(&def->refs, 1, memory_order_relaxed);
        SL_TRY(sl_function_handle_new(&functions[*n], def, err));
    }
    return SL_OK;
}

int TF_GraphGetFunctions(TF_Graph *graph, TF_Function **functions, int max_functions, TF_Status *status) {
    struct sl_error err;
    int n;
    sl_graph_lock(graph);
    sl_code code = get_functions(functions, &n, max_functions, graph->graph, &err);
    sl_graph_unlock(graph);
    if (sl_status_take(status, code, &err)) return n;
    while (n-- > 0) TF_DeleteFunction(functions[n]);
    return 0;
}
