/* Tensors out of arrays and back, of sluice/tensors.h: elements, strings, and what does not fit. */
#include "sluice/tensors.h"

#include "unit/capi/capi_fixture.h"

static void elements_go_there_and_back(void **state) {
    struct fixture *f = *state;
    const int16_t given[] = {1, -2, 3, 4, 5, 6};
    int16_t got[6] = {0};
    TF_Tensor *t = sl_tensor_of(TF_INT16, SL_SHAPE(2, 3), given, f->status);
    assert_status_ok(f->status);
    assert_int_equal(TF_TensorType(t), TF_INT16);
    assert_int_equal(TF_NumDims(t), 2);
    assert_int_equal(TF_Dim(t, 1), 3);
    assert_int_equal(TF_TensorByteSize(t), sizeof given);
    sl_tensor_read(got, t, TF_INT16, 6, f->status);
    assert_status_ok(f->status);
    assert_memory_equal(got, given, sizeof given);
    TF_DeleteTensor(t);

    double number = 7;
    t = sl_tensor_of(TF_DOUBLE, SL_SCALAR, NULL, f->status);
    sl_tensor_read(&number, t, TF_DOUBLE, 1, f->status);
    assert_status_ok(f->status);
    assert_true(number == 0);
    TF_DeleteTensor(t);

    t = sl_tensor_of(TF_FLOAT, SL_SHAPE(0, 4), NULL, f->status);
    sl_tensor_read(NULL, t, TF_FLOAT, 0, f->status);
    assert_status_ok(f->status);
    TF_DeleteTensor(t);
}

static void strings_go_there_and_back(void **state) {
    struct fixture *f = *state;
    const char *const texts[] = {"one", "a text that is too long to lie in the string itself", ""};
    const TF_StringView bytes[] = {{"a\0b", 3}, {NULL, 0}};
    TF_StringView got[3];
    TF_Tensor *t = sl_tensor_of(TF_STRING, SL_SHAPE(3), texts, f->status);
    assert_status_ok(f->status);
    sl_tensor_read(got, t, TF_STRING, 3, f->status);
    assert_status_ok(f->status);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(got[i].len, strlen(texts[i]));
        assert_memory_equal(got[i].data, texts[i], got[i].len);
    }
    TF_DeleteTensor(t);
    t = sl_tensor_of_strings(SL_SHAPE(2, 1), bytes, f->status);
    assert_status_ok(f->status);
    sl_tensor_read(got, t, TF_STRING, 2, f->status);
    assert_int_equal(got[0].len, 3);
    assert_memory_equal(got[0].data, "a\0b", 3);
    assert_int_equal(got[1].len, 0);
    TF_DeleteTensor(t);
}

static void expect_refused(TF_Status *status, const char *message) {
    assert_int_equal(TF_GetCode(status), TF_INVALID_ARGUMENT);
    if (!strstr(TF_Message(status), message)) fail_msg("%s", TF_Message(status));
}

static void what_does_not_fit_is_refused(void **state) {
    struct fixture *f = *state;
    float got[2] = {8, 9};
    TF_Tensor *t = sl_tensor_of(TF_FLOAT, SL_SHAPE(2), (const float[]){1, 2}, f->status);
    sl_tensor_read(got, t, TF_INT32, 2, f->status);
    expect_refused(f->status, "the tensor is float [2], and 2 elements of type int32 were asked for");
    sl_tensor_read(got, t, TF_FLOAT, 1, f->status);
    expect_refused(f->status, "and 1 elements of type float");
    sl_tensor_read(got, NULL, TF_FLOAT, 1, f->status);
    expect_refused(f->status, "no tensor");
    assert_true(got[0] == 8 && got[1] == 9);
    TF_DeleteTensor(t);
    assert_null(sl_tensor_of(TF_FLOAT, SL_SHAPE(-1, 2), got, f->status));
    expect_refused(f->status, "the shape must be known, and is [?,2]");
    assert_null(sl_tensor_of(TF_FLOAT, SL_ANY_SHAPE, got, f->status));
    expect_refused(f->status, "the shape must be known");
    assert_null(sl_tensor_of(TF_RESOURCE, SL_SHAPE(1), NULL, f->status));
    expect_refused(f->status, "resource");
    assert_null(sl_tensor_of(TF_FLOAT, SL_SHAPE(INT64_MAX, 4), NULL, f->status));
    assert_int_not_equal(TF_GetCode(f->status), TF_OK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(elements_go_there_and_back, fixture_set_up, fixture_tear_down),
        cmocka_unit_test_setup_teardown(strings_go_there_and_back, fixture_set_up, fixture_tear_down),
        cmocka_unit_test_setup_teardown(what_does_not_fit_is_refused, fixture_set_up, fixture_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
