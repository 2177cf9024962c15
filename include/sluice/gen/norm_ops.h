/* Wrappers of the norm ops, made by tools/gen_ops.py from src/ops/norm.def; see sluice/ops.h. */
#ifndef SLUICE_GEN_NORM_OPS_H
#define SLUICE_GEN_NORM_OPS_H

#include "sluice/scope.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sl_batch_norm_with_global_normalization_attrs {
    float variance_epsilon; /* must be given */
    bool scale_after_normalization; /* must be given */
};
/* BatchNormWithGlobalNormalization: t: T, m: T, v: T, beta: T, gamma: T -> result: T */
static inline TF_Output sl_batch_norm_with_global_normalization(struct sl_scope *scope, TF_Output t, TF_Output m, TF_Output v, TF_Output beta, TF_Output gamma, struct sl_batch_norm_with_global_normalization_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&t, -1}, {&m, -1}, {&v, -1}, {&beta, -1}, {&gamma, -1}};
    const struct sl_attr_given attrs_[] = {{"variance_epsilon", SL_GIVEN_FLOAT_NEEDED, &attrs.variance_epsilon}, {"scale_after_normalization", SL_GIVEN_BOOL_NEEDED, &attrs.scale_after_normalization}};
    return sl_op_first(sl_op(scope, "BatchNormWithGlobalNormalization", inputs_, 5, attrs_, 2));
}

struct sl_batch_norm_with_global_normalization_grad_outputs {
    TF_Output dx, dm, dv, db, dg;
};
struct sl_batch_norm_with_global_normalization_grad_attrs {
    float variance_epsilon; /* must be given */
    bool scale_after_normalization; /* must be given */
};
/* BatchNormWithGlobalNormalizationGrad: t: T, m: T, v: T, gamma: T, backprop: T -> dx: T, dm: T, dv: T, db: T, dg: T */
static inline struct sl_batch_norm_with_global_normalization_grad_outputs sl_batch_norm_with_global_normalization_grad(struct sl_scope *scope, TF_Output t, TF_Output m, TF_Output v, TF_Output gamma, TF_Output backprop, struct sl_batch_norm_with_global_normalization_grad_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&t, -1}, {&m, -1}, {&v, -1}, {&gamma, -1}, {&backprop, -1}};
    const struct sl_attr_given attrs_[] = {{"variance_epsilon", SL_GIVEN_FLOAT_NEEDED, &attrs.variance_epsilon}, {"scale_after_normalization", SL_GIVEN_BOOL_NEEDED, &attrs.scale_after_normalization}};
    TF_Operation *const op_ = sl_op(scope, "BatchNormWithGlobalNormalizationGrad", inputs_, 5, attrs_, 2);
    const struct sl_batch_norm_with_global_normalization_grad_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}, {op_, 3}, {op_, 4}};
    return outputs_;
}

struct sl_fused_batch_norm_outputs {
    TF_Output y, batch_mean, batch_variance, reserve_space_1, reserve_space_2;
};
struct sl_fused_batch_norm_attrs {
    float epsilon; /* 1e-04 */
    float exponential_avg_factor; /* 1 */
    const char *data_format; /* 'NHWC' */
    enum sl_choice is_training; /* true */
};
/* FusedBatchNorm: x: T, scale: T, offset: T, mean: T, variance: T -> y: T, batch_mean: T, batch_variance: T, reserve_space_1: T, reserve_space_2: T */
static inline struct sl_fused_batch_norm_outputs sl_fused_batch_norm_with(struct sl_scope *scope, TF_Output x, TF_Output scale, TF_Output offset, TF_Output mean, TF_Output variance, struct sl_fused_batch_norm_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&x, -1}, {&scale, -1}, {&offset, -1}, {&mean, -1}, {&variance, -1}};
    const struct sl_attr_given attrs_[] = {{"epsilon", SL_GIVEN_FLOAT, &attrs.epsilon}, {"exponential_avg_factor", SL_GIVEN_FLOAT, &attrs.exponential_avg_factor}, {"data_format", SL_GIVEN_STRING, &attrs.data_format}, {"is_training", SL_GIVEN_CHOICE, &attrs.is_training}};
    TF_Operation *const op_ = sl_op(scope, "FusedBatchNorm", inputs_, 5, attrs_, 4);
    const struct sl_fused_batch_norm_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}, {op_, 3}, {op_, 4}};
    return outputs_;
}
static inline struct sl_fused_batch_norm_outputs sl_fused_batch_norm(struct sl_scope *scope, TF_Output x, TF_Output scale, TF_Output offset, TF_Output mean, TF_Output variance) {
    const struct sl_fused_batch_norm_attrs attrs = SL_DEFAULTS;
    return sl_fused_batch_norm_with(scope, x, scale, offset, mean, variance, attrs);
}

