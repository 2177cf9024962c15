/* A net: what it runs, its timers, its table. */
#include "net/http2_net.h"

#if SL_HAVE_NGHTTP2
#include <unistd.h>

#include "base/alloc.h"
#include "net/http2_loop.h"
#include "os/clock.h"

sl_code sl_http2_check_process(const struct sl_http2_net *net, struct sl_error *err) {
    if (net->process == getpid()) return SL_OK;
    return sl_fail(err, SL_FAILED_PRECONDITION, "a forked child cannot use connections of its parent");
}

/* ---- what is to be run */

static void list_init(struct sl_http2_task_list *list) {
    list->first = NULL;
    list->last = &list->first;
}

static void list_add(struct sl_http2_task_list *list, struct sl_loop_task *task) {
    task->next = NULL;
    *list->last = task;
    list->last = &task->next;
}

static bool run_first(struct sl_http2_task_list *list) {
    struct sl_loop_task *task = list->first;
    if (!task) return false;
    list->first = task->next;
    if (!list->first) list->last = &list->first;
    task->run(task);
    return true;
}

void sl_http2_soon(struct sl_http2_net *net, struct sl_loop_task *task) {
    if (sl_http2_on_thread(net)) list_add(&net->tasks, task);
    else sl_event_loop_post(net->loop, task);
}

void sl_http2_late(struct sl_http2_net *net, struct sl_loop_task *task) { list_add(&net->late, task); }

void sl_http2_settle(struct sl_http2_net *net) {
    if (net->is_settling) return;
    net->is_settling = true;
    while (run_first(&net->tasks) || run_first(&net->late)) {}
    net->is_settling = false;
}

/* ---- timers: a list by time, since most are set for later than all before */

enum { IS_SET, BEFORE, AFTER, AT }; /* sl_net_timer.state */

static struct sl_net_timer *neighbour(const struct sl_net_timer *t, int which) { return t->state[which]; }
static int64_t time_of(const struct sl_net_timer *t) { return (int64_t)(intptr_t)t->state[AT]; }

static void unlink_timer(struct sl_http2_net *net, struct sl_net_timer *t) {
    struct sl_net_timer *before = neighbour(t, BEFORE), *after = neighbour(t, AFTER);
    if (before) before->state[AFTER] = after;
    else net->first_timer = after;
    if (after) after->state[BEFORE] = before;
    else net->last_timer = before;
    t->state[IS_SET] = NULL;
}

static void link_timer(struct sl_http2_net *net, struct sl_net_timer *t, int64_t at_ns) {
    struct sl_net_timer *before = net->last_timer;
    while (before && time_of(before) > at_ns) before = neighbour(before, BEFORE);
    struct sl_net_timer *after = before ? neighbour(before, AFTER) : net->first_timer;
    t->state[IS_SET] = t;
    t->state[BEFORE] = before;
    t->state[AFTER] = after;
    t->state[AT] = (void *)(intptr_t)at_ns;
    if (before) before->state[AFTER] = t;
    else net->first_timer = t;
    if (after) after->state[BEFORE] = t;
    else net->last_timer = t;
}

/* On the thread: the loop's timer follows the first of the list. It is always set, so that it keeps its place. */
static void arm(struct sl_http2_net *net) {
    sl_mutex_lock(&net->mutex);
    int64_t at = net->first_timer ? time_of(net->first_timer) : INT64_MAX;
    sl_mutex_unlock(&net->mutex);
    sl_event_loop_set_timer(net->loop, &net->timer, at, NULL);
}

static void rearm(struct sl_loop_task *task) {
    struct sl_http2_net *net = (struct sl_http2_net *)((char *)task - offsetof(struct sl_http2_net, rearm));
    sl_mutex_lock(&net->mutex);
    net->is_rearming = false;
    sl_mutex_unlock(&net->mutex);
    arm(net);
}

static void rearm_soon(struct sl_http2_net *net) {
    if (net->is_rearming) return;
    net->is_rearming = true;
    sl_http2_soon(net, &net->rearm);
}

static void set_timer(struct sl_net *base, struct sl_net_timer *t, int64_t at_ns) {
    struct sl_http2_net *net = (struct sl_http2_net *)base;
    sl_mutex_lock(&net->mutex);
    if (t->state[IS_SET]) unlink_timer(net, t);
    link_timer(net, t, at_ns);
    if (net->first_timer == t) rearm_soon(net);
    sl_mutex_unlock(&net->mutex);
}

