/* One round: wait, then descriptors, timers, tasks. Each takes what was there when its turn began. */
#include "os/event_loop.h"

#include <stdatomic.h>
#include <unistd.h>

#include "base/alloc.h"
#include "os/clock.h"
#include "os/mutex.h"

enum { EVENTS = 64 };

struct sl_event_loop {
    struct sl_poller *poller;
    struct sl_timer_heap timers;
    struct sl_poll_event events[EVENTS]; /* of this round; those told, or not to be told any more, have no data */
    int n_events;
    pid_t process; /* that made it */
    atomic_bool is_stopped;
    struct sl_mutex mutex; /* for what follows */
    struct sl_loop_task *first, **last;
};

sl_code sl_event_loop_new(struct sl_event_loop **out, bool is_portable, struct sl_error *err) {
    struct sl_event_loop *loop = sl_calloc(1, sizeof *loop);
    if (!loop) return sl_fail_memory(err, sizeof *loop);
    sl_code code = sl_poller_new(&loop->poller, is_portable, err);
    if (code != SL_OK) {
        sl_free(loop);
        return code;
    }
    loop->process = getpid();
    loop->last = &loop->first;
    sl_mutex_init(&loop->mutex);
    *out = loop;
    return SL_OK;
}

/* ---- a round */

/* The time to wait: none when tasks are there. */
static int64_t time_left(struct sl_event_loop *loop) {
    const struct sl_timer *first = sl_timer_heap_first(&loop->timers);
    sl_mutex_lock(&loop->mutex);
    bool has_tasks = loop->first;
    sl_mutex_unlock(&loop->mutex);
    if (has_tasks) return 0;
    if (!first) return -1;
    int64_t now = sl_clock_ns();
    return first->at_ns > now ? first->at_ns - now : 0;
}

static void tell_watches(struct sl_event_loop *loop) {
    for (int i = 0; i < loop->n_events; i++) {
        struct sl_loop_watch *watch = loop->events[i].data;
        loop->events[i].data = NULL;
        if (watch) watch->ready(watch->arg, loop->events[i].what);
    }
    loop->n_events = 0;
}

/* Those that are due; of those that are set meanwhile none. */
static void fire_timers(struct sl_event_loop *loop) {
    if (!sl_timer_heap_first(&loop->timers)) return;
    int64_t now = sl_clock_ns();
    uint64_t newest = loop->timers.n_set;
    for (struct sl_timer *t; (t = sl_timer_heap_first(&loop->timers)) && t->at_ns <= now && t->order < newest;) {
        sl_timer_heap_cancel(&loop->timers, t);
        t->fire(t->arg);
    }
}

static void run_tasks(struct sl_event_loop *loop) {
    sl_mutex_lock(&loop->mutex);
    struct sl_loop_task *all = loop->first;
    loop->first = NULL;
    loop->last = &loop->first;
    sl_mutex_unlock(&loop->mutex);
    while (all) {
        struct sl_loop_task *task = all;
        all = task->next;
        task->run(task);
    }
}

bool sl_event_loop_round(struct sl_event_loop *loop) {
    const bool is_last = atomic_load(&loop->is_stopped);
    loop->n_events = sl_poller_wait(loop->events, EVENTS, loop->poller, is_last ? 0 : time_left(loop));
    tell_watches(loop);
    fire_timers(loop);
    run_tasks(loop);
    if (is_last) atomic_store(&loop->is_stopped, false);
    return !is_last;
}

sl_code sl_event_loop_run(struct sl_event_loop *loop, struct sl_error *err) {
    if (getpid() != loop->process)
        return sl_fail(err, SL_FAILED_PRECONDITION, "an event loop of the parent process cannot run in a forked child");
    while (sl_event_loop_round(loop)) {}
    return SL_OK;
}

void sl_event_loop_stop(struct sl_event_loop *loop) {
    atomic_store(&loop->is_stopped, true);
    sl_poller_wake(loop->poller);
}

void sl_event_loop_free(struct sl_event_loop *loop) {
    if (!loop) return;
    while (loop->first) run_tasks(loop);
    sl_poller_free(loop->poller);
    sl_vec_free(&loop->timers.timers);
    sl_mutex_clear(&loop->mutex);
    sl_free(loop);
}

/* ---- what it waits for */

void sl_event_loop_post(struct sl_event_loop *loop, struct sl_loop_task *task) {
    task->next = NULL;
    sl_mutex_lock(&loop->mutex);
    bool was_empty = !loop->first;
    *loop->last = task;
    loop->last = &task->next;
    if (was_empty) sl_poller_wake(loop->poller); /* with the lock: the loop is not freed before */
    sl_mutex_unlock(&loop->mutex);
}

sl_code sl_event_loop_watch(struct sl_event_loop *loop, struct sl_loop_watch *watch, unsigned what,
                            struct sl_error *err) {
    if (watch->is_watched) return sl_poller_change(loop->poller, watch->fd, what, watch, err);
    SL_TRY(sl_poller_add(loop->poller, watch->fd, what, watch, err));
    watch->is_watched = true;
    return SL_OK;
}

void sl_event_loop_unwatch(struct sl_event_loop *loop, struct sl_loop_watch *watch) {
    if (!watch->is_watched) return;
    sl_poller_remove(loop->poller, watch->fd);
    watch->is_watched = false;
    for (int i = 0; i < loop->n_events; i++)
        if (loop->events[i].data == watch) loop->events[i].data = NULL;
}

sl_code sl_event_loop_set_timer(struct sl_event_loop *loop, struct sl_timer *timer, int64_t at_ns,
                                struct sl_error *err) {
    return sl_timer_heap_set(&loop->timers, timer, at_ns) ? sl_fail_memory(err, sizeof timer) : SL_OK;
}

void sl_event_loop_cancel_timer(struct sl_event_loop *loop, struct sl_timer *timer) {
    sl_timer_heap_cancel(&loop->timers, timer);
}
