/* Shape functions of sparse and ragged tensors and of sets. A sparse tensor is indices [n, rank], values [n], shape
 * [rank]. */
#include <inttypes.h>

#include "ops/shape_functions.h"

/* ---- arithmetic */
SL_SHAPE_RULE(sparse_add, "* * [r] * * * * -> [?,r] [?] [r]")
SL_SHAPE_RULE(sparse_add_grad, "* [a,p] [b,q] * -> [a] [b]")
SL_SHAPE_RULE(sparse_dense_cwise, "[n,r] * * * -> [n]")
SL_SHAPE_RULE(sparse_softmax, "[n,r] [m] [q] -> [m]")
SL_SHAPE_RULE(sparse_sparse_max, "[n,r] [m] [q] [o,s] [p] [t] -> [?,?] [?]")
SL_SHAPE_RULE(sparse_tensor_dense_add, "* * * x -> x")

sl_code sl_shape_sparse_tensor_dense_matmul(struct sl_shape_ctx *c) {
    struct sl_shape s, a, b;
    bool adjoint_a, adjoint_b;
    int64_t inner;
    SL_TRY(sl_infer_bool(&adjoint_a, c, "adjoint_a"));
    SL_TRY(sl_infer_bool(&adjoint_b, c, "adjoint_b"));
    SL_TRY(sl_infer_with_rank(&s, c, sl_infer_in(c, 0), 2));
    SL_TRY(sl_infer_with_rank(&s, c, sl_infer_in(c, 1), 1));
    SL_TRY(sl_infer_shape_of_vector(&a, c, 2));
    SL_TRY(sl_infer_with_rank(&a, c, a, 2));
    SL_TRY(sl_infer_with_rank(&b, c, sl_infer_in(c, 3), 2));
    SL_TRY(sl_infer_merge_dim(&inner, c, a.dims[!adjoint_a], b.dims[adjoint_b]));
    return sl_infer_set_dims(c, 0, 2, (int64_t[]){a.dims[adjoint_a], b.dims[!adjoint_b]});
}

/* ---- reductions: of a known shape over known axes, as of a dense tensor */
sl_code sl_shape_sparse_reduce(struct sl_shape_ctx *c) {
    const int64_t *shape, *axes;
    int64_t rank, n, dims[SL_MAX_RANK];
    bool keep_dims, is_reduced[SL_MAX_RANK] = {false};
    int out = 0;
    SL_TRY(sl_infer_bool(&keep_dims, c, "keep_dims"));
    if (!sl_infer_constant_ints(&shape, &rank, c, 2) || !sl_infer_constant_ints(&axes, &n, c, 3)) return SL_OK;
    if (rank > SL_MAX_RANK) return sl_infer_fail(c, "input_shape has %" PRId64 " elements", rank);
    for (int64_t k = 0; k < n; k++) {
        if (rank == 0) continue;
        int64_t axis = axes[k] % rank; /* too large an axis comes round again */
        is_reduced[axis < 0 ? axis + rank : axis] = true;
    }
    for (int i = 0; i < rank; i++) {
        if (!is_reduced[i]) dims[out++] = shape[i];
        else if (keep_dims) dims[out++] = 1;
    }
    return sl_infer_set_dims(c, 0, out, dims);
}

SL_SHAPE_RULE(sparse_reduce_sparse, "* * * * -> * * *")

/* ---- layout */
SL_SHAPE_RULE(sparse_reorder, "[n,r] [m] [q] -> [n,r] [m]")
SL_SHAPE_RULE(sparse_reshape, "[n,r] [q] [k] -> [n,k] [k]")
SL_SHAPE_RULE(sparse_slice_grad, "* [n,r] * * -> [n]")
SL_SHAPE_RULE(sparse_fill_empty_rows_grad, "[n] [m] -> [n] []")
SL_SHAPE_RULE(sparse_cross, "*+ -> [?,2] [?] [2]")

