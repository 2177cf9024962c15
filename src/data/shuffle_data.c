/* Shuffles: elements in a random order within a buffer, with TensorFlow's choice of each. One word of the epoch's
 * generator for each element.
 *
 *     buffer   [ . . a b | c d e . ]   a ring of up to `size` elements; each epoch of the input is a slice of it,
 *                ^ slice 0 ^ slice 1   and elements are taken out of the oldest alone
 *
 * The element that is taken leaves its place to the first one of the slice. */
#include "base/alloc.h"
#include "data/element.h"
#include "data/iterator.h"
#include "data/kinds.h"
#include "data/seeds.h"
#include "kernel/philox.h"

enum { MORE_EPOCHS = 3 }; /* held beyond the first */

struct shuffle {
    int64_t size, count; /* of the buffer; of epochs, -1: for ever */
    struct sl_object *source;
};
struct slice {
    int64_t begin, end; /* running numbers: element i is at i modulo size */
};
struct shuffle_iterator {
    struct sl_iterator base;
    struct sl_philox_words words;
    struct sl_element_list ring; /* n: places that were ever used, up to `size` */
    struct slice slices[MORE_EPOCHS + 2];
    int n_slices;
    int64_t held, epochs; /* elements; epochs that have begun */
    bool gave_any;
};

static void draw_seeds(struct shuffle_iterator *it) {
    const struct shuffle *s = it->base.dataset->state;
    int64_t pair[2];
    sl_seed_source_draw(pair, s->source);
    it->words = sl_philox_words_at(sl_philox_at((uint64_t)pair[0], 0, (uint64_t)pair[1]));
}

/* ---- the dataset */

static sl_code read_buffer(struct sl_dataset *d, struct sl_error *err) {
    struct shuffle *s = d->state;
    SL_TRY(sl_dataset_int(&s->size, d, 0, "buffer_size", err));
    s->count = 1;
    if (s->size == SL_UNKNOWN_CARDINALITY) s->size = INT64_MAX; /* the whole input */
    if (s->size > 0) return SL_OK;
    return sl_fail(err, SL_INVALID_ARGUMENT, "buffer_size must be greater than zero or UNKNOWN_CARDINALITY");
}

/* The source behind argument i, or NULL when there is none. */
static struct sl_object *source_at(const struct sl_dataset *d, int i) {
    if (i >= d->n_values || d->values[i].dtype != SL_RESOURCE) return NULL;
    const struct sl_view v = sl_value_view(&d->values[i]);
    struct sl_object *o = v.count == 1 ? *(struct sl_object **)v.data : NULL;
    return o && o->type == &sl_seed_source_type ? o : NULL;
}

/* buffer_size, seed, seed2, then count and seed_generator for those that have them; flag reshuffle_each_iteration. A
 * generator that is none stands for one of these seeds. */
static sl_code shuffle_init(struct sl_dataset *d, struct sl_error *err) {
    struct shuffle *s = d->state;
    int64_t seeds[2];
    SL_TRY(read_buffer(d, err));
    SL_TRY(sl_dataset_int(&seeds[0], d, 1, "seed", err));
    SL_TRY(sl_dataset_int(&seeds[1], d, 2, "seed2", err));
    s->source = sl_object_ref(source_at(d, d->n_values - 1));
    if (s->source) return SL_OK;
    sl_seeds_resolve(seeds);
    return sl_seed_source_new(&s->source, seeds, d->spec->flag, err);
}

static sl_code shuffle_and_repeat_init(struct sl_dataset *d, struct sl_error *err) {
    struct shuffle *s = d->state;
    SL_TRY(shuffle_init(d, err));
    SL_TRY(sl_dataset_int(&s->count, d, 3, "count", err));
    if (s->count > 0 || s->count == -1) return SL_OK;
    return sl_fail(err, SL_INVALID_ARGUMENT,
                   "count must be greater than zero or equal to -1 to repeat the dataset indefinitely.");
}

/* buffer_size, seed_generator */
static sl_code by_source_init(struct sl_dataset *d, struct sl_error *err) {
    struct shuffle *s = d->state;
    SL_TRY(read_buffer(d, err));
    s->source = sl_object_ref(source_at(d, 1));
    if (s->source) return SL_OK;
    int64_t seeds[2] = {0, 0};
    sl_seeds_resolve(seeds);
    return sl_seed_source_new(&s->source, seeds, true, err);
}

static void shuffle_clear(struct sl_dataset *d) { sl_object_unref(((struct shuffle *)d->state)->source); }

static int64_t shuffle_cardinality(const struct sl_dataset *d) {
    const struct shuffle *s = d->state;
    const int64_t n = sl_dataset_input_cardinality(d);
    int64_t all;
    if (n == 0 || s->count == 1) return n;
    if (s->count < 0) return SL_INFINITE_CARDINALITY;
    if (n < 0) return n;
    return __builtin_mul_overflow(n, s->count, &all) ? INT64_MAX : all;
}

