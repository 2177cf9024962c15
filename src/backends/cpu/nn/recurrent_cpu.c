/* Cells of recurrent nets and their gradients: LSTM (one step, or a block of steps) and GRU. Computed in float.
 *
 * A step of an LSTM makes gates [batch, 4 * cells] = [x, h] w + b: columns of i (input), then of the new value and
 * of f (forget), in the order that the op has, then of o (output). Hochreiter and Schmidhuber 1997, with the
 * peepholes of Gers and others 2002. GRU: Cho and others 2014. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "backends/cpu/array/move.h"
#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/indices.h"
#include "backends/cpu/product/gemm.h"
#include "backends/cpu/wide.h"
#include "base/alloc.h"
#include "base/checked.h"

static float sigmoid(float x) { return 1 / (1 + expf(-x)); }

/* c (m x n) = a (m x k, or its transpose k x m) b (k x n, or its transpose), or added to c. */
struct product {
    int64_t m, n, k;
    const float *a, *b;
    bool transposes_a, transposes_b, adds;
    float *c;
};
static sl_code multiply(struct sl_kernel_context *k, const struct product *p) {
    if (p->m == 0 || p->n == 0) return SL_OK;
    if (p->k == 0) {
        if (!p->adds) memset(p->c, 0, (size_t)(p->m * p->n) * sizeof *p->c);
        return SL_OK;
    }
    struct sl_gemm g = {
        .adds = p->adds, .m = p->m, .n = p->n, .k = p->k, .a = p->a, .b = p->b, .c = p->c, .c_row = p->n};
    g.a_row = p->transposes_a ? 1 : p->k;
    g.a_k = p->transposes_a ? p->m : 1;
    g.b_k = p->transposes_b ? 1 : p->n;
    g.b_column = p->transposes_b ? p->k : 1;
    return sl_gemm_run(k, &g, k->err);
}

/* to = [a, b] row by row, b scaled by `factor` unless NULL. */
static void join(float *to, const float *a, int64_t na, const float *b, const float *factor, int64_t nb, int64_t rows) {
    for (int64_t r = 0; r < rows; r++, to += na + nb) {
        if (na) memcpy(to, a + r * na, (size_t)na * sizeof *to);
        for (int64_t j = 0; j < nb; j++) to[na + j] = b[r * nb + j] * (factor ? factor[r * nb + j] : 1);
    }
}

/* ---- inputs and outputs as float */

enum { MOST_INPUTS = 18, MOST_OUTPUTS = 8 };
struct tensors {
    struct sl_kernel_context *k;
    int n_in, n_out;
    struct sl_view in[MOST_INPUTS], out[MOST_OUTPUTS];
    struct sl_wide wide_in[MOST_INPUTS], wide_out[MOST_OUTPUTS];
};

