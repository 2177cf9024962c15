/* What the services share: how a call is read and answered. */
#ifndef SL_DIST_SERVICE_CALL_H
#define SL_DIST_SERVICE_CALL_H

#include "base/arena.h"
#include "dist/tensor_wire.h"
#include "dist/worker.h"

/* Decodes the message of a call, or fails the call. */
bool sl_service_decode(void *message, const struct sl_pb_message *type, struct sl_rpc_call *call,
                       struct sl_arena *arena);
/* Answers with a message. */
void sl_service_answer(struct sl_rpc_call *call, const struct sl_pb_message *type, const void *message);
/* Answers with a message that was written (code SL_OK) or fails; takes the message. */
void sl_service_end(struct sl_rpc_call *call, struct sl_rpc_message *m, sl_code code, const struct sl_error *err);
/* An empty answer, or a failure. */
void sl_service_close(struct sl_rpc_call *call, sl_code code, const struct sl_error *err);
/* Calls `handle(service, call)` where it may compute; a step, or what makes one, where steps queue. */
void sl_service_spawn(struct sl_worker *worker, void (*handle)(void *service, struct sl_rpc_call *call), void *service,
                      struct sl_rpc_call *call);
void sl_service_spawn_step(struct sl_worker *worker, void (*handle)(void *service, struct sl_rpc_call *call),
                           void *service, struct sl_rpc_call *call);

#endif
