/* Streams of bytes into files, packed on the way as byte_stream.h unpacks them. One owner. */
#ifndef SL_CKPT_BYTE_SINK_H
#define SL_CKPT_BYTE_SINK_H

#include "ckpt/byte_stream.h"
#include "os/file.h"

struct sl_byte_sink;

/* UNIMPLEMENTED for a file that zlib has to pack in a build without it. */
sl_code sl_byte_sink_open(struct sl_byte_sink **out, const char *path, enum sl_writer_mode mode,
                          enum sl_compression compression, struct sl_error *err);
sl_code sl_byte_sink_write(struct sl_byte_sink *s, struct sl_str bytes, struct sl_error *err);
/* Others see what was written (of a packed file, what the compressor let go). */
sl_code sl_byte_sink_flush(struct sl_byte_sink *s, struct sl_error *err);
/* Writes what is left, with `syncs` waits until the disk has it, and frees, also on failure. */
sl_code sl_byte_sink_close(struct sl_byte_sink *s, bool syncs, struct sl_error *err);
/* Frees without writing what is left; NULL is fine. */
void sl_byte_sink_abandon(struct sl_byte_sink *s);

#endif
