/* Text printing: one walk over the message into one growing buffer. */
#include <ctype.h>
#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "proto/map_order.h"
#include "proto/proto_limits.h"
#include "proto/text_format.h"
#include "proto/wire.h"

struct printer {
    char *bytes;
    size_t n, capacity;
    bool one_line;
    struct sl_error *err;
};

static sl_code put(struct printer *o, const char *bytes, size_t n) {
    if (o->n + n > SL_PB_MAX_BYTES) return sl_fail(o->err, SL_INVALID_ARGUMENT, "the text is above 2 GiB");
    if (sl_grow((void **)&o->bytes, &o->capacity, o->n + n + 1, 1)) return sl_fail_memory(o->err, o->n + n + 1);
    memcpy(o->bytes + o->n, bytes, n);
    o->n += n;
    return SL_OK;
}

static sl_code put_c(struct printer *o, const char *text) { return put(o, text, strlen(text)); }

static sl_code indent(struct printer *o, int level) {
    static const char spaces[] = "                                ";
    size_t left = o->one_line ? 0 : 2 * (size_t)level;
    for (size_t n; left; left -= n) {
        n = left < sizeof spaces - 1 ? left : sizeof spaces - 1;
        SL_TRY(put(o, spaces, n));
    }
    return SL_OK;
}

static sl_code end_line(struct printer *o) { return put(o, o->one_line ? " " : "\n", 1); }

/* ---- scalars ---- */

/* Lays out "d.ddde±x" digits as Python does: plain between 1e-4 and 1e16, always with a point or an exponent. */
static void lay_out(char *out, size_t size, const char *scientific) {
    const char *e = strchr(scientific, 'e');
    const char *sign = *scientific == '-' ? "-" : "";
    char digits[32];
    int n = 0, exponent = (int)strtol(e + 1, NULL, 10);
    for (const char *p = scientific; p < e; p++)
        if (*p >= '0' && *p <= '9') digits[n++] = *p;
    while (n > 1 && digits[n - 1] == '0') n--;
    if (exponent < -4 || exponent >= 16)
        snprintf(out, size, "%s%c%s%.*se%+03d", sign, digits[0], n > 1 ? "." : "", n - 1, digits + 1, exponent);
    else if (exponent < 0) snprintf(out, size, "%s0.%.*s%.*s", sign, -exponent - 1, "000", n, digits);
    else if (n <= exponent + 1)
        snprintf(out, size, "%s%.*s%.*s.0", sign, n, digits, exponent + 1 - n, "0000000000000000");
    else snprintf(out, size, "%s%.*s.%.*s", sign, exponent + 1, digits, n - exponent - 1, digits + exponent + 1);
}

static sl_code put_number(struct printer *o, double value, bool is_float) {
    if (isnan(value)) return put_c(o, "nan");
    if (isinf(value)) return put_c(o, value < 0 ? "-inf" : "inf");
    char digits[40], text[64];
    /* The first precision that reads back is the shortest. Below 6 and 15 digits normal numbers only gain zeros at the
     * end; subnormal doubles have fewer digits to begin with (protobuf gives subnormal floats 6 all the same). */
    int precision = is_float ? 6 : fabs(value) < DBL_MIN ? 1 : 15, most = is_float ? 9 : 17;
    for (; precision <= most; precision++) {
        snprintf(digits, sizeof digits, "%.*e", precision - 1, value);
        double back = strtod(digits, NULL);
        if (is_float ? (float)back == (float)value : back == value) break;
    }
    lay_out(text, sizeof text, digits);
    return put_c(o, text);
}

