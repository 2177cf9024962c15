/* Datasets that pass elements on as they are: which of them, how often, from which input. */
#include <stdio.h>

#include "base/alloc.h"
#include "data/ahead.h"
#include "data/element.h"
#include "data/element_rows.h"
#include "data/iterator.h"
#include "data/kinds.h"
#include "data/state.h"

/* The next element of the input: for kinds that pass it on. */
static sl_code pass_next(struct sl_iterator *self, struct sl_value *element, bool *is_end, struct sl_error *err) {
    return sl_iterator_pull(self, element, is_end, err);
}

static sl_code pass_next_rows(struct sl_iterator *self, struct sl_rows *rows, int64_t n, bool *is_end,
                              struct sl_error *err) {
    return sl_iterator_pull_rows(self, rows, n, is_end, err);
}

#define PASSES .keeps_types = true, .opens_input = true

/* ---- OptionsDataset, ModelDataset ...: what changes how, not what */

static sl_code pass_element(const struct sl_dataset *d, struct sl_data_walk *walk, int64_t index,
                            struct sl_value *element, struct sl_error *err) {
    return sl_data_walk_element(walk, d->inputs[0], index, element, err);
}

const struct sl_dataset_kind sl_pass_data = {.name = "Options",
                                             .element = pass_element,
                                             PASSES,
                                             .iterator_bytes = sizeof(struct sl_iterator),
                                             .cardinality = sl_dataset_input_cardinality,
                                             .next_rows = pass_next_rows,
                                             .next = pass_next};

/* ---- PrefetchDataset: buffer_size; -1: as many as it takes */

struct prefetch_iterator {
    struct sl_iterator base;
    struct sl_ahead *ahead;
    struct sl_ahead_cost cost;
};

static sl_code prefetch_init(struct sl_dataset *d, struct sl_error *err) {
    int64_t *size = d->state;
    SL_TRY(sl_dataset_int(size, d, 0, "buffer_size", err));
    if (*size >= -1) return SL_OK;
    return sl_fail(err, SL_INVALID_ARGUMENT, "buffer_size must be >= 0 or set buffer_size to be -1 for auto-tuning");
}

static sl_code pull_ahead(void *arg, struct sl_value *element, bool *is_end, struct sl_error *err) {
    return sl_iterator_pull(arg, element, is_end, err);
}

static sl_code prefetch_begin(struct sl_iterator *self, struct sl_error *err) {
    struct prefetch_iterator *it = (struct prefetch_iterator *)self;
    const int64_t *size = self->dataset->state;
    return sl_ahead_new(&it->ahead, pull_ahead, self, self->dataset->n, *size, self->walk, &it->cost, err);
}

static sl_code prefetch_next(struct sl_iterator *self, struct sl_value *element, bool *is_end, struct sl_error *err) {
    return sl_ahead_next(((struct prefetch_iterator *)self)->ahead, element, is_end, err);
}

/* What was made ahead, element by element, under ::0, ::1 ...; an end is the input's to tell. */
static sl_code put_made(struct sl_state *state, const struct sl_iterator *self, int64_t i,
                        const struct sl_made_element *made, struct sl_error *err) {
    char part[SL_STATE_KEY], key[SL_STATE_KEY];
    sl_state_key(part, "::%lld", (long long)i);
    SL_TRY(sl_state_put_part_int(state, self, part, "status.code", made->code, err));
    if (made->code != SL_OK)
        return sl_state_put_part_text(state, self, part, "status.error_message", made->message, err);
    SL_TRY(sl_state_put_part_int(state, self, part, "buffer.size", self->dataset->n, err));
    for (int k = 0; k < self->dataset->n; k++)
        SL_TRY(sl_state_put_part(state, self, part, sl_state_key(key, "buffer[%d]", k), &made->element[k], err));
    return SL_OK;
}

static sl_code get_made(struct sl_made_element *made, const struct sl_state *state, const struct sl_iterator *self,
                        int64_t i, struct sl_error *err) {
    char part[SL_STATE_KEY], key[SL_STATE_KEY];
    int64_t code, n;
    sl_state_key(part, "::%lld", (long long)i);
    SL_TRY(sl_state_get_part_int(&code, state, self, part, "status.code", err));
    if (code != SL_OK) return sl_made_element_get_error(made, code, state, self, part, "status.error_message", err);
    SL_TRY(sl_state_get_part_int(&n, state, self, part, "buffer.size", err));
    if (n != self->dataset->n)
        return sl_fail(err, SL_INVALID_ARGUMENT, "A saved element has %lld components", (long long)n);
    for (int k = 0; k < n; k++)
        SL_TRY(sl_state_get_part(&made->element[k], state, self, part, sl_state_key(key, "buffer[%d]", k), err));
    return SL_OK;
}

