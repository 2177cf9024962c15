/* Images as kernels compute them: channels last, in float where they are half or bfloat16. Others are themselves,
 * and cost nothing. One owner; zeroed ones may be freed. */
#ifndef SL_BACKENDS_CPU_PRODUCT_CHANNELS_LAST_H
#define SL_BACKENDS_CPU_PRODUCT_CHANNELS_LAST_H

#include "backends/cpu/product/window.h"
#include "backends/cpu/wide.h"

struct sl_channels_last {
    struct sl_wide wide;
    void *data; /* of type wide.dtype */
    size_t scratch;
};

/* The elements of an image of the window's format. RESOURCE_EXHAUSTED. */
sl_code sl_channels_last_in(struct sl_channels_last *c, struct sl_kernel_context *k, const struct sl_window *w,
                            struct sl_view v);
/* Room for them, and what brings them to `v`. */
sl_code sl_channels_last_out(struct sl_channels_last *c, struct sl_kernel_context *k, const struct sl_window *w,
                             struct sl_view v);
void sl_channels_last_store(const struct sl_channels_last *c, struct sl_kernel_context *k, const struct sl_window *w,
                            struct sl_view v);
void sl_channels_last_free(struct sl_channels_last *c);

#endif
