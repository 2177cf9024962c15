/* Streams: a window of unpacked bytes that is filled when it is empty. */
#include "ckpt/byte_stream.h"

#if defined(SL_HAVE_ZLIB)
#include <zlib.h>
#endif

#include "base/alloc.h"
#include "base/vec.h"
#include "ckpt/snappy.h"
#include "os/file.h"

enum { WINDOW = 1 << 16 };

struct sl_byte_stream {
    struct sl_input_file file;
    uint64_t file_at, position;
    enum sl_compression compression;
    bool is_file_done, is_done; /* no more packed bytes; no more bytes at all */
    const char *next;           /* what is not read yet: `n` bytes of the window, or of the block */
    size_t n;
    char *block; /* snappy: what the last one was made from */
    SL_VEC(char) line;
#if defined(SL_HAVE_ZLIB)
    z_stream z;
    bool has_z;
    char packed[WINDOW];
#endif
    char window[WINDOW];
};

sl_code sl_compression_parse(enum sl_compression *out, struct sl_str word, struct sl_error *err) {
    if (word.n == 0) *out = SL_COMPRESSION_NONE;
    else if (sl_str_is(word, "ZLIB")) *out = SL_COMPRESSION_ZLIB;
    else if (sl_str_is(word, "GZIP")) *out = SL_COMPRESSION_GZIP;
    else return sl_fail(err, SL_INVALID_ARGUMENT, "Unsupported compression_type: %.*s", SL_STR_ARG(word));
    return SL_OK;
}

sl_code sl_record_compression_parse(enum sl_compression *out, struct sl_str word, struct sl_error *err) {
    if (!sl_str_is(word, "SNAPPY")) return sl_compression_parse(out, word, err);
    *out = SL_COMPRESSION_SNAPPY;
    return SL_OK;
}

/* ---- unpacking */

static sl_code cut_short(const struct sl_byte_stream *s, struct sl_error *err) {
    return sl_fail(err, SL_DATA_LOSS, "%s; a block at %llu ends too early", s->file.path,
                   (unsigned long long)s->file_at);
}

/* The next `size` bytes of the file, the caller's; memory grows with what the file has. */
static sl_code read_packed(char **out, struct sl_byte_stream *s, size_t size, struct sl_error *err) {
    enum { STEP = 1 << 20 };
    size_t n = 0, cap = 0, got = 1;
    sl_code code = SL_OK;
    for (*out = NULL; code == SL_OK && n < size && got; n += got) {
        const size_t step = size - n < STEP ? size - n : STEP;
        code = sl_grow((void **)out, &cap, n + step, 1) ? sl_fail_memory(err, n + step) : SL_OK;
        if (code == SL_OK) code = sl_input_file_read(&got, &s->file, s->file_at + n, *out + n, step, err);
        if (code != SL_OK) got = 0;
    }
    if (code == SL_OK && n < size) code = cut_short(s, err);
    if (code == SL_OK) s->file_at += size;
    else sl_free(*out);
    return code;
}

static sl_code snappy_fill(struct sl_byte_stream *s, struct sl_error *err) {
    unsigned char length[4];
    char *packed;
    size_t got;
    sl_free(s->block);
    s->block = NULL;
    SL_TRY(sl_input_file_read(&got, &s->file, s->file_at, length, sizeof length, err));
    s->is_done = got == 0;
    if (s->is_done) return SL_OK;
    if (got < sizeof length) return cut_short(s, err);
    const size_t size = (size_t)length[0] << 24 | (size_t)length[1] << 16 | (size_t)length[2] << 8 | length[3];
    s->file_at += sizeof length;
    SL_TRY(read_packed(&packed, s, size, err));
    sl_code code = sl_snappy_decode(&s->block, &s->n, (struct sl_str){packed, size}, SIZE_MAX, err);
    sl_free(packed);
    s->next = s->block;
    return code;
}

#if defined(SL_HAVE_ZLIB)

static void *z_alloc(void *opaque, unsigned count, unsigned size) {
    (void)opaque;
    return sl_calloc(count, size);
}
static void z_free(void *opaque, void *p) {
    (void)opaque;
    sl_free(p);
}

static sl_code z_open(struct sl_byte_stream *s, struct sl_error *err) {
    enum { WINDOW_BITS = 15, GZIP = 16 };
    s->z.zalloc = z_alloc;
    s->z.zfree = z_free;
    if (inflateInit2(&s->z, s->compression == SL_COMPRESSION_GZIP ? WINDOW_BITS + GZIP : WINDOW_BITS) != Z_OK)
        return sl_fail_memory(err, sizeof s->z);
    s->has_z = true;
    return SL_OK;
}

static void z_close(struct sl_byte_stream *s) {
    if (s->has_z) inflateEnd(&s->z);
}

static sl_code fill_packed(struct sl_byte_stream *s, struct sl_error *err) {
    size_t got;
    SL_TRY(sl_input_file_read(&got, &s->file, s->file_at, s->packed, sizeof s->packed, err));
    s->file_at += got;
    s->is_file_done = got < sizeof s->packed;
    s->z.next_in = (unsigned char *)s->packed;
    s->z.avail_in = (unsigned)got;
    return SL_OK;
}

