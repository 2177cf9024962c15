/* base/str_map against a plain array, and the corners of removal: runs that wrap, keys that share a home. */
#include <stdio.h>

#include "base/hash.h"
#include "base/str_map.h"
#include "unit/unit.h"

enum { KEYS = 400 };
static char names[KEYS][16];
static int numbers[KEYS];

static struct sl_str key(int i) { return sl_str_of(names[i]); }

static int make_names(void **state) {
    (void)state;
    for (int i = 0; i < KEYS; i++) snprintf(names[i], sizeof names[i], "k%d", i);
    return 0;
}

static void an_empty_map_answers(void **state) {
    (void)state;
    struct sl_str_map map = {0};
    assert_null(sl_str_map_get(&map, SL_STR("x")));
    assert_null(sl_str_map_remove(&map, SL_STR("x")));
    assert_null(sl_str_map_first(&map));
    sl_str_map_free(&map);
}

static void putting_twice_replaces(void **state) {
    (void)state;
    struct sl_str_map map = {0};
    assert_int_equal(sl_str_map_put(&map, key(0), &numbers[0]), 0);
    assert_int_equal(sl_str_map_put(&map, SL_STR("k0"), &numbers[1]), 0);
    assert_int_equal(map.n, 1);
    assert_ptr_equal(sl_str_map_get(&map, key(0)), &numbers[1]);
    assert_ptr_equal(sl_str_map_first(&map)->key.p, names[0]);
    sl_str_map_free(&map);
    assert_null(sl_str_map_get(&map, key(0)));
}

/* Room that was made is enough, and what was there stays. */
static void room_may_be_made_at_once(void **state) {
    (void)state;
    struct sl_str_map map = {0};
    assert_int_equal(sl_str_map_put(&map, key(0), &numbers[0]), 0);
    assert_int_equal(sl_str_map_reserve(&map, KEYS), 0);
    size_t cap = map.cap;
    for (int i = 1; i < KEYS; i++) assert_int_equal(sl_str_map_put(&map, key(i), &numbers[i]), 0);
    assert_int_equal(map.cap, cap);
    assert_ptr_equal(sl_str_map_get(&map, key(0)), &numbers[0]);
    assert_int_equal(sl_str_map_reserve(&map, SIZE_MAX), -1);
    sl_str_map_free(&map);
}

static void keys_are_bytes(void **state) {
    (void)state;
    struct sl_str_map map = {0};
    assert_int_equal(sl_str_map_put(&map, (struct sl_str){"a\0b", 3}, &numbers[0]), 0);
    assert_int_equal(sl_str_map_put(&map, (struct sl_str){"a\0c", 3}, &numbers[1]), 0);
    assert_int_equal(sl_str_map_put(&map, (struct sl_str){NULL, 0}, &numbers[2]), 0);
    assert_null(sl_str_map_get(&map, SL_STR("a")));
    assert_ptr_equal(sl_str_map_get(&map, (struct sl_str){"a\0c", 3}), &numbers[1]);
    assert_ptr_equal(sl_str_map_get(&map, SL_STR("")), &numbers[2]);
    sl_str_map_free(&map);
}

/* Random puts and removals; after each one a random key, and from time to time all of them, are compared. */
static void it_agrees_with_an_array(void **state) {
    (void)state;
    struct sl_str_map map = {0};
    int *held[KEYS] = {0};
    size_t count = 0;
    uint32_t random = 1;
    for (int step = 0; step < 60000; step++) {
        random = random * 1664525u + 1013904223u;
        int i = (int)(random >> 8) % KEYS, add = (int)(random >> 29) < (step / 5000 % 2 ? 2 : 6);
        if (add) {
            int *value = &numbers[(random >> 12) % KEYS];
            assert_int_equal(sl_str_map_put(&map, key(i), value), 0);
            count += !held[i];
            held[i] = value;
        } else {
            assert_ptr_equal(sl_str_map_remove(&map, key(i)), held[i]);
            count -= !!held[i];
            held[i] = NULL;
        }
        assert_int_equal(map.n, count);
        if (step % 500 == 0)
            for (int k = 0; k < KEYS; k++) assert_ptr_equal(sl_str_map_get(&map, key(k)), held[k]);
    }
    size_t walked = 0;
    for (struct sl_str_map_entry *e = sl_str_map_first(&map); e; e = sl_str_map_next(&map, e)) walked++;
    assert_int_equal(walked, count);
    sl_str_map_free(&map);
}

/* Fills one small table to its limit, so that runs of entries touch and wrap, and removes in every order of start. */
static void removing_never_hides_another_key(void **state) {
    (void)state;
    for (int first = 0; first < 200; first++) {
        struct sl_str_map map = {0};
        for (int i = first; i < first + 10; i++) assert_int_equal(sl_str_map_put(&map, key(i), &numbers[i]), 0);
        assert_int_equal(map.cap, 16);
        for (int gone = first; gone < first + 10; gone++) {
            assert_ptr_equal(sl_str_map_remove(&map, key(gone)), &numbers[gone]);
            assert_null(sl_str_map_get(&map, key(gone)));
            for (int i = gone + 1; i < first + 10; i++) assert_ptr_equal(sl_str_map_get(&map, key(i)), &numbers[i]);
        }
        assert_null(sl_str_map_first(&map));
        sl_str_map_free(&map);
    }
}

/* What sl_hash_bytes makes of the first half of 16 bytes. */
static uint64_t hash_of_half(uint64_t half) {
    uint64_t h = (0xcbf29ce484222325ull ^ 16 ^ half) * 0x100000001b3ull;
    return h ^ h >> 29;
}

/* Names may be chosen so that their hashes are one. */
static void equal_hashes_are_not_equal_keys(void **state) {
    (void)state;
    struct sl_str_map map = {0};
    uint64_t halves[3][2] = {{1, 5}, {2, 0}, {3, 0}};
    struct sl_str keys[3];
    for (int i = 0; i < 3; i++) {
        halves[i][1] = 5 ^ hash_of_half(1) ^ hash_of_half(halves[i][0]);
        keys[i] = (struct sl_str){(const char *)halves[i], 16};
        assert_true(sl_hash_bytes(halves[i], 16) == sl_hash_bytes(halves[0], 16));
    }
    for (int i = 0; i < 2; i++) assert_int_equal(sl_str_map_put(&map, keys[i], &numbers[i]), 0);
    assert_int_equal(map.n, 2);
    for (int i = 0; i < 2; i++) assert_ptr_equal(sl_str_map_get(&map, keys[i]), &numbers[i]);
    assert_null(sl_str_map_get(&map, keys[2]));
    assert_ptr_equal(sl_str_map_remove(&map, keys[0]), &numbers[0]);
    assert_ptr_equal(sl_str_map_get(&map, keys[1]), &numbers[1]);
    assert_null(sl_str_map_get(&map, keys[0]));
    sl_str_map_free(&map);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_map_answers),
        cmocka_unit_test(putting_twice_replaces),
        cmocka_unit_test(room_may_be_made_at_once),
        cmocka_unit_test(keys_are_bytes),
        cmocka_unit_test(it_agrees_with_an_array),
        cmocka_unit_test(removing_never_hides_another_key),
        cmocka_unit_test(equal_hashes_are_not_equal_keys),
    };
    return cmocka_run_group_tests(tests, make_names, NULL);
}
