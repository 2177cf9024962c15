/* From events to rows: whose time it was, and what kept it from being shorter. */
#include <stdlib.h>
#include <string.h>

#include "profile.h"

const char *const limit_names[N_LIMITS] = {"compute", "memory bandwidth", "dispatch", "waiting", "kernel"};

/* A node that reaches this part of a rate of the machine is limited by it. */
static const double good_part = 0.25;
/* A node below this time that moves next to nothing is limited by being started. */
static const double short_us = 3;

/* ---- what a node does at a time */

static double elements(const struct stats_shape *s) {
    double n = 1;
    for (int d = 0; d < s->rank; d++) n *= (double)s->dims[d];
    return s->rank < 0 ? 0 : n;
}

static bool has(const char *op, const char *word) { return strstr(op, word) != NULL; }

/* Multiplications and additions by the shapes of inputs and outputs. */
static double operations(const struct stats_node *n, const struct stats_shape *in, int n_in,
                         const struct stats_shape *out) {
    const double results = elements(out);
    if (has(n->op, "MatMul") && n_in > 1 && in[0].rank >= 2) {
        const bool turned = stats_attr(n, "transpose_a", 0) || stats_attr(n, "adj_x", 0);
        return 2 * results * (double)in[0].dims[in[0].rank - (turned ? 2 : 1)];
    }
    if (has(n->op, "Backprop") && has(n->op, "Conv2D") && n_in > 2) {
        const struct stats_shape *filter = has(n->op, "Filter") ? out : &in[1];
        if (filter->rank != 4) return -1;
        const double taps = (double)filter->dims[0] * (double)filter->dims[1] * (double)filter->dims[2];
        return 2 * elements(&in[2]) * (has(n->op, "Depthwise") ? taps / (double)filter->dims[2] : taps);
    }
    if (has(n->op, "Conv") && n_in > 1 && in[1].rank >= 3) {
        const struct stats_shape *filter = &in[1];
        double taps = elements(filter) / (double)(filter->dims[filter->rank - 1] ? filter->dims[filter->rank - 1] : 1);
        if (has(n->op, "Depthwise") && filter->dims[2]) taps /= (double)filter->dims[2];
        return 2 * results * taps;
    }
    double most = results;
    for (int i = 0; i < n_in; i++)
        if (elements(&in[i]) > most) most = elements(&in[i]);
    return most;
}

/* Of its first input it reads no more than it gives. */
static bool picks(const struct stats_node *n) {
    static const char *const ops[] = {"Gather", "GatherV2",     "GatherNd",          "ResourceGather",
                                      "Slice",  "StridedSlice", "TensorListGetItem", "EmbeddingLookup"};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (!strcmp(n->op, ops[i])) return true;
    return false;
}

/* Sums up over the events of a node what its inputs and outputs say. */
static void measure_node(struct profile_row *row, const struct step_stats *s) {
    enum { MOST_INPUTS = 16 };
    const struct stats_node *n = &s->nodes[row->node];
    double flops = 0, moved = 0;
    int times = 0;
    for (int e = n->first_event; e >= 0 && times < 64; e = s->events[e].next, times++) {
        const struct stats_event *event = &s->events[e];
        struct stats_shape in[MOST_INPUTS];
        int n_in = 0;
        bool is_known = true;
        for (int i = 0; i < n->n_inputs; i++) {
            struct stats_shape shape = {.rank = -1};
            if (n->inputs[i].slot < 0) continue;
            is_known = step_stats_shape(&shape, s, n->inputs[i], event->start_ns) && is_known;
            if (n_in < MOST_INPUTS) in[n_in++] = shape;
            const int64_t given = event->n_outputs ? event->outputs[0].shape.bytes : 0;
            moved += (double)(i == 0 && picks(n) && given < shape.bytes ? given : shape.bytes);
        }
        for (int i = 0; i < event->n_outputs; i++) moved += (double)event->outputs[i].shape.bytes;
        if (!is_known || !event->n_outputs) return;
        flops += operations(n, in, n_in, &event->outputs[0].shape);
    }
    if (!times) return;
    row->flops = flops / times;
    row->moved = moved / times;
}

