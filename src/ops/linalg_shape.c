/* Shape functions of decompositions, solvers and diagonals. Matrices are the last two dims, whatever is before them
 * is a batch. */
#include <inttypes.h>

#include "ops/shape_functions.h"

/* ---- square matrices */
SL_SHAPE_RULE(square, "[s...,n,n] -> [s...,n,n]")
SL_SHAPE_RULE(cholesky_grad, "[s...,n,n] * -> [s...,n,n]")
SL_SHAPE_RULE(determinant, "[s...,n,n] -> [s...]")
SL_SHAPE_RULE(log_determinant, "[s...,n,n] -> [s...] [s...]")
SL_SHAPE_RULE(self_adjoint_eig, "[s...,n,n] -> [s...,n+1,n]")
SL_SHAPE_RULE(lu, "[s...,n,n] -> [s...,n,n] [s...,n]")

sl_code sl_shape_eig(struct sl_shape_ctx *c) {
    bool has_vectors;
    SL_TRY(sl_infer_bool(&has_vectors, c, "compute_v"));
    return sl_infer_pattern(c, has_vectors ? "[s...,n,n] -> [s...,n] [s...,n,n]" : "[s...,n,n] -> [s...,n] [0]");
}

/* ---- products of factors of [m, n], p the smaller of the two */
static sl_code set_matrix(struct sl_shape_ctx *c, int o, struct sl_shape batch, int64_t rows, int64_t columns) {
    int64_t dims[2] = {rows, columns}; /* a block's own literal would be gone when `out` is just these two */
    struct sl_shape out;
    SL_TRY(sl_infer_concat(&out, c, batch, (struct sl_shape){2, dims}));
    return sl_infer_set(c, o, out);
}

static int64_t smaller(int64_t m, int64_t n) {
    if (m == 0 || n == 0) return 0;
    return m < 0 || n < 0 ? -1 : m < n ? m : n;
}

static sl_code read_matrix(struct sl_shape *batch, int64_t *m, int64_t *n, struct sl_shape_ctx *c) {
    struct sl_shape in;
    SL_TRY(sl_infer_with_rank_at_least(&in, c, sl_infer_in(c, 0), 2));
    *m = sl_infer_dim(in, -2);
    *n = sl_infer_dim(in, -1);
    return sl_infer_subshape(batch, c, in, 0, -2);
}

sl_code sl_shape_svd(struct sl_shape_ctx *c) {
    struct sl_shape batch, values;
    int64_t m, n;
    bool has_vectors, is_full;
    SL_TRY(sl_infer_bool(&has_vectors, c, "compute_uv"));
    SL_TRY(sl_infer_bool(&is_full, c, "full_matrices"));
    SL_TRY(read_matrix(&batch, &m, &n, c));
    int64_t p = smaller(m, n), none = 0;
    SL_TRY(sl_infer_append(&values, c, batch, p));
    SL_TRY(sl_infer_set(c, 0, values));
    if (!has_vectors) {
        SL_TRY(sl_infer_set_dims(c, 1, 1, &none));
        return sl_infer_set_dims(c, 2, 1, &none);
    }
    SL_TRY(set_matrix(c, 1, batch, m, is_full ? m : p));
    return set_matrix(c, 2, batch, n, is_full ? n : p);
}

sl_code sl_shape_qr(struct sl_shape_ctx *c) {
    struct sl_shape batch;
    int64_t m, n;
    bool is_full;
    SL_TRY(sl_infer_bool(&is_full, c, "full_matrices"));
    SL_TRY(read_matrix(&batch, &m, &n, c));
    int64_t p = smaller(m, n);
    SL_TRY(set_matrix(c, 0, batch, m, is_full ? m : p));
    return set_matrix(c, 1, batch, is_full ? m : p, n);
}

/* ---- solvers */
SL_SHAPE_RULE(matrix_solve, "[s...,n,n] [s...,n,k] -> [s...,n,k]")
SL_SHAPE_RULE(matrix_solve_ls, "[s...,m,n] [s...,m,k] [] -> [s...,n,k]")

