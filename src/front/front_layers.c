/* Layers and losses of sluice/layers.h, out of ops, variables and walks. */
#include "sluice/layers.h"

#include "front/front.h"
#include "sluice/flow.h"
#include "sluice/ops.h"

static const TF_Output none = {NULL, 0};

static TF_Output number(struct sl_scope *s, TF_Output like, double value) { return sl_scalar_like(s, like, value); }

/* The last size of x, which must be known. */
static int64_t last_size(struct sl_scope *s, TF_Output x, const char *message) {
    int64_t size = sl_scope_ok(s) ? sl_size_of(s, x, -1) : -1;
    if (size < 1) sl_scope_fail(s, TF_INVALID_ARGUMENT, message);
    return size < 1 ? 1 : size;
}

SL_API TF_Output sl_activate(struct sl_scope *scope, TF_Output x, enum sl_activation activation) {
    switch (activation) {
    case SL_LINEAR: return x;
    case SL_RELU: return sl_relu(scope, x);
    case SL_TANH: return sl_tanh(scope, x);
    case SL_SIGMOID: return sl_sigmoid(scope, x);
    case SL_ELU: return sl_elu(scope, x);
    case SL_SELU: return sl_selu(scope, x);
    case SL_SOFTPLUS: return sl_softplus(scope, x);
    case SL_LEAKY_RELU: return sl_leaky_relu(scope, x);
    }
    sl_scope_fail(scope, TF_INVALID_ARGUMENT, "sl_activate: there is no such activation");
    return none;
}

/* ---- layers of one pass */
/* [..., last] to [rows, last], and back to [..., units]. */
static TF_Output rows_of(struct sl_scope *s, TF_Output x, int64_t last) {
    return sl_reshape(s, x, sl_int_vector(s, SL_INTS(-1, last)));
}
static TF_Output shaped_like(struct sl_scope *s, TF_Output rows, TF_Output x, int64_t units) {
    TF_Output outer =
        sl_slice(s, sl_shape(s, x), sl_int_vector(s, SL_INTS(0)), sl_int_vector(s, SL_INTS(sl_rank_of(s, x) - 1)));
    const TF_Output parts[] = {outer, sl_int_vector(s, SL_INTS(units))};
    return sl_reshape(s, rows, sl_concat_v2(s, parts, 2, sl_scalar(s, TF_INT32, 0)));
}

SL_API TF_Output sl_layer_dense(struct sl_scope *scope, const char *name, TF_Output x, int64_t units,
                                enum sl_activation activation) {
    int64_t inputs = last_size(scope, x, "sl_layer_dense: the last size of the input is not known");
    TF_DataType type = sl_type_of(scope, x);
    int rank = sl_rank_of(scope, x);
    sl_push_name(scope, name);
    struct sl_var kernel = sl_variable(scope, "kernel", sl_initial_glorot(scope, type, SL_SHAPE(inputs, units)));
    struct sl_var bias = sl_variable(scope, "bias", sl_initial_zeros(scope, type, SL_SHAPE(units)));
    TF_Output rows = rank == 2 ? x : rows_of(scope, x, inputs);
    TF_Output y = sl_bias_add(scope, sl_matmul(scope, rows, kernel.value), bias.value);
    y = sl_activate(scope, y, activation);
    if (rank != 2) y = shaped_like(scope, y, x, units);
    sl_pop(scope);
    return y;
}

SL_API TF_Output sl_layer_conv2d(struct sl_scope *scope, const char *name, TF_Output x, int64_t channels,
                                 int64_t window, int64_t stride, enum sl_activation activation) {
    int64_t inputs = last_size(scope, x, "sl_layer_conv2d: the channels of the input are not known");
    TF_DataType type = sl_type_of(scope, x);
    sl_push_name(scope, name);
    TF_Output initial = sl_initial_glorot(scope, type, SL_SHAPE(window, window, inputs, channels));
    struct sl_var kernel = sl_variable(scope, "kernel", initial);
    struct sl_var bias = sl_variable(scope, "bias", sl_initial_zeros(scope, type, SL_SHAPE(channels)));
    const struct sl_conv2d_attrs attrs = {.strides = SL_INTS(1, stride, stride, 1), .padding = "SAME"};
    TF_Output y = sl_bias_add(scope, sl_conv2d(scope, x, kernel.value, attrs), bias.value);
    y = sl_activate(scope, y, activation);
    sl_pop(scope);
    return y;
}

