/* Snappy, encoding: greedy. A table remembers where the last four bytes of each hash stood; where they stand again, a
 * copy goes out. Blocks of 64 KiB, so that an offset fits 16 bits. */
#include "ckpt/snappy.h"

#include <stdint.h>

#include "base/alloc.h"
#include "ckpt/coding.h"

enum { BLOCK = 1 << 16, HASH_BITS = 12, MATCH = 4, LITERAL_HEADER = 5, LONGEST_COPY = 64 };

static uint32_t load32(const char *p) {
    uint32_t x;
    memcpy(&x, p, sizeof x);
    return x;
}
static uint32_t hash_of(uint32_t x) { return x * UINT32_C(0x1e35a7bd) >> (32 - HASH_BITS); }

static char *put_literal(char *to, const char *from, size_t n) {
    if (n == 0) return to;
    const size_t less = n - 1;
    if (less < 60) {
        *to++ = (char)(less << 2);
    } else {
        char *tag = to++;
        int bytes = 0;
        for (size_t rest = less; rest; rest >>= 8, bytes++) *to++ = (char)rest;
        *tag = (char)((59 + bytes) << 2);
    }
    memcpy(to, from, n);
    return to + n;
}

static char *put_copy(char *to, size_t offset, size_t n) {
    for (size_t part; n > 0; n -= part) {
        part = n < LONGEST_COPY ? n : LONGEST_COPY;
        *to++ = (char)((part - 1) << 2 | 2);
        *to++ = (char)offset;
        *to++ = (char)(offset >> 8);
    }
    return to;
}

static char *put_block(char *to, const char *p, size_t n) {
    uint16_t last[1 << HASH_BITS] = {0};
    size_t literal = 0, at = 1; /* what goes out next; position 0 is what an empty entry of the table says */
    while (at + MATCH <= n) {
        const uint32_t word = load32(p + at);
        uint16_t *seen = &last[hash_of(word)];
        const size_t from = *seen;
        *seen = (uint16_t)at;
        if (load32(p + from) != word) {
            at += 1 + ((at - literal) >> 5); /* faster over what does not repeat */
            continue;
        }
        size_t length = MATCH;
        while (at + length < n && p[from + length] == p[at + length]) length++;
        to = put_literal(to, p + literal, at - literal);
        to = put_copy(to, at - from, length);
        literal = at += length;
    }
    return put_literal(to, p + literal, n - literal);
}

sl_code sl_snappy_encode(char **out, size_t *n, struct sl_str in, struct sl_error *err) {
    if (in.n > UINT32_MAX) return sl_fail(err, SL_OUT_OF_RANGE, "%zu bytes are too many for a snappy block", in.n);
    /* A copy of four bytes takes three, so it makes up for the header of the literal before it only in part. */
    const size_t room = SL_VARINT_MAX + in.n + in.n / 2 + LITERAL_HEADER * (in.n / BLOCK + 1);
    char *bytes = sl_malloc(room), *to = bytes;
    if (!bytes) return sl_fail_memory(err, room);
    to += sl_put_varint(to, in.n);
    for (size_t at = 0; at < in.n; at += BLOCK) to = put_block(to, in.p + at, in.n - at < BLOCK ? in.n - at : BLOCK);
    *out = bytes;
    *n = (size_t)(to - bytes);
    return SL_OK;
}
