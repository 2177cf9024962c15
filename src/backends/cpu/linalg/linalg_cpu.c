/* Cholesky, LU and what they solve, triangles and bands; dense.h has the algorithms. */
#include <math.h>
#include <string.h>

#include "backends/cpu/array/move.h"
#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/indices.h"
#include "backends/cpu/linalg/matrices.h"
#include "backends/cpu/linalg/triangle_rows.h"

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

/* ---- right-hand sides as they lie: rows, many of them at once */
enum { ROWS_COLUMNS = 8 }; /* with fewer, columns are solved one by one */

static bool goes_by_rows(const struct sl_matrices *m) {
    return (m->dtype == SL_FLOAT || m->dtype == SL_DOUBLE) && m->n >= SL_DENSE_LARGE && m->columns >= ROWS_COLUMNS;
}
/* Elements of room. */
static int64_t rows_room(const struct sl_matrices *m) { return m->n * m->n / 4; }
/* `columns` right-hand sides from x on. */
static bool solve_rows(const struct sl_matrices *m, const void *a, bool is_transposed, void *x, int64_t columns,
                       bool is_lower, bool is_unit, void *room) {
    const struct sl_triangle_rows t = {.is_double = m->dtype == SL_DOUBLE,
                                       .a = a,
                                       .a_row = is_transposed ? 1 : m->n,
                                       .a_column = is_transposed ? m->n : 1,
                                       .x = x,
                                       .x_row = m->columns,
                                       .n = m->n,
                                       .m = columns,
                                       .is_lower = is_lower,
                                       .is_unit = is_unit,
                                       .room = room};
    return SL_ISA_PICK(sl_triangle_rows_solve)(&t);
}

/* ---- Cholesky */

static const char *cholesky_one(const struct sl_matrices *m, int64_t i, void *room) {
    int64_t n = m->n;
    sl_matrix_transpose(m, room, sl_matrix_in(m, 0, i), n, n);
    if (!m->dense->cholesky(room, n)) { /* as TensorFlow: no error, but no numbers below the diagonal */
        memset(room, 0, m->room);
        m->dense->add_diagonal(room, n, NAN);
        char *a = room;
        for (int64_t c = 0; c < n; c++)
            for (int64_t r = c + 1; r < n; r++)
                memcpy(a + (size_t)(c * n + r) * m->size, a + (size_t)(c * n + c) * m->size, m->size);
    }
    sl_matrix_transpose(m, sl_matrix_out(m, 0, i), room, n, n);
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
    sl_matrix_transpose(m, l, sl_matrix_in(m, 0, i), n, n);
    sl_matrix_transpose(m, grad, sl_matrix_in(m, 1, i), n, n);
    m->dense->cholesky_grad(grad, l, n, work);
    sl_matrix_transpose(m, sl_matrix_out(m, 0, i), grad, n, n);
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
    sl_matrix_transpose(m, f.lu, sl_matrix_in(m, 0, i), n, n);
    f.is_regular = m->dense->lu(f.lu, f.order, n);
    return f;
}

static const char *lu_one(const struct sl_matrices *m, int64_t i, void *room) {
    struct factors f = factor(m, i, room);
    if (!f.is_regular) return "Input is not invertible.";
    sl_matrix_transpose(m, sl_matrix_out(m, 0, i), f.lu, m->n, m->n);
    sl_indices_store(m->out[1], i * m->n, f.order, m->n);
    return NULL;
}

static const char *determinant_one(const struct sl_matrices *m, int64_t i, void *room) {
    struct factors f = factor(m, i, room);
    if (m->n_out == 1) m->dense->determinant(sl_matrix_out(m, 0, i), f.lu, f.order, m->n);
    else m->dense->log_determinant(sl_matrix_out(m, 0, i), sl_matrix_out(m, 1, i), f.lu, f.order, m->n);
    return NULL;
}

/* Row `to` of x is row `from` of b, which is the unit matrix where it is NULL. */
static void put_row(const struct sl_matrices *m, void *x, int64_t to, const void *b, int64_t from) {
    char *row = after(m, x, to * m->columns);
    if (b) {
        memcpy(row, (const char *)b + (size_t)(from * m->columns) * m->size, (size_t)m->columns * m->size);
        return;
    }
    memset(row, 0, (size_t)m->columns * m->size);
    if (m->dtype == SL_DOUBLE) ((double *)(void *)row)[from] = 1;
    else ((float *)(void *)row)[from] = 1;
}
/* By the factors, whose columns lie in a run: x = A^-1 b, or with its adjoint. */
static const char *solve_factors(const struct sl_matrices *m, const struct factors *f, void *x, const void *b) {
    void *room = f->rest, *other = after(m, room, rows_room(m));
    const bool is_adjoint = m->flags[0];
    void *solved = is_adjoint ? other : x;
    for (int64_t i = 0; i < m->n; i++) put_row(m, solved, i, b, is_adjoint ? i : f->order[i]);
    const bool is_done = is_adjoint ? solve_rows(m, f->lu, false, solved, m->columns, true, false, room) &&
                                          solve_rows(m, f->lu, false, solved, m->columns, false, true, room)
                                    : solve_rows(m, f->lu, true, solved, m->columns, true, true, room) &&
                                          solve_rows(m, f->lu, true, solved, m->columns, false, false, room);
    for (int64_t i = 0; is_adjoint && i < m->n; i++) put_row(m, x, f->order[i], solved, i);
    return is_done ? NULL : "";
}

