/* Record files (TFRecord), of which event files are a kind:
 *
 *   length (u64) | masked crc32c of the length (u32) | bytes | masked crc32c of the bytes (u32)       and so on
 *
 * maybe packed as a whole (byte_stream.h). One owner. */
#ifndef SL_CKPT_RECORD_H
#define SL_CKPT_RECORD_H

#include "ckpt/byte_stream.h"
#include "os/file.h"

struct sl_record_reader;

sl_code sl_record_reader_open(struct sl_record_reader **out, const char *path, enum sl_compression compression,
                              struct sl_error *err);
void sl_record_reader_close(struct sl_record_reader *r); /* NULL is fine */
/* The next record, borrowed until the next call; `*at_end` when there is none. DATA_LOSS "truncated record at N" or
 * "corrupted record at N", after the path. */
sl_code sl_record_reader_next(struct sl_str *record, bool *at_end, struct sl_record_reader *r, struct sl_error *err);
/* From now on a file that ends within a header, after fewer than 12 bytes, is at its end and not truncated. */
void sl_record_reader_end_in_header(struct sl_record_reader *r);
/* Passes over bytes; fewer at the end. */
sl_code sl_record_reader_skip(struct sl_record_reader *r, uint64_t size, struct sl_error *err);
/* Where the next record begins, in unpacked bytes. */
uint64_t sl_record_reader_position(const struct sl_record_reader *r);

struct sl_record_writer;

sl_code sl_record_writer_open(struct sl_record_writer **out, const char *path, enum sl_writer_mode mode,
                              enum sl_compression compression, struct sl_error *err);
sl_code sl_record_writer_add(struct sl_record_writer *w, struct sl_str record, struct sl_error *err);
/* As the functions of byte_sink.h do. */
sl_code sl_record_writer_flush(struct sl_record_writer *w, struct sl_error *err);
sl_code sl_record_writer_close(struct sl_record_writer *w, bool syncs, struct sl_error *err);
void sl_record_writer_abandon(struct sl_record_writer *w); /* NULL is fine */

#endif
