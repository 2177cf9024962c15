/* Numbers of fields are those of RunMetadata, StepStats, NodeExecStats, GraphDef and NodeDef in TensorFlow's messages. */
#include "step_stats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "protobuf_bytes.h"

static char *text_of(struct bytes b) {
    char *text = must_allocate(NULL, b.n + 1);
    if (b.n) memcpy(text, b.p, b.n);
    text[b.n] = 0;
    return text;
}

/* ---- shapes */

/* A TensorShapeProto. */
static void read_shape(struct stats_shape *out, struct bytes shape) {
    struct field f;
    out->rank = 0;
    while (next_field(&f, &shape)) {
        if (f.number == 3 && f.value) out->rank = -1;
        if (f.number != 2 || out->rank < 0) continue;
        if (out->rank == STATS_RANK) out->rank = -1;
        else out->dims[out->rank++] = (int64_t)number_of(f.bytes, 1);
    }
}

static struct bytes attr_of(const struct stats_node *n, const char *attr) {
    struct bytes def = {n->def, n->def_size};
    struct field f;
    while (next_field(&f, &def)) {
        if (f.number != 5) continue;
        const struct bytes key = bytes_of(f.bytes, 1);
        if (key.n == strlen(attr) && !memcmp(key.p, attr, key.n)) return bytes_of(f.bytes, 2);
    }
    return (struct bytes){NULL, 0};
}

int64_t stats_attr(const struct stats_node *n, const char *attr, int64_t missing) {
    struct bytes value = attr_of(n, attr);
    struct field f;
    while (next_field(&f, &value))
        if (f.number == 3 || f.number == 5 || f.number == 6) return (int64_t)f.value;
    return missing;
}

static void read_feeds(struct step_stats *s, TF_Tensor *const *feeds, int n) {
    s->feeds = must_allocate(NULL, ((size_t)n + 1) * sizeof *s->feeds);
    for (s->n_feeds = 0; s->n_feeds < n; s->n_feeds++) {
        const TF_Tensor *t = feeds[s->n_feeds];
        struct stats_shape *shape = &s->feeds[s->n_feeds];
        *shape = (struct stats_shape){.dtype = (int)TF_TensorType(t),
                                      .rank = TF_NumDims(t) <= STATS_RANK ? TF_NumDims(t) : -1,
                                      .bytes = (int64_t)TF_TensorByteSize(t)};
        for (int d = 0; d < shape->rank; d++) shape->dims[d] = TF_Dim(t, d);
    }
}

/* Of a constant, or of what is fed. */
static bool shape_of_given(struct stats_shape *out, const struct step_stats *s, const struct stats_node *n) {
    if (!strcmp(n->op, "_Arg")) {
        const int64_t index = stats_attr(n, "index", -1);
        if (index < 0 || index >= s->n_feeds) return false;
        *out = s->feeds[index];
        return true;
    }
    const struct bytes tensor = bytes_of(attr_of(n, "value"), 8);
    if (!tensor.n) return false;
    *out = (struct stats_shape){.dtype = (int)number_of(tensor, 1)};
    read_shape(out, bytes_of(tensor, 2));
    out->bytes = (int64_t)TF_DataTypeSize((TF_DataType)out->dtype);
    for (int d = 0; d < out->rank; d++) out->bytes *= out->dims[d];
    return true;
}

/* ---- what passes a value on */

static bool passes_on(const char *op) {
    static const char *const ops[] = {"Identity",     "Enter",         "Exit",           "Switch",
                                      "Merge",        "NextIteration", "LoopCond",       "Snapshot",
                                      "StopGradient", "_HostRecv",     "PreventGradient"};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (!strcmp(op, ops[i])) return true;
    return false;
}

static int event_before(const struct step_stats *s, int node, int64_t before_ns) {
    struct stats_node *n = &s->nodes[node];
    int e = n->cursor >= 0 ? n->cursor : n->first_event;
    if (e < 0) return -1;
    while (s->events[e].next >= 0 && s->events[s->events[e].next].end_ns <= before_ns) e = s->events[e].next;
    while (e >= 0 && s->events[e].end_ns > before_ns) e = s->events[e].previous;
    n->cursor = e;
    return e;
}

