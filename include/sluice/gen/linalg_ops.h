/* Wrappers of the linalg ops, made by tools/gen_ops.py from src/ops/linalg.def; see sluice/ops.h. */
#ifndef SLUICE_GEN_LINALG_OPS_H
#define SLUICE_GEN_LINALG_OPS_H

#include "sluice/scope.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sl_banded_triangular_solve_attrs {
    enum sl_choice lower; /* true */
    bool adjoint; /* false */
};
/* BandedTriangularSolve: matrix: T, rhs: T -> output: T */
static inline TF_Output sl_banded_triangular_solve_with(struct sl_scope *scope, TF_Output matrix, TF_Output rhs, struct sl_banded_triangular_solve_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&matrix, -1}, {&rhs, -1}};
    const struct sl_attr_given attrs_[] = {{"lower", SL_GIVEN_CHOICE, &attrs.lower}, {"adjoint", SL_GIVEN_BOOL, &attrs.adjoint}};
    return sl_op_first(sl_op(scope, "BandedTriangularSolve", inputs_, 2, attrs_, 2));
}
static inline TF_Output sl_banded_triangular_solve(struct sl_scope *scope, TF_Output matrix, TF_Output rhs) {
    const struct sl_banded_triangular_solve_attrs attrs = SL_DEFAULTS;
    return sl_banded_triangular_solve_with(scope, matrix, rhs, attrs);
}

/* BatchCholesky: input: T -> output: T */
static inline TF_Output sl_batch_cholesky(struct sl_scope *scope, TF_Output input) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    return sl_op_first(sl_op(scope, "BatchCholesky", inputs_, 1, NULL, 0));
}

/* BatchCholeskyGrad: l: T, grad: T -> output: T */
static inline TF_Output sl_batch_cholesky_grad(struct sl_scope *scope, TF_Output l, TF_Output grad) {
    const struct sl_op_input inputs_[] = {{&l, -1}, {&grad, -1}};
    return sl_op_first(sl_op(scope, "BatchCholeskyGrad", inputs_, 2, NULL, 0));
}

/* BatchMatrixBandPart: input: T, num_lower: int64, num_upper: int64 -> band: T */
static inline TF_Output sl_batch_matrix_band_part(struct sl_scope *scope, TF_Output input, TF_Output num_lower, TF_Output num_upper) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&num_lower, -1}, {&num_upper, -1}};
    return sl_op_first(sl_op(scope, "BatchMatrixBandPart", inputs_, 3, NULL, 0));
}

/* BatchMatrixDeterminant: input: T -> output: T */
static inline TF_Output sl_batch_matrix_determinant(struct sl_scope *scope, TF_Output input) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    return sl_op_first(sl_op(scope, "BatchMatrixDeterminant", inputs_, 1, NULL, 0));
}

/* BatchMatrixDiag: diagonal: T -> output: T */
static inline TF_Output sl_batch_matrix_diag(struct sl_scope *scope, TF_Output diagonal) {
    const struct sl_op_input inputs_[] = {{&diagonal, -1}};
    return sl_op_first(sl_op(scope, "BatchMatrixDiag", inputs_, 1, NULL, 0));
}

/* BatchMatrixDiagPart: input: T -> diagonal: T */
static inline TF_Output sl_batch_matrix_diag_part(struct sl_scope *scope, TF_Output input) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    return sl_op_first(sl_op(scope, "BatchMatrixDiagPart", inputs_, 1, NULL, 0));
}

struct sl_batch_matrix_inverse_attrs {
    bool adjoint; /* false */
};
/* BatchMatrixInverse: input: T -> output: T */
static inline TF_Output sl_batch_matrix_inverse_with(struct sl_scope *scope, TF_Output input, struct sl_batch_matrix_inverse_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    const struct sl_attr_given attrs_[] = {{"adjoint", SL_GIVEN_BOOL, &attrs.adjoint}};
    return sl_op_first(sl_op(scope, "BatchMatrixInverse", inputs_, 1, attrs_, 1));
}
static inline TF_Output sl_batch_matrix_inverse(struct sl_scope *scope, TF_Output input) {
    const struct sl_batch_matrix_inverse_attrs attrs = SL_DEFAULTS;
    return sl_batch_matrix_inverse_with(scope, input, attrs);
}

