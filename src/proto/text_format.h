/* Protobuf's text format, as `.pbtxt` files have it: print and parse any message of the tables. Thread-safe (no state);
 * independent of the locale. Format: protobuf.dev/reference/protobuf/textformat-spec. Limits: proto/proto_limits.h. */
#ifndef SL_PROTO_TEXT_FORMAT_H
#define SL_PROTO_TEXT_FORMAT_H

#include "base/arena.h"
#include "base/error.h"
#include "proto/gen/messages.h"

enum {
    SL_PB_ONE_LINE = 1 /* fields separated by one space instead of line ends, nothing at the end */
};

/* Prints `message`, a struct of `type`: fields by number, maps by key, two spaces a level, "name: value" lines and
 * "name {" blocks; the bytes are those that protobuf's Python library prints. Numbers are the shortest that read back
 * as the same value. An Any of a message that the tables know is printed expanded. Unknown fields are left out.
 * `out->p` is NUL-terminated (not counted), in `arena`, or, with a NULL arena, from sl_malloc: free it with
 * sl_free((void *)out->p). INVALID_ARGUMENT when the message is too deep or the text passes 2 GiB;
 * RESOURCE_EXHAUSTED. */
sl_code sl_pb_text_print(struct sl_str *out, const struct sl_pb_message *type, const void *message, unsigned flags,
                         struct sl_arena *arena, struct sl_error *err);

/* Parses `text` into `*message`, a struct of `type`, which is zeroed first. Strings without escapes point into `text`,
 * which must outlive the message; all else is in `arena`. Accepted: `{}` and `<>`, `:` or not before a message,
 * `[a, b]` lists, `,` or `;` after a field, adjacent strings, both quotes, every escape, `#` comments, enums by name or
 * number, `[type.googleapis.com/NAME] { ... }` in an Any.
 * Errors are INVALID_ARGUMENT, "LINE:COLUMN : what" (both from 1, columns in bytes): unknown fields and enum names, a
 * singular field or a oneof set twice, numbers out of range, bad UTF-8 in a `string`, depth. RESOURCE_EXHAUSTED. */
sl_code sl_pb_text_parse(void *message, const struct sl_pb_message *type, struct sl_str text, struct sl_arena *arena,
                         struct sl_error *err);

#endif
