/* Convolutions whose filter is a constant are those whose filter is packed anew, within rounding: the first time,
 * when it is packed and kept, and afterwards; the same bits for any number of threads; epilogues for channels that
 * fill no vector. */
#include <math.h>
#include <string.h>

#include "backends/cpu/product/conv.h"
#include "base/alloc.h"
#include "os/pool.h"
#include "unit/cpu/numbers.h"
#include "unit/unit.h"

/* Images, pixels down and across, channels in and out, size and stride of the filter; no padding. */
static const struct shape {
    int64_t images, down, across, in, out, size, stride;
} shapes[] = {{1, 7, 7, 600, 70, 1, 1}, {1, 14, 14, 130, 1100, 1, 1}, {2, 50, 41, 16, 24, 1, 1}, {3, 1, 1, 40, 3, 1, 1},
              {1, 9, 9, 320, 50, 1, 2}, {2, 16, 17, 70, 33, 3, 1},    {1, 19, 23, 3, 17, 5, 2}};

struct work {
    struct sl_conv_spec c;
    int64_t n;
    float *in, *filter, *out, *again, *columns;
    struct sl_epilogue epilogue;
};

static void work_init(struct work *w, const struct shape *s) {
    const int64_t down = (s->down - s->size) / s->stride + 1, across = (s->across - s->size) / s->stride + 1;
    *w = (struct work){.c = {.groups = 1,
                             .in = {s->images, {1, s->down, s->across}, s->in},
                             .out = {s->images, {1, down, across}, s->out},
                             .size = {1, s->size, s->size},
                             .stride = {1, s->stride, s->stride},
                             .dilation = {1, 1, 1}},
                       .n = s->images * down * across * s->out};
    w->in = numbers(s->images * s->down * s->across * s->in, 1);
    w->filter = numbers(s->size * s->size * s->in * s->out, 2);
    w->out = numbers(w->n, 3);
    w->again = numbers(w->n, 4);
    w->columns = numbers(3 * s->out, 5);
    w->epilogue = (struct sl_epilogue){.activation = SL_ACTIVATION_RELU,
                                       .mean = w->columns,
                                       .scale = w->columns + s->out,
                                       .offset = w->columns + 2 * s->out};
    w->c.epilogue = &w->epilogue;
}
static void work_clear(struct work *w) {
    sl_free(w->in);
    sl_free(w->filter);
    sl_free(w->out);
    sl_free(w->again);
    sl_free(w->columns);
}

static void run(struct work *w, struct sl_pool *pool, struct sl_packing *packing, float *out) {
    struct sl_error err = {0};
    struct sl_step_env env = {.pool = pool};
    struct sl_kernel_context k = {.env = &env, .err = &err};
    w->c.packing = packing;
    w->epilogue.results = (const char *)out;
    assert_int_equal(sl_conv_forward(&k, &w->c, w->in, w->filter, out), SL_OK);
}

static void test_kept_filters(void **state) {
    (void)state;
    struct sl_pool *pool;
    assert_int_equal(sl_pool_create(&pool, 3, NULL), SL_OK);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        struct work w;
        struct sl_packing packing;
        work_init(&w, &shapes[i]);
        sl_packing_init(&packing);
        run(&w, NULL, NULL, w.out);
        run(&w, NULL, &packing, w.again);
        for (int64_t j = 0; j < w.n; j++) assert_true(fabsf(w.out[j] - w.again[j]) < 1e-4f);
        assert_non_null(packing.data);
        memcpy(w.out, w.again, (size_t)w.n * sizeof *w.out);
        run(&w, NULL, &packing, w.again);
        assert_memory_equal(w.out, w.again, (size_t)w.n * sizeof *w.out);
        run(&w, pool, &packing, w.again);
        assert_memory_equal(w.out, w.again, (size_t)w.n * sizeof *w.out);
        sl_packing_clear(&packing);
        work_clear(&w);
    }
    sl_pool_unref(pool);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_kept_filters)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
