/* Wrappers of the conv ops, made by tools/gen_ops.py from src/ops/conv.def; see sluice/ops.h. */
#ifndef SLUICE_GEN_CONV_OPS_H
#define SLUICE_GEN_CONV_OPS_H

#include "sluice/scope.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sl_conv_attrs {
    struct sl_ints strides; /* must be given */
    const char *padding; /* must be given */
    struct sl_ints explicit_paddings; /* [] */
    const char *data_format; /* 'CHANNELS_LAST' */
    struct sl_ints dilations; /* [] */
    int64_t batch_dims; /* 1 */
    int64_t groups; /* 1 */
};
/* Conv: input: T, filter: T -> output: T */
static inline TF_Output sl_conv(struct sl_scope *scope, TF_Output input, TF_Output filter, struct sl_conv_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&filter, -1}};
    const struct sl_attr_given attrs_[] = {{"strides", SL_GIVEN_INTS_NEEDED, &attrs.strides}, {"padding", SL_GIVEN_STRING, &attrs.padding}, {"explicit_paddings", SL_GIVEN_INTS, &attrs.explicit_paddings}, {"data_format", SL_GIVEN_STRING, &attrs.data_format}, {"dilations", SL_GIVEN_INTS, &attrs.dilations}, {"batch_dims", SL_GIVEN_INT, &attrs.batch_dims}, {"groups", SL_GIVEN_INT, &attrs.groups}};
    return sl_op_first(sl_op(scope, "Conv", inputs_, 2, attrs_, 7));
}

struct sl_conv2d_attrs {
    struct sl_ints strides; /* must be given */
    enum sl_choice use_cudnn_on_gpu; /* true */
    const char *padding; /* must be given */
    struct sl_ints explicit_paddings; /* [] */
    const char *data_format; /* 'NHWC' */
    struct sl_ints dilations; /* [1, 1, 1, 1] */
};
/* Conv2D: input: T, filter: T -> output: T */
static inline TF_Output sl_conv2d(struct sl_scope *scope, TF_Output input, TF_Output filter, struct sl_conv2d_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&filter, -1}};
    const struct sl_attr_given attrs_[] = {{"strides", SL_GIVEN_INTS_NEEDED, &attrs.strides}, {"use_cudnn_on_gpu", SL_GIVEN_CHOICE, &attrs.use_cudnn_on_gpu}, {"padding", SL_GIVEN_STRING, &attrs.padding}, {"explicit_paddings", SL_GIVEN_INTS, &attrs.explicit_paddings}, {"data_format", SL_GIVEN_STRING, &attrs.data_format}, {"dilations", SL_GIVEN_INTS, &attrs.dilations}};
    return sl_op_first(sl_op(scope, "Conv2D", inputs_, 2, attrs_, 6));
}

struct sl_conv2d_backprop_filter_attrs {
    struct sl_ints strides; /* must be given */
    enum sl_choice use_cudnn_on_gpu; /* true */
    const char *padding; /* must be given */
    struct sl_ints explicit_paddings; /* [] */
    const char *data_format; /* 'NHWC' */
    struct sl_ints dilations; /* [1, 1, 1, 1] */
};
/* Conv2DBackpropFilter: input: T, filter_sizes: int32, out_backprop: T -> output: T */
static inline TF_Output sl_conv2d_backprop_filter(struct sl_scope *scope, TF_Output input, TF_Output filter_sizes, TF_Output out_backprop, struct sl_conv2d_backprop_filter_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&filter_sizes, -1}, {&out_backprop, -1}};
    const struct sl_attr_given attrs_[] = {{"strides", SL_GIVEN_INTS_NEEDED, &attrs.strides}, {"use_cudnn_on_gpu", SL_GIVEN_CHOICE, &attrs.use_cudnn_on_gpu}, {"padding", SL_GIVEN_STRING, &attrs.padding}, {"explicit_paddings", SL_GIVEN_INTS, &attrs.explicit_paddings}, {"data_format", SL_GIVEN_STRING, &attrs.data_format}, {"dilations", SL_GIVEN_INTS, &attrs.dilations}};
    return sl_op_first(sl_op(scope, "Conv2DBackpropFilter", inputs_, 3, attrs_, 6));
}

