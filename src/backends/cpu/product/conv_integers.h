/* Convolutions of int32 images, channels last: as conv.h says, sums wrap. Pure functions. */
#ifndef SL_BACKENDS_CPU_PRODUCT_CONV_INTEGERS_H
#define SL_BACKENDS_CPU_PRODUCT_CONV_INTEGERS_H

#include "backends/cpu/product/conv.h"

void sl_conv_integers(struct sl_kernel_context *k, const struct sl_conv_spec *c, const int32_t *in,
                      const int32_t *filter, int32_t *out);
void sl_conv_integers_input_grad(struct sl_kernel_context *k, const struct sl_conv_spec *c, const int32_t *filter,
                                 const int32_t *grad, int32_t *in);

#endif
