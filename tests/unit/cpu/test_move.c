/* The engine of moves against plain loops: every element size, layouts that lead to each of its loops, shapes with
 * rests, several threads; and strings. */
#include <stdlib.h>

#include "backends/cpu/array/move.h"
#include "os/pool.h"
#include "unit/cpu/kernel_rows.h"

enum { RANK = 4, MOST = 1 << 20 };

/* A box of `n` per dim, in row-major order in the target; the source's steps are those of the dims in `order`, some
 * turned around or repeated. */
struct box {
    int64_t n[RANK];
    int order[RANK]; /* order[i]: which dim of the target is dim i of the source */
    int turns[RANK]; /* per dim of the target: 1, -1 or 0 (repeat) */
    int64_t gap;     /* more elements between rows of the target */
};

static const struct box boxes[] = {
    {{1, 1, 1, 1}, {0, 1, 2, 3}, {1, 1, 1, 1}, 0},      {{2, 3, 4, 5}, {0, 1, 2, 3}, {1, 1, 1, 1}, 0},
    {{1, 1, 1, 200000}, {0, 1, 2, 3}, {1, 1, 1, 1}, 0}, {{1, 1, 3, 70001}, {0, 1, 2, 3}, {1, 1, 1, 1}, 5},
    {{1, 1, 67, 45}, {0, 1, 3, 2}, {1, 1, 1, 1}, 0},    {{1, 1, 128, 64}, {0, 1, 3, 2}, {1, 1, 1, 1}, 0},
    {{3, 33, 5, 17}, {0, 3, 1, 2}, {1, 1, 1, 1}, 0},    {{3, 33, 5, 17}, {3, 2, 1, 0}, {1, 1, 1, 1}, 0},
    {{2, 7, 9, 2}, {0, 2, 1, 3}, {1, 1, 1, 1}, 0},      {{2, 7, 9, 4}, {0, 2, 1, 3}, {1, 1, 1, 1}, 0},
    {{2, 7, 9, 3}, {0, 2, 1, 3}, {1, 1, 1, 1}, 0},      {{4, 5, 6, 70}, {0, 1, 2, 3}, {1, -1, 1, -1}, 0},
    {{4, 5, 6, 70}, {0, 1, 2, 3}, {0, 1, 0, 1}, 3},     {{4, 5, 6, 7}, {0, 1, 2, 3}, {1, 1, 1, 0}, 0},
    {{1, 2, 3, 30000}, {0, 1, 2, 3}, {1, 1, 1, 0}, 0},  {{300, 1, 300, 1}, {2, 1, 0, 3}, {1, 1, 1, 1}, 0},
    {{2, 0, 3, 4}, {0, 1, 2, 3}, {1, 1, 1, 1}, 0},      {{5, 4, 3, 2}, {1, 0, 3, 2}, {1, -1, 0, 1}, 1},
};

/* Steps of the box, and where its source starts. */
static int64_t steps_of(const struct box *b, int64_t to[RANK], int64_t from[RANK]) {
    int64_t step = 1, start = 0;
    for (int i = RANK - 1; i >= 0; i--) {
        to[i] = step;
        step *= b->n[i];
        if (i == RANK - 1) step += b->gap;
    }
    step = 1;
    for (int i = RANK - 1; i >= 0; i--) {
        int dim = b->order[i];
        from[dim] = b->turns[dim] * step;
        if (b->turns[dim] < 0) start += (b->n[dim] - 1) * step;
        if (b->turns[dim]) step *= b->n[dim];
    }
    return start;
}

static void fill(unsigned char *bytes, size_t n) {
    uint32_t x = 12345;
    for (size_t i = 0; i < n; i++) bytes[i] = (unsigned char)((x = x * 1664525 + 1013904223) >> 24);
}

