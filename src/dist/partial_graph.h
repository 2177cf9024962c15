/* Graphs that run bit by bit: the first message of a step begins the run, each gives and takes values, and the last one
 * waits for the end. Thread-safe. */
#ifndef SL_DIST_PARTIAL_GRAPH_H
#define SL_DIST_PARTIAL_GRAPH_H

#include "dist/worker_service.h"

struct sl_partial_message {
    struct sl_worker_graph *graph;
    uint64_t step_id;
    struct sl_worker_send *sends;
    size_t n_sends;
    struct sl_worker_receive *receives;
    size_t n_receives;
    bool is_last;
};

/* On a thread that may wait. */
sl_code sl_partial_graph_run(struct sl_worker_service *service, const struct sl_partial_message *message,
                             struct sl_error *err);
/* Cancels those of a step, or all (`step_id` NULL), and waits until they have ended. */
void sl_partial_graphs_end(struct sl_worker_service *service, const uint64_t *step_id);

#endif
