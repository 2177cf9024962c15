/* base/error: codes, messages, cutting, appending. */
#include "unit/unit.h"

static void codes_have_their_canonical_numbers(void **state) {
    (void)state;
    assert_int_equal(SL_OK, 0);
    assert_int_equal(SL_INVALID_ARGUMENT, 3);
    assert_int_equal(SL_RESOURCE_EXHAUSTED, 8);
    assert_int_equal(SL_UNIMPLEMENTED, 12);
    assert_int_equal(SL_UNAUTHENTICATED, 16);
    assert_string_equal(sl_code_name(SL_DATA_LOSS), "DATA_LOSS");
    assert_string_equal(sl_code_name((sl_code)99), "UNKNOWN");
}

static void failing_stores_code_and_message(void **state) {
    (void)state;
    struct sl_error err;
    sl_error_clear(&err);
    assert_int_equal(err.code, SL_OK);
    assert_string_equal(err.message, "");
    assert_int_equal(sl_fail(&err, SL_NOT_FOUND, "no node '%s' (%d)", "x", 7), SL_NOT_FOUND);
    assert_int_equal(err.code, SL_NOT_FOUND);
    assert_string_equal(err.message, "no node 'x' (7)");
    sl_fail(&err, SL_ABORTED, "later");
    assert_int_equal(err.code, SL_ABORTED);
    assert_string_equal(err.message, "later");
}

static void an_error_is_optional(void **state) {
    (void)state;
    sl_error_clear(NULL);
    assert_int_equal(sl_fail(NULL, SL_INTERNAL, "unseen"), SL_INTERNAL);
    assert_int_equal(sl_fail_memory(NULL, 10), SL_RESOURCE_EXHAUSTED);
    assert_int_equal(sl_error_append(NULL, "unseen"), SL_UNKNOWN); /* never OK */
}

static void memory_failure_names_the_size(void **state) {
    (void)state;
    struct sl_error err;
    assert_fails(err, SL_RESOURCE_EXHAUSTED, "12345", sl_fail_memory(&err, 12345));
}

static void a_long_message_is_cut_with_dots(void **state) {
    (void)state;
    static char text[3 * SL_ERROR_MESSAGE_MAX];
    memset(text, 'a', sizeof text - 1);
    struct sl_error err;
    sl_fail(&err, SL_INTERNAL, "%s", text);
    assert_int_equal(strlen(err.message), SL_ERROR_MESSAGE_MAX - 1);
    assert_string_equal(err.message + SL_ERROR_MESSAGE_MAX - 5, "a...");
    sl_fail(&err, SL_INTERNAL, "%.*s", SL_ERROR_MESSAGE_MAX, text); /* one byte too long */
    assert_string_equal(err.message + SL_ERROR_MESSAGE_MAX - 5, "a...");
    sl_fail(&err, SL_INTERNAL, "%.*s", SL_ERROR_MESSAGE_MAX - 1, text); /* all of it */
    assert_string_equal(err.message + SL_ERROR_MESSAGE_MAX - 5, "aaaa");
}

static void appending_keeps_the_code(void **state) {
    (void)state;
    struct sl_error err;
    sl_fail(&err, SL_OUT_OF_RANGE, "index 3");
    assert_int_equal(sl_error_append(&err, " [[%s]]", "node"), SL_OUT_OF_RANGE);
    assert_string_equal(err.message, "index 3 [[node]]");
}

static void appending_to_a_full_message_stays_inside(void **state) {
    (void)state;
    struct {
        struct sl_error err;
        char guard;
    } s = {.guard = 'g'};
    sl_fail(&s.err, SL_INTERNAL, "%*s", SL_ERROR_MESSAGE_MAX - 3, "x");
    for (int i = 0; i < 3; i++) sl_error_append(&s.err, " and more");
    assert_int_equal(strlen(s.err.message), SL_ERROR_MESSAGE_MAX - 1);
    assert_int_equal(s.guard, 'g');
}

static sl_code tries(int *reached, sl_code inner) {
    SL_TRY(inner);
    *reached = 1;
    return SL_OK;
}

static void try_returns_on_failure_only(void **state) {
    (void)state;
    int reached = 0;
    assert_int_equal(tries(&reached, SL_CANCELLED), SL_CANCELLED);
    assert_int_equal(reached, 0);
    assert_int_equal(tries(&reached, SL_OK), SL_OK);
    assert_int_equal(reached, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(codes_have_their_canonical_numbers),
        cmocka_unit_test(failing_stores_code_and_message),
        cmocka_unit_test(an_error_is_optional),
        cmocka_unit_test(memory_failure_names_the_size),
        cmocka_unit_test(a_long_message_is_cut_with_dots),
        cmocka_unit_test(appending_keeps_the_code),
        cmocka_unit_test(appending_to_a_full_message_stays_inside),
        cmocka_unit_test(try_returns_on_failure_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
