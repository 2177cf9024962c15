/* Wrappers of the quant ops, made by tools/gen_ops.py from src/ops/quant.def; see sluice/ops.h. */
#ifndef SLUICE_GEN_QUANT_OPS_H
#define SLUICE_GEN_QUANT_OPS_H

#include "sluice/scope.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sl_calibration_statistics_saver_attrs {
    struct sl_strings ids; /* must be given */
    struct sl_ints calibration_methods; /* must be given */
    const char *output_file_path; /* must be given */
};
/* CalibrationStatisticsSaver: args: Tin -> () */
static inline TF_Operation *sl_calibration_statistics_saver(struct sl_scope *scope, const TF_Output *args, int num_args, struct sl_calibration_statistics_saver_attrs attrs) {
    const struct sl_op_input inputs_[] = {{args, num_args}};
    const struct sl_attr_given attrs_[] = {{"ids", SL_GIVEN_STRINGS_NEEDED, &attrs.ids}, {"calibration_methods", SL_GIVEN_INTS_NEEDED, &attrs.calibration_methods}, {"output_file_path", SL_GIVEN_STRING, &attrs.output_file_path}};
    return sl_op(scope, "CalibrationStatisticsSaver", inputs_, 1, attrs_, 3);
}

struct sl_custom_aggregator_outputs {
    TF_Output output, min, max, histogram;
};
struct sl_custom_aggregator_attrs {
    const char *id; /* must be given */
    int64_t calibration_method; /* 0 */
    int64_t num_bins; /* 0 */
    float min_percentile; /* 0 */
    float max_percentile; /* 0 */
};
/* CustomAggregator: input: float -> output: float, min: float, max: float, histogram: int64 */
static inline struct sl_custom_aggregator_outputs sl_custom_aggregator(struct sl_scope *scope, TF_Output input, struct sl_custom_aggregator_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    const struct sl_attr_given attrs_[] = {{"id", SL_GIVEN_STRING, &attrs.id}, {"calibration_method", SL_GIVEN_INT, &attrs.calibration_method}, {"num_bins", SL_GIVEN_INT, &attrs.num_bins}, {"min_percentile", SL_GIVEN_FLOAT, &attrs.min_percentile}, {"max_percentile", SL_GIVEN_FLOAT, &attrs.max_percentile}};
    TF_Operation *const op_ = sl_op(scope, "CustomAggregator", inputs_, 1, attrs_, 5);
    const struct sl_custom_aggregator_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}, {op_, 3}};
    return outputs_;
}

struct sl_dequantize_attrs {
    const char *mode; /* 'MIN_COMBINED' */
    bool narrow_range; /* false */
    int64_t axis; /* -1 */
    TF_DataType dtype; /* DT_FLOAT */
};
/* Dequantize: input: T, min_range: float, max_range: float -> output: dtype */
static inline TF_Output sl_dequantize_with(struct sl_scope *scope, TF_Output input, TF_Output min_range, TF_Output max_range, struct sl_dequantize_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&min_range, -1}, {&max_range, -1}};
    const struct sl_attr_given attrs_[] = {{"mode", SL_GIVEN_STRING, &attrs.mode}, {"narrow_range", SL_GIVEN_BOOL, &attrs.narrow_range}, {"axis", SL_GIVEN_INT, &attrs.axis}, {"dtype", SL_GIVEN_TYPE, &attrs.dtype}};
    return sl_op_first(sl_op(scope, "Dequantize", inputs_, 3, attrs_, 4));
}
static inline TF_Output sl_dequantize(struct sl_scope *scope, TF_Output input, TF_Output min_range, TF_Output max_range) {
    const struct sl_dequantize_attrs attrs = SL_DEFAULTS;
    return sl_dequantize_with(scope, input, min_range, max_range, attrs);
}

struct sl_fake_quant_with_min_max_args_attrs {
    float min; /* -6 */
    float max; /* 6 */
    int64_t num_bits; /* 8 */
    bool narrow_range; /* false */
};
/* FakeQuantWithMinMaxArgs: inputs: float -> outputs: float */
static inline TF_Output sl_fake_quant_with_min_max_args_with(struct sl_scope *scope, TF_Output inputs, struct sl_fake_quant_with_min_max_args_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&inputs, -1}};
    const struct sl_attr_given attrs_[] = {{"min", SL_GIVEN_FLOAT, &attrs.min}, {"max", SL_GIVEN_FLOAT, &attrs.max}, {"num_bits", SL_GIVEN_INT, &attrs.num_bits}, {"narrow_range", SL_GIVEN_BOOL, &attrs.narrow_range}};
    return sl_op_first(sl_op(scope, "FakeQuantWithMinMaxArgs", inputs_, 1, attrs_, 4));
}
static inline TF_Output sl_fake_quant_with_min_max_args(struct sl_scope *scope, TF_Output inputs) {
    const struct sl_fake_quant_with_min_max_args_attrs attrs = SL_DEFAULTS;
    return sl_fake_quant_with_min_max_args_with(scope, inputs, attrs);
}

struct sl_fake_quant_with_min_max_args_gradient_attrs {
    float min; /* -6 */
    float max; /* 6 */
    int64_t num_bits; /* 8 */
    bool narrow_range; /* false */
};
/* FakeQuantWithMinMaxArgsGradient: gradients: float, inputs: float -> backprops: float */
static inline TF_Output sl_fake_quant_with_min_max_args_gradient_with(struct sl_scope *scope, TF_Output gradients, TF_Output inputs, struct sl_fake_quant_with_min_max_args_gradient_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&gradients, -1}, {&inputs, -1}};
    const struct sl_attr_given attrs_[] = {{"min", SL_GIVEN_FLOAT, &attrs.min}, {"max", SL_GIVEN_FLOAT, &attrs.max}, {"num_bits", SL_GIVEN_INT, &attrs.num_bits}, {"narrow_range", SL_GIVEN_BOOL, &attrs.narrow_range}};
    return sl_op_first(sl_op(scope, "FakeQuantWithMinMaxArgsGradient", inputs_, 2, attrs_, 4));
}
static inline TF_Output sl_fake_quant_with_min_max_args_gradient(struct sl_scope *scope, TF_Output gradients, TF_Output inputs) {
    const struct sl_fake_quant_with_min_max_args_gradient_attrs attrs = SL_DEFAULTS;
    return sl_fake_quant_with_min_max_args_gradient_with(scope, gradients, inputs, attrs);
}

struct sl_fake_quant_with_min_max_vars_attrs {
    int64_t num_bits; /* 8 */
    bool narrow_range; /* false */
};
/* FakeQuantWithMinMaxVars: inputs: float, min: float, max: float -> outputs: float */
static inline TF_Output sl_fake_quant_with_min_max_vars_with(struct sl_scope *scope, TF_Output inputs, TF_Output min, TF_Output max, struct sl_fake_quant_with_min_max_vars_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&inputs, -1}, {&min, -1}, {&max, -1}};
    const struct sl_attr_given attrs_[] = {{"num_bits", SL_GIVEN_INT, &attrs.num_bits}, {"narrow_range", SL_GIVEN_BOOL, &attrs.narrow_range}};
    return sl_op_first(sl_op(scope, "FakeQuantWithMinMaxVars", inputs_, 3, attrs_, 2));
}
static inline TF_Output sl_fake_quant_with_min_max_vars(struct sl_scope *scope, TF_Output inputs, TF_Output min, TF_Output max) {
    const struct sl_fake_quant_with_min_max_vars_attrs attrs = SL_DEFAULTS;
    return sl_fake_quant_with_min_max_vars_with(scope, inputs, min, max, attrs);
}

struct sl_fake_quant_with_min_max_vars_gradient_outputs {
    TF_Output backprops_wrt_input, backprop_wrt_min, backprop_wrt_max;
};
struct sl_fake_quant_with_min_max_vars_gradient_attrs {
    int64_t num_bits; /* 8 */
    bool narrow_range; /* false */
};
/* FakeQuantWithMinMaxVarsGradient: gradients: float, inputs: float, min: float, max: float -> backprops_wrt_input: float, backprop_wrt_min: float, backprop_wrt_max: float */
static inline struct sl_fake_quant_with_min_max_vars_gradient_outputs sl_fake_quant_with_min_max_vars_gradient_with(struct sl_scope *scope, TF_Output gradients, TF_Output inputs, TF_Output min, TF_Output max, struct sl_fake_quant_with_min_max_vars_gradient_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&gradients, -1}, {&inputs, -1}, {&min, -1}, {&max, -1}};
    const struct sl_attr_given attrs_[] = {{"num_bits", SL_GIVEN_INT, &attrs.num_bits}, {"narrow_range", SL_GIVEN_BOOL, &attrs.narrow_range}};
    TF_Operation *const op_ = sl_op(scope, "FakeQuantWithMinMaxVarsGradient", inputs_, 4, attrs_, 2);
    const struct sl_fake_quant_with_min_max_vars_gradient_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}
static inline struct sl_fake_quant_with_min_max_vars_gradient_outputs sl_fake_quant_with_min_max_vars_gradient(struct sl_scope *scope, TF_Output gradients, TF_Output inputs, TF_Output min, TF_Output max) {
    const struct sl_fake_quant_with_min_max_vars_gradient_attrs attrs = SL_DEFAULTS;
    return sl_fake_quant_with_min_max_vars_gradient_with(scope, gradients, inputs, min, max, attrs);
}

struct sl_fake_quant_with_min_max_vars_per_channel_attrs {
    int64_t num_bits; /* 8 */
    bool narrow_range; /* false */
};
/* FakeQuantWithMinMaxVarsPerChannel: inputs: float, min: float, max: float -> outputs: float */
static inline TF_Output sl_fake_quant_with_min_max_vars_per_channel_with(struct sl_scope *scope, TF_Output inputs, TF_Output min, TF_Output max, struct sl_fake_quant_with_min_max_vars_per_channel_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&inputs, -1}, {&min, -1}, {&max, -1}};
    const struct sl_attr_given attrs_[] = {{"num_bits", SL_GIVEN_INT, &attrs.num_bits}, {"narrow_range", SL_GIVEN_BOOL, &attrs.narrow_range}};
    return sl_op_first(sl_op(scope, "FakeQuantWithMinMaxVarsPerChannel", inputs_, 3, attrs_, 2));
}
static inline TF_Output sl_fake_quant_with_min_max_vars_per_channel(struct sl_scope *scope, TF_Output inputs, TF_Output min, TF_Output max) {
    const struct sl_fake_quant_with_min_max_vars_per_channel_attrs attrs = SL_DEFAULTS;
    return sl_fake_quant_with_min_max_vars_per_channel_with(scope, inputs, min, max, attrs);
}

struct sl_fake_quant_with_min_max_vars_per_channel_gradient_outputs {
    TF_Output backprops_wrt_input, backprop_wrt_min, backprop_wrt_max;
};
struct sl_fake_quant_with_min_max_vars_per_channel_gradient_attrs {
    int64_t num_bits; /* 8 */
    bool narrow_range; /* false */
};
/* FakeQuantWithMinMaxVarsPerChannelGradient: gradients: float, inputs: float, min: float, max: float -> backprops_wrt_input: float, backprop_wrt_min: float, backprop_wrt_max: float */
static inline struct sl_fake_quant_with_min_max_vars_per_channel_gradient_outputs sl_fake_quant_with_min_max_vars_per_channel_gradient_with(struct sl_scope *scope, TF_Output gradients, TF_Output inputs, TF_Output min, TF_Output max, struct sl_fake_quant_with_min_max_vars_per_channel_gradient_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&gradients, -1}, {&inputs, -1}, {&min, -1}, {&max, -1}};
    const struct sl_attr_given attrs_[] = {{"num_bits", SL_GIVEN_INT, &attrs.num_bits}, {"narrow_range", SL_GIVEN_BOOL, &attrs.narrow_range}};
    TF_Operation *const op_ = sl_op(scope, "FakeQuantWithMinMaxVarsPerChannelGradient", inputs_, 4, attrs_, 2);
    const struct sl_fake_quant_with_min_max_vars_per_channel_gradient_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}
static inline struct sl_fake_quant_with_min_max_vars_per_channel_gradient_outputs sl_fake_quant_with_min_max_vars_per_channel_gradient(struct sl_scope *scope, TF_Output gradients, TF_Output inputs, TF_Output min, TF_Output max) {
    const struct sl_fake_quant_with_min_max_vars_per_channel_gradient_attrs attrs = SL_DEFAULTS;
    return sl_fake_quant_with_min_max_vars_per_channel_gradient_with(scope, gradients, inputs, min, max, attrs);
}

struct sl_quantize_and_dequantize_attrs {
    enum sl_choice signed_input; /* true */
    int64_t num_bits; /* 8 */
    bool range_given; /* false */
    float input_min; /* 0 */
    float input_max; /* 0 */
};
/* QuantizeAndDequantize: input: T -> output: T */
static inline TF_Output sl_quantize_and_dequantize_with(struct sl_scope *scope, TF_Output input, struct sl_quantize_and_dequantize_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    const struct sl_attr_given attrs_[] = {{"signed_input", SL_GIVEN_CHOICE, &attrs.signed_input}, {"num_bits", SL_GIVEN_INT, &attrs.num_bits}, {"range_given", SL_GIVEN_BOOL, &attrs.range_given}, {"input_min", SL_GIVEN_FLOAT, &attrs.input_min}, {"input_max", SL_GIVEN_FLOAT, &attrs.input_max}};
    return sl_op_first(sl_op(scope, "QuantizeAndDequantize", inputs_, 1, attrs_, 5));
}
static inline TF_Output sl_quantize_and_dequantize(struct sl_scope *scope, TF_Output input) {
    const struct sl_quantize_and_dequantize_attrs attrs = SL_DEFAULTS;
    return sl_quantize_and_dequantize_with(scope, input, attrs);
}

