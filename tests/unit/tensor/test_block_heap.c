/* The heap of large blocks: blocks never overlap, free neighbours become one span, the smallest span that fits is
 * taken, what is idle has a limit, and all of it goes back to the system. */
#include "unit/unit.h"

#include <stdint.h>
#include <stdlib.h>

#include "os/thread.h"
#include "tensor/block.h"
#include "tensor/block_heap.h"

static const size_t MB = (size_t)1 << 20, NO_LIMIT = SIZE_MAX / 2;

static size_t next(uint64_t *random) {
    *random = *random * 6364136223846793005u + 1442695040888963407u;
    return (size_t)(*random >> 33);
}

/* Writes a block's own number where its neighbours would show: at both ends and at pages between. */
static void stamp(unsigned char *block, size_t bytes, uint64_t number) {
    for (size_t at = 0; at + 16 <= bytes; at += 65536) memcpy(block + at, &number, 8);
    memcpy(block + bytes - 8, &number, 8);
}
static void check_stamp(const unsigned char *block, size_t bytes, uint64_t number) {
    for (size_t at = 0; at + 16 <= bytes; at += 65536) assert_memory_equal(block + at, &number, 8);
    assert_memory_equal(block + bytes - 8, &number, 8);
}

/* Sizes over four powers of two; now and then one of tens of megabytes. */
static size_t some_size(uint64_t *random) {
    const size_t log2 = 17 + next(random) % 5, bytes = ((size_t)1 << log2) + next(random) % ((size_t)1 << log2);
    return next(random) % 100 ? bytes : bytes * 32;
}

static void blocks_do_not_overlap(void **state) {
    (void)state;
    enum { MOST = 48, TURNS = 6000 };
    for (size_t limit = 0; limit < 64 * MB; limit = limit * 4 + 4 * MB) {
        struct sl_block_heap h = {0};
        unsigned char *blocks[MOST] = {0};
        size_t sizes[MOST] = {0}, live = 0, most_live = 0, most_held = 0;
        uint64_t numbers[MOST] = {0}, random = 7;
        for (uint64_t turn = 1; turn <= TURNS; turn++) {
            const size_t i = next(&random) % MOST;
            if (blocks[i]) {
                check_stamp(blocks[i], sizes[i], numbers[i]);
                sl_block_heap_free(&h, blocks[i], limit);
                live -= sizes[i];
                blocks[i] = NULL;
                assert_true(h.idle <= limit);
                continue;
            }
            sizes[i] = some_size(&random);
            numbers[i] = turn;
            blocks[i] = sl_block_heap_alloc(&h, sizes[i]);
            assert_non_null(blocks[i]);
            assert_int_equal((uintptr_t)blocks[i] % 64, 0);
            stamp(blocks[i], sizes[i], turn);
            live += sizes[i];
            if (live > most_live) most_live = live;
            if (h.held > most_held) most_held = h.held;
            assert_true(h.held >= live);
        }
        assert_true(most_held < most_live * 2 + 128 * MB); /* a segment may be as large as 64 MB */
        for (int i = 0; i < MOST; i++)
            if (blocks[i]) {
                check_stamp(blocks[i], sizes[i], numbers[i]);
                sl_block_heap_free(&h, blocks[i], limit);
            }
        sl_block_heap_trim(&h, 0);
        assert_int_equal(h.idle, 0);
        assert_int_equal(h.held, 0);
    }
}

static void neighbours_become_one(void **state) {
    (void)state;
    struct sl_block_heap h = {0};
    enum { N = 6 };
    unsigned char *parts[N], *whole = sl_block_heap_alloc(&h, 7 * MB);
    const size_t held = h.held;
    sl_block_heap_free(&h, whole, NO_LIMIT);
    for (int order = 0; order < N; order++) {
        for (int i = 0; i < N; i++) {
            parts[i] = sl_block_heap_alloc(&h, MB);
            assert_true(parts[i] >= whole && parts[i] + MB <= whole + 7 * MB);
        }
        for (int i = 0; i < N; i++) sl_block_heap_free(&h, parts[(i * 5 + order) % N], NO_LIMIT);
        assert_ptr_equal(sl_block_heap_alloc(&h, 7 * MB), whole);
        sl_block_heap_free(&h, whole, NO_LIMIT);
        assert_int_equal(h.held, held);
    }
    sl_block_heap_trim(&h, 0);
    assert_int_equal(h.held, 0);
}

