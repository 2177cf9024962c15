/* Graph optimisers that others have registered: what the pipeline asks of them. They see a graph as a message, so
 * nothing of theirs is trusted: what comes back is read as any client's graph is. */
#ifndef SL_RUNTIME_GRAPH_PLUGINS_H
#define SL_RUNTIME_GRAPH_PLUGINS_H

#include "runtime/pipeline.h"

/* The names that an optimiser is told. */
struct sl_graph_item {
    const struct sl_str *keep, *fetches;
    size_t n_keep, n_fetches;
};

/* Functions of the composition root's. Thread-safe. */
struct sl_graph_plugins {
    /* Whether there are optimisers for these devices, and what of the library's own passes they switch off: enum
     * sl_toggle. */
    bool (*serve)(unsigned *switched_off, const struct sl_device_set *devices);
    /* A GraphDef for a GraphDef, from sl_malloc; `out->p` NULL: the graph stays as it is. */
    sl_code (*rewrite)(struct sl_str *out, struct sl_str graph, const struct sl_graph_item *item,
                       const struct sl_device_set *devices, struct sl_error *err);
    /* Says why what an optimiser made is not used. */
    void (*warn)(const char *text);
};

/* Gives the part another graph when an optimiser has one: the same arguments, results and targets. */
sl_code sl_part_rewrite(struct sl_part *part, struct sl_runtime *runtime, struct sl_error *err);
/* The same for the body of a function: its nodes are those of the other graph then. */
sl_code sl_body_rewrite(struct sl_body *body, int device, struct sl_runtime *runtime, struct sl_error *err);
/* The runtime's toggles, less those that optimisers switch off. */
unsigned sl_runtime_toggles(const struct sl_runtime *runtime);

#endif
