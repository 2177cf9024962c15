/* Where shuffles and random sources take their seeds from. Section and order of the draws: each epoch of a shuffle
 * takes the pair of seeds that its source gives next. Thread-safe; counted. */
#ifndef SL_DATA_SEEDS_H
#define SL_DATA_SEEDS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "kernel/philox.h"
#include "tensor/object.h"

/* Two zeros stand for seeds that nobody chose: replaced by seeds from the system. */
void sl_seeds_resolve(int64_t seeds[2]);

/* The words of the generator of these seeds, from word `n` on. */
struct sl_philox_words sl_seeded_words(const int64_t seeds[2], uint64_t n);

extern const struct sl_object_type sl_seed_source_type;
/* A source of pairs: with `changes` the words of a generator of these seeds, else the seeds themselves each time. */
sl_code sl_seed_source_new(struct sl_object **out, const int64_t seeds[2], bool changes, struct sl_error *err);
void sl_seed_source_draw(int64_t pair[2], struct sl_object *source);
/* How many words it has given (of one that does not change: pairs), and going there: for saved positions. */
int64_t sl_seed_source_drawn(struct sl_object *source);
void sl_seed_source_go_to(struct sl_object *source, int64_t drawn);
/* The pair by which elements are found by their number: the seeds that it was made of or, if it does not change, the
 * first of them twice. */
void sl_seed_source_at_random(int64_t pair[2], const struct sl_object *source);
/* The seeds that it was made of. */
void sl_seed_source_seeds(int64_t seeds[2], const struct sl_object *source);
/* The source that argument i of a dataset is a handle of, borrowed; NULL: it is none. */
struct sl_dataset;
struct sl_object *sl_seed_source_of(const struct sl_dataset *d, int i);

#endif