struct sl_conv2d_backprop_filter_v2_attrs {
    struct sl_ints strides; /* must be given */
    enum sl_choice use_cudnn_on_gpu; /* true */
    const char *padding; /* must be given */
    struct sl_ints explicit_paddings; /* [] */
    const char *data_format; /* 'NHWC' */
    struct sl_ints dilations; /* [1, 1, 1, 1] */
};
/* Conv2DBackpropFilterV2: input: T, filter: T, out_backprop: T -> output: T */
static inline TF_Output sl_conv2d_backprop_filter_v2(struct sl_scope *scope, TF_Output input, TF_Output filter, TF_Output out_backprop, struct sl_conv2d_backprop_filter_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&filter, -1}, {&out_backprop, -1}};
    const struct sl_attr_given attrs_[] = {{"strides", SL_GIVEN_INTS_NEEDED, &attrs.strides}, {"use_cudnn_on_gpu", SL_GIVEN_CHOICE, &attrs.use_cudnn_on_gpu}, {"padding", SL_GIVEN_STRING, &attrs.padding}, {"explicit_paddings", SL_GIVEN_INTS, &attrs.explicit_paddings}, {"data_format", SL_GIVEN_STRING, &attrs.data_format}, {"dilations", SL_GIVEN_INTS, &attrs.dilations}};
    return sl_op_first(sl_op(scope, "Conv2DBackpropFilterV2", inputs_, 3, attrs_, 6));
}

struct sl_conv2d_backprop_input_attrs {
    struct sl_ints strides; /* must be given */
    enum sl_choice use_cudnn_on_gpu; /* true */
    const char *padding; /* must be given */
    struct sl_ints explicit_paddings; /* [] */
    const char *data_format; /* 'NHWC' */
    struct sl_ints dilations; /* [1, 1, 1, 1] */
};
/* Conv2DBackpropInput: input_sizes: int32, filter: T, out_backprop: T -> output: T */
static inline TF_Output sl_conv2d_backprop_input(struct sl_scope *scope, TF_Output input_sizes, TF_Output filter, TF_Output out_backprop, struct sl_conv2d_backprop_input_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input_sizes, -1}, {&filter, -1}, {&out_backprop, -1}};
    const struct sl_attr_given attrs_[] = {{"strides", SL_GIVEN_INTS_NEEDED, &attrs.strides}, {"use_cudnn_on_gpu", SL_GIVEN_CHOICE, &attrs.use_cudnn_on_gpu}, {"padding", SL_GIVEN_STRING, &attrs.padding}, {"explicit_paddings", SL_GIVEN_INTS, &attrs.explicit_paddings}, {"data_format", SL_GIVEN_STRING, &attrs.data_format}, {"dilations", SL_GIVEN_INTS, &attrs.dilations}};
    return sl_op_first(sl_op(scope, "Conv2DBackpropInput", inputs_, 3, attrs_, 6));
}

struct sl_conv2d_backprop_input_v2_attrs {
    struct sl_ints strides; /* must be given */
    enum sl_choice use_cudnn_on_gpu; /* true */
    const char *padding; /* must be given */
    struct sl_ints explicit_paddings; /* [] */
    const char *data_format; /* 'NHWC' */
    struct sl_ints dilations; /* [1, 1, 1, 1] */
};
/* Conv2DBackpropInputV2: input: T, filter: T, out_backprop: T -> output: T */
static inline TF_Output sl_conv2d_backprop_input_v2(struct sl_scope *scope, TF_Output input, TF_Output filter, TF_Output out_backprop, struct sl_conv2d_backprop_input_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&filter, -1}, {&out_backprop, -1}};
    const struct sl_attr_given attrs_[] = {{"strides", SL_GIVEN_INTS_NEEDED, &attrs.strides}, {"use_cudnn_on_gpu", SL_GIVEN_CHOICE, &attrs.use_cudnn_on_gpu}, {"padding", SL_GIVEN_STRING, &attrs.padding}, {"explicit_paddings", SL_GIVEN_INTS, &attrs.explicit_paddings}, {"data_format", SL_GIVEN_STRING, &attrs.data_format}, {"dilations", SL_GIVEN_INTS, &attrs.dilations}};
    return sl_op_first(sl_op(scope, "Conv2DBackpropInputV2", inputs_, 3, attrs_, 6));
}

