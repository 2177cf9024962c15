/* What the table of steps and one step share. Internal to step_rendezvous.c and rendezvous_table.c. */
#ifndef SL_KERNEL_STEP_RENDEZVOUS_STATE_H
#define SL_KERNEL_STEP_RENDEZVOUS_STATE_H

#include <stdatomic.h>

#include "base/str_map.h"
#include "kernel/step_rendezvous.h"
#include "os/mutex.h"

enum { SL_STEPS_REMEMBERED = 256 };

struct sl_rendezvous_table {
    struct sl_rendezvous_limits limits;
    atomic_size_t n_early;     /* steps that have not been opened */
    atomic_size_t early_bytes; /* of what peers have left in those */
    struct sl_mutex mutex;     /* for what follows */
    struct sl_str_map by_id;   /* of struct sl_step_rendezvous; each with a reference */
    uint64_t dropped[SL_STEPS_REMEMBERED];
    uint64_t n_dropped; /* ever */
};

/* Something that a peer has left before the step began: a value, or a waiter. */
struct sl_early_message {
    struct sl_early_message *next;
    struct sl_waiter *waiter; /* NULL: a value */
    struct sl_value value;
    size_t bytes, name_length;
    char name[];
};

struct sl_step_rendezvous {
    struct sl_rendezvous_table *table;
    uint64_t step_id;
    atomic_uint references;
    struct sl_mutex mutex; /* for what follows */
    bool is_aborted, is_exchange;
    struct sl_error reason;
    struct sl_rendezvous *inner; /* NULL: not opened */
    struct sl_remote_pairs *pairs;
    struct sl_early_message *early, **last_early;
    size_t n_early;
};

/* With one reference. NULL when memory is out. */
struct sl_step_rendezvous *sl_step_rendezvous_make(struct sl_rendezvous_table *table, uint64_t step_id);

#endif
