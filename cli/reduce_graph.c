/* sluice reduce: the smallest graph that still fails as the given one does. Each change is tried in a child process and kept
 * when the failure stays the same: what is run is cut to an earlier node, values stand in place of what computes them, nodes
 * are passed over, loops are left out, axes and numbers become smaller. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "feed_value.h"
#include "graph_parts.h"
#include "results.h"
#include "sluice/function_graph.h"
#include "sluice/graph_file.h"
#include "tensor_literal.h"
#include "trial.h"

const struct option reduce_options[] = {
    {"feed", "NAME=VALUE", "feed an input, as of run"},
    {"fetch", "NAME", "what fails when it is run; default: every result that only reads"},
    {"target", "OP", "a node that fails when it is run without fetching anything from it"},
    {"first", "OP", "a node that is run before, such as an initialiser"},
    {"nan", NULL, "it fails at the first node that makes a NaN or an infinity"},
    {"library", "FILE", "it fails when this libtensorflow.so gives another result"},
    {"tolerance", "X", "with --library: numbers that differ by less than X times the largest are equal"},
    {"timeout", "SECONDS", "it fails when a run takes longer"},
    {"seconds", "N", "how long to try; default: 60"},
    {NULL, NULL, NULL},
};

enum { MOST_VALUE = 1 << 20, MOST_NAMES = 64 };

struct reduction {
    struct graph_parts g;
    const char *first[MOST_NAMES];
    char *fetches[MOST_NAMES]; /* owned */
    struct trial_feed feeds[MOST_NAMES];
    int n_first, n_fetches, n_feeds;
    struct library other;
    struct trial trial;
    struct outcome wanted;
    double until;
    int tries, kept;
};

static bool is_late(const struct reduction *r) { return seconds_now() > r->until; }

/* ---- trying */

static struct outcome run(struct reduction *r, const struct graph_parts *g, const char *const *fetches, int n) {
    struct trial t = r->trial;
    TF_Buffer *bytes = graph_parts_write(g);
    t.feeds = r->feeds;
    t.n_feeds = r->n_feeds;
    t.first = r->first;
    t.n_first = r->n_first;
    t.fetches = fetches;
    t.n_fetches = n;
    const struct outcome o = trial_run(&t, bytes);
    TF_DeleteBuffer(bytes);
    r->tries++;
    return o;
}

static bool fails(struct reduction *r, const struct graph_parts *g) {
    const struct outcome o = run(r, g, (const char *const *)r->fetches, r->n_fetches);
    return outcome_same(&o, &r->wanted);
}

/* Takes the candidate when it fails in the same way; else drops it. */
static bool take(struct reduction *r, struct graph_parts *candidate) {
    if (is_late(r) || !fails(r, candidate)) {
        graph_parts_clear(candidate);
        return false;
    }
    graph_parts_clear(&r->g);
    r->g = *candidate;
    r->kept++;
    return true;
}

/* ---- what is needed */

static void mark(bool *needed, const struct graph_parts *g, const char *name) {
    int slot;
    const int n = graph_parts_source(&slot, g, name);
    if (n < 0 || needed[n]) return;
    needed[n] = true;
    for (int i = 0; i < g->nodes[n].n_inputs; i++) mark(needed, g, g->nodes[n].inputs[i]);
}

/* Leaves out what nothing needs that is run; that changes nothing. */
static void prune(struct reduction *r) {
    bool *needed = must_allocate(NULL, (size_t)r->g.n + 1);
    int n = 0;
    memset(needed, 0, (size_t)r->g.n + 1);
    for (int i = 0; i < r->n_fetches; i++) mark(needed, &r->g, r->fetches[i]);
    for (int i = 0; i < r->n_first; i++) mark(needed, &r->g, r->first[i]);
    for (int i = 0; i < r->g.n; i++) {
        if (needed[i]) r->g.nodes[n++] = r->g.nodes[i];
        else part_clear(&r->g.nodes[i]);
    }
    r->g.n = n;
    free(needed);
}

