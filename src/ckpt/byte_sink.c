/* Sinks: zlib packs as bytes come; snappy when a block is full, so a reader needs no more memory than a block. */
#include "ckpt/byte_sink.h"

#if defined(SL_HAVE_ZLIB)
#include <zlib.h>
#endif

#include "base/alloc.h"
#include "ckpt/snappy.h"

enum { BLOCK = 1 << 18, PACKED = 1 << 16 };

struct sl_byte_sink {
    struct sl_writer file;
    enum sl_compression compression;
    char *block; /* snappy: what is not packed yet */
    size_t n;
#if defined(SL_HAVE_ZLIB)
    z_stream z;
    bool has_z;
    char packed[PACKED];
#endif
};

/* ---- zlib */

#if defined(SL_HAVE_ZLIB)

static sl_code z_open(struct sl_byte_sink *s, struct sl_error *err) {
    enum { WINDOW_BITS = 15, GZIP = 16, MEMORY = 9 };
    const int bits = s->compression == SL_COMPRESSION_GZIP ? WINDOW_BITS + GZIP : WINDOW_BITS;
    const int code = deflateInit2(&s->z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, bits, MEMORY, Z_DEFAULT_STRATEGY);
    s->has_z = code == Z_OK;
    return s->has_z ? SL_OK : sl_fail_memory(err, sizeof s->z);
}

static sl_code z_write(struct sl_byte_sink *s, struct sl_str bytes, int flush, struct sl_error *err) {
    const size_t most = 1u << 30;
    do {
        const size_t n = bytes.n < most ? bytes.n : most;
        s->z.next_in = (unsigned char *)(uintptr_t)bytes.p;
        s->z.avail_in = (unsigned)n;
        bytes = (struct sl_str){bytes.p + n, bytes.n - n};
        do {
            s->z.next_out = (unsigned char *)s->packed;
            s->z.avail_out = PACKED;
            (void)deflate(&s->z, bytes.n ? Z_NO_FLUSH : flush);
            SL_TRY(sl_writer_write(&s->file, s->packed, PACKED - s->z.avail_out, err));
        } while (s->z.avail_out == 0);
    } while (bytes.n);
    return SL_OK;
}

static sl_code z_add(struct sl_byte_sink *s, struct sl_str bytes, struct sl_error *err) {
    return z_write(s, bytes, Z_NO_FLUSH, err);
}
static sl_code z_flush(struct sl_byte_sink *s, bool is_end, struct sl_error *err) {
    return z_write(s, SL_STR(""), is_end ? Z_FINISH : Z_SYNC_FLUSH, err);
}
static void z_close(struct sl_byte_sink *s) {
    if (s->has_z) deflateEnd(&s->z);
}

#else

static sl_code z_open(struct sl_byte_sink *s, struct sl_error *err) {
    return sl_fail(err, SL_UNIMPLEMENTED, "%s: compressed files need the library zlib, which is not built in",
                   s->file.path);
}
static sl_code z_add(struct sl_byte_sink *s, struct sl_str bytes, struct sl_error *err) {
    (void)bytes;
    return z_open(s, err);
}
static sl_code z_flush(struct sl_byte_sink *s, bool is_end, struct sl_error *err) {
    (void)is_end;
    return z_open(s, err);
}
static void z_close(struct sl_byte_sink *s) { (void)s; }

#endif

/* ---- snappy */

static sl_code write_block(struct sl_byte_sink *s, struct sl_error *err) {
    char *packed;
    size_t n;
    if (!s->n) return SL_OK;
    SL_TRY(sl_snappy_encode(&packed, &n, (struct sl_str){s->block, s->n}, err));
    const unsigned char length[] = {(unsigned char)(n >> 24), (unsigned char)(n >> 16), (unsigned char)(n >> 8),
                                    (unsigned char)n};
    sl_code code = sl_writer_write(&s->file, length, sizeof length, err);
    if (code == SL_OK) code = sl_writer_write(&s->file, packed, n, err);
    sl_free(packed);
    s->n = 0;
    return code;
}

static sl_code add_to_block(struct sl_byte_sink *s, struct sl_str bytes, struct sl_error *err) {
    while (bytes.n) {
        const size_t n = bytes.n < BLOCK - s->n ? bytes.n : BLOCK - s->n;
        memcpy(s->block + s->n, bytes.p, n);
        s->n += n;
        bytes = (struct sl_str){bytes.p + n, bytes.n - n};
        if (s->n == BLOCK) SL_TRY(write_block(s, err));
    }
    return SL_OK;
}

/* ---- either */

static sl_code open_packer(struct sl_byte_sink *s, struct sl_error *err) {
    if (s->compression == SL_COMPRESSION_NONE) return SL_OK;
    if (s->compression != SL_COMPRESSION_SNAPPY) return z_open(s, err);
    s->block = sl_malloc(BLOCK);
    return s->block ? SL_OK : sl_fail_memory(err, BLOCK);
}

sl_code sl_byte_sink_open(struct sl_byte_sink **out, const char *path, enum sl_writer_mode mode,
                          enum sl_compression compression, struct sl_error *err) {
    struct sl_byte_sink *s = sl_calloc(1, sizeof *s);
    if (!s) return sl_fail_memory(err, sizeof *s);
    s->compression = compression;
    sl_code code = sl_writer_open(&s->file, path, mode, err);
    if (code == SL_OK) code = open_packer(s, err);
    if (code == SL_OK) *out = s;
    else sl_byte_sink_abandon(s);
    return code;
}

sl_code sl_byte_sink_write(struct sl_byte_sink *s, struct sl_str bytes, struct sl_error *err) {
    if (s->compression == SL_COMPRESSION_NONE) return sl_writer_write(&s->file, bytes.p, bytes.n, err);
    return s->compression == SL_COMPRESSION_SNAPPY ? add_to_block(s, bytes, err) : z_add(s, bytes, err);
}

static sl_code flush_packer(struct sl_byte_sink *s, bool is_end, struct sl_error *err) {
    if (s->compression == SL_COMPRESSION_NONE) return SL_OK;
    return s->compression == SL_COMPRESSION_SNAPPY ? write_block(s, err) : z_flush(s, is_end, err);
}

sl_code sl_byte_sink_flush(struct sl_byte_sink *s, struct sl_error *err) {
    SL_TRY(flush_packer(s, false, err));
    return sl_writer_flush(&s->file, err);
}

static void free_sink(struct sl_byte_sink *s) {
    z_close(s);
    sl_free(s->block);
    sl_free(s);
}

/* A file that replaces another when it is closed keeps the old one after a failure. */
sl_code sl_byte_sink_close(struct sl_byte_sink *s, bool syncs, struct sl_error *err) {
    sl_code code = flush_packer(s, true, err);
    if (code == SL_OK && syncs) code = sl_writer_sync(&s->file, err);
    if (code == SL_OK) code = sl_writer_close(&s->file, err);
    else if (s->file.mode == SL_WRITER_ATOMIC) sl_writer_abandon(&s->file);
    else (void)sl_writer_close(&s->file, NULL);
    free_sink(s);
    return code;
}

void sl_byte_sink_abandon(struct sl_byte_sink *s) {
    if (!s) return;
    sl_writer_abandon(&s->file);
    free_sink(s);
}
