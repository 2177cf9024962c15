/* When a value of a conditional lives: a chain of literals "this predicate is true (false)", as of Switch. Private to
 * src/grad/graph.
 *
 * Guards are shared and never change, so equal ones are one pointer; NULL is "always", within the frame of the value.
 */
#ifndef SL_GRAD_GRAPH_GUARDS_H
#define SL_GRAD_GRAPH_GUARDS_H

#include "grad/graph/walk.h"

struct sl_guard {
    const struct sl_guard *outer;
    struct sl_port predicate;
    bool side;
    int depth; /* literals in the chain */
    struct sl_guard *children, *next;
};

/* The guard of a forward port. `*is_known` is false when it is none that can be written so. */
sl_code sl_guard_of(const struct sl_guard **out, bool *is_known, struct sl_walk *w, struct sl_port port);
/* The predicate on whose sides the inputs of a Merge with two inputs live, and the side of input 0; node NULL: not
 * found. */
sl_code sl_guard_of_merge(struct sl_port *predicate, bool *first_side, struct sl_walk *w, const struct sl_node *merge);

#endif
