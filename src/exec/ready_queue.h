/* A queue of ready nodes, first in, first out: a ring that grows. Zero-initialise it. Threads: only the worker that it
 * belongs to, or, for the step's own queue, who holds the step's lock. Internal to the room. */
#ifndef SL_EXEC_READY_QUEUE_H
#define SL_EXEC_READY_QUEUE_H

#include <stdbool.h>
#include <stddef.h>

struct sl_token_node;
struct sl_live_frame;
struct sl_iteration;

struct sl_ready_node {
    const struct sl_token_node *node;
    struct sl_live_frame *frame;
    struct sl_iteration *iteration;
    bool is_dead;
};

struct sl_ready_queue {
    struct sl_ready_node *items;
    size_t first, n, cap; /* cap: 0 or a power of two */
};

/* Room for `more` further nodes: 0, or -1 when memory is out. */
int sl_ready_reserve(struct sl_ready_queue *q, size_t more);
/* The first `n` nodes of `from` behind those of `to`: 0, or -1 when memory is out (nothing is moved then). */
int sl_ready_move(struct sl_ready_queue *to, struct sl_ready_queue *from, size_t n);
void sl_ready_free(struct sl_ready_queue *q);

/* 0, or -1 when memory is out. */
static inline int sl_ready_push(struct sl_ready_queue *q, struct sl_ready_node node) {
    if (q->n == q->cap && sl_ready_reserve(q, 1)) return -1;
    q->items[(q->first + q->n++) & (q->cap - 1)] = node;
    return 0;
}

/* The i-th from the front; it exists. */
static inline const struct sl_ready_node *sl_ready_at(const struct sl_ready_queue *q, size_t i) {
    return &q->items[(q->first + i) & (q->cap - 1)];
}

/* The first; there is one. */
static inline struct sl_ready_node sl_ready_pop(struct sl_ready_queue *q) {
    struct sl_ready_node node = q->items[q->first];
    q->first = (q->first + 1) & (q->cap - 1);
    q->n--;
    return node;
}

#endif
