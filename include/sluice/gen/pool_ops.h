/* Wrappers of the pool ops, made by tools/gen_ops.py from src/ops/pool.def; see sluice/ops.h. */
#ifndef SLUICE_GEN_POOL_OPS_H
#define SLUICE_GEN_POOL_OPS_H

#include "sluice/scope.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sl_avg_pool_attrs {
    struct sl_ints ksize; /* must be given */
    struct sl_ints strides; /* must be given */
    const char *padding; /* must be given */
    const char *data_format; /* 'NHWC' */
};
/* AvgPool: value: T -> output: T */
static inline TF_Output sl_avg_pool(struct sl_scope *scope, TF_Output value, struct sl_avg_pool_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&value, -1}};
    const struct sl_attr_given attrs_[] = {{"ksize", SL_GIVEN_INTS_NEEDED, &attrs.ksize}, {"strides", SL_GIVEN_INTS_NEEDED, &attrs.strides}, {"padding", SL_GIVEN_STRING, &attrs.padding}, {"data_format", SL_GIVEN_STRING, &attrs.data_format}};
    return sl_op_first(sl_op(scope, "AvgPool", inputs_, 1, attrs_, 4));
}

struct sl_avg_pool3d_attrs {
    struct sl_ints ksize; /* must be given */
    struct sl_ints strides; /* must be given */
    const char *padding; /* must be given */
    const char *data_format; /* 'NDHWC' */
};
/* AvgPool3D: input: T -> output: T */
static inline TF_Output sl_avg_pool3d(struct sl_scope *scope, TF_Output input, struct sl_avg_pool3d_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    const struct sl_attr_given attrs_[] = {{"ksize", SL_GIVEN_INTS_NEEDED, &attrs.ksize}, {"strides", SL_GIVEN_INTS_NEEDED, &attrs.strides}, {"padding", SL_GIVEN_STRING, &attrs.padding}, {"data_format", SL_GIVEN_STRING, &attrs.data_format}};
    return sl_op_first(sl_op(scope, "AvgPool3D", inputs_, 1, attrs_, 4));
}

struct sl_avg_pool3d_grad_attrs {
    struct sl_ints ksize; /* must be given */
    struct sl_ints strides; /* must be given */
    const char *padding; /* must be given */
    const char *data_format; /* 'NDHWC' */
};
/* AvgPool3DGrad: orig_input_shape: int32, grad: T -> output: T */
static inline TF_Output sl_avg_pool3d_grad(struct sl_scope *scope, TF_Output orig_input_shape, TF_Output grad, struct sl_avg_pool3d_grad_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&orig_input_shape, -1}, {&grad, -1}};
    const struct sl_attr_given attrs_[] = {{"ksize", SL_GIVEN_INTS_NEEDED, &attrs.ksize}, {"strides", SL_GIVEN_INTS_NEEDED, &attrs.strides}, {"padding", SL_GIVEN_STRING, &attrs.padding}, {"data_format", SL_GIVEN_STRING, &attrs.data_format}};
    return sl_op_first(sl_op(scope, "AvgPool3DGrad", inputs_, 2, attrs_, 4));
}

struct sl_avg_pool_grad_attrs {
    struct sl_ints ksize; /* must be given */
    struct sl_ints strides; /* must be given */
    const char *padding; /* must be given */
    const char *data_format; /* 'NHWC' */
};
/* AvgPoolGrad: orig_input_shape: int32, grad: T -> output: T */
static inline TF_Output sl_avg_pool_grad(struct sl_scope *scope, TF_Output orig_input_shape, TF_Output grad, struct sl_avg_pool_grad_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&orig_input_shape, -1}, {&grad, -1}};
    const struct sl_attr_given attrs_[] = {{"ksize", SL_GIVEN_INTS_NEEDED, &attrs.ksize}, {"strides", SL_GIVEN_INTS_NEEDED, &attrs.strides}, {"padding", SL_GIVEN_STRING, &attrs.padding}, {"data_format", SL_GIVEN_STRING, &attrs.data_format}};
    return sl_op_first(sl_op(scope, "AvgPoolGrad", inputs_, 2, attrs_, 4));
}

