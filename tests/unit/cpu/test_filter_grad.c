/* Gradients of convolutions by their filter that are cut in slices of points, sets of taps and sets of panels:
 * against plain sums in double, and the same bits for any number of threads. */
#include <math.h>

#include "backends/cpu/product/conv.h"
#include "base/alloc.h"
#include "os/pool.h"
#include "unit/cpu/numbers.h"
#include "unit/unit.h"

struct shape {
    int64_t images, space, in, out, size, stride, before, groups;
};
/* Small filters with many points, large ones with few; several taps, a panel that is not full, groups. */
static const struct shape shapes[] = {{4, 33, 24, 40, 1, 1, 0, 1},
                                      {2, 7, 96, 328, 1, 1, 0, 1},
                                      {1, 30, 6, 20, 5, 2, 2, 1},
                                      {2, 12, 130, 90, 2, 1, 0, 1},
                                      {3, 20, 16, 72, 3, 2, 1, 2}};

static struct sl_conv_spec conv_of(const struct shape *s) {
    const int64_t out = (s->space + 2 * s->before - s->size) / s->stride + 1;
    return (struct sl_conv_spec){.groups = s->groups,
                                 .in = {s->images, {1, s->space, s->space}, s->in},
                                 .out = {s->images, {1, out, out}, s->out},
                                 .size = {1, s->size, s->size},
                                 .stride = {1, s->stride, s->stride},
                                 .dilation = {1, 1, 1},
                                 .before = {0, s->before, s->before}};
}

/* Element [y][x][i][o] of the filter. */
static double expected(const struct shape *s, const struct sl_conv_spec *c, const float *in, const float *grad,
                       int64_t y, int64_t x, int64_t i, int64_t o) {
    const int64_t out = c->out.space[1], first = o / (s->out / s->groups) * (s->in / s->groups);
    double sum = 0;
    for (int64_t b = 0; b < s->images; b++)
        for (int64_t p = 0; p < out * out; p++) {
            const int64_t down = p / out * s->stride + y - s->before, across = p % out * s->stride + x - s->before;
            if (down < 0 || down >= s->space || across < 0 || across >= s->space) continue;
            sum += (double)in[((b * s->space + down) * s->space + across) * s->in + first + i] *
                   (double)grad[(b * out * out + p) * s->out + o];
        }
    return sum;
}

static void test_filter_grads(void **state) {
    (void)state;
    struct sl_pool *pool;
    struct sl_error err = {0};
    assert_int_equal(sl_pool_create(&pool, 4, &err), SL_OK);
    struct sl_step_env env = {.pool = pool};
    struct sl_kernel_context one = {.err = &err}, many = {.env = &env, .err = &err};
    for (size_t n = 0; n < sizeof shapes / sizeof *shapes; n++) {
        const struct shape *s = &shapes[n];
        const struct sl_conv_spec c = conv_of(s);
        const int64_t rows = s->in / s->groups, elements = s->size * s->size * rows * s->out;
        float *in = numbers(s->images * s->space * s->space * s->in, 1), *filter[2];
        float *grad = numbers(s->images * sl_image_points(&c.out) * s->out, 2);
        for (int run = 0; run < 2; run++) {
            filter[run] = numbers(elements, 3);
            assert_int_equal(sl_conv_filter_grad(run ? &many : &one, &c, in, grad, filter[run]), SL_OK);
        }
        assert_memory_equal(filter[0], filter[1], (size_t)elements * sizeof(float));
        for (int64_t e = 0; e < elements; e += 1 + elements / 3000) {
            const int64_t tap = e / s->out / rows;
            const double right = expected(s, &c, in, grad, tap / s->size, tap % s->size, e / s->out % rows, e % s->out);
            assert_true(fabs(filter[0][e] - right) < 1e-4);
        }
        for (int run = 0; run < 2; run++) sl_free(filter[run]);
        sl_free(in);
        sl_free(grad);
    }
    sl_pool_unref(pool);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_filter_grads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
