/* base/env: names, numbers that are none, unset and empty. */
#include <stdlib.h>

#include "base/env.h"
#include "unit/unit.h"

static void text_is_what_the_environment_holds(void **state) {
    (void)state;
    unsetenv("SLUICE_TRACE");
    assert_null(sl_env_text(SL_ENV_TRACE));
    setenv("SLUICE_TRACE", "", 1);
    assert_null(sl_env_text(SL_ENV_TRACE));
    setenv("SLUICE_TRACE", "out.json", 1);
    assert_string_equal(sl_env_text(SL_ENV_TRACE), "out.json");
}

static void a_number_that_is_none_counts_as_unset(void **state) {
    (void)state;
    static const struct {
        const char *text;
        long long number;
    } rows[] = {{"4", 4}, {"0", 0}, {"", 7}, {"four", 7}, {"4x", 7}, {"-1", 7}, {"99999999999999999999", 7}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        setenv("SLUICE_THREADS", rows[i].text, 1);
        assert_int_equal(sl_env_number(SL_ENV_THREADS, 7), rows[i].number);
    }
    unsetenv("SLUICE_THREADS");
    assert_int_equal(sl_env_number(SL_ENV_THREADS, 7), 7);
}

static void sizes_are_numbers_with_a_unit(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t size;
    } rows[] = {{"1", 1}, {"500", 500}, {"4K", 4096}, {"4k", 4096}, {"64M", 64 << 20}, {"3G", (size_t)3 << 30}};
    static const char *const wrong[] = {
        "", "0", "0M", "-1", "+1", " 1", "M", "1MB", "1.5G", "1T", "99999999999999999999", "17179869184G"};
    size_t size;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_true(sl_size_parse(&size, rows[i].text));
        assert_int_equal(size, rows[i].size);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) assert_false(sl_size_parse(&size, wrong[i]));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_what_the_environment_holds),
        cmocka_unit_test(a_number_that_is_none_counts_as_unset),
        cmocka_unit_test(sizes_are_numbers_with_a_unit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
