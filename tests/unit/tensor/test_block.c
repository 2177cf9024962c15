/* Blocks: aligned, apart from each other, usable to the last byte; large ones are kept and given back. */
#include "unit/unit.h"

#include <stdint.h>

#include "tensor/block.h"

static void blocks_of_all_sizes(void **state) {
    (void)state;
    enum { N = 96 };
    unsigned char *blocks[N];
    size_t sizes[N];
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < N; i++) {
            sizes[i] =
                i < 32 ? (size_t)i : ((size_t)1 << (i / 4 - 4)) + (size_t)(i % 4) - 2; /* to 2^19, around powers */
            blocks[i] = sl_block_alloc(sizes[i]);
            assert_non_null(blocks[i]);
            assert_int_equal((uintptr_t)blocks[i] % 64, 0);
            memset(blocks[i], i, sizes[i]);
        }
        for (int i = 0; i < N; i++) {
            for (size_t at = 0; at < sizes[i]; at++)
                if (blocks[i][at] != i) fail_msg("byte %zu of block %d was overwritten", at, i);
            sl_block_free(blocks[i], sizes[i]);
        }
    }
    sl_block_free(NULL, 8);
}

static void large_blocks_are_kept(void **state) {
    (void)state;
    sl_block_trim(0);
    assert_int_equal(sl_block_idle(), 0);
    void *small = sl_block_alloc(1000), *large = sl_block_alloc(100000);
    sl_block_free(small, 1000);
    assert_int_equal(sl_block_idle(), 0);
    sl_block_free(large, 100000);
    assert_true(sl_block_idle() >= 100000);
    assert_ptr_equal(sl_block_alloc(99000), large);
    sl_block_free(large, 99000);
    sl_block_trim(0);
    assert_int_equal(sl_block_idle(), 0);
}

static void as_much_is_kept_as_is_said(void **state) {
    (void)state;
    enum { N = 8 };
    const size_t large = 1 << 20, small = 70000; /* of the heap, and of a class of 80 KiB */
    void *blocks[2 * N];
    for (int i = 0; i < 2 * N; i++) assert_non_null(blocks[i] = sl_block_alloc(i % 2 ? large : small));
    for (int i = 0; i < 2 * N; i++) sl_block_free(blocks[i], i % 2 ? large : small);
    assert_true(sl_block_idle() >= N * (large + small));
    sl_block_trim(N * (large + small) * 2);
    assert_true(sl_block_idle() >= N * (large + small));
    sl_block_trim(N * 81920);
    assert_true(sl_block_idle() <= N * 81920);
    assert_true(sl_block_idle() >= N * small);
    sl_block_trim(small);
    assert_true(sl_block_idle() <= small);
    sl_block_trim(0);
    assert_int_equal(sl_block_idle(), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_of_all_sizes),
        cmocka_unit_test(large_blocks_are_kept),
        cmocka_unit_test(as_much_is_kept_as_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