struct sl_quantize_and_dequantize_v2_attrs {
    enum sl_choice signed_input; /* true */
    int64_t num_bits; /* 8 */
    bool range_given; /* false */
    const char *round_mode; /* 'HALF_TO_EVEN' */
    bool narrow_range; /* false */
    int64_t axis; /* -1 */
};
/* QuantizeAndDequantizeV2: input: T, input_min: T, input_max: T -> output: T */
static inline TF_Output sl_quantize_and_dequantize_v2_with(struct sl_scope *scope, TF_Output input, TF_Output input_min, TF_Output input_max, struct sl_quantize_and_dequantize_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&input_min, -1}, {&input_max, -1}};
    const struct sl_attr_given attrs_[] = {{"signed_input", SL_GIVEN_CHOICE, &attrs.signed_input}, {"num_bits", SL_GIVEN_INT, &attrs.num_bits}, {"range_given", SL_GIVEN_BOOL, &attrs.range_given}, {"round_mode", SL_GIVEN_STRING, &attrs.round_mode}, {"narrow_range", SL_GIVEN_BOOL, &attrs.narrow_range}, {"axis", SL_GIVEN_INT, &attrs.axis}};
    return sl_op_first(sl_op(scope, "QuantizeAndDequantizeV2", inputs_, 3, attrs_, 6));
}
static inline TF_Output sl_quantize_and_dequantize_v2(struct sl_scope *scope, TF_Output input, TF_Output input_min, TF_Output input_max) {
    const struct sl_quantize_and_dequantize_v2_attrs attrs = SL_DEFAULTS;
    return sl_quantize_and_dequantize_v2_with(scope, input, input_min, input_max, attrs);
}

struct sl_quantize_and_dequantize_v3_attrs {
    enum sl_choice signed_input; /* true */
    enum sl_choice range_given; /* true */
    bool narrow_range; /* false */
    int64_t axis; /* -1 */
};
/* QuantizeAndDequantizeV3: input: T, input_min: T, input_max: T, num_bits: int32 -> output: T */
static inline TF_Output sl_quantize_and_dequantize_v3_with(struct sl_scope *scope, TF_Output input, TF_Output input_min, TF_Output input_max, TF_Output num_bits, struct sl_quantize_and_dequantize_v3_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&input_min, -1}, {&input_max, -1}, {&num_bits, -1}};
    const struct sl_attr_given attrs_[] = {{"signed_input", SL_GIVEN_CHOICE, &attrs.signed_input}, {"range_given", SL_GIVEN_CHOICE, &attrs.range_given}, {"narrow_range", SL_GIVEN_BOOL, &attrs.narrow_range}, {"axis", SL_GIVEN_INT, &attrs.axis}};
    return sl_op_first(sl_op(scope, "QuantizeAndDequantizeV3", inputs_, 4, attrs_, 4));
}
static inline TF_Output sl_quantize_and_dequantize_v3(struct sl_scope *scope, TF_Output input, TF_Output input_min, TF_Output input_max, TF_Output num_bits) {
    const struct sl_quantize_and_dequantize_v3_attrs attrs = SL_DEFAULTS;
    return sl_quantize_and_dequantize_v3_with(scope, input, input_min, input_max, num_bits, attrs);
}

struct sl_quantize_and_dequantize_v4_attrs {
    enum sl_choice signed_input; /* true */
    int64_t num_bits; /* 8 */
    bool range_given; /* false */
    const char *round_mode; /* 'HALF_TO_EVEN' */
    bool narrow_range; /* false */
    int64_t axis; /* -1 */
};
/* QuantizeAndDequantizeV4: input: T, input_min: T, input_max: T -> output: T */
static inline TF_Output sl_quantize_and_dequantize_v4_with(struct sl_scope *scope, TF_Output input, TF_Output input_min, TF_Output input_max, struct sl_quantize_and_dequantize_v4_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&input_min, -1}, {&input_max, -1}};
    const struct sl_attr_given attrs_[] = {{"signed_input", SL_GIVEN_CHOICE, &attrs.signed_input}, {"num_bits", SL_GIVEN_INT, &attrs.num_bits}, {"range_given", SL_GIVEN_BOOL, &attrs.range_given}, {"round_mode", SL_GIVEN_STRING, &attrs.round_mode}, {"narrow_range", SL_GIVEN_BOOL, &attrs.narrow_range}, {"axis", SL_GIVEN_INT, &attrs.axis}};
    return sl_op_first(sl_op(scope, "QuantizeAndDequantizeV4", inputs_, 3, attrs_, 6));
}
static inline TF_Output sl_quantize_and_dequantize_v4(struct sl_scope *scope, TF_Output input, TF_Output input_min, TF_Output input_max) {
    const struct sl_quantize_and_dequantize_v4_attrs attrs = SL_DEFAULTS;
    return sl_quantize_and_dequantize_v4_with(scope, input, input_min, input_max, attrs);
}

struct sl_quantize_and_dequantize_v4_grad_outputs {
    TF_Output input_backprop, input_min_backprop, input_max_backprop;
};
struct sl_quantize_and_dequantize_v4_grad_attrs {
    int64_t axis; /* -1 */
};
/* QuantizeAndDequantizeV4Grad: gradients: T, input: T, input_min: T, input_max: T -> input_backprop: T, input_min_backprop: T, input_max_backprop: T */
static inline struct sl_quantize_and_dequantize_v4_grad_outputs sl_quantize_and_dequantize_v4_grad_with(struct sl_scope *scope, TF_Output gradients, TF_Output input, TF_Output input_min, TF_Output input_max, struct sl_quantize_and_dequantize_v4_grad_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&gradients, -1}, {&input, -1}, {&input_min, -1}, {&input_max, -1}};
    const struct sl_attr_given attrs_[] = {{"axis", SL_GIVEN_INT, &attrs.axis}};
    TF_Operation *const op_ = sl_op(scope, "QuantizeAndDequantizeV4Grad", inputs_, 4, attrs_, 1);
    const struct sl_quantize_and_dequantize_v4_grad_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}
static inline struct sl_quantize_and_dequantize_v4_grad_outputs sl_quantize_and_dequantize_v4_grad(struct sl_scope *scope, TF_Output gradients, TF_Output input, TF_Output input_min, TF_Output input_max) {
    const struct sl_quantize_and_dequantize_v4_grad_attrs attrs = SL_DEFAULTS;
    return sl_quantize_and_dequantize_v4_grad_with(scope, gradients, input, input_min, input_max, attrs);
}

struct sl_quantize_down_and_shrink_range_outputs {
    TF_Output output, output_min, output_max;
};
struct sl_quantize_down_and_shrink_range_attrs {
    TF_DataType out_type; /* must be given */
};
/* QuantizeDownAndShrinkRange: input: Tinput, input_min: float, input_max: float -> output: out_type, output_min: float, output_max: float */
static inline struct sl_quantize_down_and_shrink_range_outputs sl_quantize_down_and_shrink_range(struct sl_scope *scope, TF_Output input, TF_Output input_min, TF_Output input_max, struct sl_quantize_down_and_shrink_range_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&input_min, -1}, {&input_max, -1}};
    const struct sl_attr_given attrs_[] = {{"out_type", SL_GIVEN_TYPE, &attrs.out_type}};
    TF_Operation *const op_ = sl_op(scope, "QuantizeDownAndShrinkRange", inputs_, 3, attrs_, 1);
    const struct sl_quantize_down_and_shrink_range_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}

struct sl_quantize_v2_outputs {
    TF_Output output, output_min, output_max;
};
struct sl_quantize_v2_attrs {
    TF_DataType T; /* must be given */
    const char *mode; /* 'MIN_COMBINED' */
    const char *round_mode; /* 'HALF_AWAY_FROM_ZERO' */
    bool narrow_range; /* false */
    int64_t axis; /* -1 */
    float ensure_minimum_range; /* 0.01 */
};
/* QuantizeV2: input: float, min_range: float, max_range: float -> output: T, output_min: float, output_max: float */
static inline struct sl_quantize_v2_outputs sl_quantize_v2(struct sl_scope *scope, TF_Output input, TF_Output min_range, TF_Output max_range, struct sl_quantize_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&min_range, -1}, {&max_range, -1}};
    const struct sl_attr_given attrs_[] = {{"T", SL_GIVEN_TYPE, &attrs.T}, {"mode", SL_GIVEN_STRING, &attrs.mode}, {"round_mode", SL_GIVEN_STRING, &attrs.round_mode}, {"narrow_range", SL_GIVEN_BOOL, &attrs.narrow_range}, {"axis", SL_GIVEN_INT, &attrs.axis}, {"ensure_minimum_range", SL_GIVEN_FLOAT, &attrs.ensure_minimum_range}};
    TF_Operation *const op_ = sl_op(scope, "QuantizeV2", inputs_, 3, attrs_, 6);
    const struct sl_quantize_v2_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}

struct sl_quantized_add_outputs {
    TF_Output z, min_z, max_z;
};
struct sl_quantized_add_attrs {
    TF_DataType Toutput; /* DT_QINT32 */
};
/* QuantizedAdd: x: T1, y: T2, min_x: float, max_x: float, min_y: float, max_y: float -> z: Toutput, min_z: float, max_z: float */
static inline struct sl_quantized_add_outputs sl_quantized_add_with(struct sl_scope *scope, TF_Output x, TF_Output y, TF_Output min_x, TF_Output max_x, TF_Output min_y, TF_Output max_y, struct sl_quantized_add_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&x, -1}, {&y, -1}, {&min_x, -1}, {&max_x, -1}, {&min_y, -1}, {&max_y, -1}};
    const struct sl_attr_given attrs_[] = {{"Toutput", SL_GIVEN_TYPE, &attrs.Toutput}};
    TF_Operation *const op_ = sl_op(scope, "QuantizedAdd", inputs_, 6, attrs_, 1);
    const struct sl_quantized_add_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}
static inline struct sl_quantized_add_outputs sl_quantized_add(struct sl_scope *scope, TF_Output x, TF_Output y, TF_Output min_x, TF_Output max_x, TF_Output min_y, TF_Output max_y) {
    const struct sl_quantized_add_attrs attrs = SL_DEFAULTS;
    return sl_quantized_add_with(scope, x, y, min_x, max_x, min_y, max_y, attrs);
}

struct sl_quantized_avg_pool_outputs {
    TF_Output output, min_output, max_output;
};
struct sl_quantized_avg_pool_attrs {
    struct sl_ints ksize; /* must be given */
    struct sl_ints strides; /* must be given */
    const char *padding; /* must be given */
};
/* QuantizedAvgPool: input: T, min_input: float, max_input: float -> output: T, min_output: float, max_output: float */
static inline struct sl_quantized_avg_pool_outputs sl_quantized_avg_pool(struct sl_scope *scope, TF_Output input, TF_Output min_input, TF_Output max_input, struct sl_quantized_avg_pool_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&min_input, -1}, {&max_input, -1}};
    const struct sl_attr_given attrs_[] = {{"ksize", SL_GIVEN_INTS_NEEDED, &attrs.ksize}, {"strides", SL_GIVEN_INTS_NEEDED, &attrs.strides}, {"padding", SL_GIVEN_STRING, &attrs.padding}};
    TF_Operation *const op_ = sl_op(scope, "QuantizedAvgPool", inputs_, 3, attrs_, 3);
    const struct sl_quantized_avg_pool_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}

struct sl_quantized_batch_norm_with_global_normalization_outputs {
    TF_Output result, result_min, result_max;
};
struct sl_quantized_batch_norm_with_global_normalization_attrs {
    TF_DataType out_type; /* must be given */
    float variance_epsilon; /* must be given */
    bool scale_after_normalization; /* must be given */
};
/* QuantizedBatchNormWithGlobalNormalization: t: Tinput, t_min: float, t_max: float, m: Tinput, m_min: float, m_max: float, v: Tinput, v_min: float, v_max: float, beta: Tinput, beta_min: float, beta_max: float, gamma: Tinput, gamma_min: float, gamma_max: float -> result: out_type, result_min: float, result_max: float */
static inline struct sl_quantized_batch_norm_with_global_normalization_outputs sl_quantized_batch_norm_with_global_normalization(struct sl_scope *scope, TF_Output t, TF_Output t_min, TF_Output t_max, TF_Output m, TF_Output m_min, TF_Output m_max, TF_Output v, TF_Output v_min, TF_Output v_max, TF_Output beta, TF_Output beta_min, TF_Output beta_max, TF_Output gamma, TF_Output gamma_min, TF_Output gamma_max, struct sl_quantized_batch_norm_with_global_normalization_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&t, -1}, {&t_min, -1}, {&t_max, -1}, {&m, -1}, {&m_min, -1}, {&m_max, -1}, {&v, -1}, {&v_min, -1}, {&v_max, -1}, {&beta, -1}, {&beta_min, -1}, {&beta_max, -1}, {&gamma, -1}, {&gamma_min, -1}, {&gamma_max, -1}};
    const struct sl_attr_given attrs_[] = {{"out_type", SL_GIVEN_TYPE, &attrs.out_type}, {"variance_epsilon", SL_GIVEN_FLOAT_NEEDED, &attrs.variance_epsilon}, {"scale_after_normalization", SL_GIVEN_BOOL_NEEDED, &attrs.scale_after_normalization}};
    TF_Operation *const op_ = sl_op(scope, "QuantizedBatchNormWithGlobalNormalization", inputs_, 15, attrs_, 3);
    const struct sl_quantized_batch_norm_with_global_normalization_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}

