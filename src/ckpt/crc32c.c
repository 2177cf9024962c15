/* CRC-32C three ways: the processor's instruction in three chains that do not wait for each other, one chain of it, and
 * eight tables for processors without. A checksum is a polynomial over GF(2), bits reflected: bytes are appended by a
 * multiplication with a power of x, which is how chains and parts are put together. */
#include "ckpt/crc32c.h"

#include <stdbool.h>
#include <string.h>

#include "os/page.h"

static const uint32_t POLYNOMIAL = UINT32_C(0x82f63b78);

/* ---- polynomials */

/* a * b modulo the polynomial; bit 31 is x^0. */
static uint32_t multiply(uint32_t a, uint32_t b) {
    uint32_t product = 0;
    for (uint32_t bit = UINT32_C(1) << 31; bit; bit >>= 1) {
        if (a & bit) product ^= b;
        b = b >> 1 ^ (POLYNOMIAL & -(b & 1));
    }
    return product;
}

/* x^(8 * bytes) */
static uint32_t power(uint64_t bytes) {
    uint32_t result = UINT32_C(1) << 31, square = UINT32_C(1) << 23; /* x^0, x^8 */
    for (; bytes; bytes >>= 1) {
        if (bytes & 1) result = multiply(result, square);
        square = multiply(square, square);
    }
    return result;
}

uint32_t sl_crc32c_combine(uint32_t a, uint32_t b, uint64_t b_bytes) { return multiply(power(b_bytes), a) ^ b; }

/* ---- eight tables: entry i of table k is the checksum of byte i with k zero bytes after it, which is linear in the
 * bits of i */

/* clang-format off */
#define BIT(i, b, value) ((i) >> (b) & 1 ? (value) : 0u)
#define ENTRY(i, b0, b1, b2, b3, b4, b5, b6, b7)                                                                       \
    BIT(i, 0, b0) ^ BIT(i, 1, b1) ^ BIT(i, 2, b2) ^ BIT(i, 3, b3) ^                                                    \
    BIT(i, 4, b4) ^ BIT(i, 5, b5) ^ BIT(i, 6, b6) ^ BIT(i, 7, b7)
#define ENTRIES_4(i, ...)  ENTRY(i, __VA_ARGS__), ENTRY(i + 1, __VA_ARGS__), ENTRY(i + 2, __VA_ARGS__), ENTRY(i + 3, __VA_ARGS__)
#define ENTRIES_16(i, ...) ENTRIES_4(i, __VA_ARGS__), ENTRIES_4(i + 4, __VA_ARGS__),                                   \
                           ENTRIES_4(i + 8, __VA_ARGS__), ENTRIES_4(i + 12, __VA_ARGS__)
#define ENTRIES_64(i, ...) ENTRIES_16(i, __VA_ARGS__), ENTRIES_16(i + 16, __VA_ARGS__),                                \
                           ENTRIES_16(i + 32, __VA_ARGS__), ENTRIES_16(i + 48, __VA_ARGS__)
#define TABLE(...) { ENTRIES_64(0, __VA_ARGS__), ENTRIES_64(64, __VA_ARGS__),                                          \
                     ENTRIES_64(128, __VA_ARGS__), ENTRIES_64(192, __VA_ARGS__) },
static const uint32_t tables[8][256] = {
    TABLE(0xf26b8303, 0xe13b70f7, 0xc79a971f, 0x8ad958cf, 0x105ec76f, 0x20bd8ede, 0x417b1dbc, 0x82f63b78)
    TABLE(0x13a29877, 0x274530ee, 0x4e8a61dc, 0x9d14c3b8, 0x3fc5f181, 0x7f8be302, 0xff17c604, 0xfbc3faf9)
    TABLE(0xa541927e, 0x4f6f520d, 0x9edea41a, 0x38513ec5, 0x70a27d8a, 0xe144fb14, 0xc76580d9, 0x8b277743)
    TABLE(0xdd45aab8, 0xbf672381, 0x7b2231f3, 0xf64463e6, 0xe964b13d, 0xd725148b, 0xaba65fe7, 0x52a0c93f)
    TABLE(0x38116fac, 0x7022df58, 0xe045beb0, 0xc5670b91, 0x8f2261d3, 0x1ba8b557, 0x37516aae, 0x6ea2d55c)
    TABLE(0xef306b19, 0xdb8ca0c3, 0xb2f53777, 0x6006181f, 0xc00c303e, 0x85f4168d, 0x0e045beb, 0x1c08b7d6)
    TABLE(0x68032cc8, 0xd0065990, 0xa5e0c5d1, 0x4e2dfd53, 0x9c5bfaa6, 0x3d5b83bd, 0x7ab7077a, 0xf56e0ef4)
    TABLE(0x493c7d27, 0x9278fa4e, 0x211d826d, 0x423b04da, 0x847609b4, 0x0d006599, 0x1a00cb32, 0x34019664)
};
/* clang-format on */

