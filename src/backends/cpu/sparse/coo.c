/* Checking, ordering and making sparse tensors; see coo.h. */
#include "backends/cpu/sparse/coo.h"

#include <inttypes.h>
#include <stdio.h>

#include "backends/cpu/array/move.h"
#include "backends/cpu/indices.h"
#include "backends/cpu/scatter/rows.h"

/* ---- reading and checking */

static sl_code check_form(struct sl_kernel_context *k, struct sl_view indices, struct sl_view values,
                          struct sl_view shape) {
    if (indices.rank != 2)
        return sl_invalid(k, "Input indices should be a matrix but received shape %s", SHAPE_OF(indices));
    if (values.rank >= 0 && values.rank != 1)
        return sl_invalid(k, "Input values should be a vector but received shape %s", SHAPE_OF(values));
    if (shape.rank != 1) return sl_invalid(k, "Input shape should be a vector but received shape %s", SHAPE_OF(shape));
    if (values.rank >= 0 && values.count != indices.dims[0])
        return sl_invalid(k,
                          "Number of values must match first dimension of indices. Got %" PRId64
                          " values, indices shape: %s",
                          values.count, SHAPE_OF(indices));
    if (shape.count != indices.dims[1])
        return sl_invalid(k,
                          "Number of dimensions must match second dimension of indices. Got %" PRId64
                          " dimensions, indices shape: %s",
                          shape.count, SHAPE_OF(indices));
    return SL_OK;
}

sl_code sl_coo_of(struct sl_coo *t, struct sl_kernel_context *k, struct sl_view indices, struct sl_view values,
                  struct sl_view shape) {
    SL_TRY(check_form(k, indices, values, shape));
    if (shape.count > SL_MAX_RANK) return sl_invalid(k, "Shape has more than %d dimensions", SL_MAX_RANK);
    *t = (struct sl_coo){
        .indices = indices.data, .dims = shape.data, .values = values, .n = indices.dims[0], .rank = (int)shape.count};
    return SL_OK;
}

sl_code sl_coo_in(struct sl_coo *t, struct sl_kernel_context *k, int indices, int values, int shape) {
    struct sl_view none = {.rank = -1};
    int64_t count;
    SL_TRY(sl_coo_of(t, k, sl_in(k, indices), values < 0 ? none : sl_in(k, values), sl_in(k, shape)));
    return sl_shape_count(&count, (struct sl_shape){t->rank, t->dims}, k->err);
}

