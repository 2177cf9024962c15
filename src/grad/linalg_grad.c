/* Gradients of linear algebra on the last two axes. Formulas: M. Giles, "Collected matrix derivative results for
 * forward and reverse mode algorithmic differentiation" (2008), unless said otherwise. */
#include "grad/words.h"

/* ---- pieces */
static struct sl_term ones_like(struct sl_rule *g, struct sl_term t) { return emit("OnesLike", t); }
static struct sl_term diagonal(struct sl_rule *g, struct sl_term m) { return emit("MatrixDiagPart", m); }
static struct sl_term matrix_of(struct sl_rule *g, struct sl_term d) { return emit("MatrixDiag", d); }
static struct sl_term with_diagonal(struct sl_rule *g, struct sl_term m, struct sl_term d) {
    return emit("MatrixSetDiag", m, d);
}
static struct sl_term expand(struct sl_rule *g, struct sl_term t, int axis) { return emit("ExpandDims", t, i32(axis)); }

/* t[..., first : last, :] or t[..., first : last] (`axis` -2 or -1); `last` 0: to the end. */
static struct sl_term piece(struct sl_rule *g, struct sl_term t, int axis, int64_t first, int64_t last) {
    int open = last == 0 ? 1 : 0;
    if (axis == -1)
        return emit_with(ATTRS(INT("ellipsis_mask", 1), INT("end_mask", 2 * open)), "StridedSlice", t, ints(0, first),
                         ints(0, last), ints(1, 1));
    return emit_with(ATTRS(INT("ellipsis_mask", 1), INT("begin_mask", 4), INT("end_mask", 4 + 2 * open)),
                     "StridedSlice", t, ints(0, first, 0), ints(0, last, 0), ints(1, 1, 1));
}
static struct sl_term solve_triangle(struct sl_rule *g, struct sl_term a, struct sl_term b, bool lower, bool adjoint) {
    return emit_with(ATTRS(BOOL("lower", lower), BOOL("adjoint", adjoint)), "MatrixTriangularSolve", a, b);
}
/* 1 / t, and 0 where t is next to 0. */
static struct sl_term safe_inverse(struct sl_rule *g, struct sl_term t) { return mul(t, inv(shift(sqr(t), 1e-20))); }

/* ---- products */
GRAD(Cross) {
    WRT(0) = emit("Cross", x(1), dy(0));
    WRT(1) = emit("Cross", dy(0), x(0));
}

/* ---- inverses and determinants */
GRAD(MatrixInverse) {
    bool turned = attr_bool("adjoint");
    WRT(0) = neg(bmm(y(0), bmm(dy(0), y(0), turned, !turned), !turned, false));
}
static struct sl_term inverse_times(struct sl_rule *g, struct sl_term factors) {
    struct sl_term inverse = emit_with(ATTRS(BOOL("adjoint", true)), "MatrixInverse", x(0));
    return mul(expand(g, expand(g, factors, -1), -1), inverse);
}
GRAD(MatrixDeterminant) { WRT(0) = inverse_times(g, mul(dy(0), conj(y(0)))); }
GRAD(LogMatrixDeterminant) { WRT(0) = inverse_times(g, dy(1)); }