static enum limit limit_of(const struct profile_row *row, const struct machine_limits *m) {
    const double us = row->times ? row->own_us / (double)row->times : 0;
    if (!strcmp(row->op, "Loop")) return BY_DISPATCH; /* what its nodes take is theirs */
    if (row->wait_us > row->own_us) return BY_WAITING;
    if (row->flops >= 0 && us > 0) {
        const double computes = m->flops > 0 ? row->flops / us * 1e6 / m->flops : 0;
        const double moves = m->bytes > 0 ? row->moved / us * 1e6 / m->bytes : 0;
        if (us >= short_us && computes >= good_part && computes >= moves) return BY_COMPUTE;
        if (us >= short_us && moves >= good_part) return BY_MEMORY;
    }
    return us < short_us ? BY_DISPATCH : BY_KERNEL;
}

/* ---- rows */

static int by_name_and_op(const void *a, const void *b) {
    const struct trace_event *x = *(const struct trace_event *const *)a, *y = *(const struct trace_event *const *)b;
    const int c = strcmp(x->name, y->name);
    return c ? c : strcmp(x->op, y->op);
}

static int by_time(const void *a, const void *b) {
    const struct profile_row *x = a, *y = b;
    const double left = x->own_us + x->wait_us, right = y->own_us + y->wait_us;
    return left != right ? (left < right) - (left > right) : strcmp(x->name, y->name);
}

static void sort_rows(struct profile_rows *rows) {
    if (rows->n) qsort(rows->items, rows->n, sizeof *rows->items, by_time);
}

static void add_event(struct profile_row *row, const struct trace_event *e) {
    const double weight = (double)e->weight;
    if (e->is_wait) {
        row->wait_us += e->length * weight;
        return;
    }
    row->own_us += (e->own > 0 ? e->own : 0) * weight; /* what others stand for is not exact */
    row->times += e->weight;
    row->bytes += e->bytes * e->weight;
}

static void find_rows(struct profile *p) {
    struct trace_event **order = must_allocate(NULL, (p->trace.n + 1) * sizeof *order);
    for (size_t i = 0; i < p->trace.n; i++) order[i] = &p->trace.items[i];
    if (p->trace.n) qsort(order, p->trace.n, sizeof *order, by_name_and_op);
    p->nodes.items = must_allocate(NULL, (p->trace.n + 1) * sizeof *p->nodes.items);
    for (size_t i = 0; i < p->trace.n; i++) {
        if (i == 0 || by_name_and_op(&order[i - 1], &order[i]) != 0)
            p->nodes.items[p->nodes.n++] = (struct profile_row){.name = order[i]->name,
                                                                .op = order[i]->op,
                                                                .line = sl_source_line_of(p->lines, order[i]->name),
                                                                .node = step_stats_find(&p->stats, order[i]->name),
                                                                .flops = -1,
                                                                .moved = -1};
        add_event(&p->nodes.items[p->nodes.n - 1], order[i]);
        order[i]->row = p->nodes.n - 1;
    }
    free(order);
    for (size_t i = 0; i < p->nodes.n; i++) {
        struct profile_row *row = &p->nodes.items[i];
        row->number = i;
        if (row->node >= 0) measure_node(row, &p->stats);
        row->limit = limit_of(row, &p->machine);
    }
    sort_rows(&p->nodes);
    size_t *place = must_allocate(NULL, (p->nodes.n + 1) * sizeof *place);
    for (size_t i = 0; i < p->nodes.n; i++) place[p->nodes.items[i].number] = i;
    for (size_t i = 0; i < p->trace.n; i++) p->trace.items[i].row = place[p->trace.items[i].row];
    free(place);
}