struct sl_quantized_bias_add_outputs {
    TF_Output output, min_out, max_out;
};
struct sl_quantized_bias_add_attrs {
    TF_DataType out_type; /* must be given */
};
/* QuantizedBiasAdd: input: T1, bias: T2, min_input: float, max_input: float, min_bias: float, max_bias: float -> output: out_type, min_out: float, max_out: float */
static inline struct sl_quantized_bias_add_outputs sl_quantized_bias_add(struct sl_scope *scope, TF_Output input, TF_Output bias, TF_Output min_input, TF_Output max_input, TF_Output min_bias, TF_Output max_bias, struct sl_quantized_bias_add_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&bias, -1}, {&min_input, -1}, {&max_input, -1}, {&min_bias, -1}, {&max_bias, -1}};
    const struct sl_attr_given attrs_[] = {{"out_type", SL_GIVEN_TYPE, &attrs.out_type}};
    TF_Operation *const op_ = sl_op(scope, "QuantizedBiasAdd", inputs_, 6, attrs_, 1);
    const struct sl_quantized_bias_add_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}

struct sl_quantized_concat_outputs {
    TF_Output output, output_min, output_max;
};
/* QuantizedConcat: concat_dim: int32, values: N * T, input_mins: N * float, input_maxes: N * float -> output: T, output_min: float, output_max: float */
static inline struct sl_quantized_concat_outputs sl_quantized_concat(struct sl_scope *scope, TF_Output concat_dim, const TF_Output *values, int num_values, const TF_Output *input_mins, int num_input_mins, const TF_Output *input_maxes, int num_input_maxes) {
    const struct sl_op_input inputs_[] = {{&concat_dim, -1}, {values, num_values}, {input_mins, num_input_mins}, {input_maxes, num_input_maxes}};
    TF_Operation *const op_ = sl_op(scope, "QuantizedConcat", inputs_, 4, NULL, 0);
    const struct sl_quantized_concat_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}

struct sl_quantized_concat_v2_outputs {
    TF_Output output, output_min, output_max;
};
/* QuantizedConcatV2: values: N * T, axis: Tidx, input_mins: N * float, input_maxes: N * float -> output: T, output_min: float, output_max: float */
static inline struct sl_quantized_concat_v2_outputs sl_quantized_concat_v2(struct sl_scope *scope, const TF_Output *values, int num_values, TF_Output axis, const TF_Output *input_mins, int num_input_mins, const TF_Output *input_maxes, int num_input_maxes) {
    const struct sl_op_input inputs_[] = {{values, num_values}, {&axis, -1}, {input_mins, num_input_mins}, {input_maxes, num_input_maxes}};
    TF_Operation *const op_ = sl_op(scope, "QuantizedConcatV2", inputs_, 4, NULL, 0);
    const struct sl_quantized_concat_v2_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}

struct sl_quantized_conv2d_outputs {
    TF_Output output, min_output, max_output;
};
struct sl_quantized_conv2d_attrs {
    TF_DataType out_type; /* DT_QINT32 */
    struct sl_ints strides; /* must be given */
    const char *padding; /* must be given */
    struct sl_ints dilations; /* [1, 1, 1, 1] */
};
/* QuantizedConv2D: input: Tinput, filter: Tfilter, min_input: float, max_input: float, min_filter: float, max_filter: float -> output: out_type, min_output: float, max_output: float */
static inline struct sl_quantized_conv2d_outputs sl_quantized_conv2d(struct sl_scope *scope, TF_Output input, TF_Output filter, TF_Output min_input, TF_Output max_input, TF_Output min_filter, TF_Output max_filter, struct sl_quantized_conv2d_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&filter, -1}, {&min_input, -1}, {&max_input, -1}, {&min_filter, -1}, {&max_filter, -1}};
    const struct sl_attr_given attrs_[] = {{"out_type", SL_GIVEN_TYPE, &attrs.out_type}, {"strides", SL_GIVEN_INTS_NEEDED, &attrs.strides}, {"padding", SL_GIVEN_STRING, &attrs.padding}, {"dilations", SL_GIVEN_INTS, &attrs.dilations}};
    TF_Operation *const op_ = sl_op(scope, "QuantizedConv2D", inputs_, 6, attrs_, 4);
    const struct sl_quantized_conv2d_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}

struct sl_quantized_conv2d_and_relu_outputs {
    TF_Output output, min_output, max_output;
};
struct sl_quantized_conv2d_and_relu_attrs {
    TF_DataType out_type; /* DT_QINT32 */
    struct sl_ints strides; /* must be given */
    const char *padding; /* must be given */
    struct sl_ints dilations; /* [1, 1, 1, 1] */
    struct sl_ints padding_list; /* [] */
};
/* QuantizedConv2DAndRelu: input: Tinput, filter: Tfilter, min_input: float, max_input: float, min_filter: float, max_filter: float -> output: out_type, min_output: float, max_output: float */
static inline struct sl_quantized_conv2d_and_relu_outputs sl_quantized_conv2d_and_relu(struct sl_scope *scope, TF_Output input, TF_Output filter, TF_Output min_input, TF_Output max_input, TF_Output min_filter, TF_Output max_filter, struct sl_quantized_conv2d_and_relu_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&filter, -1}, {&min_input, -1}, {&max_input, -1}, {&min_filter, -1}, {&max_filter, -1}};
    const struct sl_attr_given attrs_[] = {{"out_type", SL_GIVEN_TYPE, &attrs.out_type}, {"strides", SL_GIVEN_INTS_NEEDED, &attrs.strides}, {"padding", SL_GIVEN_STRING, &attrs.padding}, {"dilations", SL_GIVEN_INTS, &attrs.dilations}, {"padding_list", SL_GIVEN_INTS, &attrs.padding_list}};
    TF_Operation *const op_ = sl_op(scope, "QuantizedConv2DAndRelu", inputs_, 6, attrs_, 5);
    const struct sl_quantized_conv2d_and_relu_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}

struct sl_quantized_conv2d_and_relu_and_requantize_outputs {
    TF_Output output, min_output, max_output;
};
struct sl_quantized_conv2d_and_relu_and_requantize_attrs {
    TF_DataType out_type; /* DT_QUINT8 */
    struct sl_ints strides; /* must be given */
    const char *padding; /* must be given */
    struct sl_ints dilations; /* [1, 1, 1, 1] */
    struct sl_ints padding_list; /* [] */
};
/* QuantizedConv2DAndReluAndRequantize: input: Tinput, filter: Tfilter, min_input: float, max_input: float, min_filter: float, max_filter: float, min_freezed_output: float, max_freezed_output: float -> output: out_type, min_output: float, max_output: float */
static inline struct sl_quantized_conv2d_and_relu_and_requantize_outputs sl_quantized_conv2d_and_relu_and_requantize(struct sl_scope *scope, TF_Output input, TF_Output filter, TF_Output min_input, TF_Output max_input, TF_Output min_filter, TF_Output max_filter, TF_Output min_freezed_output, TF_Output max_freezed_output, struct sl_quantized_conv2d_and_relu_and_requantize_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&filter, -1}, {&min_input, -1}, {&max_input, -1}, {&min_filter, -1}, {&max_filter, -1}, {&min_freezed_output, -1}, {&max_freezed_output, -1}};
    const struct sl_attr_given attrs_[] = {{"out_type", SL_GIVEN_TYPE, &attrs.out_type}, {"strides", SL_GIVEN_INTS_NEEDED, &attrs.strides}, {"padding", SL_GIVEN_STRING, &attrs.padding}, {"dilations", SL_GIVEN_INTS, &attrs.dilations}, {"padding_list", SL_GIVEN_INTS, &attrs.padding_list}};
    TF_Operation *const op_ = sl_op(scope, "QuantizedConv2DAndReluAndRequantize", inputs_, 8, attrs_, 5);
    const struct sl_quantized_conv2d_and_relu_and_requantize_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}

struct sl_quantized_conv2d_and_requantize_outputs {
    TF_Output output, min_output, max_output;
};
struct sl_quantized_conv2d_and_requantize_attrs {
    TF_DataType out_type; /* DT_QINT8 */
    struct sl_ints strides; /* must be given */
    const char *padding; /* must be given */
    struct sl_ints dilations; /* [1, 1, 1, 1] */
    struct sl_ints padding_list; /* [] */
};
/* QuantizedConv2DAndRequantize: input: Tinput, filter: Tfilter, min_input: float, max_input: float, min_filter: float, max_filter: float, min_freezed_output: float, max_freezed_output: float -> output: out_type, min_output: float, max_output: float */
static inline struct sl_quantized_conv2d_and_requantize_outputs sl_quantized_conv2d_and_requantize(struct sl_scope *scope, TF_Output input, TF_Output filter, TF_Output min_input, TF_Output max_input, TF_Output min_filter, TF_Output max_filter, TF_Output min_freezed_output, TF_Output max_freezed_output, struct sl_quantized_conv2d_and_requantize_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&filter, -1}, {&min_input, -1}, {&max_input, -1}, {&min_filter, -1}, {&max_filter, -1}, {&min_freezed_output, -1}, {&max_freezed_output, -1}};
    const struct sl_attr_given attrs_[] = {{"out_type", SL_GIVEN_TYPE, &attrs.out_type}, {"strides", SL_GIVEN_INTS_NEEDED, &attrs.strides}, {"padding", SL_GIVEN_STRING, &attrs.padding}, {"dilations", SL_GIVEN_INTS, &attrs.dilations}, {"padding_list", SL_GIVEN_INTS, &attrs.padding_list}};
    TF_Operation *const op_ = sl_op(scope, "QuantizedConv2DAndRequantize", inputs_, 8, attrs_, 5);
    const struct sl_quantized_conv2d_and_requantize_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}

struct sl_quantized_conv2d_per_channel_outputs {
    TF_Output output, min_output, max_output;
};
struct sl_quantized_conv2d_per_channel_attrs {
    TF_DataType out_type; /* DT_QINT32 */
    struct sl_ints strides; /* must be given */
    const char *padding; /* must be given */
    struct sl_ints dilations; /* [1, 1, 1, 1] */
};
/* QuantizedConv2DPerChannel: input: Tinput, filter: Tfilter, min_input: float, max_input: float, min_filter: float, max_filter: float -> output: out_type, min_output: float, max_output: float */
static inline struct sl_quantized_conv2d_per_channel_outputs sl_quantized_conv2d_per_channel(struct sl_scope *scope, TF_Output input, TF_Output filter, TF_Output min_input, TF_Output max_input, TF_Output min_filter, TF_Output max_filter, struct sl_quantized_conv2d_per_channel_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&filter, -1}, {&min_input, -1}, {&max_input, -1}, {&min_filter, -1}, {&max_filter, -1}};
    const struct sl_attr_given attrs_[] = {{"out_type", SL_GIVEN_TYPE, &attrs.out_type}, {"strides", SL_GIVEN_INTS_NEEDED, &attrs.strides}, {"padding", SL_GIVEN_STRING, &attrs.padding}, {"dilations", SL_GIVEN_INTS, &attrs.dilations}};
    TF_Operation *const op_ = sl_op(scope, "QuantizedConv2DPerChannel", inputs_, 6, attrs_, 4);
    const struct sl_quantized_conv2d_per_channel_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}

struct sl_quantized_conv2d_with_bias_outputs {
    TF_Output output, min_output, max_output;
};
struct sl_quantized_conv2d_with_bias_attrs {
    TF_DataType out_type; /* DT_QINT32 */
    struct sl_ints strides; /* must be given */
    const char *padding; /* must be given */
    struct sl_ints dilations; /* [1, 1, 1, 1] */
    struct sl_ints padding_list; /* [] */
};
/* QuantizedConv2DWithBias: input: Tinput, filter: Tfilter, bias: float, min_input: float, max_input: float, min_filter: float, max_filter: float -> output: out_type, min_output: float, max_output: float */
static inline struct sl_quantized_conv2d_with_bias_outputs sl_quantized_conv2d_with_bias(struct sl_scope *scope, TF_Output input, TF_Output filter, TF_Output bias, TF_Output min_input, TF_Output max_input, TF_Output min_filter, TF_Output max_filter, struct sl_quantized_conv2d_with_bias_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&filter, -1}, {&bias, -1}, {&min_input, -1}, {&max_input, -1}, {&min_filter, -1}, {&max_filter, -1}};
    const struct sl_attr_given attrs_[] = {{"out_type", SL_GIVEN_TYPE, &attrs.out_type}, {"strides", SL_GIVEN_INTS_NEEDED, &attrs.strides}, {"padding", SL_GIVEN_STRING, &attrs.padding}, {"dilations", SL_GIVEN_INTS, &attrs.dilations}, {"padding_list", SL_GIVEN_INTS, &attrs.padding_list}};
    TF_Operation *const op_ = sl_op(scope, "QuantizedConv2DWithBias", inputs_, 7, attrs_, 5);
    const struct sl_quantized_conv2d_with_bias_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}

