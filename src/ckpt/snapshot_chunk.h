/* Chunks: the files in which snapshots of datasets keep elements.
 *
 *   version 2   records (record.h), each a TensorProto: the components of an element, one after another
 *   version 1   u64 length | SnapshotRecord, an element; with snappy u64 length | SnapshotTensorMetadata | u64 length |
 *               a snappy block: plain components as in memory, others as TensorProto
 *
 * Either packed as a whole (byte_stream.h), but for version 1 with snappy. One owner. */
#ifndef SL_CKPT_SNAPSHOT_CHUNK_H
#define SL_CKPT_SNAPSHOT_CHUNK_H

#include "ckpt/byte_stream.h"
#include "tensor/value.h"

struct sl_chunk_writer;

/* "" and whatever a file of records may be. INVALID_ARGUMENT. "AUTO" is snappy. */
sl_code sl_chunk_compression_parse(enum sl_compression *out, struct sl_str word, struct sl_error *err);

/* A new file, or an old one emptied. `version` is 1 or 2. */
sl_code sl_chunk_writer_open(struct sl_chunk_writer **out, const char *path, int version,
                             enum sl_compression compression, struct sl_error *err);
/* UNIMPLEMENTED for resources and variants that have no message. */
sl_code sl_chunk_writer_add(struct sl_chunk_writer *w, const struct sl_value *element, int n, struct sl_error *err);
int64_t sl_chunk_writer_bytes(const struct sl_chunk_writer *w); /* so far, before they are packed */
/* Waits until the disk has it, and frees, also on failure. */
sl_code sl_chunk_writer_close(struct sl_chunk_writer *w, struct sl_error *err);
void sl_chunk_writer_abandon(struct sl_chunk_writer *w); /* leaves what was written; NULL is fine */

struct sl_chunk_reader;

/* Of elements with `n` components of these types, borrowed. */
sl_code sl_chunk_reader_open(struct sl_chunk_reader **out, const char *path, int version,
                             enum sl_compression compression, int n, const uint8_t *types, struct sl_error *err);
/* The next element, the caller's: `n` values, all NONE before. DATA_LOSS names the file. */
sl_code sl_chunk_reader_next(struct sl_value *element, bool *is_end, struct sl_chunk_reader *r, struct sl_error *err);
void sl_chunk_reader_close(struct sl_chunk_reader *r); /* NULL is fine */

#endif