const char *scope_of(char *text, size_t size, const char *name) {
    const char *slash = strrchr(name, '/');
    const size_t n = slash ? (size_t)(slash - name) : 0;
    if (n >= size) return "";
    memcpy(text, name, n);
    text[n] = 0;
    return text;
}

static const char *key_of(char text[1024], const struct profile_row *row, enum profile_key key) {
    if (key == PER_OP) return row->op;
    if (key == PER_LINE) return row->line ? row->line : "(not known)";
    if (key == PER_SCOPE) return scope_of(text, 1024, row->name);
    return row->name;
}

struct profile_rows profile_sum(const struct profile *p, enum profile_key key) {
    struct profile_rows rows = {must_allocate(NULL, (p->nodes.n + 1) * sizeof *rows.items), 0};
    char left[1024], right[1024];
    for (size_t i = 0; i < p->nodes.n; i++) {
        const struct profile_row *from = &p->nodes.items[i];
        const char *name = key_of(left, from, key);
        size_t k = 0;
        while (k < rows.n && strcmp(key_of(right, &rows.items[k], key), name) != 0) k++;
        if (k == rows.n) {
            rows.items[rows.n++] = *from;
            continue;
        }
        struct profile_row *to = &rows.items[k];
        if (from->own_us + from->wait_us > 2 * (to->own_us + to->wait_us)) to->limit = from->limit;
        to->own_us += from->own_us;
        to->wait_us += from->wait_us;
        to->times += from->times;
        to->bytes += from->bytes;
    }
    sort_rows(&rows);
    return rows;
}

/* ---- threads, gaps, loops */

static int by_step_and_start(const void *a, const void *b) {
    const struct trace_event *x = *(const struct trace_event *const *)a, *y = *(const struct trace_event *const *)b;
    if (x->step != y->step) return x->step < y->step ? -1 : 1;
    return (x->start > y->start) - (x->start < y->start);
}

/* Parts of a step in which no thread ran a node: waiting where one waited, else dispatch. */
static void find_gaps(struct profile *p, double *gap_us, double *wait_us) {
    const struct trace_event **order = must_allocate(NULL, (p->trace.n + 1) * sizeof *order);
    double busy_to = 0, waits_to = 0;
    *gap_us = *wait_us = 0;
    for (size_t i = 0; i < p->trace.n; i++) order[i] = &p->trace.items[i];
    if (p->trace.n) qsort(order, p->trace.n, sizeof *order, by_step_and_start);
    for (size_t i = 0; i < p->trace.n; i++) {
        const struct trace_event *e = order[i];
        const double end = e->start + e->length, scale = (double)e->weight;
        if (i == 0 || e->step != order[i - 1]->step) busy_to = waits_to = e->start;
        if (e->is_wait) {
            if (end > waits_to) waits_to = end;
            continue;
        }
        if (e->start > busy_to) {
            const double waited = (waits_to < e->start ? waits_to : e->start) - busy_to;
            if (waited > 0) *wait_us += waited * scale;
            *gap_us += (e->start - busy_to - (waited > 0 ? waited : 0)) * scale;
        }
        if (end > busy_to) busy_to = end;
    }
    free(order);
}

static void find_wall(struct profile *p) {
    double from = 0, to = 0;
    uint64_t step = 0;
    int64_t weight = 1;
    const struct trace_event **order = must_allocate(NULL, (p->trace.n + 1) * sizeof *order);
    for (size_t i = 0; i < p->trace.n; i++) order[i] = &p->trace.items[i];
    if (p->trace.n) qsort(order, p->trace.n, sizeof *order, by_step_and_start);
    for (size_t i = 0; i <= p->trace.n; i++) {
        const struct trace_event *e = i < p->trace.n ? order[i] : NULL;
        if (i > 0 && (!e || e->step != step)) p->wall_us += (to - from) * (double)weight;
        if (!e) break;
        if (i == 0 || e->step != step) {
            from = to = e->start;
            step = e->step;
            weight = 1;
        }
        if (e->start + e->length > to) to = e->start + e->length;
    }
    free(order);
}

