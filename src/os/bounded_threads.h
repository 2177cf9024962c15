/* Threads for tasks that compute and may wait, also for each other: no more of them compute at a time than a limit says;
 * what is beyond it queues, first come first served. Not counted are tasks that wait: while tasks queue, it is looked a
 * hundred times a second which threads have done nothing since; and some that have run for a tenth of a second, so that
 * short tasks go on beside long ones. When no task ends for that long one more begins, though it be beyond the limit: where
 * waiting cannot be seen, and against tasks that spin until another one has run. So each task has its turn.
 * (os/task_threads.h has no limit and no queue.)
 *
 * Urgent tasks, which mostly end others, go first and are not counted.
 *
 * Thread-safe. A forked child must not use those of its parent. */
#ifndef SL_OS_BOUNDED_THREADS_H
#define SL_OS_BOUNDED_THREADS_H

#include "base/error.h"

struct sl_bounded_threads;

/* `most` >= 1 compute at a time. No thread starts before the first task; one without work stays for a second. */
sl_code sl_bounded_threads_new(struct sl_bounded_threads **out, unsigned most, struct sl_error *err);
/* Runs `fn(arg)` once on one of them. With no thread or no memory to be had it runs on the caller's, before this
 * returns. Everything written before the call is visible to the task. */
void sl_bounded_threads_run(struct sl_bounded_threads *threads, void (*fn)(void *arg), void *arg);
/* The same for an urgent task. No task that is given later begins before it. */
void sl_bounded_threads_run_first(struct sl_bounded_threads *threads, void (*fn)(void *arg), void *arg);
/* No further tasks are given; those that were still run. Waits until the threads have ended, for a second at most, so that
 * what they have of other libraries goes before the process does. One of the tasks may call it; then it does not wait.
 * NULL is fine. */
void sl_bounded_threads_free(struct sl_bounded_threads *threads);

#endif
