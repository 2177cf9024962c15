/* Datasets that pass elements on by chance or with a delay, and those that leave the choice between equal pipelines to
 * the runtime. */
#include "base/alloc.h"
#include "data/element.h"
#include "data/iterator.h"
#include "data/kinds.h"
#include "data/seeds.h"
#include "data/state.h"
#include "kernel/cancellation.h"
#include "kernel/philox.h"
#include "os/clock.h"
#include "os/mutex.h"

/* ---- SamplingDataset: rate, seed, seed2. Each element of the input takes one word of the generator. */

struct sampling {
    float rate;
    int64_t seeds[2];
};
struct sampling_iterator {
    struct sl_iterator base;
    struct sl_philox_words words;
    int64_t given, seeds[2]; /* given: words */
};

static sl_code sampling_init(struct sl_dataset *d, struct sl_error *err) {
    struct sampling *s = d->state;
    const float *rate = sl_value_scalar(&d->values[0]);
    if (!rate || d->values[0].dtype != SL_FLOAT) return sl_fail(err, SL_INVALID_ARGUMENT, "rate must be a scalar");
    s->rate = *rate;
    SL_TRY(sl_dataset_int(&s->seeds[0], d, 1, "seed", err));
    SL_TRY(sl_dataset_int(&s->seeds[1], d, 2, "seed2", err));
    sl_seeds_resolve(s->seeds);
    return SL_OK;
}

static void sampling_go_to(struct sampling_iterator *it, const int64_t seeds[2], int64_t given) {
    memcpy(it->seeds, seeds, sizeof it->seeds);
    it->given = given;
    it->words = sl_seeded_words(seeds, (uint64_t)given);
}

static sl_code sampling_begin(struct sl_iterator *self, struct sl_error *err) {
    (void)err;
    sampling_go_to((struct sampling_iterator *)self, ((const struct sampling *)self->dataset->state)->seeds, 0);
    return SL_OK;
}

static sl_code sampling_next(struct sl_iterator *self, struct sl_value *element, bool *is_end, struct sl_error *err) {
    enum { FRACTION = 0x7fffff };
    struct sampling_iterator *it = (struct sampling_iterator *)self;
    const float rate = ((const struct sampling *)self->dataset->state)->rate;
    for (;;) {
        SL_TRY(sl_iterator_pull(self, element, is_end, err));
        if (*is_end) return SL_OK;
        it->given++;
        const uint32_t word = sl_philox_word(&it->words);
        if ((float)(word & FRACTION) / (FRACTION + 1) < rate) return SL_OK;
        sl_element_clear(element, self->dataset->n);
    }
}

static sl_code sampling_save(const struct sl_iterator *self, struct sl_state *state, struct sl_error *err) {
    const struct sampling_iterator *it = (const struct sampling_iterator *)self;
    SL_TRY(sl_state_put_int(state, self, ":num_random_samples", it->given, err));
    SL_TRY(sl_state_put_int(state, self, ":seed", it->seeds[0], err));
    SL_TRY(sl_state_put_int(state, self, ":seed2", it->seeds[1], err));
    if (!self->input) return sl_state_put_mark(state, self, ":input_impl_empty", err);
    return sl_state_put_input(state, self, NULL, err);
}

static sl_code sampling_restore(struct sl_iterator *self, const struct sl_state *state, struct sl_error *err) {
    int64_t given, seeds[2];
    SL_TRY(sl_state_get_int(&given, state, self, ":num_random_samples", err));
    SL_TRY(sl_state_get_int(&seeds[0], state, self, ":seed", err));
    SL_TRY(sl_state_get_int(&seeds[1], state, self, ":seed2", err));
    sampling_go_to((struct sampling_iterator *)self, seeds, given);
    if (!sl_state_has(state, self, ":input_impl_empty"))
        return sl_state_get_input(state, self, SL_ONLY_INPUT, NULL, err);
    sl_iterator_free(self->input);
    self->input = NULL;
    return SL_OK;
}

