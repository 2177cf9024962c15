/* CRC-32C, varints, snappy blocks. */
#include "unit/unit.h"

#include "base/alloc.h"
#include "ckpt/coding.h"
#include "ckpt/crc32c.h"
#include "ckpt/snappy.h"

static void known_sums(void **state) {
    (void)state;
    unsigned char bytes[32] = {0};
    assert_int_equal(sl_crc32c(0, "", 0), 0);
    assert_int_equal(sl_crc32c(0, "123456789", 9), 0xe3069283);
    assert_int_equal(sl_crc32c(0, bytes, 32), 0x8a9136aa); /* RFC 3720, B.4 */
    for (int i = 0; i < 32; i++) bytes[i] = 255;
    assert_int_equal(sl_crc32c(0, bytes, 32), 0x62a8ab43);
    for (int i = 0; i < 32; i++) bytes[i] = (unsigned char)i;
    assert_int_equal(sl_crc32c(0, bytes, 32), 0x46dd794e);
    for (uint32_t crc = 1; crc < 100000000; crc = crc * 7 + 3)
        assert_int_equal(sl_crc32c_unmask(sl_crc32c_mask(crc)), crc);
}

/* Bit by bit, the definition. */
static uint32_t slow(uint32_t crc, const unsigned char *p, size_t n) {
    crc = ~crc;
    for (size_t i = 0; i < n; i++) {
        crc ^= p[i];
        for (int b = 0; b < 8; b++) crc = crc >> 1 ^ (0x82f63b78u & -(crc & 1));
    }
    return ~crc;
}

static void every_way_agrees(void **state) {
    (void)state;
    enum { N = 3 * 8192 * 2 + 1234 };
    static unsigned char bytes[N], copy[N];
    for (int i = 0; i < N; i++) bytes[i] = (unsigned char)(i * 2654435761u >> 24);
    size_t sizes[] = {0, 1, 7, 8, 9, 1000, 3 * 8192 - 1, 3 * 8192, 3 * 8192 + 9, N - 3};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        uint32_t whole = slow(0, bytes + 3, sizes[i]);
        size_t half = sizes[i] / 3;
        assert_int_equal(sl_crc32c(0, bytes + 3, sizes[i]), whole);
        uint32_t a = sl_crc32c(0, bytes + 3, half), b = sl_crc32c(0, bytes + 3 + half, sizes[i] - half);
        assert_int_equal(sl_crc32c(a, bytes + 3 + half, sizes[i] - half), whole);
        assert_int_equal(sl_crc32c_combine(a, b, sizes[i] - half), whole);
        assert_int_equal(sl_crc32c_parallel(0, copy, bytes + 3, sizes[i], sl_pool_shared()), whole);
        assert_memory_equal(copy, bytes + 3, sizes[i]);
    }
}

static void large_sums_in_parts(void **state) {
    (void)state;
    size_t n = ((size_t)65 << 20) + 5;
    char *bytes = sl_calloc(n, 1);
    for (size_t i = 0; i < n; i += 977) bytes[i] = (char)i;
    uint32_t whole = sl_crc32c(77, bytes, n);
    assert_int_equal(sl_crc32c_parallel(77, NULL, bytes, n, sl_pool_shared()), whole);
    assert_int_equal(sl_crc32c_parallel(77, NULL, bytes, n, NULL), whole);
    sl_free(bytes);
}

static void varints(void **state) {
    (void)state;
    const uint64_t numbers[] = {0, 1, 127, 128, 300, UINT32_MAX, (uint64_t)UINT32_MAX + 1, UINT64_MAX};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        char bytes[SL_VARINT_MAX];
        uint64_t back = 0;
        size_t n = sl_put_varint(bytes, numbers[i]);
        const char *at = bytes;
        assert_true(sl_get_varint(&back, &at, bytes + n));
        assert_true(back == numbers[i] && at == bytes + n);
        for (size_t cut = 0; cut < n; cut++) {
            at = bytes;
            assert_false(sl_get_varint(&back, &at, bytes + cut));
        }
    }
    const char *long_one = "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02";
    uint64_t v;
    assert_false(sl_get_varint(&v, &long_one, long_one + 10));
}

