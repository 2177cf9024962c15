/* Threads for tasks that may wait: for files, for queues, for each other. There are as many as there are such tasks at a
 * time; one without work stays for a second. (What computes goes to the pool, os/pool.h, which is bounded and whose tasks
 * must not wait.) Thread-safe. fork: the child has none, and no task that was begun; new ones start when needed. */
#ifndef SL_OS_TASK_THREADS_H
#define SL_OS_TASK_THREADS_H

/* Runs `fn(arg)` once on a thread of its own, at once or soon. With no thread or no memory to be had it runs on this
 * one, before the call returns. Everything written before the call is visible to the task. */
void sl_task_threads_run(void (*fn)(void *arg), void *arg);

#endif
