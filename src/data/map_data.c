/* Datasets that call a function on each element and give at most one for it: map, filter, take while, scan. */
#include <inttypes.h>
#include <stdio.h>

#include "base/alloc.h"
#include "data/calls_ahead.h"
#include "data/element.h"
#include "data/element_rows.h"
#include "data/iterator.h"
#include "data/kinds.h"
#include "data/restored.h"
#include "data/state.h"
#include "kernel/cancellation.h"

struct element_iterator {
    struct sl_iterator base;
    struct sl_value *element;    /* of the input: room */
    int64_t kept, dropped;       /* filters: so far */
    struct sl_restored restored; /* ParallelFilter: elements that come first */
    struct sl_rows rows;         /* Map: of the input, empty between calls */
};

static sl_code element_begin(struct sl_iterator *self, struct sl_error *err) {
    return sl_element_new(&((struct element_iterator *)self)->element, self->dataset->inputs[0]->n, err);
}

static void element_end(struct sl_iterator *self) { sl_free(((struct element_iterator *)self)->element); }

/* ---- MapDataset: other_arguments; ParallelMapDataset: num_parallel_calls, too; flag preserve_cardinality */

/* How many calls may be under way, an argument before or behind what is captured; -1: as many as there are processors. */
static sl_code read_calls(int64_t *calls, const struct sl_dataset *d, struct sl_error *err) {
    const struct sl_dataset_function *f = &d->spec->functions[0];
    SL_TRY(sl_dataset_int(calls, d, f->captured > 0 ? 0 : f->n_captured, "num_parallel_calls", err));
    if (*calls > 0 || *calls == -1) return SL_OK;
    return sl_fail(err, SL_INVALID_ARGUMENT, "num_parallel_calls must be greater than zero.");
}

static sl_code map_init(struct sl_dataset *d, struct sl_error *err) {
    return sl_dataset_check_function(d, 0, d->inputs[0]->n, d->n, err);
}

static sl_code parallel_map_init(struct sl_dataset *d, struct sl_error *err) {
    SL_TRY(read_calls(d->state, d, err));
    return map_init(d, err);
}

static int64_t map_cardinality(const struct sl_dataset *d) {
    return d->spec->flag ? sl_dataset_input_cardinality(d) : SL_UNKNOWN_CARDINALITY;
}

/* OUT_OF_RANGE in a function ends the sequence, or is an error where the number of elements is kept. */
static sl_code end_of_function(sl_code code, bool *is_end, const struct sl_iterator *it, int64_t element,
                               struct sl_error *err) {
    if (code != SL_OUT_OF_RANGE) return sl_iterator_name_stage(code, it, element, err);
    if (it->dataset->spec->flag) return sl_iterator_refuse_end(err);
    if (err) sl_error_clear(err);
    *is_end = true;
    return SL_OK;
}

static sl_code map_next(struct sl_iterator *self, struct sl_value *element, bool *is_end, struct sl_error *err) {
    struct sl_value *args = ((struct element_iterator *)self)->element;
    SL_TRY(sl_iterator_pull(self, args, is_end, err));
    if (*is_end) return SL_OK;
    sl_code code = sl_iterator_call(element, self, 0, args, self->dataset->inputs[0]->n, err);
    return code == SL_OK ? SL_OK : end_of_function(code, is_end, self, self->pulled - 1, err);
}

/* Calls the function on element `index` of the input. */
static sl_code map_element(const struct sl_dataset *d, struct sl_data_walk *walk, int64_t index,
                           struct sl_value *element, struct sl_error *err) {
    const int n = d->inputs[0]->n;
    struct sl_value *args;
    SL_TRY(sl_element_new(&args, n, err));
    sl_code code = sl_data_walk_element(walk, d->inputs[0], index, args, err);
    if (code == SL_OK) code = sl_data_walk_call(element, walk, d, 0, args, n, err);
    sl_element_clear(args, n);
    sl_free(args);
    return code;
}

