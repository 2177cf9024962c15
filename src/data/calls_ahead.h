/* Calls of a stage's function on the elements of its input, several at a time: the calls for the elements that come next
 * are under way while the first is waited for. Results keep the order of the elements, errors their places. As long as
 * calls are short they are made one after the other, by who asks. One consumer at a time. */
#ifndef SL_DATA_CALLS_AHEAD_H
#define SL_DATA_CALLS_AHEAD_H

#include "data/ahead.h"
#include "data/iterator.h"

struct sl_calls_ahead;
/* Function 0 of `it`'s dataset, whose results are `width` values, on elements of `it->input`; at most `limit` calls under
 * way or waiting to be taken, -1: as many as there are processors. */
sl_code sl_calls_ahead_new(struct sl_calls_ahead **out, struct sl_iterator *it, int width, int64_t limit,
                           struct sl_error *err);
void sl_calls_ahead_free(struct sl_calls_ahead *c); /* waits for calls; NULL is fine */
/* Whether calls run ahead, or results are there that come first. */
bool sl_calls_ahead_is_on(const struct sl_calls_ahead *c);
/* The results for the next element, as sl_iterator_next. `*called` is its number in the input where it came to a call, so an
 * error is the function's; SL_CALLED_BEFORE when that was before a position was saved, SL_NOT_CALLED when there was none. */
enum { SL_NOT_CALLED = -2, SL_CALLED_BEFORE = -1 };
sl_code sl_calls_ahead_next(struct sl_calls_ahead *c, struct sl_value *results, bool *is_end, int64_t *called,
                            struct sl_error *err);

/* For saving: waits for all calls. Then the outcomes that are held; restoring puts them into room behind the last. */
int64_t sl_calls_ahead_hold(struct sl_calls_ahead *c);
const struct sl_made_element *sl_calls_ahead_at(const struct sl_calls_ahead *c, int64_t i);
sl_code sl_calls_ahead_room(struct sl_made_element **out, struct sl_calls_ahead *c, struct sl_error *err);
/* The same as TensorFlow writes it: invocation_results_size, and each result in a part of its own. */
sl_code sl_calls_ahead_put(struct sl_calls_ahead *c, struct sl_state *state, struct sl_error *err);
sl_code sl_calls_ahead_get(struct sl_calls_ahead *c, const struct sl_state *state, struct sl_error *err);
/* Nothing where there are no results: for stages of which TensorFlow's states have none. */
sl_code sl_calls_ahead_put_parts(struct sl_calls_ahead *c, struct sl_state *state, struct sl_error *err);
sl_code sl_calls_ahead_get_parts(struct sl_calls_ahead *c, const struct sl_state *state, struct sl_error *err);

#endif
