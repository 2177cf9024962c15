/* Datasets of sparse tensors: rows of one as three components, indices, values and dense shape; batches of dense ones
 * as a variant vector of these three. */
#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "data/element.h"
#include "data/iterator.h"
#include "data/kinds.h"
#include "data/state.h"
#include "kernel/slices.h"
#include "tensor/boxed_tensor.h"

enum { INDICES, VALUES, DENSE_SHAPE, PARTS };

static sl_code set_parts(struct sl_dataset *d, int type, int64_t rank, struct sl_error *err) {
    uint8_t *types = sl_arena_alloc(&d->arena, PARTS);
    struct sl_shape *shapes = SL_ARENA_ARRAY(&d->arena, struct sl_shape, PARTS);
    int64_t *dims = SL_ARENA_ARRAY(&d->arena, int64_t, 4);
    if (!types || !shapes || !dims) return sl_fail_memory(err, PARTS * sizeof *shapes);
    types[INDICES] = types[DENSE_SHAPE] = SL_INT64;
    types[VALUES] = (uint8_t)type;
    dims[0] = dims[2] = -1;
    dims[1] = dims[3] = rank;
    shapes[INDICES] = (struct sl_shape){2, dims};
    shapes[VALUES] = (struct sl_shape){1, dims + 2};
    shapes[DENSE_SHAPE] = (struct sl_shape){1, dims + 3};
    sl_dataset_set_components(d, PARTS, types, shapes);
    return SL_OK;
}

/* ---- SparseTensorSliceDataset: indices, values, dense_shape; the rows of a sparse tensor */

struct sparse_slices {
    const int64_t *indices, *shape;
    int64_t n, rank, rows;
};
struct sparse_slice_iterator {
    struct sl_iterator base;
    int64_t row, at; /* at: the row's first index */
};

static sl_code sparse_init(struct sl_dataset *d, struct sl_error *err) {
    struct sparse_slices *s = d->state;
    const struct sl_view indices = sl_value_on_host(&d->values[INDICES]);
    const struct sl_view values = sl_value_on_host(&d->values[VALUES]);
    const struct sl_view shape = sl_value_on_host(&d->values[DENSE_SHAPE]);
    if (indices.rank != 2 || indices.dtype != SL_INT64)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Input indices must be a matrix.");
    if (values.rank != 1) return sl_fail(err, SL_INVALID_ARGUMENT, "Input values must be a vector.");
    if (shape.rank != 1 || shape.dtype != SL_INT64)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Input shape must be a vector.");
    if (values.count != indices.dims[0])
        return sl_fail(err, SL_INVALID_ARGUMENT, "Number of values must match first dimension of indices.");
    if (shape.count != indices.dims[1] || shape.count == 0)
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "Number of dimensions must match second dimension of indices, and be greater than zero.");
    *s = (struct sparse_slices){indices.data, shape.data, values.count, shape.count, *(const int64_t *)shape.data};
    int64_t before = 0;
    for (int64_t i = 0; i < s->n; i++) {
        const int64_t row = s->indices[i * s->rank];
        for (int64_t k = 0; k < s->rank; k++)
            if (s->indices[i * s->rank + k] < 0 || s->indices[i * s->rank + k] >= s->shape[k])
                return sl_fail(err, SL_INVALID_ARGUMENT, "Index %" PRId64 " is outside of the dense shape", i);
        if (row < before)
            return sl_fail(err, SL_UNIMPLEMENTED,
                           "The SparseTensor must be ordered in the batch dimension; handling arbitrarily ordered "
                           "input is not currently supported.");
        before = row;
    }
    return set_parts(d, d->values[VALUES].dtype, s->rank - 1, err);
}

static int64_t sparse_cardinality(const struct sl_dataset *d) {
    const int64_t rows = ((const struct sparse_slices *)d->state)->rows;
    return rows > 0 ? rows : 0;
}

/* `n` indices from `first` on, without the row, their values, and the shape of a row. */
static sl_code give_slice(struct sl_value *element, const struct sl_dataset *d, int64_t first, int64_t n,
                          struct sl_error *err) {
    const struct sparse_slices *s = d->state;
    const int64_t width = s->rank - 1, dims[] = {n, width};
    SL_TRY(sl_value_new(&element[INDICES], SL_INT64, (struct sl_shape){2, dims}, err));
    int64_t *to = sl_value_view(&element[INDICES]).data;
    for (int64_t i = 0; i < n && width; i++)
        memcpy(to + i * width, s->indices + (first + i) * s->rank + 1, (size_t)width * sizeof *to);
    SL_TRY(sl_slice_take(&element[VALUES], d->values[VALUES].tensor, first, (struct sl_shape){1, dims}, err));
    SL_TRY(sl_value_new(&element[DENSE_SHAPE], SL_INT64, (struct sl_shape){1, dims + 1}, err));
    if (width) memcpy(sl_value_view(&element[DENSE_SHAPE]).data, s->shape + 1, (size_t)width * sizeof *to);
    return SL_OK;
}

