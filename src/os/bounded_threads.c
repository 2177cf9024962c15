/* A queue, threads that take from it, and one that watches them while tasks queue. All state is behind one mutex but the
 * processor time of threads, which the system knows. It goes with the last that has a part of it: owner, threads,
 * watcher. */
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

static const int64_t IDLE_NS = 1000000000, LOOK_NS = 10000000, STUCK_NS = 100000000;
enum { LOOK_SHARE = 20 }; /* a look may take one part of so many of the time between looks */

struct bounded_task {
    void (*fn)(void *arg);
    void *arg;
    struct bounded_task *next;
};

struct bounded_member {
    struct sl_thread thread;
    struct sl_bounded_threads *all;
    struct bounded_member *next, **at;
    long id;          /* the system's */
    clockid_t clock;  /* of its processor time */
    bool is_busy;     /* has a task */
    uint64_t n_begun; /* tasks */
    uint64_t seen;    /* n_begun at the last look, and the processor time */
    int64_t seen_ns;
};

struct sl_bounded_threads {
    struct sl_mutex mutex; /* guards all */
    struct sl_condition added, look;
    struct bounded_task *first, **end;
    struct bounded_member *members;
    unsigned most, n_members, n_idle, n_queued, holders;
    unsigned n_surplus; /* threads that are to end when they have no task, as of the last look */
    struct sl_thread watcher;
    bool is_freed, has_watcher;
    int64_t ended_ns; /* when the last task ended, or the last thread was added for want of an end */
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
    if (!m->is_busy || !m->id) return false;
    const int64_t now = processor_ns(m);
    const bool is_still = m->seen == m->n_begun && m->seen_ns == now && now >= 0;
    m->seen = m->n_begun;
    m->seen_ns = now;
    return is_still && is_asleep(m);
}

/* ---- the end of all: with the mutex held, which is released */

static void release(struct sl_bounded_threads *t) {
    const bool is_last = --t->holders == 0;
    sl_mutex_unlock(&t->mutex);
    if (!is_last) return;
    sl_condition_clear(&t->added);
    sl_condition_clear(&t->look);
    sl_mutex_clear(&t->mutex);
    sl_free(t);
}

/* ---- threads, with the mutex held */

static bool wait_for_task(struct sl_bounded_threads *t) {
    const int64_t until = sl_clock_ns() + IDLE_NS;
    t->n_idle++;
    while (!t->first && !t->is_freed && sl_condition_wait_until(&t->added, &t->mutex, until)) {}
    t->n_idle--;
    return t->first != NULL;
}

static void run_first(struct sl_bounded_threads *t, struct bounded_member *m) {
    struct bounded_task *task = t->first;
    t->first = task->next;
    if (!task->next) t->end = &t->first;
    t->n_queued--;
    m->n_begun++;
    m->is_busy = true;
    sl_mutex_unlock(&t->mutex);
    task->fn(task->arg);
    sl_free(task);
    sl_mutex_lock(&t->mutex);
    m->is_busy = false;
    t->ended_ns = sl_clock_ns();
}

/* Whether this thread is one too many: those whose places it took wait no more. */
static bool is_surplus(struct sl_bounded_threads *t) {
    if (!t->n_surplus) return false;
    t->n_surplus--;
    return true;
}

static void work(void *arg) {
    struct bounded_member *m = arg;
    struct sl_bounded_threads *t = m->all;
    sl_thread_detach_self();
    sl_mutex_lock(&t->mutex);
    know_self(m);
    while ((t->first && !m->n_begun) || (!is_surplus(t) && (t->first || wait_for_task(t)))) run_first(t, m);
    *m->at = m->next;
    if (m->next) m->next->at = m->at;
    t->n_members--;
    release(t);
    sl_free(m);
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
    unsigned n_waiting = 0;
    for (struct bounded_member *m = t->members; m; m = m->next) n_waiting += has_waited(m);
    unsigned n_active = t->n_members - n_waiting, wanted = 0;
    t->n_surplus = n_active > t->most ? n_active - t->most : 0;
    if (n_active < t->most) wanted = t->most - n_active;
    else if (sl_clock_ns() - t->ended_ns > STUCK_NS) wanted = 1;
    if (wanted > t->n_queued) wanted = t->n_queued;
    if (wanted) t->ended_ns = sl_clock_ns();
    while (wanted-- && add_thread(t)) {}
}

static void watch(void *arg) {
    struct sl_bounded_threads *t = arg;
    sl_thread_detach_self();
    int64_t pause = LOOK_NS, queued_ns = sl_clock_ns();
    sl_mutex_lock(&t->mutex);
    for (;;) {
        const int64_t until = sl_clock_ns() + pause;
        while (!t->is_freed && sl_condition_wait_until(&t->look, &t->mutex, until)) {}
        const int64_t begun = sl_clock_ns();
        if (t->n_queued) queued_ns = begun;
        if (begun - queued_ns > IDLE_NS || (t->is_freed && !t->n_queued)) break;
        if (t->n_queued) look(t);
        pause = (sl_clock_ns() - begun) * LOOK_SHARE;
        if (pause < LOOK_NS) pause = LOOK_NS;
        if (t->is_freed) { /* nobody wakes it any more */
            sl_mutex_unlock(&t->mutex);
            nanosleep(&(struct timespec){.tv_nsec = LOOK_NS}, NULL);
            sl_mutex_lock(&t->mutex);
        }
    }
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
    t->end = &t->first;
    t->most = most ? most : 1;
    t->holders = 1;
    *out = t;
    return SL_OK;
}

/* With the mutex held: a thread for the task that has been added. False when there is none at all. */
static bool provide_thread(struct sl_bounded_threads *t) {
    if (t->n_idle >= t->n_queued) {
        sl_condition_signal(&t->added);
        return true;
    }
    if (t->n_members < t->most && add_thread(t)) return true;
    if (t->n_queued == 1) t->ended_ns = sl_clock_ns();
    provide_watcher(t);
    return t->n_members > 0;
}

void sl_bounded_threads_run(struct sl_bounded_threads *t, void (*fn)(void *arg), void *arg) {
    struct bounded_task *task = sl_malloc(sizeof *task);
    bool is_left = task != NULL;
    if (task) {
        *task = (struct bounded_task){fn, arg, NULL};
        sl_mutex_lock(&t->mutex);
        *t->end = task;
        t->end = &task->next;
        t->n_queued++;
        is_left = provide_thread(t);
        if (!is_left) { /* nobody else has any part of the queue */
            t->first = NULL;
            t->end = &t->first;
            t->n_queued = 0;
        }
        sl_mutex_unlock(&t->mutex);
    }
    if (is_left) return;
    sl_free(task);
    fn(arg);
}

void sl_bounded_threads_free(struct sl_bounded_threads *t) {
    if (!t) return;
    sl_mutex_lock(&t->mutex);
    t->is_freed = true;
    sl_condition_broadcast(&t->added);
    sl_condition_broadcast(&t->look);
    release(t);
}