/* `raw` leaves bytes above 0x7f as they are. */
static sl_code put_quoted(struct printer *o, struct sl_str s, bool raw) {
    SL_TRY(put(o, "\"", 1));
    size_t done = 0;
    for (size_t i = 0; i < s.n; i++) {
        unsigned char c = (unsigned char)s.p[i];
        char escape[8];
        const char *named = strchr("\n\r\t\"'\\", c);
        if (c >= 0x80 ? raw : c >= 0x20 && c != 0x7f && !named) continue;
        if (c && named) snprintf(escape, sizeof escape, "\\%c", "nrt\"'\\"[named - "\n\r\t\"'\\"]);
        else snprintf(escape, sizeof escape, "\\%03o", c);
        if (i > done) SL_TRY(put(o, s.p + done, i - done));
        SL_TRY(put_c(o, escape));
        done = i + 1;
    }
    if (s.n > done) SL_TRY(put(o, s.p + done, s.n - done));
    return put(o, "\"", 1);
}

static sl_code put_scalar(struct printer *o, const struct sl_pb_field *field, const char *slot) {
    char text[32];
    double d;
    float f;
    struct sl_str s;
    switch (field->kind) {
    case SL_PB_DOUBLE: memcpy(&d, slot, sizeof d); return put_number(o, d, false);
    case SL_PB_FLOAT: memcpy(&f, slot, sizeof f); return put_number(o, (double)f, true);
    case SL_PB_BOOL: return put_c(o, *(const sl_pb_slot_bool *)(const void *)slot ? "true" : "false");
    case SL_PB_STRING:
    case SL_PB_BYTES:
        s = sl_pb_load_str(slot);
        return put_quoted(o, s, field->kind == SL_PB_STRING && sl_utf8_valid(s));
    case SL_PB_INT64:
    case SL_PB_SINT64: snprintf(text, sizeof text, "%lld", (long long)*(const sl_pb_slot64 *)(const void *)slot); break;
    case SL_PB_UINT64:
    case SL_PB_FIXED64:
        snprintf(text, sizeof text, "%llu", (unsigned long long)*(const sl_pb_slot64 *)(const void *)slot);
        break;
    case SL_PB_UINT32:
    case SL_PB_FIXED32: snprintf(text, sizeof text, "%u", *(const sl_pb_slot32 *)(const void *)slot); break;
    default: {
        int32_t number = (int32_t) * (const sl_pb_slot32 *)(const void *)slot;
        const char *name = field->kind == SL_PB_ENUM ? sl_pb_enum_name(&sl_pb_enums[field->sub], number) : NULL;
        if (name) return put_c(o, name);
        snprintf(text, sizeof text, "%d", number);
    }
    }
    return put_c(o, text);
}

/* ---- messages ---- */

static sl_code print_fields(struct printer *o, const struct sl_pb_message *type, const char *message, int depth);

static sl_code print_block(struct printer *o, const struct sl_pb_message *type, const char *message, int depth) {
    SL_TRY(put_c(o, " {"));
    SL_TRY(end_line(o));
    SL_TRY(print_fields(o, type, message, depth + 1));
    SL_TRY(indent(o, depth));
    SL_TRY(put(o, "}", 1));
    return end_line(o);
}

static sl_code print_value(struct printer *o, const struct sl_pb_field *field, const char *slot, int depth) {
    SL_TRY(indent(o, depth));
    SL_TRY(put_c(o, sl_pb_name(field->name)));
    if (field->kind == SL_PB_MESSAGE) return print_block(o, &sl_pb_messages[field->sub], slot, depth);
    SL_TRY(put(o, ": ", 2));
    SL_TRY(put_scalar(o, field, slot));
    return end_line(o);
}

static sl_code print_map(struct printer *o, const struct sl_pb_field *field, const struct sl_pb_array *map, int depth) {
    uint32_t *order = map->n > UINT32_MAX ? NULL : sl_malloc(map->n * sizeof *order);
    if (!order) return sl_fail_memory(o->err, map->n * sizeof *order);
    size_t count = sl_pb_map_order(order, field, map);
    sl_code code = SL_OK;
    for (size_t i = 0; i < count && code == SL_OK; i++)
        code = print_value(o, field, map->items + order[i] * (size_t)field->size, depth);
    sl_free(order);
    return code;
}

static sl_code print_repeated(struct printer *o, const struct sl_pb_field *field, const struct sl_pb_array *array,
                              int depth) {
    for (size_t i = 0; i < array->n; i++) SL_TRY(print_value(o, field, array->items + i * field->size, depth));
    return SL_OK;
}