struct sl_quantized_conv2d_with_bias_and_relu_outputs {
    TF_Output output, min_output, max_output;
};
struct sl_quantized_conv2d_with_bias_and_relu_attrs {
    TF_DataType out_type; /* DT_QINT32 */
    struct sl_ints strides; /* must be given */
    const char *padding; /* must be given */
    struct sl_ints dilations; /* [1, 1, 1, 1] */
    struct sl_ints padding_list; /* [] */
};
/* QuantizedConv2DWithBiasAndRelu: input: Tinput, filter: Tfilter, bias: float, min_input: float, max_input: float, min_filter: float, max_filter: float -> output: out_type, min_output: float, max_output: float */
static inline struct sl_quantized_conv2d_with_bias_and_relu_outputs sl_quantized_conv2d_with_bias_and_relu(struct sl_scope *scope, TF_Output input, TF_Output filter, TF_Output bias, TF_Output min_input, TF_Output max_input, TF_Output min_filter, TF_Output max_filter, struct sl_quantized_conv2d_with_bias_and_relu_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&filter, -1}, {&bias, -1}, {&min_input, -1}, {&max_input, -1}, {&min_filter, -1}, {&max_filter, -1}};
    const struct sl_attr_given attrs_[] = {{"out_type", SL_GIVEN_TYPE, &attrs.out_type}, {"strides", SL_GIVEN_INTS_NEEDED, &attrs.strides}, {"padding", SL_GIVEN_STRING, &attrs.padding}, {"dilations", SL_GIVEN_INTS, &attrs.dilations}, {"padding_list", SL_GIVEN_INTS, &attrs.padding_list}};
    TF_Operation *const op_ = sl_op(scope, "QuantizedConv2DWithBiasAndRelu", inputs_, 7, attrs_, 5);
    const struct sl_quantized_conv2d_with_bias_and_relu_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}

struct sl_quantized_conv2d_with_bias_and_relu_and_requantize_outputs {
    TF_Output output, min_output, max_output;
};
struct sl_quantized_conv2d_with_bias_and_relu_and_requantize_attrs {
    TF_DataType out_type; /* DT_QUINT8 */
    struct sl_ints strides; /* must be given */
    const char *padding; /* must be given */
    struct sl_ints dilations; /* [1, 1, 1, 1] */
    struct sl_ints padding_list; /* [] */
};
/* QuantizedConv2DWithBiasAndReluAndRequantize: input: Tinput, filter: Tfilter, bias: Tbias, min_input: float, max_input: float, min_filter: float, max_filter: float, min_freezed_output: float, max_freezed_output: float -> output: out_type, min_output: float, max_output: float */
static inline struct sl_quantized_conv2d_with_bias_and_relu_and_requantize_outputs sl_quantized_conv2d_with_bias_and_relu_and_requantize(struct sl_scope *scope, TF_Output input, TF_Output filter, TF_Output bias, TF_Output min_input, TF_Output max_input, TF_Output min_filter, TF_Output max_filter, TF_Output min_freezed_output, TF_Output max_freezed_output, struct sl_quantized_conv2d_with_bias_and_relu_and_requantize_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&filter, -1}, {&bias, -1}, {&min_input, -1}, {&max_input, -1}, {&min_filter, -1}, {&max_filter, -1}, {&min_freezed_output, -1}, {&max_freezed_output, -1}};
    const struct sl_attr_given attrs_[] = {{"out_type", SL_GIVEN_TYPE, &attrs.out_type}, {"strides", SL_GIVEN_INTS_NEEDED, &attrs.strides}, {"padding", SL_GIVEN_STRING, &attrs.padding}, {"dilations", SL_GIVEN_INTS, &attrs.dilations}, {"padding_list", SL_GIVEN_INTS, &attrs.padding_list}};
    TF_Operation *const op_ = sl_op(scope, "QuantizedConv2DWithBiasAndReluAndRequantize", inputs_, 9, attrs_, 5);
    const struct sl_quantized_conv2d_with_bias_and_relu_and_requantize_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}

struct sl_quantized_conv2d_with_bias_and_requantize_outputs {
    TF_Output output, min_output, max_output;
};
struct sl_quantized_conv2d_with_bias_and_requantize_attrs {
    TF_DataType out_type; /* DT_QINT8 */
    struct sl_ints strides; /* must be given */
    const char *padding; /* must be given */
    struct sl_ints dilations; /* [1, 1, 1, 1] */
    struct sl_ints padding_list; /* [] */
};
/* QuantizedConv2DWithBiasAndRequantize: input: Tinput, filter: Tfilter, bias: Tbias, min_input: float, max_input: float, min_filter: float, max_filter: float, min_freezed_output: float, max_freezed_output: float -> output: out_type, min_output: float, max_output: float */
static inline struct sl_quantized_conv2d_with_bias_and_requantize_outputs sl_quantized_conv2d_with_bias_and_requantize(struct sl_scope *scope, TF_Output input, TF_Output filter, TF_Output bias, TF_Output min_input, TF_Output max_input, TF_Output min_filter, TF_Output max_filter, TF_Output min_freezed_output, TF_Output max_freezed_output, struct sl_quantized_conv2d_with_bias_and_requantize_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&filter, -1}, {&bias, -1}, {&min_input, -1}, {&max_input, -1}, {&min_filter, -1}, {&max_filter, -1}, {&min_freezed_output, -1}, {&max_freezed_output, -1}};
    const struct sl_attr_given attrs_[] = {{"out_type", SL_GIVEN_TYPE, &attrs.out_type}, {"strides", SL_GIVEN_INTS_NEEDED, &attrs.strides}, {"padding", SL_GIVEN_STRING, &attrs.padding}, {"dilations", SL_GIVEN_INTS, &attrs.dilations}, {"padding_list", SL_GIVEN_INTS, &attrs.padding_list}};
    TF_Operation *const op_ = sl_op(scope, "QuantizedConv2DWithBiasAndRequantize", inputs_, 9, attrs_, 5);
    const struct sl_quantized_conv2d_with_bias_and_requantize_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}

struct sl_quantized_conv2d_with_bias_signed_sum_and_relu_and_requantize_outputs {
    TF_Output output, min_output, max_output;
};
struct sl_quantized_conv2d_with_bias_signed_sum_and_relu_and_requantize_attrs {
    TF_DataType out_type; /* DT_QUINT8 */
    struct sl_ints strides; /* must be given */
    const char *padding; /* must be given */
    struct sl_ints dilations; /* [1, 1, 1, 1] */
    struct sl_ints padding_list; /* [] */
};
/* QuantizedConv2DWithBiasSignedSumAndReluAndRequantize: input: Tinput, filter: Tfilter, bias: Tbias, min_input: float, max_input: float, min_filter: float, max_filter: float, min_freezed_output: float, max_freezed_output: float, summand: Tsummand, min_summand: float, max_summand: float -> output: out_type, min_output: float, max_output: float */
static inline struct sl_quantized_conv2d_with_bias_signed_sum_and_relu_and_requantize_outputs sl_quantized_conv2d_with_bias_signed_sum_and_relu_and_requantize(struct sl_scope *scope, TF_Output input, TF_Output filter, TF_Output bias, TF_Output min_input, TF_Output max_input, TF_Output min_filter, TF_Output max_filter, TF_Output min_freezed_output, TF_Output max_freezed_output, TF_Output summand, TF_Output min_summand, TF_Output max_summand, struct sl_quantized_conv2d_with_bias_signed_sum_and_relu_and_requantize_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&filter, -1}, {&bias, -1}, {&min_input, -1}, {&max_input, -1}, {&min_filter, -1}, {&max_filter, -1}, {&min_freezed_output, -1}, {&max_freezed_output, -1}, {&summand, -1}, {&min_summand, -1}, {&max_summand, -1}};
    const struct sl_attr_given attrs_[] = {{"out_type", SL_GIVEN_TYPE, &attrs.out_type}, {"strides", SL_GIVEN_INTS_NEEDED, &attrs.strides}, {"padding", SL_GIVEN_STRING, &attrs.padding}, {"dilations", SL_GIVEN_INTS, &attrs.dilations}, {"padding_list", SL_GIVEN_INTS, &attrs.padding_list}};
    TF_Operation *const op_ = sl_op(scope, "QuantizedConv2DWithBiasSignedSumAndReluAndRequantize", inputs_, 12, attrs_, 5);
    const struct sl_quantized_conv2d_with_bias_signed_sum_and_relu_and_requantize_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}

struct sl_quantized_conv2d_with_bias_sum_and_relu_outputs {
    TF_Output output, min_output, max_output;
};
struct sl_quantized_conv2d_with_bias_sum_and_relu_attrs {
    TF_DataType out_type; /* DT_QINT32 */
    struct sl_ints strides; /* must be given */
    const char *padding; /* must be given */
    struct sl_ints dilations; /* [1, 1, 1, 1] */
    struct sl_ints padding_list; /* [] */
};
/* QuantizedConv2DWithBiasSumAndRelu: input: Tinput, filter: Tfilter, bias: float, min_input: float, max_input: float, min_filter: float, max_filter: float, summand: float -> output: out_type, min_output: float, max_output: float */
static inline struct sl_quantized_conv2d_with_bias_sum_and_relu_outputs sl_quantized_conv2d_with_bias_sum_and_relu(struct sl_scope *scope, TF_Output input, TF_Output filter, TF_Output bias, TF_Output min_input, TF_Output max_input, TF_Output min_filter, TF_Output max_filter, TF_Output summand, struct sl_quantized_conv2d_with_bias_sum_and_relu_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&filter, -1}, {&bias, -1}, {&min_input, -1}, {&max_input, -1}, {&min_filter, -1}, {&max_filter, -1}, {&summand, -1}};
    const struct sl_attr_given attrs_[] = {{"out_type", SL_GIVEN_TYPE, &attrs.out_type}, {"strides", SL_GIVEN_INTS_NEEDED, &attrs.strides}, {"padding", SL_GIVEN_STRING, &attrs.padding}, {"dilations", SL_GIVEN_INTS, &attrs.dilations}, {"padding_list", SL_GIVEN_INTS, &attrs.padding_list}};
    TF_Operation *const op_ = sl_op(scope, "QuantizedConv2DWithBiasSumAndRelu", inputs_, 8, attrs_, 5);
    const struct sl_quantized_conv2d_with_bias_sum_and_relu_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}

struct sl_quantized_conv2d_with_bias_sum_and_relu_and_requantize_outputs {
    TF_Output output, min_output, max_output;
};
struct sl_quantized_conv2d_with_bias_sum_and_relu_and_requantize_attrs {
    TF_DataType out_type; /* DT_QUINT8 */
    struct sl_ints strides; /* must be given */
    const char *padding; /* must be given */
    struct sl_ints dilations; /* [1, 1, 1, 1] */
    struct sl_ints padding_list; /* [] */
};
/* QuantizedConv2DWithBiasSumAndReluAndRequantize: input: Tinput, filter: Tfilter, bias: Tbias, min_input: float, max_input: float, min_filter: float, max_filter: float, min_freezed_output: float, max_freezed_output: float, summand: Tsummand, min_summand: float, max_summand: float -> output: out_type, min_output: float, max_output: float */
static inline struct sl_quantized_conv2d_with_bias_sum_and_relu_and_requantize_outputs sl_quantized_conv2d_with_bias_sum_and_relu_and_requantize(struct sl_scope *scope, TF_Output input, TF_Output filter, TF_Output bias, TF_Output min_input, TF_Output max_input, TF_Output min_filter, TF_Output max_filter, TF_Output min_freezed_output, TF_Output max_freezed_output, TF_Output summand, TF_Output min_summand, TF_Output max_summand, struct sl_quantized_conv2d_with_bias_sum_and_relu_and_requantize_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&filter, -1}, {&bias, -1}, {&min_input, -1}, {&max_input, -1}, {&min_filter, -1}, {&max_filter, -1}, {&min_freezed_output, -1}, {&max_freezed_output, -1}, {&summand, -1}, {&min_summand, -1}, {&max_summand, -1}};
    const struct sl_attr_given attrs_[] = {{"out_type", SL_GIVEN_TYPE, &attrs.out_type}, {"strides", SL_GIVEN_INTS_NEEDED, &attrs.strides}, {"padding", SL_GIVEN_STRING, &attrs.padding}, {"dilations", SL_GIVEN_INTS, &attrs.dilations}, {"padding_list", SL_GIVEN_INTS, &attrs.padding_list}};
    TF_Operation *const op_ = sl_op(scope, "QuantizedConv2DWithBiasSumAndReluAndRequantize", inputs_, 12, attrs_, 5);
    const struct sl_quantized_conv2d_with_bias_sum_and_relu_and_requantize_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}

