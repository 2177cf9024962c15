/* Products and convolutions whose factors are rounded to bfloat16: the sums of the rounded factors' products, within
 * rounding of float, whatever sizes, orders of the sides and numbers of threads; and nothing of it unless asked. */
#include "backends/cpu/product/narrow_product.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "backends/cpu/product/conv_methods.h"
#include "backends/cpu/product/fpmath.h"
#include "backends/cpu/product/tile_loops.h"
#include "os/pool.h"
#include "unit/cpu/numbers.h"
#include "unit/unit.h"

/* To the nearest, half to even. */
static float rounded(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits = (bits + 0x7fff + (bits >> 16 & 1)) & 0xffff0000;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static double most(int64_t k) { return 1e-6 * (double)(k + 1); }

static const struct size {
    int64_t m, n, k;
} sizes[] = {{16, 16, 32},   {32, 32, 64},   {33, 47, 65}, {100, 8, 8},  {8, 300, 31},
             {130, 70, 500}, {70, 1000, 40}, {1, 8, 96},   {1, 240, 10}, {5, 24, 72}};

static float at(const float *x, int64_t row, int64_t column, int64_t rows, int64_t columns, bool is_transposed) {
    return is_transposed ? x[column * rows + row] : x[row * columns + column];
}

static void check_product(struct sl_pool *pool, const struct size *s, bool a_turned, bool b_turned) {
    struct sl_error err = {0};
    struct sl_step_env env = {.pool = pool};
    struct sl_kernel_context k = {.env = &env, .err = &err};
    float *a = numbers(s->m * s->k, 1), *b = numbers(s->k * s->n, 2), *offset = numbers(s->n, 3);
    float *one = numbers(s->m * s->n, 4), *many = numbers(s->m * s->n, 5);
    const struct sl_epilogue epilogue = {.offset = offset, .activation = SL_ACTIVATION_RELU};
    struct sl_packing packing;
    sl_packing_init(&packing);
    struct sl_gemm g = {.rounds = true,
                        .m = s->m,
                        .n = s->n,
                        .k = s->k,
                        .a = a,
                        .a_row = a_turned ? 1 : s->k,
                        .a_k = a_turned ? s->m : 1,
                        .b = b,
                        .b_k = b_turned ? 1 : s->n,
                        .b_column = b_turned ? s->k : 1,
                        .c = one,
                        .c_row = s->n,
                        .epilogue = &epilogue,
                        .packing = &packing};
    bool is_done;
    assert_int_equal(sl_rounded_product_run(&is_done, NULL, &g, &err), SL_OK);
    assert_true(is_done);
    g.c = many;
    for (int turn = 0; turn < 2; turn++) { /* as it was packed */
        memset(many, 0xff, (size_t)(s->m * s->n) * sizeof *many);
        assert_int_equal(sl_rounded_product_run(&is_done, &k, &g, &err), SL_OK);
        assert_true(is_done);
        assert_memory_equal(one, many, (size_t)(s->m * s->n) * sizeof *one);
    }
    assert_non_null(packing.data);
    for (int64_t i = 0; i < s->m; i++)
        for (int64_t j = 0; j < s->n; j++) {
            double sum = (double)offset[j];
            for (int64_t q = 0; q < s->k; q++)
                sum += (double)rounded(at(a, i, q, s->m, s->k, a_turned)) *
                       (double)rounded(at(b, q, j, s->k, s->n, b_turned));
            const double right = sum < 0 ? 0 : sum, is = (double)one[i * s->n + j];
            if (!(fabs(is - right) <= most(s->k)))
                fail_msg("%dx%dx%d, %d %d: element %d, %d is %g, not %g", (int)s->m, (int)s->n, (int)s->k, a_turned,
                         b_turned, (int)i, (int)j, is, right);
        }
    sl_packing_clear(&packing);
    sl_free(a);
    sl_free(b);
    sl_free(offset);
    sl_free(one);
    sl_free(many);
}

static void test_products(void **state) {
    (void)state;
    struct sl_pool *pool;
    if (!sl_tile_loops_bf16()) skip();
    assert_int_equal(sl_pool_create(&pool, 3, NULL), SL_OK);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int turned = 0; turned < 4; turned++) check_product(pool, &sizes[i], turned & 1, turned & 2);
    sl_pool_unref(pool);
}

/* ---- convolutions: images, pixels, channels in and out, size, stride, dilation, padding before */
static const struct shape {
    int64_t images, down, across, in, out, size, stride, dilation, before;
} shapes[] = {{2, 9, 11, 32, 40, 3, 1, 1, 1}, {1, 12, 8, 64, 32, 3, 2, 1, 0}, {1, 15, 14, 3, 16, 7, 2, 1, 3},
              {2, 7, 5, 24, 40, 1, 1, 1, 0},  {1, 9, 9, 32, 16, 3, 1, 2, 2},  {1, 4, 40, 20, 33, 2, 3, 1, 0},
              {1, 3, 3, 32, 16, 5, 1, 1, 2}};