struct sl_conv3d_attrs {
    struct sl_ints strides; /* must be given */
    const char *padding; /* must be given */
    const char *data_format; /* 'NDHWC' */
    struct sl_ints dilations; /* [1, 1, 1, 1, 1] */
};
/* Conv3D: input: T, filter: T -> output: T */
static inline TF_Output sl_conv3d(struct sl_scope *scope, TF_Output input, TF_Output filter, struct sl_conv3d_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&filter, -1}};
    const struct sl_attr_given attrs_[] = {{"strides", SL_GIVEN_INTS_NEEDED, &attrs.strides}, {"padding", SL_GIVEN_STRING, &attrs.padding}, {"data_format", SL_GIVEN_STRING, &attrs.data_format}, {"dilations", SL_GIVEN_INTS, &attrs.dilations}};
    return sl_op_first(sl_op(scope, "Conv3D", inputs_, 2, attrs_, 4));
}

struct sl_conv3d_backprop_filter_attrs {
    struct sl_ints strides; /* must be given */
    const char *padding; /* must be given */
    struct sl_ints dilations; /* [1, 1, 1, 1, 1] */
};
/* Conv3DBackpropFilter: input: T, filter: T, out_backprop: T -> output: T */
static inline TF_Output sl_conv3d_backprop_filter(struct sl_scope *scope, TF_Output input, TF_Output filter, TF_Output out_backprop, struct sl_conv3d_backprop_filter_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&filter, -1}, {&out_backprop, -1}};
    const struct sl_attr_given attrs_[] = {{"strides", SL_GIVEN_INTS_NEEDED, &attrs.strides}, {"padding", SL_GIVEN_STRING, &attrs.padding}, {"dilations", SL_GIVEN_INTS, &attrs.dilations}};
    return sl_op_first(sl_op(scope, "Conv3DBackpropFilter", inputs_, 3, attrs_, 3));
}

struct sl_conv3d_backprop_filter_v2_attrs {
    struct sl_ints strides; /* must be given */
    const char *padding; /* must be given */
    const char *data_format; /* 'NDHWC' */
    struct sl_ints dilations; /* [1, 1, 1, 1, 1] */
};
/* Conv3DBackpropFilterV2: input: T, filter_sizes: int32, out_backprop: T -> output: T */
static inline TF_Output sl_conv3d_backprop_filter_v2(struct sl_scope *scope, TF_Output input, TF_Output filter_sizes, TF_Output out_backprop, struct sl_conv3d_backprop_filter_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&filter_sizes, -1}, {&out_backprop, -1}};
    const struct sl_attr_given attrs_[] = {{"strides", SL_GIVEN_INTS_NEEDED, &attrs.strides}, {"padding", SL_GIVEN_STRING, &attrs.padding}, {"data_format", SL_GIVEN_STRING, &attrs.data_format}, {"dilations", SL_GIVEN_INTS, &attrs.dilations}};
    return sl_op_first(sl_op(scope, "Conv3DBackpropFilterV2", inputs_, 3, attrs_, 4));
}

