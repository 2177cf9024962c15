/* FNV-1a (Fowler, Noll, Vo) by 8-byte words where it can, with the finaliser of MurmurHash3's 64-bit variant. */
#include "base/hash.h"

#include <string.h>

static uint64_t finish(uint64_t h) {
    h ^= h >> 33;
    h *= 0xff51afd7ed558ccdull;
    h ^= h >> 33;
    h *= 0xc4ceb9fe1a85ec53ull;
    return h ^ h >> 33;
}

uint64_t sl_hash_mix(uint64_t hash, uint64_t word) { return finish(hash * 0x9e3779b97f4a7c15ull ^ word); }

/* The same hash everywhere: words are read as little-endian. */
static uint64_t word_at(const unsigned char *p) {
    uint64_t w;
    memcpy(&w, p, sizeof w);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    w = __builtin_bswap64(w);
#endif
    return w;
}

uint64_t sl_hash_bytes(const void *data, size_t n) {
    const unsigned char *p = data;
    uint64_t h = 0xcbf29ce484222325ull ^ n;
    for (; n >= 8; n -= 8, p += 8) {
        uint64_t w = word_at(p);
        h = (h ^ w) * 0x100000001b3ull;
        h ^= h >> 29;
    }
    for (; n; n--) h = (h ^ *p++) * 0x100000001b3ull;
    return finish(h);
}

uint64_t sl_hash64(const void *data, size_t n, uint64_t seed) {
    static const uint64_t m = 0xc6a4a7935bd1e995ull;
    const unsigned char *p = data;
    uint64_t h = seed ^ n * m;
    for (; n >= 8; n -= 8, p += 8) {
        uint64_t k = word_at(p) * m;
        h = (h ^ (k ^ k >> 47) * m) * m;
    }
    if (n) {
        uint64_t rest = 0;
        while (n--) rest = rest << 8 | p[n];
        h = (h ^ rest) * m;
    }
    h = (h ^ h >> 47) * m;
    return h ^ h >> 47;
}

uint64_t sl_hash64_combine(uint64_t a, uint64_t b) { return a ^ (b + 0x9e3779b97f4a7800ull + (a << 10) + (a >> 4)); }
