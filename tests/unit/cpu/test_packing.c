/* Matrices and filters that are packed once: the second run, which finds them packed, gives the bits of the first
 * and of one that packs for itself. */
#include "backends/cpu/product/conv.h"
#include "backends/cpu/product/gemm.h"
#include "base/alloc.h"
#include "os/pool.h"
#include "unit/cpu/numbers.h"
#include "unit/unit.h"

static struct sl_kernel_context context(struct sl_step_env *env, struct sl_error *err) {
    return (struct sl_kernel_context){.env = env, .err = err};
}

static void test_products(void **state) {
    (void)state;
    static const int64_t sizes[][3] = {{5, 40, 30},   {49, 320, 960 / 4}, {100, 290, 600},
                                       {13, 33, 700}, {6, 333, 600},      {64, 301, 1100}};
    struct sl_error err = {0};
    for (size_t i = 0; i < 2 * sizeof sizes / sizeof *sizes; i++) {
        const int64_t m = sizes[i / 2][0], n = sizes[i / 2][1], k = sizes[i / 2][2];
        const bool is_transposed = i % 2;
        float *a = numbers(m * k, 1), *b = numbers(k * n, 2), *c[3];
        struct sl_packing packing;
        sl_packing_init(&packing);
        for (int run = 0; run < 3; run++) {
            c[run] = numbers(m * n, 3);
            struct sl_gemm g = {.m = m, .n = n, .k = k, .a = a, .a_row = k, .a_k = 1, .b = b};
            g.b_k = is_transposed ? 1 : n;
            g.b_column = is_transposed ? k : 1;
            g.c = c[run];
            g.c_row = n;
            g.packing = run < 2 ? &packing : NULL;
            assert_int_equal(sl_gemm_run(NULL, &g, &err), SL_OK);
            assert_memory_equal(c[run], c[0], (size_t)(m * n) * sizeof(float));
        }
        if (m <= 12) assert_null(packing.data); /* few rows read a small matrix where it stands */
        else assert_non_null(packing.data);
        sl_packing_clear(&packing);
        for (int run = 0; run < 3; run++) sl_free(c[run]);
        sl_free(a);
        sl_free(b);
    }
}

static void test_filters(void **state) {
    (void)state;
    struct sl_pool *pool;
    struct sl_error err = {0};
    assert_int_equal(sl_pool_create(&pool, 4, &err), SL_OK);
    struct sl_step_env env = {.pool = pool};
    struct sl_kernel_context k = context(&env, &err);
    for (int64_t channels = 3; channels <= 48; channels += 45) {
        struct sl_conv_spec conv = {.groups = 1,
                                    .in = {2, {1, 7, 9}, channels},
                                    .out = {2, {1, 7, 9}, 72},
                                    .size = {1, 3, 3},
                                    .stride = {1, 1, 1},
                                    .dilation = {1, 1, 1},
                                    .before = {0, 1, 1}};
        const int64_t results = 2 * 7 * 9 * 72;
        float *in = numbers(2 * 7 * 9 * channels, 1), *filter = numbers(9 * channels * 72, 2), *out[3];
        struct sl_packing packing;
        sl_packing_init(&packing);
        for (int run = 0; run < 3; run++) {
            out[run] = numbers(results, 3);
            conv.packing = run < 2 ? &packing : NULL;
            assert_int_equal(sl_conv_forward(&k, &conv, in, filter, out[run]), SL_OK);
            assert_memory_equal(out[run], out[0], (size_t)results * sizeof(float));
        }
        assert_non_null(packing.data);
        sl_packing_clear(&packing);
        for (int run = 0; run < 3; run++) sl_free(out[run]);
        sl_free(in);
        sl_free(filter);
    }
    sl_pool_unref(pool);
}

/* What was packed for one use is not found by another, nor by another size. */
static void test_uses(void **state) {
    (void)state;
    struct sl_packing packing;
    sl_packing_init(&packing);
    struct sl_kernel_context cancelled = {.is_cut = true};
    void *data = sl_scratch_new(4096), *second = sl_scratch_new(4096), *half = sl_scratch_new(4096);
    sl_packing_put(&packing, &cancelled, SL_PACKING_TAPS, half, 4096);
    assert_null(sl_packing_get(&packing, SL_PACKING_TAPS, 4096));
    sl_packing_put(&packing, NULL, SL_PACKING_TAPS, data, 4096);
    assert_ptr_equal(sl_packing_get(&packing, SL_PACKING_TAPS, 4096), data);
    assert_null(sl_packing_get(&packing, SL_PACKING_PRODUCT, 4096));
    assert_null(sl_packing_get(&packing, SL_PACKING_TAPS, 2048));
    assert_null(sl_packing_get(NULL, SL_PACKING_TAPS, 4096));
    sl_packing_put(&packing, NULL, SL_PACKING_PRODUCT, second, 4096);
    assert_ptr_equal(sl_packing_get(&packing, SL_PACKING_TAPS, 4096), data);
    sl_packing_clear(&packing);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_products), cmocka_unit_test(test_filters),
                                       cmocka_unit_test(test_uses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