/* ---- the iterator */

static sl_code shuffle_begin(struct sl_iterator *self, struct sl_step_env *env, struct sl_error *err) {
    (void)env, (void)err;
    struct shuffle_iterator *it = (struct shuffle_iterator *)self;
    it->ring.width = self->dataset->n;
    draw_seeds(it);
    return SL_OK;
}

/* The place of running number `i`; a place that was never used is made. */
static sl_code place(struct sl_value **out, struct shuffle_iterator *it, int64_t i, struct sl_error *err) {
    const struct shuffle *s = it->base.dataset->state;
    const int64_t at = i % s->size;
    if (at >= it->ring.n) { /* numbers go up by one, so it is the next one */
        SL_TRY(sl_element_list_room(out, &it->ring, err));
        it->ring.n++;
    }
    *out = sl_element_at(&it->ring, at);
    return SL_OK;
}

/* The oldest epoch is over: the next one has seeds of its own. */
static void drop_slice(struct shuffle_iterator *it) {
    memmove(it->slices, it->slices + 1, (size_t)--it->n_slices * sizeof *it->slices);
    draw_seeds(it);
}

/* Begins the next epoch of the input. False when there is none. */
static sl_code next_epoch(bool *begun, struct shuffle_iterator *it, struct sl_step_env *env, struct sl_error *err) {
    const struct shuffle *s = it->base.dataset->state;
    *begun = s->count < 0 || it->epochs < s->count;
    if (!*begun) return SL_OK;
    SL_TRY(sl_iterator_new(&it->base.input, it->base.dataset->inputs[0], env, err));
    const int64_t end = it->n_slices ? it->slices[it->n_slices - 1].end : 0;
    if (it->n_slices == MORE_EPOCHS + 2) drop_slice(it); /* nothing is held: it is empty */
    it->slices[it->n_slices++] = (struct slice){end, end};
    it->epochs++;
    return SL_OK;
}

static sl_code fill(struct shuffle_iterator *it, struct sl_step_env *env, struct sl_error *err) {
    const struct shuffle *s = it->base.dataset->state;
    while (it->held < s->size) {
        if (it->n_slices > MORE_EPOCHS && it->held > 0) break;
        if (!it->base.input) {
            bool begun;
            SL_TRY(next_epoch(&begun, it, env, err));
            if (!begun) break;
        }
        struct sl_value *room;
        bool is_end = false;
        struct slice *slice = &it->slices[it->n_slices - 1];
        SL_TRY(place(&room, it, slice->end, err));
        SL_TRY(sl_iterator_pull(&it->base, room, &is_end, env, err));
        if (is_end) {
            if (!it->gave_any && s->count < 0) { /* an empty input would be asked for ever */
                it->epochs = INT64_MAX;
                break;
            }
            continue;
        }
        it->gave_any = true;
        slice->end++;
        it->held++;
    }
    return SL_OK;
}

static sl_code shuffle_next(struct sl_iterator *self, struct sl_value *element, bool *is_end, struct sl_step_env *env,
                            struct sl_error *err) {
    struct shuffle_iterator *it = (struct shuffle_iterator *)self;
    SL_TRY(fill(it, env, err));
    *is_end = it->held == 0;
    if (*is_end) return SL_OK;
    while (it->slices[0].begin == it->slices[0].end) drop_slice(it);
    struct slice *slice = &it->slices[0];
    struct sl_value *from, *first;
    const int64_t n = slice->end - slice->begin;
    SL_TRY(place(&from, it, slice->begin + (int64_t)sl_philox_word(&it->words) % n, err));
    SL_TRY(place(&first, it, slice->begin, err));
    for (int i = 0; i < self->dataset->n; i++) {
        element[i] = sl_value_move(&from[i]);
        if (from != first) from[i] = sl_value_move(&first[i]);
    }
    slice->begin++;
    it->held--;
    return SL_OK;
}

static void shuffle_end(struct sl_iterator *self) { sl_element_list_clear(&((struct shuffle_iterator *)self)->ring); }

#define SHUFFLES                                                                                                       \
    .keeps_types = true, .state_bytes = sizeof(struct shuffle), .iterator_bytes = sizeof(struct shuffle_iterator),     \
    .clear = shuffle_clear, .cardinality = shuffle_cardinality, .begin = shuffle_begin, .next = shuffle_next,          \
    .end = shuffle_end
const struct sl_dataset_kind sl_shuffle_data = {.name = "Shuffle", .init = shuffle_init, SHUFFLES};
const struct sl_dataset_kind sl_shuffle_by_source_data = {.name = "Shuffle", .init = by_source_init, SHUFFLES};
const struct sl_dataset_kind sl_shuffle_and_repeat_data = {.name = "ShuffleAndRepeat",
                                                           .init = shuffle_and_repeat_init,
                                                           SHUFFLES};
