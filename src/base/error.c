/* Error formatting. A message that does not fit is cut and ends in "...", so that it stays readable. */
#include "base/error.h"

#include <stdio.h>
#include <string.h>

static void put_v(char *at, size_t room, const char *format, va_list args) {
    int n = vsnprintf(at, room, format, args);
    if (n >= 0 && (size_t)n >= room && room > 4) memcpy(at + room - 4, "...", 4);
}

void sl_error_clear(struct sl_error *err) {
    if (!err) return;
    err->code = SL_OK;
    err->message[0] = 0;
}

sl_code sl_fail_v(struct sl_error *err, sl_code code, const char *format, va_list args) {
    if (!err) return code;
    err->code = code;
    put_v(err->message, sizeof err->message, format, args);
    return code;
}

sl_code sl_fail(struct sl_error *err, sl_code code, const char *format, ...) {
    va_list args;
    va_start(args, format);
    sl_fail_v(err, code, format, args);
    va_end(args);
    return code;
}

sl_code sl_fail_memory(struct sl_error *err, size_t bytes) {
    return sl_fail(err, SL_RESOURCE_EXHAUSTED, "out of memory: could not allocate %zu bytes", bytes);
}

sl_code sl_error_append(struct sl_error *err, const char *format, ...) {
    if (!err) return SL_UNKNOWN;
    size_t used = strlen(err->message);
    va_list args;
    va_start(args, format);
    put_v(err->message + used, sizeof err->message - used, format, args);
    va_end(args);
    return err->code;
}

const char *sl_code_name(sl_code code) {
    switch (code) {
#define SL_CODE(name, number)                                                                                          \
    case SL_##name:                                                                                                    \
        return #name;
#include "base/code.def"
#undef SL_CODE
    }
    return "UNKNOWN";
}
