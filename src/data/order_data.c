/* Datasets that pass elements on as they are: which of them, how often, from which input. */
#include "base/alloc.h"
#include "data/element.h"
#include "data/iterator.h"
#include "data/kinds.h"

/* The next element of the input: for kinds that pass it on. */
static sl_code pass_next(struct sl_iterator *self, struct sl_value *element, bool *is_end, struct sl_step_env *env,
                         struct sl_error *err) {
    return sl_iterator_pull(self, element, is_end, env, err);
}

#define PASSES .keeps_types = true, .opens_input = true

/* ---- OptionsDataset, ModelDataset ...: what changes how, not what */

const struct sl_dataset_kind sl_pass_data = {.name = "Options",
                                             PASSES,
                                             .iterator_bytes = sizeof(struct sl_iterator),
                                             .cardinality = sl_dataset_input_cardinality,
                                             .next = pass_next};

/* ---- PrefetchDataset: buffer_size. Elements are made when they are asked for: there is nothing to hold. */

static sl_code prefetch_init(struct sl_dataset *d, struct sl_error *err) {
    int64_t size;
    SL_TRY(sl_dataset_int(&size, d, 0, "buffer_size", err));
    if (size >= -1) return SL_OK;
    return sl_fail(err, SL_INVALID_ARGUMENT, "buffer_size must be >= 0 or set buffer_size to be -1 for auto-tuning");
}

const struct sl_dataset_kind sl_prefetch_data = {.name = "Prefetch",
                                                 PASSES,
                                                 .iterator_bytes = sizeof(struct sl_iterator),
                                                 .init = prefetch_init,
                                                 .cardinality = sl_dataset_input_cardinality,
                                                 .next = pass_next};

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

static sl_code repeat_next(struct sl_iterator *self, struct sl_value *element, bool *is_end, struct sl_step_env *env,
                           struct sl_error *err) {
    struct counted_iterator *it = (struct counted_iterator *)self;
    const int64_t count = count_of(self->dataset);
    while (count < 0 || it->at < count) {
        if (!self->input) {
            it->is_used = false;
            SL_TRY(sl_iterator_new(&self->input, self->dataset->inputs[0], env, err));
        }
        sl_code code = sl_iterator_pull(self, element, is_end, env, err);
        if (code != SL_OK || !*is_end) {
            it->is_used = true;
            return code;
        }
        *is_end = false;
        it->at++;
        if (count < 0 && !it->is_used) break; /* an empty input would be asked for ever */
    }
    *is_end = true;
    return SL_OK;
}

const struct sl_dataset_kind sl_repeat_data = {.name = "Repeat",
                                               .keeps_types = true,
                                               COUNTED,
                                               .init = count_init,
                                               .cardinality = repeat_cardinality,
                                               .next = repeat_next};

/* TakeDataset: a negative count takes all. */
static int64_t take_cardinality(const struct sl_dataset *d) {
    const int64_t n = sl_dataset_input_cardinality(d), count = count_of(d);
    if (n == SL_UNKNOWN_CARDINALITY || count < 0) return n;
    return n == SL_INFINITE_CARDINALITY || count < n ? count : n;
}

static sl_code take_next(struct sl_iterator *self, struct sl_value *element, bool *is_end, struct sl_step_env *env,
                         struct sl_error *err) {
    struct counted_iterator *it = (struct counted_iterator *)self;
    const int64_t count = count_of(self->dataset);
    *is_end = count >= 0 && it->at >= count;
    if (*is_end) return SL_OK;
    SL_TRY(sl_iterator_pull(self, element, is_end, env, err));
    it->at++;
    return SL_OK;
}

const struct sl_dataset_kind sl_take_data = {
    .name = "Take", PASSES, COUNTED, .init = count_init, .cardinality = take_cardinality, .next = take_next};

/* SkipDataset: a negative count leaves nothing. */
static int64_t skip_cardinality(const struct sl_dataset *d) {
    const int64_t n = sl_dataset_input_cardinality(d), count = count_of(d);
    if (count < 0) return 0;
    if (n < 0) return n;
    return n > count ? n - count : 0;
}

