/* CTCLoss, CTCGreedyDecoder, CTCBeamSearchDecoder: connectionist temporal classification. Graves and others 2006;
 * Graves and Jaitly 2014 for the search over prefixes. The last class is the blank, unless an attribute says
 * otherwise. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "backends/cpu/array/move.h"
#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/indices.h"
#include "backends/cpu/types.inc"
#include "base/alloc.h"
#include "base/checked.h"
#include "base/vec.h"

/* log(exp(a) + exp(b)), where what is added to the larger has the precision of float, as in TensorFlow for double, too:
 * losses would else differ from the eighth digit on, and searches keep other prefixes where two are nearly alike. */
static double coarse_log_sum(double a, double b) {
    if (a == -INFINITY) return b;
    if (b == -INFINITY) return a;
    return a > b ? a + (double)log1pf(expf((float)(b - a))) : b + (double)log1pf(expf((float)(a - b)));
}

#define TYPES (FOR_FLOAT | FOR_DOUBLE)
#define BODY  "backends/cpu/nn/ctc.inc"
#include "backends/cpu/for_types.inc"

#define BY_TYPE(f, dtype) ((dtype) == SL_DOUBLE ? f##_DOUBLE : f##_FLOAT)

struct input {
    struct sl_view x;
    const int32_t *lengths;
    int64_t time, batch, classes;
};

static sl_code read_input(struct input *in, struct sl_kernel_context *k, int length_at) {
    struct sl_view x = sl_in(k, 0), lengths = sl_in(k, length_at);
    if (x.rank != 3) return sl_invalid(k, "inputs is not a 3-Tensor");
    if (lengths.rank != 1) return sl_invalid(k, "sequence_length is not a vector");
    *in = (struct input){.x = x, .lengths = lengths.data, .time = x.dims[0], .batch = x.dims[1], .classes = x.dims[2]};
    if (in->time == 0) return sl_invalid(k, "max_time is 0");
    if (in->classes == 0) return sl_invalid(k, "num_classes is 0");
    if (lengths.count != in->batch)
        return sl_fail(k->err, length_at == 1 ? SL_FAILED_PRECONDITION : SL_INVALID_ARGUMENT,
                       "len(sequence_length) != batch_size.  len(sequence_length):  %" PRId64 " batch_size: %" PRId64,
                       lengths.count, in->batch);
    for (int64_t b = 0; b < in->batch; b++)
        if (in->lengths[b] > in->time)
            return sl_fail(k->err, length_at == 1 ? SL_FAILED_PRECONDITION : SL_INVALID_ARGUMENT,
                           "sequence_length(%" PRId64 ") <= %" PRId64, b, in->time);
    return SL_OK;
}
static const void *row_at(const struct input *in, int64_t time, int64_t batch) {
    return sl_element(in->x.data, in->x.dtype, (time * in->batch + batch) * in->classes);
}

/* ---- CTCLoss */

enum { COLLAPSES = 1, MERGES = 2, IGNORES = 4 };

struct loss_job {
    struct sl_kernel_context *k;
    struct input in;
    struct sl_view loss, gradient;
    int64_t flags;
    int64_t *starts; /* batch + 1 of them: labels of each */
    int32_t *labels;
    size_t room;
    _Atomic int failed;
};

static void loss_part(void *arg, int64_t begin, int64_t end) {
    struct loss_job *j = arg;
    const struct input *in = &j->in;
    int dtype = in->x.dtype;
    size_t size = sl_dtype_size(dtype), row = (size_t)in->classes * size;
    char *y = sl_scratch_new(j->room);
    if (!y) {
        j->failed = 1;
        return;
    }
    for (int64_t b = begin; b < end; b++) {
        int64_t time = in->lengths[b], n = j->starts[b + 1] - j->starts[b];
        if (time <= 0 || n < 0) continue;
        const int32_t *labels = j->labels + j->starts[b];
        if (n > time) continue; /* checked before: ignored */
        for (int64_t t = 0; t < time; t++)
            BY_TYPE(log_softmax, dtype)(y + (size_t)t * row, row_at(in, t, b), in->classes);
        double loss =
            BY_TYPE(loss, dtype)(y, labels, n, time, in->classes, j->flags & MERGES, y + (size_t)in->time * row);
        BY_TYPE(put, dtype)(j->loss.data, b, loss);
        for (int64_t t = 0; t < time; t++)
            memcpy(sl_element(j->gradient.data, dtype, (t * in->batch + b) * in->classes), y + (size_t)t * row, row);
    }
    sl_scratch_free(y, j->room);
}

