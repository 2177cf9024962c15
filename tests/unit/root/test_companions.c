/* The index of companions leads to every kernel that is in one. */
#include "root/companions.h"
#include "unit/unit.h"

static struct sl_error err;

static void every_op_is_found_in_its_companion(void **state) {
    const struct sl_kernel_family *families;
    size_t n;
    (void)state;
    for (int c = 0; c < SL_COMPANION_COUNT; c++) {
        assert_ok(err, sl_root_companions.load(&families, &n, c, &err));
        assert_true(n > 0 || c == SL_COMPANION_NET);
        for (size_t f = 0; f < n; f++)
            for (const struct sl_kernel_def *row = families[f].rows; row->op; row++)
                if (sl_root_companions.source_of(sl_str_of(row->op)) != c)
                    fail_msg(
                        "%s: its row of src/ops is in a family that root/companions.c does not name for companion %d",
                        row->op, c);
    }
    assert_int_equal(sl_root_companions.source_of(SL_STR("NoSuchOp")), -1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_op_is_found_in_its_companion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
