/* What every unit test includes: cmocka with the headers it needs before it, and checks for functions that return
 * sl_code. */
#ifndef SL_TESTS_UNIT_H
#define SL_TESTS_UNIT_H

/* cmocka.h wants these before it, in this order. */
/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
/* clang-format on */

#include <string.h>

#include "base/error.h"

/* The call succeeds; else the test fails with its message. `err` is the `struct sl_error` the call was given. */
#define assert_ok(err, call)                                                                                           \
    do {                                                                                                               \
        sl_error_clear(&(err));                                                                                        \
        sl_code got_ = (call);                                                                                         \
        if (got_ != SL_OK) fail_msg("%s: %s: %s", #call, sl_code_name(got_), (err).message);                           \
    } while (0)

/* The call fails with `wanted`, says so in `err`, and the message contains `text`. */
#define assert_fails(err, wanted, text, call)                                                                          \
    do {                                                                                                               \
        sl_error_clear(&(err));                                                                                        \
        sl_code got_ = (call);                                                                                         \
        if (got_ != (wanted) || (err).code != got_ || !strstr((err).message, text))                                    \
            fail_msg("%s: got %s: %s\nwanted %s: ...%s...", #call, sl_code_name(got_), (err).message,                  \
                     sl_code_name(wanted), text);                                                                      \
    } while (0)

#endif
