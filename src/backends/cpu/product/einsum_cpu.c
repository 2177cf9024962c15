/* Einsum of one or two tensors. Every label is one of
 *
 *     batch     in both inputs and the output
 *     free      in one input and the output
 *     contract  in both inputs alone
 *     reduce    in one input alone
 *
 * Inputs are brought to the order (batch, free, contract, reduce), or taken as they are when they lie so or
 * transposed; reduced labels are summed away, then products of matrices make (batch, free of the first, free of the
 * second), which is brought to the order of the output. A label that stands twice in one place means a diagonal: its
 * strides are added. The dims of an ellipsis have labels of their own, counted from the right; they broadcast. */
#include <ctype.h>
#include <string.h>

#include "backends/cpu/array/move.h"
#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/product/fpmath.h"
#include "backends/cpu/product/product.h"
#include "backends/cpu/reduce/reduce.h"
#include "backends/cpu/wide.h"
#include "base/alloc.h"

enum { LETTERS = 52, LABELS = LETTERS + SL_MAX_RANK, MOST_LETTERS = SL_MAX_RANK };

/* The labels of an input or of the output; `ellipsis` stand before it, -1: there is none. */
struct subscript {
    int n, ellipsis;
    uint8_t letter[MOST_LETTERS];
};

struct state {
    int inputs;
    struct subscript in[2], out;
};

static sl_code malformed(struct sl_kernel_setup *setup, struct sl_str equation) {
    return sl_fail(setup->err, SL_INVALID_ARGUMENT, "Invalid einsum equation '%.*s'", SL_STR_ARG(equation));
}

/* Reads one subscript, up to `end`. */
static sl_code parse(struct subscript *s, struct sl_kernel_setup *setup, struct sl_str equation, size_t begin,
                     size_t end) {
    *s = (struct subscript){.ellipsis = -1};
    for (size_t i = begin; i < end; i++) {
        unsigned char c = (unsigned char)equation.p[i];
        if (c == ' ') continue;
        if (c == '.' && i + 2 < end && equation.p[i + 1] == '.' && equation.p[i + 2] == '.' && s->ellipsis < 0) {
            s->ellipsis = s->n;
            i += 2;
            continue;
        }
        if (!isalpha(c) || s->n == MOST_LETTERS) return malformed(setup, equation);
        s->letter[s->n++] = (uint8_t)(islower(c) ? c - 'a' : c - 'A' + LETTERS / 2);
    }
    return SL_OK;
}

static sl_code einsum_create(void **state, struct sl_kernel_setup *setup) {
    struct sl_str equation;
    SL_TRY(sl_attr_string(&equation, setup->attrs, "equation", setup->err));
    size_t arrow = 0;
    while (arrow + 1 < equation.n && (equation.p[arrow] != '-' || equation.p[arrow + 1] != '>')) arrow++;
    if (arrow + 1 >= equation.n) return malformed(setup, equation);
    const char *comma = memchr(equation.p, ',', arrow);
    if (setup->n_in > 2 || setup->n_in != (comma ? 2 : 1))
        return sl_fail(setup->err, SL_INVALID_ARGUMENT, "Expected %d inputs for the equation '%.*s', got %d",
                       comma ? 2 : 1, SL_STR_ARG(equation), setup->n_in);
    struct state *s = sl_malloc(sizeof *s);
    if (!s) return sl_fail_memory(setup->err, sizeof *s);
    size_t end = comma ? (size_t)(comma - equation.p) : arrow;
    s->inputs = setup->n_in;
    sl_code code = parse(&s->in[0], setup, equation, 0, end);
    if (code == SL_OK && comma) code = parse(&s->in[1], setup, equation, end + 1, arrow);
    if (code == SL_OK) code = parse(&s->out, setup, equation, arrow + 2, equation.n);
    if (code != SL_OK) {
        sl_free(s);
        return code;
    }
    *state = s;
    return SL_OK;
}

static void einsum_destroy(void *state) { sl_free(state); }

/* ---- labels of tensors */
enum kind { BATCH, FREE, CONTRACT, REDUCE, KINDS };

/* A tensor: its labels, each once, with sizes and strides. */
struct operand {
    const char *data;
    int n;
    int16_t label[SL_MAX_RANK];
    int64_t size[SL_MAX_RANK], stride[SL_MAX_RANK];
    struct sl_wide wide;
    char *copy, *sum;
    size_t copy_bytes, sum_bytes;
    bool is_transposed;
};

struct plan {
    struct sl_kernel_context *k;
    int type, dtype;      /* of the tensors; computed in */
    int64_t size[LABELS]; /* -1: not seen */
    uint8_t seen[LABELS]; /* bit i: in input i, bit 2: in the output */
    struct operand in[2];
    int out_rank;
    int16_t out_label[SL_MAX_RANK];
    int64_t out_dims[SL_MAX_RANK];
};

