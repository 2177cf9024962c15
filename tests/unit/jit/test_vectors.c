/* Machine code over vectors against C: random steps of every op, on zeros of both signs, denormals, infinities and NaN,
 * for any number of vectors, give the bits that the ops' expressions give.
 * SL_RANDOM_PROGRAMS=n and SL_RANDOM_SEED=n run more, and others. */
#include "jit/vectors.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "os/cpu.h"
#include "unit/unit.h"

enum { MOST_BYTES = 40 * SL_JIT_VECTOR_BYTES, MOST_INPUTS = 6, MOST_STEPS = 24 };

#define REFERENCE(T, sqrt, floor, ceil, rint, fabs)                                                                    \
    static T op_##T(uint8_t op, T a, T b) {                                                                            \
        switch ((enum sl_jit_vector_op)op) {                                                                           \
        case SL_JIT_VECTORS_ADD: return a + b;                                                                         \
        case SL_JIT_VECTORS_SUB: return a - b;                                                                         \
        case SL_JIT_VECTORS_MUL: return a * b;                                                                         \
        case SL_JIT_VECTORS_DIV: return a / b;                                                                         \
        case SL_JIT_VECTORS_SQUARE: return a * a;                                                                      \
        case SL_JIT_VECTORS_SQUARED_DIFFERENCE: return (a - b) * (a - b);                                              \
        case SL_JIT_VECTORS_MAXIMUM: return a > b || a != a ? a : b;                                                   \
        case SL_JIT_VECTORS_MINIMUM: return a < b || a != a ? a : b;                                                   \
        case SL_JIT_VECTORS_NEGATE: return -a;                                                                         \
        case SL_JIT_VECTORS_ABSOLUTE: return fabs(a);                                                                  \
        case SL_JIT_VECTORS_SQRT: return sqrt(a);                                                                      \
        case SL_JIT_VECTORS_RECIPROCAL: return 1 / a;                                                                  \
        case SL_JIT_VECTORS_FLOOR: return floor(a);                                                                    \
        case SL_JIT_VECTORS_CEIL: return ceil(a);                                                                      \
        case SL_JIT_VECTORS_ROUND: return rint(a);                                                                     \
        case SL_JIT_VECTORS_RELU: return a < 0 ? 0 : a;                                                                \
        case SL_JIT_VECTORS_RELU6: a = 6 < a ? 6 : a; return a < 0 ? 0 : a;                                            \
        case SL_JIT_VECTORS_RELU_GRAD: return a * (T)(b > 0);                                                          \
        case SL_JIT_VECTORS_RELU6_GRAD: return a * (T)(b > 0 && b < 6);                                                \
        case SL_JIT_VECTORS_TANH_GRAD: return b * (1 - a * a);                                                         \
        case SL_JIT_VECTORS_SIGMOID_GRAD: return b * (a * (1 - a));                                                    \
        case SL_JIT_VECTORS_DIV_NO_NAN: return b == 0 ? 0 : a / b;                                                     \
        case SL_JIT_VECTORS_MUL_NO_NAN: return b == 0 ? 0 : a * b;                                                     \
        case SL_JIT_VECTORS_NONE:                                                                                      \
        case SL_JIT_VECTOR_OPS: break;                                                                                 \
        }                                                                                                              \
        fail_msg("op %d", op);                                                                                         \
        return 0;                                                                                                      \
    }
REFERENCE(float, sqrtf, floorf, ceilf, rintf, fabsf)
REFERENCE(double, sqrt, floor, ceil, rint, fabs)

static uint64_t seed;
static uint32_t roll(uint32_t n) {
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(seed >> 33) % n;
}