/* A gzip file may be several, one after the other. */
static sl_code z_fill(struct sl_byte_stream *s, struct sl_error *err) {
    s->z.next_out = (unsigned char *)s->window;
    s->z.avail_out = sizeof s->window;
    while (s->z.avail_out == sizeof s->window && !s->is_done) {
        if (s->z.avail_in == 0 && !s->is_file_done) SL_TRY(fill_packed(s, err));
        bool is_empty = s->z.avail_in == 0, is_fresh = s->z.total_in == 0;
        if (is_empty && is_fresh) { /* between streams, or an empty file */
            s->is_done = true;
            break;
        }
        int code = inflate(&s->z, Z_NO_FLUSH);
        if (code == Z_STREAM_END) {
            if (inflateReset(&s->z) != Z_OK) return sl_fail(err, SL_INTERNAL, "%s; zlib", s->file.path);
        } else if (code == Z_MEM_ERROR) {
            return sl_fail_memory(err, sizeof s->window);
        } else if (code != Z_OK || (is_empty && s->z.avail_out == sizeof s->window)) {
            return sl_fail(err, SL_DATA_LOSS, "%s; inflate() failed: %s", s->file.path,
                           code == Z_OK || code == Z_BUF_ERROR ? "the file ends too early"
                           : s->z.msg                          ? s->z.msg
                                                               : "malformed");
        }
    }
    s->n = sizeof s->window - s->z.avail_out;
    return SL_OK;
}

#else

static sl_code z_open(struct sl_byte_stream *s, struct sl_error *err) {
    return sl_fail(err, SL_UNIMPLEMENTED, "%s: compressed files need the library zlib, which is not built in",
                   s->file.path);
}
static void z_close(struct sl_byte_stream *s) { (void)s; }
static sl_code z_fill(struct sl_byte_stream *s, struct sl_error *err) { return z_open(s, err); }

#endif

/* ---- the window */

sl_code sl_byte_stream_open(struct sl_byte_stream **out, const char *path, enum sl_compression compression,
                            struct sl_error *err) {
    struct sl_byte_stream *s = sl_calloc(1, sizeof *s);
    if (!s) return sl_fail_memory(err, sizeof *s);
    s->compression = compression;
    sl_code code = sl_input_file_open(&s->file, path, err);
    const bool has_z = compression == SL_COMPRESSION_ZLIB || compression == SL_COMPRESSION_GZIP;
    if (code == SL_OK && has_z) code = z_open(s, err);
    if (code == SL_OK) *out = s;
    else sl_byte_stream_close(s);
    return code;
}

void sl_byte_stream_close(struct sl_byte_stream *s) {
    if (!s) return;
    z_close(s);
    sl_free(s->block);
    sl_vec_free(&s->line);
    sl_input_file_close(&s->file);
    sl_free(s);
}

uint64_t sl_byte_stream_position(const struct sl_byte_stream *s) { return s->position; }
const char *sl_byte_stream_path(const struct sl_byte_stream *s) { return s->file.path; }

/* Makes the window not empty, unless there is nothing more. */
static sl_code fill(struct sl_byte_stream *s, struct sl_error *err) {
    if (s->n || s->is_done) return SL_OK;
    if (s->compression == SL_COMPRESSION_SNAPPY) {
        while (!s->n && !s->is_done) SL_TRY(snappy_fill(s, err));
        return SL_OK;
    }
    s->next = s->window;
    if (s->compression != SL_COMPRESSION_NONE) return z_fill(s, err);
    SL_TRY(sl_input_file_read(&s->n, &s->file, s->file_at, s->window, sizeof s->window, err));
    s->file_at += s->n;
    s->is_done = s->n < sizeof s->window;
    return SL_OK;
}

/* What the window has, at most `size` bytes. */
static struct sl_str take(struct sl_byte_stream *s, size_t size) {
    struct sl_str bytes = {s->next, s->n < size ? s->n : size};
    s->next += bytes.n;
    s->n -= bytes.n;
    s->position += bytes.n;
    return bytes;
}

sl_code sl_byte_stream_read(size_t *got, struct sl_byte_stream *s, void *data, size_t size, struct sl_error *err) {
    for (*got = 0; *got < size;) {
        SL_TRY(fill(s, err));
        if (!s->n) break;
        struct sl_str bytes = take(s, size - *got);
        memcpy((char *)data + *got, bytes.p, bytes.n);
        *got += bytes.n;
    }
    return SL_OK;
}

sl_code sl_byte_stream_skip(struct sl_byte_stream *s, uint64_t size, struct sl_error *err) {
    while (size > 0) {
        SL_TRY(fill(s, err));
        if (!s->n) break;
        size -= take(s, size < WINDOW ? (size_t)size : WINDOW).n;
    }
    return SL_OK;
}

sl_code sl_byte_stream_line(struct sl_str *line, bool *at_end, struct sl_byte_stream *s, struct sl_error *err) {
    s->line.n = 0;
    *at_end = true;
    for (bool is_complete = false; !is_complete;) {
        SL_TRY(fill(s, err));
        if (!s->n) break;
        *at_end = false;
        const char *end = memchr(s->next, '\n', s->n);
        is_complete = end != NULL;
        struct sl_str bytes = take(s, end ? (size_t)(end - s->next) : s->n);
        if (end) (void)take(s, 1);
        if (end && !s->line.n) { /* all of it is in the window, and stays there until the next call */
            *line = (struct sl_str){bytes.p, bytes.n - (bytes.n && bytes.p[bytes.n - 1] == '\r')};
            return SL_OK;
        }
        if (sl_vec_reserve(&s->line, bytes.n + 1)) return sl_fail_memory(err, s->line.n + bytes.n);
        memcpy(s->line.items + s->line.n, bytes.p, bytes.n);
        s->line.n += bytes.n;
    }
    if (s->line.n && s->line.items[s->line.n - 1] == '\r') s->line.n--;
    *line = (struct sl_str){s->line.items, s->line.n};
    return SL_OK;
}