SL_API TF_Output sl_layer_max_pool(struct sl_scope *scope, TF_Output x, int64_t window, int64_t stride) {
    return sl_max_pool(scope, x,
                       (struct sl_max_pool_attrs){.ksize = SL_INTS(1, window, window, 1),
                                                  .strides = SL_INTS(1, stride, stride, 1),
                                                  .padding = "VALID"});
}

SL_API TF_Output sl_layer_mean_pool(struct sl_scope *scope, TF_Output x, int64_t window, int64_t stride) {
    return sl_avg_pool(scope, x,
                       (struct sl_avg_pool_attrs){.ksize = SL_INTS(1, window, window, 1),
                                                  .strides = SL_INTS(1, stride, stride, 1),
                                                  .padding = "VALID"});
}

SL_API TF_Output sl_layer_flatten(struct sl_scope *scope, TF_Output x) {
    int64_t size = 1;
    int rank = sl_rank_of(scope, x);
    for (int i = 1; i < rank && size >= 0; i++) {
        int64_t dim = sl_size_of(scope, x, i);
        if (dim < 0 || __builtin_mul_overflow(size, dim, &size)) size = -1;
    }
    if (rank < 1 || size < 0) sl_scope_fail(scope, TF_INVALID_ARGUMENT, "sl_layer_flatten: the shape is not known");
    return rows_of(scope, x, size);
}

SL_API TF_Output sl_layer_batch_norm(struct sl_scope *scope, const char *name, TF_Output x, bool training,
                                     double momentum, TF_Operation **update) {
    int64_t channels = last_size(scope, x, "sl_layer_batch_norm: the channels of the input are not known");
    const struct sl_dims shape = SL_SHAPE(channels);
    sl_push_name(scope, name);
    struct sl_var scale = sl_variable(scope, "scale", sl_initial_ones(scope, TF_FLOAT, shape)),
                  offset = sl_variable(scope, "offset", sl_initial_zeros(scope, TF_FLOAT, shape)),
                  mean = sl_variable_untrained(scope, "mean", sl_initial_zeros(scope, TF_FLOAT, shape)),
                  variance = sl_variable_untrained(scope, "variance", sl_initial_ones(scope, TF_FLOAT, shape));
    TF_Output nothing = sl_float_vector(scope, (struct sl_floats){NULL, 0});
    struct sl_fused_batch_norm_v3_outputs y =
        sl_fused_batch_norm_v3_with(scope, x, scale.value, offset.value, training ? nothing : mean.value,
                                    training ? nothing : variance.value,
                                    (struct sl_fused_batch_norm_v3_attrs){.epsilon = 1e-3f,
                                                                          .is_training = training ? SL_YES : SL_NO});
    if (update) *update = NULL;
    if (update && training) {
        TF_Output share = sl_scalar(scope, TF_FLOAT, 1 - momentum);
        TF_Operation *both[] = {
            sl_assign_sub_variable_op(scope, mean.handle,
                                      sl_mul(scope, share, sl_sub(scope, mean.value, y.batch_mean))),
            sl_assign_sub_variable_op(scope, variance.handle,
                                      sl_mul(scope, share, sl_sub(scope, variance.value, y.batch_variance)))};
        *update = sl_group(scope, both, 2);
    }
    sl_pop(scope);
    return y.y;
}

/* ---- dropout */
struct dropout {
    TF_Output x;
    double probability;
};

static void drop(struct sl_scope *s, TF_Output *out, void *arg) {
    const struct dropout *d = arg;
    TF_Output chance = sl_scope_draw(s, sl_shape(s, d->x), sl_type_of(s, d->x));
    TF_Output stays = sl_greater_equal(s, chance, number(s, d->x, d->probability));
    TF_Output scaled = sl_mul(s, d->x, number(s, d->x, 1 / (1 - d->probability)));
    out[0] = sl_select_v2(s, stays, scaled, number(s, d->x, 0));
}

static void keep(struct sl_scope *s, TF_Output *out, void *arg) {
    out[0] = sl_identity(s, ((const struct dropout *)arg)->x);
}

