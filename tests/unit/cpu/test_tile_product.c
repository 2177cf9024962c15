/* Products and convolutions of bfloat16 by tile registers, compared with sums written out. Where the processor has no
 * such registers there is nothing to be tested. */
#include <math.h>
#include <string.h>

#include "backends/cpu/product/conv_tiles.h"
#include "backends/cpu/product/tile_product.h"
#include "base/alloc.h"
#include "os/pool.h"
#include "os/tiles.h"
#include "tensor/float16.h"
#include "unit/cpu/numbers.h"
#include "unit/unit.h"

static struct sl_kernel_context context(struct sl_step_env *env, struct sl_error *err) {
    return (struct sl_kernel_context){.env = env, .err = err};
}

static float float_of(uint16_t bits) { return sl_float_of_bfloat16((sl_bfloat16){bits}); }
static uint16_t half_of(float x) { return sl_bfloat16_of_float(x).bits; }
/* `n` of them; their lower halves do not matter, since `floats` has what they are. */
static uint16_t *halves(float *floats, int64_t n) {
    uint16_t *x = sl_malloc((size_t)n * sizeof *x);
    assert_non_null(x);
    for (int64_t i = 0; i < n; i++) {
        x[i] = half_of(floats[i]);
        floats[i] = float_of(x[i]);
    }
    return x;
}
static void check(float got, double sum, double unit) {
    assert_true(fabs((double)got - sum) <= unit * (1 + fabs(sum)));
}

/* Sizes below, at and above those of tiles, items and panels. */
static const int64_t sizes[][3] = {{64, 64, 64},  {5, 300, 1000}, {33, 65, 147},  {32, 33, 257}, {100, 70, 90},
                                   {600, 40, 64}, {47, 130, 31},  {512, 96, 160}, {1000, 9, 32}};

static void check_product(int64_t m, int64_t n, int64_t k, bool is_transposed,
                          struct sl_kernel_context *context_or_null) {
    float *a = numbers(m * k, 1), *b = numbers(k * n, 2), *sums = numbers(m * n, 3);
    uint16_t *a_half = halves(a, m * k), *b_half = halves(b, k * n);
    uint16_t *narrow = sl_malloc((size_t)(m * n) * sizeof *narrow);
    struct sl_error err = {0};
    struct sl_tile_product p = {
        .m = m, .n = n, .k = k, .a = a_half, .a_row = k, .b = b_half, .b_is_transposed = is_transposed, .c = sums};
    assert_int_equal(sl_tile_product_run(context_or_null, &p, &err), SL_OK);
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) {
            double sum = 0;
            for (int64_t q = 0; q < k; q++)
                sum += (double)a[i * k + q] * (double)(is_transposed ? b[j * k + q] : b[q * n + j]);
            check(sums[i * n + j], sum, 1e-5);
        }
    for (enum sl_tile_result result = SL_TILE_ROUNDED; result <= SL_TILE_CUT; result++) {
        p.c = narrow;
        p.result = result;
        assert_int_equal(sl_tile_product_run(NULL, &p, &err), SL_OK);
        for (int64_t i = 0; i < m * n; i++) {
            uint32_t bits;
            memcpy(&bits, &sums[i], sizeof bits);
            assert_int_equal(narrow[i], result == SL_TILE_CUT ? bits >> 16 : half_of(sums[i]));
        }
    }
    sl_free(a);
    sl_free(b);
    sl_free(sums);
    sl_free(a_half);
    sl_free(b_half);
    sl_free(narrow);
}

static void test_products(void **state) {
    (void)state;
    struct sl_pool *pool;
    struct sl_error err = {0};
    assert_int_equal(sl_pool_create(&pool, 4, &err), SL_OK);
    struct sl_step_env env = {.pool = pool};
    struct sl_kernel_context k = context(&env, &err);
    for (size_t i = 0; i < 2 * sizeof sizes / sizeof *sizes; i++)
        check_product(sizes[i / 2][0], sizes[i / 2][1], sizes[i / 2][2], i % 2, &k);
    sl_pool_unref(pool);
}