static double any_number(bool is_double) {
    static const double special[] = {0.0, -0.0, INFINITY, -INFINITY, NAN, 1, -1, 6, 0.5, 2.5, -1.5};
    switch (roll(8)) {
    case 0: return special[roll(sizeof special / sizeof *special)];
    case 1: return (is_double ? DBL_TRUE_MIN : (double)FLT_TRUE_MIN) * ((int)roll(200) - 100);
    case 2: return ldexp((int)roll(2000) - 1000, (int)roll(200) - 100);
    default: return ((int)roll(20000) - 10000) / 1024.0;
    }
}

union vector {
    float floats[MOST_BYTES / 4];
    double doubles[MOST_BYTES / 8];
};
static union vector values[MOST_INPUTS + MOST_STEPS], got[MOST_STEPS], around;

/* Of a NaN it counts that it is one. */
static bool same(const union vector *a, const union vector *b, int i, bool is_double) {
    if (is_double) return (isnan(a->doubles[i]) && isnan(b->doubles[i])) || !memcmp(&a->doubles[i], &b->doubles[i], 8);
    return (isnan(a->floats[i]) && isnan(b->floats[i])) || !memcmp(&a->floats[i], &b->floats[i], 4);
}

static bool has_two(uint8_t op) {
    static const bool is_single[SL_JIT_VECTOR_OPS] = {
        [SL_JIT_VECTORS_SQUARE] = true, [SL_JIT_VECTORS_NEGATE] = true,     [SL_JIT_VECTORS_ABSOLUTE] = true,
        [SL_JIT_VECTORS_SQRT] = true,   [SL_JIT_VECTORS_RECIPROCAL] = true, [SL_JIT_VECTORS_FLOOR] = true,
        [SL_JIT_VECTORS_CEIL] = true,   [SL_JIT_VECTORS_ROUND] = true,      [SL_JIT_VECTORS_RELU] = true,
        [SL_JIT_VECTORS_RELU6] = true};
    return !is_single[op];
}

/* Some of the results go out, the last one always; values far back are read or not, so that few or many live at once. */
static void one_program(long s, bool is_wide) {
    struct sl_jit_vector_step steps[MOST_STEPS];
    void *places[MOST_INPUTS + MOST_STEPS];
    seed = (uint64_t)s;
    const bool is_double = s % 2;
    const int n_inputs = 1 + (int)roll(MOST_INPUTS), n_steps = 1 + (int)roll(MOST_STEPS), near = s % 3 ? 3 : 100;
    const int n = 1 + (int)roll(MOST_BYTES / SL_JIT_VECTOR_BYTES), bytes = n * SL_JIT_VECTOR_BYTES;
    const int count = bytes / (is_double ? 8 : 4);
    struct sl_jit_vectors v = {
        .steps = steps, .n_steps = n_steps, .n_places = n_inputs, .is_double = is_double, .is_wide = is_wide};
    for (int i = 0; i < n_inputs; i++) {
        const bool is_fixed = roll(3) == 0;
        for (int k = 0; k < count; k++) {
            const double x = is_fixed && k ? 0 : any_number(is_double);
            if (is_double) values[i].doubles[k] = is_fixed && k ? values[i].doubles[0] : x;
            else values[i].floats[k] = is_fixed && k ? values[i].floats[0] : (float)x;
        }
        v.fixed |= (uint32_t)is_fixed << i;
        places[i] = &values[i];
    }
    bool goes_out[MOST_STEPS];
    for (int i = 0; i < n_steps; i++) {
        goes_out[i] = i == n_steps - 1 || roll(6) == 0;
        steps[i].to_place = (int16_t)(goes_out[i] ? v.n_places++ : SL_JIT_NOWHERE);
        if (goes_out[i]) places[steps[i].to_place] = &got[i];
    }
    for (int i = 0; i < n_steps; i++) {
        const uint8_t op = (uint8_t)(1 + roll(SL_JIT_VECTOR_OPS - 1));
        int operands[2];
        for (int o = 0; o < 2; o++) {
            const int back = 1 + (int)roll((uint32_t)near);
            operands[o] = back > i || roll(4) == 0 ? (int)roll((uint32_t)n_inputs) : n_inputs + i - back;
        }
        steps[i].op = op;
        for (int k = 0; k < count; k++)
            if (is_double)
                values[n_inputs + i].doubles[k] =
                    op_double(op, values[operands[0]].doubles[k], values[operands[1]].doubles[k]);
            else
                values[n_inputs + i].floats[k] =
                    op_float(op, values[operands[0]].floats[k], values[operands[1]].floats[k]);
        for (int o = 0; o < 2; o++) operands[o] += operands[o] < n_inputs ? 0 : v.n_places - n_inputs;
        steps[i].a = (int16_t)operands[0];
        steps[i].b = (int16_t)(has_two(op) ? operands[1] : -1);
    }
    struct sl_jit_vector_code code;
    sl_jit_vectors_make(&code, &v);
    if (!code.run) { /* too many live at once */
        assert_true(near > 3);
        return;
    }
    memset(&around, 0x5a, sizeof around);
    memset(got, 0x5a, sizeof got);
    code.run(places, bytes);
    for (int i = 0; i < n_steps; i++) {
        if (!goes_out[i]) continue;
        for (int k = 0; k < count; k++)
            if (!same(&got[i], &values[n_inputs + i], k, is_double))
                fail_msg("seed %ld: element %d of step %d, op %d, differs", s, k, i, steps[i].op);
        assert_memory_equal((char *)&got[i] + bytes, (char *)&around + bytes, sizeof around - (size_t)bytes);
    }
    sl_jit_vectors_free(&code);
}

