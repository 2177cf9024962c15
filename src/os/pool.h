/* The thread pool: one per process (`sl_pool_shared`), others for sessions that ask for their own.
 *
 * Two services. `sl_pool_submit` runs a task some time soon on a worker. `sl_pool_parallel` splits one piece of work
 * into fixed parts, on the caller and on whoever is idle. Workers start when first needed, spin shortly when idle
 * (SLUICE_SPIN_US) and then sleep. All functions are thread-safe and may be called from tasks and parts.
 *
 * fork: the child's pools have no workers and no queued tasks; workers start again when needed. A child forked
 * inside a task or part must not return into it. */
#ifndef SL_OS_POOL_H
#define SL_OS_POOL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

enum { SL_POOL_THREADS_MAX = 257 };

struct sl_pool; /* shared: counted references */

/* A pool for `threads` threads that work at once, the caller's thread being one: `threads - 1` workers. 0 or 1: no
 * workers, everything runs on the caller. More than SL_POOL_THREADS_MAX is cut. Negative: INVALID_ARGUMENT. No
 * thread is started here. The caller owns one reference. */
sl_code sl_pool_create(struct sl_pool **pool, int threads, struct sl_error *err);
/* One more reference; returns `pool`. */
struct sl_pool *sl_pool_ref(struct sl_pool *pool);
/* Gives a reference back. The last one runs what is still queued and joins the workers (but a worker of the pool may
 * drop the last one, too: then the pool ends after that task). NULL is fine. */
void sl_pool_unref(struct sl_pool *pool);

/* The process-wide pool, made by the first call: SLUICE_THREADS threads, or `sl_cpu_count()`. Borrowed; never freed;
 * ref and unref do nothing to it. Never NULL. */
struct sl_pool *sl_pool_shared(void);

/* Threads that can work at once, the caller's included; at least 1. Whether they have been started does not matter. */
int sl_pool_threads(const struct sl_pool *pool);
/* Worker threads running now. For tests and statistics. */
int sl_pool_started(const struct sl_pool *pool);
/* Workers that may help with a job: fewer while the system puts them aside for other processes (pool_help.h). For tests
 * and statistics. */
int sl_pool_helpers(const struct sl_pool *pool);
/* True on a worker thread of `pool`. */
bool sl_pool_is_worker(const struct sl_pool *pool);

/* Runs `fn(arg)` once, on a worker, roughly first in, first out. Never fails and does not wait: with no worker to be
 * had, or no memory to queue the task, `fn` runs on this thread, as a rule before the call returns (calls nested
 * more than a few levels deep run when the outer task has ended, still on this thread). Everything written before
 * the call is visible to the task. */
void sl_pool_submit(struct sl_pool *pool, void (*fn)(void *arg), void *arg);

/* Runs `fn(arg, part)` for every part in 0 … parts-1, each once, in any order and on any thread, this one included;
 * returns when all are done. The number of parts is the caller's and must not depend on the number of threads, so
 * that results never do. Waits for nothing but its own parts; allocates nothing; nests. Costs about 1 µs when
 * workers spin, and nothing but the calls with `parts` <= 1 or without workers. Writes of the parts are visible
 * after the call. */
void sl_pool_parallel(struct sl_pool *pool, int64_t parts, void (*fn)(void *arg, int64_t part), void *arg);
enum sl_pool_manner {
    /* Only workers that are awake take part: for work that would be done before a sleeping one came. */
    SL_POOL_AWAKE = 1,
    /* Parts are long and share out work themselves. The caller, which holds no lock, helps with that work when no part
     * is left for it. */
    SL_POOL_LONG = 2
};
/* The same in some of these manners. */
void sl_pool_parallel_as(struct sl_pool *pool, int64_t parts, void (*fn)(void *arg, int64_t part), void *arg,
                         unsigned manner);

#endif
