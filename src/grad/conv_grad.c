/* Gradients of convolutions, pools and normalisations over windows. The gradient of each is an op of its own, whose
 * gradients are convolutions and pools again. */
#include "grad/words.h"

/* ---- convolutions: x(0) the input (or its sizes), x(1) the filter (or its sizes), x(2) the gradient */
#define CONV_ATTRS                                                                                                     \
    ATTRS(SAME("strides"), SAME("padding"), SAME("explicit_paddings"), SAME("use_cudnn_on_gpu"), SAME("data_format"),  \
          SAME("dilations"))
#define DEPTHWISE_ATTRS                                                                                                \
    ATTRS(SAME("strides"), SAME("padding"), SAME("explicit_paddings"), SAME("data_format"), SAME("dilations"))
#define CONV_3D_ATTRS ATTRS(SAME("strides"), SAME("padding"), SAME("data_format"), SAME("dilations"))

GRAD(Conv2D) {
    WRT(0) = emit_with(CONV_ATTRS, "Conv2DBackpropInput", shape(x(0)), x(1), dy(0));
    WRT(1) = emit_with(CONV_ATTRS, "Conv2DBackpropFilter", x(0), shape(x(1)), dy(0));
}
GRAD(Conv2DBackpropInput) {
    WRT(1) = emit_with(CONV_ATTRS, "Conv2DBackpropFilter", dy(0), shape(x(1)), x(2));
    WRT(2) = emit_with(CONV_ATTRS, "Conv2D", dy(0), x(1));
}
GRAD(Conv2DBackpropFilter) {
    WRT(0) = emit_with(CONV_ATTRS, "Conv2DBackpropInput", shape(x(0)), dy(0), x(2));
    WRT(2) = emit_with(CONV_ATTRS, "Conv2D", x(0), dy(0));
}
GRAD(DepthwiseConv2dNative) {
    WRT(0) = emit_with(DEPTHWISE_ATTRS, "DepthwiseConv2dNativeBackpropInput", shape(x(0)), x(1), dy(0));
    WRT(1) = emit_with(DEPTHWISE_ATTRS, "DepthwiseConv2dNativeBackpropFilter", x(0), shape(x(1)), dy(0));
}
GRAD(DepthwiseConv2dNativeBackpropInput) {
    WRT(1) = emit_with(DEPTHWISE_ATTRS, "DepthwiseConv2dNativeBackpropFilter", dy(0), shape(x(1)), x(2));
    WRT(2) = emit_with(DEPTHWISE_ATTRS, "DepthwiseConv2dNative", dy(0), x(1));
}
GRAD(DepthwiseConv2dNativeBackpropFilter) {
    WRT(0) = emit_with(DEPTHWISE_ATTRS, "DepthwiseConv2dNativeBackpropInput", shape(x(0)), dy(0), x(2));
    WRT(2) = emit_with(DEPTHWISE_ATTRS, "DepthwiseConv2dNative", x(0), dy(0));
}
GRAD(Conv3D) {
    WRT(0) = emit_with(CONV_3D_ATTRS, "Conv3DBackpropInputV2", shape(x(0)), x(1), dy(0));
    WRT(1) = emit_with(CONV_3D_ATTRS, "Conv3DBackpropFilterV2", x(0), shape(x(1)), dy(0));
}
GRAD(Conv3DBackpropInputV2) {
    WRT(1) = emit_with(CONV_3D_ATTRS, "Conv3DBackpropFilterV2", dy(0), shape(x(1)), x(2));
    WRT(2) = emit_with(CONV_3D_ATTRS, "Conv3D", dy(0), x(1));
}
GRAD(Conv3DBackpropFilterV2) {
    WRT(0) = emit_with(CONV_3D_ATTRS, "Conv3DBackpropInputV2", shape(x(0)), dy(0), x(2));
    WRT(2) = emit_with(CONV_3D_ATTRS, "Conv3D", x(0), dy(0));
}
GRAD(Dilation2D) {
#define DILATION_ATTRS ATTRS(SAME("strides"), SAME("rates"), SAME("padding"))
    WRT(0) = emit_with(DILATION_ATTRS, "Dilation2DBackpropInput", x(0), x(1), dy(0));
    WRT(1) = emit_with(DILATION_ATTRS, "Dilation2DBackpropFilter", x(0), x(1), dy(0));
}

