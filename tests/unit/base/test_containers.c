/* base/vec, base/str, base/hash, base/checked. */
#include "base/checked.h"
#include "base/hash.h"
#include "base/str.h"
#include "base/vec.h"
#include "unit/unit.h"

static void a_vector_grows_and_keeps_order(void **state) {
    (void)state;
    SL_VEC(int) v = {0};
    for (int i = 0; i < 1000; i++) assert_int_equal(sl_vec_push(&v, i * i), 0);
    assert_int_equal(v.n, 1000);
    for (int i = 0; i < 1000; i++) assert_int_equal(v.items[i], i * i);
    sl_vec_free(&v);
    assert_null(v.items);
    assert_int_equal(v.n, 0);
    assert_int_equal(v.cap, 0);
}

static void reserving_makes_room_without_adding(void **state) {
    (void)state;
    SL_VEC(uint64_t) v = {0};
    assert_int_equal(sl_vec_reserve(&v, 100), 0);
    assert_true(v.cap >= 100);
    assert_int_equal(v.n, 0);
    uint64_t *items = v.items;
    for (uint64_t i = 0; i < 100; i++) assert_int_equal(sl_vec_push(&v, i), 0);
    assert_ptr_equal(v.items, items);
    assert_int_equal(sl_vec_reserve(&v, SIZE_MAX / 2), -1);
    assert_ptr_equal(v.items, items);
    sl_vec_free(&v);
}

static void strings_compare_bytewise(void **state) {
    (void)state;
    assert_true(sl_str_eq(SL_STR("ab"), sl_str_of("ab")));
    assert_false(sl_str_eq(SL_STR("ab"), SL_STR("abc")));
    assert_true(sl_str_eq((struct sl_str){NULL, 0}, SL_STR("")));
    assert_true(sl_str_is(SL_STR("x:0"), "x:0"));
    assert_true(sl_str_is(SL_STR(""), NULL));
    assert_true(sl_str_starts(SL_STR("while/x"), SL_STR("while/")));
    assert_false(sl_str_starts(SL_STR("wh"), SL_STR("while/")));
    assert_true(sl_str_starts(SL_STR("wh"), SL_STR("")));
    assert_true(sl_str_cmp(SL_STR("a"), SL_STR("b")) < 0);
    assert_true(sl_str_cmp(SL_STR("a"), SL_STR("ab")) < 0);
    assert_true(sl_str_cmp(SL_STR("\xff"), SL_STR("a")) > 0);
    assert_int_equal(sl_str_cmp(SL_STR("ab"), SL_STR("ab")), 0);
}

/* The values are part of fingerprints: they must not change between processes, machines or versions. */
static void hashes_are_stable_and_see_every_byte(void **state) {
    (void)state;
    assert_true(sl_hash_bytes("", 0) == sl_hash_bytes(NULL, 0));
    unsigned char data[40] = {0};
    for (size_t n = 1; n <= sizeof data; n++) {
        uint64_t zero = sl_hash_bytes(data, n);
        assert_true(zero != sl_hash_bytes(data, n - 1));
        for (size_t i = 0; i < n; i++)
            for (int bit = 0; bit < 8; bit++) {
                data[i] = (unsigned char)(1 << bit);
                assert_true(sl_hash_bytes(data, n) != zero);
                data[i] = 0;
            }
    }
    assert_true(sl_hash_mix(1, 2) != sl_hash_mix(2, 1));
    assert_true(sl_hash_mix(0, 1) != sl_hash_mix(0, 2));
}

/* Values that TensorFlow's functions have in their names. */
static void hash64_is_that_of_tensorflow(void **state) {
    (void)state;
    assert_true(sl_hash64("", 0, SL_HASH64_SEED) == 0x81769421199f9e3bull);
    assert_true(sl_hash64("abc", 3, SL_HASH64_SEED) == 0x4e865c822fec8db6ull);
    assert_true(sl_hash64("abcdefgh", 8, SL_HASH64_SEED) == 0x2f994778e453fc52ull);
    assert_true(sl_hash64("abcdefghijklm", 13, 7) == 0xf679fc54ed2628dbull);
    assert_true(sl_hash64_combine(1, 2) != sl_hash64_combine(2, 1));
}

static void a_hash_does_not_read_past_its_bytes(void **state) {
    (void)state;
    for (size_t n = 0; n < 20; n++) {
        unsigned char *exact = sl_malloc(n), other[32];
        memset(exact, 7, n);
        memset(other, 9, sizeof other);
        memset(other + 1, 7, n);
        assert_true(sl_hash_bytes(exact, n) == sl_hash_bytes(other + 1, n));
        sl_free(exact);
    }
}

static void arithmetic_says_when_it_overflows(void **state) {
    (void)state;
    int64_t i = 42;
    assert_true(sl_mul_i64(&i, 1LL << 31, 1LL << 31));
    assert_true(i == 1LL << 62);
    assert_false(sl_mul_i64(&i, 1LL << 32, 1LL << 31));
    assert_false(sl_mul_i64(&i, INT64_MIN, -1));
    assert_true(i == 1LL << 62);
    assert_true(sl_add_i64(&i, INT64_MAX, -1));
    assert_true(i == INT64_MAX - 1);
    assert_false(sl_add_i64(&i, INT64_MAX, 1));
    assert_false(sl_add_i64(&i, INT64_MIN, -1));
    size_t s = 42;
    assert_false(sl_mul_size(&s, SIZE_MAX / 2 + 1, 2));
    assert_false(sl_add_size(&s, SIZE_MAX, 1));
    assert_int_equal(s, 42);
    assert_true(sl_mul_size(&s, SIZE_MAX / 2, 2));
    assert_true(s == SIZE_MAX - 1);
    assert_true(sl_add_size(&s, s, 1));
    assert_true(s == SIZE_MAX);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_vector_grows_and_keeps_order),    cmocka_unit_test(reserving_makes_room_without_adding),
        cmocka_unit_test(strings_compare_bytewise),          cmocka_unit_test(hashes_are_stable_and_see_every_byte),
        cmocka_unit_test(hash64_is_that_of_tensorflow),      cmocka_unit_test(a_hash_does_not_read_past_its_bytes),
        cmocka_unit_test(arithmetic_says_when_it_overflows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