/* Batches broadcast; `is_banded`: the matrix is its bands. */
static sl_code triangular_solve(struct sl_shape_ctx *c, bool is_banded) {
    struct sl_shape a, b, batch_a, batch_b, batch;
    int64_t n;
    SL_TRY(sl_infer_with_rank_at_least(&a, c, sl_infer_in(c, 0), 2));
    SL_TRY(sl_infer_with_rank_at_least(&b, c, sl_infer_in(c, 1), 2));
    n = sl_infer_dim(a, -1);
    if (is_banded && n >= 0 && sl_infer_dim(a, -2) > n)
        return sl_infer_fail(c, "Number of bands %" PRId64 " cannot exceed the size of the matrix %" PRId64,
                             sl_infer_dim(a, -2), n);
    if (!is_banded) SL_TRY(sl_infer_merge_dim(&n, c, n, sl_infer_dim(a, -2)));
    SL_TRY(sl_infer_merge_dim(&n, c, n, sl_infer_dim(b, -2)));
    SL_TRY(sl_infer_subshape(&batch_a, c, a, 0, -2));
    SL_TRY(sl_infer_subshape(&batch_b, c, b, 0, -2));
    SL_TRY(sl_infer_broadcast(&batch, c, batch_a, batch_b));
    return set_matrix(c, 0, batch, n, sl_infer_dim(b, -1));
}

sl_code sl_shape_triangular_solve(struct sl_shape_ctx *c) { return triangular_solve(c, false); }
sl_code sl_shape_banded_solve(struct sl_shape_ctx *c) { return triangular_solve(c, true); }

/* Superdiagonal, diagonal, subdiagonal, each [1, m]; what they are multiplied with is [m, n]. The superdiagonal's
 * batch does not count. */
sl_code sl_shape_tridiagonal_matmul(struct sl_shape_ctx *c) {
    struct sl_shape all, lower, rhs, batch, other;
    int64_t n;
    SL_TRY(sl_infer_merge(&lower, c, sl_infer_in(c, 1), sl_infer_in(c, 2)));
    SL_TRY(sl_infer_merge(&all, c, sl_infer_in(c, 0), lower));
    SL_TRY(sl_infer_with_rank_at_least(&all, c, all, 2));
    SL_TRY(sl_infer_with_rank_at_least(&rhs, c, sl_infer_in(c, 3), 2));
    SL_TRY(sl_infer_with_value(&n, c, sl_infer_dim(all, -2), 1));
    SL_TRY(sl_infer_merge_dim(&n, c, sl_infer_dim(all, -1), sl_infer_dim(rhs, -2)));
    SL_TRY(sl_infer_subshape(&batch, c, lower, 0, -2));
    SL_TRY(sl_infer_subshape(&other, c, rhs, 0, -2));
    SL_TRY(sl_infer_merge(&batch, c, batch, other));
    return sl_infer_set(c, 0, rhs);
}

SL_SHAPE_RULE(tridiagonal_solve, "[s...,3,m] [s...,m,n] -> $1")

/* ---- diagonals */
SL_SHAPE_RULE(matrix_diag, "[s...,n] -> [s...,n,n]")

/* Vectors of three; their shape is not made more precise by that. */
sl_code sl_shape_cross(struct sl_shape_ctx *c) {
    struct sl_shape s;
    int64_t three;
    SL_TRY(sl_infer_merge(&s, c, sl_infer_in(c, 0), sl_infer_in(c, 1)));
    SL_TRY(sl_infer_with_rank_at_least(&s, c, s, 1));
    SL_TRY(sl_infer_with_value(&three, c, sl_infer_dim(s, -1), 3));
    return sl_infer_set(c, 0, s);
}

sl_code sl_shape_diag(struct sl_shape_ctx *c) {
    struct sl_shape in, out;
    SL_TRY(sl_infer_with_rank_at_least(&in, c, sl_infer_in(c, 0), 1));
    SL_TRY(sl_infer_concat(&out, c, in, in));
    return sl_infer_set(c, 0, out);
}

sl_code sl_shape_diag_part(struct sl_shape_ctx *c) {
    struct sl_shape in = sl_infer_in(c, 0), first, second;
    if (in.rank < 0) return SL_OK;
    if (in.rank == 0 || in.rank % 2 != 0)
        return sl_infer_fail(c, "Input must have even and non-zero rank, input rank is %d", in.rank);
    SL_TRY(sl_infer_subshape(&first, c, in, 0, in.rank / 2));
    SL_TRY(sl_infer_subshape(&second, c, in, in.rank / 2, INT64_MAX));
    SL_TRY(sl_infer_merge(&first, c, first, second));
    return sl_infer_set(c, 0, first);
}

