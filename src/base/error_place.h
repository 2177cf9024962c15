/* The place of an error: what is known of where it happened and is not for its message, which has to be TensorFlow's. It
 * lies behind the message, in the same array:
 *
 *     message: [ text NUL | place NUL | unused ]
 *
 * sl_fail makes it empty, sl_error_append keeps it, and copies of a whole struct sl_error have it. A text that fills the array
 * leaves no room for one. */
#ifndef SL_BASE_ERROR_PLACE_H
#define SL_BASE_ERROR_PLACE_H

#include "base/error.h"

/* Adds to the place of an error that sl_fail has set; cut with "..." where there is no room. */
void sl_error_add_place(struct sl_error *err, const char *format, ...) SL_PRINTF(2, 3);
/* "": none is known. Lives until the error changes. */
const char *sl_error_place(const struct sl_error *err);

#endif
