/* Walks descriptors in their encoded form: they are read once for each field that an op names, which is seldom. */
#include "formats/message_type.h"

#include <stdlib.h>

/* ---- fields of messages */

bool sl_wire_varint(uint64_t *out, struct sl_str *rest) {
    uint64_t value = 0;
    for (unsigned i = 0; i < 10 && i < rest->n; i++) {
        const unsigned char byte = (unsigned char)rest->p[i];
        value |= (uint64_t)(byte & 127) << 7 * i;
        if (byte < 128) {
            *out = value;
            *rest = (struct sl_str){rest->p + i + 1, rest->n - i - 1};
            return true;
        }
    }
    return false;
}

static bool take_fixed(uint64_t *out, struct sl_str *rest, size_t n) {
    if (rest->n < n) return false;
    *out = 0;
    for (size_t i = 0; i < n; i++) *out |= (uint64_t)(unsigned char)rest->p[i] << 8 * i;
    *rest = (struct sl_str){rest->p + n, rest->n - n};
    return true;
}

static bool take_one(struct sl_wire_field *f, struct sl_str *rest) {
    uint64_t tag, n;
    if (!sl_wire_varint(&tag, rest) || tag >> 3 == 0 || tag > UINT32_MAX) return false;
    f->number = (uint32_t)(tag >> 3);
    f->kind = (enum sl_wire_kind)(tag & 7);
    switch (f->kind) {
    case SL_WIRE_VARINT: return sl_wire_varint(&f->bits, rest);
    case SL_WIRE_FIXED64: return take_fixed(&f->bits, rest, 8);
    case SL_WIRE_FIXED32: return take_fixed(&f->bits, rest, 4);
    case SL_WIRE_BYTES:
        if (!sl_wire_varint(&n, rest) || n > rest->n) return false;
        f->bytes = (struct sl_str){rest->p, (size_t)n};
        *rest = (struct sl_str){rest->p + n, rest->n - (size_t)n};
        return true;
    case SL_WIRE_GROUP:
    case SL_WIRE_GROUP_END: return true;
    default: return false;
    }
}

bool sl_wire_next(struct sl_wire_field *f, struct sl_str *rest) {
    struct sl_wire_field inner = {0};
    *f = inner;
    if (!take_one(f, rest) || f->kind == SL_WIRE_GROUP_END) return false;
    for (uint64_t depth = f->kind == SL_WIRE_GROUP; depth;) {
        if (!take_one(&inner, rest)) return false;
        depth += (uint64_t)(inner.kind == SL_WIRE_GROUP) - (inner.kind == SL_WIRE_GROUP_END);
    }
    return true;
}

/* ---- descriptors: numbers of their fields */

enum { SET_FILE = 1 };
enum { FILE_PACKAGE = 2, FILE_MESSAGE = 4, FILE_ENUM = 5, FILE_SYNTAX = 12 };
enum {
    TYPE_NAME = 1,
    TYPE_FIELD = 2,
    TYPE_NESTED = 3,
    TYPE_ENUM = 4
}; /* a message's; an enum's values are its field 2, too */
enum { VALUE_NAME = 1, VALUE_NUMBER = 2 };
enum {
    FIELD_NAME = 1,
    FIELD_NUMBER = 3,
    FIELD_LABEL = 4,
    FIELD_TYPE = 5,
    FIELD_TYPE_NAME = 6,
    FIELD_DEFAULT = 7,
    FIELD_OPTIONS = 8
};
enum { LABEL_REPEATED = 3, OPTION_PACKED = 2 };

/* The last field `number` of a message; false when it has none. */
static bool last_field(struct sl_wire_field *out, struct sl_str message, uint32_t number) {
    struct sl_wire_field f;
    bool found = false;
    while (message.n && sl_wire_next(&f, &message))
        if (f.number == number) {
            *out = f;
            found = true;
        }
    return found;
}
static struct sl_str text_field(struct sl_str message, uint32_t number) {
    struct sl_wire_field f;
    return last_field(&f, message, number) && f.kind == SL_WIRE_BYTES ? f.bytes : (struct sl_str){0};
}
static uint64_t number_field(struct sl_str message, uint32_t number) {
    struct sl_wire_field f;
    return last_field(&f, message, number) && f.kind == SL_WIRE_VARINT ? f.bits : 0;
}

/* The message among the fields `number` of `in` whose own field 1 is `name`. */
static bool child_named(struct sl_str *out, struct sl_str in, uint32_t number, struct sl_str name) {
    struct sl_wire_field f;
    while (in.n && sl_wire_next(&f, &in))
        if (f.number == number && f.kind == SL_WIRE_BYTES && sl_str_eq(text_field(f.bytes, TYPE_NAME), name)) {
            *out = f.bytes;
            return true;
        }
    return false;
}