static sl_code map_begin(struct sl_iterator *self, struct sl_error *err) {
    SL_TRY(element_begin(self, err));
    return sl_rows_init(&((struct element_iterator *)self)->rows, self->dataset->inputs[0]->n, err);
}

static sl_code map_next_rows(struct sl_iterator *self, struct sl_rows *rows, int64_t n, bool *is_end,
                             struct sl_error *err) {
    if (sl_rows_may_call(self))
        return sl_rows_call(rows, &((struct element_iterator *)self)->rows, self, n, is_end, err);
    return sl_iterator_list_rows(self, rows, n, is_end, err);
}

static void map_end(struct sl_iterator *self) {
    sl_rows_clear(&((struct element_iterator *)self)->rows);
    element_end(self);
}

const struct sl_dataset_kind sl_map_data = {.name = "Map",
                                            .next_rows = map_next_rows,
                                            .element = map_element,
                                            .opens_input = true,
                                            .iterator_bytes = sizeof(struct element_iterator),
                                            .init = map_init,
                                            .cardinality = map_cardinality,
                                            .begin = map_begin,
                                            .next = map_next,
                                            .end = map_end};

struct parallel_map_iterator {
    struct sl_iterator base;
    struct sl_calls_ahead *calls;
    struct sl_rows rows; /* of the input, empty between calls */
};

static sl_code parallel_map_begin(struct sl_iterator *self, struct sl_error *err) {
    const int64_t *limit = self->dataset->state;
    SL_TRY(sl_rows_init(&((struct parallel_map_iterator *)self)->rows, self->dataset->inputs[0]->n, err));
    return sl_calls_ahead_new(&((struct parallel_map_iterator *)self)->calls, self, self->dataset->n, *limit, err);
}

static sl_code parallel_map_next(struct sl_iterator *self, struct sl_value *element, bool *is_end,
                                 struct sl_error *err) {
    int64_t called;
    sl_code code = sl_calls_ahead_next(((struct parallel_map_iterator *)self)->calls, element, is_end, &called, err);
    return called == SL_NOT_CALLED ? code : end_of_function(code, is_end, self, called, err);
}

static sl_code parallel_map_next_rows(struct sl_iterator *self, struct sl_rows *rows, int64_t n, bool *is_end,
                                      struct sl_error *err) {
    struct parallel_map_iterator *it = (struct parallel_map_iterator *)self;
    if (sl_rows_may_call(self) && !sl_calls_ahead_is_on(it->calls))
        return sl_rows_call(rows, &it->rows, self, n, is_end, err);
    return sl_iterator_list_rows(self, rows, n, is_end, err);
}

static sl_code parallel_map_save(const struct sl_iterator *self, struct sl_state *state, struct sl_error *err) {
    SL_TRY(sl_calls_ahead_put(((const struct parallel_map_iterator *)self)->calls, state, err));
    return sl_state_put_input(state, self, NULL, err);
}

static sl_code parallel_map_restore(struct sl_iterator *self, const struct sl_state *state, struct sl_error *err) {
    SL_TRY(sl_state_get_input(state, self, SL_ONLY_INPUT, NULL, err));
    return sl_calls_ahead_get(((struct parallel_map_iterator *)self)->calls, state, err);
}

static void parallel_map_end(struct sl_iterator *self) {
    sl_calls_ahead_free(((struct parallel_map_iterator *)self)->calls);
    sl_rows_clear(&((struct parallel_map_iterator *)self)->rows);
}

const struct sl_dataset_kind sl_parallel_map_data = {.name = "ParallelMap",
                                                     .next_rows = parallel_map_next_rows,
                                                     .element = map_element,
                                                     .save = parallel_map_save,
                                                     .restore = parallel_map_restore,
                                                     .opens_input = true,
                                                     .state_bytes = sizeof(int64_t),
                                                     .iterator_bytes = sizeof(struct parallel_map_iterator),
                                                     .init = parallel_map_init,
                                                     .cardinality = map_cardinality,
                                                     .begin = parallel_map_begin,
                                                     .next = parallel_map_next,
                                                     .end = parallel_map_end};

