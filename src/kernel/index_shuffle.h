/* A permutation of the numbers up to a maximum that needs no memory: where a number goes is computed from it alone. A block
 * cipher of the Simon family (Beaulieu et al., "The SIMON and SPECK families of lightweight block ciphers", 2013) on the
 * smallest block that holds the maximum; a result above it is enciphered again, until it is in. RandomIndexShuffle and
 * shuffles of whole datasets use it. Pure; thread-safe. */
#ifndef SL_KERNEL_INDEX_SHUFFLE_H
#define SL_KERNEL_INDEX_SHUFFLE_H

#include <stdint.h>

enum { SL_INDEX_SHUFFLE_ROUNDS = 1024 }; /* at most */

/* Where `index`, at most `most`, goes. */
uint64_t sl_index_shuffle(uint64_t index, const uint32_t seed[3], uint64_t most, int rounds);

#endif
