/* Shape functions of compressed sparse matrices: a scalar variant whose handle data are element type and dense shape,
 * of a matrix or of a batch of them. */
#include <inttypes.h>

#include "ops/shape_functions.h"

static sl_code set_matrix_of(struct sl_shape_ctx *c, int dtype, struct sl_shape dense) {
    SL_TRY(sl_infer_set(c, 0, SL_SHAPE_SCALAR));
    return sl_infer_set_handle(c, 0, dtype, dense);
}

static sl_code set_matrix(struct sl_shape_ctx *c, struct sl_shape dense) {
    int dtype;
    SL_TRY(sl_infer_type(&dtype, c, "T"));
    return set_matrix_of(c, dtype, dense);
}

sl_code sl_shape_dense_to_csr(struct sl_shape_ctx *c) {
    struct sl_shape dense = sl_infer_in(c, 0), indices = sl_infer_in(c, 1);
    if (dense.rank != 2 && dense.rank != 3)
        return sl_infer_fail(c, "Invalid rank of dense: %d.  Expected a known rank of either 2 or 3.", dense.rank);
    if (indices.rank != 2) return sl_infer_fail(c, "indices must be a matrix; but its rank is not 2: %d", indices.rank);
    if (indices.dims[1] != dense.rank)
        return sl_infer_fail(c, "indices.shape[1] must match rank of dense; saw: %" PRId64 " vs. %d", indices.dims[1],
                             dense.rank);
    return set_matrix(c, dense);
}

sl_code sl_shape_sparse_to_csr(struct sl_shape_ctx *c) {
    struct sl_shape indices = sl_infer_in(c, 0), dense;
    int64_t length;
    SL_TRY(sl_infer_check_sparse(&length, c, 0));
    SL_TRY(sl_infer_shape_of_vector(&dense, c, 2));
    int64_t rank = indices.rank == 2 ? indices.dims[1] : -1;
    if (dense.rank < 0 && rank >= 0) dense = sl_infer_unknown_of_rank(c, (int)rank);
    if (dense.rank != rank) return sl_infer_fail(c, "Shape must be rank %" PRId64 " but is rank %d", rank, dense.rank);
    if (rank != 2 && rank != 3)
        return sl_infer_fail(c, "Invalid rank: %" PRId64 ".  Expected a known rank of either 2 or 3.", rank);
    return set_matrix(c, dense);
}

/* The matrix of input `in`: its dense shape, of rank 2 or 3, and its element type. */
static sl_code read_matrix_at(struct sl_shape *out, int *dtype, struct sl_shape_ctx *c, int in) {
    SL_TRY(sl_infer_check_scalars(c, in, 1));
    if (!c->in_handles || c->in_handles[in].n < 1)
        return sl_infer_fail(c, "Unable to access shape and type info from variant input %d", in);
    *out = c->in_handles[in].items[0].shape;
    *dtype = c->in_handles[in].items[0].dtype;
    if (out->rank != 2 && out->rank != 3)
        return sl_infer_fail(c, "Invalid rank: %d.  Expected a known rank of either 2 or 3.", out->rank);
    return SL_OK;
}
static sl_code read_matrix(struct sl_shape *out, struct sl_shape_ctx *c) {
    int dtype;
    return read_matrix_at(out, &dtype, c, 0);
}

sl_code sl_shape_csr_to_dense(struct sl_shape_ctx *c) {
    struct sl_shape dense;
    SL_TRY(read_matrix(&dense, c));
    return sl_infer_set(c, 0, dense);
}

sl_code sl_shape_csr_to_sparse(struct sl_shape_ctx *c) {
    struct sl_shape dense;
    SL_TRY(read_matrix(&dense, c));
    SL_TRY(sl_infer_set_dims(c, 0, 2, (int64_t[]){-1, dense.rank}));
    SL_TRY(sl_infer_set_dims(c, 1, 1, (int64_t[]){-1}));
    return sl_infer_set_dims(c, 2, 1, (int64_t[]){dense.rank});
}