const struct sl_dataset_kind sl_sampling_data = {.name = "Sampling",
                                                 .keeps_types = true,
                                                 .opens_input = true,
                                                 .state_bytes = sizeof(struct sampling),
                                                 .iterator_bytes = sizeof(struct sampling_iterator),
                                                 .init = sampling_init,
                                                 .begin = sampling_begin,
                                                 .next = sampling_next,
                                                 .save = sampling_save,
                                                 .restore = sampling_restore};

/* ---- SleepDataset: sleep_microseconds before each element; cancelling the walk ends the sleep. */

enum { NS_IN_US = 1000 };

static sl_code sleep_init(struct sl_dataset *d, struct sl_error *err) {
    int64_t *us = d->state;
    SL_TRY(sl_dataset_int(us, d, 0, "sleep_microseconds", err));
    if (*us >= 0 && *us <= INT64_MAX / NS_IN_US) return SL_OK;
    return sl_fail(err, SL_INVALID_ARGUMENT, "`sleep_microseconds` must be >= 0");
}

struct sleep {
    struct sl_mutex mutex;
    struct sl_condition cancelled;
};

static void end_sleep(void *arg) {
    struct sleep *s = arg;
    sl_mutex_lock(&s->mutex);
    sl_condition_broadcast(&s->cancelled);
    sl_mutex_unlock(&s->mutex);
}

static void tell_of_sleep(void *arg, struct sl_wait_listener *to) {
    (void)arg;
    sl_wait_say(to, "a Sleep dataset lets its time go by");
}

static sl_code sleep_until(int64_t end, struct sl_cancellation *c, struct sl_error *err) {
    struct sleep s;
    sl_mutex_init(&s.mutex);
    sl_condition_init(&s.cancelled);
    struct sl_cancellation_callback callback = {.fn = end_sleep, .arg = &s, .tell = tell_of_sleep};
    const bool listens = sl_cancellation_register(c, &callback);
    const int64_t deadline = sl_cancellation_deadline(c), until = deadline && deadline < end ? deadline : end;
    sl_mutex_lock(&s.mutex);
    while (!sl_cancellation_is_due(c) && sl_clock_ns() < until) sl_condition_wait_until(&s.cancelled, &s.mutex, until);
    sl_mutex_unlock(&s.mutex);
    if (listens) sl_cancellation_unregister(c, &callback);
    sl_condition_clear(&s.cancelled);
    sl_mutex_clear(&s.mutex);
    return sl_cancellation_status(c, err);
}

static sl_code sleep_next(struct sl_iterator *self, struct sl_value *element, bool *is_end, struct sl_error *err) {
    const int64_t *us = self->dataset->state, now = sl_clock_ns();
    const int64_t end = *us * NS_IN_US > INT64_MAX - now ? INT64_MAX : now + *us * NS_IN_US;
    SL_TRY(sleep_until(end, sl_data_walk_env(self->walk)->cancellation, err));
    return sl_iterator_pull(self, element, is_end, err);
}

const struct sl_dataset_kind sl_sleep_data = {.name = "Sleep",
                                              .keeps_types = true,
                                              .opens_input = true,
                                              .state_bytes = sizeof(int64_t),
                                              .iterator_bytes = sizeof(struct sl_iterator),
                                              .init = sleep_init,
                                              .cardinality = sl_dataset_input_cardinality,
                                              .next = sleep_next};

/* ---- ChooseFastestDataset: inputs with the same elements. Which one is fastest changes no element, so it is the first
 * one, and nothing is measured. */

static sl_code choose_init(struct sl_dataset *d, struct sl_error *err) {
    int64_t known = SL_UNKNOWN_CARDINALITY;
    for (int i = 0; i < d->n_inputs; i++) {
        const struct sl_dataset *input = d->inputs[i];
        const int64_t n = sl_dataset_cardinality(input);
        if (input->n != d->n || memcmp(input->types, d->inputs[0]->types, (size_t)d->n) != 0)
            return sl_fail(err, SL_INVALID_ARGUMENT,
                           "All inputs to ChooseFastestDataset must have the same types. Input %d differs.", i);
        if (n != SL_UNKNOWN_CARDINALITY && known != SL_UNKNOWN_CARDINALITY && n != known)
            return sl_fail(err, SL_INVALID_ARGUMENT,
                           "All inputs to ChooseFastestDataset must have compatible cardinalities. Input %d has "
                           "cardinality: %lld, while all prior inputs have cardinality: %lld.",
                           i, (long long)n, (long long)known);
        if (n != SL_UNKNOWN_CARDINALITY) known = n;
    }
    return SL_OK;
}

