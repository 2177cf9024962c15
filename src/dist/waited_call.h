/* A call that its thread waits for. */
#ifndef SL_DIST_WAITED_CALL_H
#define SL_DIST_WAITED_CALL_H

#include "dist/cluster.h"

/* The message is taken; `*answer` is a reference of the caller's. Ends with CANCELLED when what the thread runs is
 * cancelled (sl_cancellation_of_thread). `deadline_ns`: on the net's clock, 0: none. `waits_for_ready`: for a server that is not there
 * (yet). */
sl_code sl_waited_call(struct sl_rpc_body **answer, struct sl_rpc_channel *channel, const char *path,
                       struct sl_rpc_message *message, int64_t deadline_ns, bool waits_for_ready, struct sl_error *err);
/* The same of a task of a cluster, over one of its channels, as long as it takes: when the cluster's watch says that the task has
 * gone, the call ends with what that says. */
sl_code sl_waited_task_call(struct sl_rpc_body **answer, struct sl_rpc_channel *channel, struct sl_cluster *cluster,
                            int task, const char *path, struct sl_rpc_message *message, struct sl_error *err);

#endif
