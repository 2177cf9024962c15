/* Layers and losses of sluice/layers.h, out of ops, variables and walks. */
#include "sluice/layers.h"

#include <math.h>

#include "front/front.h"
#include "front/front_layers.h"
#include "front/front_options.h"
#include "sluice/flow.h"
#include "sluice/ops.h"

static const TF_Output none = {NULL, 0};

static TF_Output number(struct sl_scope *s, TF_Output like, double value) { return sl_scalar_like(s, like, value); }

int64_t sl_layer_last_size(struct sl_scope *scope, TF_Output x, const char *layer) {
    int64_t size = sl_scope_ok(scope) ? sl_size_of(scope, x, -1) : -1;
    if (size < 1 && sl_scope_ok(scope))
        sl_status_fail(scope->status, SL_INVALID_ARGUMENT, "%s: the last size of the input is not known", layer);
    return size < 1 ? 1 : size;
}

/* ---- activations */
/* x / 2 (1 + erf(x / sqrt(2))) */
static TF_Output gelu(struct sl_scope *s, TF_Output x) {
    TF_Output share = sl_erf(s, sl_mul(s, x, number(s, x, M_SQRT1_2)));
    return sl_mul(s, sl_mul(s, x, number(s, x, .5)), sl_add_v2(s, share, number(s, x, 1)));
}

/* x / 2 (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) */
static TF_Output gelu_by_tanh(struct sl_scope *s, TF_Output x) {
    TF_Output cube = sl_mul(s, sl_mul(s, sl_square(s, x), x), number(s, x, .044715));
    TF_Output share = sl_tanh(s, sl_mul(s, sl_add_v2(s, x, cube), number(s, x, M_2_SQRTPI * M_SQRT1_2)));
    return sl_mul(s, sl_mul(s, x, number(s, x, .5)), sl_add_v2(s, share, number(s, x, 1)));
}

static TF_Output hard_sigmoid(struct sl_scope *s, TF_Output x) {
    return sl_div(s, sl_relu6(s, sl_add_v2(s, x, number(s, x, 3))), number(s, x, 6));
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
    case SL_GELU: return gelu(scope, x);
    case SL_GELU_TANH: return gelu_by_tanh(scope, x);
    case SL_SILU: return sl_mul(scope, x, sl_sigmoid(scope, x));
    case SL_MISH: return sl_mul(scope, x, sl_tanh(scope, sl_softplus(scope, x)));
    case SL_RELU6: return sl_relu6(scope, x);
    case SL_HARD_SIGMOID: return hard_sigmoid(scope, x);
    case SL_HARD_SILU: return sl_mul(scope, x, hard_sigmoid(scope, x));
    case SL_SOFTSIGN: return sl_softsign(scope, x);
    case SL_SOFTMAX: return sl_softmax(scope, x);
    case SL_LOG_SOFTMAX: return sl_log_softmax(scope, x);
    }
    sl_scope_fail(scope, TF_INVALID_ARGUMENT, "sl_activate: there is no such activation");
    return none;
}

/* ---- layers of one pass */
TF_Output sl_layer_rows(struct sl_scope *scope, TF_Output x, int64_t last) {
    return sl_reshape(scope, x, sl_int_vector(scope, SL_INTS(-1, last)));
}

TF_Output sl_layer_sizes(struct sl_scope *scope, TF_Output x, int64_t first, int64_t n) {
    return sl_slice(scope, sl_shape(scope, x), sl_int_vector(scope, SL_INTS(first)), sl_int_vector(scope, SL_INTS(n)));
}

TF_Output sl_layer_shape(struct sl_scope *scope, TF_Output outer, struct sl_ints inner) {
    const TF_Output parts[] = {outer, sl_int_vector(scope, inner)};
    return sl_concat_v2(scope, parts, 2, sl_scalar(scope, TF_INT32, 0));
}

TF_Output sl_layer_unrows(struct sl_scope *scope, TF_Output rows, TF_Output x, int64_t units) {
    TF_Output outer = sl_layer_sizes(scope, x, 0, sl_rank_of(scope, x) - 1);
    return sl_reshape(scope, rows, sl_layer_shape(scope, outer, SL_INTS(units)));
}

