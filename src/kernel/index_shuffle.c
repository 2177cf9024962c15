/* The cipher: round keys from the seed, then rounds in pairs. */
#include "kernel/index_shuffle.h"

static uint32_t rotate_left(uint32_t x, int by, int width, uint32_t mask) {
    return ((x << by) | (x & mask) >> (width - by)) & mask;
}

/* Round keys from the seed's three words. */
static void make_keys(uint32_t *keys, const uint32_t seed[3], int rounds, uint32_t mask, int width) {
    uint32_t z = UINT32_C(0x192c0ef5) & mask;
    for (int i = 0; i < 3; i++) keys[i] = seed[i] & mask;
    for (int i = 3; i < rounds; i++, z >>= 1) {
        uint32_t a = rotate_left(keys[i - 1], width - 3, width, mask),
                 b = rotate_left(keys[i - 1], width - 4, width, mask);
        keys[i] = (UINT32_C(0xfffffffc) ^ (z & 1) ^ keys[i - 3] ^ a ^ b) & mask;
    }
}

static uint64_t encipher(uint64_t x, const uint32_t *keys, int rounds, uint32_t mask, int width) {
    uint32_t left = (uint32_t)(x >> width) & mask, right = (uint32_t)x & mask;
    for (int i = 0; i < rounds; i += 2) { /* `keys` has one more when `rounds` is odd */
        left ^= (rotate_left(right, 1, width, mask) & rotate_left(right, 8 % width, width, mask)) ^
                rotate_left(right, 2, width, mask) ^ keys[i];
        right ^= (rotate_left(left, 1, width, mask) & rotate_left(left, 8 % width, width, mask)) ^
                 rotate_left(left, 2, width, mask) ^ keys[i + 1];
    }
    return (uint64_t)left << width | right;
}

/* Bits of the smallest block that holds `most`. */
static int block_bits(uint64_t most) {
    static const int sizes[] = {16, 24, 32, 48};
    for (int i = 0; i < 4; i++)
        if (most < UINT64_C(1) << sizes[i]) return sizes[i];
    return 64;
}

uint64_t sl_index_shuffle(uint64_t index, const uint32_t seed[3], uint64_t most, int rounds) {
    uint32_t keys[SL_INDEX_SHUFFLE_ROUNDS + 1];
    const int n = rounds < 3 ? 3 : rounds, width = block_bits(most) / 2;
    const uint32_t mask = width == 32 ? UINT32_MAX : (UINT32_C(1) << width) - 1;
    make_keys(keys, seed, n, mask, width);
    keys[n] = 0;
    do index = encipher(index, keys, n, mask, width);
    while (index > most);
    return index;
}
