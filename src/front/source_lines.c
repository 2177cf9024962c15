/* GraphDebugInfo has a trace of frames for each node, called "NODE@FUNCTION" ("NODE" or "NODE@" in no function). Of the
 * frames, the outermost first, the last one outside of installed packages counts: that is the user's line. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "capi/handles.h"
#include "os/file.h"
#include "proto/wire.h"
#include "sluice/explain.h"
#include "sluice/graph_file.h"

struct line {
    const char *node, *text; /* "FILE:LINE in FUNCTION"; `text` NULL: several */
};
struct sl_source_lines {
    struct sl_arena arena;
    struct line *items; /* sorted by node: "NODE" of all functions, and "NODE@FUNCTION" ("NODE@" in none) */
    size_t n, n_nodes;
};
typedef const struct sl_pb_GraphDebugInfo debug_info;

static bool is_installed(struct sl_str file) {
    static const char *const marks[] = {"site-packages/", "dist-packages/"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (file.n && memmem(file.p, file.n, marks[i], strlen(marks[i]))) return true;
    return false;
}

/* ---- maps by number, sorted first */

static int compare_ids(uint64_t a, uint64_t b) { return (a > b) - (a < b); }
#define BY_ID(name, type)                                                                                              \
    static int name##_order(const void *a, const void *b) {                                                            \
        return compare_ids(((const struct sl_pb_entry_fixed64_GraphDebugInfo_##type *)a)->key,                         \
                           ((const struct sl_pb_entry_fixed64_GraphDebugInfo_##type *)b)->key);                        \
    }                                                                                                                  \
    static const struct sl_pb_GraphDebugInfo_##type *name(debug_info *info, uint64_t id) {                             \
        const struct sl_pb_entry_fixed64_GraphDebugInfo_##type key = {.key = id}, *found = NULL;                       \
        if (info->name##s_by_id.n)                                                                                     \
            found = bsearch(&key, info->name##s_by_id.items, info->name##s_by_id.n, sizeof key, name##_order);         \
        return found ? &found->value : NULL;                                                                           \
    }
BY_ID(frame, FileLineCol)
BY_ID(trace, StackTrace)

static void sort_by_id(struct sl_pb_GraphDebugInfo *info) {
    if (info->frames_by_id.n)
        qsort(info->frames_by_id.items, info->frames_by_id.n, sizeof *info->frames_by_id.items, frame_order);
    if (info->traces_by_id.n)
        qsort(info->traces_by_id.items, info->traces_by_id.n, sizeof *info->traces_by_id.items, trace_order);
}

/* ---- lines */

/* Once one of the user's own files was there, no other counts behind it. */
struct choice {
    const struct sl_pb_GraphDebugInfo_FileLineCol *frame;
    bool is_own;
};
static void consider(struct choice *best, debug_info *info, const struct sl_pb_GraphDebugInfo_FileLineCol *f) {
    if (!f || f->file_index < 0 || (size_t)f->file_index >= info->files.n) return;
    const struct sl_str file = info->files.items[f->file_index];
    const bool is_own = !is_installed(file);
    if (!file.n || (best->is_own && !is_own)) return;
    *best = (struct choice){f, best->is_own || is_own};
}

static sl_code add_line(struct sl_source_lines *out, debug_info *info, struct sl_str key,
                        const struct sl_pb_GraphDebugInfo_StackTrace *t, struct sl_error *err) {
    const char *at = key.n ? memchr(key.p, '@', key.n) : NULL;
    const struct sl_str node = {key.p, at ? (size_t)(at - key.p) : key.n};
    struct choice best = {0};
    for (size_t i = 0; t && i < t->file_line_cols.n; i++) consider(&best, info, &t->file_line_cols.items[i]);
    for (size_t i = 0; t && i < t->frame_id.n; i++) consider(&best, info, frame(info, t->frame_id.items[i]));
    if (!best.frame) return SL_OK;
    struct line *line = &out->items[out->n];
    const struct sl_str function = best.frame->func;
    line->node = sl_arena_format(&out->arena, "%.*s", SL_STR_ARG(node));
    line[1].node = sl_arena_format(&out->arena, "%.*s%s", SL_STR_ARG(key), at ? "" : "@");
    line->text = sl_arena_format(&out->arena, "%.*s:%d%s%.*s", SL_STR_ARG(info->files.items[best.frame->file_index]),
                                 (int)best.frame->line, function.n ? " in " : "", SL_STR_ARG(function));
    if (!line->node || !line[1].node || !line->text) return sl_fail_memory(err, node.n);
    line[1].text = line->text;
    out->n += 2;
    return SL_OK;
}

static int by_node(const void *a, const void *b) {
    return strcmp(((const struct line *)a)->node, ((const struct line *)b)->node);
}

/* Nodes of several functions that have one name and different lines have none. */
static void merge_same(struct sl_source_lines *lines) {
    size_t n = 0;
    if (lines->n) qsort(lines->items, lines->n, sizeof *lines->items, by_node);
    for (size_t i = 0; i < lines->n; i++) {
        struct line *x = &lines->items[i], *last = n ? &lines->items[n - 1] : NULL;
        if (!last || strcmp(last->node, x->node) != 0) lines->items[n++] = *x;
        else if (last->text && strcmp(last->text, x->text) != 0) last->text = NULL;
    }
    lines->n = n;
    for (size_t i = 0; i < n; i++) lines->n_nodes += !strchr(lines->items[i].node, '@');
}

static sl_code take_info(struct sl_source_lines *out, struct sl_pb_GraphDebugInfo *info, struct sl_error *err) {
    const size_t n = info->traces.n + info->name_to_trace_id.n;
    out->items = SL_ARENA_ARRAY(&out->arena, struct line, 2 * n + 2);
    if (!out->items) return sl_fail_memory(err, n);
    sort_by_id(info);
    for (size_t i = 0; i < info->traces.n; i++)
        SL_TRY(add_line(out, info, info->traces.items[i].key, &info->traces.items[i].value, err));
    for (size_t i = 0; i < info->name_to_trace_id.n; i++)
        SL_TRY(add_line(out, info, info->name_to_trace_id.items[i].key,
                        trace(info, info->name_to_trace_id.items[i].value), err));
    merge_same(out);
    return SL_OK;
}

/* ---- where they are kept */

/* A file that need not be there. `*bytes`, which the message points into, is the caller's: sl_malloc'ed. */
static sl_code read_file(struct sl_pb_GraphDebugInfo *info, char **bytes, const char *path, struct sl_arena *arena,
                         struct sl_error *err) {
    size_t size = 0;
    if (!path) return sl_fail_memory(err, 1);
    const sl_code code = sl_file_read(bytes, &size, path, (size_t)INT32_MAX, err);
    if (code == SL_NOT_FOUND) return SL_OK;
    SL_TRY(code);
    return sl_pb_decode(info, SL_PB_TYPE(GraphDebugInfo), (struct sl_str){*bytes, size}, arena, err);
}

/* Of "folder/model.meta" that of "folder/model". */
static int stem_length(const char *path) {
    const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
    return dot && (!slash || dot > slash) ? (int)(dot - path) : (int)strlen(path);
}

static sl_code read_lines(struct sl_source_lines *out, const char *path, struct sl_error *err) {
    struct sl_pb_GraphDebugInfo info = {0};
    struct sl_pb_GraphDef def = {0};
    struct sl_arena arena;
    char *bytes = NULL;
    TF_Buffer *graph = NULL;
    sl_arena_init(&arena);
    sl_code code;
    struct sl_file_info about = {0};
    if (sl_file_stat(&about, path, NULL) == SL_OK && about.is_dir) {
        code =
            read_file(&info, &bytes, sl_arena_format(&arena, "%s/debug/saved_model_debug_info.pb", path), &arena, err);
    } else {
        TF_Status *status = TF_NewStatus();
        graph = status ? sl_graph_file_bytes(path, status) : NULL;
        code = status ? sl_status_give(status, err) : sl_fail_memory(err, 1);
        if (code == SL_OK && !graph) code = sl_fail_memory(err, 1);
        if (code == SL_OK)
            code = sl_pb_decode(&def, SL_PB_TYPE(GraphDef), sl_bytes_of(graph->data, graph->length), &arena, err);
        if (code == SL_OK && def.debug_info) info = *def.debug_info;
        else if (code == SL_OK)
            code =
                read_file(&info, &bytes, sl_arena_format(&arena, "%.*s.debug", stem_length(path), path), &arena, err);
        TF_DeleteStatus(status);
    }
    if (code == SL_OK) code = take_info(out, &info, err);
    if (graph) TF_DeleteBuffer(graph);
    sl_free(bytes);
    sl_arena_clear(&arena);
    return code;
}

static struct sl_source_lines *new_lines(void) {
    struct sl_source_lines *lines = sl_calloc(1, sizeof *lines);
    if (lines) sl_arena_init(&lines->arena);
    return lines;
}

SL_API struct sl_source_lines *sl_source_lines_read(const char *path, TF_Status *status) {
    struct sl_error err = {0};
    struct sl_source_lines *lines = new_lines();
    const sl_code code = lines ? read_lines(lines, path, &err) : sl_fail_memory(&err, sizeof *lines);
    if (sl_status_take(status, code, &err)) return lines;
    sl_source_lines_free(lines);
    return NULL;
}

SL_API struct sl_source_lines *sl_source_lines_parse(const void *bytes, size_t n, TF_Status *status) {
    struct sl_error err = {0};
    struct sl_pb_GraphDebugInfo info;
    struct sl_arena arena;
    struct sl_source_lines *lines = new_lines();
    sl_arena_init(&arena);
    sl_code code = lines ? sl_pb_decode(&info, SL_PB_TYPE(GraphDebugInfo), sl_bytes_of(bytes, n), &arena, &err)
                         : sl_fail_memory(&err, sizeof *lines);
    if (code == SL_OK) code = take_info(lines, &info, &err);
    sl_arena_clear(&arena);
    if (sl_status_take(status, code, &err)) return lines;
    sl_source_lines_free(lines);
    return NULL;
}

SL_API const char *sl_source_line_of(const struct sl_source_lines *lines, const char *node) {
    for (const char *at = node; lines && lines->n && at; at = strchr(at, '/')) {
        if (*at == '/') at++;
        const struct line key = {at, NULL};
        const struct line *found = bsearch(&key, lines->items, lines->n, sizeof key, by_node);
        if (found) return found->text;
    }
    return NULL;
}

SL_API size_t sl_source_lines_count(const struct sl_source_lines *lines) { return lines ? lines->n_nodes : 0; }

SL_API void sl_source_lines_free(struct sl_source_lines *lines) {
    if (!lines) return;
    sl_arena_clear(&lines->arena);
    sl_free(lines);
}