TF_Output sl_layer_project(struct sl_scope *scope, const char *name, TF_Output x, int64_t units, bool has_bias) {
    int64_t inputs = sl_layer_last_size(scope, x, name);
    TF_DataType type = sl_type_of(scope, x);
    int rank = sl_rank_of(scope, x);
    sl_push_name(scope, name);
    struct sl_var kernel = sl_variable(scope, "kernel", sl_initial_glorot(scope, type, SL_SHAPE(inputs, units)));
    TF_Output y = sl_matmul(scope, rank == 2 ? x : sl_layer_rows(scope, x, inputs), kernel.value);
    if (has_bias)
        y = sl_bias_add(scope, y, sl_variable(scope, "bias", sl_initial_zeros(scope, type, SL_SHAPE(units))).value);
    if (rank != 2) y = sl_layer_unrows(scope, y, x, units);
    sl_pop(scope);
    return y;
}

SL_API TF_Output sl_layer_dense(struct sl_scope *scope, const char *name, TF_Output x, int64_t units,
                                enum sl_activation activation) {
    return sl_activate(scope, sl_layer_project(scope, name, x, units, true), activation);
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
    return sl_layer_rows(scope, x, size);
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

/* ---- bags */
TF_Output sl_layer_mask(struct sl_scope *scope, TF_Output lengths, TF_Output width) {
    TF_Output n = sl_cast(scope, lengths, (struct sl_cast_attrs){.DstT = TF_INT32});
    TF_Output at = sl_range(scope, sl_scalar(scope, TF_INT32, 0), width, sl_scalar(scope, TF_INT32, 1));
    return sl_less(scope, at, sl_expand_dims(scope, n, sl_scalar(scope, TF_INT32, 1)));
}

/* The sum over the places of each bag, dimension 1. */
static TF_Output sum_places(struct sl_scope *s, TF_Output x) { return sl_sum(s, x, sl_int_vector(s, SL_INTS(1))); }

SL_API TF_Output sl_layer_embedding_bag(struct sl_scope *scope, const char *name, TF_Output ids, int64_t entries,
                                        int64_t size, const struct sl_bag_options *options) {
    struct sl_bag_options o;
    if (!sl_scope_ok(scope) || !SL_OPTIONS_TAKE(&o, sl_bag_options, weights, options, scope->status)) return none;
    if ((unsigned)o.combiner > SL_BAG_SQRTN)
        sl_scope_fail(scope, TF_INVALID_ARGUMENT, "sl_layer_embedding_bag: there is no such combiner");
    sl_push_name(scope, name);
    TF_Output share = o.weights.oper ? o.weights : sl_scalar(scope, TF_FLOAT, 1);
    if (o.lengths.oper) {
        TF_Output mask = sl_layer_mask(scope, o.lengths, sl_squeeze(scope, sl_layer_sizes(scope, ids, 1, 1)));
        ids = sl_select_v2(scope, mask, ids, sl_scalar_like(scope, ids, 0));
        share = sl_mul(scope, share, sl_cast(scope, mask, (struct sl_cast_attrs){.DstT = TF_FLOAT}));
    }
    share = sl_broadcast_to(scope, share, sl_shape(scope, ids));
    TF_Output rows = sl_layer_embedding(scope, "entries", ids, entries, size);
    TF_Output y = sum_places(scope, sl_mul(scope, rows, sl_expand_dims(scope, share, sl_scalar(scope, TF_INT32, 2))));
    TF_Output by = sum_places(scope, o.combiner == SL_BAG_SQRTN ? sl_square(scope, share) : share);
    if (o.combiner == SL_BAG_SQRTN) by = sl_sqrt(scope, by);
    if (o.combiner != SL_BAG_SUM) y = sl_div_no_nan(scope, y, sl_expand_dims(scope, by, sl_scalar(scope, TF_INT32, 1)));
    sl_pop(scope);
    return y;
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
