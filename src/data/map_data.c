/* Datasets that call a function on each element and give at most one for it: map, filter, take while, scan. */
#include "base/alloc.h"
#include "data/element.h"
#include "data/iterator.h"
#include "data/kinds.h"

/* Adds which stage called the function. */
static sl_code name_stage(sl_code code, const struct sl_iterator *it, struct sl_error *err) {
    if (err && code != SL_OK && code != SL_CANCELLED)
        sl_error_append(err, "\n\t [[in the function of %sDataset]]", it->dataset->kind->name);
    return code;
}

struct element_iterator {
    struct sl_iterator base;
    struct sl_value *element; /* of the input: room */
    bool is_over;
};

static sl_code element_begin(struct sl_iterator *self, struct sl_step_env *env, struct sl_error *err) {
    (void)env;
    return sl_element_new(&((struct element_iterator *)self)->element, self->dataset->inputs[0]->n, err);
}

static void element_end(struct sl_iterator *self) { sl_free(((struct element_iterator *)self)->element); }

/* ---- MapDataset: other_arguments, for parallel ones num_parallel_calls; flag preserve_cardinality */

/* Calls are made one after the other, however many may be under way. */
static sl_code check_calls(const struct sl_dataset *d, struct sl_error *err) {
    const int captured = d->spec->functions[0].n_captured;
    int64_t calls = -1;
    if (d->n_values > captured) SL_TRY(sl_dataset_int(&calls, d, captured, "num_parallel_calls", err));
    if (calls > 0 || calls == -1) return SL_OK;
    return sl_fail(err, SL_INVALID_ARGUMENT, "num_parallel_calls must be greater than zero.");
}

static sl_code map_init(struct sl_dataset *d, struct sl_error *err) {
    SL_TRY(check_calls(d, err));
    return sl_dataset_check_function(d, 0, d->inputs[0]->n, d->n, err);
}

static int64_t map_cardinality(const struct sl_dataset *d) {
    return d->spec->flag ? sl_dataset_input_cardinality(d) : SL_UNKNOWN_CARDINALITY;
}

/* OUT_OF_RANGE in a function ends the sequence, or is an error where the number of elements is kept. */
static sl_code end_of_function(sl_code code, bool *is_end, const struct sl_iterator *it, struct sl_error *err) {
    if (code != SL_OUT_OF_RANGE) return code;
    if (it->dataset->spec->flag)
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "Function invocation produced OutOfRangeError, but the number of elements is to be kept");
    if (err) sl_error_clear(err);
    *is_end = true;
    return SL_OK;
}

static sl_code map_next(struct sl_iterator *self, struct sl_value *element, bool *is_end, struct sl_step_env *env,
                        struct sl_error *err) {
    struct sl_value *args = ((struct element_iterator *)self)->element;
    SL_TRY(sl_iterator_pull(self, args, is_end, env, err));
    if (*is_end) return SL_OK;
    sl_code code = sl_dataset_call(element, self->dataset, 0, args, self->dataset->inputs[0]->n, env, err);
    return name_stage(end_of_function(code, is_end, self, err), self, err);
}

const struct sl_dataset_kind sl_map_data = {.name = "Map",
                                            .opens_input = true,
                                            .iterator_bytes = sizeof(struct element_iterator),
                                            .init = map_init,
                                            .cardinality = map_cardinality,
                                            .begin = element_begin,
                                            .next = map_next,
                                            .end = element_end};

/* ---- FilterDataset, TakeWhileDataset: other_arguments, for parallel ones num_parallel_calls */

static sl_code predicate_init(struct sl_dataset *d, struct sl_error *err) {
    SL_TRY(check_calls(d, err));
    SL_TRY(sl_dataset_check_function(d, 0, d->n, 1, err));
    if (d->spec->functions[0].ret_types[0] == SL_BOOL) return SL_OK;
    return sl_fail(err, SL_INVALID_ARGUMENT, "`predicate` must return a scalar bool.");
}