static sl_code tensors_in(struct tensors *t, struct sl_kernel_context *k) {
    *t = (struct tensors){.k = k, .n_in = sl_in_count(k), .n_out = sl_out_count(k)};
    for (int i = 0; i < t->n_in; i++) t->in[i] = sl_in(k, i);
    return SL_OK;
}
/* What a dim of an input must be, and how messages call it. */
struct wanted {
    int64_t size; /* -1: anything */
    const char *name;
};
/* Input i must have this shape. INVALID_ARGUMENT. */
static sl_code expect(const struct tensors *t, int i, const char *name, int rank, struct wanted first,
                      struct wanted second) {
    struct sl_view v = t->in[i];
    if (v.rank != rank) return sl_invalid(t->k, "%s must be rank %d but is rank %d", name, rank, v.rank);
    const struct wanted wanted[2] = {first, second};
    for (int d = 0; d < rank && d < 2; d++)
        if (wanted[d].size >= 0 && v.dims[rank > 2 ? d + 1 : d] != wanted[d].size)
            return sl_invalid(t->k, "%s.dims(%d) != %s: %" PRId64 " vs. %" PRId64, name, d, wanted[d].name,
                              v.dims[rank > 2 ? d + 1 : d], wanted[d].size);
    return SL_OK;
}
static sl_code tensors_open(struct tensors *t) {
    for (int i = 0; i < t->n_in; i++)
        if (t->in[i].dtype == SL_FLOAT || t->in[i].dtype == SL_HALF) SL_TRY(sl_wide_in(&t->wide_in[i], t->k, t->in[i]));
    for (int o = 0; o < t->n_out; o++) SL_TRY(sl_wide_out(&t->wide_out[o], t->k, t->out[o]));
    return SL_OK;
}
static void tensors_close(struct tensors *t, sl_code code) {
    for (int o = 0; o < t->n_out; o++) {
        if (code == SL_OK) sl_wide_store(&t->wide_out[o], t->k, t->out[o]);
        sl_wide_free(&t->wide_out[o]);
    }
    for (int i = 0; i < t->n_in; i++) sl_wide_free(&t->wide_in[i]);
}
static const float *input(const struct tensors *t, int i) { return t->wide_in[i].data; }
static float *output(const struct tensors *t, int o) { return t->wide_out[o].data; }

/* ---- LSTM */

struct lstm {
    float forget_bias, cell_clip;
    bool has_peephole, forgets_first; /* forgets_first: the columns of f come before those of the new value */
};
struct lstm_row {
    bool is_block, forgets_first;
};

static sl_code lstm_create(void **out, struct sl_kernel_setup *setup) {
    const struct lstm_row *row = setup->def->data;
    struct lstm s = {.forgets_first = row->forgets_first};
    SL_TRY(sl_attr_bool(&s.has_peephole, setup->attrs, "use_peephole", setup->err));
    if (sl_attr_find(setup->attrs, SL_STR("cell_clip")))
        SL_TRY(sl_attr_float(&s.cell_clip, setup->attrs, "cell_clip", setup->err));
    if (sl_attr_find(setup->attrs, SL_STR("forget_bias")))
        SL_TRY(sl_attr_float(&s.forget_bias, setup->attrs, "forget_bias", setup->err));
    struct lstm *state = sl_malloc(sizeof *state);
    if (!state) return sl_fail_memory(setup->err, sizeof *state);
    *state = s;
    *out = state;
    return SL_OK;
}
static void destroy(void *state) { sl_free(state); }

struct step {
    const struct lstm *s;
    int64_t batch, inputs, cells;
    const float *x, *cs_prev, *h_prev, *w, *wci, *wcf, *wco, *b;
    float *i, *cs, *f, *o, *ci, *co, *h; /* [batch, cells] each */
    float *xh, *gates;                   /* room: [batch, inputs + cells], [batch, 4 * cells] */
};

static sl_code step_forward(struct sl_kernel_context *k, const struct step *t) {
    const struct lstm *s = t->s;
    int64_t n = t->cells;
    join(t->xh, t->x, t->inputs, t->h_prev, NULL, n, t->batch);
    SL_TRY(multiply(
        k, &(struct product){.m = t->batch, .n = 4 * n, .k = t->inputs + n, .a = t->xh, .b = t->w, .c = t->gates}));
    const int64_t at_value = s->forgets_first ? 2 * n : n, at_forget = s->forgets_first ? n : 2 * n;
    for (int64_t r = 0; r < t->batch; r++)
        for (int64_t c = 0; c < n; c++) {
            const float *g = t->gates + r * 4 * n + c, *b = t->b + c;
            int64_t at = r * n + c;
            float before = t->cs_prev[at], peep_i = s->has_peephole ? before * t->wci[c] : 0;
            float peep_f = s->has_peephole ? before * t->wcf[c] : 0;
            float in = sigmoid(g[0] + b[0] + peep_i), value = tanhf(g[at_value] + b[at_value]);
            float forget = sigmoid(g[at_forget] + b[at_forget] + s->forget_bias + peep_f);
            float cell = value * in + before * forget;
            if (s->cell_clip > 0)
                cell = cell > s->cell_clip ? s->cell_clip : cell < -s->cell_clip ? -s->cell_clip : cell;
            float out = sigmoid(g[3 * n] + b[3 * n] + (s->has_peephole ? cell * t->wco[c] : 0));
            t->i[at] = in;
            t->cs[at] = cell;
            t->f[at] = forget;
            t->o[at] = out;
            t->ci[at] = value;
            t->co[at] = tanhf(cell);
            t->h[at] = t->co[at] * out;
        }
    return SL_OK;
}

