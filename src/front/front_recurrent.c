/* Recurrent layers (sluice/layers.h): a scan over the time, or two in opposite directions. Where a mask says so, a step
 * leaves the states as they are. */
#include "front/front.h"
#include "front/front_layers.h"
#include "front/front_options.h"
#include "sluice/flow.h"
#include "sluice/layers.h"
#include "sluice/ops.h"

struct cell {
    TF_Output kernel, bias;         /* [inputs + units, gates * units], [gates * units] */
    TF_Output kernel_new, bias_new; /* GRU: of the candidate, [inputs + units, units], [units] */
    TF_Output mask;                 /* bool [time, batch, 1]; {NULL, 0}: every step counts */
    bool is_lstm;
};

static TF_Output number(struct sl_scope *s, TF_Output like, double value) { return sl_scalar_like(s, like, value); }

static TF_Output joined(struct sl_scope *s, TF_Output a, TF_Output b, int axis) {
    const TF_Output both[] = {a, b};
    return sl_concat_v2(s, both, 2, sl_scalar(s, TF_INT32, axis));
}

/* Hochreiter and Schmidhuber 1997, with a forget gate; gates in the order input, candidate, forget, output. */
static void lstm_step(struct sl_scope *s, TF_Output *next, const TF_Output *states, TF_Output x, const struct cell *c) {
    TF_Output gates = sl_bias_add(s, sl_matmul(s, joined(s, x, states[0], 1), c->kernel), c->bias);
    TF_Operation *split = sl_split(s, sl_scalar(s, TF_INT32, 1), gates, (struct sl_split_attrs){.num_split = 4});
    const TF_Output i = {split, 0}, j = {split, 1}, f = {split, 2}, o = {split, 3};
    TF_Output kept = sl_mul(s, states[1], sl_sigmoid(s, sl_add_v2(s, f, number(s, f, 1))));
    next[1] = sl_add_v2(s, kept, sl_mul(s, sl_sigmoid(s, i), sl_tanh(s, j)));
    next[0] = sl_mul(s, sl_tanh(s, next[1]), sl_sigmoid(s, o));
}

/* Cho et al. 2014; gates in the order reset, update. */
static void gru_step(struct sl_scope *s, TF_Output *next, const TF_Output *states, TF_Output x, const struct cell *c) {
    TF_Output gates = sl_sigmoid(s, sl_bias_add(s, sl_matmul(s, joined(s, x, states[0], 1), c->kernel), c->bias));
    TF_Operation *split = sl_split(s, sl_scalar(s, TF_INT32, 1), gates, (struct sl_split_attrs){.num_split = 2});
    const TF_Output reset = {split, 0}, update = {split, 1};
    TF_Output seen = joined(s, x, sl_mul(s, reset, states[0]), 1);
    TF_Output fresh = sl_tanh(s, sl_bias_add(s, sl_matmul(s, seen, c->kernel_new), c->bias_new));
    TF_Output rest = sl_mul(s, sl_sub(s, number(s, update, 1), update), fresh);
    next[0] = sl_add_v2(s, sl_mul(s, update, states[0]), rest);
}

/* With a mask, the last state is the time. */
static void step(struct sl_scope *s, TF_Output *next, const TF_Output *states, TF_Output x, void *arg) {
    const struct cell *c = arg;
    int n = c->is_lstm ? 2 : 1;
    (c->is_lstm ? lstm_step : gru_step)(s, next, states, x, c);
    if (!c->mask.oper) return;
    TF_Output counts = sl_gather_v2(s, c->mask, states[n], sl_scalar(s, TF_INT32, 0));
    for (int i = 0; i < n; i++) next[i] = sl_select_v2(s, counts, next[i], states[i]);
    next[n] = sl_add_v2(s, states[n], sl_scalar(s, TF_INT32, 1));
}

static struct cell cell_new(struct sl_scope *s, TF_DataType type, int64_t inputs, int64_t units, bool is_lstm) {
    int64_t both = inputs + units, gates = (is_lstm ? 4 : 2) * units;
    struct cell c = {.is_lstm = is_lstm};
    c.kernel = sl_variable(s, "kernel", sl_initial_glorot(s, type, SL_SHAPE(both, gates))).value;
    c.bias = sl_variable(s, "bias", sl_initial_filled(s, type, SL_SHAPE(gates), is_lstm ? 0 : 1)).value;
    if (is_lstm) return c;
    c.kernel_new = sl_variable(s, "kernel_new", sl_initial_glorot(s, type, SL_SHAPE(both, units))).value;
    c.bias_new = sl_variable(s, "bias_new", sl_initial_zeros(s, type, SL_SHAPE(units))).value;
    return c;
}

static TF_Output turned(struct sl_scope *s, TF_Output x) {
    return x.oper ? sl_reverse_v2(s, x, sl_int_vector(s, SL_INTS(0))) : x;
}

