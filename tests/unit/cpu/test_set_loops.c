/* Loops that are compiled for each instruction set, all that this processor has: rows added up, numbers quantised, pools
 * of 16 bits. Each gives the bits of a plain loop, wherever an element stands. And gradients of pools that find the
 * maxima themselves: they give what the places of all maxima give, on any number of threads. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "backends/cpu/pool/pooling.h"
#include "backends/cpu/quant/quantize_loops.h"
#include "backends/cpu/scatter/rows_loops.h"
#include "os/pool.h"
#include "tensor/float16.h"
#include "unit/cpu/numbers.h"
#include "unit/unit.h"

#if defined(__x86_64__)
#define EACH_SET(M) M(base, SL_ISA_BASE) M(avx2, SL_ISA_AVX2) M(avx512, SL_ISA_AVX512)
#elif defined(__aarch64__)
#define EACH_SET(M) M(base, SL_ISA_BASE) M(neon, SL_ISA_NEON)
#else
#define EACH_SET(M) M(base, SL_ISA_BASE)
#endif

/* ---- rows */
enum { ROWS = 7, TARGETS = 4, WIDEST = 300 };
static const int64_t places[ROWS] = {2, 0, -1, 2, 3, 0, 2}, picked[ROWS] = {6, 0, 3, 3, 1, 5, 2};

#define CHECK_ROWS(T)                                                                                                  \
    static void check_rows_##T(const struct sl_rows_loops *loops, int64_t n) {                                         \
        enum { GAP = 3 };                                                                                              \
        static T from[ROWS * (WIDEST + GAP)], to[TARGETS * WIDEST + 1], right[TARGETS * WIDEST + 1], sum[WIDEST + 1];  \
        const int64_t step = n + GAP;                                                                                  \
        for (int64_t i = 0; i < ROWS * step; i++) from[i] = (T)((double)(i * 37 % 101) / 7 - 5);                       \
        for (int64_t i = 0; i <= TARGETS * n; i++) to[i] = right[i] = (T)i / 3;                                        \
        loops->add(to, from, places, ROWS, n, n, step);                                                                \
        for (int i = 0; i < ROWS; i++)                                                                                 \
            for (int64_t c = 0; c < n && places[i] >= 0; c++) right[places[i] * n + c] += from[i * step + c];          \
        assert_memory_equal(to, right, sizeof(T) * (size_t)(TARGETS * n + 1));                                         \
        sum[n] = 77;                                                                                                   \
        loops->sum(sum, from, picked, ROWS, n, step);                                                                  \
        for (int64_t c = 0; c < n; c++) {                                                                              \
            T all = from[picked[0] * step + c];                                                                        \
            for (int i = 1; i < ROWS; i++) all += from[picked[i] * step + c];                                          \
            assert_memory_equal(&sum[c], &all, sizeof all);                                                            \
        }                                                                                                              \
        assert_true(sum[n] == 77);                                                                                     \
    }
CHECK_ROWS(float)
CHECK_ROWS(double)

