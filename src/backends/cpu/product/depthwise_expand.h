/* A 1 x 1 convolution and the depthwise one behind it, float, channels last, as one node
 * (passes/optimise/fuse_expand.c): what is between them, in mobile nets the largest images, is made some lines at a
 * time and read while it is in the cache. Results are the bits of the two one after the other, for every number of
 * threads.
 *
 * The node is a _FusedDepthwiseConv2dNative with the attr "_expand_args": that many of its last inputs belong to the
 * 1 x 1 convolution, its filter first; "_expand_fused_ops", "_expand_epsilon" and "_expand_leakyrelu_alpha" are what
 * _FusedConv2D has without "_expand". */
#ifndef SL_BACKENDS_CPU_PRODUCT_DEPTHWISE_EXPAND_H
#define SL_BACKENDS_CPU_PRODUCT_DEPTHWISE_EXPAND_H

#include "backends/cpu/product/conv.h"
#include "backends/cpu/product/fused_ops.h"

/* What attrs say, part of a kernel's state. `packing` and `kept` alone change after sl_expand_init. */
struct sl_expand {
    int args; /* inputs; 0: there is nothing of it */
    struct sl_fused_ops fused;
    bool has_constant_filter;
    struct sl_packing packing;
    struct sl_fused_kept kept;
};
/* To be cleared also when it fails. INVALID_ARGUMENT, UNIMPLEMENTED. */
sl_code sl_expand_init(struct sl_expand *e, struct sl_kernel_setup *setup);
void sl_expand_clear(struct sl_expand *e);

/* The first convolution, of images `in`; its filter is input `first`. INVALID_ARGUMENT. */
sl_code sl_expand_plan(struct sl_conv_spec *c, struct sl_kernel_context *k, struct sl_shape in, int first);

struct sl_expand_data {
    const void *in, *filter, *depthwise_filter;
    void *out;
};
/* Both, each with its epilogue; the second takes what the first makes, and has a result for each of its channels.
 * RESOURCE_EXHAUSTED. */
sl_code sl_expand_run(struct sl_kernel_context *k, const struct sl_conv_spec *first, const struct sl_conv_spec *second,
                      const struct sl_expand_data *data);

#endif