/* A constant side is packed by the first run alone. */
static void test_packing(void **state) {
    (void)state;
    const int64_t m = 40, n = 70, k = 100;
    float *a = numbers(m * k, 1), *b = numbers(k * n, 2);
    uint16_t *a_half = halves(a, m * k), *b_half = halves(b, k * n);
    float *first = numbers(m * n, 3), *second = numbers(m * n, 4);
    struct sl_error err = {0};
    struct sl_packing packing;
    sl_packing_init(&packing);
    struct sl_tile_product p = {
        .m = m, .n = n, .k = k, .a = a_half, .a_row = k, .b = b_half, .c = first, .packing = &packing};
    assert_int_equal(sl_tile_product_run(NULL, &p, &err), SL_OK);
    assert_non_null(packing.data);
    memset(b_half, 0, (size_t)(k * n) * sizeof *b_half); /* not looked at any more */
    p.c = second;
    assert_int_equal(sl_tile_product_run(NULL, &p, &err), SL_OK);
    assert_memory_equal(first, second, (size_t)(m * n) * sizeof *first);
    sl_packing_clear(&packing);
    sl_free(a);
    sl_free(b);
    sl_free(a_half);
    sl_free(b_half);
    sl_free(first);
    sl_free(second);
}

/* Infinities and NaN come out as what they are. */
static void test_not_finite(void **state) {
    (void)state;
    enum { N = 64 };
    float *ones = numbers(N * N, 1), *sums = numbers(N * N, 2);
    for (int i = 0; i < N * N; i++) ones[i] = 1;
    uint16_t *a = halves(ones, N * N), *b = halves(ones, N * N), narrow[N * N];
    a[0] = 0x7f80;         /* row 0: infinity */
    a[N] = 0x7fc1;         /* row 1: NaN */
    a[2 * N] = 0x7f80;     /* row 2: infinity ... */
    a[2 * N + 1] = 0xff80; /* ... minus infinity */
    struct sl_error err = {0};
    struct sl_tile_product p = {.m = N, .n = N, .k = N, .a = a, .a_row = N, .b = b, .c = narrow};
    for (enum sl_tile_result result = SL_TILE_ROUNDED; result <= SL_TILE_CUT; result++) {
        p.result = result;
        assert_int_equal(sl_tile_product_run(NULL, &p, &err), SL_OK);
        for (int j = 0; j < N; j++) {
            assert_int_equal(narrow[j], 0x7f80);
            assert_true(isnan(float_of(narrow[N + j])));
            assert_true(isnan(float_of(narrow[2 * N + j])));
            assert_true(float_of(narrow[3 * N + j]) == N);
        }
    }
    sl_free(ones);
    sl_free(sums);
    sl_free(a);
    sl_free(b);
}

/* ---- convolutions */
/* The sum for one element of the output, or of the gradient by the input. */
static double forward_sum(const struct sl_conv_spec *c, const float *in, const float *filter, const int64_t at[4],
                          int64_t channel) {
    double sum = 0;
    for (int64_t i = 0; i < c->size[1]; i++)
        for (int64_t j = 0; j < c->size[2]; j++) {
            const int64_t y = at[2] * c->stride[1] + i * c->dilation[1] - c->before[1];
            const int64_t x = at[3] * c->stride[2] + j * c->dilation[2] - c->before[2];
            if (y < 0 || y >= c->in.space[1] || x < 0 || x >= c->in.space[2]) continue;
            const float *pixel = in + ((at[0] * c->in.space[1] + y) * c->in.space[2] + x) * c->in.channels;
            const float *tap = filter + (i * c->size[2] + j) * c->in.channels * c->out.channels + channel;
            for (int64_t q = 0; q < c->in.channels; q++) sum += (double)pixel[q] * (double)tap[q * c->out.channels];
        }
    return sum;
}
static double input_grad_sum(const struct sl_conv_spec *c, const float *grad, const float *filter, const int64_t at[4],
                             int64_t channel) {
    double sum = 0;
    for (int64_t i = 0; i < c->size[1]; i++)
        for (int64_t j = 0; j < c->size[2]; j++) {
            const int64_t y = at[2] - i * c->dilation[1] + c->before[1];
            const int64_t x = at[3] - j * c->dilation[2] + c->before[2];
            if (y < 0 || y >= c->out.space[1] || x < 0 || x >= c->out.space[2]) continue;
            const float *pixel = grad + ((at[0] * c->out.space[1] + y) * c->out.space[2] + x) * c->out.channels;
            const float *tap = filter + ((i * c->size[2] + j) * c->in.channels + channel) * c->out.channels;
            for (int64_t q = 0; q < c->out.channels; q++) sum += (double)pixel[q] * (double)tap[q];
        }
    return sum;
}
static void check_image(const struct sl_image *image, const uint16_t *got, const struct sl_conv_spec *c,
                        const float *from, const float *filter,
                        double (*sum)(const struct sl_conv_spec *c, const float *from, const float *filter,
                                      const int64_t at[4], int64_t channel)) {
    for (int64_t i = 0; i < image->batch * sl_image_points(image); i++) {
        const int64_t width = image->space[2], height = image->space[1];
        const int64_t at[4] = {i / (width * height), 0, i / width % height, i % width};
        for (int64_t j = 0; j < image->channels; j++)
            check(float_of(got[i * image->channels + j]), sum(c, from, filter, at, j), 0x1p-8);
    }
}