static bool is_run(const struct reduction *r, const char *name) {
    const size_t n = strlen(name);
    for (int i = 0; i < r->n_fetches; i++)
        if (!strncmp(r->fetches[i], name, n) && (!r->fetches[i][n] || r->fetches[i][n] == ':')) return true;
    for (int i = 0; i < r->n_first; i++)
        if (!strcmp(r->first[i], name)) return true;
    return false;
}

/* ---- cutting what is run */

/* Numbers of nodes, each behind its inputs. */
static void order_from(int *order, int *n, bool *seen, const struct graph_parts *g, int at) {
    int slot;
    if (seen[at]) return;
    seen[at] = true;
    for (int i = 0; i < g->nodes[at].n_inputs; i++) {
        const int from = graph_parts_source(&slot, g, g->nodes[at].inputs[i]);
        if (from >= 0) order_from(order, n, seen, g, from);
    }
    order[(*n)++] = at;
}

static int *order_nodes(const struct graph_parts *g) {
    int *order = must_allocate(NULL, ((size_t)g->n + 1) * sizeof *order), n = 0;
    bool *seen = must_allocate(NULL, (size_t)g->n + 1);
    memset(seen, 0, (size_t)g->n + 1);
    for (int i = 0; i < g->n; i++) order_from(order, &n, seen, g, i);
    free(seen);
    return order;
}

/* Whether nothing else is run but output 0 of this node. */
static bool is_only(const struct reduction *r, const char *name) {
    const size_t n = strlen(name);
    return r->n_fetches == 1 && !strncmp(r->fetches[0], name, n) && (!r->fetches[0][n] || r->fetches[0][n] == ':');
}

static void fetch_alone(struct reduction *r, const char *name) {
    for (int i = 0; i < r->n_fetches; i++) free(r->fetches[i]);
    r->fetches[0] = must_have(strdup(name));
    r->n_fetches = 1;
}

static bool fails_alone(struct reduction *r, const char *name) {
    const struct outcome o = run(r, &r->g, &name, 1);
    return outcome_same(&o, &r->wanted);
}

/* Which nodes are in a loop: from an Enter on to what is before an Exit. Those have no value to fetch. */
static bool *find_loops(const struct graph_parts *g) {
    bool *inside = must_allocate(NULL, (size_t)g->n + 1);
    int slot;
    for (int i = 0; i < g->n; i++) inside[i] = strstr(g->nodes[i].op, "Enter") != NULL;
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < g->n; i++) {
            if (inside[i] || strstr(g->nodes[i].op, "Exit")) continue;
            for (int k = 0; k < g->nodes[i].n_inputs && !inside[i]; k++) {
                const int from = graph_parts_source(&slot, g, g->nodes[i].inputs[k]);
                inside[i] = from >= 0 && inside[from];
            }
            more = more || inside[i];
        }
    }
    return inside;
}

/* The earliest node that fails when it is run alone: the one that the message names, or else by trying. */
static void cut_fetches(struct reduction *r) {
    char name[512];
    bool *inside = find_loops(&r->g);
    const char *at = strstr(r->wanted.text, "{{node "), *end = at ? strstr(at, "}}") : NULL;
    if (end && (size_t)(end - at) < sizeof name) {
        snprintf(name, sizeof name, "%.*s", (int)(end - at - 7), at + 7);
        const int node = graph_parts_find(&r->g, name);
        if (node >= 0 && !inside[node] && !is_only(r, name) && fails_alone(r, name)) {
            fetch_alone(r, name);
            prune(r);
            free(inside);
            return;
        }
    }
    int *order = order_nodes(&r->g);
    for (int i = 0; i < r->g.n && !is_late(r); i++) {
        const char *candidate = r->g.nodes[order[i]].name;
        if (!strcmp(r->g.nodes[order[i]].op, "Const") || inside[order[i]]) continue;
        if (is_only(r, candidate) || !fails_alone(r, candidate)) continue;
        fetch_alone(r, candidate);
        break;
    }
    free(order);
    free(inside);
    for (int i = 0; r->n_fetches > 1 && i < r->n_fetches; i++) {
        if (!fails_alone(r, r->fetches[i])) continue;
        snprintf(name, sizeof name, "%s", r->fetches[i]);
        fetch_alone(r, name);
    }
    prune(r);
}

