/* Shapes: counting, comparing, printing. */
#include "unit/unit.h"

#include "tensor/shape.h"

#define SHAPE(...) ((struct sl_shape){(int)(sizeof((int64_t[]){__VA_ARGS__}) / 8), (const int64_t[]){__VA_ARGS__}})

static void shapes_that_may_be_the_same(void **state) {
    (void)state;
    const struct {
        struct sl_shape a, b;
        bool is_compatible;
    } rows[] = {
        {SHAPE(2, 3), SHAPE(2, 3), true},
        {SHAPE(2, 3), SHAPE(2, 4), false},
        {SHAPE(2, -1), SHAPE(2, 4), true},
        {SHAPE(-1, 3), SHAPE(-1, 4), false},
        {SHAPE(0), SHAPE(3), false},
        {SHAPE(0), SHAPE(0), true},
        {SHAPE(0), SHAPE(-1), true},
        {SHAPE(2, 0, 3), SHAPE(2, 1, 3), false},
        {SHAPE(2), SHAPE(2, 2), false},
        {SL_SHAPE_SCALAR, SHAPE(1), false},
        {SL_SHAPE_SCALAR, SL_SHAPE_SCALAR, true},
        {SL_SHAPE_UNKNOWN, SHAPE(0, 5), true},
        {SL_SHAPE_UNKNOWN, SL_SHAPE_SCALAR, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(sl_shape_is_compatible(rows[i].a, rows[i].b), rows[i].is_compatible);
        assert_int_equal(sl_shape_is_compatible(rows[i].b, rows[i].a), rows[i].is_compatible);
    }
}

static void elements_are_counted(void **state) {
    (void)state;
    struct sl_error err;
    int64_t n;
    assert_ok(err, sl_shape_count(&n, SL_SHAPE_SCALAR, &err));
    assert_int_equal(n, 1);
    assert_ok(err, sl_shape_count(&n, SHAPE(2, 3, 4), &err));
    assert_int_equal(n, 24);
    assert_ok(err, sl_shape_count(&n, SHAPE(INT64_MAX, 1), &err));
    assert_true(n == INT64_MAX);
    assert_ok(err, sl_shape_count(&n, SHAPE(INT64_MAX, 0), &err));
    assert_int_equal(n, 0);
    assert_fails(err, SL_INVALID_ARGUMENT, "unknown rank", sl_shape_count(&n, SL_SHAPE_UNKNOWN, &err));
    assert_fails(err, SL_INVALID_ARGUMENT, "Dimension 1 of shape [2,?] is negative",
                 sl_shape_count(&n, SHAPE(2, -1), &err));
    assert_fails(err, SL_INVALID_ARGUMENT,
                 "Encountered overflow when multiplying 4294967296 with 4294967296, result: -1",
                 sl_shape_count(&n, SHAPE(INT64_C(1) << 32, INT64_C(1) << 32), &err));
}

/* Whatever a shape holds, its text ends within its room, closed. */
static void long_texts_are_cut(void **state) {
    (void)state;
    struct {
        char text[SL_SHAPE_TEXT], behind[64];
    } t;
    int64_t dims[SL_MAX_RANK];
    assert_string_equal(sl_shape_text(t.text, SHAPE(2, -1, 0)), "[2,?,0]");
    assert_string_equal(sl_shape_text(t.text, SL_SHAPE_SCALAR), "[]");
    assert_string_equal(sl_shape_text(t.text, SL_SHAPE_UNKNOWN), "<unknown>");
    for (int64_t dim = 1; dim > 0; dim = dim > INT64_MAX / 10 ? 0 : dim * 10) {
        for (int i = 0; i < SL_MAX_RANK; i++) dims[i] = dim;
        for (int rank = 0; rank <= SL_MAX_RANK; rank++) {
            memset(t.behind, 'x', sizeof t.behind);
            sl_shape_text(t.text, (struct sl_shape){rank, dims});
            size_t n = strnlen(t.text, sizeof t.text);
            assert_true(n < SL_SHAPE_TEXT && t.text[n - 1] == ']');
            for (size_t i = 0; i < sizeof t.behind; i++) assert_int_equal(t.behind[i], 'x');
            if (rank == SL_MAX_RANK) assert_string_equal(t.text + n - 5, ",...]");
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(shapes_that_may_be_the_same),
                                       cmocka_unit_test(elements_are_counted), cmocka_unit_test(long_texts_are_cut)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