static void check_box(const struct box *b, int dtype, struct sl_pool *pool) {
    int64_t size = (int64_t)sl_dtype_size(dtype), to[RANK], from[RANK], start = steps_of(b, to, from);
    size_t bytes = (size_t)(MOST * size);
    unsigned char *source = malloc(bytes), *target = malloc(bytes), *wanted = malloc(bytes);
    assert_true(source && target && wanted);
    fill(source, bytes);
    memset(target, 0x55, bytes);
    memset(wanted, 0x55, bytes);
    for (int64_t i = 0; i < b->n[0]; i++)
        for (int64_t j = 0; j < b->n[1]; j++)
            for (int64_t m = 0; m < b->n[2]; m++)
                for (int64_t l = 0; l < b->n[3]; l++) {
                    int64_t t = i * to[0] + j * to[1] + m * to[2] + l * to[3];
                    int64_t f = start + i * from[0] + j * from[1] + m * from[2] + l * from[3];
                    memcpy(wanted + t * size, source + f * size, (size_t)size);
                }
    struct sl_step_env env = {.pool = pool};
    struct sl_kernel_context k = {.env = &env};
    struct sl_move move = sl_move_start();
    for (int i = 0; i < RANK; i++) sl_move_dim(&move, b->n[i], to[i], from[i]);
    assert_int_equal(sl_move_run(&k, &move, dtype, target, source + start * size), SL_OK);
    if (memcmp(target, wanted, bytes) != 0) fail_msg("box %d of %s differs", (int)(b - boxes), sl_dtype_name(dtype));
    free(source);
    free(target);
    free(wanted);
}

static void test_boxes(void **state) {
    static const int dtypes[] = {SL_INT8, SL_HALF, SL_FLOAT, SL_DOUBLE, SL_COMPLEX128};
    struct sl_error err;
    struct sl_pool *pool;
    (void)state;
    assert_ok(err, sl_pool_create(&pool, 4, &err));
    for (size_t b = 0; b < sizeof boxes / sizeof *boxes; b++)
        for (size_t d = 0; d < sizeof dtypes / sizeof *dtypes; d++) {
            check_box(&boxes[b], dtypes[d], NULL);
            check_box(&boxes[b], dtypes[d], pool);
        }
    sl_pool_unref(pool);
}

/* Dims that go on where the one inside ends are one; ones vanish; a 0 empties. */
static void test_joined_dims(void **state) {
    (void)state;
    struct sl_move m = sl_move_start();
    sl_move_dim(&m, 4, 30, 15);
    sl_move_dim(&m, 1, 99, 99);
    sl_move_dim(&m, 5, 6, 3);
    sl_move_dim(&m, 3, 2, 1);
    assert_int_equal(m.rank, 1);
    assert_int_equal(m.dims[0].n, 60);
    sl_move_dim(&m, 0, 1, 1);
    assert_true(m.is_empty);
}

static void test_strings(void **state) {
    (void)state;
    struct sl_value from = value_of("string[2,3] a b c d e f"), to = value_of("string[3,2] x");
    struct sl_value wanted = value_of("string[3,2] a d b e c f");
    struct sl_error err;
    struct sl_step_env env = {0};
    struct sl_kernel_context k = {.env = &env, .err = &err};
    struct sl_move m = sl_move_start();
    sl_move_dim(&m, 3, 2, 1);
    sl_move_dim(&m, 2, 1, 3);
    assert_ok(err, sl_move_run(&k, &m, SL_STRING, sl_value_view(&to).data, sl_value_view(&from).data));
    for (int64_t i = 0; i < 6; i++)
        assert_true(sl_str_eq(sl_string_get((const TF_TString *)sl_value_view(&to).data + i),
                              sl_string_get((const TF_TString *)sl_value_view(&wanted).data + i)));
    sl_value_clear(&from);
    sl_value_clear(&to);
    sl_value_clear(&wanted);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_boxes),
        cmocka_unit_test(test_joined_dims),
        cmocka_unit_test(test_strings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
