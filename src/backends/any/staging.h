/* What all staging areas have in common: a line of those that put, a line of those that take, and limits of how much
 * waits in between.
 * Threads: everything wants the lock of `lines` but the limits, which never change. */
#ifndef SL_BACKENDS_ANY_STAGING_H
#define SL_BACKENDS_ANY_STAGING_H

#include "backends/any/session_object.h"
#include "backends/any/value_tuple.h"
#include "backends/any/waiting_line.h"

enum { SL_STAGING_PUTS, SL_STAGING_TAKES }; /* lines */

/* The state of every kernel of a staging area: any of them may be the one that makes it. */
struct sl_staging_state {
    struct sl_session_maker maker;
    int64_t capacity, memory_limit; /* 0: none */
    int n_types;                    /* of attr dtypes */
    bool is_ordered;                /* keys come out in ascending order */
};

struct sl_staging {
    struct sl_session_object base;
    struct sl_lines lines;
    int64_t capacity, memory_limit;
    int64_t bytes; /* of what is in it */
};

/* For rows. */
sl_code sl_staging_create(void **state, struct sl_kernel_setup *setup);
void sl_staging_destroy(void *state);

void sl_staging_init(struct sl_staging *s, const struct sl_object_type *type, const struct sl_staging_state *state);
void sl_staging_clear(struct sl_staging *s);
/* A tuple of `bytes` fits no matter what else is there; RESOURCE_EXHAUSTED otherwise. */
sl_code sl_staging_check(struct sl_kernel_context *k, const struct sl_staging *s, int64_t bytes);
/* Whether it fits now, `n` tuples being in. */
bool sl_staging_has_room(const struct sl_staging *s, int64_t n, int64_t bytes);
/* Moves a value to output o, and to where that has to lie; INVALID_ARGUMENT when it is of another type. Takes the value over. */
sl_code sl_staging_give(struct sl_kernel_context *k, int o, struct sl_value value);

#endif