/* An indicator for each row, when the number of rows is known. */
sl_code sl_shape_sparse_fill_empty_rows(struct sl_shape_ctx *c) {
    struct sl_shape indices, values, shape;
    const int64_t *dims;
    int64_t rank, n, rows = -1;
    SL_TRY(sl_infer_with_rank(&indices, c, sl_infer_in(c, 0), 2));
    SL_TRY(sl_infer_with_rank(&values, c, sl_infer_in(c, 1), 1));
    SL_TRY(sl_infer_with_rank(&shape, c, sl_infer_in(c, 2), 1));
    SL_TRY(sl_infer_check_scalars(c, 3, 1));
    SL_TRY(sl_infer_merge_dim(&n, c, indices.dims[0], values.dims[0]));
    SL_TRY(sl_infer_merge_dim(&rank, c, indices.dims[1], shape.dims[0]));
    int64_t count;
    if (sl_infer_constant_ints(&dims, &count, c, 2) && count > 0) rows = dims[0];
    SL_TRY(sl_infer_set_dims(c, 0, 2, (int64_t[]){-1, shape.dims[0]}));
    SL_TRY(sl_infer_set_dims(c, 1, 1, (int64_t[]){-1}));
    SL_TRY(sl_infer_set_dims(c, 2, 1, &rows));
    return sl_infer_set_dims(c, 3, 1, &n);
}

sl_code sl_shape_sparse_slice(struct sl_shape_ctx *c) {
    struct sl_shape shape = sl_infer_in(c, 2);
    SL_TRY(sl_infer_set_dims(c, 0, 2, (int64_t[]){-1, sl_infer_count(shape)}));
    SL_TRY(sl_infer_set_dims(c, 1, 1, (int64_t[]){-1}));
    return sl_infer_set(c, 2, shape);
}

/* Split dim, indices, values, shape; each piece is a sparse tensor of the same rank. */
sl_code sl_shape_sparse_split(struct sl_shape_ctx *c) {
    struct sl_shape shape = sl_infer_in(c, 3);
    int64_t rank = sl_infer_count(shape);
    int n = c->n_out / 3;
    for (int i = 0; i < n; i++) {
        SL_TRY(sl_infer_set_dims(c, i, 2, (int64_t[]){-1, rank}));
        SL_TRY(sl_infer_set_dims(c, n + i, 1, (int64_t[]){-1}));
        SL_TRY(sl_infer_set(c, 2 * n + i, shape));
    }
    return SL_OK;
}

/* Indices, values and shapes of n tensors. */
sl_code sl_shape_sparse_concat(struct sl_shape_ctx *c) {
    int n = c->n_in / 3;
    int64_t rows = 0, columns = -1;
    struct sl_shape shape = SL_SHAPE_UNKNOWN, s;
    for (int i = 0; i < n; i++) {
        int64_t some;
        struct sl_shape values;
        SL_TRY(sl_infer_with_rank(&s, c, sl_infer_in(c, i), 2));
        SL_TRY(sl_infer_with_rank(&values, c, sl_infer_in(c, n + i), 1));
        SL_TRY(sl_infer_merge_dim(&some, c, s.dims[0], values.dims[0]));
        SL_TRY(sl_infer_add(&rows, c, rows, some));
        SL_TRY(sl_infer_merge_dim(&columns, c, columns, s.dims[1]));
        SL_TRY(sl_infer_with_rank(&s, c, sl_infer_in(c, 2 * n + i), 1));
        SL_TRY(sl_infer_merge(&shape, c, shape, s));
    }
    SL_TRY(sl_infer_set_dims(c, 0, 2, (int64_t[]){rows, columns}));
    SL_TRY(sl_infer_set_dims(c, 1, 1, &rows));
    return sl_infer_set(c, 2, shape);
}

sl_code sl_shape_sparse_to_dense(struct sl_shape_ctx *c) {
    struct sl_shape out;
    SL_TRY(sl_infer_shape_of_vector(&out, c, 1));
    return sl_infer_set(c, 0, out);
}

