/* Two queues, threads that take from them, and one that watches them while tasks queue. All state is behind one mutex but
 * the processor time of threads, which the system knows. It goes with the last that has a part of it: owner, threads,
 * watcher.
 *
 * A thread may begin a task that is not urgent while fewer than `allowed` run: the limit, and what the last look has added. */
#include "os/bounded_threads.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/syscall.h>
#endif

#include "base/alloc.h"
#include "os/clock.h"
#include "os/mutex.h"
#include "os/thread.h"

static const int64_t IDLE_NS = 1000000000, LOOK_NS = 10000000, LOOK_MOST_NS = 100000000, LONG_NS = 100000000;
enum {
    LOOK_SHARE = 20, /* a look may take one part of so many of the time between looks, within the bounds of that */
    LONG_MOST = 4    /* so many times the limit are long tasks that are not counted */
};

struct bounded_task {
    void (*fn)(void *arg);
    void *arg;
    struct bounded_task *next;
};

struct bounded_queue {
    struct bounded_task *first, **end;
    unsigned n;
};

struct bounded_member {
    struct sl_thread thread;
    struct sl_bounded_threads *all;
    struct bounded_member *next, **at;
    long id;         /* the system's */
    clockid_t clock; /* of its processor time */
    bool is_counted; /* has a task that is not urgent, since: */
    int64_t begun_ns;
    int64_t seen_begun_ns, seen_ns; /* at the last look: that, and the processor time */
};

struct sl_bounded_threads {
    struct sl_mutex mutex; /* guards all */
    struct sl_condition added, look, ended;
    struct bounded_queue urgent, counted;
    struct bounded_member *members, *to_join; /* to_join: have ended while the owner waits for them */
    unsigned most, allowed, n_running;        /* counted tasks that run */
    unsigned n_members, n_idle, holders;
    struct sl_thread watcher;
    bool is_freed, has_watcher, is_joined;
    int64_t moved_ns; /* when the last counted task began or ended */
};

/* ---- what a thread does */

#if defined(__linux__)
static void know_self(struct bounded_member *m) {
    m->id = syscall(SYS_gettid);
    if (pthread_getcpuclockid(pthread_self(), &m->clock) != 0) m->id = 0;
}

static int64_t processor_ns(const struct bounded_member *m) {
    struct timespec now;
    return clock_gettime(m->clock, &now) == 0 ? now.tv_sec * INT64_C(1000000000) + now.tv_nsec : -1;
}

/* Whether it neither runs nor could if there were a processor for it. "id (name) S ...": the name has no bracket. */
static bool is_asleep(const struct bounded_member *m) {
    char path[64], text[128];
    (void)snprintf(path, sizeof path, "/proc/self/task/%ld/stat", m->id);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (fd >= 0) close(fd);
    if (n <= 0) return false;
    text[n] = '\0';
    const char *state = strstr(text, ") ");
    return state && (state[2] == 'S' || state[2] == 'D');
}
#else
static void know_self(struct bounded_member *m) { m->id = 0; }
static int64_t processor_ns(const struct bounded_member *m) {
    (void)m;
    return -1;
}
static bool is_asleep(const struct bounded_member *m) {
    (void)m;
    return false;
}
#endif

/* Whether it has waited, within the same task, since the last look. With the mutex held. */
static bool has_waited(struct bounded_member *m) {
    if (!m->id) return false;
    const int64_t now = processor_ns(m);
    const bool is_still = m->seen_begun_ns == m->begun_ns && m->seen_ns == now && now >= 0;
    m->seen_begun_ns = m->begun_ns;
    m->seen_ns = now;
    return is_still && is_asleep(m);
}

/* ---- queues, with the mutex held */

static void put(struct bounded_queue *q, struct bounded_task *task) {
    *q->end = task;
    q->end = &task->next;
    q->n++;
}

static struct bounded_task *take(struct bounded_queue *q) {
    struct bounded_task *task = q->first;
    q->first = task->next;
    if (!task->next) q->end = &q->first;
    q->n--;
    return task;
}

