/* The rendezvous: where the parts of one step hand values over, each under a key, once.
 *
 *   _Send ── put ──►  key: value        never waits; dead values travel too
 *   _Recv ── take ─►  key: waiter       `done` is called when both are there, on the thread that came second
 *
 * A key is a pair (one edge that the partition pass cut), a frame and an iteration. Within a process a pair is a
 * number; between processes a key is text, which step_rendezvous.h translates. struct sl_rendezvous is the
 * interface; sl_rendezvous_new makes the one that steps use. Thread-safe. */
#ifndef SL_KERNEL_RENDEZVOUS_H
#define SL_KERNEL_RENDEZVOUS_H

#include "kernel/kernel.h"

/* What is fixed about a pair of _Send and _Recv. Strings as in their attrs. The states of both kernels begin with this
 * struct. */
struct sl_rendezvous_pair {
    uint32_t number;           /* within the executable: 0, 1 ... */
    bool is_client_terminated; /* one end is the client's: a feed or a fetch */
    uint64_t incarnation;
    struct sl_str send_device, recv_device, tensor_name;
};

/* The pair as the attrs of either end have it; strings are borrowed. The number is 0 where no partition has given
 * one. */
sl_code sl_rendezvous_pair_read(struct sl_rendezvous_pair *out, const struct sl_attrs *attrs, struct sl_error *err);
/* Whether what is sent leaves the process: the ends are of different tasks, or one is the client's. */
bool sl_rendezvous_pair_leaves(const struct sl_rendezvous_pair *pair);

struct sl_rendezvous_key {
    const struct sl_rendezvous_pair *pair;
    uint64_t frame, iteration; /* of the loops around; 0 and 0 outside of any */
};

/* One who waits for a value. The caller of `take` owns this memory and keeps it until `done` is called. */
struct sl_waiter {
    struct sl_rendezvous_key key;
    /* Exactly once, from any thread, maybe before `take` returns, with no lock held. SL_OK: `value` (perhaps DEAD)
     * is the waiter's; else the text is in `err`. */
    void (*done)(struct sl_waiter *waiter, sl_code code, const struct sl_error *err);
    struct sl_value value;
    struct sl_waiter *next; /* of the rendezvous */
};

/* Where the other end of a pair is, as a step sees it. */
enum sl_pair_side {
    SL_PAIR_WITHIN,   /* in the step itself */
    SL_PAIR_COMES_IN, /* elsewhere, and sends to this step */
    SL_PAIR_GOES_OUT, /* elsewhere, and receives from this step */
    SL_PAIR_SIDES
};

/* What waits in a rendezvous, by side: takers of values that are not there, and values that nobody has taken. */
struct sl_rendezvous_load {
    size_t waiters[SL_PAIR_SIDES], values[SL_PAIR_SIDES];
};

struct sl_rendezvous {
    /* Takes the value over. Fails once the rendezvous is closed. */
    sl_code (*put)(struct sl_rendezvous *self, const struct sl_rendezvous_key *key, struct sl_value *value,
                   struct sl_error *err);
    void (*take)(struct sl_rendezvous *self, struct sl_waiter *waiter);
    /* NULL: it cannot tell, so parts that wait for each other do not fail the step. */
    void (*load)(struct sl_rendezvous *self, struct sl_rendezvous_load *load);
};

/* A rendezvous for the parts of one step, with pairs 0 to n_pairs - 1. When `cancellation` (may be NULL) starts,
 * all waits end with its reason, also those that begin later. */
sl_code sl_rendezvous_new(struct sl_rendezvous **out, uint32_t n_pairs, struct sl_cancellation *cancellation,
                          struct sl_error *err);
/* Nobody may wait or call any more. Values that nobody took are dropped. May be called from within `done`. NULL is
 * fine. */
void sl_rendezvous_free(struct sl_rendezvous *r);

/* The rest is for who owns one made by sl_rendezvous_new. */

/* For a step that has peers: `sides` (borrowed) gives enum sl_pair_side by pair. When a node waits for a value
 * that comes in, `wanted` (may be NULL) is called with no lock held: it asks the peer, and puts the value later.
 * Call this before anybody puts or takes. */
void sl_rendezvous_set_peers(struct sl_rendezvous *r, const uint8_t *sides,
                             void (*wanted)(void *arg, const struct sl_rendezvous_key *key), void *arg);
/* Follows a cancellation, one at a time; and stops to follow it, so that it may be freed. Detaching is allowed
 * from within `done`. */
void sl_rendezvous_attach(struct sl_rendezvous *r, struct sl_cancellation *cancellation);
void sl_rendezvous_detach(struct sl_rendezvous *r);
/* Ends all waits with this reason, also those that begin later. The first reason stays. `r` must not be freed
 * meanwhile. */
void sl_rendezvous_close(struct sl_rendezvous *r, const struct sl_error *reason);
/* Takes a waiter out of the queue. False when it is not there: `done` has been called, or is about to be. */
bool sl_rendezvous_withdraw(struct sl_rendezvous *r, struct sl_waiter *waiter);

/* ---- keys as text (rendezvous_key.c) */

/* "send;000000000000000a;recv;name;frame:iteration", the key as it is written between processes; snprintf's rules
 * and result. */
int sl_rendezvous_key_print(char *text, size_t size, const struct sl_rendezvous_key *key);
/* Reads such a text; the pair's strings lie in it, and it has no number. INVALID_ARGUMENT unless it has five parts:
 * two device names with hexadecimal digits between them, a name, and two numbers. */
sl_code sl_rendezvous_key_parse(struct sl_rendezvous_pair *pair, uint64_t *frame, uint64_t *iteration,
                                struct sl_str text, struct sl_error *err);

#endif