/* Gradients of one step: d_gates and cs_prev_grad are written, those of the peepholes added to. */
struct step_grad {
    const struct lstm *s;
    int64_t batch, cells;
    const float *cs_prev, *wci, *wcf, *wco, *i, *cs, *f, *o, *ci, *co, *cs_grad, *h_grad;
    float *d_gates, *cs_prev_grad, *wci_grad, *wcf_grad, *wco_grad;
};
static void step_backward(const struct step_grad *t) {
    const struct lstm *s = t->s;
    int64_t n = t->cells, at_value = s->forgets_first ? 2 * n : n, at_forget = s->forgets_first ? n : 2 * n;
    for (int64_t r = 0; r < t->batch; r++)
        for (int64_t c = 0; c < n; c++) {
            int64_t at = r * n + c;
            float *g = t->d_gates + r * 4 * n + c;
            float i = t->i[at], f = t->f[at], o = t->o[at], ci = t->ci[at], co = t->co[at], before = t->cs_prev[at];
            float d_out = o * (1 - o) * t->h_grad[at] * co;
            float d_cell = (1 - co * co) * t->h_grad[at] * o + t->cs_grad[at];
            if (s->has_peephole) d_cell += d_out * t->wco[c];
            float d_value = (1 - ci * ci) * d_cell * i, d_forget = f * (1 - f) * d_cell * before;
            float d_in = i * (1 - i) * d_cell * ci, d_before = d_cell * f;
            if (s->has_peephole) {
                d_before += d_in * t->wci[c] + d_forget * t->wcf[c];
                t->wci_grad[c] += d_in * before;
                t->wcf_grad[c] += d_forget * before;
                t->wco_grad[c] += d_out * t->cs[at];
            }
            g[0] = d_in;
            g[at_value] = d_value;
            g[at_forget] = d_forget;
            g[3 * n] = d_out;
            t->cs_prev_grad[at] = d_before;
        }
}

/* Checks that inputs from `first` on are x, cs_prev, h_prev, w, wci, wcf, wco, b; x may have a dim of time before. */
static sl_code check_cell(const struct tensors *t, int first, int64_t *batch, int64_t *inputs, int64_t *cells) {
    int rank = first ? 3 : 2; /* a block has the length before */
    struct sl_view x = t->in[first], cs = t->in[first + 1];
    if (x.rank != rank) return sl_invalid(t->k, "x must be %dD, got shape %s", rank, SHAPE_OF(x));
    if (cs.rank != 2) return sl_invalid(t->k, "cs_prev must be rank 2 but is rank %d", cs.rank);
    *batch = x.dims[rank - 2];
    *inputs = x.dims[rank - 1];
    *cells = cs.dims[1];
    const struct wanted images = {*batch, "batch_size"}, cell = {*cells, "cell_size"}, any = {-1, ""};
    const struct wanted both = {*inputs + *cells, "input_size + cell_size"}, gates = {*cells * 4, "cell_size * 4"};
    SL_TRY(expect(t, first + 1, "cs_prev", 2, images, any));
    if (!first && cs.count == 0)
        return sl_invalid(t->k, "cs_prev_tensor is empty, has shape: (%" PRId64 ",%" PRId64 ").", *batch, *cells);
    SL_TRY(expect(t, first + 2, "h_prev", 2, images, cell));
    SL_TRY(expect(t, first + 3, "w", 2, both, gates));
    bool is_free = t->n_in > 9 && !((const struct lstm *)t->k->state)->has_peephole; /* gradients do not look at them */
    SL_TRY(expect(t, first + 4, "wci", 1, is_free ? any : cell, any));
    SL_TRY(expect(t, first + 5, "wcf", 1, is_free ? any : cell, any));
    SL_TRY(expect(t, first + 6, "wco", 1, is_free ? any : cell, any));
    return expect(t, first + 7, "b", 1, gates, any);
}

