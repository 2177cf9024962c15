/* Cholesky, LU and what they solve, triangles and bands; dense.h has the algorithms. */
#include <math.h>
#include <string.h>

#include "backends/cpu/array/move.h"
#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/indices.h"
#include "backends/cpu/linalg/matrices.h"

static double cube_ns(const struct sl_matrices *m) { return 50 + 0.5 * (double)m->n * (double)m->n * (double)m->n; }
static int64_t element_bytes(const struct sl_matrices *m) { return (int64_t)sl_dtype_size(m->dtype); }

/* Bytes for `elements` elements and `indices` indices. */
static sl_code set_room(struct sl_matrices *m, int64_t elements, int64_t indices) {
    m->room = (size_t)(elements * element_bytes(m) + indices * (int64_t)sizeof(int64_t));
    return SL_OK;
}
static void *after(const struct sl_matrices *m, void *room, int64_t elements) {
    return (char *)room + (size_t)elements * m->size;
}

/* ---- Cholesky */

static const char *cholesky_one(const struct sl_matrices *m, int64_t i, void *room) {
    int64_t n = m->n;
    m->dense->transpose(room, sl_matrix_in(m, 0, i), n, n);
    if (!m->dense->cholesky(room, n)) { /* as TensorFlow: no error, but no numbers below the diagonal */
        memset(room, 0, m->room);
        m->dense->add_diagonal(room, n, NAN);
        char *a = room;
        for (int64_t c = 0; c < n; c++)
            for (int64_t r = c + 1; r < n; r++)
                memcpy(a + (size_t)(c * n + r) * m->size, a + (size_t)(c * n + c) * m->size, m->size);
    }
    m->dense->transpose(sl_matrix_out(m, 0, i), room, n, n);
    return NULL;
}

static sl_code cholesky_run(struct sl_kernel_context *k) {
    struct sl_matrices m;
    SL_TRY(sl_matrices_start(&m, k, true));
    SL_TRY(sl_matrices_out(&m, 0, 2, m.n, m.n));
    m.one = cholesky_one;
    m.ns_each = cube_ns(&m);
    SL_TRY(set_room(&m, m.n * m.n, 0));
    return sl_matrices_run(&m);
}

static const char *cholesky_grad_one(const struct sl_matrices *m, int64_t i, void *room) {
    int64_t n = m->n;
    void *l = room, *grad = after(m, room, n * n), *work = after(m, room, 2 * n * n);
    m->dense->transpose(l, sl_matrix_in(m, 0, i), n, n);
    m->dense->transpose(grad, sl_matrix_in(m, 1, i), n, n);
    m->dense->cholesky_grad(grad, l, n, work);
    m->dense->transpose(sl_matrix_out(m, 0, i), grad, n, n);
    return NULL;
}

static sl_code cholesky_grad_run(struct sl_kernel_context *k) {
    struct sl_matrices m;
    SL_TRY(sl_matrices_start(&m, k, false));
    SL_TRY(sl_matrices_in(&m, 1));
    if (m.m != m.n || m.in[1].dims[m.in[1].rank - 1] != m.n || m.in[1].dims[m.in[1].rank - 2] != m.n)
        return sl_invalid(k, "Inputs must be a square matrices.");
    SL_TRY(sl_matrices_out(&m, 0, 2, m.n, m.n));
    m.one = cholesky_grad_one;
    m.ns_each = 3 * cube_ns(&m);
    SL_TRY(set_room(&m, 3 * m.n * m.n, 0));
    return sl_matrices_run(&m);
}

/* ---- LU: room is the order, the factors, a column, and what follows */

struct factors {
    int64_t *order;
    void *lu, *column, *rest;
    bool is_regular;
};

static struct factors factor(const struct sl_matrices *m, int64_t i, void *room) {
    int64_t n = m->n;
    struct factors f = {.order = room, .lu = (int64_t *)room + n};
    f.column = after(m, f.lu, n * n);
    f.rest = after(m, f.column, n);
    m->dense->transpose(f.lu, sl_matrix_in(m, 0, i), n, n);
    f.is_regular = m->dense->lu(f.lu, f.order, n);
    return f;
}

