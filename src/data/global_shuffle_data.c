/* GlobalShuffleDataset: all elements of the input in a random order, each taken by its number. Nothing is buffered: where the
 * i-th one stands is computed. */
#include "base/alloc.h"
#include "data/element.h"
#include "data/iterator.h"
#include "data/kinds.h"
#include "data/seeds.h"
#include "data/state.h"
#include "kernel/index_shuffle.h"

enum { ROUNDS = 8 };

/* seed, seed2, seed_generator; flag reshuffle_each_iteration. A generator that is none stands for one of these seeds. */
struct global_shuffle {
    struct sl_object *source;
};
struct global_shuffle_iterator {
    struct sl_iterator base;
    uint32_t seeds[3];
    int64_t at;
};

/* Whether all elements can be had by their number. Not of batches whose last one may be short, of shuffles, and of what is
 * nothing or for ever, as in TensorFlow. */
static bool has_random_access(const struct sl_dataset *d) {
    const bool is_batch = d->kind == &sl_batch_data || d->kind == &sl_parallel_batch_data;
    if (is_batch && d->shapes[0].rank > 0 && d->shapes[0].dims[0] < 0) return false;
    if (d->kind == &sl_shuffle_data || d->kind == &sl_shuffle_by_source_data) return false; /* a shuffle of its own */
    if ((d->kind == &sl_repeat_data || d->kind == &sl_skip_data) && sl_dataset_cardinality(d) <= 0) return false;
    for (int i = 0; i < d->n_inputs; i++)
        if (!has_random_access(d->inputs[i])) return false;
    return d->kind->element != NULL;
}

static sl_code global_shuffle_init(struct sl_dataset *d, struct sl_error *err) {
    struct global_shuffle *s = d->state;
    const int64_t n = sl_dataset_input_cardinality(d);
    int64_t seeds[2];
    SL_TRY(sl_dataset_int(&seeds[0], d, 0, "seed", err));
    SL_TRY(sl_dataset_int(&seeds[1], d, 1, "seed2", err));
    if (!has_random_access(d->inputs[0]))
        return sl_fail(err, SL_FAILED_PRECONDITION,
                       "`global_shuffle` requires all upstream transformations be compatible with random access. "
                       "%sDataset or what it reads is not",
                       d->inputs[0]->kind->name);
    if (n <= 0)
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "`global_shuffle` requires the input dataset to have a non-empty finite cardinality. Got "
                       "cardinality %lld",
                       (long long)n);
    s->source = sl_object_ref(sl_seed_source_of(d, d->n_values - 1));
    if (s->source) return SL_OK;
    sl_seeds_resolve(seeds);
    return sl_seed_source_new(&s->source, seeds, d->spec->flag, err);
}

static void global_shuffle_clear(struct sl_dataset *d) { sl_object_unref(((struct global_shuffle *)d->state)->source); }

/* Three seeds out of two pairs. */
static sl_code global_shuffle_begin(struct sl_iterator *self, struct sl_error *err) {
    (void)err;
    struct global_shuffle_iterator *it = (struct global_shuffle_iterator *)self;
    const struct global_shuffle *s = self->dataset->state;
    int64_t first[2], second[2];
    sl_seed_source_draw(first, s->source);
    sl_seed_source_draw(second, s->source);
    it->seeds[0] = (uint32_t)first[0];
    it->seeds[1] = (uint32_t)first[1];
    it->seeds[2] = (uint32_t)second[0];
    return SL_OK;
}

static sl_code global_shuffle_next(struct sl_iterator *self, struct sl_value *element, bool *is_end,
                                   struct sl_error *err) {
    struct global_shuffle_iterator *it = (struct global_shuffle_iterator *)self;
    const int64_t n = sl_dataset_input_cardinality(self->dataset);
    *is_end = it->at >= n;
    if (*is_end) return SL_OK;
    const uint64_t from = sl_index_shuffle((uint64_t)it->at++, it->seeds, (uint64_t)n - 1, ROUNDS);
    return sl_data_walk_element(self->walk, self->dataset->inputs[0], (int64_t)from, element, err);
}

/* ---- positions. TensorFlow finds states of the input there, too, but takes the number of elements from here. */

static sl_code save_input(const struct sl_iterator *self, struct sl_state *state, struct sl_error *err) {
    struct sl_iterator *input;
    SL_TRY(sl_iterator_new(&input, self, SL_ONLY_INPUT, self->dataset->inputs[0], err));
    sl_code code = sl_iterator_save(input, state, err);
    sl_iterator_free(input);
    return code;
}

static sl_code global_shuffle_save(const struct sl_iterator *self, struct sl_state *state, struct sl_error *err) {
    const struct global_shuffle_iterator *it = (const struct global_shuffle_iterator *)self;
    const struct global_shuffle *s = self->dataset->state;
    SL_TRY(sl_state_put_int(state, self, "element_count", it->at, err));
    SL_TRY(sl_state_put_int(state, self, "epoch_num_random_samples", sl_seed_source_drawn(s->source), err));
    SL_TRY(sl_state_put_int(state, self, "seed", it->seeds[0], err));
    SL_TRY(sl_state_put_int(state, self, "seed2", it->seeds[1], err));
    SL_TRY(sl_state_put_int(state, self, "seed3", it->seeds[2], err));
    return save_input(self, state, err);
}

static sl_code global_shuffle_restore(struct sl_iterator *self, const struct sl_state *state, struct sl_error *err) {
    struct global_shuffle_iterator *it = (struct global_shuffle_iterator *)self;
    const struct global_shuffle *s = self->dataset->state;
    static const char *const keys[] = {"seed", "seed2", "seed3"};
    int64_t drawn, seed;
    SL_TRY(sl_state_get_int(&it->at, state, self, "element_count", err));
    SL_TRY(sl_state_get_int(&drawn, state, self, "epoch_num_random_samples", err));
    for (int i = 0; i < 3; i++) {
        SL_TRY(sl_state_get_int(&seed, state, self, keys[i], err));
        it->seeds[i] = (uint32_t)seed;
    }
    if (it->at < 0 || drawn < 0) return sl_fail(err, SL_INVALID_ARGUMENT, "A saved shuffle has negative numbers");
    sl_seed_source_go_to(s->source, drawn);
    return SL_OK;
}

const struct sl_dataset_kind sl_global_shuffle_data = {.name = "GlobalShuffle",
                                                       .keeps_types = true,
                                                       .state_bytes = sizeof(struct global_shuffle),
                                                       .iterator_bytes = sizeof(struct global_shuffle_iterator),
                                                       .init = global_shuffle_init,
                                                       .clear = global_shuffle_clear,
                                                       .cardinality = sl_dataset_input_cardinality,
                                                       .begin = global_shuffle_begin,
                                                       .next = global_shuffle_next,
                                                       .save = global_shuffle_save,
                                                       .restore = global_shuffle_restore};