/* ---- values in place of what computes them */

static bool only_first_output(const struct graph_parts *g, int node) {
    int slot;
    for (int i = 0; i < g->n; i++)
        for (int k = 0; k < g->nodes[i].n_inputs; k++)
            if (graph_parts_source(&slot, g, g->nodes[i].inputs[k]) == node && slot > 0) return false;
    return true;
}

static bool put_value(struct reduction *r, int node) {
    const struct part *p = &r->g.nodes[node];
    struct trial t = r->trial;
    if (!strcmp(p->op, "Const") || is_run(r, p->name) || !only_first_output(&r->g, node)) return false;
    TF_Buffer *bytes = graph_parts_write(&r->g);
    t.feeds = r->feeds;
    t.n_feeds = r->n_feeds;
    t.first = r->first;
    t.n_first = r->n_first;
    t.other = NULL;
    TF_Tensor *value = trial_value(&t, bytes, p->name, MOST_VALUE);
    TF_DeleteBuffer(bytes);
    r->tries++;
    if (!value) return false;
    struct graph_parts candidate = graph_parts_copy(&r->g);
    part_set_value(&candidate.nodes[node], value);
    TF_DeleteTensor(value);
    if (!take(r, &candidate)) return false;
    prune(r);
    return true;
}

/* From what is run backwards, so that the first values cut off the most. */
static bool put_values(struct reduction *r) {
    bool any = false;
    for (bool more = true; more && !is_late(r);) {
        int *order = order_nodes(&r->g), n = r->g.n;
        more = false;
        for (int i = n - 1; i >= 0 && !more && !is_late(r); i--) more = put_value(r, order[i]);
        any = any || more;
        free(order);
    }
    return any;
}

/* ---- nodes that are passed over */

/* Readers of output 0 of the node read `input` instead. */
static bool redirect(struct reduction *r, int node, const char *input) {
    struct graph_parts candidate = graph_parts_copy(&r->g);
    bool any = false;
    int slot;
    for (int i = 0; i < candidate.n; i++)
        for (int k = 0; k < candidate.nodes[i].n_inputs; k++) {
            if (i == node || graph_parts_source(&slot, &r->g, r->g.nodes[i].inputs[k]) != node || slot != 0) continue;
            part_set_input(&candidate.nodes[i], k, input);
            any = true;
        }
    if (!any) {
        graph_parts_clear(&candidate);
        return false;
    }
    if (!take(r, &candidate)) return false;
    prune(r);
    return true;
}

static bool pass_over(struct reduction *r, int node) {
    const struct part *p = &r->g.nodes[node];
    if (is_run(r, p->name)) return false;
    for (int i = 0; i < p->n_inputs; i++)
        if (p->inputs[i][0] != '^' && redirect(r, node, p->inputs[i])) return true;
    return false;
}

/* What goes into the loop that the node is an Exit of; NULL: none is found. */
static const char *before_loop(const struct graph_parts *g, const struct part *exit) {
    static const char *const ops[] = {"Exit", "Switch", "Merge", "Enter"};
    const struct part *p = exit;
    int slot;
    for (int i = 0; i < 4; i++) {
        if (strcmp(p->op, ops[i]) != 0 || !p->n_inputs) return NULL;
        if (i == 3) return p->inputs[0];
        const int from = graph_parts_source(&slot, g, p->inputs[0]);
        if (from < 0) return NULL;
        p = &g->nodes[from];
    }
    return NULL;
}

