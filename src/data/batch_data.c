/* Datasets that put elements together and take them apart: batches, plain and padded, and unbatch. */
#include "base/alloc.h"
#include "data/calls_ahead.h"
#include "data/element.h"
#include "data/element_rows.h"
#include "data/iterator.h"
#include "data/kinds.h"
#include "data/restored.h"
#include "data/state.h"

/* ---- BatchDatasetV2: batch_size, drop_remainder */

struct batch {
    int64_t size;
    bool drops;    /* a last one that is short */
    int64_t calls; /* MapAndBatch: that may be under way, or -1 */
};
struct batch_iterator {
    struct sl_iterator base;
    struct sl_rows rows;          /* empty between calls */
    struct sl_calls_ahead *calls; /* MapAndBatch */
    struct sl_restored restored;  /* ParallelBatch, MapAndBatch: batches that come first */
};

static sl_code read_size(struct sl_dataset *d, int size, int drops, struct sl_error *err) {
    struct batch *b = d->state;
    int64_t flag = 0;
    SL_TRY(sl_dataset_int(&b->size, d, size, "batch_size", err));
    if (drops >= 0) SL_TRY(sl_dataset_int(&flag, d, drops, "drop_remainder", err));
    b->drops = flag != 0;
    if (b->size <= 0) return sl_fail(err, SL_INVALID_ARGUMENT, "Batch size must be greater than zero.");
    return SL_OK;
}

/* The shapes of the input with a first dimension. */
static sl_code add_dimension(struct sl_dataset *d, int64_t size, struct sl_error *err) {
    const struct sl_dataset *input = d->inputs[0];
    struct sl_shape *shapes = SL_ARENA_ARRAY(&d->arena, struct sl_shape, (size_t)input->n);
    if (!shapes) return sl_fail_memory(err, (size_t)input->n * sizeof *shapes);
    for (int i = 0; i < input->n; i++) {
        const struct sl_shape s = input->shapes[i];
        int64_t *dims = s.rank < 0 ? NULL : SL_ARENA_ARRAY(&d->arena, int64_t, (size_t)s.rank + 1);
        shapes[i] = s.rank < 0 ? SL_SHAPE_UNKNOWN : (struct sl_shape){s.rank + 1, dims};
        if (s.rank < 0) continue;
        if (!dims) return sl_fail_memory(err, ((size_t)s.rank + 1) * sizeof *dims);
        dims[0] = size;
        for (int k = 0; k < s.rank; k++) dims[k + 1] = s.dims[k];
    }
    sl_dataset_set_components(d, input->n, input->types, shapes);
    return SL_OK;
}

static sl_code batch_init(struct sl_dataset *d, struct sl_error *err) {
    const struct batch *b = d->state;
    SL_TRY(read_size(d, 0, d->n_values > 1 ? d->n_values - 1 : -1, err)); /* between them: parallel calls */
    return add_dimension(d, b->drops ? b->size : -1, err);
}

static int64_t batches_of(const struct sl_dataset *d, int64_t n) {
    const struct batch *b = d->state;
    if (n < 0) return n;
    return n / b->size + (!b->drops && n % b->size != 0);
}
static int64_t batch_cardinality(const struct sl_dataset *d) { return batches_of(d, sl_dataset_input_cardinality(d)); }

static sl_code batch_begin(struct sl_iterator *self, struct sl_error *err) {
    return sl_rows_init(&((struct batch_iterator *)self)->rows, self->dataset->inputs[0]->n, err);
}

/* A last batch that is short may be none. */
static void drop_short(struct sl_rows *rows, const struct sl_iterator *self) {
    const struct batch *b = self->dataset->state;
    if (b->drops && rows->n < b->size) sl_rows_drop(rows);
}

/* An error loses the elements before it. */
static sl_code batch_next(struct sl_iterator *self, struct sl_value *element, bool *is_end, struct sl_error *err) {
    const struct batch *b = self->dataset->state;
    struct sl_rows *rows = &((struct batch_iterator *)self)->rows;
    sl_code code = sl_iterator_pull_rows(self, rows, b->size, is_end, err);
    if (code != SL_OK) return code; /* which may be the end, too */
    drop_short(rows, self);
    *is_end = rows->n == 0;
    for (int c = 0; c < self->dataset->n && code == SL_OK && !*is_end; c++)
        code = sl_rows_take(&element[c], rows, c, err);
    sl_rows_drop(rows);
    return code;
}

