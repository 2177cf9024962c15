/* Dense matrices on one thread: factorisations, solvers, decompositions, for float, double, complex64 and
 * complex128.
 *
 * All matrices are column-major: element (i, j) of an m x n matrix is a[j * m + i]. Callers with row-major tensors
 * transpose. Vectors come with the signs and in the order that TensorFlow gives them. Algorithms: Golub and Van
 * Loan, Matrix Computations, 4th ed. Functions of the caller's memory, thread-safe. Nothing hangs on NaN or infinity.
 *
 * What takes long looks at the pace of its thread, and breaks off when that ends: what it leaves is then no result. */
#ifndef SL_BACKENDS_CPU_LINALG_DENSE_H
#define SL_BACKENDS_CPU_LINALG_DENSE_H

#include <stdbool.h>
#include <stdint.h>

#include "backends/cpu/isa.h"
#include "kernel/kernel.h"
#include "tensor/dtype.h"

/* Which triangle, and whether its conjugate transpose is meant; `is_unit`: the diagonal is ones, whatever is stored. */
struct sl_triangle {
    bool is_lower, is_adjoint, is_unit;
};

/* How wide a band of a matrix is stored, see `banded_solve`. */
struct sl_bands {
    int64_t bands;
    bool is_lower, is_adjoint;
};

struct sl_dense {
    /* `to`, n x m, is `from`, m x n, transposed. */
    void (*transpose)(void *to, const void *from, int64_t m, int64_t n);
    /* The same, conjugated. */
    void (*adjoint)(void *to, const void *from, int64_t m, int64_t n);
    /* c = a b; c m x n, a m x k, b k x n. */
    void (*multiply)(void *c, const void *a, const void *b, int64_t m, int64_t n, int64_t k);
    /* a = L L^H of the lower triangle, L in place and zeros above it. False: not positive definite. */
    bool (*cholesky)(void *a, int64_t n);
    /* Adds a real number to the diagonal. */
    void (*add_diagonal)(void *a, int64_t n, double x);
    /* The gradient of cholesky's input, by its output l and the gradient of that; real types. `grad` is overwritten
     * by the result, `room` has n * n elements. */
    void (*cholesky_grad)(void *grad, const void *l, int64_t n, void *room);
    /* P a = L U in place; row i of P a is row order[i] of a. False: a pivot is zero or no number; the rest is done
     * all the same. */
    bool (*lu)(void *a, int64_t *order, int64_t n);
    /* x = the solution of a x = b or a^H x = b, n x m, b in x; of what lu made. */
    void (*lu_solve)(const void *lu, const int64_t *order, void *x, int64_t n, int64_t m, bool is_adjoint,
                     void *column);
    /* The determinant of what lu made, and its logarithm: sign * e^log. `log_abs` is an element with the logarithm
     * as real part. */
    void (*determinant)(void *det, const void *lu, const int64_t *order, int64_t n);
    void (*log_determinant)(void *sign, void *log_abs, const void *lu, const int64_t *order, int64_t n);
    /* Solves in place for the m columns of x. */
    void (*triangular_solve)(const void *a, void *x, int64_t n, int64_t m, struct sl_triangle t);
    /* The same for a band: `a` is row-major as tensors are, [bands, n]; band b of a lower matrix holds (i, i - b) at
     * i, of an upper one, counted from the last, (i, i + b). False: a zero or no number on the diagonal. */
    bool (*banded_solve)(const void *a, void *x, int64_t n, int64_t m, struct sl_bands bands);
    /* Tridiagonal matrices by their diagonals, n elements each: the last above and the first below the diagonal are
     * not looked at. x and y are n x m and row-major. Solves in place; `room` has 3 * n elements. False: singular,
     * as far as that method sees. `perturbs` moves pivots away from zero. */
    void (*tridiagonal_multiply)(void *y, const void *super, const void *main, const void *sub, const void *x,
                                 int64_t n, int64_t m);
    bool (*tridiagonal_solve)(void *x, const void *super, const void *main, const void *sub, int64_t n, int64_t m,
                              bool pivots, bool perturbs, void *room);
    /* a = Q R. R is left in the upper triangle of `a`, q (m x columns, columns <= m, at least min(m, n) of them) is
     * written. `tau` has min(m, n) elements. */
    void (*qr)(void *a, void *q, void *tau, int64_t m, int64_t n, int64_t columns);
    /* x = the solution of least squares, and of least norm among those: x n x k, b m x k. Overwrites a and b; `room`
     * has n * n + n * k + 4 * (m + n) elements. */
    void (*least_squares)(void *x, void *a, void *b, int64_t *order, int64_t m, int64_t n, int64_t k, void *room);
    /* Of the lower triangle: values (real, one a column's room) in rising order, vectors as columns of `v` unless
     * NULL. `a` is overwritten; `room` has 51 * n + 16 elements. False: does not converge. */
    bool (*self_adjoint)(void *a, void *values, void *v, int64_t n, void *room);
    /* a = u diag(s) v^H; s (real) falls. u is m x u_columns, v n x v_columns (each min(m, n), or all), or both NULL.
     * `order` has max(m, n) elements, `room` as many elements as svd_room says. */
    void (*svd)(void *a, void *s, void *u, void *v, int64_t m, int64_t n, bool is_full, int64_t *order, void *room);
    int64_t (*svd_room)(int64_t m, int64_t n);
    /* a = u t u^H in place of a: t is upper triangular, but for 2 x 2 blocks on the diagonal for pairs of conjugate
     * eigenvalues of a real matrix. `room` has n elements. False: does not converge. */
    bool (*schur)(void *a, void *u, int64_t n, void *room);
    /* The eigenvalues of what schur made, and the eigenvectors as columns of v of length one, unless NULL. Both are
     * complex whatever the type; those of a complex matrix come with magnitudes that rise. `room` has 2 * n
     * elements. */
    void (*eigen)(void *values, void *v, const void *t, const void *u, int64_t n, void *room);
};

/* For matrices whose longer side is `side`: small ones have the bits of plain loops, whatever the processor can, as many
 * of them hang on the last bit (signs of vectors, logarithms of determinants near 1). NULL for other types. */
const struct sl_dense *sl_dense_of(int dtype, int64_t side);
enum { SL_DENSE_LARGE = 24 }; /* the side from which on there are blocks, and instructions of the processor's own */

/* The pace of what this thread does from now on; NULL: it is not asked to end. */
void sl_dense_set_pace(struct sl_pace *pace);

/* ---- between dense.c and isa/dense_table.inc */
SL_ISA_DECLARE(const struct sl_dense *, sl_dense_table, (int dtype))
/* Whether the pace of this thread ends before so many multiplications. */
bool sl_dense_ends(int64_t multiplications);

#endif