static int find_label(const struct operand *o, int label) {
    for (int i = 0; i < o->n; i++)
        if (o->label[i] == label) return i;
    return -1;
}

static sl_code bind_dim(struct plan *p, int i, int label, int64_t size, int64_t stride) {
    struct operand *o = &p->in[i];
    int at = find_label(o, label);
    if (at < 0) {
        at = o->n++;
        o->label[at] = (int16_t)label;
        o->size[at] = size;
        o->stride[at] = 0;
    }
    if (o->size[at] != size)
        return sl_invalid(p->k, "Expected dimension %lld at a repeated label of Einsum, got %lld",
                          (long long)o->size[at], (long long)size);
    o->stride[at] += stride;
    int64_t *known = &p->size[label];
    bool broadcasts = label >= LETTERS;
    if (*known >= 0 && *known != size && !(broadcasts && (*known == 1 || size == 1)))
        return sl_invalid(p->k, "Expected dimension %lld at axis of Einsum, got %lld", (long long)*known,
                          (long long)size);
    if (*known < 0 || *known == 1) *known = size;
    p->seen[label] |= (uint8_t)(1 << i);
    return SL_OK;
}

static sl_code bind_input(struct plan *p, int i, const struct subscript *s, struct sl_view v) {
    int extra = v.rank - s->n;
    int64_t strides[SL_MAX_RANK];
    if (extra < 0 || (s->ellipsis < 0 && extra > 0))
        return sl_invalid(p->k, "Expected input %d of Einsum to have rank %d, got %d", i, s->n, v.rank);
    sl_strides_of(strides, v.rank, v.dims);
    for (int d = 0; d < v.rank; d++) {
        int label = s->ellipsis < 0 || d < s->ellipsis ? s->letter[d < s->n ? d : 0]
                    : d < s->ellipsis + extra          ? LETTERS + (s->ellipsis + extra - 1 - d)
                                                       : s->letter[d - extra];
        SL_TRY(bind_dim(p, i, label, v.dims[d], strides[d]));
    }
    return SL_OK;
}

static sl_code add_output(struct plan *p, int label) {
    if (p->size[label] < 0) return sl_invalid(p->k, "A label of Einsum's output is in no input");
    if (p->out_rank == SL_MAX_RANK) return sl_invalid(p->k, "Einsum's output has too many dimensions");
    p->seen[label] |= 4;
    p->out_label[p->out_rank] = (int16_t)label;
    p->out_dims[p->out_rank++] = p->size[label];
    return SL_OK;
}

static sl_code bind_output(struct plan *p, const struct subscript *s) {
    if (s->ellipsis < 0 && p->size[LETTERS] >= 0)
        return sl_invalid(p->k, "Ellipsis of Einsum's inputs has dimensions, but there is none in the output");
    for (int i = 0; i <= s->n; i++) {
        if (i == s->ellipsis)
            for (int label = LABELS - 1; label >= LETTERS; label--)
                if (p->size[label] >= 0) SL_TRY(add_output(p, label));
        if (i < s->n) SL_TRY(add_output(p, s->letter[i]));
    }
    return SL_OK;
}

static enum kind kind_of(const struct plan *p, int label) {
    bool is_shared = (p->seen[label] & 3) == 3, is_kept = p->seen[label] & 4;
    return is_shared ? (is_kept ? BATCH : CONTRACT) : is_kept ? FREE : REDUCE;
}

/* Labels of an operand, of some kinds, in the order of the kinds; within a kind as in the output, or as numbered. */
struct order {
    int n;
    int16_t label[SL_MAX_RANK];
    int64_t size[SL_MAX_RANK], stride[SL_MAX_RANK];
};
static void append_label(struct order *to, const struct plan *p, const struct operand *o, enum kind kind, int label) {
    int at = find_label(o, label);
    if (at < 0 || kind_of(p, label) != kind) return;
    for (int j = 0; j < to->n; j++)
        if (to->label[j] == label) return;
    bool widens = kind == CONTRACT && o->size[at] == 1;
    to->label[to->n] = (int16_t)label;
    to->size[to->n] = widens ? p->size[label] : o->size[at];
    to->stride[to->n++] = widens && p->size[label] != 1 ? 0 : o->stride[at];
}
/* The operand's label with the next number; LABELS: it has none. */
static int label_after(const struct operand *o, int label) {
    int next = LABELS;
    for (int i = 0; i < o->n; i++)
        if (o->label[i] > label && o->label[i] < next) next = o->label[i];
    return next;
}
static void append(struct order *to, const struct plan *p, const struct operand *o, enum kind kind) {
    for (int i = 0; i < p->out_rank; i++) append_label(to, p, o, kind, p->out_label[i]);
    for (int label = label_after(o, -1); label < LABELS; label = label_after(o, label))
        append_label(to, p, o, kind, label);
}
static struct order order_of(const struct plan *p, const struct operand *o, const enum kind *kinds, int n) {
    struct order order = {0};
    for (int i = 0; i < n; i++) append(&order, p, o, kinds[i]);
    return order;
}
static int64_t count_of(const struct order *o, const struct plan *p, int kind) {
    int64_t n = 1;
    for (int i = 0; i < o->n; i++)
        if (kind < 0 || (int)kind_of(p, o->label[i]) == kind) n *= o->size[i];
    return n;
}
static bool is_dense(const struct order *o) {
    int64_t step = 1;
    for (int i = o->n - 1; i >= 0; i--) {
        if (o->size[i] != 1 && o->stride[i] != step) return false;
        step *= o->size[i];
    }
    return true;
}

