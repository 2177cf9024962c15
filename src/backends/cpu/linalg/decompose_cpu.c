/* Qr, eigenvalues, singular values, least squares; dense.h has the algorithms. */
#include <string.h>

#include "backends/cpu/array/move.h"
#include "backends/cpu/array/move_tiles.h"
#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/indices.h"
#include "backends/cpu/linalg/blocked_qr.h"
#include "backends/cpu/linalg/matrices.h"

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }
static double work_ns(const struct sl_matrices *m, double factor) {
    return 100 + factor * (double)m->m * (double)m->n * (double)smaller(m->m, m->n);
}
static void set_room(struct sl_matrices *m, int64_t elements, int64_t indices) {
    m->room = (size_t)elements * sl_dtype_size(m->dtype) + (size_t)indices * sizeof(int64_t);
}
static void *after(const struct sl_matrices *m, void *room, int64_t elements) {
    return (char *)room + (size_t)elements * m->size;
}

/* `n` real numbers as elements of the type computed in, which may be complex. */
static void store_reals(const struct sl_matrices *m, void *to_, const void *from_, int64_t n) {
    bool is_double = m->dtype == SL_DOUBLE || m->dtype == SL_COMPLEX128;
    size_t part = is_double ? sizeof(double) : sizeof(float);
    char *to = to_;
    const char *from = from_;
    memset(to, 0, (size_t)n * m->size);
    for (int64_t i = 0; i < n; i++) memcpy(to + (size_t)i * m->size, from + (size_t)i * part, part);
}

/* ---- Qr */

static const char *qr_one(const struct sl_matrices *m, int64_t i, void *room) {
    int64_t rows = m->m, n = m->n, p = smaller(rows, n), columns = m->flags[0] ? rows : p;
    void *a = room, *q = after(m, room, rows * n), *tau = after(m, room, rows * n + rows * columns);
    sl_matrix_transpose(m, a, sl_matrix_in(m, 0, i), n, rows);
    if (!sl_blocked_qr_pays(m->dtype, rows, n)) m->dense->qr(a, q, tau, rows, n, columns);
    else if (!sl_blocked_qr(m->dense, m->dtype == SL_DOUBLE, a, q, rows, n, columns, after(m, tau, p))) return "";
    sl_matrix_transpose(m, sl_matrix_out(m, 0, i), q, rows, columns);
    for (int64_t c = 0; c < smaller(n, rows - 1); c++) /* the reflections' vectors */
        memset(after(m, a, c * rows + c + 1), 0, (size_t)(rows - 1 - c) * m->size);
    const struct sl_plane r = {.n1 = columns, .to1 = n, .from1 = 1, .n0 = n, .to0 = 1, .from0 = rows};
    sl_plane_transpose((int)m->size)(sl_matrix_out(m, 1, i), a, &r);
    return NULL;
}

static sl_code qr_run(struct sl_kernel_context *k) {
    struct sl_matrices m;
    SL_TRY(sl_matrices_start(&m, k, false));
    m.flags[0] = sl_state_number(k);
    int64_t columns = m.flags[0] ? m.m : smaller(m.m, m.n);
    SL_TRY(sl_matrices_out(&m, 0, 2, m.m, columns));
    SL_TRY(sl_matrices_out(&m, 1, 2, columns, m.n));
    const int64_t blocks = sl_blocked_qr_pays(m.dtype, m.m, m.n) ? sl_blocked_qr_room(m.m, m.n, columns) : 0;
    set_room(&m, m.m * m.n + m.m * columns + smaller(m.m, m.n) + blocks, 0);
    m.ns_each = work_ns(&m, 1);
    m.one = qr_one;
    return sl_matrices_run(&m);
}

/* ---- Svd */

static const char *svd_one(const struct sl_matrices *m, int64_t i, void *room) {
    int64_t rows = m->m, n = m->n, p = smaller(rows, n);
    bool has_vectors = m->flags[0], is_full = m->flags[1];
    int64_t u_columns = has_vectors ? is_full ? rows : p : 0, v_columns = has_vectors ? is_full ? n : p : 0;
    int64_t *order = room;
    void *a = order + larger(rows, n), *u = after(m, a, rows * n), *v = after(m, u, rows * u_columns);
    void *s = after(m, v, n * v_columns), *work = after(m, s, p);
    sl_matrix_transpose(m, a, sl_matrix_in(m, 0, i), n, rows);
    m->dense->svd(a, s, has_vectors ? u : NULL, has_vectors ? v : NULL, rows, n, is_full, order, work);
    store_reals(m, sl_matrix_out(m, 0, i), s, p);
    if (!has_vectors) return NULL;
    sl_matrix_transpose(m, sl_matrix_out(m, 1, i), u, rows, u_columns);
    sl_matrix_transpose(m, sl_matrix_out(m, 2, i), v, n, v_columns);
    return NULL;
}

