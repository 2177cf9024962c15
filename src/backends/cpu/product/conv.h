/* Convolutions of float and double images, channels last, and their gradients. Pure functions; conv_methods.h lists
 * the ways in which they are done. */
#ifndef SL_BACKENDS_CPU_PRODUCT_CONV_H
#define SL_BACKENDS_CPU_PRODUCT_CONV_H

#include "backends/cpu/product/epilogue.h"
#include "backends/cpu/product/packing.h"
#include "backends/cpu/product/window.h"

/* in [batch, space, channels] * filter [size, channels / groups, channels of out] = out; out's channels are `groups`
 * blocks, each from a block of in's. */
struct sl_conv_spec {
    bool is_double;
    bool rounds; /* the forward convolution may round its factors to bfloat16 (fpmath.h) */
    int64_t groups;
    struct sl_image in, out;
    int64_t size[SL_SPACE], stride[SL_SPACE], dilation[SL_SPACE], before[SL_SPACE];
    const struct sl_epilogue *epilogue; /* of the forward convolution; NULL: none */
    struct sl_packing *packing;         /* of its filter, where that is a constant; NULL: packed anew */
    struct sl_onednn_plans *onednn;     /* what oneDNN has prepared for the node; NULL: not by oneDNN */
};

/* Whether each pixel of out comes from one of in: 1 x 1, no padding before, one group. */
bool sl_conv_has_one_tap(const struct sl_conv_spec *c);

/* Whether each channel of in is a group: the filter lies in memory as one of depthwise.h, which does it. */
bool sl_conv_is_depthwise(const struct sl_conv_spec *c);

/* All fail with RESOURCE_EXHAUSTED alone. */
sl_code sl_conv_forward(struct sl_kernel_context *k, const struct sl_conv_spec *c, const void *in, const void *filter,
                        void *out);
sl_code sl_conv_input_grad(struct sl_kernel_context *k, const struct sl_conv_spec *c, const void *filter,
                           const void *grad, void *in);
sl_code sl_conv_filter_grad(struct sl_kernel_context *k, const struct sl_conv_spec *c, const void *in, const void *grad,
                            void *filter);

/* Where TensorFlow rounds sums to half or bfloat16 after each product: few products, which then come out equal to
 * the last bit. More of them are summed in float, where that would cost time and exactness. Images and filter in
 * float; the filter's elements are ones of `dtype`. */
bool sl_conv_filter_grad_is_rounded(const struct sl_conv_spec *c, int dtype);
void sl_conv_filter_grad_rounded(struct sl_kernel_context *k, const struct sl_conv_spec *c, int dtype, bool is_3d,
                                 const float *in, const float *grad, float *filter);

#endif