/* The labels of each sequence, in order; checks them. */
static sl_code read_labels(struct loss_job *j, struct sl_view indices, struct sl_view values) {
    struct sl_kernel_context *k = j->k;
    const int64_t *at = indices.data;
    const int32_t *from = values.data;
    int64_t n = 0, b = 0, longest = 0;
    bool is_over = false;
    j->starts[0] = 0;
    for (int64_t i = 0; i < values.count; i++) {
        int64_t to = at[2 * i];
        if (to < 0 || to >= j->in.batch)
            return sl_invalid(k, "labels batch index must be between 0 and %" PRId64 " but saw: %" PRId64, j->in.batch,
                              to);
        if (to < b) return sl_invalid(k, "labels_indices are not in order");
        while (b < to) j->starts[++b] = n;
        if (from[i] < 0)
            return sl_invalid(k, "All labels must be nonnegative integers, batch: %" PRId64 " labels: %d", b,
                              (int)from[i]);
        is_over = is_over && i && at[2 * i - 2] == to;
        if (is_over && from[i] < j->in.classes - 1)
            return sl_invalid(k,
                              "Saw a non-null label (index >= num_classes - 1) following a null label, batch: %" PRId64
                              " num_classes: %" PRId64 " labels: %d",
                              b, j->in.classes, (int)from[i]);
        is_over = from[i] >= j->in.classes - 1; /* the sequence ends before */
        if (is_over) continue;
        if ((j->flags & COLLAPSES) && n > j->starts[b] && from[i] == from[i - 1]) continue;
        j->labels[n++] = from[i];
    }
    while (b < j->in.batch) j->starts[++b] = n;
    for (b = 0; b < j->in.batch; b++) {
        int64_t count = j->starts[b + 1] - j->starts[b], time = j->in.lengths[b];
        if (time < 0) return sl_invalid(k, "sequence_length(%" PRId64 ") must be at least 0", b);
        if (count == 0) return sl_invalid(k, "Labels length is zero in batch %" PRId64, b);
        if (count > time && !(j->flags & IGNORES))
            return sl_invalid(
                k,
                "Not enough time for target transition sequence (required: %" PRId64 ", available: %" PRId64 ")%" PRId64
                "You can turn this error into a warning by using the flag ignore_longer_outputs_than_inputs",
                count, time, b);
        longest = count > longest ? count : longest;
    }
    int64_t numbers, states = 2 * longest + 1;
    if (!sl_mul_i64(&numbers, j->in.time + 1, j->in.classes + 2 * states) || !sl_mul_i64(&numbers, numbers, 8))
        numbers = INT64_MAX;
    j->room = (size_t)numbers;
    return SL_OK;
}

static sl_code loss_run(struct sl_kernel_context *k) {
    struct loss_job j = {.k = k, .flags = sl_state_number(k)};
    struct sl_view indices = sl_in(k, 1), values = sl_in(k, 2);
    SL_TRY(read_input(&j.in, k, 3));
    if (indices.rank != 2) return sl_invalid(k, "labels_indices is not a matrix");
    if (indices.dims[1] != 2)
        return sl_invalid(k, "labels_indices must have 2 columns, got shape %s", SHAPE_OF(indices));
    if (values.rank != 1) return sl_invalid(k, "labels_values is not a vector");
    if (indices.dims[0] != values.count)
        return sl_invalid(
            k, "labels_indices and labels_values must contain the same number of rows, but saw shapes: %s vs. %s",
            SHAPE_OF(indices), SHAPE_OF(values));
    if (j.in.batch == 0) return sl_invalid(k, "batch_size must not be 0");
    SL_TRY(sl_out_new(&j.loss, k, 0, (struct sl_shape){1, &j.in.batch}));
    SL_TRY(sl_out_new(&j.gradient, k, 1, sl_view_shape(j.in.x)));
    sl_move_zero(k, j.loss);
    sl_move_zero(k, j.gradient);
    size_t bytes = (size_t)(j.in.batch + 1) * sizeof(int64_t) + (size_t)values.count * sizeof(int32_t);
    j.starts = sl_scratch_new(bytes);
    if (!j.starts) return sl_fail_memory(k->err, bytes);
    j.labels = (int32_t *)(void *)(j.starts + j.in.batch + 1);
    sl_code code = read_labels(&j, indices, values);
    if (code == SL_OK) {
        sl_kernel_split(k, j.in.batch, 100 * (double)(j.in.time * j.in.classes), loss_part, &j);
        if (j.failed) code = sl_fail_memory(k->err, j.room);
    }
    sl_scratch_free(j.starts, bytes);
    return code;
}