/* Steps of a block: the length that is given, at most those of x. */
static sl_code read_length(int64_t *length, const struct tensors *t) {
    struct sl_view v = t->in[0];
    if (v.rank) return sl_invalid(t->k, "seq_len_max must be a scalar, got shape %s", SHAPE_OF(v));
    *length = *(const int64_t *)v.data;
    if (t->in[1].rank == 3 && *length > t->in[1].dims[0])
        return sl_invalid(t->k,
                          "The value of seq_len_max: %" PRId64
                          " can not be larger than the first dimension of x: %" PRId64,
                          *length, t->in[1].dims[0]);
    if (*length < 0) *length = 0;
    return SL_OK;
}

static float *new_room(size_t *bytes, struct sl_kernel_context *k, int64_t rows, int64_t columns) {
    int64_t n;
    if (!sl_mul_i64(&n, rows, columns) || !sl_mul_i64(&n, n + 16, (int64_t)sizeof(float))) n = INT64_MAX;
    *bytes = (size_t)n;
    float *room = sl_scratch_new(*bytes);
    if (!room) (void)sl_fail_memory(k->err, *bytes);
    return room;
}

static sl_code lstm_steps(struct tensors *t, int first, int64_t steps, struct step *p) {
    size_t bytes;
    int64_t all = t->in[first].rank == 3 ? t->in[first].dims[0] : 1, plane = p->batch * p->cells;
    float *room = new_room(&bytes, t->k, p->batch, p->inputs + 5 * p->cells);
    if (!room) return SL_RESOURCE_EXHAUSTED;
    sl_code code = SL_OK;
    p->s = t->k->state;
    p->xh = room;
    p->gates = room + p->batch * (p->inputs + p->cells);
    p->w = input(t, first + 3);
    p->wci = input(t, first + 4);
    p->wcf = input(t, first + 5);
    p->wco = input(t, first + 6);
    p->b = input(t, first + 7);
    for (int64_t s = 0; code == SL_OK && s < steps; s++) {
        p->x = input(t, first) + s * p->batch * p->inputs;
        p->cs_prev = s ? p->cs : input(t, first + 1);
        p->h_prev = s ? p->h : input(t, first + 2);
        float **outs[] = {&p->i, &p->cs, &p->f, &p->o, &p->ci, &p->co, &p->h};
        for (int o = 0; o < 7; o++) *outs[o] = output(t, o) + s * plane;
        code = step_forward(t->k, p);
    }
    for (int o = 0; code == SL_OK && o < 7; o++)
        if (all > steps) memset(output(t, o) + steps * plane, 0, (size_t)((all - steps) * plane) * sizeof(float));
    sl_scratch_free(room, bytes);
    return code;
}

static sl_code lstm_run(struct sl_kernel_context *k) {
    const struct lstm_row *row = k->node->def->data;
    struct tensors t;
    struct step p = {0};
    int64_t steps = 1;
    int first = row->is_block;
    SL_TRY(tensors_in(&t, k));
    SL_TRY(check_cell(&t, first, &p.batch, &p.inputs, &p.cells));
    if (first) SL_TRY(read_length(&steps, &t));
    const int64_t dims[] = {first ? t.in[1].dims[0] : 0, p.batch, p.cells};
    for (int o = 0; o < 7; o++) SL_TRY(sl_out_new(&t.out[o], k, o, (struct sl_shape){2 + first, dims + 1 - first}));
    sl_code code = tensors_open(&t);
    if (code == SL_OK) code = lstm_steps(&t, first, steps, &p);
    tensors_close(&t, code);
    return code;
}

