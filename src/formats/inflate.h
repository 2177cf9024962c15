/* Decompression through zlib and zstd, where they are built in. Pure; thread-safe. */
#ifndef SL_FORMATS_INFLATE_H
#define SL_FORMATS_INFLATE_H

#include "formats/text.h"

enum sl_inflate_kind { SL_INFLATE_NONE, SL_INFLATE_ZLIB, SL_INFLATE_GZIP, SL_INFLATE_ZSTD };

/* Appends what `from` holds. Of zlib and gzip as far as it goes: that the data is cut off is no error, and what
 * follows its end is not looked at; DATA_LOSS when it is malformed. Of zstd one whole frame that says how large it
 * is; INVALID_ARGUMENT else. RESOURCE_EXHAUSTED, UNIMPLEMENTED without the library. */
sl_code sl_inflate(struct sl_text *to, struct sl_str from, enum sl_inflate_kind kind, struct sl_error *err);

#endif