struct sl_fractional_avg_pool_outputs {
    TF_Output output, row_pooling_sequence, col_pooling_sequence;
};
struct sl_fractional_avg_pool_attrs {
    struct sl_floats pooling_ratio; /* must be given */
    bool pseudo_random; /* false */
    bool overlapping; /* false */
    bool deterministic; /* false */
    int64_t seed; /* 0 */
    int64_t seed2; /* 0 */
};
/* FractionalAvgPool: value: T -> output: T, row_pooling_sequence: int64, col_pooling_sequence: int64 */
static inline struct sl_fractional_avg_pool_outputs sl_fractional_avg_pool(struct sl_scope *scope, TF_Output value, struct sl_fractional_avg_pool_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&value, -1}};
    const struct sl_attr_given attrs_[] = {{"pooling_ratio", SL_GIVEN_FLOATS_NEEDED, &attrs.pooling_ratio}, {"pseudo_random", SL_GIVEN_BOOL, &attrs.pseudo_random}, {"overlapping", SL_GIVEN_BOOL, &attrs.overlapping}, {"deterministic", SL_GIVEN_BOOL, &attrs.deterministic}, {"seed", SL_GIVEN_INT, &attrs.seed}, {"seed2", SL_GIVEN_INT, &attrs.seed2}};
    TF_Operation *const op_ = sl_op(scope, "FractionalAvgPool", inputs_, 1, attrs_, 6);
    const struct sl_fractional_avg_pool_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}

struct sl_fractional_avg_pool_grad_attrs {
    bool overlapping; /* false */
};
/* FractionalAvgPoolGrad: orig_input_tensor_shape: int64, out_backprop: T, row_pooling_sequence: int64, col_pooling_sequence: int64 -> output: T */
static inline TF_Output sl_fractional_avg_pool_grad_with(struct sl_scope *scope, TF_Output orig_input_tensor_shape, TF_Output out_backprop, TF_Output row_pooling_sequence, TF_Output col_pooling_sequence, struct sl_fractional_avg_pool_grad_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&orig_input_tensor_shape, -1}, {&out_backprop, -1}, {&row_pooling_sequence, -1}, {&col_pooling_sequence, -1}};
    const struct sl_attr_given attrs_[] = {{"overlapping", SL_GIVEN_BOOL, &attrs.overlapping}};
    return sl_op_first(sl_op(scope, "FractionalAvgPoolGrad", inputs_, 4, attrs_, 1));
}
static inline TF_Output sl_fractional_avg_pool_grad(struct sl_scope *scope, TF_Output orig_input_tensor_shape, TF_Output out_backprop, TF_Output row_pooling_sequence, TF_Output col_pooling_sequence) {
    const struct sl_fractional_avg_pool_grad_attrs attrs = SL_DEFAULTS;
    return sl_fractional_avg_pool_grad_with(scope, orig_input_tensor_shape, out_backprop, row_pooling_sequence, col_pooling_sequence, attrs);
}

struct sl_fractional_max_pool_outputs {
    TF_Output output, row_pooling_sequence, col_pooling_sequence;
};
struct sl_fractional_max_pool_attrs {
    struct sl_floats pooling_ratio; /* must be given */
    bool pseudo_random; /* false */
    bool overlapping; /* false */
    bool deterministic; /* false */
    int64_t seed; /* 0 */
    int64_t seed2; /* 0 */
};
/* FractionalMaxPool: value: T -> output: T, row_pooling_sequence: int64, col_pooling_sequence: int64 */
static inline struct sl_fractional_max_pool_outputs sl_fractional_max_pool(struct sl_scope *scope, TF_Output value, struct sl_fractional_max_pool_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&value, -1}};
    const struct sl_attr_given attrs_[] = {{"pooling_ratio", SL_GIVEN_FLOATS_NEEDED, &attrs.pooling_ratio}, {"pseudo_random", SL_GIVEN_BOOL, &attrs.pseudo_random}, {"overlapping", SL_GIVEN_BOOL, &attrs.overlapping}, {"deterministic", SL_GIVEN_BOOL, &attrs.deterministic}, {"seed", SL_GIVEN_INT, &attrs.seed}, {"seed2", SL_GIVEN_INT, &attrs.seed2}};
    TF_Operation *const op_ = sl_op(scope, "FractionalMaxPool", inputs_, 1, attrs_, 6);
    const struct sl_fractional_max_pool_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}