static int64_t results(int64_t n, const struct shape *s) {
    return (n + 2 * s->before - (s->size - 1) * s->dilation - 1) / s->stride + 1;
}

static double tap_sum(const struct sl_conv_spec *c, const float *in, const float *filter, const int64_t at[4]) {
    double sum = 0;
    for (int64_t i = 0; i < c->size[1]; i++)
        for (int64_t j = 0; j < c->size[2]; j++) {
            const int64_t y = at[1] * c->stride[1] - c->before[1] + i * c->dilation[1];
            const int64_t x = at[2] * c->stride[2] - c->before[2] + j * c->dilation[2];
            if (y < 0 || y >= c->in.space[1] || x < 0 || x >= c->in.space[2]) continue;
            const float *pixel = in + ((at[0] * c->in.space[1] + y) * c->in.space[2] + x) * c->in.channels;
            const float *tap = filter + (i * c->size[2] + j) * c->in.channels * c->out.channels + at[3];
            for (int64_t q = 0; q < c->in.channels; q++)
                sum += (double)rounded(pixel[q]) * (double)rounded(tap[q * c->out.channels]);
        }
    return sum;
}

static void check_conv(struct sl_pool *pool, const struct shape *s) {
    struct sl_error err = {0};
    struct sl_step_env env = {.pool = pool};
    struct sl_kernel_context k = {.env = &env, .err = &err};
    const int64_t down = results(s->down, s), across = results(s->across, s);
    const struct sl_conv_spec c = {.rounds = true,
                                   .groups = 1,
                                   .in = {s->images, {1, s->down, s->across}, s->in},
                                   .out = {s->images, {1, down, across}, s->out},
                                   .size = {1, s->size, s->size},
                                   .stride = {1, s->stride, s->stride},
                                   .dilation = {1, s->dilation, s->dilation},
                                   .before = {0, s->before, s->before}};
    const int64_t count = s->images * down * across * s->out;
    float *in = numbers(s->images * s->down * s->across * s->in, 1);
    float *filter = numbers(s->size * s->size * s->in * s->out, 2), *out = numbers(count, 3);
    bool is_done = true;
    assert_int_equal(sl_conv_forward_rounded.run(&is_done, &k, &c, &(struct sl_conv_data){in, filter, out}), SL_OK);
    assert_true(is_done);
    int64_t e = 0;
    for (int64_t image = 0; image < s->images; image++)
        for (int64_t y = 0; y < down; y++)
            for (int64_t x = 0; x < across; x++)
                for (int64_t channel = 0; channel < s->out; channel++, e++) {
                    const double right = tap_sum(&c, in, filter, (int64_t[]){image, y, x, channel});
                    if (!(fabs((double)out[e] - right) <= most(s->size * s->size * s->in)))
                        fail_msg("%dx%d taps, %d to %d channels: element %d is %g, not %g", (int)s->size, (int)s->size,
                                 (int)s->in, (int)s->out, (int)e, (double)out[e], right);
                }
    sl_free(in);
    sl_free(filter);
    sl_free(out);
}

static void test_convolutions(void **state) {
    (void)state;
    struct sl_pool *pool;
    if (!sl_tile_loops_bf16()) skip();
    assert_int_equal(sl_pool_create(&pool, 3, NULL), SL_OK);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) check_conv(pool, &shapes[i]);
    sl_pool_unref(pool);
}

static void test_only_where_asked(void **state) {
    (void)state;
    float a[64 * 64] = {0}, c[64 * 64];
    struct sl_error err = {0};
    struct sl_gemm g = {.m = 64,
                        .n = 64,
                        .k = 64,
                        .a = a,
                        .a_row = 64,
                        .a_k = 1,
                        .b = a,
                        .b_k = 64,
                        .b_column = 1,
                        .c = c,
                        .c_row = 64};
    bool is_done = true;
    assert_int_equal(sl_rounded_product_run(&is_done, NULL, &g, &err), SL_OK);
    assert_false(is_done);
    assert_false(sl_fpmath_rounds(SL_FLOAT));
    sl_fpmath_choose_bf16(true);
    assert_true(sl_fpmath_rounds(SL_FLOAT));
    assert_false(sl_fpmath_rounds(SL_DOUBLE));
    assert_false(sl_fpmath_rounds(SL_HALF)); /* which has more digits than bfloat16 */
    sl_fpmath_choose_bf16(false);
    assert_false(sl_fpmath_rounds(SL_FLOAT));
}

int main(void) {
    unsetenv("SLUICE_FPMATH");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_products), cmocka_unit_test(test_convolutions),
                                       cmocka_unit_test(test_only_where_asked)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
