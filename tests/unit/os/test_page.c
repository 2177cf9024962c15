/* os/page: zeros that take no memory, and those that have to be written. */
#include <string.h>

#include "base/alloc.h"
#include "os/page.h"
#include "unit/unit.h"

enum { BYTES = 64 << 20 };

static bool all_zero(const char *p, size_t n) { return n == 0 || (!p[0] && !memcmp(p, p + 1, n - 1)); }

static void untouched_memory_becomes_zero(void **state) {
    (void)state;
    char *p = sl_alloc_aligned(4096, BYTES);
    assert_non_null(p);
    p[100] = 'x'; /* a page in all that is there, and what lies at both ends of the part within theirs */
    p[BYTES / 2 + 5] = 'y';
    p[BYTES - 100] = 'z';
    p[0] = p[BYTES - 1] = 'o';
    if (sl_pages_zero(p + 1, BYTES - 2)) {
        assert_true(all_zero(p + 1, BYTES - 2));
    } else { /* a system that gives memory its pages at once */
        assert_int_equal(p[100], 'x');
    }
    assert_int_equal(p[0], 'o');
    assert_int_equal(p[BYTES - 1], 'o');
    sl_free(p);
}

static void memory_in_use_stays_as_it_is(void **state) {
    (void)state;
    char *p = sl_alloc_aligned(4096, BYTES);
    assert_non_null(p);
    for (size_t i = 0; i < BYTES; i += 4096) p[i] = 'x';
    assert_false(sl_pages_zero(p, BYTES));
    for (size_t i = 0; i < BYTES; i += 4096) assert_int_equal(p[i], 'x');
    assert_false(sl_pages_zero(p + 1, 100)); /* no whole page */
    sl_free(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(untouched_memory_becomes_zero),
        cmocka_unit_test(memory_in_use_stays_as_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
