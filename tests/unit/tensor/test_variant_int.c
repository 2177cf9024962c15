/* tensor/variant_int and what tensor_proto reads of variants. */
#include "tensor/tensor_proto.h"
#include "tensor/variant_int.h"
#include "unit/unit.h"

static struct sl_pb_VariantTensorDataProto given[] = {{.type_name = {"int", 3}, .metadata = {"\x2a\0\0\0", 4}},
                                                      {.type_name = {"int", 3}, .metadata = {"\xff\xff\xff\xff", 4}}};

static sl_code read_variants(struct sl_tensor **out, size_t n, int64_t elements, struct sl_error *err) {
    struct sl_pb_TensorShapeProto_Dim dim = {.size = elements};
    struct sl_pb_TensorShapeProto shape = {.dim = {&dim, 1}};
    struct sl_pb_TensorProto proto = {.dtype = SL_VARIANT, .tensor_shape = &shape, .variant_val = {given, n}};
    return sl_tensor_from_proto(out, &proto, err);
}

static void numbers_are_read_and_the_rest_is_empty(void **state) {
    (void)state;
    struct sl_error err = {0};
    struct sl_tensor *t;
    int32_t value = 0;
    assert_ok(err, read_variants(&t, 2, 3, &err));
    struct sl_object **elements = t->data;
    assert_true(sl_variant_int_is(&value, elements[0]));
    assert_int_equal(value, 42);
    assert_true(sl_variant_int_is(&value, elements[1]));
    assert_int_equal(value, -1);
    assert_null(elements[2]);
    assert_false(sl_variant_int_is(&value, elements[2]));
    sl_tensor_unref(t);
}

static void what_is_wrong_is_refused(void **state) {
    (void)state;
    struct sl_error err = {0};
    struct sl_tensor *t;
    assert_int_equal(read_variants(&t, 2, 1, &err), SL_INVALID_ARGUMENT);
    given[1].metadata.n = 3;
    assert_int_equal(read_variants(&t, 2, 2, &err), SL_INVALID_ARGUMENT);
    given[1].metadata = SL_STR("\x01\0\0\0\0");
    assert_int_equal(read_variants(&t, 2, 2, &err), SL_INVALID_ARGUMENT);
    given[1].metadata = SL_STR("\xff\xff\xff\xff");
    given[1].type_name = SL_STR("Graph");
    assert_int_equal(read_variants(&t, 2, 2, &err), SL_UNIMPLEMENTED);
    assert_non_null(strstr(err.message, "Graph"));
    given[1].type_name = SL_STR("int");
}

static void numbers_add_and_have_a_zero(void **state) {
    (void)state;
    struct sl_error err = {0};
    struct sl_object *a, *sum, *zero;
    int32_t value = 0;
    assert_ok(err, sl_variant_int_decode(&a, (struct sl_str){"\xff\xff\xff\x7f", 4}, &err));
    assert_ok(err, sl_variant_int_type.variant->add(&sum, a, a, NULL, &err));
    assert_true(sl_variant_int_is(&value, sum));
    assert_int_equal(value, -2);
    assert_ok(err, sl_variant_int_type.variant->zeros(&zero, a, NULL, &err));
    assert_true(sl_variant_int_is(&value, zero));
    assert_int_equal(value, 0);
    sl_object_unref(a);
    sl_object_unref(sum);
    sl_object_unref(zero);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_read_and_the_rest_is_empty),
        cmocka_unit_test(what_is_wrong_is_refused),
        cmocka_unit_test(numbers_add_and_have_a_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
