/* Datasets whose function gives a dataset for each element: flat map and interleave. */
#include "base/alloc.h"
#include "data/element.h"
#include "data/iterator.h"
#include "data/kinds.h"

/* Both: the function takes an element and gives one variant. */
static sl_code nested_init(struct sl_dataset *d, struct sl_error *err) {
    SL_TRY(sl_dataset_check_function(d, 0, d->inputs[0]->n, 1, err));
    if (d->spec->functions[0].ret_types[0] == SL_VARIANT) return SL_OK;
    return sl_fail(err, SL_INVALID_ARGUMENT, "`f` must return a single scalar of dtype DT_VARIANT.");
}

static int64_t nested_cardinality(const struct sl_dataset *d) {
    return sl_dataset_input_cardinality(d) == 0 ? 0 : SL_UNKNOWN_CARDINALITY;
}

/* An iterator over the dataset that the function gives for the next element of the input. */
static sl_code open_next(struct sl_iterator **out, struct sl_iterator *self, struct sl_value *args, bool *is_end,
                         struct sl_step_env *env, struct sl_error *err) {
    const struct sl_dataset *d = self->dataset;
    struct sl_dataset *nested;
    struct sl_value made = {0};
    SL_TRY(sl_iterator_pull(self, args, is_end, env, err));
    if (*is_end) return SL_OK;
    SL_TRY(sl_dataset_call(&made, d, 0, args, d->inputs[0]->n, env, err));
    sl_code code = sl_dataset_of_value(&nested, &made, err);
    if (code == SL_OK && nested->n != d->n)
        code = sl_fail(err, SL_INVALID_ARGUMENT,
                       "%sDataset declares %d components, but a dataset that its function made has %d", d->kind->name,
                       d->n, nested->n);
    if (code == SL_OK) code = sl_iterator_new(out, nested, env, err);
    sl_value_clear(&made);
    return code;
}

/* ---- FlatMapDataset: other_arguments */

struct flat_iterator {
    struct sl_iterator base;
    struct sl_value *args;
    struct sl_iterator *nested; /* NULL: the next one is to be opened */
};

static sl_code flat_begin(struct sl_iterator *self, struct sl_step_env *env, struct sl_error *err) {
    (void)env;
    return sl_element_new(&((struct flat_iterator *)self)->args, self->dataset->inputs[0]->n, err);
}

static sl_code flat_next(struct sl_iterator *self, struct sl_value *element, bool *is_end, struct sl_step_env *env,
                         struct sl_error *err) {
    struct flat_iterator *it = (struct flat_iterator *)self;
    for (;;) {
        if (!it->nested) {
            SL_TRY(open_next(&it->nested, self, it->args, is_end, env, err));
            if (*is_end) return SL_OK;
        }
        SL_TRY(sl_iterator_next(it->nested, element, is_end, env, err));
        if (!*is_end) return SL_OK;
        sl_iterator_free(it->nested);
        it->nested = NULL;
        *is_end = false;
    }
}

static void flat_end(struct sl_iterator *self) {
    sl_iterator_free(((struct flat_iterator *)self)->nested);
    sl_free(((struct flat_iterator *)self)->args);
}

const struct sl_dataset_kind sl_flat_map_data = {.name = "FlatMap",
                                                 .opens_input = true,
                                                 .iterator_bytes = sizeof(struct flat_iterator),
                                                 .init = nested_init,
                                                 .cardinality = nested_cardinality,
                                                 .begin = flat_begin,
                                                 .next = flat_next,
                                                 .end = flat_end};

/* ---- InterleaveDataset: other_arguments, cycle_length, block_length, and for the parallel ones how far to read ahead
 * and with how many calls. All give the order of the sequential one. */

struct interleave {
    int64_t cycle, block;
};
struct interleave_iterator {
    struct sl_iterator base;
    struct sl_value *args;
    struct sl_iterator **slots; /* those beyond n_slots have not been opened yet */
    size_t cap;
    int64_t n_slots, n_open, at, taken; /* taken: of the block of slot `at` */
};

static sl_code read_interleave(struct sl_dataset *d, struct sl_error *err) {
    struct interleave *s = d->state;
    const int first = d->spec->functions[0].n_captured;
    SL_TRY(nested_init(d, err));
    SL_TRY(sl_dataset_int(&s->cycle, d, first, "cycle_length", err));
    SL_TRY(sl_dataset_int(&s->block, d, first + 1, "block_length", err));
    if (s->cycle == -1) s->cycle = 1; /* as many as there are processors: any number is right */
    if (s->cycle <= 0) return sl_fail(err, SL_INVALID_ARGUMENT, "`cycle_length` must be > 0");
    if (s->block <= 0) return sl_fail(err, SL_INVALID_ARGUMENT, "`block_length` must be > 0");
    return SL_OK;
}