/* BatchMatrixSetDiag: input: T, diagonal: T -> output: T */
static inline TF_Output sl_batch_matrix_set_diag(struct sl_scope *scope, TF_Output input, TF_Output diagonal) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&diagonal, -1}};
    return sl_op_first(sl_op(scope, "BatchMatrixSetDiag", inputs_, 2, NULL, 0));
}

struct sl_batch_matrix_solve_attrs {
    bool adjoint; /* false */
};
/* BatchMatrixSolve: matrix: T, rhs: T -> output: T */
static inline TF_Output sl_batch_matrix_solve_with(struct sl_scope *scope, TF_Output matrix, TF_Output rhs, struct sl_batch_matrix_solve_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&matrix, -1}, {&rhs, -1}};
    const struct sl_attr_given attrs_[] = {{"adjoint", SL_GIVEN_BOOL, &attrs.adjoint}};
    return sl_op_first(sl_op(scope, "BatchMatrixSolve", inputs_, 2, attrs_, 1));
}
static inline TF_Output sl_batch_matrix_solve(struct sl_scope *scope, TF_Output matrix, TF_Output rhs) {
    const struct sl_batch_matrix_solve_attrs attrs = SL_DEFAULTS;
    return sl_batch_matrix_solve_with(scope, matrix, rhs, attrs);
}

struct sl_batch_matrix_solve_ls_attrs {
    enum sl_choice fast; /* true */
};
/* BatchMatrixSolveLs: matrix: T, rhs: T, l2_regularizer: double -> output: T */
static inline TF_Output sl_batch_matrix_solve_ls_with(struct sl_scope *scope, TF_Output matrix, TF_Output rhs, TF_Output l2_regularizer, struct sl_batch_matrix_solve_ls_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&matrix, -1}, {&rhs, -1}, {&l2_regularizer, -1}};
    const struct sl_attr_given attrs_[] = {{"fast", SL_GIVEN_CHOICE, &attrs.fast}};
    return sl_op_first(sl_op(scope, "BatchMatrixSolveLs", inputs_, 3, attrs_, 1));
}
static inline TF_Output sl_batch_matrix_solve_ls(struct sl_scope *scope, TF_Output matrix, TF_Output rhs, TF_Output l2_regularizer) {
    const struct sl_batch_matrix_solve_ls_attrs attrs = SL_DEFAULTS;
    return sl_batch_matrix_solve_ls_with(scope, matrix, rhs, l2_regularizer, attrs);
}

struct sl_batch_matrix_triangular_solve_attrs {
    enum sl_choice lower; /* true */
    bool adjoint; /* false */
};
/* BatchMatrixTriangularSolve: matrix: T, rhs: T -> output: T */
static inline TF_Output sl_batch_matrix_triangular_solve_with(struct sl_scope *scope, TF_Output matrix, TF_Output rhs, struct sl_batch_matrix_triangular_solve_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&matrix, -1}, {&rhs, -1}};
    const struct sl_attr_given attrs_[] = {{"lower", SL_GIVEN_CHOICE, &attrs.lower}, {"adjoint", SL_GIVEN_BOOL, &attrs.adjoint}};
    return sl_op_first(sl_op(scope, "BatchMatrixTriangularSolve", inputs_, 2, attrs_, 2));
}
static inline TF_Output sl_batch_matrix_triangular_solve(struct sl_scope *scope, TF_Output matrix, TF_Output rhs) {
    const struct sl_batch_matrix_triangular_solve_attrs attrs = SL_DEFAULTS;
    return sl_batch_matrix_triangular_solve_with(scope, matrix, rhs, attrs);
}

/* BatchSelfAdjointEig: input: T -> output: T */
static inline TF_Output sl_batch_self_adjoint_eig(struct sl_scope *scope, TF_Output input) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    return sl_op_first(sl_op(scope, "BatchSelfAdjointEig", inputs_, 1, NULL, 0));
}