static const char *inverse_one(const struct sl_matrices *m, int64_t i, void *room) {
    int64_t n = m->n;
    struct factors f = factor(m, i, room);
    if (!f.is_regular) return "Input is not invertible.";
    if (goes_by_rows(m)) return solve_factors(m, &f, sl_matrix_out(m, 0, i), NULL);
    memset(f.rest, 0, (size_t)(n * n) * m->size);
    m->dense->add_diagonal(f.rest, n, 1);
    m->dense->lu_solve(f.lu, f.order, f.rest, n, n, m->flags[0], f.column);
    sl_matrix_transpose(m, sl_matrix_out(m, 0, i), f.rest, n, n);
    return NULL;
}

static const char *solve_one(const struct sl_matrices *m, int64_t i, void *room) {
    int64_t n = m->n;
    struct factors f = factor(m, i, room);
    if (!f.is_regular) return "Input matrix is not invertible.";
    if (goes_by_rows(m)) return solve_factors(m, &f, sl_matrix_out(m, 0, i), sl_matrix_in(m, 1, i));
    sl_matrix_transpose(m, f.rest, sl_matrix_in(m, 1, i), m->columns, n);
    m->dense->lu_solve(f.lu, f.order, f.rest, n, m->columns, m->flags[0], f.column);
    sl_matrix_transpose(m, sl_matrix_out(m, 0, i), f.rest, n, m->columns);
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
    m.columns = m.n;
    SL_TRY(set_room(&m, 2 * m.n * m.n + m.n + rows_room(&m), m.n));
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
    SL_TRY(set_room(&m, m.n * m.n + m.n + m.n * m.columns + rows_room(&m), m.n));
    m.flags[0] = sl_state_number(k);
    m.ns_each = cube_ns(&m) + (double)m.n * (double)m.n * (double)m.columns;
    m.one = solve_one;
    return sl_matrices_run(&m);
}

/* ---- triangles and bands, whose batch dims broadcast */

enum { LOWER = 1, ADJOINT = 2 };

/* Columns of a part: of large matrices each is solved by itself. */
enum { PART_COLUMNS = 128, PART_ROWS = 64 };
static int64_t parts_of(const struct sl_matrices *m) {
    return goes_by_rows(m) && m->n >= PART_ROWS ? (m->columns + PART_COLUMNS - 1) / PART_COLUMNS : 1;
}
static const char *triangular_part(const struct sl_matrices *m, int64_t i, void *room) {
    const int64_t parts = parts_of(m), matrix = i / parts, first = i % parts * PART_COLUMNS;
    const int64_t columns = parts > 1 && m->columns - first > PART_COLUMNS ? PART_COLUMNS : m->columns - first;
    const bool is_adjoint = m->flags[1];
    void *x = after(m, sl_matrix_out(m, 0, matrix), first);
    for (int64_t r = 0; r < m->n; r++)
        memcpy(after(m, x, r * m->columns),
               (const char *)sl_matrix_in(m, 1, matrix) + (size_t)(r * m->columns + first) * m->size,
               (size_t)columns * m->size);
    return solve_rows(m, sl_matrix_in(m, 0, matrix), is_adjoint, x, columns, m->flags[0] != is_adjoint, false, room)
               ? NULL
               : "";
}
static const char *triangular_one(const struct sl_matrices *m, int64_t i, void *room) {
    int64_t n = m->n;
    if (goes_by_rows(m)) return triangular_part(m, i, room);
    void *x = after(m, room, n * n);
    sl_matrix_transpose(m, room, sl_matrix_in(m, 0, i), n, n);
    sl_matrix_transpose(m, x, sl_matrix_in(m, 1, i), m->columns, n);
    m->dense->triangular_solve(room, x, n, m->columns,
                               (struct sl_triangle){.is_lower = m->flags[0], .is_adjoint = m->flags[1]});
    sl_matrix_transpose(m, sl_matrix_out(m, 0, i), x, n, m->columns);
    return NULL;
}

static const char *banded_one(const struct sl_matrices *m, int64_t i, void *room) {
    sl_matrix_transpose(m, room, sl_matrix_in(m, 1, i), m->columns, m->n);
    if (!m->dense->banded_solve(sl_matrix_in(m, 0, i), room, m->n, m->columns,
                                (struct sl_bands){.bands = m->m, .is_lower = m->flags[0], .is_adjoint = m->flags[1]}))
        return "Input matrix is not invertible.";
    sl_matrix_transpose(m, sl_matrix_out(m, 0, i), room, m->n, m->columns);
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
    const int64_t parts = *is_banded ? 1 : parts_of(&m);
    m.count *= parts;
    m.ns_each = 50 + 0.5 * (double)m.m * (double)m.n * (double)m.columns / (double)parts;
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
