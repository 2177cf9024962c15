/* The graphs of functions as they are compiled, kept for somebody who asked: as RunMetadata, which has for each function
 * its body, the same optimised, and what it was cut into. What was compiled before nobody sees. Thread-safe. */
#ifndef SL_RUNTIME_FUNCTION_GRAPHS_H
#define SL_RUNTIME_FUNCTION_GRAPHS_H

#include <stdatomic.h>

#include "base/vec.h"
#include "os/mutex.h"
#include "passes/partition.h"

struct sl_function_graphs {
    atomic_bool is_on;
    struct sl_mutex mutex;
    SL_VEC(char) bytes; /* of RunMetadata, one message behind another, which is one message */
};
void sl_function_graphs_init(struct sl_function_graphs *graphs);
void sl_function_graphs_clear(struct sl_function_graphs *graphs);
/* Off: what was kept goes. */
void sl_function_graphs_switch(struct sl_function_graphs *graphs, bool is_on);
/* Hands over what was kept since the last time: bytes from sl_malloc. */
sl_code sl_function_graphs_take(struct sl_str *out, struct sl_function_graphs *graphs, struct sl_error *err);

/* ---- of one function, on its way through the pipeline. NULL: nobody asked, and nothing happens. */
struct sl_graph_history;
/* `*out` is NULL when nobody asks. */
sl_code sl_graph_history_begin(struct sl_graph_history **out, struct sl_function_graphs *graphs, struct sl_graph *body,
                               struct sl_error *err);
sl_code sl_graph_history_optimised(struct sl_graph_history *h, struct sl_graph *graph, struct sl_error *err);
/* `pieces` may be none: then it is `graph` itself. */
sl_code sl_graph_history_cut(struct sl_graph_history *h, const struct sl_partitions *pieces, struct sl_graph *graph,
                             struct sl_error *err);
/* Keeps it, when all went well. */
sl_code sl_graph_history_end(struct sl_graph_history *h, sl_code code, struct sl_error *err);

#endif
