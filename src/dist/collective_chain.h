/* What a join and an exchange have in common: calls to other tasks, one set after the other, that may be cancelled. A call may
 * have a ticket of the carrier (collective_carrier.h): it has ended when its elements have come, too. */
#ifndef SL_DIST_COLLECTIVE_CHAIN_H
#define SL_DIST_COLLECTIVE_CHAIN_H

#include "dist/collective_carrier.h"
#include "dist/task_calls.h"
#include "dist/worker.h"

struct task_peers;

/* Calls to other tasks, one set after the other. `ended` comes on a thread that may compute. */
struct sl_chain {
    struct sl_worker *worker;
    struct task_peers *peers; /* of the caller */
    struct sl_task_calls calls;
    struct sl_carried **carried; /* by call: what comes by the carrier; NULL: nothing does */
    struct sl_carried_size {
        size_t n, bytes;
    } * sizes;       /* by call: pieces, and bytes of each */
    atomic_int left; /* the calls together, and each that comes by the carrier */
    void (*ended)(struct sl_chain *chain);
    /* Each answer as it comes, on a thread of the net, counted until sl_chain_answer_over; NULL: all at the end. Set after
     * sl_chain_prepare, for this set. */
    void (*answered)(struct sl_chain *chain, int call);
    struct sl_mutex mutex; /* guards the next two */
    bool is_cancelled, is_calling;
};

void sl_chain_init(struct sl_chain *c, struct sl_worker *worker, struct task_peers *peers);
void sl_chain_clear(struct sl_chain *c); /* no calls are under way */
/* The next set: calls are added to `calls`, `room` at most. */
sl_code sl_chain_prepare(struct sl_chain *c, int room, void (*ended)(struct sl_chain *chain), struct sl_error *err);
/* Calls of this set may have tickets. */
sl_code sl_chain_prepare_carried(struct sl_chain *c, struct sl_error *err);
/* A ticket for the call that is added next, into `text`; "": its answer brings the elements, as n pieces of `bytes`. */
void sl_chain_take_ticket(char text[SL_TICKET_ROOM], struct sl_chain *c, struct sl_carrier *carrier, int task, size_t n,
                          size_t bytes);
void sl_chain_start(struct sl_chain *c);
void sl_chain_answer_over(struct sl_chain *c);
/* Until `ended` has begun: the caller sees to that. */
void sl_chain_cancel(struct sl_chain *c);
/* What the first call that failed says. Who was asked is named unless the text says it. */
sl_code sl_chain_status(const struct sl_chain *c, const char *what, struct sl_error *err);

#endif
