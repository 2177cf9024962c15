/* Kernels that gather rows, scatter them into new tensors, stitch and part tensors. The engine is scatter.c. */
#include <inttypes.h>
#include <string.h>

#include "backends/cpu/array/move.h"
#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/indices.h"
#include "backends/cpu/scatter/scatter.h"

/* ---- Gather */

sl_code sl_gather_output(struct sl_kernel_context *k, struct sl_view params, struct sl_view indices, int64_t axis,
                         int64_t batch_dims) {
    struct sl_view y;
    int64_t dims[2 * SL_MAX_RANK];
    if (params.rank < 1) return sl_invalid(k, "params must be at least 1 dimensional");
    if (axis < -params.rank || axis >= params.rank)
        return sl_invalid(k, "Expected axis in the range [%d, %d), but got %" PRId64, -params.rank, params.rank, axis);
    if (axis < 0) axis += params.rank;
    if (batch_dims < -indices.rank || batch_dims > indices.rank)
        return sl_invalid(k, "Expected batch_dims in the range [%d, %d], but got %" PRId64, -indices.rank, indices.rank,
                          batch_dims);
    if (batch_dims < 0) batch_dims += indices.rank;
    if (batch_dims > params.rank)
        return sl_invalid(k, "batch_dims (%" PRId64 ") must be less than rank(params) (%d).", batch_dims, params.rank);
    if (axis < batch_dims)
        return sl_invalid(k, "batch_dims (%" PRId64 ") must be less than or equal to axis (%" PRId64 ").", batch_dims,
                          axis);
    for (int i = 0; i < batch_dims; i++)
        if (params.dims[i] != indices.dims[i])
            return sl_invalid(k, "params.shape[%d]: %" PRId64 " should be equal to indices.shape[%d]: %" PRId64, i,
                              params.dims[i], i, indices.dims[i]);
    int rank = 0;
    for (int i = 0; i < axis; i++) dims[rank++] = params.dims[i];
    for (int64_t i = batch_dims; i < indices.rank; i++) dims[rank++] = indices.dims[i];
    for (int64_t i = axis + 1; i < params.rank; i++) dims[rank++] = params.dims[i];
    if (rank > SL_MAX_RANK) return sl_invalid(k, "too many dimensions: %d", rank);
    SL_TRY(sl_out_new(&y, k, 0, (struct sl_shape){rank, dims}));
    return sl_gather_slices(k, y, params, indices, (int)axis, (int)batch_dims);
}

static sl_code gather_run(struct sl_kernel_context *k) { return sl_gather_output(k, sl_in(k, 0), sl_in(k, 1), 0, 0); }
static sl_code gather_v2_run(struct sl_kernel_context *k) {
    struct sl_view axis = sl_in(k, 2);
    if (axis.rank) return sl_invalid(k, "axis must be scalar");
    return sl_gather_output(k, sl_in(k, 0), sl_in(k, 1), sl_index_at(axis, 0), sl_state_number(k));
}
static sl_code gather_v2_create(void **state, struct sl_kernel_setup *setup) {
    return sl_state_of_int(state, setup, "batch_dims");
}

static sl_code policy_create(void **state, struct sl_kernel_setup *setup) {
    bool ignores;
    SL_TRY(sl_bad_indices_policy(&ignores, setup));
    *state = (void *)(intptr_t)ignores;
    return SL_OK;
}

sl_code sl_gather_nd_output(struct sl_kernel_context *k, struct sl_view params, struct sl_view indices,
                            bool ignores_bad) {
    struct sl_view y;
    int64_t dims[2 * SL_MAX_RANK];
    if (params.rank < 1) return sl_invalid(k, "params must be at least a vector");
    if (indices.rank < 1) return sl_invalid(k, "indices must be at least a vector");
    int64_t depth = indices.dims[indices.rank - 1];
    if (depth > params.rank)
        return sl_invalid(k, "index innermost dimension length must be <= params rank; saw: %" PRId64 " vs. %d", depth,
                          params.rank);
    int rank = 0;
    for (int i = 0; i + 1 < indices.rank; i++) dims[rank++] = indices.dims[i];
    int64_t wanted = sl_dims_product(dims, 0, rank);
    for (int64_t i = depth; i < params.rank; i++) dims[rank++] = params.dims[i];
    if (rank > SL_MAX_RANK) return sl_invalid(k, "too many dimensions: %d", rank);
    if (params.count == 0 && wanted > 0)
        return sl_invalid(k, "Requested more than 0 entries, but params is empty.  Params shape: %s", SHAPE_OF(params));
    SL_TRY(sl_out_new(&y, k, 0, (struct sl_shape){rank, dims}));
    return sl_gather_nd_slices(k, y, params, indices, ignores_bad);
}

