/* Which types of device have kernels for a group of nodes, and which gain by it. Internal to placement, and used
 * only where there are devices other than the host's; one owner. */
#ifndef SL_PASSES_SERVING_H
#define SL_PASSES_SERVING_H

#include "passes/colocate.h"

enum sl_serves {
    SL_SERVES_NOT,  /* some node of the group has no kernel there */
    SL_SERVES,      /* every node has one, but none gains by being there */
    SL_SERVES_BEST, /* every node has one, and some node computes there or passes on what is computed there */
};

struct sl_serving {
    int *type_of_device; /* NULL: all devices are the host's, and serve whatever comes */
    int n_types;
    uint8_t *serves; /* enum sl_serves, by the first node of a group * n_types + type */
};

sl_code sl_serving_make(struct sl_serving *out, struct sl_groups *groups, const struct sl_place_options *options,
                        struct sl_arena *scratch, struct sl_error *err);
enum sl_serves sl_serves(const struct sl_serving *serving, uint32_t group, int device);

#endif