/* ---- gradients of LSTM: i, cs, f, o, ci, co (and h of a block), then those of cs and h follow the eight inputs of
 * a cell */

static sl_code lstm_cell_grad_run(struct sl_kernel_context *k) {
    static const char *const names[] = {"i", "cs", "f", "o", "ci", "co", "cs_grad", "h_grad"};
    struct tensors t;
    struct step_grad p = {.s = k->state};
    int64_t inputs;
    SL_TRY(tensors_in(&t, k));
    SL_TRY(check_cell(&t, 0, &p.batch, &inputs, &p.cells));
    for (int i = 0; i < 8; i++)
        SL_TRY(expect(&t, 8 + i, names[i], 2, (struct wanted){p.batch, "batch_size"},
                      (struct wanted){p.cells, "cell_size"}));
    SL_TRY(sl_out_new(&t.out[0], k, 0, (struct sl_shape){2, (int64_t[]){p.batch, p.cells}}));
    SL_TRY(sl_out_new(&t.out[1], k, 1, (struct sl_shape){2, (int64_t[]){p.batch, 4 * p.cells}}));
    for (int o = 2; o < 5; o++) SL_TRY(sl_out_new(&t.out[o], k, o, sl_view_shape(t.in[2 + o])));
    sl_code code = tensors_open(&t);
    if (code == SL_OK) {
        const float **ins[] = {&p.i, &p.cs, &p.f, &p.o, &p.ci, &p.co, &p.cs_grad, &p.h_grad};
        for (int i = 0; i < 8; i++) *ins[i] = input(&t, 8 + i);
        p.cs_prev = input(&t, 1);
        p.wci = input(&t, 4);
        p.wcf = input(&t, 5);
        p.wco = input(&t, 6);
        p.cs_prev_grad = output(&t, 0);
        p.d_gates = output(&t, 1);
        p.wci_grad = output(&t, 2);
        p.wcf_grad = output(&t, 3);
        p.wco_grad = output(&t, 4);
        for (int o = 2; o < 5; o++)
            if (t.out[o].count) memset(output(&t, o), 0, (size_t)t.out[o].count * sizeof(float));
        step_backward(&p);
    }
    tensors_close(&t, code);
    return code;
}

enum { X_GRAD, CS_PREV_GRAD, H_PREV_GRAD, W_GRAD, WCI_GRAD, WCF_GRAD, WCO_GRAD, B_GRAD };

/* One step back: gradients of the cell and of the output that come from the step after are in cs_prev_grad and
 * h_prev_grad, and are replaced. `room`: xh, d_gates, d_xh, cs_grad, h_grad. */
