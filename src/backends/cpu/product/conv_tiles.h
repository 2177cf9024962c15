/* Convolutions of bfloat16 by tile_product.h, channels last, one group; sums are rounded once. Pure functions. */
#ifndef SL_BACKENDS_CPU_PRODUCT_CONV_TILES_H
#define SL_BACKENDS_CPU_PRODUCT_CONV_TILES_H

#include "backends/cpu/product/conv.h"

/* Whether they are the way to do it; of the gradient strides must be 1. No epilogues. */
bool sl_conv_tiles_pay(const struct sl_conv_spec *c);
bool sl_conv_tiles_pay_for_input_grad(const struct sl_conv_spec *c);
/* RESOURCE_EXHAUSTED. */
sl_code sl_conv_forward_by_tiles(struct sl_kernel_context *k, const struct sl_conv_spec *c, const uint16_t *in,
                                 const uint16_t *filter, uint16_t *out);
sl_code sl_conv_input_grad_by_tiles(struct sl_kernel_context *k, const struct sl_conv_spec *c, const uint16_t *filter,
                                    const uint16_t *grad, uint16_t *in);

#endif