static int64_t choose_cardinality(const struct sl_dataset *d) {
    int64_t n = SL_UNKNOWN_CARDINALITY;
    for (int i = 0; i < d->n_inputs && n == SL_UNKNOWN_CARDINALITY; i++) n = sl_dataset_cardinality(d->inputs[i]);
    return n;
}

static sl_code choose_next(struct sl_iterator *self, struct sl_value *element, bool *is_end, struct sl_error *err) {
    return sl_iterator_pull(self, element, is_end, err);
}

const struct sl_dataset_kind sl_choose_fastest_data = {.name = "ChooseFastest",
                                                       .keeps_types = true,
                                                       .opens_input = true,
                                                       .iterator_bytes = sizeof(struct sl_iterator),
                                                       .init = choose_init,
                                                       .cardinality = choose_cardinality,
                                                       .next = choose_next};

/* ChooseFastestBranchDataset: functions that make equal pipelines of the input; the first one's is taken. Its arguments:
 * ratio_numerator, ratio_denominator, then what the functions captured. */

struct branch_iterator {
    struct sl_iterator base;
    bool is_open;
};

static sl_code branch_init(struct sl_dataset *d, struct sl_error *err) {
    static const char *const names[] = {"ratio_numerator", "ratio_denominator"};
    for (int i = 0; i < 2; i++) {
        int64_t x;
        SL_TRY(sl_dataset_int(&x, d, i, names[i], err));
        if (x <= 0) return sl_fail(err, SL_INVALID_ARGUMENT, "`%s` must be greater than zero.", names[i]);
    }
    return sl_dataset_check_function(d, 0, 1, 1, err);
}

static sl_code branch_open(struct sl_iterator *self, struct sl_error *err) {
    struct branch_iterator *it = (struct branch_iterator *)self;
    struct sl_dataset *input = self->dataset->inputs[0];
    struct sl_value made = {0},
                    arg = {.kind = SL_VALUE_OBJECT, .dtype = SL_VARIANT, .object = sl_object_ref(&input->object)};
    sl_code code = sl_iterator_call(&made, self, 0, &arg, 1, err);
    sl_value_clear(&arg);
    SL_TRY(code);
    code = sl_iterator_new_over(&self->input, self, SL_ONLY_INPUT, &made, err);
    sl_value_clear(&made);
    it->is_open = code == SL_OK;
    return code;
}

static sl_code branch_next(struct sl_iterator *self, struct sl_value *element, bool *is_end, struct sl_error *err) {
    if (!((struct branch_iterator *)self)->is_open) SL_TRY(branch_open(self, err));
    return sl_iterator_pull(self, element, is_end, err);
}

static sl_code branch_save(const struct sl_iterator *self, struct sl_state *state, struct sl_error *err) {
    const bool is_open = ((const struct branch_iterator *)self)->is_open;
    SL_TRY(sl_state_put_int(state, self, "is_open", is_open, err));
    SL_TRY(sl_state_put_int(state, self, "input_impl_empty", !self->input, err));
    return self->input ? sl_iterator_save(self->input, state, err) : SL_OK;
}

static sl_code branch_restore(struct sl_iterator *self, const struct sl_state *state, struct sl_error *err) {
    int64_t is_open, is_empty;
    SL_TRY(sl_state_get_int(&is_open, state, self, "is_open", err));
    SL_TRY(sl_state_get_int(&is_empty, state, self, "input_impl_empty", err));
    if (!is_open) return SL_OK;
    SL_TRY(branch_open(self, err));
    if (!is_empty) return sl_iterator_restore(self->input, state, err);
    sl_iterator_free(self->input);
    self->input = NULL;
    return SL_OK;
}

const struct sl_dataset_kind sl_choose_branch_data = {.name = "ChooseFastestBranch",
                                                      .iterator_bytes = sizeof(struct branch_iterator),
                                                      .init = branch_init,
                                                      .next = branch_next,
                                                      .save = branch_save,
                                                      .restore = branch_restore};
