/* An event loop: one thread that waits for sockets, timers and what other threads post, and calls back.
 *
 *   run: ── wait until something is ready, a timer is due, or somebody posts ──► call back, each once ──┐
 *         ▲────────────────────────────────────────────────────────────────────────────────────────────┘ until stop
 *
 * Watches, timers and tasks are their owners' memory; the loop allocates only its lists. Callbacks may do anything,
 * also end what they are called for. What they do to the loop shows in the next round, so nobody is starved.
 * Threads: post and stop from any, everything else from within `run` or while it does not run. A forked child has no
 * loops: it must not touch those of its parent. */
#ifndef SL_OS_EVENT_LOOP_H
#define SL_OS_EVENT_LOOP_H

#include "os/poller.h"
#include "os/timer_heap.h"

struct sl_event_loop;
/* `is_portable`: waits by poll on every system. */
sl_code sl_event_loop_new(struct sl_event_loop **out, bool is_portable, struct sl_error *err);
/* Does not run. Watches and timers are simply forgotten; tasks that were posted and did not run are run. NULL is
 * fine. */
void sl_event_loop_free(struct sl_event_loop *loop);

/* Until somebody calls stop; at once when somebody has. FAILED_PRECONDITION in a forked child. */
sl_code sl_event_loop_run(struct sl_event_loop *loop, struct sl_error *err);
/* The round that runs is the last; what was posted before runs in it. */
void sl_event_loop_stop(struct sl_event_loop *loop);
/* One round, for threads that run it in turns, of which one has it at a time. False: stop was called, it was the last. */
bool sl_event_loop_round(struct sl_event_loop *loop);

/* ---- work from other threads */
struct sl_loop_task {
    void (*run)(struct sl_loop_task *task); /* the memory is the owner's again */
    struct sl_loop_task *next;              /* of the loop */
};
/* Runs once on the loop's thread, in the order of posting. */
void sl_event_loop_post(struct sl_event_loop *loop, struct sl_loop_task *task);

/* ---- descriptors. Set `fd`, `ready` and `arg`, zero the rest. */
struct sl_loop_watch {
    int fd;
    void (*ready)(void *arg, unsigned what); /* what of enum sl_poll_what; told each round while it lasts */
    void *arg;
    bool is_watched; /* of the loop */
};
/* Watches for `what` from now on, instead of what it was watched for before. */
sl_code sl_event_loop_watch(struct sl_event_loop *loop, struct sl_loop_watch *watch, unsigned what,
                            struct sl_error *err);
/* Before the descriptor is closed: `ready` is not called any more. One that is not watched is fine. */
void sl_event_loop_unwatch(struct sl_event_loop *loop, struct sl_loop_watch *watch);

/* ---- timers (timer_heap.h). They fire once, at that time of sl_clock_ns or up to a millisecond later. */
sl_code sl_event_loop_set_timer(struct sl_event_loop *loop, struct sl_timer *timer, int64_t at_ns,
                                struct sl_error *err);
void sl_event_loop_cancel_timer(struct sl_event_loop *loop, struct sl_timer *timer);

#endif
