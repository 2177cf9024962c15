/* Functions of which one call serves many elements at once, with the bits of one call for each: bodies of ops that make
 * an element of the elements in its place, of arguments and scalar constants, and that cannot fail. */
#ifndef SL_RUNTIME_ROWWISE_H
#define SL_RUNTIME_ROWWISE_H

#include "graph/graph.h"

enum { SL_ROWWISE_ARGS = 64 };

/* Sets of arguments, as bits. In the arena that it was made in; all zero: the function is none of these. */
struct sl_rowwise {
    const uint64_t *together; /* that meet in a node */
    const uint64_t *inputs;   /* that an input is made of where a scalar would not do */
    const uint64_t *rets;     /* that a result is made of */
    int n_together, n_inputs, n_rets;
};

/* What `body` is, before a pass changed it. */
sl_code sl_rowwise_of(struct sl_rowwise *out, const struct sl_body *body, struct sl_arena *arena, struct sl_error *err);
/* Whether it may be called with a new first dimension for the first `n_rows` of `n_args` arguments, those behind them
 * being scalars. Arguments with the same number in `groups` must then have the same shape: the first of them. */
bool sl_rowwise_groups(uint8_t *groups, const struct sl_rowwise *r, int n_args, int n_rows);

#endif