/* Factors of matrices without elements: identities. */
static const char *empty_one(const struct sl_matrices *m, int64_t i, void *room) {
    (void)room;
    int64_t sizes[2] = {m->m, m->n};
    for (int o = 1; o < 3; o++) {
        if (m->out_step[o] == 0) continue;
        memset(sl_matrix_out(m, o, i), 0, (size_t)m->out_step[o] * m->size);
        m->dense->add_diagonal(sl_matrix_out(m, o, i), sizes[o - 1], 1);
    }
    return NULL;
}

static sl_code svd_run(struct sl_kernel_context *k) {
    struct sl_matrices m;
    SL_TRY(sl_matrices_start(&m, k, false));
    m.flags[0] = sl_state_number(k) & 1;
    m.flags[1] = sl_state_number(k) & 2;
    int64_t p = smaller(m.m, m.n), u = m.flags[1] ? m.m : p, v = m.flags[1] ? m.n : p;
    SL_TRY(sl_matrices_out(&m, 0, 1, p, 0));
    if (m.flags[0]) {
        SL_TRY(sl_matrices_out(&m, 1, 2, m.m, u));
        SL_TRY(sl_matrices_out(&m, 2, 2, m.n, v));
    } else {
        SL_TRY(sl_matrices_nothing(&m, 1));
        SL_TRY(sl_matrices_nothing(&m, 2));
    }
    set_room(&m, m.m * m.n + m.m * u + m.n * v + p + sl_dense_of(m.dtype, larger(m.m, m.n))->svd_room(m.m, m.n),
             larger(m.m, m.n));
    m.ns_each = work_ns(&m, 40);
    m.one = p ? svd_one : empty_one;
    return sl_matrices_run(&m);
}

static sl_code svd_create(void **state, struct sl_kernel_setup *setup) {
    bool has_vectors, is_full;
    SL_TRY(sl_attr_bool(&has_vectors, setup->attrs, "compute_uv", setup->err));
    SL_TRY(sl_attr_bool(&is_full, setup->attrs, "full_matrices", setup->err));
    *state = (void *)(intptr_t)(has_vectors | is_full << 1);
    return SL_OK;
}

/* ---- SelfAdjointEig: values above the vectors, in one matrix; V2: two outputs */

static const char *self_adjoint_one(const struct sl_matrices *m, int64_t i, void *room) {
    int64_t n = m->n;
    bool has_vectors = m->flags[0];
    void *a = room, *v = after(m, a, n * n), *e = after(m, v, n * n), *work = after(m, e, n);
    sl_matrix_transpose(m, a, sl_matrix_in(m, 0, i), n, n);
    if (!m->dense->self_adjoint(a, e, has_vectors ? v : NULL, n, work))
        return "Self-adjoint eigen decomposition was not successful. The input might not be valid.";
    store_reals(m, sl_matrix_out(m, 0, i), e, n);
    if (has_vectors)
        sl_matrix_transpose(m, m->n_out > 1 ? sl_matrix_out(m, 1, i) : after(m, sl_matrix_out(m, 0, i), n), v, n, n);
    return NULL;
}

static sl_code self_adjoint_run(struct sl_kernel_context *k) {
    struct sl_matrices m;
    SL_TRY(sl_matrices_start(&m, k, true));
    if (m.n_out == 1) {
        m.flags[0] = true;
        SL_TRY(sl_matrices_out(&m, 0, 2, m.n + 1, m.n));
    } else {
        m.flags[0] = sl_state_number(k);
        SL_TRY(sl_matrices_out(&m, 0, 1, m.n, 0));
        if (m.flags[0]) SL_TRY(sl_matrices_out(&m, 1, 2, m.n, m.n));
        else SL_TRY(sl_matrices_nothing(&m, 1));
    }
    if (m.n == 0) m.count = 0;
    set_room(&m, 2 * m.n * m.n + 52 * m.n + 16, 0);
    m.ns_each = work_ns(&m, 6);
    m.one = self_adjoint_one;
    return sl_matrices_run(&m);
}

