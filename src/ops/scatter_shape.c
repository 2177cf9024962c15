/* Shape functions of gather, scatter, partition and stitch, and of the same on variables. */
#include <inttypes.h>
#include <stdio.h>

#include "ops/shape_functions.h"

/* ---- gather */
sl_code sl_shape_gather(struct sl_shape_ctx *c) {
    struct sl_shape params, rows, out;
    SL_TRY(sl_infer_with_rank_at_least(&params, c, sl_infer_in(c, 0), 1));
    SL_TRY(sl_infer_subshape(&rows, c, params, 1, INT64_MAX));
    SL_TRY(sl_infer_concat(&out, c, sl_infer_in(c, 1), rows));
    return sl_infer_set(c, 0, out);
}

/* Slices of `params` along an axis; the first batch_dims dims of both are alike. */
static sl_code gather_axis(struct sl_shape_ctx *c, struct sl_shape params, struct sl_shape indices, int64_t axis,
                           int64_t batch_dims) {
    struct sl_shape batch_p, batch_i, head, inner, tail, out;
    SL_TRY(sl_infer_with_rank_at_least(&params, c, params, (int)(axis < 0 ? -axis : axis + 1)));
    SL_TRY(sl_infer_with_rank_at_least(&indices, c, indices, (int)(batch_dims < 0 ? -batch_dims : batch_dims)));
    if (params.rank >= 0 && axis < 0) axis += params.rank;
    if (batch_dims < 0 && indices.rank >= 0) batch_dims += indices.rank;
    if (params.rank >= 0 && batch_dims >= params.rank)
        return sl_infer_fail(c, "batch_dims (%" PRId64 ") must be less than rank(params) (%d).", batch_dims,
                             params.rank);
    if (params.rank < 0 || indices.rank < 0 || batch_dims < 0) return SL_OK;
    if (batch_dims > indices.rank)
        return sl_infer_fail(c, "batch_dims must be at most the rank of indices: %" PRId64, batch_dims);
    if (axis < batch_dims)
        return sl_infer_fail(c, "axis (%" PRId64 ") must be greater than or equal to batch_dims (%" PRId64 ")", axis,
                             batch_dims);
    SL_TRY(sl_infer_subshape(&batch_p, c, params, 0, batch_dims));
    SL_TRY(sl_infer_subshape(&batch_i, c, indices, 0, batch_dims));
    SL_TRY(sl_infer_merge(&batch_p, c, batch_p, batch_i));
    SL_TRY(sl_infer_subshape(&head, c, params, batch_dims, axis));
    SL_TRY(sl_infer_subshape(&inner, c, indices, batch_dims, INT64_MAX));
    SL_TRY(sl_infer_subshape(&tail, c, params, axis + 1, INT64_MAX));
    SL_TRY(sl_infer_concat(&out, c, batch_p, head));
    SL_TRY(sl_infer_concat(&out, c, out, inner));
    SL_TRY(sl_infer_concat(&out, c, out, tail));
    return sl_infer_set(c, 0, out);
}

sl_code sl_shape_gather_v2(struct sl_shape_ctx *c) {
    struct sl_shape params = sl_infer_in(c, 0), indices = sl_infer_in(c, 1);
    int64_t batch_dims, axis;
    SL_TRY(sl_infer_check_scalars(c, 2, 1));
    SL_TRY(sl_infer_int(&batch_dims, c, "batch_dims"));
    if (batch_dims < -SL_MAX_RANK || batch_dims > SL_MAX_RANK)
        return sl_infer_fail(c, "batch_dims is out of range: %" PRId64, batch_dims);
    if (sl_infer_constant_int(&axis, c, 2)) {
        if (axis < -SL_MAX_RANK || axis >= SL_MAX_RANK) return sl_infer_fail(c, "axis is out of range: %" PRId64, axis);
        return gather_axis(c, params, indices, axis, batch_dims);
    }
    if (params.rank < 0 || indices.rank < 0) return SL_OK;
    if (params.rank == 0) return sl_infer_fail(c, "Shape must be at least rank 1 but is rank 0");
    if (batch_dims < 0) batch_dims += indices.rank;
    int64_t rank = indices.rank + params.rank - 1 - batch_dims;
    if (rank < 0 || rank > SL_MAX_RANK) return SL_OK;
    return sl_infer_set(c, 0, sl_infer_unknown_of_rank(c, (int)rank));
}

