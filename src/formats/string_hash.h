/* Hashes of strings that are part of an op's meaning: the same number everywhere, for ever. Pure; thread-safe. */
#ifndef SL_FORMATS_STRING_HASH_H
#define SL_FORMATS_STRING_HASH_H

#include <stdint.h>

#include "base/str.h"

/* FarmHash Fingerprint64 and Fingerprint128 (github.com/google/farmhash). */
uint64_t sl_fingerprint64(struct sl_str s);
void sl_fingerprint128(uint64_t low_high[2], struct sl_str s);
/* MurmurHash64A with the seed that TensorFlow uses. */
uint64_t sl_murmur64(struct sl_str s);
/* SipHash-2-4 (Aumasson and Bernstein, 2012). */
uint64_t sl_siphash(const uint64_t key[2], struct sl_str s);

#endif
