/* The short text of GraphDefs, and looking at graphs. */
#include "unit/graph/graph_fixture.h"

#include "base/alloc.h"
#include "proto/text_format.h"

#include <stdlib.h>

int graph_setup(void **state) {
    struct graph_fixture *f = calloc(1, sizeof *f);
    if (!f || sl_op_registry_new(&f->registry, &f->err) || sl_graph_new(&f->graph, f->registry, &f->err)) return -1;
    sl_arena_init(&f->arena);
    *state = f;
    return 0;
}

int graph_teardown(void **state) {
    struct graph_fixture *f = *state;
    sl_graph_free(f->graph);
    sl_op_registry_free(f->registry);
    sl_arena_clear(&f->arena);
    free(f);
    return 0;
}

void start_again(struct graph_fixture *f) {
    sl_graph_free(f->graph);
    assert_ok(f->err, sl_graph_new(&f->graph, f->registry, &f->err));
}

/* ---- the short text */
struct text {
    char *p;
    size_t n, cap;
};

static void put(struct text *t, const char *s, size_t n) {
    if (t->n + n + 1 > t->cap) t->p = realloc(t->p, t->cap = (t->n + n + 1) * 2);
    memcpy(t->p + t->n, s, n);
    t->p[t->n += n] = 0;
}

static void put_text(struct text *t, const char *s) { put(t, s, strlen(s)); }

static void put_field(struct text *t, const char *field, const char *s, size_t n) {
    while (n && *s == ' ') s++, n--;
    while (n && s[n - 1] == ' ') n--;
    put_text(t, field);
    put_text(t, ": \"");
    put(t, s, n);
    put_text(t, "\" ");
}

/* Where the attr that begins at `s` ends: at a ';' outside of braces and quotes. */
static const char *attr_end(const char *s, const char *end) {
    int depth = 0;
    for (bool quoted = false; s < end; s++) {
        if (*s == '"' || *s == '\'') quoted = !quoted;
        else if (!quoted) depth += (*s == '{') - (*s == '}');
        if (*s == ';' && !quoted && !depth) break;
    }
    return s;
}

static const char *find_in(const char *s, const char *end, char c) {
    const char *found = s < end ? memchr(s, c, (size_t)(end - s)) : NULL;
    return found ? found : end;
}

static void put_node(struct text *t, const char *s, const char *end) {
    const char *equals = find_in(s, end, '='), *open = find_in(s, end, '('), *close = find_in(s, end, ')');
    if (close == end || open > close || equals > open) fail_msg("not a node: %.*s", (int)(end - s), s);
    put_text(t, "node { ");
    put_field(t, "name", s, (size_t)(equals - s));
    put_field(t, "op", equals + 1, (size_t)(open - equals - 1));
    for (const char *in = open + 1, *comma; in < close; in = comma + 1) {
        comma = find_in(in, close, ',');
        put_field(t, "input", in, (size_t)(comma - in));
    }
    s = close + 1;
    if (s < end && *s == '@') {
        const char *space = find_in(s, end, ' ');
        put_field(t, "device", s + 1, (size_t)(space - s - 1));
        s = space;
    }
    for (const char *stop; s < end; s = stop + 1) {
        while (s < end && *s == ' ') s++;
        stop = attr_end(s, end);
        const char *space = find_in(s, stop, ' ');
        if (space == stop) break;
        put_text(t, "attr { ");
        put_field(t, "key", s, (size_t)(space - s));
        put_text(t, "value { ");
        put(t, space, (size_t)(stop - space));
        put_text(t, " } } ");
    }
    put_text(t, "}\n");
}

struct sl_pb_GraphDef *graph_def(struct graph_fixture *f, const char *text) {
    struct text t = {0};
    put_text(&t, "");
    for (const char *end; *text; text = *end ? end + 1 : end) {
        end = find_in(text, text + strlen(text), '\n');
        while (*text == ' ') text++;
        if (*text == '|') put(&t, text + 1, (size_t)(end - text - 1));
        else if (text < end) put_node(&t, text, end);
    }
    struct sl_pb_GraphDef *def = SL_ARENA_NEW(&f->arena, struct sl_pb_GraphDef);
    struct sl_str kept = sl_arena_str(&f->arena, sl_str_of(t.p));
    free(t.p);
    assert_ok(f->err, sl_pb_text_parse(def, SL_PB_TYPE(GraphDef), kept, &f->arena, &f->err));
    return def;
}

struct sl_pb_FunctionDef *function_def(struct graph_fixture *f, const char *text) {
    struct sl_pb_FunctionDef *def = SL_ARENA_NEW(&f->arena, struct sl_pb_FunctionDef);
    assert_ok(f->err, sl_pb_text_parse(def, SL_PB_TYPE(FunctionDef), sl_str_of(text), &f->arena, &f->err));
    return def;
}

void import_text(struct graph_fixture *f, const char *text, const struct sl_import_options *options) {
    assert_ok(f->err, sl_graph_import(NULL, f->graph, graph_def(f, text), options, &f->err));
    assert_ok(f->err, sl_graph_check(f->graph, &f->err));
}

/* ---- looking */
struct sl_node *node_called(struct graph_fixture *f, const char *name) {
    struct sl_node *node = sl_graph_find(f->graph, sl_str_of(name));
    if (!node) fail_msg("no node '%s'", name);
    return node;
}

struct sl_port port_of(struct graph_fixture *f, const char *name, int index) {
    return (struct sl_port){node_called(f, name), index};
}

const char *wiring_of(struct graph_fixture *f, const struct sl_graph *graph) {
    struct text t = {0};
    put_text(&t, "");
    SL_GRAPH_EACH(node, graph) {
        struct sl_pb_NodeDef def;
        assert_ok(f->err, sl_node_export(&def, node, &f->arena, &f->err));
        if (t.n) put_text(&t, " ");
        put(&t, def.name.p, def.name.n);
        for (size_t i = 0; i < def.input.n; i++) {
            put_text(&t, i ? "," : "(");
            put(&t, def.input.items[i].p, def.input.items[i].n);
        }
        if (def.input.n) put_text(&t, ")");
    }
    const char *kept = sl_arena_str(&f->arena, sl_str_of(t.p)).p;
    free(t.p);
    return kept;
}

const char *wiring(struct graph_fixture *f) { return wiring_of(f, f->graph); }

const char *shape_of(struct graph_fixture *f, const char *name, int index) {
    char text[SL_SHAPE_TEXT];
    struct sl_node *node = node_called(f, name);
    assert_in_range(index, 0, node->n_outputs - 1);
    return sl_arena_str(&f->arena, sl_str_of(sl_shape_text(text, node->shapes[index]))).p;
}

void devices_of_tasks(struct sl_device_set *out, struct graph_fixture *f, int n_tasks,
                      const struct sl_device_request *each, int n) {
    *out = (struct sl_device_set){.is_host_alone = true};
    for (int task = 0; task < n_tasks; task++) {
        struct sl_device_set one;
        struct sl_str name = sl_str_of(sl_arena_format(&f->arena, "/job:worker/replica:0/task:%d", task));
        assert_ok(f->err, sl_device_set_open(&one, name, each, n, (uint64_t)(5 + task), &f->err));
        if (!out->items) out->items = sl_calloc((size_t)(n_tasks * one.n), sizeof *one.items);
        memcpy(out->items + out->n, one.items, (size_t)one.n * sizeof *one.items);
        out->n += one.n;
        out->is_host_alone &= one.is_host_alone;
        sl_free(one.items);
    }
}
