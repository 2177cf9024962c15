/* Every way to do a convolution or one of its gradients gives what the last one of its list gives that fits, the
 * most general one: within rounding, whether the way would be chosen or not. And each way fits some shape here. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "backends/cpu/product/conv_methods.h"
#include "backends/cpu/product/onednn.h"
#include "os/pool.h"
#include "unit/cpu/numbers.h"
#include "unit/unit.h"

/* Images, pixels down and across, channels in and out, groups, size, stride and dilation of the filter, pixels of
 * padding before (and behind). */
static const struct shape {
    int64_t images, down, across, in, out, groups, size, stride, dilation, before;
} shapes[] = {
    {2, 9, 11, 16, 32, 1, 3, 1, 1, 1},    {1, 12, 8, 64, 48, 1, 3, 1, 1, 0},  {2, 7, 5, 24, 40, 1, 1, 1, 1, 0},
    {1, 16, 15, 600, 300, 1, 1, 1, 1, 0}, {1, 15, 14, 24, 20, 1, 1, 2, 1, 0}, {2, 9, 8, 32, 32, 32, 3, 1, 1, 1},
    {1, 10, 9, 12, 24, 12, 5, 2, 1, 2},   {1, 33, 30, 3, 16, 1, 7, 2, 1, 3},  {2, 11, 10, 12, 18, 3, 3, 1, 2, 2},
    {1, 6, 40, 5, 7, 1, 2, 3, 1, 0},      {0, 5, 5, 8, 8, 1, 3, 1, 1, 1},     {3, 9, 30, 40, 40, 40, 5, 1, 1, 2},
    {1, 12, 17, 72, 72, 72, 7, 1, 1, 3},  {1, 8, 8, 16, 16, 16, 7, 1, 1, 1},  {2, 13, 12, 1, 20, 1, 5, 1, 1, 2},
    {2, 11, 9, 2, 40, 1, 3, 2, 1, 1},     {2, 13, 12, 1, 32, 1, 5, 1, 1, 2},  {2, 20, 24, 3, 64, 1, 3, 1, 1, 1},
};

struct job {
    struct sl_conv_spec c;
    struct sl_onednn_plans plans;
    int64_t n[3]; /* elements of in, filter, out */
    float *data[3];
};

static int64_t results(int64_t n, const struct shape *s) {
    return (n + 2 * s->before - (s->size - 1) * s->dilation - 1) / s->stride + 1;
}

static void job_init(struct job *j, const struct shape *s) {
    const int64_t down = results(s->down, s), across = results(s->across, s);
    *j = (struct job){.c = {.groups = s->groups,
                            .in = {s->images, {1, s->down, s->across}, s->in},
                            .out = {s->images, {1, down, across}, s->out},
                            .size = {1, s->size, s->size},
                            .stride = {1, s->stride, s->stride},
                            .dilation = {1, s->dilation, s->dilation},
                            .before = {0, s->before, s->before}},
                      .n = {s->images * s->down * s->across * s->in, s->size * s->size * s->in / s->groups * s->out,
                            s->images * down * across * s->out}};
    sl_onednn_plans_init(&j->plans);
    j->c.onednn = &j->plans;
    for (int i = 0; i < 3; i++) j->data[i] = numbers(j->n[i] + 1, (uint32_t)i + 1);
}
static void job_clear(struct job *j) {
    for (int i = 0; i < 3; i++) sl_free(j->data[i]);
    sl_onednn_plans_clear(&j->plans);
}

/* Which of in, filter and out a work writes. */
static const int written[SL_CONV_WORKS] = {2, 0, 1};

static float *run(const struct sl_conv_method *m, struct sl_pool *pool, struct job *j, enum sl_conv_work work) {
    struct sl_error err = {0};
    struct sl_step_env env = {.pool = pool};
    struct sl_kernel_context k = {.env = &env, .err = &err};
    struct sl_conv_data d = {j->data[0], j->data[1], j->data[2]};
    float *to = numbers(j->n[written[work]] + 1, 9);
    bool is_done = true;
    *(written[work] == 0 ? &d.in : written[work] == 1 ? &d.filter : &d.out) = to;
    assert_int_equal(m->run(&is_done, &k, &j->c, &d), SL_OK);
    if (is_done) return to;
    sl_free(to); /* nothing has to be there */
    return NULL;
}

static bool fits(const struct sl_conv_method *m, const struct sl_conv_spec *c) { return !m->fits || m->fits(c); }

static const struct sl_conv_method *last_that_fits(enum sl_conv_work work, const struct sl_conv_spec *c) {
    const struct sl_conv_method *last = NULL;
    for (const struct sl_conv_method *const *m = sl_conv_methods(work); *m; m++)
        if (fits(*m, c)) last = *m;
    return last;
}

/* How many products make an element, at most: what rounding grows with. */
static double products(const struct job *j, enum sl_conv_work work) {
    const struct sl_conv_spec *c = &j->c;
    const int64_t taps = c->size[1] * c->size[2];
    return (double)(work == SL_CONV_FORWARD      ? taps * c->in.channels / c->groups
                    : work == SL_CONV_INPUT_GRAD ? taps * c->out.channels / c->groups
                                                 : c->out.batch * c->out.space[1] * c->out.space[2]);
}

static void compare(const struct sl_conv_method *m, const float *a, const float *b, const struct job *j,
                    enum sl_conv_work work) {
    const double most = 4e-6 * (2 + sqrt(products(j, work)));
    for (int64_t i = 0; i < j->n[written[work]]; i++)
        if (!(fabs((double)a[i] - (double)b[i]) <= most))
            fail_msg("%s, work %d, %dx%d taps, %d to %d channels: element %d is %g, not %g", m->name, (int)work,
                     (int)j->c.size[1], (int)j->c.size[2], (int)j->c.in.channels, (int)j->c.out.channels, (int)i, a[i],
                     b[i]);
}

