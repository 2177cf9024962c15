/* Heartbeats. One timer for all tasks runs while anybody waits for any. */
#include "dist/task_watch.h"

#include <stdio.h>

#include "base/alloc.h"
#include "base/arena.h"

enum { BEATS = 4 }; /* within the bound */

struct watched_task {
    struct sl_rpc_request request; /* the question that is under way */
    struct sl_task_watch *watch;
    struct sl_task_watcher *first;
    int number; /* of the cluster */
    bool is_asked;
};

struct sl_task_watch {
    struct sl_cluster *cluster;
    int64_t bound_ns;
    struct sl_mutex mutex; /* guards the rest */
    struct sl_condition idle;
    struct sl_net_timer timer;
    bool is_set, ends;
    int n_asked;
    struct watched_task *tasks; /* as many as the cluster has; zero before anybody waits for one */
};

/* With the mutex held. */
static void tell_all(struct watched_task *t, bool all, uint64_t incarnation, sl_code code, const char *text) {
    for (struct sl_task_watcher *w = t->first, *next; w; w = next) {
        next = w->next;
        if (!all && (!w->incarnation || w->incarnation == incarnation)) continue;
        *w->at = w->next;
        if (w->next) w->next->at = w->at;
        w->at = NULL;
        w->gone(w, code, text);
    }
}

/* 0: the answer says nothing of it. */
static uint64_t read_incarnation(const struct sl_rpc_body *body) {
    struct sl_pb_GetStatusResponse told;
    struct sl_arena arena;
    sl_arena_init(&arena);
    sl_code code = sl_pb_decode(&told, SL_PB_TYPE_OF(GetStatusResponse), body->bytes, &arena, NULL);
    uint64_t incarnation = code == SL_OK && told.device_attributes.n ? told.device_attributes.items[0].incarnation : 0;
    sl_arena_clear(&arena);
    return incarnation;
}

static void answered(struct sl_rpc_request *request, sl_code code, const char *text, struct sl_rpc_body *body) {
    struct watched_task *t = request->arg;
    struct sl_task_watch *watch = t->watch;
    const char *name = watch->cluster->tasks[t->number].name;
    char said[512];
    uint64_t incarnation = code == SL_OK ? read_incarnation(body) : 0;
    if (code == SL_OK)
        (void)snprintf(said, sizeof said, "%s has been started anew, without what it had. Make a new session", name);
    else if (code == SL_DEADLINE_EXCEEDED)
        (void)snprintf(said, sizeof said, "%s has not answered for %.1f s", name, (double)watch->bound_ns * 1e-9);
    else (void)snprintf(said, sizeof said, "%s has gone: %s", name, text ? text : "");
    sl_rpc_body_unref(body);
    sl_mutex_lock(&watch->mutex);
    t->is_asked = false;
    if (code != SL_OK) tell_all(t, true, 0, SL_UNAVAILABLE, said);
    else if (incarnation) tell_all(t, false, incarnation, SL_ABORTED, said);
    if (--watch->n_asked == 0) sl_condition_broadcast(&watch->idle);
    sl_mutex_unlock(&watch->mutex);
}

static void ask(struct watched_task *t, int64_t now) {
    struct sl_task_watch *watch = t->watch;
    struct sl_rpc_channel *channel;
    struct sl_error err;
    t->request = (struct sl_rpc_request){.path = SL_STR("/tensorflow.WorkerService/GetStatus"),
                                         .deadline_ns = now + watch->bound_ns * (BEATS - 1) / BEATS,
                                         .done = answered,
                                         .arg = t};
    if (sl_cluster_channel(&channel, watch->cluster, t->number, &err) == SL_OK)
        sl_rpc_channel_call(channel, &t->request);
    else answered(&t->request, err.code, err.message, NULL);
}