static sl_code gather_nd_run(struct sl_kernel_context *k) {
    return sl_gather_nd_output(k, sl_in(k, 0), sl_in(k, 1), sl_state_number(k));
}

/* ---- ScatterNd and TensorScatter */

static sl_code check_not_empty(struct sl_kernel_context *k, struct sl_view to, struct sl_view indices,
                               struct sl_view updates) {
    if (to.count || !indices.count || !updates.count) return SL_OK;
    return sl_invalid(k, "Indices and updates specified for empty output.  indices shape: %s", SHAPE_OF(indices));
}

static sl_code scatter_nd_run(struct sl_kernel_context *k) {
    struct sl_view indices = sl_in(k, 0), updates = sl_in(k, 1), shape_in = sl_in(k, 2), y;
    int64_t dims[SL_MAX_RANK], count;
    if (shape_in.rank != 1) return sl_invalid(k, "Shape must be a vector");
    if (shape_in.count > SL_MAX_RANK) return sl_invalid(k, "too many dimensions: %" PRId64, shape_in.count);
    sl_indices_load(dims, shape_in, 0, shape_in.count);
    struct sl_shape shape = {(int)shape_in.count, dims};
    for (int i = 0; i < shape.rank; i++)
        if (dims[i] < 0) return sl_invalid(k, "Dimension %" PRId64 " must be >= 0", dims[i]);
    SL_TRY(sl_shape_count(&count, shape, k->err));
    SL_TRY(check_not_empty(k, (struct sl_view){.count = count}, indices, updates));
    SL_TRY(sl_scatter_nd_check(k, shape, indices, updates));
    SL_TRY(sl_out_new(&y, k, 0, shape));
    sl_move_zero(k, y);
    return sl_scatter_nd_slices(k, y, indices, updates, SL_COMBINE_ADD, sl_state_number(k));
}

static sl_code tensor_scatter(struct sl_kernel_context *k, int op, bool ignores_bad) {
    struct sl_view x = sl_in(k, 0), indices = sl_in(k, 1), updates = sl_in(k, 2), y;
    SL_TRY(sl_scatter_nd_check(k, sl_view_shape(x), indices, updates));
    SL_TRY(check_not_empty(k, x, indices, updates));
    const void *old = x.data;
    SL_TRY(sl_out_reuse(&y, k, 0, sl_view_shape(x), 0, 1));
    if (y.data != old) SL_TRY(sl_move_all(k, y.dtype, y.data, old, y.count));
    return sl_scatter_nd_slices(k, y, indices, updates, op, ignores_bad);
}

#define TENSOR_SCATTER(name, op)                                                                                       \
    static sl_code name##_run(struct sl_kernel_context *k) { return tensor_scatter(k, op, sl_state_number(k)); }
TENSOR_SCATTER(tensor_scatter_update, SL_SCATTER_ASSIGN)
TENSOR_SCATTER(tensor_scatter_add, SL_COMBINE_ADD)
TENSOR_SCATTER(tensor_scatter_sub, SL_COMBINE_SUB)
TENSOR_SCATTER(tensor_scatter_min, SL_COMBINE_MIN)
TENSOR_SCATTER(tensor_scatter_max, SL_COMBINE_MAX)

/* ---- InplaceUpdate and so on: rows named by numbers that wrap around */

static sl_code inplace(struct sl_kernel_context *k, int op) {
    struct sl_view x = sl_in(k, 0), i = sl_in(k, 1), v = sl_in(k, 2), y;
    if (x.rank != v.rank)
        return sl_invalid(k, "x and v shape doesn't match (ranks differ): %s vs. %s", SHAPE_OF(x), SHAPE_OF(v));
    for (int d = 1; d < x.rank; d++)
        if (x.dims[d] != v.dims[d])
            return sl_invalid(k, "x and v shape doesn't match at index %d : %s vs. %s", d, SHAPE_OF(x), SHAPE_OF(v));
    if (i.rank != 1) return sl_invalid(k, "i must be a vector. %s", SHAPE_OF(i));
    if (x.rank < 1 || i.count != v.dims[0])
        return sl_invalid(k, "i and x shape doesn't match at index 0: %s vs. %s", SHAPE_OF(i), SHAPE_OF(v));
    if (op != SL_SCATTER_ASSIGN && !sl_set_has(SL_SET_NUMBERS, x.dtype))
        return sl_invalid(k, "Unsupported data type: %s", sl_dtype_name(x.dtype));
    const void *old = x.data;
    int64_t n = x.dims[0];
    SL_TRY(sl_out_reuse(&y, k, 0, sl_view_shape(x), 0, 1));
    if (y.data != old) SL_TRY(sl_move_all(k, y.dtype, y.data, old, y.count));
    if (n == 0 || i.count == 0) return SL_OK;
    size_t bytes = (size_t)i.count * sizeof(int64_t);
    int64_t *rows = sl_scratch_new(bytes);
    if (!rows) return sl_fail_memory(k->err, bytes);
    sl_indices_load(rows, i, 0, i.count);
    for (int64_t j = 0; j < i.count; j++) rows[j] = (rows[j] % n + n) % n;
    struct sl_view wrapped = {rows, i.dims, i.count, 1, SL_INT64};
    sl_code code = sl_scatter_rows(k, y, wrapped, v, op);
    sl_scratch_free(rows, bytes);
    return code;
}

