/* A step's rendezvous as peers see it, by step id, with keys as text.
 *
 *   peers:  put, take by name ──► struct sl_step_rendezvous ──► by number ──► struct sl_rendezvous: the step's nodes
 *                                        │ before the step has begun: kept
 *   who runs the step:  find, open, leave, drop        anybody: abort
 *
 * Peers often know of a step before it begins here, so either side makes it: sl_rendezvous_table_find. When it is
 * opened with the pairs of its program, each name that came before finds its pair; a name that has none ends with
 * NOT_FOUND, then and later. What nodes of the step hand to each other goes straight to the struct sl_rendezvous and
 * pays nothing for all this. After its step has ended it stays, as what was sent may be asked for later, until it is
 * dropped.
 *
 * What peers may leave here is bounded: beyond the limits they are told RESOURCE_EXHAUSTED. Thread-safe. */
#ifndef SL_KERNEL_STEP_RENDEZVOUS_H
#define SL_KERNEL_STEP_RENDEZVOUS_H

#include "kernel/cancellation.h"
#include "kernel/remote_pairs.h"

struct sl_rendezvous_limits {
    size_t steps;       /* that only peers know of */
    size_t names;       /* that peers have left waiting in one step */
    size_t early_bytes; /* of names and values, in all steps that have not begun */
};
extern const struct sl_rendezvous_limits sl_rendezvous_default_limits;

/* ---- the steps of a process */
struct sl_rendezvous_table;
/* `limits`: NULL for the default. */
sl_code sl_rendezvous_table_new(struct sl_rendezvous_table **out, const struct sl_rendezvous_limits *limits,
                                struct sl_error *err);
/* Drops all steps. Nobody may have a reference to one any more. NULL is fine. */
void sl_rendezvous_table_free(struct sl_rendezvous_table *table);

struct sl_step_rendezvous;
/* Finds or makes that of a step; a reference for the caller. ABORTED when it was dropped a short while ago: who
 * comes late shall not make it anew. RESOURCE_EXHAUSTED for a peer when peers know too many steps that nobody opens. */
sl_code sl_rendezvous_table_find(struct sl_step_rendezvous **out, struct sl_rendezvous_table *table, uint64_t step_id,
                                 bool is_peer, struct sl_error *err);
/* Aborts the step if it is there, and forgets it: all waits end with ABORTED unless it was aborted before. */
void sl_rendezvous_table_drop(struct sl_rendezvous_table *table, uint64_t step_id);
void sl_step_rendezvous_unref(struct sl_step_rendezvous *r); /* NULL is fine */

/* ---- for who runs the step */
struct sl_rendezvous_opening {
    uint32_t n_pairs;
    struct sl_remote_pairs *pairs;        /* NULL: none of them is remote */
    struct sl_cancellation *cancellation; /* of the step: ends all waits; may be NULL */
    /* A node waits for a value that a peer has, and it is not there: ask for it, and sl_step_rendezvous_put it when
     * it comes. Called on the thread that runs the node, with no lock held; not after `leave`. NULL: values come by
     * themselves. */
    void (*wanted)(void *arg, const struct sl_rendezvous_key *key);
    void *arg_of_wanted;
};
/* Once a step, before its nodes run. `*out` is for struct sl_step_env, borrowed from `r`. Fails with the reason when
 * it was aborted; FAILED_PRECONDITION when it has been opened. */
sl_code sl_step_rendezvous_open(struct sl_rendezvous **out, struct sl_step_rendezvous *r,
                                const struct sl_rendezvous_opening *opening, struct sl_error *err);
/* All nodes of the step are through, and its cancellation may go. Values that were sent stay. Also after an open
 * that failed. */
void sl_step_rendezvous_leave(struct sl_step_rendezvous *r);
/* Ends all waits with this reason, which is the step's error when its nodes wait; the first reason stays. */
void sl_step_rendezvous_abort(struct sl_step_rendezvous *r, sl_code code, const char *message);

/* ---- for peers; `name` is a key as text */
/* Takes the value over, which may be DEAD; one for which there turns out to be no pair when the step is opened is
 * dropped. */
sl_code sl_step_rendezvous_put(struct sl_step_rendezvous *r, struct sl_str name, struct sl_value *value,
                               struct sl_error *err);
/* `waiter->done` is called in any case (rendezvous.h); the caller sets it, and nothing else. */
void sl_step_rendezvous_take(struct sl_step_rendezvous *r, struct sl_str name, struct sl_waiter *waiter);
/* Takes a waiter out of its queue. False when it is not there: `done` has been called, or is about to be. */
bool sl_step_rendezvous_withdraw(struct sl_step_rendezvous *r, struct sl_waiter *waiter);

#endif
