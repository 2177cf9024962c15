/* Sparse tensors rearranged: order, shape, pieces and joins, rows filled in, to dense. Values only move. */
#include <inttypes.h>

#include "backends/cpu/array/move.h"
#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/indices.h"
#include "backends/cpu/scatter/rows.h"
#include "backends/cpu/sparse/coo.h"
#include "base/checked.h"

/* ---- SparseReorder */

static sl_code reorder_run(struct sl_kernel_context *k) {
    struct sl_coo t;
    SL_TRY(sl_coo_of(&t, k, sl_in(k, 0), sl_in(k, 1), sl_in(k, 2)));
    if (sl_coo_is_ordered(&t, NULL, t.rank)) {
        sl_out_forward(k, 0, 0);
        sl_out_forward(k, 1, 1);
        return SL_OK;
    }
    int64_t *order = sl_coo_scratch(t.n);
    if (!order) return sl_fail_memory(k->err, sl_coo_bytes(t.n));
    sl_code code = sl_coo_order(order, &t, NULL, t.rank, k->err);
    if (code == SL_OK) code = sl_coo_out_order(k, 0, &t, order, t.n, NULL);
    sl_scratch_free(order, sl_coo_bytes(t.n));
    return code;
}

/* ---- SparseReshape */

/* Reads a shape vector. At most one dim may be -1 when `unknown` is given; it gets the dim's number, or -1. `*size`:
 * the product of the others. */
static sl_code read_dims(int64_t *dims, int *rank, int64_t *size, int *unknown, struct sl_kernel_context *k, int in,
                         const char *what) {
    struct sl_view v = sl_in(k, in);
    if (v.rank != 1) return sl_invalid(k, "%s should be a vector but received shape %s", what, SHAPE_OF(v));
    if (v.count > SL_MAX_RANK) return sl_invalid(k, "%s has more than %d dimensions", what, SL_MAX_RANK);
    *rank = (int)v.count;
    *size = 1;
    if (unknown) *unknown = -1;
    for (int d = 0; d < *rank; d++) {
        dims[d] = ((const int64_t *)v.data)[d];
        if (dims[d] == -1 && unknown) {
            if (*unknown >= 0)
                return sl_invalid(k, "only one output dimension may be -1, not both %d and %d", *unknown, d);
            *unknown = d;
        } else if (dims[d] < 0) {
            return sl_invalid(k, "size %d of %s must be non-negative, not %" PRId64, d, what, dims[d]);
        } else if (!sl_mul_i64(size, *size, dims[d])) {
            return sl_invalid(k, "%s has more elements than fit in an int64", what);
        }
    }
    return SL_OK;
}

struct reshape {
    int64_t from[SL_MAX_RANK], to[SL_MAX_RANK], from_size, to_size;
    int from_rank, to_rank;
};

static sl_code reshape_dims(struct reshape *r, struct sl_kernel_context *k) {
    int unknown;
    SL_TRY(read_dims(r->from, &r->from_rank, &r->from_size, NULL, k, 1, "Input shape"));
    SL_TRY(read_dims(r->to, &r->to_rank, &r->to_size, &unknown, k, 2, "Target shape"));
    if (unknown >= 0) {
        if (r->to_size == 0)
            return sl_invalid(
                k, "reshape cannot infer the missing input size for an empty tensor unless all specified input "
                   "sizes are non-zero");
        if (r->from_size % r->to_size)
            return sl_invalid(k,
                              "Input to reshape is a SparseTensor with %" PRId64
                              " dense values, but the requested shape requires a multiple of %" PRId64,
                              r->from_size, r->to_size);
        r->to[unknown] = r->from_size / r->to_size;
        r->to_size = r->from_size;
    }
    if (r->to_size == r->from_size) return SL_OK;
    return sl_invalid(k,
                      "Input to reshape is a tensor with %" PRId64
                      " dense values, but the requested shape has %" PRId64,
                      r->from_size, r->to_size);
}

