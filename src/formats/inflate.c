/* The only place that calls zlib's inflate and zstd. */
#include "formats/inflate.h"

#ifdef SL_HAVE_ZLIB
#include <limits.h>
#include <zlib.h>

/* zlib's memory comes from our heap, so that its failures can be tested. */
static void *take_memory(void *unused, unsigned items, unsigned size) {
    (void)unused;
    return sl_calloc(items, size);
}
static void give_memory(void *unused, void *p) {
    (void)unused;
    sl_free(p);
}

enum { CHUNK = 1 << 16, GZIP_FORMAT = 16 };

static sl_code run(struct sl_text *to, z_stream *z, struct sl_str from, struct sl_error *err) {
    int result = Z_OK;
    while (result == Z_OK) {
        if (z->avail_in == 0 && from.n) {
            z->avail_in = from.n < UINT_MAX ? (unsigned)from.n : UINT_MAX;
            z->next_in = (Bytef *)(uintptr_t)from.p;
            from = (struct sl_str){from.p + z->avail_in, from.n - z->avail_in};
        }
        if (!sl_text_reserve(to, CHUNK)) return sl_fail_memory(err, to->n);
        z->next_out = (Bytef *)to->p + to->n;
        z->avail_out = CHUNK;
        result = inflate(z, Z_SYNC_FLUSH);
        to->n += CHUNK - z->avail_out;
    }
    if (result == Z_DATA_ERROR || result == Z_NEED_DICT)
        return sl_fail(err, SL_DATA_LOSS, "inflate() failed with error %d: %s", result,
                       z->msg ? z->msg : "a dictionary is needed");
    return result == Z_MEM_ERROR ? sl_fail_memory(err, to->n) : SL_OK;
}
#endif

#if SL_HAVE_ZSTD
#include <zstd.h>

/* A block takes 3 bytes and holds at most 128 KiB: what says that it is larger is not believed. */
static bool is_possible(unsigned long long size, size_t from) {
    enum { BLOCK = 1 << 17, BLOCK_HEAD = 3 };
    return size / BLOCK <= from / BLOCK_HEAD && size < SIZE_MAX / 2;
}
#endif

static sl_code unpack_zstd(struct sl_text *to, struct sl_str from, struct sl_error *err) {
#if SL_HAVE_ZSTD
    unsigned long long size = ZSTD_getFrameContentSize(from.p, from.n);
    if (size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR || !is_possible(size, from.n))
        return sl_fail(err, SL_INVALID_ARGUMENT, "Failed to determine decompressed size");
    if (!sl_text_reserve(to, (size_t)size + 1)) return sl_fail_memory(err, (size_t)size);
    size_t n = ZSTD_decompress(to->p + to->n, (size_t)size, from.p, from.n);
    if (ZSTD_isError(n))
        return sl_fail(err, SL_INVALID_ARGUMENT, "Failed to decompress zstd input: %s", ZSTD_getErrorName(n));
    to->n += n;
    return SL_OK;
#else
    (void)to, (void)from;
    return sl_fail(err, SL_UNIMPLEMENTED, "decompression of ZSTD needs the library zstd, which is not built in");
#endif
}

sl_code sl_inflate(struct sl_text *to, struct sl_str from, enum sl_inflate_kind kind, struct sl_error *err) {
    if (kind == SL_INFLATE_NONE) {
        sl_text_add(to, from);
        return to->is_broken ? sl_fail_memory(err, from.n) : SL_OK;
    }
    if (kind == SL_INFLATE_ZSTD) return unpack_zstd(to, from, err);
#ifdef SL_HAVE_ZLIB
    z_stream z = {.zalloc = take_memory, .zfree = give_memory};
    if (inflateInit2(&z, MAX_WBITS + (kind == SL_INFLATE_GZIP ? GZIP_FORMAT : 0)) != Z_OK)
        return sl_fail_memory(err, from.n);
    sl_code code = run(to, &z, from, err);
    inflateEnd(&z);
    return code;
#else
    return sl_fail(err, SL_UNIMPLEMENTED, "decompression needs the library zlib, which is not built in");
#endif
}
