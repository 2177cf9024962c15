/* Decompression through zlib, where it is built in. Pure; thread-safe. */
#ifndef SL_BACKENDS_CPU_INFLATE_H
#define SL_BACKENDS_CPU_INFLATE_H

#include "backends/cpu/text.h"

enum sl_inflate_kind { SL_INFLATE_NONE, SL_INFLATE_ZLIB, SL_INFLATE_GZIP };

/* Appends what `from` holds, as far as it can be decompressed: malformed or cut off data is no error, what follows the end is not
 * looked at. RESOURCE_EXHAUSTED; UNIMPLEMENTED without the library. */
sl_code sl_inflate(struct sl_text *to, struct sl_str from, enum sl_inflate_kind kind, struct sl_error *err);

#endif
