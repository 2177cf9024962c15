/* Convolutions by Winograd's method and their gradients against sums of all products in double; the same bits for
 * any number of threads and for filters kept; what is not finite stays where it belongs. */
#include <math.h>

#include "backends/cpu/product/conv.h"
#include "backends/cpu/product/winograd.h"
#include "base/alloc.h"
#include "os/pool.h"
#include "unit/unit.h"

static void *room(int64_t n, size_t size) {
    void *x = sl_malloc((size_t)n * size);
    assert_non_null(x);
    return x;
}
static float *numbers(int64_t n, uint32_t seed) {
    float *x = room(n, sizeof *x);
    for (int64_t i = 0; i < n; i++) {
        seed = seed * 1664525 + 1013904223;
        x[i] = (float)(seed >> 8) / (float)(1 << 24) - 0.5f;
    }
    return x;
}
static double *wide(const float *from, int64_t n) {
    double *x = room(n, sizeof *x);
    for (int64_t i = 0; i < n; i++) x[i] = from[i];
    return x;
}

static void assert_near(double x, double right) { assert_true(fabs(x - right) < 3e-5); }

/* Images, space down and across, channels in and out, padding before and (as results tell) after. */
struct shape {
    int64_t images, down, across, in, out, before, after;
};
static struct sl_conv_spec conv_of(const struct shape *s) {
    const int64_t more = s->before + s->after - 2;
    return (struct sl_conv_spec){.groups = 1,
                                 .in = {s->images, {1, s->down, s->across}, s->in},
                                 .out = {s->images, {1, s->down + more, s->across + more}, s->out},
                                 .size = {1, 3, 3},
                                 .stride = {1, 1, 1},
                                 .dilation = {1, 1, 1},
                                 .before = {0, s->before, s->before}};
}
static int64_t elements(const struct sl_image *i) { return i->batch * sl_image_points(i) * i->channels; }

static const struct shape shapes[] = {{2, 20, 21, 64, 64, 1, 1}, {1, 57, 58, 48, 80, 1, 1}, {5, 14, 14, 128, 112, 1, 1},
                                      {3, 23, 23, 64, 64, 0, 0}, {1, 30, 30, 64, 96, 2, 3}, {40, 6, 30, 64, 64, 3, 0}};

/* A convolution (or gradient by the input) with float elements, and the same with double ones. */
struct work {
    struct sl_conv_spec c;
    bool is_input_grad;
    int64_t n_from, n_filter, n_to;
    float *from, *filter, *to;
};
static void work_init(struct work *w, const struct shape *s, bool is_input_grad) {
    *w = (struct work){.c = conv_of(s), .is_input_grad = is_input_grad};
    w->n_from = elements(is_input_grad ? &w->c.out : &w->c.in);
    w->n_to = elements(is_input_grad ? &w->c.in : &w->c.out);
    w->n_filter = 9 * s->in * s->out;
    w->from = numbers(w->n_from, 1);
    w->filter = numbers(w->n_filter, 2);
    w->to = numbers(w->n_to, 3);
}
static void work_clear(struct work *w) {
    sl_free(w->from);
    sl_free(w->filter);
    sl_free(w->to);
}
static double *expected(const struct work *w, struct sl_kernel_context *k) {
    struct sl_conv_spec c = w->c;
    c.is_double = true;
    c.epilogue = NULL;
    c.packing = NULL;
    double *from = wide(w->from, w->n_from), *filter = wide(w->filter, w->n_filter), *to = room(w->n_to, sizeof *to);
    if (w->is_input_grad) assert_int_equal(sl_conv_input_grad(k, &c, filter, from, to), SL_OK);
    else assert_int_equal(sl_conv_forward(k, &c, from, filter, to), SL_OK);
    sl_free(from);
    sl_free(filter);
    return to;
}

static void test_results(void **state) {
    (void)state;
    struct sl_error err = {0};
    struct sl_kernel_context k = {.err = &err};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (int is_grad = 0; is_grad < 2; is_grad++) {
            struct work w;
            work_init(&w, &shapes[i], is_grad);
            assert_true(sl_winograd_pays(&w.c, is_grad));
            assert_true(sl_winograd_run(&k, &w.c, is_grad, w.from, w.filter, w.to));
            double *right = expected(&w, &k);
            for (int64_t j = 0; j < w.n_to; j++) assert_near(w.to[j], right[j]);
            sl_free(right);
            work_clear(&w);
        }
}

static void test_epilogue(void **state) {
    (void)state;
    struct sl_error err = {0};
    struct sl_kernel_context k = {.err = &err};
    struct work w;
    work_init(&w, &shapes[1], false);
    float *bias = numbers(80, 4), *side = numbers(w.n_to, 5);
    const struct sl_epilogue e = {.activation = SL_ACTIVATION_RELU,
                                  .offset = bias,
                                  .side = side,
                                  .results = (const char *)w.to};
    w.c.epilogue = &e;
    assert_true(sl_winograd_run(&k, &w.c, false, w.from, w.filter, w.to));
    double *right = expected(&w, &k);
    for (int64_t j = 0; j < w.n_to; j++) assert_near(w.to[j], fmax(right[j] + bias[j % 80] + side[j], 0));
    sl_free(right);
    sl_free(bias);
    sl_free(side);
    work_clear(&w);
}