struct sl_quantized_depthwise_conv2d_outputs {
    TF_Output output, min_output, max_output;
};
struct sl_quantized_depthwise_conv2d_attrs {
    TF_DataType out_type; /* DT_QINT32 */
    struct sl_ints strides; /* must be given */
    const char *padding; /* must be given */
    struct sl_ints dilations; /* [1, 1, 1, 1] */
};
/* QuantizedDepthwiseConv2D: input: Tinput, filter: Tfilter, min_input: float, max_input: float, min_filter: float, max_filter: float -> output: out_type, min_output: float, max_output: float */
static inline struct sl_quantized_depthwise_conv2d_outputs sl_quantized_depthwise_conv2d(struct sl_scope *scope, TF_Output input, TF_Output filter, TF_Output min_input, TF_Output max_input, TF_Output min_filter, TF_Output max_filter, struct sl_quantized_depthwise_conv2d_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&filter, -1}, {&min_input, -1}, {&max_input, -1}, {&min_filter, -1}, {&max_filter, -1}};
    const struct sl_attr_given attrs_[] = {{"out_type", SL_GIVEN_TYPE, &attrs.out_type}, {"strides", SL_GIVEN_INTS_NEEDED, &attrs.strides}, {"padding", SL_GIVEN_STRING, &attrs.padding}, {"dilations", SL_GIVEN_INTS, &attrs.dilations}};
    TF_Operation *const op_ = sl_op(scope, "QuantizedDepthwiseConv2D", inputs_, 6, attrs_, 4);
    const struct sl_quantized_depthwise_conv2d_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}

struct sl_quantized_depthwise_conv2d_with_bias_outputs {
    TF_Output output, min_output, max_output;
};
struct sl_quantized_depthwise_conv2d_with_bias_attrs {
    TF_DataType out_type; /* DT_QINT32 */
    struct sl_ints strides; /* must be given */
    const char *padding; /* must be given */
    struct sl_ints dilations; /* [1, 1, 1, 1] */
};
/* QuantizedDepthwiseConv2DWithBias: input: Tinput, filter: Tfilter, bias: float, min_input: float, max_input: float, min_filter: float, max_filter: float -> output: out_type, min_output: float, max_output: float */
static inline struct sl_quantized_depthwise_conv2d_with_bias_outputs sl_quantized_depthwise_conv2d_with_bias(struct sl_scope *scope, TF_Output input, TF_Output filter, TF_Output bias, TF_Output min_input, TF_Output max_input, TF_Output min_filter, TF_Output max_filter, struct sl_quantized_depthwise_conv2d_with_bias_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&filter, -1}, {&bias, -1}, {&min_input, -1}, {&max_input, -1}, {&min_filter, -1}, {&max_filter, -1}};
    const struct sl_attr_given attrs_[] = {{"out_type", SL_GIVEN_TYPE, &attrs.out_type}, {"strides", SL_GIVEN_INTS_NEEDED, &attrs.strides}, {"padding", SL_GIVEN_STRING, &attrs.padding}, {"dilations", SL_GIVEN_INTS, &attrs.dilations}};
    TF_Operation *const op_ = sl_op(scope, "QuantizedDepthwiseConv2DWithBias", inputs_, 7, attrs_, 4);
    const struct sl_quantized_depthwise_conv2d_with_bias_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}

struct sl_quantized_depthwise_conv2d_with_bias_and_relu_outputs {
    TF_Output output, min_output, max_output;
};
struct sl_quantized_depthwise_conv2d_with_bias_and_relu_attrs {
    TF_DataType out_type; /* DT_QINT32 */
    struct sl_ints strides; /* must be given */
    const char *padding; /* must be given */
    struct sl_ints dilations; /* [1, 1, 1, 1] */
    struct sl_ints padding_list; /* [] */
};
/* QuantizedDepthwiseConv2DWithBiasAndRelu: input: Tinput, filter: Tfilter, bias: float, min_input: float, max_input: float, min_filter: float, max_filter: float -> output: out_type, min_output: float, max_output: float */
static inline struct sl_quantized_depthwise_conv2d_with_bias_and_relu_outputs sl_quantized_depthwise_conv2d_with_bias_and_relu(struct sl_scope *scope, TF_Output input, TF_Output filter, TF_Output bias, TF_Output min_input, TF_Output max_input, TF_Output min_filter, TF_Output max_filter, struct sl_quantized_depthwise_conv2d_with_bias_and_relu_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&filter, -1}, {&bias, -1}, {&min_input, -1}, {&max_input, -1}, {&min_filter, -1}, {&max_filter, -1}};
    const struct sl_attr_given attrs_[] = {{"out_type", SL_GIVEN_TYPE, &attrs.out_type}, {"strides", SL_GIVEN_INTS_NEEDED, &attrs.strides}, {"padding", SL_GIVEN_STRING, &attrs.padding}, {"dilations", SL_GIVEN_INTS, &attrs.dilations}, {"padding_list", SL_GIVEN_INTS, &attrs.padding_list}};
    TF_Operation *const op_ = sl_op(scope, "QuantizedDepthwiseConv2DWithBiasAndRelu", inputs_, 7, attrs_, 5);
    const struct sl_quantized_depthwise_conv2d_with_bias_and_relu_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}

struct sl_quantized_depthwise_conv2d_with_bias_and_relu_and_requantize_outputs {
    TF_Output output, min_output, max_output;
};
struct sl_quantized_depthwise_conv2d_with_bias_and_relu_and_requantize_attrs {
    TF_DataType out_type; /* DT_QUINT8 */
    struct sl_ints strides; /* must be given */
    const char *padding; /* must be given */
    struct sl_ints dilations; /* [1, 1, 1, 1] */
    struct sl_ints padding_list; /* [] */
};
/* QuantizedDepthwiseConv2DWithBiasAndReluAndRequantize: input: Tinput, filter: Tfilter, bias: Tbias, min_input: float, max_input: float, min_filter: float, max_filter: float, min_freezed_output: float, max_freezed_output: float -> output: out_type, min_output: float, max_output: float */
static inline struct sl_quantized_depthwise_conv2d_with_bias_and_relu_and_requantize_outputs sl_quantized_depthwise_conv2d_with_bias_and_relu_and_requantize(struct sl_scope *scope, TF_Output input, TF_Output filter, TF_Output bias, TF_Output min_input, TF_Output max_input, TF_Output min_filter, TF_Output max_filter, TF_Output min_freezed_output, TF_Output max_freezed_output, struct sl_quantized_depthwise_conv2d_with_bias_and_relu_and_requantize_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&filter, -1}, {&bias, -1}, {&min_input, -1}, {&max_input, -1}, {&min_filter, -1}, {&max_filter, -1}, {&min_freezed_output, -1}, {&max_freezed_output, -1}};
    const struct sl_attr_given attrs_[] = {{"out_type", SL_GIVEN_TYPE, &attrs.out_type}, {"strides", SL_GIVEN_INTS_NEEDED, &attrs.strides}, {"padding", SL_GIVEN_STRING, &attrs.padding}, {"dilations", SL_GIVEN_INTS, &attrs.dilations}, {"padding_list", SL_GIVEN_INTS, &attrs.padding_list}};
    TF_Operation *const op_ = sl_op(scope, "QuantizedDepthwiseConv2DWithBiasAndReluAndRequantize", inputs_, 9, attrs_, 5);
    const struct sl_quantized_depthwise_conv2d_with_bias_and_relu_and_requantize_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}

struct sl_quantized_instance_norm_outputs {
    TF_Output y, y_min, y_max;
};
struct sl_quantized_instance_norm_attrs {
    bool output_range_given; /* false */
    float given_y_min; /* 0 */
    float given_y_max; /* 0 */
    float variance_epsilon; /* 1e-05 */
    float min_separation; /* 0.001 */
};
/* QuantizedInstanceNorm: x: T, x_min: float, x_max: float -> y: T, y_min: float, y_max: float */
static inline struct sl_quantized_instance_norm_outputs sl_quantized_instance_norm_with(struct sl_scope *scope, TF_Output x, TF_Output x_min, TF_Output x_max, struct sl_quantized_instance_norm_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&x, -1}, {&x_min, -1}, {&x_max, -1}};
    const struct sl_attr_given attrs_[] = {{"output_range_given", SL_GIVEN_BOOL, &attrs.output_range_given}, {"given_y_min", SL_GIVEN_FLOAT, &attrs.given_y_min}, {"given_y_max", SL_GIVEN_FLOAT, &attrs.given_y_max}, {"variance_epsilon", SL_GIVEN_FLOAT, &attrs.variance_epsilon}, {"min_separation", SL_GIVEN_FLOAT, &attrs.min_separation}};
    TF_Operation *const op_ = sl_op(scope, "QuantizedInstanceNorm", inputs_, 3, attrs_, 5);
    const struct sl_quantized_instance_norm_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}
static inline struct sl_quantized_instance_norm_outputs sl_quantized_instance_norm(struct sl_scope *scope, TF_Output x, TF_Output x_min, TF_Output x_max) {
    const struct sl_quantized_instance_norm_attrs attrs = SL_DEFAULTS;
    return sl_quantized_instance_norm_with(scope, x, x_min, x_max, attrs);
}

struct sl_quantized_matmul_outputs {
    TF_Output out, min_out, max_out;
};
struct sl_quantized_matmul_attrs {
    TF_DataType Toutput; /* DT_QINT32 */
    bool transpose_a; /* false */
    bool transpose_b; /* false */
    TF_DataType Tactivation; /* DT_QUINT8 */
};
/* QuantizedMatMul: a: T1, b: T2, min_a: float, max_a: float, min_b: float, max_b: float -> out: Toutput, min_out: float, max_out: float */
static inline struct sl_quantized_matmul_outputs sl_quantized_matmul_with(struct sl_scope *scope, TF_Output a, TF_Output b, TF_Output min_a, TF_Output max_a, TF_Output min_b, TF_Output max_b, struct sl_quantized_matmul_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&a, -1}, {&b, -1}, {&min_a, -1}, {&max_a, -1}, {&min_b, -1}, {&max_b, -1}};
    const struct sl_attr_given attrs_[] = {{"Toutput", SL_GIVEN_TYPE, &attrs.Toutput}, {"transpose_a", SL_GIVEN_BOOL, &attrs.transpose_a}, {"transpose_b", SL_GIVEN_BOOL, &attrs.transpose_b}, {"Tactivation", SL_GIVEN_TYPE, &attrs.Tactivation}};
    TF_Operation *const op_ = sl_op(scope, "QuantizedMatMul", inputs_, 6, attrs_, 4);
    const struct sl_quantized_matmul_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}
static inline struct sl_quantized_matmul_outputs sl_quantized_matmul(struct sl_scope *scope, TF_Output a, TF_Output b, TF_Output min_a, TF_Output max_a, TF_Output min_b, TF_Output max_b) {
    const struct sl_quantized_matmul_attrs attrs = SL_DEFAULTS;
    return sl_quantized_matmul_with(scope, a, b, min_a, max_a, min_b, max_b, attrs);
}

struct sl_quantized_matmul_with_bias_outputs {
    TF_Output out, min_out, max_out;
};
struct sl_quantized_matmul_with_bias_attrs {
    TF_DataType Toutput; /* DT_QINT32 */
    bool transpose_a; /* false */
    bool transpose_b; /* false */
    const char *input_quant_mode; /* 'MIN_FIRST' */
};
/* QuantizedMatMulWithBias: a: T1, b: T2, bias: Tbias, min_a: float, max_a: float, min_b: float, max_b: float -> out: Toutput, min_out: float, max_out: float */
static inline struct sl_quantized_matmul_with_bias_outputs sl_quantized_matmul_with_bias_with(struct sl_scope *scope, TF_Output a, TF_Output b, TF_Output bias, TF_Output min_a, TF_Output max_a, TF_Output min_b, TF_Output max_b, struct sl_quantized_matmul_with_bias_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&a, -1}, {&b, -1}, {&bias, -1}, {&min_a, -1}, {&max_a, -1}, {&min_b, -1}, {&max_b, -1}};
    const struct sl_attr_given attrs_[] = {{"Toutput", SL_GIVEN_TYPE, &attrs.Toutput}, {"transpose_a", SL_GIVEN_BOOL, &attrs.transpose_a}, {"transpose_b", SL_GIVEN_BOOL, &attrs.transpose_b}, {"input_quant_mode", SL_GIVEN_STRING, &attrs.input_quant_mode}};
    TF_Operation *const op_ = sl_op(scope, "QuantizedMatMulWithBias", inputs_, 7, attrs_, 4);
    const struct sl_quantized_matmul_with_bias_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}
static inline struct sl_quantized_matmul_with_bias_outputs sl_quantized_matmul_with_bias(struct sl_scope *scope, TF_Output a, TF_Output b, TF_Output bias, TF_Output min_a, TF_Output max_a, TF_Output min_b, TF_Output max_b) {
    const struct sl_quantized_matmul_with_bias_attrs attrs = SL_DEFAULTS;
    return sl_quantized_matmul_with_bias_with(scope, a, b, bias, min_a, max_a, min_b, max_b, attrs);
}

