/* Elements and tensors as text for messages, in the form TensorFlow's users know. Pure functions; thread-safe. */
#ifndef SL_TENSOR_SUMMARY_H
#define SL_TENSOR_SUMMARY_H

#include "tensor/value.h"

enum { SL_ELEMENT_TEXT = 64 };
/* One element as text: the shortest of 6 and 9 (double: 15 and 17) digits that reads back as the same number; "?"
 * for types without text. Not for strings. Returns `text`. */
const char *sl_element_text(char text[SL_ELEMENT_TEXT], int dtype, const void *element);

/* The first `most` elements (all when negative), "1 2 3..."; of more than one dimension "[1 2][3...]...". Strings
 * are escaped as in C, objects shown by type. `*out` is NUL-terminated and freed with sl_free. */
sl_code sl_view_summary(char **out, struct sl_view v, int64_t most, struct sl_error *err);

#endif
