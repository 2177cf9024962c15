/* Gradients of what quantises and stays real: as if it were the identity, within the range. */
#include "grad/words.h"

GRAD(FakeQuantWithMinMaxArgs) {
    WRT(0) = emit_with(ATTRS(SAME("min"), SAME("max"), SAME("num_bits"), SAME("narrow_range")),
                       "FakeQuantWithMinMaxArgsGradient", dy(0), x(0));
}
static void variable_range(struct sl_rule *g, const char *op) {
    struct sl_term all = emit_with(ATTRS(SAME("num_bits"), SAME("narrow_range")), op, dy(0), x(0), x(1), x(2));
    for (int i = 0; i < 3; i++) WRT(i) = at(all, i);
}
GRAD(FakeQuantWithMinMaxVars) { variable_range(g, "FakeQuantWithMinMaxVarsGradient"); }
GRAD(FakeQuantWithMinMaxVarsPerChannel) { variable_range(g, "FakeQuantWithMinMaxVarsPerChannelGradient"); }
GRAD(QuantizeAndDequantize) { WRT(0) = dy(0); }
GRAD(QuantizeAndDequantizeV4) {
    struct sl_term all = emit_with(ATTRS(SAME("axis")), "QuantizeAndDequantizeV4Grad", dy(0), x(0), x(1), x(2));
    for (int i = 0; i < 3; i++) WRT(i) = at(all, i);
}

RULES(quant) = {
    /* clang-format off */
    RULE(FakeQuantWithMinMaxArgs) RULE(FakeQuantWithMinMaxVars) RULE(FakeQuantWithMinMaxVarsPerChannel)
    RULE(QuantizeAndDequantize) RULE_OF(QuantizeAndDequantizeV2, QuantizeAndDequantize)
    RULE_OF(QuantizeAndDequantizeV3, QuantizeAndDequantize) RULE(QuantizeAndDequantizeV4)
    RULE_OF(QuantizeAndDequantizeV4Grad, QuantizeAndDequantize)
    NO_GRAD(FakeQuantWithMinMaxArgsGradient) NO_GRAD(FakeQuantWithMinMaxVarsGradient)
    NO_GRAD(FakeQuantWithMinMaxVarsPerChannelGradient)
    UNDEFINED(Dequantize) UNDEFINED(QuantizeDownAndShrinkRange) UNDEFINED(QuantizeV2) UNDEFINED(QuantizedAdd)
    UNDEFINED(QuantizedAvgPool) UNDEFINED(QuantizedBatchNormWithGlobalNormalization) UNDEFINED(QuantizedBiasAdd)
    UNDEFINED(QuantizedConcat) UNDEFINED(QuantizedConcatV2) UNDEFINED(QuantizedConv2D) UNDEFINED(QuantizedInstanceNorm)
    UNDEFINED(QuantizedMatMul) UNDEFINED(QuantizedMaxPool) UNDEFINED(QuantizedMul) UNDEFINED(QuantizedRelu)
    UNDEFINED(QuantizedRelu6) UNDEFINED(QuantizedReshape) UNDEFINED(QuantizedResizeBilinear)
    UNDEFINED(RequantizationRange) UNDEFINED(RequantizationRangePerChannel) UNDEFINED(Requantize)
    UNDEFINED(RequantizePerChannel) UNDEFINED(UniformDequantize)
    UNDEFINED(UniformQuantizedDotHybrid)
    RULES_END
    /* clang-format on */
};
