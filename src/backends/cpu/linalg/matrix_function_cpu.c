/* MatrixExponential, MatrixSquareRoot, MatrixLogarithm, computed in complex128 whatever the type. Higham, Functions
 * of Matrices, 2008: chapters 6, 10, 11. What has no such function is not a number. */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/linalg/matrices.h"

typedef double _Complex number;

static bool is_double(int dtype) { return dtype == SL_DOUBLE || dtype == SL_COMPLEX128; }

/* Row-major elements of the tensor's type, to and from column-major numbers. */
static void load(number *to, const struct sl_matrices *m, const void *from) {
    int64_t n = m->n, step = sl_set_has(SL_SET_COMPLEX, m->dtype) ? 2 : 1;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            int64_t at = (i * n + j) * step;
            double parts[2] = {0, 0};
            for (int64_t p = 0; p < step; p++)
                parts[p] = is_double(m->dtype) ? ((const double *)from)[at + p] : ((const float *)from)[at + p];
            to[j * n + i] = __builtin_complex(parts[0], parts[1]);
        }
}
static void store(const struct sl_matrices *m, void *to, const number *from) {
    int64_t n = m->n, step = sl_set_has(SL_SET_COMPLEX, m->dtype) ? 2 : 1;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            double parts[2] = {__real__ from[j * n + i], __imag__ from[j * n + i]};
            for (int64_t p = 0; p < step; p++) {
                int64_t at = (i * n + j) * step + p;
                if (is_double(m->dtype)) ((double *)to)[at] = parts[p];
                else ((float *)to)[at] = (float)parts[p];
            }
        }
}

static void fill_nan(number *a, int64_t n) {
    for (int64_t i = 0; i < n * n; i++) a[i] = __builtin_complex(NAN, NAN);
}

/* The largest sum of magnitudes of a column; not a number when an element is none. */
static double norm(const number *a, int64_t n) {
    double most = 0;
    for (int64_t j = 0; j < n && most == most; j++) {
        double sum = 0;
        for (int64_t i = 0; i < n; i++) sum += hypot(__real__ a[j * n + i], __imag__ a[j * n + i]);
        if (!(sum <= most)) most = sum;
    }
    return most;
}

/* ---- exponential: of a / 2^s by the Pade approximant of order 13, squared s times; algorithm 10.20 */

static const char *exponential_one(const struct sl_matrices *m, int64_t item, void *room) {
    static const double b[] = {64764752532480000.,
                               32382376266240000.,
                               7771770303897600.,
                               1187353796428800.,
                               129060195264000.,
                               10559470521600.,
                               670442572800.,
                               33522128640.,
                               1323241920.,
                               40840800.,
                               960960.,
                               16380.,
                               182.,
                               1.};
    const struct sl_dense *dense = sl_dense_of(SL_COMPLEX128, m->n);
    int64_t n = m->n, size = n * n, *order = room;
    number *a = (number *)(void *)(order + n + n % 2), *a2 = a + size, *a4 = a2 + size, *a6 = a4 + size, *u = a6 + size,
           *v = u + size, *w = v + size;
    load(a, m, sl_matrix_in(m, 0, item));
    double length = norm(a, n);
    if (!(length <= 1e300)) {
        fill_nan(w, n);
        store(m, sl_matrix_out(m, 0, item), w);
        return NULL;
    }
    int squarings = length > 5.371920351148152 ? (int)ceil(log2(length / 5.371920351148152)) : 0;
    for (int64_t i = 0; i < size; i++) a[i] = ldexp(1, -squarings) * a[i];
    dense->multiply(a2, a, a, n, n, n);
    dense->multiply(a4, a2, a2, n, n, n);
    dense->multiply(a6, a4, a2, n, n, n);
    for (int64_t i = 0; i < size; i++) u[i] = b[13] * a6[i] + b[11] * a4[i] + b[9] * a2[i];
    dense->multiply(w, a6, u, n, n, n);
    for (int64_t i = 0; i < size; i++) w[i] += b[7] * a6[i] + b[5] * a4[i] + b[3] * a2[i];
    dense->add_diagonal(w, n, b[1]);
    dense->multiply(u, a, w, n, n, n); /* odd powers */
    for (int64_t i = 0; i < size; i++) w[i] = b[12] * a6[i] + b[10] * a4[i] + b[8] * a2[i];
    dense->multiply(v, a6, w, n, n, n);
    for (int64_t i = 0; i < size; i++) v[i] += b[6] * a6[i] + b[4] * a4[i] + b[2] * a2[i];
    dense->add_diagonal(v, n, b[0]); /* even powers */
    for (int64_t i = 0; i < size; i++) {
        a[i] = v[i] - u[i];
        w[i] = v[i] + u[i];
    }
    dense->lu(a, order, n);
    dense->lu_solve(a, order, w, n, n, false, u);
    for (int s = 0; s < squarings; s++) {
        dense->multiply(u, w, w, n, n, n);
        memcpy(w, u, (size_t)size * sizeof *w);
    }
    store(m, sl_matrix_out(m, 0, item), w);
    return NULL;
}

/* ---- functions of an upper triangular matrix, by Schur's form */

