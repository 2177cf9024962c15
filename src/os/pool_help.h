/* How a pool behaves on processors that other processes want too. There the system stops a helper in the middle of a part,
 * for milliseconds, and the caller waits for that part. A thread that has slept gets a processor sooner than one that has
 * spun, so the first remedy is that nobody spins; the second is that fewer workers help with a job.
 *
 *   calm:  idle workers and waiting callers spin for a while, every worker may help
 *     │ a helper was put aside while its caller waited                  ▲
 *     ▼                                                                 │ the pause is over, all workers help
 *   busy:  nobody spins ──► it happened again: a quarter fewer help, at least one, if since the last change callers
 *                           waited longer for such helpers than these computed; the pause is twice as long, and begins anew
 *                      ──► the pause is over: one more
 *
 * Which thread works on a part never changes a result. Thread-safe; `now` is sl_clock_ns, so that a test may say what
 * time it is. */
#ifndef SL_OS_POOL_HELP_H
#define SL_OS_POOL_HELP_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    SL_POOL_HELP_PAUSE_NS = 16000000,       /* the first pause */
    SL_POOL_HELP_PAUSE_MOST_NS = 512000000, /* the longest */
    SL_POOL_HELP_LATE_NS = 200000           /* being put aside for less is no reason */
};

struct sl_pool_help {
    _Atomic bool is_busy;
    _Atomic int most;                  /* helpers of a job; all workers unless busy */
    _Atomic int64_t pause_ns;          /* the last pause; 0: there was none */
    _Atomic int64_t changed_ns;        /* when the pause began */
    _Atomic int64_t given_ns, lost_ns; /* since then: what helpers computed, what callers waited for them */
};

void sl_pool_help_init(struct sl_pool_help *help, int workers);
static inline bool sl_pool_help_is_busy(const struct sl_pool_help *help) {
    return atomic_load_explicit(&help->is_busy, memory_order_relaxed);
}
/* Helpers that a job may have which begins now. */
int sl_pool_help_most(struct sl_pool_help *help, int workers, int64_t now);
/* A helper computed so long for a job. To be told while the pool is busy. */
void sl_pool_help_gave(struct sl_pool_help *help, int64_t ns);
/* A helper that began at `since` was put aside, and its caller waited `lost` ns for that. Many jobs may tell of the same
 * moment: those that began before the last change change nothing. */
void sl_pool_help_was_late(struct sl_pool_help *help, int64_t since, int64_t now, int64_t lost);

#endif
