/* Normalisation (sluice/layers.h): by the batch, by the features of an example, by groups of its channels. */
#include "front/front.h"
#include "front/front_layers.h"
#include "front/front_options.h"
#include "sluice/flow.h"
#include "sluice/layers.h"
#include "sluice/ops.h"

static double or_default(double number, double value) { return number != 0 ? number : value; }

/* ---- by the batch */
struct batch_norm {
    TF_Output x; /* [batch, height, width, channels] */
    struct sl_var scale, offset, mean, variance;
    double epsilon;
};

/* The three outputs: the result, and what the averages move towards. */
enum { RESULT, MEAN, VARIANCE, N_OUTPUTS };

static void by_batch(struct sl_scope *s, TF_Output *out, void *arg) {
    const struct batch_norm *n = arg;
    TF_Output nothing = sl_float_vector(s, (struct sl_floats){NULL, 0});
    struct sl_fused_batch_norm_v3_outputs y =
        sl_fused_batch_norm_v3_with(s, n->x, n->scale.value, n->offset.value, nothing, nothing,
                                    (struct sl_fused_batch_norm_v3_attrs){.epsilon = (float)n->epsilon});
    out[RESULT] = y.y;
    out[MEAN] = y.batch_mean;
    out[VARIANCE] = y.batch_variance;
}

static void by_averages(struct sl_scope *s, TF_Output *out, void *arg) {
    const struct batch_norm *n = arg;
    out[RESULT] =
        sl_fused_batch_norm_v3_with(s, n->x, n->scale.value, n->offset.value, n->mean.value, n->variance.value,
                                    (struct sl_fused_batch_norm_v3_attrs){.epsilon = (float)n->epsilon,
                                                                          .is_training = SL_NO})
            .y;
    out[MEAN] = sl_identity(s, n->mean.value);
    out[VARIANCE] = sl_identity(s, n->variance.value);
}

static struct batch_norm batch_norm_new(struct sl_scope *s, TF_Output x, int64_t channels, double epsilon) {
    const struct sl_dims shape = SL_SHAPE(channels);
    struct batch_norm n = {.x = x, .epsilon = epsilon};
    n.scale = sl_variable(s, "scale", sl_initial_ones(s, TF_FLOAT, shape));
    n.offset = sl_variable(s, "offset", sl_initial_zeros(s, TF_FLOAT, shape));
    n.mean = sl_variable_untrained(s, "mean", sl_initial_zeros(s, TF_FLOAT, shape));
    n.variance = sl_variable_untrained(s, "variance", sl_initial_ones(s, TF_FLOAT, shape));
    if (sl_rank_of(s, x) != 4) n.x = sl_reshape(s, x, sl_int_vector(s, SL_INTS(-1, 1, 1, channels)));
    return n;
}

static TF_Output shaped_as(struct sl_scope *s, TF_Output y, TF_Output x) {
    return sl_rank_of(s, x) == 4 ? y : sl_reshape(s, y, sl_shape(s, x));
}

/* Moves the averages; not at all where the outputs are the averages. */
static TF_Operation *move_averages(struct sl_scope *s, const struct batch_norm *n, const TF_Output *out,
                                   double momentum) {
    TF_Output share = sl_scalar(s, TF_FLOAT, 1 - momentum);
    TF_Operation *both[] = {sl_assign_sub_variable_op(s, n->mean.handle,
                                                      sl_mul(s, share, sl_sub(s, n->mean.value, out[MEAN]))),
                            sl_assign_sub_variable_op(s, n->variance.handle,
                                                      sl_mul(s, share, sl_sub(s, n->variance.value, out[VARIANCE])))};
    return sl_group(s, both, 2);
}

SL_API TF_Output sl_layer_batch_norm(struct sl_scope *scope, const char *name, TF_Output x, bool training,
                                     double momentum, TF_Operation **update) {
    int64_t channels = sl_layer_last_size(scope, x, "sl_layer_batch_norm");
    TF_Output out[N_OUTPUTS];
    sl_push_name(scope, name);
    struct batch_norm n = batch_norm_new(scope, x, channels, 1e-3);
    (training ? by_batch : by_averages)(scope, out, &n);
    if (update) *update = training ? move_averages(scope, &n, out, momentum) : NULL;
    TF_Output y = shaped_as(scope, out[RESULT], x);
    sl_pop(scope);
    return y;
}