static sl_code loss_create(void **state, struct sl_kernel_setup *setup) {
    bool collapses, merges, ignores;
    SL_TRY(sl_attr_bool(&collapses, setup->attrs, "preprocess_collapse_repeated", setup->err));
    SL_TRY(sl_attr_bool(&merges, setup->attrs, "ctc_merge_repeated", setup->err));
    SL_TRY(sl_attr_bool(&ignores, setup->attrs, "ignore_longer_outputs_than_inputs", setup->err));
    *state = (void *)(intptr_t)((collapses ? COLLAPSES : 0) | (merges ? MERGES : 0) | (ignores ? IGNORES : 0));
    return SL_OK;
}

/* ---- decoded sequences as sparse tensors */

struct words {
    SL_VEC(int64_t) values;
    int64_t *ends; /* of each sequence, in `values` */
};

/* Outputs `o`, `o + step` and `o + 2 * step`: indices, values, shape. */
static sl_code put_sparse(struct sl_kernel_context *k, const struct words *w, int64_t batch, int o, int step) {
    struct sl_view indices, values, shape;
    int64_t n = (int64_t)w->values.n, longest = 0, at = 0;
    SL_TRY(sl_out_new(&indices, k, o, (struct sl_shape){2, (int64_t[]){n, 2}}));
    SL_TRY(sl_out_new(&values, k, o + step, (struct sl_shape){1, &n}));
    SL_TRY(sl_out_new(&shape, k, o + 2 * step, (struct sl_shape){1, (int64_t[]){2}}));
    for (int64_t b = 0; b < batch; b++) {
        int64_t start = at;
        for (; at < w->ends[b]; at++) {
            ((int64_t *)indices.data)[2 * at] = b;
            ((int64_t *)indices.data)[2 * at + 1] = at - start;
            ((int64_t *)values.data)[at] = w->values.items[at];
        }
        longest = at - start > longest ? at - start : longest;
    }
    ((int64_t *)shape.data)[0] = batch;
    ((int64_t *)shape.data)[1] = longest;
    return SL_OK;
}

/* ---- CTCGreedyDecoder */

struct greedy_state {
    bool merges;
    int blank;
};

static sl_code greedy_create(void **out, struct sl_kernel_setup *setup) {
    struct greedy_state s;
    SL_TRY(sl_attr_bool(&s.merges, setup->attrs, "merge_repeated", setup->err));
    SL_TRY(sl_attr_int32(&s.blank, setup->attrs, "blank_index", setup->err));
    struct greedy_state *state = sl_malloc(sizeof *state);
    if (!state) return sl_fail_memory(setup->err, sizeof *state);
    *state = s;
    *out = state;
    return SL_OK;
}
static void destroy(void *state) { sl_free(state); }

