/* Hashes for tables and for stable identifiers. Pure functions; the same value in every process and on every machine. */
#ifndef SL_BASE_HASH_H
#define SL_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* FNV-1a over bytes, finished by a 64-bit mix: for hash tables, not for adversaries. */
uint64_t sl_hash_bytes(const void *data, size_t n);
/* Mixes one more 64-bit word into a hash. */
uint64_t sl_hash_mix(uint64_t hash, uint64_t word);

/* Another hash of bytes, for identifiers that TensorFlow's processes must agree on: its Hash64, which is MurmurHash64A (Austin
 * Appleby, public domain) over little-endian words. It begins at SL_HASH64_SEED unless a hash goes on from another. */
#define SL_HASH64_SEED UINT64_C(0xDECAFCAFFE)
uint64_t sl_hash64(const void *data, size_t n, uint64_t seed);
/* TensorFlow's Hash64Combine; not symmetric. */
uint64_t sl_hash64_combine(uint64_t a, uint64_t b);

#endif