struct sl_fused_batch_norm_grad_outputs {
    TF_Output x_backprop, scale_backprop, offset_backprop, reserve_space_3, reserve_space_4;
};
struct sl_fused_batch_norm_grad_attrs {
    float epsilon; /* 1e-04 */
    const char *data_format; /* 'NHWC' */
    enum sl_choice is_training; /* true */
};
/* FusedBatchNormGrad: y_backprop: T, x: T, scale: T, reserve_space_1: T, reserve_space_2: T -> x_backprop: T, scale_backprop: T, offset_backprop: T, reserve_space_3: T, reserve_space_4: T */
static inline struct sl_fused_batch_norm_grad_outputs sl_fused_batch_norm_grad_with(struct sl_scope *scope, TF_Output y_backprop, TF_Output x, TF_Output scale, TF_Output reserve_space_1, TF_Output reserve_space_2, struct sl_fused_batch_norm_grad_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&y_backprop, -1}, {&x, -1}, {&scale, -1}, {&reserve_space_1, -1}, {&reserve_space_2, -1}};
    const struct sl_attr_given attrs_[] = {{"epsilon", SL_GIVEN_FLOAT, &attrs.epsilon}, {"data_format", SL_GIVEN_STRING, &attrs.data_format}, {"is_training", SL_GIVEN_CHOICE, &attrs.is_training}};
    TF_Operation *const op_ = sl_op(scope, "FusedBatchNormGrad", inputs_, 5, attrs_, 3);
    const struct sl_fused_batch_norm_grad_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}, {op_, 3}, {op_, 4}};
    return outputs_;
}
static inline struct sl_fused_batch_norm_grad_outputs sl_fused_batch_norm_grad(struct sl_scope *scope, TF_Output y_backprop, TF_Output x, TF_Output scale, TF_Output reserve_space_1, TF_Output reserve_space_2) {
    const struct sl_fused_batch_norm_grad_attrs attrs = SL_DEFAULTS;
    return sl_fused_batch_norm_grad_with(scope, y_backprop, x, scale, reserve_space_1, reserve_space_2, attrs);
}

struct sl_fused_batch_norm_grad_v2_outputs {
    TF_Output x_backprop, scale_backprop, offset_backprop, reserve_space_3, reserve_space_4;
};
struct sl_fused_batch_norm_grad_v2_attrs {
    float epsilon; /* 1e-04 */
    const char *data_format; /* 'NHWC' */
    enum sl_choice is_training; /* true */
};
/* FusedBatchNormGradV2: y_backprop: T, x: T, scale: float, reserve_space_1: U, reserve_space_2: U -> x_backprop: T, scale_backprop: U, offset_backprop: U, reserve_space_3: U, reserve_space_4: U */
static inline struct sl_fused_batch_norm_grad_v2_outputs sl_fused_batch_norm_grad_v2_with(struct sl_scope *scope, TF_Output y_backprop, TF_Output x, TF_Output scale, TF_Output reserve_space_1, TF_Output reserve_space_2, struct sl_fused_batch_norm_grad_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&y_backprop, -1}, {&x, -1}, {&scale, -1}, {&reserve_space_1, -1}, {&reserve_space_2, -1}};
    const struct sl_attr_given attrs_[] = {{"epsilon", SL_GIVEN_FLOAT, &attrs.epsilon}, {"data_format", SL_GIVEN_STRING, &attrs.data_format}, {"is_training", SL_GIVEN_CHOICE, &attrs.is_training}};
    TF_Operation *const op_ = sl_op(scope, "FusedBatchNormGradV2", inputs_, 5, attrs_, 3);
    const struct sl_fused_batch_norm_grad_v2_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}, {op_, 3}, {op_, 4}};
    return outputs_;
}
static inline struct sl_fused_batch_norm_grad_v2_outputs sl_fused_batch_norm_grad_v2(struct sl_scope *scope, TF_Output y_backprop, TF_Output x, TF_Output scale, TF_Output reserve_space_1, TF_Output reserve_space_2) {
    const struct sl_fused_batch_norm_grad_v2_attrs attrs = SL_DEFAULTS;
    return sl_fused_batch_norm_grad_v2_with(scope, y_backprop, x, scale, reserve_space_1, reserve_space_2, attrs);
}