static sl_code reshape_run(struct sl_kernel_context *k) {
    struct sl_view in = sl_in(k, 0), out, shape;
    struct reshape r;
    if (in.rank != 2) return sl_invalid(k, "Input indices should be a matrix but received shape %s", SHAPE_OF(in));
    SL_TRY(reshape_dims(&r, k));
    if (in.dims[1] != r.from_rank) return sl_invalid(k, "Input tensor rank must match input shape length.");
    int64_t n = in.dims[0], rank = r.to_rank, strides[SL_MAX_RANK], to_strides[SL_MAX_RANK];
    if (n && r.from_size == 0)
        return sl_invalid(k, "Input tensor has %" PRId64 " non zero elements but its shape has no elements", n);
    SL_TRY(sl_out_new(&out, k, 0, (struct sl_shape){2, (const int64_t[]){n, rank}}));
    SL_TRY(sl_out_new(&shape, k, 1, (struct sl_shape){1, &rank}));
    if (rank) memcpy(shape.data, r.to, (size_t)rank * sizeof(int64_t));
    sl_strides_of(strides, r.from_rank, r.from);
    sl_strides_of(to_strides, r.to_rank, r.to);
    const int64_t *from = in.data;
    int64_t *to = out.data;
    if (rank == r.from_rank && (!rank || memcmp(r.from, r.to, (size_t)rank * sizeof *r.to) == 0)) {
        if (out.count) memcpy(to, from, (size_t)out.count * sizeof *to); /* as they are, even if they lie outside */
        return SL_OK;
    }
    for (int64_t e = 0; e < n; e++, from += r.from_rank) {
        uint64_t place = 0;
        for (int d = 0; d < r.from_rank; d++) place += (uint64_t)from[d] * (uint64_t)strides[d];
        for (int d = 0; d < r.to_rank; d++) {
            *to++ = (int64_t)place / to_strides[d];
            place = (uint64_t)((int64_t)place % to_strides[d]);
        }
    }
    return SL_OK;
}

/* ---- SparseToDense */

static sl_code to_dense_check(struct sl_kernel_context *k, struct sl_shape *shape, int64_t dims[SL_MAX_RANK]) {
    struct sl_view indices = sl_in(k, 0), values = sl_in(k, 2), fallback = sl_in(k, 3), out_shape = sl_in(k, 1);
    if (indices.rank > 2)
        return sl_invalid(k, "sparse_indices should be a scalar, vector, or matrix, got shape %s", SHAPE_OF(indices));
    int64_t n = indices.rank ? indices.dims[0] : 1, width = indices.rank == 2 ? indices.dims[1] : 1;
    if (out_shape.rank != 1) return sl_invalid(k, "output_shape must be rank 1, got shape %s", SHAPE_OF(out_shape));
    if (out_shape.count != width)
        return sl_invalid(k, "output_shape has incorrect number of elements: %" PRId64 " should be: %" PRId64,
                          out_shape.count, width);
    if (values.rank > 1 || (values.rank == 1 && values.count != n))
        return sl_invalid(k, "sparse_values has incorrect shape %s, should be [] or [%" PRId64 "]", SHAPE_OF(values),
                          n);
    if (fallback.rank) return sl_invalid(k, "default_value should be a scalar.");
    return sl_in_shape(shape, dims, k, 1, "output_shape");
}

static sl_code to_dense_create(void **state, struct sl_kernel_setup *setup) {
    return sl_state_of_bool(state, setup, "validate_indices");
}

/* Checks the entries of `t` and finds their places. */
static sl_code to_dense_places(int64_t *places, struct sl_kernel_context *k, const struct sl_coo *t) {
    int64_t strides[SL_MAX_RANK];
    if (sl_state_number(k)) {
        SL_TRY(sl_coo_check(t, k));
        SL_TRY(sl_coo_check_order(t, k));
    } else if (sl_coo_outside(t) >= 0) {
        char text[SL_SHAPE_TEXT];
        return sl_invalid(k, "Indices are not valid (out of bounds).  Shape: %s",
                          sl_shape_text(text, (struct sl_shape){t->rank, t->dims}));
    }
    sl_strides_of(strides, t->rank, t->dims);
    for (int64_t e = 0; e < t->n; e++) places[e] = sl_coo_place(sl_coo_at(t, e), strides, t->rank);
    return SL_OK;
}

