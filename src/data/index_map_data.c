/* Datasets whose elements are found by their number: IndexFlatMapDataset and WeightedFlatMapDataset. */
#include <math.h>

#include "base/alloc.h"
#include "data/element.h"
#include "data/iterator.h"
#include "data/kinds.h"
#include "data/state.h"

/* ---- IndexFlatMapDataset: what map_func and index_map_func captured, output_cardinality. map_func makes rows of an
 * element, or several values for one component, which are the rows then; index_map_func says of a number in which
 * element's rows, and where among them, the output is. In order, the next element is taken whenever that number of an
 * element grows. */

enum { MAP, INDEX };

struct index_map_iterator {
    struct sl_iterator base;
    struct sl_value *args, *rows; /* room for an element of the input; what map_func gave, NONE before the first */
    int64_t next;                 /* number of the next output */
    uint64_t element;             /* that of the rows, as index_map_func numbers them */
    bool has_rows;
};

static sl_code index_map_init(struct sl_dataset *d, struct sl_error *err) {
    int64_t *n = d->state;
    SL_TRY(sl_dataset_int(n, d, d->n_values - 1, "output_cardinality", err));
    SL_TRY(sl_dataset_check_function(d, MAP, d->inputs[0]->n, d->n > 1 ? d->n : -1, err));
    SL_TRY(sl_dataset_check_function(d, INDEX, 1, -1, err));
    if (*n >= SL_UNKNOWN_CARDINALITY) return SL_OK;
    return sl_fail(err, SL_INVALID_ARGUMENT, "`output_cardinality` must be >= -2");
}

static int64_t index_map_cardinality(const struct sl_dataset *d) { return *(const int64_t *)d->state; }

/* Element and row of output `index`. */
static sl_code find_row(int64_t to[2], struct sl_data_walk *walk, const struct sl_dataset *d, int64_t index,
                        struct sl_error *err) {
    const int n = d->spec->functions[INDEX].n_rets;
    struct sl_value arg = {.kind = SL_VALUE_SCALAR, .dtype = SL_INT64, .i64 = index}, *rets;
    SL_TRY(sl_element_new(&rets, n, err));
    sl_code code = sl_data_walk_call(rets, walk, d, INDEX, &arg, 1, err);
    bool fits = n == 2;
    for (int i = 0; i < 2 && code == SL_OK && fits; i++) {
        const struct sl_view v = sl_value_on_host(&rets[i]);
        fits = v.count == 1 && (v.dtype == SL_INT64 || v.dtype == SL_INT32);
        if (fits) to[i] = v.dtype == SL_INT64 ? *(const int64_t *)v.data : *(const int32_t *)v.data;
    }
    sl_element_clear(rets, n);
    sl_free(rets);
    SL_TRY(code);
    if (fits) return SL_OK;
    return sl_fail(err, SL_INVALID_ARGUMENT,
                   "The `index_map_fn` for `index_flat_map` is expected to return two int values representing the "
                   "element index and the offset within the element.");
}

static int rows_width(const struct sl_dataset *d) { return d->spec->functions[MAP].n_rets; }

static sl_code check_offset(int64_t at, int64_t count, struct sl_error *err) {
    if (at >= 0 && at < count) return SL_OK;
    return sl_fail(err, SL_INVALID_ARGUMENT,
                   "The `index_map_fn` for `index_flat_map` gave offset %lld, but there are %lld rows", (long long)at,
                   (long long)count);
}

/* Row `at` of what map_func gave; a scalar is its own only row. */
static sl_code give_row(struct sl_value *element, const struct sl_dataset *d, const struct sl_value *rows, int64_t at,
                        struct sl_error *err) {
    if (rows_width(d) > d->n) {
        SL_TRY(check_offset(at, rows_width(d), err));
        element[0] = sl_value_share(&rows[at]);
        return SL_OK;
    }
    for (int i = 0; i < rows_width(d); i++) {
        const struct sl_view v = sl_value_view(&rows[i]);
        SL_TRY(check_offset(at, v.rank > 0 ? v.dims[0] : 1, err));
        if (v.rank == 0) element[i] = sl_value_share(&rows[i]);
        else SL_TRY(sl_element_row(&element[i], &rows[i], at, err));
    }
    return SL_OK;
}