/* ---- pools */
#define POOL_ATTRS                                                                                                     \
    ATTRS(SAME("ksize"), SAME("strides"), SAME("padding"), SAME("explicit_paddings"), SAME("data_format"))
#define POOL_3D_ATTRS ATTRS(SAME("ksize"), SAME("strides"), SAME("padding"), SAME("data_format"))
#define POOL_V2_ATTRS ATTRS(SAME("padding"), SAME("data_format"))

GRAD(MaxPool) { WRT(0) = emit_with(POOL_ATTRS, "MaxPoolGrad", x(0), y(0), dy(0)); }
GRAD(MaxPoolV2) { WRT(0) = emit_with(POOL_V2_ATTRS, "MaxPoolGradV2", x(0), y(0), dy(0), x(1), x(2)); }
GRAD(MaxPoolGrad) {
    WRT(0) = zeros(x(0));
    WRT(1) = zeros(x(1));
    WRT(2) = emit_with(POOL_3D_ATTRS, "MaxPoolGradGrad", x(0), x(1), dy(0));
}
GRAD(MaxPoolGradV2) {
    WRT(0) = zeros(x(0));
    WRT(1) = zeros(x(1));
    WRT(2) = emit_with(POOL_V2_ATTRS, "MaxPoolGradGradV2", x(0), x(1), dy(0), x(3), x(4));
}
GRAD(MaxPoolGradGrad) {
    WRT(0) = zeros(x(0));
    WRT(1) = zeros(x(1));
    WRT(2) = emit_with(POOL_3D_ATTRS, "MaxPoolGrad", x(0), x(1), dy(0));
}
GRAD(MaxPoolWithArgmax) {
    WRT(0) = emit_with(ATTRS(SAME("ksize"), SAME("strides"), SAME("padding"), SAME("include_batch_in_index")),
                       "MaxPoolGradWithArgmax", x(0), dy(0), y(1));
}
GRAD(MaxPool3D) { WRT(0) = emit_with(POOL_3D_ATTRS, "MaxPool3DGrad", x(0), y(0), dy(0)); }
GRAD(MaxPool3DGrad) {
    WRT(0) = zeros(x(0));
    WRT(1) = zeros(x(1));
    WRT(2) = emit_with(POOL_3D_ATTRS, "MaxPool3DGradGrad", x(0), x(1), dy(0));
}
GRAD(MaxPool3DGradGrad) {
    WRT(0) = zeros(x(0));
    WRT(1) = zeros(x(1));
    WRT(2) = emit_with(POOL_3D_ATTRS, "MaxPool3DGrad", x(0), x(1), dy(0));
}
GRAD(AvgPool) { WRT(0) = emit_with(POOL_3D_ATTRS, "AvgPoolGrad", shape(x(0)), dy(0)); }
GRAD(AvgPoolGrad) { WRT(1) = emit_with(POOL_3D_ATTRS, "AvgPool", dy(0)); }
GRAD(AvgPool3D) { WRT(0) = emit_with(POOL_3D_ATTRS, "AvgPool3DGrad", shape(x(0)), dy(0)); }
GRAD(AvgPool3DGrad) { WRT(1) = emit_with(POOL_3D_ATTRS, "AvgPool3D", dy(0)); }
GRAD(FractionalMaxPool) {
    WRT(0) = emit_with(ATTRS(SAME("overlapping")), "FractionalMaxPoolGrad", x(0), y(0), dy(0), y(1), y(2));
}
GRAD(FractionalAvgPool) {
    WRT(0) = emit_with(ATTRS(SAME("overlapping")), "FractionalAvgPoolGrad", shape64(x(0)), dy(0), y(1), y(2));
}