/* ParseExampleDataset: num_parallel_calls, dense_defaults. A parallel map whose function belongs to the op. */
static sl_code parse_next(struct sl_iterator *self, struct sl_value *element, bool *is_end, struct sl_error *err) {
    int64_t called;
    return sl_calls_ahead_next(((struct parallel_map_iterator *)self)->calls, element, is_end, &called, err);
}

const struct sl_dataset_kind sl_parse_example_data = {.name = "ParseExample",
                                                      .save = parallel_map_save,
                                                      .restore = parallel_map_restore,
                                                      .opens_input = true,
                                                      .state_bytes = sizeof(int64_t),
                                                      .iterator_bytes = sizeof(struct parallel_map_iterator),
                                                      .init = parallel_map_init,
                                                      .cardinality = map_cardinality,
                                                      .begin = parallel_map_begin,
                                                      .next = parse_next,
                                                      .end = parallel_map_end};

/* ---- FilterDataset, TakeWhileDataset: other_arguments, for parallel ones num_parallel_calls */

static sl_code predicate_init(struct sl_dataset *d, struct sl_error *err) {
    int64_t calls; /* one after the other, however many may be under way */
    if (d->n_values > d->spec->functions[0].n_captured) SL_TRY(read_calls(&calls, d, err));
    SL_TRY(sl_dataset_check_function(d, 0, d->n, 1, err));
    if (d->spec->functions[0].ret_types[0] == SL_BOOL) return SL_OK;
    return sl_fail(err, SL_INVALID_ARGUMENT, "`predicate` must return a scalar bool.");
}

/* Calls the predicate on the element, which stays. */
static sl_code ask(bool *out, const struct sl_iterator *self, const struct sl_value *element, struct sl_error *err) {
    struct sl_value *args = ((const struct element_iterator *)self)->element, answer = {0};
    const int n = self->dataset->n;
    for (int i = 0; i < n; i++) args[i] = sl_value_share(&element[i]);
    sl_code code = sl_iterator_call(&answer, self, 0, args, n, err);
    if (code != SL_OK) return sl_iterator_name_stage(code, self, self->pulled - 1, err);
    const bool *is_true = sl_value_scalar(&answer);
    code = is_true ? SL_OK : sl_fail(err, SL_INVALID_ARGUMENT, "`predicate` must return a scalar bool.");
    if (is_true) *out = *is_true;
    sl_value_clear(&answer);
    return code;
}

static sl_code heed_filter(const struct element_iterator *it, sl_code code, struct sl_error *err) {
    return SL_ITERATOR_HEED(&it->base, code, err, "has let %" PRId64 " of %" PRId64 " elements pass so far", it->kept,
                            it->kept + it->dropped);
}

static sl_code filter_next(struct sl_iterator *self, struct sl_value *element, bool *is_end, struct sl_error *err) {
    struct element_iterator *it = (struct element_iterator *)self;
    for (bool keeps = false; !keeps;) {
        sl_element_clear(element, self->dataset->n);
        SL_TRY(heed_filter(it, SL_OK, err));
        sl_code code = sl_iterator_pull(self, element, is_end, err);
        if (code == SL_OK && *is_end) return SL_OK;
        if (code == SL_OK) code = ask(&keeps, self, element, err);
        if (code != SL_OK) return heed_filter(it, code, err);
        if (keeps) it->kept++;
        else it->dropped++;
    }
    return SL_OK;
}

static sl_code filter_save(const struct sl_iterator *self, struct sl_state *state, struct sl_error *err) {
    const struct element_iterator *it = (const struct element_iterator *)self;
    SL_TRY(sl_state_put_input(state, self, "input_impl_empty", err));
    SL_TRY(sl_state_put_int(state, self, "filtered_elements", it->kept, err));
    return sl_state_put_int(state, self, "dropped_elements", it->dropped, err);
}

