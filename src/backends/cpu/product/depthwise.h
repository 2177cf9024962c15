/* Convolutions of each channel by itself, channels last, and their gradients: out's channels are as many as in's, or
 * `multiplier` times as many, those of one input channel side by side. A filter is [size, channels, multiplier].
 * Pure functions. */
#ifndef SL_BACKENDS_CPU_PRODUCT_DEPTHWISE_H
#define SL_BACKENDS_CPU_PRODUCT_DEPTHWISE_H

#include "backends/cpu/product/conv.h"

/* `c`'s groups do not count. All fail with RESOURCE_EXHAUSTED alone. */
sl_code sl_depthwise_forward(struct sl_kernel_context *k, const struct sl_conv_spec *c, const void *in,
                             const void *filter, void *out);
/* Lines [begin, end) of the images of `out`, one after the other, with a result for each channel, on this thread.
 * `in` is where the first line of the first image would be: only lines that are seen are read. */
sl_code sl_depthwise_lines(struct sl_kernel_context *k, const struct sl_conv_spec *c, const void *in,
                           const void *filter, void *out, int64_t begin, int64_t end);
sl_code sl_depthwise_input_grad(struct sl_kernel_context *k, const struct sl_conv_spec *c, const void *filter,
                                const void *grad, void *in);
sl_code sl_depthwise_filter_grad(struct sl_kernel_context *k, const struct sl_conv_spec *c, const void *in,
                                 const void *grad, void *filter);

#endif