static sl_code index_map_begin(struct sl_iterator *self, struct sl_error *err) {
    struct index_map_iterator *it = (struct index_map_iterator *)self;
    SL_TRY(sl_element_new(&it->args, self->dataset->inputs[0]->n, err));
    return sl_element_new(&it->rows, rows_width(self->dataset), err);
}

static sl_code take_rows(struct index_map_iterator *it, bool *is_end, struct sl_error *err) {
    const struct sl_dataset *d = it->base.dataset;
    it->has_rows = false;
    sl_element_clear(it->rows, rows_width(d));
    SL_TRY(sl_iterator_pull(&it->base, it->args, is_end, err));
    if (*is_end) return SL_OK;
    SL_TRY(sl_iterator_call(it->rows, &it->base, MAP, it->args, d->inputs[0]->n, err));
    it->has_rows = true;
    return SL_OK;
}

static sl_code index_map_next(struct sl_iterator *self, struct sl_value *element, bool *is_end, struct sl_error *err) {
    struct index_map_iterator *it = (struct index_map_iterator *)self;
    int64_t to[2];
    if (!self->input && !it->has_rows) {
        *is_end = true;
        return SL_OK;
    }
    SL_TRY(find_row(to, self->walk, self->dataset, it->next, err));
    if (!it->has_rows || (uint64_t)to[0] > it->element) {
        SL_TRY(take_rows(it, is_end, err));
        if (*is_end) return SL_OK;
        it->element = (uint64_t)to[0];
    }
    it->next++;
    return give_row(element, self->dataset, it->rows, to[1], err);
}

static void index_map_end(struct sl_iterator *self) {
    struct index_map_iterator *it = (struct index_map_iterator *)self;
    if (it->rows) sl_element_clear(it->rows, rows_width(self->dataset));
    sl_free(it->args);
    sl_free(it->rows);
}

static sl_code index_map_element(const struct sl_dataset *d, struct sl_data_walk *walk, int64_t index,
                                 struct sl_value *element, struct sl_error *err) {
    const int n = d->inputs[0]->n, all = n + rows_width(d);
    int64_t to[2];
    struct sl_value *room;
    SL_TRY(find_row(to, walk, d, index, err));
    SL_TRY(sl_element_new(&room, all, err));
    sl_code code = sl_data_walk_element(walk, d->inputs[0], to[0], room, err);
    if (code == SL_OK) code = sl_data_walk_call(room + n, walk, d, MAP, room, n, err);
    if (code == SL_OK) code = give_row(element, d, room + n, to[1], err);
    sl_element_clear(room, all);
    sl_free(room);
    return code;
}

static sl_code index_map_save(const struct sl_iterator *self, struct sl_state *state, struct sl_error *err) {
    const struct index_map_iterator *it = (const struct index_map_iterator *)self;
    SL_TRY(sl_state_put_int(state, self, "element_count", it->next, err));
    SL_TRY(sl_state_put_int(state, self, "input_element_count", (int64_t)it->element, err));
    SL_TRY(sl_state_put_list(state, self, "input_unflattened_tensors_size", "input_unflattened_tensors[#]", it->rows,
                             it->has_rows ? rows_width(self->dataset) : 0, err));
    return sl_state_put_input(state, self, "input_impl_empty", err);
}

static sl_code index_map_restore(struct sl_iterator *self, const struct sl_state *state, struct sl_error *err) {
    struct index_map_iterator *it = (struct index_map_iterator *)self;
    int64_t element;
    int n;
    SL_TRY(sl_state_get_int(&it->next, state, self, "element_count", err));
    SL_TRY(sl_state_get_int(&element, state, self, "input_element_count", err));
    SL_TRY(sl_state_get_list(it->rows, &n, rows_width(self->dataset), state, self, "input_unflattened_tensors_size",
                             "input_unflattened_tensors[#]", err));
    it->element = (uint64_t)element;
    it->has_rows = n > 0 && n == rows_width(self->dataset);
    if (n && !it->has_rows) return sl_fail(err, SL_INVALID_ARGUMENT, "A saved element has %d components", n);
    return sl_state_get_input(state, self, SL_ONLY_INPUT, "input_impl_empty", err);
}