/* Tasks that may begin. */
static unsigned n_ready(const struct sl_bounded_threads *t) {
    const unsigned room = t->allowed > t->n_running ? t->allowed - t->n_running : 0;
    return t->urgent.n + (t->counted.n < room ? t->counted.n : room);
}

/* ---- the end of all: with the mutex held, which is released */

static void release(struct sl_bounded_threads *t) {
    const bool is_last = --t->holders == 0;
    sl_mutex_unlock(&t->mutex);
    if (!is_last) return;
    sl_condition_clear(&t->added);
    sl_condition_clear(&t->look);
    sl_condition_clear(&t->ended);
    sl_mutex_clear(&t->mutex);
    sl_free(t);
}

/* ---- threads, with the mutex held */

static _Thread_local struct sl_bounded_threads *of_this_thread;

static bool wait_for_task(struct sl_bounded_threads *t) {
    const int64_t until = sl_clock_ns() + IDLE_NS;
    t->n_idle++;
    while (!n_ready(t) && !t->is_freed && sl_condition_wait_until(&t->added, &t->mutex, until)) {}
    t->n_idle--;
    return n_ready(t) > 0;
}

static void run_task(struct sl_bounded_threads *t, struct bounded_task *task) {
    sl_mutex_unlock(&t->mutex);
    task->fn(task->arg);
    sl_free(task);
    sl_mutex_lock(&t->mutex);
}

static void run_one(struct sl_bounded_threads *t, struct bounded_member *m) {
    if (t->urgent.n) {
        run_task(t, take(&t->urgent));
        return;
    }
    m->is_counted = true;
    m->begun_ns = t->moved_ns = sl_clock_ns();
    t->n_running++;
    run_task(t, take(&t->counted));
    t->n_running--;
    m->is_counted = false;
    t->moved_ns = sl_clock_ns();
}

static void work(void *arg) {
    struct bounded_member *m = arg;
    struct sl_bounded_threads *t = of_this_thread = m->all;
    sl_mutex_lock(&t->mutex);
    know_self(m);
    while (n_ready(t) || wait_for_task(t)) run_one(t, m);
    *m->at = m->next;
    if (m->next) m->next->at = m->at;
    t->n_members--;
    if (t->is_joined) {
        m->next = t->to_join;
        t->to_join = m;
        sl_condition_signal(&t->ended);
    } else {
        sl_thread_detach_self();
        sl_free(m);
    }
    release(t);
}

static bool add_thread(struct sl_bounded_threads *t) {
    struct bounded_member *m = sl_calloc(1, sizeof *m);
    if (!m) return false;
    m->all = t;
    if (sl_thread_start(&m->thread, "sluice-step", 0, work, m, NULL) != SL_OK) {
        sl_free(m);
        return false;
    }
    m->next = t->members;
    m->at = &t->members;
    if (m->next) m->next->at = &m->next;
    t->members = m;
    t->n_members++;
    t->holders++;
    return true;
}

/* ---- the watcher */

static void look(struct sl_bounded_threads *t) {
    const int64_t now = sl_clock_ns();
    unsigned n_waiting = 0, n_long = 0;
    for (struct bounded_member *m = t->members; m; m = m->next) {
        if (!m->is_counted) continue;
        if (has_waited(m)) n_waiting++;
        else if (now - m->begun_ns > LONG_NS) n_long++;
    }
    t->allowed = t->most + n_waiting + (n_long < LONG_MOST * t->most ? n_long : LONG_MOST * t->most);
    if (t->counted.n && t->allowed <= t->n_running && now - t->moved_ns > LONG_NS) t->allowed = t->n_running + 1;
    for (unsigned n = t->n_idle; n < n_ready(t) && add_thread(t); n++) {}
    if (t->n_idle && n_ready(t)) sl_condition_broadcast(&t->added);
}

