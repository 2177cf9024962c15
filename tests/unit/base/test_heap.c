/* Heaps: what is pushed in any order comes out in order. */
#include "base/heap.h"
#include "unit/unit.h"

static void smallest_comes_first(void **state) {
    (void)state;
    struct sl_heap h = {0};
    uint32_t number = 1, last = 0;
    for (int i = 0; i < 1000; i++) {
        number = number * 1103515245u + 12345u;
        assert_int_equal(sl_heap_push(&h, number >> 16 & 255), 0); /* many are equal */
    }
    for (int i = 0; i < 1000; i++) {
        uint32_t next = sl_heap_pop(&h);
        assert_true(next >= last);
        last = next;
    }
    assert_int_equal(h.n, 0);
    sl_vec_free(&h);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(smallest_comes_first)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