static sl_code filter_restore(struct sl_iterator *self, const struct sl_state *state, struct sl_error *err) {
    struct element_iterator *it = (struct element_iterator *)self;
    SL_TRY(sl_state_get_input(state, self, SL_ONLY_INPUT, "input_impl_empty", err));
    SL_TRY(sl_state_get_int(&it->kept, state, self, "filtered_elements", err));
    return sl_state_get_int(&it->dropped, state, self, "dropped_elements", err);
}

const struct sl_dataset_kind sl_filter_data = {.name = "Filter",
                                               .save = filter_save,
                                               .restore = filter_restore,
                                               .keeps_types = true,
                                               .opens_input = true,
                                               .iterator_bytes = sizeof(struct element_iterator),
                                               .init = predicate_init,
                                               .begin = element_begin,
                                               .next = filter_next,
                                               .end = element_end};

/* ParallelFilterDataset: the same; elements that TensorFlow had taken stand in its state. */

static sl_code parallel_filter_next(struct sl_iterator *self, struct sl_value *element, bool *is_end,
                                    struct sl_error *err) {
    struct sl_restored *restored = &((struct element_iterator *)self)->restored;
    if (restored->at < restored->n) return sl_restored_next(restored, element, self->dataset->n, err);
    return filter_next(self, element, is_end, err);
}

static const char *result_part(char part[SL_STATE_KEY], int64_t i, const char *what) {
    return sl_state_key(part, "::invocation_results::%lld%s", (long long)i, what);
}

/* A list of values as TensorFlow writes it here: size, component[i]. */
static sl_code put_values(struct sl_state *state, const struct sl_iterator *self, const char *part,
                          const struct sl_value *values, int n, struct sl_error *err) {
    char key[SL_STATE_KEY];
    SL_TRY(sl_state_put_part_int(state, self, part, "size", n, err));
    for (int i = 0; i < n; i++)
        SL_TRY(sl_state_put_part(state, self, part, sl_state_key(key, "component[%d]", i), &values[i], err));
    return SL_OK;
}

static sl_code parallel_filter_save(const struct sl_iterator *self, struct sl_state *state, struct sl_error *err) {
    const struct sl_restored *r = &((const struct element_iterator *)self)->restored;
    const struct sl_value yes = {.kind = SL_VALUE_SCALAR, .dtype = SL_BOOL, .b = true};
    char part[SL_STATE_KEY];
    SL_TRY(sl_state_put_part_int(state, self, "::invocation_results", "size", r->n - r->at, err));
    for (int64_t i = 0; i < r->n - r->at; i++) {
        const struct sl_made_element *made = &r->made[r->at + i];
        SL_TRY(sl_state_put_part_int(state, self, result_part(part, i, ""), "code", made->code, err));
        if (made->code != SL_OK) SL_TRY(sl_state_put_part_text(state, self, part, "error_message", made->message, err));
        const int n = made->code == SL_OK ? self->dataset->n : 0;
        SL_TRY(put_values(state, self, result_part(part, i, "::predicate_values"), &yes, n > 0, err));
        SL_TRY(put_values(state, self, result_part(part, i, "::return_values"), made->element, n, err));
    }
    return sl_state_put_input(state, self, NULL, err);
}

/* Whether the saved predicate of result `i` is true; false also where the input was over. */
static bool is_kept(const struct sl_state *state, const struct sl_iterator *self, int64_t i) {
    char part[SL_STATE_KEY];
    struct sl_value value = {0};
    result_part(part, i, "::predicate_values");
    if (sl_state_get_part(&value, state, self, part, "component[0]", NULL) != SL_OK) return false;
    const bool *keeps = value.dtype == SL_BOOL ? sl_value_scalar(&value) : NULL;
    const bool is = keeps && *keeps;
    sl_value_clear(&value);
    return is;
}