static sl_code skip_next(struct sl_iterator *self, struct sl_value *element, bool *is_end, struct sl_step_env *env,
                         struct sl_error *err) {
    struct counted_iterator *it = (struct counted_iterator *)self;
    const int64_t count = count_of(self->dataset);
    *is_end = count < 0;
    if (*is_end) return SL_OK;
    if (it->at < count) {
        int64_t gone;
        sl_code code = sl_iterator_skip(&gone, self, count - it->at, env, err);
        it->at += gone;
        SL_TRY(code);
    }
    return sl_iterator_pull(self, element, is_end, env, err);
}

const struct sl_dataset_kind sl_skip_data = {
    .name = "Skip", PASSES, COUNTED, .init = count_init, .cardinality = skip_cardinality, .next = skip_next};

/* AssertCardinalityDataset: cardinality */
static sl_code assert_next(struct sl_iterator *self, struct sl_value *element, bool *is_end, struct sl_step_env *env,
                           struct sl_error *err) {
    struct counted_iterator *it = (struct counted_iterator *)self;
    const int64_t count = count_of(self->dataset);
    SL_TRY(sl_iterator_pull(self, element, is_end, env, err));
    if (!*is_end) it->at++;
    if (*is_end ? it->at == count || count == SL_UNKNOWN_CARDINALITY : it->at <= count || count < 0) return SL_OK;
    return sl_fail(err, SL_FAILED_PRECONDITION,
                   *is_end
                       ? "Input dataset was expected to contain %lld elements but contained only %lld elements."
                       : "Input dataset was expected to contain %lld elements but contained at least %lld elements.",
                   (long long)count, (long long)it->at);
}

const struct sl_dataset_kind sl_assert_cardinality_data = {
    .name = "AssertCardinality", PASSES, COUNTED, .init = count_init, .cardinality = count_of, .next = assert_next};

/* ---- ShardDataset: num_shards, index; flag require_non_empty */

struct shard {
    int64_t n, index;
};

static sl_code shard_init(struct sl_dataset *d, struct sl_error *err) {
    struct shard *s = d->state;
    SL_TRY(sl_dataset_int(&s->n, d, 0, "num_shards", err));
    SL_TRY(sl_dataset_int(&s->index, d, 1, "index", err));
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
    return n < 0 ? n : n / s->n + (s->index < n % s->n);
}

static sl_code shard_next(struct sl_iterator *self, struct sl_value *element, bool *is_end, struct sl_step_env *env,
                          struct sl_error *err) {
    struct counted_iterator *it = (struct counted_iterator *)self;
    const struct shard *s = self->dataset->state;
    const bool looks_around = it->at == 0 && self->dataset->spec->flag; /* whether every shard has an element */
    int64_t gone;
    sl_code code = sl_iterator_skip(&gone, self, (s->index - it->at % s->n + s->n) % s->n, env, err);
    it->at += gone;
    SL_TRY(code);
    SL_TRY(sl_iterator_pull(self, element, is_end, env, err));
    if (!*is_end) it->at++;
    if (!looks_around) return SL_OK;
    code = sl_iterator_skip(&gone, self, s->n - it->at, env, err);
    it->at += gone;
    SL_TRY(code);
    if (it->at >= s->n) return SL_OK;
    it->at = s->n; /* said once */
    return sl_fail(err, SL_INVALID_ARGUMENT,
                   "Could not apply FORCED auto-sharding: the dataset has fewer elements than the %lld shards.",
                   (long long)s->n);
}

const struct sl_dataset_kind sl_shard_data = {.name = "Shard",
                                              PASSES,
                                              .state_bytes = sizeof(struct shard),
                                              .iterator_bytes = sizeof(struct counted_iterator),
                                              .init = shard_init,
                                              .cardinality = shard_cardinality,
                                              .next = shard_next};

/* ---- IgnoreErrorsDataset */

static sl_code ignore_next(struct sl_iterator *self, struct sl_value *element, bool *is_end, struct sl_step_env *env,
                           struct sl_error *err) {
    for (;;) {
        sl_code code = sl_iterator_pull(self, element, is_end, env, err);
        if (code == SL_OK || code == SL_CANCELLED || code == SL_DEADLINE_EXCEEDED || code == SL_OUT_OF_RANGE)
            return code;
        if (err) sl_error_clear(err);
    }
}

