/* Convolutions of images that FakeQuant would round to 8 bits, by the constant filters of nets that were trained that
 * way: products of bytes, where the filter's elements are small multiples of a step, too, and the processor has
 * instructions for bytes; else the image is rounded, and the convolution one of float. passes/optimise/fold_fake_quant.c
 * makes such nodes where SLUICE_FPMATH=int8 asks. Thread-safe. */
#ifndef SL_BACKENDS_CPU_PRODUCT_FAKE_QUANT_CONV_H
#define SL_BACKENDS_CPU_PRODUCT_FAKE_QUANT_CONV_H

#include "backends/cpu/product/conv.h"
#include "backends/cpu/quant/fake_quant_loops.h"
#include "kernel/kernel.h"

/* Part of a convolution's state. */
struct sl_fake_quant_conv {
    bool is_there; /* whether the node is such a one; else nothing but `clear` may be called */
    struct sl_fake_quant_grid grid;
    struct sl_mutex mutex;
    bool is_known, is_on_grid; /* of the filter, since the first run */
    int8_t *filter;            /* in steps; owned */
    float *scales;             /* of channels of out: a step of the image times one of the filter; owned */
};

sl_code sl_fake_quant_conv_init(struct sl_fake_quant_conv *f, struct sl_kernel_setup *setup);
void sl_fake_quant_conv_clear(struct sl_fake_quant_conv *f);
/* sl_conv_forward of what is rounded. */
sl_code sl_fake_quant_conv_forward(struct sl_fake_quant_conv *f, struct sl_kernel_context *k,
                                   const struct sl_conv_spec *c, const float *in, const float *filter, float *out);

#endif
