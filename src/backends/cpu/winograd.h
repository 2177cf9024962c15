/* Convolutions of float images with 3 x 3 taps by Winograd's method: a quarter of the products, for more additions and a filter four times
 * as large. Results differ from sums of all products by some units in the last place of the largest. Used by conv.c alone. */
#ifndef SL_BACKENDS_CPU_WINOGRAD_H
#define SL_BACKENDS_CPU_WINOGRAD_H

#include "backends/cpu/conv.h"

/* Whether it is faster than taps, for the convolution or its gradient by the input; sizes alone decide. */
bool sl_winograd_pays(const struct sl_conv *c, bool is_input_grad);
/* `from` to `to`: in to out, or out's gradient to in's. False where it could not be done and taps shall: some result is not finite, which
 * would spread to its neighbours, or memory is out. */
bool sl_winograd_run(struct sl_kernel_context *k, const struct sl_conv *c, bool is_input_grad, const void *from,
                     const void *filter, void *to);

#endif