/* ---- equations: c = y solves a c = b */
static struct sl_term matrix_gradient(struct sl_rule *g, struct sl_term db, bool adjoint) {
    return neg(adjoint ? bmm(y(0), db, false, true) : bmm(db, y(0), false, true));
}
GRAD(MatrixSolve) {
    bool turned = attr_bool("adjoint");
    struct sl_term db = emit_with(ATTRS(BOOL("adjoint", !turned)), "MatrixSolve", x(0), dy(0));
    WRT(0) = matrix_gradient(g, db, turned);
    WRT(1) = db;
}
GRAD(MatrixTriangularSolve) {
    bool turned = attr_bool("adjoint"), lower = attr_bool("lower");
    struct sl_term db = solve_triangle(g, x(0), dy(0), lower, !turned);
    struct sl_term da = matrix_gradient(g, db, turned);
    WRT(0) = like(x(0), lower ? band(da, -1, 0) : band(da, 0, -1));
    WRT(1) = like(x(1), db);
}
GRAD(BandedTriangularSolve) {
    bool turned = attr_bool("adjoint"), lower = attr_bool("lower");
    int rank = rank_of(x(0));
    int64_t n = rank >= 2 ? known_shape(x(0)).dims[rank - 2] : -1;
    if (n < 0) {
        sl_rule_fail(g, SL_UNIMPLEMENTED, "An unknown number of bands");
        return;
    }
    struct sl_term db =
        emit_with(ATTRS(BOOL("lower", lower), BOOL("adjoint", !turned)), "BandedTriangularSolve", x(0), dy(0));
    struct sl_term da = matrix_gradient(g, db, turned), zero = num(da, 0);
    struct sl_term bands =
        lower ? emit_with(ATTRS(STRING("align", "LEFT_RIGHT")), "MatrixDiagPartV3", da, ints(1 - n, 0), zero)
              : emit_with(ATTRS(STRING("align", "LEFT_RIGHT")), "MatrixDiagPartV3", da, ints(0, n - 1), zero);
    WRT(0) = like(x(0), n == 1 ? expand(g, bands, -2) : bands);
    WRT(1) = like(x(1), db);
}

/* ---- decompositions */
/* I. Murray, "Differentiation of the Cholesky decomposition" (2016). */
GRAD(Cholesky) {
    if (!wants(0)) return;
    struct sl_term l = y(0), eye = matrix_of(g, ones_like(g, diagonal(g, l)));
    struct sl_term inverse = solve_triangle(g, l, eye, true, false);
    struct sl_term middle = bmm(l, dy(0), true, false);
    middle = band(with_diagonal(g, middle, scale(diagonal(g, middle), .5)), -1, 0);
    struct sl_term half = bmm(bmm(inverse, middle, true, false), inverse, false, false);
    WRT(0) = scale(add(half, adjoint(half)), .5);
}

/* t r^-* */
static struct sl_term over_triangle(struct sl_rule *g, struct sl_term t, struct sl_term r) {
    return adjoint(solve_triangle(g, r, adjoint(t), false, false));
}
static struct sl_term deep_qr(struct sl_rule *g, struct sl_term q, struct sl_term r, struct sl_term dq,
                              struct sl_term dr) {
    struct sl_term qdq = bmm(q, dq, true, false), rdr = bmm(r, dr, false, true);
    struct sl_term lower = band(add(sub(qdq, adjoint(qdq)), sub(rdr, adjoint(rdr))), -1, 0);
    struct sl_term in_range = bmm(q, add(dr, over_triangle(g, lower, r)), false, false);
    struct sl_term out_of_range = over_triangle(g, sub(dq, bmm(q, qdq, false, false)), r);
    struct sl_term both = add(in_range, out_of_range);
    if (!is_complex(dtype(q))) return both;
    struct sl_term phases = diagonal(g, sub(rdr, adjoint(qdq)));
    struct sl_term real =
        emit_with(ATTRS(TYPE("Tout", dtype(q) == SL_COMPLEX128 ? SL_DOUBLE : SL_FLOAT)), "Real", phases);
    struct sl_term correction = matrix_of(g, sub(phases, cast(real, dtype(q))));
    return add(both, over_triangle(g, bmm(q, correction, false, true), r));
}
GRAD(Qr) {
    int rank = rank_of(x(0));
    int64_t m = rank < 2 ? -1 : known_shape(x(0)).dims[rank - 2], n = rank < 2 ? -1 : known_shape(x(0)).dims[rank - 1];
    bool full = attr_bool("full_matrices");
    if (m < 0 || n < 0 || (full && m > n)) {
        sl_rule_fail(g, SL_UNIMPLEMENTED, "Matrices of unknown size, or tall ones with all columns of q");
        return;
    }
    if (m >= n) {
        WRT(0) = deep_qr(g, y(0), y(1), dy(0), dy(1));
        return;
    }
    struct sl_term behind = piece(g, x(0), -1, m, 0), dv = piece(g, dy(1), -1, m, 0), du = piece(g, dy(1), -1, 0, m);
    struct sl_term dq = add(dy(0), bmm(behind, dv, false, true));
    struct sl_term left = deep_qr(g, y(0), piece(g, y(1), -1, 0, m), dq, du);
    WRT(0) = emit("ConcatV2", left, bmm(y(0), dv, false, false), i32(-1));
}

