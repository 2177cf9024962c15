/* Functions of an eager context. */
#include "capi/eager/eager_handles.h"
#include "proto/wire.h"

static sl_code add_bytes(struct sl_eager_context *context, struct sl_str bytes, struct sl_arena *arena,
                         struct sl_error *err) {
    struct sl_pb_FunctionDef def;
    struct sl_function_def *made;
    if (sl_pb_decode(&def, SL_PB_TYPE(FunctionDef), bytes, arena, NULL) != SL_OK)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Invalid FunctionDef proto");
    SL_TRY(sl_function_new(&made, &def, err));
    sl_code code = sl_eager_add_function(context, made, err);
    sl_function_unref(made);
    return code;
}

void TFE_ContextAddFunctionDef(TFE_Context *context, const char *serialized_function_def, size_t size,
                               TF_Status *status) {
    if (SL_LACKS(status, context) || (size && SL_LACKS(status, serialized_function_def))) return;
    struct sl_error err;
    struct sl_arena arena;
    sl_arena_init(&arena);
    sl_status_take(status, add_bytes(sl_as_eager(context), sl_bytes_of(serialized_function_def, size), &arena, &err),
                   &err);
    sl_arena_clear(&arena);
}

void TFE_ContextAddFunction(TFE_Context *context, TF_Function *function, TF_Status *status) {
    if (SL_LACKS(status, context) || SL_LACKS(status, function)) return;
    struct sl_error err;
    sl_status_take(status, sl_eager_add_function(sl_as_eager(context), function->def, &err), &err);
}

void TFE_ContextRemoveFunction(TFE_Context *context, const char *name, TF_Status *status) {
    if (SL_LACKS(status, context) || SL_LACKS(status, name)) return;
    struct sl_error err;
    sl_status_take(status, sl_eager_remove_function(sl_as_eager(context), sl_str_of(name), &err), &err);
}

unsigned char TFE_ContextHasFunction(TFE_Context *context, const char *name) {
    if (!context || !name) return 0;
    struct sl_function_def *f = sl_eager_find_function(sl_as_eager(context), sl_str_of(name));
    if (f) sl_function_unref(f);
    return f != NULL;
}

/* A new reference. */
static sl_code find(struct sl_function_def **out, TFE_Context *context, const char *name, const char *what,
                    struct sl_error *err) {
    *out = sl_eager_find_function(sl_as_eager(context), sl_str_of(name));
    return *out ? SL_OK : sl_fail(err, SL_NOT_FOUND, "Unable to find %s with name: %s", what, name);
}

static sl_code write_def(TF_Buffer *buffer, TFE_Context *context, const char *name, struct sl_error *err) {
    struct sl_function_def *f;
    SL_TRY(find(&f, context, name, "FunctionDef", err));
    sl_code code = sl_buffer_encode(buffer, SL_PB_TYPE(FunctionDef), f->def, err);
    sl_function_unref(f);
    return code;
}

void TFE_ContextGetFunctionDef(TFE_Context *context, const char *function_name, TF_Buffer *buffer, TF_Status *status) {
    if (SL_LACKS(status, context) || SL_LACKS(status, function_name) || SL_LACKS(status, buffer)) return;
    struct sl_error err;
    sl_status_take(status, write_def(buffer, context, function_name, &err), &err);
}

TF_Function *TFE_ContextGetFunction(TFE_Context *context, const char *name, TF_Status *status) {
    if (SL_LACKS(status, context) || SL_LACKS(status, name)) return NULL;
    struct sl_error err;
    struct sl_function_def *f;
    TF_Function *function = NULL;
    sl_code code = find(&f, context, name, "Function", &err);
    if (code == SL_OK) code = sl_function_handle_new(&function, f, &err);
    sl_status_take(status, code, &err);
    return function;
}

/* Nobody keeps traces of where functions were made: the message is empty. */
void TFE_ContextGetGraphDebugInfo(TFE_Context *context, const char *function_name, TF_Buffer *buffer,
                                  TF_Status *status) {
    if (SL_LACKS(status, context) || SL_LACKS(status, function_name) || SL_LACKS(status, buffer)) return;
    struct sl_error err;
    static const struct sl_pb_GraphDebugInfo nothing;
    sl_code code = sl_fail(&err, SL_NOT_FOUND, "Unable to find function with name: %s", function_name);
    if (TFE_ContextHasFunction(context, function_name))
        code = sl_buffer_encode(buffer, SL_PB_TYPE(GraphDebugInfo), &nothing, &err);
    sl_status_take(status, code, &err);
}
