/* Around one node of a step whose memory has a limit (tensor/meter.h): what executors do, whichever form they run.
 * Threads: as a kernel's context. */
#ifndef SL_KERNEL_METERED_NODE_H
#define SL_KERNEL_METERED_NODE_H

#include "kernel/kernel.h"
#include "tensor/meter.h"

struct sl_metered_node {
    struct sl_meter_scope scope, *outer;
};

/* What this thread makes from now on is the node's. */
static inline void sl_metered_node_begin(struct sl_metered_node *m, struct sl_meter *meter,
                                         const struct sl_kernel_node *node) {
    m->scope = (struct sl_meter_scope){.meter = meter,
                                       .node = node->name,
                                       .op = node->op ? node->op->name : (struct sl_str){"", 0}};
    m->outer = sl_meter_enter(&m->scope);
}
static inline void sl_metered_node_end(struct sl_metered_node *m) { sl_meter_leave(&m->scope, m->outer); }

/* What a node has made, or its error: strings are counted, and who met the limit says so. */
static inline void sl_metered_node_settle(struct sl_meter *meter, const struct sl_kernel_node *node,
                                          const struct sl_value *outputs, sl_code code, struct sl_error *err) {
    if (code != SL_OK) {
        sl_meter_explain(meter, node->name, err);
        return;
    }
    for (uint32_t o = 0; o < node->n_out; o++)
        if (outputs[o].kind == SL_VALUE_TENSOR) sl_tensor_charge_strings(outputs[o].tensor);
}

#endif
