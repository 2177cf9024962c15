/* base/arena: alignment, zeroing, large requests, copies, overflow, reuse after clearing. */
#include "base/arena.h"
#include "unit/unit.h"

static void everything_is_aligned_and_apart(void **state) {
    (void)state;
    struct sl_arena arena;
    sl_arena_init(&arena);
    unsigned char *p[500];
    size_t size[500];
    for (size_t i = 0; i < 500; i++) {
        size[i] = i * 7 % 900;
        p[i] = sl_arena_alloc(&arena, size[i]);
        assert_non_null(p[i]);
        assert_int_equal((uintptr_t)p[i] % 16, 0);
        memset(p[i], (int)(i & 0xff), size[i]);
    }
    for (size_t i = 0; i < 500; i++)
        for (size_t k = 0; k < size[i]; k++) assert_int_equal(p[i][k], i & 0xff);
    sl_arena_clear(&arena);
}

static void a_zeroed_struct_is_an_empty_arena(void **state) {
    (void)state;
    struct sl_arena arena = {0};
    assert_int_equal(sl_arena_bytes(&arena), 0);
    assert_non_null(sl_arena_alloc(&arena, 0));
    assert_true(sl_arena_bytes(&arena) > 0);
    sl_arena_clear(&arena);
    assert_int_equal(sl_arena_bytes(&arena), 0);
    assert_non_null(sl_arena_alloc(&arena, 100));
    sl_arena_clear(&arena);
}

static void a_large_request_leaves_the_current_block_in_use(void **state) {
    (void)state;
    struct sl_arena arena;
    sl_arena_init(&arena);
    char *before = sl_arena_alloc(&arena, 16);
    char *large = sl_arena_alloc(&arena, 1 << 22);
    char *after = sl_arena_alloc(&arena, 16);
    assert_non_null(large);
    memset(large, 1, 1 << 22);
    assert_ptr_equal(after, before + 16);
    assert_true(sl_arena_bytes(&arena) < (1 << 22) + 4096);
    sl_arena_clear(&arena);
}

static void zeroed_memory_is_zero(void **state) {
    (void)state;
    struct sl_arena arena;
    sl_arena_init(&arena);
    for (int round = 0; round < 20; round++) {
        memset(sl_arena_alloc(&arena, 100), 0xff, 100);
        int *ints = SL_ARENA_ARRAY(&arena, int, 33);
        struct sl_str *one = SL_ARENA_NEW(&arena, struct sl_str);
        for (int i = 0; i < 33; i++) assert_int_equal(ints[i], 0);
        assert_null(one->p);
    }
    sl_arena_clear(&arena);
}

static void expecting_too_much_costs_nothing(void **state) {
    (void)state;
    struct sl_arena arena;
    sl_arena_init(&arena);
    sl_arena_expect(&arena, SIZE_MAX);
    assert_non_null(sl_arena_alloc(&arena, 16));
    assert_true(sl_arena_bytes(&arena) <= 1 << 20);
    sl_arena_clear(&arena);
}

static void overflowing_sizes_are_refused(void **state) {
    (void)state;
    struct sl_arena arena;
    sl_arena_init(&arena);
    assert_null(sl_arena_alloc(&arena, SIZE_MAX));
    assert_null(sl_arena_alloc(&arena, SIZE_MAX - 16));
    assert_null(sl_arena_array(&arena, SIZE_MAX / 4, 8));
    assert_null(sl_arena_array(&arena, SIZE_MAX / 8 + 2, 8)); /* the product would be 8 */
    assert_null(sl_arena_str(&arena, (struct sl_str){"x", SIZE_MAX}).p);
    assert_int_equal(sl_arena_bytes(&arena), 0);
    sl_arena_clear(&arena);
}

static void strings_are_copied_and_terminated(void **state) {
    (void)state;
    struct sl_arena arena;
    sl_arena_init(&arena);
    char source[] = {'a', 0, 'b', '!'};
    struct sl_str copy = sl_arena_str(&arena, (struct sl_str){source, 3});
    source[0] = 'z';
    assert_int_equal(copy.n, 3);
    assert_memory_equal(copy.p, "a\0b", 4);
    struct sl_str empty = sl_arena_str(&arena, (struct sl_str){NULL, 0});
    assert_non_null(empty.p);
    assert_string_equal(empty.p, "");
    assert_string_equal(sl_arena_format(&arena, "%s_%d", "while", 12), "while_12");
    char *wide = sl_arena_format(&arena, "%5000d", 1);
    assert_int_equal(strlen(wide), 5000);
    sl_arena_clear(&arena);
}

static size_t n_large;
static void note_large(void *p, size_t bytes) {
    assert_true((uintptr_t)p % SL_ARENA_LARGE == 0 && bytes >= SL_ARENA_LARGE);
    n_large++;
}

static void a_large_arena_tells_of_its_large_blocks(void **state) {
    (void)state;
    struct sl_arena arena;
    sl_arena_init_large(&arena, note_large);
    for (int round = 0; round < 2; round++) {
        n_large = 0;
        for (int i = 0; i < 2500; i++) memset(sl_arena_alloc(&arena, 400), i, 400);
        assert_int_equal(n_large, 0);
        for (int i = 0; i < 12500; i++) memset(sl_arena_alloc(&arena, 400), i, 400);
        assert_in_range(n_large, 2, 3);
        memset(sl_arena_alloc(&arena, 3 << 20), 1, 3 << 20);
        assert_in_range(n_large, 3, 4);
        sl_arena_clear(&arena);
    }
}

static void an_arena_that_expects_much_begins_with_large_blocks(void **state) {
    (void)state;
    struct sl_arena arena = {0};
    sl_arena_expect(&arena, 0);
    sl_arena_alloc(&arena, 16);
    assert_true(sl_arena_bytes(&arena) <= 2048);
    sl_arena_expect(&arena, 1 << 20);
    for (size_t before = sl_arena_bytes(&arena); sl_arena_bytes(&arena) == before;) sl_arena_alloc(&arena, 16);
    assert_in_range(sl_arena_bytes(&arena), 1 << 19, 1 << 20);
    sl_arena_clear(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_is_aligned_and_apart),
        cmocka_unit_test(a_zeroed_struct_is_an_empty_arena),
        cmocka_unit_test(a_large_request_leaves_the_current_block_in_use),
        cmocka_unit_test(zeroed_memory_is_zero),
        cmocka_unit_test(expecting_too_much_costs_nothing),
        cmocka_unit_test(overflowing_sizes_are_refused),
        cmocka_unit_test(strings_are_copied_and_terminated),
        cmocka_unit_test(a_large_arena_tells_of_its_large_blocks),
        cmocka_unit_test(an_arena_that_expects_much_begins_with_large_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
