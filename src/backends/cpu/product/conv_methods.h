/* The ways to do a convolution or one of its gradients: for each of the three a list, of which the first that takes
 * the work does it. A faster way is a row in conv_methods.c; tests run every row that fits and compare it with the
 * last that does. */
#ifndef SL_BACKENDS_CPU_PRODUCT_CONV_METHODS_H
#define SL_BACKENDS_CPU_PRODUCT_CONV_METHODS_H

#include "backends/cpu/product/conv.h"

enum sl_conv_work { SL_CONV_FORWARD, SL_CONV_INPUT_GRAD, SL_CONV_FILTER_GRAD, SL_CONV_WORKS };

/* Images and filter of the forward convolution, or their gradients; which of them is written the work says. */
struct sl_conv_data {
    void *in, *filter, *out;
};

struct sl_conv_method {
    const char *name;
    /* Whether it can do the work at all; NULL: any. */
    bool (*fits)(const struct sl_conv_spec *c);
    /* Whether it is chosen where it fits, by sizes alone; NULL: always. */
    bool (*pays)(const struct sl_conv_spec *c);
    /* All of the work, or none and `*is_done` false (true when called): then the next one is asked.
     * RESOURCE_EXHAUSTED. */
    sl_code (*run)(bool *is_done, struct sl_kernel_context *k, const struct sl_conv_spec *c,
                   const struct sl_conv_data *data);
};

/* The list of a work, in the order in which they are asked; NULL at the end. */
const struct sl_conv_method *const *sl_conv_methods(enum sl_conv_work work);

/* ---- the rows, each beside its code */
extern const struct sl_conv_method sl_conv_forward_by_onednn, sl_conv_input_grad_by_onednn,
    sl_conv_filter_grad_by_onednn;
extern const struct sl_conv_method sl_conv_forward_rounded;
extern const struct sl_conv_method sl_conv_forward_depthwise, sl_conv_input_grad_depthwise,
    sl_conv_filter_grad_depthwise;
extern const struct sl_conv_method sl_conv_forward_by_product, sl_conv_input_grad_by_product,
    sl_conv_filter_grad_by_product;
extern const struct sl_conv_method sl_conv_forward_by_winograd, sl_conv_input_grad_by_winograd,
    sl_conv_filter_grad_by_winograd;
extern const struct sl_conv_method sl_conv_forward_by_taps, sl_conv_input_grad_by_taps;
extern const struct sl_conv_method sl_conv_input_grad_by_lines; /* few channels: conv_few_channels.c */
extern const struct sl_conv_method sl_conv_filter_grad_empty, sl_conv_filter_grad_thinned, sl_conv_filter_grad_framed,
    sl_conv_filter_grad_by_points;

#endif
