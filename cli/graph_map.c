/* Nodes by number, with the numbers of what they read; then trees, searches and paths over these. */
#include "graph_map.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "command.h"
#include "graph_walk.h"
#include "html_page.h"
#include "protobuf_bytes.h"
#include "sluice/function_graph.h"

/* ---- making it */

struct numbered {
    TF_Operation *op;
    int number;
};
static int by_op(const void *a, const void *b) {
    const TF_Operation *x = ((const struct numbered *)a)->op, *y = ((const struct numbered *)b)->op;
    return (x > y) - (x < y);
}

static int place_of(const struct numbered *sorted, int n, TF_Operation *op) {
    const struct numbered key = {op, 0};
    const struct numbered *found = bsearch(&key, sorted, (size_t)n, sizeof key, by_op);
    return found ? found->number : -1;
}

static void add_inputs(struct map_node *node, const struct numbered *sorted, int n) {
    const int data = TF_OperationNumInputs(node->op);
    int controls = TF_OperationNumControlInputs(node->op);
    TF_Operation **from = must_allocate(NULL, ((size_t)controls + 1) * sizeof *from);
    controls = TF_OperationGetControlInputs(node->op, from, controls);
    node->inputs = must_allocate(NULL, ((size_t)data + (size_t)controls + 1) * sizeof *node->inputs);
    for (int i = 0; i < data + controls; i++) {
        const TF_Output input = i < data ? TF_OperationInput((TF_Input){node->op, i}) : (TF_Output){from[i - data], -1};
        const int number = place_of(sorted, n, input.oper);
        if (number >= 0) node->inputs[node->n_inputs++] = (struct map_input){number, input.index};
    }
    free(from);
}

/* Which function a call calls is known before it is replaced. */
static void note_call(const struct walked *node, void *arg) {
    struct graph_map *m = arg;
    char function[512];
    TF_Status *status = must_have(TF_NewStatus());
    TF_Buffer *value = must_have(TF_NewBuffer());
    static const char *const attrs[] = {"f", "body", "then_branch"};
    for (size_t i = 0; i < sizeof attrs / sizeof *attrs; i++) {
        TF_OperationGetAttrValueProto(node->op, attrs[i], value, status);
        if (TF_GetCode(status) != TF_OK) continue;
        const struct bytes func = bytes_of((struct bytes){value->data, value->length}, 10), name = bytes_of(func, 1);
        if (!name.n || name.n >= sizeof function) continue;
        snprintf(function, sizeof function, "%.*s", (int)name.n, (const char *)name.p);
        m->calls = must_allocate(m->calls, ((size_t)m->n_calls + 1) * sizeof *m->calls);
        m->functions = must_allocate(m->functions, ((size_t)m->n_calls + 1) * sizeof *m->functions);
        m->calls[m->n_calls] = must_have(strdup(node->name));
        m->functions[m->n_calls++] = must_have(strdup(function));
        break;
    }
    TF_DeleteBuffer(value);
    TF_DeleteStatus(status);
}

static bool replace_calls(struct graph_map *m) {
    TF_Status *status = must_have(TF_NewStatus());
    struct walk *w = walk_new(m->graph);
    walk_each(w, note_call, m);
    walk_free(w);
    sl_graph_inline(m->graph, true, status);
    const bool failed = complain_status(status);
    TF_DeleteStatus(status);
    return !failed;
}

bool graph_map_make(struct graph_map *out, TF_Graph *graph) {
    size_t at = 0;
    *out = (struct graph_map){.graph = graph};
    if (!replace_calls(out)) return false;
    for (TF_Operation *op; (op = TF_GraphNextOperation(graph, &at));) {
        if (!(out->n & (out->n - 1)))
            out->nodes = must_allocate(out->nodes, (size_t)(out->n ? 2 * out->n : 1) * sizeof *out->nodes);
        out->nodes[out->n++] =
            (struct map_node){.op = op, .name = TF_OperationName(op), .type = TF_OperationOpType(op)};
    }
    struct numbered *sorted = must_allocate(NULL, ((size_t)out->n + 1) * sizeof *sorted);
    for (int i = 0; i < out->n; i++) sorted[i] = (struct numbered){out->nodes[i].op, i};
    if (out->n) qsort(sorted, (size_t)out->n, sizeof *sorted, by_op);
    for (int i = 0; i < out->n; i++) add_inputs(&out->nodes[i], sorted, out->n);
    free(sorted);
    return true;
}