static sl_code put_buffer(struct sl_state *state, const struct sl_iterator *self, int64_t n, struct sl_error *err) {
    const struct prefetch_iterator *it = (const struct prefetch_iterator *)self;
    SL_TRY(sl_state_put_input(state, self, NULL, err));
    while (n > 0 && sl_ahead_at(it->ahead, n - 1)->is_end) n--;
    SL_TRY(sl_state_put_int(state, self, "buffer_size", n, err));
    for (int64_t i = 0; i < n; i++) SL_TRY(put_made(state, self, i, sl_ahead_at(it->ahead, i), err));
    return SL_OK;
}

static sl_code prefetch_save(const struct sl_iterator *self, struct sl_state *state, struct sl_error *err) {
    const struct prefetch_iterator *it = (const struct prefetch_iterator *)self;
    const int64_t n = sl_ahead_hold(it->ahead);
    sl_code code = put_buffer(state, self, n, err);
    sl_ahead_release(it->ahead);
    return code;
}

/* A state that was taken from the elements that came out knows of no buffer. */
static sl_code prefetch_restore(struct sl_iterator *self, const struct sl_state *state, struct sl_error *err) {
    struct prefetch_iterator *it = (struct prefetch_iterator *)self;
    int64_t n = 0;
    SL_TRY(sl_state_get_input(state, self, SL_ONLY_INPUT, NULL, err));
    if (sl_state_has(state, self, "buffer_size")) SL_TRY(sl_state_get_int(&n, state, self, "buffer_size", err));
    for (int64_t i = 0; i < n; i++) {
        struct sl_made_element *made;
        SL_TRY(sl_ahead_room(&made, it->ahead, err));
        SL_TRY(get_made(made, state, self, i, err));
    }
    return SL_OK;
}

static void prefetch_end(struct sl_iterator *self) { sl_ahead_free(((struct prefetch_iterator *)self)->ahead); }

const struct sl_dataset_kind sl_prefetch_data = {.name = "Prefetch",
                                                 PASSES,
                                                 .state_bytes = sizeof(int64_t),
                                                 .iterator_bytes = sizeof(struct prefetch_iterator),
                                                 .init = prefetch_init,
                                                 .cardinality = sl_dataset_input_cardinality,
                                                 .element = pass_element,
                                                 .save = prefetch_save,
                                                 .restore = prefetch_restore,
                                                 .begin = prefetch_begin,
                                                 .next = prefetch_next,
                                                 .end = prefetch_end};

/* ---- kinds with one count */

struct counted_iterator {
    struct sl_iterator base;
    int64_t at;   /* elements, or passes, that are over */
    bool is_used; /* Repeat: this pass gave an element */
};

static sl_code count_init(struct sl_dataset *d, struct sl_error *err) {
    return sl_dataset_int(d->state, d, 0, "count", err);
}
static int64_t count_of(const struct sl_dataset *d) { return *(const int64_t *)d->state; }

#define COUNTED .state_bytes = sizeof(int64_t), .iterator_bytes = sizeof(struct counted_iterator)

/* RepeatDataset: a negative count is for ever. */
static int64_t repeat_cardinality(const struct sl_dataset *d) {
    const int64_t n = sl_dataset_input_cardinality(d), count = count_of(d);
    int64_t all;
    if (count == 0 || n == 0) return 0;
    if (count < 0) return SL_INFINITE_CARDINALITY;
    if (n < 0) return n;
    return __builtin_mul_overflow(n, count, &all) ? INT64_MAX : all;
}

/* The first pass begins at once, since passes of shuffles draw seeds as they begin. */
static sl_code repeat_begin(struct sl_iterator *self, struct sl_error *err) {
    return count_of(self->dataset) == 0 ? SL_OK : sl_iterator_open_input(self, 0, 0, err);
}

static sl_code repeat_next(struct sl_iterator *self, struct sl_value *element, bool *is_end, struct sl_error *err) {
    struct counted_iterator *it = (struct counted_iterator *)self;
    const int64_t count = count_of(self->dataset);
    while (count < 0 || it->at < count) {
        if (!self->input) {
            it->is_used = false;
            SL_TRY(sl_iterator_open_input(self, it->at, 0, err));
        }
        sl_code code = sl_iterator_pull(self, element, is_end, err);
        if (code != SL_OK) return code; /* a pass of nothing but errors is empty */
        if (!*is_end) {
            it->is_used = true;
            return SL_OK;
        }
        *is_end = false;
        it->at++;
        if (count < 0 && !it->is_used) break; /* an empty input would be asked for ever */
    }
    *is_end = true;
    return SL_OK;
}

/* All at once within a pass; those of two passes one by one. */
static sl_code repeat_next_rows(struct sl_iterator *self, struct sl_rows *rows, int64_t n, bool *is_end,
                                struct sl_error *err) {
    struct counted_iterator *it = (struct counted_iterator *)self;
    if (self->input) {
        SL_TRY(sl_iterator_pull_rows(self, rows, n, is_end, err));
        it->is_used = it->is_used || rows->n > 0;
        if (!*is_end) return SL_OK;
        *is_end = false;
        it->at++;
        SL_TRY(sl_rows_unstack(rows, err));
        if (count_of(self->dataset) < 0 && !it->is_used) {
            *is_end = true;
            return SL_OK;
        }
    }
    return sl_iterator_list_rows(self, rows, n, is_end, err);
}

