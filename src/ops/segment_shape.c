/* Shape functions of segment reductions: rows of the data that have the same id are reduced to one. */
#include "ops/shape_functions.h"

SL_SHAPE_RULE(segment, "[d,s...] [n] -> [?,s...]")
SL_SHAPE_RULE(sparse_segment, "[d,s...] [n] [n] -> [?,s...]")
/* The last input says how many rows there are. */
sl_code sl_shape_sparse_segment_counted(struct sl_shape_ctx *c) {
    const int64_t *rows;
    int64_t n;
    int first, inputs;
    bool counts_segments = sl_infer_arg(&first, &inputs, c, "num_segments");
    if (sl_infer_constant_ints(&rows, &n, c, 3) && n == 1 && rows[0] < 0)
        return sl_infer_fail(c, "Cannot specify a negative value for %s",
                             counts_segments ? "num_segments" : "output_dim0");
    return sl_infer_pattern(c, "[d,s...] [n] [n] [] -> [#3,s...]");
}
SL_SHAPE_RULE(sparse_segment_grad_v2, "[d,s...] [n] [n] [] -> [?,s...] [?]")

/* Ids may have more dims, which are the first of the data; input 2 says how many segments there are. */
sl_code sl_shape_unsorted_segment(struct sl_shape_ctx *c) {
    struct sl_shape data = sl_infer_in(c, 0), ids = sl_infer_in(c, 1), rest, out;
    int64_t n;
    SL_TRY(sl_infer_check_scalars(c, 2, 1));
    if (ids.rank < 0) return SL_OK;
    SL_TRY(sl_infer_scalar_dim(&n, c, 2));
    SL_TRY(sl_infer_merge_prefix(&data, &ids, c));
    SL_TRY(sl_infer_subshape(&rest, c, data, ids.rank, INT64_MAX));
    SL_TRY(sl_infer_prepend(&out, c, n, rest));
    return sl_infer_set(c, 0, out);
}
