/* What shape functions stand on: merging, broadcasting, arithmetic on dims, values read as shapes, patterns. */
#include "ops/shape_rules.h"
#include "unit/ops/shape_row.h"

#define SHAPE(...) ((struct sl_shape){sizeof(int64_t[]){__VA_ARGS__} / sizeof(int64_t), (int64_t[]){__VA_ARGS__}})

struct context {
    struct sl_shape in[8], out[8];
    struct sl_handle_data in_handles[8], out_handles[8];
    const struct sl_tensor *values[8];
    struct sl_shape_ctx c;
};

static const struct sl_tensor *value_of(struct sl_shape_ctx *c, int i) {
    return ((struct context *)c->graph)->values[i];
}

static struct sl_shape_ctx *start(struct context *x, struct ops_fixture *f, int n_in, int n_out) {
    memset(x, 0, sizeof *x);
    for (int i = 0; i < 8; i++) x->in[i] = x->out[i] = SL_SHAPE_UNKNOWN;
    x->c = (struct sl_shape_ctx){.n_in = n_in,
                                 .n_out = n_out,
                                 .in = x->in,
                                 .in_handles = x->in_handles,
                                 .out = x->out,
                                 .out_handles = x->out_handles,
                                 .arena = &f->arena,
                                 .err = &f->err,
                                 .constant = value_of,
                                 .graph = x};
    return &x->c;
}

static void assert_shape(struct sl_shape got, const char *wanted) {
    char text[SL_SHAPE_TEXT];
    assert_text(sl_shape_text(text, got), wanted);
}

static void ranks_and_dims_are_checked(void **state) {
    struct ops_fixture *f = *state;
    struct context x;
    struct sl_shape_ctx *c = start(&x, f, 0, 0);
    struct sl_shape s;
    int64_t d;
    assert_ok(f->err, sl_infer_with_rank(&s, c, SL_SHAPE_UNKNOWN, 2));
    assert_shape(s, "[?,?]");
    assert_fails(f->err, SL_INVALID_ARGUMENT, "Shape must be rank 1 but is rank 2",
                 sl_infer_with_rank(&s, c, SHAPE(2, 3), 1));
    assert_fails(f->err, SL_INVALID_ARGUMENT, "Shape must be at least rank 3 but is rank 2",
                 sl_infer_with_rank_at_least(&s, c, SHAPE(2, 3), 3));
    assert_fails(f->err, SL_INVALID_ARGUMENT, "Shape must be at most rank 1 but is rank 2",
                 sl_infer_with_rank_at_most(&s, c, SHAPE(2, 3), 1));
    assert_ok(f->err, sl_infer_with_value(&d, c, -1, 4));
    assert_int_equal(d, 4);
    assert_fails(f->err, SL_INVALID_ARGUMENT, "Dimension must be 4 but is 3", sl_infer_with_value(&d, c, 3, 4));
}

static void merging_joins_what_is_known(void **state) {
    struct ops_fixture *f = *state;
    struct context x;
    struct sl_shape_ctx *c = start(&x, f, 0, 0);
    struct sl_shape s, a = SHAPE(2, -1), b = SHAPE(-1, 3);
    assert_ok(f->err, sl_infer_merge(&s, c, a, b));
    assert_shape(s, "[2,3]");
    assert_ok(f->err, sl_infer_merge(&s, c, SL_SHAPE_UNKNOWN, b));
    assert_shape(s, "[?,3]");
    assert_fails(f->err, SL_INVALID_ARGUMENT, "Shapes must be equal rank, but are 2 and 1",
                 sl_infer_merge(&s, c, a, SHAPE(2)));
    assert_fails(f->err, SL_INVALID_ARGUMENT,
                 "Dimension 0 in both shapes must be equal, but are 2 and 5. Shapes are [2,?] and [5,3].",
                 sl_infer_merge(&s, c, a, SHAPE(5, 3)));
    assert_shape(sl_infer_common(c, SHAPE(2, 3), SHAPE(2, 4)), "[2,?]");
    assert_shape(sl_infer_common(c, SHAPE(2, 3), SHAPE(2)), "<unknown>");
}