static sl_code sparse_next(struct sl_iterator *self, struct sl_value *element, bool *is_end, struct sl_error *err) {
    struct sparse_slice_iterator *it = (struct sparse_slice_iterator *)self;
    const struct sparse_slices *s = self->dataset->state;
    *is_end = it->row >= s->rows;
    if (*is_end) return SL_OK;
    const int64_t first = it->at;
    while (it->at < s->n && s->indices[it->at * s->rank] == it->row) it->at++;
    it->row++;
    return give_slice(element, self->dataset, first, it->at - first, err);
}

static sl_code sparse_save(const struct sl_iterator *self, struct sl_state *state, struct sl_error *err) {
    const struct sparse_slice_iterator *it = (const struct sparse_slice_iterator *)self;
    const struct sparse_slices *s = self->dataset->state;
    SL_TRY(sl_state_put_int(state, self, ":i", it->row, err));
    SL_TRY(sl_state_put_int(state, self, ":iter_loc", it->at, err));
    const int64_t next = it->at < s->n ? s->indices[it->at * s->rank] : -1;
    return sl_state_put_int(state, self, ":next_non_empty_i_", next, err);
}

static sl_code sparse_restore(struct sl_iterator *self, const struct sl_state *state, struct sl_error *err) {
    struct sparse_slice_iterator *it = (struct sparse_slice_iterator *)self;
    const struct sparse_slices *s = self->dataset->state;
    SL_TRY(sl_state_get_int(&it->row, state, self, ":i", err));
    if (it->row < 0) return sl_fail(err, SL_INVALID_ARGUMENT, "The saved state is at row %" PRId64, it->row);
    for (it->at = 0; it->at < s->n && s->indices[it->at * s->rank] < it->row;) it->at++;
    return SL_OK;
}

const struct sl_dataset_kind sl_sparse_slice_data = {.name = "SparseTensorSlice",
                                                     .state_bytes = sizeof(struct sparse_slices),
                                                     .iterator_bytes = sizeof(struct sparse_slice_iterator),
                                                     .init = sparse_init,
                                                     .cardinality = sparse_cardinality,
                                                     .next = sparse_next,
                                                     .save = sparse_save,
                                                     .restore = sparse_restore};

/* ---- DenseToSparseBatchDataset: batch_size, row_shape; -1 in that is as long as the longest */

struct sparse_batch {
    int64_t size, rank;
    const int64_t *row;
};
struct sparse_batch_iterator {
    struct sl_iterator base;
    struct sl_element_list batch;
};

static sl_code sparse_batch_init(struct sl_dataset *d, struct sl_error *err) {
    struct sparse_batch *s = d->state;
    SL_TRY(sl_dataset_int(&s->size, d, 0, "batch_size", err));
    if (s->size <= 0) return sl_fail(err, SL_INVALID_ARGUMENT, "Batch size must be greater than zero.");
    const struct sl_view v = sl_value_on_host(&d->values[1]);
    if (v.dtype != SL_INT64 || v.rank != 1) return sl_fail(err, SL_INVALID_ARGUMENT, "row_shape must be a vector.");
    for (int64_t i = 0; i < v.count; i++)
        if (((const int64_t *)v.data)[i] < -1)
            return sl_fail(err, SL_INVALID_ARGUMENT, "Dimension %" PRId64 " of row_shape must be >= -1", i);
    if (d->inputs[0]->n != 1)
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "DenseToSparseBatchDataset only supports inputs with a single "
                       "component.");
    s->row = v.data;
    s->rank = v.count;
    static const uint8_t packed_type[] = {SL_VARIANT};
    static const int64_t packed_dims[] = {PARTS};
    static const struct sl_shape packed_shape[] = {{1, packed_dims}};
    sl_dataset_set_components(d, 1, packed_type, packed_shape);
    return SL_OK;
}

static int64_t sparse_batch_cardinality(const struct sl_dataset *d) {
    const int64_t n = sl_dataset_input_cardinality(d), size = ((const struct sparse_batch *)d->state)->size;
    return n <= 0 ? n : (n - 1) / size + 1;
}

static sl_code sparse_batch_begin(struct sl_iterator *self, struct sl_error *err) {
    (void)err;
    ((struct sparse_batch_iterator *)self)->batch.width = 1;
    return SL_OK;
}
static void sparse_batch_end(struct sl_iterator *self) {
    sl_element_list_clear(&((struct sparse_batch_iterator *)self)->batch);
}

/* The shape of the batch, by its longest elements; `*total` is how many values it has. */
static sl_code measure(int64_t *dims, int64_t *total, const struct sparse_batch_iterator *it, struct sl_error *err) {
    const struct sparse_batch *s = it->base.dataset->state;
    dims[0] = it->batch.n;
    for (int64_t k = 0; k < s->rank; k++) dims[k + 1] = s->row[k] < 0 ? 0 : s->row[k];
    *total = 0;
    for (int64_t i = 0; i < it->batch.n; i++) {
        const struct sl_view v = sl_value_view(sl_element_at(&it->batch, i));
        if (v.rank != s->rank)
            return sl_fail(err, SL_INVALID_ARGUMENT,
                           "Input element had shape of rank %d that is incompatible with the row shape of rank %" PRId64
                           ".",
                           v.rank, s->rank);
        *total += v.count;
        for (int k = 0; k < v.rank; k++) {
            if (s->row[k] >= 0 && v.dims[k] > s->row[k])
                return sl_fail(err, SL_DATA_LOSS,
                               "Input element is larger in dimension %d than the row shape: %" PRId64 " > %" PRId64, k,
                               v.dims[k], s->row[k]);
            if (v.dims[k] > dims[k + 1]) dims[k + 1] = v.dims[k];
        }
    }
    return SL_OK;
}