/* 1 / (e_j - e_i), and 0 for i = j */
static struct sl_term gaps(struct sl_rule *g, struct sl_term e) {
    return with_diagonal(g, safe_inverse(g, sub(expand(g, e, -2), expand(g, e, -1))), emit("ZerosLike", e));
}
/* The op reads the lower triangle alone. */
GRAD(SelfAdjointEigV2) {
    if (!wants(0)) return;
    struct sl_term e = y(0), v = y(1), inner = matrix_of(g, dy(0));
    if (!attr_bool("compute_v")) v = at(emit_with(ATTRS(BOOL("compute_v", true)), "SelfAdjointEigV2", x(0)), 1);
    else if (has_dy(1)) inner = add(inner, mul(gaps(g, e), bmm(v, dy(1), true, false)));
    struct sl_term da = bmm(v, bmm(inner, v, false, true), false, false);
    da = band(add(da, adjoint(da)), -1, 0);
    WRT(0) = with_diagonal(g, da, scale(diagonal(g, da), .5));
}

/* A matrix of any kind; the vectors are of length 1. */
GRAD(Eig) {
    if (!wants(0)) return;
    struct sl_term v = y(1), middle = matrix_of(g, dy(0));
    if (!attr_bool("compute_v")) v = at(emit_with(ATTRS(BOOL("compute_v", true), SAME("Tout")), "Eig", x(0)), 1);
    struct sl_term turned = adjoint(v);
    if (attr_bool("compute_v") && has_dy(1)) {
        int type = dtype(v), real = type == SL_COMPLEX128 ? SL_DOUBLE : SL_FLOAT;
        struct sl_term v_dv = bmm(turned, dy(1), false, false);
        struct sl_term lengths = cast(emit_with(ATTRS(TYPE("Tout", real)), "Real", diagonal(g, v_dv)), type);
        struct sl_term along = bmm(bmm(turned, v, false, false), matrix_of(g, lengths), false, false);
        middle = add(middle, mul(conj(gaps(g, y(0))), sub(v_dv, along)));
    }
    WRT(0) = cast(emit("MatrixSolve", turned, bmm(middle, turned, false, false)), dtype(x(0)));
}

/* J. Townsend, "Differentiating the singular value decomposition" (2016); a wide matrix, or the adjoint of a tall one.
 */
static struct sl_term wide_svd(struct sl_rule *g, struct sl_term s, struct sl_term u, struct sl_term v,
                               struct sl_term ds, struct sl_term du, struct sl_term dv, int64_t m, int64_t n) {
    int type = dtype(u);
    struct sl_term s_matrix = matrix_of(g, cast(s, type)), f = cast(gaps(g, sqr(s)), type);
    struct sl_term s_inverse = matrix_of(g, cast(safe_inverse(g, s), type));
    struct sl_term v1 = m == n ? v : piece(g, v, -1, 0, m), dv1 = m == n ? dv : piece(g, dv, -1, 0, m);
    struct sl_term u_du = bmm(u, du, true, false), v_dv = bmm(v1, dv1, true, false);
    struct sl_term f_u = mul(f, u_du), f_v = mul(f, v_dv);
    struct sl_term middle = add(matrix_of(g, cast(ds, type)), bmm(add(f_u, adjoint(f_u)), s_matrix, false, false));
    middle = add(middle, bmm(s_matrix, add(f_v, adjoint(f_v)), false, false));
    struct sl_term da = bmm(u, bmm(middle, v1, false, true), false, false);
    if (m != n) {
        struct sl_term turned = adjoint(dv1);
        struct sl_term rest = sub(turned, bmm(bmm(turned, v1, false, false), v1, false, true));
        if (attr_bool("full_matrices")) {
            struct sl_term v2 = piece(g, v, -1, m, n), dv2 = piece(g, dv, -1, m, n);
            rest = sub(rest, bmm(bmm(v1, dv2, true, false), v2, false, true));
        }
        da = add(da, bmm(bmm(u, s_inverse, false, false), rest, false, false));
    }
    if (!is_complex(type)) return da;
    struct sl_term phases = matrix_of(g, diagonal(g, v_dv));
    struct sl_term turns = bmm(s_inverse, sub(adjoint(phases), phases), false, false);
    return add(da, scale(bmm(u, bmm(turns, v1, false, true), false, false), .5));
}
GRAD(Svd) {
    if (!wants(0)) return;
    int rank = rank_of(x(0));
    int64_t m = rank < 2 ? -1 : known_shape(x(0)).dims[rank - 2], n = rank < 2 ? -1 : known_shape(x(0)).dims[rank - 1];
    if (!attr_bool("compute_uv")) {
        struct sl_term all = emit_with(ATTRS(BOOL("compute_uv", true), BOOL("full_matrices", false)), "Svd", x(0));
        struct sl_term ds = matrix_of(g, cast(dy(0), dtype(x(0))));
        WRT(0) = bmm(at(all, 1), bmm(ds, at(all, 2), false, true), false, false);
        return;
    }
    if (m < 0 || n < 0 || (attr_bool("full_matrices") && (m - n > 1 || n - m > 1))) {
        sl_rule_fail(g, SL_UNIMPLEMENTED,
                     "Matrices of unknown size, or with all singular vectors and sides that differ by more than 1");
        return;
    }
    WRT(0) = m <= n ? wide_svd(g, y(0), y(1), y(2), dy(0), dy(1), dy(2), m, n)
                    : adjoint(wide_svd(g, y(0), y(2), y(1), dy(0), dy(2), dy(1), n, m));
}

