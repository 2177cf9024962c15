/* Convolutions and products by oneDNN against our own, with pieces of all kinds; the same bits with one thread and
 * four, and when plans come and go. Where the library is not there nothing is tested. */
#include <math.h>
#include <stdlib.h>

#include "backends/cpu/product/onednn.h"
#include "base/alloc.h"
#include "os/pool.h"
#include "unit/unit.h"

static int setup(void **state) {
    (void)state;
    return setenv("SLUICE_ONEDNN", "all", 1);
}

static float *numbers(int64_t n, uint32_t seed) {
    float *x = sl_malloc((size_t)(n ? n : 1) * sizeof *x);
    assert_non_null(x);
    for (int64_t i = 0; i < n; i++) {
        seed = seed * 1664525 + 1013904223;
        x[i] = (float)(seed >> 8) / (float)(1 << 24) - 0.5f;
    }
    return x;
}

/* Sums of `terms` products below 1/4. */
static void assert_near(const char *what, int shape, const float *a, const float *b, int64_t n, int64_t terms) {
    for (int64_t i = 0; i < n; i++)
        if (!(fabsf(a[i] - b[i]) <= 2e-6f * (float)terms + 1e-5f))
            fail_msg("%s %d, element %lld: %g, not %g", what, shape, (long long)i, (double)a[i], (double)b[i]);
}

struct shape {
    int64_t batch, height, width, in, out, size, stride, dilation, top, left;
};
static const struct shape shapes[] = {
    {1, 56, 56, 64, 64, 3, 1, 1, 1, 1},  /* bands */
    {3, 57, 41, 24, 40, 3, 1, 1, 1, 1},  /* bands of several images, the last one lower */
    {20, 15, 15, 32, 48, 3, 1, 1, 1, 1}, /* images, the last piece with fewer */
    {1, 113, 61, 3, 32, 3, 2, 1, 0, 0},  /* strides, padding below alone */
    {2, 112, 112, 8, 16, 7, 2, 1, 2, 3}, /* */
    {5, 28, 28, 96, 24, 1, 1, 1, 0, 0},  /* points alone */
    {4, 30, 30, 32, 64, 1, 2, 1, 0, 0},  /* every other point */
    {1, 40, 44, 16, 32, 3, 1, 2, 2, 2},  /* dilation */
    {1, 9, 9, 5, 7, 5, 1, 1, 2, 2},      /* one small piece */
    {1, 64, 64, 16, 32, 5, 1, 1, 4, 4},  /* all the padding there may be */
};

static struct sl_conv_spec conv_of(const struct shape *s) {
    struct sl_conv_spec c = {.groups = 1,
                             .in = {s->batch, {1, s->height, s->width}, s->in},
                             .out = {.channels = s->out}};
    const int64_t extent = (s->size - 1) * s->dilation + 1, before[SL_SPACE] = {0, s->top, s->left};
    c.out.batch = s->batch;
    for (int d = 0; d < SL_SPACE; d++) {
        c.size[d] = d ? s->size : 1;
        c.stride[d] = d ? s->stride : 1;
        c.dilation[d] = d ? s->dilation : 1;
        c.before[d] = before[d];
        c.out.space[d] = d ? (c.in.space[d] + 2 * before[d] - extent) / s->stride + 1 : 1;
    }
    return c;
}

struct images {
    int64_t n_in, n_filter, n_out;
    float *in, *filter, *out;
};
static struct images images_of(const struct sl_conv_spec *c, uint32_t seed) {
    struct images m = {.n_in = c->in.batch * sl_image_points(&c->in) * c->in.channels,
                       .n_out = c->out.batch * sl_image_points(&c->out) * c->out.channels,
                       .n_filter = c->size[1] * c->size[2] * c->in.channels * c->out.channels};
    m.in = numbers(m.n_in, seed);
    m.filter = numbers(m.n_filter, seed + 1);
    m.out = numbers(m.n_out, seed + 2);
    return m;
}
static void images_free(struct images *m) {
    sl_free(m->in);
    sl_free(m->filter);
    sl_free(m->out);
}

static bool theirs(struct sl_onednn_plans *plans, struct sl_kernel_context *k, enum sl_onednn_work work,
                   const struct sl_conv_spec *c, struct images *m) {
    return sl_onednn_conv(plans, k, work, c, m->in, m->filter, m->out);
}
static void ours(struct sl_kernel_context *k, enum sl_onednn_work work, const struct sl_conv_spec *c,
                 struct images *m) {
    sl_code code = work == SL_ONEDNN_FORWARD      ? sl_conv_forward(k, c, m->in, m->filter, m->out)
                   : work == SL_ONEDNN_INPUT_GRAD ? sl_conv_input_grad(k, c, m->filter, m->out, m->in)
                                                  : sl_conv_filter_grad(k, c, m->in, m->out, m->filter);
    assert_int_equal(code, SL_OK);
}