static sl_code gather_nd(struct sl_shape_ctx *c, struct sl_shape params) {
    struct sl_shape indices, head, tail, out;
    SL_TRY(sl_infer_with_rank_at_least(&indices, c, sl_infer_in(c, 1), 1));
    int64_t depth = sl_infer_dim(indices, -1);
    if (params.rank < 0 || depth < 0) return SL_OK;
    if (depth > params.rank) {
        char text[2][SL_SHAPE_TEXT];
        return sl_infer_fail(c,
                             "indices.shape[-1] must be <= params.rank, but saw indices shape: %s and params shape: %s",
                             sl_shape_text(text[0], indices), sl_shape_text(text[1], params));
    }
    SL_TRY(sl_infer_subshape(&head, c, indices, 0, -1));
    SL_TRY(sl_infer_subshape(&tail, c, params, depth, INT64_MAX));
    SL_TRY(sl_infer_concat(&out, c, head, tail));
    return sl_infer_set(c, 0, out);
}

sl_code sl_shape_gather_nd(struct sl_shape_ctx *c) { return gather_nd(c, sl_infer_in(c, 0)); }

/* ---- scatter */
/* The message of the error that just was, to become part of another. */
static void keep_reason(char reason[SL_SHAPE_TEXT], const struct sl_shape_ctx *c) {
    reason[0] = 0;
    if (c->err) snprintf(reason, SL_SHAPE_TEXT, "%.*s", SL_SHAPE_TEXT - 1, c->err->message);
}

/* Whether updates fit indices and what is scattered into: indices [outer..., depth], updates [outer...,
 * into[depth:]...]. */
static sl_code check_scatter(struct sl_shape_ctx *c, struct sl_shape indices, struct sl_shape updates,
                             struct sl_shape into) {
    char text[4][SL_SHAPE_TEXT], reason[SL_SHAPE_TEXT];
    struct sl_shape head, other, tail, merged;
    if (sl_infer_count(into) == 0 && (sl_infer_count(indices) > 0 || sl_infer_count(updates) > 0))
        return sl_infer_fail(c, "Indices and updates specified for empty input");
    int64_t depth = sl_infer_dim(indices, -1);
    if (indices.rank < 0 || updates.rank < 0 || depth < 0) return SL_OK;
    int outer = indices.rank - 1;
    SL_TRY(sl_infer_subshape(&head, c, indices, 0, outer));
    SL_TRY(sl_infer_subshape(&other, c, updates, 0, outer));
    if (sl_infer_merge(&merged, c, head, other) != SL_OK) {
        keep_reason(reason, c);
        return sl_infer_fail(c,
                             "Dimensions [0,%d) of indices[shape=%s] = %s must match dimensions [0,%d) of "
                             "updates[shape=%s] = %s: %s",
                             outer, sl_shape_text(text[0], indices), sl_shape_text(text[1], head), outer,
                             sl_shape_text(text[2], updates), sl_shape_text(text[3], other), reason);
    }
    SL_TRY(sl_infer_subshape(&tail, c, into, depth, INT64_MAX));
    SL_TRY(sl_infer_subshape(&other, c, updates, outer, INT64_MAX));
    if (sl_infer_merge(&merged, c, tail, other) != SL_OK) {
        keep_reason(reason, c);
        return sl_infer_fail(c,
                             "Dimensions [%" PRId64 ",%d) of input[shape=%s] = %s must match dimensions [%d,%d) of "
                             "updates[shape=%s] = %s: %s",
                             depth, into.rank, sl_shape_text(text[0], into), sl_shape_text(text[1], tail), outer,
                             updates.rank, sl_shape_text(text[2], updates), sl_shape_text(text[3], other), reason);
    }
    return SL_OK;
}

/* Indices, updates, shape. */
sl_code sl_shape_scatter_nd(struct sl_shape_ctx *c) {
    struct sl_shape indices, updates, out;
    SL_TRY(sl_infer_with_rank_at_least(&indices, c, sl_infer_in(c, 0), 1));
    SL_TRY(sl_infer_with_rank_at_least(&updates, c, sl_infer_in(c, 1), 1));
    SL_TRY(sl_infer_shape_of_vector(&out, c, 2));
    SL_TRY(check_scatter(c, indices, updates, out));
    return sl_infer_set(c, 0, out);
}

/* What is scattered into, indices, updates. */
sl_code sl_shape_scatter_nd_into(struct sl_shape_ctx *c) {
    struct sl_shape into = sl_infer_in(c, 0), indices, updates;
    SL_TRY(sl_infer_with_rank_at_least(&indices, c, sl_infer_in(c, 1), 1));
    SL_TRY(sl_infer_with_rank_at_least(&updates, c, sl_infer_in(c, 2), 1));
    SL_TRY(check_scatter(c, indices, updates, into));
    return sl_infer_set(c, 0, into);
}

/* The same, where one value may go everywhere. */
sl_code sl_shape_tensor_scatter(struct sl_shape_ctx *c) {
    struct sl_shape s;
    SL_TRY(sl_infer_with_rank_at_least(&s, c, sl_infer_in(c, 1), 1));
    SL_TRY(sl_infer_with_rank_at_least(&s, c, sl_infer_in(c, 0), 1));
    if (sl_infer_in(c, 2).rank != 0) return sl_shape_scatter_nd_into(c);
    if (sl_infer_count(s) == 0) return sl_infer_fail(c, "Indices and updates specified for empty input");
    return sl_infer_set(c, 0, s);
}