struct sl_batch_self_adjoint_eig_v2_outputs {
    TF_Output e, v;
};
struct sl_batch_self_adjoint_eig_v2_attrs {
    enum sl_choice compute_v; /* true */
};
/* BatchSelfAdjointEigV2: input: T -> e: T, v: T */
static inline struct sl_batch_self_adjoint_eig_v2_outputs sl_batch_self_adjoint_eig_v2_with(struct sl_scope *scope, TF_Output input, struct sl_batch_self_adjoint_eig_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    const struct sl_attr_given attrs_[] = {{"compute_v", SL_GIVEN_CHOICE, &attrs.compute_v}};
    TF_Operation *const op_ = sl_op(scope, "BatchSelfAdjointEigV2", inputs_, 1, attrs_, 1);
    const struct sl_batch_self_adjoint_eig_v2_outputs outputs_ = {{op_, 0}, {op_, 1}};
    return outputs_;
}
static inline struct sl_batch_self_adjoint_eig_v2_outputs sl_batch_self_adjoint_eig_v2(struct sl_scope *scope, TF_Output input) {
    const struct sl_batch_self_adjoint_eig_v2_attrs attrs = SL_DEFAULTS;
    return sl_batch_self_adjoint_eig_v2_with(scope, input, attrs);
}

struct sl_batch_svd_outputs {
    TF_Output s, u, v;
};
struct sl_batch_svd_attrs {
    enum sl_choice compute_uv; /* true */
    bool full_matrices; /* false */
};
/* BatchSvd: input: T -> s: T, u: T, v: T */
static inline struct sl_batch_svd_outputs sl_batch_svd_with(struct sl_scope *scope, TF_Output input, struct sl_batch_svd_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    const struct sl_attr_given attrs_[] = {{"compute_uv", SL_GIVEN_CHOICE, &attrs.compute_uv}, {"full_matrices", SL_GIVEN_BOOL, &attrs.full_matrices}};
    TF_Operation *const op_ = sl_op(scope, "BatchSvd", inputs_, 1, attrs_, 2);
    const struct sl_batch_svd_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}
static inline struct sl_batch_svd_outputs sl_batch_svd(struct sl_scope *scope, TF_Output input) {
    const struct sl_batch_svd_attrs attrs = SL_DEFAULTS;
    return sl_batch_svd_with(scope, input, attrs);
}

/* Cholesky: input: T -> output: T */
static inline TF_Output sl_cholesky(struct sl_scope *scope, TF_Output input) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    return sl_op_first(sl_op(scope, "Cholesky", inputs_, 1, NULL, 0));
}

/* CholeskyGrad: l: T, grad: T -> output: T */
static inline TF_Output sl_cholesky_grad(struct sl_scope *scope, TF_Output l, TF_Output grad) {
    const struct sl_op_input inputs_[] = {{&l, -1}, {&grad, -1}};
    return sl_op_first(sl_op(scope, "CholeskyGrad", inputs_, 2, NULL, 0));
}

/* Cross: a: T, b: T -> product: T */
static inline TF_Output sl_cross(struct sl_scope *scope, TF_Output a, TF_Output b) {
    const struct sl_op_input inputs_[] = {{&a, -1}, {&b, -1}};
    return sl_op_first(sl_op(scope, "Cross", inputs_, 2, NULL, 0));
}

/* Diag: diagonal: T -> output: T */
static inline TF_Output sl_diag(struct sl_scope *scope, TF_Output diagonal) {
    const struct sl_op_input inputs_[] = {{&diagonal, -1}};
    return sl_op_first(sl_op(scope, "Diag", inputs_, 1, NULL, 0));
}

/* DiagPart: input: T -> diagonal: T */
static inline TF_Output sl_diag_part(struct sl_scope *scope, TF_Output input) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    return sl_op_first(sl_op(scope, "DiagPart", inputs_, 1, NULL, 0));
}

struct sl_eig_outputs {
    TF_Output e, v;
};
struct sl_eig_attrs {
    enum sl_choice compute_v; /* true */
    TF_DataType Tout; /* must be given */
};
/* Eig: input: T -> e: Tout, v: Tout */
static inline struct sl_eig_outputs sl_eig(struct sl_scope *scope, TF_Output input, struct sl_eig_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    const struct sl_attr_given attrs_[] = {{"compute_v", SL_GIVEN_CHOICE, &attrs.compute_v}, {"Tout", SL_GIVEN_TYPE, &attrs.Tout}};
    TF_Operation *const op_ = sl_op(scope, "Eig", inputs_, 1, attrs_, 2);
    const struct sl_eig_outputs outputs_ = {{op_, 0}, {op_, 1}};
    return outputs_;
}

