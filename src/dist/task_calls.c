/* Calls to several tasks. A call is cancelled with the mutex held, which its end takes first: so no call is cancelled
 * that has ended. */
#include "dist/task_calls.h"

#include <stdio.h>

#include "base/alloc.h"

sl_code sl_task_calls_init(struct sl_task_calls *calls, struct sl_cluster *cluster, int room, struct sl_error *err) {
    *calls = (struct sl_task_calls){.cluster = cluster, .room = room};
    sl_mutex_init(&calls->mutex);
    calls->calls = sl_calloc((size_t)room + 1, sizeof *calls->calls);
    return calls->calls ? SL_OK : sl_fail_memory(err, (size_t)room * sizeof *calls->calls);
}

void sl_task_calls_clear(struct sl_task_calls *calls) {
    for (int i = 0; i < calls->n; i++) {
        sl_rpc_message_clear(&calls->calls[i].request.message);
        sl_rpc_body_unref(calls->calls[i].body);
        sl_free(calls->calls[i].text);
    }
    if (calls->calls) sl_free(calls->calls);
    if (calls->cluster) sl_mutex_clear(&calls->mutex);
    *calls = (struct sl_task_calls){.n = 0};
}

/* One less that is under way: the last one tells. */
static void count_down(struct sl_task_calls *calls) {
    sl_mutex_lock(&calls->mutex);
    bool is_last = --calls->left == 0;
    sl_mutex_unlock(&calls->mutex);
    if (is_last) calls->done(calls);
}

static void note_failure(struct sl_task_call *call, sl_code code, const char *text) {
    size_t n = text ? strlen(text) + 1 : 0;
    call->code = code;
    call->text = n ? sl_malloc(n) : NULL;
    if (call->text) memcpy(call->text, text, n);
}

/* The call ends as if the task had said so. */
static void task_gone(struct sl_task_watcher *watcher, sl_code code, const char *text) {
    struct sl_task_call *call =
        (struct sl_task_call *)(void *)((char *)watcher - offsetof(struct sl_task_call, watcher));
    struct sl_task_calls *calls = call->all;
    sl_mutex_lock(&calls->mutex);
    call->gone = code;
    (void)snprintf(call->gone_text, sizeof call->gone_text, "%s", text);
    if (call->channel) sl_rpc_channel_cancel(call->channel, &call->request);
    sl_mutex_unlock(&calls->mutex);
}

static void call_done(struct sl_rpc_request *request, sl_code code, const char *text, struct sl_rpc_body *body) {
    struct sl_task_call *call = request->arg;
    struct sl_task_calls *calls = call->all;
    if (!request->waits_for_ready) sl_task_watch_leave(calls->cluster->watch, &call->watcher);
    sl_mutex_lock(&calls->mutex);
    call->channel = NULL;
    call->has_ended = true;
    sl_mutex_unlock(&calls->mutex);
    if (call->gone != SL_OK && code != SL_OK) {
        code = call->gone;
        text = call->gone_text;
    }
    call->body = body;
    if (code != SL_OK) note_failure(call, code, text);
    if (calls->one_done) calls->one_done(calls, call);
    count_down(calls);
}

void sl_task_calls_add(struct sl_task_calls *calls, int task, const char *path, struct sl_rpc_message *message,
                       int64_t deadline_ns, bool waits_for_ready) {
    sl_mutex_lock(&calls->mutex); /* somebody may cancel them meanwhile */
    struct sl_task_call *call = &calls->calls[calls->n++];
    *call = (struct sl_task_call){.all = calls, .task = task};
    call->request = (struct sl_rpc_request){.path = sl_str_of(path),
                                            .message = *message,
                                            .deadline_ns = deadline_ns,
                                            .waits_for_ready = waits_for_ready,
                                            .done = call_done,
                                            .arg = call};
    sl_mutex_unlock(&calls->mutex);
    *message = (struct sl_rpc_message){.n = 0};
}

/* `left` counts this function, too, so that nothing ends before all has begun. */
void sl_task_calls_start(struct sl_task_calls *calls) {
    struct sl_error err;
    calls->left = calls->n + 1;
    for (int i = 0; i < calls->n; i++) {
        struct sl_task_call *call = &calls->calls[i];
        struct sl_rpc_channel *channel;
        if (sl_cluster_channel(&channel, calls->cluster, call->task, &err) != SL_OK) {
            note_failure(call, err.code, err.message);
            if (calls->one_done) calls->one_done(calls, call);
            count_down(calls);
            continue;
        }
        call->watcher = (struct sl_task_watcher){.task = call->task, .gone = task_gone};
        if (!call->request.waits_for_ready) sl_task_watch_enter(calls->cluster->watch, &call->watcher);
        sl_rpc_channel_call(channel, &call->request); /* it may have ended when this returns */
        sl_mutex_lock(&calls->mutex);
        if (!call->has_ended) {
            call->channel = channel;
            if (calls->is_cancelled || call->gone != SL_OK) sl_rpc_channel_cancel(channel, &call->request);
        }
        sl_mutex_unlock(&calls->mutex);
    }
    count_down(calls);
}

void sl_task_calls_cancel(struct sl_task_calls *calls) {
    sl_mutex_lock(&calls->mutex);
    calls->is_cancelled = true;
    for (int i = 0; i < calls->n; i++)
        if (calls->calls[i].channel) sl_rpc_channel_cancel(calls->calls[i].channel, &calls->calls[i].request);
    sl_mutex_unlock(&calls->mutex);
}

sl_code sl_task_calls_status(const struct sl_task_calls *calls, struct sl_error *err) {
    for (int i = 0; i < calls->n; i++) {
        const struct sl_task_call *call = &calls->calls[i];
        if (call->code != SL_OK)
            return sl_fail(err, call->code, "From %s:\n%s", calls->cluster->tasks[call->task].name,
                           call->text ? call->text : "");
    }
    return SL_OK;
}