/* Row pointers, columns and values of one matrix of the batch. */
sl_code sl_shape_csr_components(struct sl_shape_ctx *c) {
    struct sl_shape dense;
    int64_t pointers, unknown = -1;
    SL_TRY(read_matrix(&dense, c));
    SL_TRY(sl_infer_check_scalars(c, 1, 1));
    SL_TRY(sl_infer_add(&pointers, c, sl_infer_dim(dense, -2), 1));
    SL_TRY(sl_infer_set_dims(c, 0, 1, &pointers));
    SL_TRY(sl_infer_set_dims(c, 1, 1, &unknown));
    return sl_infer_set_dims(c, 2, 1, &unknown);
}

/* Whether a side of the product is turned: transposed or adjoint, not both. */
static sl_code read_turn(bool *out, struct sl_shape_ctx *c, const char *transpose, const char *adjoint) {
    bool is_transposed, is_adjoint;
    SL_TRY(sl_infer_bool(&is_transposed, c, transpose));
    SL_TRY(sl_infer_bool(&is_adjoint, c, adjoint));
    if (is_transposed && is_adjoint) return sl_infer_fail(c, "Only one of %s and %s may be true.", adjoint, transpose);
    *out = is_transposed || is_adjoint;
    return SL_OK;
}

sl_code sl_shape_csr_matmul(struct sl_shape_ctx *c) {
    struct sl_shape a, b, batch_a, batch_b, out;
    bool turn_a, turn_b, turn_out;
    int64_t inner;
    SL_TRY(read_matrix(&a, c));
    SL_TRY(sl_infer_with_rank(&b, c, sl_infer_in(c, 1), a.rank));
    SL_TRY(read_turn(&turn_a, c, "transpose_a", "adjoint_a"));
    SL_TRY(read_turn(&turn_b, c, "transpose_b", "adjoint_b"));
    SL_TRY(sl_infer_bool(&turn_out, c, "transpose_output"));
    SL_TRY(sl_infer_merge_dim(&inner, c, sl_infer_dim(a, turn_a ? -2 : -1), sl_infer_dim(b, turn_b ? -1 : -2)));
    int64_t rows = sl_infer_dim(a, turn_a ? -1 : -2), columns = sl_infer_dim(b, turn_b ? -2 : -1);
    int64_t dims[2] = {turn_out ? columns : rows, turn_out ? rows : columns};
    SL_TRY(sl_infer_subshape(&batch_a, c, a, 0, -2));
    SL_TRY(sl_infer_subshape(&batch_b, c, b, 0, -2));
    SL_TRY(sl_infer_merge(&batch_a, c, batch_a, batch_b));
    SL_TRY(sl_infer_concat(&out, c, batch_a, (struct sl_shape){2, dims}));
    return sl_infer_set(c, 0, out);
}

/* ---- matrices of matrices */

sl_code sl_shape_csr_zeros(struct sl_shape_ctx *c) {
    struct sl_shape dense;
    int dtype;
    SL_TRY(sl_infer_type(&dtype, c, "type"));
    SL_TRY(sl_infer_shape_of_vector(&dense, c, 0));
    if (dense.rank != 2 && dense.rank != 3)
        return sl_infer_fail(c, "Invalid rank: %d.  Expected a known rank of either 2 or 3.", dense.rank);
    return set_matrix_of(c, dtype, dense);
}

sl_code sl_shape_csr_like(struct sl_shape_ctx *c) {
    struct sl_shape dense;
    int dtype;
    SL_TRY(read_matrix_at(&dense, &dtype, c, 0));
    return set_matrix_of(c, dtype, dense);
}

/* A matrix times a scalar, or each of a batch times its own. */
sl_code sl_shape_csr_mul(struct sl_shape_ctx *c) {
    struct sl_shape dense, b = sl_infer_in(c, 1), batch, of_b;
    int dtype;
    SL_TRY(read_matrix_at(&dense, &dtype, c, 0));
    if (b.rank == 3) {
        SL_TRY(sl_infer_with_rank(&dense, c, dense, 3));
        SL_TRY(sl_infer_subshape(&batch, c, dense, 0, 1));
        SL_TRY(sl_infer_subshape(&of_b, c, b, 0, 1));
        SL_TRY(sl_infer_merge(&batch, c, batch, of_b));
    } else if (b.rank != 0) {
        return sl_fail(c->err, SL_UNIMPLEMENTED, "b must be a scalar or shaped [batch_size, 1, 1]");
    }
    return set_matrix_of(c, dtype, dense);
}

