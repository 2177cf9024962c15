/* What the files of the client's side of the eager service share. */
#ifndef SL_DIST_FAR_STATE_H
#define SL_DIST_FAR_STATE_H

#include "base/vec.h"
#include "dist/dist_server.h"
#include "dist/far_cluster.h"
#include "dist/served_context.h"
#include "dist/spread_function.h"
#include "eager/eager_opaque.h"

/* A tensor that its program has dropped. */
struct sl_far_number {
    int64_t op;
    int32_t output;
};

struct sl_far_task {
    bool is_member;              /* it has a context for this one */
    bool has_been_member;        /* so it may be gone when the cluster changes */
    uint64_t incarnation;        /* of who has that context */
    uint64_t view_id;            /* of the cluster, that it has been told of */
    struct sl_str_map functions; /* that it knows: owned names, by themselves */
    SL_VEC(struct sl_far_number) dropped;
    SL_VEC(char *) removed; /* functions */
};

/* Held by its context, and by each far value. */
struct sl_far_cluster {
    struct sl_eager_cluster base;
    atomic_uint references;
    struct sl_eager_context *context;
    struct sl_dist_server *server;
    struct sl_worker *worker;
    struct sl_served_context *own;
    uint64_t id;
    int64_t keep_alive_secs;
    atomic_llong last_op;
    struct sl_cancellation *end; /* with the context */
    struct sl_mutex mutex;       /* guards the rest */
    struct sl_condition quiet;
    uint64_t view_id;
    struct sl_far_task *tasks; /* by number in the cluster */
    int n_tasks;
    bool has_ended;
    struct sl_net_timer timer; /* of signs of life */
    size_t n_beats;            /* under way */
};

struct sl_far_device {
    struct sl_eager_custom_device base;
    struct sl_far_cluster *cluster;
    int task;
    uint64_t incarnation;
};

struct sl_far_value {
    struct sl_eager_opaque base;
    struct sl_far_cluster *cluster; /* a reference */
    int task;
    struct sl_far_number number;
    int rank;
    int64_t dims[SL_MAX_RANK];
};

static inline int64_t sl_far_next_op(struct sl_far_cluster *c) { return atomic_fetch_add(&c->last_op, 1) + 1; }
void sl_far_cluster_unref(struct sl_far_cluster *c);

/* ---- far_cluster.c: messages
 * Calls a task and waits; the message is taken. */
sl_code sl_far_call(struct sl_rpc_body **answer, struct sl_far_cluster *c, int task, const char *path,
                    struct sl_rpc_message *m, struct sl_error *err);
/* Sends a queue, behind what has been dropped since the last one, and waits. `*answer`, in `arena`, has the responses to these
 * items alone. */
sl_code sl_far_enqueue(struct sl_pb_eager_EnqueueResponse *answer, struct sl_far_cluster *c, int task,
                       const struct sl_pb_eager_QueueItem *items, size_t n, struct sl_arena *arena,
                       struct sl_error *err);
/* Makes the functions of these names, and all that they call, known to a task. */
sl_code sl_far_send_functions(struct sl_far_cluster *c, int task, const struct sl_str *names, size_t n,
                              struct sl_arena *arena, struct sl_error *err);

/* ---- far_device.c */
sl_code sl_far_device_add(struct sl_far_cluster *c, const struct sl_device *device, int task, struct sl_error *err);
/* Whether the handle is a far value of this cluster; NULL: it is not. */
struct sl_far_value *sl_far_value_of(const struct sl_far_cluster *c, const struct sl_eager_handle *h);
sl_code sl_far_call_function(bool *is_done, struct sl_eager_handle **outputs, int *n, struct sl_eager_cluster *self,
                             struct sl_eager_op *op, struct sl_error *err);

#endif
