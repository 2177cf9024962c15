/* Snappy's block format (google/snappy: format_description.txt). Thread-safe. */
#ifndef SL_CKPT_SNAPPY_H
#define SL_CKPT_SNAPPY_H

#include "base/error.h"
#include "base/str.h"

/* The bytes that `in` was made from: `*out` is the caller's, freed by sl_free. DATA_LOSS when `in` is no such block,
 * or says that it holds more than `max` bytes or more than so few bytes can hold; nothing is allocated then. */
sl_code sl_snappy_decode(char **out, size_t *n, struct sl_str in, size_t max, struct sl_error *err);

/* `in` as such a block: `*out` is the caller's, freed by sl_free. OUT_OF_RANGE beyond 4 GiB. */
sl_code sl_snappy_encode(char **out, size_t *n, struct sl_str in, struct sl_error *err);

#endif
