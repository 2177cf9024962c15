/* Elements for a batch, many at once: as one element whose components have a new first dimension, where the stages before the
 * batch can make that, else as a list. And calls of a stage's function that serve many elements.
 *
 *     range ──► map x + 1 ──► batch 32        32 numbers, one call on them, whose result is the batch
 *
 * Elements, their order and errors are those of one call after the other. */
#ifndef SL_DATA_ELEMENT_ROWS_H
#define SL_DATA_ELEMENT_ROWS_H

#include "data/element.h"
#include "data/iterator.h"

struct sl_rows {
    struct sl_value *stacked; /* room for the components; NONE unless is_stacked */
    struct sl_element_list list;
    int64_t n; /* elements */
    bool is_stacked;
};
/* Room for elements of `width` components; zeroed before. */
sl_code sl_rows_init(struct sl_rows *rows, int width, struct sl_error *err);
void sl_rows_drop(struct sl_rows *rows);  /* the elements */
void sl_rows_clear(struct sl_rows *rows); /* all; zeroed ones are fine */
/* Component `c` of the elements, of which there is one at least, with a new first dimension. The rows lose it. */
sl_code sl_rows_take(struct sl_value *out, struct sl_rows *rows, int c, struct sl_error *err);
/* Makes a list of them. */
sl_code sl_rows_unstack(struct sl_rows *rows, struct sl_error *err);

/* Takes elements of `it->input` until there are `n`, none being there yet; `*is_end` when the input has fewer. After an error
 * there are none. */
sl_code sl_iterator_pull_rows(struct sl_iterator *it, struct sl_rows *rows, int64_t n, bool *is_end,
                              struct sl_error *err);
/* The same one by one, behind those of the list. */
sl_code sl_iterator_pull_list(struct sl_iterator *it, struct sl_rows *rows, int64_t n, bool *is_end,
                              struct sl_error *err);

/* The next elements of an iterator itself, one by one: next_rows of a kind that has nothing better at the moment. */
sl_code sl_iterator_list_rows(struct sl_iterator *it, struct sl_rows *rows, int64_t n, bool *is_end,
                              struct sl_error *err);

/* Whether so many elements are more than a stage may gather: then they come one by one, and the one that is too many is told. */
static inline bool sl_rows_are_many(const struct sl_iterator *it, int64_t n) {
    return n > sl_data_walk_most_gathered(it->walk) / (int64_t)sizeof(struct sl_value);
}

/* Whether one call of the stage's function 0 may serve many elements, with what it captured. */
bool sl_rows_may_call(const struct sl_iterator *it);
/* For the kind's next_rows, when that is so: takes elements of the input by way of `args`, which are empty before and after,
 * and calls the function. */
sl_code sl_rows_call(struct sl_rows *rows, struct sl_rows *args, struct sl_iterator *it, int64_t n, bool *is_end,
                     struct sl_error *err);

#endif
