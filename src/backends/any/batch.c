/* Rows of batches. Called by the kernels of queues and barriers. */
#include "backends/any/batch.h"

#include "base/checked.h"
#include "kernel/slices.h"

sl_code sl_batch_row(struct sl_value *out, struct sl_tensor *batch, int64_t i, struct sl_error *err) {
    struct sl_shape row = {batch->rank - 1, batch->dims + 1};
    int64_t count = batch->count / batch->dims[0];
    return sl_slice_take(out, batch, i * count, row, err);
}

/* The dims of the whole: the rows' number, then for each dim what is known or the largest. */
static struct sl_shape join_shapes(int64_t dims[SL_MAX_RANK + 1], struct sl_shape row, const struct sl_value *values,
                                   int64_t stride, int64_t n) {
    dims[0] = n;
    for (int d = 0; d < row.rank; d++) {
        dims[d + 1] = row.dims[d] >= 0 ? row.dims[d] : 0;
        for (int64_t i = 0; row.dims[d] < 0 && i < n; i++) {
            int64_t dim = sl_value_view(&values[i * stride]).dims[d];
            if (dim > dims[d + 1]) dims[d + 1] = dim;
        }
    }
    return (struct sl_shape){row.rank + 1, dims};
}

/* Copies `from` to the corner of a block with the same rank and dims `dims`, at `to` of the whole. */
static sl_code put_corner(struct sl_view whole, int64_t to, const int64_t *dims, struct sl_view from,
                          struct sl_error *err) {
    int64_t at[SL_MAX_RANK] = {0}, length = from.dims[from.rank - 1];
    size_t size = sl_dtype_size(whole.dtype);
    if (from.count == 0) return SL_OK;
    for (const char *source = from.data;; source += (size_t)length * size) {
        int64_t position = 0;
        for (int d = 0; d < from.rank; d++) position = position * dims[d] + at[d];
        SL_TRY(sl_elements_copy(whole.dtype, (char *)whole.data + (size_t)(to + position) * size, source, length, err));
        int d = from.rank - 2;
        while (d >= 0 && ++at[d] == from.dims[d]) at[d--] = 0;
        if (d < 0) return SL_OK;
    }
}

sl_code sl_batch_join(struct sl_value *out, int dtype, struct sl_shape row, const struct sl_value *values,
                      int64_t stride, int64_t n, struct sl_error *err) {
    int64_t dims[SL_MAX_RANK + 1], count;
    struct sl_value whole = {0};
    struct sl_shape shape = join_shapes(dims, row, values, stride, n);
    SL_TRY(sl_shape_count(&count, shape, err));
    SL_TRY(sl_value_zero(&whole, dtype, shape, err));
    struct sl_view view = sl_value_view(&whole);
    sl_code code = SL_OK;
    for (int64_t i = 0; i < n && code == SL_OK; i++) {
        struct sl_view v = sl_value_view(&values[i * stride]);
        if (v.count == count / n) code = sl_slice_put(view, i * v.count, v, err);
        else code = put_corner(view, i * (count / n), dims + 1, v, err);
    }
    if (code == SL_OK) *out = whole;
    else sl_value_clear(&whole);
    return code;
}
