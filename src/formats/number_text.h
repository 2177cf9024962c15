/* Numbers written in decimal, as TensorFlow's ops read them: white space around is allowed, anything else behind is
 * not. Pure; thread-safe. */
#ifndef SL_FORMATS_NUMBER_TEXT_H
#define SL_FORMATS_NUMBER_TEXT_H

#include <stdint.h>

#include "base/str.h"
#include "tensor/dtype.h"

/* Reads `s` as a number of `dtype` (float, double, int32, int64, uint32, uint64) into `*to`. False when it is none,
 * or an integer out of range; floats out of range are infinite or zero. */
bool sl_number_read(void *to, int dtype, struct sl_str s);
/* Space, tab, line feed, vertical tab, form feed, carriage return. */
static inline bool sl_is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
struct sl_str sl_str_trimmed(struct sl_str s);

#endif