static sl_code greedy(struct sl_kernel_context *k, const struct input *in, struct words *w, struct sl_view score) {
    const struct greedy_state *s = k->state;
    int64_t blank = s->blank < 0 ? in->classes + s->blank : s->blank;
    if (blank < 0 || blank >= in->classes)
        return sl_invalid(k, "blank_index expected to be between %" PRId64 " and %" PRId64 " but was %d", -in->classes,
                          in->classes - 1, s->blank);
    for (int64_t b = 0; b < in->batch; b++) {
        double sum = 0, value;
        int64_t before = -1;
        for (int64_t t = 0; t < in->lengths[b]; t++) {
            int64_t c = BY_TYPE(best, in->x.dtype)(&value, row_at(in, t, b), in->classes);
            sum -= value;
            if (c != blank && !(s->merges && c == before) && sl_vec_push(&w->values, c))
                return sl_fail_memory(k->err, w->values.n * sizeof c);
            before = c;
        }
        w->ends[b] = (int64_t)w->values.n;
        BY_TYPE(put, in->x.dtype)(score.data, b, sum);
    }
    return put_sparse(k, w, in->batch, 0, 1);
}

static sl_code greedy_run(struct sl_kernel_context *k) {
    struct input in;
    struct sl_view score;
    struct words w = {0};
    SL_TRY(read_input(&in, k, 1));
    SL_TRY(sl_out_new(&score, k, 3, (struct sl_shape){2, (int64_t[]){in.batch, 1}}));
    w.ends = sl_calloc((size_t)in.batch + 1, sizeof *w.ends);
    sl_code code = w.ends ? greedy(k, &in, &w, score) : sl_fail_memory(k->err, (size_t)in.batch * sizeof *w.ends);
    sl_vec_free(&w.values);
    sl_free(w.ends);
    return code;
}

/* ---- CTCBeamSearchDecoder: the likeliest prefixes after each step, as paths in a tree. Probabilities are
 * logarithms. A prefix is one node for good: it keeps its place in the tree when it falls out of the beam, so that those
 * that grew from it know it when it comes back. While it is out it has no chance, and they get nothing from it. */

struct chance {
    double total, blank, label; /* of all ways to the prefix, of those that end in a blank, in the label itself */
};
struct prefix {
    int32_t parent, label;  /* -1: the empty prefix */
    int32_t child, sibling; /* the newest child; the parent's child before this one; -1: none */
    struct chance old, new; /* after the step before, and after this one */
};
struct beam {
    SL_VEC(struct prefix) tree;
    int32_t *leaves; /* up to 2 * width: those alive, best first */
    int64_t n, width;
    double *y;         /* log probabilities of a step */
    int32_t *children; /* of one prefix, by label; -1: none */
    struct sl_pace *pace;
};

static const struct chance nothing = {-INFINITY, -INFINITY, -INFINITY};

static bool is_alive(const struct prefix *p) { return p->new.total > -INFINITY; }

/* Whether a prefix of this total is among the `n` best so far. Earlier ones win ties. */
static bool is_good(const struct beam *s, double total, const int32_t *to, int64_t n) {
    return total > -INFINITY && (n < s->width || total > s->tree.items[to[n - 1]].new.total);
}

/* Puts a good prefix among the alive ones, best first; the last falls out when there are too many. */
static void keep(struct beam *s, int32_t leaf, int32_t *to, int64_t *n) {
    double total = s->tree.items[leaf].new.total;
    if (*n == s->width) s->tree.items[to[--*n]].new = nothing;
    int64_t at = (*n)++;
    for (; at > 0 && total > s->tree.items[to[at - 1]].new.total; at--) to[at] = to[at - 1];
    to[at] = leaf;
}

/* What the step makes of a prefix that was alive: a blank or its last label once more, or its parent with that label. */
static void stay(struct beam *s, struct prefix *p, int64_t blank) {
    p->new.label = -INFINITY;
    if (p->parent >= 0) {
        const struct prefix *parent = &s->tree.items[p->parent];
        if (is_alive(parent)) p->new.label = p->label == parent->label ? parent->old.blank : parent->old.total;
        p->new.label = coarse_log_sum(p->new.label, p->old.label) + s->y[p->label];
    }
    p->new.blank = p->old.total + s->y[blank];
    p->new.total = coarse_log_sum(p->new.blank, p->new.label);
}

/* Gives prefix `parent` its child of a label, made or found. */
static sl_code child_of(int32_t *child, struct beam *s, int32_t parent, int32_t label, struct sl_error *err) {
    *child = s->children[label];
    if (*child >= 0) return SL_OK;
    struct prefix p = {.parent = parent, .label = label, .child = -1, .old = nothing, .new = nothing};
    p.sibling = s->tree.items[parent].child;
    if (s->tree.n >= INT32_MAX || sl_vec_push(&s->tree, p)) return sl_fail_memory(err, s->tree.n * sizeof p);
    *child = s->tree.items[parent].child = (int32_t)s->tree.n - 1;
    return SL_OK;
}