static const char *lu_one(const struct sl_matrices *m, int64_t i, void *room) {
    struct factors f = factor(m, i, room);
    if (!f.is_regular) return "Input is not invertible.";
    m->dense->transpose(sl_matrix_out(m, 0, i), f.lu, m->n, m->n);
    sl_indices_store(m->out[1], i * m->n, f.order, m->n);
    return NULL;
}

static const char *determinant_one(const struct sl_matrices *m, int64_t i, void *room) {
    struct factors f = factor(m, i, room);
    if (m->n_out == 1) m->dense->determinant(sl_matrix_out(m, 0, i), f.lu, f.order, m->n);
    else m->dense->log_determinant(sl_matrix_out(m, 0, i), sl_matrix_out(m, 1, i), f.lu, f.order, m->n);
    return NULL;
}

static const char *inverse_one(const struct sl_matrices *m, int64_t i, void *room) {
    int64_t n = m->n;
    struct factors f = factor(m, i, room);
    if (!f.is_regular) return "Input is not invertible.";
    memset(f.rest, 0, (size_t)(n * n) * m->size);
    m->dense->add_diagonal(f.rest, n, 1);
    m->dense->lu_solve(f.lu, f.order, f.rest, n, n, m->flags[0], f.column);
    m->dense->transpose(sl_matrix_out(m, 0, i), f.rest, n, n);
    return NULL;
}

static const char *solve_one(const struct sl_matrices *m, int64_t i, void *room) {
    int64_t n = m->n;
    struct factors f = factor(m, i, room);
    if (!f.is_regular) return "Input matrix is not invertible.";
    m->dense->transpose(f.rest, sl_matrix_in(m, 1, i), m->columns, n);
    m->dense->lu_solve(f.lu, f.order, f.rest, n, m->columns, m->flags[0], f.column);
    m->dense->transpose(sl_matrix_out(m, 0, i), f.rest, n, m->columns);
    return NULL;
}

static sl_code start_lu(struct sl_matrices *m, struct sl_kernel_context *k) {
    SL_TRY(sl_matrices_start(m, k, true));
    m->ns_each = cube_ns(m);
    return set_room(m, m->n * m->n + m->n, m->n);
}

static sl_code lu_run(struct sl_kernel_context *k) {
    struct sl_matrices m;
    if (sl_in(k, 0).rank < 2) return sl_invalid(k, "Input tensor must have rank >= 2, got %d", sl_in(k, 0).rank);
    SL_TRY(start_lu(&m, k));
    SL_TRY(sl_matrices_out(&m, 0, 2, m.n, m.n));
    SL_TRY(sl_matrices_out(&m, 1, 1, m.n, 0));
    m.is_raw[1] = true;
    m.one = lu_one;
    return sl_matrices_run(&m);
}

static sl_code determinant_run(struct sl_kernel_context *k) {
    struct sl_matrices m;
    SL_TRY(start_lu(&m, k));
    for (int o = 0; o < m.n_out; o++) SL_TRY(sl_matrices_out(&m, o, 0, 0, 0));
    m.one = determinant_one;
    return sl_matrices_run(&m);
}

static sl_code inverse_run(struct sl_kernel_context *k) {
    struct sl_matrices m;
    SL_TRY(start_lu(&m, k));
    SL_TRY(sl_matrices_out(&m, 0, 2, m.n, m.n));
    SL_TRY(set_room(&m, 2 * m.n * m.n + m.n, m.n));
    m.flags[0] = sl_state_number(k);
    m.ns_each *= 4;
    m.one = inverse_one;
    return sl_matrices_run(&m);
}

static sl_code solve_run(struct sl_kernel_context *k) {
    struct sl_matrices m;
    SL_TRY(sl_matrices_start(&m, k, false));
    if (m.m != m.n) return sl_invalid(k, "First input (lhs) must be a square matrix.");
    SL_TRY(sl_matrices_in(&m, 1));
    if (m.in[1].dims[m.in[1].rank - 2] != m.n) return sl_invalid(k, "Input matrix and rhs are incompatible.");
    m.columns = m.in[1].dims[m.in[1].rank - 1];
    SL_TRY(sl_matrices_out(&m, 0, 2, m.n, m.columns));
    SL_TRY(set_room(&m, m.n * m.n + m.n + m.n * m.columns, m.n));
    m.flags[0] = sl_state_number(k);
    m.ns_each = cube_ns(&m) + (double)m.n * (double)m.n * (double)m.columns;
    m.one = solve_one;
    return sl_matrices_run(&m);
}