/* channels, filters, height, width, filter's height and width, stride, dilation, padding before and after */
static const int64_t convs[][10] = {{32, 40, 9, 13, 3, 3, 1, 1, 1, 1},  {3, 33, 20, 22, 7, 7, 2, 1, 2, 3},
                                    {24, 32, 11, 7, 1, 1, 1, 1, 0, 0},  {20, 50, 12, 9, 2, 5, 1, 2, 1, 4},
                                    {16, 48, 15, 14, 3, 3, 2, 2, 0, 0}, {40, 16, 8, 8, 1, 1, 1, 1, 0, 2},
                                    {32, 32, 6, 5, 7, 7, 1, 1, 5, 5},   {17, 19, 30, 3, 3, 3, 1, 1, 0, 3},
                                    {64, 64, 20, 17, 3, 3, 1, 2, 2, 2}, {32, 96, 30, 33, 2, 5, 1, 1, 1, 3},
                                    {96, 32, 40, 12, 3, 1, 1, 1, 0, 0}, {4, 20, 11, 3, 7, 8, 1, 1, 9, 9},
                                    {1, 9, 30, 40, 5, 5, 3, 1, 2, 2},   {2, 40, 17, 2, 3, 3, 1, 1, 6, 1}};

static void test_convs(void **state) {
    (void)state;
    struct sl_pool *pool;
    struct sl_error err = {0};
    assert_int_equal(sl_pool_create(&pool, 4, &err), SL_OK);
    struct sl_step_env env = {.pool = pool};
    struct sl_kernel_context k = context(&env, &err);
    for (size_t i = 0; i < sizeof convs / sizeof *convs; i++) {
        const int64_t *v = convs[i], step = v[6], dilation = v[7], pad = v[8] + v[9];
        const int64_t height = (v[2] + pad - (v[4] - 1) * dilation - 1) / step + 1;
        const int64_t width = (v[3] + pad - (v[5] - 1) * dilation - 1) / step + 1;
        const struct sl_conv_spec c = {.groups = 1,
                                       .in = {2, {1, v[2], v[3]}, v[0]},
                                       .out = {2, {1, height, width}, v[1]},
                                       .size = {1, v[4], v[5]},
                                       .stride = {1, step, step},
                                       .dilation = {1, dilation, dilation},
                                       .before = {0, v[8], v[8]}};
        const int64_t n_in = 2 * v[2] * v[3] * v[0], n_out = 2 * height * width * v[1],
                      n_filter = v[4] * v[5] * v[0] * v[1];
        float *in = numbers(n_in, 1), *filter = numbers(n_filter, 2), *grad = numbers(n_out, 3);
        uint16_t *in_half = halves(in, n_in), *filter_half = halves(filter, n_filter), *grad_half = halves(grad, n_out);
        uint16_t *out = sl_malloc((size_t)(n_in > n_out ? n_in : n_out) * sizeof *out);
        assert_int_equal(sl_conv_forward_by_tiles(&k, &c, in_half, filter_half, out), SL_OK);
        check_image(&c.out, out, &c, in, filter, forward_sum);
        if (step == 1) {
            assert_int_equal(sl_conv_input_grad_by_tiles(&k, &c, filter_half, grad_half, out), SL_OK);
            check_image(&c.in, out, &c, grad, filter, input_grad_sum);
        } else {
            assert_false(sl_conv_tiles_pay_for_input_grad(&c));
        }
        sl_free(in);
        sl_free(filter);
        sl_free(grad);
        sl_free(in_half);
        sl_free(filter_half);
        sl_free(grad_half);
        sl_free(out);
    }
    sl_pool_unref(pool);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_products), cmocka_unit_test(test_packing),
                                       cmocka_unit_test(test_not_finite), cmocka_unit_test(test_convs)};
    return sl_tiles_are_there() ? cmocka_run_group_tests(tests, NULL, NULL) : 0;
}
