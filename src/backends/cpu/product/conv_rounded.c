/* The gradient of a convolution by a small filter of half or bfloat16, summed as TensorFlow sums it: after each
 * product the sum is rounded to the type. The order is that of the points, of a row, a plane, an image; in three
 * dims the images come innermost. */
#include <string.h>

#include "backends/cpu/product/conv.h"
#include "tensor/float16.h"

struct plan {
    const struct sl_conv_spec *c;
    const float *in, *grad;
    float *filter;
    int64_t in_channels, out_channels; /* of a group */
    bool is_half, images_innermost;
};

static void add_half(float *sums, float x, const float *grads, int64_t n) {
    for (int64_t i = 0; i < n; i++) sums[i] = sl_float_of_half(sl_half_of_float(sums[i] + x * grads[i]));
}
static void add_bfloat16(float *sums, float x, const float *grads, int64_t n) {
    for (int64_t i = 0; i < n; i++) sums[i] = sl_float_of_bfloat16(sl_bfloat16_of_float(sums[i] + x * grads[i]));
}

/* The pixel that the tap joins to a point of the output, or padding: NULL. */
static const float *pixel(const struct plan *p, const int64_t tap[SL_SPACE], int64_t batch, int64_t point) {
    const struct sl_conv_spec *c = p->c;
    int64_t at[SL_SPACE];
    for (int d = SL_SPACE - 1; d >= 0; d--) {
        at[d] = point % c->out.space[d] * c->stride[d] + tap[d] * c->dilation[d] - c->before[d];
        point /= c->out.space[d];
        if (at[d] < 0 || at[d] >= c->in.space[d]) return NULL;
    }
    for (int d = 0; d < SL_SPACE; d++) batch = batch * c->in.space[d] + at[d];
    return p->in + batch * c->in.channels;
}

/* One row of the filter: a tap and one channel of the groups' input. */
static void sum_row(const struct plan *p, int64_t row) {
    const struct sl_conv_spec *c = p->c;
    float *sums = p->filter + row * c->out.channels;
    int64_t channel = row % p->in_channels, rest = row / p->in_channels, tap[SL_SPACE];
    int64_t points = sl_image_points(&c->out);
    for (int d = SL_SPACE - 1; d >= 0; d--) {
        tap[d] = rest % c->size[d];
        rest /= c->size[d];
    }
    memset(sums, 0, (size_t)c->out.channels * sizeof *sums);
    for (int64_t i = 0; i < c->out.batch * points; i++) {
        int64_t batch = p->images_innermost ? i % c->out.batch : i / points;
        int64_t point = p->images_innermost ? i / c->out.batch : i % points;
        const float *x = pixel(p, tap, batch, point), *grads = p->grad + (batch * points + point) * c->out.channels;
        for (int64_t g = 0; g < c->groups; g++) {
            float value = x ? x[g * p->in_channels + channel] : 0;
            int64_t first = g * p->out_channels;
            if (p->is_half) add_half(sums + first, value, grads + first, p->out_channels);
            else add_bfloat16(sums + first, value, grads + first, p->out_channels);
        }
    }
}
static void sum_rows(void *arg, int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; row++) sum_row(arg, row);
}

/* Beyond a million of products their time counts. */
static double products(const struct sl_conv_spec *c) {
    double points = (double)(c->out.batch * sl_image_points(&c->out));
    double taps = (double)(c->size[0] * c->size[1] * c->size[2]);
    return points * taps * (double)(c->in.channels / c->groups) * (double)c->out.channels;
}
bool sl_conv_filter_grad_is_rounded(const struct sl_conv_spec *c, int dtype) {
    return (dtype == SL_HALF || dtype == SL_BFLOAT16) && c->out.batch * sl_image_points(&c->out) <= 256 &&
           products(c) <= 1 << 20;
}

void sl_conv_filter_grad_rounded(struct sl_kernel_context *k, const struct sl_conv_spec *c, int dtype, bool is_3d,
                                 const float *in, const float *grad, float *filter) {
    struct plan p = {.c = c,
                     .in = in,
                     .grad = grad,
                     .filter = filter,
                     .in_channels = c->in.channels / c->groups,
                     .out_channels = c->out.channels / c->groups,
                     .is_half = dtype == SL_HALF,
                     .images_innermost = is_3d};
    int64_t rows = c->size[0] * c->size[1] * c->size[2] * p.in_channels;
    sl_kernel_split(k, rows, products(c) / (double)rows, sum_rows, &p);
}
