/* The functions of ICU's converters, which read any encoding that has a name. The library is looked for when the first
 * such name comes: its data is ten times the size of this one. Thread-safe. */
#ifndef SL_FORMATS_ICU_LIBRARY_H
#define SL_FORMATS_ICU_LIBRARY_H

#if SL_HAVE_ICU
#include <unicode/ucnv.h>
#include <unicode/ucnv_cb.h>
#include <unicode/ucnv_err.h>

/* M(name here, function). ICU's header adds its version to the names of functions. */
/* clang-format off */
#define SL_ICU_FUNCTIONS(M) \
    M(open, ucnv_open) M(close, ucnv_close) M(next, ucnv_getNextUChar) M(set_callback, ucnv_setToUCallBack) \
    M(substitute, UCNV_TO_U_CALLBACK_SUBSTITUTE)
/* clang-format on */

struct sl_icu_library {
#define MEMBER(name, function) __typeof__(function) *name;
    SL_ICU_FUNCTIONS(MEMBER)
#undef MEMBER
};
/* Lasts as long as the process; NULL: this machine has none of the version that the library was built for. */
const struct sl_icu_library *sl_icu_library(void);
#endif

#endif
