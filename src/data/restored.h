/* Elements that a saved state holds beside positions, because whoever saved it had made them ahead: they come first after
 * restoring. Zero before use; one owner. */
#ifndef SL_DATA_RESTORED_H
#define SL_DATA_RESTORED_H

#include "data/ahead.h"
#include "data/state.h"

struct sl_restored {
    struct sl_made_element *made; /* `n` of them; those before `at` were given */
    int64_t n, at;
    size_t cap;
};
/* Room for one more, its element NONE. */
sl_code sl_restored_room(struct sl_made_element **out, struct sl_restored *r, int width, struct sl_error *err);
/* The next one, which is there. */
sl_code sl_restored_next(struct sl_restored *r, struct sl_value *element, int width, struct sl_error *err);
void sl_restored_clear(struct sl_restored *r, int width);

/* Batches that are ready, of ParallelBatch and MapAndBatch. */
sl_code sl_state_put_batches(struct sl_state *s, const struct sl_iterator *it, const struct sl_restored *r,
                             struct sl_error *err);
sl_code sl_state_get_batches(struct sl_restored *r, const struct sl_state *s, const struct sl_iterator *it,
                             struct sl_error *err);

#endif