/* Calls the predicate on the element, which stays. */
static sl_code ask(bool *out, const struct sl_iterator *self, const struct sl_value *element, struct sl_step_env *env,
                   struct sl_error *err) {
    struct sl_value *args = ((const struct element_iterator *)self)->element, answer = {0};
    const int n = self->dataset->n;
    for (int i = 0; i < n; i++) args[i] = sl_value_share(&element[i]);
    SL_TRY(name_stage(sl_dataset_call(&answer, self->dataset, 0, args, n, env, err), self, err));
    const bool *is_true = sl_value_scalar(&answer);
    sl_code code = is_true ? SL_OK : sl_fail(err, SL_INVALID_ARGUMENT, "`predicate` must return a scalar bool.");
    if (is_true) *out = *is_true;
    sl_value_clear(&answer);
    return code;
}

static sl_code filter_next(struct sl_iterator *self, struct sl_value *element, bool *is_end, struct sl_step_env *env,
                           struct sl_error *err) {
    for (bool keeps = false; !keeps;) {
        sl_element_clear(element, self->dataset->n);
        SL_TRY(sl_iterator_pull(self, element, is_end, env, err));
        if (*is_end) return SL_OK;
        SL_TRY(ask(&keeps, self, element, env, err));
    }
    return SL_OK;
}

const struct sl_dataset_kind sl_filter_data = {.name = "Filter",
                                               .keeps_types = true,
                                               .opens_input = true,
                                               .iterator_bytes = sizeof(struct element_iterator),
                                               .init = predicate_init,
                                               .begin = element_begin,
                                               .next = filter_next,
                                               .end = element_end};

static sl_code take_while_next(struct sl_iterator *self, struct sl_value *element, bool *is_end,
                               struct sl_step_env *env, struct sl_error *err) {
    bool goes_on;
    SL_TRY(sl_iterator_pull(self, element, is_end, env, err));
    if (*is_end) return SL_OK;
    SL_TRY(ask(&goes_on, self, element, env, err));
    if (!goes_on) {
        sl_iterator_free(self->input);
        self->input = NULL;
        *is_end = true;
    }
    return SL_OK;
}

const struct sl_dataset_kind sl_take_while_data = {.name = "TakeWhile",
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

static sl_code scan_begin(struct sl_iterator *self, struct sl_step_env *env, struct sl_error *err) {
    (void)env;
    struct scan_iterator *it = (struct scan_iterator *)self;
    const struct sl_dataset *d = self->dataset;
    const int n = d->spec->n_state;
    SL_TRY(sl_element_new(&it->state, n + 1, err));
    SL_TRY(sl_element_new(&it->args, n + d->inputs[0]->n, err));
    SL_TRY(sl_element_new(&it->results, n + d->n, err));
    for (int i = 0; i < n; i++) it->state[i] = sl_value_share(&d->values[i]);
    return SL_OK;
}

static sl_code scan_next(struct sl_iterator *self, struct sl_value *element, bool *is_end, struct sl_step_env *env,
                         struct sl_error *err) {
    struct scan_iterator *it = (struct scan_iterator *)self;
    const struct sl_dataset *d = self->dataset;
    const int n = d->spec->n_state, n_input = d->inputs[0]->n;
    SL_TRY(sl_iterator_pull(self, it->args + n, is_end, env, err));
    if (*is_end) return SL_OK;
    for (int i = 0; i < n; i++) it->args[i] = sl_value_share(&it->state[i]);
    sl_code code = sl_dataset_call(it->results, d, 0, it->args, n + n_input, env, err);
    if (code != SL_OK) return name_stage(end_of_function(code, is_end, self, err), self, err);
    for (int i = 0; i < n; i++) {
        sl_value_clear(&it->state[i]);
        it->state[i] = sl_value_move(&it->results[i]);
    }
    for (int i = 0; i < d->n; i++) element[i] = sl_value_move(&it->results[n + i]);
    return SL_OK;
}

static void scan_end(struct sl_iterator *self) {
    struct scan_iterator *it = (struct scan_iterator *)self;
    if (it->state) sl_element_clear(it->state, self->dataset->spec->n_state);
    sl_free(it->state);
    sl_free(it->args);
    sl_free(it->results);
}

const struct sl_dataset_kind sl_scan_data = {.name = "Scan",
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
    return sl_dataset_check_function(d, 0, n + d->inputs[0]->n, n, err);
}

const struct sl_dataset_kind sl_reduce_data = {.name = "Reduce", .init = reduce_init};