struct sl_quantized_matmul_with_bias_and_dequantize_attrs {
    TF_DataType Toutput; /* must be given */
    bool transpose_a; /* false */
    bool transpose_b; /* false */
    const char *input_quant_mode; /* 'MIN_FIRST' */
};
/* QuantizedMatMulWithBiasAndDequantize: a: T1, b: T2, bias: Tbias, min_a: float, max_a: float, min_b: float, max_b: float, min_freezed_output: float, max_freezed_output: float -> out: Toutput */
static inline TF_Output sl_quantized_matmul_with_bias_and_dequantize(struct sl_scope *scope, TF_Output a, TF_Output b, TF_Output bias, TF_Output min_a, TF_Output max_a, TF_Output min_b, TF_Output max_b, TF_Output min_freezed_output, TF_Output max_freezed_output, struct sl_quantized_matmul_with_bias_and_dequantize_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&a, -1}, {&b, -1}, {&bias, -1}, {&min_a, -1}, {&max_a, -1}, {&min_b, -1}, {&max_b, -1}, {&min_freezed_output, -1}, {&max_freezed_output, -1}};
    const struct sl_attr_given attrs_[] = {{"Toutput", SL_GIVEN_TYPE, &attrs.Toutput}, {"transpose_a", SL_GIVEN_BOOL, &attrs.transpose_a}, {"transpose_b", SL_GIVEN_BOOL, &attrs.transpose_b}, {"input_quant_mode", SL_GIVEN_STRING, &attrs.input_quant_mode}};
    return sl_op_first(sl_op(scope, "QuantizedMatMulWithBiasAndDequantize", inputs_, 9, attrs_, 4));
}

struct sl_quantized_matmul_with_bias_and_relu_outputs {
    TF_Output out, min_out, max_out;
};
struct sl_quantized_matmul_with_bias_and_relu_attrs {
    TF_DataType Toutput; /* DT_QINT32 */
    bool transpose_a; /* false */
    bool transpose_b; /* false */
    const char *input_quant_mode; /* 'MIN_FIRST' */
};
/* QuantizedMatMulWithBiasAndRelu: a: T1, b: T2, bias: float, min_a: float, max_a: float, min_b: float, max_b: float -> out: Toutput, min_out: float, max_out: float */
static inline struct sl_quantized_matmul_with_bias_and_relu_outputs sl_quantized_matmul_with_bias_and_relu_with(struct sl_scope *scope, TF_Output a, TF_Output b, TF_Output bias, TF_Output min_a, TF_Output max_a, TF_Output min_b, TF_Output max_b, struct sl_quantized_matmul_with_bias_and_relu_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&a, -1}, {&b, -1}, {&bias, -1}, {&min_a, -1}, {&max_a, -1}, {&min_b, -1}, {&max_b, -1}};
    const struct sl_attr_given attrs_[] = {{"Toutput", SL_GIVEN_TYPE, &attrs.Toutput}, {"transpose_a", SL_GIVEN_BOOL, &attrs.transpose_a}, {"transpose_b", SL_GIVEN_BOOL, &attrs.transpose_b}, {"input_quant_mode", SL_GIVEN_STRING, &attrs.input_quant_mode}};
    TF_Operation *const op_ = sl_op(scope, "QuantizedMatMulWithBiasAndRelu", inputs_, 7, attrs_, 4);
    const struct sl_quantized_matmul_with_bias_and_relu_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}
static inline struct sl_quantized_matmul_with_bias_and_relu_outputs sl_quantized_matmul_with_bias_and_relu(struct sl_scope *scope, TF_Output a, TF_Output b, TF_Output bias, TF_Output min_a, TF_Output max_a, TF_Output min_b, TF_Output max_b) {
    const struct sl_quantized_matmul_with_bias_and_relu_attrs attrs = SL_DEFAULTS;
    return sl_quantized_matmul_with_bias_and_relu_with(scope, a, b, bias, min_a, max_a, min_b, max_b, attrs);
}

struct sl_quantized_matmul_with_bias_and_relu_and_requantize_outputs {
    TF_Output out, min_out, max_out;
};
struct sl_quantized_matmul_with_bias_and_relu_and_requantize_attrs {
    TF_DataType Toutput; /* DT_QUINT8 */
    bool transpose_a; /* false */
    bool transpose_b; /* false */
    const char *input_quant_mode; /* 'MIN_FIRST' */
};
/* QuantizedMatMulWithBiasAndReluAndRequantize: a: T1, b: T2, bias: Tbias, min_a: float, max_a: float, min_b: float, max_b: float, min_freezed_output: float, max_freezed_output: float -> out: Toutput, min_out: float, max_out: float */
static inline struct sl_quantized_matmul_with_bias_and_relu_and_requantize_outputs sl_quantized_matmul_with_bias_and_relu_and_requantize_with(struct sl_scope *scope, TF_Output a, TF_Output b, TF_Output bias, TF_Output min_a, TF_Output max_a, TF_Output min_b, TF_Output max_b, TF_Output min_freezed_output, TF_Output max_freezed_output, struct sl_quantized_matmul_with_bias_and_relu_and_requantize_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&a, -1}, {&b, -1}, {&bias, -1}, {&min_a, -1}, {&max_a, -1}, {&min_b, -1}, {&max_b, -1}, {&min_freezed_output, -1}, {&max_freezed_output, -1}};
    const struct sl_attr_given attrs_[] = {{"Toutput", SL_GIVEN_TYPE, &attrs.Toutput}, {"transpose_a", SL_GIVEN_BOOL, &attrs.transpose_a}, {"transpose_b", SL_GIVEN_BOOL, &attrs.transpose_b}, {"input_quant_mode", SL_GIVEN_STRING, &attrs.input_quant_mode}};
    TF_Operation *const op_ = sl_op(scope, "QuantizedMatMulWithBiasAndReluAndRequantize", inputs_, 9, attrs_, 4);
    const struct sl_quantized_matmul_with_bias_and_relu_and_requantize_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}
static inline struct sl_quantized_matmul_with_bias_and_relu_and_requantize_outputs sl_quantized_matmul_with_bias_and_relu_and_requantize(struct sl_scope *scope, TF_Output a, TF_Output b, TF_Output bias, TF_Output min_a, TF_Output max_a, TF_Output min_b, TF_Output max_b, TF_Output min_freezed_output, TF_Output max_freezed_output) {
    const struct sl_quantized_matmul_with_bias_and_relu_and_requantize_attrs attrs = SL_DEFAULTS;
    return sl_quantized_matmul_with_bias_and_relu_and_requantize_with(scope, a, b, bias, min_a, max_a, min_b, max_b, min_freezed_output, max_freezed_output, attrs);
}

struct sl_quantized_matmul_with_bias_and_requantize_outputs {
    TF_Output out, min_out, max_out;
};
struct sl_quantized_matmul_with_bias_and_requantize_attrs {
    TF_DataType Toutput; /* DT_QUINT8 */
    bool transpose_a; /* false */
    bool transpose_b; /* false */
    const char *input_quant_mode; /* 'MIN_FIRST' */
};
/* QuantizedMatMulWithBiasAndRequantize: a: T1, b: T2, bias: Tbias, min_a: float, max_a: float, min_b: float, max_b: float, min_freezed_output: float, max_freezed_output: float -> out: Toutput, min_out: float, max_out: float */
static inline struct sl_quantized_matmul_with_bias_and_requantize_outputs sl_quantized_matmul_with_bias_and_requantize_with(struct sl_scope *scope, TF_Output a, TF_Output b, TF_Output bias, TF_Output min_a, TF_Output max_a, TF_Output min_b, TF_Output max_b, TF_Output min_freezed_output, TF_Output max_freezed_output, struct sl_quantized_matmul_with_bias_and_requantize_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&a, -1}, {&b, -1}, {&bias, -1}, {&min_a, -1}, {&max_a, -1}, {&min_b, -1}, {&max_b, -1}, {&min_freezed_output, -1}, {&max_freezed_output, -1}};
    const struct sl_attr_given attrs_[] = {{"Toutput", SL_GIVEN_TYPE, &attrs.Toutput}, {"transpose_a", SL_GIVEN_BOOL, &attrs.transpose_a}, {"transpose_b", SL_GIVEN_BOOL, &attrs.transpose_b}, {"input_quant_mode", SL_GIVEN_STRING, &attrs.input_quant_mode}};
    TF_Operation *const op_ = sl_op(scope, "QuantizedMatMulWithBiasAndRequantize", inputs_, 9, attrs_, 4);
    const struct sl_quantized_matmul_with_bias_and_requantize_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}
static inline struct sl_quantized_matmul_with_bias_and_requantize_outputs sl_quantized_matmul_with_bias_and_requantize(struct sl_scope *scope, TF_Output a, TF_Output b, TF_Output bias, TF_Output min_a, TF_Output max_a, TF_Output min_b, TF_Output max_b, TF_Output min_freezed_output, TF_Output max_freezed_output) {
    const struct sl_quantized_matmul_with_bias_and_requantize_attrs attrs = SL_DEFAULTS;
    return sl_quantized_matmul_with_bias_and_requantize_with(scope, a, b, bias, min_a, max_a, min_b, max_b, min_freezed_output, max_freezed_output, attrs);
}

struct sl_quantized_max_pool_outputs {
    TF_Output output, min_output, max_output;
};
struct sl_quantized_max_pool_attrs {
    struct sl_ints ksize; /* must be given */
    struct sl_ints strides; /* must be given */
    const char *padding; /* must be given */
};
/* QuantizedMaxPool: input: T, min_input: float, max_input: float -> output: T, min_output: float, max_output: float */
static inline struct sl_quantized_max_pool_outputs sl_quantized_max_pool(struct sl_scope *scope, TF_Output input, TF_Output min_input, TF_Output max_input, struct sl_quantized_max_pool_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&min_input, -1}, {&max_input, -1}};
    const struct sl_attr_given attrs_[] = {{"ksize", SL_GIVEN_INTS_NEEDED, &attrs.ksize}, {"strides", SL_GIVEN_INTS_NEEDED, &attrs.strides}, {"padding", SL_GIVEN_STRING, &attrs.padding}};
    TF_Operation *const op_ = sl_op(scope, "QuantizedMaxPool", inputs_, 3, attrs_, 3);
    const struct sl_quantized_max_pool_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}

struct sl_quantized_mul_outputs {
    TF_Output z, min_z, max_z;
};
struct sl_quantized_mul_attrs {
    TF_DataType Toutput; /* DT_QINT32 */
};
/* QuantizedMul: x: T1, y: T2, min_x: float, max_x: float, min_y: float, max_y: float -> z: Toutput, min_z: float, max_z: float */
static inline struct sl_quantized_mul_outputs sl_quantized_mul_with(struct sl_scope *scope, TF_Output x, TF_Output y, TF_Output min_x, TF_Output max_x, TF_Output min_y, TF_Output max_y, struct sl_quantized_mul_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&x, -1}, {&y, -1}, {&min_x, -1}, {&max_x, -1}, {&min_y, -1}, {&max_y, -1}};
    const struct sl_attr_given attrs_[] = {{"Toutput", SL_GIVEN_TYPE, &attrs.Toutput}};
    TF_Operation *const op_ = sl_op(scope, "QuantizedMul", inputs_, 6, attrs_, 1);
    const struct sl_quantized_mul_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}
static inline struct sl_quantized_mul_outputs sl_quantized_mul(struct sl_scope *scope, TF_Output x, TF_Output y, TF_Output min_x, TF_Output max_x, TF_Output min_y, TF_Output max_y) {
    const struct sl_quantized_mul_attrs attrs = SL_DEFAULTS;
    return sl_quantized_mul_with(scope, x, y, min_x, max_x, min_y, max_y, attrs);
}

struct sl_quantized_relu_outputs {
    TF_Output activations, min_activations, max_activations;
};
struct sl_quantized_relu_attrs {
    TF_DataType out_type; /* DT_QUINT8 */
};
/* QuantizedRelu: features: Tinput, min_features: float, max_features: float -> activations: out_type, min_activations: float, max_activations: float */
static inline struct sl_quantized_relu_outputs sl_quantized_relu_with(struct sl_scope *scope, TF_Output features, TF_Output min_features, TF_Output max_features, struct sl_quantized_relu_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&features, -1}, {&min_features, -1}, {&max_features, -1}};
    const struct sl_attr_given attrs_[] = {{"out_type", SL_GIVEN_TYPE, &attrs.out_type}};
    TF_Operation *const op_ = sl_op(scope, "QuantizedRelu", inputs_, 3, attrs_, 1);
    const struct sl_quantized_relu_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}
static inline struct sl_quantized_relu_outputs sl_quantized_relu(struct sl_scope *scope, TF_Output features, TF_Output min_features, TF_Output max_features) {
    const struct sl_quantized_relu_attrs attrs = SL_DEFAULTS;
    return sl_quantized_relu_with(scope, features, min_features, max_features, attrs);
}

