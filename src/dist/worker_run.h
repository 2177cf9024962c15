/* RunGraph: one message is one run of a graph, or one of several that feed and fetch a run bit by bit. */
#ifndef SL_DIST_WORKER_RUN_H
#define SL_DIST_WORKER_RUN_H

#include "dist/worker_service.h"

/* On a thread that may compute. */
void sl_worker_run_graph(void *service, struct sl_rpc_call *call);
/* On a thread of the net: what is not light goes on elsewhere. */
void sl_worker_run_graph_here(void *service, struct sl_rpc_call *call);

#endif