struct sl_log_matrix_determinant_outputs {
    TF_Output sign, log_abs_determinant;
};
/* LogMatrixDeterminant: input: T -> sign: T, log_abs_determinant: T */
static inline struct sl_log_matrix_determinant_outputs sl_log_matrix_determinant(struct sl_scope *scope, TF_Output input) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    TF_Operation *const op_ = sl_op(scope, "LogMatrixDeterminant", inputs_, 1, NULL, 0);
    const struct sl_log_matrix_determinant_outputs outputs_ = {{op_, 0}, {op_, 1}};
    return outputs_;
}

struct sl_lu_outputs {
    TF_Output lu, p;
};
struct sl_lu_attrs {
    TF_DataType output_idx_type; /* DT_INT32 */
};
/* Lu: input: T -> lu: T, p: output_idx_type */
static inline struct sl_lu_outputs sl_lu_with(struct sl_scope *scope, TF_Output input, struct sl_lu_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    const struct sl_attr_given attrs_[] = {{"output_idx_type", SL_GIVEN_TYPE, &attrs.output_idx_type}};
    TF_Operation *const op_ = sl_op(scope, "Lu", inputs_, 1, attrs_, 1);
    const struct sl_lu_outputs outputs_ = {{op_, 0}, {op_, 1}};
    return outputs_;
}
static inline struct sl_lu_outputs sl_lu(struct sl_scope *scope, TF_Output input) {
    const struct sl_lu_attrs attrs = SL_DEFAULTS;
    return sl_lu_with(scope, input, attrs);
}

/* MatrixBandPart: input: T, num_lower: Tindex, num_upper: Tindex -> band: T */
static inline TF_Output sl_matrix_band_part(struct sl_scope *scope, TF_Output input, TF_Output num_lower, TF_Output num_upper) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&num_lower, -1}, {&num_upper, -1}};
    return sl_op_first(sl_op(scope, "MatrixBandPart", inputs_, 3, NULL, 0));
}

/* MatrixDeterminant: input: T -> output: T */
static inline TF_Output sl_matrix_determinant(struct sl_scope *scope, TF_Output input) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    return sl_op_first(sl_op(scope, "MatrixDeterminant", inputs_, 1, NULL, 0));
}

/* MatrixDiag: diagonal: T -> output: T */
static inline TF_Output sl_matrix_diag(struct sl_scope *scope, TF_Output diagonal) {
    const struct sl_op_input inputs_[] = {{&diagonal, -1}};
    return sl_op_first(sl_op(scope, "MatrixDiag", inputs_, 1, NULL, 0));
}

/* MatrixDiagPart: input: T -> diagonal: T */
static inline TF_Output sl_matrix_diag_part(struct sl_scope *scope, TF_Output input) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    return sl_op_first(sl_op(scope, "MatrixDiagPart", inputs_, 1, NULL, 0));
}

/* MatrixDiagPartV2: input: T, k: int32, padding_value: T -> diagonal: T */
static inline TF_Output sl_matrix_diag_part_v2(struct sl_scope *scope, TF_Output input, TF_Output k, TF_Output padding_value) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&k, -1}, {&padding_value, -1}};
    return sl_op_first(sl_op(scope, "MatrixDiagPartV2", inputs_, 3, NULL, 0));
}

struct sl_matrix_diag_part_v3_attrs {
    const char *align; /* 'RIGHT_LEFT' */
};
/* MatrixDiagPartV3: input: T, k: int32, padding_value: T -> diagonal: T */
static inline TF_Output sl_matrix_diag_part_v3_with(struct sl_scope *scope, TF_Output input, TF_Output k, TF_Output padding_value, struct sl_matrix_diag_part_v3_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&k, -1}, {&padding_value, -1}};
    const struct sl_attr_given attrs_[] = {{"align", SL_GIVEN_STRING, &attrs.align}};
    return sl_op_first(sl_op(scope, "MatrixDiagPartV3", inputs_, 3, attrs_, 1));
}
static inline TF_Output sl_matrix_diag_part_v3(struct sl_scope *scope, TF_Output input, TF_Output k, TF_Output padding_value) {
    const struct sl_matrix_diag_part_v3_attrs attrs = SL_DEFAULTS;
    return sl_matrix_diag_part_v3_with(scope, input, k, padding_value, attrs);
}

