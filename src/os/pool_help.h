/* How many workers may help with one job of a pool: as many as helped lately without being put aside. On a processor that
 * other processes want too, the system stops a helper in the middle of a part, for milliseconds, and the caller waits for
 * that part: then fewer helpers are faster, and on a very busy machine none.
 *
 *   a helper was put aside while its caller waited ──► a quarter fewer, at least one; nothing changes during a pause,
 *                                                      which is twice as long each time
 *   the pause is over ──► one more
 *
 * Which thread works on a part never changes a result. Thread-safe; `now` is sl_clock_ns, so that a test may say what
 * time it is. */
#ifndef SL_OS_POOL_HELP_H
#define SL_OS_POOL_HELP_H

#include <stdatomic.h>
#include <stdint.h>

enum {
    SL_POOL_HELP_PAUSE_NS = 16000000,       /* the first pause */
    SL_POOL_HELP_PAUSE_MOST_NS = 512000000, /* the longest */
    SL_POOL_HELP_LATE_NS = 200000           /* being put aside for less is no reason */
};

struct sl_pool_help {
    _Atomic int most;           /* helpers of a job */
    _Atomic int64_t pause_ns;   /* the last pause; 0: there was none */
    _Atomic int64_t changed_ns; /* when `most` was last changed */
};

void sl_pool_help_init(struct sl_pool_help *help, int workers);
/* Helpers that a job may have which begins now. */
int sl_pool_help_most(struct sl_pool_help *help, int workers, int64_t now);
/* A helper that began at `since` was put aside, and its caller waited. Many jobs may tell of the same moment: those that
 * began before the last change change nothing. */
void sl_pool_help_was_late(struct sl_pool_help *help, int64_t since, int64_t now);

#endif