/* ---- Eig */

/* The results are complex whatever the type of the input: not elements that are converted. */
static const char *eig_one(const struct sl_matrices *m, int64_t i, void *room) {
    int64_t n = m->n, wide = m->flags[1] ? 2 : 1; /* elements of the input's type for one of the results' */
    void *t = room, *u = after(m, t, n * n), *v = after(m, u, n * n), *work = after(m, v, n * n * wide);
    sl_matrix_transpose(m, t, sl_matrix_in(m, 0, i), n, n);
    if (!m->dense->schur(t, u, n, work)) return "Eigen decomposition was not successful. The input might not be valid.";
    m->dense->eigen(sl_matrix_out(m, 0, i), m->flags[0] ? v : NULL, t, u, n, work);
    if (m->flags[0]) sl_dense_of(m->out[1].dtype, n)->transpose(sl_matrix_out(m, 1, i), v, n, n);
    return NULL;
}

static sl_code eig_run(struct sl_kernel_context *k) {
    struct sl_matrices m;
    SL_TRY(sl_matrices_start(&m, k, true));
    int result = sl_out_type(k, 0), expected = m.dtype == SL_FLOAT    ? SL_COMPLEX64
                                               : m.dtype == SL_DOUBLE ? SL_COMPLEX128
                                                                      : m.dtype;
    if (result != expected)
        return sl_invalid(k, "Eig of %s gives %s, not %s", sl_dtype_name(m.dtype), sl_dtype_name(expected),
                          sl_dtype_name(result));
    m.flags[0] = sl_state_number(k);
    m.flags[1] = result != m.dtype;
    SL_TRY(sl_matrices_out(&m, 0, 1, m.n, 0));
    if (m.flags[0]) SL_TRY(sl_matrices_out(&m, 1, 2, m.n, m.n));
    else SL_TRY(sl_matrices_nothing(&m, 1));
    m.is_raw[0] = m.is_raw[1] = true;
    if (m.n == 0) m.count = 0;
    set_room(&m, 4 * m.n * m.n + 2 * m.n, 0);
    m.ns_each = work_ns(&m, 40);
    m.one = eig_one;
    return sl_matrices_run(&m);
}

static sl_code vectors_create(void **state, struct sl_kernel_setup *setup) {
    return sl_state_of_bool(state, setup, "compute_v");
}

/* ---- MatrixSolveLs: fast by the normal equations, or by orthogonal decomposition */

static const char *normal_one(const struct sl_matrices *m, int64_t i, void *room) {
    int64_t rows = m->m, n = m->n, c = m->columns, p = smaller(rows, n);
    void *a = room, *h = after(m, a, rows * n), *gram = after(m, h, rows * n), *b = after(m, gram, p * p),
         *x = after(m, b, rows * c), *to = sl_matrix_out(m, 0, i);
    sl_matrix_transpose(m, a, sl_matrix_in(m, 0, i), n, rows);
    m->dense->adjoint(h, a, rows, n);
    sl_matrix_transpose(m, b, sl_matrix_in(m, 1, i), c, rows);
    const struct sl_triangle lower = {.is_lower = true}, upper = {.is_lower = true, .is_adjoint = true};
    bool is_tall = rows >= n;
    if (is_tall) m->dense->multiply(gram, h, a, n, n, rows);
    else m->dense->multiply(gram, a, h, rows, rows, n);
    if (m->number > 0) m->dense->add_diagonal(gram, p, m->number);
    if (!m->dense->cholesky(gram, p))
        return is_tall
                   ? "Input matrix was rank deficient or ill-conditioned. Try setting fast=False or provide a larger "
                     "l2_regularizer > 0."
                   : "Input matrix was rank deficient or ill-conditioned. Try setting fast=False or provide an "
                     "l2_regularizer > 0.";
    if (is_tall) m->dense->multiply(x, h, b, n, c, rows);
    void *y = is_tall ? x : b;
    m->dense->triangular_solve(gram, y, p, c, lower);
    m->dense->triangular_solve(gram, y, p, c, upper);
    if (!is_tall) m->dense->multiply(x, h, b, n, c, rows);
    sl_matrix_transpose(m, to, x, n, c);
    return NULL;
}

