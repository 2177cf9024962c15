/* Compressed elements as TensorFlow writes them. */
#include "base/alloc.h"
#include "ckpt/compressed_element.h"
#include "unit/unit.h"

/* An empty tensor has no length of its own, and no byte of the block. */
static void an_empty_tensor_is_unpacked(void **state) {
    (void)state;
    static const char bytes[] = "\x12\x06\x08\x09\x12\x02\x12"; /* component { dtype: DT_INT64, shape { dim { } } } */
    struct sl_error err;
    struct sl_value *values;
    int n;
    sl_error_clear(&err);
    assert_ok(err, sl_element_uncompress(&values, &n, (struct sl_str){bytes, sizeof bytes}, &err));
    assert_int_equal(n, 1);
    const struct sl_view v = sl_value_view(&values[0]);
    assert_int_equal(v.dtype, SL_INT64);
    assert_int_equal(v.rank, 1);
    assert_int_equal(v.count, 0);
    sl_value_clear(&values[0]);
    sl_free(values);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(an_empty_tensor_is_unpacked)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