struct sl_quantized_relu6_outputs {
    TF_Output activations, min_activations, max_activations;
};
struct sl_quantized_relu6_attrs {
    TF_DataType out_type; /* DT_QUINT8 */
};
/* QuantizedRelu6: features: Tinput, min_features: float, max_features: float -> activations: out_type, min_activations: float, max_activations: float */
static inline struct sl_quantized_relu6_outputs sl_quantized_relu6_with(struct sl_scope *scope, TF_Output features, TF_Output min_features, TF_Output max_features, struct sl_quantized_relu6_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&features, -1}, {&min_features, -1}, {&max_features, -1}};
    const struct sl_attr_given attrs_[] = {{"out_type", SL_GIVEN_TYPE, &attrs.out_type}};
    TF_Operation *const op_ = sl_op(scope, "QuantizedRelu6", inputs_, 3, attrs_, 1);
    const struct sl_quantized_relu6_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}
static inline struct sl_quantized_relu6_outputs sl_quantized_relu6(struct sl_scope *scope, TF_Output features, TF_Output min_features, TF_Output max_features) {
    const struct sl_quantized_relu6_attrs attrs = SL_DEFAULTS;
    return sl_quantized_relu6_with(scope, features, min_features, max_features, attrs);
}

struct sl_quantized_relu_x_outputs {
    TF_Output activations, min_activations, max_activations;
};
struct sl_quantized_relu_x_attrs {
    TF_DataType out_type; /* DT_QUINT8 */
};
/* QuantizedReluX: features: Tinput, max_value: float, min_features: float, max_features: float -> activations: out_type, min_activations: float, max_activations: float */
static inline struct sl_quantized_relu_x_outputs sl_quantized_relu_x_with(struct sl_scope *scope, TF_Output features, TF_Output max_value, TF_Output min_features, TF_Output max_features, struct sl_quantized_relu_x_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&features, -1}, {&max_value, -1}, {&min_features, -1}, {&max_features, -1}};
    const struct sl_attr_given attrs_[] = {{"out_type", SL_GIVEN_TYPE, &attrs.out_type}};
    TF_Operation *const op_ = sl_op(scope, "QuantizedReluX", inputs_, 4, attrs_, 1);
    const struct sl_quantized_relu_x_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}
static inline struct sl_quantized_relu_x_outputs sl_quantized_relu_x(struct sl_scope *scope, TF_Output features, TF_Output max_value, TF_Output min_features, TF_Output max_features) {
    const struct sl_quantized_relu_x_attrs attrs = SL_DEFAULTS;
    return sl_quantized_relu_x_with(scope, features, max_value, min_features, max_features, attrs);
}

struct sl_quantized_reshape_outputs {
    TF_Output output, output_min, output_max;
};
/* QuantizedReshape: tensor: T, shape: Tshape, input_min: float, input_max: float -> output: T, output_min: float, output_max: float */
static inline struct sl_quantized_reshape_outputs sl_quantized_reshape(struct sl_scope *scope, TF_Output tensor, TF_Output shape, TF_Output input_min, TF_Output input_max) {
    const struct sl_op_input inputs_[] = {{&tensor, -1}, {&shape, -1}, {&input_min, -1}, {&input_max, -1}};
    TF_Operation *const op_ = sl_op(scope, "QuantizedReshape", inputs_, 4, NULL, 0);
    const struct sl_quantized_reshape_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}

struct sl_quantized_resize_bilinear_outputs {
    TF_Output resized_images, out_min, out_max;
};
struct sl_quantized_resize_bilinear_attrs {
    bool align_corners; /* false */
    bool half_pixel_centers; /* false */
};
/* QuantizedResizeBilinear: images: T, size: int32, min: float, max: float -> resized_images: T, out_min: float, out_max: float */
static inline struct sl_quantized_resize_bilinear_outputs sl_quantized_resize_bilinear_with(struct sl_scope *scope, TF_Output images, TF_Output size, TF_Output min, TF_Output max, struct sl_quantized_resize_bilinear_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&images, -1}, {&size, -1}, {&min, -1}, {&max, -1}};
    const struct sl_attr_given attrs_[] = {{"align_corners", SL_GIVEN_BOOL, &attrs.align_corners}, {"half_pixel_centers", SL_GIVEN_BOOL, &attrs.half_pixel_centers}};
    TF_Operation *const op_ = sl_op(scope, "QuantizedResizeBilinear", inputs_, 4, attrs_, 2);
    const struct sl_quantized_resize_bilinear_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}
static inline struct sl_quantized_resize_bilinear_outputs sl_quantized_resize_bilinear(struct sl_scope *scope, TF_Output images, TF_Output size, TF_Output min, TF_Output max) {
    const struct sl_quantized_resize_bilinear_attrs attrs = SL_DEFAULTS;
    return sl_quantized_resize_bilinear_with(scope, images, size, min, max, attrs);
}

struct sl_requantization_range_outputs {
    TF_Output output_min, output_max;
};
/* RequantizationRange: input: Tinput, input_min: float, input_max: float -> output_min: float, output_max: float */
static inline struct sl_requantization_range_outputs sl_requantization_range(struct sl_scope *scope, TF_Output input, TF_Output input_min, TF_Output input_max) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&input_min, -1}, {&input_max, -1}};
    TF_Operation *const op_ = sl_op(scope, "RequantizationRange", inputs_, 3, NULL, 0);
    const struct sl_requantization_range_outputs outputs_ = {{op_, 0}, {op_, 1}};
    return outputs_;
}

struct sl_requantization_range_per_channel_outputs {
    TF_Output output_min, output_max;
};
struct sl_requantization_range_per_channel_attrs {
    float clip_value_max; /* must be given */
};
/* RequantizationRangePerChannel: input: T, input_min: float, input_max: float -> output_min: float, output_max: float */
static inline struct sl_requantization_range_per_channel_outputs sl_requantization_range_per_channel(struct sl_scope *scope, TF_Output input, TF_Output input_min, TF_Output input_max, struct sl_requantization_range_per_channel_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&input_min, -1}, {&input_max, -1}};
    const struct sl_attr_given attrs_[] = {{"clip_value_max", SL_GIVEN_FLOAT_NEEDED, &attrs.clip_value_max}};
    TF_Operation *const op_ = sl_op(scope, "RequantizationRangePerChannel", inputs_, 3, attrs_, 1);
    const struct sl_requantization_range_per_channel_outputs outputs_ = {{op_, 0}, {op_, 1}};
    return outputs_;
}

struct sl_requantize_outputs {
    TF_Output output, output_min, output_max;
};
struct sl_requantize_attrs {
    TF_DataType out_type; /* must be given */
};
/* Requantize: input: Tinput, input_min: float, input_max: float, requested_output_min: float, requested_output_max: float -> output: out_type, output_min: float, output_max: float */
static inline struct sl_requantize_outputs sl_requantize(struct sl_scope *scope, TF_Output input, TF_Output input_min, TF_Output input_max, TF_Output requested_output_min, TF_Output requested_output_max, struct sl_requantize_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&input_min, -1}, {&input_max, -1}, {&requested_output_min, -1}, {&requested_output_max, -1}};
    const struct sl_attr_given attrs_[] = {{"out_type", SL_GIVEN_TYPE, &attrs.out_type}};
    TF_Operation *const op_ = sl_op(scope, "Requantize", inputs_, 5, attrs_, 1);
    const struct sl_requantize_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}

struct sl_requantize_per_channel_outputs {
    TF_Output output, output_min, output_max;
};
struct sl_requantize_per_channel_attrs {
    TF_DataType out_type; /* DT_QUINT8 */
};
/* RequantizePerChannel: input: T, input_min: float, input_max: float, requested_output_min: float, requested_output_max: float -> output: out_type, output_min: float, output_max: float */
static inline struct sl_requantize_per_channel_outputs sl_requantize_per_channel_with(struct sl_scope *scope, TF_Output input, TF_Output input_min, TF_Output input_max, TF_Output requested_output_min, TF_Output requested_output_max, struct sl_requantize_per_channel_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&input_min, -1}, {&input_max, -1}, {&requested_output_min, -1}, {&requested_output_max, -1}};
    const struct sl_attr_given attrs_[] = {{"out_type", SL_GIVEN_TYPE, &attrs.out_type}};
    TF_Operation *const op_ = sl_op(scope, "RequantizePerChannel", inputs_, 5, attrs_, 1);
    const struct sl_requantize_per_channel_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}
static inline struct sl_requantize_per_channel_outputs sl_requantize_per_channel(struct sl_scope *scope, TF_Output input, TF_Output input_min, TF_Output input_max, TF_Output requested_output_min, TF_Output requested_output_max) {
    const struct sl_requantize_per_channel_attrs attrs = SL_DEFAULTS;
    return sl_requantize_per_channel_with(scope, input, input_min, input_max, requested_output_min, requested_output_max, attrs);
}

struct sl_uniform_dequantize_attrs {
    TF_DataType Tout; /* must be given */
    int64_t quantization_axis; /* -1 */
    int64_t quantization_min_val; /* must be given */
    int64_t quantization_max_val; /* must be given */
};
/* UniformDequantize: input: Tin, scales: float, zero_points: int32 -> output: Tout */
static inline TF_Output sl_uniform_dequantize(struct sl_scope *scope, TF_Output input, TF_Output scales, TF_Output zero_points, struct sl_uniform_dequantize_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&scales, -1}, {&zero_points, -1}};
    const struct sl_attr_given attrs_[] = {{"Tout", SL_GIVEN_TYPE, &attrs.Tout}, {"quantization_axis", SL_GIVEN_INT, &attrs.quantization_axis}, {"quantization_min_val", SL_GIVEN_INT_NEEDED, &attrs.quantization_min_val}, {"quantization_max_val", SL_GIVEN_INT_NEEDED, &attrs.quantization_max_val}};
    return sl_op_first(sl_op(scope, "UniformDequantize", inputs_, 3, attrs_, 4));
}

struct sl_uniform_quantize_attrs {
    TF_DataType Tout; /* must be given */
    int64_t quantization_axis; /* -1 */
    int64_t quantization_min_val; /* must be given */
    int64_t quantization_max_val; /* must be given */
};
/* UniformQuantize: input: Tin, scales: float, zero_points: int32 -> output: Tout */
static inline TF_Output sl_uniform_quantize(struct sl_scope *scope, TF_Output input, TF_Output scales, TF_Output zero_points, struct sl_uniform_quantize_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&scales, -1}, {&zero_points, -1}};
    const struct sl_attr_given attrs_[] = {{"Tout", SL_GIVEN_TYPE, &attrs.Tout}, {"quantization_axis", SL_GIVEN_INT, &attrs.quantization_axis}, {"quantization_min_val", SL_GIVEN_INT_NEEDED, &attrs.quantization_min_val}, {"quantization_max_val", SL_GIVEN_INT_NEEDED, &attrs.quantization_max_val}};
    return sl_op_first(sl_op(scope, "UniformQuantize", inputs_, 3, attrs_, 4));
}

struct sl_uniform_quantized_add_attrs {
    int64_t lhs_quantization_axis; /* -1 */
    int64_t lhs_quantization_min_val; /* must be given */
    int64_t lhs_quantization_max_val; /* must be given */
    int64_t rhs_quantization_axis; /* -1 */
    int64_t rhs_quantization_min_val; /* must be given */
    int64_t rhs_quantization_max_val; /* must be given */
    int64_t output_quantization_axis; /* -1 */
    int64_t output_quantization_min_val; /* must be given */
    int64_t output_quantization_max_val; /* must be given */
};
/* UniformQuantizedAdd: lhs: T, rhs: T, lhs_scales: float, lhs_zero_points: int32, rhs_scales: float, rhs_zero_points: int32, output_scales: float, output_zero_points: int32 -> output: T */
static inline TF_Output sl_uniform_quantized_add(struct sl_scope *scope, TF_Output lhs, TF_Output rhs, TF_Output lhs_scales, TF_Output lhs_zero_points, TF_Output rhs_scales, TF_Output rhs_zero_points, TF_Output output_scales, TF_Output output_zero_points, struct sl_uniform_quantized_add_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&lhs, -1}, {&rhs, -1}, {&lhs_scales, -1}, {&lhs_zero_points, -1}, {&rhs_scales, -1}, {&rhs_zero_points, -1}, {&output_scales, -1}, {&output_zero_points, -1}};
    const struct sl_attr_given attrs_[] = {{"lhs_quantization_axis", SL_GIVEN_INT, &attrs.lhs_quantization_axis}, {"lhs_quantization_min_val", SL_GIVEN_INT_NEEDED, &attrs.lhs_quantization_min_val}, {"lhs_quantization_max_val", SL_GIVEN_INT_NEEDED, &attrs.lhs_quantization_max_val}, {"rhs_quantization_axis", SL_GIVEN_INT, &attrs.rhs_quantization_axis}, {"rhs_quantization_min_val", SL_GIVEN_INT_NEEDED, &attrs.rhs_quantization_min_val}, {"rhs_quantization_max_val", SL_GIVEN_INT_NEEDED, &attrs.rhs_quantization_max_val}, {"output_quantization_axis", SL_GIVEN_INT, &attrs.output_quantization_axis}, {"output_quantization_min_val", SL_GIVEN_INT_NEEDED, &attrs.output_quantization_min_val}, {"output_quantization_max_val", SL_GIVEN_INT_NEEDED, &attrs.output_quantization_max_val}};
    return sl_op_first(sl_op(scope, "UniformQuantizedAdd", inputs_, 8, attrs_, 9));
}