/* a = s s: the gradient solves a Sylvester equation, as a system for all its elements. */
GRAD(MatrixSquareRoot) {
    if (!wants(0)) return;
    struct sl_term size = shape(x(0)), n = piece(g, size, -1, -1, 0), one = ints(1), many = ints(-1);
    struct sl_term s = reshape(y(0), emit("ConcatV2", many, n, n, i32(0)));
    struct sl_term eye = emit("MatrixDiag", emit("Fill", n, num(s, 1)));
    struct sl_term rows = emit("ConcatV2", many, n, one, n, one, i32(0)),
                   cols = emit("ConcatV2", many, one, n, one, n, i32(0));
    struct sl_term left = mul(reshape(eye, rows), reshape(swapped(s), cols));
    struct sl_term right = mul(reshape(s, rows), reshape(eye, cols));
    struct sl_term square = mul(n, n);
    struct sl_term system = reshape(add(left, right), emit("ConcatV2", many, square, square, i32(0)));
    struct sl_term flat = reshape(swapped(dy(0)), emit("ConcatV2", many, square, one, i32(0)));
    WRT(0) = swapped(reshape(emit("MatrixSolve", system, flat), size));
}

/* Least squares with l = l2_regularizer, a of m x n, by the inverse of a* a + l (m >= n) or of a a* + l. */
static struct sl_term regularised(struct sl_rule *g, struct sl_term square) {
    struct sl_term d = diagonal(g, square);
    return with_diagonal(g, square, add(d, cast(x(2), dtype(square))));
}
static void over_determined(struct sl_rule *g) {
    struct sl_term a = x(0), b = x(1), l = emit("Cholesky", regularised(g, bmm(a, a, true, false)));
    struct sl_term z = solve_triangle(g, l, solve_triangle(g, l, dy(0), true, false), true, true);
    struct sl_term xz = bmm(y(0), z, false, true);
    WRT(0) = add(neg(bmm(a, add(xz, adjoint(xz)), false, false)), bmm(b, z, false, true));
    WRT(1) = bmm(a, z, false, false);
}
static void under_determined(struct sl_rule *g) {
    struct sl_term a = x(0), b = x(1), l = emit("Cholesky", regularised(g, bmm(a, a, false, true)));
    struct sl_term ad = bmm(a, dy(0), false, false);
    struct sl_term db = solve_triangle(g, l, solve_triangle(g, l, ad, true, false), true, true);
    struct sl_term tmp = solve_triangle(g, l, solve_triangle(g, l, b, true, false), true, true);
    struct sl_term a1 = neg(bmm(bmm(db, tmp, false, true), a, false, false));
    struct sl_term a2 = bmm(tmp, sub(dy(0), bmm(a, db, true, false)), false, true);
    WRT(0) = add(a1, a2);
    WRT(1) = db;
}
GRAD(MatrixSolveLs) {
    int rank = rank_of(x(0));
    int64_t m = rank < 2 ? -1 : known_shape(x(0)).dims[rank - 2], n = rank < 2 ? -1 : known_shape(x(0)).dims[rank - 1];
    if (m < 0 || n < 0 || !attr_bool("fast"))
        sl_rule_fail(g, SL_UNIMPLEMENTED, "Matrices of unknown size, or fast=false");
    else if (m >= n) over_determined(g);
    else under_determined(g);
}