/* ---- triangles and bands, whose batch dims broadcast */

enum { LOWER = 1, ADJOINT = 2 };

static const char *triangular_one(const struct sl_matrices *m, int64_t i, void *room) {
    int64_t n = m->n;
    void *x = after(m, room, n * n);
    m->dense->transpose(room, sl_matrix_in(m, 0, i), n, n);
    m->dense->transpose(x, sl_matrix_in(m, 1, i), m->columns, n);
    m->dense->triangular_solve(room, x, n, m->columns,
                               (struct sl_triangle){.is_lower = m->flags[0], .is_adjoint = m->flags[1]});
    m->dense->transpose(sl_matrix_out(m, 0, i), x, n, m->columns);
    return NULL;
}

static const char *banded_one(const struct sl_matrices *m, int64_t i, void *room) {
    m->dense->transpose(room, sl_matrix_in(m, 1, i), m->columns, m->n);
    if (!m->dense->banded_solve(sl_matrix_in(m, 0, i), room, m->n, m->columns,
                                (struct sl_bands){.bands = m->m, .is_lower = m->flags[0], .is_adjoint = m->flags[1]}))
        return "Input matrix is not invertible.";
    m->dense->transpose(sl_matrix_out(m, 0, i), room, m->n, m->columns);
    return NULL;
}

/* Batch dims of the result and of both inputs in it; -1 when they do not fit. */
static int broadcast(struct sl_matrices *m, struct sl_view a, struct sl_view b) {
    int rank = a.rank > b.rank ? a.rank : b.rank;
    int64_t steps[2] = {1, 1};
    m->rank = rank - 2;
    m->count = 1;
    for (int d = rank - 3; d >= 0; d--) {
        int at_a = d - (rank - a.rank), at_b = d - (rank - b.rank);
        int64_t x = at_a < 0 ? 1 : a.dims[at_a], y = at_b < 0 ? 1 : b.dims[at_b];
        if (x != y && x != 1 && y != 1) return -1;
        m->dims[d] = x == 1 ? y : x;
        m->strides[0][d] = x == 1 ? 0 : steps[0];
        m->strides[1][d] = y == 1 ? 0 : steps[1];
        steps[0] *= x;
        steps[1] *= y;
        m->count *= m->dims[d];
    }
    return rank;
}

static sl_code triangle_run(struct sl_kernel_context *k) {
    const bool *is_banded = k->node->def->data;
    struct sl_view a = sl_in(k, 0), b = sl_in(k, 1);
    if (a.rank < 2) return sl_invalid(k, "In[0] ndims must be >= 2: %d", a.rank);
    if (b.rank < 2) return sl_invalid(k, "In[1] ndims must be >= 2: %d", b.rank);
    struct sl_matrices m = {.k = k, .n_in = 2, .n_out = 1, .dtype = sl_wide_type(a.dtype), .in = {a, b}};
    m.m = a.dims[a.rank - 2];
    m.n = a.dims[a.rank - 1];
    m.columns = b.dims[b.rank - 1];
    int rank = broadcast(&m, a, b);
    if (rank < 0)
        return sl_invalid(k, "In[0] and In[1] must have compatible batch dimensions: %s vs. %s", SHAPE_OF(a),
                          SHAPE_OF(b));
    if (!*is_banded && m.m != m.n)
        return sl_invalid(k, "In[0] matrices in the last dimensions must be square (%lld =/= %lld)", (long long)m.n,
                          (long long)m.m);
    if (*is_banded && (a.count == 0 || m.m == 0))
        return sl_invalid(k, "In[0] must not be an empty tensor: shape %s", SHAPE_OF(a));
    if (*is_banded && b.count == 0) return sl_invalid(k, "In[1] must not be an empty tensor: shape %s", SHAPE_OF(b));
    if (b.dims[b.rank - 2] != m.n)
        return sl_invalid(k, "In[0] mismatch In[1] shape: %lld vs. %lld: %s %s", (long long)m.n,
                          (long long)b.dims[b.rank - 2], SHAPE_OF(a), SHAPE_OF(b));
    int64_t dims[SL_MAX_RANK];
    memcpy(dims, m.dims, (size_t)m.rank * sizeof *dims);
    dims[rank - 2] = m.n;
    dims[rank - 1] = m.columns;
    SL_TRY(sl_out_new(&m.out[0], k, 0, (struct sl_shape){rank, dims}));
    m.in_step[0] = m.m * m.n;
    m.in_step[1] = m.out_step[0] = m.n * m.columns;
    m.flags[0] = sl_state_number(k) & LOWER;
    m.flags[1] = sl_state_number(k) & ADJOINT;
    m.ns_each = 50 + 0.5 * (double)m.m * (double)m.n * (double)m.columns;
    m.one = *is_banded ? banded_one : triangular_one;
    SL_TRY(set_room(&m, (*is_banded ? 0 : m.n * m.n) + m.n * m.columns, 0));
    return sl_matrices_run(&m);
}