static int find_maker(int *slot, int *given, const struct step_stats *s, struct stats_input from, int64_t before_ns,
                      int depth) {
    if (from.node < 0 || from.slot < 0 || depth > 32) return -1;
    const struct stats_node *n = &s->nodes[from.node];
    const int e = event_before(s, from.node, before_ns);
    if (e >= 0) {
        *slot = from.slot;
        return e;
    }
    if (!strcmp(n->op, "Const") || !strcmp(n->op, "_Arg")) *given = from.node;
    if (!passes_on(n->op)) return -1;
    int best = -1, its_slot = 0;
    for (int i = 0; i < n->n_inputs; i++) {
        const int found = find_maker(&its_slot, given, s, n->inputs[i], before_ns, depth + 1);
        if (found >= 0 && (best < 0 || s->events[found].end_ns > s->events[best].end_ns)) {
            best = found;
            *slot = its_slot;
        }
        if (strcmp(n->op, "Merge") != 0) break;
    }
    return best;
}

int step_stats_maker(int *slot, const struct step_stats *s, struct stats_input from, int64_t before_ns) {
    int given = -1;
    return find_maker(slot, &given, s, from, before_ns, 0);
}

bool step_stats_shape(struct stats_shape *out, const struct step_stats *s, struct stats_input from, int64_t before_ns) {
    int slot = 0, given = -1;
    const int e = find_maker(&slot, &given, s, from, before_ns, 0);
    if (e < 0) return given >= 0 && shape_of_given(out, s, &s->nodes[given]);
    for (int i = 0; i < s->events[e].n_outputs; i++) {
        if (s->events[e].outputs[i].slot != slot) continue;
        *out = s->events[e].outputs[i].shape;
        return true;
    }
    return false;
}

/* ---- the graph */

static const struct step_stats *sorted; /* for qsort */
static int by_name(const void *a, const void *b) {
    return strcmp(sorted->nodes[*(const int *)a].name, sorted->nodes[*(const int *)b].name);
}

int step_stats_find(const struct step_stats *s, const char *name) {
    int low = 0, high = s->n_nodes;
    while (low < high) {
        const int middle = (low + high) / 2, order = strcmp(s->nodes[s->by_name[middle]].name, name);
        if (order == 0) return s->by_name[middle];
        if (order < 0) low = middle + 1;
        else high = middle;
    }
    return -1;
}

static void add_node(struct step_stats *s, struct bytes def) {
    struct stats_node *n;
    if (!(s->n_nodes & (s->n_nodes - 1)))
        s->nodes = must_allocate(s->nodes, (size_t)(s->n_nodes ? 2 * s->n_nodes : 1) * sizeof *s->nodes);
    n = &s->nodes[s->n_nodes++];
    *n = (struct stats_node){.name = text_of(bytes_of(def, 1)),
                             .op = text_of(bytes_of(def, 2)),
                             .def = (unsigned char *)text_of(def),
                             .def_size = def.n,
                             .frame = -1,
                             .first_event = -1,
                             .last_event = -1,
                             .cursor = -1};
}

/* "name", "name:1" or "^name". */
static struct stats_input parse_input(const struct step_stats *s, struct bytes text) {
    char *name = text_of(text), *at = name, *colon;
    struct stats_input in = {-1, 0};
    if (*at == '^') {
        at++;
        in.slot = -1;
    } else if ((colon = strrchr(at, ':'))) {
        *colon = 0;
        in.slot = atoi(colon + 1);
    }
    in.node = step_stats_find(s, at);
    free(name);
    return in;
}

static void read_inputs(struct step_stats *s, struct stats_node *n) {
    struct bytes def = {n->def, n->def_size};
    struct field f;
    while (next_field(&f, &def)) {
        if (f.number != 3) continue;
        n->inputs = must_allocate(n->inputs, (size_t)(n->n_inputs + 1) * sizeof *n->inputs);
        n->inputs[n->n_inputs++] = parse_input(s, f.bytes);
    }
}

static int frame_named(struct step_stats *s, struct bytes name) {
    char *text = text_of(name);
    for (int i = 0; i < s->n_frames; i++) {
        if (strcmp(s->frames[i], text) != 0) continue;
        free(text);
        return i;
    }
    s->frames = must_allocate(s->frames, (size_t)(s->n_frames + 1) * sizeof *s->frames);
    s->frames[s->n_frames] = text;
    return s->n_frames++;
}

/* From each Enter to all that reads it: the innermost loop, for an Exit is in none of these. */
static void find_frames(struct step_stats *s) {
    for (int i = 0; i < s->n_nodes; i++)
        if (!strcmp(s->nodes[i].op, "Enter"))
            s->nodes[i].frame = frame_named(s, bytes_of(attr_of(&s->nodes[i], "frame_name"), 2));
    for (bool more = s->n_frames > 0; more;) {
        more = false;
        for (int i = 0; i < s->n_nodes; i++) {
            struct stats_node *n = &s->nodes[i];
            if (n->frame >= 0 || !strcmp(n->op, "Exit")) continue;
            for (int k = 0; k < n->n_inputs && n->frame < 0; k++)
                if (n->inputs[k].node >= 0) n->frame = s->nodes[n->inputs[k].node].frame;
            more = more || n->frame >= 0;
        }
    }
}