/* The prefixes with one label more than `parent`. */
static sl_code grow(struct beam *s, int32_t parent, int64_t labels, int32_t *to, int64_t *n, struct sl_error *err) {
    if (!is_good(s, s->tree.items[parent].old.total, to, *n)) return SL_OK;
    for (int64_t c = 0; c < labels; c++) s->children[c] = -1;
    for (int32_t i = s->tree.items[parent].child; i >= 0; i = s->tree.items[i].sibling)
        s->children[s->tree.items[i].label] = i;
    for (int32_t c = 0; c < (int32_t)labels; c++) {
        const struct prefix *from = &s->tree.items[parent];
        struct prefix *known = s->children[c] >= 0 ? &s->tree.items[s->children[c]] : NULL;
        if (known && is_alive(known)) continue;
        double total = s->y[c] + (c == from->label ? from->old.blank : from->old.total);
        if (!is_good(s, total, to, *n)) {
            if (known) known->old = nothing; /* it fell out in this step: when its turn comes it will not grow */
            continue;
        }
        int32_t child;
        SL_TRY(child_of(&child, s, parent, c, err));
        s->tree.items[child].new = (struct chance){.total = total, .blank = -INFINITY, .label = total};
        keep(s, child, to, n);
    }
    return SL_OK;
}

static sl_code beam_step(struct beam *s, int64_t classes, struct sl_error *err) {
    int64_t blank = classes - 1, n = 0;
    int32_t *next = s->leaves + s->width;
    for (int64_t i = 0; i < s->n; i++) s->tree.items[s->leaves[i]].old = s->tree.items[s->leaves[i]].new;
    for (int64_t i = 0; i < s->n; i++) stay(s, &s->tree.items[s->leaves[i]], blank);
    for (int64_t i = 0; i < s->n; i++) keep(s, s->leaves[i], next, &n);
    for (int64_t i = 0; i < s->n; i++) {
        if (sl_pace_ends(s->pace, 10 * classes)) return SL_CANCELLED;
        SL_TRY(grow(s, s->leaves[i], blank, next, &n, err));
    }
    memcpy(s->leaves, next, (size_t)n * sizeof *next);
    s->n = n;
    return SL_OK;
}

/* Adds the labels of a prefix, from its start; those alike side by side once, if asked for. */
static sl_code put_word(struct words *w, const struct beam *s, int32_t leaf, bool merges, struct sl_error *err) {
    size_t first = w->values.n;
    for (int32_t at = leaf, before = -1; s->tree.items[at].parent >= 0; at = s->tree.items[at].parent) {
        int32_t label = s->tree.items[at].label;
        if (!(merges && label == before) && sl_vec_push(&w->values, (int64_t)label))
            return sl_fail_memory(err, w->values.n * sizeof(int64_t));
        before = label;
    }
    for (size_t i = first, j = w->values.n; i + 1 < j; i++) {
        int64_t kept = w->values.items[--j];
        w->values.items[j] = w->values.items[i];
        w->values.items[i] = kept;
    }
    return SL_OK;
}

struct beam_state {
    int64_t width, paths;
    bool merges;
};

static sl_code beam_create(void **out, struct sl_kernel_setup *setup) {
    struct beam_state s;
    SL_TRY(sl_attr_int(&s.width, setup->attrs, "beam_width", setup->err));
    SL_TRY(sl_attr_int(&s.paths, setup->attrs, "top_paths", setup->err));
    SL_TRY(sl_attr_bool(&s.merges, setup->attrs, "merge_repeated", setup->err));
    if (s.width < 1 || s.width > INT32_MAX / 4)
        return sl_fail(setup->err, SL_INVALID_ARGUMENT, "beam_width is out of range: %" PRId64, s.width);
    struct beam_state *state = sl_malloc(sizeof *state);
    if (!state) return sl_fail_memory(setup->err, sizeof *state);
    *state = s;
    *out = state;
    return SL_OK;
}