struct sl_fractional_max_pool_grad_attrs {
    bool overlapping; /* false */
};
/* FractionalMaxPoolGrad: orig_input: T, orig_output: T, out_backprop: T, row_pooling_sequence: int64, col_pooling_sequence: int64 -> output: T */
static inline TF_Output sl_fractional_max_pool_grad_with(struct sl_scope *scope, TF_Output orig_input, TF_Output orig_output, TF_Output out_backprop, TF_Output row_pooling_sequence, TF_Output col_pooling_sequence, struct sl_fractional_max_pool_grad_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&orig_input, -1}, {&orig_output, -1}, {&out_backprop, -1}, {&row_pooling_sequence, -1}, {&col_pooling_sequence, -1}};
    const struct sl_attr_given attrs_[] = {{"overlapping", SL_GIVEN_BOOL, &attrs.overlapping}};
    return sl_op_first(sl_op(scope, "FractionalMaxPoolGrad", inputs_, 5, attrs_, 1));
}
static inline TF_Output sl_fractional_max_pool_grad(struct sl_scope *scope, TF_Output orig_input, TF_Output orig_output, TF_Output out_backprop, TF_Output row_pooling_sequence, TF_Output col_pooling_sequence) {
    const struct sl_fractional_max_pool_grad_attrs attrs = SL_DEFAULTS;
    return sl_fractional_max_pool_grad_with(scope, orig_input, orig_output, out_backprop, row_pooling_sequence, col_pooling_sequence, attrs);
}

struct sl_max_pool_attrs {
    struct sl_ints ksize; /* must be given */
    struct sl_ints strides; /* must be given */
    const char *padding; /* must be given */
    struct sl_ints explicit_paddings; /* [] */
    const char *data_format; /* 'NHWC' */
};
/* MaxPool: input: T -> output: T */
static inline TF_Output sl_max_pool(struct sl_scope *scope, TF_Output input, struct sl_max_pool_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    const struct sl_attr_given attrs_[] = {{"ksize", SL_GIVEN_INTS_NEEDED, &attrs.ksize}, {"strides", SL_GIVEN_INTS_NEEDED, &attrs.strides}, {"padding", SL_GIVEN_STRING, &attrs.padding}, {"explicit_paddings", SL_GIVEN_INTS, &attrs.explicit_paddings}, {"data_format", SL_GIVEN_STRING, &attrs.data_format}};
    return sl_op_first(sl_op(scope, "MaxPool", inputs_, 1, attrs_, 5));
}

struct sl_max_pool3d_attrs {
    struct sl_ints ksize; /* must be given */
    struct sl_ints strides; /* must be given */
    const char *padding; /* must be given */
    const char *data_format; /* 'NDHWC' */
};
/* MaxPool3D: input: T -> output: T */
static inline TF_Output sl_max_pool3d(struct sl_scope *scope, TF_Output input, struct sl_max_pool3d_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    const struct sl_attr_given attrs_[] = {{"ksize", SL_GIVEN_INTS_NEEDED, &attrs.ksize}, {"strides", SL_GIVEN_INTS_NEEDED, &attrs.strides}, {"padding", SL_GIVEN_STRING, &attrs.padding}, {"data_format", SL_GIVEN_STRING, &attrs.data_format}};
    return sl_op_first(sl_op(scope, "MaxPool3D", inputs_, 1, attrs_, 4));
}

struct sl_max_pool3d_grad_attrs {
    struct sl_ints ksize; /* must be given */
    struct sl_ints strides; /* must be given */
    const char *padding; /* must be given */
    const char *data_format; /* 'NDHWC' */
};
/* MaxPool3DGrad: orig_input: TInput, orig_output: TInput, grad: T -> output: T */
static inline TF_Output sl_max_pool3d_grad(struct sl_scope *scope, TF_Output orig_input, TF_Output orig_output, TF_Output grad, struct sl_max_pool3d_grad_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&orig_input, -1}, {&orig_output, -1}, {&grad, -1}};
    const struct sl_attr_given attrs_[] = {{"ksize", SL_GIVEN_INTS_NEEDED, &attrs.ksize}, {"strides", SL_GIVEN_INTS_NEEDED, &attrs.strides}, {"padding", SL_GIVEN_STRING, &attrs.padding}, {"data_format", SL_GIVEN_STRING, &attrs.data_format}};
    return sl_op_first(sl_op(scope, "MaxPool3DGrad", inputs_, 3, attrs_, 4));
}

struct sl_max_pool3d_grad_grad_attrs {
    struct sl_ints ksize; /* must be given */
    struct sl_ints strides; /* must be given */
    const char *padding; /* must be given */
    const char *data_format; /* 'NDHWC' */
};
/* MaxPool3DGradGrad: orig_input: T, orig_output: T, grad: T -> output: T */
static inline TF_Output sl_max_pool3d_grad_grad(struct sl_scope *scope, TF_Output orig_input, TF_Output orig_output, TF_Output grad, struct sl_max_pool3d_grad_grad_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&orig_input, -1}, {&orig_output, -1}, {&grad, -1}};
    const struct sl_attr_given attrs_[] = {{"ksize", SL_GIVEN_INTS_NEEDED, &attrs.ksize}, {"strides", SL_GIVEN_INTS_NEEDED, &attrs.strides}, {"padding", SL_GIVEN_STRING, &attrs.padding}, {"data_format", SL_GIVEN_STRING, &attrs.data_format}};
    return sl_op_first(sl_op(scope, "MaxPool3DGradGrad", inputs_, 3, attrs_, 4));
}