SL_API TF_Output sl_layer_dropout(struct sl_scope *scope, TF_Output x, double probability, TF_Output is_training) {
    struct dropout d = {x, probability};
    TF_Output y = none;
    if (!(probability >= 0 && probability < 1))
        sl_scope_fail(scope, TF_INVALID_ARGUMENT, "sl_layer_dropout: the probability must be in [0, 1)");
    sl_push_name(scope, "dropout");
    if (is_training.oper) sl_cond(scope, &y, 1, is_training, drop, keep, &d);
    else drop(scope, &y, &d);
    sl_pop(scope);
    return y;
}

SL_API TF_Output sl_layer_embedding(struct sl_scope *scope, const char *name, TF_Output ids, int64_t entries,
                                    int64_t size) {
    sl_push_name(scope, name);
    TF_Output initial = sl_initial_uniform(scope, TF_FLOAT, SL_SHAPE(entries, size), -.05, .05);
    struct sl_var table = sl_variable(scope, "table", initial);
    TF_Output y = sl_resource_gather(scope, table.handle, ids, (struct sl_resource_gather_attrs){.dtype = TF_FLOAT});
    sl_pop(scope);
    return y;
}

/* ---- recurrent layers */
struct cell {
    TF_Output kernel, bias;         /* [inputs + units, gates * units], [gates * units] */
    TF_Output kernel_new, bias_new; /* GRU: of the candidate, [inputs + units, units], [units] */
};

static TF_Output joined(struct sl_scope *s, TF_Output a, TF_Output b) {
    const TF_Output both[] = {a, b};
    return sl_concat_v2(s, both, 2, sl_scalar(s, TF_INT32, 1));
}

/* Hochreiter and Schmidhuber 1997, with a forget gate; gates in the order input, candidate, forget, output. */
static void lstm_step(struct sl_scope *s, TF_Output *next, const TF_Output *states, TF_Output x, void *arg) {
    const struct cell *c = arg;
    TF_Output gates = sl_bias_add(s, sl_matmul(s, joined(s, x, states[0]), c->kernel), c->bias);
    TF_Operation *split = sl_split(s, sl_scalar(s, TF_INT32, 1), gates, (struct sl_split_attrs){.num_split = 4});
    const TF_Output i = {split, 0}, j = {split, 1}, f = {split, 2}, o = {split, 3};
    TF_Output kept = sl_mul(s, states[1], sl_sigmoid(s, sl_add_v2(s, f, number(s, f, 1))));
    next[1] = sl_add_v2(s, kept, sl_mul(s, sl_sigmoid(s, i), sl_tanh(s, j)));
    next[0] = sl_mul(s, sl_tanh(s, next[1]), sl_sigmoid(s, o));
}

/* Cho et al. 2014; gates in the order reset, update. */
static void gru_step(struct sl_scope *s, TF_Output *next, const TF_Output *states, TF_Output x, void *arg) {
    const struct cell *c = arg;
    TF_Output gates = sl_sigmoid(s, sl_bias_add(s, sl_matmul(s, joined(s, x, states[0]), c->kernel), c->bias));
    TF_Operation *split = sl_split(s, sl_scalar(s, TF_INT32, 1), gates, (struct sl_split_attrs){.num_split = 2});
    const TF_Output reset = {split, 0}, update = {split, 1};
    TF_Output seen = joined(s, x, sl_mul(s, reset, states[0]));
    TF_Output fresh = sl_tanh(s, sl_bias_add(s, sl_matmul(s, seen, c->kernel_new), c->bias_new));
    TF_Output rest = sl_mul(s, sl_sub(s, number(s, update, 1), update), fresh);
    next[0] = sl_add_v2(s, sl_mul(s, update, states[0]), rest);
}

/* Zeros [batch, units] for x of [time, batch, inputs]. */
static TF_Output first_state(struct sl_scope *s, TF_Output x, int64_t units) {
    TF_Output batch = sl_slice(s, sl_shape(s, x), sl_int_vector(s, SL_INTS(1)), sl_int_vector(s, SL_INTS(1)));
    const TF_Output parts[] = {batch, sl_int_vector(s, SL_INTS(units))};
    return sl_fill(s, sl_concat_v2(s, parts, 2, sl_scalar(s, TF_INT32, 0)), number(s, x, 0));
}