static sl_code scratch(char **to, size_t *bytes, struct plan *p, int64_t count) {
    *bytes = (size_t)(count > 0 ? count : 1) * sl_dtype_size(p->dtype);
    *to = sl_scratch_new(*bytes);
    return *to ? SL_OK : sl_fail_memory(p->k->err, *bytes);
}

/* Sums the last `n` of dense rows. */
static sl_code sum_rows(struct plan *p, void *to, const void *from, int64_t rows, int64_t n) {
    int parts = p->dtype == SL_COMPLEX64 || p->dtype == SL_COMPLEX128 ? 2 : 1;
    int part = p->dtype == SL_COMPLEX64 ? SL_FLOAT : p->dtype == SL_COMPLEX128 ? SL_DOUBLE : p->dtype;
    struct sl_reduce r = {.loop = sl_reduce_loop(SL_FOLD_SUM, part),
                          .finish = sl_reduce_finish(SL_FOLD_SUM, SL_RESULT_ITSELF, part),
                          .x = from,
                          .x_size = (int64_t)sl_dtype_size(part),
                          .to = to,
                          .to_size = (int64_t)sl_dtype_size(part),
                          .rank = 3,
                          .dims = {rows, n, parts},
                          .is_reduced = {false, true, false}};
    return sl_reduce_run(p->k, &r);
}

/* Brings an operand to its order, dense, without the labels that are reduced; `order` is what remains. */
static sl_code prepare(struct plan *p, int i, struct order *order) {
    static const enum kind usual[] = {BATCH, FREE, CONTRACT, REDUCE}, transposed[] = {BATCH, CONTRACT, FREE, REDUCE};
    struct operand *o = &p->in[i];
    struct order all = order_of(p, o, i ? transposed : usual, KINDS),
                 other = order_of(p, o, i ? usual : transposed, KINDS);
    o->is_transposed = !is_dense(&all) && is_dense(&other);
    if (o->is_transposed) all = other;
    *order = order_of(p, o, o->is_transposed == (i == 1) ? usual : transposed, KINDS - 1);
    int64_t count = count_of(&all, p, -1), rows = count_of(order, p, -1);
    if (!is_dense(&all)) {
        struct sl_move m = sl_move_start();
        int64_t dense[SL_MAX_RANK];
        sl_strides_of(dense, all.n, all.size);
        for (int d = 0; d < all.n; d++) sl_move_dim(&m, all.size[d], dense[d], all.stride[d]);
        SL_TRY(scratch(&o->copy, &o->copy_bytes, p, count));
        SL_TRY(sl_move_run(p->k, &m, p->dtype, o->copy, o->data));
        o->data = o->copy;
    }
    if (order->n == all.n) return SL_OK;
    SL_TRY(scratch(&o->sum, &o->sum_bytes, p, rows));
    SL_TRY(sum_rows(p, o->sum, o->data, rows, count_of(&all, p, REDUCE)));
    o->data = o->sum;
    return SL_OK;
}

/* ---- the result */
/* Brings dense elements in the order of `from` to the output. */
static sl_code deliver(struct plan *p, struct sl_wide *out, int64_t out_count, const void *data,
                       const struct order *from) {
    struct sl_move m = sl_move_start();
    int64_t strides[SL_MAX_RANK], dense[SL_MAX_RANK];
    bool is_partial = p->out_rank > from->n;
    sl_strides_of(strides, p->out_rank, p->out_dims);
    sl_strides_of(dense, from->n, from->size);
    if (is_partial) memset(out->data, 0, (size_t)out_count * sl_dtype_size(p->dtype));
    for (int i = 0; i < from->n; i++) {
        int64_t to = 0;
        for (int d = 0; d < p->out_rank; d++)
            if (p->out_label[d] == from->label[i]) to += strides[d];
        sl_move_dim(&m, from->size[i], to, dense[i]);
    }
    return sl_move_run(p->k, &m, p->dtype, out->data, data);
}

