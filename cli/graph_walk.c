/* Which functions a node names is seen from its attrs, whose values come as protobuf bytes: AttrValue has a function in
 * field 10 and a list in field 1, whose functions are in field 9; NameAttrList.name is field 1. */
#include "graph_walk.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "protobuf_bytes.h"
#include "sluice/function_graph.h"

enum { PATH = 4096, MOST_DEPTH = 64, MOST_NODES = 1 << 20 };

struct body {
    char *function;
    TF_Graph *graph; /* NULL: it cannot be had */
};
struct walk {
    TF_Graph *graph;
    struct body *bodies;
    int n_bodies;
};

/* One walk. */
struct way {
    struct walk *w;
    void (*visit)(const struct walked *node, void *arg);
    void *arg;
    int depth, n_nodes;
    TF_Graph *around[MOST_DEPTH + 1]; /* bodies that it is in, by depth */
};

struct walk *walk_new(TF_Graph *graph) {
    struct walk *w = must_allocate(NULL, sizeof *w);
    *w = (struct walk){.graph = graph};
    return w;
}

void walk_free(struct walk *w) {
    for (int i = 0; i < w->n_bodies; i++) {
        free(w->bodies[i].function);
        if (w->bodies[i].graph) TF_DeleteGraph(w->bodies[i].graph);
    }
    free(w->bodies);
    free(w);
}

int walk_functions(const struct walk *w) {
    int n = 0;
    for (int i = 0; i < w->n_bodies; i++) n += w->bodies[i].graph != NULL;
    return n;
}

static TF_Graph *body_of(struct walk *w, const char *function) {
    for (int i = 0; i < w->n_bodies; i++)
        if (!strcmp(w->bodies[i].function, function)) return w->bodies[i].graph;
    TF_Status *status = must_have(TF_NewStatus());
    w->bodies = must_allocate(w->bodies, ((size_t)w->n_bodies + 1) * sizeof *w->bodies);
    w->bodies[w->n_bodies] = (struct body){must_have(strdup(function)), sl_function_graph(w->graph, function, status)};
    must_have_memory(status);
    TF_DeleteStatus(status);
    return w->bodies[w->n_bodies++].graph;
}

static void walk_graph(struct way *way, TF_Graph *graph, const char *prefix);

static void enter(struct way *way, const char *prefix, const char *suffix, const char *function) {
    char path[PATH];
    TF_Graph *body = body_of(way->w, function);
    if (!body || way->depth == MOST_DEPTH) return;
    for (int d = 1; d <= way->depth; d++)
        if (way->around[d] == body) return;
    if (snprintf(path, sizeof path, "%s/%s%s", prefix, suffix, *suffix ? "/" : "") >= PATH) return;
    way->around[++way->depth] = body;
    walk_graph(way, body, path);
    way->depth--;
}

/* What stands between the node's name and that of a node in the function. */
static const char *suffix_of(char text[96], TF_Operation *op, const char *attr, int index) {
    static const struct {
        const char *attr, *suffix;
    } names[] = {{"then_branch", "then"}, {"else_branch", "else"}, {"branches", "branch"}};
    const char *suffix = strstr(TF_OperationOpType(op), "PartitionedCall") ? "" : attr;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i].attr, attr)) suffix = names[i].suffix;
    if (index < 0) snprintf(text, 96, "%s", suffix);
    else snprintf(text, 96, "%s%d", suffix, index);
    return text;
}

static void enter_named(struct way *way, const char *path, TF_Operation *op, const char *attr, int index,
                        struct bytes named) {
    char function[512], suffix[96];
    struct bytes name = bytes_of(named, 1);
    if (!name.n || name.n >= sizeof function) return;
    snprintf(function, sizeof function, "%.*s", (int)name.n, (const char *)name.p);
    enter(way, path, suffix_of(suffix, op, attr, index), function);
}

static void enter_attr(struct way *way, const char *path, TF_Operation *op, const char *attr, bool is_list) {
    TF_Status *status = must_have(TF_NewStatus());
    TF_Buffer *buffer = must_have(TF_NewBuffer());
    TF_OperationGetAttrValueProto(op, attr, buffer, status);
    must_have_memory(status);
    struct bytes value = {buffer->data, TF_GetCode(status) == TF_OK ? buffer->length : 0};
    struct field f;
    int index = 0;
    if (!is_list) enter_named(way, path, op, attr, -1, bytes_of(value, 10));
    for (struct bytes list = bytes_of(value, 1); is_list && next_field(&f, &list);)
        if (f.number == 9) enter_named(way, path, op, attr, index++, f.bytes);
    TF_DeleteBuffer(buffer);
    TF_DeleteStatus(status);
}

/* The functions that the node names, by its attrs or by its op. */
static void enter_functions(struct way *way, const char *path, TF_Operation *op) {
    TF_Status *status = must_have(TF_NewStatus());
    char attr[256];
    int n = TF_OperationGetNumAttrs(op);
    enter(way, path, "", TF_OperationOpType(op));
    for (int i = 0; i < n; i++) {
        int length = TF_OperationGetAttrNameLength(op, i);
        if (length <= 0 || length >= (int)sizeof attr) continue;
        TF_OperationGetAttrName(op, i, attr, status);
        attr[length] = 0;
        TF_AttrMetadata about = TF_OperationGetAttrMetadata(op, attr, status);
        if (TF_GetCode(status) == TF_OK && about.type == TF_ATTR_FUNC) enter_attr(way, path, op, attr, about.is_list);
    }
    TF_DeleteStatus(status);
}

static bool is_boundary(TF_Operation *op) {
    const char *type = TF_OperationOpType(op);
    return !strcmp(type, "_Arg") || !strcmp(type, "_Retval");
}

static void walk_graph(struct way *way, TF_Graph *graph, const char *prefix) {
    size_t at = 0;
    char path[PATH];
    for (TF_Operation *op; (op = TF_GraphNextOperation(graph, &at)) && way->n_nodes < MOST_NODES;) {
        if (way->depth && is_boundary(op)) continue;
        snprintf(path, sizeof path, "%s%s", prefix, TF_OperationName(op));
        way->n_nodes++;
        way->visit(&(struct walked){path, graph, op, way->depth}, way->arg);
        enter_functions(way, path, op);
    }
}

void walk_each(struct walk *w, void (*visit)(const struct walked *node, void *arg), void *arg) {
    struct way way = {.w = w, .visit = visit, .arg = arg};
    walk_graph(&way, w->graph, "");
}
