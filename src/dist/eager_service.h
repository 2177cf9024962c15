/* `tensorflow.eager.EagerService`: programs of other processes run ops on this task's devices, one by one. Each program
 * has a context here (served_context.h), by an id that it has drawn. Thread-safe. */
#ifndef SL_DIST_EAGER_SERVICE_H
#define SL_DIST_EAGER_SERVICE_H

#include "dist/worker.h"

enum { SL_SERVED_CONTEXTS_MAX = 1024 }; /* of one server */

struct sl_served_context;

struct sl_eager_service {
    struct sl_worker *worker;
    struct sl_mutex mutex; /* guards what follows */
    struct sl_served_context *contexts;
    size_t n_contexts;
    struct sl_condition quiet; /* calls that have begun have ended */
    size_t n_calls;
    bool ends, has_timer;
    struct sl_net_timer timer; /* looks for contexts that nobody keeps alive */
};

void sl_eager_service_init(struct sl_eager_service *service, struct sl_worker *worker);
/* Closes all contexts. No call comes any more. */
void sl_eager_service_clear(struct sl_eager_service *service);
extern const struct sl_rpc_method sl_eager_methods[]; /* their service is a struct sl_eager_service */

/* A new reference; ABORTED "Unable to find a context_id matching the specified one ...". It counts as a sign of life. */
sl_code sl_eager_service_find(struct sl_served_context **out, struct sl_eager_service *service, uint64_t id,
                              struct sl_error *err);

#endif
