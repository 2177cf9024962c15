/* A heap of numbers: push any, pop the smallest. Zero-initialise it. One owner. */
#ifndef SL_BASE_HEAP_H
#define SL_BASE_HEAP_H

#include <stdint.h>

#include "base/vec.h"

struct sl_heap {
    uint32_t *items; /* items[0] is the smallest; the children of i are 2i + 1 and 2i + 2 */
    size_t n, cap;
};

/* 0, or -1 when memory is out (the heap is then unchanged). */
static inline int sl_heap_push(struct sl_heap *h, uint32_t number) {
    if (sl_vec_push(h, number)) return -1;
    size_t i = h->n - 1;
    for (; i && h->items[(i - 1) / 2] > number; i = (i - 1) / 2) h->items[i] = h->items[(i - 1) / 2];
    h->items[i] = number;
    return 0;
}

/* The smallest, which is removed. The heap must not be empty. */
static inline uint32_t sl_heap_pop(struct sl_heap *h) {
    uint32_t top = h->items[0], last = h->items[--h->n];
    size_t i = 0;
    for (size_t child; (child = 2 * i + 1) < h->n; i = child) {
        if (child + 1 < h->n && h->items[child + 1] < h->items[child]) child++;
        if (h->items[child] >= last) break;
        h->items[i] = h->items[child];
    }
    h->items[i] = last;
    return top;
}

#endif