struct sl_fused_batch_norm_grad_v3_outputs {
    TF_Output x_backprop, scale_backprop, offset_backprop, reserve_space_4, reserve_space_5;
};
struct sl_fused_batch_norm_grad_v3_attrs {
    float epsilon; /* 1e-04 */
    const char *data_format; /* 'NHWC' */
    enum sl_choice is_training; /* true */
};
/* FusedBatchNormGradV3: y_backprop: T, x: T, scale: float, reserve_space_1: U, reserve_space_2: U, reserve_space_3: U -> x_backprop: T, scale_backprop: U, offset_backprop: U, reserve_space_4: U, reserve_space_5: U */
static inline struct sl_fused_batch_norm_grad_v3_outputs sl_fused_batch_norm_grad_v3_with(struct sl_scope *scope, TF_Output y_backprop, TF_Output x, TF_Output scale, TF_Output reserve_space_1, TF_Output reserve_space_2, TF_Output reserve_space_3, struct sl_fused_batch_norm_grad_v3_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&y_backprop, -1}, {&x, -1}, {&scale, -1}, {&reserve_space_1, -1}, {&reserve_space_2, -1}, {&reserve_space_3, -1}};
    const struct sl_attr_given attrs_[] = {{"epsilon", SL_GIVEN_FLOAT, &attrs.epsilon}, {"data_format", SL_GIVEN_STRING, &attrs.data_format}, {"is_training", SL_GIVEN_CHOICE, &attrs.is_training}};
    TF_Operation *const op_ = sl_op(scope, "FusedBatchNormGradV3", inputs_, 6, attrs_, 3);
    const struct sl_fused_batch_norm_grad_v3_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}, {op_, 3}, {op_, 4}};
    return outputs_;
}
static inline struct sl_fused_batch_norm_grad_v3_outputs sl_fused_batch_norm_grad_v3(struct sl_scope *scope, TF_Output y_backprop, TF_Output x, TF_Output scale, TF_Output reserve_space_1, TF_Output reserve_space_2, TF_Output reserve_space_3) {
    const struct sl_fused_batch_norm_grad_v3_attrs attrs = SL_DEFAULTS;
    return sl_fused_batch_norm_grad_v3_with(scope, y_backprop, x, scale, reserve_space_1, reserve_space_2, reserve_space_3, attrs);
}

struct sl_fused_batch_norm_v2_outputs {
    TF_Output y, batch_mean, batch_variance, reserve_space_1, reserve_space_2;
};
struct sl_fused_batch_norm_v2_attrs {
    float epsilon; /* 1e-04 */
    float exponential_avg_factor; /* 1 */
    const char *data_format; /* 'NHWC' */
    enum sl_choice is_training; /* true */
};
/* FusedBatchNormV2: x: T, scale: U, offset: U, mean: U, variance: U -> y: T, batch_mean: U, batch_variance: U, reserve_space_1: U, reserve_space_2: U */
static inline struct sl_fused_batch_norm_v2_outputs sl_fused_batch_norm_v2_with(struct sl_scope *scope, TF_Output x, TF_Output scale, TF_Output offset, TF_Output mean, TF_Output variance, struct sl_fused_batch_norm_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&x, -1}, {&scale, -1}, {&offset, -1}, {&mean, -1}, {&variance, -1}};
    const struct sl_attr_given attrs_[] = {{"epsilon", SL_GIVEN_FLOAT, &attrs.epsilon}, {"exponential_avg_factor", SL_GIVEN_FLOAT, &attrs.exponential_avg_factor}, {"data_format", SL_GIVEN_STRING, &attrs.data_format}, {"is_training", SL_GIVEN_CHOICE, &attrs.is_training}};
    TF_Operation *const op_ = sl_op(scope, "FusedBatchNormV2", inputs_, 5, attrs_, 4);
    const struct sl_fused_batch_norm_v2_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}, {op_, 3}, {op_, 4}};
    return outputs_;
}
static inline struct sl_fused_batch_norm_v2_outputs sl_fused_batch_norm_v2(struct sl_scope *scope, TF_Output x, TF_Output scale, TF_Output offset, TF_Output mean, TF_Output variance) {
    const struct sl_fused_batch_norm_v2_attrs attrs = SL_DEFAULTS;
    return sl_fused_batch_norm_v2_with(scope, x, scale, offset, mean, variance, attrs);
}