static void broadcasting_knows_only_what_is_sure(void **state) {
    struct ops_fixture *f = *state;
    struct context x;
    struct sl_shape_ctx *c = start(&x, f, 0, 0);
    struct sl_shape s;
    assert_ok(f->err, sl_infer_broadcast(&s, c, SHAPE(5, 1, -1), SHAPE(4, 3)));
    assert_shape(s, "[5,4,3]");
    assert_ok(f->err, sl_infer_broadcast(&s, c, SHAPE(-1), SHAPE(1)));
    assert_shape(s, "[?]");
    assert_ok(f->err, sl_infer_broadcast(&s, c, SHAPE(-1), SHAPE(0)));
    assert_shape(s, "[?]");
    assert_ok(f->err, sl_infer_broadcast(&s, c, SL_SHAPE_SCALAR, SL_SHAPE_SCALAR));
    assert_shape(s, "[]");
    assert_fails(f->err, SL_INVALID_ARGUMENT, "Dimensions must be equal, but are 2 and 3",
                 sl_infer_broadcast(&s, c, SHAPE(2), SHAPE(3)));
}

static void parts_are_counted_from_both_ends(void **state) {
    struct ops_fixture *f = *state;
    struct context x;
    struct sl_shape_ctx *c = start(&x, f, 0, 0);
    struct sl_shape s, all = SHAPE(2, 3, 4);
    assert_ok(f->err, sl_infer_subshape(&s, c, all, -2, INT64_MAX));
    assert_shape(s, "[3,4]");
    assert_ok(f->err, sl_infer_subshape(&s, c, all, 0, -1));
    assert_shape(s, "[2,3]");
    assert_ok(f->err, sl_infer_subshape(&s, c, all, 5, INT64_MAX));
    assert_shape(s, "[]");
    assert_fails(f->err, SL_INVALID_ARGUMENT, "Subshape must have computed start <= end, but is 2 and 1",
                 sl_infer_subshape(&s, c, all, 2, 1));
    assert_fails(f->err, SL_INVALID_ARGUMENT, "Subshape start out of bounds: -4", sl_infer_subshape(&s, c, all, -4, 1));
    assert_ok(f->err, sl_infer_concat(&s, c, SHAPE(2), SHAPE(-1, 3)));
    assert_shape(s, "[2,?,3]");
    assert_ok(f->err, sl_infer_replace_dim(&s, c, all, -1, 9));
    assert_shape(s, "[2,3,9]");
}

static void unknown_dims_stay_unknown(void **state) {
    struct ops_fixture *f = *state;
    struct context x;
    struct sl_shape_ctx *c = start(&x, f, 0, 0);
    int64_t d;
    assert_ok(f->err, sl_infer_add(&d, c, -1, 3));
    assert_int_equal(d, -1);
    assert_ok(f->err, sl_infer_multiply(&d, c, -1, 0));
    assert_int_equal(d, 0);
    assert_ok(f->err, sl_infer_multiply(&d, c, -1, 1));
    assert_int_equal(d, -1);
    assert_ok(f->err, sl_infer_divide(&d, c, 9, 4, false));
    assert_int_equal(d, 2);
    assert_fails(f->err, SL_INVALID_ARGUMENT, "Dimension size must be evenly divisible by 4 but is 9",
                 sl_infer_divide(&d, c, 9, 4, true));
    assert_fails(f->err, SL_INVALID_ARGUMENT, "Divisor must be positive but is 0", sl_infer_divide(&d, c, 9, 0, true));
    assert_fails(f->err, SL_INVALID_ARGUMENT, "Negative dimension size caused by subtracting 3 from 2",
                 sl_infer_subtract(&d, c, 2, 3));
    assert_fails(f->err, SL_INVALID_ARGUMENT, "overflow", sl_infer_multiply(&d, c, INT64_MAX, 2));
    assert_fails(f->err, SL_INVALID_ARGUMENT, "overflow", sl_infer_add(&d, c, INT64_MAX, 1));
    assert_int_equal(sl_infer_count(SHAPE(2, -1)), -1);
    assert_int_equal(sl_infer_count(SHAPE(0, -1)), 0);
    assert_int_equal(sl_infer_count(SHAPE(INT64_MAX, 2)), -1);
}