static sl_code to_dense_run(struct sl_kernel_context *k) {
    struct sl_view indices = sl_in(k, 0), values = sl_in(k, 2), out;
    struct sl_shape shape;
    int64_t dims[SL_MAX_RANK];
    SL_TRY(to_dense_check(k, &shape, dims));
    int64_t n = indices.rank ? indices.dims[0] : 1;
    int64_t room = n + indices.count, *places = sl_coo_scratch(room);
    if (!places) return sl_fail_memory(k->err, sl_coo_bytes(room));
    sl_indices_load(places + n, indices, 0, indices.count);
    struct sl_coo t = {.indices = places + n, .dims = dims, .n = n, .rank = shape.rank};
    sl_code code = to_dense_places(places, k, &t);
    if (code == SL_OK) code = sl_out_new(&out, k, 0, shape);
    if (code == SL_OK) code = sl_move_fill(k, out.dtype, out.data, sl_in(k, 3).data, out.count);
    if (code == SL_OK)
        code = sl_rows_put(out.dtype, out.data, values.data, places, n, 1, 1, values.rank ? 1 : 0, k->err);
    sl_scratch_free(places, sl_coo_bytes(room));
    return code;
}

/* ---- SparseFillEmptyRows */

struct filling {
    struct sl_coo t;
    int64_t rows, n; /* dense rows, entries after filling */
    int64_t *next;   /* per row: first the count, then where its next entry goes */
    struct sl_view empty, map;
    bool is_ragged; /* indices are a vector */
};

static sl_code count_rows(struct filling *f, struct sl_kernel_context *k) {
    struct sl_pace pace = sl_pace_of(k);
    for (int64_t r = 0; r < f->rows; r++) {
        if (sl_pace_ends(&pace, 1)) return SL_CANCELLED;
        f->next[r] = 0;
    }
    for (int64_t e = 0; e < f->t.n; e++) {
        int64_t row = sl_coo_at(&f->t, e)[0];
        if (row < 0 || row >= f->rows)
            return sl_invalid(k, "indices(%" PRId64 ", 0) is invalid: %" PRId64 " >= %" PRId64, e, row, f->rows);
        f->next[row]++;
    }
    f->n = 0;
    for (int64_t r = 0; r < f->rows; r++) {
        int64_t count = f->next[r];
        if (sl_pace_ends(&pace, 2)) return SL_CANCELLED;
        ((bool *)f->empty.data)[r] = count == 0;
        f->next[r] = f->n;
        f->n += count ? count : 1;
    }
    return SL_OK;
}

/* Entries keep their order within a row; an empty row gets one entry at its beginning. */
static sl_code fill_rows(struct filling *f, struct sl_kernel_context *k) {
    struct sl_coo_out out;
    struct sl_view fallback = sl_in(k, 3), indices;
    int64_t *map = f->map.data;
    int rank = f->t.rank;
    SL_TRY(
        sl_out_new(&indices, k, 0, (struct sl_shape){f->is_ragged && f->rows ? 1 : 2, (const int64_t[]){f->n, rank}}));
    SL_TRY(sl_out_new(&out.values, k, 1, (struct sl_shape){1, &f->n}));
    out.indices = indices.data;
    struct sl_pace pace = sl_pace_of(k);
    for (int64_t r = 0; r < f->rows; r++) {
        if (sl_pace_ends(&pace, 20)) return SL_CANCELLED;
        if (!((const bool *)f->empty.data)[r]) continue;
        int64_t at = f->next[r];
        memset(out.indices + at * rank, 0, (size_t)rank * sizeof(int64_t));
        out.indices[at * rank] = r;
        SL_TRY(sl_elements_copy(fallback.dtype, sl_element(out.values.data, fallback.dtype, at), fallback.data, 1,
                                k->err));
    }
    for (int64_t e = 0; e < f->t.n; e++) {
        map[e] = f->next[sl_coo_at(&f->t, e)[0]]++;
        memcpy(out.indices + map[e] * rank, sl_coo_at(&f->t, e), (size_t)rank * sizeof(int64_t));
    }
    return sl_rows_put(out.values.dtype, out.values.data, f->t.values.data, map, f->t.n, 1, 1, 1, k->err);
}

static sl_code fill_empty_rows(struct sl_kernel_context *k, struct filling *f) {
    if (sl_in(k, 3).rank) return sl_invalid(k, "default_value must be a scalar, saw: %s", SHAPE_OF(sl_in(k, 3)));
    f->rows = f->t.dims[0];
    if (f->rows == 0 && f->t.n)
        return sl_invalid(k, "Received SparseTensor with dense_shape[0] = 0 but indices.shape[0] = %" PRId64, f->t.n);
    SL_TRY(sl_out_new(&f->empty, k, 2, (struct sl_shape){1, &f->rows}));
    SL_TRY(sl_out_new(&f->map, k, 3, (struct sl_shape){1, &f->t.n}));
    f->next = sl_coo_scratch(f->rows);
    if (!f->next) return sl_fail_memory(k->err, sl_coo_bytes(f->rows));
    sl_code code = count_rows(f, k);
    if (code == SL_OK) code = fill_rows(f, k);
    sl_scratch_free(f->next, sl_coo_bytes(f->rows));
    return code;
}

