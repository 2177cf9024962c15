/* Whose turn it is. A thread counts as at work until it finds the list empty, under the lock: so a task that is added while one is at work will
 * be found. Threads of the pool that are sent for do not count before they come, for they may come late. */
#include "exec/crew.h"

#include <stdatomic.h>

#include "base/alloc.h"
#include "os/mutex.h"

struct sl_crew {
    struct sl_mutex mutex;
    struct sl_condition news;
    struct sl_crew_task *first, **last;
    struct sl_pool *pool;
    atomic_int n_tasks;
    int references;
    int at_work, sent_for;    /* threads */
    bool is_waiting, is_over; /* waiting: the waiter sleeps */
};

struct sl_crew *sl_crew_new(struct sl_pool *pool) {
    struct sl_crew *crew = sl_calloc(1, sizeof *crew);
    if (!crew) return NULL;
    sl_mutex_init(&crew->mutex);
    sl_condition_init(&crew->news);
    crew->last = &crew->first;
    crew->pool = pool;
    crew->references = 1;
    return crew;
}

struct sl_crew *sl_crew_ref(struct sl_crew *crew) {
    sl_mutex_lock(&crew->mutex);
    crew->references++;
    sl_mutex_unlock(&crew->mutex);
    return crew;
}

void sl_crew_unref(struct sl_crew *crew) {
    sl_mutex_lock(&crew->mutex);
    bool is_last = --crew->references == 0;
    sl_mutex_unlock(&crew->mutex);
    if (!is_last) return;
    sl_condition_clear(&crew->news);
    sl_mutex_clear(&crew->mutex);
    sl_free(crew);
}

void sl_crew_come(struct sl_crew *crew) {
    sl_mutex_lock(&crew->mutex);
    crew->at_work++;
    sl_mutex_unlock(&crew->mutex);
}

static void wake_locked(struct sl_crew *crew) {
    crew->is_waiting = false;
    crew->at_work++;
    sl_condition_signal(&crew->news);
}

bool sl_crew_add(struct sl_crew *crew, struct sl_crew_task *task) {
    sl_mutex_lock(&crew->mutex);
    task->next = NULL;
    *crew->last = task;
    crew->last = &task->next;
    atomic_fetch_add_explicit(&crew->n_tasks, 1, memory_order_relaxed);
    bool must_drive = !crew->at_work && !crew->is_waiting;
    if (must_drive) crew->at_work++;
    else if (!crew->at_work) wake_locked(crew);
    sl_mutex_unlock(&crew->mutex);
    return must_drive;
}

bool sl_crew_has_tasks(const struct sl_crew *crew) {
    return atomic_load_explicit(&crew->n_tasks, memory_order_relaxed) > 0;
}

/* Leaves with the list empty. With the lock held, before and after. */
static void drive_locked(struct sl_crew *crew) {
    while (crew->first) {
        struct sl_crew_task *task = crew->first;
        crew->first = task->next;
        if (!crew->first) crew->last = &crew->first;
        atomic_fetch_sub_explicit(&crew->n_tasks, 1, memory_order_relaxed);
        sl_mutex_unlock(&crew->mutex);
        task->run(task);
        sl_mutex_lock(&crew->mutex);
    }
    crew->at_work--;
}

void sl_crew_drive(struct sl_crew *crew) {
    sl_mutex_lock(&crew->mutex);
    drive_locked(crew);
    sl_mutex_unlock(&crew->mutex);
}

static void relief(void *arg) {
    struct sl_crew *crew = arg;
    sl_mutex_lock(&crew->mutex);
    crew->sent_for--;
    crew->at_work++;
    drive_locked(crew);
    sl_mutex_unlock(&crew->mutex);
    sl_crew_unref(crew);
}

void sl_crew_relieve(struct sl_crew *crew) {
    if (!sl_crew_has_tasks(crew)) return;
    sl_mutex_lock(&crew->mutex);
    bool is_needed =
        crew->first && !crew->is_waiting && crew->pool && crew->at_work + crew->sent_for < sl_pool_threads(crew->pool);
    if (is_needed) {
        crew->sent_for++;
        crew->references++;
    } else if (crew->first && crew->is_waiting) {
        wake_locked(crew);
    }
    sl_mutex_unlock(&crew->mutex);
    if (is_needed) sl_pool_submit(crew->pool, relief, crew);
}

void sl_crew_wait(struct sl_crew *crew, struct sl_cancellation *cancellation) {
    int64_t deadline = cancellation ? sl_cancellation_deadline(cancellation) : 0;
    sl_mutex_lock(&crew->mutex);
    for (;;) {
        drive_locked(crew);
        if (crew->is_over) break;
        crew->is_waiting = true;
        while (crew->is_waiting) {
            if (!deadline) {
                sl_condition_wait(&crew->news, &crew->mutex);
            } else if (!sl_condition_wait_until(&crew->news, &crew->mutex, deadline)) {
                deadline = 0;
                sl_mutex_unlock(&crew->mutex);
                sl_cancellation_is_on(cancellation);
                sl_mutex_lock(&crew->mutex);
            }
        }
    }
    sl_mutex_unlock(&crew->mutex);
}

void sl_crew_end(struct sl_crew *crew) {
    sl_mutex_lock(&crew->mutex);
    crew->is_over = true;
    if (crew->is_waiting) wake_locked(crew);
    sl_mutex_unlock(&crew->mutex);
}