static struct sl_tensor *ints(struct ops_fixture *f, int rank, int n, const int32_t *values) {
    struct sl_tensor *t;
    assert_ok(f->err, sl_tensor_new(&t, SL_INT32, (struct sl_shape){rank, (int64_t[]){n}}, &f->err));
    memcpy(t->data, values, (size_t)n * sizeof *values);
    return t;
}

static void values_are_read_as_shapes(void **state) {
    struct ops_fixture *f = *state;
    struct context x;
    struct sl_shape_ctx *c = start(&x, f, 1, 0);
    struct sl_shape s;
    x.in[0] = SHAPE(3);
    assert_ok(f->err, sl_infer_shape_of_tensor(&s, c, 0));
    assert_shape(s, "[?,?,?]");
    struct sl_tensor *t = ints(f, 1, 3, (int32_t[]){2, -1, 4});
    x.values[0] = t;
    assert_ok(f->err, sl_infer_shape_of_tensor(&s, c, 0));
    assert_shape(s, "[2,?,4]");
    ((int32_t *)t->data)[0] = -2;
    assert_fails(f->err, SL_INVALID_ARGUMENT, "Invalid value in tensor used for shape: -2",
                 sl_infer_shape_of_tensor(&s, c, 0));
    sl_tensor_unref(t);
    t = ints(f, 0, 1, (int32_t[]){-1});
    x.in[0] = SL_SHAPE_SCALAR;
    x.values[0] = t;
    assert_ok(f->err, sl_infer_shape_of_tensor(&s, c, 0));
    assert_shape(s, "<unknown>");
    assert_fails(f->err, SL_INVALID_ARGUMENT, "Shape must be rank 1 but is rank 0", sl_infer_shape_of_vector(&s, c, 0));
    *(int32_t *)t->data = 7;
    assert_fails(f->err, SL_INVALID_ARGUMENT, "Saw value: 7", sl_infer_shape_of_tensor(&s, c, 0));
    x.values[0] = NULL;
    assert_fails(f->err, SL_INVALID_ARGUMENT, "shape scalar with unknown static value",
                 sl_infer_shape_of_tensor(&s, c, 0));
    sl_tensor_unref(t);
    x.in[0] = SHAPE(100000);
    assert_fails(f->err, SL_INVALID_ARGUMENT, "at most 254", sl_infer_shape_of_tensor(&s, c, 0));
}