static void batch_end(struct sl_iterator *self) { sl_rows_clear(&((struct batch_iterator *)self)->rows); }

/* The elements of batch `index`; behind the last of the input: fewer. */
static sl_code collect_at(const struct sl_dataset *d, struct sl_data_walk *walk, int64_t index,
                          struct sl_element_list *list, struct sl_error *err) {
    const struct batch *b = d->state;
    const int64_t n = sl_dataset_input_cardinality(d), own = (int64_t)sizeof(struct sl_value) * d->n;
    for (int64_t i = index * b->size; i < n && list->n < b->size; i++) {
        struct sl_value *room;
        if (list->bytes > sl_data_walk_most_gathered(walk)) return sl_fail_memory(err, (size_t)list->bytes);
        SL_TRY(sl_element_list_room(&room, list, err));
        SL_TRY(sl_data_walk_element(walk, d->inputs[0], i, room, err));
        list->bytes += own + sl_element_bytes(room, d->n);
        list->n++;
    }
    return SL_OK;
}

static sl_code batch_element(const struct sl_dataset *d, struct sl_data_walk *walk, int64_t index,
                             struct sl_value *element, struct sl_error *err) {
    struct sl_element_list list = {.width = d->n};
    sl_code code = collect_at(d, walk, index, &list, err);
    for (int c = 0; c < d->n && code == SL_OK; c++) code = sl_element_stack(&element[c], &list, c, err);
    sl_element_list_clear(&list);
    return code;
}

static sl_code batch_save(const struct sl_iterator *self, struct sl_state *state, struct sl_error *err) {
    return sl_state_put_input(state, self, "input_impl_empty", err);
}
static sl_code batch_restore(struct sl_iterator *self, const struct sl_state *state, struct sl_error *err) {
    return sl_state_get_input(state, self, SL_ONLY_INPUT, "input_impl_empty", err);
}

#define BATCHES                                                                                                        \
    .opens_input = true, .state_bytes = sizeof(struct batch), .iterator_bytes = sizeof(struct batch_iterator),         \
    .cardinality = batch_cardinality, .begin = batch_begin, .end = batch_end
const struct sl_dataset_kind sl_batch_data = {.name = "Batch",
                                              .init = batch_init,
                                              .next = batch_next,
                                              .element = batch_element,
                                              .save = batch_save,
                                              .restore = batch_restore,
                                              BATCHES};

/* ParallelBatchDataset: the same; batches that TensorFlow had ready stand in its state. */

static sl_code parallel_batch_next(struct sl_iterator *self, struct sl_value *element, bool *is_end,
                                   struct sl_error *err) {
    struct sl_restored *restored = &((struct batch_iterator *)self)->restored;
    if (restored->at < restored->n) return sl_restored_next(restored, element, self->dataset->n, err);
    return batch_next(self, element, is_end, err);
}

static sl_code parallel_batch_save(const struct sl_iterator *self, struct sl_state *state, struct sl_error *err) {
    SL_TRY(sl_state_put_batches(state, self, &((const struct batch_iterator *)self)->restored, err));
    return sl_state_put_input(state, self, NULL, err);
}

static sl_code parallel_batch_restore(struct sl_iterator *self, const struct sl_state *state, struct sl_error *err) {
    SL_TRY(sl_state_get_batches(&((struct batch_iterator *)self)->restored, state, self, err));
    return sl_state_get_input(state, self, SL_ONLY_INPUT, NULL, err);
}

static void parallel_batch_end(struct sl_iterator *self) {
    sl_restored_clear(&((struct batch_iterator *)self)->restored, self->dataset->n);
    batch_end(self);
}

const struct sl_dataset_kind sl_parallel_batch_data = {.name = "ParallelBatch",
                                                       .opens_input = true,
                                                       .state_bytes = sizeof(struct batch),
                                                       .iterator_bytes = sizeof(struct batch_iterator),
                                                       .init = batch_init,
                                                       .cardinality = batch_cardinality,
                                                       .begin = batch_begin,
                                                       .next = parallel_batch_next,
                                                       .end = parallel_batch_end,
                                                       .element = batch_element,
                                                       .save = parallel_batch_save,
                                                       .restore = parallel_batch_restore};

/* ---- PaddedBatchDatasetV2: batch_size, a shape and a padding for each component, drop_remainder */

