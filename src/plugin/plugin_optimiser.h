/* Graph optimisers of plug-ins: registered once, kept for ever. Thread-safe. */
#ifndef SL_PLUGIN_PLUGIN_OPTIMISER_H
#define SL_PLUGIN_PLUGIN_OPTIMISER_H

#include "base/str.h"
#include "runtime/graph_plugins.h"

/* What an optimiser may ask of. Lives while the optimiser runs; borrows everything. */
struct TF_GrapplerItem {
    struct sl_str graph; /* GraphDef */
    const struct sl_graph_item *names;
};

/* Calls a library's TF_InitGraph and adds the optimiser that it describes. FAILED_PRECONDITION for a description that
 * lacks something, ALREADY_EXISTS when there is one for that type of device. */
sl_code sl_plugin_init_graph(void *function, struct sl_error *err);

/* For the registries of the composition root. */
extern const struct sl_graph_plugins sl_plugin_optimisers;

#endif
