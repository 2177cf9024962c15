/* The hashes, after their descriptions: FarmHash by the lengths of its inputs, MurmurHash64A, SipHash-2-4. Bytes are
 * read with the least significant first. Called by the kernels of strings. */
#include "formats/string_hash.h"

static inline uint64_t read_bytes(const char *p, size_t n) {
    uint64_t x = 0;
    for (size_t i = n; i-- > 0;) x = x << 8 | (unsigned char)p[i];
    return x;
}
static inline uint64_t read64(const char *p) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    uint64_t x;
    memcpy(&x, p, sizeof x);
    return x;
#else
    return read_bytes(p, 8);
#endif
}
static inline uint64_t rotate(uint64_t x, int right) { return right ? x >> right | x << (64 - right) : x; }

/* ---- FarmHash */

static const uint64_t k0 = UINT64_C(0xc3a5c85c97cb3127), k1 = UINT64_C(0xb492b66fbe98f273),
                      k2 = UINT64_C(0x9ae16a3b2f90404f);

static uint64_t mix(uint64_t x) { return x ^ x >> 47; }
static uint64_t join(uint64_t u, uint64_t v, uint64_t by) {
    uint64_t a = mix((u ^ v) * by);
    return mix((v ^ a) * by) * by;
}

static uint64_t up_to_16(const char *p, size_t n) {
    const uint64_t by = k2 + n * 2;
    if (n >= 8) {
        uint64_t a = read64(p) + k2, b = read64(p + n - 8);
        return join(rotate(b, 37) * by + a, (rotate(a, 25) + b) * by, by);
    }
    if (n >= 4) return join(n + (read_bytes(p, 4) << 3), read_bytes(p + n - 4, 4), by);
    if (n == 0) return k2;
    uint64_t a = (unsigned char)p[0], b = (unsigned char)p[n >> 1], c = (unsigned char)p[n - 1];
    return mix((a + (b << 8)) * k2 ^ (n + (c << 2)) * k0) * k2;
}
static uint64_t up_to_32(const char *p, size_t n) {
    const uint64_t by = k2 + n * 2, a = read64(p) * k1, b = read64(p + 8), c = read64(p + n - 8) * by;
    const uint64_t d = read64(p + n - 16) * k2;
    return join(rotate(a + b, 43) + rotate(c, 30) + d, a + rotate(b + k2, 18) + c, by);
}
static uint64_t up_to_64(const char *p, size_t n) {
    const uint64_t by = k2 + n * 2, a = read64(p) * k2, b = read64(p + 8), c = read64(p + n - 8) * by;
    const uint64_t d = read64(p + n - 16) * k2, y = rotate(a + b, 43) + rotate(c, 30) + d;
    const uint64_t z = join(y, a + rotate(b + k2, 18) + c, by), e = read64(p + 16) * by, f = read64(p + 24);
    const uint64_t g = (y + read64(p + n - 32)) * by, h = (z + read64(p + n - 24)) * by;
    return join(rotate(e + f, 43) + rotate(g, 30) + h, e + rotate(f + a, 18) + g, by);
}

struct pair {
    uint64_t first, second;
};
static struct pair weak(const char *p, uint64_t a, uint64_t b) {
    uint64_t w = read64(p), x = read64(p + 8), y = read64(p + 16), z = read64(p + 24);
    a += w;
    b = rotate(b + a + z, 21);
    uint64_t c = a;
    a += x + y;
    b += rotate(a, 44);
    return (struct pair){a + z, b + c};
}

struct long_state {
    uint64_t x, y, z;
    struct pair v, w;
};
/* One block of 64 bytes. The last one of Fingerprint64 has another multiplier, and some parts ninefold. */
static void add_block(struct long_state *s, const char *p, uint64_t by, uint64_t times) {
    s->x = rotate(s->x + s->y + s->v.first + read64(p + 8), 37) * by;
    s->y = rotate(s->y + s->v.second + read64(p + 48), 42) * by;
    s->x ^= s->w.second * times;
    s->y += s->v.first * times + read64(p + 40);
    s->z = rotate(s->z + s->w.first, 33) * by;
    s->v = weak(p, s->v.second * by, s->x + s->w.first);
    s->w = weak(p + 32, s->z + s->w.second, s->y + read64(p + 16));
    uint64_t z = s->z;
    s->z = s->x;
    s->x = z;
}

uint64_t sl_fingerprint64(struct sl_str str) {
    const char *p = str.p;
    const size_t n = str.n;
    if (n <= 16) return up_to_16(p, n);
    if (n <= 32) return up_to_32(p, n);
    if (n <= 64) return up_to_64(p, n);
    struct long_state s = {.x = 81, .y = 81 * k1 + 113};
    s.z = mix(s.y * k2 + 113) * k2;
    s.x = s.x * k2 + read64(p);
    const char *end = p + (n - 1) / 64 * 64, *last = end + ((n - 1) & 63) - 63;
    for (; p != end; p += 64) add_block(&s, p, k1, 1);
    const uint64_t by = k1 + ((s.z & 0xff) << 1);
    s.w.first += (n - 1) & 63;
    s.v.first += s.w.first;
    s.w.first += s.v.first;
    add_block(&s, last, by, 9);
    return join(join(s.v.first, s.w.first, by) + mix(s.y) * k0 + s.z, join(s.v.second, s.w.second, by) + s.x, by);
}

