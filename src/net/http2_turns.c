/* Who serves a net: the thread that has its loop. Between two rounds it may run tasks of users, and leaves the loop to others
 * meanwhile. A second thread watches; when a task has not ended between two looks, it serves in place of the first one, which
 * is a spare one when it is done.
 *
 *   serves ── round ── turn odd: a task ── turn even ── round ...       the same thread, while tasks are short
 *                        └─ two looks later: the watcher makes it even, and serves; who was spare watches
 *
 * Whoever changes `turn` from odd to even has the loop. A thread that runs a task is none of the net's: what it asks of the
 * net it asks as any other. */
#if SL_HAVE_NGHTTP2
#include "net/http2_loop.h"
#include "os/clock.h"

static const int64_t LOOK_NS = 5000000;
enum {
    HERE_MOST = 32,  /* tasks between two rounds */
    IDLE_LOOKS = 200 /* without a task, until the watcher sleeps */
};

static _Thread_local const struct sl_http2_net *net_of_thread;

bool sl_http2_on_thread(const struct sl_http2_net *net) { return net_of_thread == net; }

/* ---- the watcher */

static void wake_watcher(struct sl_http2_net *net) {
    sl_mutex_lock(&net->mutex);
    atomic_store(&net->watcher_sleeps, false);
    sl_condition_broadcast(&net->turned);
    sl_mutex_unlock(&net->mutex);
}

/* With the lock. It sleeps until there is a task again; who begins one looks at `watcher_sleeps` after it has changed `turn`. */
static void sleep_long(struct sl_http2_net *net, unsigned seen) {
    atomic_store(&net->watcher_sleeps, true);
    while (!net->has_ended && atomic_load(&net->turn) == seen && atomic_load(&net->watcher_sleeps))
        sl_condition_wait(&net->turned, &net->mutex);
    atomic_store(&net->watcher_sleeps, false);
}

/* With the lock. True: this thread has the loop. */
static bool watch(struct sl_http2_net *net) {
    int n_idle = 0;
    for (unsigned seen = 0; !net->has_ended;) {
        unsigned turn = atomic_load(&net->turn);
        if (turn == seen && turn % 2 && atomic_compare_exchange_strong(&net->turn, &turn, turn + 1)) return true;
        n_idle = turn == seen ? n_idle + 1 : 0;
        seen = turn;
        if (n_idle == IDLE_LOOKS) sleep_long(net, seen);
        else sl_condition_wait_until(&net->turned, &net->mutex, sl_clock_ns() + LOOK_NS);
    }
    return false;
}

/* ---- the thread that serves */

/* False: another thread serves now. */
static bool run_next(struct sl_http2_net *net) {
    struct sl_net_task *task = net->here;
    unsigned turn = atomic_load_explicit(&net->turn, memory_order_relaxed) + 1;
    net->here = task->next;
    if (!net->here) net->last_here = &net->here;
    net->n_here--;
    net_of_thread = NULL;
    atomic_store(&net->turn, turn);
    if (atomic_load(&net->watcher_sleeps)) wake_watcher(net);
    task->run(task);
    if (!atomic_compare_exchange_strong(&net->turn, &turn, turn + 1)) return false;
    net_of_thread = net;
    return true;
}

/* Until the net ends, which is true, or another thread serves. */
static bool serve(struct sl_http2_net *net) {
    net_of_thread = net;
    do
        while (net->here)
            if (!run_next(net)) return false;
    while (sl_event_loop_round(net->loop));
    return true;
}

/* ---- threads */

static void take_turns(struct sl_http2_net *net, bool serves, bool watches) {
    for (;;) {
        const bool is_over = serves && serve(net);
        sl_mutex_lock(&net->mutex);
        net->has_ended |= is_over;
        while (!net->has_ended && !watches && atomic_load(&net->is_watched))
            sl_condition_wait(&net->turned, &net->mutex);
        atomic_store(&net->is_watched, true);
        serves = watch(net);
        atomic_store(&net->is_watched, false);
        sl_condition_broadcast(&net->turned);
        sl_mutex_unlock(&net->mutex);
        if (!serves) return;
        watches = false;
    }
}

static void begin_to_serve(void *arg) { take_turns(arg, true, false); }
static void begin_to_watch(void *arg) { take_turns(arg, false, true); }

/* There is none when too many threads run tasks that take long. */
static bool provide_watcher(struct sl_http2_net *net) {
    if (atomic_load(&net->is_watched)) return true;
    sl_mutex_lock(&net->mutex);
    bool is_watched = atomic_load(&net->is_watched);
    if (!is_watched && net->n_threads < SL_HTTP2_THREADS) {
        is_watched =
            sl_thread_start(&net->threads[net->n_threads], "sluice-net", 0, begin_to_watch, net, NULL) == SL_OK;
        atomic_store(&net->is_watched, is_watched);
        net->n_threads += is_watched;
    }
    sl_mutex_unlock(&net->mutex);
    return is_watched;
}

bool sl_http2_run_here(struct sl_net *base, struct sl_net_task *task) {
    struct sl_http2_net *net = (struct sl_http2_net *)base;
    if (!sl_http2_on_thread(net) || net->n_here == HERE_MOST || !provide_watcher(net)) return false;
    task->next = NULL;
    *net->last_here = task;
    net->last_here = &task->next;
    net->n_here++;
    return true;
}

sl_code sl_http2_turns_begin(struct sl_http2_net *net, struct sl_error *err) {
    SL_TRY(sl_thread_start(&net->threads[0], "sluice-net", 0, begin_to_serve, net, err));
    net->n_threads = 1;
    return SL_OK;
}

void sl_http2_turns_end(struct sl_http2_net *net) {
    sl_event_loop_stop(net->loop);
    for (unsigned i = 0; i < net->n_threads; i++) sl_thread_join(&net->threads[i]);
}
#endif