static void test_bits(void **state) {
    (void)state;
    struct sl_pool *pool;
    struct sl_error err = {0};
    assert_int_equal(sl_pool_create(&pool, 4, &err), SL_OK);
    struct sl_step_env env = {.pool = pool};
    struct sl_kernel_context one = {.err = &err}, many = {.env = &env, .err = &err};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (int is_grad = 0; is_grad < 2; is_grad++) {
            struct work w;
            work_init(&w, &shapes[i], is_grad);
            assert_true(sl_winograd_run(&one, &w.c, is_grad, w.from, w.filter, w.to));
            float *first = room(w.n_to, sizeof *first);
            memcpy(first, w.to, (size_t)w.n_to * sizeof *first);
            struct sl_packing packing;
            sl_packing_init(&packing);
            w.c.packing = &packing;
            for (int run = 0; run < 2; run++) {
                memset(w.to, 0, (size_t)w.n_to * sizeof *first);
                assert_true(sl_winograd_run(&many, &w.c, is_grad, w.from, w.filter, w.to));
                assert_memory_equal(w.to, first, (size_t)w.n_to * sizeof *first);
            }
            assert_true(is_grad || packing.data);
            sl_packing_clear(&packing);
            sl_free(first);
            work_clear(&w);
        }
    sl_pool_unref(pool);
}

/* An infinite pixel would make its whole tile NaN. */
static void test_infinite(void **state) {
    (void)state;
    struct sl_error err = {0};
    struct sl_kernel_context k = {.err = &err};
    struct work w;
    work_init(&w, &shapes[0], false);
    w.from[(21 * 10 + 10) * 64 + 5] = INFINITY;
    assert_false(sl_winograd_run(&k, &w.c, false, w.from, w.filter, w.to));
    assert_int_equal(sl_conv_forward(&k, &w.c, w.from, w.filter, w.to), SL_OK);
    double *right = expected(&w, &k);
    int64_t infinite = 0;
    for (int64_t j = 0; j < w.n_to; j++) {
        if (isfinite(right[j])) assert_near(w.to[j], right[j]);
        else assert_true(isinf(w.to[j]) && (w.to[j] > 0) == (right[j] > 0));
        infinite += !isfinite(right[j]);
    }
    assert_int_equal(infinite, 9 * 64);
    sl_free(right);
    work_clear(&w);
}

/* Gradients by the filter: results, the same bits for any number of threads, infinite pixels. */
static void test_filters(void **state) {
    (void)state;
    struct sl_pool *pool;
    struct sl_error err = {0};
    assert_int_equal(sl_pool_create(&pool, 4, &err), SL_OK);
    struct sl_step_env env = {.pool = pool};
    struct sl_kernel_context one = {.err = &err}, many = {.env = &env, .err = &err};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        struct work w;
        work_init(&w, &shapes[i], false);
        struct sl_conv_spec c = w.c;
        const size_t bytes = (size_t)w.n_filter * sizeof(float);
        float *first = room(w.n_filter, sizeof *first);
        assert_true(sl_winograd_filter_pays(&c));
        assert_true(sl_winograd_filter_grad(&one, &c, w.from, w.to, first));
        assert_true(sl_winograd_filter_grad(&many, &c, w.from, w.to, w.filter));
        assert_memory_equal(w.filter, first, bytes);
        double *from = wide(w.from, w.n_from), *to = wide(w.to, w.n_to), *right = room(w.n_filter, sizeof *right);
        c.is_double = true;
        assert_false(sl_winograd_filter_pays(&c));
        assert_int_equal(sl_conv_filter_grad(&one, &c, from, to, right), SL_OK);
        for (int64_t j = 0; j < w.n_filter; j++) assert_near(first[j], right[j]);
        sl_free(from);
        sl_free(to);
        sl_free(right);
        w.from[w.n_from / 2] = -INFINITY;
        assert_false(sl_winograd_filter_grad(&many, &w.c, w.from, w.to, w.filter));
        sl_free(first);
        work_clear(&w);
    }
    sl_pool_unref(pool);
}

/* Strides, dilations, other filters, odd channels, doubles, small images. */
static void test_others(void **state) {
    (void)state;
    const struct sl_conv_spec good = conv_of(&shapes[0]);
    assert_true(sl_winograd_pays(&good, false));
    for (int i = 0; i < 7; i++) {
        struct sl_conv_spec c = good;
        if (i == 0) c.stride[2] = 2;
        if (i == 1) c.dilation[1] = 2;
        if (i == 2) c.size[1] = 5;
        if (i == 3) c.in.channels = 65;
        if (i == 4) c.is_double = true;
        if (i == 5) c.in.space[1] = c.in.space[2] = c.out.space[1] = c.out.space[2] = 3;
        if (i == 6) c.groups = 2;
        assert_false(sl_winograd_pays(&c, false));
        assert_false(sl_winograd_pays(&c, true));
    }
}

/* A filter whose points are too many to be kept pays later than one whose points are. */
static void test_large_filter(void **state) {
    (void)state;
    struct sl_packing packing;
    sl_packing_init(&packing);
    const struct shape large = {8, 7, 7, 1024, 1024, 1, 1}, kept = {8, 7, 7, 512, 512, 1, 1};
    struct sl_conv_spec c = conv_of(&large), d = conv_of(&kept);
    c.packing = d.packing = &packing;
    assert_false(sl_winograd_pays(&c, false));
    assert_true(sl_winograd_pays(&d, false));
    assert_false(sl_winograd_pays(&d, true));
    sl_packing_clear(&packing);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_results),     cmocka_unit_test(test_epilogue),
                                       cmocka_unit_test(test_bits),        cmocka_unit_test(test_infinite),
                                       cmocka_unit_test(test_filters),     cmocka_unit_test(test_others),
                                       cmocka_unit_test(test_large_filter)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
