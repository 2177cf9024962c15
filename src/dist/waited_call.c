/* Calls that are waited for. */
#include "dist/waited_call.h"

#include "kernel/cancellation.h"
#include "os/mutex.h"

struct waited {
    struct sl_rpc_request request;
    struct sl_rpc_channel *channel;
    struct sl_mutex mutex;
    struct sl_condition come;
    bool has_come;
    sl_code code;
    struct sl_rpc_body *body;
    struct sl_error *err;
};

static void answered(struct sl_rpc_request *request, sl_code code, const char *text, struct sl_rpc_body *body) {
    struct waited *w = request->arg;
    sl_mutex_lock(&w->mutex);
    w->has_come = true;
    w->code = code;
    w->body = body;
    if (code != SL_OK) sl_fail(w->err, code, "%s", text ? text : "");
    sl_condition_signal(&w->come);
    sl_mutex_unlock(&w->mutex);
}

static void cancel(void *arg) {
    struct waited *w = arg;
    sl_mutex_lock(&w->mutex);
    if (!w->has_come) sl_rpc_channel_cancel(w->channel, &w->request);
    sl_mutex_unlock(&w->mutex);
}

sl_code sl_waited_call(struct sl_rpc_body **answer, struct sl_rpc_channel *channel, const char *path,
                       struct sl_rpc_message *message, int64_t deadline_ns, bool waits_for_ready,
                       struct sl_error *err) {
    struct waited w = {.channel = channel, .mutex = SL_MUTEX_INIT, .come = SL_CONDITION_INIT, .err = err};
    struct sl_cancellation *cancellation = sl_cancellation_of_thread();
    struct sl_cancellation_callback callback = {.fn = cancel, .arg = &w};
    w.request = (struct sl_rpc_request){.path = sl_str_of(path),
                                        .message = *message,
                                        .deadline_ns = deadline_ns,
                                        .waits_for_ready = waits_for_ready,
                                        .done = answered,
                                        .arg = &w};
    *message = (struct sl_rpc_message){.n = 0};
    sl_rpc_channel_call(channel, &w.request);
    bool is_registered = cancellation && sl_cancellation_register(cancellation, &callback);
    if (cancellation && !is_registered) cancel(&w);
    sl_mutex_lock(&w.mutex);
    while (!w.has_come) sl_condition_wait(&w.come, &w.mutex);
    sl_mutex_unlock(&w.mutex);
    if (is_registered) sl_cancellation_unregister(cancellation, &callback);
    sl_condition_clear(&w.come);
    sl_mutex_clear(&w.mutex);
    *answer = w.body;
    return w.code;
}