struct sl_max_pool_grad_attrs {
    struct sl_ints ksize; /* must be given */
    struct sl_ints strides; /* must be given */
    const char *padding; /* must be given */
    struct sl_ints explicit_paddings; /* [] */
    const char *data_format; /* 'NHWC' */
};
/* MaxPoolGrad: orig_input: T, orig_output: T, grad: T -> output: T */
static inline TF_Output sl_max_pool_grad(struct sl_scope *scope, TF_Output orig_input, TF_Output orig_output, TF_Output grad, struct sl_max_pool_grad_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&orig_input, -1}, {&orig_output, -1}, {&grad, -1}};
    const struct sl_attr_given attrs_[] = {{"ksize", SL_GIVEN_INTS_NEEDED, &attrs.ksize}, {"strides", SL_GIVEN_INTS_NEEDED, &attrs.strides}, {"padding", SL_GIVEN_STRING, &attrs.padding}, {"explicit_paddings", SL_GIVEN_INTS, &attrs.explicit_paddings}, {"data_format", SL_GIVEN_STRING, &attrs.data_format}};
    return sl_op_first(sl_op(scope, "MaxPoolGrad", inputs_, 3, attrs_, 5));
}

struct sl_max_pool_grad_grad_attrs {
    struct sl_ints ksize; /* must be given */
    struct sl_ints strides; /* must be given */
    const char *padding; /* must be given */
    const char *data_format; /* 'NHWC' */
};
/* MaxPoolGradGrad: orig_input: T, orig_output: T, grad: T -> output: T */
static inline TF_Output sl_max_pool_grad_grad(struct sl_scope *scope, TF_Output orig_input, TF_Output orig_output, TF_Output grad, struct sl_max_pool_grad_grad_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&orig_input, -1}, {&orig_output, -1}, {&grad, -1}};
    const struct sl_attr_given attrs_[] = {{"ksize", SL_GIVEN_INTS_NEEDED, &attrs.ksize}, {"strides", SL_GIVEN_INTS_NEEDED, &attrs.strides}, {"padding", SL_GIVEN_STRING, &attrs.padding}, {"data_format", SL_GIVEN_STRING, &attrs.data_format}};
    return sl_op_first(sl_op(scope, "MaxPoolGradGrad", inputs_, 3, attrs_, 4));
}

struct sl_max_pool_grad_grad_v2_attrs {
    const char *padding; /* must be given */
    const char *data_format; /* 'NHWC' */
};
/* MaxPoolGradGradV2: orig_input: T, orig_output: T, grad: T, ksize: int32, strides: int32 -> output: T */
static inline TF_Output sl_max_pool_grad_grad_v2(struct sl_scope *scope, TF_Output orig_input, TF_Output orig_output, TF_Output grad, TF_Output ksize, TF_Output strides, struct sl_max_pool_grad_grad_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&orig_input, -1}, {&orig_output, -1}, {&grad, -1}, {&ksize, -1}, {&strides, -1}};
    const struct sl_attr_given attrs_[] = {{"padding", SL_GIVEN_STRING, &attrs.padding}, {"data_format", SL_GIVEN_STRING, &attrs.data_format}};
    return sl_op_first(sl_op(scope, "MaxPoolGradGradV2", inputs_, 5, attrs_, 2));
}

struct sl_max_pool_grad_grad_with_argmax_attrs {
    struct sl_ints ksize; /* must be given */
    struct sl_ints strides; /* must be given */
    const char *padding; /* must be given */
    bool include_batch_in_index; /* false */
};
/* MaxPoolGradGradWithArgmax: input: T, grad: T, argmax: Targmax -> output: T */
static inline TF_Output sl_max_pool_grad_grad_with_argmax(struct sl_scope *scope, TF_Output input, TF_Output grad, TF_Output argmax, struct sl_max_pool_grad_grad_with_argmax_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&grad, -1}, {&argmax, -1}};
    const struct sl_attr_given attrs_[] = {{"ksize", SL_GIVEN_INTS_NEEDED, &attrs.ksize}, {"strides", SL_GIVEN_INTS_NEEDED, &attrs.strides}, {"padding", SL_GIVEN_STRING, &attrs.padding}, {"include_batch_in_index", SL_GIVEN_BOOL, &attrs.include_batch_in_index}};
    return sl_op_first(sl_op(scope, "MaxPoolGradGradWithArgmax", inputs_, 3, attrs_, 4));
}

