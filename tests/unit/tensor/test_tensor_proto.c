/* Tensors from TensorProto messages, as files and clients write them: with fewer values than elements, with contents,
 * and with what makes no sense. */
#include "unit/unit.h"

#include "tensor/tensor_proto.h"

static struct sl_pb_TensorShapeProto_Dim sizes[SL_MAX_RANK + 2];
static struct sl_pb_TensorShapeProto shape_of_proto;

/* A message of this type and shape, without values. */
static struct sl_pb_TensorProto message(int dtype, int rank, const int64_t *dims) {
    memset(sizes, 0, sizeof sizes);
    for (int i = 0; i < rank; i++) sizes[i].size = dims ? dims[i] : 1;
    shape_of_proto = (struct sl_pb_TensorShapeProto){.dim = {.items = sizes, .n = (size_t)rank}};
    return (struct sl_pb_TensorProto){.dtype = dtype, .tensor_shape = &shape_of_proto};
}

/* What was in the memory of tensors that are gone must not show. */
static void leave_traces(int64_t n) {
    struct sl_error err;
    struct sl_tensor *t;
    assert_ok(err, sl_tensor_new(&t, SL_INT32, (struct sl_shape){1, &n}, &err));
    memset(t->data, 0x5a, t->bytes);
    sl_tensor_unref(t);
}

static void elements_without_values_are_zero(void **state) {
    (void)state;
    struct sl_error err;
    for (int64_t n = 1; n <= 100000; n *= 10) {
        struct sl_pb_TensorProto p = message(SL_INT32, 1, &n);
        struct sl_tensor *t;
        leave_traces(n);
        assert_ok(err, sl_tensor_from_proto(&t, &p, &err));
        assert_int_equal(t->count, n);
        for (int64_t i = 0; i < n; i++) assert_int_equal(((int32_t *)t->data)[i], 0);
        sl_tensor_unref(t);
    }
}

static void the_last_value_stands_for_the_rest(void **state) {
    (void)state;
    struct sl_error err;
    struct sl_tensor *t;
    int32_t ints[] = {7, 8, 9};
    float pairs[] = {1, 2, 3, 4};
    struct sl_pb_TensorProto p = message(SL_INT32, 1, (const int64_t[]){5});
    p.int_val.items = ints;
    p.int_val.n = 3;
    assert_ok(err, sl_tensor_from_proto(&t, &p, &err));
    assert_memory_equal(t->data, ((int32_t[]){7, 8, 9, 9, 9}), 20);
    sl_tensor_unref(t);
    p = message(SL_INT32, 1, (const int64_t[]){2}); /* more values than elements */
    p.int_val.items = ints;
    p.int_val.n = 3;
    assert_ok(err, sl_tensor_from_proto(&t, &p, &err));
    assert_memory_equal(t->data, ((int32_t[]){7, 8}), 8);
    sl_tensor_unref(t);
    p = message(SL_COMPLEX64, 1, (const int64_t[]){3});
    p.scomplex_val.items = pairs;
    p.scomplex_val.n = 4;
    assert_ok(err, sl_tensor_from_proto(&t, &p, &err));
    assert_memory_equal(t->data, ((float[]){1, 2, 3, 4, 3, 4}), 24);
    sl_tensor_unref(t);
}

static void ranks_have_a_limit(void **state) {
    (void)state;
    struct sl_error err;
    struct sl_tensor *t;
    struct sl_pb_TensorProto p = message(SL_FLOAT, SL_MAX_RANK, NULL);
    assert_ok(err, sl_tensor_from_proto(&t, &p, &err));
    assert_int_equal(t->rank, SL_MAX_RANK);
    sl_tensor_unref(t);
    p = message(SL_FLOAT, SL_MAX_RANK + 1, NULL);
    assert_fails(err, SL_INVALID_ARGUMENT, "Shape has 255 dimensions, at most 254 are possible",
                 sl_tensor_from_proto(&t, &p, &err));
}

/* Lengths, then bytes. */
static void contents_of_strings(void **state) {
    (void)state;
    const struct {
        const char *content;
        size_t n;
        const char *first, *second; /* NULL: refused, and */
        const char *why;
    } rows[] = {
        {"\2\3abcde", 7, "ab", "cde", NULL},
        {"\0\1x", 3, "", "x", NULL},
        {"\2\3abcd", 6, NULL, NULL, "shorter than its strings"},
        {"\2\3a", 3, NULL, NULL, "shorter than its strings"},
        {"\2\xff\xff\xff\xff\x0f"
         "ab",
         8, NULL, NULL, "shorter than its strings"},
        {"\2", 1, NULL, NULL, "ends within the lengths"},
        {"\2\x83", 2, NULL, NULL, "ends within the lengths"},
    };
    struct sl_error err;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sl_pb_TensorProto p = message(SL_STRING, 1, (const int64_t[]){2});
        struct sl_tensor *t;
        p.tensor_content = (struct sl_str){rows[i].content, rows[i].n};
        if (rows[i].why) {
            assert_fails(err, SL_INVALID_ARGUMENT, rows[i].why, sl_tensor_from_proto(&t, &p, &err));
            continue;
        }
        assert_ok(err, sl_tensor_from_proto(&t, &p, &err));
        assert_true(sl_str_is(sl_string_get((TF_TString *)t->data), rows[i].first));
        assert_true(sl_str_is(sl_string_get((TF_TString *)t->data + 1), rows[i].second));
        sl_tensor_unref(t);
    }
}

static void messages_that_make_no_sense(void **state) {
    (void)state;
    struct sl_error err;
    struct sl_tensor *t;
    const char bytes[12] = {0};
    struct sl_pb_TensorProto p = message(SL_FLOAT, 1, (const int64_t[]){4});
    p.tensor_content = (struct sl_str){bytes, 12};
    assert_fails(err, SL_INVALID_ARGUMENT, "shape [4] needs 16 bytes of tensor_content, 12 are there",
                 sl_tensor_from_proto(&t, &p, &err));
    p = message(99, 0, NULL);
    assert_fails(err, SL_INVALID_ARGUMENT, "Invalid data type 99", sl_tensor_from_proto(&t, &p, &err));
    p = message(SL_FLOAT, 1, (const int64_t[]){-4});
    assert_fails(err, SL_INVALID_ARGUMENT, "is negative", sl_tensor_from_proto(&t, &p, &err));
    p = message(SL_FLOAT, 0, NULL);
    shape_of_proto.unknown_rank = true;
    assert_fails(err, SL_INVALID_ARGUMENT, "must be known", sl_tensor_from_proto(&t, &p, &err));
    p = message(SL_FLOAT, 2, (const int64_t[]){INT64_C(1) << 20, INT64_C(1) << 20});
    assert_fails(err, SL_RESOURCE_EXHAUSTED, "does not hold its elements", sl_tensor_from_proto(&t, &p, &err));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements_without_values_are_zero),
        cmocka_unit_test(the_last_value_stands_for_the_rest),
        cmocka_unit_test(ranks_have_a_limit),
        cmocka_unit_test(contents_of_strings),
        cmocka_unit_test(messages_that_make_no_sense),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
