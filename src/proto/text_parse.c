/* Text parsing: one recursion per level of messages, over the tokens of text_tokens.c. */
#include <float.h>
#include <locale.h>

#include "proto/memory_layout.h"
#include "proto/proto_limits.h"
#include "proto/text_format.h"
#include "proto/text_tokens.h"
#include "proto/wire.h"

/* Which singular fields of a message have been set: a second time is an error. */
struct seen {
    uint64_t bits[4];
};

static sl_code parse_fields(struct sl_text_tokens *t, char *message, const struct sl_pb_message *type, char close,
                            int depth);

/* ---- values ---- */

static sl_code parse_message(struct sl_text_tokens *t, char *message, const struct sl_pb_message *type, int depth) {
    bool brace, angle = false;
    if (depth == SL_PB_MAX_DEPTH) return sl_text_fail(t, "Messages are nested too deeply.");
    SL_TRY(sl_text_accept(t, '{', &brace));
    if (!brace) SL_TRY(sl_text_accept(t, '<', &angle));
    if (!brace && !angle) return sl_text_expect(t, '{');
    return parse_fields(t, message, type, brace ? '}' : '>', depth + 1);
}

static sl_code parse_enum(struct sl_text_tokens *t, char *slot, const struct sl_pb_field *field) {
    const struct sl_pb_enum *type = &sl_pb_enums[field->sub];
    int32_t number;
    if (t->kind == SL_TEXT_NAME) {
        if (!sl_pb_enum_number(&number, type, t->token))
            return sl_text_fail(t, "Enum type \"%s\" has no value named %.*s.", sl_pb_name(type->name),
                                SL_TEXT_EXCERPT(t->token));
        SL_TRY(sl_text_next(t));
    } else {
        int64_t v;
        SL_TRY(sl_text_signed(t, &v, INT32_MIN, INT32_MAX));
        number = (int32_t)v;
    }
    memcpy(slot, &number, sizeof number);
    return SL_OK;
}

static sl_code parse_string(struct sl_text_tokens *t, char *slot, const struct sl_pb_field *field) {
    struct sl_text_tokens first = *t;
    struct sl_str s;
    SL_TRY(sl_text_string(t, &s));
    if (field->kind == SL_PB_STRING && !sl_utf8_valid(s))
        return sl_text_fail(&first, "Field \"%s\": the string is not valid UTF-8.", sl_pb_name(field->name));
    memcpy(slot, &s, sizeof s);
    return SL_OK;
}

static sl_code parse_number(struct sl_text_tokens *t, char *slot, const struct sl_pb_field *field) {
    union {
        double d;
        float f;
        int64_t i;
        uint64_t u;
        bool b;
    } v;
    switch (field->kind) {
    case SL_PB_DOUBLE: SL_TRY(sl_text_double(t, &v.d)); break;
    case SL_PB_FLOAT:
        SL_TRY(sl_text_double(t, &v.d));
        v.f = (float)v.d;
        break;
    case SL_PB_BOOL: SL_TRY(sl_text_bool(t, &v.b)); break;
    case SL_PB_INT32: SL_TRY(sl_text_signed(t, &v.i, INT32_MIN, INT32_MAX)); break;
    case SL_PB_INT64:
    case SL_PB_SINT64: SL_TRY(sl_text_signed(t, &v.i, INT64_MIN, INT64_MAX)); break;
    case SL_PB_UINT32:
    case SL_PB_FIXED32: SL_TRY(sl_text_unsigned(t, &v.u, UINT32_MAX)); break;
    default: SL_TRY(sl_text_unsigned(t, &v.u, UINT64_MAX)); break;
    }
    memcpy(slot, &v, field->size); /* the low bytes come first */
    return SL_OK;
}

static sl_code parse_value(struct sl_text_tokens *t, char *slot, const struct sl_pb_field *field, int depth) {
    switch (field->kind) {
    case SL_PB_MESSAGE: return parse_message(t, slot, &sl_pb_messages[field->sub], depth);
    case SL_PB_STRING:
    case SL_PB_BYTES: return parse_string(t, slot, field);
    case SL_PB_ENUM: return parse_enum(t, slot, field);
    default: return parse_number(t, slot, field);
    }
}