static void watch(void *arg) {
    struct sl_bounded_threads *t = arg;
    sl_thread_detach_self();
    int64_t pause = LOOK_NS, queued_ns = sl_clock_ns();
    sl_mutex_lock(&t->mutex);
    while (t->holders > 1) { /* somebody is there who may give tasks, or has some */
        const int64_t until = sl_clock_ns() + pause;
        (void)sl_condition_wait_until(&t->look, &t->mutex, until);
        const int64_t begun = sl_clock_ns();
        if (t->counted.n || t->urgent.n) queued_ns = begun;
        if (begun - queued_ns > IDLE_NS) break;
        look(t);
        pause = (sl_clock_ns() - begun) * LOOK_SHARE;
        pause = pause < LOOK_NS        ? LOOK_NS
                : pause > LOOK_MOST_NS ? LOOK_MOST_NS
                                       : pause; /* it may have been put aside */
    }
    t->allowed = t->most;
    t->has_watcher = false;
    release(t);
}

/* With the mutex held. Without one tasks still run, when threads are done with theirs. */
static void provide_watcher(struct sl_bounded_threads *t) {
    if (t->has_watcher) return;
    t->has_watcher = sl_thread_start(&t->watcher, "sluice-watch", 0, watch, t, NULL) == SL_OK;
    t->holders += t->has_watcher;
}

/* ---- the owner */

sl_code sl_bounded_threads_new(struct sl_bounded_threads **out, unsigned most, struct sl_error *err) {
    struct sl_bounded_threads *t = sl_calloc(1, sizeof *t);
    if (!t) return sl_fail_memory(err, sizeof *t);
    sl_mutex_init(&t->mutex);
    sl_condition_init(&t->added);
    sl_condition_init(&t->look);
    sl_condition_init(&t->ended);
    t->urgent.end = &t->urgent.first;
    t->counted.end = &t->counted.first;
    t->most = t->allowed = most ? most : 1;
    t->holders = 1;
    *out = t;
    return SL_OK;
}

/* With the mutex held: a thread for the task that has been added. Of urgent ones there are so many that each has its own,
 * up to the limit. False when there is no thread at all. */
static bool provide_thread(struct sl_bounded_threads *t) {
    const unsigned ready = n_ready(t), room = t->n_running + t->most;
    const unsigned most = room > t->allowed ? room : t->allowed;
    if (t->urgent.n + t->counted.n > ready) provide_watcher(t); /* what may not begin yet */
    if (t->n_idle >= ready) sl_condition_signal(&t->added);
    else if (t->n_members >= most || !add_thread(t)) provide_watcher(t);
    return t->n_members > 0;
}

static void give(struct sl_bounded_threads *t, struct bounded_queue *q, void (*fn)(void *arg), void *arg) {
    struct bounded_task *task = sl_malloc(sizeof *task);
    bool is_left = task != NULL;
    if (task) {
        *task = (struct bounded_task){fn, arg, NULL};
        sl_mutex_lock(&t->mutex);
        put(q, task);
        is_left = provide_thread(t);
        if (!is_left) (void)take(q); /* without threads nothing else is in the queues */
        sl_mutex_unlock(&t->mutex);
    }
    if (is_left) return;
    sl_free(task);
    fn(arg);
}

void sl_bounded_threads_run(struct sl_bounded_threads *t, void (*fn)(void *arg), void *arg) {
    give(t, &t->counted, fn, arg);
}

void sl_bounded_threads_run_first(struct sl_bounded_threads *t, void (*fn)(void *arg), void *arg) {
    give(t, &t->urgent, fn, arg);
}

/* With the mutex held: waits until threads have ended, for a while; those that still have a task then end by themselves. */
static void join_threads(struct sl_bounded_threads *t) {
    const int64_t until = sl_clock_ns() + IDLE_NS;
    t->is_joined = true;
    while (t->n_members && sl_condition_wait_until(&t->ended, &t->mutex, until)) {}
    t->is_joined = false;
    for (struct bounded_member *m; (m = t->to_join);) {
        t->to_join = m->next;
        sl_mutex_unlock(&t->mutex);
        sl_thread_join(&m->thread);
        sl_free(m);
        sl_mutex_lock(&t->mutex);
    }
}

void sl_bounded_threads_free(struct sl_bounded_threads *t) {
    if (!t) return;
    sl_mutex_lock(&t->mutex);
    t->is_freed = true;
    sl_condition_broadcast(&t->added);
    sl_condition_broadcast(&t->look);
    if (of_this_thread != t) join_threads(t);
    release(t);
}