static const char *least_squares_one(const struct sl_matrices *m, int64_t i, void *room) {
    int64_t rows = m->m, n = m->n, c = m->columns;
    int64_t *order = room;
    void *a = order + n, *b = after(m, a, rows * n), *x = after(m, b, rows * c), *work = after(m, x, n * c);
    sl_matrix_transpose(m, a, sl_matrix_in(m, 0, i), n, rows);
    sl_matrix_transpose(m, b, sl_matrix_in(m, 1, i), c, rows);
    m->dense->least_squares(x, a, b, order, rows, n, c, work);
    sl_matrix_transpose(m, sl_matrix_out(m, 0, i), x, n, c);
    return NULL;
}

static sl_code solve_ls_run(struct sl_kernel_context *k) {
    struct sl_matrices m;
    SL_TRY(sl_matrices_start(&m, k, false));
    SL_TRY(sl_matrices_in(&m, 1));
    struct sl_view regularizer = sl_in(k, 2);
    if (regularizer.rank) return sl_invalid(k, "l2_regularizer must be scalar, got shape %s", SHAPE_OF(regularizer));
    m.number = *(const double *)regularizer.data;
    if (!(m.number >= 0)) return sl_invalid(k, "l2_regularizer must be >= 0.");
    if (m.in[1].dims[m.in[1].rank - 2] != m.m) return sl_invalid(k, "Input matrix and rhs are incompatible.");
    m.columns = m.in[1].dims[m.in[1].rank - 1];
    SL_TRY(sl_matrices_out(&m, 0, 2, m.n, m.columns));
    if (m.m == 0 || m.n == 0 || m.columns == 0) {
        sl_move_zero(k, m.out[0]);
        return SL_OK;
    }
    int64_t a = m.m * m.n, both = m.m + m.n, p = smaller(m.m, m.n);
    bool is_fast = sl_state_number(k);
    if (is_fast) set_room(&m, 2 * a + p * p + both * m.columns, 0);
    else set_room(&m, a + m.n * m.n + (both + m.n) * m.columns + 4 * both, m.n);
    m.ns_each = work_ns(&m, 2);
    m.one = is_fast ? normal_one : least_squares_one;
    return sl_matrices_run(&m);
}

static sl_code solve_ls_create(void **state, struct sl_kernel_setup *setup) {
    return sl_state_of_bool(state, setup, "fast");
}

#define WIDE   (SL_SET(FLOAT) | SL_SET(DOUBLE))
#define PARTED (WIDE | SL_SET_COMPLEX)
static sl_code full_create(void **state, struct sl_kernel_setup *setup) {
    return sl_state_of_bool(state, setup, "full_matrices");
}
/* clang-format off */
const struct sl_kernel_def sl_cpu_decompose_rows[] = {
    KERNEL("Qr", RULE("T", PARTED | SL_SET(HALF)), .run = qr_run, .create = full_create, .cost_element = 20)
    KERNEL("Svd", RULE("T", PARTED), .run = svd_run, .create = svd_create, .cost_element = 200)
    KERNEL("BatchSvd", RULE("T", PARTED), .run = svd_run, .create = svd_create, .cost_element = 200)
    KERNEL("SelfAdjointEig", RULE("T", WIDE), .run = self_adjoint_run, .cost_element = 100)
    KERNEL("BatchSelfAdjointEig", RULE("T", WIDE), .run = self_adjoint_run, .cost_element = 100)
    KERNEL("SelfAdjointEigV2", RULE("T", PARTED), .run = self_adjoint_run, .create = vectors_create, .cost_element = 100)
    KERNEL("BatchSelfAdjointEigV2", RULE("T", PARTED), .run = self_adjoint_run, .create = vectors_create, .cost_element = 100)
    KERNEL("Eig", RULE("T", PARTED) RULE("Tout", SL_SET_COMPLEX), .run = eig_run, .create = vectors_create, .cost_element = 200)
    KERNEL("MatrixSolveLs", RULE("T", PARTED), .run = solve_ls_run, .create = solve_ls_create, .cost_element = 50)
    KERNEL("BatchMatrixSolveLs", RULE("T", WIDE), .run = solve_ls_run, .create = solve_ls_create, .cost_element = 50)
    SL_ROWS_END
};
/* clang-format on */
