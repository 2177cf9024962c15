/* Calls that are waited for. */
#include "dist/waited_call.h"

#include "dist/task_watch.h"
#include "kernel/cancellation.h"

struct waited {
    struct sl_rpc_request request;
    struct sl_rpc_channel *channel;
    struct sl_task_watch *watch; /* NULL: nobody looks after its task */
    struct sl_task_watcher watcher;
    struct sl_mutex mutex; /* guards the rest */
    struct sl_condition come;
    bool has_come, is_gone;
    sl_code code, gone_code;
    struct sl_rpc_body *body;
    struct sl_error *err;
};

static void answered(struct sl_rpc_request *request, sl_code code, const char *text, struct sl_rpc_body *body) {
    struct waited *w = request->arg;
    sl_mutex_lock(&w->mutex);
    w->has_come = true;
    w->code = code;
    w->body = body;
    if (code != SL_OK && !w->is_gone) sl_fail(w->err, code, "%s", text ? text : "");
    sl_condition_signal(&w->come);
    sl_mutex_unlock(&w->mutex);
}

static void cancel(void *arg) {
    struct waited *w = arg;
    sl_mutex_lock(&w->mutex);
    if (!w->has_come) sl_rpc_channel_cancel(w->channel, &w->request);
    sl_mutex_unlock(&w->mutex);
}

static void task_gone(struct sl_task_watcher *watcher, sl_code code, const char *text) {
    struct waited *w = (struct waited *)(void *)((char *)watcher - offsetof(struct waited, watcher));
    sl_mutex_lock(&w->mutex);
    if (!w->has_come) {
        w->is_gone = true;
        w->gone_code = code;
        sl_fail(w->err, code, "%s", text);
        sl_rpc_channel_cancel(w->channel, &w->request);
    }
    sl_mutex_unlock(&w->mutex);
}

/* Begins the call and waits for its end. */
static sl_code run(struct sl_rpc_body **answer, struct waited *w) {
    struct sl_cancellation *cancellation = sl_cancellation_of_thread();
    struct sl_cancellation_callback callback = {.fn = cancel, .arg = w};
    w->request.done = answered;
    w->request.arg = w;
    sl_rpc_channel_call(w->channel, &w->request);
    sl_task_watch_enter(w->watch, &w->watcher);
    bool is_registered = cancellation && sl_cancellation_register(cancellation, &callback);
    if (cancellation && !is_registered) cancel(w);
    sl_mutex_lock(&w->mutex);
    while (!w->has_come) sl_condition_wait(&w->come, &w->mutex);
    sl_mutex_unlock(&w->mutex);
    if (is_registered) sl_cancellation_unregister(cancellation, &callback);
    sl_task_watch_leave(w->watch, &w->watcher);
    sl_condition_clear(&w->come);
    sl_mutex_clear(&w->mutex);
    *answer = w->body;
    return w->is_gone && w->code != SL_OK ? w->gone_code : w->code;
}

sl_code sl_waited_call(struct sl_rpc_body **answer, struct sl_rpc_channel *channel, const char *path,
                       struct sl_rpc_message *message, int64_t deadline_ns, bool waits_for_ready,
                       struct sl_error *err) {
    struct waited w = {.channel = channel, .mutex = SL_MUTEX_INIT, .come = SL_CONDITION_INIT, .err = err};
    w.request = (struct sl_rpc_request){.path = sl_str_of(path),
                                        .message = *message,
                                        .deadline_ns = deadline_ns,
                                        .waits_for_ready = waits_for_ready};
    *message = (struct sl_rpc_message){.n = 0};
    return run(answer, &w);
}

sl_code sl_waited_task_call(struct sl_rpc_body **answer, struct sl_rpc_channel *channel, struct sl_cluster *cluster,
                            int task, const char *path, struct sl_rpc_message *message, struct sl_error *err) {
    struct waited w = {.channel = channel, .mutex = SL_MUTEX_INIT, .come = SL_CONDITION_INIT, .err = err};
    w.watch = cluster->watch;
    w.watcher = (struct sl_task_watcher){.task = task, .gone = task_gone};
    w.request = (struct sl_rpc_request){.path = sl_str_of(path), .message = *message};
    *message = (struct sl_rpc_message){.n = 0};
    return run(answer, &w);
}
