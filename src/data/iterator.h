/* Iterators: how far a walk through a dataset has come. For kinds of datasets; drivers use data/data_walk.h.
 *
 *     struct sl_iterator *it;
 *     SL_TRY(sl_iterator_new(&it, self, SL_ONLY_INPUT, dataset, err));
 *     SL_TRY(sl_iterator_next(it, element, &is_end, err));       element: room for dataset->n values
 *     sl_iterator_free(it);
 *
 * After an error an iterator goes on behind the element that failed. One owner; one thread at a time, whichever: a stage
 * that runs ahead gives its input to the thread that does. */
#ifndef SL_DATA_ITERATOR_H
#define SL_DATA_ITERATOR_H

#include "data/data_walk.h"
#include "data/element.h"
#include "data/input_dataset.h"

enum { SL_ONLY_INPUT = -1 };

/* The first member of the iterators of all kinds. */
struct sl_iterator {
    struct sl_dataset *dataset; /* a reference */
    struct sl_data_walk *walk;  /* of which it is a part */
    struct sl_iterator *input;  /* over input 0, or whatever the kind takes from; NULL: there is none (any more) */
    struct sl_iterator *spent;  /* the last `input` that came to its end, whose position is still saved; or NULL */
    int64_t pulled;             /* elements, from `input` and those before it */
    const struct sl_iterator *parent; /* who takes from it; NULL: the walk */
    int64_t index;                    /* among those that the parent takes from, or SL_ONLY_INPUT */
};

/* An iterator that `parent` takes from. */
sl_code sl_iterator_new(struct sl_iterator **out, const struct sl_iterator *parent, int64_t index, struct sl_dataset *d,
                        struct sl_error *err);
/* The same over the dataset that `made` holds, a function's result; INVALID_ARGUMENT when that is none with as many
 * components as the parent's. */
sl_code sl_iterator_new_over(struct sl_iterator **out, const struct sl_iterator *parent, int64_t index,
                             const struct sl_value *made, struct sl_error *err);
/* The one that a walk takes from. */
sl_code sl_iterator_new_root(struct sl_iterator **out, struct sl_data_walk *walk, struct sl_dataset *d,
                             struct sl_error *err);
void sl_iterator_free(struct sl_iterator *it); /* NULL is fine */
/* Opens `it->input` over its input dataset `which`, for another pass; the spent one goes. */
sl_code sl_iterator_open_input(struct sl_iterator *it, int64_t index, int which, struct sl_error *err);
/* The next element: `element` gets dataset->n values, the caller's, or `*is_end` turns true. After a failure, and at
 * the end, all are NONE. A cancelled walk: the reason of its cancellation. */
sl_code sl_iterator_next(struct sl_iterator *it, struct sl_value *element, bool *is_end, struct sl_error *err);
/* Takes the next element of `it->input`; at its end that is `it->spent`: no iterator is asked again after its end. */
sl_code sl_iterator_pull(struct sl_iterator *it, struct sl_value *element, bool *is_end, struct sl_error *err);
/* For a stage that may take many elements before it gives one, before each and when taking one has failed with `code`: answers who
 * asks what the stage is about, and tells that of a walk whose time is over. Gives why the walk stops, else `code`. The text goes on
 * from "a Filter dataset". */
sl_code sl_iterator_heed_slowly(const struct sl_iterator *it, sl_code code, struct sl_error *err, const char *format,
                                ...) SL_PRINTF(4, 5);
#define SL_ITERATOR_HEED(it, code, err, ...)                                                                           \
    (sl_cancellation_has_news(sl_data_walk_env((it)->walk)->cancellation)                                              \
         ? sl_iterator_heed_slowly(it, code, err, __VA_ARGS__)                                                         \
         : (code))
/* The input has come to its end. */
void sl_iterator_close_input(struct sl_iterator *it);
/* Room for one more element that the stage keeps, as sl_element_list_room. RESOURCE_EXHAUSTED, naming the stage, once those of the
 * list hold more than SLUICE_DATA_MEMORY allows: a size that a graph asks for does not fill the machine. */
sl_code sl_iterator_gather(struct sl_value **out, const struct sl_iterator *it, struct sl_element_list *list,
                           struct sl_error *err);
/* Goes past up to `count` elements of `it->input`; `*gone` is how many it was. Stops at one that fails, which does not
 * count. */
sl_code sl_iterator_skip(int64_t *gone, struct sl_iterator *it, int64_t count, struct sl_error *err);
/* Calls function `which` of its dataset on `args`, whose values are taken over, and what it captured. `rets` are the
 * caller's. Thread-safe. */
sl_code sl_iterator_call(struct sl_value *rets, const struct sl_iterator *it, int which, struct sl_value *args, int n,
                         struct sl_error *err);
/* The same for what has to be done at its end: it runs also when the walk is cancelled. */
sl_code sl_iterator_call_at_end(struct sl_value *rets, const struct sl_iterator *it, int which, struct sl_value *args,
                                int n, struct sl_error *err);
/* INVALID_ARGUMENT for the OUT_OF_RANGE of a function that `err` tells, where the number of elements is kept. */
sl_code sl_iterator_refuse_end(struct sl_error *err);

/* Says in front of the error `code` of a call which stage it was, and for which element of its input, the first being 0 (-1: it
 * is not known); returns `code`. */
sl_code sl_iterator_name_stage(sl_code code, const struct sl_iterator *it, int64_t element, struct sl_error *err);

/* Tells the step's trace, since `begun`, that it was at work for an element (sl_data_walk_trace_begin). */
void sl_iterator_trace(const struct sl_iterator *it, int64_t begun);

/* Where it stands in the walk, as in "Iterator::Root::FiniteRepeat[0]::Range": TensorFlow's names, which are parts of
 * messages and of saved states. Cut to `size` bytes, always ended; returns `text`. */
char *sl_iterator_path(char *text, size_t size, const struct sl_iterator *it);

#endif
