/* The ops, kernels, kernel instances and device types of a process: made once, by the composition root, and shared by
 * all runtimes and graphs, which they outlive. What they point to locks itself where it grows (plug-ins add rows); the
 * struct is constant but for the types of devices, which plug-ins add to. */
#ifndef SL_RUNTIME_REGISTRIES_H
#define SL_RUNTIME_REGISTRIES_H

#include <stdatomic.h>

#include "graph/graph.h"
#include "kernel/instance_cache.h"

struct sl_graph_plugins;

struct sl_registries {
    struct sl_op_registry *ops;
    struct sl_kernel_table *kernels;
    struct sl_kernel_cache *instances;                              /* of those kernels, shared by all runtimes */
    const struct sl_device_type *device_types[SL_DEVICE_TYPES_MAX]; /* the host's first */
    atomic_int n_device_types;                                      /* plug-ins add to them */
    const struct sl_kernel_def *call_by_name; /* for nodes whose op is a function of the library; may be NULL */
    /* The body of the gradient of a function, for SymbolicGradient; may be NULL. As sl_function_gradient. */
    sl_code (*function_gradient)(struct sl_body *out, const struct sl_function_def *f, const struct sl_attrs *attrs,
                                 const struct sl_graph *library, struct sl_error *err);
    const struct sl_graph_plugins *graph_plugins; /* optimisers that others have registered; may be NULL */
};

#endif