struct sl_conv3d_backprop_input_attrs {
    struct sl_ints strides; /* must be given */
    const char *padding; /* must be given */
    struct sl_ints dilations; /* [1, 1, 1, 1, 1] */
};
/* Conv3DBackpropInput: input: T, filter: T, out_backprop: T -> output: T */
static inline TF_Output sl_conv3d_backprop_input(struct sl_scope *scope, TF_Output input, TF_Output filter, TF_Output out_backprop, struct sl_conv3d_backprop_input_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&filter, -1}, {&out_backprop, -1}};
    const struct sl_attr_given attrs_[] = {{"strides", SL_GIVEN_INTS_NEEDED, &attrs.strides}, {"padding", SL_GIVEN_STRING, &attrs.padding}, {"dilations", SL_GIVEN_INTS, &attrs.dilations}};
    return sl_op_first(sl_op(scope, "Conv3DBackpropInput", inputs_, 3, attrs_, 3));
}

struct sl_conv3d_backprop_input_v2_attrs {
    struct sl_ints strides; /* must be given */
    const char *padding; /* must be given */
    const char *data_format; /* 'NDHWC' */
    struct sl_ints dilations; /* [1, 1, 1, 1, 1] */
};
/* Conv3DBackpropInputV2: input_sizes: Tshape, filter: T, out_backprop: T -> output: T */
static inline TF_Output sl_conv3d_backprop_input_v2(struct sl_scope *scope, TF_Output input_sizes, TF_Output filter, TF_Output out_backprop, struct sl_conv3d_backprop_input_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input_sizes, -1}, {&filter, -1}, {&out_backprop, -1}};
    const struct sl_attr_given attrs_[] = {{"strides", SL_GIVEN_INTS_NEEDED, &attrs.strides}, {"padding", SL_GIVEN_STRING, &attrs.padding}, {"data_format", SL_GIVEN_STRING, &attrs.data_format}, {"dilations", SL_GIVEN_INTS, &attrs.dilations}};
    return sl_op_first(sl_op(scope, "Conv3DBackpropInputV2", inputs_, 3, attrs_, 4));
}

struct sl_depthwise_conv2d_native_attrs {
    struct sl_ints strides; /* must be given */
    const char *padding; /* must be given */
    struct sl_ints explicit_paddings; /* [] */
    const char *data_format; /* 'NHWC' */
    struct sl_ints dilations; /* [1, 1, 1, 1] */
};
/* DepthwiseConv2dNative: input: T, filter: T -> output: T */
static inline TF_Output sl_depthwise_conv2d_native(struct sl_scope *scope, TF_Output input, TF_Output filter, struct sl_depthwise_conv2d_native_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&filter, -1}};
    const struct sl_attr_given attrs_[] = {{"strides", SL_GIVEN_INTS_NEEDED, &attrs.strides}, {"padding", SL_GIVEN_STRING, &attrs.padding}, {"explicit_paddings", SL_GIVEN_INTS, &attrs.explicit_paddings}, {"data_format", SL_GIVEN_STRING, &attrs.data_format}, {"dilations", SL_GIVEN_INTS, &attrs.dilations}};
    return sl_op_first(sl_op(scope, "DepthwiseConv2dNative", inputs_, 2, attrs_, 5));
}

struct sl_depthwise_conv2d_native_backprop_filter_attrs {
    struct sl_ints strides; /* must be given */
    const char *padding; /* must be given */
    struct sl_ints explicit_paddings; /* [] */
    const char *data_format; /* 'NHWC' */
    struct sl_ints dilations; /* [1, 1, 1, 1] */
};
/* DepthwiseConv2dNativeBackpropFilter: input: T, filter_sizes: int32, out_backprop: T -> output: T */
static inline TF_Output sl_depthwise_conv2d_native_backprop_filter(struct sl_scope *scope, TF_Output input, TF_Output filter_sizes, TF_Output out_backprop, struct sl_depthwise_conv2d_native_backprop_filter_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&filter_sizes, -1}, {&out_backprop, -1}};
    const struct sl_attr_given attrs_[] = {{"strides", SL_GIVEN_INTS_NEEDED, &attrs.strides}, {"padding", SL_GIVEN_STRING, &attrs.padding}, {"explicit_paddings", SL_GIVEN_INTS, &attrs.explicit_paddings}, {"data_format", SL_GIVEN_STRING, &attrs.data_format}, {"dilations", SL_GIVEN_INTS, &attrs.dilations}};
    return sl_op_first(sl_op(scope, "DepthwiseConv2dNativeBackpropFilter", inputs_, 3, attrs_, 5));
}

