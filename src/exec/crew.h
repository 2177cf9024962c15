/* A crew: the threads that take turns at the parts of one step, and the list of parts that have something to do.
 *
 *   sl_crew_add ──► list ──► a thread of the crew runs the task
 *
 * A crew does with one thread what one thread can do as fast: a part that is woken while a thread of the crew is at work waits until that
 * thread has nothing else to do. More threads come from the pool when there is heavy work. Thread-safe. */
#ifndef SL_EXEC_CREW_H
#define SL_EXEC_CREW_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/cancellation.h"
#include "os/pool.h"

/* A member of what is to be run. On the list once at most; off it when `run` is called. */
struct sl_crew_task {
    void (*run)(struct sl_crew_task *task);
    struct sl_crew_task *next;
};

struct sl_crew;
/* NULL when memory is out. `pool` may be NULL. One reference; nobody is at work. */
struct sl_crew *sl_crew_new(struct sl_pool *pool);
struct sl_crew *sl_crew_ref(struct sl_crew *crew);
void sl_crew_unref(struct sl_crew *crew);

/* The caller counts as a thread at work, until it has called either sl_crew_wait or sl_crew_drive, once. */
void sl_crew_come(struct sl_crew *crew);
/* Puts a task on the list; other locks may be held. True: nobody is there to run it, and the caller must call sl_crew_drive, with no lock held
 * (and a reference of its own). */
bool sl_crew_add(struct sl_crew *crew, struct sl_crew_task *task);
/* Whether tasks wait for their turn; may be over when the caller reads it. */
bool sl_crew_has_tasks(const struct sl_crew *crew);
/* The caller begins something long: sends for another thread when tasks wait. No lock held. */
void sl_crew_relieve(struct sl_crew *crew);
/* Runs tasks until none is left. By a thread that has come, or whom sl_crew_add has told. */
void sl_crew_drive(struct sl_crew *crew);
/* The same, by one thread, and waits until sl_crew_end has been called. When the cancellation's time is over (may be NULL) those that wait are told. */
void sl_crew_wait(struct sl_crew *crew, struct sl_cancellation *cancellation);
/* All is done: sl_crew_wait returns. */
void sl_crew_end(struct sl_crew *crew);

#endif