sl_code sl_shape_matrix_diag_part(struct sl_shape_ctx *c) {
    struct sl_shape batch, out;
    int64_t m, n;
    SL_TRY(read_matrix(&batch, &m, &n, c));
    SL_TRY(sl_infer_append(&out, c, batch, smaller(m, n)));
    return sl_infer_set(c, 0, out);
}

/* What the diagonal knows of the batch, when the input does not know all. When the input's rank is known, a band of
 * diagonals is taken for more batch; such inputs fail. */
static sl_code with_diagonal(struct sl_shape *in, struct sl_shape_ctx *c, struct sl_shape diagonal, bool has_many) {
    struct sl_shape batch, all;
    if (sl_infer_in(c, 1).rank < 0 || sl_shape_is_known(*in)) return SL_OK;
    SL_TRY(sl_infer_subshape(&batch, c, diagonal, 0, has_many && in->rank < 0 ? -2 : -1));
    SL_TRY(sl_infer_concat(&all, c, batch, sl_infer_unknown_of_rank(c, 2)));
    return sl_infer_merge(in, c, *in, all);
}

sl_code sl_shape_matrix_set_diag(struct sl_shape_ctx *c) {
    struct sl_shape in, diagonal;
    int64_t length;
    SL_TRY(sl_infer_with_rank_at_least(&in, c, sl_infer_in(c, 0), 2));
    SL_TRY(sl_infer_with_rank_at_least(&diagonal, c, sl_infer_in(c, 1), 1));
    if (in.rank >= 0) SL_TRY(sl_infer_with_rank(&diagonal, c, diagonal, in.rank - 1));
    SL_TRY(sl_infer_merge_dim(&length, c, smaller(sl_infer_dim(in, -2), sl_infer_dim(in, -1)),
                              sl_infer_dim(diagonal, -1)));
    SL_TRY(with_diagonal(&in, c, diagonal, false));
    return sl_infer_set(c, 0, in);
}

/* ---- bands of diagonals: k is one diagonal or the lowest and the highest */
struct band {
    bool is_known;
    int64_t low, high;
};

static sl_code read_band(struct band *b, struct sl_shape_ctx *c, int at) {
    struct sl_shape k;
    const int64_t *values;
    int64_t n;
    *b = (struct band){.is_known = false};
    SL_TRY(sl_infer_with_rank_at_most(&k, c, sl_infer_in(c, at), 1));
    if (!sl_infer_constant_ints(&values, &n, c, at)) return SL_OK;
    if (n < 1 || n > 2)
        return sl_infer_fail(c, "diag_index must be a vector with one or two elements. It has %" PRId64 " elements.",
                             n);
    *b = (struct band){true, values[0], values[n - 1]};
    if (b->low > b->high)
        return sl_infer_fail(c,
                             "lower_diag_index (%" PRId64 ") must not be larger than upper_diag_index (%" PRId64 ").",
                             b->low, b->high);
    return SL_OK;
}

/* Elements of the longest diagonal of the band in a matrix of [rows, columns]. */
static int64_t longest(const struct band *b, int64_t rows, int64_t columns) {
    if (rows < 0 || columns < 0) return -1;
    int64_t below = rows + (b->high < 0 ? b->high : 0), right = columns - (b->low > 0 ? b->low : 0);
    return below < right ? below : right;
}

static sl_code check_band(struct sl_shape_ctx *c, const struct band *b, int64_t rows, int64_t columns) {
    if (rows >= 0 && columns >= 0) {
        for (int k = 0; k < 2; k++) {
            int64_t d = k ? b->high : b->low;
            if (d != 0 && (d <= -rows || d >= columns))
                return sl_infer_fail(c, "%s_diag_index is out of bound: %" PRId64 " not in (-%" PRId64 ", %" PRId64 ")",
                                     k ? "upper" : "lower", d, rows, columns);
        }
    }
    return SL_OK;
}

