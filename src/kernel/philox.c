/* The rounds of Philox, once in the library: what draws many words for a tensor has loops of its own for each instruction
 * set (backends/cpu/isa/random_loops.inc). Called by whatever draws words one by one. */
#include "kernel/philox.h"

void sl_philox_next(uint32_t words[4], struct sl_philox *p) {
    uint32_t a = p->counter[0], b = p->counter[1], c = p->counter[2], d = p->counter[3];
    const uint32_t k = p->key[0], l = p->key[1];
#pragma GCC unroll 10
    for (uint32_t round = 0; round < 10; round++) {
        const uint64_t m = UINT64_C(0xD2511F53) * a, n = UINT64_C(0xCD9E8D57) * c;
        a = (uint32_t)(n >> 32) ^ b ^ (k + round * 0x9E3779B9);
        b = (uint32_t)n;
        c = (uint32_t)(m >> 32) ^ d ^ (l + round * 0xBB67AE85);
        d = (uint32_t)m;
    }
    words[0] = a;
    words[1] = b;
    words[2] = c;
    words[3] = d;
    sl_philox_skip(p, 1);
}
