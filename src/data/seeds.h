/* Where shuffles and random sources take their seeds from. Section and order of the draws: each epoch of a shuffle
 * takes the pair of seeds that its source gives next. Thread-safe; counted. */
#ifndef SL_DATA_SEEDS_H
#define SL_DATA_SEEDS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "tensor/object.h"

/* Two zeros stand for seeds that nobody chose: replaced by seeds from the system. */
void sl_seeds_resolve(int64_t seeds[2]);

extern const struct sl_object_type sl_seed_source_type;
/* A source of pairs: with `changes` the words of a generator of these seeds, else the seeds themselves each time. */
sl_code sl_seed_source_new(struct sl_object **out, const int64_t seeds[2], bool changes, struct sl_error *err);
void sl_seed_source_draw(int64_t pair[2], struct sl_object *source);

#endif