const struct sl_dataset_kind sl_ignore_errors_data = {.name = "IgnoreErrors",
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
                                struct sl_step_env *env, struct sl_error *err) {
    struct counted_iterator *it = (struct counted_iterator *)self;
    SL_TRY(sl_iterator_pull(self, element, is_end, env, err));
    if (!*is_end || it->at > 0) return SL_OK;
    it->at = 1;
    SL_TRY(sl_iterator_new(&self->input, self->dataset->inputs[1], env, err));
    return sl_iterator_pull(self, element, is_end, env, err);
}

const struct sl_dataset_kind sl_concatenate_data = {.name = "Concatenate",
                                                    PASSES,
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

static sl_code many_begin(struct sl_iterator *self, struct sl_step_env *env, struct sl_error *err) {
    struct many_iterator *it = (struct many_iterator *)self;
    const struct sl_dataset *d = self->dataset;
    it->inputs = sl_calloc((size_t)d->n_inputs, sizeof *it->inputs);
    if (!it->inputs) return sl_fail_memory(err, (size_t)d->n_inputs * sizeof *it->inputs);
    for (int i = 0; i < d->n_inputs; i++, it->n_open++) SL_TRY(sl_iterator_new(&it->inputs[i], d->inputs[i], env, err));
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
static sl_code zip_next(struct sl_iterator *self, struct sl_value *element, bool *is_end, struct sl_step_env *env,
                        struct sl_error *err) {
    struct many_iterator *it = (struct many_iterator *)self;
    sl_code first = SL_OK;
    *is_end = it->n_open < self->dataset->n_inputs;
    for (int i = 0; i < self->dataset->n_inputs && !*is_end; i++) {
        sl_code code = sl_iterator_next(it->inputs[i], element, is_end, env, first == SL_OK ? err : NULL);
        if (code != SL_OK && first == SL_OK) first = code;
        element += self->dataset->inputs[i]->n;
    }
    if (!*is_end) return first;
    if (first != SL_OK && err) sl_error_clear(err);
    it->n_open = 0; /* the end of one is that of all */
    return SL_OK;
}

const struct sl_dataset_kind sl_zip_data = {.name = "Zip",
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

static sl_code select_input(int *out, struct many_iterator *it, bool *is_end, struct sl_step_env *env,
                            struct sl_error *err) {
    struct sl_value selector = {0};
    const int n = it->base.dataset->n_inputs - 1;
    SL_TRY(sl_iterator_next(it->inputs[0], &selector, is_end, env, err));
    if (*is_end) return SL_OK;
    const struct sl_view v = sl_value_view(&selector);
    if (v.dtype != SL_INT64 || v.count != 1) {
        sl_value_clear(&selector);
        return sl_fail(err, SL_INVALID_ARGUMENT, "Selectors must be scalars of type int64");
    }
    const int64_t at = *(const int64_t *)v.data;
    sl_value_clear(&selector);
    if (at < 0 || at >= n)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Selector index out of range: %lld >= %d", (long long)at, n);
    *out = (int)at + 1;
    return SL_OK;
}

static sl_code directed_next(struct sl_iterator *self, struct sl_value *element, bool *is_end, struct sl_step_env *env,
                             struct sl_error *err) {
    struct many_iterator *it = (struct many_iterator *)self;
    int at = 0;
    while (it->n_open > 1) { /* the selector, and one to take from */
        SL_TRY(select_input(&at, it, is_end, env, err));
        if (*is_end) break;
        if (!it->inputs[at]) continue;
        SL_TRY(sl_iterator_next(it->inputs[at], element, is_end, env, err));
        if (!*is_end) return SL_OK;
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

const struct sl_dataset_kind sl_directed_data = {.name = "DirectedInterleave",
                                                 .iterator_bytes = sizeof(struct many_iterator),
                                                 .init = directed_init,
                                                 .cardinality = directed_cardinality,
                                                 .begin = many_begin,
                                                 .next = directed_next,
                                                 .end = many_end};