static sl_code padded_init(struct sl_dataset *d, struct sl_error *err) {
    const struct sl_dataset *input = d->inputs[0];
    const int n = input->n;
    const bool has_flag = d->n_values == 2 * n + 2;
    if (d->n_values != 2 * n + 1 && !has_flag)
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "PaddedBatchDataset needs a shape and a padding for each of %d "
                       "components",
                       n);
    SL_TRY(read_size(d, 0, has_flag ? 2 * n + 1 : -1, err));
    const struct batch *b = d->state;
    struct sl_shape *shapes = SL_ARENA_ARRAY(&d->arena, struct sl_shape, (size_t)n);
    if (!shapes) return sl_fail_memory(err, (size_t)n * sizeof *shapes);
    for (int i = 0; i < n; i++) {
        const struct sl_view v = sl_value_view(&d->values[1 + i]), p = sl_value_view(&d->values[1 + n + i]);
        if (v.dtype != SL_INT64 || v.rank != 1 || v.count >= SL_MAX_RANK)
            return sl_fail(err, SL_INVALID_ARGUMENT, "All `padded_shapes` must be vectors");
        if (p.rank != 0) return sl_fail(err, SL_INVALID_ARGUMENT, "All padding_values must be scalars");
        if (p.dtype != input->types[i])
            return sl_fail(err, SL_INVALID_ARGUMENT,
                           "Mismatched type between padding value %d and input dataset's component %d: %s vs. %s", i, i,
                           sl_dtype_name(p.dtype), sl_dtype_name(input->types[i]));
        if (input->types[i] == SL_VARIANT) return sl_fail(err, SL_INVALID_ARGUMENT, "Variants cannot be padded");
        int64_t *dims = SL_ARENA_ARRAY(&d->arena, int64_t, (size_t)v.count + 1);
        if (!dims) return sl_fail_memory(err, (size_t)(v.count + 1) * sizeof *dims);
        dims[0] = b->drops ? b->size : -1;
        for (int64_t k = 0; k < v.count; k++) {
            dims[k + 1] = ((const int64_t *)v.data)[k];
            if (dims[k + 1] < -1)
                return sl_fail(err, SL_INVALID_ARGUMENT, "A padded shape has a dimension of %lld",
                               (long long)dims[k + 1]);
        }
        shapes[i] = (struct sl_shape){(int)v.count + 1, dims};
    }
    sl_dataset_set_components(d, n, input->types, shapes);
    return SL_OK;
}

/* The shape that elements of component `c` are padded to, in `dims`. */
static sl_code padded_shape(struct sl_shape *out, int64_t *dims, const struct sl_dataset *d,
                            const struct sl_element_list *list, int c, struct sl_error *err) {
    const struct sl_shape wanted = {d->shapes[c].rank - 1, d->shapes[c].dims + 1};
    for (int k = 0; k < wanted.rank; k++) dims[k] = wanted.dims[k] < 0 ? 0 : wanted.dims[k];
    for (int64_t i = 0; i < list->n; i++) {
        const struct sl_view v = sl_value_view(&sl_element_at(list, i)[c]);
        if (v.rank != wanted.rank)
            return sl_fail(err, SL_INVALID_ARGUMENT,
                           "All elements in a batch must have the same rank as the padded shape for component%d: "
                           "expected rank %d but got element with rank %d",
                           c, wanted.rank, v.rank);
        for (int k = 0; k < wanted.rank; k++) {
            if (wanted.dims[k] < 0) dims[k] = v.dims[k] > dims[k] ? v.dims[k] : dims[k];
            else if (v.dims[k] > wanted.dims[k])
                return sl_fail(err, SL_DATA_LOSS,
                               "Attempted to pad to a smaller size than the input element: %lld in dimension %d of "
                               "component %d, which is padded to %lld",
                               (long long)v.dims[k], k, c, (long long)wanted.dims[k]);
        }
    }
    *out = (struct sl_shape){wanted.rank, dims};
    return SL_OK;
}

static sl_code padded_next(struct sl_iterator *self, struct sl_value *element, bool *is_end, struct sl_error *err) {
    struct sl_rows *rows = &((struct batch_iterator *)self)->rows;
    struct sl_element_list *list = &rows->list;
    const struct sl_dataset *d = self->dataset;
    const struct batch *b = d->state;
    int64_t dims[SL_MAX_RANK];
    struct sl_shape shape;
    sl_code code = sl_iterator_pull_list(self, rows, b->size, is_end, err);
    if (code != SL_OK) return code;
    drop_short(rows, self);
    *is_end = rows->n == 0;
    for (int c = 0; c < d->n && code == SL_OK && !*is_end; c++) {
        code = padded_shape(&shape, dims, d, list, c, err);
        if (code == SL_OK) code = sl_element_stack_padded(&element[c], list, c, shape, &d->values[1 + d->n + c], err);
    }
    sl_rows_drop(rows);
    return code;
}