static sl_code fill_empty_rows_run(struct sl_kernel_context *k) {
    struct filling f = {.is_ragged = false};
    if (sl_in(k, 2).rank == 1 && sl_in(k, 2).count == 0) return sl_invalid(k, "Dense shape cannot be empty.");
    SL_TRY(sl_coo_in(&f.t, k, 0, 1, 2));
    return fill_empty_rows(k, &f);
}

/* The numbers of rows alone, in a vector. */
static sl_code ragged_fill_run(struct sl_kernel_context *k) {
    struct filling f = {.is_ragged = true};
    struct sl_view ids = sl_in(k, 0), values = sl_in(k, 1), rows = sl_in(k, 2);
    if (ids.rank != 1) return sl_invalid(k, "value_rowids must be a vector, saw: %s", SHAPE_OF(ids));
    if (values.rank != 1 || values.count != ids.count)
        return sl_invalid(k, "values must be a vector of as many elements as value_rowids, saw: %s", SHAPE_OF(values));
    if (rows.rank) return sl_invalid(k, "nrows must be a scalar, saw: %s", SHAPE_OF(rows));
    f.t = (struct sl_coo){.indices = ids.data, .dims = rows.data, .values = values, .n = ids.count, .rank = 1};
    if (f.t.dims[0] < 0)
        return sl_invalid(k, "Expected shape dimensions to be non-negative, got %" PRId64, f.t.dims[0]);
    return fill_empty_rows(k, &f);
}

/* The gradient: entries take theirs back by the map, the default value has what is left over. */
static sl_code leftover(struct sl_kernel_context *k, struct sl_view map, struct sl_view grad, struct sl_view sum,
                        int64_t *rows) {
    const int64_t *at = map.data;
    for (int64_t i = 0; i < grad.count; i++) rows[i] = 0;
    for (int64_t e = 0; e < map.count; e++) {
        if (at[e] < 0 || at[e] >= grad.count)
            return sl_invalid(k, "Elements in reverse index must be in [0, %" PRId64 ") but got %" PRId64, grad.count,
                              at[e]);
        rows[at[e]] = -1;
    }
    sl_move_zero(k, sum);
    sl_combine_find(SL_COMBINE_ADD, sum.dtype)(sum.data, grad.data, rows, grad.count, 1, 1, 1);
    return SL_OK;
}

static sl_code fill_empty_rows_grad_run(struct sl_kernel_context *k) {
    struct sl_view map = sl_in(k, 0), grad = sl_in(k, 1), values, sum;
    if (map.rank != 1) return sl_invalid(k, "reverse_index_map must be a vector, saw: %s", SHAPE_OF(map));
    if (grad.rank != 1) return sl_invalid(k, "grad_values must be a vector, saw: %s", SHAPE_OF(grad));
    SL_TRY(sl_out_new(&values, k, 0, sl_view_shape(map)));
    SL_TRY(sl_out_new(&sum, k, 1, SL_SHAPE_SCALAR));
    int64_t *rows = sl_coo_scratch(grad.count);
    if (!rows) return sl_fail_memory(k->err, sl_coo_bytes(grad.count));
    sl_code code = leftover(k, map, grad, sum, rows);
    if (code == SL_OK) code = sl_rows_gather(values.dtype, values.data, grad.data, map.data, map.count, 1, k->err);
    sl_scratch_free(rows, sl_coo_bytes(grad.count));
    return code;
}

/* ---- pieces: the entries that lie in a box, moved so that the box begins at 0 */