static bool pass_over_all(struct reduction *r) {
    bool any = false;
    for (int i = r->g.n - 1; i >= 0 && !is_late(r); i--) {
        if (i >= r->g.n) continue;
        const char *input = before_loop(&r->g, &r->g.nodes[i]);
        any = (input && redirect(r, i, input)) || pass_over(r, i) || any;
    }
    return any;
}

/* ---- what may be dropped */

static bool drop_controls(struct reduction *r) {
    bool any = false;
    for (int i = 0; i < r->g.n && !is_late(r); i++)
        for (int k = 0; i < r->g.n && k < r->g.nodes[i].n_inputs; k++) {
            if (r->g.nodes[i].inputs[k][0] != '^') continue;
            struct graph_parts candidate = graph_parts_copy(&r->g);
            part_drop_input(&candidate.nodes[i], k);
            if (!take(r, &candidate)) continue;
            any = true;
            k--;
        }
    if (any) prune(r);
    return any;
}

static void drop_notes(struct reduction *r) {
    struct graph_parts candidate = graph_parts_copy(&r->g);
    for (int i = 0; i < candidate.n; i++) {
        struct part *p = &candidate.nodes[i];
        struct bytes rest = {r->g.nodes[i].rest.p, r->g.nodes[i].rest.n};
        struct field f;
        free(p->device);
        p->device = NULL;
        p->rest.n = 0;
        while (next_field(&f, &rest)) {
            const struct bytes key = bytes_of(f.bytes, 1);
            if (f.number == 5 && (!key.n || key.p[0] != '_')) message_bytes(&p->rest, 5, f.bytes.p, f.bytes.n);
        }
    }
    take(r, &candidate);
}

static void drop_functions(struct reduction *r) {
    struct graph_parts candidate = graph_parts_copy(&r->g);
    struct bytes rest = {r->g.rest.p, r->g.rest.n};
    struct field f;
    candidate.rest.n = 0;
    while (next_field(&f, &rest))
        if (f.number == 4) message_bytes(&candidate.rest, 4, f.bytes.p, f.bytes.n); /* versions */
    take(r, &candidate);
}

/* ---- smaller values */

static TF_Tensor *value_of(const struct part *p) {
    TF_Status *status = must_have(TF_NewStatus());
    const struct bytes tensor = bytes_of(part_attr(p, "value"), 8);
    TF_Buffer *bytes = must_have(TF_NewBufferFromString(tensor.p, tensor.n));
    int64_t none = 0;
    TF_Tensor *out = must_have(TF_AllocateTensor(TF_FLOAT, &none, 1, 0));
    TF_TensorFromProto(bytes, out, status);
    if (TF_GetCode(status) != TF_OK || !TF_DataTypeSize(TF_TensorType(out))) {
        TF_DeleteTensor(out);
        out = NULL;
    }
    TF_DeleteBuffer(bytes);
    TF_DeleteStatus(status);
    return out;
}

/* The first elements along each axis of `from` elements. */
static TF_Tensor *cut_axes(const TF_Tensor *t, int64_t from, int64_t to) {
    enum { MOST = 16 };
    int64_t dims[MOST], old[MOST], at[MOST] = {0};
    const int rank = TF_NumDims(t);
    const size_t size = TF_DataTypeSize(TF_TensorType(t));
    int64_t count = 1;
    if (rank > MOST) return NULL;
    for (int d = 0; d < rank; d++) {
        old[d] = TF_Dim(t, d);
        count *= dims[d] = old[d] == from ? to : old[d];
    }
    TF_Tensor *out = must_have(TF_AllocateTensor(TF_TensorType(t), dims, rank, (size_t)count * size));
    for (int64_t i = 0; i < count; i++) {
        int64_t place = 0;
        for (int d = 0; d < rank; d++) place = place * old[d] + at[d];
        memcpy((char *)TF_TensorData(out) + (size_t)i * size, (const char *)TF_TensorData(t) + (size_t)place * size,
               size);
        for (int d = rank - 1; d >= 0 && ++at[d] == dims[d]; d--) at[d] = 0;
    }
    return out;
}