static sl_code block_step_grad(struct tensors *t, struct step_grad *p, int64_t s, int64_t inputs, float *room) {
    int64_t n = p->cells, plane = p->batch * n, wide = inputs + n;
    float *xh = room, *d_xh = xh + p->batch * wide, *d_gates = d_xh + p->batch * wide, *cs_grad = d_gates + 4 * plane,
          *h_grad = cs_grad + plane;
    const float **ins[] = {&p->i, &p->cs, &p->f, &p->o, &p->ci, &p->co};
    for (int i = 0; i < 6; i++) *ins[i] = input(t, 9 + i) + s * plane;
    p->cs_prev = s ? input(t, 10) + (s - 1) * plane : input(t, 2);
    const float *h_prev = s ? input(t, 15) + (s - 1) * plane : input(t, 3);
    for (int64_t i = 0; i < plane; i++) {
        cs_grad[i] = input(t, 16)[s * plane + i] + output(t, CS_PREV_GRAD)[i];
        h_grad[i] = input(t, 17)[s * plane + i] + output(t, H_PREV_GRAD)[i];
    }
    p->cs_grad = cs_grad;
    p->h_grad = h_grad;
    p->d_gates = d_gates;
    step_backward(p);
    join(xh, input(t, 1) + s * p->batch * inputs, inputs, h_prev, NULL, n, p->batch);
    SL_TRY(multiply(
        t->k,
        &(struct product){
            .m = p->batch, .n = wide, .k = 4 * n, .a = d_gates, .b = input(t, 4), .transposes_b = true, .c = d_xh}));
    SL_TRY(multiply(t->k, &(struct product){.m = wide,
                                            .n = 4 * n,
                                            .k = p->batch,
                                            .a = xh,
                                            .transposes_a = true,
                                            .b = d_gates,
                                            .c = output(t, W_GRAD),
                                            .adds = true}));
    for (int64_t r = 0; r < p->batch; r++) {
        const float *from = d_xh + r * wide;
        if (inputs) memcpy(output(t, X_GRAD) + (s * p->batch + r) * inputs, from, (size_t)inputs * sizeof *from);
        if (n) memcpy(output(t, H_PREV_GRAD) + r * n, from + inputs, (size_t)n * sizeof *from);
        for (int64_t j = 0; j < 4 * n; j++) output(t, B_GRAD)[j] += d_gates[r * 4 * n + j];
    }
    return SL_OK;
}

static sl_code block_steps_grad(struct tensors *t, struct step_grad *p, int64_t steps, int64_t inputs) {
    size_t bytes;
    float *room = new_room(&bytes, t->k, p->batch, 2 * inputs + 8 * p->cells);
    if (!room) return SL_RESOURCE_EXHAUSTED;
    for (int o = 0; o < 8; o++)
        if (t->out[o].count) memset(output(t, o), 0, (size_t)t->out[o].count * sizeof(float));
    p->wci = input(t, 5);
    p->wcf = input(t, 6);
    p->wco = input(t, 7);
    p->cs_prev_grad = output(t, CS_PREV_GRAD);
    p->wci_grad = output(t, WCI_GRAD);
    p->wcf_grad = output(t, WCF_GRAD);
    p->wco_grad = output(t, WCO_GRAD);
    sl_code code = SL_OK;
    for (int64_t s = steps - 1; code == SL_OK && s >= 0; s--) code = block_step_grad(t, p, s, inputs, room);
    sl_scratch_free(room, bytes);
    return code;
}

static sl_code block_grad_run(struct sl_kernel_context *k) {
    static const char *const names[] = {"i", "cs", "f", "o", "ci", "co", "h", "cs_grad", "h_grad"};
    struct tensors t;
    struct step_grad p = {.s = k->state};
    int64_t inputs, steps;
    SL_TRY(tensors_in(&t, k));
    SL_TRY(check_cell(&t, 1, &p.batch, &inputs, &p.cells));
    SL_TRY(read_length(&steps, &t));
    for (int i = 0; i < 9; i++) {
        SL_TRY(expect(&t, 9 + i, names[i], 3, (struct wanted){p.batch, "batch_size"},
                      (struct wanted){p.cells, "cell_size"}));
        if (t.in[9 + i].dims[0] != t.in[1].dims[0])
            return sl_invalid(k, "%s.dims(0) must be %" PRId64 ", got shape %s", names[i], t.in[1].dims[0],
                              SHAPE_OF(t.in[9 + i]));
    }
    for (int o = 0; o < 8; o++) SL_TRY(sl_out_new(&t.out[o], k, o, sl_view_shape(t.in[1 + o])));
    sl_code code = tensors_open(&t);
    if (code == SL_OK) code = block_steps_grad(&t, &p, steps, inputs);
    tensors_close(&t, code);
    return code;
}