/* Algorithm 6.3; `s` is written. */
static void triangular_root(number *s, const number *t, int64_t n) {
    memset(s, 0, (size_t)(n * n) * sizeof *s);
    for (int64_t j = 0; j < n; j++) {
        s[j * n + j] = csqrt(t[j * n + j]);
        for (int64_t i = j - 1; i >= 0; i--) {
            number sum = t[j * n + i];
            for (int64_t k = i + 1; k < j; k++) sum -= s[k * n + i] * s[j * n + k];
            s[j * n + i] = sum / (s[i * n + i] + s[j * n + j]);
        }
    }
}

static void root_of(number *to, number *t, int64_t n, number *room) {
    (void)room;
    triangular_root(to, t, n);
}

/* Roots until t is close to the identity, then the integral of X (I + x X)^-1 over x in [0, 1] by Gauss and
 * Legendre. */
static void logarithm_of(number *to, number *t, int64_t n, number *room) {
    static const double nodes[] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267, 0.9602898564975363};
    static const double weights[] = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763};
    const struct sl_dense *dense = sl_dense_of(SL_COMPLEX128, n);
    size_t bytes = (size_t)(n * n) * sizeof *t;
    number *x = room, *y = x + n * n, *diagonal = y + n * n;
    int roots = 0;
    for (int64_t i = 0; i < n; i++) diagonal[i] = clog(t[i * n + i]);
    for (;; roots++) {
        memcpy(x, t, bytes);
        dense->add_diagonal(x, n, -1);
        if (roots == 100 || !(norm(x, n) > 0.25)) break;
        triangular_root(to, t, n);
        memcpy(t, to, bytes);
    }
    memset(to, 0, bytes);
    for (int point = 0; point < 8; point++) {
        double at = (1 + (point < 4 ? nodes[point] : -nodes[point - 4])) / 2, weight = weights[point % 4] / 2;
        for (int64_t i = 0; i < n * n; i++) t[i] = at * x[i];
        dense->add_diagonal(t, n, 1);
        memcpy(y, x, bytes);
        dense->triangular_solve(t, y, n, n, (struct sl_triangle){0});
        for (int64_t i = 0; i < n * n; i++) to[i] += weight * y[i];
    }
    for (int64_t i = 0; i < n * n; i++) to[i] = ldexp(1, roots) * to[i];
    for (int64_t i = 0; i < n; i++) to[i * n + i] = diagonal[i];
}

/* A real matrix has a real root or none. */
static void check_real(number *a, int64_t n) {
    double re = 0, im = 0;
    for (int64_t i = 0; i < n * n; i++) {
        re = fmax(re, fabs(__real__ a[i]));
        im = fmax(im, fabs(__imag__ a[i]));
    }
    if (im > 1e-6 * re) fill_nan(a, n);
}

struct function {
    void (*of)(number *to, number *t, int64_t n, number *room);
};

static const char *schur_one(const struct sl_matrices *m, int64_t item, void *room) {
    const struct function *f = m->k->node->def->data;
    const struct sl_dense *dense = sl_dense_of(SL_COMPLEX128, m->n);
    int64_t n = m->n, size = n * n;
    number *t = room, *u = t + size, *s = u + size, *work = s + size;
    load(t, m, sl_matrix_in(m, 0, item));
    if (dense->schur(t, u, n, work)) {
        f->of(s, t, n, work);
        dense->multiply(t, u, s, n, n, n);
        dense->adjoint(s, u, n, n);
        dense->multiply(u, t, s, n, n, n);
        if (!sl_set_has(SL_SET_COMPLEX, m->dtype)) check_real(u, n);
    } else fill_nan(u, n);
    store(m, sl_matrix_out(m, 0, item), u);
    return NULL;
}

static sl_code start(struct sl_matrices *m, struct sl_kernel_context *k) {
    SL_TRY(sl_matrices_start(m, k, true));
    SL_TRY(sl_matrices_out(m, 0, 2, m->n, m->n));
    m->room = (size_t)(7 * m->n * m->n + 2 * m->n + 2) * sizeof(number);
    m->ns_each = 100 + 60 * (double)m->n * (double)m->n * (double)m->n;
    return SL_OK;
}

static sl_code exponential_run(struct sl_kernel_context *k) {
    struct sl_matrices m;
    SL_TRY(start(&m, k));
    m.one = exponential_one;
    return sl_matrices_run(&m);
}

static sl_code schur_run(struct sl_kernel_context *k) {
    struct sl_matrices m;
    SL_TRY(start(&m, k));
    m.one = schur_one;
    return sl_matrices_run(&m);
}

#define SCHUR(op_, types, function_)                                                                                   \
    KERNEL(op_, RULE("T", types), .run = schur_run, .data = &(const struct function){function_}, .cost_element = 300)
/* clang-format off */
const struct sl_kernel_def sl_cpu_matrix_function_rows[] = {
    KERNEL("MatrixExponential", RULE("T", SL_SET(FLOAT) | SL_SET(DOUBLE) | SL_SET_COMPLEX), .run = exponential_run, .cost_element = 300)
    SCHUR("MatrixSquareRoot", SL_SET(FLOAT) | SL_SET(DOUBLE) | SL_SET_COMPLEX, root_of)
    SCHUR("MatrixLogarithm", SL_SET_COMPLEX, logarithm_of)
    SL_ROWS_END
};
/* clang-format on */
