/* Convolutions of int32, point by point: seldom used, so plain. */
#include "backends/cpu/product/conv_integers.h"

#include <string.h>

struct plan {
    const struct sl_conv_spec *c;
    const uint32_t *from, *filter;
    uint32_t *to;
    int64_t in_channels, out_channels; /* of a group */
};

static void split_point(int64_t i, const struct sl_image *image, int64_t *batch, int64_t at[SL_SPACE]) {
    for (int d = SL_SPACE - 1; d >= 0; d--) {
        at[d] = i % image->space[d];
        i /= image->space[d];
    }
    *batch = i;
}
static int64_t join_point(const struct sl_image *image, int64_t batch, const int64_t at[SL_SPACE]) {
    for (int d = 0; d < SL_SPACE; d++) batch = batch * image->space[d] + at[d];
    return batch;
}
static void split_tap(int64_t tap, const struct sl_conv_spec *c, int64_t at[SL_SPACE]) {
    for (int d = SL_SPACE - 1; d >= 0; d--) {
        at[d] = tap % c->size[d];
        tap /= c->size[d];
    }
}
static int64_t taps_of(const struct sl_conv_spec *c) { return c->size[0] * c->size[1] * c->size[2]; }

static void forward_points(void *arg, int64_t begin, int64_t end) {
    const struct plan *p = arg;
    const struct sl_conv_spec *c = p->c;
    for (int64_t i = begin; i < end; i++) {
        int64_t batch, at[SL_SPACE], tap_at[SL_SPACE], from[SL_SPACE];
        uint32_t *to = p->to + i * c->out.channels;
        split_point(i, &c->out, &batch, at);
        memset(to, 0, (size_t)c->out.channels * sizeof *to);
        for (int64_t tap = 0; tap < taps_of(c); tap++) {
            bool is_in = true;
            split_tap(tap, c, tap_at);
            for (int d = 0; d < SL_SPACE; d++) {
                from[d] = at[d] * c->stride[d] + tap_at[d] * c->dilation[d] - c->before[d];
                is_in = is_in && from[d] >= 0 && from[d] < c->in.space[d];
            }
            if (!is_in) continue;
            const uint32_t *x = p->from + join_point(&c->in, batch, from) * c->in.channels;
            for (int64_t channel = 0; channel < c->in.channels; channel++) {
                int64_t group = channel / p->in_channels, row = tap * p->in_channels + channel % p->in_channels;
                const uint32_t *filter = p->filter + row * c->out.channels + group * p->out_channels;
                for (int64_t o = 0; o < p->out_channels; o++) to[group * p->out_channels + o] += x[channel] * filter[o];
            }
        }
    }
}

static void backward_points(void *arg, int64_t begin, int64_t end) {
    const struct plan *p = arg;
    const struct sl_conv_spec *c = p->c;
    for (int64_t i = begin; i < end; i++) {
        int64_t batch, at[SL_SPACE], tap_at[SL_SPACE], from[SL_SPACE];
        uint32_t *to = p->to + i * c->in.channels;
        split_point(i, &c->in, &batch, at);
        memset(to, 0, (size_t)c->in.channels * sizeof *to);
        for (int64_t tap = 0; tap < taps_of(c); tap++) {
            bool is_in = true;
            split_tap(tap, c, tap_at);
            for (int d = 0; d < SL_SPACE; d++) {
                int64_t distance = at[d] + c->before[d] - tap_at[d] * c->dilation[d];
                from[d] = distance / c->stride[d];
                is_in = is_in && distance >= 0 && distance % c->stride[d] == 0 && from[d] < c->out.space[d];
            }
            if (!is_in) continue;
            const uint32_t *x = p->from + join_point(&c->out, batch, from) * c->out.channels;
            for (int64_t channel = 0; channel < c->in.channels; channel++) {
                int64_t group = channel / p->in_channels, row = tap * p->in_channels + channel % p->in_channels;
                const uint32_t *filter = p->filter + row * c->out.channels + group * p->out_channels;
                for (int64_t o = 0; o < p->out_channels; o++) to[channel] += x[group * p->out_channels + o] * filter[o];
            }
        }
    }
}

static struct plan plan_of(const struct sl_conv_spec *c, const int32_t *from, const int32_t *filter, int32_t *to) {
    return (struct plan){c,
                         (const uint32_t *)from,
                         (const uint32_t *)filter,
                         (uint32_t *)to,
                         c->in.channels / c->groups,
                         c->out.channels / c->groups};
}

void sl_conv_integers(struct sl_kernel_context *k, const struct sl_conv_spec *c, const int32_t *in,
                      const int32_t *filter, int32_t *out) {
    struct plan p = plan_of(c, in, filter, out);
    double ns = (double)taps_of(c) * (double)c->in.channels * (double)p.out_channels;
    sl_kernel_split(k, c->out.batch * sl_image_points(&c->out), ns, forward_points, &p);
}

void sl_conv_integers_input_grad(struct sl_kernel_context *k, const struct sl_conv_spec *c, const int32_t *filter,
                                 const int32_t *grad, int32_t *in) {
    struct plan p = plan_of(c, grad, filter, in);
    double ns = (double)taps_of(c) * (double)c->in.channels * (double)p.out_channels;
    sl_kernel_split(k, c->in.batch * sl_image_points(&c->in), ns, backward_points, &p);
}