/* Gives the box [start, start + size) as these three outputs. `picked`: room for n. */
static sl_code give_box(struct sl_kernel_context *k, const int outputs[3], const struct sl_coo *t, const int64_t *start,
                        const int64_t *size, int64_t *picked) {
    int64_t n = 0;
    for (int64_t e = 0; e < t->n; e++) {
        const int64_t *at = sl_coo_at(t, e);
        bool is_in = true;
        for (int d = 0; d < t->rank; d++) is_in &= at[d] >= start[d] && at[d] - start[d] < size[d];
        if (is_in) picked[n++] = e;
    }
    struct sl_view indices, values, shape;
    int64_t rank = t->rank;
    SL_TRY(sl_out_new(&indices, k, outputs[0], (struct sl_shape){2, (const int64_t[]){n, rank}}));
    SL_TRY(sl_out_new(&values, k, outputs[1], (struct sl_shape){1, &n}));
    SL_TRY(sl_out_new(&shape, k, outputs[2], (struct sl_shape){1, &rank}));
    if (rank) memcpy(shape.data, size, (size_t)rank * sizeof *size);
    int64_t *to = indices.data;
    for (int64_t i = 0; i < n; i++)
        for (int d = 0; d < t->rank; d++) *to++ = sl_coo_at(t, picked[i])[d] - start[d];
    return sl_rows_gather(values.dtype, values.data, t->values.data, picked, n, 1, k->err);
}

static sl_code slice_run(struct sl_kernel_context *k) {
    struct sl_coo t;
    struct sl_view start = sl_in(k, 3), size = sl_in(k, 4);
    int64_t lengths[SL_MAX_RANK];
    SL_TRY(sl_coo_in(&t, k, 0, 1, 2));
    if (start.rank != 1) return sl_invalid(k, "Input start should be a vector but received shape %s", SHAPE_OF(start));
    if (size.rank != 1) return sl_invalid(k, "Input size should be a vector but received shape %s", SHAPE_OF(size));
    if (start.count != t.rank || size.count != t.rank)
        return sl_invalid(k, "Expected start and size to be of the rank %d of the input, got %" PRId64 " and %" PRId64,
                          t.rank, start.count, size.count);
    for (int d = 0; d < t.rank; d++) {
        int64_t from = ((const int64_t *)start.data)[d], length = ((const int64_t *)size.data)[d];
        if (length < 0) return sl_invalid(k, "expected size to be greater than or equal to 0, got %" PRId64, length);
        int64_t rest = 0;
        if (from < t.dims[d] && __builtin_sub_overflow(t.dims[d], from, &rest))
            return sl_invalid(k, "start %" PRId64 " is too far from the shape", from);
        lengths[d] = length < rest ? length : rest;
    }
    int64_t *picked = sl_coo_scratch(t.n);
    if (!picked) return sl_fail_memory(k->err, sl_coo_bytes(t.n));
    sl_code code = give_box(k, (const int[]){0, 1, 2}, &t, start.data, lengths, picked);
    sl_scratch_free(picked, sl_coo_bytes(t.n));
    return code;
}

static sl_code split_run(struct sl_kernel_context *k) {
    struct sl_view dim_in = sl_in(k, 0);
    struct sl_coo t;
    int64_t start[SL_MAX_RANK] = {0}, size[SL_MAX_RANK], pieces = sl_out_count(k) / 3;
    if (dim_in.rank) return sl_invalid(k, "Input split_dim should be a scalar but received shape %s", SHAPE_OF(dim_in));
    SL_TRY(sl_coo_in(&t, k, 1, 2, 3));
    SL_TRY(sl_coo_check(&t, k));
    int64_t dim = ((const int64_t *)dim_in.data)[0];
    if (dim < 0) dim += t.rank;
    if (dim < 0 || dim >= t.rank)
        return sl_invalid(k, "Input split_dim should be between %d and %d, got %" PRId64, -t.rank, t.rank, dim);
    if (pieces > t.dims[dim])
        return sl_invalid(
            k,
            "Input num_split should be less than or equal to the length of the splitting dimension (%" PRId64
            "), got %" PRId64,
            t.dims[dim], pieces);
    memcpy(size, t.dims, (size_t)t.rank * sizeof *size);
    int64_t *picked = sl_coo_scratch(t.n);
    if (!picked) return sl_fail_memory(k->err, sl_coo_bytes(t.n));
    sl_code code = SL_OK;
    for (int p = 0; code == SL_OK && p < (int)pieces; p++) {
        size[dim] = t.dims[dim] / pieces + (p < t.dims[dim] % pieces);
        code = give_box(k, (const int[]){p, (int)pieces + p, 2 * (int)pieces + p}, &t, start, size, picked);
        start[dim] += size[dim];
    }
    sl_scratch_free(picked, sl_coo_bytes(t.n));
    return code;
}

