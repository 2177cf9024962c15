/* Pools of images, channels last, and their gradients. Pure functions; none fails. */
#ifndef SL_BACKENDS_CPU_POOL_POOLING_H
#define SL_BACKENDS_CPU_POOL_POOLING_H

#include "backends/cpu/pool/pool_loops.h"
#include "backends/cpu/product/window.h"

struct sl_pool_plan {
    const struct sl_pool_loops *loops;
    struct sl_image in, out; /* the same channels */
    int64_t size[SL_SPACE], stride[SL_SPACE], before[SL_SPACE];
};

void sl_pool_max(struct sl_kernel_context *k, const struct sl_pool_plan *p, const void *in, void *out);
/* Also which point of its image each maximum is from, the first of equal ones; -1 for a window without points. `out`
 * and `from` have the elements of the output. An image has less than 2^31 points. */
void sl_pool_max_from(struct sl_kernel_context *k, const struct sl_pool_plan *p, const void *in, void *out,
                      int32_t *from);
/* From which point of its window each element of `top`, shaped as the output, is: the first that is equal; -1: none. */
void sl_pool_match(struct sl_kernel_context *k, const struct sl_pool_plan *p, const void *in, const void *top,
                   int32_t *from);
/* in = for each point the sum of x over the windows whose maximum it is. */
void sl_pool_max_grad(struct sl_kernel_context *k, const struct sl_pool_plan *p, const int32_t *from, const void *x,
                      void *in);
/* Whether each point of the input is in exactly one window, of few points (never for integers). Then the gradient
 * needs no places of maxima: `in` and `out` are shaped as the input, `grad` as the output. */
bool sl_pool_is_tiled(const struct sl_pool_plan *p);
void sl_pool_max_spread(struct sl_kernel_context *k, const struct sl_pool_plan *p, const void *in, const void *grad,
                        void *out);
/* Whether windows are so small that their maxima are found again for each band of the gradient (never for integers):
 * sl_pool_max_grad_of needs no places, either. */
bool sl_pool_is_small(const struct sl_pool_plan *p);
/* to = as sl_pool_max_grad, of the maxima of `in`, which is shaped like it; x is shaped as the output. */
void sl_pool_max_grad_of(struct sl_kernel_context *k, const struct sl_pool_plan *p, const void *in, const void *x,
                         void *to);
/* out = x at the point of the maximum, 0 where there is none; x is shaped as the input. */
void sl_pool_max_pick(struct sl_kernel_context *k, const struct sl_pool_plan *p, const int32_t *from, const void *x,
                      void *out);
/* Whether windows have so few points that loops are given all of them: then `largest` and `mean` are all that they need. */
bool sl_pool_has_few_points(const struct sl_pool_plan *p);
/* The mean over the points of a window that are in the image. */
void sl_pool_mean(struct sl_kernel_context *k, const struct sl_pool_plan *p, const void *in, void *out);
void sl_pool_mean_grad(struct sl_kernel_context *k, const struct sl_pool_plan *p, const void *x, void *in);

#endif
