/* Records: read with their checksums checked, written plain or packed. */
#include "ckpt/record.h"

#include <inttypes.h>

#include "base/alloc.h"
#include "base/vec.h"
#include "ckpt/byte_sink.h"
#include "ckpt/coding.h"
#include "ckpt/crc32c.h"

enum { HEADER = 12, FOOTER = 4 };

/* ---- reading */

struct sl_record_reader {
    struct sl_byte_stream *stream;
    SL_VEC(char) bytes;
    bool ends_in_header;
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

void sl_record_reader_end_in_header(struct sl_record_reader *r) { r->ends_in_header = true; }
sl_code sl_record_reader_skip(struct sl_record_reader *r, uint64_t size, struct sl_error *err) {
    return sl_byte_stream_skip(r->stream, size, err);
}

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
    *at_end = got == 0 || (r->ends_in_header && got < sizeof header);
    if (*at_end) return SL_OK;
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
    struct sl_byte_sink *sink;
};

sl_code sl_record_writer_open(struct sl_record_writer **out, const char *path, enum sl_writer_mode mode,
                              enum sl_compression compression, struct sl_error *err) {
    struct sl_record_writer *w = sl_calloc(1, sizeof *w);
    if (!w) return sl_fail_memory(err, sizeof *w);
    sl_code code = sl_byte_sink_open(&w->sink, path, mode, compression, err);
    if (code == SL_OK) *out = w;
    else sl_free(w);
    return code;
}

sl_code sl_record_writer_add(struct sl_record_writer *w, struct sl_str record, struct sl_error *err) {
    char header[HEADER], footer[FOOTER];
    sl_put_u64(header, record.n);
    sl_put_u32(header + 8, sl_crc32c_mask(sl_crc32c(0, header, 8)));
    sl_put_u32(footer, sl_crc32c_mask(sl_crc32c(0, record.p, record.n)));
    SL_TRY(sl_byte_sink_write(w->sink, (struct sl_str){header, HEADER}, err));
    SL_TRY(sl_byte_sink_write(w->sink, record, err));
    return sl_byte_sink_write(w->sink, (struct sl_str){footer, FOOTER}, err);
}

sl_code sl_record_writer_flush(struct sl_record_writer *w, struct sl_error *err) {
    return sl_byte_sink_flush(w->sink, err);
}

sl_code sl_record_writer_close(struct sl_record_writer *w, bool syncs, struct sl_error *err) {
    sl_code code = sl_byte_sink_close(w->sink, syncs, err);
    sl_free(w);
    return code;
}

void sl_record_writer_abandon(struct sl_record_writer *w) {
    if (!w) return;
    sl_byte_sink_abandon(w->sink);
    sl_free(w);
}
