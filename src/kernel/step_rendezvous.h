/* A step's rendezvous as peers see it, by step id, with keys as text.
 *
 *   peers:  put, take by name ──► struct sl_step_rendezvous ──► by number ──► struct sl_rendezvous: the step's nodes
 *                                        │ before the step has begun: kept
 *   who runs the step:  find, open, leave, drop        anybody: abort
 *
 * A peer may know of a step before it begins here, so whoever comes first makes it: sl_rendezvous_table_find. When
 * the step is opened with the pairs of its program, each name that came before gets its pair; a name without a
 * pair ends with NOT_FOUND, then and later. Values between nodes of the step go to the struct sl_rendezvous
 * directly. After the step has ended this stays until it is dropped, as peers may still ask for what was sent.
 *
 * What peers may leave here is bounded: beyond the limits they get RESOURCE_EXHAUSTED. Thread-safe. */
#ifndef SL_KERNEL_STEP_RENDEZVOUS_H
#define SL_KERNEL_STEP_RENDEZVOUS_H

#include "kernel/cancellation.h"
#include "kernel/remote_pairs.h"

struct sl_rendezvous_limits {
    size_t steps;       /* steps that only peers know of */
    size_t names;       /* messages of peers that wait in one step */
    size_t early_bytes; /* bytes of names and values, in all steps that have not begun */
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
/* Finds or makes the rendezvous of a step; a reference for the caller. ABORTED when it was dropped a short while
 * ago, so that a late message does not make it again. RESOURCE_EXHAUSTED for a peer beyond `steps` of the limits. */
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
    /* Called when a node waits for a value that a peer has and that has not come: asks the peer, and calls
     * sl_step_rendezvous_put when it comes. On the thread that runs the node, with no lock held; not after
     * `leave`. NULL: peers send without being asked. */
    void (*wanted)(void *arg, const struct sl_rendezvous_key *key);
    void *arg_of_wanted;
};
/* Call this once for each step, before its nodes run. `*out` is for struct sl_step_env, borrowed from `r`. Fails
 * with the reason when the step was aborted; FAILED_PRECONDITION when it has been opened. */
sl_code sl_step_rendezvous_open(struct sl_rendezvous **out, struct sl_step_rendezvous *r,
                                const struct sl_rendezvous_opening *opening, struct sl_error *err);
/* Instead of an opening: there are no nodes and no pairs, and what is put under a name goes to who takes by that name,
 * whoever comes first. Values that wait to be taken are the owner's, and not limited. FAILED_PRECONDITION when the step
 * has been opened. */
sl_code sl_step_rendezvous_exchange(struct sl_step_rendezvous *r, struct sl_error *err);
/* Call this when all nodes of the step have ended; its cancellation may be freed afterwards. Values that were sent
 * stay. Also after an open that failed. */
void sl_step_rendezvous_leave(struct sl_step_rendezvous *r);
/* Ends all waits with this reason, which is the step's error when its nodes wait; the first reason stays. */
void sl_step_rendezvous_abort(struct sl_step_rendezvous *r, sl_code code, const char *message);

/* ---- for peers; `name` is a key as text */
/* Takes the value over, which may be DEAD. If the step has not been opened and turns out to have no such pair, the
 * value is dropped. */
sl_code sl_step_rendezvous_put(struct sl_step_rendezvous *r, struct sl_str name, struct sl_value *value,
                               struct sl_error *err);
/* `waiter->done` is called in any case (rendezvous.h); the caller sets it, and nothing else. */
void sl_step_rendezvous_take(struct sl_step_rendezvous *r, struct sl_str name, struct sl_waiter *waiter);
/* Takes a waiter out of its queue. False when it is not there: `done` has been called, or is about to be. */
bool sl_step_rendezvous_withdraw(struct sl_step_rendezvous *r, struct sl_waiter *waiter);

#endif
