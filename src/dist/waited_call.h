/* A call that its thread waits for. */
#ifndef SL_DIST_WAITED_CALL_H
#define SL_DIST_WAITED_CALL_H

#include "net/rpc.h"

/* The message is taken; `*answer` is a reference of the caller's. Ends with CANCELLED when what the thread runs is
 * cancelled (sl_cancellation_of_thread). `deadline_ns`: on the net's clock, 0: none. `waits_for_ready`: for a server that is not there
 * (yet). */
sl_code sl_waited_call(struct sl_rpc_body **answer, struct sl_rpc_channel *channel, const char *path,
                       struct sl_rpc_message *message, int64_t deadline_ns, bool waits_for_ready, struct sl_error *err);

#endif
