/* The float functions of isa/vector_math.inc against the C library's double ones, for every instruction set this
 * machine has: samples of all floats, with an error in units in the last place (ulp). */
#include <math.h>

#include "backends/cpu/loops.h"
#include "os/cpu.h"
#include "unit/unit.h"

static double sigmoid(double x) { return x < 0 ? exp(x) / (1 + exp(x)) : 1 / (1 + exp(-x)); }

static double softplus(double x) { return x > 0 ? x + log1p(exp(-x)) : log1p(exp(x)); }
static double tanh_softplus(double x) { return tanh(softplus(x)); }

struct function {
    const char *name;
    enum sl_loop_op op;
    double (*exact)(double x);
    double ulp;
};
static const struct function activations[] = {
    {"softplus", SL_LOOP_Softplus, softplus, 2},
    {"tanh of softplus", SL_LOOP_TanhSoftplus, tanh_softplus, 3},
    {NULL, 0, NULL, 0},
};
static const struct function table[] = {
    {"exp", SL_LOOP_Exp, exp, 1},
    {"log", SL_LOOP_Log, log, 1},
    {"expm1", SL_LOOP_Expm1, expm1, 1.6},
    {"log1p", SL_LOOP_Log1p, log1p, 1.6},
    {"tanh", SL_LOOP_Tanh, tanh, 1.5},
    {"sigmoid", SL_LOOP_Sigmoid, sigmoid, 2.3},
    {"erf", SL_LOOP_Erf, erf, 1.4},
    {"sin", SL_LOOP_Sin, sin, 0.7},
    {"cos", SL_LOOP_Cos, cos, 0.7},
    {"tan", SL_LOOP_Tan, tan, 1.2},
    {"asin", SL_LOOP_Asin, asin, 2},
    {"acos", SL_LOOP_Acos, acos, 2},
    {"atan", SL_LOOP_Atan, atan, 2},
    {"sinh", SL_LOOP_Sinh, sinh, 0.6},
    {"cosh", SL_LOOP_Cosh, cosh, 0.6},
    {"asinh", SL_LOOP_Asinh, asinh, 0.6},
    {"erfc", SL_LOOP_Erfc, erfc, 0.7},
    {"lgamma", SL_LOOP_Lgamma, lgamma, 1},
    {"acosh", SL_LOOP_Acosh, acosh, 0.6},
    {"atanh", SL_LOOP_Atanh, atanh, 0.6},
    {NULL, 0, NULL, 0},
};

enum { BATCH = 4096, STEP = 9973 }; /* every STEP-th float */

static void check_value(const struct function *f, const char *isa, float x, float got) {
    double wanted = f->exact(x), rounded = (float)wanted;
    if (rounded != rounded || got != got) {
        if ((rounded != rounded) != (got != got)) fail_msg("%s (%s) of %a is %a, not %a", f->name, isa, x, got, wanted);
    } else if (isinf(rounded) || isinf(got)) {
        if (rounded != got && fabs(wanted) < 3.4028234e38)
            fail_msg("%s (%s) of %a is %a, not %a", f->name, isa, x, got, wanted);
    } else {
        double last_place = fabs(wanted) < 0x1p-126 ? 0x1p-149 : ldexp(1, ilogb(wanted) - 23);
        if (fabs(got - wanted) > f->ulp * last_place)
            fail_msg("%s (%s) of %a is %a, not %a: %.2f ulp", f->name, isa, x, got, wanted,
                     fabs(got - wanted) / last_place);
    }
}

static void check_functions(const char *isa, const struct function *f,
                            struct sl_element_loop (*find)(enum sl_loop_op op, int dtype)) {
    static float x[BATCH], y[BATCH];
    for (; f->name; f++) {
        sl_loop_fn loop = find(f->op, SL_FLOAT).run;
        for (uint64_t bits = 0; bits <= UINT32_MAX; bits += (uint64_t)STEP * BATCH) {
            for (uint64_t j = 0; j < BATCH; j++) {
                uint32_t u = (uint32_t)(bits + j * STEP);
                memcpy(&x[j], &u, sizeof u);
            }
            loop(y, x, NULL, NULL, BATCH);
            for (int j = 0; j < BATCH; j++) check_value(f, isa, x[j], y[j]);
        }
    }
}

static void functions_are_exact_to_the_last_places(void **state) {
    const struct sl_cpu_features *cpu = sl_cpu_features();
    (void)state, (void)cpu;
    check_functions("base", table, sl_math_loop_base);
    check_functions("base", activations, sl_activation_loop_base);
#if defined(__x86_64__)
    if (cpu->avx2_fma_f16c) {
        check_functions("avx2", table, sl_math_loop_avx2);
        check_functions("avx2", activations, sl_activation_loop_avx2);
    }
    if (cpu->avx512) {
        check_functions("avx512", table, sl_math_loop_avx512);
        check_functions("avx512", activations, sl_activation_loop_avx512);
    }
#elif defined(__aarch64__)
    if (cpu->neon) {
        check_functions("neon", table, sl_math_loop_neon);
        check_functions("neon", activations, sl_activation_loop_neon);
    }
#endif
}

