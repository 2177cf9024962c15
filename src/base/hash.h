/* Hashes for tables and for stable identifiers. Pure functions; the same value in every process and on every machine. */
#ifndef SL_BASE_HASH_H
#define SL_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* FNV-1a over bytes, finished by a 64-bit mix: for hash tables, not for adversaries. */
uint64_t sl_hash_bytes(const void *data, size_t n);
/* Mixes one more 64-bit word into a hash. */
uint64_t sl_hash_mix(uint64_t hash, uint64_t word);

#endif