struct sl_fused_batch_norm_v3_outputs {
    TF_Output y, batch_mean, batch_variance, reserve_space_1, reserve_space_2, reserve_space_3;
};
struct sl_fused_batch_norm_v3_attrs {
    float epsilon; /* 1e-04 */
    float exponential_avg_factor; /* 1 */
    const char *data_format; /* 'NHWC' */
    enum sl_choice is_training; /* true */
};
/* FusedBatchNormV3: x: T, scale: U, offset: U, mean: U, variance: U -> y: T, batch_mean: U, batch_variance: U, reserve_space_1: U, reserve_space_2: U, reserve_space_3: U */
static inline struct sl_fused_batch_norm_v3_outputs sl_fused_batch_norm_v3_with(struct sl_scope *scope, TF_Output x, TF_Output scale, TF_Output offset, TF_Output mean, TF_Output variance, struct sl_fused_batch_norm_v3_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&x, -1}, {&scale, -1}, {&offset, -1}, {&mean, -1}, {&variance, -1}};
    const struct sl_attr_given attrs_[] = {{"epsilon", SL_GIVEN_FLOAT, &attrs.epsilon}, {"exponential_avg_factor", SL_GIVEN_FLOAT, &attrs.exponential_avg_factor}, {"data_format", SL_GIVEN_STRING, &attrs.data_format}, {"is_training", SL_GIVEN_CHOICE, &attrs.is_training}};
    TF_Operation *const op_ = sl_op(scope, "FusedBatchNormV3", inputs_, 5, attrs_, 4);
    const struct sl_fused_batch_norm_v3_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}, {op_, 3}, {op_, 4}, {op_, 5}};
    return outputs_;
}
static inline struct sl_fused_batch_norm_v3_outputs sl_fused_batch_norm_v3(struct sl_scope *scope, TF_Output x, TF_Output scale, TF_Output offset, TF_Output mean, TF_Output variance) {
    const struct sl_fused_batch_norm_v3_attrs attrs = SL_DEFAULTS;
    return sl_fused_batch_norm_v3_with(scope, x, scale, offset, mean, variance, attrs);
}

struct sl_lrn_attrs {
    int64_t depth_radius; /* 5 */
    float bias; /* 1 */
    float alpha; /* 1 */
    float beta; /* 0.5 */
};
/* LRN: input: T -> output: T */
static inline TF_Output sl_lrn_with(struct sl_scope *scope, TF_Output input, struct sl_lrn_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    const struct sl_attr_given attrs_[] = {{"depth_radius", SL_GIVEN_INT, &attrs.depth_radius}, {"bias", SL_GIVEN_FLOAT, &attrs.bias}, {"alpha", SL_GIVEN_FLOAT, &attrs.alpha}, {"beta", SL_GIVEN_FLOAT, &attrs.beta}};
    return sl_op_first(sl_op(scope, "LRN", inputs_, 1, attrs_, 4));
}
static inline TF_Output sl_lrn(struct sl_scope *scope, TF_Output input) {
    const struct sl_lrn_attrs attrs = SL_DEFAULTS;
    return sl_lrn_with(scope, input, attrs);
}

struct sl_lrn_grad_attrs {
    int64_t depth_radius; /* 5 */
    float bias; /* 1 */
    float alpha; /* 1 */
    float beta; /* 0.5 */
};
/* LRNGrad: input_grads: T, input_image: T, output_image: T -> output: T */
static inline TF_Output sl_lrn_grad_with(struct sl_scope *scope, TF_Output input_grads, TF_Output input_image, TF_Output output_image, struct sl_lrn_grad_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input_grads, -1}, {&input_image, -1}, {&output_image, -1}};
    const struct sl_attr_given attrs_[] = {{"depth_radius", SL_GIVEN_INT, &attrs.depth_radius}, {"bias", SL_GIVEN_FLOAT, &attrs.bias}, {"alpha", SL_GIVEN_FLOAT, &attrs.alpha}, {"beta", SL_GIVEN_FLOAT, &attrs.beta}};
    return sl_op_first(sl_op(scope, "LRNGrad", inputs_, 3, attrs_, 4));
}
static inline TF_Output sl_lrn_grad(struct sl_scope *scope, TF_Output input_grads, TF_Output input_image, TF_Output output_image) {
    const struct sl_lrn_grad_attrs attrs = SL_DEFAULTS;
    return sl_lrn_grad_with(scope, input_grads, input_image, output_image, attrs);
}

#ifdef __cplusplus
}
#endif

#endif