static sl_code inplace_update_run(struct sl_kernel_context *k) { return inplace(k, SL_SCATTER_ASSIGN); }
static sl_code inplace_add_run(struct sl_kernel_context *k) { return inplace(k, SL_COMBINE_ADD); }
static sl_code inplace_sub_run(struct sl_kernel_context *k) { return inplace(k, SL_COMBINE_SUB); }

/* ---- DynamicStitch: row indices[m][...] of the result is data[m][...]; of several the last wins */

static sl_code check_stitch(int64_t *rows, struct sl_kernel_context *k, int n) {
    struct sl_view first_indices = sl_in(k, 0), first = sl_in(k, n);
    *rows = 0;
    for (int m = 0; m < n; m++) {
        struct sl_view indices = sl_in(k, m), data = sl_in(k, n + m);
        if (data.rank < indices.rank || !sl_dims_equal(data, indices, 0, indices.rank))
            return sl_invalid(k, "data[%d].shape = %s does not start with indices[%d].shape = %s", m, SHAPE_OF(data), m,
                              SHAPE_OF(indices));
        int more = data.rank - indices.rank;
        bool fits = more == first.rank - first_indices.rank;
        for (int d = 0; fits && d < more; d++) fits = data.dims[indices.rank + d] == first.dims[first_indices.rank + d];
        if (!fits)
            return sl_invalid(k,
                              "Need data[0].shape[%d:] = data[%d].shape[%d:], got data[0].shape = %s, data[%d].shape = "
                              "%s, indices[0].shape = %s, indices[%d].shape = %s",
                              first_indices.rank, m, indices.rank, SHAPE_OF(first), m, SHAPE_OF(data),
                              SHAPE_OF(first_indices), m, SHAPE_OF(indices));
        const int32_t *at = indices.data;
        for (int64_t i = 0; i < indices.count; i++) {
            if (at[i] < 0) return sl_invalid(k, "indices[%d] is out of range", m);
            if (at[i] >= *rows) *rows = (int64_t)at[i] + 1;
        }
    }
    return SL_OK;
}

static sl_code stitch_run(struct sl_kernel_context *k) {
    int n = sl_in_count(k) / 2;
    struct sl_view first_indices = sl_in(k, 0), first = sl_in(k, n), y;
    int64_t dims[SL_MAX_RANK + 1], rows[SL_INDICES];
    SL_TRY(check_stitch(&dims[0], k, n));
    int rank = 1 + first.rank - first_indices.rank;
    if (rank > SL_MAX_RANK) return sl_invalid(k, "too many dimensions: %d", rank);
    for (int d = 1; d < rank; d++) dims[d] = first.dims[first_indices.rank + d - 1];
    int64_t slice = sl_dims_product(dims, 1, rank);
    SL_TRY(sl_out_new(&y, k, 0, (struct sl_shape){rank, dims}));
    sl_move_zero(k, y); /* rows that nobody names */
    for (int m = 0; m < n && slice; m++) {
        struct sl_view indices = sl_in(k, m), data = sl_in(k, n + m);
        for (int64_t i = 0; i < indices.count; i += SL_INDICES) {
            int64_t stretch = indices.count - i < SL_INDICES ? indices.count - i : SL_INDICES;
            sl_indices_load(rows, indices, i, stretch);
            SL_TRY(sl_rows_put(y.dtype, y.data, sl_element(data.data, y.dtype, i * slice), rows, stretch, slice, slice,
                               slice, k->err));
        }
    }
    return SL_OK;
}

/* ---- DynamicPartition: output p has the rows of data whose partition is p, in order */

