/* Groups of nodes that go to one device. Internal to placement; one owner. */
#ifndef SL_PASSES_COLOCATE_H
#define SL_PASSES_COLOCATE_H

#include "passes/place.h"

struct sl_groups {
    struct sl_graph *graph;
    bool is_soft;
    uint32_t *parent;               /* union-find, by node id; see sl_group_of */
    struct sl_device_name *request; /* of a group, by its first node; valid when has_request */
    bool *has_request;
    struct sl_arena *scratch;
    struct sl_error *err;
};

/* Reads all requests and joins what belongs together. Everything lives in `scratch`. */
sl_code sl_groups_make(struct sl_groups *out, struct sl_graph *graph, bool is_soft, struct sl_arena *scratch,
                       struct sl_error *err);
/* The node id that stands for the group of a node. */
uint32_t sl_group_of(struct sl_groups *g, uint32_t id);

#endif