static sl_code triangle_create(void **state, struct sl_kernel_setup *setup) {
    bool is_lower, is_adjoint;
    SL_TRY(sl_attr_bool(&is_lower, setup->attrs, "lower", setup->err));
    SL_TRY(sl_attr_bool(&is_adjoint, setup->attrs, "adjoint", setup->err));
    *state = (void *)(intptr_t)((is_lower ? LOWER : 0) | (is_adjoint ? ADJOINT : 0));
    return SL_OK;
}

static sl_code adjoint_create(void **state, struct sl_kernel_setup *setup) {
    return sl_state_of_bool(state, setup, "adjoint");
}

#define WIDE   (SL_SET(FLOAT) | SL_SET(DOUBLE))
#define PARTED (WIDE | SL_SET_COMPLEX)
#define TRIANGLE(op_, banded, types)                                                                                   \
    KERNEL(op_, RULE("T", types), .run = triangle_run, .create = triangle_create, .data = &(const bool){banded},       \
           .cost_element = 5)
/* clang-format off */
const struct sl_kernel_def sl_cpu_linalg_rows[] = {
    KERNEL("Cholesky", RULE("T", PARTED), .run = cholesky_run, .cost_element = 10)
    KERNEL("BatchCholesky", RULE("T", WIDE), .run = cholesky_run, .cost_element = 10)
    KERNEL("CholeskyGrad", RULE("T", WIDE), .run = cholesky_grad_run, .cost_element = 30)
    KERNEL("BatchCholeskyGrad", RULE("T", WIDE), .run = cholesky_grad_run, .cost_element = 30)
    KERNEL("Lu", RULE("T", PARTED) RULE("output_idx_type", SL_SET(INT32) | SL_SET(INT64)), .run = lu_run, .cost_element = 10)
    KERNEL("MatrixDeterminant", RULE("T", PARTED), .run = determinant_run, .cost_element = 10)
    KERNEL("BatchMatrixDeterminant", RULE("T", PARTED), .run = determinant_run, .cost_element = 10)
    KERNEL("LogMatrixDeterminant", RULE("T", PARTED), .run = determinant_run, .cost_element = 10)
    KERNEL("MatrixInverse", RULE("T", PARTED | SL_SET(HALF)), .run = inverse_run, .create = adjoint_create, .cost_element = 30)
    KERNEL("BatchMatrixInverse", RULE("T", WIDE), .run = inverse_run, .create = adjoint_create, .cost_element = 30)
    KERNEL("MatrixSolve", RULE("T", PARTED), .run = solve_run, .create = adjoint_create, .cost_element = 20)
    KERNEL("BatchMatrixSolve", RULE("T", WIDE), .run = solve_run, .create = adjoint_create, .cost_element = 20)
    TRIANGLE("MatrixTriangularSolve", false, PARTED | SL_SET(HALF) | SL_SET(BFLOAT16))
    TRIANGLE("BatchMatrixTriangularSolve", false, WIDE)
    TRIANGLE("BandedTriangularSolve", true, PARTED)
    SL_ROWS_END
};
/* clang-format on */