static void read_graph(struct step_stats *s, struct bytes graph) {
    struct field f;
    while (next_field(&f, &graph))
        if (f.number == 1) add_node(s, f.bytes);
}

static void sort_names(struct step_stats *s) {
    s->by_name = must_allocate(NULL, ((size_t)s->n_nodes + 1) * sizeof *s->by_name);
    for (int i = 0; i < s->n_nodes; i++) s->by_name[i] = i;
    sorted = s;
    if (s->n_nodes) qsort(s->by_name, (size_t)s->n_nodes, sizeof *s->by_name, by_name);
}

/* ---- events */

static void read_output(struct stats_event *e, struct bytes output) {
    const struct bytes what = bytes_of(output, 3), where = bytes_of(what, 4);
    struct stats_output o = {.slot = (int)number_of(output, 1), .shape.dtype = (int)number_of(what, 1)};
    read_shape(&o.shape, bytes_of(what, 2));
    o.shape.bytes = (int64_t)number_of(where, 1);
    o.address = number_of(where, 6);
    e->outputs = must_allocate(e->outputs, (size_t)(e->n_outputs + 1) * sizeof *e->outputs);
    e->outputs[e->n_outputs++] = o;
}

static void add_event(struct step_stats *s, struct bytes stats) {
    struct stats_event e = {.start_ns = (int64_t)number_of(stats, 13),
                            .thread = (long)number_of(stats, 10),
                            .next = -1};
    struct field f;
    e.end_ns = e.start_ns + (int64_t)number_of(stats, 16);
    e.name = text_of(bytes_of(stats, 1));
    while (next_field(&f, &stats)) {
        if (f.number == 6) e.made += (int64_t)number_of(f.bytes, 2);
        else if (f.number == 7) read_output(&e, f.bytes);
    }
    if (!(s->n_events & (s->n_events - 1)))
        s->events = must_allocate(s->events, (size_t)(s->n_events ? 2 * s->n_events : 1) * sizeof *s->events);
    s->events[s->n_events++] = e;
}

static int by_begin(const void *a, const void *b) {
    const struct stats_event *x = a, *y = b;
    return (x->start_ns > y->start_ns) - (x->start_ns < y->start_ns);
}

static void link_events(struct step_stats *s) {
    if (s->n_events) qsort(s->events, (size_t)s->n_events, sizeof *s->events, by_begin);
    for (int i = 0; i < s->n_events; i++) {
        struct stats_event *e = &s->events[i];
        e->node = step_stats_find(s, e->name);
        e->previous = -1;
        if (e->node < 0) continue;
        struct stats_node *n = &s->nodes[e->node];
        free(e->name);
        e->name = NULL;
        e->previous = n->last_event;
        if (n->last_event >= 0) s->events[n->last_event].next = i;
        else n->first_event = i;
        n->last_event = i;
    }
}

static void read_events(struct step_stats *s, struct bytes steps) {
    struct field device, node;
    while (next_field(&device, &steps)) {
        if (device.number != 1) continue;
        while (next_field(&node, &device.bytes))
            if (node.number == 2) add_event(s, node.bytes);
    }
}

void step_stats_read(struct step_stats *out, const TF_Buffer *metadata, TF_Tensor *const *feeds, int n_feeds) {
    struct bytes all = {metadata->data, metadata->length};
    struct field f;
    *out = (struct step_stats){0};
    while (next_field(&f, &all)) {
        if (f.number == 3) read_graph(out, f.bytes);
        else if (f.number == 1) read_events(out, f.bytes);
    }
    read_feeds(out, feeds, n_feeds);
    sort_names(out);
    for (int i = 0; i < out->n_nodes; i++) read_inputs(out, &out->nodes[i]);
    find_frames(out);
    link_events(out);
}

void step_stats_clear(struct step_stats *s) {
    for (int i = 0; i < s->n_nodes; i++) {
        free(s->nodes[i].name);
        free(s->nodes[i].op);
        free(s->nodes[i].inputs);
        free(s->nodes[i].def);
    }
    for (int i = 0; i < s->n_events; i++) {
        free(s->events[i].name);
        free(s->events[i].outputs);
    }
    for (int i = 0; i < s->n_frames; i++) free(s->frames[i]);
    free(s->frames);
    free(s->nodes);
    free(s->events);
    free(s->by_name);
    free(s->feeds);
    *s = (struct step_stats){0};
}
