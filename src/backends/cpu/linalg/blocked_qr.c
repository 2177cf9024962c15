/* The reflections of a block make I - V T V^T: V has their vectors as columns, with zeros above and a one at the
 * diagonal, T is an upper triangle (Schreiber and Van Loan, "A storage-efficient WY representation for products of
 * Householder transformations", 1989). Matrices lie column by column, so to sl_gemm_run, which goes by rows, each is
 * its own transpose. */
#include "backends/cpu/linalg/blocked_qr.h"

#include <string.h>

#include "backends/cpu/product/gemm.h"

enum { BLOCK = 32, LEAST = 64 };

bool sl_blocked_qr_pays(int dtype, int64_t m, int64_t n) {
    return (dtype == SL_FLOAT || dtype == SL_DOUBLE) && m >= LEAST && n >= LEAST;
}

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }
/* V and T of each block, factors, two products of theirs with a matrix. */
int64_t sl_blocked_qr_room(int64_t m, int64_t n, int64_t columns) {
    const int64_t count = smaller(m, n) + BLOCK;
    return count * (m + BLOCK + 1) + 2 * BLOCK * (larger(n, columns) + BLOCK);
}

struct work {
    bool is_double;
    int64_t m, n, count;
    char *vectors, *triangles, *factors, *products, *more_products;
};
static char *at(const struct work *w, void *p, int64_t elements) {
    return (char *)p + elements * (w->is_double ? 8 : 4);
}

/* What is asked of the elements themselves. */
#define OF_TYPE(T)                                                                                                     \
    /* V of a block that was factored: b columns of `rows`. */                                                         \
    static void clear_above_##T(T *v, int64_t rows, int64_t b) {                                                       \
        for (int64_t j = 0; j < b; j++, v += rows) {                                                                   \
            for (int64_t i = 0; i < j; i++) v[i] = 0;                                                                  \
            v[j] = 1;                                                                                                  \
        }                                                                                                              \
    }                                                                                                                  \
    /* -T from V^T V, which is b x b: column j of T is -tau[j] T (V^T v[j]), and tau[j] on the diagonal. */            \
    static void make_triangle_##T(T *t, const T *squares, const T *tau, int64_t b) {                                   \
        memset(t, 0, (size_t)(b * b) * sizeof *t);                                                                     \
        for (int64_t j = 0; j < b; j++) {                                                                              \
            for (int64_t i = 0; i < j; i++) {                                                                          \
                T sum = 0;                                                                                             \
                for (int64_t k = i; k < j; k++) sum += t[i * b + k] * squares[k * b + j];                              \
                t[i * b + j] = -tau[j] * sum;                                                                          \
            }                                                                                                          \
            t[j * b + j] = -tau[j];                                                                                    \
        }                                                                                                              \
    }                                                                                                                  \
    static void set_unit_##T(T *q, int64_t m, int64_t columns) {                                                       \
        memset(q, 0, (size_t)(m * columns) * sizeof *q);                                                               \
        for (int64_t i = 0; i < columns; i++) q[i * m + i] = 1;                                                        \
    }