/* ---- three diagonals */
/* Rows moved down, or up, by one; zeros come in. */
static struct sl_term moved(struct sl_rule *g, struct sl_term t, int axis, bool forward) {
    struct sl_term gap = emit("ZerosLike", piece(g, t, axis, 0, 1));
    return forward ? emit("ConcatV2", gap, piece(g, t, axis, 0, -1), i32(axis))
                   : emit("ConcatV2", piece(g, t, axis, 1, 0), gap, i32(axis));
}
static struct sl_term row_sums(struct sl_rule *g, struct sl_term t) { return expand(g, sum(t, ints(-1)), -2); }
GRAD(TridiagonalMatMul) { /* the diagonal above, the main one, the one below, the right-hand side */
    struct sl_term b = conj(x(3)), d = dy(0);
    WRT(0) = row_sums(g, mul(moved(g, b, -2, false), d));
    WRT(1) = row_sums(g, mul(b, d));
    WRT(2) = row_sums(g, mul(moved(g, b, -2, true), d));
    if (!wants(3)) return;
    struct sl_term above = moved(g, mul(adjoint(x(0)), d), -2, true),
                   below = moved(g, mul(adjoint(x(2)), d), -2, false);
    WRT(3) = add(add(above, mul(adjoint(x(1)), d)), below);
}
GRAD(TridiagonalSolve) {
    struct sl_term above = piece(g, x(0), -2, 0, 1), main = piece(g, x(0), -2, 1, 2), below = piece(g, x(0), -2, 2, 3);
    struct sl_term turned =
        conj(emit("ConcatV2", moved(g, below, -1, false), main, moved(g, above, -1, true), i32(-2)));
    struct sl_term db =
        emit_with(ATTRS(SAME("partial_pivoting"), SAME("perturb_singular")), "TridiagonalSolve", turned, dy(0));
    WRT(1) = db;
    if (!wants(0)) return;
    struct sl_term c = conj(y(0));
    struct sl_term da = emit("ConcatV2", row_sums(g, mul(db, moved(g, c, -2, false))), row_sums(g, mul(db, c)),
                             row_sums(g, mul(db, moved(g, c, -2, true))), i32(-2));
    WRT(0) = neg(da);
}

RULES(linalg) = {
    /* clang-format off */
    RULE(Cross) RULE(MatrixInverse) RULE(MatrixDeterminant) RULE(LogMatrixDeterminant) RULE(MatrixSolve)
    RULE(MatrixTriangularSolve) RULE(BandedTriangularSolve) RULE(Cholesky) RULE(Qr) RULE(SelfAdjointEigV2) RULE(Eig) RULE(Svd)
    RULE(MatrixSquareRoot) RULE(MatrixSolveLs) RULE(TridiagonalMatMul) RULE(TridiagonalSolve)
    UNDEFINED(BatchCholesky) UNDEFINED(BatchCholeskyGrad) UNDEFINED(BatchMatrixBandPart)
    UNDEFINED(BatchMatrixDeterminant) UNDEFINED(BatchMatrixDiag) UNDEFINED(BatchMatrixDiagPart)
    UNDEFINED(BatchMatrixInverse) UNDEFINED(BatchMatrixSetDiag) UNDEFINED(BatchMatrixSolve)
    UNDEFINED(BatchMatrixSolveLs) UNDEFINED(BatchMatrixTriangularSolve) UNDEFINED(BatchSelfAdjointEig)
    UNDEFINED(BatchSelfAdjointEigV2) UNDEFINED(BatchSvd) UNDEFINED(CholeskyGrad) UNDEFINED(Lu)
    UNDEFINED(MatrixExponential) UNDEFINED(MatrixLogarithm) UNDEFINED(SelfAdjointEig)
    RULES_END
    /* clang-format on */
};