static sl_code give_partitions(struct sl_kernel_context *k, struct sl_view data, struct sl_view parts, int64_t *rows,
                               int64_t *start) {
    int n = sl_out_count(k);
    const int32_t *part = parts.data;
    int64_t dims[SL_MAX_RANK + 1], slice = sl_dims_product(data.dims, parts.rank, data.rank);
    int rank = 1 + data.rank - parts.rank;
    if (rank > SL_MAX_RANK) return sl_invalid(k, "too many dimensions: %d", rank);
    for (int d = 1; d < rank; d++) dims[d] = data.dims[parts.rank + d - 1];
    for (int64_t i = 0; i < parts.count; i++) {
        if (part[i] < 0 || part[i] >= n) {
            char at[SL_SHAPE_TEXT];
            return sl_invalid(k, "partitions%s = %" PRId32 " is not in [0, %d)",
                              sl_index_text(at, i, sl_view_shape(parts)), part[i], n);
        }
        start[part[i] + 1]++;
    }
    for (int p = 0; p < n; p++) start[p + 1] += start[p];
    for (int64_t i = 0; i < parts.count; i++) rows[start[part[i]]++] = i;
    for (int p = 0; p < n; p++) { /* start[p] is now where p ends */
        struct sl_view y;
        int64_t first = p ? start[p - 1] : 0;
        dims[0] = start[p] - first;
        SL_TRY(sl_out_new(&y, k, p, (struct sl_shape){rank, dims}));
        if (y.count) SL_TRY(sl_rows_gather(y.dtype, y.data, data.data, rows + first, dims[0], slice, k->err));
    }
    return SL_OK;
}

static sl_code partition_run(struct sl_kernel_context *k) {
    struct sl_view data = sl_in(k, 0), parts = sl_in(k, 1);
    if (data.rank < parts.rank || !sl_dims_equal(data, parts, 0, parts.rank))
        return sl_invalid(k, "data.shape must start with partitions.shape, got data.shape = %s, partitions.shape = %s",
                          SHAPE_OF(data), SHAPE_OF(parts));
    size_t bytes = ((size_t)parts.count + (size_t)sl_out_count(k) + 1) * sizeof(int64_t);
    int64_t *rows = sl_scratch_new(bytes), *start;
    if (!rows) return sl_fail_memory(k->err, bytes);
    start = rows + parts.count;
    memset(start, 0, ((size_t)sl_out_count(k) + 1) * sizeof *start);
    sl_code code = give_partitions(k, data, parts, rows, start);
    sl_scratch_free(rows, bytes);
    return code;
}

#define ROWS_ARE(op_run) .run = op_run, .cost_element = 0.5f
/* clang-format off */
const struct sl_kernel_def sl_cpu_scatter_rows[] = {
    KERNEL("Gather", NO_RULE, ROWS_ARE(gather_run))
    KERNEL("GatherV2", NO_RULE, ROWS_ARE(gather_v2_run), .create = gather_v2_create)
    KERNEL("GatherNd", NO_RULE, ROWS_ARE(gather_nd_run), .create = policy_create)
    KERNEL("ScatterNd", RULE("T", SL_SET_NUMBERS | SL_SET(BOOL) | SL_SET(STRING)) RULE("Tindices", SL_SET(INT32) | SL_SET(INT64)), ROWS_ARE(scatter_nd_run), .create = policy_create)
    KERNEL("ScatterNdNonAliasingAdd", RULE("T", SL_SET_NUMBERS | SL_SET(BOOL)), ROWS_ARE(tensor_scatter_add_run), .create = policy_create)
    KERNEL("TensorScatterUpdate", NO_RULE, ROWS_ARE(tensor_scatter_update_run), .create = policy_create)
    KERNEL("TensorScatterAdd", RULE("T", SL_SET_NUMBERS), ROWS_ARE(tensor_scatter_add_run), .create = policy_create)
    KERNEL("TensorScatterSub", RULE("T", SL_SET_NUMBERS), ROWS_ARE(tensor_scatter_sub_run), .create = policy_create)
    KERNEL("TensorScatterMin", RULE("T", SL_SET_REAL), ROWS_ARE(tensor_scatter_min_run), .create = policy_create)
    KERNEL("TensorScatterMax", RULE("T", SL_SET_REAL), ROWS_ARE(tensor_scatter_max_run), .create = policy_create)
    KERNEL("InplaceUpdate", NO_RULE, ROWS_ARE(inplace_update_run))
    KERNEL("InplaceAdd", NO_RULE, ROWS_ARE(inplace_add_run))
    KERNEL("InplaceSub", NO_RULE, ROWS_ARE(inplace_sub_run))
    KERNEL("DynamicStitch", NO_RULE, ROWS_ARE(stitch_run))
    KERNEL("ParallelDynamicStitch", NO_RULE, ROWS_ARE(stitch_run))
    KERNEL("DynamicPartition", NO_RULE, ROWS_ARE(partition_run))
    SL_ROWS_END
};
/* clang-format on */
