/* The table of dense.h: dense.inc and dense_spectral.inc for each type. */
#include "backends/cpu/linalg/dense.h"

#include <complex.h>
#undef I
#include <math.h>
#include <string.h>

#include "backends/cpu/types.inc"

static _Thread_local struct sl_pace *pace_of_thread;
void sl_dense_set_pace(struct sl_pace *pace) { pace_of_thread = pace; }

/* Whether a loop shall break off before a turn of so many multiplications. */
static bool ends(int64_t multiplications) { return pace_of_thread && sl_pace_ends(pace_of_thread, multiplications); }

enum { LANES = 8 };
typedef float sl_part_FLOAT, sl_part_COMPLEX64;
typedef double sl_part_DOUBLE, sl_part_COMPLEX128;
#define SL_EPSILON_FLOAT      FLT_EPSILON
#define SL_EPSILON_COMPLEX64  FLT_EPSILON
#define SL_EPSILON_DOUBLE     DBL_EPSILON
#define SL_EPSILON_COMPLEX128 DBL_EPSILON
#define SL_TINY_FLOAT         FLT_MIN
#define SL_TINY_COMPLEX64     FLT_MIN
#define SL_TINY_DOUBLE        DBL_MIN
#define SL_TINY_COMPLEX128    DBL_MIN
#define root_COMPLEX64        csqrtf
#define root_COMPLEX128       csqrt
#define whole_FLOAT           float _Complex
#define whole_DOUBLE          double _Complex

static inline float _Complex product_of_COMPLEX64(float _Complex x, float _Complex y) {
    const float a = __real__ x, b = __imag__ x, c = __real__ y, d = __imag__ y;
    return __builtin_complex(a * c - b * d, a * d + b * c);
}
static inline double _Complex product_of_COMPLEX128(double _Complex x, double _Complex y) {
    const double a = __real__ x, b = __imag__ x, c = __real__ y, d = __imag__ y;
    return __builtin_complex(a * c - b * d, a * d + b * c);
}

/* Whether a permutation is odd: each cycle of even length is. */
static bool is_odd(const int64_t *order, int64_t n) {
    bool odd = false;
    for (int64_t i = 0; i < n; i++) {
        int64_t length = 1;
        for (int64_t j = order[i]; j != i && length > 0; j = order[j]) length = j < i ? 0 : length + 1;
        if (length > 0 && length % 2 == 0) odd = !odd;
    }
    return odd;
}

#define TYPES (FOR_FLOAT | FOR_DOUBLE | FOR_COMPLEX)
#define BODY  "backends/cpu/linalg/dense.inc"
#include "backends/cpu/for_types.inc"

#define TYPES (FOR_FLOAT | FOR_DOUBLE | FOR_COMPLEX)
#define BODY  "backends/cpu/linalg/dense_tridiagonal.inc"
#include "backends/cpu/for_types.inc"

/* Rotations of the real type that belongs to a type. */
#define PART_ROTATION      SL_TYPE_PASTE(rotation, PART)
#define PART_GIVENS        SL_TYPE_PASTE(givens, PART)
#define PART               SL_TYPE_PASTE(PART_OF, TYPE)
#define PART_OF_FLOAT      FLOAT
#define PART_OF_COMPLEX64  FLOAT
#define PART_OF_DOUBLE     DOUBLE
#define PART_OF_COMPLEX128 DOUBLE
#define TYPES              (FOR_FLOAT | FOR_DOUBLE | FOR_COMPLEX)
#define BODY               "backends/cpu/linalg/dense_spectral.inc"
#include "backends/cpu/for_types.inc"

#define ALL(t)                                                                                                         \
    .transpose = transpose_##t, .adjoint = adjoint_##t, .multiply = multiply_##t, .cholesky = cholesky_##t,            \
    .add_diagonal = add_diagonal_##t, .lu = lu_##t, .lu_solve = lu_solve_##t, .determinant = determinant_##t,          \
    .log_determinant = log_determinant_##t, .triangular_solve = triangular_solve_##t,                                  \
    .banded_solve = banded_solve_##t, .qr = qr_##t, .least_squares = least_squares_##t,                                \
    .self_adjoint = self_adjoint_##t, .svd = svd_##t, .svd_room = svd_room_##t, .schur = schur_##t,                    \
    .eigen = eigen_##t, .tridiagonal_multiply = tridiagonal_multiply_##t, .tridiagonal_solve = tridiagonal_solve_##t
#define OF_REAL(t)    [SL_##t] = {ALL(t), .cholesky_grad = cholesky_grad_##t},
#define OF_COMPLEX(t) [SL_##t] = {ALL(t)},

const struct sl_dense *sl_dense_of(int dtype) {
    static const struct sl_dense table[SL_DTYPE_COUNT] = {OF_REAL(FLOAT) OF_REAL(DOUBLE) OF_COMPLEX(COMPLEX64)
                                                              OF_COMPLEX(COMPLEX128)};
    return sl_dtype_is_valid(dtype) && table[dtype].lu ? &table[dtype] : NULL;
}