static void patterns_bind_names(void **state) {
    struct ops_fixture *f = *state;
    struct context x;
    struct sl_shape_ctx *c = start(&x, f, 2, 2);
    x.in[0] = SHAPE(2, -1, 4);
    x.in[1] = SHAPE(7, 3);
    assert_ok(f->err, sl_infer_pattern(c, "[s...,k,n] [m,k] -> [s...,m,n] [k+1,?]"));
    assert_shape(x.out[0], "[2,7,4]");
    assert_shape(x.out[1], "[4,?]");
    assert_ok(f->err, sl_infer_pattern(c, "x * -> $1 [x...,5]"));
    assert_shape(x.out[0], "[7,3]");
    assert_shape(x.out[1], "[2,?,4,5]");
    assert_fails(f->err, SL_INVALID_ARGUMENT, "Dimensions must be equal, but are 4 and 3",
                 sl_infer_pattern(c, "[a,b,n] [m,n] -> [n] [m]"));
    assert_fails(f->err, SL_INVALID_ARGUMENT, "Dimension must be 5 but is 4",
                 sl_infer_pattern(c, "[a,b,5] * -> [] []"));
    assert_fails(f->err, SL_INVALID_ARGUMENT, "Shape must be at least rank 4 but is rank 3",
                 sl_infer_pattern(c, "[s...,a,b,c,d] * -> [] []"));
    x.in[0] = SL_SHAPE_UNKNOWN;
    assert_ok(f->err, sl_infer_pattern(c, "[s...,n] [m,n] -> [s...] [n]"));
    assert_shape(x.out[0], "<unknown>");
    assert_shape(x.out[1], "[3]");
    assert_fails(f->err, SL_INTERNAL, "does not fit 2 inputs", sl_infer_pattern(c, "[] -> [] []"));
    assert_fails(f->err, SL_INTERNAL, "Bad shape pattern", sl_infer_pattern(c, "[a* [] -> [] []"));
}

static void lists_share_what_remains(void **state) {
    struct ops_fixture *f = *state;
    struct context x;
    struct sl_shape_ctx *c = start(&x, f, 5, 3);
    x.in[0] = x.in[1] = SHAPE(-1, 2);
    x.in[2] = SHAPE(3);
    x.in[3] = SHAPE(3);
    x.in[4] = SL_SHAPE_SCALAR;
    assert_ok(f->err, sl_infer_pattern(c, "[n,r]+ [n]+ [] -> [n]+ [r]"));
    assert_shape(x.out[0], "[3]");
    assert_shape(x.out[1], "[3]");
    assert_shape(x.out[2], "[2]");
    x.in[3] = SHAPE(4);
    assert_fails(f->err, SL_INVALID_ARGUMENT, "Dimensions must be equal, but are 3 and 4",
                 sl_infer_pattern(c, "[n,r]+ [n]+ [] -> [n]+ [r]"));
}

/* Only outputs there are, of a rank there may be. */
static void outputs_are_checked(void **state) {
    struct ops_fixture *f = *state;
    struct context x;
    struct sl_shape_ctx *c = start(&x, f, 0, 1);
    int64_t dims[300] = {0};
    assert_fails(f->err, SL_INTERNAL, "output 1 of 1", sl_infer_set(c, 1, SL_SHAPE_SCALAR));
    assert_fails(f->err, SL_INVALID_ARGUMENT, "at most 254", sl_infer_set_dims(c, 0, 300, dims));
    assert_ok(f->err, sl_infer_set_handle(c, 0, SL_FLOAT, SHAPE(2, 3)));
    assert_int_equal(x.out_handles[0].n, 1);
    assert_int_equal(x.out_handles[0].items[0].dtype, SL_FLOAT);
    assert_shape(x.out_handles[0].items[0].shape, "[2,3]");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(ranks_and_dims_are_checked, ops_setup, ops_teardown),
        cmocka_unit_test_setup_teardown(merging_joins_what_is_known, ops_setup, ops_teardown),
        cmocka_unit_test_setup_teardown(broadcasting_knows_only_what_is_sure, ops_setup, ops_teardown),
        cmocka_unit_test_setup_teardown(parts_are_counted_from_both_ends, ops_setup, ops_teardown),
        cmocka_unit_test_setup_teardown(unknown_dims_stay_unknown, ops_setup, ops_teardown),
        cmocka_unit_test_setup_teardown(values_are_read_as_shapes, ops_setup, ops_teardown),
        cmocka_unit_test_setup_teardown(patterns_bind_names, ops_setup, ops_teardown),
        cmocka_unit_test_setup_teardown(lists_share_what_remains, ops_setup, ops_teardown),
        cmocka_unit_test_setup_teardown(outputs_are_checked, ops_setup, ops_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
