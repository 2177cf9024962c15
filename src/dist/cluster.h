/* The tasks of a cluster, and how each is reached. Immutable but for the channels, which are dialled when they are
 * first asked for. Thread-safe. */
#ifndef SL_DIST_CLUSTER_H
#define SL_DIST_CLUSTER_H

#include "device/device_name.h"
#include "net/rpc.h"
#include "os/mutex.h"
#include "proto/wire.h"

enum { SL_CLUSTER_LANES = 3 }; /* connections to one task */

struct sl_cluster_task {
    struct sl_device_name parsed;
    char *name;    /* "/job:worker/replica:0/task:0" */
    char *address; /* "" of a task that only has to be known by name */
};

/* The tasks, by job in the order of the definition, then by number. Immutable; shared by clusters that are the same as other
 * tasks of this process see them. */
struct sl_cluster_table {
    atomic_uint refs;
    int n;
    struct sl_cluster_task *tasks;
};

struct sl_cluster_lanes {
    struct sl_rpc_channel *channels[SL_CLUSTER_LANES]; /* the first for calls, the others for values */
};

struct sl_task_watch;

struct sl_cluster {
    struct sl_net *net;
    struct sl_task_watch *watch; /* of calls to its tasks; borrowed, set before there are any; NULL: there is none */
    int64_t bound_ms; /* of that watch, and of those of clusters that sessions bring; see sl_task_watch_new */
    const struct sl_rpc_tls *tls;        /* of calls to tasks; borrowed, set as the watch is; NULL: without */
    struct sl_mutex mutex;               /* guards lanes */
    unsigned next_lane;                  /* the same */
    struct sl_cluster_lanes *lanes;      /* by task; memory that nobody touches before it is dialled */
    struct sl_cluster_table *table;      /* a reference */
    const struct sl_cluster_task *tasks; /* of the table */
    int n, own;
};

/* INVALID_ARGUMENT when the task is not in the cluster, or names or numbers make no sense. The net outlives it. */
sl_code sl_cluster_new(struct sl_cluster **out, struct sl_net *net, const struct sl_pb_ClusterDef *def,
                       struct sl_str job, int task, struct sl_error *err);
/* The same cluster as another of its tasks sees it, which shares its table. */
sl_code sl_cluster_new_like(struct sl_cluster **out, struct sl_net *net, const struct sl_cluster *like,
                            struct sl_str job, int task, struct sl_error *err);
void sl_cluster_free(struct sl_cluster *cluster); /* its calls have ended; NULL is fine */

/* The task of a device, or of a task's own name; -1: there is none. */
int sl_cluster_find(const struct sl_cluster *cluster, struct sl_str device);
/* For calls, and for values, which may be large: these go by connections of their own, in turns. Borrowed from the
 * cluster. */
sl_code sl_cluster_value_channel(struct sl_rpc_channel **out, struct sl_cluster *cluster, int task,
                                 struct sl_error *err);
sl_code sl_cluster_channel(struct sl_rpc_channel **out, struct sl_cluster *cluster, int task, struct sl_error *err);
static inline const char *sl_cluster_own_name(const struct sl_cluster *cluster) {
    return cluster->tasks[cluster->own].name;
}

#endif