/* The message an Any's "host/package.Message" names, NULL when unknown or not fit to be printed between brackets. */
static const struct sl_pb_message *type_of_url(struct sl_str url) {
    size_t name = 0;
    for (size_t i = 0; i < url.n; i++) {
        unsigned char c = (unsigned char)url.p[i];
        if (c == '/') name = i + 1;
        else if (!isalnum(c) && c != '_' && c != '.' && c != '-') return NULL;
    }
    return name ? sl_pb_message_by_name((struct sl_str){url.p + name, url.n - name}) : NULL;
}

/* Prints what an Any holds as "[type_url] { ... }". `*done` stays false when the tables do not know it. */
static sl_code print_any(struct printer *o, bool *done, const struct sl_pb_Any *any, int depth) {
    const struct sl_pb_message *type = type_of_url(any->type_url);
    if (!type) return SL_OK;
    struct sl_arena arena;
    sl_arena_init(&arena);
    char *held = sl_arena_alloc(&arena, type->size);
    sl_code code = SL_OK;
    if (!held) {
        code = sl_fail_memory(o->err, type->size);
    } else if (sl_pb_decode(held, type, any->value, &arena, NULL) == SL_OK) {
        *done = true;
        if ((code = indent(o, depth)) == SL_OK && (code = put(o, "[", 1)) == SL_OK &&
            (code = put(o, any->type_url.p, any->type_url.n)) == SL_OK && (code = put(o, "]", 1)) == SL_OK)
            code = print_block(o, type, held, depth);
    }
    sl_arena_clear(&arena);
    return code;
}

static sl_code print_fields(struct printer *o, const struct sl_pb_message *type, const char *message, int depth) {
    if (depth > SL_PB_MAX_DEPTH)
        return sl_fail(o->err, SL_INVALID_ARGUMENT, "%s: messages are nested too deeply", sl_pb_name(type->name));
    if (type == SL_PB_TYPE(Any)) {
        bool done = false;
        SL_TRY(print_any(o, &done, (const struct sl_pb_Any *)(const void *)message, depth));
        if (done) return SL_OK;
    }
    const struct sl_pb_field *field = &sl_pb_fields[type->first_field], *end = field + type->field_count;
    for (; field < end; field++) {
        const char *slot = message + field->offset;
        if (field->label == SL_PB_REPEATED) SL_TRY(print_repeated(o, field, sl_pb_array_at(slot), depth));
        else if (field->label == SL_PB_MAP && sl_pb_array_at(slot)->n)
            SL_TRY(print_map(o, field, sl_pb_array_at(slot), depth));
        else if (field->label != SL_PB_MAP && sl_pb_has(type, field, message))
            SL_TRY(print_value(o, field, sl_pb_value_at(field, slot), depth));
    }
    return SL_OK;
}

static sl_code print_all(struct sl_str *out, struct printer *o, const struct sl_pb_message *type, const void *message,
                         struct sl_arena *arena) {
    SL_TRY(put(o, "", 0));
    SL_TRY(print_fields(o, type, message, 0));
    if (o->one_line && o->n) o->n--;
    o->bytes[o->n] = 0;
    struct sl_str text = {o->bytes, o->n};
    if (arena) {
        text = sl_arena_str(arena, text);
        if (!text.p) return sl_fail_memory(o->err, o->n + 1);
    } else {
        o->bytes = NULL;
    }
    *out = text;
    return SL_OK;
}

sl_code sl_pb_text_print(struct sl_str *out, const struct sl_pb_message *type, const void *message, unsigned flags,
                         struct sl_arena *arena, struct sl_error *err) {
    struct printer o = {.one_line = flags & SL_PB_ONE_LINE, .err = err};
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0); /* a decimal point is a point */
    if (!plain) return sl_fail_memory(err, 0);
    locale_t callers = uselocale(plain);
    sl_code code = print_all(out, &o, type, message, arena);
    uselocale(callers);
    freelocale(plain);
    sl_free(o.bytes);
    return code;
}