/* The gradient of a slice: entries whose place is among the output's take its gradients in turn, the others zero. */
static sl_code slice_grad_run(struct sl_kernel_context *k) {
    struct sl_view grad = sl_in(k, 0), in = sl_in(k, 1), start = sl_in(k, 2), kept = sl_in(k, 3), out;
    if (in.rank != 2 || kept.rank != 2)
        return sl_invalid(k, "Input and output indices should be matrices but received shapes %s and %s", SHAPE_OF(in),
                          SHAPE_OF(kept));
    if (grad.rank != 1)
        return sl_invalid(k, "Input backprop_val_grad should be a vector but received shape %s", SHAPE_OF(grad));
    if (start.rank != 1) return sl_invalid(k, "Input start should be a vector but received shape %s", SHAPE_OF(start));
    if (in.dims[1] != kept.dims[1] || in.dims[1] != start.count)
        return sl_invalid(k, "The input and output should have the same ndims: got: %" PRId64 " and %" PRId64,
                          in.dims[1], kept.dims[1]);
    if (kept.dims[0] > in.dims[0])
        return sl_invalid(k,
                          "# rows of output_indices should be not greater than of input_indices, got %" PRId64
                          " and %" PRId64,
                          kept.dims[0], in.dims[0]);
    if (grad.count != kept.dims[0])
        return sl_invalid(k,
                          "# elements of backprop_val_grad and rows of output_indices should match, got %" PRId64
                          " and %" PRId64,
                          grad.count, kept.dims[0]);
    int64_t n = in.dims[0], rank = in.dims[1], next = 0;
    SL_TRY(sl_out_new(&out, k, 0, (struct sl_shape){1, &n}));
    int64_t *rows = sl_coo_scratch(n);
    if (!rows) return sl_fail_memory(k->err, sl_coo_bytes(n));
    const int64_t *at = in.data, *origin = start.data, *to = kept.data;
    for (int64_t e = 0; e < n; e++, at += rank) {
        bool is_same = next < grad.count;
        for (int64_t d = 0; d < rank && is_same; d++)
            is_same = (uint64_t)at[d] - (uint64_t)origin[d] == (uint64_t)to[next * rank + d];
        rows[e] = is_same ? next++ : -1;
    }
    sl_code code = next == grad.count ? SL_OK
                                      : sl_fail(k->err, SL_INTERNAL,
                                                "Elements of backprop_val_grad aren't all propagated. "
                                                "Num elements:%" PRId64 ", used: %" PRId64,
                                                grad.count, next);
    if (code == SL_OK) code = sl_rows_gather(out.dtype, out.data, grad.data, rows, n, 1, k->err);
    sl_scratch_free(rows, sl_coo_bytes(n));
    return code;
}

/* ---- SparseConcat: all entries side by side, then put in order */

struct joined {
    int64_t dims[SL_MAX_RANK];
    struct sl_coo all;
    int64_t *indices, *order;
    int dim, parts;
};

static sl_code concat_check(struct joined *j, struct sl_kernel_context *k) {
    struct sl_coo t;
    for (int p = 0; p < j->parts; p++) {
        struct sl_view shape = sl_in(k, 2 * j->parts + p);
        for (int64_t d = 0; d < shape.count; d++)
            if (((const int64_t *)shape.data)[d] < 0)
                return sl_fail(k->err, SL_INTERNAL, "Expected shape dimensions to be non-negative, got %" PRId64,
                               ((const int64_t *)shape.data)[d]);
        SL_TRY(sl_coo_in(&t, k, p, j->parts + p, 2 * j->parts + p));
        if (p == 0) {
            int64_t dim = sl_state_number(k);
            if (dim < 0) dim += t.rank;
            if (dim < 0 || dim >= t.rank)
                return sl_invalid(k, "Concat dimension must be in range [%d, %d), got %" PRId64, -t.rank, t.rank,
                                  sl_state_number(k));
            j->dim = (int)dim;
            j->all = t;
            memcpy(j->dims, t.dims, (size_t)t.rank * sizeof *j->dims);
            continue;
        }
        if (t.rank != j->all.rank)
            return sl_invalid(k, "Ranks of all input tensors must match: expected %d but got %d at position %d",
                              j->all.rank, t.rank, p);
        for (int d = 0; d < t.rank; d++)
            if (d != j->dim && t.dims[d] != j->dims[d])
                return sl_invalid(k,
                                  "Input shapes must match: expected %" PRId64 " for dimension %d but got %" PRId64
                                  " at position %d",
                                  j->dims[d], d, t.dims[d], p);
        if (!sl_add_i64(&j->dims[j->dim], j->dims[j->dim], t.dims[j->dim]))
            return sl_invalid(k, "the joined dimension overflows");
        j->all.n += t.n;
    }
    j->all.dims = j->dims;
    return SL_OK;
}