/* What repeats gets shorter, and all of it comes back. */
static void snappy_goes_both_ways(void **state) {
    (void)state;
    enum { LONGEST = 200000 };
    static char in[LONGEST];
    const size_t sizes[] = {0, 1, 3, 4, 59, 60, 61, 256, 257, 1000, 65535, 65536, 65537, LONGEST};
    struct sl_error err;
    for (int kind = 0; kind < 3; kind++) {
        uint32_t noise = 1;
        for (size_t i = 0; i < LONGEST; i++) {
            noise = noise * 1664525 + 1013904223;
            in[i] = (char)(kind == 0 ? noise >> 24 : kind == 1 ? i % 7 : i / 1000 + (noise >> 31));
        }
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            char *packed, *back;
            size_t n, m;
            assert_ok(err, sl_snappy_encode(&packed, &n, (struct sl_str){in, sizes[k]}, &err));
            if (kind && sizes[k] >= 1000) assert_true(n < sizes[k] * 3 / 4);
            assert_ok(err, sl_snappy_decode(&back, &m, (struct sl_str){packed, n}, LONGEST, &err));
            assert_int_equal(m, sizes[k]);
            assert_memory_equal(back, in, m);
            sl_free(packed);
            sl_free(back);
        }
    }
}

struct snappy_row {
    struct sl_str in, out;
};

/* The short form of a copy, from more than a byte's worth back. */
static void snappy_copies_reach_far(void **state) {
    (void)state;
    struct sl_error err;
    char in[3 + 3 + 260 + 2], *out;
    size_t n;
    memcpy(in, "\x88\x02\xf4\x03\x01", 5); /* 264 bytes; a literal of 0x103 + 1 */
    for (int i = 0; i < 260; i++) in[5 + i] = (char)(i / 2);
    memcpy(in + 265, "\x21\x04", 2); /* four from 260 back */
    assert_ok(err, sl_snappy_decode(&out, &n, (struct sl_str){in, 267}, 1000, &err));
    assert_int_equal(n, 264);
    assert_memory_equal(out, in + 5, 260);
    assert_memory_equal(out + 260, in + 5, 4);
    sl_free(out);
}

static void snappy_blocks(void **state) {
    (void)state;
    struct sl_error err;
    char *nothing;
    size_t none;
    assert_fails(err, SL_DATA_LOSS, "corrupted", sl_snappy_decode(&nothing, &none, (struct sl_str){NULL, 0}, 10, &err));
    const struct snappy_row rows[] = {
        {SL_STR("\x00"), SL_STR("")},
        {SL_STR("\x03\x08"
                "abc"),
         SL_STR("abc")},
        {SL_STR("\x0a\x08"
                "abc\x0d\x03"),
         SL_STR("abcabcabca")}, /* a copy that overlaps itself: 7 bytes from 3 back */
        {SL_STR("\x08\x0c"
                "abcd\x0e\x04\x00"),
         SL_STR("abcdabcd")}, /* two bytes of offset */
        {SL_STR("\x08\x0c"
                "abcd\x0f\x04\x00\x00\x00"),
         SL_STR("abcdabcd")}, /* four */
        {SL_STR("\x02\xf0\x01"
                "ab"),
         SL_STR("ab")}, /* a length of its own */
    };
    const struct sl_str bad[] = {
        SL_STR(""),
        SL_STR("\x80"),
        SL_STR("\x03\x08"
               "ab"),
        SL_STR("\x01\x08"
               "abc"),
        SL_STR("\x04\x00"
               "a"),
        SL_STR("\x05\x00"
               "a\x01\x02"), /* from before the beginning */
        SL_STR("\x05\x00"
               "a\x01\x00"), /* from nowhere */
        SL_STR("\xff\xff\xff\xff\x0f\x00"),
        SL_STR("\x02\xfc\xff"),
    };
    char *out;
    size_t n;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_ok(err, sl_snappy_decode(&out, &n, rows[i].in, 100, &err));
        assert_int_equal(n, rows[i].out.n);
        assert_memory_equal(out, rows[i].out.p, n);
        sl_free(out);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_fails(err, SL_DATA_LOSS, "corrupted compressed block",
                     sl_snappy_decode(&out, &n, bad[i], 1 << 30, &err));
    assert_fails(err, SL_DATA_LOSS, "corrupted", sl_snappy_decode(&out, &n, rows[1].in, 2, &err));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_sums),
        cmocka_unit_test(every_way_agrees),
        cmocka_unit_test(large_sums_in_parts),
        cmocka_unit_test(varints),
        cmocka_unit_test(snappy_copies_reach_far),
        cmocka_unit_test(snappy_blocks),
        cmocka_unit_test(varints),
        cmocka_unit_test(snappy_copies_reach_far),
        cmocka_unit_test(snappy_goes_both_ways),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