void graph_map_clear(struct graph_map *m) {
    for (int i = 0; i < m->n; i++) free(m->nodes[i].inputs);
    for (int i = 0; i < m->n_calls; i++) {
        free(m->calls[i]);
        free(m->functions[i]);
    }
    free(m->nodes);
    free(m->calls);
    free(m->functions);
}

int graph_map_find(const struct graph_map *m, const char *name) {
    TF_Operation *op = find_node(m->graph, NULL, name);
    for (int i = 0; op && i < m->n; i++)
        if (m->nodes[i].op == op) return i;
    return -1;
}

/* ---- as text */

static int by_name(const void *a, const void *b) {
    return strcmp((*(const struct map_node *const *)a)->name, (*(const struct map_node *const *)b)->name);
}
static const struct map_node **sort_by_name(const struct graph_map *m) {
    const struct map_node **sorted = must_allocate(NULL, ((size_t)m->n + 1) * sizeof *sorted);
    for (int i = 0; i < m->n; i++) sorted[i] = &m->nodes[i];
    if (m->n) qsort(sorted, (size_t)m->n, sizeof *sorted, by_name);
    return sorted;
}

struct op_count {
    const char *type;
    int n;
};
static int by_count(const void *a, const void *b) {
    const struct op_count *x = a, *y = b;
    return x->n != y->n ? (x->n < y->n) - (x->n > y->n) : strcmp(x->type, y->type);
}

/* "3 MatMul, 2 Const, ..." */
static void print_ops(const struct map_node *const *nodes, int n) {
    enum { SHOWN = 4 };
    struct op_count *counts = must_allocate(NULL, ((size_t)n + 1) * sizeof *counts);
    int types = 0;
    for (int i = 0; i < n; i++) {
        int k = 0;
        while (k < types && strcmp(counts[k].type, nodes[i]->type) != 0) k++;
        if (k == types) counts[types++] = (struct op_count){nodes[i]->type, 0};
        counts[k].n++;
    }
    qsort(counts, (size_t)types, sizeof *counts, by_count);
    for (int i = 0; i < types && i < SHOWN; i++) printf("%s%d %s", i ? ", " : "", counts[i].n, counts[i].type);
    printf("%s\n", types > SHOWN ? ", ..." : "");
    free(counts);
}

static const char *function_of(const struct graph_map *m, const char *scope, size_t n) {
    for (int i = 0; i < m->n_calls; i++)
        if (strlen(m->calls[i]) == n && !memcmp(m->calls[i], scope, n)) return m->functions[i];
    return NULL;
}

/* Of nodes sorted by name, all with the first `skip` bytes in common: scopes first, then the nodes of this one. */
static void print_level(const struct graph_map *m, const struct map_node *const *nodes, int n, size_t skip, int level,
                        int depth) {
    int own = 0;
    for (int i = 0; i < n;) {
        const char *rest = nodes[i]->name + skip, *slash = strchr(rest, '/');
        const size_t length = slash ? (size_t)(slash - rest) : 0;
        int end = i + 1;
        if (!slash) {
            own++;
            i++;
            continue;
        }
        while (end < n && !strncmp(nodes[end]->name + skip, rest, length + 1)) end++;
        char title[600];
        const char *function = function_of(m, nodes[i]->name, skip + length);
        snprintf(title, sizeof title, "%.*s/%s%s%s", (int)length, rest, function ? "  (function " : "",
                 function ? function : "", function ? ")" : "");
        printf("%*s%-*s %6d  ", 2 * level, "", 48 - 2 * level, title, end - i);
        print_ops(nodes + i, end - i);
        if (level + 1 < depth) print_level(m, nodes + i, end - i, skip + length + 1, level + 1, depth);
        i = end;
    }
    if (!own) return;
    const struct map_node **here = must_allocate(NULL, (size_t)own * sizeof *here);
    own = 0;
    for (int i = 0; i < n; i++)
        if (!strchr(nodes[i]->name + skip, '/')) here[own++] = nodes[i];
    printf("%*s%-*s %6d  ", 2 * level, "", 48 - 2 * level, "(nodes)", own);
    print_ops(here, own);
    free(here);
}

void graph_map_print_tree(const struct graph_map *m, int depth) {
    const struct map_node **sorted = sort_by_name(m);
    printf("%-48s %6d\n", "nodes", m->n);
    print_level(m, sorted, m->n, 0, 0, depth);
    free(sorted);
}

static void print_node(const struct graph_map *m, const struct map_node *n) {
    char text[SHAPE_TEXT];
    printf("%-48s %-24s %s\n", n->name, n->type,
           TF_OperationNumOutputs(n->op) ? output_text(text, m->graph, (TF_Output){n->op, 0}) : "");
}