/* Rows of a variable: updates are [indices..., variable[1:]...], or one value for all. */
static sl_code check_row_updates(struct sl_shape_ctx *c, struct sl_shape variable) {
    struct sl_shape rows, wanted, updates = sl_infer_in(c, 2);
    SL_TRY(sl_infer_subshape(&rows, c, variable, 1, INT64_MAX));
    SL_TRY(sl_infer_concat(&wanted, c, sl_infer_in(c, 1), rows));
    if (updates.rank == 0) return SL_OK;
    return sl_infer_merge(&wanted, c, updates, wanted);
}

sl_code sl_shape_scatter(struct sl_shape_ctx *c) {
    SL_TRY(check_row_updates(c, sl_infer_in(c, 0)));
    return sl_infer_set(c, 0, sl_infer_in(c, 0));
}

/* ---- partition and stitch */
sl_code sl_shape_dynamic_partition(struct sl_shape_ctx *c) {
    struct sl_shape data = sl_infer_in(c, 0), partitions = sl_infer_in(c, 1), rest, out;
    if (partitions.rank < 0) return SL_OK;
    SL_TRY(sl_infer_merge_prefix(&data, &partitions, c));
    SL_TRY(sl_infer_subshape(&rest, c, data, partitions.rank, INT64_MAX));
    SL_TRY(sl_infer_prepend(&out, c, -1, rest));
    for (int o = 0; o < c->n_out; o++) SL_TRY(sl_infer_set(c, o, out));
    return SL_OK;
}

/* Inputs are n lists of indices, then n of data; the largest index says how many rows there are. */
sl_code sl_shape_dynamic_stitch(struct sl_shape_ctx *c) {
    int n = c->n_in / 2;
    int64_t rows = 0;
    bool is_known = true;
    struct sl_shape rest = SL_SHAPE_UNKNOWN, out;
    for (int i = 0; i < n; i++) {
        const int64_t *values;
        int64_t count;
        if (sl_infer_constant_ints(&values, &count, c, i)) {
            for (int64_t k = 0; k < count; k++)
                if (values[k] >= rows) rows = values[k] + 1;
        } else {
            is_known = false;
        }
        struct sl_shape indices = sl_infer_in(c, i), data = sl_infer_in(c, n + i), tail;
        if (indices.rank < 0) continue;
        SL_TRY(sl_infer_merge_prefix(&data, &indices, c));
        SL_TRY(sl_infer_subshape(&tail, c, data, indices.rank, INT64_MAX));
        SL_TRY(sl_infer_merge(&rest, c, rest, tail));
    }
    SL_TRY(sl_infer_prepend(&out, c, is_known ? rows : -1, rest));
    return sl_infer_set(c, 0, out);
}

/* ---- variables by resource: what they hold says their shape */
sl_code sl_shape_resource_gather(struct sl_shape_ctx *c) {
    struct sl_shape params;
    int64_t batch_dims;
    SL_TRY(sl_infer_held(&params, c, 0, "dtype"));
    SL_TRY(sl_infer_int(&batch_dims, c, "batch_dims"));
    if (batch_dims < 0) return sl_infer_fail(c, "batch_dims is negative (%" PRId64 ")", batch_dims);
    if (batch_dims > SL_MAX_RANK) return sl_infer_fail(c, "batch_dims is out of range: %" PRId64, batch_dims);
    return gather_axis(c, params, sl_infer_in(c, 1), batch_dims, batch_dims);
}

sl_code sl_shape_resource_gather_nd(struct sl_shape_ctx *c) {
    struct sl_shape params;
    SL_TRY(sl_infer_held(&params, c, 0, "dtype"));
    if (!c->in_handles || c->in_handles[0].n < 1) params = sl_infer_in(c, 0);
    return gather_nd(c, params);
}

sl_code sl_shape_resource_scatter(struct sl_shape_ctx *c) {
    struct sl_shape variable;
    SL_TRY(sl_infer_held(&variable, c, 0, "dtype"));
    return check_row_updates(c, variable);
}

sl_code sl_shape_resource_scatter_nd(struct sl_shape_ctx *c) {
    struct sl_shape variable, indices, updates;
    SL_TRY(sl_infer_held(&variable, c, 0, NULL));
    if (!c->in_handles || c->in_handles[0].n < 1) variable = sl_infer_in(c, 0);
    SL_TRY(sl_infer_with_rank_at_least(&indices, c, sl_infer_in(c, 1), 1));
    SL_TRY(sl_infer_with_rank_at_least(&updates, c, sl_infer_in(c, 2), 1));
    return check_scatter(c, indices, updates, variable);
}
