/* A queue, and threads that take from it. A task is left to a thread that is idle, or a new thread is started for it, so
 * none waits behind another. */
#include "os/task_threads.h"

#include "base/alloc.h"
#include "os/clock.h"
#include "os/mutex.h"
#include "os/thread.h"

enum { IDLE_SECONDS = 1 };

struct task {
    void (*fn)(void *arg);
    void *arg;
    struct task *next;
};
static struct {
    struct sl_mutex mutex; /* guards all */
    struct sl_condition added;
    struct task *first, **end;
    int queued, idle; /* idle: threads that wait for a task, also those that one was left to */
    bool listens;     /* to forks */
} threads = {.mutex = SL_MUTEX_INIT, .added = SL_CONDITION_INIT, .end = &threads.first};

/* With the mutex held. False when there was nothing for a second. */
static bool wait_for_task(void) {
    const int64_t until = sl_clock_ns() + IDLE_SECONDS * INT64_C(1000000000);
    threads.idle++;
    while (!threads.first && sl_condition_wait_until(&threads.added, &threads.mutex, until)) {}
    threads.idle--;
    return threads.first != NULL;
}

static void work(void *arg) {
    sl_thread_detach_self();
    sl_mutex_lock(&threads.mutex);
    while (threads.first || wait_for_task()) {
        struct task *task = threads.first;
        threads.first = task->next;
        if (!task->next) threads.end = &threads.first;
        threads.queued--;
        sl_mutex_unlock(&threads.mutex);
        task->fn(task->arg);
        sl_free(task);
        sl_mutex_lock(&threads.mutex);
    }
    sl_mutex_unlock(&threads.mutex);
    sl_free(arg);
}

static void prepare_fork(void) { sl_mutex_lock(&threads.mutex); }
static void parent_forked(void) { sl_mutex_unlock(&threads.mutex); }
static void child_forked(void) {
    sl_mutex_init(&threads.mutex);
    sl_condition_init(&threads.added);
    threads.first = NULL;
    threads.end = &threads.first;
    threads.queued = threads.idle = 0;
}

/* With the mutex held: a thread for the task that is being added, if no idle one is left for it. */
static bool provide_thread(void) {
    if (!threads.listens) threads.listens = pthread_atfork(prepare_fork, parent_forked, child_forked) == 0;
    if (threads.idle > threads.queued) return true;
    struct sl_thread *thread = sl_malloc(sizeof *thread);
    if (thread && sl_thread_start(thread, "sluice-task", 0, work, thread, NULL) == SL_OK) return true;
    sl_free(thread);
    return false;
}

void sl_task_threads_run(void (*fn)(void *arg), void *arg) {
    struct task *task = sl_malloc(sizeof *task);
    bool is_left = false;
    if (task) {
        *task = (struct task){fn, arg, NULL};
        sl_mutex_lock(&threads.mutex);
        is_left = provide_thread();
        if (is_left) {
            *threads.end = task;
            threads.end = &task->next;
            threads.queued++;
            sl_condition_signal(&threads.added);
        }
        sl_mutex_unlock(&threads.mutex);
    }
    if (is_left) return;
    sl_free(task);
    fn(arg);
}
