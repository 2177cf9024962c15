/* Files as streams of bytes, unpacked on the way when they are compressed: by zlib or gzip as a whole, or by snappy in
 * blocks, each behind its length (u32, the high byte first). byte_sink.h writes them. One owner. */
#ifndef SL_CKPT_BYTE_STREAM_H
#define SL_CKPT_BYTE_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/str.h"

enum sl_compression { SL_COMPRESSION_NONE, SL_COMPRESSION_ZLIB, SL_COMPRESSION_GZIP, SL_COMPRESSION_SNAPPY };

/* "", "ZLIB", "GZIP"; INVALID_ARGUMENT for another word. */
sl_code sl_compression_parse(enum sl_compression *out, struct sl_str word, struct sl_error *err);
/* The same for files of records, which may also be "SNAPPY". */
sl_code sl_record_compression_parse(enum sl_compression *out, struct sl_str word, struct sl_error *err);

struct sl_byte_stream;

/* UNIMPLEMENTED for a compressed file in a build without zlib. */
sl_code sl_byte_stream_open(struct sl_byte_stream **out, const char *path, enum sl_compression compression,
                            struct sl_error *err);
void sl_byte_stream_close(struct sl_byte_stream *s); /* NULL is fine */

/* The next `size` bytes; `*got` is less only at the end. DATA_LOSS when the compressed bytes are malformed or end
 * too early. */
sl_code sl_byte_stream_read(size_t *got, struct sl_byte_stream *s, void *data, size_t size, struct sl_error *err);
/* The bytes up to the next '\n', which is passed over and not part of the line, nor is a '\r' before it; `*at_end`
 * when there are none left. `line` is borrowed until the next call. */
sl_code sl_byte_stream_line(struct sl_str *line, bool *at_end, struct sl_byte_stream *s, struct sl_error *err);
/* Passes over bytes; fewer at the end. */
sl_code sl_byte_stream_skip(struct sl_byte_stream *s, uint64_t size, struct sl_error *err);
/* Unpacked bytes read so far. */
uint64_t sl_byte_stream_position(const struct sl_byte_stream *s);
const char *sl_byte_stream_path(const struct sl_byte_stream *s);

#endif