static bool is_output_order(const struct plan *p, const struct order *o) {
    if (o->n != p->out_rank) return false;
    for (int i = 0; i < o->n; i++)
        if (o->label[i] != p->out_label[i]) return false;
    return true;
}

static sl_code multiply(struct plan *p, struct sl_wide *out, int64_t out_count, const struct order order[2]) {
    struct order result = {0};
    int64_t dims[SL_MAX_RANK], strides[2][SL_MAX_RANK], below[2] = {1, 1};
    struct sl_product product = {.dtype = p->dtype,
                                 .rounds = sl_fpmath_rounds(p->type),
                                 .batch = 1,
                                 .dims = dims,
                                 .a_strides = strides[0],
                                 .b_strides = strides[1]};
    while (product.rank < order[0].n && kind_of(p, order[0].label[product.rank]) == BATCH) product.rank++;
    for (int d = product.rank - 1; d >= 0; d--) {
        dims[d] = p->size[order[0].label[d]];
        product.batch *= dims[d];
        for (int i = 0; i < 2; i++) {
            strides[i][d] = order[i].size[d] == 1 ? 0 : below[i];
            below[i] *= order[i].size[d];
        }
    }
    for (int d = 0; d < product.rank; d++) {
        result.label[d] = order[0].label[d];
        result.size[d] = dims[d];
    }
    result.n = product.rank;
    for (int i = 0; i < 2; i++)
        for (int d = 0; d < order[i].n; d++)
            if (kind_of(p, order[i].label[d]) == FREE) {
                result.label[result.n] = order[i].label[d];
                result.size[result.n++] = order[i].size[d];
            }
    product.m = count_of(&order[0], p, FREE);
    product.n = count_of(&order[1], p, FREE);
    product.k = count_of(&order[0], p, CONTRACT);
    product.a = (struct sl_product_side){.data = p->in[0].data, .is_transposed = p->in[0].is_transposed};
    product.b = (struct sl_product_side){.data = p->in[1].data, .is_transposed = p->in[1].is_transposed};
    if (is_output_order(p, &result)) {
        product.c = out->data;
        return sl_product_run(p->k, &product);
    }
    char *room;
    size_t bytes;
    SL_TRY(scratch(&room, &bytes, p, product.batch * product.m * product.n));
    product.c = room;
    sl_code code = sl_product_run(p->k, &product);
    if (code == SL_OK) code = deliver(p, out, out_count, room, &result);
    sl_scratch_free(room, bytes);
    return code;
}

static sl_code compute(struct plan *p, const struct state *s, struct sl_wide *out, int64_t out_count) {
    struct order order[2];
    for (int i = 0; i < s->inputs; i++) {
        SL_TRY(sl_wide_in(&p->in[i].wide, p->k, sl_in(p->k, i)));
        p->in[i].data = p->in[i].wide.data;
        SL_TRY(prepare(p, i, &order[i]));
    }
    return s->inputs == 2 ? multiply(p, out, out_count, order) : deliver(p, out, out_count, p->in[0].data, &order[0]);
}

static sl_code run(struct plan *p, const struct state *s) {
    struct sl_view out;
    struct sl_wide wide;
    memset(p->size, -1, sizeof p->size);
    for (int i = 0; i < s->inputs; i++) SL_TRY(bind_input(p, i, &s->in[i], sl_in(p->k, i)));
    SL_TRY(bind_output(p, &s->out));
    SL_TRY(sl_out_new(&out, p->k, 0, (struct sl_shape){p->out_rank, p->out_dims}));
    if (out.count == 0) return SL_OK;
    p->type = out.dtype;
    p->dtype = sl_wide_type(out.dtype);
    SL_TRY(sl_wide_out(&wide, p->k, out));
    sl_code code = compute(p, s, &wide, out.count);
    if (code == SL_OK) sl_wide_store(&wide, p->k, out);
    sl_wide_free(&wide);
    return code;
}

static sl_code einsum_run(struct sl_kernel_context *k) {
    struct plan *p = sl_calloc(1, sizeof *p);
    if (!p) return sl_fail_memory(k->err, sizeof *p);
    p->k = k;
    sl_code code = run(p, k->state);
    for (int i = 0; i < 2; i++) {
        sl_wide_free(&p->in[i].wide);
        sl_scratch_free(p->in[i].copy, p->in[i].copy_bytes);
        sl_scratch_free(p->in[i].sum, p->in[i].sum_bytes);
    }
    sl_free(p);
    return code;
}

#define TYPES (SL_SET_FLOATS | SL_SET_COMPLEX | SL_SET(INT32) | SL_SET(INT64))

const struct sl_kernel_def sl_cpu_einsum_rows[] = {KERNEL("Einsum", RULE("T", TYPES), .create = einsum_create,
                                                          .destroy = einsum_destroy, .run = einsum_run, .cost_ns = 600,
                                                          .cost_element = 4) SL_ROWS_END};
