/* Tensors as text in nested brackets, with the middle of long dimensions left out: what StringFormat and PrintV2's
 * callers show. (Assert and Print have another form: tensor/summary.h.) Pure; thread-safe. */
#ifndef SL_BACKENDS_CPU_STRING_TENSOR_TEXT_H
#define SL_BACKENDS_CPU_STRING_TENSOR_TEXT_H

#include "formats/text.h"
#include "tensor/value.h"

/* Appends `v`, with `edge` elements at either end of each dimension, or all when it is below 0. */
void sl_text_add_tensor(struct sl_text *t, struct sl_view v, int64_t edge);
/* Appends `s` with quotes, backslashes and control characters escaped, all else as it is. */
void sl_text_add_escaped(struct sl_text *t, struct sl_str s);

#endif