/* ---- coding */
SL_SHAPE_RULE(serialize_sparse, "[n,r] [m] [q] -> [3]")
SL_SHAPE_RULE(serialize_many_sparse, "[n,r] [m] [q] -> [?,3]")
SL_SHAPE_RULE(deserialize_many_sparse, "[n,3] -> [?,?] [?] [?]")
SL_SHAPE_RULE(deserialize_sparse, "[s...,3] -> [?,?] [?] [?]")
SL_SHAPE_RULE(add_sparse_to_map, "[n,r] [m] [q] -> []")
SL_SHAPE_RULE(add_many_sparse_to_map, "[n,r] [m] [q] -> [?]")
SL_SHAPE_RULE(take_sparse_from_map, "[n] -> [?,?] [?] [?]")

/* ---- sets and counts */
/* A sparse tensor of that rank and of an unknown number of elements. */
static sl_code set_sparse(struct sl_shape_ctx *c, int64_t rank) {
    SL_TRY(sl_infer_set_dims(c, 0, 2, (int64_t[]){-1, rank}));
    SL_TRY(sl_infer_set_dims(c, 1, 1, (int64_t[]){-1}));
    return sl_infer_set_dims(c, 2, 1, &rank);
}

/* The last dim holds a set, the ones before it say which. */
sl_code sl_shape_dense_sets(struct sl_shape_ctx *c) {
    struct sl_shape a = sl_infer_in(c, 0), b = sl_infer_in(c, 1), groups_a, groups_b;
    SL_TRY(sl_infer_with_rank_at_least(&a, c, a, 2));
    if (a.rank >= 0 && b.rank >= 0) {
        SL_TRY(sl_infer_with_rank(&b, c, b, a.rank));
        SL_TRY(sl_infer_subshape(&groups_a, c, a, 0, -1));
        SL_TRY(sl_infer_subshape(&groups_b, c, b, 0, -1));
        SL_TRY(sl_infer_merge(&groups_a, c, groups_a, groups_b));
    } else if (b.rank >= 0) {
        SL_TRY(sl_infer_with_rank_at_least(&b, c, b, 2));
    }
    return set_sparse(c, a.rank >= 0 ? a.rank : b.rank);
}

sl_code sl_shape_dense_sparse_sets(struct sl_shape_ctx *c) {
    struct sl_shape a = sl_infer_in(c, 0);
    int64_t rank;
    SL_TRY(sl_infer_check_sparse(&rank, c, 1));
    SL_TRY(sl_infer_with_rank_at_least(&a, c, a, 2));
    if (a.rank >= 0) SL_TRY(sl_infer_merge_dim(&rank, c, a.rank, rank));
    return set_sparse(c, rank);
}

sl_code sl_shape_sparse_sets(struct sl_shape_ctx *c) {
    int64_t rank_a, rank_b, rank;
    SL_TRY(sl_infer_check_sparse(&rank_a, c, 0));
    SL_TRY(sl_infer_check_sparse(&rank_b, c, 3));
    SL_TRY(sl_infer_merge_dim(&rank, c, rank_a, rank_b));
    return set_sparse(c, rank);
}

SL_SHAPE_RULE(sparse_counts, "[n,r] * * * -> [?,r] [?] [r]")

/* Weights are like the values, or there are none. */
sl_code sl_shape_dense_counts(struct sl_shape_ctx *c) {
    struct sl_shape values = sl_infer_in(c, 0), weights = sl_infer_in(c, 1);
    if (sl_infer_count(weights) != 0) SL_TRY(sl_infer_merge(&values, c, weights, values));
    return set_sparse(c, values.rank);
}

/* Rows of values: one dim more than the values. */
sl_code sl_shape_ragged_counts(struct sl_shape_ctx *c) {
    int rank = sl_infer_in(c, 1).rank;
    return set_sparse(c, rank < 0 ? -1 : rank + 1);
}