static void beat(struct sl_net_timer *timer) {
    struct sl_task_watch *watch = timer->arg;
    struct sl_net *net = watch->cluster->net;
    int64_t now = sl_net_now(net);
    for (int i = 0; i < watch->cluster->n; i++) {
        struct watched_task *t = &watch->tasks[i];
        sl_mutex_lock(&watch->mutex);
        bool asks = t->first && !t->is_asked && !watch->ends;
        t->is_asked = t->is_asked || asks;
        watch->n_asked += asks;
        sl_mutex_unlock(&watch->mutex);
        if (asks) ask(t, now);
    }
    sl_mutex_lock(&watch->mutex);
    bool is_needed = false; /* now: somebody may have come since his task was looked at */
    for (int i = 0; i < watch->cluster->n; i++) is_needed = is_needed || watch->tasks[i].first;
    watch->is_set = is_needed && !watch->ends;
    if (watch->is_set) sl_net_set_timer(net, timer, now + watch->bound_ns / BEATS);
    sl_mutex_unlock(&watch->mutex);
}

void sl_task_watch_enter(struct sl_task_watch *watch, struct sl_task_watcher *w) {
    if (!watch) return;
    struct sl_net *net = watch->cluster->net;
    struct watched_task *t = &watch->tasks[w->task];
    sl_mutex_lock(&watch->mutex);
    if (!t->watch) { /* once: `ask` reads them without the mutex */
        t->watch = watch;
        t->number = w->task;
    }
    w->next = t->first;
    w->at = &t->first;
    if (w->next) w->next->at = &w->next;
    t->first = w;
    if (!watch->is_set) {
        watch->is_set = true;
        sl_net_set_timer(net, &watch->timer, sl_net_now(net) + watch->bound_ns / BEATS);
    }
    sl_mutex_unlock(&watch->mutex);
}

void sl_task_watch_leave(struct sl_task_watch *watch, struct sl_task_watcher *w) {
    if (!watch) return;
    sl_mutex_lock(&watch->mutex);
    if (w->at) {
        *w->at = w->next;
        if (w->next) w->next->at = w->at;
        w->at = NULL;
    }
    sl_mutex_unlock(&watch->mutex);
}

sl_code sl_task_watch_new(struct sl_task_watch **out, struct sl_cluster *cluster, int64_t bound_ms,
                          struct sl_error *err) {
    *out = NULL;
    if (bound_ms < 0) return SL_OK;
    if (!bound_ms) bound_ms = SL_HEARTBEAT_MS;
    if (bound_ms > INT64_MAX / 4000000)
        return sl_fail(err, SL_INVALID_ARGUMENT, "heartbeat_timeout_in_ms is too large");
    struct sl_task_watch *watch = sl_calloc(1, sizeof *watch);
    if (!watch) return sl_fail_memory(err, sizeof *watch);
    watch->tasks = sl_calloc((size_t)cluster->n, sizeof *watch->tasks);
    if (!watch->tasks) {
        sl_free(watch);
        return sl_fail_memory(err, (size_t)cluster->n * sizeof *watch->tasks);
    }
    watch->cluster = cluster;
    watch->bound_ns = bound_ms * 1000000;
    watch->timer = (struct sl_net_timer){.due = beat, .arg = watch};
    sl_mutex_init(&watch->mutex);
    sl_condition_init(&watch->idle);
    *out = watch;
    return SL_OK;
}

sl_code sl_task_watch_brought(struct sl_cluster *cluster, const struct sl_cluster *servers, struct sl_error *err) {
    cluster->tls = servers->tls;
    cluster->bound_ms = servers->bound_ms;
    return cluster->n > 1 ? sl_task_watch_new(&cluster->watch, cluster, cluster->bound_ms, err) : SL_OK;
}

/* Questions end by their deadlines, or sooner: those under way are cancelled. */
void sl_task_watch_free(struct sl_task_watch *watch) {
    if (!watch) return;
    sl_mutex_lock(&watch->mutex);
    watch->ends = true;
    sl_mutex_unlock(&watch->mutex);
    sl_net_cancel_timer(watch->cluster->net, &watch->timer);
    sl_mutex_lock(&watch->mutex);
    for (int t = 0; t < watch->cluster->n; t++)
        if (watch->tasks[t].is_asked && watch->cluster->lanes[t].channels[0])
            sl_rpc_channel_cancel(watch->cluster->lanes[t].channels[0], &watch->tasks[t].request);
    while (watch->n_asked) sl_condition_wait(&watch->idle, &watch->mutex);
    sl_mutex_unlock(&watch->mutex);
    sl_condition_clear(&watch->idle);
    sl_mutex_clear(&watch->mutex);
    sl_free(watch->tasks);
    sl_free(watch);
}
