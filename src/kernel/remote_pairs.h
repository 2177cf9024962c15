/* The remote pairs of a program: those of which it has one end only, since the other one belongs to another task
 * or to the client. They are found by the names that peers use, once for each message. Pairs within a program are
 * not in the table. Immutable once made; counted references; thread-safe. */
#ifndef SL_KERNEL_REMOTE_PAIRS_H
#define SL_KERNEL_REMOTE_PAIRS_H

#include "kernel/rendezvous.h"

/* A _Send or a _Recv of a program. */
struct sl_rendezvous_end {
    const struct sl_rendezvous_pair *pair;
    bool is_send;
};

struct sl_remote_pair {
    struct sl_rendezvous_pair pair;
    enum sl_pair_side side; /* never WITHIN */
    struct sl_str name;     /* the key without what tells iterations apart: "send;000000000000000a;recv;name" */
};

struct sl_remote_pairs;
/* The remote pairs among all `n` ends in a program with `n_pairs` pairs; borrows nothing. NULL when no pair is
 * remote. */
sl_code sl_remote_pairs_new(struct sl_remote_pairs **out, const struct sl_rendezvous_end *ends, size_t n,
                            uint32_t n_pairs, struct sl_error *err);
struct sl_remote_pairs *sl_remote_pairs_ref(struct sl_remote_pairs *pairs); /* NULL is fine, here and below */
void sl_remote_pairs_unref(struct sl_remote_pairs *pairs);

/* All of them, in the order of their numbers. */
const struct sl_remote_pair *sl_remote_pairs_items(const struct sl_remote_pairs *pairs, uint32_t *n);
/* By pair of the program: enum sl_pair_side. NULL when none is remote. */
const uint8_t *sl_remote_pairs_sides(const struct sl_remote_pairs *pairs);
/* The pair that a key as text is about. INVALID_ARGUMENT when it is no key; NOT_FOUND when no remote pair is called
 * that. */
sl_code sl_remote_pairs_find(const struct sl_remote_pair **out, struct sl_rendezvous_key *key,
                             const struct sl_remote_pairs *pairs, struct sl_str text, struct sl_error *err);

#endif