static void test_rows(void **state) {
    static const int64_t widths[] = {1, 2, 7, 8, 15, 16, 17, 33, 64, 100, 129, 256, WIDEST};
    (void)state;
#define CHECK(set, isa)                                                                                                \
    for (size_t i = 0; i < sizeof widths / sizeof *widths && sl_cpu_isa() >= (isa); i++) {                             \
        check_rows_float(sl_rows_loops_##set(false), widths[i]);                                                       \
        check_rows_double(sl_rows_loops_##set(true), widths[i]);                                                       \
    }
    EACH_SET(CHECK)
#undef CHECK
}

/* ---- quantised numbers */
typedef void (*quantize_fn)(void *y, const float *x, int64_t n, const struct sl_quantize_rule *rule);
static int32_t whole(double x) { return x >= -0x1p31 && x < 0x1p31 ? (int32_t)x : INT32_MIN; }
static int32_t expected(float x, const struct sl_quantize_rule *r) {
    const float inside = isnan(x) ? r->max : fmaxf(fminf(x, r->max), r->min);
    const float from_min = (inside - r->min) * r->scale;
    switch (r->way) {
    case SL_QUANTIZE_SCALED: return whole(roundf(inside * r->scale));
    case SL_QUANTIZE_SCALED_TO_EVEN: return whole(rintf(inside * r->scale));
    case SL_QUANTIZE_SIGNED: return whole(roundf(from_min - r->shift));
    case SL_QUANTIZE_UNSIGNED:
    case SL_QUANTIZE_UNSIGNED_FITS: return whole(from_min + 0.5f);
    default: return whole(fminf(fmaxf(roundf(x * r->scale) - r->shift, r->min), r->max));
    }
}
static void check_quantize(quantize_fn run, const struct sl_quantize_rule *r) {
    enum { N = 203 };
    static const float special[] = {NAN, INFINITY, -INFINITY, 0.5f, -0.5f, 1.5f, 2.5f, -2.5f, -0.0f, 1e30f, -1e30f};
    float x[N];
    int32_t y[N + 1];
    for (int i = 0; i < N; i++) x[i] = (float)((i * 53) % 211 - 100) / 16;
    for (size_t i = 0; i < sizeof special / sizeof *special; i++) x[i * 17 + 3] = special[i];
    y[N] = 0x55555555;
    run(y, x, N, r);
    for (int i = 0; i < N; i++) {
        const int32_t right = expected(x[i], r);
        const void *at = (const char *)y + i * r->size;
        if (memcmp(at, &right, (size_t)r->size) != 0) /* little-endian, as all that it runs on */
            fail_msg("way %d, %d bytes, %g: not %d", (int)r->way, r->size, (double)x[i], (int)right);
    }
    assert_int_equal(y[N], 0x55555555);
}
static void test_quantize(void **state) {
    static const struct sl_quantize_rule rules[] = {
        {SL_QUANTIZE_SCALED, 1, -4, 4, 31.75f, 0},
        {SL_QUANTIZE_SCALED_TO_EVEN, 1, -4, 4, 31.5f, 0},
        {SL_QUANTIZE_SCALED, 2, -100, 100, 1, 0},
        {SL_QUANTIZE_SCALED_TO_EVEN, 2, -100, 100, 1, 0},
        {SL_QUANTIZE_SIGNED, 1, -4, 4, 31.875f, 128},
        {SL_QUANTIZE_SIGNED, 4, -4, 4, 0x1p29f, 0x1p31f},
        {SL_QUANTIZE_UNSIGNED, 1, -4, 4, 31.875f, 0},
        {SL_QUANTIZE_UNSIGNED, 4, -4, 4, 1e20f, 0},
        {SL_QUANTIZE_UNSIGNED_FITS, 1, 0, 4, 63.75f, 0},
        {SL_QUANTIZE_UNSIGNED_FITS, 2, 0, 4, 16383.75f, 0},
        {SL_QUANTIZE_FROM_MIN, 1, -128, 127, 9, -60},
        {SL_QUANTIZE_FROM_MIN, 2, 0, 65535, 700, -4000},
        {SL_QUANTIZE_FROM_MIN, 4, -0x1p31f, 0x1.fffffep30f, 1e9f, 5},
    };
    (void)state;
#define CHECK(set, isa)                                                                                                \
    for (size_t i = 0; i < sizeof rules / sizeof *rules && sl_cpu_isa() >= (isa); i++)                                 \
        check_quantize(sl_quantize_line_##set, &rules[i]);
    EACH_SET(CHECK)
#undef CHECK
}

/* ---- means of 16 bits */
static void check_means(const struct sl_pool_loops *loops, bool is_bfloat16, int64_t n) {
    enum { POINTS = 5, MOST = 100 };
    static uint16_t x[POINTS][MOST], y[MOST + 1];
    const void *pixels[POINTS];
    for (int p = 0; p < POINTS; p++) {
        pixels[p] = x[p];
        for (int64_t i = 0; i < n; i++)
            x[p][i] = (uint16_t)((p * 7919 + i * 10007) % 0x7800) | (uint16_t)(i % 3 ? 0 : 0x8000);
    }
    x[2][n / 2] = is_bfloat16 ? 0x7fc1 : 0x7e01; /* NaN */
    y[n] = 0x1234;
    loops->mean(y, pixels, POINTS, 0.2, n);
    for (int64_t i = 0; i < n; i++) {
        float sum = 0;
        for (int p = 0; p < POINTS; p++)
            sum += is_bfloat16 ? sl_float_of_bfloat16((sl_bfloat16){x[p][i]}) : sl_float_of_half((sl_half){x[p][i]});
        sum *= (float)0.2;
        const uint16_t right = is_bfloat16 ? sl_bfloat16_of_float(sum).bits : sl_half_of_float(sum).bits;
        if (isnan(sum)) assert_true((y[i] & 0x7fff) > (is_bfloat16 ? 0x7f80 : 0x7c00));
        else assert_int_equal(y[i], right);
    }
    assert_int_equal(y[n], 0x1234);
}
static void test_means(void **state) {
    static const int64_t counts[] = {2, 15, 16, 18, 32, 34, 64, 100};
    (void)state;
#define CHECK(set, isa)                                                                                                \
    for (size_t i = 0; i < 2 * sizeof counts / sizeof *counts && sl_cpu_isa() >= (isa); i++)                           \
        check_means(sl_pool_half_loops_##set(i % 2), i % 2, counts[i / 2]);
    EACH_SET(CHECK)
#undef CHECK
}

/* ---- gradients of maxima */
static void check_grad(struct sl_pool *pool, const struct sl_pool_plan *p) {
    const int64_t in = p->in.batch * sl_image_points(&p->in) * p->in.channels;
    const int64_t out = p->out.batch * sl_image_points(&p->out) * p->out.channels;
    struct sl_error err = {0};
    struct sl_step_env env = {.pool = pool};
    struct sl_kernel_context k = {.env = &env, .err = &err};
    float *x = numbers(in, 1), *grad = numbers(out, 2), *right = numbers(in, 3), *got = numbers(in, 4),
          *top = numbers(out, 5);
    int32_t *from = sl_malloc((size_t)out * sizeof *from);
    assert_non_null(from);
    for (int64_t i = 0; i < in; i++) x[i] = roundf(x[i] * 8); /* equal ones: the first counts */
    x[in / 3] = NAN;
    assert_true(sl_pool_is_small(p));
    sl_pool_max_from(&k, p, x, top, from);
    memset(right, 0, (size_t)in * sizeof *right);
    for (int64_t i = 0; i < out; i++) { /* windows in order, as each sum is made */
        const int64_t image = i / (sl_image_points(&p->out) * p->out.channels) * sl_image_points(&p->in);
        if (from[i] >= 0) right[(image + from[i]) * p->in.channels + i % p->in.channels] += grad[i];
    }
    sl_pool_max_grad_of(&k, p, x, grad, got);
    assert_memory_equal(got, right, (size_t)in * sizeof *got);
    sl_pool_max_grad(&k, p, from, grad, got);
    assert_memory_equal(got, right, (size_t)in * sizeof *got);
    sl_free(x);
    sl_free(grad);
    sl_free(right);
    sl_free(got);
    sl_free(top);
    sl_free(from);
}
static void test_pool_gradients(void **state) {
    static const struct {
        int64_t batch, down, across, channels, size, stride, before;
    } shapes[] = {{2, 61, 14, 21, 3, 2, 0},
                  {1, 30, 9, 64, 3, 1, 1},
                  {3, 5, 5, 16, 4, 3, 1},
                  {1, 40, 7, 33, 2, 3, 0},
                  {1, 1, 20, 48, 3, 2, 1}};
    struct sl_pool *pool;
    (void)state;
    assert_int_equal(sl_pool_create(&pool, 3, NULL), SL_OK);
#define CHECK(set, isa)                                                                                                \
    for (size_t i = 0; i < 2 * sizeof shapes / sizeof *shapes && sl_cpu_isa() >= (isa); i++) {                         \
        const int64_t size = shapes[i / 2].size, stride = shapes[i / 2].stride, before = shapes[i / 2].before;         \
        const int64_t down = (shapes[i / 2].down + 2 * before - size) / stride + 1;                                    \
        const int64_t across = (shapes[i / 2].across + 2 * before - size) / stride + 1;                                \
        const struct sl_pool_plan p = {                                                                                \
            .loops = sl_pool_float_loops_##set(false),                                                                 \
            .in = {shapes[i / 2].batch, {1, shapes[i / 2].down, shapes[i / 2].across}, shapes[i / 2].channels},        \
            .out = {shapes[i / 2].batch, {1, down > 0 ? down : 1, across}, shapes[i / 2].channels},                    \
            .size = {1, size, size},                                                                                   \
            .stride = {1, stride, stride},                                                                             \
            .before = {0, before, before}};                                                                            \
        check_grad(i % 2 ? pool : NULL, &p);                                                                           \
    }
    EACH_SET(CHECK)
#undef CHECK
    sl_pool_unref(pool);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows), cmocka_unit_test(test_quantize),
                                       cmocka_unit_test(test_means), cmocka_unit_test(test_pool_gradients)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
