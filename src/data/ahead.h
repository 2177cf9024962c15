/* Elements that are made before they are asked for, in order, errors in their places.
 *
 *     make ──► caller                     while elements are cheap: no thread, no lock, no buffer
 *     make ──► [ e3 e4 e5 . ] ──► caller  once making one takes longer than handing it over: on a thread of its own
 *
 * One consumer at a time. What `make` uses belongs to whoever makes at the moment: the consumer, or the thread. */
#ifndef SL_DATA_AHEAD_H
#define SL_DATA_AHEAD_H

#include "data/data_walk.h"

/* How long it takes to make an element, by samples: the least of the last ones, since a thread that was interrupted shows
 * more. Shared by all that are alike; used by one thread at a time. */
enum { SL_AHEAD_SAMPLES = 3 };
struct sl_ahead_cost {
    int64_t ns[SL_AHEAD_SAMPLES]; /* 0: not measured yet */
    unsigned turn, n;             /* elements; samples */
};
/* Whether this turn is to be measured: `begun` is then the time. Cheap. */
bool sl_ahead_cost_begin(int64_t *begun, struct sl_ahead_cost *cost);
void sl_ahead_cost_end(struct sl_ahead_cost *cost, int64_t begun);
/* Whether it is worth handing work over to another thread, and the walk may have one. */
bool sl_ahead_cost_is_high(const struct sl_ahead_cost *cost, const struct sl_data_walk *walk);

/* What became of making one element. */
struct sl_made_element {
    struct sl_value *element; /* room for it */
    char *message;            /* of an error */
    sl_code code;
    bool is_end;
};
void sl_made_element_set(struct sl_made_element *o, sl_code code, bool is_end, const struct sl_error *err);
/* Moves it to the caller, and forgets it. */
sl_code sl_made_element_take(struct sl_made_element *o, struct sl_value *element, int width, bool *is_end,
                             struct sl_error *err);

/* An error whose text stands under `key` of a saved state; `code` as it was saved. */
sl_code sl_made_element_get_error(struct sl_made_element *o, int64_t code, const struct sl_state *state,
                                  const struct sl_iterator *it, const char *part, const char *key,
                                  struct sl_error *err);

typedef sl_code sl_ahead_make(void *arg, struct sl_value *element, bool *is_end, struct sl_error *err);
struct sl_ahead;
/* At most `limit` elements of `width` components are held; -1: as many as it takes not to wait. Their bytes are
 * bounded, too. `cost` is borrowed. The walk's cancellation ends what `make` waits for. */
sl_code sl_ahead_new(struct sl_ahead **out, sl_ahead_make *make, void *arg, int width, int64_t limit,
                     struct sl_data_walk *walk, struct sl_ahead_cost *cost, struct sl_error *err);
void sl_ahead_free(struct sl_ahead *a); /* waits until nothing is being made; NULL is fine */
/* The next element, as sl_iterator_next. */
sl_code sl_ahead_next(struct sl_ahead *a, struct sl_value *element, bool *is_end, struct sl_error *err);

/* For saving: nothing is made from hold to release. Between them the outcomes that are held, and more behind them. */
int64_t sl_ahead_hold(struct sl_ahead *a);
void sl_ahead_release(struct sl_ahead *a);
const struct sl_made_element *sl_ahead_at(const struct sl_ahead *a, int64_t i);
/* Room for the outcome behind the last one, its element NONE. */
sl_code sl_ahead_room(struct sl_made_element **out, struct sl_ahead *a, struct sl_error *err);

#endif