static void find_threads(struct profile *p) {
    double busy_to = 0;
    for (size_t i = 0; i < p->trace.n; i++) { /* sorted by thread */
        const struct trace_event *e = &p->trace.items[i];
        if (e->is_wait) break;
        if (!p->n_threads || p->threads[p->n_threads - 1].id != e->thread) {
            p->threads = must_allocate(p->threads, (size_t)(p->n_threads + 1) * sizeof *p->threads);
            p->threads[p->n_threads++] = (struct profile_thread){e->thread, 0};
            busy_to = 0;
        }
        if (e->start >= busy_to) p->threads[p->n_threads - 1].busy_us += e->length;
        else if (e->start + e->length > busy_to) p->threads[p->n_threads - 1].busy_us += e->start + e->length - busy_to;
        if (e->start + e->length > busy_to) busy_to = e->start + e->length;
    }
}

/* Loops by the names of frames: those of the graph that ran, and whole loops that the trace has. */
static struct profile_loop *loop_named(struct profile *p, const char *name) {
    for (int i = 0; i < p->n_loops; i++)
        if (!strcmp(p->loops[i].name, name)) return &p->loops[i];
    p->loops = must_allocate(p->loops, (size_t)(p->n_loops + 1) * sizeof *p->loops);
    p->loops[p->n_loops] = (struct profile_loop){.name = name};
    return &p->loops[p->n_loops++];
}

static int by_loop_time(const void *a, const void *b) {
    const struct profile_loop *x = a, *y = b;
    return (x->us < y->us) - (x->us > y->us);
}

static void find_loops(struct profile *p) {
    for (size_t i = 0; i < p->nodes.n; i++) {
        const struct profile_row *row = &p->nodes.items[i];
        const int frame = row->node >= 0 ? p->stats.nodes[row->node].frame : -1;
        const bool is_loop = !strcmp(row->op, "Loop");
        if (!is_loop && frame < 0) continue;
        struct profile_loop *loop = loop_named(p, is_loop ? row->name : p->stats.frames[frame]);
        loop->us += row->own_us + row->wait_us;
        if (is_loop) continue;
        loop->n_nodes++;
        if (row->times > loop->rounds) loop->rounds = row->times;
    }
    if (p->n_loops) qsort(p->loops, (size_t)p->n_loops, sizeof *p->loops, by_loop_time);
}

static void find_limits(struct profile *p) {
    double gap_us, wait_us;
    find_gaps(p, &gap_us, &wait_us);
    for (size_t i = 0; i < p->nodes.n; i++) {
        const struct profile_row *row = &p->nodes.items[i];
        const bool is_loop = !strcmp(row->op, "Loop");
        p->limits_us[is_loop ? BY_DISPATCH : row->limit == BY_WAITING ? BY_KERNEL : row->limit] += row->own_us;
    }
    const double tracing_us = p->wall_us - p->plain_us * p->n_steps; /* it makes the gaps wider */
    if (tracing_us > 0) gap_us = tracing_us < gap_us ? gap_us - tracing_us : 0;
    p->limits_us[BY_DISPATCH] += gap_us;
    p->limits_us[BY_WAITING] += wait_us;
}

void profile_gather(struct profile *p) {
    trace_find_own_times(&p->trace);
    find_rows(p);
    find_wall(p);
    find_threads(p);
    find_loops(p);
    find_limits(p);
}

void profile_clear(struct profile *p) {
    for (int i = 0; i < p->n_advice; i++) free(p->advice[i]);
    free(p->advice);
    free(p->nodes.items);
    free(p->threads);
    free(p->loops);
    free(p->memory.holders);
    free(p->memory.points);
    trace_clear(&p->trace);
    step_stats_clear(&p->stats);
    sl_source_lines_free(p->lines);
}
