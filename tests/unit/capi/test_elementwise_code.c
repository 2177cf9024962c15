/* Element-wise nodes in one pass, as machine code and op by op: random expressions over tensors of all lengths, with single
 * numbers, rows and columns among the operands, give the same bits. SL_RANDOM_PROGRAMS=n and SL_RANDOM_SEED=n run more,
 * and others. */
#include "sluice/ops.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>

#include "unit/capi/front_fixture.h"

enum { MOST_NODES = 40 };

static uint64_t seed;
static uint32_t roll(uint32_t n) {
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(seed >> 33) % n;
}

static double any_number(bool is_double) {
    static const double special[] = {0.0, -0.0, INFINITY, -INFINITY, NAN, 1, -1, 6, 0.5, 2.5, -1.5};
    switch (roll(10)) {
    case 0: return special[roll(sizeof special / sizeof *special)];
    case 1: return (is_double ? DBL_TRUE_MIN : (double)FLT_TRUE_MIN) * ((int)roll(200) - 100);
    case 2: return ldexp((int)roll(2000) - 1000, (int)roll(100) - 50);
    default: return ((int)roll(20000) - 10000) / 4096.0;
    }
}

static void fill(void *to, int64_t n, TF_DataType type) {
    for (int64_t i = 0; i < n; i++) {
        const double x = any_number(type == TF_DOUBLE);
        if (type == TF_DOUBLE) ((double *)to)[i] = x;
        else ((float *)to)[i] = (float)x;
    }
}

static TF_Output node_of(struct sl_scope *s, TF_Output x, TF_Output y) {
    switch (roll(32)) {
    case 0: return sl_sub(s, x, y);
    case 1: return sl_mul(s, x, y);
    case 2: return sl_real_div(s, x, y);
    case 3: return sl_square(s, x);
    case 4: return sl_squared_difference(s, x, y);
    case 5: return sl_maximum(s, x, y);
    case 6: return sl_minimum(s, x, y);
    case 7: return sl_neg(s, x);
    case 8: return sl_abs(s, x);
    case 9: return sl_sqrt(s, x);
    case 10: return sl_reciprocal(s, x);
    case 11: return sl_floor(s, x);
    case 12: return sl_ceil(s, x);
    case 13: return sl_rint(s, x);
    case 14: return sl_round(s, x);
    case 15: return sl_relu(s, x);
    case 16: return sl_relu6(s, x);
    case 17: return sl_div_no_nan(s, x, y);
    case 18: return sl_mul_no_nan(s, x, y);
    case 19: return sl_tanh(s, x);
    case 20: return sl_exp(s, x);
    case 21: return sl_sigmoid(s, x);
    case 22: return sl_tanh_grad(s, x, x);
    case 23: return sl_sigmoid_grad(s, x, x);
    case 24: return sl_relu_grad(s, x, x);
    case 25: return sl_relu6_grad(s, x, x);
    case 26: return sl_sub(s, y, x);
    case 27: return sl_maximum(s, y, x);
    case 28: return sl_mul(s, x, x);
    default: return sl_add_v2(s, x, y);
    }
}

/* What it makes of one seed, with the code or without. */
struct outcome {
    int64_t n;
    size_t bytes;
    char *data;
};
static struct outcome run(long of, const char *jit) {
    struct front f = front_new();
    seed = (uint64_t)of;
    setenv("SLUICE_JIT", jit, 1);
    const TF_DataType type = of % 3 ? TF_FLOAT : TF_DOUBLE;
    const int64_t rows = 1 + roll(of % 5 ? 6 : 60), columns = 1 + roll(of % 7 ? 40 : 1500), dims[] = {rows, columns};
    TF_Output values[MOST_NODES];
    static char numbers[64 * 1501 * 8];
    TF_Output x = sl_placeholder(f.s, "x", type, of % 2 ? SL_ANY_SHAPE : SL_SHAPE(rows, columns));
    int n = 0;
    values[n++] = x;
    for (int i = 0; i < 4; i++) {
        const int64_t height = roll(2) ? 1 : rows, width = roll(2) ? 1 : columns;
        fill(numbers, height * width, type);
        values[n++] = i < 2 ? sl_scalar(f.s, type, any_number(type == TF_DOUBLE))
                            : sl_constant_of(f.s, type, SL_SHAPE(height, width), numbers);
    }
    TF_Output y = x;
    for (int nodes = 2 + (int)roll(MOST_NODES - 10); nodes > 0; nodes--) {
        TF_Output other = values[roll((uint32_t)n)];
        y = node_of(f.s, roll(8) ? y : values[roll((uint32_t)n)], other);
        if (roll(3) == 0) values[n++] = y;
    }
    y = sl_add_v2(f.s, y, x);
    fill(numbers, rows * columns, type);
    front_open(&f);
    TF_Status *status = TF_NewStatus();
    TF_Tensor *fed = TF_AllocateTensor(type, dims, 2, (size_t)(rows * columns) * TF_DataTypeSize(type)), *got = NULL;
    memcpy(TF_TensorData(fed), numbers, TF_TensorByteSize(fed));
    struct outcome o = {.n = rows * columns};
    for (int again = 0; again < 2; again++) {
        TF_SessionRun(f.session, NULL, &x, &fed, 1, &y, &got, 1, NULL, 0, NULL, status);
        if (TF_GetCode(status) != TF_OK) fail_msg("seed %ld: %s", of, TF_Message(status));
        free(o.data);
        o.bytes = TF_TensorByteSize(got);
        o.data = malloc(o.bytes);
        memcpy(o.data, TF_TensorData(got), o.bytes);
        TF_DeleteTensor(got);
    }
    TF_DeleteTensor(fed);
    TF_DeleteStatus(status);
    front_delete(&f);
    unsetenv("SLUICE_JIT");
    return o;
}

/* Of a NaN it counts that it is one. */
static bool same(const char *a, const char *b, size_t size) {
    float f[2];
    double d[2];
    if (!memcmp(a, b, size)) return true;
    if (size == sizeof *d) {
        memcpy(&d[0], a, size);
        memcpy(&d[1], b, size);
        return isnan(d[0]) && isnan(d[1]);
    }
    memcpy(&f[0], a, size);
    memcpy(&f[1], b, size);
    return isnan(f[0]) && isnan(f[1]);
}

static void expressions_agree(void **state) {
    (void)state;
    const char *n = getenv("SL_RANDOM_PROGRAMS"), *start = getenv("SL_RANDOM_SEED");
    const long first = start ? atol(start) : 1, last = first + (n ? atol(n) : 250);
    for (long s = first; s < last; s++) {
        struct outcome want = run(s, "off"), got = run(s, "now");
        assert_int_equal(got.bytes, want.bytes);
        const size_t size = got.bytes / (size_t)got.n;
        for (size_t i = 0; i < got.bytes; i += size)
            if (!same(got.data + i, want.data + i, size)) fail_msg("seed %ld: element %zu differs", s, i / size);
        free(want.data);
        free(got.data);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(expressions_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
