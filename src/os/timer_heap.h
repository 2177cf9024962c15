/* Timers in order of time: a heap that holds timers of their owners' memory. Setting and cancelling take the
 * logarithm of how many are set. One owner. */
#ifndef SL_OS_TIMER_HEAP_H
#define SL_OS_TIMER_HEAP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

/* Zero-initialise it, set `fire` and `arg`; stays where it is while it is set. */
struct sl_timer {
    void (*fire)(void *arg);
    void *arg;
    /* of the heap */
    int64_t at_ns;
    uint64_t order; /* of setting: equal times fire in it */
    size_t place;   /* in the heap, from 1; 0: not set */
};

/* Zero-initialise it; sl_vec_free(&heap.timers) at the end. */
struct sl_timer_heap {
    SL_VEC(struct sl_timer *) timers;
    uint64_t n_set; /* ever */
};

/* At this time of sl_clock_ns; one that is set already is moved. 0, or -1 when memory is out (it is then as before). */
int sl_timer_heap_set(struct sl_timer_heap *heap, struct sl_timer *timer, int64_t at_ns);
void sl_timer_heap_cancel(struct sl_timer_heap *heap, struct sl_timer *timer); /* one that is not set is fine */
/* The earliest, or NULL. */
static inline struct sl_timer *sl_timer_heap_first(const struct sl_timer_heap *heap) {
    return heap->timers.n ? heap->timers.items[0] : NULL;
}
static inline bool sl_timer_is_set(const struct sl_timer *timer) { return timer->place != 0; }

#endif