static bool is_there(void) {
    const struct sl_jit_vector_step step = {SL_JIT_VECTORS_NEGATE, 0, -1, 1};
    const struct sl_jit_vectors v = {.steps = &step, .n_steps = 1, .n_places = 2};
    struct sl_jit_vector_code code;
    sl_jit_vectors_make(&code, &v);
    const bool is = code.run != NULL;
    sl_jit_vectors_free(&code);
    return is;
}

static void programs_agree(void **state) {
    (void)state;
    const char *n = getenv("SL_RANDOM_PROGRAMS"), *start = getenv("SL_RANDOM_SEED");
    const long first = start ? atol(start) : 1, last = first + (n ? atol(n) : 4000);
    if (!is_there() || sl_cpu_isa() < SL_ISA_AVX2) skip();
    for (long s = first; s < last; s++) {
        one_program(s, false);
        if (sl_cpu_isa() == SL_ISA_AVX512) one_program(s, true);
    }
}

/* A place that is written may be one that is read. */
static void places_may_be_one(void **state) {
    (void)state;
    if (!is_there() || sl_cpu_isa() < SL_ISA_AVX2) skip();
    const struct sl_jit_vector_step steps[] = {{SL_JIT_VECTORS_SQUARE, 0, -1, SL_JIT_NOWHERE},
                                               {SL_JIT_VECTORS_ADD, 1, 0, 0}};
    const struct sl_jit_vectors v = {.steps = steps, .n_steps = 2, .n_places = 1};
    struct sl_jit_vector_code code;
    union vector x;
    sl_jit_vectors_make(&code, &v);
    for (int i = 0; i < MOST_BYTES / 4; i++) x.floats[i] = (float)i;
    code.run((void *[]){&x}, MOST_BYTES);
    for (int i = 0; i < MOST_BYTES / 4; i++) assert_true(x.floats[i] == (float)(i * i + i));
    code.run((void *[]){&x}, 0);
    assert_true(x.floats[3] == 12);
    sl_jit_vectors_free(&code);
}

static void may_be_off(void **state) {
    (void)state;
    setenv("SLUICE_JIT", "off", 1);
    assert_false(is_there());
    unsetenv("SLUICE_JIT");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(programs_agree), cmocka_unit_test(places_may_be_one),
                                       cmocka_unit_test(may_be_off)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