static sl_code repeat_element(const struct sl_dataset *d, struct sl_data_walk *walk, int64_t index,
                              struct sl_value *element, struct sl_error *err) {
    const int64_t n = sl_dataset_input_cardinality(d); /* not 0: there is an element */
    return sl_data_walk_element(walk, d->inputs[0], n > 0 ? index % n : index, element, err);
}

static void repeat_path_name(const struct sl_iterator *self, char *text, size_t size) {
    const int64_t count = count_of(self->dataset);
    snprintf(text, size, "%s", count < 0 ? "ForeverRepeat" : count == 0 ? "EmptyRepeat" : "FiniteRepeat");
}

static sl_code repeat_save(const struct sl_iterator *self, struct sl_state *state, struct sl_error *err) {
    if (count_of(self->dataset) == 0) return SL_OK;
    SL_TRY(sl_state_put_int(state, self, "i", ((const struct counted_iterator *)self)->at, err));
    return sl_state_put_input(state, self, "input_impl_empty", err);
}

static sl_code repeat_restore(struct sl_iterator *self, const struct sl_state *state, struct sl_error *err) {
    struct counted_iterator *it = (struct counted_iterator *)self;
    if (count_of(self->dataset) == 0) return SL_OK;
    SL_TRY(sl_state_get_int(&it->at, state, self, "i", err));
    it->is_used = true;
    return sl_state_get_input(state, self, it->at, "input_impl_empty", err);
}

const struct sl_dataset_kind sl_repeat_data = {.name = "Repeat",
                                               .element = repeat_element,
                                               .path_name = repeat_path_name,
                                               .save = repeat_save,
                                               .restore = repeat_restore,
                                               .keeps_types = true,
                                               COUNTED,
                                               .init = count_init,
                                               .cardinality = repeat_cardinality,
                                               .begin = repeat_begin,
                                               .next_rows = repeat_next_rows,
                                               .next = repeat_next};

/* Take and Skip: none of what is `nothing` has a position. */
static sl_code put_count(struct sl_state *state, const struct sl_iterator *self, bool nothing, struct sl_error *err) {
    if (nothing) return SL_OK;
    SL_TRY(sl_state_put_int(state, self, "i", ((const struct counted_iterator *)self)->at, err));
    return sl_state_put_input(state, self, "input_impl_empty", err);
}
static sl_code get_count(const struct sl_state *state, struct sl_iterator *self, bool nothing, struct sl_error *err) {
    if (nothing) return SL_OK;
    SL_TRY(sl_state_get_int(&((struct counted_iterator *)self)->at, state, self, "i", err));
    return sl_state_get_input(state, self, SL_ONLY_INPUT, "input_impl_empty", err);
}

/* TakeDataset: a negative count takes all. */
static int64_t take_cardinality(const struct sl_dataset *d) {
    const int64_t n = sl_dataset_input_cardinality(d), count = count_of(d);
    if (n == SL_UNKNOWN_CARDINALITY || count < 0) return n;
    return n == SL_INFINITE_CARDINALITY || count < n ? count : n;
}

static sl_code take_next(struct sl_iterator *self, struct sl_value *element, bool *is_end, struct sl_error *err) {
    struct counted_iterator *it = (struct counted_iterator *)self;
    const int64_t count = count_of(self->dataset);
    *is_end = count >= 0 && it->at >= count;
    if (*is_end) { /* what the input holds, a generator say, goes now */
        sl_iterator_free(self->input);
        self->input = NULL;
        return SL_OK;
    }
    SL_TRY(sl_iterator_pull(self, element, is_end, err));
    it->at++;
    return SL_OK;
}

static void take_path_name(const struct sl_iterator *self, char *text, size_t size) {
    snprintf(text, size, "%s", count_of(self->dataset) == 0 ? "EmptyTake" : "FiniteTake");
}
static sl_code take_save(const struct sl_iterator *self, struct sl_state *state, struct sl_error *err) {
    return put_count(state, self, count_of(self->dataset) == 0, err);
}
static sl_code take_restore(struct sl_iterator *self, const struct sl_state *state, struct sl_error *err) {
    return get_count(state, self, count_of(self->dataset) == 0, err);
}

const struct sl_dataset_kind sl_take_data = {.name = "Take",
                                             PASSES,
                                             COUNTED,
                                             .init = count_init,
                                             .cardinality = take_cardinality,
                                             .element = pass_element,
                                             .next = take_next,
                                             .path_name = take_path_name,
                                             .save = take_save,
                                             .restore = take_restore};