struct sl_depthwise_conv2d_native_backprop_input_attrs {
    struct sl_ints strides; /* must be given */
    const char *padding; /* must be given */
    struct sl_ints explicit_paddings; /* [] */
    const char *data_format; /* 'NHWC' */
    struct sl_ints dilations; /* [1, 1, 1, 1] */
};
/* DepthwiseConv2dNativeBackpropInput: input_sizes: int32, filter: T, out_backprop: T -> output: T */
static inline TF_Output sl_depthwise_conv2d_native_backprop_input(struct sl_scope *scope, TF_Output input_sizes, TF_Output filter, TF_Output out_backprop, struct sl_depthwise_conv2d_native_backprop_input_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input_sizes, -1}, {&filter, -1}, {&out_backprop, -1}};
    const struct sl_attr_given attrs_[] = {{"strides", SL_GIVEN_INTS_NEEDED, &attrs.strides}, {"padding", SL_GIVEN_STRING, &attrs.padding}, {"explicit_paddings", SL_GIVEN_INTS, &attrs.explicit_paddings}, {"data_format", SL_GIVEN_STRING, &attrs.data_format}, {"dilations", SL_GIVEN_INTS, &attrs.dilations}};
    return sl_op_first(sl_op(scope, "DepthwiseConv2dNativeBackpropInput", inputs_, 3, attrs_, 5));
}

struct sl_dilation2d_attrs {
    struct sl_ints strides; /* must be given */
    struct sl_ints rates; /* must be given */
    const char *padding; /* must be given */
};
/* Dilation2D: input: T, filter: T -> output: T */
static inline TF_Output sl_dilation2d(struct sl_scope *scope, TF_Output input, TF_Output filter, struct sl_dilation2d_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&filter, -1}};
    const struct sl_attr_given attrs_[] = {{"strides", SL_GIVEN_INTS_NEEDED, &attrs.strides}, {"rates", SL_GIVEN_INTS_NEEDED, &attrs.rates}, {"padding", SL_GIVEN_STRING, &attrs.padding}};
    return sl_op_first(sl_op(scope, "Dilation2D", inputs_, 2, attrs_, 3));
}

struct sl_dilation2d_backprop_filter_attrs {
    struct sl_ints strides; /* must be given */
    struct sl_ints rates; /* must be given */
    const char *padding; /* must be given */
};
/* Dilation2DBackpropFilter: input: T, filter: T, out_backprop: T -> filter_backprop: T */
static inline TF_Output sl_dilation2d_backprop_filter(struct sl_scope *scope, TF_Output input, TF_Output filter, TF_Output out_backprop, struct sl_dilation2d_backprop_filter_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&filter, -1}, {&out_backprop, -1}};
    const struct sl_attr_given attrs_[] = {{"strides", SL_GIVEN_INTS_NEEDED, &attrs.strides}, {"rates", SL_GIVEN_INTS_NEEDED, &attrs.rates}, {"padding", SL_GIVEN_STRING, &attrs.padding}};
    return sl_op_first(sl_op(scope, "Dilation2DBackpropFilter", inputs_, 3, attrs_, 3));
}

struct sl_dilation2d_backprop_input_attrs {
    struct sl_ints strides; /* must be given */
    struct sl_ints rates; /* must be given */
    const char *padding; /* must be given */
};
/* Dilation2DBackpropInput: input: T, filter: T, out_backprop: T -> in_backprop: T */
static inline TF_Output sl_dilation2d_backprop_input(struct sl_scope *scope, TF_Output input, TF_Output filter, TF_Output out_backprop, struct sl_dilation2d_backprop_input_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&filter, -1}, {&out_backprop, -1}};
    const struct sl_attr_given attrs_[] = {{"strides", SL_GIVEN_INTS_NEEDED, &attrs.strides}, {"rates", SL_GIVEN_INTS_NEEDED, &attrs.rates}, {"padding", SL_GIVEN_STRING, &attrs.padding}};
    return sl_op_first(sl_op(scope, "Dilation2DBackpropInput", inputs_, 3, attrs_, 3));
}