/* MatrixDiagV2: diagonal: T, k: int32, num_rows: int32, num_cols: int32, padding_value: T -> output: T */
static inline TF_Output sl_matrix_diag_v2(struct sl_scope *scope, TF_Output diagonal, TF_Output k, TF_Output num_rows, TF_Output num_cols, TF_Output padding_value) {
    const struct sl_op_input inputs_[] = {{&diagonal, -1}, {&k, -1}, {&num_rows, -1}, {&num_cols, -1}, {&padding_value, -1}};
    return sl_op_first(sl_op(scope, "MatrixDiagV2", inputs_, 5, NULL, 0));
}

struct sl_matrix_diag_v3_attrs {
    const char *align; /* 'RIGHT_LEFT' */
};
/* MatrixDiagV3: diagonal: T, k: int32, num_rows: int32, num_cols: int32, padding_value: T -> output: T */
static inline TF_Output sl_matrix_diag_v3_with(struct sl_scope *scope, TF_Output diagonal, TF_Output k, TF_Output num_rows, TF_Output num_cols, TF_Output padding_value, struct sl_matrix_diag_v3_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&diagonal, -1}, {&k, -1}, {&num_rows, -1}, {&num_cols, -1}, {&padding_value, -1}};
    const struct sl_attr_given attrs_[] = {{"align", SL_GIVEN_STRING, &attrs.align}};
    return sl_op_first(sl_op(scope, "MatrixDiagV3", inputs_, 5, attrs_, 1));
}
static inline TF_Output sl_matrix_diag_v3(struct sl_scope *scope, TF_Output diagonal, TF_Output k, TF_Output num_rows, TF_Output num_cols, TF_Output padding_value) {
    const struct sl_matrix_diag_v3_attrs attrs = SL_DEFAULTS;
    return sl_matrix_diag_v3_with(scope, diagonal, k, num_rows, num_cols, padding_value, attrs);
}

/* MatrixExponential: input: T -> output: T */
static inline TF_Output sl_matrix_exponential(struct sl_scope *scope, TF_Output input) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    return sl_op_first(sl_op(scope, "MatrixExponential", inputs_, 1, NULL, 0));
}

struct sl_matrix_inverse_attrs {
    bool adjoint; /* false */
};
/* MatrixInverse: input: T -> output: T */
static inline TF_Output sl_matrix_inverse_with(struct sl_scope *scope, TF_Output input, struct sl_matrix_inverse_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    const struct sl_attr_given attrs_[] = {{"adjoint", SL_GIVEN_BOOL, &attrs.adjoint}};
    return sl_op_first(sl_op(scope, "MatrixInverse", inputs_, 1, attrs_, 1));
}
static inline TF_Output sl_matrix_inverse(struct sl_scope *scope, TF_Output input) {
    const struct sl_matrix_inverse_attrs attrs = SL_DEFAULTS;
    return sl_matrix_inverse_with(scope, input, attrs);
}

/* MatrixLogarithm: input: T -> output: T */
static inline TF_Output sl_matrix_logarithm(struct sl_scope *scope, TF_Output input) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    return sl_op_first(sl_op(scope, "MatrixLogarithm", inputs_, 1, NULL, 0));
}

/* MatrixSetDiag: input: T, diagonal: T -> output: T */
static inline TF_Output sl_matrix_set_diag(struct sl_scope *scope, TF_Output input, TF_Output diagonal) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&diagonal, -1}};
    return sl_op_first(sl_op(scope, "MatrixSetDiag", inputs_, 2, NULL, 0));
}

/* MatrixSetDiagV2: input: T, diagonal: T, k: int32 -> output: T */
static inline TF_Output sl_matrix_set_diag_v2(struct sl_scope *scope, TF_Output input, TF_Output diagonal, TF_Output k) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&diagonal, -1}, {&k, -1}};
    return sl_op_first(sl_op(scope, "MatrixSetDiagV2", inputs_, 3, NULL, 0));
}

struct sl_matrix_set_diag_v3_attrs {
    const char *align; /* 'RIGHT_LEFT' */
};
/* MatrixSetDiagV3: input: T, diagonal: T, k: int32 -> output: T */
static inline TF_Output sl_matrix_set_diag_v3_with(struct sl_scope *scope, TF_Output input, TF_Output diagonal, TF_Output k, struct sl_matrix_set_diag_v3_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&diagonal, -1}, {&k, -1}};
    const struct sl_attr_given attrs_[] = {{"align", SL_GIVEN_STRING, &attrs.align}};
    return sl_op_first(sl_op(scope, "MatrixSetDiagV3", inputs_, 3, attrs_, 1));
}
static inline TF_Output sl_matrix_set_diag_v3(struct sl_scope *scope, TF_Output input, TF_Output diagonal, TF_Output k) {
    const struct sl_matrix_set_diag_v3_attrs attrs = SL_DEFAULTS;
    return sl_matrix_set_diag_v3_with(scope, input, diagonal, k, attrs);
}

