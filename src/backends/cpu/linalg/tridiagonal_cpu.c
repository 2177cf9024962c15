/* Tridiagonal products and solvers. */
#include <math.h>
#include <string.h>

#include "backends/cpu/array/move.h"
#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/indices.h"
#include "backends/cpu/linalg/matrices.h"

enum { PIVOTS = 1, PERTURBS = 2 };
enum { SUPER, MAIN, SUB };

static const void *row(const struct sl_matrices *m, int64_t i, int which) {
    return (const char *)sl_matrix_in(m, 0, i) + (size_t)(which * m->n) * m->size;
}

static const char *solve_one(const struct sl_matrices *m, int64_t i, void *room) {
    void *x = sl_matrix_out(m, 0, i);
    size_t bytes = (size_t)(m->n * m->columns) * m->size;
    if (bytes == 0) return NULL;
    memcpy(x, sl_matrix_in(m, 1, i), bytes);
    if (m->dense->tridiagonal_solve(x, row(m, i, SUPER), row(m, i, MAIN), row(m, i, SUB), m->n, m->columns, m->flags[0],
                                    m->flags[1], room))
        return NULL;
    memset(x, 0, m->size); /* singular: no error, but no numbers */
    m->dense->add_diagonal(x, 1, NAN);
    for (size_t at = m->size; at < bytes; at += m->size) memcpy((char *)x + at, x, m->size);
    return NULL;
}

static sl_code solve_run(struct sl_kernel_context *k) {
    struct sl_matrices m;
    int64_t state = sl_state_number(k);
    SL_TRY(sl_matrices_start(&m, k, false));
    SL_TRY(sl_matrices_in(&m, 1));
    if ((state & PERTURBS) && !(state & PIVOTS))
        return sl_invalid(k, "Setting perturb_singular requires also setting partial_pivoting.");
    if (m.m != 3)
        return sl_invalid(k, "Expected diagonals to be provided as a matrix with 3 rows, got %lld rows.",
                          (long long)m.m);
    struct sl_view b = m.in[1];
    if (b.dims[b.rank - 2] != m.n)
        return sl_invalid(k, "Expected the same number of left-hand sides and right-hand sides, got %lld and %lld.",
                          (long long)m.n, (long long)b.dims[b.rank - 2]);
    m.columns = b.dims[b.rank - 1];
    SL_TRY(sl_matrices_out(&m, 0, 2, m.n, m.columns));
    m.flags[0] = state & PIVOTS;
    m.flags[1] = state & PERTURBS;
    m.room = (size_t)(3 * m.n) * sl_dtype_size(m.dtype);
    m.ns_each = 50 + 5 * (double)m.n * (double)(m.columns + 2);
    m.one = solve_one;
    return sl_matrices_run(&m);
}

static sl_code solve_create(void **state, struct sl_kernel_setup *setup) {
    bool pivots, perturbs;
    SL_TRY(sl_attr_bool(&pivots, setup->attrs, "partial_pivoting", setup->err));
    SL_TRY(sl_attr_bool(&perturbs, setup->attrs, "perturb_singular", setup->err));
    *state = (void *)(intptr_t)((pivots ? PIVOTS : 0) | (perturbs ? PERTURBS : 0));
    return SL_OK;
}

static const char *multiply_one(const struct sl_matrices *m, int64_t i, void *room) {
    (void)room;
    m->dense->tridiagonal_multiply(sl_matrix_out(m, 0, i), sl_matrix_in(m, SUPER, i), sl_matrix_in(m, MAIN, i),
                                   sl_matrix_in(m, SUB, i), sl_matrix_in(m, 3, i), m->n, m->columns);
    return NULL;
}

static sl_code multiply_run(struct sl_kernel_context *k) {
    static const char *const names[] = {"superdiagonal", "main diagonal", "subdiagonal"};
    struct sl_matrices m;
    SL_TRY(sl_matrices_start(&m, k, false));
    for (int i = 1; i < 4; i++) SL_TRY(sl_matrices_in(&m, i));
    struct sl_view b = m.in[3];
    m.n = b.dims[b.rank - 2];
    m.columns = b.dims[b.rank - 1];
    for (int i = 0; i < 3; i++) {
        struct sl_view d = m.in[i];
        if (d.dims[d.rank - 2] != 1 || d.dims[d.rank - 1] != m.n) return sl_invalid(k, "Invalid %s shape.", names[i]);
    }
    SL_TRY(sl_matrices_out(&m, 0, 2, m.n, m.columns));
    m.ns_each = 50 + 2 * (double)m.n * (double)m.columns;
    m.one = multiply_one;
    return sl_matrices_run(&m);
}

#define PARTED (SL_SET(FLOAT) | SL_SET(DOUBLE) | SL_SET_COMPLEX)
/* clang-format off */
const struct sl_kernel_def sl_cpu_tridiagonal_rows[] = {
    KERNEL("TridiagonalMatMul", RULE("T", PARTED), .run = multiply_run, .cost_element = 2)
    KERNEL("TridiagonalSolve", RULE("T", PARTED), .run = solve_run, .create = solve_create, .cost_element = 10)
    SL_ROWS_END
};
/* clang-format on */