static sl_code padded_save(const struct sl_iterator *self, struct sl_state *state, struct sl_error *err) {
    return sl_state_put_input(state, self, "exhausted", err);
}
static sl_code padded_restore(struct sl_iterator *self, const struct sl_state *state, struct sl_error *err) {
    return sl_state_get_input(state, self, SL_ONLY_INPUT, "exhausted", err);
}

const struct sl_dataset_kind sl_padded_batch_data = {.name = "PaddedBatch",
                                                     .save = padded_save,
                                                     .restore = padded_restore,
                                                     .init = padded_init,
                                                     .next = padded_next,
                                                     BATCHES};

/* ---- MapAndBatchDataset: other_arguments, batch_size, num_parallel_calls, drop_remainder. An element whose function
 * fails costs its whole batch. */

static sl_code map_and_batch_init(struct sl_dataset *d, struct sl_error *err) {
    const int captured = d->spec->functions[0].n_captured;
    int64_t *calls = &((struct batch *)d->state)->calls;
    if (d->n_values != captured + 3) return sl_fail(err, SL_INVALID_ARGUMENT, "MapAndBatchDataset lacks arguments");
    SL_TRY(read_size(d, captured, captured + 2, err));
    SL_TRY(sl_dataset_int(calls, d, captured + 1, "num_parallel_calls", err));
    if (*calls <= 0 && *calls != -1)
        return sl_fail(err, SL_INVALID_ARGUMENT, "num_parallel_calls must be greater than zero.");
    return sl_dataset_check_function(d, 0, d->inputs[0]->n, d->n, err);
}

static int64_t map_and_batch_cardinality(const struct sl_dataset *d) {
    return d->spec->flag ? batch_cardinality(d) : SL_UNKNOWN_CARDINALITY;
}

static sl_code map_and_batch_begin(struct sl_iterator *self, struct sl_error *err) {
    struct batch_iterator *it = (struct batch_iterator *)self;
    SL_TRY(sl_rows_init(&it->rows, self->dataset->n, err));
    return sl_calls_ahead_new(&it->calls, self, self->dataset->n, ((const struct batch *)self->dataset->state)->calls,
                              err);
}

/* All elements of a batch; those behind one that failed are passed by. */
static sl_code map_batch(struct sl_iterator *self, struct sl_error *err) {
    const struct batch *b = self->dataset->state;
    struct batch_iterator *it = (struct batch_iterator *)self;
    struct sl_element_list *list = &it->rows.list;
    sl_code first = SL_OK;
    for (int64_t i = 0; i < b->size; i++) {
        struct sl_value *room;
        bool is_end;
        int64_t called;
        SL_TRY(sl_iterator_gather(&room, self, list, err));
        sl_code code = sl_calls_ahead_next(it->calls, room, &is_end, &called, first == SL_OK ? err : NULL);
        if (code == SL_OK && is_end) break; /* an end that is an error is one */
        if (code == SL_OK) list->n++;
        else if (first == SL_OK) first = code;
        if (code == SL_CANCELLED) break;
    }
    return first;
}

static sl_code map_and_batch_next(struct sl_iterator *self, struct sl_value *element, bool *is_end,
                                  struct sl_error *err) {
    const struct sl_dataset *d = self->dataset;
    const struct batch *b = d->state;
    struct sl_rows *rows = &((struct batch_iterator *)self)->rows;
    struct sl_element_list *list = &rows->list;
    struct sl_restored *restored = &((struct batch_iterator *)self)->restored;
    if (restored->at < restored->n) return sl_restored_next(restored, element, d->n, err);
    sl_code code = map_batch(self, err);
    if (code == SL_OUT_OF_RANGE && d->spec->flag) code = sl_iterator_refuse_end(err);
    if (code == SL_OUT_OF_RANGE) { /* the function's end of the sequence */
        if (err) sl_error_clear(err);
        code = SL_OK;
    }
    *is_end = code == SL_OK && (list->n == 0 || (b->drops && list->n < b->size));
    for (int c = 0; c < d->n && code == SL_OK && !*is_end; c++) code = sl_element_stack(&element[c], list, c, err);
    sl_rows_drop(rows);
    return code;
}