/* ---- patches: where each element of a patch came from is found by taking patches of the positions, counted from 1; 0
 * is padding */
static void patches(struct sl_rule *g, const char *op, const struct sl_attr *attrs, int n_attrs, int rank) {
    if (!wants(0)) return;
    struct sl_term size = shape(x(0)), batch = emit("Slice", size, ints(0), ints(1));
    struct sl_term space = emit("Slice", size, ints(1), ints(rank - 2)),
                   depth = emit("Slice", size, ints(rank - 1), ints(1));
    struct sl_term n = emit("Prod", space, ints(0)), one = ints(1);
    struct sl_term numbers =
        reshape(emit("Range", i32(1), add(n, i32(1)), i32(1)), emit("ConcatV2", one, space, one, i32(0)));
    struct sl_term origins = sub(reshape(sl_rule_emit(g, op, &numbers, 1, attrs, n_attrs), ints(-1)), i32(1));
    /* [batch, patches and elements, depth], the middle first: rows to be summed by origin */
    struct sl_term per_batch =
        reshape(dy(0), emit("ConcatV2", batch, reshape(emit("Size", origins), one), depth, i32(0)));
    struct sl_term sums = emit("UnsortedSegmentSum", transpose(per_batch, ints(1, 0, 2)), origins, n);
    WRT(0) = reshape(transpose(sums, ints(1, 0, 2)), size);
}
GRAD(ExtractImagePatches) {
    patches(g, "ExtractImagePatches", ATTRS(SAME("ksizes"), SAME("strides"), SAME("rates"), SAME("padding")), 4, 4);
}
GRAD(ExtractVolumePatches) {
    patches(g, "ExtractVolumePatches", ATTRS(SAME("ksizes"), SAME("strides"), SAME("padding")), 3, 5);
}

/* ---- normalisation of neighbouring channels */
GRAD(LRN) {
    WRT(0) =
        emit_with(ATTRS(SAME("depth_radius"), SAME("bias"), SAME("alpha"), SAME("beta")), "LRNGrad", dy(0), x(0), y(0));
}

RULES(conv) = {
    /* clang-format off */
    READS(Conv2D, Conv2D, X(0) | X(1)) READS(Conv2DBackpropInput, Conv2DBackpropInput, X(1) | X(2)) READS(Conv2DBackpropFilter, Conv2DBackpropFilter, X(0) | X(2)) READS(DepthwiseConv2dNative, DepthwiseConv2dNative, X(0) | X(1))
    RULE(DepthwiseConv2dNativeBackpropInput) RULE(DepthwiseConv2dNativeBackpropFilter) RULE(Conv3D) RULE(Conv3DBackpropInputV2)
    RULE(Conv3DBackpropFilterV2) RULE(Dilation2D)
    RULE(MaxPool) RULE(MaxPoolV2) RULE(MaxPoolGrad) RULE(MaxPoolGradV2) RULE(MaxPoolGradGrad) RULE(MaxPoolWithArgmax)
    RULE(MaxPool3D) RULE(MaxPool3DGrad) RULE(MaxPool3DGradGrad) READS(AvgPool, AvgPool, NOTHING) READS(AvgPoolGrad, AvgPoolGrad, NOTHING) RULE(AvgPool3D)
    RULE(AvgPool3DGrad) RULE(FractionalMaxPool) RULE(FractionalAvgPool) RULE(ExtractImagePatches) RULE(ExtractVolumePatches) RULE(LRN)
    UNDEFINED(Conv) UNDEFINED(Conv3DBackpropFilter) UNDEFINED(Conv3DBackpropInput) UNDEFINED(Dilation2DBackpropFilter)
    UNDEFINED(Dilation2DBackpropInput) UNDEFINED(FusedPadConv2D) UNDEFINED(FusedResizeAndPadConv2D)
    UNDEFINED(_FusedConv2D) UNDEFINED(_FusedConv3D) UNDEFINED(_FusedDepthwiseConv2dNative)
    RULES_END
    /* clang-format on */
};