/* Whole numbers that are such a length, as a shape has them. */
static void cut_numbers(TF_Tensor *t, int64_t from, int64_t to) {
    for (int64_t i = 0; i < TF_TensorElementCount(t); i++) {
        if (TF_TensorType(t) == TF_INT32 && ((int32_t *)TF_TensorData(t))[i] == from)
            ((int32_t *)TF_TensorData(t))[i] = (int32_t)to;
        if (TF_TensorType(t) == TF_INT64 && ((int64_t *)TF_TensorData(t))[i] == from)
            ((int64_t *)TF_TensorData(t))[i] = to;
    }
}

static void cut_value(TF_Tensor **value, int64_t from, int64_t to) {
    TF_Tensor *cut = TF_DataTypeSize(TF_TensorType(*value)) ? cut_axes(*value, from, to) : NULL;
    if (!cut) return;
    cut_numbers(cut, from, to);
    TF_DeleteTensor(*value);
    *value = cut;
}

/* Constants and what is fed, together. */
static bool shrink(struct reduction *r, int64_t from, int64_t to) {
    struct graph_parts candidate = graph_parts_copy(&r->g);
    TF_Tensor *kept[MOST_NAMES];
    for (int i = 0; i < candidate.n; i++) {
        TF_Tensor *value = !strcmp(candidate.nodes[i].op, "Const") ? value_of(&candidate.nodes[i]) : NULL;
        if (!value) continue;
        cut_value(&value, from, to);
        part_set_value(&candidate.nodes[i], value);
        TF_DeleteTensor(value);
    }
    for (int i = 0; i < r->n_feeds; i++) {
        kept[i] = r->feeds[i].value;
        TF_Tensor *copy = TF_DataTypeSize(TF_TensorType(kept[i])) ? cut_axes(kept[i], from, from) : NULL;
        if (copy) cut_value(&copy, from, to);
        r->feeds[i].value = copy ? copy : kept[i];
    }
    const bool is_taken = take(r, &candidate);
    for (int i = 0; i < r->n_feeds; i++) {
        if (r->feeds[i].value == kept[i]) continue;
        TF_DeleteTensor(is_taken ? kept[i] : r->feeds[i].value);
        if (!is_taken) r->feeds[i].value = kept[i];
    }
    return is_taken;
}

/* The largest length of an axis, or whole number among the first 64, that is below `below` and larger than `most`. */
static int64_t next_in(const TF_Tensor *value, int64_t below, int64_t most) {
    for (int d = 0; d < TF_NumDims(value); d++)
        if (TF_Dim(value, d) < below && TF_Dim(value, d) > most) most = TF_Dim(value, d);
    for (int64_t k = 0; k < TF_TensorElementCount(value) && k < 64; k++) {
        const int64_t number = TF_TensorType(value) == TF_INT32   ? ((int32_t *)TF_TensorData(value))[k]
                               : TF_TensorType(value) == TF_INT64 ? ((int64_t *)TF_TensorData(value))[k]
                                                                  : 0;
        if (number < below && number > most) most = number;
    }
    return most;
}

/* The largest length below `below`; 0: none. */
static int64_t next_length(const struct reduction *r, int64_t below) {
    int64_t most = 0;
    for (int i = 0; i < r->g.n; i++) {
        TF_Tensor *value = !strcmp(r->g.nodes[i].op, "Const") ? value_of(&r->g.nodes[i]) : NULL;
        if (!value) continue;
        most = next_in(value, below, most);
        TF_DeleteTensor(value);
    }
    for (int i = 0; i < r->n_feeds; i++) most = next_in(r->feeds[i].value, below, most);
    return most;
}