/* Calls under way are not saved: their elements are made again. */
static sl_code map_and_batch_save(const struct sl_iterator *self, struct sl_state *state, struct sl_error *err) {
    const struct batch_iterator *it = (const struct batch_iterator *)self;
    SL_TRY(sl_state_put_int(state, self, "call_counter", 0, err));
    SL_TRY(sl_calls_ahead_put_parts(it->calls, state, err));
    SL_TRY(sl_state_put_batches(state, self, &it->restored, err));
    return sl_state_put_input(state, self, NULL, err);
}

static sl_code map_and_batch_restore(struct sl_iterator *self, const struct sl_state *state, struct sl_error *err) {
    struct batch_iterator *it = (struct batch_iterator *)self;
    SL_TRY(sl_state_get_batches(&it->restored, state, self, err));
    SL_TRY(sl_state_get_input(state, self, SL_ONLY_INPUT, NULL, err));
    return sl_calls_ahead_get_parts(it->calls, state, err);
}

static void map_and_batch_end(struct sl_iterator *self) {
    sl_restored_clear(&((struct batch_iterator *)self)->restored, self->dataset->n);
    sl_calls_ahead_free(((struct batch_iterator *)self)->calls);
    batch_end(self);
}

const struct sl_dataset_kind sl_map_and_batch_data = {.name = "MapAndBatch",
                                                      .opens_input = true,
                                                      .state_bytes = sizeof(struct batch),
                                                      .iterator_bytes = sizeof(struct batch_iterator),
                                                      .init = map_and_batch_init,
                                                      .cardinality = map_and_batch_cardinality,
                                                      .save = map_and_batch_save,
                                                      .restore = map_and_batch_restore,
                                                      .begin = map_and_batch_begin,
                                                      .next = map_and_batch_next,
                                                      .end = map_and_batch_end};

/* ---- UnbatchDataset: the rows of each element */

struct unbatch_iterator {
    struct sl_iterator base;
    struct sl_value *whole; /* of the input */
    int64_t at, rows;       /* rows 0: `whole` is empty */
};

static sl_code unbatch_init(struct sl_dataset *d, struct sl_error *err) {
    const struct sl_dataset *input = d->inputs[0];
    struct sl_shape *shapes = SL_ARENA_ARRAY(&d->arena, struct sl_shape, (size_t)input->n);
    if (!shapes) return sl_fail_memory(err, (size_t)input->n * sizeof *shapes);
    for (int i = 0; i < input->n; i++) {
        const struct sl_shape s = input->shapes[i];
        if (s.rank == 0) return sl_fail(err, SL_INVALID_ARGUMENT, "Cannot unbatch scalar components.");
        shapes[i] = s.rank < 0 ? s : (struct sl_shape){s.rank - 1, s.dims + 1};
    }
    sl_dataset_set_components(d, input->n, input->types, shapes);
    return SL_OK;
}

/* How many rows all elements have, where a shape tells; -1. */
static int64_t rows_of_elements(const struct sl_dataset *d) {
    const struct sl_dataset *input = d->inputs[0];
    for (int i = 0; i < input->n; i++)
        if (input->shapes[i].rank > 0 && input->shapes[i].dims[0] >= 0) return input->shapes[i].dims[0];
    return -1;
}

static int64_t unbatch_cardinality(const struct sl_dataset *d) {
    const int64_t n = sl_dataset_input_cardinality(d), rows = rows_of_elements(d);
    int64_t all;
    if (n <= 0) return n;
    return rows < 0 || __builtin_mul_overflow(n, rows, &all) ? SL_UNKNOWN_CARDINALITY : all;
}

static sl_code unbatch_element(const struct sl_dataset *d, struct sl_data_walk *walk, int64_t index,
                               struct sl_value *element, struct sl_error *err) {
    const int64_t rows = rows_of_elements(d);
    struct sl_value *whole;
    SL_TRY(sl_element_new(&whole, d->n, err));
    sl_code code = sl_data_walk_element(walk, d->inputs[0], index / rows, whole, err);
    for (int i = 0; i < d->n && code == SL_OK; i++) {
        const struct sl_view v = sl_value_view(&whole[i]);
        if (v.rank == 0 || v.dims[0] != rows)
            code = sl_fail(err, SL_INVALID_ARGUMENT, "An element to unbatch has not the %lld rows of its shape",
                           (long long)rows);
        else code = sl_element_row(&element[i], &whole[i], index % rows, err);
    }
    sl_element_clear(whole, d->n);
    sl_free(whole);
    return code;
}

