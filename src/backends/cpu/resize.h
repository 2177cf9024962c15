/* Resizing batches of images [batch, height, width, channels] of float: where each element of the result comes from
 * along one axis, and the loops that combine rows. Every method is separable, so an image is resized by two axes.
 * Axes: one owner, read-only once made. sl_resize_run: thread-safe. */
#ifndef SL_BACKENDS_CPU_RESIZE_H
#define SL_BACKENDS_CPU_RESIZE_H

#include "kernel/kernel.h"

enum sl_resize_method { SL_RESIZE_NEAREST, SL_RESIZE_BILINEAR, SL_RESIZE_BICUBIC, SL_RESIZE_AREA };

/* How places of the result map to the image: by their corners, by the centres of the corner pixels, by the centres
 * of all pixels. The last is for gradients of nearest neighbours with both flags: TensorFlow scales as in the
 * second, then shifts by half a pixel. */
enum sl_resize_grid { SL_GRID_CORNERS, SL_GRID_ALIGNED, SL_GRID_CENTRES, SL_GRID_ALIGNED_CENTRES };

/* Element i of the result is made of `count[i]` elements of the image: index[i * width + t] with weight[i * width +
 * t]. Of bilinear ones there are always two, and weight[1] says how far it is from the first to the second. */
struct sl_resize_axis {
    int64_t in, out;
    float scale; /* elements of the image for one of the result */
    int width;   /* room for each element */
    int32_t *count, *index;
    float *weight;
    size_t bytes; /* of the one block that holds all three; `count` is its start */
};

/* Elements of the image for one of the result. */
float sl_resize_scale(int64_t in, int64_t out, enum sl_resize_grid grid);
/* in, out > 0 and below 2^31. RESOURCE_EXHAUSTED, and then there is nothing to free. */
sl_code sl_resize_axis_new(struct sl_resize_axis *axis, enum sl_resize_method method, enum sl_resize_grid grid,
                           int64_t in, int64_t out, struct sl_error *err);
void sl_resize_axis_free(struct sl_resize_axis *axis); /* a zeroed one is fine */

/* to [batch, y->out, x->out, channels] = from [batch, y->in, x->in, channels], both axes made for `method` (not
 * nearest). */
sl_code sl_resize_run(struct sl_kernel_context *k, enum sl_resize_method method, const struct sl_resize_axis *y,
                      const struct sl_resize_axis *x, int64_t batch, int64_t channels, float *to, const float *from);

#endif