static bool shrink_all(struct reduction *r) {
    bool any = false;
    for (int64_t length = next_length(r, INT64_MAX); length > 1 && !is_late(r); length = next_length(r, length)) {
        const int64_t smaller[] = {1, 2, length / 4, length / 2, length - 1};
        for (int i = 0; i < 5; i++)
            if (smaller[i] > 0 && smaller[i] < length && shrink(r, length, smaller[i])) {
                any = true;
                break;
            }
    }
    return any;
}

/* ---- feeds become constants */

static void keep_feeds_in_graph(struct reduction *r) {
    for (int i = r->n_feeds - 1; i >= 0 && !is_late(r); i--) {
        int slot;
        const int node = graph_parts_source(&slot, &r->g, r->feeds[i].name);
        if (node < 0 || slot || is_run(r, r->g.nodes[node].name)) continue;
        struct graph_parts candidate = graph_parts_copy(&r->g);
        part_set_value(&candidate.nodes[node], r->feeds[i].value);
        const struct trial_feed kept = r->feeds[i], last = r->feeds[r->n_feeds - 1];
        r->feeds[i] = last; /* as if it were not fed */
        r->n_feeds--;
        if (take(r, &candidate)) {
            TF_DeleteTensor(kept.value);
            free(kept.name);
        } else {
            r->feeds[r->n_feeds++] = last;
            r->feeds[i] = kept;
        }
    }
}

/* ---- the command */

static const char *kind_text(const struct outcome *o) {
    static const char *const texts[] = {"it runs",    "it fails", "it differs",
                                        "it crashes", "it hangs", "it cannot be run"};
    return texts[o->kind];
}

/* The graph, its functions and conditionals in place of their calls if `inlined`. */
static bool read_graph(struct graph_parts *out, TF_Graph *graph, bool inlined, TF_Status *status) {
    TF_Buffer *bytes = must_have(TF_NewBuffer());
    if (inlined) sl_graph_inline(graph, true, status);
    if (TF_GetCode(status) == TF_OK) TF_GraphToGraphDef(graph, bytes, status);
    const bool ok = TF_GetCode(status) == TF_OK;
    if (ok) graph_parts_read(out, (struct bytes){bytes->data, bytes->length});
    TF_DeleteBuffer(bytes);
    return ok;
}

/* When it still fails then. */
static void enter_functions(struct reduction *r, TF_Graph *graph) {
    struct graph_parts candidate;
    TF_Status *status = must_have(TF_NewStatus());
    if (read_graph(&candidate, graph, true, status)) take(r, &candidate);
    TF_DeleteStatus(status);
    prune(r);
}

/* Whether there is something to fetch: else it is a target. */
static bool has_output(const struct reduction *r, const char *name) {
    int slot;
    const int node = graph_parts_source(&slot, &r->g, name);
    TF_Buffer *bytes = graph_parts_write(&r->g);
    TF_Status *status = must_have(TF_NewStatus());
    TF_Graph *graph = must_have(TF_NewGraph());
    TF_ImportGraphDefOptions *options = must_have(TF_NewImportGraphDefOptions());
    TF_GraphImportGraphDef(graph, bytes, options, status);
    TF_Operation *op = node >= 0 ? TF_GraphOperationByName(graph, r->g.nodes[node].name) : NULL;
    const bool has = op && TF_OperationNumOutputs(op) > 0;
    TF_DeleteImportGraphDefOptions(options);
    TF_DeleteGraph(graph);
    TF_DeleteStatus(status);
    TF_DeleteBuffer(bytes);
    return has;
}

/* As --feed takes it. */
static void print_in_line(const TF_Tensor *value) {
    char *text = NULL;
    size_t n = 0;
    FILE *out = must_have(open_memstream(&text, &n));
    value_print(out, value, true);
    fclose(out);
    for (char *at = must_have(text); *at; at++) putchar(*at == '\n' ? ' ' : *at);
    free(text);
}

