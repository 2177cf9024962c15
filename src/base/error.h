/* Errors: one caller-owned struct, canonical codes, a formatted message.
 *
 * A function that can fail returns `sl_code` and takes `struct sl_error *err` last. `err` may be NULL when the
 * caller wants the code alone. On success `err` is untouched. Threads: a `struct sl_error` has one owner. */
#ifndef SL_BASE_ERROR_H
#define SL_BASE_ERROR_H

#include <stdarg.h>
#include <stddef.h>

/* Numbers are the canonical codes that TF_Code and error.proto share. */
typedef enum sl_code {
#define SL_CODE(name, number) SL_##name = number,
#include "base/code.def"
#undef SL_CODE
} sl_code;

enum { SL_ERROR_MESSAGE_MAX = 2048 };

struct sl_error {
    sl_code code;
    char message[SL_ERROR_MESSAGE_MAX]; /* NUL-terminated UTF-8; cut with "..." when longer; then error_place.h */
};

#define SL_PRINTF(format_at, args_at) __attribute__((format(printf, format_at, args_at)))

/* Sets `err` to OK with an empty message. */
void sl_error_clear(struct sl_error *err);

/* Stores code and message, replacing what was there, and returns `code`: `return sl_fail(err, SL_NOT_FOUND, ...)`. */
sl_code sl_fail(struct sl_error *err, sl_code code, const char *format, ...) SL_PRINTF(3, 4);
sl_code sl_fail_v(struct sl_error *err, sl_code code, const char *format, va_list args) SL_PRINTF(3, 0);

/* Allocation failure: RESOURCE_EXHAUSTED naming the size in bytes. */
sl_code sl_fail_memory(struct sl_error *err, size_t bytes);

/* Appends to the message of an error that is already set (context such as a node name); keeps the code. */
sl_code sl_error_append(struct sl_error *err, const char *format, ...) SL_PRINTF(2, 3);

/* "INVALID_ARGUMENT" and so on; "UNKNOWN" for a number that is no code. Static string. */
const char *sl_code_name(sl_code code);

/* Returns from the enclosing function when `call` fails. */
#define SL_TRY(call)                                                                                                   \
    do {                                                                                                               \
        sl_code sl_try_code_ = (call);                                                                                 \
        if (sl_try_code_ != SL_OK) return sl_try_code_;                                                                \
    } while (0)

#endif
