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
/* The same on the net's own thread (sl_net_run_here), for small messages: what is asked there takes a few microseconds, or
 * goes on elsewhere. False: it has to be spawned. */
bool sl_service_run_here(struct sl_worker *worker, void (*handle)(void *service, struct sl_rpc_call *call),
                         void *service, struct sl_rpc_call *call);

/* How long a program has held its thread so far. Zeroed: it has not run. */
struct sl_lightness {
    atomic_int score;
};
void sl_lightness_note(struct sl_lightness *l, int64_t ns);
/* It takes less than waking a thread would: mostly, and the last times. */
static inline bool sl_is_light(const struct sl_lightness *l) {
    return atomic_load_explicit(&l->score, memory_order_relaxed) > 1;
}

#endif