static int write_result(const struct reduction *r, const char *path, int n_before) {
    TF_Status *status = must_have(TF_NewStatus());
    TF_Buffer *bytes = graph_parts_write(&r->g);
    sl_graph_file_write(path, bytes, status);
    const bool failed = complain_status(status);
    TF_DeleteBuffer(bytes);
    TF_DeleteStatus(status);
    if (failed) return EXIT_FAILED;
    printf("%d of %d nodes are left, after %d tries%s: %s\n", r->g.n, n_before, r->tries,
           is_late(r) ? " (time was up)" : "", path);
    for (int i = 0; i < r->g.n && i < 20; i++) printf("  %s = %s\n", r->g.nodes[i].name, r->g.nodes[i].op);
    printf("%s: %s\n", kind_text(&r->wanted), r->wanted.text);
    printf("sluice run %s", path);
    for (int i = 0; i < r->n_fetches; i++)
        printf(" --%s %s", has_output(r, r->fetches[i]) ? "fetch" : "target", r->fetches[i]);
    for (int i = 0; i < r->n_first; i++) printf(", after --target %s", r->first[i]);
    for (int i = 0; i < r->n_feeds; i++) {
        printf(" --feed %s='", r->feeds[i].name);
        print_in_line(r->feeds[i].value);
        putchar('\'');
    }
    if (r->trial.wants_numbers) printf(" --watch-nan");
    if (r->trial.timeout_ms) printf(" --timeout %g", (double)r->trial.timeout_ms / 1e3);
    putchar('\n');
    return EXIT_OK;
}

static int reduce(struct reduction *r, const char *path, TF_Graph *graph) {
    const int n_before = r->g.n;
    const double start = seconds_now();
    r->wanted = run(r, &r->g, (const char *const *)r->fetches, r->n_fetches);
    r->trial.limit_ms = r->wanted.kind == HUNG ? 3000 : (int64_t)(10e3 * (seconds_now() - start)) + 500;
    if (r->wanted.kind == UNUSABLE) return complain("the graph cannot be run: %s", r->wanted.text);
    if (r->wanted.kind == RAN)
        return complain("nothing fails: --nan looks at the numbers, --library FILE compares, --timeout SECONDS waits");
    complain("%s: %s", kind_text(&r->wanted), r->wanted.text);
    prune(r);
    enter_functions(r, graph);
    keep_feeds_in_graph(r);
    cut_fetches(r);
    for (bool more = true; more && !is_late(r);) {
        more = put_values(r);
        more = pass_over_all(r) || more;
        more = drop_controls(r) || more;
        more = shrink_all(r) || more;
        if (r->g.n <= 100) cut_fetches(r);
    }
    drop_notes(r);
    drop_functions(r);
    prune(r);
    r->wanted = run(r, &r->g, (const char *const *)r->fetches, r->n_fetches);
    return write_result(r, path, n_before);
}

static bool add_fetch(struct reduction *r, const char *name) {
    if (r->n_fetches == MOST_NAMES) {
        complain("no more than %d results, please", MOST_NAMES);
        return false;
    }
    r->fetches[r->n_fetches++] = must_have(strdup(name));
    return true;
}

static bool add_feed(struct reduction *r, TF_Graph *graph, char *text) {
    static const struct loaded_model none;
    const struct feed_rules rules = {.casts = true};
    struct feed_input input;
    char name[1024], *equals = strchr(text, '=');
    if (!equals || r->n_feeds == MOST_NAMES) {
        complain("--feed wants NAME=VALUE, not '%s'", text);
        return false;
    }
    *equals = 0;
    if (!feed_input_find(&input, graph, &none, text)) return false;
    TF_Tensor *value = feed_value_read(&input, equals + 1, &rules, 0);
    if (!value) return false;
    snprintf(name, sizeof name, "%s:%d", TF_OperationName(input.output.oper), input.output.index);
    r->feeds[r->n_feeds++] = (struct trial_feed){must_have(strdup(name)), value};
    return true;
}