static sl_code parallel_filter_restore(struct sl_iterator *self, const struct sl_state *state, struct sl_error *err) {
    struct sl_restored *r = &((struct element_iterator *)self)->restored;
    char part[SL_STATE_KEY], key[SL_STATE_KEY];
    int64_t n, code;
    SL_TRY(sl_state_get_input(state, self, SL_ONLY_INPUT, NULL, err));
    SL_TRY(sl_state_get_part_int(&n, state, self, "::invocation_results", "size", err));
    for (int64_t i = 0; i < n; i++) {
        struct sl_made_element *made;
        SL_TRY(sl_state_get_part_int(&code, state, self, result_part(part, i, ""), "code", err));
        if (code == SL_OK && !is_kept(state, self, i)) continue;
        SL_TRY(sl_restored_room(&made, r, self->dataset->n, err));
        if (code != SL_OK) {
            SL_TRY(sl_made_element_get_error(made, code, state, self, part, "error_message", err));
            continue;
        }
        result_part(part, i, "::return_values");
        for (int k = 0; k < self->dataset->n; k++)
            SL_TRY(sl_state_get_part(&made->element[k], state, self, part, sl_state_key(key, "component[%d]", k), err));
    }
    return SL_OK;
}

static void parallel_filter_end(struct sl_iterator *self) {
    sl_restored_clear(&((struct element_iterator *)self)->restored, self->dataset->n);
    element_end(self);
}

const struct sl_dataset_kind sl_parallel_filter_data = {.name = "ParallelFilter",
                                                        .keeps_types = true,
                                                        .opens_input = true,
                                                        .iterator_bytes = sizeof(struct element_iterator),
                                                        .init = predicate_init,
                                                        .begin = element_begin,
                                                        .next = parallel_filter_next,
                                                        .end = parallel_filter_end,
                                                        .save = parallel_filter_save,
                                                        .restore = parallel_filter_restore};

static sl_code take_while_next(struct sl_iterator *self, struct sl_value *element, bool *is_end, struct sl_error *err) {
    bool goes_on;
    SL_TRY(sl_iterator_pull(self, element, is_end, err));
    if (*is_end) return SL_OK;
    SL_TRY(ask(&goes_on, self, element, err));
    if (!goes_on) {
        sl_iterator_free(self->input);
        self->input = NULL;
        *is_end = true;
    }
    return SL_OK;
}

static sl_code take_while_save(const struct sl_iterator *self, struct sl_state *state, struct sl_error *err) {
    return sl_state_put_input(state, self, ":input_impl_empty", err);
}
static sl_code take_while_restore(struct sl_iterator *self, const struct sl_state *state, struct sl_error *err) {
    return sl_state_get_input(state, self, SL_ONLY_INPUT, ":input_impl_empty", err);
}

const struct sl_dataset_kind sl_take_while_data = {.name = "TakeWhile",
                                                   .save = take_while_save,
                                                   .restore = take_while_restore,
                                                   .keeps_types = true,
                                                   .opens_input = true,
                                                   .iterator_bytes = sizeof(struct element_iterator),
                                                   .init = predicate_init,
                                                   .begin = element_begin,
                                                   .next = take_while_next,
                                                   .end = element_end};

/* ---- ScanDataset: initial_state, other_arguments; f(state, element) gives state and output */

struct scan_iterator {
    struct sl_iterator base;
    struct sl_value *state;   /* n_state, the scan's */
    struct sl_value *args;    /* state and element */
    struct sl_value *results; /* state and output */
};

static sl_code scan_init(struct sl_dataset *d, struct sl_error *err) {
    const int n = d->spec->n_state;
    if (n > d->n_values) return sl_fail(err, SL_INVALID_ARGUMENT, "ScanDataset has no initial state");
    return sl_dataset_check_function(d, 0, n + d->inputs[0]->n, n + d->n, err);
}

