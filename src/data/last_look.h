/* Looking for the end of an input behind the last element that it says it has: a pass that nobody asks on is seen to be
 * complete, too. What is found in place of the end comes with the next pull. Of one iterator; threads as that. */
#ifndef SL_DATA_LAST_LOOK_H
#define SL_DATA_LAST_LOOK_H

#include "data/iterator.h"

/* All zero: nothing was found. */
struct sl_last_look {
    struct sl_value *element; /* NULL: none */
    struct sl_error *error;   /* NULL: none */
};

/* sl_iterator_pull, but what a look has found comes first. */
sl_code sl_last_look_pull(struct sl_last_look *look, struct sl_iterator *it, struct sl_value *element, bool *is_end,
                          struct sl_error *err);
/* True: the input is at its end, and closed. False also when memory is out: then nothing was asked. */
bool sl_last_look_is_end(struct sl_last_look *look, struct sl_iterator *it);
void sl_last_look_clear(struct sl_last_look *look, const struct sl_iterator *it);

#endif