static void cancel_timer(struct sl_net *base, struct sl_net_timer *t) {
    struct sl_http2_net *net = (struct sl_http2_net *)base;
    sl_mutex_lock(&net->mutex);
    if (t->state[IS_SET]) unlink_timer(net, t);
    while (net->running_timer == t && !sl_http2_on_thread(net)) sl_condition_wait(&net->changed, &net->mutex);
    sl_mutex_unlock(&net->mutex);
}

static void timers_due(void *arg) {
    struct sl_http2_net *net = arg;
    int64_t now = sl_clock_ns();
    sl_mutex_lock(&net->mutex);
    for (struct sl_net_timer *t; (t = net->first_timer) && time_of(t) <= now;) {
        unlink_timer(net, t);
        net->running_timer = t;
        sl_mutex_unlock(&net->mutex);
        t->due(t);
        sl_mutex_lock(&net->mutex);
        net->running_timer = NULL;
        sl_condition_broadcast(&net->changed);
    }
    sl_mutex_unlock(&net->mutex);
    arm(net);
    sl_http2_settle(net);
}

static int64_t now_ns(struct sl_net *net) {
    (void)net;
    return sl_clock_ns();
}

/* ---- the net */

void sl_http2_alive(struct sl_http2_net *net, int change) {
    sl_mutex_lock(&net->mutex);
    net->n_alive = (unsigned)((int)net->n_alive + change);
    if (!net->n_alive) sl_condition_broadcast(&net->changed);
    sl_mutex_unlock(&net->mutex);
}

static void free_parts(struct sl_http2_net *net) {
    sl_event_loop_free(net->loop);
    sl_mutex_clear(&net->mutex);
    sl_condition_clear(&net->changed);
    sl_condition_clear(&net->turned);
    sl_free(net->buffer);
    sl_free(net);
}

static void free_net(struct sl_net *base) {
    struct sl_http2_net *net = (struct sl_http2_net *)base;
    if (sl_http2_check_process(net, NULL) != SL_OK) return; /* its memory is the parent's thread's to change */
    sl_mutex_lock(&net->mutex);
    while (net->n_alive) sl_condition_wait(&net->changed, &net->mutex);
    sl_mutex_unlock(&net->mutex);
    sl_http2_turns_end(net);
    free_parts(net);
}

const struct sl_net_methods sl_http2_methods = {
    .free = free_net,
    .dial = sl_http2_dial,
    .hang_up = sl_http2_hang_up,
    .call = sl_http2_call,
    .cancel = sl_http2_cancel,
    .serve = sl_http2_serve,
    .port = sl_http2_port,
    .drain = sl_http2_drain,
    .stop = sl_http2_stop,
    .listen = sl_http2_listen,
    .send = sl_http2_send,
    .pause = sl_http2_pause,
    .end = sl_http2_end,
    .now = now_ns,
    .set_timer = set_timer,
    .cancel_timer = cancel_timer,
    .count = sl_http2_count,
    .run_here = sl_http2_run_here,
};

/* A place in the loop's heap of timers for the net's own. */
static sl_code make_place(struct sl_http2_net *net, struct sl_error *err) {
    net->timer = (struct sl_timer){.fire = timers_due, .arg = net};
    return sl_event_loop_set_timer(net->loop, &net->timer, INT64_MAX, err);
}

sl_code sl_http2_net_new(struct sl_net **out, struct sl_error *err) {
    struct sl_http2_net *net = sl_calloc(1, sizeof *net);
    if (!net) return sl_fail_memory(err, sizeof *net);
    net->base.methods = &sl_http2_methods;
    net->process = getpid();
    net->rearm.run = rearm;
    list_init(&net->tasks);
    list_init(&net->late);
    sl_mutex_init(&net->mutex);
    sl_condition_init(&net->changed);
    sl_condition_init(&net->turned);
    net->last_here = &net->here;
    net->buffer = sl_malloc(SL_HTTP2_READ);
    sl_code code = net->buffer ? sl_event_loop_new(&net->loop, false, err) : sl_fail_memory(err, SL_HTTP2_READ);
    if (code == SL_OK) code = make_place(net, err);
    if (code == SL_OK) code = sl_http2_turns_begin(net, err);
    if (code == SL_OK) *out = &net->base;
    else free_parts(net);
    return code;
}

#else

sl_code sl_http2_net_new(struct sl_net **out, struct sl_error *err) {
    (void)out;
    return sl_fail(err, SL_UNIMPLEMENTED, "built without nghttp2: no connections to other processes");
}
#endif
