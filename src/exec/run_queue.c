/* Which worker runs which task. A worker counts as at work until it finds the queue empty, under the lock. So a task
 * that is added while a worker is at work will be run. A thread of the pool counts from when it enters, as it may come
 * late. */
#include "exec/run_queue.h"

#include <stdatomic.h>

#include "base/alloc.h"
#include "os/mutex.h"

struct sl_run_queue {
    struct sl_mutex mutex;
    struct sl_condition changed;
    struct sl_run_task *first, **last;
    struct sl_pool *pool;
    atomic_int n_tasks;
    int references;
    int at_work, asked_for;   /* workers, and threads of the pool that will become some */
    bool is_waiting, is_over; /* waiting: the waiter sleeps */
};

struct sl_run_queue *sl_run_queue_new(struct sl_pool *pool) {
    struct sl_run_queue *queue = sl_calloc(1, sizeof *queue);
    if (!queue) return NULL;
    sl_mutex_init(&queue->mutex);
    sl_condition_init(&queue->changed);
    queue->last = &queue->first;
    queue->pool = pool;
    queue->references = 1;
    return queue;
}

struct sl_run_queue *sl_run_queue_ref(struct sl_run_queue *queue) {
    sl_mutex_lock(&queue->mutex);
    queue->references++;
    sl_mutex_unlock(&queue->mutex);
    return queue;
}

void sl_run_queue_unref(struct sl_run_queue *queue) {
    sl_mutex_lock(&queue->mutex);
    bool is_last = --queue->references == 0;
    sl_mutex_unlock(&queue->mutex);
    if (!is_last) return;
    sl_condition_clear(&queue->changed);
    sl_mutex_clear(&queue->mutex);
    sl_free(queue);
}

void sl_run_queue_enter(struct sl_run_queue *queue) {
    sl_mutex_lock(&queue->mutex);
    queue->at_work++;
    sl_mutex_unlock(&queue->mutex);
}

static void wake_locked(struct sl_run_queue *queue) {
    queue->is_waiting = false;
    queue->at_work++;
    sl_condition_signal(&queue->changed);
}

bool sl_run_queue_add(struct sl_run_queue *queue, struct sl_run_task *task) {
    sl_mutex_lock(&queue->mutex);
    task->next = NULL;
    *queue->last = task;
    queue->last = &task->next;
    atomic_fetch_add_explicit(&queue->n_tasks, 1, memory_order_relaxed);
    bool must_drain = !queue->at_work && !queue->is_waiting;
    if (must_drain) queue->at_work++;
    else if (!queue->at_work) wake_locked(queue);
    sl_mutex_unlock(&queue->mutex);
    return must_drain;
}

bool sl_run_queue_has_tasks(const struct sl_run_queue *queue) {
    return atomic_load_explicit(&queue->n_tasks, memory_order_relaxed) > 0;
}

/* Leaves with the queue empty. With the lock held, before and after. */
static void drain_locked(struct sl_run_queue *queue) {
    while (queue->first) {
        struct sl_run_task *task = queue->first;
        queue->first = task->next;
        if (!queue->first) queue->last = &queue->first;
        atomic_fetch_sub_explicit(&queue->n_tasks, 1, memory_order_relaxed);
        sl_mutex_unlock(&queue->mutex);
        task->run(task);
        sl_mutex_lock(&queue->mutex);
    }
    queue->at_work--;
}

void sl_run_queue_drain(struct sl_run_queue *queue) {
    sl_mutex_lock(&queue->mutex);
    drain_locked(queue);
    sl_mutex_unlock(&queue->mutex);
}

static void help(void *arg) {
    struct sl_run_queue *queue = arg;
    sl_mutex_lock(&queue->mutex);
    queue->asked_for--;
    queue->at_work++;
    drain_locked(queue);
    sl_mutex_unlock(&queue->mutex);
    sl_run_queue_unref(queue);
}

void sl_run_queue_ask_help(struct sl_run_queue *queue) {
    if (!sl_run_queue_has_tasks(queue)) return;
    sl_mutex_lock(&queue->mutex);
    bool is_needed = queue->first && !queue->is_waiting && queue->pool &&
                     queue->at_work + queue->asked_for < sl_pool_threads(queue->pool);
    if (is_needed) {
        queue->asked_for++;
        queue->references++;
    } else if (queue->first && queue->is_waiting) {
        wake_locked(queue);
    }
    sl_mutex_unlock(&queue->mutex);
    if (is_needed) sl_pool_submit(queue->pool, help, queue);
}

void sl_run_queue_wait(struct sl_run_queue *queue, struct sl_cancellation *cancellation) {
    int64_t deadline = cancellation ? sl_cancellation_deadline(cancellation) : 0;
    sl_mutex_lock(&queue->mutex);
    for (;;) {
        drain_locked(queue);
        if (queue->is_over) break;
        queue->is_waiting = true;
        while (queue->is_waiting) {
            if (!deadline) {
                sl_condition_wait(&queue->changed, &queue->mutex);
            } else if (!sl_condition_wait_until(&queue->changed, &queue->mutex, deadline)) {
                deadline = 0;
                sl_mutex_unlock(&queue->mutex);
                sl_cancellation_is_on(cancellation);
                sl_mutex_lock(&queue->mutex);
            }
        }
    }
    sl_mutex_unlock(&queue->mutex);
}

void sl_run_queue_end(struct sl_run_queue *queue) {
    sl_mutex_lock(&queue->mutex);
    queue->is_over = true;
    if (queue->is_waiting) wake_locked(queue);
    sl_mutex_unlock(&queue->mutex);
}
