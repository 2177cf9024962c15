/* Shape functions of reductions, scans and counts. */
#include <inttypes.h>
#include <string.h>

#include "ops/shape_functions.h"

/* Which axes of an input of this rank are reduced: `is_reduced[rank]`. */
static sl_code read_axes(bool *is_reduced, struct sl_shape_ctx *c, int rank, const int64_t *axes, int64_t n) {
    memset(is_reduced, 0, (size_t)rank * sizeof *is_reduced);
    for (int64_t k = 0; k < n; k++) {
        if (axes[k] < -rank || axes[k] >= rank)
            return sl_infer_fail(c, "Invalid reduction dimension %" PRId64 " for input with %d dimensions.", axes[k],
                                 rank);
        is_reduced[axes[k] < 0 ? axes[k] + rank : axes[k]] = true;
    }
    return SL_OK;
}

sl_code sl_shape_reduction_shape(struct sl_shape_ctx *c) {
    struct sl_shape in = sl_infer_in(c, 0), axes = sl_infer_in(c, 1);
    if (c->graph_version >= 21)
        SL_TRY(sl_infer_with_rank_at_most(&axes, c, axes, 1)); /* older graphs may have matrices */
    bool keep_dims;
    SL_TRY(sl_infer_bool(&keep_dims, c, "keep_dims"));
    if (in.rank < 0) return SL_OK;
    const int64_t *values;
    int64_t n;
    if (!sl_infer_constant_ints(&values, &n, c, 1))
        return keep_dims ? sl_infer_set(c, 0, sl_infer_unknown_of_rank(c, in.rank)) : SL_OK;

    bool is_reduced[SL_MAX_RANK + 1];
    int64_t dims[SL_MAX_RANK + 1];
    SL_TRY(read_axes(is_reduced, c, in.rank, values, n));
    int rank = 0;
    for (int i = 0; i < in.rank; i++) {
        if (!is_reduced[i]) dims[rank++] = in.dims[i];
        else if (keep_dims) dims[rank++] = 1;
    }
    return sl_infer_set_dims(c, 0, rank, dims);
}

sl_code sl_shape_arg_reduction(struct sl_shape_ctx *c) {
    struct sl_shape in = sl_infer_in(c, 0), axis_shape;
    SL_TRY(sl_infer_with_rank(&axis_shape, c, sl_infer_in(c, 1), 0));
    if (in.rank < 0) return SL_OK;
    if (in.rank <= 1) return sl_infer_set(c, 0, SL_SHAPE_SCALAR);
    int64_t axis, dims[SL_MAX_RANK];
    if (!sl_infer_constant_int(&axis, c, 1)) return sl_infer_set(c, 0, sl_infer_unknown_of_rank(c, in.rank - 1));
    if (axis < -in.rank || axis >= in.rank)
        return sl_infer_fail(c,
                             "Dimension (%" PRId64 ") must be in the range [%d, %d), where %d is the number of "
                             "dimensions in the input.",
                             axis, -in.rank, in.rank, in.rank);
    if (axis < 0) axis += in.rank;
    for (int i = 0, k = 0; i < in.rank; i++)
        if (i != axis) dims[k++] = in.dims[i];
    return sl_infer_set_dims(c, 0, in.rank - 1, dims);
}

/* ---- counts */
static sl_code count_bins(int64_t *bins, struct sl_shape_ctx *c, int size_at) {
    struct sl_shape scalar;
    SL_TRY(sl_infer_with_rank(&scalar, c, sl_infer_in(c, size_at), 0));
    *bins = -1;
    if (sl_infer_constant_int(bins, c, size_at) && *bins < 0)
        return sl_infer_fail(c, "size (%" PRId64 ") must be non-negative", *bins);
    return SL_OK;
}

sl_code sl_shape_bincount(struct sl_shape_ctx *c) {
    int64_t bins;
    SL_TRY(count_bins(&bins, c, 1));
    return sl_infer_set_dims(c, 0, 1, &bins);
}

/* A row of bins for each row of the input. */
sl_code sl_shape_dense_bincount(struct sl_shape_ctx *c) {
    struct sl_shape in;
    int64_t bins;
    SL_TRY(sl_infer_with_rank_at_most(&in, c, sl_infer_in(c, 0), 2));
    SL_TRY(count_bins(&bins, c, 1));
    if (in.rank < 0) return SL_OK;
    if (!sl_infer_constant(c, 1)) return sl_infer_set(c, 0, sl_infer_unknown_of_rank(c, in.rank));
    if (in.rank < 2) return sl_infer_set_dims(c, 0, 1, &bins);
    return sl_infer_set_dims(c, 0, 2, (int64_t[]){in.dims[0], bins});
}

sl_code sl_shape_sparse_bincount(struct sl_shape_ctx *c) {
    const int64_t *shape;
    int64_t rank, bins;
    if (!sl_infer_constant(c, 3)) return SL_OK;
    SL_TRY(count_bins(&bins, c, 3));
    if (!sl_infer_constant_ints(&shape, &rank, c, 2)) return SL_OK;
    if (rank == 1) return sl_infer_set_dims(c, 0, 1, &bins);
    if (rank == 2) return sl_infer_set_dims(c, 0, 2, (int64_t[]){shape[0], bins});
    return sl_infer_fail(c, "Input must be less than rank 2");
}

sl_code sl_shape_histogram_fixed_width(struct sl_shape_ctx *c) {
    struct sl_shape range, scalar;
    int64_t n;
    SL_TRY(sl_infer_with_rank(&range, c, sl_infer_in(c, 1), 1));
    SL_TRY(sl_infer_with_value(&n, c, range.dims[0], 2));
    SL_TRY(sl_infer_with_rank(&scalar, c, sl_infer_in(c, 2), 0));
    n = -1;
    if (sl_infer_constant_int(&n, c, 2) && n <= 0) return sl_infer_fail(c, "Requires nbins > 0: %" PRId64, n);
    return sl_infer_set_dims(c, 0, 1, &n);
}
