/* Collectives over tasks: what one task has for them. It offers its members' elements and asks the leader and the other
 * tasks, as kernel/collective_peers.h wants it; and it answers their calls.
 *
 *     few bytes:   one CompleteInstance, which brings everybody's elements
 *     many:        CompleteInstance; then each asks each for what it needs (RecvBuf)
 *     many, sums:  each task sums its own part of everybody's elements, and then asks for the other parts: 2 (n - 1) / n
 *                  times the elements go in and out of each task, as in a ring, but each element is summed in the order
 *                  of ranks */
#ifndef SL_DIST_COLLECTIVE_TASKS_H
#define SL_DIST_COLLECTIVE_TASKS_H

#include "dist/collective_buffers.h"
#include "dist/collective_leader.h"
#include "kernel/collective_peers.h"

struct sl_collectives {
    struct sl_collective_leader leader;
    struct sl_collective_buffers buffers;
    struct sl_collective_peers *peers; /* a reference */
};

sl_code sl_collectives_new(struct sl_collectives **out, struct sl_worker *worker, struct sl_error *err);
/* When calls to it have ended, and before the worker. NULL is fine, here and below. */
void sl_collectives_stop(struct sl_collectives *collectives);
/* After the worker, whose sessions may have references to the peers. */
void sl_collectives_free(struct sl_collectives *collectives);

#endif