static struct sl_str first_word(struct sl_str path) {
    const char *dot = path.n ? memchr(path.p, '.', path.n) : NULL;
    return (struct sl_str){path.p, dot ? (size_t)(dot - path.p) : path.n};
}

/* What `path` names in one file: a message, or with `is_enum` an enum. */
static bool find_in_file(struct sl_str *out, struct sl_str file, struct sl_str path, bool is_enum) {
    const struct sl_str package = text_field(file, FILE_PACKAGE);
    if (package.n) {
        if (!sl_str_starts(path, package) || path.n <= package.n || path.p[package.n] != '.') return false;
        path = (struct sl_str){path.p + package.n + 1, path.n - package.n - 1};
    }
    for (bool is_top = true;; is_top = false) {
        const struct sl_str word = first_word(path);
        if (word.n == path.n && is_enum) return child_named(out, file, is_top ? FILE_ENUM : TYPE_ENUM, word);
        if (!child_named(&file, file, is_top ? FILE_MESSAGE : TYPE_NESTED, word)) return false;
        if (word.n == path.n) break;
        path = (struct sl_str){path.p + word.n + 1, path.n - word.n - 1};
    }
    *out = file;
    return true;
}
/* `file` becomes the file that has it. */
static bool find_path(struct sl_str *out, struct sl_str *file, struct sl_str set, struct sl_str path, bool is_enum) {
    struct sl_wire_field f;
    while (set.n && sl_wire_next(&f, &set))
        if (f.number == SET_FILE && f.kind == SL_WIRE_BYTES && find_in_file(out, f.bytes, path, is_enum)) {
            *file = f.bytes;
            return true;
        }
    return false;
}

/* ---- types and defaults */

static const struct {
    const char *name;
    enum sl_wire_kind kind;
} types[] = {
    [SL_FIELD_DOUBLE] = {"double", SL_WIRE_FIXED64},     [SL_FIELD_FLOAT] = {"float", SL_WIRE_FIXED32},
    [SL_FIELD_INT64] = {"int64", SL_WIRE_VARINT},        [SL_FIELD_UINT64] = {"uint64", SL_WIRE_VARINT},
    [SL_FIELD_INT32] = {"int32", SL_WIRE_VARINT},        [SL_FIELD_FIXED64] = {"fixed64", SL_WIRE_FIXED64},
    [SL_FIELD_FIXED32] = {"fixed32", SL_WIRE_FIXED32},   [SL_FIELD_BOOL] = {"bool", SL_WIRE_VARINT},
    [SL_FIELD_STRING] = {"string", SL_WIRE_BYTES},       [SL_FIELD_GROUP] = {"group", SL_WIRE_GROUP},
    [SL_FIELD_MESSAGE] = {"message", SL_WIRE_BYTES},     [SL_FIELD_BYTES] = {"bytes", SL_WIRE_BYTES},
    [SL_FIELD_UINT32] = {"uint32", SL_WIRE_VARINT},      [SL_FIELD_ENUM] = {"enum", SL_WIRE_VARINT},
    [SL_FIELD_SFIXED32] = {"sfixed32", SL_WIRE_FIXED32}, [SL_FIELD_SFIXED64] = {"sfixed64", SL_WIRE_FIXED64},
    [SL_FIELD_SINT32] = {"sint32", SL_WIRE_VARINT},      [SL_FIELD_SINT64] = {"sint64", SL_WIRE_VARINT},
};
const char *sl_field_type_name(enum sl_field_type type) { return types[type].name; }
enum sl_wire_kind sl_field_wire_kind(enum sl_field_type type) { return types[type].kind; }

/* Undoes C's escapes, in place. */
static void unescape(struct sl_str *s, char *text) {
    static const char letters[] = "abfnrtv", meant[] = "\a\b\f\n\r\t\v";
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++) {
        char c = text[i];
        if (c == '\\' && i + 1 < s->n) {
            c = text[++i];
            const char *letter = c ? strchr(letters, c) : NULL;
            if (letter) c = meant[letter - letters];
            else if (c >= '0' && c <= '7') {
                unsigned value = 0;
                size_t digits = 0;
                for (; digits < 3 && i + digits < s->n && text[i + digits] >= '0' && text[i + digits] <= '7'; digits++)
                    value = value * 8 + (unsigned)(text[i + digits] - '0');
                i += digits - 1;
                c = (char)(value & 0xff);
            }
        }
        text[n++] = c;
    }
    *s = (struct sl_str){text, n};
}