static sl_code parallel_init(struct sl_dataset *d, struct sl_error *err) {
    const struct interleave *s = d->state;
    const int first = d->spec->functions[0].n_captured;
    int64_t calls;
    SL_TRY(read_interleave(d, err));
    SL_TRY(sl_dataset_int(&calls, d, d->n_values - 1, "num_parallel_calls", err));
    for (int i = first + 2; i < d->n_values - 1; i++) {
        int64_t ahead;
        SL_TRY(
            sl_dataset_int(&ahead, d, i, i == first + 2 ? "buffer_output_elements" : "prefetch_input_elements", err));
        if (ahead < (i == first + 2 ? 1 : 0) && ahead != -1)
            return sl_fail(err, SL_INVALID_ARGUMENT, "How far to read ahead must not be negative, but is %lld",
                           (long long)ahead);
    }
    if (calls <= 0 && calls != -1)
        return sl_fail(err, SL_INVALID_ARGUMENT, "num_parallel_calls must be greater than zero.");
    if (calls > s->cycle)
        return sl_fail(err, SL_INVALID_ARGUMENT, "num_parallel_calls must be less than or equal to cycle_length.");
    return SL_OK;
}

static sl_code interleave_begin(struct sl_iterator *self, struct sl_step_env *env, struct sl_error *err) {
    (void)env;
    return sl_element_new(&((struct interleave_iterator *)self)->args, self->dataset->inputs[0]->n, err);
}

static void next_slot(struct interleave_iterator *it) {
    it->taken = 0;
    it->at = (it->at + 1) % ((const struct interleave *)it->base.dataset->state)->cycle;
}

/* Fills the empty slot `at`, or goes past it when the input is over. */
static sl_code fill_slot(struct interleave_iterator *it, struct sl_step_env *env, struct sl_error *err) {
    bool is_end = false;
    if (it->at == it->n_slots) {
        if (sl_grow((void **)&it->slots, &it->cap, (size_t)it->n_slots + 1, sizeof *it->slots))
            return sl_fail_memory(err, sizeof *it->slots);
        it->slots[it->n_slots++] = NULL;
    }
    SL_TRY(open_next(&it->slots[it->at], &it->base, it->args, &is_end, env, err));
    if (is_end) next_slot(it);
    else it->n_open++;
    return SL_OK;
}

static sl_code interleave_next(struct sl_iterator *self, struct sl_value *element, bool *is_end,
                               struct sl_step_env *env, struct sl_error *err) {
    struct interleave_iterator *it = (struct interleave_iterator *)self;
    const struct interleave *s = self->dataset->state;
    while (self->input || it->n_open) {
        if (it->at >= it->n_slots && !self->input) { /* beyond the slots that were ever opened */
            it->at = it->taken = 0;
            continue;
        }
        struct sl_iterator *nested = it->at < it->n_slots ? it->slots[it->at] : NULL;
        if (!nested) {
            if (self->input) SL_TRY(fill_slot(it, env, err));
            else next_slot(it);
            continue;
        }
        sl_code code = sl_iterator_next(nested, element, is_end, env, err);
        if (code == SL_OK && *is_end) {
            sl_iterator_free(nested);
            it->slots[it->at] = NULL;
            it->n_open--;
            *is_end = false;
        } else {
            if (code == SL_OK && ++it->taken == s->block) next_slot(it);
            return code;
        }
        next_slot(it);
    }
    *is_end = true;
    return SL_OK;
}

static void interleave_end(struct sl_iterator *self) {
    struct interleave_iterator *it = (struct interleave_iterator *)self;
    for (int64_t i = 0; i < it->n_slots; i++) sl_iterator_free(it->slots[i]);
    sl_free(it->slots);
    sl_free(it->args);
}

#define INTERLEAVES                                                                                                    \
    .opens_input = true, .state_bytes = sizeof(struct interleave), .cardinality = nested_cardinality,                  \
    .iterator_bytes = sizeof(struct interleave_iterator), .begin = interleave_begin, .next = interleave_next,          \
    .end = interleave_end
const struct sl_dataset_kind sl_interleave_data = {.name = "Interleave", .init = read_interleave, INTERLEAVES};
const struct sl_dataset_kind sl_parallel_interleave_data = {.name = "ParallelInterleave",
                                                            .init = parallel_init,
                                                            INTERLEAVES};