/* Indices of all parts, moved along the dim. */
static void concat_indices(struct joined *j, struct sl_kernel_context *k) {
    int64_t offset = 0, *to = j->indices;
    int rank = j->all.rank;
    for (int p = 0; p < j->parts; p++) {
        struct sl_view from = sl_in(k, p);
        const int64_t *shape = sl_in(k, 2 * j->parts + p).data;
        if (from.count) memcpy(to, from.data, (size_t)from.count * sizeof *to);
        for (int64_t e = 0; e < from.dims[0]; e++, to += rank)
            to[j->dim] = (int64_t)((uint64_t)to[j->dim] + (uint64_t)offset);
        offset += shape[j->dim];
    }
}

/* Puts each part's values where its entries went: `place` is the inverse of the order. */
static sl_code concat_out(struct joined *j, struct sl_kernel_context *k, int64_t *place) {
    struct sl_coo_out out;
    int rank = j->all.rank;
    SL_TRY(sl_coo_out(&out, k, 0, j->all.n, rank, j->dims));
    for (int64_t i = 0; i < j->all.n; i++) {
        memcpy(out.indices + i * rank, j->indices + j->order[i] * rank, (size_t)rank * sizeof(int64_t));
        place[j->order[i]] = i;
    }
    for (int p = 0; p < j->parts; p++) {
        struct sl_view values = sl_in(k, j->parts + p);
        SL_TRY(sl_rows_put(values.dtype, out.values.data, values.data, place, values.count, 1, 1, 1, k->err));
        place += values.count;
    }
    return SL_OK;
}

static sl_code concat_create(void **state, struct sl_kernel_setup *setup) {
    return sl_state_of_int(state, setup, "concat_dim");
}

static sl_code concat_run(struct sl_kernel_context *k) {
    struct joined j = {.parts = sl_in_count(k) / 3};
    SL_TRY(concat_check(&j, k));
    int64_t n = j.all.n, room;
    if (!sl_mul_i64(&room, n, j.all.rank + 2)) return sl_fail_memory(k->err, SIZE_MAX);
    int64_t *scratch = sl_coo_scratch(room);
    if (!scratch) return sl_fail_memory(k->err, sl_coo_bytes(room));
    j.order = scratch;
    j.indices = scratch + 2 * n;
    concat_indices(&j, k);
    j.all.indices = j.indices;
    sl_code code = sl_coo_order(j.order, &j.all, NULL, j.all.rank, k->err);
    if (code == SL_OK) code = concat_out(&j, k, scratch + n);
    sl_scratch_free(scratch, sl_coo_bytes(room));
    return code;
}

#define ALL          RULE("T", SL_SET_ALL)
#define NUMBERS      RULE("T", SL_SET_NUMBERS)
#define COST(op_run) .run = op_run, .cost_ns = 200, .cost_element = 3
/* clang-format off */
const struct sl_kernel_def sl_cpu_sparse_rows[] = {
    KERNEL("SparseReorder", ALL, COST(reorder_run))
    KERNEL("SparseReshape", NO_RULE, COST(reshape_run))
    KERNEL("SparseToDense", ALL RULE("Tindices", SL_SET(INT32) | SL_SET(INT64)), COST(to_dense_run), .create = to_dense_create)
    KERNEL("SparseFillEmptyRows", ALL, COST(fill_empty_rows_run))
    KERNEL("SparseFillEmptyRowsGrad", NUMBERS, COST(fill_empty_rows_grad_run))
    KERNEL("RaggedFillEmptyRows", ALL, COST(ragged_fill_run))
    KERNEL("RaggedFillEmptyRowsGrad", NUMBERS, COST(fill_empty_rows_grad_run))
    KERNEL("SparseSlice", ALL, COST(slice_run))
    KERNEL("SparseSliceGrad", NUMBERS, COST(slice_grad_run))
    KERNEL("SparseSplit", ALL, COST(split_run))
    KERNEL("SparseConcat", ALL, COST(concat_run), .create = concat_create)
    SL_ROWS_END
};
/* clang-format on */