struct sl_matrix_solve_attrs {
    bool adjoint; /* false */
};
/* MatrixSolve: matrix: T, rhs: T -> output: T */
static inline TF_Output sl_matrix_solve_with(struct sl_scope *scope, TF_Output matrix, TF_Output rhs, struct sl_matrix_solve_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&matrix, -1}, {&rhs, -1}};
    const struct sl_attr_given attrs_[] = {{"adjoint", SL_GIVEN_BOOL, &attrs.adjoint}};
    return sl_op_first(sl_op(scope, "MatrixSolve", inputs_, 2, attrs_, 1));
}
static inline TF_Output sl_matrix_solve(struct sl_scope *scope, TF_Output matrix, TF_Output rhs) {
    const struct sl_matrix_solve_attrs attrs = SL_DEFAULTS;
    return sl_matrix_solve_with(scope, matrix, rhs, attrs);
}

struct sl_matrix_solve_ls_attrs {
    enum sl_choice fast; /* true */
};
/* MatrixSolveLs: matrix: T, rhs: T, l2_regularizer: double -> output: T */
static inline TF_Output sl_matrix_solve_ls_with(struct sl_scope *scope, TF_Output matrix, TF_Output rhs, TF_Output l2_regularizer, struct sl_matrix_solve_ls_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&matrix, -1}, {&rhs, -1}, {&l2_regularizer, -1}};
    const struct sl_attr_given attrs_[] = {{"fast", SL_GIVEN_CHOICE, &attrs.fast}};
    return sl_op_first(sl_op(scope, "MatrixSolveLs", inputs_, 3, attrs_, 1));
}
static inline TF_Output sl_matrix_solve_ls(struct sl_scope *scope, TF_Output matrix, TF_Output rhs, TF_Output l2_regularizer) {
    const struct sl_matrix_solve_ls_attrs attrs = SL_DEFAULTS;
    return sl_matrix_solve_ls_with(scope, matrix, rhs, l2_regularizer, attrs);
}

/* MatrixSquareRoot: input: T -> output: T */
static inline TF_Output sl_matrix_square_root(struct sl_scope *scope, TF_Output input) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    return sl_op_first(sl_op(scope, "MatrixSquareRoot", inputs_, 1, NULL, 0));
}

struct sl_matrix_triangular_solve_attrs {
    enum sl_choice lower; /* true */
    bool adjoint; /* false */
};
/* MatrixTriangularSolve: matrix: T, rhs: T -> output: T */
static inline TF_Output sl_matrix_triangular_solve_with(struct sl_scope *scope, TF_Output matrix, TF_Output rhs, struct sl_matrix_triangular_solve_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&matrix, -1}, {&rhs, -1}};
    const struct sl_attr_given attrs_[] = {{"lower", SL_GIVEN_CHOICE, &attrs.lower}, {"adjoint", SL_GIVEN_BOOL, &attrs.adjoint}};
    return sl_op_first(sl_op(scope, "MatrixTriangularSolve", inputs_, 2, attrs_, 2));
}
static inline TF_Output sl_matrix_triangular_solve(struct sl_scope *scope, TF_Output matrix, TF_Output rhs) {
    const struct sl_matrix_triangular_solve_attrs attrs = SL_DEFAULTS;
    return sl_matrix_triangular_solve_with(scope, matrix, rhs, attrs);
}

struct sl_qr_outputs {
    TF_Output q, r;
};
struct sl_qr_attrs {
    bool full_matrices; /* false */
};
/* Qr: input: T -> q: T, r: T */
static inline struct sl_qr_outputs sl_qr_with(struct sl_scope *scope, TF_Output input, struct sl_qr_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    const struct sl_attr_given attrs_[] = {{"full_matrices", SL_GIVEN_BOOL, &attrs.full_matrices}};
    TF_Operation *const op_ = sl_op(scope, "Qr", inputs_, 1, attrs_, 1);
    const struct sl_qr_outputs outputs_ = {{op_, 0}, {op_, 1}};
    return outputs_;
}
static inline struct sl_qr_outputs sl_qr(struct sl_scope *scope, TF_Output input) {
    const struct sl_qr_attrs attrs = SL_DEFAULTS;
    return sl_qr_with(scope, input, attrs);
}

