/* What rarely happens to a queue of ready nodes: it grows, or gives some away. Nodes keep their order. */
#include "exec/ready_queue.h"

#include <string.h>

#include "base/alloc.h"

enum { LEAST_CAP = 64 };

/* The first `n` nodes, in order. */
static void copy_out(struct sl_ready_node *to, const struct sl_ready_queue *q, size_t n) {
    size_t straight = q->cap - q->first < n ? q->cap - q->first : n;
    if (straight) memcpy(to, q->items + q->first, straight * sizeof *to);
    if (n > straight) memcpy(to + straight, q->items, (n - straight) * sizeof *to);
}

int sl_ready_reserve(struct sl_ready_queue *q, size_t more) {
    size_t cap = q->cap ? q->cap : LEAST_CAP;
    if (q->n + more <= q->cap) return 0;
    while (cap < q->n + more) cap *= 2;
    struct sl_ready_node *items = sl_malloc(cap * sizeof *items);
    if (!items) return -1;
    copy_out(items, q, q->n);
    sl_free(q->items);
    q->items = items;
    q->first = 0;
    q->cap = cap;
    return 0;
}

int sl_ready_move(struct sl_ready_queue *to, struct sl_ready_queue *from, size_t n) {
    if (to->n == 0 && n == from->n) { /* all: the two change places */
        struct sl_ready_queue all = *from;
        *from = *to;
        *to = all;
        return 0;
    }
    if (sl_ready_reserve(to, n)) return -1;
    for (size_t i = 0; i < n; i++) to->items[(to->first + to->n++) & (to->cap - 1)] = sl_ready_pop(from);
    return 0;
}

void sl_ready_free(struct sl_ready_queue *q) {
    sl_free(q->items);
    *q = (struct sl_ready_queue){0};
}
