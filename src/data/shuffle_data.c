/* Shuffles: elements in a random order within a buffer, with TensorFlow's choice of each. One word of the epoch's
 * generator for each element.
 *
 *     buffer   [ . . a b | c d e . ]   a ring of up to `size` elements; each epoch of the input is a slice of it,
 *                ^ slice 0 ^ slice 1   and elements are taken out of the oldest alone
 *
 * The element that is taken leaves its place to the first one of the slice. */
#include <inttypes.h>

#include "base/alloc.h"
#include "data/element.h"
#include "data/iterator.h"
#include "data/kinds.h"
#include "data/seeds.h"
#include "data/state.h"
#include "kernel/cancellation.h"
#include "kernel/philox.h"

enum { MORE_EPOCHS = 3 }; /* held beyond the first */

struct shuffle {
    int64_t size, count; /* of the buffer; of epochs, -1: for ever */
    struct sl_object *source;
    _Atomic(int64_t *) order; /* of elements by number, as numbers of the input's; NULL: nobody has asked */
};
struct slice {
    int64_t begin, end; /* running numbers: element i is at i modulo size */
};
struct shuffle_iterator {
    struct sl_iterator base;
    struct sl_philox_words words;
    int64_t seeds[2], drawn;     /* of the words, and how many were drawn */
    struct sl_element_list ring; /* n: places that were ever used, up to `size` */
    struct slice slices[MORE_EPOCHS + 2];
    int n_slices;
    int64_t held, epochs; /* elements; epochs that have begun */
    int64_t first_at;     /* the place of the oldest element: its number modulo the size */
    bool gave_any;
};