const struct sl_dataset_kind sl_index_map_data = {.name = "IndexFlatMap",
                                                  .opens_input = true,
                                                  .state_bytes = sizeof(int64_t),
                                                  .iterator_bytes = sizeof(struct index_map_iterator),
                                                  .init = index_map_init,
                                                  .cardinality = index_map_cardinality,
                                                  .element = index_map_element,
                                                  .begin = index_map_begin,
                                                  .next = index_map_next,
                                                  .end = index_map_end,
                                                  .save = index_map_save,
                                                  .restore = index_map_restore};

/* ---- WeightedFlatMapDataset: a weight for each input. Of each it takes the first elements, one input after another, so
 * many that their numbers are as the weights are, and as many as there can be. */

struct weighted {
    int64_t *counts, all; /* of each input; their sum */
};
struct weighted_iterator {
    struct sl_iterator base;
    int64_t from, at; /* the input, and how many of its elements are out */
};

static sl_code read_weight(double *out, const struct sl_dataset *d, int i, struct sl_error *err) {
    const double *w = sl_value_scalar(&d->values[i]);
    if (!w || d->values[i].dtype != SL_DOUBLE)
        return sl_fail(err, SL_INVALID_ARGUMENT, "`weights` must be scalars of type double");
    if (!(*w > 0))
        return sl_fail(err, SL_INVALID_ARGUMENT, "`weights` must be greater than 0.0. Input %d has a weight of %g", i,
                       *w);
    *out = *w;
    return SL_OK;
}

static sl_code check_inputs(const struct sl_dataset *d, struct sl_error *err) {
    if (d->n_values != d->n_inputs)
        return sl_fail(err, SL_INVALID_ARGUMENT, "%d inputs have %d weights", d->n_inputs, d->n_values);
    for (int i = 0; i < d->n_inputs; i++) {
        const int64_t n = sl_dataset_cardinality(d->inputs[i]);
        if (n < 0)
            return sl_fail(err, SL_INVALID_ARGUMENT,
                           "Cardinalities of the inputs must be known. Input %d has %s cardinality.", i,
                           n == SL_INFINITE_CARDINALITY ? "INFINITE" : "UNKNOWN");
        if (d->inputs[i]->n != d->inputs[0]->n ||
            memcmp(d->inputs[i]->types, d->inputs[0]->types, (size_t)d->inputs[0]->n) != 0)
            return sl_fail(err, SL_INVALID_ARGUMENT, "Input datasets have different element types");
    }
    return SL_OK;
}

/* The numbers of elements, as TensorFlow comes by them: the input whose cardinality times weight is least lends its
 * cardinality to the one with the greatest weight. */
static sl_code weighted_init(struct sl_dataset *d, struct sl_error *err) {
    struct weighted *s = d->state;
    const int n = d->n_inputs;
    double *weights = SL_ARENA_ARRAY(&d->arena, double, (size_t)n + 1), greatest = 0, least = HUGE_VAL;
    s->counts = SL_ARENA_ARRAY(&d->arena, int64_t, (size_t)n + 1);
    if (!weights || !s->counts) return sl_fail_memory(err, (size_t)n * sizeof *weights);
    SL_TRY(check_inputs(d, err));
    int64_t lent = 0;
    for (int i = 0; i < n; i++) {
        const int64_t size = sl_dataset_cardinality(d->inputs[i]);
        SL_TRY(read_weight(&weights[i], d, i, err));
        if (weights[i] > greatest) greatest = weights[i];
        if ((double)size * weights[i] < least) {
            least = (double)size * weights[i];
            lent = size;
        }
    }
    for (int i = 0; i < n; i++) {
        const int64_t size = sl_dataset_cardinality(d->inputs[i]);
        s->counts[i] = (int64_t)((double)lent * (weights[i] / greatest)); /* at most `lent` */
        if (s->counts[i] > size)
            return sl_fail(err, SL_INVALID_ARGUMENT,
                           "Input %d needs to have at least %lld elements. It only has %lld elements.", i,
                           (long long)s->counts[i], (long long)size);
        if (__builtin_add_overflow(s->all, s->counts[i], &s->all)) s->all = INT64_MAX;
    }
    if (d->n == d->inputs[0]->n) return SL_OK;
    return sl_fail(err, SL_INVALID_ARGUMENT, "WeightedFlatMapDataset declares %d components, its inputs have %d", d->n,
                   d->inputs[0]->n);
}

