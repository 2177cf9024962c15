/* Calls to several tasks at once, and word when all of them have ended. */
#ifndef SL_DIST_TASK_CALLS_H
#define SL_DIST_TASK_CALLS_H

#include "dist/cluster.h"
#include "dist/task_watch.h"

struct sl_task_calls;

struct sl_task_call {
    struct sl_rpc_request request;
    struct sl_task_calls *all;
    struct sl_rpc_channel *channel; /* while it is under way; guarded, as is the next */
    bool has_ended;
    int task;
    struct sl_task_watcher watcher; /* of calls that do not wait for a task to be there */
    sl_code gone;                   /* why the task has gone, with the text; SL_OK: it has not. Guarded */
    char gone_text[256];
    sl_code code;
    char *text;               /* of a failure; owned, may be NULL */
    struct sl_rpc_body *body; /* of the answer */
};

/* One owner until it is started, then its own until `done` comes. */
struct sl_task_calls {
    struct sl_cluster *cluster;
    struct sl_task_call *calls;
    int n, room;
    struct sl_mutex mutex;
    int left; /* guarded, as is the next */
    bool is_cancelled;
    /* Each answer as it comes, on a thread of the net; may be NULL. */
    void (*one_done)(struct sl_task_calls *calls, struct sl_task_call *call);
    /* Once, on a thread of the net or within start; `calls` is the callee's again. */
    void (*done)(struct sl_task_calls *calls);
    void *arg;
};

sl_code sl_task_calls_init(struct sl_task_calls *calls, struct sl_cluster *cluster, int room, struct sl_error *err);
void sl_task_calls_clear(struct sl_task_calls *calls); /* a zeroed one is fine */
/* Adds a call, of which path and message are given; the message is taken. `deadline_ns` 0: none. */
void sl_task_calls_add(struct sl_task_calls *calls, int task, const char *path, struct sl_rpc_message *message,
                       int64_t deadline_ns, bool waits_for_ready);
void sl_task_calls_start(struct sl_task_calls *calls);
/* Those that have not ended end with CANCELLED. Between start and the return of `done`. */
void sl_task_calls_cancel(struct sl_task_calls *calls);
/* The first failure: "From TASK:\n..." */
sl_code sl_task_calls_status(const struct sl_task_calls *calls, struct sl_error *err);

#endif
