/* base/alloc: the failure counter, sizes that overflow, growing. SLUICE_ALLOC_FAIL is read at the first call of the
 * process, so `main` sets it and the first test spends it. */
#include <stdlib.h>

#include "base/alloc.h"
#include "unit/unit.h"

static void the_third_call_fails_once(void **state) {
    (void)state;
    void *p = sl_malloc(8);
    void *q = sl_calloc(2, 8);
    assert_non_null(p);
    assert_non_null(q);
    assert_null(sl_realloc(p, 1 << 20));
    void *r = sl_realloc(p, 1 << 20);
    assert_non_null(r);
    sl_free(r);
    sl_free(q);
    for (int i = 0; i < 100; i++) {
        void *s = sl_malloc(1);
        assert_non_null(s);
        sl_free(s);
    }
}

static void zero_bytes_give_a_pointer(void **state) {
    (void)state;
    void *all[] = {sl_malloc(0), sl_calloc(0, 8), sl_calloc(8, 0), sl_realloc(NULL, 0), sl_alloc_aligned(64, 0)};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        assert_non_null(all[i]);
        sl_free(all[i]);
    }
    sl_free(NULL);
}

static void overflowing_sizes_are_refused(void **state) {
    (void)state;
    volatile size_t most = SIZE_MAX; /* volatile: the compiler must not see through the size */
    assert_null(sl_calloc(most / 2, 3));
    assert_null(sl_alloc_aligned(64, most - 10));
}

static void aligned_memory_is_aligned(void **state) {
    (void)state;
    for (size_t alignment = sizeof(void *); alignment <= 4096; alignment *= 2) {
        unsigned char *p = sl_alloc_aligned(alignment, alignment + 1);
        assert_non_null(p);
        assert_int_equal((uintptr_t)p % alignment, 0);
        memset(p, 1, alignment + 1);
        sl_free(p);
    }
}

static void growing_doubles_and_keeps_the_items(void **state) {
    (void)state;
    void *items = NULL;
    size_t cap = 0;
    assert_int_equal(sl_grow(&items, &cap, 1, sizeof(int)), 0);
    assert_int_equal(cap, 8);
    int *ints = items;
    for (int i = 0; i < 8; i++) ints[i] = i;
    assert_int_equal(sl_grow(&items, &cap, 8, sizeof(int)), 0);
    assert_ptr_equal(items, ints);
    assert_int_equal(sl_grow(&items, &cap, 33, sizeof(int)), 0);
    assert_int_equal(cap, 64);
    ints = items;
    for (int i = 0; i < 8; i++) assert_int_equal(ints[i], i);
    assert_int_equal(sl_grow(&items, &cap, SIZE_MAX / 8, sizeof(int) * 8), -1);
    assert_int_equal(sl_grow(&items, &cap, SIZE_MAX, 1), -1);
    assert_ptr_equal(items, ints);
    assert_int_equal(cap, 64);
    sl_free(items);
}

int main(void) {
    setenv("SLUICE_ALLOC_FAIL", "3", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_third_call_fails_once),           cmocka_unit_test(zero_bytes_give_a_pointer),
        cmocka_unit_test(overflowing_sizes_are_refused),       cmocka_unit_test(aligned_memory_is_aligned),
        cmocka_unit_test(growing_doubles_and_keeps_the_items),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