/* SkipDataset: a negative count leaves nothing. */
static int64_t skip_cardinality(const struct sl_dataset *d) {
    const int64_t n = sl_dataset_input_cardinality(d), count = count_of(d);
    if (count < 0) return 0;
    if (n < 0) return n;
    return n > count ? n - count : 0;
}

static sl_code skip_next(struct sl_iterator *self, struct sl_value *element, bool *is_end, struct sl_error *err) {
    struct counted_iterator *it = (struct counted_iterator *)self;
    const int64_t count = count_of(self->dataset);
    *is_end = count < 0;
    if (*is_end) return SL_OK;
    if (it->at < count) {
        int64_t gone;
        sl_code code = sl_iterator_skip(&gone, self, count - it->at, err);
        it->at += gone;
        SL_TRY(code);
    }
    return sl_iterator_pull(self, element, is_end, err);
}

static sl_code skip_element(const struct sl_dataset *d, struct sl_data_walk *walk, int64_t index,
                            struct sl_value *element, struct sl_error *err) {
    return sl_data_walk_element(walk, d->inputs[0], index + count_of(d), element, err); /* below the input's number */
}

static void skip_path_name(const struct sl_iterator *self, char *text, size_t size) {
    snprintf(text, size, "%s", count_of(self->dataset) < 0 ? "EmptySkip" : "FiniteSkip");
}
static sl_code skip_save(const struct sl_iterator *self, struct sl_state *state, struct sl_error *err) {
    return put_count(state, self, count_of(self->dataset) < 0, err);
}
static sl_code skip_restore(struct sl_iterator *self, const struct sl_state *state, struct sl_error *err) {
    return get_count(state, self, count_of(self->dataset) < 0, err);
}

const struct sl_dataset_kind sl_skip_data = {.name = "Skip",
                                             PASSES,
                                             COUNTED,
                                             .init = count_init,
                                             .cardinality = skip_cardinality,
                                             .element = skip_element,
                                             .next = skip_next,
                                             .path_name = skip_path_name,
                                             .save = skip_save,
                                             .restore = skip_restore};

/* AssertCardinalityDataset: cardinality */
static sl_code assert_next(struct sl_iterator *self, struct sl_value *element, bool *is_end, struct sl_error *err) {
    struct counted_iterator *it = (struct counted_iterator *)self;
    const int64_t count = count_of(self->dataset);
    SL_TRY(sl_iterator_pull(self, element, is_end, err));
    if (!*is_end) it->at++;
    if (*is_end ? it->at == count || count == SL_UNKNOWN_CARDINALITY : it->at <= count || count < 0) return SL_OK;
    return sl_fail(err, SL_FAILED_PRECONDITION,
                   *is_end
                       ? "Input dataset was expected to contain %lld elements but contained only %lld elements."
                       : "Input dataset was expected to contain %lld elements but contained at least %lld elements.",
                   (long long)count, (long long)it->at);
}

static sl_code assert_save(const struct sl_iterator *self, struct sl_state *state, struct sl_error *err) {
    SL_TRY(sl_state_put_int(state, self, ":num_elements", ((const struct counted_iterator *)self)->at, err));
    return sl_state_put_input(state, self, NULL, err);
}
static sl_code assert_restore(struct sl_iterator *self, const struct sl_state *state, struct sl_error *err) {
    SL_TRY(sl_state_get_int(&((struct counted_iterator *)self)->at, state, self, ":num_elements", err));
    return sl_state_get_input(state, self, SL_ONLY_INPUT, NULL, err);
}

/* An end of the input that comes too early is as surprising by number. */
static sl_code assert_element(const struct sl_dataset *d, struct sl_data_walk *walk, int64_t index,
                              struct sl_value *element, struct sl_error *err) {
    sl_code code = sl_data_walk_element(walk, d->inputs[0], index, element, err);
    if (code != SL_OUT_OF_RANGE) return code;
    return sl_fail(err, SL_FAILED_PRECONDITION,
                   "Input dataset was expected to contain %lld elements but contained only %lld elements.",
                   (long long)count_of(d), (long long)sl_dataset_input_cardinality(d));
}

const struct sl_dataset_kind sl_assert_cardinality_data = {.name = "AssertCardinality",
                                                           PASSES,
                                                           COUNTED,
                                                           .init = count_init,
                                                           .cardinality = count_of,
                                                           .element = assert_element,
                                                           .next = assert_next,
                                                           .save = assert_save,
                                                           .restore = assert_restore};

/* ---- ShardDataset: num_shards, index; flag require_non_empty. SHARD_HINT in place of a number marks where
 * AutoShardDataset is to shard. */

enum { SHARD_HINT = -1 };

struct shard {
    int64_t n, index;
};

