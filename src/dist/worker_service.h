/* tensorflow.WorkerService: messages of masters and of other workers to and from the operations of a worker. */
#ifndef SL_DIST_WORKER_SERVICE_H
#define SL_DIST_WORKER_SERVICE_H

#include "dist/step_log.h"

struct sl_collectives;

struct sl_worker_service {
    struct sl_worker *worker;
    struct sl_collectives *collectives; /* NULL: there are no other tasks. Borrowed; set before calls come */
    struct sl_seen_ids seen;            /* requests to run graphs */
    struct sl_step_log log;
    struct sl_mutex mutex;            /* guards the next */
    struct sl_partial_graph *partial; /* graphs that run bit by bit */
};

void sl_worker_service_init(struct sl_worker_service *service, struct sl_worker *worker);
/* Ends partial runs; its calls have ended. */
void sl_worker_service_clear(struct sl_worker_service *service);
/* For sl_rpc_service; to the one without path. The argument is the struct. */
extern const struct sl_rpc_method sl_worker_methods[];

/* The devices of a set as messages, in `arena`. */
sl_code sl_devices_to_proto(struct sl_pb_array_DeviceAttributes *out, const struct sl_device_set *devices, int first,
                            int n, struct sl_arena *arena, struct sl_error *err);

#endif
