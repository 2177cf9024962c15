/* Convolutions of float images with 3 x 3 taps by Winograd's method: a quarter of the products, for more additions
 * and a filter four times as large. Results differ from sums of all products by some units in the last place of the
 * largest. Rows of conv_methods.h. */
#ifndef SL_BACKENDS_CPU_PRODUCT_WINOGRAD_H
#define SL_BACKENDS_CPU_PRODUCT_WINOGRAD_H

#include "backends/cpu/product/conv.h"

/* Whether it is faster than taps, for the convolution or its gradient by the input; sizes alone decide. */
bool sl_winograd_pays(const struct sl_conv_spec *c, bool is_input_grad);
/* `from` to `to`: in to out, or out's gradient to in's. False where it could not be done and taps shall: some result
 * is not finite, which would spread to its neighbours, or memory is out. */
bool sl_winograd_run(struct sl_kernel_context *k, const struct sl_conv_spec *c, bool is_input_grad, const void *from,
                     const void *filter, void *to);

/* The same for the gradient by the filter. */
bool sl_winograd_filter_pays(const struct sl_conv_spec *c);
bool sl_winograd_filter_grad(struct sl_kernel_context *k, const struct sl_conv_spec *c, const float *in,
                             const float *grad, float *filter);

/* 3 x 3 taps of floats, neither strides nor dilations nor groups, numbers of channels that loops can take. */
bool sl_winograd_fits(const struct sl_conv_spec *c);
/* Products take so long on one thread. */
double sl_winograd_products_ns(int64_t m, int64_t n, int64_t k);
/* Points of one channel of `n` tiles, to make and to use them. */
double sl_winograd_points_ns(int64_t n);
/* Pointers to side x side pixels of an image from (y, x) on; those outside are `zeros`. `which`: images and planes
 * in order. */
void sl_winograd_pixels(const float **pixels, const struct sl_image *image, const float *data, int64_t which, int64_t y,
                        int64_t x, int64_t side, const float *zeros);

#endif
