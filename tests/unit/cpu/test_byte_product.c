/* Products and convolutions of bytes: the sums of (a - zero) (b - zero), modulo 2^32, whatever has a sign, lies in
 * columns, or is outside. */
#include <string.h>

#include "backends/cpu/product/narrow_product.h"
#include "backends/cpu/product/tile_loops.h"
#include "base/alloc.h"
#include "os/pool.h"
#include "unit/unit.h"

/* `n` bytes of which all are there. */
static uint8_t *bytes(int64_t n, uint32_t seed) {
    uint8_t *x = sl_malloc((size_t)n);
    assert_non_null(x);
    for (int64_t i = 0; i < n; i++) {
        seed = seed * 1664525 + 1013904223;
        x[i] = (uint8_t)(seed >> 24);
    }
    return x;
}
static uint32_t at(const struct sl_bytes *b, int64_t i) {
    const uint8_t byte = ((const uint8_t *)b->data)[i];
    return (uint32_t)(b->is_signed ? (int8_t)byte : byte) - (uint32_t)b->zero;
}

static const struct size {
    int64_t m, n, k;
} sizes[] = {{16, 16, 64}, {33, 47, 65}, {8, 8, 8}, {60, 100, 31}, {40, 260, 130}, {9, 17, 1000}};
static const int64_t zeros[] = {0, 128, -3, 700};

static void check_product(struct sl_pool *pool, const struct size *s, int way, int64_t a_zero, int64_t b_zero) {
    struct sl_error err = {0};
    struct sl_step_env env = {.pool = pool};
    struct sl_kernel_context k = {.env = &env, .err = &err};
    uint8_t *a = bytes(s->m * s->k, 1), *b = bytes(s->k * s->n, 2);
    int32_t *c = sl_malloc((size_t)(s->m * s->n) * sizeof *c);
    assert_non_null(c);
    const struct sl_byte_product p = {.m = s->m,
                                      .n = s->n,
                                      .k = s->k,
                                      .a = {a, way & 1, way & 2, a_zero},
                                      .b = {b, way & 4, way & 8, b_zero},
                                      .c = c};
    bool is_done;
    assert_int_equal(sl_byte_product_run(&is_done, &k, &p, &err), SL_OK);
    assert_true(is_done);
    for (int64_t i = 0; i < s->m; i++)
        for (int64_t j = 0; j < s->n; j++) {
            uint32_t sum = 0;
            for (int64_t q = 0; q < s->k; q++)
                sum +=
                    at(&p.a, way & 2 ? q * s->m + i : i * s->k + q) * at(&p.b, way & 8 ? j * s->k + q : q * s->n + j);
            if ((uint32_t)c[i * s->n + j] != sum)
                fail_msg("%dx%dx%d, way %d: element %d, %d is %d, not %d", (int)s->m, (int)s->n, (int)s->k, way, (int)i,
                         (int)j, (int)c[i * s->n + j], (int)sum);
        }
    sl_free(a);
    sl_free(b);
    sl_free(c);
}

static void test_products(void **state) {
    (void)state;
    struct sl_pool *pool;
    if (!sl_tile_loops_bytes()) skip();
    assert_int_equal(sl_pool_create(&pool, 3, NULL), SL_OK);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int way = 0; way < 16; way++)
            check_product(pool, &sizes[i], way, zeros[(size_t)way % 4], zeros[(i + (size_t)way) % 4]);
    sl_pool_unref(pool);
}

/* ---- convolutions: pixels, channels in and out, size, stride, padding before, zero of the image */
static const struct shape {
    int64_t down, across, in, out, size, stride, before, zero;
    bool is_signed;
} shapes[] = {{9, 11, 64, 40, 3, 1, 1, 7, false},
              {12, 8, 3, 16, 7, 2, 3, 128, false},
              {8, 9, 128, 33, 3, 2, 1, -128, true},
              {7, 5, 24, 40, 1, 1, 0, 5, true},
              {6, 6, 64, 16, 5, 1, 2, 0, true}};