static sl_code decode(struct sl_kernel_context *k, const struct input *in, struct beam *s, struct words *words,
                      struct sl_view score) {
    const struct beam_state *state = k->state;
    for (int64_t b = 0; b < in->batch; b++) {
        s->tree.n = 0;
        s->n = 1;
        s->leaves[0] = 0;
        struct prefix empty = {-1, -1, .child = -1, .sibling = -1, .old = nothing, .new = {0, 0, -INFINITY}};
        if (sl_vec_push(&s->tree, empty)) return sl_fail_memory(k->err, sizeof empty);
        for (int64_t t = 0; t < in->lengths[b]; t++) {
            const void *row = row_at(in, t, b);
            for (int64_t c = 0; c < in->classes; c++) s->y[c] = BY_TYPE(get, in->x.dtype)(row, c);
            log_softmax_DOUBLE(s->y, s->y, in->classes);
            SL_TRY(beam_step(s, in->classes, k->err));
        }
        if (s->n < state->paths)
            return sl_invalid(k, "Less leaves in the beam search than requested. Requested: %" PRId64 ", got: %" PRId64,
                              state->paths, s->n);
        for (int64_t p = 0; p < state->paths; p++) {
            SL_TRY(put_word(&words[p], s, s->leaves[p], state->merges, k->err));
            words[p].ends[b] = (int64_t)words[p].values.n;
            BY_TYPE(put, in->x.dtype)(score.data, b * state->paths + p, s->tree.items[s->leaves[p]].new.total);
        }
    }
    for (int64_t p = 0; p < state->paths; p++) SL_TRY(put_sparse(k, &words[p], in->batch, (int)p, (int)state->paths));
    return SL_OK;
}

static sl_code beam_run(struct sl_kernel_context *k) {
    const struct beam_state *state = k->state;
    struct input in;
    struct sl_view score;
    SL_TRY(read_input(&in, k, 1));
    if (state->paths > state->width) return sl_invalid(k, "requested more paths than the beam width.");
    SL_TRY(sl_out_new(&score, k, 3 * (int)state->paths, (struct sl_shape){2, (int64_t[]){in.batch, state->paths}}));
    struct sl_pace pace = sl_pace_of(k);
    struct beam s = {.width = state->width, .pace = &pace};
    size_t paths = (size_t)state->paths;
    struct words *words = sl_calloc(paths, sizeof *words);
    int64_t *ends = sl_calloc(paths * (size_t)in.batch + 1, sizeof *ends);
    s.leaves = sl_calloc(2 * (size_t)s.width, sizeof *s.leaves);
    s.y = sl_calloc((size_t)in.classes, sizeof *s.y);
    s.children = sl_calloc((size_t)in.classes, sizeof *s.children);
    sl_code code = SL_OK;
    if (!words || !ends || !s.leaves || !s.y || !s.children)
        code = sl_fail_memory(k->err, 2 * (size_t)s.width * sizeof *s.leaves);
    for (size_t p = 0; code == SL_OK && p < paths; p++) words[p].ends = ends + p * (size_t)in.batch;
    if (code == SL_OK) code = decode(k, &in, &s, words, score);
    for (size_t p = 0; words && p < paths; p++) sl_vec_free(&words[p].values);
    sl_vec_free(&s.tree);
    sl_free(s.leaves);
    sl_free(s.children);
    sl_free(s.y);
    sl_free(ends);
    sl_free(words);
    return code;
}

#define WIDE RULE("T", SL_SET(FLOAT) | SL_SET(DOUBLE))
/* clang-format off */
const struct sl_kernel_def sl_cpu_ctc_rows[] = {
    KERNEL("CTCLoss", WIDE, .run = loss_run, .create = loss_create, .cost_element = 100)
    KERNEL("CTCGreedyDecoder", WIDE, .run = greedy_run, .create = greedy_create, .destroy = destroy, .cost_element = 2)
    KERNEL("CTCBeamSearchDecoder", WIDE, .run = beam_run, .create = beam_create, .destroy = destroy, .cost_element = 500)
    SL_ROWS_END
};
/* clang-format on */
