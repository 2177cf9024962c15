/* A binary heap whose members know their places. */
#include "os/timer_heap.h"

static bool is_earlier(const struct sl_timer *a, const struct sl_timer *b) {
    return a->at_ns != b->at_ns ? a->at_ns < b->at_ns : a->order < b->order;
}

static void put(struct sl_timer_heap *heap, size_t i, struct sl_timer *timer) {
    heap->timers.items[i] = timer;
    timer->place = i + 1;
}

/* Finds the place of `timer`, from the free place `i` on, up or down. */
static void settle(struct sl_timer_heap *heap, size_t i, struct sl_timer *timer) {
    struct sl_timer **items = heap->timers.items;
    for (; i && is_earlier(timer, items[(i - 1) / 2]); i = (i - 1) / 2) put(heap, i, items[(i - 1) / 2]);
    for (size_t child; (child = 2 * i + 1) < heap->timers.n; i = child) {
        if (child + 1 < heap->timers.n && is_earlier(items[child + 1], items[child])) child++;
        if (!is_earlier(items[child], timer)) break;
        put(heap, i, items[child]);
    }
    put(heap, i, timer);
}

int sl_timer_heap_set(struct sl_timer_heap *heap, struct sl_timer *timer, int64_t at_ns) {
    if (!timer->place) {
        if (sl_vec_push(&heap->timers, timer)) return -1;
        timer->place = heap->timers.n;
    }
    timer->at_ns = at_ns;
    timer->order = heap->n_set++;
    settle(heap, timer->place - 1, timer);
    return 0;
}

void sl_timer_heap_cancel(struct sl_timer_heap *heap, struct sl_timer *timer) {
    if (!timer->place) return;
    size_t i = timer->place - 1;
    struct sl_timer *last = heap->timers.items[--heap->timers.n];
    timer->place = 0;
    if (last != timer) settle(heap, i, last);
}