/* ---- GRU: x, h_prev, w_ru, w_c, b_ru, b_c; then r, u, c, d_h of the gradient */

struct gru {
    int64_t batch, inputs, cells;
    const float *x, *h, *w_ru, *w_c, *b_ru, *b_c;
};

static sl_code check_gru(struct gru *g, struct tensors *t) {
    if (t->in[0].rank != 2) return sl_invalid(t->k, "x must be rank 2 but is rank %d", t->in[0].rank);
    if (t->in[1].rank != 2) return sl_invalid(t->k, "h_prev must be rank 2 but is rank %d", t->in[1].rank);
    g->batch = t->in[0].dims[0];
    g->inputs = t->in[0].dims[1];
    g->cells = t->in[1].dims[1];
    const struct wanted batch = {g->batch, "batch_size"}, cell = {g->cells, "cell_size"}, any = {-1, ""};
    const struct wanted both = {g->inputs + g->cells, "input_size + cell_size"},
                        gates = {2 * g->cells, "cell_size * 2"};
    SL_TRY(expect(t, 1, "h_prev", 2, batch, any));
    SL_TRY(expect(t, 2, "w_ru", 2, both, gates));
    SL_TRY(expect(t, 3, "w_c", 2, both, cell));
    SL_TRY(expect(t, 4, "b_ru", 1, gates, any));
    SL_TRY(expect(t, 5, "b_c", 1, cell, any));
    const float **ins[] = {&g->x, &g->h, &g->w_ru, &g->w_c, &g->b_ru, &g->b_c};
    for (int i = 0; i < 6; i++) *ins[i] = t->in[i].data;
    return SL_OK;
}

static sl_code gru_forward(struct tensors *t, const struct gru *g, float *room) {
    int64_t n = g->cells, wide = g->inputs + n;
    float *xh = room, *gates = room + g->batch * wide;
    float *r = t->out[0].data, *u = t->out[1].data, *c = t->out[2].data, *h = t->out[3].data;
    join(xh, g->x, g->inputs, g->h, NULL, n, g->batch);
    SL_TRY(multiply(t->k, &(struct product){.m = g->batch, .n = 2 * n, .k = wide, .a = xh, .b = g->w_ru, .c = gates}));
    for (int64_t i = 0; i < g->batch * n; i++) {
        int64_t row = i / n, column = i % n;
        r[i] = sigmoid(gates[row * 2 * n + column] + g->b_ru[column]);
        u[i] = sigmoid(gates[row * 2 * n + n + column] + g->b_ru[n + column]);
    }
    join(xh, g->x, g->inputs, g->h, r, n, g->batch);
    SL_TRY(multiply(t->k, &(struct product){.m = g->batch, .n = n, .k = wide, .a = xh, .b = g->w_c, .c = c}));
    for (int64_t i = 0; i < g->batch * n; i++) {
        c[i] = tanhf(c[i] + g->b_c[i % n]);
        h[i] = u[i] * g->h[i] + (1 - u[i]) * c[i];
    }
    return SL_OK;
}

