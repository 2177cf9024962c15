/* Heartbeats: whether a task that somebody waits for is still there. As long as somebody does, it is asked for its status
 * four times within the bound; when it does not answer within the bound, or another process answers in its place, those
 * who wait hear of it. Nobody asks a task that nobody waits for. */
#ifndef SL_DIST_TASK_WATCH_H
#define SL_DIST_TASK_WATCH_H

#include "dist/cluster.h"

enum { SL_HEARTBEAT_MS = 10000 }; /* the bound, unless a server's config says otherwise */

struct sl_task_watcher {
    int task;
    uint64_t incarnation; /* of the task's devices; 0: any */
    /* Once at most, with the watch's lock: it does little, and neither enters nor leaves. */
    void (*gone)(struct sl_task_watcher *watcher, sl_code code, const char *text);
    struct sl_task_watcher *next, **at; /* of the watch */
};

struct sl_task_watch;
/* `bound_ms` 0: the default; below 0: there are no heartbeats, and `*out` is NULL. The cluster outlives it. */
sl_code sl_task_watch_new(struct sl_task_watch **out, struct sl_cluster *cluster, int64_t bound_ms,
                          struct sl_error *err);
/* Calls to the tasks of a cluster that a session brings go as those to the server's own: with its watch, and its TLS. */
sl_code sl_task_watch_brought(struct sl_cluster *cluster, const struct sl_cluster *servers, struct sl_error *err);
/* Nobody waits any more. Not on a thread of the net. NULL is fine, here and below. */
void sl_task_watch_free(struct sl_task_watch *watch);
void sl_task_watch_enter(struct sl_task_watch *watch, struct sl_task_watcher *watcher);
/* After it returns `gone` is not running and will not run. */
void sl_task_watch_leave(struct sl_task_watch *watch, struct sl_task_watcher *watcher);

#endif