OF_TYPE(float)
OF_TYPE(double)
#define CALL(w, f, p, ...)                                                                                             \
    ((w)->is_double ? f##_double((double *)(void *)(p), __VA_ARGS__) : f##_float((float *)(void *)(p), __VA_ARGS__))

static bool multiply(const struct work *w, struct sl_gemm g) {
    g.is_double = w->is_double;
    return sl_gemm_run(NULL, &g, NULL) == SL_OK;
}

/* `n` columns, `rows` elements of each from c on: c = c - V T' V^T c, T' the triangle or its transpose. */
static bool apply(const struct work *w, char *c, int64_t n, int64_t rows, const char *v, const char *t, int64_t b,
                  bool is_transposed) {
    if (n <= 0) return true;
    const struct sl_gemm down = {.m = n,
                                 .n = b,
                                 .k = rows,
                                 .a = c,
                                 .a_row = w->m,
                                 .a_k = 1,
                                 .b = v,
                                 .b_k = 1,
                                 .b_column = rows,
                                 .c = w->products,
                                 .c_row = b};
    const struct sl_gemm turn = {.m = n,
                                 .n = b,
                                 .k = b,
                                 .a = w->products,
                                 .a_row = b,
                                 .a_k = 1,
                                 .b = t,
                                 .b_k = is_transposed ? b : 1,
                                 .b_column = is_transposed ? 1 : b,
                                 .c = w->more_products,
                                 .c_row = b};
    const struct sl_gemm up = {.adds = true,
                               .m = n,
                               .n = rows,
                               .k = b,
                               .a = w->more_products,
                               .a_row = b,
                               .a_k = 1,
                               .b = v,
                               .b_k = rows,
                               .b_column = 1,
                               .c = c,
                               .c_row = w->m};
    return multiply(w, down) && multiply(w, turn) && multiply(w, up);
}

/* Columns [k, k + b): factored, and the columns behind them reflected. */
static bool factor_block(const struct work *w, const struct sl_dense *dense, void *a, int64_t k, int64_t b) {
    const int64_t rows = w->m - k;
    const size_t bytes = (size_t)rows * (w->is_double ? 8 : 4);
    char *v = at(w, w->vectors, k * w->m), *t = at(w, w->triangles, k * BLOCK), *tau = at(w, w->factors, k);
    for (int64_t j = 0; j < b; j++) memcpy(at(w, v, j * rows), at(w, a, (k + j) * w->m + k), bytes);
    dense->qr(v, v, tau, rows, b, 0);
    for (int64_t j = 0; j < b; j++) memcpy(at(w, a, (k + j) * w->m + k), at(w, v, j * rows), bytes);
    CALL(w, clear_above, v, rows, b);
    const struct sl_gemm squares = {.m = b,
                                    .n = b,
                                    .k = rows,
                                    .a = v,
                                    .a_row = rows,
                                    .a_k = 1,
                                    .b = v,
                                    .b_k = 1,
                                    .b_column = rows,
                                    .c = w->products,
                                    .c_row = b};
    if (!multiply(w, squares)) return false;
    if (w->is_double)
        make_triangle_double((double *)(void *)t, (double *)(void *)w->products, (double *)(void *)tau, b);
    else make_triangle_float((float *)(void *)t, (float *)(void *)w->products, (float *)(void *)tau, b);
    return apply(w, at(w, a, (k + b) * w->m + k), w->n - k - b, rows, v, t, b, true);
}

bool sl_blocked_qr(const struct sl_dense *dense, bool is_double, void *a, void *q, int64_t m, int64_t n,
                   int64_t columns, void *room) {
    struct work w = {.is_double = is_double, .m = m, .n = n, .count = smaller(m, n), .vectors = room};
    w.triangles = at(&w, w.vectors, w.count * m);
    w.factors = at(&w, w.triangles, (w.count + BLOCK) * BLOCK);
    w.products = at(&w, w.factors, w.count);
    w.more_products = at(&w, w.products, BLOCK * (larger(n, columns) + BLOCK));
    int64_t k = 0;
    for (; k < w.count; k += BLOCK) {
        if (sl_dense_ends(4 * (m - k) * (n - k) * BLOCK / 8)) return true;
        if (!factor_block(&w, dense, a, k, smaller(BLOCK, w.count - k))) return false;
    }
    CALL(&w, set_unit, q, m, columns);
    for (k = (w.count - 1) / BLOCK * BLOCK; k >= 0; k -= BLOCK) {
        if (sl_dense_ends(4 * (m - k) * (columns - k) * BLOCK / 8)) return true;
        if (!apply(&w, at(&w, q, k * m + k), columns - k, m - k, at(&w, w.vectors, k * m),
                   at(&w, w.triangles, k * BLOCK), smaller(BLOCK, w.count - k), false))
            return false;
    }
    return true;
}