static void test_convolutions(void **state) {
    (void)state;
    struct sl_pool *pool;
    struct sl_error err = {0};
    if (!sl_onednn_is_there()) skip();
    assert_int_equal(sl_pool_create(&pool, 4, &err), SL_OK);
    struct sl_step_env alone = {0}, several = {.pool = pool};
    struct sl_kernel_context k = {.env = &alone, .err = &err}, k4 = {.env = &several, .err = &err};
    struct sl_onednn_plans plans;
    sl_onednn_plans_init(&plans);
    for (int round = 0; round < 2; round++) /* there is room for fewer plans */
        for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
            const struct sl_conv_spec c = conv_of(&shapes[i]);
            const int64_t points = c.out.batch * sl_image_points(&c.out), taps = c.size[1] * c.size[2];
            for (int work = SL_ONEDNN_FORWARD; work <= SL_ONEDNN_FILTER_GRAD; work++) {
                struct images a = images_of(&c, 1), b = images_of(&c, 1), d = images_of(&c, 1);
                ours(&k4, work, &c, &a);
                const bool is_done = theirs(&plans, &k, work, &c, &b);
                const bool is_product = shapes[i].size == 1 && shapes[i].stride == 1;
                if (work == SL_ONEDNN_FILTER_GRAD) assert_true(is_done);
                else assert_int_equal(is_done, !is_product && (shapes[i].stride == 1 || work == SL_ONEDNN_FORWARD));
                assert_int_equal(theirs(&plans, &k4, work, &c, &d), is_done);
                assert_memory_equal(b.in, d.in, (size_t)b.n_in * sizeof(float));
                assert_memory_equal(b.filter, d.filter, (size_t)b.n_filter * sizeof(float));
                assert_memory_equal(b.out, d.out, (size_t)b.n_out * sizeof(float));
                if (is_done) {
                    assert_near("in", (int)i, b.in, a.in, a.n_in, taps * c.out.channels);
                    assert_near("filter", (int)i, b.filter, a.filter, a.n_filter, points);
                    assert_near("out", (int)i, b.out, a.out, a.n_out, taps * c.in.channels);
                }
                images_free(&a);
                images_free(&b);
                images_free(&d);
            }
        }
    sl_onednn_plans_clear(&plans);
    sl_pool_unref(pool);
}

/* A constant filter is read when its plan is made, and not again. */
static void test_constant_filter(void **state) {
    (void)state;
    struct sl_error err = {0};
    struct sl_step_env env = {0};
    struct sl_kernel_context k = {.env = &env, .err = &err};
    if (!sl_onednn_is_there()) skip();
    struct sl_conv_spec c = conv_of(&shapes[0]);
    struct sl_onednn_plans plans;
    struct sl_packing packing;
    sl_onednn_plans_init(&plans);
    sl_packing_init(&packing);
    c.packing = &packing;
    struct images a = images_of(&c, 1), b = images_of(&c, 1);
    float bias[64];
    for (int i = 0; i < 64; i++) bias[i] = (float)i - 32;
    const struct sl_epilogue epilogue = {.activation = SL_ACTIVATION_RELU, .offset = bias};
    struct sl_epilogue of_a = epilogue, of_b = epilogue;
    of_a.results = (const char *)a.out;
    of_b.results = (const char *)b.out;
    c.epilogue = &of_a;
    assert_true(theirs(&plans, &k, SL_ONEDNN_FORWARD, &c, &a));
    memset(a.filter, 0, (size_t)a.n_filter * sizeof(float));
    memset(a.out, 0, (size_t)a.n_out * sizeof(float));
    assert_true(theirs(&plans, &k, SL_ONEDNN_FORWARD, &c, &a));
    c.epilogue = &of_b;
    c.packing = NULL;
    ours(&k, SL_ONEDNN_FORWARD, &c, &b);
    assert_near("out", 0, a.out, b.out, a.n_out, 9 * 64);
    images_free(&a);
    images_free(&b);
    sl_packing_clear(&packing);
    sl_onednn_plans_clear(&plans);
}

static void test_products(void **state) {
    (void)state;
    static const int64_t sizes[][3] = {{1, 1, 1}, {700, 300, 200}, {31, 1100, 640}, {1025, 515, 129}};
    struct sl_pool *pool;
    struct sl_error err = {0};
    if (!sl_onednn_is_there()) skip();
    assert_int_equal(sl_pool_create(&pool, 4, &err), SL_OK);
    struct sl_step_env alone = {0}, several = {.pool = pool};
    struct sl_kernel_context k1 = {.env = &alone, .err = &err}, k4 = {.env = &several, .err = &err};
    for (size_t i = 0; i < 4 * sizeof sizes / sizeof *sizes; i++) {
        const int64_t m = sizes[i / 4][0], n = sizes[i / 4][1], k = sizes[i / 4][2];
        float *a = numbers(m * k, 1), *b = numbers(k * n, 2), *c[3];
        for (int run = 0; run < 3; run++) {
            c[run] = numbers(m * n, 3);
            struct sl_gemm g = {.m = m, .n = n, .k = k, .a = a, .b = b, .c = c[run], .c_row = n};
            g.a_row = i & 1 ? 1 : k;
            g.a_k = i & 1 ? m : 1;
            g.b_k = i & 2 ? 1 : n;
            g.b_column = i & 2 ? k : 1;
            if (run == 2) assert_int_equal(sl_gemm_run(NULL, &g, &err), SL_OK);
            else assert_true(sl_onednn_product(run ? &k4 : &k1, &g));
        }
        assert_memory_equal(c[0], c[1], (size_t)(m * n) * sizeof(float));
        assert_near("product", (int)i, c[0], c[2], m * n, k);
        for (int run = 0; run < 3; run++) sl_free(c[run]);
        sl_free(a);
        sl_free(b);
    }
    sl_pool_unref(pool);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_convolutions),
        cmocka_unit_test(test_constant_filter),
        cmocka_unit_test(test_products),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
