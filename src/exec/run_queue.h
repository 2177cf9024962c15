/* A run queue: the parts of one step that have something to do, and the workers that run them.
 *
 *   sl_run_queue_add ──► queue ──► a worker runs the task
 *
 * While the work is light there is one worker: a part that gets something to do waits in the queue until that
 * worker has nothing else to do. More workers come from the pool when there is heavy work. Thread-safe. */
#ifndef SL_EXEC_RUN_QUEUE_H
#define SL_EXEC_RUN_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/cancellation.h"
#include "os/pool.h"

/* Something to run. In the queue once at most; out of it when `run` is called. */
struct sl_run_task {
    void (*run)(struct sl_run_task *task);
    struct sl_run_task *next;
};

struct sl_run_queue;
/* NULL when memory is out. `pool` may be NULL. One reference; it has no workers. */
struct sl_run_queue *sl_run_queue_new(struct sl_pool *pool);
struct sl_run_queue *sl_run_queue_ref(struct sl_run_queue *queue);
void sl_run_queue_unref(struct sl_run_queue *queue);

/* The caller counts as a worker until it has called either sl_run_queue_wait or sl_run_queue_drain, once. */
void sl_run_queue_enter(struct sl_run_queue *queue);
/* Puts a task into the queue; other locks may be held. True: nobody is there to run it, and the caller must call
 * sl_run_queue_drain, with no lock held (and a reference of its own). */
bool sl_run_queue_add(struct sl_run_queue *queue, struct sl_run_task *task);
/* Whether tasks wait for their turn; may be over when the caller reads it. */
bool sl_run_queue_has_tasks(const struct sl_run_queue *queue);
/* The caller begins something long: asks the pool for another worker when tasks wait. No lock held. */
void sl_run_queue_ask_help(struct sl_run_queue *queue);
/* Runs tasks until none is left. By a worker that has entered, or whom sl_run_queue_add has told. */
void sl_run_queue_drain(struct sl_run_queue *queue);
/* The same, by one thread of a step, until sl_run_queue_end has been called. `cancellation` may be NULL; when its
 * deadline passes meanwhile, this starts it, which ends all waits. */
void sl_run_queue_wait(struct sl_run_queue *queue, struct sl_cancellation *cancellation);
/* All is done: sl_run_queue_wait returns. */
void sl_run_queue_end(struct sl_run_queue *queue);

#endif