static sl_code shard_init(struct sl_dataset *d, struct sl_error *err) {
    struct shard *s = d->state;
    SL_TRY(sl_dataset_int(&s->n, d, 0, "num_shards", err));
    SL_TRY(sl_dataset_int(&s->index, d, 1, "index", err));
    if (s->n == SHARD_HINT) return SL_OK;
    if (s->n <= 0)
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "Number of shards must be greater than zero (currently num_shards = %lld).", (long long)s->n);
    if (s->index < 0 || s->index >= s->n)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Index must be between 0 and %lld (currently index = %lld).",
                       (long long)s->n - 1, (long long)s->index);
    return SL_OK;
}

static int64_t shard_cardinality(const struct sl_dataset *d) {
    const struct shard *s = d->state;
    const int64_t n = sl_dataset_input_cardinality(d);
    if (s->n == SHARD_HINT) return SL_UNKNOWN_CARDINALITY;
    return n < 0 ? n : n / s->n + (s->index < n % s->n);
}

static sl_code shard_begin(struct sl_iterator *self, struct sl_error *err) {
    const struct shard *s = self->dataset->state;
    if (s->n != SHARD_HINT) return SL_OK;
    return sl_fail(err, SL_FAILED_PRECONDITION,
                   "`tf.data.Dataset.shard(SHARD_HINT, ...)` can only be used in "
                   "`tf.distribute.Strategy.experimental_distribute_dataset()` with "
                   "`tf.data.experimental.AutoShardPolicy.HINT` policy");
}

static sl_code shard_next(struct sl_iterator *self, struct sl_value *element, bool *is_end, struct sl_error *err) {
    struct counted_iterator *it = (struct counted_iterator *)self;
    const struct shard *s = self->dataset->state;
    const bool looks_around = it->at == 0 && self->dataset->spec->flag; /* whether every shard has an element */
    int64_t gone;
    sl_code code = sl_iterator_skip(&gone, self, (s->index - it->at % s->n + s->n) % s->n, err);
    it->at += gone;
    SL_TRY(code);
    SL_TRY(sl_iterator_pull(self, element, is_end, err));
    if (!*is_end) it->at++;
    if (!looks_around) return SL_OK;
    code = sl_iterator_skip(&gone, self, s->n - it->at, err);
    it->at += gone;
    SL_TRY(code);
    if (it->at >= s->n) return SL_OK;
    it->at = s->n; /* said once */
    return sl_fail(err, SL_INVALID_ARGUMENT,
                   "Could not apply FORCED auto-sharding: the dataset has fewer elements than the %lld shards.",
                   (long long)s->n);
}

static sl_code shard_element(const struct sl_dataset *d, struct sl_data_walk *walk, int64_t index,
                             struct sl_value *element, struct sl_error *err) {
    const struct shard *s = d->state;
    return sl_data_walk_element(walk, d->inputs[0], s->index + s->n * index, element, err);
}

static sl_code shard_save(const struct sl_iterator *self, struct sl_state *state, struct sl_error *err) {
    SL_TRY(sl_state_put_input(state, self, "input_impl_empty", err));
    return self->input ? sl_state_put_int(state, self, "next_index", ((const struct counted_iterator *)self)->at, err)
                       : SL_OK;
}
static sl_code shard_restore(struct sl_iterator *self, const struct sl_state *state, struct sl_error *err) {
    SL_TRY(sl_state_get_input(state, self, SL_ONLY_INPUT, "input_impl_empty", err));
    return self->input ? sl_state_get_int(&((struct counted_iterator *)self)->at, state, self, "next_index", err)
                       : SL_OK;
}

const struct sl_dataset_kind sl_shard_data = {.name = "Shard",
                                              .element = shard_element,
                                              .save = shard_save,
                                              .restore = shard_restore,
                                              PASSES,
                                              .state_bytes = sizeof(struct shard),
                                              .iterator_bytes = sizeof(struct counted_iterator),
                                              .init = shard_init,
                                              .cardinality = shard_cardinality,
                                              .begin = shard_begin,
                                              .next = shard_next};

/* ---- IgnoreErrorsDataset */

static sl_code ignore_next(struct sl_iterator *self, struct sl_value *element, bool *is_end, struct sl_error *err) {
    for (;;) {
        sl_code code = sl_iterator_pull(self, element, is_end, err);
        if (code == SL_OK || code == SL_CANCELLED || code == SL_DEADLINE_EXCEEDED || code == SL_OUT_OF_RANGE)
            return code;
        if (err) sl_error_clear(err);
    }
}

static sl_code ignore_save(const struct sl_iterator *self, struct sl_state *state, struct sl_error *err) {
    if (!self->input) return sl_state_put_mark(state, self, ":input_impls_empty", err);
    return sl_state_put_input(state, self, NULL, err);
}

static sl_code ignore_restore(struct sl_iterator *self, const struct sl_state *state, struct sl_error *err) {
    if (!sl_state_has(state, self, ":input_impls_empty"))
        return sl_state_get_input(state, self, SL_ONLY_INPUT, NULL, err);
    sl_iterator_free(self->input);
    self->input = NULL;
    return SL_OK;
}