SL_API TF_Output sl_layer_batch_norm_when(struct sl_scope *scope, const char *name, TF_Output x, TF_Output is_training,
                                          const struct sl_batch_norm_options *options) {
    struct sl_batch_norm_options o;
    TF_Output out[N_OUTPUTS], y = sl_op_first(NULL);
    if (!sl_scope_ok(scope) || !SL_OPTIONS_TAKE(&o, sl_batch_norm_options, epsilon, options, scope->status)) return y;
    if (scope->flow != &scope->root)
        sl_scope_fail(scope, TF_UNIMPLEMENTED, "sl_layer_batch_norm_when: within a loop or conditional");
    int64_t channels = sl_layer_last_size(scope, x, "sl_layer_batch_norm_when");
    sl_push_name(scope, name);
    struct batch_norm n = batch_norm_new(scope, x, channels, or_default(o.epsilon, 1e-3));
    if (is_training.oper) sl_cond(scope, out, N_OUTPUTS, is_training, by_batch, by_averages, &n);
    else by_batch(scope, out, &n);
    TF_Operation *move = move_averages(scope, &n, out, or_default(o.momentum, .99));
    sl_scope_run_with(scope, n.scale, move);
    y = shaped_as(scope, out[RESULT], x);
    sl_pop(scope);
    return y;
}

SL_API TF_Output sl_is_training(struct sl_scope *scope) {
    TF_Output no = sl_scalar(scope, TF_BOOL, 0);
    return sl_placeholder_with_default(sl_name(scope, "is_training"), no,
                                       (struct sl_placeholder_with_default_attrs){.shape = SL_SCALAR});
}

/* ---- by example */
/* (x - mean) / sqrt(variance + epsilon) over these axes. */
static TF_Output standardised(struct sl_scope *s, TF_Output x, TF_Output axes, double epsilon) {
    const struct sl_mean_attrs attrs = {.keep_dims = true};
    TF_Output mean = sl_mean_with(s, x, axes, attrs);
    TF_Output variance = sl_mean_with(s, sl_squared_difference(s, x, mean), axes, attrs);
    TF_Output unit = sl_rsqrt(s, sl_add_v2(s, variance, sl_scalar_like(s, x, or_default(epsilon, 1e-3))));
    return sl_mul(s, sl_sub(s, x, mean), unit);
}

static TF_Output scaled(struct sl_scope *s, TF_Output x, TF_DataType type, int64_t features) {
    struct sl_var scale = sl_variable(s, "scale", sl_initial_ones(s, type, SL_SHAPE(features)));
    struct sl_var offset = sl_variable(s, "offset", sl_initial_zeros(s, type, SL_SHAPE(features)));
    return sl_add_v2(s, sl_mul(s, x, scale.value), offset.value);
}

SL_API TF_Output sl_layer_layer_norm(struct sl_scope *scope, const char *name, TF_Output x, double epsilon) {
    int64_t features = sl_layer_last_size(scope, x, "sl_layer_layer_norm");
    sl_push_name(scope, name);
    TF_Output y = standardised(scope, x, sl_int_vector(scope, SL_INTS(-1)), epsilon);
    y = scaled(scope, y, sl_type_of(scope, x), features);
    sl_pop(scope);
    return y;
}

SL_API TF_Output sl_layer_group_norm(struct sl_scope *scope, const char *name, TF_Output x, int64_t groups,
                                     double epsilon) {
    int64_t channels = sl_layer_last_size(scope, x, "sl_layer_group_norm");
    if (groups < 1 || channels % groups)
        sl_scope_fail(scope, TF_INVALID_ARGUMENT, "sl_layer_group_norm: the channels are no multiple of the groups");
    if (!sl_scope_ok(scope)) return sl_op_first(NULL);
    sl_push_name(scope, name);
    TF_Output split = sl_layer_shape(scope, sl_layer_sizes(scope, x, 0, 1), SL_INTS(-1, groups, channels / groups));
    TF_Output y = standardised(scope, sl_reshape(scope, x, split), sl_int_vector(scope, SL_INTS(1, 3)), epsilon);
    y = scaled(scope, sl_reshape(scope, y, sl_shape(scope, x)), sl_type_of(scope, x), channels);
    sl_pop(scope);
    return y;
}