static void test_all_ways_agree(void **state) {
    (void)state;
    struct sl_pool *pool;
    assert_int_equal(sl_pool_create(&pool, 3, NULL), SL_OK);
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (enum sl_conv_work work = SL_CONV_FORWARD; work < SL_CONV_WORKS; work++) {
            struct job j;
            job_init(&j, &shapes[s]);
            float *right = run(last_that_fits(work, &j.c), NULL, &j, work);
            assert_non_null(right);
            for (const struct sl_conv_method *const *m = sl_conv_methods(work); *m; m++) {
                if (!fits(*m, &j.c)) continue;
                float *one = run(*m, NULL, &j, work), *many = run(*m, pool, &j, work);
                if (one) compare(*m, one, right, &j, work);
                assert_int_equal(!one, !many);
                if (one) assert_memory_equal(one, many, (size_t)j.n[written[work]] * sizeof *one);
                sl_free(one);
                sl_free(many);
            }
            sl_free(right);
            job_clear(&j);
        }
    sl_pool_unref(pool);
}

static void test_each_way_fits_a_shape(void **state) {
    (void)state;
    for (enum sl_conv_work work = SL_CONV_FORWARD; work < SL_CONV_WORKS; work++)
        for (const struct sl_conv_method *const *m = sl_conv_methods(work); *m; m++) {
            bool is_any = strcmp((*m)->name, "oneDNN") == 0 && !sl_onednn_is_there();
            for (size_t s = 0; s < sizeof shapes / sizeof *shapes && !is_any; s++) {
                struct job j;
                job_init(&j, &shapes[s]);
                is_any = fits(*m, &j.c);
                job_clear(&j);
            }
            if (!is_any) fail_msg("no shape here for %s of work %d", (*m)->name, (int)work);
        }
}

/* The first way that fits and pays is taken; one that declines leaves the work to the next. */
static void test_ways_that_decline(void **state) {
    (void)state;
    struct job j;
    struct sl_error err = {0};
    struct sl_step_env env = {0};
    struct sl_kernel_context k = {.env = &env, .err = &err};
    job_init(&j, &shapes[1]);
    j.c.onednn = NULL;       /* which would do it */
    j.data[0][5] = INFINITY; /* would spread to its neighbours by Winograd's method */
    assert_null(run(&sl_conv_forward_by_winograd, NULL, &j, SL_CONV_FORWARD));
    float *right = run(&sl_conv_forward_by_taps, NULL, &j, SL_CONV_FORWARD);
    assert_int_equal(sl_conv_forward(&k, &j.c, j.data[0], j.data[1], j.data[2]), SL_OK);
    assert_memory_equal(right, j.data[2], (size_t)j.n[2] * sizeof *right);
    sl_free(right);
    job_clear(&j);
}

/* What is done to tiles before they are stored gives the bits of an epilogue of the plain results. */
static void test_epilogues(void **state) {
    static const enum sl_epilogue_activation activations[] = {SL_ACTIVATION_NONE,  SL_ACTIVATION_RELU,
                                                              SL_ACTIVATION_RELU6, SL_ACTIVATION_LEAKY_RELU,
                                                              SL_ACTIVATION_SWISH, SL_ACTIVATION_HARD_SWISH};
    static const int64_t channels[][2] = {{16, 96}, {24, 70}, {600, 64}, {5, 8}};
    (void)state;
    for (size_t i = 0; i < sizeof channels / sizeof *channels * 4; i++)
        for (size_t a = 0; a < sizeof activations / sizeof *activations; a++) {
            const int64_t in = channels[i / 4][0], out = channels[i / 4][1];
            const bool has_mean = i & 1, has_side = i & 2;
            struct job j;
            struct sl_packing packing;
            job_init(&j, &(struct shape){2, 9, 17, in, out, 1, 1, 1, 1, 0});
            sl_packing_init(&packing);
            float *vectors = numbers(3 * out, 4), *side = numbers(j.n[2], 5);
            for (int64_t c = 0; c < 3 * out; c++) vectors[c] *= 9;
            struct sl_epilogue e = {.activation = activations[a],
                                    .slope = 0.25,
                                    .mean = has_mean ? vectors : NULL,
                                    .scale = has_mean ? vectors + out : NULL,
                                    .offset = vectors + 2 * out,
                                    .side = has_side ? side : NULL};
            j.c.packing = &packing;
            float *right = run(&sl_conv_forward_by_taps, NULL, &j, SL_CONV_FORWARD);
            e.results = (const char *)right;
            sl_epilogue_run(&e, right, out, j.n[2] / out, 0, out);
            j.c.epilogue = &e;
            float *to = numbers(j.n[2] + 1, 9);
            struct sl_error err = {0};
            struct sl_step_env env = {.pool = NULL};
            struct sl_kernel_context k = {.env = &env, .err = &err};
            bool is_done = true;
            e.results = (const char *)to;
            assert_int_equal(sl_conv_forward_by_taps.run(&is_done, &k, &j.c,
                                                         &(struct sl_conv_data){j.data[0], j.data[1], to}),
                             SL_OK);
            assert_memory_equal(to, right, (size_t)j.n[2] * sizeof *to);
            sl_packing_clear(&packing);
            sl_free(to);
            sl_free(right);
            sl_free(vectors);
            sl_free(side);
            job_clear(&j);
        }
}

int main(void) {
    setenv("SLUICE_ONEDNN", "all", 1);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all_ways_agree),
                                       cmocka_unit_test(test_each_way_fits_a_shape),
                                       cmocka_unit_test(test_ways_that_decline), cmocka_unit_test(test_epilogues)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