/* Zeros [batch, units] for x of [time, batch, inputs]. */
static TF_Output first_state(struct sl_scope *s, TF_Output x, int64_t units) {
    return sl_fill(s, sl_layer_shape(s, sl_layer_sizes(s, x, 1, 1), SL_INTS(units)), number(s, x, 0));
}

/* One direction: all outputs and the last one. */
static TF_Output run(struct sl_scope *s, TF_Output *last, TF_Output x, TF_Output mask, int64_t inputs, int64_t units,
                     bool is_lstm, bool backwards) {
    struct cell c = cell_new(s, sl_type_of(s, x), inputs, units, is_lstm);
    TF_Output y = sl_op_first(NULL), ends[3], zeros = first_state(s, x, units), initial[3] = {zeros, zeros};
    int n = is_lstm ? 2 : 1;
    c.mask = backwards ? turned(s, mask) : mask;
    if (mask.oper) initial[n++] = sl_scalar(s, TF_INT32, 0);
    sl_scan(s, &y, 1, ends, initial, n, backwards ? turned(s, x) : x, step, &c);
    *last = ends[0];
    if (backwards) y = turned(s, y);
    return mask.oper && sl_scope_ok(s) ? sl_select_v2(s, mask, y, number(s, y, 0)) : y;
}

static TF_Output times_and_batch(struct sl_scope *s, TF_Output x, int rank) {
    return sl_transpose(s, x, rank == 2 ? sl_int_vector(s, SL_INTS(1, 0)) : sl_int_vector(s, SL_INTS(1, 0, 2)));
}

/* What counts, [time, batch, 1], for x of [time, batch, inputs]. */
static TF_Output mask_of(struct sl_scope *s, TF_Output x, const struct sl_recurrent_options *o) {
    TF_Output mask = o->mask;
    if (mask.oper && o->batch_first) mask = times_and_batch(s, mask, 2);
    if (o->lengths.oper) {
        TF_Output times = sl_squeeze(s, sl_layer_sizes(s, x, 0, 1));
        TF_Output within = times_and_batch(s, sl_layer_mask(s, o->lengths, times), 2);
        mask = mask.oper ? sl_logical_and(s, mask, within) : within;
    }
    return mask.oper ? sl_expand_dims(s, mask, sl_scalar(s, TF_INT32, 2)) : mask;
}

static TF_Output recurrent(struct sl_scope *s, const char *name, TF_Output x, int64_t units, TF_Output *last,
                           const struct sl_recurrent_options *options, bool is_lstm) {
    struct sl_recurrent_options o;
    TF_Output y = sl_op_first(NULL), ends[2] = {y, y};
    if (last) *last = y;
    if (!sl_scope_ok(s) || !SL_OPTIONS_TAKE(&o, sl_recurrent_options, bidirectional, options, s->status)) return y;
    int64_t inputs = sl_layer_last_size(s, x, is_lstm ? "sl_layer_lstm" : "sl_layer_gru");
    sl_push_name(s, name);
    if (o.batch_first) x = times_and_batch(s, x, 3);
    TF_Output mask = mask_of(s, x, &o);
    if (!o.bidirectional) {
        y = run(s, &ends[0], x, mask, inputs, units, is_lstm, o.backwards);
    } else {
        sl_push_name(s, "forward");
        y = run(s, &ends[0], x, mask, inputs, units, is_lstm, false);
        sl_pop(s);
        sl_push_name(s, "backward");
        y = joined(s, y, run(s, &ends[1], x, mask, inputs, units, is_lstm, true), 2);
        sl_pop(s);
        ends[0] = joined(s, ends[0], ends[1], 1);
    }
    if (o.batch_first) y = times_and_batch(s, y, 3);
    sl_pop(s);
    if (last && sl_scope_ok(s)) *last = ends[0];
    return sl_scope_ok(s) ? y : sl_op_first(NULL);
}

SL_API TF_Output sl_layer_lstm_with(struct sl_scope *scope, const char *name, TF_Output x, int64_t units,
                                    TF_Output *last, const struct sl_recurrent_options *options) {
    return recurrent(scope, name, x, units, last, options, true);
}
SL_API TF_Output sl_layer_gru_with(struct sl_scope *scope, const char *name, TF_Output x, int64_t units,
                                   TF_Output *last, const struct sl_recurrent_options *options) {
    return recurrent(scope, name, x, units, last, options, false);
}
SL_API TF_Output sl_layer_lstm(struct sl_scope *scope, const char *name, TF_Output x, int64_t units, TF_Output *last) {
    return recurrent(scope, name, x, units, last, NULL, true);
}
SL_API TF_Output sl_layer_gru(struct sl_scope *scope, const char *name, TF_Output x, int64_t units, TF_Output *last) {
    return recurrent(scope, name, x, units, last, NULL, false);
}