/* SelfAdjointEig: input: T -> output: T */
static inline TF_Output sl_self_adjoint_eig(struct sl_scope *scope, TF_Output input) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    return sl_op_first(sl_op(scope, "SelfAdjointEig", inputs_, 1, NULL, 0));
}

struct sl_self_adjoint_eig_v2_outputs {
    TF_Output e, v;
};
struct sl_self_adjoint_eig_v2_attrs {
    enum sl_choice compute_v; /* true */
};
/* SelfAdjointEigV2: input: T -> e: T, v: T */
static inline struct sl_self_adjoint_eig_v2_outputs sl_self_adjoint_eig_v2_with(struct sl_scope *scope, TF_Output input, struct sl_self_adjoint_eig_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    const struct sl_attr_given attrs_[] = {{"compute_v", SL_GIVEN_CHOICE, &attrs.compute_v}};
    TF_Operation *const op_ = sl_op(scope, "SelfAdjointEigV2", inputs_, 1, attrs_, 1);
    const struct sl_self_adjoint_eig_v2_outputs outputs_ = {{op_, 0}, {op_, 1}};
    return outputs_;
}
static inline struct sl_self_adjoint_eig_v2_outputs sl_self_adjoint_eig_v2(struct sl_scope *scope, TF_Output input) {
    const struct sl_self_adjoint_eig_v2_attrs attrs = SL_DEFAULTS;
    return sl_self_adjoint_eig_v2_with(scope, input, attrs);
}

struct sl_svd_outputs {
    TF_Output s, u, v;
};
struct sl_svd_attrs {
    enum sl_choice compute_uv; /* true */
    bool full_matrices; /* false */
};
/* Svd: input: T -> s: T, u: T, v: T */
static inline struct sl_svd_outputs sl_svd_with(struct sl_scope *scope, TF_Output input, struct sl_svd_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    const struct sl_attr_given attrs_[] = {{"compute_uv", SL_GIVEN_CHOICE, &attrs.compute_uv}, {"full_matrices", SL_GIVEN_BOOL, &attrs.full_matrices}};
    TF_Operation *const op_ = sl_op(scope, "Svd", inputs_, 1, attrs_, 2);
    const struct sl_svd_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}
static inline struct sl_svd_outputs sl_svd(struct sl_scope *scope, TF_Output input) {
    const struct sl_svd_attrs attrs = SL_DEFAULTS;
    return sl_svd_with(scope, input, attrs);
}

/* TridiagonalMatMul: superdiag: T, maindiag: T, subdiag: T, rhs: T -> output: T */
static inline TF_Output sl_tridiagonal_matmul(struct sl_scope *scope, TF_Output superdiag, TF_Output maindiag, TF_Output subdiag, TF_Output rhs) {
    const struct sl_op_input inputs_[] = {{&superdiag, -1}, {&maindiag, -1}, {&subdiag, -1}, {&rhs, -1}};
    return sl_op_first(sl_op(scope, "TridiagonalMatMul", inputs_, 4, NULL, 0));
}

struct sl_tridiagonal_solve_attrs {
    enum sl_choice partial_pivoting; /* true */
    bool perturb_singular; /* false */
};
/* TridiagonalSolve: diagonals: T, rhs: T -> output: T */
static inline TF_Output sl_tridiagonal_solve_with(struct sl_scope *scope, TF_Output diagonals, TF_Output rhs, struct sl_tridiagonal_solve_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&diagonals, -1}, {&rhs, -1}};
    const struct sl_attr_given attrs_[] = {{"partial_pivoting", SL_GIVEN_CHOICE, &attrs.partial_pivoting}, {"perturb_singular", SL_GIVEN_BOOL, &attrs.perturb_singular}};
    return sl_op_first(sl_op(scope, "TridiagonalSolve", inputs_, 2, attrs_, 2));
}
static inline TF_Output sl_tridiagonal_solve(struct sl_scope *scope, TF_Output diagonals, TF_Output rhs) {
    const struct sl_tridiagonal_solve_attrs attrs = SL_DEFAULTS;
    return sl_tridiagonal_solve_with(scope, diagonals, rhs, attrs);
}

#ifdef __cplusplus
}
#endif

#endif