/* "indices[3] = [0,7] is ...". */
static sl_code fail_at(const struct sl_coo *t, struct sl_kernel_context *k, const int64_t *at, int64_t entry,
                       const char *what) {
    char text[SL_SHAPE_TEXT] = "[";
    size_t n = 1;
    for (int d = 0; d < t->rank && n < sizeof text - 24; d++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%" PRId64, d ? "," : "", at[d]);
    return sl_invalid(k, "indices[%" PRId64 "] = %s] %s", entry, text, what);
}
static sl_code fail_bounds(const struct sl_coo *t, struct sl_kernel_context *k, const int64_t *at, int64_t entry) {
    char dims[SL_SHAPE_TEXT], text[SL_SHAPE_TEXT + 64];
    (void)snprintf(text, sizeof text, "is out of bounds: need 0 <= index < %s",
                   sl_shape_text(dims, (struct sl_shape){t->rank, t->dims}));
    return fail_at(t, k, at, entry, text);
}

int64_t sl_coo_outside(const struct sl_coo *t) {
    for (int64_t e = 0; e < t->n; e++) {
        const int64_t *at = sl_coo_at(t, e);
        bool is_bad = false;
        for (int d = 0; d < t->rank; d++) is_bad |= (uint64_t)at[d] >= (uint64_t)t->dims[d];
        if (is_bad) return e;
    }
    return -1;
}

sl_code sl_coo_check(const struct sl_coo *t, struct sl_kernel_context *k) {
    int64_t e = sl_coo_outside(t);
    return e < 0 ? SL_OK : fail_bounds(t, k, sl_coo_at(t, e), e);
}

static const char *const out_of_order = "is out of order. Many sparse ops require sorted indices.\n"
                                        "    Use `tf.sparse.reorder` to create a correctly ordered copy.\n\n";

sl_code sl_coo_check_order(const struct sl_coo *t, struct sl_kernel_context *k) {
    for (int64_t e = 1; e < t->n; e++) {
        int c = sl_coo_compare(sl_coo_at(t, e - 1), sl_coo_at(t, e), NULL, t->rank);
        if (c >= 0) return fail_at(t, k, sl_coo_at(t, e), e, c ? out_of_order : "is repeated");
    }
    return SL_OK;
}

sl_code sl_coo_places(int64_t *places, struct sl_kernel_context *k, struct sl_view indices, struct sl_shape shape) {
    int64_t strides[SL_MAX_RANK], at[SL_MAX_RANK], n = indices.rank ? indices.dims[0] : 1;
    sl_strides_of(strides, shape.rank, shape.dims);
    for (int64_t e = 0; e < n; e++) {
        if (shape.rank) sl_indices_load(at, indices, e * shape.rank, shape.rank);
        bool is_bad = false;
        for (int d = 0; d < shape.rank; d++) is_bad |= (uint64_t)at[d] >= (uint64_t)shape.dims[d];
        struct sl_coo one = {.indices = at, .dims = shape.dims, .n = 1, .rank = shape.rank};
        if (is_bad) return fail_bounds(&one, k, at, e);
        places[e] = sl_coo_place(at, strides, shape.rank);
    }
    return SL_OK;
}

/* ---- order */

bool sl_coo_is_ordered(const struct sl_coo *t, const int *by, int n_by) {
    for (int64_t e = 1; e < t->n; e++)
        if (sl_coo_compare(sl_coo_at(t, e - 1), sl_coo_at(t, e), by, n_by) > 0) return false;
    return true;
}

/* Merges the runs from[begin, middle) and from[middle, end) into `to`. */
static void merge(int64_t *to, const int64_t *from, int64_t begin, int64_t middle, int64_t end, const struct sl_coo *t,
                  const int *by, int n_by) {
    int64_t a = begin, b = middle;
    for (int64_t i = begin; i < end; i++) {
        bool takes_b =
            a == middle || (b < end && sl_coo_compare(sl_coo_at(t, from[b]), sl_coo_at(t, from[a]), by, n_by) < 0);
        to[i] = from[takes_b ? b++ : a++];
    }
}

sl_code sl_coo_order(int64_t *order, const struct sl_coo *t, const int *by, int n_by, struct sl_error *err) {
    for (int64_t e = 0; e < t->n; e++) order[e] = e;
    if (sl_coo_is_ordered(t, by, n_by)) return SL_OK;
    int64_t *other = sl_coo_scratch(t->n), *from = order, *to = other;
    if (!other) return sl_fail_memory(err, sl_coo_bytes(t->n));
    for (int64_t width = 1; width < t->n; width *= 2) {
        for (int64_t begin = 0; begin < t->n; begin += 2 * width) {
            int64_t middle = begin + width < t->n ? begin + width : t->n;
            merge(to, from, begin, middle, middle + width < t->n ? middle + width : t->n, t, by, n_by);
        }
        int64_t *swapped = from;
        from = to;
        to = swapped;
    }
    if (from != order) memcpy(order, from, sl_coo_bytes(t->n));
    sl_scratch_free(other, sl_coo_bytes(t->n));
    return SL_OK;
}

int64_t sl_coo_group(const struct sl_coo *t, const int64_t *order, int64_t begin, const int *by, int n_by) {
    const int64_t *first = sl_coo_at(t, order ? order[begin] : begin);
    int64_t end = begin + 1;
    while (end < t->n && sl_coo_compare(first, sl_coo_at(t, order ? order[end] : end), by, n_by) == 0) end++;
    return end;
}

/* ---- results */

sl_code sl_coo_out(struct sl_coo_out *out, struct sl_kernel_context *k, int o, int64_t n, int rank,
                   const int64_t *dims) {
    int64_t matrix[2] = {n, rank};
    struct sl_view indices, shape;
    SL_TRY(sl_out_new(&indices, k, o, (struct sl_shape){2, matrix}));
    SL_TRY(sl_out_new(&out->values, k, o + 1, (struct sl_shape){1, matrix}));
    out->indices = indices.data;
    if (!dims) return SL_OK;
    SL_TRY(sl_out_new(&shape, k, o + 2, (struct sl_shape){1, matrix + 1}));
    if (rank) memcpy(shape.data, dims, (size_t)rank * sizeof *dims);
    return SL_OK;
}

sl_code sl_coo_out_order(struct sl_kernel_context *k, int o, const struct sl_coo *t, const int64_t *order, int64_t n,
                         const int64_t *dims) {
    struct sl_coo_out out;
    SL_TRY(sl_coo_out(&out, k, o, n, t->rank, dims));
    for (int64_t i = 0; i < n && t->rank; i++)
        memcpy(out.indices + i * t->rank, sl_coo_at(t, order[i]), (size_t)t->rank * sizeof(int64_t));
    return sl_rows_gather(out.values.dtype, out.values.data, t->values.data, order, n, 1, k->err);
}
