/* Records: read with their checksums checked, written plain or packed. */
#include "ckpt/record.h"

#if defined(SL_HAVE_ZLIB)
#include <zlib.h>
#endif

#include <inttypes.h>

#include "base/alloc.h"
#include "base/vec.h"
#include "ckpt/coding.h"
#include "ckpt/crc32c.h"
#include "os/file.h"

enum { HEADER = 12, FOOTER = 4 };

/* ---- reading */

struct sl_record_reader {
    struct sl_byte_stream *stream;
    SL_VEC(char) bytes;
};

sl_code sl_record_reader_open(struct sl_record_reader **out, const char *path, enum sl_compression compression,
                              struct sl_error *err) {
    struct sl_record_reader *r = sl_calloc(1, sizeof *r);
    if (!r) return sl_fail_memory(err, sizeof *r);
    sl_code code = sl_byte_stream_open(&r->stream, path, compression, err);
    if (code == SL_OK) *out = r;
    else sl_free(r);
    return code;
}

void sl_record_reader_close(struct sl_record_reader *r) {
    if (!r) return;
    sl_byte_stream_close(r->stream);
    sl_vec_free(&r->bytes);
    sl_free(r);
}

uint64_t sl_record_reader_position(const struct sl_record_reader *r) { return sl_byte_stream_position(r->stream); }

static sl_code bad_record(const struct sl_record_reader *r, const char *what, uint64_t at, struct sl_error *err) {
    return sl_fail(err, SL_DATA_LOSS, "%s; %s record at %" PRIu64, sl_byte_stream_path(r->stream), what, at);
}

/* Appends `size` bytes to r->bytes; memory grows with what has been read, whatever `size` says. */
static sl_code read_bytes(bool *is_all, struct sl_record_reader *r, uint64_t size, struct sl_error *err) {
    enum { STEP = 1 << 20 };
    *is_all = true;
    for (uint64_t left = size; left > 0 && *is_all;) {
        size_t step = left < STEP ? (size_t)left : STEP, got;
        if (sl_vec_reserve(&r->bytes, step)) return sl_fail_memory(err, r->bytes.n + step);
        SL_TRY(sl_byte_stream_read(&got, r->stream, r->bytes.items + r->bytes.n, step, err));
        r->bytes.n += got;
        left -= got;
        *is_all = got == step;
    }
    return SL_OK;
}

sl_code sl_record_reader_next(struct sl_str *record, bool *at_end, struct sl_record_reader *r, struct sl_error *err) {
    uint64_t at = sl_byte_stream_position(r->stream);
    char header[HEADER];
    size_t got;
    bool is_all;
    SL_TRY(sl_byte_stream_read(&got, r->stream, header, sizeof header, err));
    *at_end = got == 0;
    if (got == 0) return SL_OK;
    if (got < sizeof header) return bad_record(r, "truncated", at, err);
    if (sl_crc32c_unmask(sl_get_u32(header + 8)) != sl_crc32c(0, header, 8)) return bad_record(r, "corrupted", at, err);
    uint64_t size = sl_get_u64(header);
    if (size > UINT64_MAX - FOOTER) return bad_record(r, "corrupted", at, err);
    r->bytes.n = 0;
    SL_TRY(read_bytes(&is_all, r, size + FOOTER, err));
    if (!is_all) return bad_record(r, "truncated", at, err);
    *record = (struct sl_str){r->bytes.items, (size_t)size};
    uint32_t crc = sl_crc32c_unmask(sl_get_u32(r->bytes.items + size));
    return crc == sl_crc32c(0, record->p, record->n) ? SL_OK : bad_record(r, "corrupted", at, err);
}

/* ---- writing */

struct sl_record_writer {
    struct sl_writer file;
    enum sl_compression compression;
#if defined(SL_HAVE_ZLIB)
    z_stream z;
    char packed[1 << 16];
#endif
};

#if defined(SL_HAVE_ZLIB)

static sl_code z_open(struct sl_record_writer *w, struct sl_error *err) {
    enum { WINDOW_BITS = 15, GZIP = 16, MEMORY = 9 };
    int bits = w->compression == SL_COMPRESSION_GZIP ? WINDOW_BITS + GZIP : WINDOW_BITS;
    int code = deflateInit2(&w->z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, bits, MEMORY, Z_DEFAULT_STRATEGY);
    return code == Z_OK ? SL_OK : sl_fail_memory(err, sizeof w->z);
}