/* erf of double against the C library's long one: within 1.5 units in the last place. */
static void check_erf(const char *isa, struct sl_element_loop (*find)(enum sl_loop_op op, int dtype)) {
    static double x[BATCH], y[BATCH];
    const double special[] = {
        0, -0., INFINITY, -INFINITY, NAN, 1, -1, 6, 1e-300, -1e300, 0.99999999999999989, 5.9215871957945083};
    for (int batch = 0; batch < 40; batch++) {
        for (int i = 0; i < BATCH; i++) x[i] = (i & 1 ? -1 : 1) * ldexp(1 + i / (double)BATCH, 4 - batch);
        if (batch == 0) memcpy(x, special, sizeof special);
        find(SL_LOOP_Erf, SL_DOUBLE).run(y, x, NULL, NULL, BATCH);
        for (int i = 0; i < BATCH; i++) {
            const long double wanted = erfl(x[i]);
            if (x[i] != x[i] ? y[i] == y[i] : fabsl(y[i] - wanted) > ldexp(1.5 * 0x1p-52, ilogb(y[i])) && wanted != 0)
                fail_msg("erf (%s) of %a is %a, not %La", isa, x[i], y[i], wanted);
            if (signbit(x[i]) != signbit(y[i])) fail_msg("erf (%s) of %a is %a", isa, x[i], y[i]);
        }
    }
}
static void erf_of_double_is_exact_to_the_last_places(void **state) {
    const struct sl_cpu_features *cpu = sl_cpu_features();
    (void)state, (void)cpu;
    check_erf("base", sl_math_loop_base);
#if defined(__x86_64__)
    if (cpu->avx2_fma_f16c) check_erf("avx2", sl_math_loop_avx2);
    if (cpu->avx512) check_erf("avx512", sl_math_loop_avx512);
#elif defined(__aarch64__)
    if (cpu->neon) check_erf("neon", sl_math_loop_neon);
#endif
}

/* 1 / sqrt(x) has both roundings, however it is made: all floats of two exponents, samples of the others. */
static void check_rsqrt(uint64_t first, uint64_t last, uint64_t step) {
    static float x[BATCH], y[BATCH];
    sl_loop_fn loop = SL_ISA_PICK(sl_math_loop)(SL_LOOP_Rsqrt, SL_FLOAT).run;
    for (uint64_t bits = first; bits <= last; bits += step * BATCH) {
        for (uint64_t j = 0; j < BATCH; j++) {
            uint32_t u = (uint32_t)(bits + j * step);
            memcpy(&x[j], &u, sizeof u);
        }
        loop(y, x, NULL, NULL, BATCH);
        for (int j = 0; j < BATCH; j++) {
            float wanted = 1 / sqrtf(x[j]);
            if (wanted == wanted ? wanted != y[j] : y[j] == y[j])
                fail_msg("rsqrt of %a is %a, not %a", x[j], y[j], wanted);
        }
    }
}
static void rsqrt_is_rounded_twice(void **state) {
    (void)state;
    check_rsqrt(0x3f000000, 0x3fffffff, 1);
    check_rsqrt(0, UINT32_MAX, STEP);
}

/* pow of float by a double exp and log: a grid of signs, sizes and integers. */
static void pow_is_the_c_librarys(void **state) {
    static const float values[] = {0,         -0.0f,     1,        -1,        2,      -2,       3,        -3,
                                   0.5f,      -0.5f,     1.5f,     7.25f,     -7.25f, 1e-20f,   1e20f,    -1e20f,
                                   1e38f,     -1e38f,    INFINITY, -INFINITY, NAN,    16777216, 16777217, -16777215,
                                   0.999999f, 1.000001f, 87.3f,    -126,      1e-38f};
    enum { N = sizeof values / sizeof *values };
    sl_loop_fn loop = SL_ISA_PICK(sl_math_loop)(SL_LOOP_Pow, SL_FLOAT).run;
    const struct function f = {"pow", SL_LOOP_Pow, NULL, 0.6};
    (void)state;
    for (int i = 0; i < N; i++) {
        float x[N], got[N];
        for (int j = 0; j < N; j++) x[j] = values[i];
        loop(got, x, values, NULL, N);
        for (int j = 0; j < N; j++) {
            double wanted = pow(values[i], values[j]);
            bool is_same = wanted != wanted
                               ? got[j] != got[j]
                               : (float)wanted == got[j] || fabs(got[j] - wanted) <= 1e-7 * fabs(wanted) + 0x1p-149;
            if (!is_same || !signbit(wanted) != !signbit(got[j]))
                if (wanted == wanted)
                    fail_msg("%s of %a and %a is %a, not %a", f.name, values[i], values[j], got[j], wanted);
        }
    }
}