static sl_code gru_backward(struct tensors *t, const struct gru *g, float *room) {
    const float *r = t->in[6].data, *u = t->in[7].data, *c = t->in[8].data, *d_h = t->in[9].data;
    float *d_x = t->out[0].data, *d_prev = t->out[1].data, *d_c = t->out[2].data, *d_ru = t->out[3].data;
    int64_t n = g->cells, wide = g->inputs + n;
    float *by_c = room, *by_ru = room + g->batch * wide;
    for (int64_t i = 0; i < g->batch * n; i++) {
        d_c[i] = d_h[i] * (1 - u[i]) * (1 - c[i] * c[i]);
        d_ru[i / n * 2 * n + n + i % n] = d_h[i] * (g->h[i] - c[i]) * u[i] * (1 - u[i]);
    }
    SL_TRY(multiply(
        t->k,
        &(struct product){.m = g->batch, .n = wide, .k = n, .a = d_c, .b = g->w_c, .transposes_b = true, .c = by_c}));
    for (int64_t i = 0; i < g->batch * n; i++)
        d_ru[i / n * 2 * n + i % n] = by_c[i / n * wide + g->inputs + i % n] * g->h[i] * r[i] * (1 - r[i]);
    SL_TRY(
        multiply(t->k,
                 &(struct product){
                     .m = g->batch, .n = wide, .k = 2 * n, .a = d_ru, .b = g->w_ru, .transposes_b = true, .c = by_ru}));
    for (int64_t row = 0; row < g->batch; row++) {
        for (int64_t j = 0; j < g->inputs; j++) d_x[row * g->inputs + j] = by_c[row * wide + j] + by_ru[row * wide + j];
        for (int64_t j = 0; j < n; j++) {
            int64_t i = row * n + j, at = row * wide + g->inputs + j;
            d_prev[i] = by_ru[at] + by_c[at] * r[i] + d_h[i] * u[i];
        }
    }
    return SL_OK;
}

static sl_code gru_run(struct sl_kernel_context *k) {
    static const char *const names[] = {"r", "u", "c", "d_h"};
    struct tensors t;
    struct gru g;
    size_t bytes;
    SL_TRY(tensors_in(&t, k));
    SL_TRY(check_gru(&g, &t));
    bool is_grad = t.n_in > 6;
    for (int i = 6; i < t.n_in; i++)
        SL_TRY(expect(&t, i, names[i - 6], 2, (struct wanted){g.batch, "batch_size"},
                      (struct wanted){g.cells, "cell_size"}));
    for (int o = 0; o < 4; o++) {
        int64_t columns = !is_grad ? g.cells : o == 0 ? g.inputs : o == 3 ? 2 * g.cells : g.cells;
        SL_TRY(sl_out_new(&t.out[o], k, o, (struct sl_shape){2, (int64_t[]){g.batch, columns}}));
    }
    float *room = new_room(&bytes, k, g.batch, 2 * g.inputs + 3 * g.cells);
    if (!room) return SL_RESOURCE_EXHAUSTED;
    sl_code code = g.cells == 0 ? SL_OK : is_grad ? gru_backward(&t, &g, room) : gru_forward(&t, &g, room);
    if (g.cells == 0 && is_grad) sl_move_zero(k, t.out[0]);
    sl_scratch_free(room, bytes);
    return code;
}

#define FLOATS RULE("T", SL_SET(HALF) | SL_SET(FLOAT))
#define LSTM(op_, run_, ...)                                                                                           \
    {.op = op_,                                                                                                        \
     .device = SL_HOST_DEVICE,                                                                                         \
     .types = {FLOATS},                                                                                                \
     .create = lstm_create,                                                                                            \
     .destroy = destroy,                                                                                               \
     .run = run_,                                                                                                      \
     .cost_element = 50,                                                                                               \
     .data = &(const struct lstm_row){__VA_ARGS__}},
/* clang-format off */
const struct sl_kernel_def sl_cpu_recurrent_rows[] = {
    LSTM("LSTMBlockCell", lstm_run, false, false)
    LSTM("LSTMBlockCellGrad", lstm_cell_grad_run, false, false)
    LSTM("BlockLSTM", lstm_run, true, false)
    LSTM("BlockLSTMV2", lstm_run, true, true)
    LSTM("BlockLSTMGrad", block_grad_run, true, false)
    LSTM("BlockLSTMGradV2", block_grad_run, true, true)
    KERNEL("GRUBlockCell", RULE("T", SL_SET(FLOAT)), .run = gru_run, .cost_element = 50)
    KERNEL("GRUBlockCellGrad", RULE("T", SL_SET(FLOAT)), .run = gru_run, .cost_element = 50)
    SL_ROWS_END
};
/* clang-format on */