static sl_code z_write(struct sl_record_writer *w, struct sl_str bytes, int flush, struct sl_error *err) {
    const size_t most = 1u << 30;
    do {
        size_t n = bytes.n < most ? bytes.n : most;
        w->z.next_in = (unsigned char *)(uintptr_t)bytes.p;
        w->z.avail_in = (unsigned)n;
        bytes = (struct sl_str){bytes.p + n, bytes.n - n};
        do {
            w->z.next_out = (unsigned char *)w->packed;
            w->z.avail_out = sizeof w->packed;
            (void)deflate(&w->z, bytes.n ? Z_NO_FLUSH : flush);
            SL_TRY(sl_writer_write(&w->file, w->packed, sizeof w->packed - w->z.avail_out, err));
        } while (w->z.avail_out == 0);
    } while (bytes.n);
    return SL_OK;
}

static sl_code z_flush(struct sl_record_writer *w, struct sl_error *err) {
    return z_write(w, SL_STR(""), Z_SYNC_FLUSH, err);
}
static sl_code z_finish(struct sl_record_writer *w, struct sl_error *err) {
    return z_write(w, SL_STR(""), Z_FINISH, err);
}
static sl_code z_add(struct sl_record_writer *w, struct sl_str bytes, struct sl_error *err) {
    return z_write(w, bytes, Z_NO_FLUSH, err);
}
static void z_close(struct sl_record_writer *w) { deflateEnd(&w->z); }

#else

static sl_code z_open(struct sl_record_writer *w, struct sl_error *err) {
    return sl_fail(err, SL_UNIMPLEMENTED, "%s: compressed files need the library zlib, which is not built in",
                   w->file.path);
}
static sl_code z_flush(struct sl_record_writer *w, struct sl_error *err) { return z_open(w, err); }
static sl_code z_finish(struct sl_record_writer *w, struct sl_error *err) { return z_open(w, err); }
static sl_code z_add(struct sl_record_writer *w, struct sl_str bytes, struct sl_error *err) {
    (void)bytes;
    return z_open(w, err);
}
static void z_close(struct sl_record_writer *w) { (void)w; }

#endif

sl_code sl_record_writer_open(struct sl_record_writer **out, const char *path, enum sl_compression compression,
                              struct sl_error *err) {
    struct sl_record_writer *w = sl_calloc(1, sizeof *w);
    if (!w) return sl_fail_memory(err, sizeof *w);
    w->compression = compression;
    sl_code code = sl_writer_open(&w->file, path, SL_WRITER_TRUNCATE, err);
    if (code == SL_OK && compression != SL_COMPRESSION_NONE) code = z_open(w, err);
    if (code == SL_OK) {
        *out = w;
    } else {
        sl_writer_abandon(&w->file);
        sl_free(w);
    }
    return code;
}

static sl_code add_bytes(struct sl_record_writer *w, struct sl_str bytes, struct sl_error *err) {
    return w->compression == SL_COMPRESSION_NONE ? sl_writer_write(&w->file, bytes.p, bytes.n, err)
                                                 : z_add(w, bytes, err);
}

sl_code sl_record_writer_add(struct sl_record_writer *w, struct sl_str record, struct sl_error *err) {
    char header[HEADER], footer[FOOTER];
    sl_put_u64(header, record.n);
    sl_put_u32(header + 8, sl_crc32c_mask(sl_crc32c(0, header, 8)));
    sl_put_u32(footer, sl_crc32c_mask(sl_crc32c(0, record.p, record.n)));
    SL_TRY(add_bytes(w, (struct sl_str){header, HEADER}, err));
    SL_TRY(add_bytes(w, record, err));
    return add_bytes(w, (struct sl_str){footer, FOOTER}, err);
}

sl_code sl_record_writer_flush(struct sl_record_writer *w, struct sl_error *err) {
    if (w->compression != SL_COMPRESSION_NONE) SL_TRY(z_flush(w, err));
    return sl_writer_flush(&w->file, err);
}

sl_code sl_record_writer_close(struct sl_record_writer *w, struct sl_error *err) {
    sl_code code = w->compression == SL_COMPRESSION_NONE ? SL_OK : z_finish(w, err);
    sl_code closed = sl_writer_close(&w->file, code == SL_OK ? err : NULL);
    if (w->compression != SL_COMPRESSION_NONE) z_close(w);
    sl_free(w);
    return code == SL_OK ? closed : code;
}