static void the_smallest_span_is_taken(void **state) {
    (void)state;
    struct sl_block_heap h = {0};
    void *large = sl_block_heap_alloc(&h, 2 * MB), *wall = sl_block_heap_alloc(&h, MB / 4),
         *small = sl_block_heap_alloc(&h, MB + MB / 16), *end = sl_block_heap_alloc(&h, MB / 4);
    sl_block_heap_free(&h, small, NO_LIMIT);
    sl_block_heap_free(&h, large, NO_LIMIT);
    assert_ptr_equal(sl_block_heap_alloc(&h, MB + MB / 32), small); /* both lie in the same class or above */
    assert_ptr_equal(sl_block_heap_alloc(&h, MB), large);
    sl_block_heap_free(&h, small, NO_LIMIT);
    sl_block_heap_free(&h, large, NO_LIMIT);
    sl_block_heap_free(&h, wall, NO_LIMIT);
    sl_block_heap_free(&h, end, NO_LIMIT);
    sl_block_heap_trim(&h, 0);
    assert_int_equal(h.held, 0);
}

static void what_is_idle_has_a_limit(void **state) {
    (void)state;
    struct sl_block_heap h = {0};
    enum { N = 32 };
    void *blocks[N];
    for (int i = 0; i < N; i++) memset(blocks[i] = sl_block_heap_alloc(&h, MB), i, MB);
    for (int i = 0; i < N; i += 2) { /* no neighbours yet */
        sl_block_heap_free(&h, blocks[i], 4 * MB);
        assert_true(h.idle <= 4 * MB);
    }
    assert_true(h.idle >= 3 * MB);
    for (int i = 1; i < N; i += 2) {
        const unsigned char *first = blocks[i];
        assert_true(first[0] == i && first[MB - 1] == i);
        sl_block_heap_free(&h, blocks[i], 4 * MB);
        assert_true(h.idle <= 4 * MB);
    }
    sl_block_heap_trim(&h, 0);
    assert_int_equal(h.held, 0);
    void *huge = sl_block_heap_alloc(&h, 300 * MB); /* a segment of its own, which is not kept */
    sl_block_heap_free(&h, huge, 256 * MB);
    assert_int_equal(h.held, 0);
}

/* The first of all tests: the environment is read at the process's first allocation. */
static void a_smaller_segment_will_do(void **state) {
    (void)state;
    struct sl_block_heap h = {0};
    setenv("SLUICE_ALLOC_FAIL", "1", 1);
    void *block = sl_block_heap_alloc(&h, 3 * MB);
    assert_non_null(block);
    assert_int_equal(h.held, 4 * MB); /* 8 could not be had */
    sl_block_heap_free(&h, block, 0);
    assert_int_equal(h.held, 0);
}

static void take_and_give(void *arg) {
    uint64_t random = *(const uint64_t *)arg;
    enum { MOST = 8, TURNS = 2000 };
    unsigned char *blocks[MOST] = {0};
    size_t sizes[MOST] = {0};
    for (int turn = 0; turn < TURNS; turn++) {
        const size_t i = next(&random) % MOST;
        if (blocks[i]) {
            check_stamp(blocks[i], sizes[i], *(const uint64_t *)arg);
            sl_block_free(blocks[i], sizes[i]);
            blocks[i] = NULL;
        } else {
            sizes[i] = 1024 + next(&random) % (MB / 2);
            blocks[i] = sl_block_alloc(sizes[i]);
            assert_non_null(blocks[i]);
            stamp(blocks[i], sizes[i], *(const uint64_t *)arg);
        }
    }
    for (int i = 0; i < MOST; i++)
        if (blocks[i]) sl_block_free(blocks[i], sizes[i]);
}

static void threads_share_it(void **state) {
    (void)state;
    enum { N = 4 };
    struct sl_thread threads[N];
    uint64_t numbers[N];
    for (int i = 0; i < N; i++) {
        numbers[i] = (uint64_t)i + 100;
        assert_int_equal(sl_thread_start(&threads[i], "blocks", 0, take_and_give, &numbers[i], NULL), SL_OK);
    }
    for (int i = 0; i < N; i++) sl_thread_join(&threads[i]);
    sl_block_trim(0);
    assert_int_equal(sl_block_idle(), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_smaller_segment_will_do), cmocka_unit_test(blocks_do_not_overlap),
        cmocka_unit_test(neighbours_become_one),     cmocka_unit_test(the_smallest_span_is_taken),
        cmocka_unit_test(what_is_idle_has_a_limit),

        cmocka_unit_test(threads_share_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