bool graph_map_print_found(const struct graph_map *m, const char *text) {
    int n = 0;
    for (int i = 0; i < m->n; i++) {
        if (!strcasestr(m->nodes[i].name, text) && !strcasestr(m->nodes[i].type, text)) continue;
        print_node(m, &m->nodes[i]);
        n++;
    }
    if (!n) complain("no node's name or op has '%s'", text);
    return n > 0;
}

/* For each node how far it is from `to` against the edges, -1: there is no way; `next` is the one after it. */
static int *distances_to(int *next, const struct graph_map *m, int to) {
    int *distance = must_allocate(NULL, ((size_t)m->n + 1) * sizeof *distance);
    int *queue = must_allocate(NULL, ((size_t)m->n + 1) * sizeof *queue), head = 0, tail = 0;
    for (int i = 0; i < m->n; i++) distance[i] = next[i] = -1;
    distance[to] = 0;
    queue[tail++] = to;
    while (head < tail) {
        const int at = queue[head++];
        for (int i = 0; i < m->nodes[at].n_inputs; i++) {
            const int from = m->nodes[at].inputs[i].node;
            if (distance[from] >= 0) continue;
            distance[from] = distance[at] + 1;
            next[from] = at;
            queue[tail++] = from;
        }
    }
    free(queue);
    return distance;
}

/* Nodes that can be reached from `from` and have a way to the end. */
static int count_between(const struct graph_map *m, const int *distance, int from) {
    bool *reached = must_allocate(NULL, (size_t)m->n + 1);
    int n = 0;
    memset(reached, 0, (size_t)m->n + 1);
    reached[from] = true;
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < m->n; i++)
            for (int k = 0; k < m->nodes[i].n_inputs && !reached[i]; k++)
                if (reached[m->nodes[i].inputs[k].node]) reached[i] = more = true;
    }
    for (int i = 0; i < m->n; i++) n += reached[i] && distance[i] >= 0;
    free(reached);
    return n;
}

bool graph_map_print_path(const struct graph_map *m, const char *from, const char *to) {
    const int begin = graph_map_find(m, from), end = begin < 0 ? -1 : graph_map_find(m, to);
    if (end < 0) return false;
    int *next = must_allocate(NULL, ((size_t)m->n + 1) * sizeof *next), *distance = distances_to(next, m, end);
    const bool found = distance[begin] >= 0;
    for (int at = begin; found && at >= 0; at = next[at]) print_node(m, &m->nodes[at]);
    if (found)
        printf("%d step%s; %d nodes are on a way from one to the other\n", distance[begin],
               distance[begin] == 1 ? "" : "s", count_between(m, distance, begin));
    else complain("nothing leads from '%s' to '%s'", from, to);
    free(next);
    free(distance);
    return found;
}

/* ---- as a page */

struct page_data {
    const struct graph_map *map;
    const char *title;
};

static void put_data(FILE *out, const void *arg) {
    const struct page_data *d = arg;
    const struct graph_map *m = d->map;
    char text[SHAPE_TEXT];
    fputs("{\"title\":", out);
    const char *slash = strrchr(d->title, '/');
    page_put_text(out, slash && slash[1] ? slash + 1 : d->title);
    fputs(",\n\"calls\":{", out);
    for (int i = 0; i < m->n_calls; i++) {
        fputs(i ? ",\n" : "", out);
        page_put_text(out, m->calls[i]);
        fputc(':', out);
        page_put_text(out, m->functions[i]);
    }
    fputs("},\n\"nodes\":[", out);
    for (int i = 0; i < m->n; i++) {
        const struct map_node *n = &m->nodes[i];
        fputs(i ? ",\n[" : "\n[", out);
        page_put_text(out, n->name);
        fputc(',', out);
        page_put_text(out, n->type);
        fputc(',', out);
        page_put_text(out, TF_OperationNumOutputs(n->op) ? output_text(text, m->graph, (TF_Output){n->op, 0}) : "");
        fprintf(out, ",%d,[", is_placeholder(n->op) ? 1 : is_result(n->op) ? 2 : 0);
        for (int k = 0; k < n->n_inputs; k++)
            fprintf(out, "%s%d,%d", k ? "," : "", n->inputs[k].node, n->inputs[k].output);
        fputs("]]", out);
    }
    fputs("]}", out);
}

bool graph_map_write_page(const char *path, const struct graph_map *m, const char *title) {
    return page_write(path, page_graph, put_data, &(struct page_data){m, title});
}