static int64_t weighted_cardinality(const struct sl_dataset *d) { return ((const struct weighted *)d->state)->all; }

static sl_code weighted_next(struct sl_iterator *self, struct sl_value *element, bool *is_end, struct sl_error *err) {
    struct weighted_iterator *it = (struct weighted_iterator *)self;
    const struct weighted *s = self->dataset->state;
    for (; it->from < self->dataset->n_inputs; it->from++, it->at = 0) {
        if (it->at >= s->counts[it->from]) continue;
        if (it->at == 0) SL_TRY(sl_iterator_open_input(self, it->from, (int)it->from, err));
        it->at++;
        SL_TRY(sl_iterator_pull(self, element, is_end, err));
        if (!*is_end) return SL_OK;
        it->at = s->counts[it->from]; /* fewer than it had said */
    }
    *is_end = true;
    return SL_OK;
}

static sl_code weighted_element(const struct sl_dataset *d, struct sl_data_walk *walk, int64_t index,
                                struct sl_value *element, struct sl_error *err) {
    const struct weighted *s = d->state;
    int i = 0;
    for (; index >= s->counts[i]; i++) index -= s->counts[i]; /* below their sum */
    return sl_data_walk_element(walk, d->inputs[i], index, element, err);
}

/* Of each input how many elements are out, and where it is: others than the present one are at their beginning. */
static sl_code weighted_save(const struct sl_iterator *self, struct sl_state *state, struct sl_error *err) {
    const struct weighted_iterator *it = (const struct weighted_iterator *)self;
    const struct weighted *s = self->dataset->state;
    char key[SL_STATE_KEY];
    SL_TRY(sl_state_put_int(state, self, "input_num_elements", self->dataset->n_inputs, err));
    for (int i = 0; i < self->dataset->n_inputs; i++) {
        const int64_t gone = i < it->from ? s->counts[i] : i == it->from ? it->at : 0;
        struct sl_iterator *fresh;
        SL_TRY(sl_state_put_int(state, self, sl_state_key(key, "input_num_elements[%d]", i), gone, err));
        if (i == it->from && self->input) {
            SL_TRY(sl_iterator_save(self->input, state, err));
            continue;
        }
        SL_TRY(sl_iterator_new(&fresh, self, i, self->dataset->inputs[i], err));
        sl_code code = sl_iterator_save(fresh, state, err);
        sl_iterator_free(fresh);
        SL_TRY(code);
    }
    return SL_OK;
}

static sl_code weighted_restore(struct sl_iterator *self, const struct sl_state *state, struct sl_error *err) {
    struct weighted_iterator *it = (struct weighted_iterator *)self;
    const struct weighted *s = self->dataset->state;
    char key[SL_STATE_KEY];
    for (it->from = 0; it->from < self->dataset->n_inputs; it->from++) {
        sl_state_key(key, "input_num_elements[%lld]", (long long)it->from);
        SL_TRY(sl_state_get_int(&it->at, state, self, key, err));
        if (it->at < 0) return sl_fail(err, SL_INVALID_ARGUMENT, "A saved position is negative");
        if (it->at < s->counts[it->from]) break;
    }
    if (it->from >= self->dataset->n_inputs || it->at == 0) return SL_OK;
    SL_TRY(sl_iterator_open_input(self, it->from, (int)it->from, err));
    return sl_iterator_restore(self->input, state, err);
}

const struct sl_dataset_kind sl_weighted_data = {.name = "WeightedFlatMap",
                                                 .state_bytes = sizeof(struct weighted),
                                                 .iterator_bytes = sizeof(struct weighted_iterator),
                                                 .init = weighted_init,
                                                 .cardinality = weighted_cardinality,
                                                 .element = weighted_element,
                                                 .next = weighted_next,
                                                 .save = weighted_save,
                                                 .restore = weighted_restore};
