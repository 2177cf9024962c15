/* GraphDebugInfo has a trace of frames for each node, called "NODE@FUNCTION" ("NODE" or "NODE@" in no function). Of the
 * frames, the outermost first, the last one outside of installed packages counts: that is the user's line. */
#include "source_lines.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "command.h"
#include "file_bytes.h"
#include "model.h"
#include "protobuf_bytes.h"
#include "sluice/graph_file.h"

enum { FILES = 1, TRACES = 2, FRAMES_BY_ID = 4, NAMES = 5, TRACES_BY_ID = 6 }; /* fields of GraphDebugInfo */

/* A map entry of `info` whose key is that number (fixed64, field 1): its value. */
static bool find_by_id(struct bytes *out, struct bytes info, uint32_t number, uint64_t id) {
    struct field f;
    while (next_field(&f, &info)) {
        uint64_t key = 0;
        if (f.number != number) continue;
        const struct bytes k = bytes_of(f.bytes, 1);
        if (k.n == sizeof key) memcpy(&key, k.p, sizeof key);
        if (key != id) continue;
        *out = bytes_of(f.bytes, 2);
        return true;
    }
    return false;
}

static struct bytes file_at(struct bytes info, uint64_t index) {
    struct field f;
    while (next_field(&f, &info))
        if (f.number == FILES && index-- == 0) return f.bytes;
    return (struct bytes){(const unsigned char *)"", 0};
}

static bool is_installed(struct bytes file) {
    static const char *const marks[] = {"site-packages/", "dist-packages/"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (memmem(file.p, file.n, marks[i], strlen(marks[i]))) return true;
    return false;
}

/* A FileLineCol as text; `*has_own` once one of the user's own files was there, behind which no other counts. */
static void take_frame(char text[1024], bool *has_own, struct bytes info, struct bytes frame) {
    const struct bytes file = file_at(info, number_of(frame, 1)), function = bytes_of(frame, 4);
    const bool is_own = !is_installed(file);
    if (!file.n || (*has_own && !is_own)) return;
    *has_own = *has_own || is_own;
    snprintf(text, 1024, "%.*s:%d%s%.*s", (int)file.n, (const char *)file.p, (int)number_of(frame, 2),
             function.n ? " in " : "", (int)function.n, (const char *)function.p);
}

/* The ids of `packed` or single fixed64 fields. */
static void take_ids(char text[1024], bool *has_own, struct bytes info, struct bytes ids) {
    struct bytes frame;
    for (size_t i = 0; i + 8 <= ids.n; i += 8) {
        uint64_t id;
        memcpy(&id, ids.p + i, sizeof id);
        if (find_by_id(&frame, info, FRAMES_BY_ID, id)) take_frame(text, has_own, info, frame);
    }
}

/* A StackTrace as text; empty when it says nothing. */
static void take_trace(char text[1024], struct bytes info, struct bytes trace) {
    struct field f;
    bool has_own = false;
    *text = 0;
    while (next_field(&f, &trace)) {
        if (f.number == 1) take_frame(text, &has_own, info, f.bytes);
        else if (f.number == 2) take_ids(text, &has_own, info, f.bytes);
    }
}

static void add_line(struct source_lines *out, struct bytes key, const char *text) {
    const unsigned char *at = memchr(key.p, '@', key.n);
    const size_t n = at ? (size_t)(at - key.p) : key.n;
    if (!*text) return;
    if (!(out->n & (out->n - 1)))
        out->items = must_allocate(out->items, (out->n ? 2 * out->n : 1) * sizeof *out->items);
    char *node = must_allocate(NULL, n + 1);
    if (n) memcpy(node, key.p, n);
    node[n] = 0;
    out->items[out->n++] = (struct source_line){node, must_have(strdup(text))};
}

static int by_node(const void *a, const void *b) {
    return strcmp(((const struct source_line *)a)->node, ((const struct source_line *)b)->node);
}

/* Nodes of several functions that have one name and different lines have none. */
static void merge_same(struct source_lines *lines) {
    size_t n = 0;
    if (lines->n) qsort(lines->items, lines->n, sizeof *lines->items, by_node);
    for (size_t i = 0; i < lines->n; i++) {
        struct source_line *x = &lines->items[i], *last = n ? &lines->items[n - 1] : NULL;
        if (!last || strcmp(last->node, x->node) != 0) {
            lines->items[n++] = *x;
            continue;
        }
        if (last->text && strcmp(last->text, x->text) != 0) {
            free(last->text);
            last->text = NULL;
        }
        free(x->node);
        free(x->text);
    }
    lines->n = n;
}

static void read_info(struct source_lines *out, struct bytes info) {
    struct bytes all = info, trace;
    struct field f;
    char text[1024];
    while (next_field(&f, &all)) {
        if (f.number != TRACES && f.number != NAMES) continue;
        *text = 0;
        if (f.number == TRACES) {
            take_trace(text, info, bytes_of(f.bytes, 2));
        } else {
            uint64_t id = 0;
            const struct bytes value = bytes_of(f.bytes, 2);
            if (value.n == sizeof id) memcpy(&id, value.p, sizeof id);
            if (find_by_id(&trace, info, TRACES_BY_ID, id)) take_trace(text, info, trace);
        }
        add_line(out, bytes_of(f.bytes, 1), text);
    }
    merge_same(out);
}

void source_lines_read(struct source_lines *out, const char *path) {
    *out = (struct source_lines){0};
    if (is_directory(path)) {
        char file[4096];
        struct stat about;
        size_t size = 0;
        snprintf(file, sizeof file, "%s/debug/saved_model_debug_info.pb", path);
        char *bytes = stat(file, &about) ? NULL : file_read(file, &size);
        if (bytes) read_info(out, (struct bytes){(const unsigned char *)bytes, size});
        free(bytes);
        return;
    }
    TF_Status *status = must_have(TF_NewStatus());
    TF_Buffer *graph = sl_graph_file_bytes(path, status);
    if (graph) {
        read_info(out, bytes_of((struct bytes){graph->data, graph->length}, 5));
        TF_DeleteBuffer(graph);
    }
    TF_DeleteStatus(status);
}

const char *source_line_of(const struct source_lines *lines, const char *node) {
    for (const char *at = node; lines->n && at; at = strchr(at, '/')) {
        if (*at == '/') at++;
        const struct source_line key = {(char *)(uintptr_t)at, NULL};
        const struct source_line *found = bsearch(&key, lines->items, lines->n, sizeof key, by_node);
        if (found) return found->text;
    }
    return NULL;
}

void source_lines_clear(struct source_lines *lines) {
    for (size_t i = 0; i < lines->n; i++) {
        free(lines->items[i].node);
        free(lines->items[i].text);
    }
    free(lines->items);
    *lines = (struct source_lines){0};
}
