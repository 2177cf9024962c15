/* Connections of a callable: a tensor of its graph that is read in place of another one, which counts as fed then.
 * They are made in the session's graph while a signature is cut, and taken back. */
#ifndef SL_DIST_CALLABLE_CONNECTIONS_H
#define SL_DIST_CALLABLE_CONNECTIONS_H

#include "dist/master_state.h"

struct sl_connections {
    struct sl_graph *graph;
    struct sl_moved_input *moved; /* in the arena; the latest last */
    size_t n;
};
/* With the graph's mutex held. After a failure nothing is changed. INVALID_ARGUMENT, NOT_FOUND with TensorFlow's texts. */
sl_code sl_connections_make(struct sl_connections *out, struct sl_graph *graph, const struct sl_master_signature *of,
                            struct sl_arena *arena, struct sl_error *err);
void sl_connections_undo(struct sl_connections *connections);

#endif