static sl_code scan_begin(struct sl_iterator *self, struct sl_error *err) {
    struct scan_iterator *it = (struct scan_iterator *)self;
    const struct sl_dataset *d = self->dataset;
    const int n = d->spec->n_state;
    SL_TRY(sl_element_new(&it->state, n + 1, err));
    SL_TRY(sl_element_new(&it->args, n + d->inputs[0]->n, err));
    SL_TRY(sl_element_new(&it->results, n + d->n, err));
    for (int i = 0; i < n; i++) it->state[i] = sl_value_share(&d->values[i]);
    return SL_OK;
}

static sl_code scan_next(struct sl_iterator *self, struct sl_value *element, bool *is_end, struct sl_error *err) {
    struct scan_iterator *it = (struct scan_iterator *)self;
    const struct sl_dataset *d = self->dataset;
    const int n = d->spec->n_state, n_input = d->inputs[0]->n;
    SL_TRY(sl_iterator_pull(self, it->args + n, is_end, err));
    if (*is_end) return SL_OK;
    for (int i = 0; i < n; i++) it->args[i] = sl_value_share(&it->state[i]);
    sl_code code = sl_iterator_call(it->results, self, 0, it->args, n + n_input, err);
    if (code != SL_OK) return end_of_function(code, is_end, self, self->pulled - 1, err);
    for (int i = 0; i < n; i++) {
        sl_value_clear(&it->state[i]);
        it->state[i] = sl_value_move(&it->results[i]);
    }
    for (int i = 0; i < d->n; i++) element[i] = sl_value_move(&it->results[n + i]);
    return SL_OK;
}

static sl_code scan_save(const struct sl_iterator *self, struct sl_state *state, struct sl_error *err) {
    const struct scan_iterator *it = (const struct scan_iterator *)self;
    SL_TRY(sl_state_put_input(state, self, NULL, err));
    return sl_state_put_list(state, self, ":state_size", ":state[#]", it->state, self->dataset->spec->n_state, err);
}

static sl_code scan_restore(struct sl_iterator *self, const struct sl_state *state, struct sl_error *err) {
    struct scan_iterator *it = (struct scan_iterator *)self;
    const int n = self->dataset->spec->n_state;
    int saved;
    SL_TRY(sl_state_get_input(state, self, SL_ONLY_INPUT, NULL, err));
    sl_element_clear(it->state, n);
    SL_TRY(sl_state_get_list(it->state, &saved, n, state, self, ":state_size", ":state[#]", err));
    return saved == n ? SL_OK : sl_fail(err, SL_INVALID_ARGUMENT, "A saved scan has %d values, not %d", saved, n);
}

static void scan_end(struct sl_iterator *self) {
    struct scan_iterator *it = (struct scan_iterator *)self;
    if (it->state) sl_element_clear(it->state, self->dataset->spec->n_state);
    sl_free(it->state);
    sl_free(it->args);
    sl_free(it->results);
}

const struct sl_dataset_kind sl_scan_data = {.name = "Scan",
                                             .save = scan_save,
                                             .restore = scan_restore,
                                             .opens_input = true,
                                             .iterator_bytes = sizeof(struct scan_iterator),
                                             .init = scan_init,
                                             .cardinality = map_cardinality,
                                             .begin = scan_begin,
                                             .next = scan_next,
                                             .end = scan_end};

/* ---- ReduceDataset: initial_state, other_arguments. It is never walked through: its kernel calls the function. */

static sl_code reduce_init(struct sl_dataset *d, struct sl_error *err) {
    const int n = d->spec->n_state;
    if (n > d->n_values) return sl_fail(err, SL_INVALID_ARGUMENT, "ReduceDataset has no initial state");
    SL_TRY(sl_dataset_check_function(d, 0, n + d->inputs[0]->n, -1, err));
    const int given = d->spec->functions[0].n_rets;
    if (given == n) return SL_OK;
    return sl_fail(err, SL_INVALID_ARGUMENT,
                   "The number of components of the initial state and the reduce function output does not match. "
                   "(initial_state=%d, output=%d).",
                   n, given);
}

const struct sl_dataset_kind sl_reduce_data = {.name = "Reduce", .init = reduce_init};