/* Fingerprint128 is CityHash128: its seeds come from the first 16 bytes. */
static const uint64_t city = UINT64_C(0x9ddfea08eb382d69);

static struct pair city_short(const char *p, size_t n, struct pair seed) {
    uint64_t a = seed.first, b = seed.second, c, d;
    if (n <= 16) {
        a = mix(a * k1) * k1;
        c = b * k1 + up_to_16(p, n);
        d = mix(a + (n >= 8 ? read64(p) : c));
    } else {
        c = join(read64(p + n - 8) + k1, a, city);
        d = join(b + n, c + read64(p + n - 16), city);
        a += d;
        for (size_t left = n - 16;; p += 16, left -= 16) {
            a = (a ^ mix(read64(p) * k1) * k1) * k1;
            b ^= a;
            c = (c ^ mix(read64(p + 8) * k1) * k1) * k1;
            d ^= c;
            if (left <= 16) break;
        }
    }
    a = join(a, c, city);
    b = join(d, b, city);
    return (struct pair){a ^ b, join(b, a, city)};
}

static struct pair city_long(const char *p, size_t n, struct pair seed) {
    struct long_state s = {.x = seed.first, .y = seed.second, .z = n * k1};
    s.v.first = rotate(s.y ^ k1, 49) * k1 + read64(p);
    s.v.second = rotate(s.v.first, 42) * k1 + read64(p + 8);
    s.w.first = rotate(s.y + s.z, 35) * k1 + s.x;
    s.w.second = rotate(s.x + read64(p + 88), 53) * k1;
    for (; n >= 128; p += 128, n -= 128) {
        add_block(&s, p, k1, 1);
        add_block(&s, p + 64, k1, 1);
    }
    s.x += rotate(s.v.first + s.z, 49) * k0;
    s.y = s.y * k0 + rotate(s.w.second, 37);
    s.z = s.z * k0 + rotate(s.w.first, 27);
    s.w.first *= 9;
    s.v.first *= k0;
    for (size_t done = 0;
         done < n;) { /* up to four pieces of 32 bytes from the end, maybe reaching into what is done */
        done += 32;
        s.y = rotate(s.x + s.y, 42) * k0 + s.v.second;
        s.w.first += read64(p + n - done + 16);
        s.x = s.x * k0 + s.w.first;
        s.z += s.w.second + read64(p + n - done);
        s.w.second += s.v.first;
        s.v = weak(p + n - done, s.v.first + s.z, s.v.second);
        s.v.first *= k0;
    }
    uint64_t x = join(s.x, s.v.first, city), y = join(s.y + s.z, s.w.first, city);
    return (struct pair){join(x + s.v.second, s.w.second, city) + y, join(x + s.w.second, y + s.v.second, city)};
}

void sl_fingerprint128(uint64_t low_high[2], struct sl_str s) {
    struct pair seed = {k0, k1}, result;
    if (s.n >= 16) {
        seed = (struct pair){read64(s.p), read64(s.p + 8) + k0};
        s = (struct sl_str){s.p + 16, s.n - 16};
    }
    result = s.n < 128 ? city_short(s.p, s.n, seed) : city_long(s.p, s.n, seed);
    low_high[0] = result.first;
    low_high[1] = result.second;
}

/* ---- MurmurHash64A */

uint64_t sl_murmur64(struct sl_str s) {
    const uint64_t by = UINT64_C(0xc6a4a7935bd1e995);
    uint64_t h = UINT64_C(0xDECAFCAFFE) ^ s.n * by;
    const char *p = s.p;
    size_t n = s.n;
    for (; n >= 8; p += 8, n -= 8) {
        uint64_t k = mix(read64(p) * by) * by;
        h = (h ^ k) * by;
    }
    if (n) h = (h ^ read_bytes(p, n)) * by;
    return mix(mix(h) * by);
}

/* ---- SipHash-2-4 */

static void sip_rounds(uint64_t v[4], int rounds) {
    while (rounds-- > 0) {
        v[0] += v[1];
        v[1] = rotate(v[1], 64 - 13) ^ v[0];
        v[0] = rotate(v[0], 32);
        v[2] += v[3];
        v[3] = rotate(v[3], 64 - 16) ^ v[2];
        v[0] += v[3];
        v[3] = rotate(v[3], 64 - 21) ^ v[0];
        v[2] += v[1];
        v[1] = rotate(v[1], 64 - 17) ^ v[2];
        v[2] = rotate(v[2], 32);
    }
}

uint64_t sl_siphash(const uint64_t key[2], struct sl_str s) {
    uint64_t v[4] = {key[0] ^ UINT64_C(0x736f6d6570736575), key[1] ^ UINT64_C(0x646f72616e646f6d),
                     key[0] ^ UINT64_C(0x6c7967656e657261), key[1] ^ UINT64_C(0x7465646279746573)};
    size_t whole = s.n & ~(size_t)7;
    for (size_t i = 0; i <= whole; i += 8) {
        uint64_t m = i < whole ? read64(s.p + i) : read_bytes(s.p + i, s.n - whole) | (uint64_t)s.n << 56;
        v[3] ^= m;
        sip_rounds(v, 2);
        v[0] ^= m;
    }
    v[2] ^= 0xff;
    sip_rounds(v, 4);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}
