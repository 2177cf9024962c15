/* A graph from a file in either format, alone or in a MetaGraph; its tensors by name. */
#include "sluice/graph_file.h"

#include <string.h>

#include "base/alloc.h"
#include "capi/handles.h"
#include "front/meta_graph.h"
#include "os/file.h"
#include "proto/text_format.h"
#include "proto/wire.h"

/* The graph as a binary GraphDef, which is what is imported. */
static sl_code to_binary(struct sl_str *out, struct sl_str bytes, struct sl_arena *arena, struct sl_error *err) {
    struct sl_pb_MetaGraphDef meta = {0};
    struct sl_pb_GraphDef def;
    bool is_text = sl_is_graph_text(bytes);
    *out = bytes;
    if (sl_is_meta_graph(bytes)) {
        SL_TRY(is_text ? sl_pb_text_parse(&meta, SL_PB_TYPE(MetaGraphDef), bytes, arena, err)
                       : sl_pb_decode(&meta, SL_PB_TYPE(MetaGraphDef), bytes, arena, err));
        if (!meta.graph_def) return sl_fail(err, SL_INVALID_ARGUMENT, "The MetaGraphDef has no graph");
        return sl_pb_encode(out, SL_PB_TYPE(GraphDef), meta.graph_def, 0, arena, err);
    }
    if (!is_text) return SL_OK;
    SL_TRY(sl_pb_text_parse(&def, SL_PB_TYPE(GraphDef), bytes, arena, err));
    return sl_pb_encode(out, SL_PB_TYPE(GraphDef), &def, 0, arena, err);
}

SL_API TF_Output sl_output_named(TF_Graph *graph, const char *name, TF_Status *status) {
    struct sl_error err;
    TF_Output out = {NULL, 0};
    sl_status_take(status, sl_graph_output(&out, graph, name, &err), &err);
    return out;
}

/* The same of a file. `bytes` are sl_malloc'ed; `binary` lies in them or in the arena. */
static sl_code read_binary(struct sl_str *binary, char **bytes, const char *path, struct sl_arena *arena,
                           struct sl_error *err) {
    size_t size = 0;
    SL_TRY(sl_file_read(bytes, &size, path, (size_t)INT32_MAX, err));
    sl_code code = to_binary(binary, (struct sl_str){*bytes, size}, arena, err);
    if (code == SL_OK) return SL_OK;
    struct sl_error inner = *err;
    return sl_fail(err, code, "%s: %s", path, inner.message);
}

SL_API TF_Buffer *sl_graph_file_bytes(const char *path, TF_Status *status) {
    struct sl_error err = {0};
    struct sl_arena arena;
    struct sl_str binary = {NULL, 0};
    char *bytes = NULL;
    TF_Buffer *out = NULL;
    sl_arena_init(&arena);
    if (sl_status_take(status, read_binary(&binary, &bytes, path, &arena, &err), &err)) {
        out = TF_NewBufferFromString(binary.p, binary.n);
        if (!out) sl_status_fail(status, SL_RESOURCE_EXHAUSTED, "%s: out of memory", path);
    }
    sl_free(bytes);
    sl_arena_clear(&arena);
    return out;
}

static sl_code write_graph(const char *path, struct sl_str binary, bool as_text, struct sl_arena *arena,
                           struct sl_error *err) {
    struct sl_pb_GraphDef def;
    struct sl_str bytes = binary;
    SL_TRY(sl_pb_decode(&def, SL_PB_TYPE(GraphDef), binary, arena, err));
    if (as_text) SL_TRY(sl_pb_text_print(&bytes, SL_PB_TYPE(GraphDef), &def, 0, arena, err));
    return sl_file_write_atomic(path, bytes.p, bytes.n, err);
}

SL_API void sl_graph_file_write(const char *path, const TF_Buffer *graph, TF_Status *status) {
    const struct sl_str name = sl_str_of(path);
    struct sl_error err = {0};
    struct sl_arena arena;
    sl_arena_init(&arena);
    const bool as_text = name.n > 6 && !memcmp(name.p + name.n - 6, ".pbtxt", 6);
    sl_status_take(status, write_graph(path, (struct sl_str){graph->data, graph->length}, as_text, &arena, &err), &err);
    sl_arena_clear(&arena);
}

SL_API void sl_graph_read(TF_Graph *graph, const char *path, const TF_ImportGraphDefOptions *options,
                          TF_Status *status) {
    struct sl_error err = {0};
    struct sl_arena arena;
    struct sl_str binary = {NULL, 0};
    char *bytes = NULL;
    sl_arena_init(&arena);
    TF_ImportGraphDefOptions *own = options ? NULL : TF_NewImportGraphDefOptions();
    if (sl_status_take(status, read_binary(&binary, &bytes, path, &arena, &err), &err)) {
        TF_Buffer buffer = {.data = binary.p, .length = binary.n};
        TF_GraphImportGraphDef(graph, &buffer, options ? options : own, status);
        if (TF_GetCode(status) != TF_OK)
            sl_status_fail(status, (sl_code)TF_GetCode(status), "%s: %s", path, TF_Message(status));
    }
    sl_free(bytes);
    TF_DeleteImportGraphDefOptions(own);
    sl_arena_clear(&arena);
}