struct sl_max_pool_grad_v2_attrs {
    const char *padding; /* must be given */
    const char *data_format; /* 'NHWC' */
};
/* MaxPoolGradV2: orig_input: T, orig_output: T, grad: T, ksize: int32, strides: int32 -> output: T */
static inline TF_Output sl_max_pool_grad_v2(struct sl_scope *scope, TF_Output orig_input, TF_Output orig_output, TF_Output grad, TF_Output ksize, TF_Output strides, struct sl_max_pool_grad_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&orig_input, -1}, {&orig_output, -1}, {&grad, -1}, {&ksize, -1}, {&strides, -1}};
    const struct sl_attr_given attrs_[] = {{"padding", SL_GIVEN_STRING, &attrs.padding}, {"data_format", SL_GIVEN_STRING, &attrs.data_format}};
    return sl_op_first(sl_op(scope, "MaxPoolGradV2", inputs_, 5, attrs_, 2));
}

struct sl_max_pool_grad_with_argmax_attrs {
    struct sl_ints ksize; /* must be given */
    struct sl_ints strides; /* must be given */
    const char *padding; /* must be given */
    bool include_batch_in_index; /* false */
};
/* MaxPoolGradWithArgmax: input: T, grad: T, argmax: Targmax -> output: T */
static inline TF_Output sl_max_pool_grad_with_argmax(struct sl_scope *scope, TF_Output input, TF_Output grad, TF_Output argmax, struct sl_max_pool_grad_with_argmax_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&grad, -1}, {&argmax, -1}};
    const struct sl_attr_given attrs_[] = {{"ksize", SL_GIVEN_INTS_NEEDED, &attrs.ksize}, {"strides", SL_GIVEN_INTS_NEEDED, &attrs.strides}, {"padding", SL_GIVEN_STRING, &attrs.padding}, {"include_batch_in_index", SL_GIVEN_BOOL, &attrs.include_batch_in_index}};
    return sl_op_first(sl_op(scope, "MaxPoolGradWithArgmax", inputs_, 3, attrs_, 4));
}

struct sl_max_pool_v2_attrs {
    const char *padding; /* must be given */
    const char *data_format; /* 'NHWC' */
};
/* MaxPoolV2: input: T, ksize: int32, strides: int32 -> output: T */
static inline TF_Output sl_max_pool_v2(struct sl_scope *scope, TF_Output input, TF_Output ksize, TF_Output strides, struct sl_max_pool_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&ksize, -1}, {&strides, -1}};
    const struct sl_attr_given attrs_[] = {{"padding", SL_GIVEN_STRING, &attrs.padding}, {"data_format", SL_GIVEN_STRING, &attrs.data_format}};
    return sl_op_first(sl_op(scope, "MaxPoolV2", inputs_, 3, attrs_, 2));
}

struct sl_max_pool_with_argmax_outputs {
    TF_Output output, argmax;
};
struct sl_max_pool_with_argmax_attrs {
    struct sl_ints ksize; /* must be given */
    struct sl_ints strides; /* must be given */
    TF_DataType Targmax; /* DT_INT64 */
    const char *padding; /* must be given */
    bool include_batch_in_index; /* false */
};
/* MaxPoolWithArgmax: input: T -> output: T, argmax: Targmax */
static inline struct sl_max_pool_with_argmax_outputs sl_max_pool_with_argmax(struct sl_scope *scope, TF_Output input, struct sl_max_pool_with_argmax_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    const struct sl_attr_given attrs_[] = {{"ksize", SL_GIVEN_INTS_NEEDED, &attrs.ksize}, {"strides", SL_GIVEN_INTS_NEEDED, &attrs.strides}, {"Targmax", SL_GIVEN_TYPE, &attrs.Targmax}, {"padding", SL_GIVEN_STRING, &attrs.padding}, {"include_batch_in_index", SL_GIVEN_BOOL, &attrs.include_batch_in_index}};
    TF_Operation *const op_ = sl_op(scope, "MaxPoolWithArgmax", inputs_, 1, attrs_, 5);
    const struct sl_max_pool_with_argmax_outputs outputs_ = {{op_, 0}, {op_, 1}};
    return outputs_;
}

#ifdef __cplusplus
}
#endif

#endif