static TF_Output recurrent(struct sl_scope *s, const char *name, TF_Output x, int64_t units, TF_Output *last,
                           bool is_lstm) {
    int64_t inputs = last_size(s, x, "A recurrent layer: the last size of the input is not known"),
            both = inputs + units;
    int64_t gates = (is_lstm ? 4 : 2) * units;
    TF_DataType type = sl_type_of(s, x);
    struct cell c = {0};
    TF_Output y = none, ends[2] = {none, none};
    sl_push_name(s, name);
    c.kernel = sl_variable(s, "kernel", sl_initial_glorot(s, type, SL_SHAPE(both, gates))).value;
    c.bias = sl_variable(s, "bias", sl_initial_filled(s, type, SL_SHAPE(gates), is_lstm ? 0 : 1)).value;
    if (!is_lstm) {
        c.kernel_new = sl_variable(s, "kernel_new", sl_initial_glorot(s, type, SL_SHAPE(both, units))).value;
        c.bias_new = sl_variable(s, "bias_new", sl_initial_zeros(s, type, SL_SHAPE(units))).value;
    }
    TF_Output zeros = first_state(s, x, units);
    const TF_Output initial[] = {zeros, zeros};
    sl_scan(s, &y, 1, ends, initial, is_lstm ? 2 : 1, x, is_lstm ? lstm_step : gru_step, &c);
    sl_pop(s);
    if (last) *last = ends[0];
    return y;
}

SL_API TF_Output sl_layer_lstm(struct sl_scope *scope, const char *name, TF_Output x, int64_t units, TF_Output *last) {
    return recurrent(scope, name, x, units, last, true);
}
SL_API TF_Output sl_layer_gru(struct sl_scope *scope, const char *name, TF_Output x, int64_t units, TF_Output *last) {
    return recurrent(scope, name, x, units, last, false);
}

/* ---- losses */
static TF_Output all_dims(struct sl_scope *s, TF_Output x) {
    return sl_range(s, sl_scalar(s, TF_INT32, 0), sl_rank(s, x), sl_scalar(s, TF_INT32, 1));
}
SL_API TF_Output sl_mean_all(struct sl_scope *scope, TF_Output x) { return sl_mean(scope, x, all_dims(scope, x)); }
SL_API TF_Output sl_sum_all(struct sl_scope *scope, TF_Output x) { return sl_sum(scope, x, all_dims(scope, x)); }

SL_API TF_Output sl_loss_softmax(struct sl_scope *scope, TF_Output logits, TF_Output labels) {
    return sl_mean_all(scope, sl_sparse_softmax_cross_entropy_with_logits(scope, logits, labels).loss);
}

/* max(x, 0) - x z + log(1 + exp(-|x|)) */
SL_API TF_Output sl_loss_sigmoid(struct sl_scope *scope, TF_Output logits, TF_Output labels) {
    TF_Output sure = sl_sub(scope, sl_relu(scope, logits), sl_mul(scope, logits, labels));
    TF_Output rest = sl_log1p(scope, sl_exp(scope, sl_neg(scope, sl_abs(scope, logits))));
    return sl_mean_all(scope, sl_add_v2(scope, sure, rest));
}

SL_API TF_Output sl_loss_squares(struct sl_scope *scope, TF_Output guess, TF_Output truth) {
    return sl_mean_all(scope, sl_squared_difference(scope, guess, truth));
}

SL_API TF_Output sl_loss_l2(struct sl_scope *scope, double weight) {
    int n;
    const struct sl_var *v = sl_variables_trainable(scope, &n);
    TF_Output sum = none;
    for (int i = 0; i < n; i++) {
        if (sl_rank_of(scope, v[i].value) < 2) continue;
        TF_Output one = sl_l2_loss(scope, v[i].value);
        sum = sum.oper ? sl_add_v2(scope, sum, one) : one;
    }
    return sum.oper ? sl_mul(scope, sum, number(scope, sum, weight)) : sl_scalar(scope, TF_FLOAT, 0);
}

SL_API TF_Output sl_accuracy(struct sl_scope *scope, TF_Output logits, TF_Output labels) {
    TF_DataType type = sl_type_of(scope, labels);
    TF_Output guess =
        sl_arg_max_with(scope, logits, sl_scalar(scope, TF_INT32, -1), (struct sl_arg_max_attrs){.output_type = type});
    TF_Output right = sl_equal(scope, guess, labels);
    return sl_mean_all(scope, sl_cast(scope, right, (struct sl_cast_attrs){.DstT = TF_FLOAT}));
}