static uint64_t enum_default(struct sl_str set, struct sl_str type, struct sl_str name) {
    struct sl_str descriptor, file, value;
    struct sl_wire_field f;
    if (type.n && type.p[0] == '.') type = (struct sl_str){type.p + 1, type.n - 1};
    if (!find_path(&descriptor, &file, set, type, true)) return 0;
    if (name.n) return child_named(&value, descriptor, TYPE_FIELD, name) ? number_field(value, VALUE_NUMBER) : 0;
    while (descriptor.n && sl_wire_next(&f, &descriptor)) /* the first */
        if (f.number == TYPE_FIELD && f.kind == SL_WIRE_BYTES) return number_field(f.bytes, VALUE_NUMBER);
    return 0;
}

static sl_code read_default(struct sl_message_field *f, struct sl_str field, struct sl_str set, struct sl_arena *arena,
                            struct sl_error *err) {
    const struct sl_str text = sl_arena_str(arena, text_field(field, FIELD_DEFAULT)); /* NUL-terminated */
    if (!text.p) return sl_fail_memory(err, 1);
    switch (f->type) {
    case SL_FIELD_STRING:
    case SL_FIELD_BYTES:
        f->text = text;
        if (f->type == SL_FIELD_BYTES) unescape(&f->text, (char *)(uintptr_t)text.p);
        return SL_OK;
    case SL_FIELD_DOUBLE: {
        const double value = strtod(text.p, NULL);
        memcpy(&f->bits, &value, sizeof value);
        return SL_OK;
    }
    case SL_FIELD_FLOAT: {
        const float value = strtof(text.p, NULL);
        memcpy(&f->bits, &value, sizeof value);
        return SL_OK;
    }
    case SL_FIELD_BOOL: f->bits = sl_str_is(text, "true"); return SL_OK;
    case SL_FIELD_ENUM: f->bits = enum_default(set, text_field(field, FIELD_TYPE_NAME), text); return SL_OK;
    case SL_FIELD_UINT64:
    case SL_FIELD_FIXED64: f->bits = strtoull(text.p, NULL, 10); return SL_OK;
    case SL_FIELD_SINT32:
    case SL_FIELD_SINT64: {
        const int64_t value = strtoll(text.p, NULL, 10);
        f->bits = (uint64_t)value << 1 ^ (uint64_t)(value >> 63);
        return SL_OK;
    }
    default: f->bits = (uint64_t)strtoll(text.p, NULL, 10); return SL_OK;
    }
}

sl_code sl_message_field_find(struct sl_message_field *out, struct sl_str set, struct sl_str type, struct sl_str name,
                              struct sl_arena *arena, struct sl_error *err) {
    struct sl_str message, file, field;
    struct sl_wire_field packed;
    if (!find_path(&message, &file, set, type, false))
        return sl_fail(err, SL_INVALID_ARGUMENT, "No descriptor found for message type %.*s", SL_STR_ARG(type));
    if (!child_named(&field, message, TYPE_FIELD, name))
        return sl_fail(err, SL_INVALID_ARGUMENT, "Unknown field: %.*s in message type %.*s", SL_STR_ARG(name),
                       SL_STR_ARG(type));
    const uint64_t number = number_field(field, FIELD_NUMBER), kind = number_field(field, FIELD_TYPE);
    if (number < 1 || number > UINT32_MAX >> 3 || kind < SL_FIELD_DOUBLE || kind > SL_FIELD_SINT64)
        return sl_fail(err, SL_INVALID_ARGUMENT, "The descriptor of field %.*s of %.*s is malformed", SL_STR_ARG(name),
                       SL_STR_ARG(type));
    *out = (struct sl_message_field){.number = (uint32_t)number, .type = (enum sl_field_type)kind};
    if (out->type == SL_FIELD_GROUP)
        return sl_fail(err, SL_UNIMPLEMENTED, "Field %.*s of %.*s is a group, which is not supported", SL_STR_ARG(name),
                       SL_STR_ARG(type));
    out->is_repeated = number_field(field, FIELD_LABEL) == LABEL_REPEATED;
    if (out->is_repeated && types[out->type].kind != SL_WIRE_BYTES)
        out->is_packed = last_field(&packed, text_field(field, FIELD_OPTIONS), OPTION_PACKED)
                             ? packed.bits != 0
                             : sl_str_is(text_field(file, FILE_SYNTAX), "proto3");
    return read_default(out, field, set, arena, err);
}