/* `crc` is inverted here and below. */
static uint32_t by_tables(uint32_t crc, const unsigned char *p, size_t n) {
    for (; n >= 8; p += 8, n -= 8) {
        uint32_t low = crc ^ ((uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24);
        crc = tables[7][low & 255] ^ tables[6][low >> 8 & 255] ^ tables[5][low >> 16 & 255] ^ tables[4][low >> 24] ^
              tables[3][p[4]] ^ tables[2][p[5]] ^ tables[1][p[6]] ^ tables[0][p[7]];
    }
    for (; n > 0; p++, n--) crc = crc >> 8 ^ tables[0][(crc ^ *p) & 255];
    return crc;
}

/* ---- the processor's instruction */

#if defined(__x86_64__)

#define TARGET __attribute__((target("sse4.2")))
static bool has_instruction(void) { return __builtin_cpu_supports("sse4.2"); }

TARGET static uint32_t step_8(uint32_t crc, const unsigned char *p) {
    uint64_t word;
    memcpy(&word, p, 8);
    return (uint32_t)__builtin_ia32_crc32di(crc, word);
}
TARGET static uint32_t step_1(uint32_t crc, unsigned char byte) { return __builtin_ia32_crc32qi(crc, byte); }

#elif defined(__aarch64__) && defined(__ARM_FEATURE_CRC32)

#include <arm_acle.h>
#define TARGET
static bool has_instruction(void) { return true; }

static uint32_t step_8(uint32_t crc, const unsigned char *p) {
    uint64_t word;
    memcpy(&word, p, 8);
    return __crc32cd(crc, word);
}
static uint32_t step_1(uint32_t crc, unsigned char byte) { return __crc32cb(crc, byte); }

#else

#define TARGET
static bool has_instruction(void) { return false; }
static uint32_t step_8(uint32_t crc, const unsigned char *p) { return by_tables(crc, p, 8); }
static uint32_t step_1(uint32_t crc, unsigned char byte) { return by_tables(crc, &byte, 1); }

#endif

/* Bytes of one of three chains, and x^(8 * CHAIN): what joining two costs is small beside that many bytes. */
enum { CHAIN = 8192 };
static const uint32_t CHAIN_POWER = UINT32_C(0x28461564);

TARGET static uint32_t by_instruction(uint32_t crc, const unsigned char *p, size_t n) {
    for (; n >= 3 * CHAIN; p += 3 * CHAIN, n -= 3 * CHAIN) {
        uint32_t second = 0, third = 0;
        for (size_t i = 0; i < CHAIN; i += 8) {
            crc = step_8(crc, p + i);
            second = step_8(second, p + CHAIN + i);
            third = step_8(third, p + 2 * CHAIN + i);
        }
        crc = multiply(CHAIN_POWER, crc) ^ second;
        crc = multiply(CHAIN_POWER, crc) ^ third;
    }
    for (; n >= 8; p += 8, n -= 8) crc = step_8(crc, p);
    for (; n > 0; p++, n--) crc = step_1(crc, *p);
    return crc;
}

uint32_t sl_crc32c(uint32_t crc, const void *data, size_t n) {
    return ~(has_instruction() ? by_instruction(~crc, data, n) : by_tables(~crc, data, n));
}

/* ---- many threads */

enum { PART = 1 << 20, PARTS_MAX = 64 };

struct parts {
    char *to;
    const char *from;
    size_t n;
    size_t each;
    uint32_t crc[PARTS_MAX];
};

static void sum_part(void *arg, int64_t part) {
    struct parts *parts = arg;
    size_t begin = (size_t)part * parts->each, n = parts->n - begin;
    if (n > parts->each) n = parts->each;
    enum { PIECE = 1 << 16 }; /* what is copied is still in the cache when it is summed */
    uint32_t crc = 0;
    if (parts->to) sl_pages_prepare(parts->to + begin, n);
    for (size_t at = 0; at < n; at += PIECE) {
        size_t piece = n - at < PIECE ? n - at : PIECE;
        const char *from = parts->from + begin + at;
        if (parts->to) from = memcpy(parts->to + begin + at, from, piece);
        crc = sl_crc32c(crc, from, piece);
    }
    parts->crc[part] = crc;
}

uint32_t sl_crc32c_parallel(uint32_t crc, void *to, const void *data, size_t n, struct sl_pool *pool) {
    size_t count = (n + PART - 1) / PART;
    if (count > PARTS_MAX) count = PARTS_MAX;
    if (count == 0) return crc;
    struct parts parts = {.to = to, .from = data, .n = n, .each = (n + count - 1) / count};
    count = (n + parts.each - 1) / parts.each;
    if (pool) sl_pool_parallel(pool, (int64_t)count, sum_part, &parts);
    else
        for (size_t i = 0; i < count; i++) sum_part(&parts, (int64_t)i);
    for (size_t i = 0; i < count; i++) {
        size_t bytes = i + 1 < count ? parts.each : n - i * parts.each;
        crc = sl_crc32c_combine(crc, parts.crc[i], bytes);
    }
    return crc;
}