const struct sl_dataset_kind sl_ignore_errors_data = {.save = ignore_save,
                                                      .restore = ignore_restore,
                                                      .name = "IgnoreErrors",
                                                      PASSES,
                                                      .iterator_bytes = sizeof(struct sl_iterator),
                                                      .next = ignore_next};

/* ---- ConcatenateDataset: one input after the other */

static sl_code concatenate_init(struct sl_dataset *d, struct sl_error *err) {
    const struct sl_dataset *a = d->inputs[0], *b = d->inputs[1];
    if (a->n != b->n || memcmp(a->types, b->types, (size_t)a->n) != 0)
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "input dataset and dataset to concatenate have different element "
                       "types");
    if (d->spec->n == a->n) sl_dataset_set_components(d, a->n, a->types, d->spec->shapes);
    return SL_OK;
}

static int64_t concatenate_cardinality(const struct sl_dataset *d) {
    const int64_t a = sl_dataset_cardinality(d->inputs[0]), b = sl_dataset_cardinality(d->inputs[1]);
    int64_t all;
    if (a == SL_INFINITE_CARDINALITY || b == SL_INFINITE_CARDINALITY) return SL_INFINITE_CARDINALITY;
    if (a < 0 || b < 0) return SL_UNKNOWN_CARDINALITY;
    return __builtin_add_overflow(a, b, &all) ? INT64_MAX : all;
}

static sl_code concatenate_next(struct sl_iterator *self, struct sl_value *element, bool *is_end,
                                struct sl_error *err) {
    struct counted_iterator *it = (struct counted_iterator *)self;
    SL_TRY(sl_iterator_pull(self, element, is_end, err));
    if (!*is_end || it->at > 0) return SL_OK;
    it->at = 1;
    SL_TRY(sl_iterator_open_input(self, 1, 1, err));
    return sl_iterator_pull(self, element, is_end, err);
}

static sl_code concatenate_begin(struct sl_iterator *self, struct sl_error *err) {
    return sl_iterator_open_input(self, 0, 0, err);
}

static sl_code concatenate_element(const struct sl_dataset *d, struct sl_data_walk *walk, int64_t index,
                                   struct sl_value *element, struct sl_error *err) {
    const int64_t n = sl_dataset_cardinality(d->inputs[0]);
    return index < n ? sl_data_walk_element(walk, d->inputs[0], index, element, err)
                     : sl_data_walk_element(walk, d->inputs[1], index - n, element, err);
}

static sl_code concatenate_save(const struct sl_iterator *self, struct sl_state *state, struct sl_error *err) {
    const int64_t at = self->input ? ((const struct counted_iterator *)self)->at : 2;
    SL_TRY(sl_state_put_int(state, self, "i", at, err));
    SL_TRY(sl_state_put_int(state, self, "element_count", 0, err));
    SL_TRY(sl_state_put_int(state, self, "input_impl_uninitialized[0]", at != 0, err));
    SL_TRY(sl_state_put_int(state, self, "input_impl_uninitialized[1]", at != 1, err));
    return sl_state_put_input(state, self, NULL, err);
}

static sl_code concatenate_restore(struct sl_iterator *self, const struct sl_state *state, struct sl_error *err) {
    struct counted_iterator *it = (struct counted_iterator *)self;
    SL_TRY(sl_state_get_int(&it->at, state, self, "i", err));
    if (it->at == 0 || it->at == 1) {
        SL_TRY(sl_iterator_open_input(self, it->at, (int)it->at, err));
        return sl_iterator_restore(self->input, state, err);
    }
    sl_iterator_free(self->input);
    self->input = NULL;
    return SL_OK;
}

const struct sl_dataset_kind sl_concatenate_data = {.name = "Concatenate",
                                                    .keeps_types = true,
                                                    .begin = concatenate_begin,
                                                    .element = concatenate_element,
                                                    .save = concatenate_save,
                                                    .restore = concatenate_restore,
                                                    .iterator_bytes = sizeof(struct counted_iterator),
                                                    .init = concatenate_init,
                                                    .cardinality = concatenate_cardinality,
                                                    .next = concatenate_next};

/* ---- several inputs at once: ZipDataset and DirectedInterleaveDataset */

struct many_iterator {
    struct sl_iterator base;
    struct sl_iterator **inputs; /* NULL: at its end */
    int n_open;
};

/* In paths: a selector has no number, and those that it chooses from have the first ones. */
static int64_t index_of(const struct sl_dataset *d, int i) {
    if (d->kind != &sl_directed_data) return i;
    return i == 0 ? SL_ONLY_INPUT : i - 1;
}