static void draw_seeds(struct shuffle_iterator *it) {
    const struct shuffle *s = it->base.dataset->state;
    sl_seed_source_draw(it->seeds, s->source);
    it->words = sl_seeded_words(it->seeds, 0);
    it->drawn = 0;
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

/* buffer_size, seed, seed2, then count and seed_generator for those that have them; flag reshuffle_each_iteration. A
 * generator that is none stands for one of these seeds. */
static sl_code shuffle_init(struct sl_dataset *d, struct sl_error *err) {
    struct shuffle *s = d->state;
    int64_t seeds[2];
    SL_TRY(read_buffer(d, err));
    SL_TRY(sl_dataset_int(&seeds[0], d, 1, "seed", err));
    SL_TRY(sl_dataset_int(&seeds[1], d, 2, "seed2", err));
    s->source = sl_object_ref(sl_seed_source_of(d, d->n_values - 1));
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
    s->source = sl_object_ref(sl_seed_source_of(d, 1));
    if (s->source) return SL_OK;
    int64_t seeds[2] = {0, 0};
    sl_seeds_resolve(seeds);
    return sl_seed_source_new(&s->source, seeds, true, err);
}

static void shuffle_clear(struct sl_dataset *d) {
    struct shuffle *s = d->state;
    sl_object_unref(s->source);
    sl_free(atomic_load(&s->order));
}

static int64_t shuffle_cardinality(const struct sl_dataset *d) {
    const struct shuffle *s = d->state;
    const int64_t n = sl_dataset_input_cardinality(d);
    int64_t all;
    if (n == 0 || s->count == 1) return n;
    if (s->count < 0) return SL_INFINITE_CARDINALITY;
    if (n < 0) return n;
    return __builtin_mul_overflow(n, s->count, &all) ? INT64_MAX : all;
}

/* ---- elements by number: all of the input are shuffled, whatever the buffer's size */

static sl_code make_order(int64_t **out, struct shuffle *s, int64_t n, int64_t most, struct sl_error *err) {
    int64_t pair[2], *made = NULL, *other = NULL;
    if (n <= most / (int64_t)sizeof *made) made = sl_calloc((size_t)n, sizeof *made);
    if (!made) return sl_fail_memory(err, (size_t)n * sizeof *made);
    for (int64_t i = 0; i < n; i++) made[i] = i;
    sl_seed_source_at_random(pair, s->source);
    struct sl_philox_words words = sl_seeded_words(pair, 0);
    for (int64_t i = 0; i < n; i++) {
        const int64_t from = i + (int64_t)sl_philox_word(&words) % (n - i), x = made[from];
        made[from] = made[i];
        made[i] = x;
    }
    *out = made;
    if (atomic_compare_exchange_strong(&s->order, &other, made)) return SL_OK;
    sl_free(made);
    *out = other;
    return SL_OK;
}

static sl_code shuffle_element(const struct sl_dataset *d, struct sl_data_walk *walk, int64_t index,
                               struct sl_value *element, struct sl_error *err) {
    struct shuffle *s = d->state;
    int64_t *order = atomic_load(&s->order);
    if (!order) SL_TRY(make_order(&order, s, sl_dataset_input_cardinality(d), sl_data_walk_most_gathered(walk), err));
    return sl_data_walk_element(walk, d->inputs[0], order[index], element, err);
}

/* ---- the iterator */

static sl_code shuffle_begin(struct sl_iterator *self, struct sl_error *err) {
    (void)err;
    struct shuffle_iterator *it = (struct shuffle_iterator *)self;
    it->ring.width = self->dataset->n;
    draw_seeds(it);
    return SL_OK;
}

/* The place of the element that is `i` behind the oldest, fewer than the size. No division: that would be a good part of what
 * an element costs. */
static inline int64_t place_of(const struct shuffle_iterator *it, int64_t size, int64_t i) {
    const int64_t room = size - it->first_at;
    return i < room ? it->first_at + i : i - room;
}

/* The place behind the newest element; one that was never used is made. */
static sl_code next_place(struct sl_value **out, struct shuffle_iterator *it, int64_t size, struct sl_error *err) {
    const int64_t at = place_of(it, size, it->held);
    if (at >= it->ring.n) { /* places are used one after the other, so it is the next one */
        SL_TRY(sl_iterator_gather(out, &it->base, &it->ring, err));
        it->ring.n++;
    }
    *out = sl_element_at(&it->ring, at);
    return SL_OK;
}

/* The oldest epoch is over: the next one has seeds of its own. */
static __attribute__((noinline)) void drop_slice(struct shuffle_iterator *it) {
    memmove(it->slices, it->slices + 1, (size_t)--it->n_slices * sizeof *it->slices);
    draw_seeds(it);
}

/* Begins the next epoch of the input. False when there is none. */
static __attribute__((noinline)) sl_code next_epoch(bool *begun, struct shuffle_iterator *it, struct sl_error *err) {
    const struct shuffle *s = it->base.dataset->state;
    *begun = s->count < 0 || it->epochs < s->count;
    if (!*begun) return SL_OK;
    SL_TRY(sl_iterator_open_input(&it->base, SL_ONLY_INPUT, 0, err));
    const int64_t end = it->n_slices ? it->slices[it->n_slices - 1].end : 0;
    if (it->n_slices == MORE_EPOCHS + 2) drop_slice(it); /* nothing is held: it is empty */
    it->slices[it->n_slices++] = (struct slice){end, end};
    it->epochs++;
    return SL_OK;
}

static sl_code heed_fill(const struct shuffle_iterator *it, sl_code code, struct sl_error *err) {
    const struct shuffle *s = it->base.dataset->state;
    return SL_ITERATOR_HEED(&it->base, code, err, "fills its buffer, which has %" PRId64 " of %" PRId64 " elements",
                            it->held, s->size);
}

static sl_code fill(struct shuffle_iterator *it, struct sl_error *err) {
    const struct shuffle *s = it->base.dataset->state;
    while (it->held < s->size) {
        if (it->n_slices > MORE_EPOCHS && it->held > 0) break;
        if (!it->base.input) {
            bool begun;
            SL_TRY(next_epoch(&begun, it, err));
            if (!begun) break;
        }
        struct sl_value *room;
        bool is_end = false;
        struct slice *slice = &it->slices[it->n_slices - 1];
        SL_TRY(next_place(&room, it, s->size, err));
        SL_TRY(heed_fill(it, SL_OK, err));
        const sl_code code = sl_iterator_pull(&it->base, room, &is_end, err);
        if (code != SL_OK) return heed_fill(it, code, err);
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

static uint64_t below(uint32_t word, uint64_t n) { return n <= UINT32_MAX ? word % (uint32_t)n : word; }

static sl_code shuffle_next(struct sl_iterator *self, struct sl_value *element, bool *is_end, struct sl_error *err) {
    struct shuffle_iterator *it = (struct shuffle_iterator *)self;
    const struct shuffle *s = self->dataset->state;
    SL_TRY(fill(it, err));
    *is_end = it->held == 0;
    if (*is_end) return SL_OK;
    while (it->slices[0].begin == it->slices[0].end) drop_slice(it);
    struct slice *slice = &it->slices[0];
    const int64_t drawn = (int64_t)below(sl_philox_word(&it->words), (uint64_t)(slice->end - slice->begin));
    struct sl_value *from = sl_element_at(&it->ring, place_of(it, s->size, drawn));
    struct sl_value *first = sl_element_at(&it->ring, it->first_at);
    it->drawn++;
    for (int i = 0; i < self->dataset->n; i++) {
        element[i] = from[i];
        from[i] = first[i];
        first[i].kind = SL_VALUE_NONE;
    }
    slice->begin++;
    it->held--;
    if (++it->first_at == s->size) it->first_at = 0;
    return SL_OK;
}

/* ---- positions */

enum { MOST_EMPTY_PLACES = 1 << 20 }; /* a buffer of more is not written in full: what is beyond was never used */

static sl_code save_slices(const struct sl_iterator *self, struct sl_state *state, struct sl_error *err) {
    const struct shuffle_iterator *it = (const struct shuffle_iterator *)self;
    char key[SL_STATE_KEY];
    SL_TRY(sl_state_put_int(state, self, "slices_size", it->n_slices, err));
    for (int i = 0; i < it->n_slices; i++) {
        const bool is_complete = i < it->n_slices - 1 || !self->input;
        SL_TRY(sl_state_put_int(state, self, sl_state_key(key, "slices_start_%d", i), it->slices[i].begin, err));
        SL_TRY(sl_state_put_int(state, self, sl_state_key(key, "slices_end_%d", i), it->slices[i].end, err));
        SL_TRY(
            sl_state_put_int(state, self, sl_state_key(key, "slices_reached_end_of_sequence_%d", i), is_complete, err));
    }
    return it->gave_any ? sl_state_put_mark(state, self, "data_produced", err) : SL_OK;
}

static sl_code save_ring(const struct sl_iterator *self, struct sl_state *state, struct sl_error *err) {
    const struct shuffle_iterator *it = (const struct shuffle_iterator *)self;
    const struct shuffle *s = self->dataset->state;
    const int64_t n = s->size <= MOST_EMPTY_PLACES ? s->size : it->ring.n;
    char part[SL_STATE_KEY];
    SL_TRY(sl_state_put_part_int(state, self, ":buffer", "num_elements", n, err));
    for (int64_t i = 0; i < n; i++) {
        const struct sl_value *element = i < it->ring.n ? sl_element_at(&it->ring, i) : NULL;
        const bool is_there = element && element[0].kind != SL_VALUE_NONE;
        SL_TRY(sl_state_put_element(state, self, sl_state_key(part, ":buffer::%lld", (long long)i), element,
                                    is_there ? self->dataset->n : 0, err));
    }
    return SL_OK;
}

static sl_code shuffle_save(const struct sl_iterator *self, struct sl_state *state, struct sl_error *err) {
    const struct shuffle_iterator *it = (const struct shuffle_iterator *)self;
    const struct shuffle *s = self->dataset->state;
    SL_TRY(sl_state_put_int(state, self, "epoch_num_random_samples", sl_seed_source_drawn(s->source), err));
    SL_TRY(sl_state_put_int(state, self, "num_random_samples", it->drawn, err));
    SL_TRY(sl_state_put_int(state, self, "seed", it->seeds[0], err));
    SL_TRY(sl_state_put_int(state, self, "seed2", it->seeds[1], err));
    SL_TRY(sl_state_put_int(state, self, "end_of_input_sequence", self->input == NULL, err));
    if (self->input) SL_TRY(sl_iterator_save(self->input, state, err));
    SL_TRY(sl_state_put_int(state, self, "epoch", it->epochs, err));
    SL_TRY(sl_state_put_int(state, self, "num_elements", it->held, err));
    SL_TRY(save_slices(self, state, err));
    return save_ring(self, state, err);
}

/* Slices that are used up and not the last need not be kept. */
static sl_code restore_slices(struct shuffle_iterator *it, const struct sl_state *state, struct sl_error *err) {
    char key[SL_STATE_KEY];
    int64_t n;
    SL_TRY(sl_state_get_int(&n, state, &it->base, "slices_size", err));
    it->n_slices = 0;
    for (int64_t i = 0, held = 0; i < n; i++) {
        struct slice slice;
        SL_TRY(sl_state_get_int(&slice.begin, state, &it->base, sl_state_key(key, "slices_start_%lld", (long long)i),
                                err));
        SL_TRY(sl_state_get_int(&slice.end, state, &it->base, sl_state_key(key, "slices_end_%lld", (long long)i), err));
        held += slice.end - slice.begin;
        if (slice.begin < 0 || slice.begin > slice.end || it->n_slices == MORE_EPOCHS + 2 || held > it->held)
            return sl_fail(err, SL_INVALID_ARGUMENT, "A saved shuffle has impossible slices");
        it->slices[it->n_slices++] = slice;
    }
    return SL_OK;
}

/* Every place that a slice has holds an element. */
static bool is_ring_complete(const struct shuffle_iterator *it) {
    const struct shuffle *s = it->base.dataset->state;
    for (int i = 0; i < it->n_slices; i++)
        for (int64_t k = it->slices[i].begin; k < it->slices[i].end; k++)
            if (k % s->size >= it->ring.n || sl_element_at(&it->ring, k % s->size)->kind == SL_VALUE_NONE) return false;
    return true;
}

static sl_code restore_ring(struct shuffle_iterator *it, const struct sl_state *state, struct sl_error *err) {
    const struct shuffle *s = it->base.dataset->state;
    char part[SL_STATE_KEY];
    int64_t n;
    SL_TRY(sl_state_get_part_int(&n, state, &it->base, ":buffer", "num_elements", err));
    for (int64_t i = 0; i < n && i < s->size; i++) {
        struct sl_value *room;
        bool is_there;
        sl_state_key(part, ":buffer::%lld", (long long)i);
        SL_TRY(sl_element_list_room(&room, &it->ring, err));
        SL_TRY(sl_state_get_element(room, &is_there, it->base.dataset->n, state, &it->base, part, err));
        it->ring.n++;
    }
    return is_ring_complete(it) ? SL_OK : sl_fail(err, SL_INVALID_ARGUMENT, "A saved shuffle lacks elements");
}

static sl_code shuffle_restore(struct sl_iterator *self, const struct sl_state *state, struct sl_error *err) {
    struct shuffle_iterator *it = (struct shuffle_iterator *)self;
    const struct shuffle *s = self->dataset->state;
    int64_t drawn, is_over;
    SL_TRY(sl_state_get_int(&drawn, state, self, "epoch_num_random_samples", err));
    SL_TRY(sl_state_get_int(&it->drawn, state, self, "num_random_samples", err));
    SL_TRY(sl_state_get_int(&it->seeds[0], state, self, "seed", err));
    SL_TRY(sl_state_get_int(&it->seeds[1], state, self, "seed2", err));
    SL_TRY(sl_state_get_int(&is_over, state, self, "end_of_input_sequence", err));
    SL_TRY(sl_state_get_int(&it->epochs, state, self, "epoch", err));
    SL_TRY(sl_state_get_int(&it->held, state, self, "num_elements", err));
    if (drawn < 0 || it->drawn < 0 || it->held < 0)
        return sl_fail(err, SL_INVALID_ARGUMENT, "A saved shuffle has negative numbers");
    if (!is_over) {
        SL_TRY(sl_iterator_open_input(self, SL_ONLY_INPUT, 0, err));
        SL_TRY(sl_iterator_restore(self->input, state, err));
    }
    sl_seed_source_go_to(s->source, drawn);
    it->words = sl_seeded_words(it->seeds, (uint64_t)it->drawn);
    it->gave_any = sl_state_has(state, self, "data_produced");
    SL_TRY(restore_slices(it, state, err));
    it->first_at = it->n_slices ? it->slices[0].begin % s->size : 0;
    return restore_ring(it, state, err);
}

static void shuffle_end(struct sl_iterator *self) { sl_element_list_clear(&((struct shuffle_iterator *)self)->ring); }

#define SHUFFLES                                                                                                       \
    .keeps_types = true, .state_bytes = sizeof(struct shuffle), .iterator_bytes = sizeof(struct shuffle_iterator),     \
    .clear = shuffle_clear, .cardinality = shuffle_cardinality, .begin = shuffle_begin, .next = shuffle_next,          \
    .end = shuffle_end, .save = shuffle_save, .restore = shuffle_restore
const struct sl_dataset_kind sl_shuffle_data = {.name = "Shuffle",
                                                .init = shuffle_init,
                                                .element = shuffle_element,
                                                SHUFFLES};
const struct sl_dataset_kind sl_shuffle_by_source_data = {.name = "Shuffle",
                                                          .init = by_source_init,
                                                          .element = shuffle_element,
                                                          SHUFFLES};
const struct sl_dataset_kind sl_shuffle_and_repeat_data = {.name = "ShuffleAndRepeat",
                                                           .init = shuffle_and_repeat_init,
                                                           SHUFFLES};
