/* The rendezvous: where the parts of one step hand values over, each under a key, once.
 *
 *   _Send ── put ──►  key: value        never waits; dead values travel too
 *   _Recv ── take ─►  key: receipt      `done` is called when both are there, on the thread that came second
 *
 * A key is a pair (what the partition pass cut: one edge from one device to another) and where in the loops it is. This is the interface;
 * sl_rendezvous_new makes the one within a process, and others may carry values between processes. Thread-safe. */
#ifndef SL_KERNEL_RENDEZVOUS_H
#define SL_KERNEL_RENDEZVOUS_H

#include "kernel/kernel.h"

/* What is fixed about a pair of _Send and _Recv. Strings as in their attrs. The states of their kernels begin with it. */
struct sl_rendezvous_pair {
    uint32_t number; /* within the executable: 0, 1 ... */
    uint64_t incarnation;
    struct sl_str send_device, recv_device, tensor_name;
};

struct sl_rendezvous_key {
    const struct sl_rendezvous_pair *pair;
    uint64_t frame, iteration; /* of the loops around; 0 and 0 outside of any */
};

/* Somebody who takes a value. The taker's memory, from `take` until `done` is called. */
struct sl_receipt {
    struct sl_rendezvous_key key;
    /* Exactly once, from any thread, maybe before `take` returns, with no lock held. SL_OK: `value` (perhaps DEAD) is the taker's; else the
     * text is in `err`. */
    void (*done)(struct sl_receipt *receipt, sl_code code, const struct sl_error *err);
    struct sl_value value;
    struct sl_receipt *next; /* of the rendezvous */
};

struct sl_rendezvous {
    /* Takes the value over. Fails once the rendezvous is closed. */
    sl_code (*put)(struct sl_rendezvous *self, const struct sl_rendezvous_key *key, struct sl_value *value,
                   struct sl_error *err);
    void (*take)(struct sl_rendezvous *self, struct sl_receipt *receipt);
};

/* Among the parts of one step, whose keys have pairs below `n_pairs`. When `cancellation` (may be NULL) starts, those who wait end with its
 * reason, and so do all that come later. */
sl_code sl_rendezvous_new(struct sl_rendezvous **out, uint32_t n_pairs, struct sl_cancellation *cancellation,
                          struct sl_error *err);
/* How many wait for values, of this kind; `some` (may be NULL) is what one of them waits for. */
size_t sl_rendezvous_waiting(struct sl_rendezvous *r, struct sl_rendezvous_key *some);
/* Nobody may wait or come any more. Values that nobody took are dropped. May be called from within `done`. NULL is fine. */
void sl_rendezvous_free(struct sl_rendezvous *r);

/* "send;000000000000000a;recv;name;frame:iteration", the key as it is written between processes; snprintf's rules and result. */
int sl_rendezvous_key_print(char *text, size_t size, const struct sl_rendezvous_key *key);

#endif