static sl_code many_begin(struct sl_iterator *self, struct sl_error *err) {
    struct many_iterator *it = (struct many_iterator *)self;
    const struct sl_dataset *d = self->dataset;
    it->inputs = sl_calloc((size_t)d->n_inputs, sizeof *it->inputs);
    if (!it->inputs) return sl_fail_memory(err, (size_t)d->n_inputs * sizeof *it->inputs);
    for (int i = 0; i < d->n_inputs; i++, it->n_open++)
        SL_TRY(sl_iterator_new(&it->inputs[i], self, index_of(d, i), d->inputs[i], err));
    return SL_OK;
}

static sl_code restore_one(struct many_iterator *it, int i, bool is_over, const struct sl_state *state,
                           struct sl_error *err) {
    if (!is_over) return sl_iterator_restore(it->inputs[i], state, err);
    sl_iterator_free(it->inputs[i]);
    it->inputs[i] = NULL;
    it->n_open--;
    return SL_OK;
}

static void many_end(struct sl_iterator *self) {
    struct many_iterator *it = (struct many_iterator *)self;
    for (int i = 0; it->inputs && i < self->dataset->n_inputs; i++) sl_iterator_free(it->inputs[i]);
    sl_free(it->inputs);
}

static sl_code zip_init(struct sl_dataset *d, struct sl_error *err) {
    int n = 0;
    for (int i = 0; i < d->n_inputs; i++) n += d->inputs[i]->n;
    uint8_t *types = sl_arena_zalloc(&d->arena, (size_t)n);
    struct sl_shape *shapes = SL_ARENA_ARRAY(&d->arena, struct sl_shape, (size_t)n);
    if (!types || !shapes) return sl_fail_memory(err, (size_t)n * sizeof *shapes);
    for (int i = 0, at = 0; i < d->n_inputs; i++)
        for (int c = 0; c < d->inputs[i]->n; c++, at++) {
            types[at] = d->inputs[i]->types[c];
            shapes[at] = d->inputs[i]->shapes[c];
        }
    sl_dataset_set_components(d, n, types, shapes);
    return SL_OK;
}

static int64_t zip_cardinality(const struct sl_dataset *d) {
    int64_t least = SL_INFINITE_CARDINALITY;
    for (int i = 0; i < d->n_inputs; i++) {
        const int64_t n = sl_dataset_cardinality(d->inputs[i]);
        if (n == SL_UNKNOWN_CARDINALITY) return n;
        if (n >= 0 && (least < 0 || n < least)) least = n;
    }
    return least;
}

/* All inputs go on by one, also behind one that fails. */
static sl_code zip_next(struct sl_iterator *self, struct sl_value *element, bool *is_end, struct sl_error *err) {
    struct many_iterator *it = (struct many_iterator *)self;
    sl_code first = SL_OK, code = SL_OK;
    *is_end = it->n_open < self->dataset->n_inputs;
    for (int i = 0; i < self->dataset->n_inputs && !*is_end; i++) {
        code = sl_iterator_next(it->inputs[i], element, is_end, first == SL_OK ? err : NULL);
        if (code != SL_OK && first == SL_OK) first = code;
        element += self->dataset->inputs[i]->n;
    }
    if (!*is_end) return first;
    it->n_open = 0;                  /* the end of one is that of all */
    if (code != SL_OK) return first; /* an end that is an error is told */
    if (first != SL_OK && err) sl_error_clear(err);
    return SL_OK;
}

static sl_code zip_element(const struct sl_dataset *d, struct sl_data_walk *walk, int64_t index,
                           struct sl_value *element, struct sl_error *err) {
    for (int i = 0; i < d->n_inputs; i++) {
        SL_TRY(sl_data_walk_element(walk, d->inputs[i], index, element, err));
        element += d->inputs[i]->n;
    }
    return SL_OK;
}

static sl_code zip_save(const struct sl_iterator *self, struct sl_state *state, struct sl_error *err) {
    const struct many_iterator *it = (const struct many_iterator *)self;
    const bool is_over = it->n_open < self->dataset->n_inputs;
    SL_TRY(sl_state_put_int(state, self, "input_impls_empty", is_over, err));
    for (int i = 0; i < self->dataset->n_inputs && !is_over; i++) SL_TRY(sl_iterator_save(it->inputs[i], state, err));
    return SL_OK;
}

static sl_code zip_restore(struct sl_iterator *self, const struct sl_state *state, struct sl_error *err) {
    int64_t is_over;
    SL_TRY(sl_state_get_int(&is_over, state, self, "input_impls_empty", err));
    for (int i = 0; i < self->dataset->n_inputs; i++)
        SL_TRY(restore_one((struct many_iterator *)self, i, is_over != 0, state, err));
    return SL_OK;
}

const struct sl_dataset_kind sl_zip_data = {.name = "Zip",
                                            .element = zip_element,
                                            .save = zip_save,
                                            .restore = zip_restore,
                                            .iterator_bytes = sizeof(struct many_iterator),
                                            .init = zip_init,
                                            .cardinality = zip_cardinality,
                                            .begin = many_begin,
                                            .next = zip_next,
                                            .end = many_end};