/* The coordinates of every value of an element, in order. */
static int64_t *put_indices(int64_t *to, struct sl_view v, int64_t row) {
    int64_t at[SL_MAX_RANK] = {0};
    for (int64_t i = 0; i < v.count; i++) {
        *to++ = row;
        for (int k = 0; k < v.rank; k++) *to++ = at[k];
        for (int k = v.rank - 1; k >= 0 && ++at[k] == v.dims[k]; k--) at[k] = 0;
    }
    return to;
}

static sl_code fill_parts(struct sl_value *element, const struct sparse_batch_iterator *it, struct sl_error *err) {
    const struct sparse_batch *s = it->base.dataset->state;
    int64_t dims[SL_MAX_RANK + 1], total;
    if (s->rank >= SL_MAX_RANK) return sl_fail(err, SL_INVALID_ARGUMENT, "row_shape is of rank %" PRId64, s->rank);
    SL_TRY(measure(dims, &total, it, err));
    const int64_t extent[] = {total, s->rank + 1};
    SL_TRY(sl_value_new(&element[INDICES], SL_INT64, (struct sl_shape){2, extent}, err));
    SL_TRY(sl_value_new(&element[VALUES], it->base.dataset->inputs[0]->types[0], (struct sl_shape){1, extent}, err));
    SL_TRY(sl_value_new(&element[DENSE_SHAPE], SL_INT64, (struct sl_shape){1, extent + 1}, err));
    memcpy(sl_value_view(&element[DENSE_SHAPE]).data, dims, (size_t)(s->rank + 1) * sizeof *dims);
    int64_t *to = sl_value_view(&element[INDICES]).data;
    const struct sl_view values = sl_value_view(&element[VALUES]);
    for (int64_t i = 0, at = 0; i < it->batch.n; i++) {
        const struct sl_view v = sl_value_view(sl_element_at(&it->batch, i));
        if (v.dtype != values.dtype)
            return sl_fail(err, SL_INVALID_ARGUMENT, "An element is %s where %s was declared", sl_dtype_name(v.dtype),
                           sl_dtype_name(values.dtype));
        to = put_indices(to, v, i);
        SL_TRY(sl_slice_put(values, at, v, err));
        at += v.count;
    }
    return SL_OK;
}

static sl_code give_batch(struct sl_value *element, const struct sparse_batch_iterator *it, struct sl_error *err) {
    const int64_t n = PARTS;
    struct sl_value parts[PARTS] = {{.kind = SL_VALUE_NONE}, {.kind = SL_VALUE_NONE}, {.kind = SL_VALUE_NONE}};
    sl_code code = fill_parts(parts, it, err);
    if (code == SL_OK) code = sl_value_new(&element[0], SL_VARIANT, (struct sl_shape){1, &n}, err);
    for (int i = 0; i < PARTS && code == SL_OK; i++)
        code = sl_boxed_tensor_new((struct sl_object **)sl_value_view(&element[0]).data + i, parts[i].tensor, err);
    sl_element_clear(parts, PARTS);
    return code;
}

static sl_code sparse_batch_next(struct sl_iterator *self, struct sl_value *element, bool *is_end,
                                 struct sl_error *err) {
    struct sparse_batch_iterator *it = (struct sparse_batch_iterator *)self;
    const struct sparse_batch *s = self->dataset->state;
    sl_code code = SL_OK;
    for (bool is_over = false; it->batch.n < s->size && !is_over && code == SL_OK;) {
        struct sl_value *room;
        code = sl_iterator_gather(&room, self, &it->batch, err);
        if (code == SL_OK) code = sl_iterator_pull(self, room, &is_over, err);
        if (code == SL_OK && !is_over) it->batch.n++;
    }
    *is_end = code == SL_OK && it->batch.n == 0;
    if (code == SL_OK && !*is_end) code = give_batch(element, it, err);
    sl_element_list_clear(&it->batch);
    return code;
}

const struct sl_dataset_kind sl_sparse_batch_data = {.name = "DenseToSparseBatch",
                                                     .opens_input = true,
                                                     .state_bytes = sizeof(struct sparse_batch),
                                                     .iterator_bytes = sizeof(struct sparse_batch_iterator),
                                                     .init = sparse_batch_init,
                                                     .cardinality = sparse_batch_cardinality,
                                                     .begin = sparse_batch_begin,
                                                     .next = sparse_batch_next,
                                                     .end = sparse_batch_end};
