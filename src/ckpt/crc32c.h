/* CRC-32C (Castagnoli, RFC 3720 appendix B.4), and the masked form that checkpoint and record files hold. Pure
 * functions; thread-safe.
 *
 *     uint32_t crc = sl_crc32c(0, bytes, n);           crc = sl_crc32c(crc, more, n_more);  goes on */
#ifndef SL_CKPT_CRC32C_H
#define SL_CKPT_CRC32C_H

#include <stddef.h>
#include <stdint.h>

#include "os/pool.h"

/* The checksum of what `crc` is the checksum of (0: of nothing), followed by `data`. */
uint32_t sl_crc32c(uint32_t crc, const void *data, size_t n);
/* The checksum of A followed by B, from the checksum of each and the length of B in bytes. */
uint32_t sl_crc32c_combine(uint32_t a, uint32_t b, uint64_t b_bytes);
/* As sl_crc32c, by the threads of `pool` (NULL: this one alone). With `to` not NULL the bytes are copied there on
 * the way. */
uint32_t sl_crc32c_parallel(uint32_t crc, void *to, const void *data, size_t n, struct sl_pool *pool);

/* A checksum stored beside its bytes is rotated and shifted, so that checksums of checksums are no trouble. */
static inline uint32_t sl_crc32c_mask(uint32_t crc) { return (crc >> 15 | crc << 17) + UINT32_C(0xa282ead8); }
static inline uint32_t sl_crc32c_unmask(uint32_t masked) {
    uint32_t turned = masked - UINT32_C(0xa282ead8);
    return turned >> 17 | turned << 15;
}

#endif