struct sl_extract_image_patches_attrs {
    struct sl_ints ksizes; /* must be given */
    struct sl_ints strides; /* must be given */
    struct sl_ints rates; /* must be given */
    const char *padding; /* must be given */
};
/* ExtractImagePatches: images: T -> patches: T */
static inline TF_Output sl_extract_image_patches(struct sl_scope *scope, TF_Output images, struct sl_extract_image_patches_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&images, -1}};
    const struct sl_attr_given attrs_[] = {{"ksizes", SL_GIVEN_INTS_NEEDED, &attrs.ksizes}, {"strides", SL_GIVEN_INTS_NEEDED, &attrs.strides}, {"rates", SL_GIVEN_INTS_NEEDED, &attrs.rates}, {"padding", SL_GIVEN_STRING, &attrs.padding}};
    return sl_op_first(sl_op(scope, "ExtractImagePatches", inputs_, 1, attrs_, 4));
}

struct sl_extract_volume_patches_attrs {
    struct sl_ints ksizes; /* must be given */
    struct sl_ints strides; /* must be given */
    const char *padding; /* must be given */
};
/* ExtractVolumePatches: input: T -> patches: T */
static inline TF_Output sl_extract_volume_patches(struct sl_scope *scope, TF_Output input, struct sl_extract_volume_patches_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    const struct sl_attr_given attrs_[] = {{"ksizes", SL_GIVEN_INTS_NEEDED, &attrs.ksizes}, {"strides", SL_GIVEN_INTS_NEEDED, &attrs.strides}, {"padding", SL_GIVEN_STRING, &attrs.padding}};
    return sl_op_first(sl_op(scope, "ExtractVolumePatches", inputs_, 1, attrs_, 3));
}

struct sl_fused_pad_conv2d_attrs {
    const char *mode; /* must be given */
    struct sl_ints strides; /* must be given */
    const char *padding; /* must be given */
};
/* FusedPadConv2D: input: T, paddings: int32, filter: T -> output: T */
static inline TF_Output sl_fused_pad_conv2d(struct sl_scope *scope, TF_Output input, TF_Output paddings, TF_Output filter, struct sl_fused_pad_conv2d_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&paddings, -1}, {&filter, -1}};
    const struct sl_attr_given attrs_[] = {{"mode", SL_GIVEN_STRING, &attrs.mode}, {"strides", SL_GIVEN_INTS_NEEDED, &attrs.strides}, {"padding", SL_GIVEN_STRING, &attrs.padding}};
    return sl_op_first(sl_op(scope, "FusedPadConv2D", inputs_, 3, attrs_, 3));
}

struct sl_fused_resize_and_pad_conv2d_attrs {
    bool resize_align_corners; /* false */
    const char *mode; /* must be given */
    struct sl_ints strides; /* must be given */
    const char *padding; /* must be given */
};
/* FusedResizeAndPadConv2D: input: T, size: int32, paddings: int32, filter: T -> output: T */
static inline TF_Output sl_fused_resize_and_pad_conv2d(struct sl_scope *scope, TF_Output input, TF_Output size, TF_Output paddings, TF_Output filter, struct sl_fused_resize_and_pad_conv2d_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&size, -1}, {&paddings, -1}, {&filter, -1}};
    const struct sl_attr_given attrs_[] = {{"resize_align_corners", SL_GIVEN_BOOL, &attrs.resize_align_corners}, {"mode", SL_GIVEN_STRING, &attrs.mode}, {"strides", SL_GIVEN_INTS_NEEDED, &attrs.strides}, {"padding", SL_GIVEN_STRING, &attrs.padding}};
    return sl_op_first(sl_op(scope, "FusedResizeAndPadConv2D", inputs_, 4, attrs_, 4));
}

#ifdef __cplusplus
}
#endif

#endif