/* Quotients and rests of integers against C's, for edges and numbers of all sizes. A zero divisor gives 0. */
static uint64_t some_bits(uint64_t *state) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    const uint64_t edges[] = {0,
                              1,
                              2,
                              3,
                              7,
                              100,
                              127,
                              128,
                              255,
                              32767,
                              32768,
                              65535,
                              INT32_MAX,
                              UINT64_C(1) << 31,
                              UINT32_MAX,
                              INT64_MAX,
                              UINT64_C(1) << 63,
                              (UINT64_C(1) << 53) + 1,
                              1000000007};
    const uint64_t drawn = *state >> 33 & 63, chosen = edges[(*state >> 40) % (sizeof edges / sizeof *edges)];
    if (*state >> 60 < 5) return *state >> 59 & 1 ? -chosen : chosen;
    return (uint64_t)((int64_t)(*state * UINT64_C(0x9e3779b97f4a7c15)) >> drawn);
}
#define CHECK_QUOTIENTS(T, wide, dtype)                                                                                \
    static void check_##T(const char *isa, struct sl_element_loop (*find)(enum sl_loop_op op, int dtype)) {            \
        static T x[BATCH], y[BATCH], q[BATCH], f[BATCH], r[BATCH];                                                     \
        const bool is_signed = (T)-1 < 1;                                                                              \
        uint64_t state = 1;                                                                                            \
        for (int batch = 0; batch < 64; batch++) {                                                                     \
            for (int i = 0; i < BATCH; i++) x[i] = (T)some_bits(&state), y[i] = (T)some_bits(&state);                  \
            find(SL_LOOP_Div, dtype).run(q, x, y, NULL, BATCH);                                                        \
            if (is_signed) find(SL_LOOP_FloorDiv, dtype).run(f, x, y, NULL, BATCH);                                    \
            else memcpy(f, q, sizeof f);                                                                               \
            find(SL_LOOP_FloorMod, dtype).run(r, x, y, NULL, BATCH);                                                   \
            for (int i = 0; i < BATCH; i++) {                                                                          \
                const bool is_plain = y[i] != 0 && !(is_signed && y[i] == (T)-1);                                      \
                const T quotient = y[i] == 0 ? 0 : is_plain ? (T)(x[i] / y[i]) : (T) - (wide)x[i];                     \
                const T rest = is_plain ? (T)(x[i] % y[i]) : 0;                                                        \
                const bool is_below = is_signed && rest && (T)(rest ^ y[i]) >> (8 * sizeof(T) - 1) & 1;                \
                if (q[i] != quotient || f[i] != (T)(quotient - is_below) ||                                            \
                    r[i] != (T)(is_below ? rest + y[i] : rest))                                                        \
                    fail_msg(#T " (%s): %lld / %lld gives %lld, %lld, %lld", isa, (long long)x[i], (long long)y[i],    \
                             (long long)q[i], (long long)f[i], (long long)r[i]);                                       \
            }                                                                                                          \
        }                                                                                                              \
    }
CHECK_QUOTIENTS(int8_t, int, SL_INT8)
CHECK_QUOTIENTS(int16_t, int, SL_INT16)
CHECK_QUOTIENTS(int32_t, uint32_t, SL_INT32)
CHECK_QUOTIENTS(int64_t, uint64_t, SL_INT64)
CHECK_QUOTIENTS(uint8_t, int, SL_UINT8)
CHECK_QUOTIENTS(uint16_t, int, SL_UINT16)
CHECK_QUOTIENTS(uint32_t, uint32_t, SL_UINT32)
CHECK_QUOTIENTS(uint64_t, uint64_t, SL_UINT64)

static void check_quotients(const char *isa, struct sl_element_loop (*find)(enum sl_loop_op op, int dtype)) {
    check_int8_t(isa, find);
    check_int16_t(isa, find);
    check_int32_t(isa, find);
    check_int64_t(isa, find);
    check_uint8_t(isa, find);
    check_uint16_t(isa, find);
    check_uint32_t(isa, find);
    check_uint64_t(isa, find);
}
static void quotients_of_integers_are_exact(void **state) {
    const struct sl_cpu_features *cpu = sl_cpu_features();
    (void)state, (void)cpu;
    check_quotients("base", sl_math_loop_base);
#if defined(__x86_64__)
    if (cpu->avx2_fma_f16c) check_quotients("avx2", sl_math_loop_avx2);
    if (cpu->avx512) check_quotients("avx512", sl_math_loop_avx512);
#elif defined(__aarch64__)
    if (cpu->neon) check_quotients("neon", sl_math_loop_neon);
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quotients_of_integers_are_exact),
        cmocka_unit_test(functions_are_exact_to_the_last_places),
        cmocka_unit_test(erf_of_double_is_exact_to_the_last_places),
        cmocka_unit_test(rsqrt_is_rounded_twice),
        cmocka_unit_test(pow_is_the_c_librarys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