sl_code sl_shape_matrix_diag_part_v2(struct sl_shape_ctx *c) {
    struct sl_shape in, batch, out;
    struct band band;
    SL_TRY(sl_infer_with_rank_at_least(&in, c, sl_infer_in(c, 0), 2));
    SL_TRY(sl_infer_check_scalars(c, 2, 1));
    if (in.rank < 0) return SL_OK;
    SL_TRY(read_band(&band, c, 1));
    if (!band.is_known) return SL_OK;
    int64_t rows = in.dims[in.rank - 2], columns = in.dims[in.rank - 1];
    SL_TRY(check_band(c, &band, rows, columns));
    SL_TRY(sl_infer_subshape(&batch, c, in, 0, -2));
    if (band.high > band.low) SL_TRY(sl_infer_append(&batch, c, batch, band.high - band.low + 1));
    SL_TRY(sl_infer_append(&out, c, batch, longest(&band, rows, columns)));
    return sl_infer_set(c, 0, out);
}

sl_code sl_shape_matrix_diag_v2(struct sl_shape_ctx *c) {
    struct sl_shape diagonal, batch;
    struct band band;
    int64_t rows = -1, columns = -1;
    SL_TRY(sl_infer_with_rank_at_least(&diagonal, c, sl_infer_in(c, 0), 1));
    SL_TRY(sl_infer_check_scalars(c, 2, 3));
    if (diagonal.rank < 0) return SL_OK;
    SL_TRY(read_band(&band, c, 1));
    if (!band.is_known) return SL_OK;
    bool has_many = band.high > band.low;
    SL_TRY(sl_infer_with_rank_at_least(&diagonal, c, diagonal, has_many ? 2 : 1));
    if (has_many &&
        sl_infer_dim(diagonal, -2) != band.high - band.low + 1) /* an unknown number does not match either */
        return sl_infer_fail(c,
                             "The number of rows of `diagonal` doesn't match the number of diagonals implied from "
                             "`d_lower` and `d_upper`.\nnum_diags = %" PRId64 ", d_lower = %" PRId64
                             ", d_upper = %" PRId64,
                             sl_infer_dim(diagonal, -2), band.low, band.high);
    (void)sl_infer_constant_int(&rows, c, 2); /* not known is as not given */
    (void)sl_infer_constant_int(&columns, c, 3);
    int64_t length = diagonal.dims[diagonal.rank - 1];
    SL_TRY(sl_infer_subshape(&batch, c, diagonal, 0, has_many ? -2 : -1));
    if (length > INT32_MAX) return sl_infer_fail(c, "diagonal is too long: %" PRId64, length);
    int64_t least_rows = length - (band.high < 0 ? band.high : 0), /* band limits are 32-bit numbers */
        least_columns = length + (band.low > 0 ? band.low : 0);
    if (rows == -1 && columns == -1) rows = columns = least_rows > least_columns ? least_rows : least_columns;
    if (rows == -1) rows = least_rows;
    else if (rows < least_rows) return sl_infer_fail(c, "num_rows %" PRId64 " is too small", rows);
    if (columns == -1) columns = least_columns;
    else if (columns < least_columns) return sl_infer_fail(c, "num_cols %" PRId64 " is too small.", columns);
    if (rows != least_rows && columns != least_columns)
        return sl_infer_fail(
            c,
            "num_rows and num_cols are not consistent with lower_diag_index, upper_diag_index, and the "
            "length of the given diagonals.\nnum_rows = %" PRId64 " != min_num_rows = %" PRId64 ", num_cols = %" PRId64
            " != min_num_cols = %" PRId64,
            rows, least_rows, columns, least_columns);
    return set_matrix(c, 0, batch, rows, columns);
}

sl_code sl_shape_matrix_set_diag_v2(struct sl_shape_ctx *c) {
    struct sl_shape in, diagonal;
    struct band band;
    SL_TRY(sl_infer_with_rank_at_least(&in, c, sl_infer_in(c, 0), 2));
    SL_TRY(sl_infer_with_rank_at_least(&diagonal, c, sl_infer_in(c, 1), 1));
    SL_TRY(read_band(&band, c, 2));
    if (in.rank >= 0) {
        if (band.is_known) {
            SL_TRY(sl_infer_with_rank(&diagonal, c, diagonal, in.rank - (band.low == band.high)));
            SL_TRY(check_band(c, &band, in.dims[in.rank - 2], in.dims[in.rank - 1]));
        } else {
            SL_TRY(sl_infer_with_rank_at_least(&diagonal, c, diagonal, in.rank - 1));
            SL_TRY(sl_infer_with_rank_at_most(&diagonal, c, diagonal, in.rank));
        }
    }
    SL_TRY(with_diagonal(&in, c, diagonal, band.is_known && band.low < band.high));
    return sl_infer_set(c, 0, in);
}