static void check_conv(struct sl_pool *pool, const struct shape *s, bool has_sign) {
    struct sl_error err = {0};
    struct sl_step_env env = {.pool = pool};
    struct sl_kernel_context k = {.env = &env, .err = &err};
    const int64_t down = (s->down + 2 * s->before - s->size) / s->stride + 1;
    const int64_t across = (s->across + 2 * s->before - s->size) / s->stride + 1;
    const struct sl_conv_spec c = {.groups = 1,
                                   .in = {2, {1, s->down, s->across}, s->in},
                                   .out = {2, {1, down, across}, s->out},
                                   .size = {1, s->size, s->size},
                                   .stride = {1, s->stride, s->stride},
                                   .dilation = {1, 1, 1},
                                   .before = {0, s->before, s->before}};
    const int64_t count = 2 * down * across * s->out;
    uint8_t *in = bytes(2 * s->down * s->across * s->in, 1), *filter = bytes(s->size * s->size * s->in * s->out, 2);
    int32_t *out = sl_malloc((size_t)count * sizeof *out);
    assert_non_null(out);
    const struct sl_bytes image = {in, s->is_signed, false, s->zero}, taps = {filter, has_sign, false, 100};
    bool is_done;
    assert_int_equal(sl_byte_conv_run(&is_done, &k, &c, &image, &taps, NULL, out), SL_OK);
    assert_true(is_done);
    for (int64_t e = 0; e < count; e++) {
        const int64_t o = e % s->out, x = e / s->out % across, y = e / s->out / across % down;
        const int64_t first = e / s->out / across / down * s->down;
        uint32_t sum = 0;
        for (int64_t i = 0; i < s->size * s->size; i++) {
            const int64_t from_y = y * s->stride - s->before + i / s->size;
            const int64_t from_x = x * s->stride - s->before + i % s->size;
            if (from_y < 0 || from_y >= s->down || from_x < 0 || from_x >= s->across) continue;
            for (int64_t q = 0; q < s->in; q++)
                sum += at(&image, ((first + from_y) * s->across + from_x) * s->in + q) *
                       at(&taps, (i * s->in + q) * s->out + o);
        }
        if ((uint32_t)out[e] != sum)
            fail_msg("%d taps, %d channels: element %d is %d, not %d", (int)s->size, (int)s->in, (int)e, (int)out[e],
                     (int)sum);
    }
    sl_free(in);
    sl_free(filter);
    sl_free(out);
}

static void test_convolutions(void **state) {
    (void)state;
    struct sl_pool *pool;
    if (!sl_tile_loops_bytes()) skip();
    assert_int_equal(sl_pool_create(&pool, 3, NULL), SL_OK);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        check_conv(pool, &shapes[i], false);
        check_conv(pool, &shapes[i], true);
    }
    sl_pool_unref(pool);
}

/* What no byte of the image can say is left to others. */
static void test_zeros_outside(void **state) {
    (void)state;
    const struct sl_conv_spec c = {.groups = 1,
                                   .in = {1, {1, 8, 8}, 8},
                                   .out = {1, {1, 8, 8}, 8},
                                   .size = {1, 1, 1},
                                   .stride = {1, 1, 1},
                                   .dilation = {1, 1, 1}};
    static const uint8_t in[8 * 8 * 8], filter[8 * 8];
    int32_t out[8 * 8 * 8];
    struct sl_error err = {0};
    struct sl_step_env env = {0};
    struct sl_kernel_context k = {.env = &env, .err = &err};
    const struct sl_bytes taps = {filter, true, false, 0};
    bool is_done = true;
    assert_int_equal(sl_byte_conv_run(&is_done, &k, &c, &(struct sl_bytes){in, false, false, 256}, &taps, NULL, out),
                     SL_OK);
    assert_false(is_done);
    is_done = true;
    assert_int_equal(sl_byte_conv_run(&is_done, &k, &c, &(struct sl_bytes){in, true, false, 128}, &taps, NULL, out),
                     SL_OK);
    assert_false(is_done);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_products), cmocka_unit_test(test_convolutions),
                                       cmocka_unit_test(test_zeros_outside)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
