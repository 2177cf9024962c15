/* Error formatting. A message that does not fit is cut and ends in "...", so that it stays readable. */
#include "base/error.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/error_place.h"

static void put_v(char *at, size_t room, const char *format, va_list args) {
    int n = vsnprintf(at, room, format, args);
    if (n >= 0 && (size_t)n >= room && room > 4) memcpy(at + room - 4, "...", 4);
}

/* Where the place begins, and how much room it has; 0: none. */
static char *place_of(size_t *room, struct sl_error *err) {
    const size_t used = strlen(err->message) + 1;
    *room = sizeof err->message - used;
    return err->message + used;
}

static void empty_place(struct sl_error *err) {
    size_t room;
    char *place = place_of(&room, err);
    if (room) *place = 0;
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
    empty_place(err);
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
    const size_t used = strlen(err->message);
    char place[SL_ERROR_MESSAGE_MAX];
    va_list args;
    snprintf(place, sizeof place, "%s", sl_error_place(err));
    va_start(args, format);
    put_v(err->message + used, sizeof err->message - used, format, args);
    va_end(args);
    empty_place(err);
    if (place[0]) sl_error_add_place(err, "%s", place);
    return err->code;
}

void sl_error_add_place(struct sl_error *err, const char *format, ...) {
    size_t room;
    if (!err || !err->message[0]) return;
    char *place = place_of(&room, err);
    if (!room) return;
    const size_t used = strlen(sl_error_place(err));
    va_list args;
    va_start(args, format);
    put_v(place + used, room - used, format, args);
    va_end(args);
}

const char *sl_error_place(const struct sl_error *err) {
    const size_t used = strlen(err->message) + 1, room = sizeof err->message - used;
    const bool is_set = used > 1 && room && memchr(err->message + used, 0, room); /* an empty message has none */
    return is_set ? err->message + used : "";
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
