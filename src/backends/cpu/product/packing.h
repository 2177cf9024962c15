/* A matrix or filter in the order in which tiles read it, or what else is made of a node's constant inputs, kept from run to
 * run. Thread-safe. */
#ifndef SL_BACKENDS_CPU_PRODUCT_PACKING_H
#define SL_BACKENDS_CPU_PRODUCT_PACKING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "os/mutex.h"

struct sl_kernel_context;

/* What is packed for one purpose serves no other. */
enum sl_packing_use {
    SL_PACKING_PRODUCT,
    SL_PACKING_TAPS,
    SL_PACKING_WINOGRAD,
    SL_PACKING_TILES,
    SL_PACKING_BF16,
    SL_PACKING_BYTES,
    SL_PACKING_VECTORS
};

/* Part of a kernel's state, one for each constant input. */
struct sl_packing {
    struct sl_mutex mutex;
    enum sl_packing_use use;
    void *data; /* owned; NULL: nothing is packed yet */
    size_t bytes;
};
void sl_packing_init(struct sl_packing *p);
void sl_packing_clear(struct sl_packing *p);
/* Whether so much would be kept; `p` may be NULL. */
bool sl_packing_keeps(const struct sl_packing *p, size_t bytes);
/* What was put there for this use and of this size; NULL: pack it and put it. `p` may be NULL. */
void *sl_packing_get(struct sl_packing *p, enum sl_packing_use use, size_t bytes);
/* Keeps `data`, a scratch block, or frees it when it has no use, as when `k` (may be NULL) was cancelled and may not have
 * packed it all: afterwards it is not the caller's. */
void sl_packing_put(struct sl_packing *p, const struct sl_kernel_context *k, enum sl_packing_use use, void *data,
                    size_t bytes);

#endif
