/* Hashes for tables and for stable identifiers. Pure functions; the same value in every process and on every
 * machine. */
#ifndef SL_BASE_HASH_H
#define SL_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* FNV-1a over bytes, finished by a 64-bit mix: for hash tables, not for adversaries. */
uint64_t sl_hash_bytes(const void *data, size_t n);
/* Mixes one more 64-bit word into a hash. */
uint64_t sl_hash_mix(uint64_t hash, uint64_t word);

/* A quick hash for tables of short names, inline since graphs look up tens of thousands. Not the same on every
 * machine. */
static inline uint32_t sl_hash_name(const char *p, size_t n) {
    const uint64_t odd = 0x9e3779b97f4a7c15ull;
    uint64_t h = n * odd, last = 0, word;
    if (n >= 8) {
        memcpy(&last, p + n - 8, 8); /* the last 8 bytes, in part once more */
        for (; n > 8; n -= 8, p += 8) {
            memcpy(&word, p, 8);
            h = (h ^ word) * odd;
            h ^= h >> 32;
        }
    } else {
        for (; n; n--) last = last << 8 | (unsigned char)*p++;
    }
    h = (h ^ last) * odd;
    return (uint32_t)((h ^ h >> 29) * odd >> 32);
}

/* Another hash of bytes, for identifiers that TensorFlow's processes must agree on: its Hash64, which is
 * MurmurHash64A (Austin Appleby, public domain) over little-endian words. It begins at SL_HASH64_SEED unless a hash
 * goes on from another. */
#define SL_HASH64_SEED UINT64_C(0xDECAFCAFFE)
uint64_t sl_hash64(const void *data, size_t n, uint64_t seed);
/* TensorFlow's Hash64Combine; not symmetric. */
uint64_t sl_hash64_combine(uint64_t a, uint64_t b);

#endif