static sl_code unbatch_begin(struct sl_iterator *self, struct sl_error *err) {
    return sl_element_new(&((struct unbatch_iterator *)self)->whole, self->dataset->n, err);
}

static sl_code open_batch(struct unbatch_iterator *it, bool *is_end, struct sl_error *err) {
    const int n = it->base.dataset->n;
    sl_element_clear(it->whole, n);
    it->at = it->rows = 0;
    SL_TRY(sl_iterator_pull(&it->base, it->whole, is_end, err));
    for (int i = 0; i < n && !*is_end; i++) {
        const struct sl_view v = sl_value_view(&it->whole[i]);
        if (v.rank == 0) return sl_fail(err, SL_INVALID_ARGUMENT, "Cannot unbatch scalar components.");
        if (v.dims[0] != sl_value_view(&it->whole[0]).dims[0])
            return sl_fail(err, SL_INVALID_ARGUMENT,
                           "Input element must have the same batch size in each component. Component 0 had size %lld "
                           "but component %d had size, %lld.",
                           (long long)sl_value_view(&it->whole[0]).dims[0], i, (long long)v.dims[0]);
    }
    if (!*is_end) it->rows = sl_value_view(&it->whole[0]).dims[0];
    return SL_OK;
}

static sl_code unbatch_next(struct sl_iterator *self, struct sl_value *element, bool *is_end, struct sl_error *err) {
    struct unbatch_iterator *it = (struct unbatch_iterator *)self;
    while (it->at == it->rows) {
        SL_TRY(open_batch(it, is_end, err));
        if (*is_end) return SL_OK;
    }
    const int64_t row = it->at++;
    for (int i = 0; i < self->dataset->n; i++) SL_TRY(sl_element_row(&element[i], &it->whole[i], row, err));
    return SL_OK;
}

static sl_code unbatch_save(const struct sl_iterator *self, struct sl_state *state, struct sl_error *err) {
    const struct unbatch_iterator *it = (const struct unbatch_iterator *)self;
    char key[SL_STATE_KEY];
    SL_TRY(sl_state_put_input(state, self, ":input_impl_empty", err));
    SL_TRY(sl_state_put_int(state, self, ":current_index", it->at, err));
    SL_TRY(sl_state_put_int(state, self, ":n", it->rows, err));
    for (int i = 0; i < self->dataset->n && it->at < it->rows; i++)
        SL_TRY(sl_state_put(state, self, sl_state_key(key, ":tensors[%d]", i), &it->whole[i], err));
    return SL_OK;
}

static sl_code unbatch_restore(struct sl_iterator *self, const struct sl_state *state, struct sl_error *err) {
    struct unbatch_iterator *it = (struct unbatch_iterator *)self;
    char key[SL_STATE_KEY];
    SL_TRY(sl_state_get_input(state, self, SL_ONLY_INPUT, ":input_impl_empty", err));
    SL_TRY(sl_state_get_int(&it->at, state, self, ":current_index", err));
    SL_TRY(sl_state_get_int(&it->rows, state, self, ":n", err));
    for (int i = 0; i < self->dataset->n && it->at != it->rows; i++) {
        SL_TRY(sl_state_get(&it->whole[i], state, self, sl_state_key(key, ":tensors[%d]", i), err));
        const struct sl_view v = sl_value_view(&it->whole[i]);
        if (it->at < 0 || it->at > it->rows || v.rank == 0 || v.dims[0] != it->rows)
            return sl_fail(err, SL_INVALID_ARGUMENT, "A saved batch has other rows than its state says");
    }
    return SL_OK;
}

static void unbatch_end(struct sl_iterator *self) {
    struct unbatch_iterator *it = (struct unbatch_iterator *)self;
    if (it->whole) sl_element_clear(it->whole, self->dataset->n);
    sl_free(it->whole);
}

const struct sl_dataset_kind sl_unbatch_data = {.name = "Unbatch",
                                                .opens_input = true,
                                                .iterator_bytes = sizeof(struct unbatch_iterator),
                                                .init = unbatch_init,
                                                .cardinality = unbatch_cardinality,
                                                .element = unbatch_element,
                                                .save = unbatch_save,
                                                .restore = unbatch_restore,
                                                .begin = unbatch_begin,
                                                .next = unbatch_next,
                                                .end = unbatch_end};
