/* The gradient of a convolution by an input of few channels. Used by conv.c alone. */
#ifndef SL_BACKENDS_CPU_PRODUCT_CONV_FEW_CHANNELS_H
#define SL_BACKENDS_CPU_PRODUCT_CONV_FEW_CHANNELS_H

#include "backends/cpu/product/conv.h"

bool sl_conv_has_few_channels(const struct sl_conv *c);
/* As sl_conv_input_grad, for such ones. */
sl_code sl_conv_few_channels_grad(struct sl_kernel_context *k, const struct sl_conv *c, const void *filter,
                                  const void *grad, void *in);

#endif