/* DirectedInterleaveDataset: input 0 says from which of the others each element is; flag stop_on_empty_dataset */
static sl_code directed_init(struct sl_dataset *d, struct sl_error *err) {
    if (d->n_inputs < 2 || d->inputs[0]->n != 1 || d->inputs[0]->types[0] != SL_INT64)
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "The selector dataset must contain scalars of type int64, and there must be data");
    const struct sl_dataset *first = d->inputs[1];
    for (int i = 2; i < d->n_inputs; i++)
        if (d->inputs[i]->n != first->n || memcmp(d->inputs[i]->types, first->types, (size_t)first->n) != 0)
            return sl_fail(err, SL_INVALID_ARGUMENT, "Input datasets have different element types");
    sl_dataset_set_components(d, first->n, first->types, d->spec->n == first->n ? d->spec->shapes : first->shapes);
    return SL_OK;
}

static int64_t directed_cardinality(const struct sl_dataset *d) {
    for (int i = 0; i < d->n_inputs; i++)
        if (sl_dataset_cardinality(d->inputs[i]) != SL_INFINITE_CARDINALITY) return SL_UNKNOWN_CARDINALITY;
    return SL_INFINITE_CARDINALITY;
}

static sl_code select_input(int *out, struct many_iterator *it, bool *is_end, struct sl_error *err) {
    struct sl_value selector = {0};
    const int n = it->base.dataset->n_inputs - 1;
    SL_TRY(sl_iterator_next(it->inputs[0], &selector, is_end, err));
    if (*is_end) return SL_OK;
    int64_t at = selector.i64;
    if (selector.kind != SL_VALUE_SCALAR || selector.dtype != SL_INT64) {
        const struct sl_view v = sl_value_view(&selector);
        const bool is_number = v.dtype == SL_INT64 && v.count == 1;
        if (is_number) at = *(const int64_t *)v.data;
        sl_value_clear(&selector);
        if (!is_number) return sl_fail(err, SL_INVALID_ARGUMENT, "Selectors must be scalars of type int64");
    }
    if (at < 0 || at >= n)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Selector index out of range: %lld >= %d", (long long)at, n);
    *out = (int)at + 1;
    return SL_OK;
}

static sl_code directed_next(struct sl_iterator *self, struct sl_value *element, bool *is_end, struct sl_error *err) {
    struct many_iterator *it = (struct many_iterator *)self;
    int at = 0;
    while (it->n_open > 1) { /* the selector, and one to take from */
        SL_TRY(select_input(&at, it, is_end, err));
        if (*is_end) break;
        if (!it->inputs[at]) continue;
        sl_code code = sl_iterator_next(it->inputs[at], element, is_end, err);
        if (code != SL_OK) *is_end = false; /* the others go on */
        if (!*is_end) return code;
        sl_iterator_free(it->inputs[at]);
        it->inputs[at] = NULL;
        it->n_open--;
        *is_end = false;
        if (self->dataset->spec->flag) break;
    }
    it->n_open = 0;
    *is_end = true;
    return SL_OK;
}

static const char *directed_key(char key[SL_STATE_KEY], int i) {
    return i == 0 ? ":selector_input_impl_empty" : sl_state_key(key, ":data_input_impl_empty[%d]", i - 1);
}

static sl_code directed_save(const struct sl_iterator *self, struct sl_state *state, struct sl_error *err) {
    const struct many_iterator *it = (const struct many_iterator *)self;
    char key[SL_STATE_KEY];
    for (int i = 0; i < self->dataset->n_inputs; i++) {
        const bool is_over = it->n_open == 0 || !it->inputs[i];
        SL_TRY(sl_state_put_int(state, self, directed_key(key, i), is_over, err));
        if (!is_over) SL_TRY(sl_iterator_save(it->inputs[i], state, err));
    }
    return SL_OK;
}

static sl_code directed_restore(struct sl_iterator *self, const struct sl_state *state, struct sl_error *err) {
    struct many_iterator *it = (struct many_iterator *)self;
    char key[SL_STATE_KEY];
    for (int i = 0; i < self->dataset->n_inputs; i++) {
        int64_t is_over;
        SL_TRY(sl_state_get_int(&is_over, state, self, directed_key(key, i), err));
        SL_TRY(restore_one(it, i, is_over != 0, state, err));
    }
    if (!it->inputs[0]) it->n_open = 0; /* without a selector there is nothing */
    return SL_OK;
}

const struct sl_dataset_kind sl_directed_data = {.name = "DirectedInterleave",
                                                 .save = directed_save,
                                                 .restore = directed_restore,
                                                 .iterator_bytes = sizeof(struct many_iterator),
                                                 .init = directed_init,
                                                 .cardinality = directed_cardinality,
                                                 .begin = many_begin,
                                                 .next = directed_next,
                                                 .end = many_end};
