/* Windows that move over space, for convolutions and pools: attrs, sizes, padding. Space has three dims here; of an
 * op with two, the first is 1 everywhere. */
#ifndef SL_BACKENDS_CPU_PRODUCT_WINDOW_H
#define SL_BACKENDS_CPU_PRODUCT_WINDOW_H

#include "kernel/kernel.h"

enum { SL_SPACE = 3 };
enum sl_window_padding { SL_PAD_VALID, SL_PAD_SAME, SL_PAD_EXPLICIT };

/* What a node's attrs say. Immutable after sl_window_read. */
struct sl_window {
    int n; /* spatial dims of the op */
    bool channels_first;
    enum sl_window_padding padding;
    int64_t size[SL_SPACE], stride[SL_SPACE], dilation[SL_SPACE]; /* size: of a pool */
    int64_t before[SL_SPACE], after[SL_SPACE];                    /* explicit padding */
    /* what stands there for the batch and the channels */
    int64_t batch_size, batch_stride, batch_dilation, channel_size, channel_stride, channel_dilation;
};

/* Reads data_format, padding, explicit_paddings, ksize, strides, dilations (or rates), as far as the op has them;
 * checks padding and how many values there are. INVALID_ARGUMENT. */
sl_code sl_window_read(struct sl_window *w, struct sl_kernel_setup *setup, int n);
/* Takes a list of n + 2 values apart; fails unless there are as many. */
sl_code sl_window_list(int64_t space[SL_SPACE], int64_t *batch, int64_t *channel, const struct sl_window *w,
                       const int64_t *values, int count, const char *what, struct sl_error *err);
/* Sizes, strides and dilations over space must be positive. INVALID_ARGUMENT. */
sl_code sl_window_check(const struct sl_window *w, struct sl_error *err);

/* A tensor of batch, space and channels. */
struct sl_image {
    int64_t batch, space[SL_SPACE], channels;
};
/* The image that a shape of n + 2 dims means. */
struct sl_image sl_image_of(const struct sl_window *w, const int64_t *dims);
/* Its dims, in the order of the op's format; `dims` has room for 5. */
struct sl_shape sl_image_shape(int64_t dims[SL_SPACE + 2], const struct sl_window *w, const struct sl_image *image);
static inline int64_t sl_image_points(const struct sl_image *i) { return i->space[0] * i->space[1] * i->space[2]; }

/* How many windows of `size` fit along each dim, and the padding before the first. INVALID_ARGUMENT. */
sl_code sl_window_fit(int64_t out[SL_SPACE], int64_t before[SL_SPACE], const struct sl_window *w,
                      const int64_t in[SL_SPACE], const int64_t size[SL_SPACE], struct sl_error *err);

#endif
