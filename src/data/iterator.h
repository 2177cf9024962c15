/* Iterators: the state of a walk through a dataset, one element at a time.
 *
 *     struct sl_iterator *it;
 *     SL_TRY(sl_iterator_new(&it, dataset, env, err));
 *     SL_TRY(sl_iterator_next(it, element, &is_end, env, err));    element: room for dataset->n values
 *     sl_iterator_free(it);
 *
 * Stages run on the thread that asks, within the step of `env`: its cancellation ends functions that wait. After an
 * error an iterator goes on behind the element that failed. One owner; not thread-safe. */
#ifndef SL_DATA_ITERATOR_H
#define SL_DATA_ITERATOR_H

#include "data/input_dataset.h"

/* The first member of the iterators of all kinds. */
struct sl_iterator {
    struct sl_dataset *dataset; /* a reference */
    struct sl_iterator *input;  /* over input 0, or whatever the kind takes from; NULL: there is none (any more) */
};

sl_code sl_iterator_new(struct sl_iterator **out, struct sl_dataset *d, struct sl_step_env *env, struct sl_error *err);
void sl_iterator_free(struct sl_iterator *it); /* NULL is fine */
/* The next element: `element` gets dataset->n values, the caller's, or `*is_end` turns true. After a failure, and at
 * the end, all are NONE. A cancelled step: the reason of its cancellation. */
sl_code sl_iterator_next(struct sl_iterator *it, struct sl_value *element, bool *is_end, struct sl_step_env *env,
                         struct sl_error *err);
/* Takes the next element of `it->input`, and closes that at its end: no iterator is asked again after its end. */
sl_code sl_iterator_pull(struct sl_iterator *it, struct sl_value *element, bool *is_end, struct sl_step_env *env,
                         struct sl_error *err);
/* Goes past up to `count` elements of `it->input`; `*gone` is how many it was. Stops at one that fails, which does not
 * count. */
sl_code sl_iterator_skip(int64_t *gone, struct sl_iterator *it, int64_t count, struct sl_step_env *env,
                         struct sl_error *err);

#endif
