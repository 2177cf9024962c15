/* What a colleague would say of a profile. A rule looks at the nodes that take a good part of the time, or at what memory
 * holds, and at the graph around them; it says what is slow or fat, why, and what would do instead. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "profile.h"

enum { MOST_ADVICE = 12, SENTENCE = 900 };

struct sentence {
    double weight; /* part of time, or of memory, that it is about */
    char *text;
};
struct advice {
    struct profile *p;
    const struct step_stats *s;
    double all_us;
    struct sentence items[64];
    int n;
};

static void say(struct advice *a, double weight, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void say(struct advice *a, double weight, const char *format, ...) {
    char text[SENTENCE];
    va_list args;
    if (a->n == (int)(sizeof a->items / sizeof *a->items)) return;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    for (int i = 0; i < a->n; i++)
        if (!strcmp(a->items[i].text, text)) return;
    a->items[a->n++] = (struct sentence){weight, must_have(strdup(text))};
}

/* ---- the graph around a node */

static bool is_one_of(const char *op, const char *const *ops) {
    for (; *ops; ops++)
        if (!strcmp(*ops, op)) return true;
    return false;
}

static const char *const passing[] = {"Identity", "Enter",      "Snapshot", "Switch",
                                      "Reshape",  "ExpandDims", "Squeeze",  NULL};

/* The node that data input `i` is made by, through those that pass it on; NULL: it has none. */
static const struct stats_node *made_by(const struct advice *a, const struct stats_node *n, int i) {
    for (int k = 0, depth = 0; k < n->n_inputs && depth < 32; k++) {
        if (n->inputs[k].slot < 0 || i-- > 0) continue;
        if (n->inputs[k].node < 0) return NULL;
        n = &a->s->nodes[n->inputs[k].node];
        if (!is_one_of(n->op, passing)) return n;
        k = -1;
        i = 0;
        depth++;
    }
    return NULL;
}

static bool reads(const struct advice *a, const struct stats_node *reader, const struct stats_node *n) {
    for (int i = 0; i < reader->n_inputs; i++)
        if (reader->inputs[i].slot >= 0 && reader->inputs[i].node == (int)(n - a->s->nodes)) return true;
    return false;
}

/* A reader of the node with such an op; NULL: there is none. */
static const struct stats_node *reader_of(const struct advice *a, const struct stats_node *n, const char *word) {
    for (int i = 0; i < a->s->n_nodes; i++)
        if (strstr(a->s->nodes[i].op, word) && reads(a, &a->s->nodes[i], n)) return &a->s->nodes[i];
    return NULL;
}

static const struct stats_event *last_event(const struct advice *a, const struct stats_node *n) {
    return n->last_event >= 0 ? &a->s->events[n->last_event] : NULL;
}

/* Shapes of the first output and of data inputs in the last event; false when one is not known. */
static bool shapes_of(const struct advice *a, const struct stats_node *n, struct stats_shape *out,
                      struct stats_shape *in, int n_in) {
    const struct stats_event *e = last_event(a, n);
    if (!e || !e->n_outputs) return false;
    *out = e->outputs[0].shape;
    for (int i = 0, k = 0; k < n_in; i++) {
        if (i == n->n_inputs) return false;
        if (n->inputs[i].slot < 0) continue;
        if (!step_stats_shape(&in[k++], a->s, n->inputs[i], e->start_ns)) return false;
    }
    return true;
}

static int64_t bytes_in(const struct advice *a, const struct stats_node *n) {
    const struct stats_event *e = last_event(a, n);
    int64_t bytes = 0;
    struct stats_shape shape;
    for (int i = 0; e && i < n->n_inputs; i++)
        if (n->inputs[i].slot >= 0 && step_stats_shape(&shape, a->s, n->inputs[i], e->start_ns)) bytes += shape.bytes;
    return bytes;
}

static int64_t rows_of(const struct stats_shape *s) {
    int64_t n = 1;
    for (int d = 0; d + 1 < s->rank; d++) n *= s->dims[d];
    return n;
}

/* ---- rules about one node */

static bool is_product(const struct stats_node *n) { return strstr(n->op, "MatMul") != NULL; }

static void advise_product(struct advice *a, const struct profile_row *row, const struct stats_node *n, double part) {
    struct stats_shape out, in[2];
    char text[AMOUNT_TEXT];
    for (int i = 0; i < 2; i++) {
        const struct stats_node *from = made_by(a, n, i);
        if (!from) continue;
        if (!strcmp(from->op, "OneHot"))
            say(a, part,
                "'%s' (%s) multiplies with a one-hot matrix, '%s': GatherV2 picks the same rows without a product",
                n->name, n->op, from->name);
        if (!strncmp(from->op, "MatrixDiag", 10) && !strstr(from->op, "Part"))
            say(a, part,
                "'%s' (%s) multiplies with a diagonal matrix, '%s': Mul by its diagonal, as a column or a row, "
                "does the same without a product",
                n->name, n->op, from->name);
        if (!strcmp(from->op, "MatrixInverse"))
            say(a, part,
                "'%s' (MatrixInverse) is only multiplied with, by '%s': MatrixSolve takes a third of the work "
                "and loses fewer digits",
                from->name, n->name);
        if (!strcmp(from->op, "SparseToDense") || !strcmp(from->op, "ScatterNd"))
            say(a, part,
                "'%s' (%s) multiplies with a dense copy of a sparse matrix, '%s': SparseTensorDenseMatMul "
                "skips the zeros",
                n->name, n->op, from->name);
    }
    if (shapes_of(a, n, &out, in, 2) && rows_of(&in[0]) <= 4 && in[1].bytes >= 1 << 20)
        say(a, part,
            "'%s' (%s) reads %s of weights for %" PRId64 " row%s: memory limits it, and more rows in a run cost "
            "hardly more",
            n->name, n->op, bytes_text(text, in[1].bytes), rows_of(&in[0]), rows_of(&in[0]) == 1 ? "" : "s");
    (void)row;
}

/* Of a product nothing is read but the diagonal. */
static void advise_diagonal(struct advice *a, const struct stats_node *n, double part) {
    const struct stats_node *reader = reader_of(a, n, "MatrixDiagPart");
    if (reader)
        say(a, part,
            "'%s' (%s) computes a whole matrix, of which '%s' takes the diagonal: Sum of the element-wise product "
            "gives that alone",
            n->name, n->op, reader->name);
}

/* Labels that are written out for a loss. */
static void advise_labels(struct advice *a, const struct stats_node *n, double part) {
    const struct stats_node *labels = made_by(a, n, 1);
    if (labels && !strcmp(labels->op, "OneHot"))
        say(a, part,
            "'%s' (%s) reads labels that '%s' (OneHot) writes out: SparseSoftmaxCrossEntropyWithLogits takes their "
            "numbers",
            n->name, n->op, labels->name);
}

static void advise_casts(struct advice *a, const struct stats_node *n, const struct stats_node *from, double part) {
    struct stats_shape to, between, first;
    const bool is_known = shapes_of(a, n, &to, &between, 1) && shapes_of(a, from, &between, &first, 1);
    if (is_known && first.dtype != to.dtype)
        say(a, part, "'%s' and '%s' cast twice: one Cast to the last type does", from->name, n->name);
    else say(a, part, "'%s' and '%s' cast there and back: the values only lose digits between", from->name, n->name);
}

/* What makes a large tensor of which the only one that reads it takes a small piece. */
static void advise_waste(struct advice *a, const struct stats_node *n, double part) {
    static const char *const pick[] = {"StridedSlice", "Slice", "GatherV2", "Gather", "GatherNd", NULL};
    const struct stats_event *made = last_event(a, n), *taken;
    const struct stats_node *reader = NULL;
    char from[AMOUNT_TEXT], to[AMOUNT_TEXT];
    if (!made || !made->n_outputs || made->outputs[0].shape.bytes < 1 << 20) return;
    for (int i = 0; i < a->s->n_nodes; i++) {
        if (!reads(a, &a->s->nodes[i], n)) continue;
        if (reader) return;
        reader = &a->s->nodes[i];
    }
    taken = reader && is_one_of(reader->op, pick) && reader->n_inputs && made_by(a, reader, 0) == n
                ? last_event(a, reader)
                : NULL;
    if (!taken || !taken->n_outputs || taken->outputs[0].shape.bytes > made->outputs[0].shape.bytes / 64) return;
    bytes_text(from, made->outputs[0].shape.bytes);
    bytes_text(to, taken->outputs[0].shape.bytes);
    say(a, part, "'%s' (%s) makes %s, of which '%s' (%s) takes %s: make that piece alone, or take it from what goes in",
        n->name, n->op, from, reader->name, reader->op, to);
}

/* What makes a large tensor out of small ones. */
static void advise_growth(struct advice *a, const struct stats_node *n, double part) {
    static const char *const copies[] = {"Tile", "BroadcastTo", NULL};
    static const char *const scatters[] = {"UnsortedSegmentSum", "ScatterNd", "SparseToDense", NULL};
    static const char *const random[] = {"RandomUniform", "RandomStandardNormal", "Fill", "Range", "OneHot", NULL};
    const struct stats_event *e = last_event(a, n);
    char from[AMOUNT_TEXT], to[AMOUNT_TEXT];
    if (!e || !e->n_outputs) return;
    const int64_t in = bytes_in(a, n), out = e->outputs[0].shape.bytes;
    if (out < 1 << 20 || out < 4 * in || is_one_of(n->op, random)) return;
    bytes_text(from, in);
    bytes_text(to, out);
    if (is_one_of(n->op, copies)) {
        const struct stats_node *reader = NULL;
        for (int i = 0; i < a->s->n_nodes && !reader; i++)
            if (reads(a, &a->s->nodes[i], n)) reader = &a->s->nodes[i];
        say(a, part, "'%s' (%s) copies %s to %s%s%s%s: element-wise ops broadcast by themselves, without the copies",
            n->name, n->op, from, to, reader ? " for '" : "", reader ? reader->name : "", reader ? "'" : "");
    } else if (out >= 16 * in && is_one_of(n->op, scatters)) {
        say(a, part,
            "'%s' (%s) writes %s for %s that are not zero: keep rows and their numbers apart (IndexedSlices), and "
            "update "
            "those alone",
            n->name, n->op, to, from);
    } else if (out >= 16 * in) {
        say(a, part,
            "'%s' (%s) makes %s out of %s: the step is as large as that; work on pieces, or by products, "
            "that do not need all pairs",
            n->name, n->op, to, from);
    }
}

static bool is_from_outside(const struct advice *a, const struct stats_node *n) {
    for (int i = 0; i < n->n_inputs; i++) {
        if (n->inputs[i].slot < 0 || n->inputs[i].node < 0) continue;
        const struct stats_node *from = &a->s->nodes[n->inputs[i].node];
        const bool is_constant =
            !strcmp(from->op, "Const") || (!strcmp(from->op, "Enter") && stats_attr(from, "is_constant", 0));
        if (!is_constant) return false;
    }
    return n->n_inputs > 0;
}

static void advise_in_loop(struct advice *a, const struct profile_row *row, const struct stats_node *n, double part) {
    const char *loop = a->s->frames[n->frame];
    char all[AMOUNT_TEXT], last[AMOUNT_TEXT];
    const struct stats_event *e = last_event(a, n);
    if (strcmp(n->op, "Enter") != 0 && is_from_outside(a, n))
        say(a, part,
            "'%s' (%s) gives the same in each of %" PRId64 " rounds of loop '%s', since its inputs come from "
            "outside: put it before the loop",
            n->name, n->op, row->times, loop);
    if (strstr(n->op, "Concat") && reader_of(a, n, "NextIteration") && e && e->n_outputs)
        say(a, part,
            "'%s' (%s) copies all that is there in each round of loop '%s', %s for a result of %s: a TensorArray "
            "or a TensorList grows without",
            n->name, n->op, loop, bytes_text(all, row->bytes / (a->p->n_steps ? a->p->n_steps : 1)),
            bytes_text(last, e->outputs[0].shape.bytes));
    if (strstr(n->op, "Print")) say(a, part, "'%s' (%s) prints in each round of loop '%s'", n->name, n->op, loop);
}

/* Through nodes that compute element by element, of one input. */
static const struct stats_node *made_before(const struct advice *a, const struct stats_node *n) {
    static const char *const element_wise[] = {"Relu", "Tanh",  "Sigmoid",  "Neg", "Exp",  "Log",
                                               "Sqrt", "Rsqrt", "Square",   "Abs", "Cast", "Relu6",
                                               "Elu",  "Selu",  "Softplus", "Erf", "Gelu", NULL};
    const struct stats_node *from = made_by(a, n, 0);
    for (int depth = 0; from && depth < 32 && is_one_of(from->op, element_wise); depth++) from = made_by(a, from, 0);
    return from;
}

static bool is_reduction(const char *op) {
    static const char *const ops[] = {"Sum", "Mean", "Max", "Min", "Prod", "All", "Any", "ArgMax", "ArgMin", NULL};
    return is_one_of(op, ops);
}

/* What only moves elements, and need not. */
static void advise_moving(struct advice *a, const struct stats_node *n, double part) {
    const struct stats_node *from = made_before(a, n), *reader = NULL;
    if (!strcmp(n->op, "Transpose")) {
        if (from && !strcmp(from->op, "Transpose"))
            say(a, part + 0.3,
                "'%s' and '%s' transpose there and back, with element-wise nodes between at most: leave both out, "
                "where the "
                "orders undo each other",
                from->name, n->name);
        for (int i = 0; i < a->s->n_nodes && !reader; i++)
            if (reads(a, &a->s->nodes[i], n)) reader = &a->s->nodes[i];
        if (reader && is_reduction(reader->op))
            say(a, part, "'%s' (Transpose) is only there for '%s' (%s), which can go along the other axis itself",
                n->name, reader->name, reader->op);
        if (reader && is_product(reader))
            say(a, part,
                "'%s' (Transpose) is read by '%s' (%s), which reads a matrix turned by transpose_a and transpose_b",
                n->name, reader->name, reader->op);
    }
    if (!strncmp(n->op, "Split", 5) || !strcmp(n->op, "Unpack")) {
        from = made_by(a, n, strcmp(n->op, "Split") != 0 ? 0 : 1);
        if (from && (!strncmp(from->op, "Concat", 6) || !strcmp(from->op, "Pack")))
            say(a, part, "'%s' (%s) takes apart what '%s' (%s) has put together: use the parts", n->name, n->op,
                from->name, from->op);
    }
}

static bool is_of_pipeline(const struct profile_row *row) {
    return strstr(row->op, "IteratorGetNext") || !strncmp(row->op, "Iterator::", 10);
}

static void advise_node(struct advice *a, const struct profile_row *row) {
    static const char *const draws[] = {"RandomStandardNormal",  "RandomUniform",          "TruncatedNormal",
                                        "StatelessRandomNormal", "StatelessRandomUniform", NULL};
    const double part = row->own_us / a->all_us;
    if (is_of_pipeline(row)) {
        const size_t length = strlen(row->name);
        if (length > 9 && !strcmp(row->name + length - 9, "::Shuffle"))
            say(a, (row->own_us + row->wait_us) / a->all_us,
                "'%s' takes %.0f%% of the time: the first element waits until its buffer is full; a smaller buffer, or "
                "files "
                "in random order before it, begin sooner",
                row->name, 100 * part);
        say(a, (row->own_us + row->wait_us) / a->all_us,
            "the input pipeline limits: '%s' takes %.0f%% of the time; let it run ahead (prefetch), or map in parallel",
            row->name, 100 * part);
        return;
    }
    if (row->node < 0) return;
    const struct stats_node *n = &a->s->nodes[row->node], *from = made_by(a, n, 0);
    if (is_product(n)) advise_product(a, row, n, part), advise_diagonal(a, n, part);
    if (!strcmp(n->op, "SoftmaxCrossEntropyWithLogits")) advise_labels(a, n, part);
    if (!strcmp(n->op, "MatrixInverse") && reader_of(a, n, "MatMul"))
        advise_product(a, row, reader_of(a, n, "MatMul"), part);
    advise_growth(a, n, part);
    advise_moving(a, n, part);
    if (n->frame >= 0) advise_in_loop(a, row, n, part);
    if (!strcmp(n->op, "Cast") && from && !strcmp(from->op, "Cast")) advise_casts(a, n, from, part);
    advise_waste(a, n, part);
    if (is_one_of(n->op, draws))
        say(a, part, "'%s' (%s) takes %.0f%% of the time to draw random numbers", n->name, n->op, 100 * part);
    if (!strcmp(n->op, "TopKV2") && last_event(a, n) && last_event(a, n)->n_outputs) {
        struct stats_shape out, in[1];
        if (shapes_of(a, n, &out, in, 1) && out.rank > 0 && out.bytes == in[0].bytes)
            say(a, part,
                "'%s' (TopKV2) sorts all of %" PRId64 " elements: for the largest alone Max does, for some a "
                "smaller k",
                n->name, in[0].dims[in[0].rank - 1]);
    }
}

/* ---- rules about all of it */

static void advise_types(struct advice *a) {
    double doubles = 0;
    const struct profile_row *most = NULL;
    for (size_t i = 0; i < a->p->nodes.n; i++) {
        const struct profile_row *row = &a->p->nodes.items[i];
        const struct stats_event *e = row->node >= 0 ? last_event(a, &a->s->nodes[row->node]) : NULL;
        if (!e || !e->n_outputs || e->outputs[0].shape.dtype != TF_DOUBLE) continue;
        if (row->limit != BY_COMPUTE && row->limit != BY_MEMORY && row->limit != BY_KERNEL) continue;
        doubles += row->own_us;
        if (!most) most = row;
    }
    if (most && doubles > 0.4 * a->all_us)
        say(a, doubles / a->all_us * 0.9,
            "%.0f%% of the time is arithmetic of double, most of it in '%s' (%s): float moves "
            "half the bytes and computes twice as fast",
            100 * doubles / a->all_us, most->name, most->op);
}

static void advise_moves(struct advice *a) {
    static const char *const ops[] = {"Transpose", "Reshape", "ConcatV2",     "Pack",     "Unpack",   "Split",
                                      "SplitV",    "Slice",   "StridedSlice", "Tile",     "GatherV2", "ReverseV2",
                                      "PadV2",     "Pad",     "Cast",         "DeepCopy", NULL};
    double moved = 0;
    const struct profile_row *most = NULL;
    int n = 0;
    for (size_t i = 0; i < a->p->nodes.n; i++) {
        const struct profile_row *row = &a->p->nodes.items[i];
        if (!is_one_of(row->op, ops) || row->limit == BY_DISPATCH) continue;
        moved += row->own_us;
        n++;
        if (!most) most = row;
    }
    if (most && moved > 0.3 * a->all_us)
        say(a, moved / a->all_us * 0.8, "%.0f%% of the time goes into %d node%s elements, most of it into '%s' (%s)",
            100 * moved / a->all_us, n, n == 1 ? " that only moves" : "s that only move", most->name, most->op);
}

static void advise_loops(struct advice *a) {
    char each[AMOUNT_TEXT];
    for (int i = 0; i < a->p->n_loops; i++) {
        const struct profile_loop *l = &a->p->loops[i];
        const double part = l->us / a->all_us, us = l->rounds ? l->us / (double)l->rounds : 0;
        const int64_t rounds = l->rounds / (a->p->n_steps ? a->p->n_steps : 1);
        if (part < 0.3 || rounds < 20 || us > 3.0 * (l->n_nodes + 1)) continue;
        say(a, part,
            "loop '%s' takes %.0f%% of the time: %" PRId64 " rounds of %d node%s, %s each, which is more to start "
            "than to compute; ops on whole tensors do without the rounds",
            l->name, 100 * part, rounds, l->n_nodes, l->n_nodes == 1 ? "" : "s", us_text(each, us));
    }
}

static void advise_waits(struct advice *a) {
    const double part = a->p->limits_us[BY_WAITING] / a->all_us;
    const struct profile_row *longest = NULL;
    for (size_t i = 0; i < a->p->nodes.n; i++)
        if (!longest || a->p->nodes.items[i].wait_us > longest->wait_us) longest = &a->p->nodes.items[i];
    if (part > 0.3 && longest && longest->wait_us > 0)
        say(a, part, "the run waits %.0f%% of its time, the longest for '%s' (%s)", 100 * part, longest->name,
            longest->op);
}

static void advise_memory(struct advice *a) {
    const struct profile_memory *m = &a->p->memory;
    char text[AMOUNT_TEXT], peak[AMOUNT_TEXT], from[AMOUNT_TEXT], to[AMOUNT_TEXT];
    if (m->peak < 1 << 20) return;
    bytes_text(peak, m->peak);
    for (int i = 0; i < m->n_holders && i < 3; i++) {
        const struct profile_holder *h = &m->holders[i];
        const double part = (double)h->shape.bytes / (double)m->peak;
        const bool is_long = h->idle_us > 0.3 * m->step_us && m->n_holders > 1 && h->reader;
        if (part < 0.3) break;
        bytes_text(text, h->shape.bytes);
        if (is_long)
            say(a, 0.5 * part,
                "'%s' (%s) holds %s of %s from %s to %s, until '%s' reads it: read it earlier, or compute it "
                "again then",
                h->maker, h->op, text, peak, us_text(from, h->from_us), us_text(to, h->to_us), h->reader);
        else
            say(a, 0.5 * part, "of the %s that the step holds at most, '%s' (%s) made %s", peak, h->maker, h->op, text);
    }
    if (m->constants > 64 << 20) say(a, 0.3, "the graph holds %s of constants", bytes_text(text, m->constants));
}

/* At most 100: what was measured may have been disturbed. */
static double percent_of(double rate, double most) { return rate < most ? 100 * rate / most : 100; }

static void advise_top(struct advice *a) {
    const struct profile_row *row = a->p->nodes.n ? &a->p->nodes.items[0] : NULL;
    const double part = row ? row->own_us / a->all_us : 0;
    const double us = row && row->times ? row->own_us / (double)row->times : 0;
    if (part < 0.25 || us <= 0 || !strcmp(row->op, "Loop") || is_of_pipeline(row)) return;
    if (row->limit == BY_COMPUTE)
        say(a, 0.7 * part,
            "'%s' (%s) takes %.0f%% of the time, and computes at %.0f%% of this machine's rate: only less to "
            "compute helps",
            row->name, row->op, 100 * part, percent_of(row->flops / us * 1e6, a->p->machine.flops));
    else if (row->limit == BY_MEMORY)
        say(a, 0.7 * part,
            "'%s' (%s) takes %.0f%% of the time, and moves bytes at %.0f%% of the rate of this machine's memory: "
            "fewer or smaller elements help, not more threads",
            row->name, row->op, 100 * part, percent_of(row->moved / us * 1e6, a->p->machine.bytes));
    else if (row->limit == BY_KERNEL)
        say(a, 0.7 * part,
            "'%s' (%s) takes %.0f%% of the time, and reaches neither limit of this machine: its kernel is what "
            "is slow",
            row->name, row->op, 100 * part);
}

static void advise_run(struct advice *a) {
    const struct profile *p = a->p;
    char first[AMOUNT_TEXT];
    const bool is_waiting =
        p->limits_us[BY_WAITING] > 0.3 * a->all_us || (p->nodes.n && is_of_pipeline(&p->nodes.items[0]));
    if (p->plain_us > 1000 && p->cpu_us < 0.6 * p->plain_us && !is_waiting)
        say(a, 0.1, "the run got %.1f of a processor: other processes take the rest, so its times are too long",
            p->cpu_us / p->plain_us);
    if (p->first_us > 20 * p->plain_us && p->first_us > 1e5)
        say(a, 0.05, "the first run takes %s, as it compiles the graph: keep the session for the next runs",
            us_text(first, p->first_us));
}

static int by_weight(const void *a, const void *b) {
    const struct sentence *x = a, *y = b;
    return (x->weight < y->weight) - (x->weight > y->weight);
}

void profile_advise(struct profile *p) {
    struct advice a = {.p = p, .s = &p->stats};
    for (int i = 0; i < N_LIMITS; i++) a.all_us += p->limits_us[i];
    if (a.all_us <= 0) return;
    /* A loop's own time is what lies between its nodes, so also what other processes took there. */
    double nodes_us = a.all_us;
    for (size_t i = 0; i < p->nodes.n; i++)
        if (!strcmp(p->nodes.items[i].op, "Loop")) nodes_us -= p->nodes.items[i].own_us;
    for (size_t i = 0; i < p->nodes.n && p->nodes.items[i].own_us > 0.05 * nodes_us; i++)
        advise_node(&a, &p->nodes.items[i]);
    advise_types(&a);
    advise_moves(&a);
    advise_loops(&a);
    advise_waits(&a);
    advise_memory(&a);
    advise_top(&a);
    advise_run(&a);
    if (a.n) qsort(a.items, (size_t)a.n, sizeof *a.items, by_weight);
    p->advice = must_allocate(NULL, (MOST_ADVICE + 1) * sizeof *p->advice);
    for (int i = 0; i < a.n; i++) {
        if (i < MOST_ADVICE) p->advice[p->n_advice++] = a.items[i].text;
        else free(a.items[i].text);
    }
}