/* Two matrices of one shape; what follows them are scalars. */
sl_code sl_shape_csr_merge(struct sl_shape_ctx *c) {
    struct sl_shape a, b;
    int dtype;
    SL_TRY(read_matrix_at(&b, &dtype, c, 1));
    SL_TRY(read_matrix_at(&a, &dtype, c, 0));
    SL_TRY(sl_infer_check_scalars(c, 2, c->n_in - 2));
    SL_TRY(sl_infer_merge(&a, c, a, b));
    return set_matrix_of(c, dtype, a);
}

sl_code sl_shape_csr_nnz(struct sl_shape_ctx *c) {
    struct sl_shape dense;
    SL_TRY(read_matrix(&dense, c));
    return sl_infer_set_dims(c, 0, dense.rank - 2, dense.dims);
}

static sl_code check_square(struct sl_shape_ctx *c, struct sl_shape dense) {
    int64_t size;
    return sl_infer_merge_dim(&size, c, sl_infer_dim(dense, -1), sl_infer_dim(dense, -2));
}

sl_code sl_shape_csr_ordering(struct sl_shape_ctx *c) {
    struct sl_shape dense;
    SL_TRY(read_matrix(&dense, c));
    SL_TRY(check_square(c, dense));
    return sl_infer_set_dims(c, 0, dense.rank - 1, dense.dims);
}

sl_code sl_shape_csr_cholesky(struct sl_shape_ctx *c) {
    struct sl_shape dense, permutation, rows;
    int dtype;
    SL_TRY(read_matrix_at(&dense, &dtype, c, 0));
    SL_TRY(check_square(c, dense));
    SL_TRY(sl_infer_with_rank(&permutation, c, sl_infer_in(c, 1), dense.rank - 1));
    SL_TRY(sl_infer_subshape(&rows, c, dense, 0, -1));
    SL_TRY(sl_infer_merge(&rows, c, rows, permutation));
    return set_matrix_of(c, dtype, dense);
}

sl_code sl_shape_csr_transpose(struct sl_shape_ctx *c) {
    struct sl_shape dense;
    int dtype;
    SL_TRY(read_matrix_at(&dense, &dtype, c, 0));
    int64_t dims[3] = {dense.dims[0], sl_infer_dim(dense, -1), sl_infer_dim(dense, -2)};
    return set_matrix_of(c, dtype, (struct sl_shape){dense.rank, dims + (3 - dense.rank)});
}

sl_code sl_shape_csr_sparse_matmul(struct sl_shape_ctx *c) {
    struct sl_shape a, b, batch_a, batch_b, out;
    bool turn_a, turn_b;
    int dtype, b_dtype;
    int64_t inner;
    SL_TRY(read_matrix_at(&a, &dtype, c, 0));
    SL_TRY(read_matrix_at(&b, &b_dtype, c, 1));
    SL_TRY(read_turn(&turn_a, c, "transpose_a", "adjoint_a"));
    SL_TRY(read_turn(&turn_b, c, "transpose_b", "adjoint_b"));
    SL_TRY(sl_infer_merge_dim(&inner, c, sl_infer_dim(a, turn_a ? -2 : -1), sl_infer_dim(b, turn_b ? -1 : -2)));
    SL_TRY(sl_infer_subshape(&batch_a, c, a, 0, -2));
    SL_TRY(sl_infer_subshape(&batch_b, c, b, 0, -2));
    SL_TRY(sl_infer_merge(&batch_a, c, batch_a, batch_b));
    int64_t dims[2] = {sl_infer_dim(a, turn_a ? -1 : -2), sl_infer_dim(b, turn_b ? -2 : -1)};
    SL_TRY(sl_infer_concat(&out, c, batch_a, (struct sl_shape){2, dims}));
    return set_matrix_of(c, dtype, out);
}
