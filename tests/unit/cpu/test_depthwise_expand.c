/* A 1 x 1 convolution and the depthwise one behind it as one give the bits of the two, one after the other: however
 * many threads there are, whether what is between is made as a whole or some lines at a time. */
#include <string.h>

#include "backends/cpu/product/depthwise.h"
#include "backends/cpu/product/depthwise_expand.h"
#include "os/pool.h"
#include "unit/cpu/numbers.h"
#include "unit/unit.h"

/* Images, pixels down and across, channels before and between; size, stride and dilation of the depthwise filter,
 * pixels of padding before (and behind); whether what is between has an activation. */
static const struct shape {
    int64_t images, down, across, in, between, size, stride, dilation, before;
    bool is_clipped;
} shapes[] = {
    {1, 9, 7, 5, 24, 3, 1, 1, 1, true},     /* as a whole */
    {1, 112, 60, 16, 96, 3, 2, 1, 0, true}, /* several windows */
    {1, 75, 64, 8, 72, 5, 1, 1, 2, true},   /* several pixels as one */
    {3, 40, 41, 12, 80, 3, 1, 1, 1, false}, /* several images */
    {1, 70, 64, 4, 100, 3, 1, 4, 4, false}, /* taps far apart */
    {1, 130, 50, 6, 64, 2, 5, 1, 0, true},  /* lines that nobody sees */
    {2, 4, 1100, 3, 64, 3, 1, 1, 1, true},  /* a line is larger than a window */
    {9, 14, 14, 16, 200, 5, 2, 1, 2, true}, /* an image is a window */
    {1, 3, 900, 7, 160, 5, 1, 1, 2, false}, /* taps reach beyond the image on both sides */
};

struct job {
    struct sl_conv_spec first, second;
    struct sl_epilogue epilogues[2];
    float *in, *filter, *depthwise_filter, *mean, *scale, *offset;
    int64_t results;
};

static int64_t results(int64_t n, const struct shape *s) {
    return (n + 2 * s->before - (s->size - 1) * s->dilation - 1) / s->stride + 1;
}

static void job_init(struct job *j, const struct shape *s) {
    const int64_t down = results(s->down, s), across = results(s->across, s);
    *j = (struct job){.first = {.groups = 1,
                                .in = {s->images, {1, s->down, s->across}, s->in},
                                .out = {s->images, {1, s->down, s->across}, s->between},
                                .size = {1, 1, 1},
                                .stride = {1, 1, 1},
                                .dilation = {1, 1, 1}},
                      .second = {.groups = 1,
                                 .in = {s->images, {1, s->down, s->across}, s->between},
                                 .out = {s->images, {1, down, across}, s->between},
                                 .size = {1, s->size, s->size},
                                 .stride = {1, s->stride, s->stride},
                                 .dilation = {1, s->dilation, s->dilation},
                                 .before = {0, s->before, s->before}},
                      .results = s->images * down * across * s->between};
    j->in = numbers(s->images * s->down * s->across * s->in, 1);
    j->filter = numbers(s->in * s->between, 2);
    j->depthwise_filter = numbers(s->size * s->size * s->between, 3);
    j->mean = numbers(s->between, 4);
    j->scale = numbers(s->between, 5);
    j->offset = numbers(s->between, 6);
    j->epilogues[0] = (struct sl_epilogue){.activation = s->is_clipped ? SL_ACTIVATION_RELU6 : SL_ACTIVATION_NONE,
                                           .mean = j->mean,
                                           .scale = j->scale,
                                           .offset = j->offset};
    j->epilogues[1] = (struct sl_epilogue){.activation = SL_ACTIVATION_RELU, .offset = j->scale};
    j->first.epilogue = &j->epilogues[0];
    j->second.epilogue = &j->epilogues[1];
}
static void job_clear(struct job *j) {
    float *all[] = {j->in, j->filter, j->depthwise_filter, j->mean, j->scale, j->offset};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) sl_free(all[i]);
}

static float *run(struct job *j, struct sl_pool *pool, bool is_one, struct sl_packing *packing) {
    struct sl_error err = {0};
    struct sl_step_env env = {.pool = pool};
    struct sl_kernel_context k = {.env = &env, .err = &err};
    float *to = numbers(j->results, 9);
    const struct sl_expand_data data = {j->in, j->filter, j->depthwise_filter, to};
    j->first.packing = packing;
    if (is_one) {
        assert_int_equal(sl_expand_run(&k, &j->first, &j->second, &data), SL_OK);
        return to;
    }
    const struct sl_image *image = &j->first.out;
    float *between = numbers(image->batch * sl_image_points(image) * image->channels, 9);
    assert_int_equal(sl_conv_forward(&k, &j->first, j->in, j->filter, between), SL_OK);
    assert_int_equal(sl_depthwise_forward(&k, &j->second, between, j->depthwise_filter, to), SL_OK);
    sl_free(between);
    return to;
}

static void test_bits_are_those_of_two(void **state) {
    (void)state;
    struct sl_pool *pools[3] = {NULL};
    assert_int_equal(sl_pool_create(&pools[1], 2, NULL), SL_OK);
    assert_int_equal(sl_pool_create(&pools[2], 5, NULL), SL_OK);
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (int keeps = 0; keeps < 2; keeps++) {
            struct job j;
            struct sl_packing packing;
            job_init(&j, &shapes[s]);
            sl_packing_init(&packing);
            float *right = run(&j, NULL, false, keeps ? &packing : NULL);
            for (int p = 0; p < 3; p++) {
                float *one = run(&j, pools[p], true, keeps ? &packing : NULL);
                if (memcmp(one, right, (size_t)j.results * sizeof *one))
                    fail_msg("shape %d, pool %d: other bits", (int)s, p);
                sl_free(one);
            }
            sl_free(right);
            sl_packing_clear(&packing);
            job_clear(&j);
        }
    for (int p = 1; p < 3; p++) sl_pool_unref(pools[p]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bits_are_those_of_two)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