/* ---- fields ---- */

static sl_code parse_element(struct sl_text_tokens *t, struct sl_pb_array *array, const struct sl_pb_field *field,
                             int depth) {
    size_t capacity = sl_pb_array_capacity(array), size = field->size;
    if (array->n == capacity) {
        capacity = capacity ? 2 * capacity : 4;
        size_t bytes = sizeof(struct sl_pb_array_head) + capacity * size; /* a token a value bounds the count */
        struct sl_pb_array_head *head = sl_arena_alloc(t->arena, bytes);
        if (!head) return sl_fail_memory(t->err, bytes);
        head->capacity = capacity;
        if (array->n) memcpy(head + 1, array->items, array->n * size);
        array->items = (char *)(head + 1);
    }
    char *slot = array->items + array->n * size;
    memset(slot, 0, size);
    SL_TRY(parse_value(t, slot, field, depth));
    array->n++;
    return SL_OK;
}

/* One value, or "[a, b]". */
static sl_code parse_repeated(struct sl_text_tokens *t, struct sl_pb_array *array, const struct sl_pb_field *field,
                              int depth) {
    bool list, more;
    SL_TRY(sl_text_accept(t, '[', &list));
    if (!list) return parse_element(t, array, field, depth);
    SL_TRY(sl_text_accept(t, ']', &more));
    if (more) return SL_OK; /* empty */
    do {
        SL_TRY(parse_element(t, array, field, depth));
        SL_TRY(sl_text_accept(t, ',', &more));
    } while (more);
    return sl_text_expect(t, ']');
}

static sl_code parse_singular(struct sl_text_tokens *t, char *message, const struct sl_pb_message *type,
                              const struct sl_pb_field *field, int depth) {
    char *slot = message + field->offset;
    if (field->kind == SL_PB_MESSAGE && field->label != SL_PB_INLINE) {
        char *fresh = sl_arena_zalloc(t->arena, field->size);
        if (!fresh) return sl_fail_memory(t->err, field->size);
        *(sl_pb_slot_pointer *)(void *)slot = fresh;
        slot = fresh;
    }
    if (field->label == SL_PB_ONEOF) *(sl_pb_slot_which *)(void *)(message + type->which) = field->number;
    return parse_value(t, slot, field, depth);
}

/* Refuses a field that is set already, and a second member of a oneof. `name` is the field's name token. */
static sl_code check_once(const struct sl_text_tokens *name, struct seen *seen, const char *message,
                          const struct sl_pb_message *type, const struct sl_pb_field *field) {
    size_t index = (size_t)(field - &sl_pb_fields[type->first_field]);
    uint64_t bit = UINT64_C(1) << (index % 64);
    if (seen->bits[index / 64] & bit)
        return sl_text_fail(name, "Message type \"%s\" should not have multiple \"%s\" fields.", sl_pb_name(type->name),
                            sl_pb_name(field->name));
    seen->bits[index / 64] |= bit;
    if (field->label != SL_PB_ONEOF) return SL_OK;
    int which = *(const sl_pb_slot_which *)(const void *)(message + type->which);
    const struct sl_pb_field *other = which ? sl_pb_field_by_number(type, (uint32_t)which) : NULL;
    if (!other) return SL_OK;
    return sl_text_fail(name, "Field \"%s\" is specified along with field \"%s\", another member of a oneof of \"%s\".",
                        sl_pb_name(field->name), sl_pb_name(other->name), sl_pb_name(type->name));
}

