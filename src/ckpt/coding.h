/* Numbers as files hold them: little-endian words and varints (base 128, low bits first, at most 10 bytes). Reading
 * never passes `end`. Pure functions; thread-safe. */
#ifndef SL_CKPT_CODING_H
#define SL_CKPT_CODING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline uint32_t sl_get_u32(const void *p) {
    const unsigned char *b = p;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}
static inline uint64_t sl_get_u64(const void *p) {
    return sl_get_u32(p) | (uint64_t)sl_get_u32((const char *)p + 4) << 32;
}
static inline void sl_put_u32(void *p, uint32_t v) {
    for (int i = 0; i < 4; i++) ((unsigned char *)p)[i] = (unsigned char)(v >> 8 * i);
}
static inline void sl_put_u64(void *p, uint64_t v) {
    for (int i = 0; i < 8; i++) ((unsigned char *)p)[i] = (unsigned char)(v >> 8 * i);
}

enum { SL_VARINT_MAX = 10 };

/* Reads at `*at` and moves it on; false when the bytes end first or the number passes 64 bits. */
static inline bool sl_get_varint(uint64_t *out, const char **at, const char *end) {
    uint64_t v = 0;
    for (int shift = 0; shift < 64 && *at < end; shift += 7) {
        unsigned char b = (unsigned char)*(*at)++;
        if (shift == 63 && b > 1) return false;
        v |= (uint64_t)(b & 127) << shift;
        if (b < 128) {
            *out = v;
            return true;
        }
    }
    return false;
}
/* A varint that must fit into 32 bits. */
static inline bool sl_get_varint32(uint32_t *out, const char **at, const char *end) {
    uint64_t v;
    if (!sl_get_varint(&v, at, end) || v > UINT32_MAX) return false;
    *out = (uint32_t)v;
    return true;
}
/* Writes into room for SL_VARINT_MAX bytes; returns how many it took. */
static inline size_t sl_put_varint(char *to, uint64_t v) {
    size_t n = 0;
    for (; v >= 128; v >>= 7) to[n++] = (char)(v | 128);
    to[n++] = (char)v;
    return n;
}

#endif