static bool add_default_fetches(struct reduction *r, TF_Graph *graph) {
    int n;
    char name[1024];
    TF_Output *results = harmless_results(&n, graph, NULL, 0);
    for (int i = 0; i < n && i < MOST_NAMES; i++) {
        snprintf(name, sizeof name, "%s:%d", TF_OperationName(results[i].oper), results[i].index);
        add_fetch(r, name);
    }
    free(results);
    if (!n) complain("the graph has no result that can be fetched unasked; name one with --fetch");
    return n > 0;
}

static void clear(struct reduction *r) {
    for (int i = 0; i < r->n_fetches; i++) free(r->fetches[i]);
    for (int i = 0; i < r->n_feeds; i++) {
        TF_DeleteTensor(r->feeds[i].value);
        free(r->feeds[i].name);
    }
    graph_parts_clear(&r->g);
}

static bool read_names(struct reduction *r, TF_Graph *graph, const struct command *self, int argc, char **argv) {
    struct arguments a = {.command = self, .argc = argc, .argv = argv};
    const struct option *option;
    char *value;
    while (next_argument(&a, &option, &value)) {
        const char *name = option ? option->name : "";
        TF_Output output;
        if (!strcmp(name, "feed") && !add_feed(r, graph, value)) return false;
        if (!strcmp(name, "fetch") && (!find_output(&output, graph, NULL, value) || !add_fetch(r, value))) return false;
        const bool is_first = !strcmp(name, "first"), is_target = !strcmp(name, "target");
        if ((is_first || is_target) && !find_node(graph, NULL, value)) return false;
        if (is_target && !add_fetch(r, value)) return false;
        if (is_first && r->n_first < MOST_NAMES) r->first[r->n_first++] = value;
    }
    return r->n_fetches || add_default_fetches(r, graph);
}

int reduce_command(int argc, char **argv) {
    const struct command *self = find_command("reduce");
    struct arguments a = {.command = self, .argc = argc, .argv = argv};
    struct reduction r = {.trial.tolerance = -1};
    const struct option *option;
    const char *path = NULL, *out = NULL, *library = NULL;
    char *value, *end;
    int64_t seconds = 60;
    int result = EXIT_FAILED;
    while (next_argument(&a, &option, &value)) {
        const char *name = option ? option->name : "";
        if (!option && path && out) return complain_usage(self, "what is '%s' for?", value);
        else if (!option && path) out = value;
        else if (!option) path = value;
        else if (!strcmp(name, "nan")) r.trial.wants_numbers = true;
        else if (!strcmp(name, "library")) library = value;
        else if (!strcmp(name, "timeout") && !parse_seconds(&r.trial.timeout_ms, value))
            return complain_usage(self, "--timeout wants seconds above 0, not '%s'", value);
        else if (!strcmp(name, "seconds") && !parse_number(&seconds, value, 1, 1000000))
            return complain_usage(self, "--seconds wants a number from 1 to 1000000, not '%s'", value);
        else if (!strcmp(name, "tolerance")) {
            r.trial.tolerance = strtod(value, &end);
            if (end == value || *end || !(r.trial.tolerance >= 0))
                return complain_usage(self, "--tolerance wants a number from 0, not '%s'", value);
        }
    }
    if (a.failed) return EXIT_USAGE;
    if (!path || !out) return complain_usage(self, "which graph, and which file shall hold the smaller one?");
    if (is_directory(path))
        return complain_usage(self, "'%s' is a SavedModel; 'sluice freeze' makes a graph of it", path);
    TF_Graph *graph = open_graph(path);
    if (!graph) return EXIT_FAILED;
    TF_Status *status = must_have(TF_NewStatus());
    r.until = seconds_now() + (double)seconds;
    if ((!library || library_open(&r.other, library)) && read_names(&r, graph, self, argc, argv) &&
        read_graph(&r.g, graph, false, status)) {
        if (library) r.trial.other = &r.other;
        result = reduce(&r, out, graph);
    }
    complain_status(status);
    TF_DeleteStatus(status);
    clear(&r);
    TF_DeleteGraph(graph);
    return result;
}