static sl_code parse_field(struct sl_text_tokens *t, char *message, const struct sl_pb_message *type, struct seen *seen,
                           int depth) {
    if (t->kind == SL_TEXT_END || t->kind == SL_TEXT_SYMBOL || t->kind == SL_TEXT_STRING)
        return t->kind == SL_TEXT_END
                   ? sl_text_fail(t, "Expected \"}\", found the end.")
                   : sl_text_fail(t, "Expected a field name, found \"%.*s\".", SL_TEXT_EXCERPT(t->token));
    const struct sl_pb_field *field = sl_pb_field_by_name(type, t->token);
    if (!field)
        return sl_text_fail(t, "Message type \"%s\" has no field named \"%.*s\".", sl_pb_name(type->name),
                            SL_TEXT_EXCERPT(t->token));
    struct sl_text_tokens name = *t;
    SL_TRY(sl_text_next(t));
    bool colon;
    SL_TRY(sl_text_accept(t, ':', &colon));
    if (!colon && field->kind != SL_PB_MESSAGE) return sl_text_expect(t, ':');
    if (field->label == SL_PB_REPEATED || field->label == SL_PB_MAP)
        return parse_repeated(t, (struct sl_pb_array *)(void *)(message + field->offset), field, depth);
    SL_TRY(check_once(&name, seen, message, type, field));
    return parse_singular(t, message, type, field, depth);
}

/* "[type.googleapis.com/NAME] { ... }" within an Any, at the '['; in any other message an extension, which ours have
 * not. */
static sl_code parse_bracket(struct sl_text_tokens *t, char *message, const struct sl_pb_message *type, int depth) {
    struct sl_text_tokens bracket = *t;
    struct sl_str url, name;
    SL_TRY(sl_text_bracketed(t, &url));
    if (type != SL_PB_TYPE(Any))
        return sl_text_fail(&bracket, "Message type \"%s\" does not have extensions.", sl_pb_name(type->name));
    const char *slash = url.n ? memrchr(url.p, '/', url.n) : NULL;
    name = slash ? (struct sl_str){slash + 1, (size_t)(url.p + url.n - slash - 1)} : (struct sl_str){NULL, 0};
    const struct sl_pb_message *held = sl_pb_message_by_name(name);
    if (!held)
        return sl_text_fail(&bracket, "Type \"%.*s\" in a google.protobuf.Any is not known.", SL_TEXT_EXCERPT(url));
    struct sl_pb_Any *any = (struct sl_pb_Any *)(void *)message;
    if (any->type_url.n || any->value.n) return sl_text_fail(&bracket, "A google.protobuf.Any is given twice.");
    bool colon;
    SL_TRY(sl_text_accept(t, ':', &colon));
    char *inner = sl_arena_zalloc(t->arena, held->size);
    if (!inner) return sl_fail_memory(t->err, held->size);
    SL_TRY(parse_message(t, inner, held, depth));
    any->type_url = url;
    return sl_pb_encode(&any->value, held, inner, SL_PB_SORT_MAPS, t->arena, t->err);
}

/* Fields up to and with the closing symbol, or up to the end of the text when `close` is 0. */
static sl_code parse_fields(struct sl_text_tokens *t, char *message, const struct sl_pb_message *type, char close,
                            int depth) {
    struct seen seen = {{0}};
    for (;;) {
        if (close ? sl_text_is(t, close) : t->kind == SL_TEXT_END) return close ? sl_text_next(t) : SL_OK;
        if (sl_text_is(t, '[')) SL_TRY(parse_bracket(t, message, type, depth));
        else SL_TRY(parse_field(t, message, type, &seen, depth));
        bool separator;
        SL_TRY(sl_text_accept(t, ',', &separator));
        if (!separator) SL_TRY(sl_text_accept(t, ';', &separator));
    }
}

sl_code sl_pb_text_parse(void *message, const struct sl_pb_message *type, struct sl_str text, struct sl_arena *arena,
                         struct sl_error *err) {
    memset(message, 0, type->size);
    if (text.n > SL_PB_MAX_BYTES)
        return sl_fail(err, SL_INVALID_ARGUMENT, "%s: %zu bytes are more than a text may have (2 GiB)",
                       sl_pb_name(type->name), text.n);
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0); /* a decimal point is a point, letters are ASCII */
    if (!plain) return sl_fail_memory(err, 0);
    locale_t callers = uselocale(plain);
    struct sl_text_tokens t = {.arena = arena, .err = err};
    sl_code code = sl_text_open(&t, text);
    if (code == SL_OK) code = parse_fields(&t, message, type, 0, 0);
    uselocale(callers);
    freelocale(plain);
    return code;
}