struct sl_uniform_quantized_clip_by_value_attrs {
    int64_t quantization_axis; /* -1 */
    int64_t quantization_min_val; /* must be given */
    int64_t quantization_max_val; /* must be given */
};
/* UniformQuantizedClipByValue: operand: T, min: T, max: T, scales: float, zero_points: int32 -> output: T */
static inline TF_Output sl_uniform_quantized_clip_by_value(struct sl_scope *scope, TF_Output operand, TF_Output min, TF_Output max, TF_Output scales, TF_Output zero_points, struct sl_uniform_quantized_clip_by_value_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&operand, -1}, {&min, -1}, {&max, -1}, {&scales, -1}, {&zero_points, -1}};
    const struct sl_attr_given attrs_[] = {{"quantization_axis", SL_GIVEN_INT, &attrs.quantization_axis}, {"quantization_min_val", SL_GIVEN_INT_NEEDED, &attrs.quantization_min_val}, {"quantization_max_val", SL_GIVEN_INT_NEEDED, &attrs.quantization_max_val}};
    return sl_op_first(sl_op(scope, "UniformQuantizedClipByValue", inputs_, 5, attrs_, 3));
}

struct sl_uniform_quantized_convolution_attrs {
    TF_DataType Tout; /* must be given */
    struct sl_ints window_strides; /* [] */
    const char *padding; /* must be given */
    struct sl_ints explicit_padding; /* [] */
    struct sl_ints lhs_dilation; /* [] */
    struct sl_ints rhs_dilation; /* [] */
    int64_t batch_group_count; /* 1 */
    int64_t feature_group_count; /* 1 */
    const char *dimension_numbers; /* '' */
    int64_t lhs_quantization_axis; /* -1 */
    int64_t lhs_quantization_min_val; /* must be given */
    int64_t lhs_quantization_max_val; /* must be given */
    int64_t rhs_quantization_axis; /* -1 */
    int64_t rhs_quantization_min_val; /* must be given */
    int64_t rhs_quantization_max_val; /* must be given */
    int64_t output_quantization_axis; /* -1 */
    int64_t output_quantization_min_val; /* must be given */
    int64_t output_quantization_max_val; /* must be given */
};
/* UniformQuantizedConvolution: lhs: Tin, rhs: Tin, lhs_scales: float, lhs_zero_points: int32, rhs_scales: float, rhs_zero_points: int32, output_scales: float, output_zero_points: int32 -> output: Tout */
static inline TF_Output sl_uniform_quantized_convolution(struct sl_scope *scope, TF_Output lhs, TF_Output rhs, TF_Output lhs_scales, TF_Output lhs_zero_points, TF_Output rhs_scales, TF_Output rhs_zero_points, TF_Output output_scales, TF_Output output_zero_points, struct sl_uniform_quantized_convolution_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&lhs, -1}, {&rhs, -1}, {&lhs_scales, -1}, {&lhs_zero_points, -1}, {&rhs_scales, -1}, {&rhs_zero_points, -1}, {&output_scales, -1}, {&output_zero_points, -1}};
    const struct sl_attr_given attrs_[] = {{"Tout", SL_GIVEN_TYPE, &attrs.Tout}, {"window_strides", SL_GIVEN_INTS, &attrs.window_strides}, {"padding", SL_GIVEN_STRING, &attrs.padding}, {"explicit_padding", SL_GIVEN_INTS, &attrs.explicit_padding}, {"lhs_dilation", SL_GIVEN_INTS, &attrs.lhs_dilation}, {"rhs_dilation", SL_GIVEN_INTS, &attrs.rhs_dilation}, {"batch_group_count", SL_GIVEN_INT, &attrs.batch_group_count}, {"feature_group_count", SL_GIVEN_INT, &attrs.feature_group_count}, {"dimension_numbers", SL_GIVEN_STRING, &attrs.dimension_numbers}, {"lhs_quantization_axis", SL_GIVEN_INT, &attrs.lhs_quantization_axis}, {"lhs_quantization_min_val", SL_GIVEN_INT_NEEDED, &attrs.lhs_quantization_min_val}, {"lhs_quantization_max_val", SL_GIVEN_INT_NEEDED, &attrs.lhs_quantization_max_val}, {"rhs_quantization_axis", SL_GIVEN_INT, &attrs.rhs_quantization_axis}, {"rhs_quantization_min_val", SL_GIVEN_INT_NEEDED, &attrs.rhs_quantization_min_val}, {"rhs_quantization_max_val", SL_GIVEN_INT_NEEDED, &attrs.rhs_quantization_max_val}, {"output_quantization_axis", SL_GIVEN_INT, &attrs.output_quantization_axis}, {"output_quantization_min_val", SL_GIVEN_INT_NEEDED, &attrs.output_quantization_min_val}, {"output_quantization_max_val", SL_GIVEN_INT_NEEDED, &attrs.output_quantization_max_val}};
    return sl_op_first(sl_op(scope, "UniformQuantizedConvolution", inputs_, 8, attrs_, 18));
}

struct sl_uniform_quantized_convolution_hybrid_attrs {
    TF_DataType Tout; /* must be given */
    struct sl_ints window_strides; /* [] */
    const char *padding; /* must be given */
    struct sl_ints explicit_padding; /* [] */
    struct sl_ints lhs_dilation; /* [] */
    struct sl_ints rhs_dilation; /* [] */
    int64_t batch_group_count; /* 1 */
    int64_t feature_group_count; /* 1 */
    const char *dimension_numbers; /* '' */
    int64_t rhs_quantization_axis; /* -1 */
    int64_t rhs_quantization_min_val; /* must be given */
    int64_t rhs_quantization_max_val; /* must be given */
};
/* UniformQuantizedConvolutionHybrid: lhs: Tlhs, rhs: Trhs, rhs_scales: float, rhs_zero_points: int32 -> output: Tout */
static inline TF_Output sl_uniform_quantized_convolution_hybrid(struct sl_scope *scope, TF_Output lhs, TF_Output rhs, TF_Output rhs_scales, TF_Output rhs_zero_points, struct sl_uniform_quantized_convolution_hybrid_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&lhs, -1}, {&rhs, -1}, {&rhs_scales, -1}, {&rhs_zero_points, -1}};
    const struct sl_attr_given attrs_[] = {{"Tout", SL_GIVEN_TYPE, &attrs.Tout}, {"window_strides", SL_GIVEN_INTS, &attrs.window_strides}, {"padding", SL_GIVEN_STRING, &attrs.padding}, {"explicit_padding", SL_GIVEN_INTS, &attrs.explicit_padding}, {"lhs_dilation", SL_GIVEN_INTS, &attrs.lhs_dilation}, {"rhs_dilation", SL_GIVEN_INTS, &attrs.rhs_dilation}, {"batch_group_count", SL_GIVEN_INT, &attrs.batch_group_count}, {"feature_group_count", SL_GIVEN_INT, &attrs.feature_group_count}, {"dimension_numbers", SL_GIVEN_STRING, &attrs.dimension_numbers}, {"rhs_quantization_axis", SL_GIVEN_INT, &attrs.rhs_quantization_axis}, {"rhs_quantization_min_val", SL_GIVEN_INT_NEEDED, &attrs.rhs_quantization_min_val}, {"rhs_quantization_max_val", SL_GIVEN_INT_NEEDED, &attrs.rhs_quantization_max_val}};
    return sl_op_first(sl_op(scope, "UniformQuantizedConvolutionHybrid", inputs_, 4, attrs_, 12));
}

struct sl_uniform_quantized_dot_attrs {
    TF_DataType Tout; /* must be given */
    int64_t lhs_quantization_axis; /* -1 */
    int64_t lhs_quantization_min_val; /* must be given */
    int64_t lhs_quantization_max_val; /* must be given */
    int64_t rhs_quantization_axis; /* -1 */
    int64_t rhs_quantization_min_val; /* must be given */
    int64_t rhs_quantization_max_val; /* must be given */
    int64_t output_quantization_axis; /* -1 */
    int64_t output_quantization_min_val; /* must be given */
    int64_t output_quantization_max_val; /* must be given */
};
/* UniformQuantizedDot: lhs: Tin, rhs: Tin, lhs_scales: float, lhs_zero_points: int32, rhs_scales: float, rhs_zero_points: int32, output_scales: float, output_zero_points: int32 -> output: Tout */
static inline TF_Output sl_uniform_quantized_dot(struct sl_scope *scope, TF_Output lhs, TF_Output rhs, TF_Output lhs_scales, TF_Output lhs_zero_points, TF_Output rhs_scales, TF_Output rhs_zero_points, TF_Output output_scales, TF_Output output_zero_points, struct sl_uniform_quantized_dot_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&lhs, -1}, {&rhs, -1}, {&lhs_scales, -1}, {&lhs_zero_points, -1}, {&rhs_scales, -1}, {&rhs_zero_points, -1}, {&output_scales, -1}, {&output_zero_points, -1}};
    const struct sl_attr_given attrs_[] = {{"Tout", SL_GIVEN_TYPE, &attrs.Tout}, {"lhs_quantization_axis", SL_GIVEN_INT, &attrs.lhs_quantization_axis}, {"lhs_quantization_min_val", SL_GIVEN_INT_NEEDED, &attrs.lhs_quantization_min_val}, {"lhs_quantization_max_val", SL_GIVEN_INT_NEEDED, &attrs.lhs_quantization_max_val}, {"rhs_quantization_axis", SL_GIVEN_INT, &attrs.rhs_quantization_axis}, {"rhs_quantization_min_val", SL_GIVEN_INT_NEEDED, &attrs.rhs_quantization_min_val}, {"rhs_quantization_max_val", SL_GIVEN_INT_NEEDED, &attrs.rhs_quantization_max_val}, {"output_quantization_axis", SL_GIVEN_INT, &attrs.output_quantization_axis}, {"output_quantization_min_val", SL_GIVEN_INT_NEEDED, &attrs.output_quantization_min_val}, {"output_quantization_max_val", SL_GIVEN_INT_NEEDED, &attrs.output_quantization_max_val}};
    return sl_op_first(sl_op(scope, "UniformQuantizedDot", inputs_, 8, attrs_, 10));
}

struct sl_uniform_quantized_dot_hybrid_attrs {
    TF_DataType Tout; /* must be given */
    int64_t rhs_quantization_axis; /* -1 */
    int64_t rhs_quantization_min_val; /* must be given */
    int64_t rhs_quantization_max_val; /* must be given */
};
/* UniformQuantizedDotHybrid: lhs: Tlhs, rhs: Trhs, rhs_scales: float, rhs_zero_points: int32 -> output: Tout */
static inline TF_Output sl_uniform_quantized_dot_hybrid(struct sl_scope *scope, TF_Output lhs, TF_Output rhs, TF_Output rhs_scales, TF_Output rhs_zero_points, struct sl_uniform_quantized_dot_hybrid_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&lhs, -1}, {&rhs, -1}, {&rhs_scales, -1}, {&rhs_zero_points, -1}};
    const struct sl_attr_given attrs_[] = {{"Tout", SL_GIVEN_TYPE, &attrs.Tout}, {"rhs_quantization_axis", SL_GIVEN_INT, &attrs.rhs_quantization_axis}, {"rhs_quantization_min_val", SL_GIVEN_INT_NEEDED, &attrs.rhs_quantization_min_val}, {"rhs_quantization_max_val", SL_GIVEN_INT_NEEDED, &attrs.rhs_quantization_max_val}};
    return sl_op_first(sl_op(scope, "UniformQuantizedDotHybrid", inputs_, 4, attrs_, 4));
}

struct sl_uniform_requantize_attrs {
    TF_DataType Tout; /* must be given */
    int64_t input_quantization_axis; /* -1 */
    int64_t input_quantization_min_val; /* must be given */
    int64_t input_quantization_max_val; /* must be given */
    int64_t output_quantization_axis; /* -1 */
    int64_t output_quantization_min_val; /* must be given */
    int64_t output_quantization_max_val; /* must be given */
};
/* UniformRequantize: input: Tin, input_scales: float, input_zero_points: int32, output_scales: float, output_zero_points: int32 -> output: Tout */
static inline TF_Output sl_uniform_requantize(struct sl_scope *scope, TF_Output input, TF_Output input_scales, TF_Output input_zero_points, TF_Output output_scales, TF_Output output_zero_points, struct sl_uniform_requantize_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&input_scales, -1}, {&input_zero_points, -1}, {&output_scales, -1}, {&output_zero_points, -1}};
    const struct sl_attr_given attrs_[] = {{"Tout", SL_GIVEN_TYPE, &attrs.Tout}, {"input_quantization_axis", SL_GIVEN_INT, &attrs.input_quantization_axis}, {"input_quantization_min_val", SL_GIVEN_INT_NEEDED, &attrs.input_quantization_min_val}, {"input_quantization_max_val", SL_GIVEN_INT_NEEDED, &attrs.input_quantization_max_val}, {"output_quantization_axis", SL_GIVEN_INT, &attrs.output_quantization_axis}, {"output_quantization_min_val", SL_GIVEN_INT_NEEDED, &attrs.output_quantization_min_val}, {"output_quantization_max_val", SL_GIVEN_INT_NEEDED, &attrs.output_quantization_max_val}};
    return sl_op_first(sl_op(scope, "UniformRequantize", inputs_, 5, attrs_, 7));
}

#ifdef __cplusplus
}
#endif

#endif
