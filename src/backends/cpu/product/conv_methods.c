/* Which ways there are, in which order they are asked. Called by the kernels of convolutions. */
#include "backends/cpu/product/conv_methods.h"

static const struct sl_conv_method *const lists[SL_CONV_WORKS][9] = {
    [SL_CONV_FORWARD] = {&sl_conv_forward_rounded, &sl_conv_forward_by_onednn, &sl_conv_forward_depthwise,
                         &sl_conv_forward_by_product, &sl_conv_forward_by_winograd, &sl_conv_forward_by_taps},
    [SL_CONV_INPUT_GRAD] = {&sl_conv_input_grad_by_onednn, &sl_conv_input_grad_depthwise,
                            &sl_conv_input_grad_by_product, &sl_conv_input_grad_by_lines,
                            &sl_conv_input_grad_by_winograd, &sl_conv_input_grad_by_taps},
    [SL_CONV_FILTER_GRAD] = {&sl_conv_filter_grad_by_onednn, &sl_conv_filter_grad_framed,
                             &sl_conv_filter_grad_depthwise, &sl_conv_filter_grad_empty, &sl_conv_filter_grad_thinned,
                             &sl_conv_filter_grad_by_product, &sl_conv_filter_grad_by_winograd,
                             &sl_conv_filter_grad_by_points},
};

const struct sl_conv_method *const *sl_conv_methods(enum sl_conv_work work) { return lists[work]; }

static sl_code run(struct sl_kernel_context *k, const struct sl_conv_spec *c, enum sl_conv_work work,
                   const struct sl_conv_data *data) {
    for (const struct sl_conv_method *const *m = lists[work]; *m; m++) {
        bool is_done = true;
        if (((*m)->fits && !(*m)->fits(c)) || ((*m)->pays && !(*m)->pays(c))) continue;
        SL_TRY((*m)->run(&is_done, k, c, data));
        if (is_done) break;
    }
    return SL_OK;
}

/* What is read is given as something that may be written: which of the three is, the work says. */
#define UNSAFE(p) ((void *)(uintptr_t)(p))

sl_code sl_conv_forward(struct sl_kernel_context *k, const struct sl_conv_spec *c, const void *in, const void *filter,
                        void *out) {
    return run(k, c, SL_CONV_FORWARD, &(struct sl_conv_data){UNSAFE(in), UNSAFE(filter), out});
}

sl_code sl_conv_input_grad(struct sl_kernel_context *k, const struct sl_conv_spec *c, const void *filter,
                           const void *grad, void *in) {
    return run(k, c, SL_CONV_INPUT_GRAD, &(struct sl_conv_data){in, UNSAFE(filter), UNSAFE(grad)});
}

sl_code sl_conv_filter_grad(struct sl_kernel_context *k, const struct sl_conv_spec *c, const void *in, const void *grad,
                            void *filter) {
    return run(k, c, SL_CONV_FILTER_GRAD, &(struct sl_conv_data){UNSAFE(in), filter, UNSAFE(grad)});
}
