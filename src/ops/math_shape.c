/* Shape functions of element-wise ops that no stock function fits. */
#include "ops/shape_functions.h"

/* Where the shapes cannot fit, an op told not to mind gives one answer for all. */
sl_code sl_shape_compare(struct sl_shape_ctx *c) {
    bool is_error, is_open = false;
    struct sl_shape out, a = sl_infer_in(c, 0), b = sl_infer_in(c, 1);
    SL_TRY(sl_infer_bool(&is_error, c, "incompatible_shape_error"));
    if (is_error || a.rank < 0 || b.rank < 0) return sl_shape_broadcast_binary_shape(c);
    for (int i = 1; i <= a.rank && i <= b.rank; i++) {
        int64_t dim_a = sl_infer_dim(a, -i), dim_b = sl_infer_dim(b, -i);
        if (dim_a == dim_b || dim_a == 1 || dim_b == 1) continue;
        if (dim_a >= 0 && dim_b >= 0) return sl_infer_set(c, 0, SL_SHAPE_SCALAR);
        is_open = true;
    }
    if (is_open) return SL_OK;
    SL_TRY(sl_infer_broadcast(&out, c, a, b));
    return sl_infer_set(c, 0, out);
}

/* Eight elements of the last dim become one. */
sl_code sl_shape_compare_and_bitpack(struct sl_shape_ctx *c) {
    struct sl_shape in, threshold;
    SL_TRY(sl_infer_with_rank_at_least(&in, c, sl_infer_in(c, 0), 1));
    SL_TRY(sl_infer_with_rank(&threshold, c, sl_infer_in(c, 1), 0));
    if (in.rank < 0) return SL_OK;
    int64_t dims[SL_MAX_RANK], last = in.dims[in.rank - 1];
    if (last >= 0 && last % 8)
        return sl_infer_fail(c, "Inner dimension of input should be divisible by 8, but saw %lld", (long long)last);
    for (int d = 0; d < in.rank; d++) dims[d] = in.dims[d];
    if (last >= 0) dims[in.rank - 1] = last / 8;
    return sl_infer_set(c, 0, (struct sl_shape){in.rank, dims});
}

SL_SHAPE_RULE(approximate_equal, "x x -> $0")

/* What variants stand for: what all of them know together. */
static sl_code merge_handles(struct sl_shape_ctx *c, int first) {
    const struct sl_handle_item *item = NULL;
    struct sl_shape all = SL_SHAPE_UNKNOWN;
    for (int i = first; c->in_handles && i < c->n_in; i++) {
        if (c->in_handles[i].n != 1) continue;
        if (item && item->dtype != c->in_handles[i].items[0].dtype)
            return sl_infer_fail(c, "Cannot merge shapes and types of variants that hold %s and %s",
                                 sl_dtype_name(item->dtype), sl_dtype_name(c->in_handles[i].items[0].dtype));
        item = &c->in_handles[i].items[0];
        SL_TRY(sl_infer_merge(&all, c, all, item->shape));
    }
    return item ? sl_infer_set_handle(c, 0, item->dtype, all) : SL_OK;
}

/* All inputs alike. */
sl_code sl_shape_merge_all(struct sl_shape_ctx *c) {
    struct sl_shape all = sl_infer_in(c, c->n_in - 1);
    for (int i = c->n_in - 2; i >= 0; i--)
        if (sl_infer_merge(&all, c, sl_infer_in(c, i), all) != SL_OK)
            return sl_error_append(c->err, "\n\tFrom merging shape %d with other shapes.", i);
    SL_TRY(merge_handles(c, 0));
    return sl_infer_set(c, 0, all);
}

sl_code sl_shape_select(struct sl_shape_ctx *c) {
    struct sl_shape condition = sl_infer_in(c, 0), data;
    SL_TRY(sl_infer_merge(&data, c, sl_infer_in(c, 1), sl_infer_in(c, 2)));
    SL_TRY(merge_handles(c, 1));
    if (condition.rank < 0 || data.rank < 0 || condition.rank == 0) return sl_infer_set(c, 0, data);
    if (condition.rank == 1 && data.rank >= 1) { /* chooses whole rows */
        int64_t rows;
        SL_TRY(sl_infer_merge_dim(&rows, c, data.dims[0], condition.dims[0]));
        return sl_infer_set(c, 0, data);
    }
    SL_TRY(sl_infer_merge(&data, c, data, condition));
    return sl_infer_set(c, 0, data);
}

sl_code sl_shape_select_v2(struct sl_shape_ctx *c) {
    struct sl_shape out;
    SL_TRY(sl_infer_broadcast(&out, c, sl_infer_in(c, 1), sl_infer_in(c, 2)));
    SL_TRY(sl_infer_broadcast(&out, c, sl_infer_in(c, 0), out));
    SL_TRY(sl_infer_copy_handle(c, 0, 1));
    return sl_infer_set(c, 0, out);
}

/* Three inputs of one shape, scalars aside. */
sl_code sl_shape_betainc(struct sl_shape_ctx *c) {
    struct sl_shape out = SL_SHAPE_UNKNOWN, one = SL_SHAPE_SCALAR;
    int n_scalars = 0;
    for (int i = 0; i < 3; i++) {
        struct sl_shape in = sl_infer_in(c, i);
        if (in.rank == 0) {
            n_scalars++;
        } else {
            if (in.rank > 0) SL_TRY(sl_infer_merge(&out, c, out, in));
            one = in;
        }
    }
    return sl_infer_set(c, 0, n_scalars >= 2 ? one : out);
}
