/* A reader that goes down the four levels an Example has, one function each; nothing in it recurses. Names of fields
 * come in both spellings (float_list, floatList); null leaves a field out. */
#include "formats/json_example.h"

#include <math.h>

#include "base/arena.h"
#include "base/vec.h"
#include "formats/number_text.h"
#include "proto/gen/messages.h"
#include "proto/wire.h"
#include "tensor/dtype.h"

enum { IS_NULL = -1 }; /* `which` of a feature that is null: its entry has no value */

struct json {
    const char *start, *at, *end;
    struct sl_arena *arena;
    struct sl_error *err;
};

static sl_code fail(struct json *j, const char *what) {
    return sl_fail(j->err, SL_INVALID_ARGUMENT, "Error while parsing JSON: %s at offset %zu",
                   j->at >= j->end ? "unexpected EOF" : what, (size_t)(j->at - j->start));
}

static char peek(struct json *j) {
    while (j->at < j->end && (*j->at == ' ' || *j->at == '\t' || *j->at == '\n' || *j->at == '\r')) j->at++;
    return j->at < j->end ? *j->at : 0;
}
static bool take(struct json *j, char c) {
    if (peek(j) != c || j->at == j->end) return false;
    j->at++;
    return true;
}
static bool take_word(struct json *j, const char *word) {
    size_t n = strlen(word);
    (void)peek(j);
    if ((size_t)(j->end - j->at) < n || memcmp(j->at, word, n) != 0) return false;
    j->at += n;
    return true;
}

/* ---- strings */

static int hex(const char *p) {
    int value = 0;
    for (int i = 0; i < 4; i++) {
        char c = p[i];
        int digit = c >= '0' && c <= '9'   ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : -1;
        if (digit < 0) return -1;
        value = value * 16 + digit;
    }
    return value;
}

static char *put_utf8(char *to, int c) {
    if (c < 0x80) *to++ = (char)c;
    else if (c < 0x800) *to++ = (char)(0xc0 | c >> 6), *to++ = (char)(0x80 | (c & 63));
    else if (c < 0x10000)
        *to++ = (char)(0xe0 | c >> 12), *to++ = (char)(0x80 | (c >> 6 & 63)), *to++ = (char)(0x80 | (c & 63));
    else
        *to++ = (char)(0xf0 | c >> 18), *to++ = (char)(0x80 | (c >> 12 & 63)), *to++ = (char)(0x80 | (c >> 6 & 63)),
        *to++ = (char)(0x80 | (c & 63));
    return to;
}

/* The character of an escape; j->at is behind the backslash. */
static sl_code read_escape(char **to, struct json *j) {
    static const char from[] = "\"\\/bfnrt", into[] = "\"\\/\b\f\n\r\t";
    if (j->at == j->end) return fail(j, "escape");
    char c = *j->at++;
    const char *found = c ? strchr(from, c) : NULL;
    if (found) {
        *(*to)++ = into[found - from];
        return SL_OK;
    }
    int code = c == 'u' && j->end - j->at >= 4 ? hex(j->at) : -1;
    if (code < 0) return fail(j, "invalid escape");
    j->at += 4;
    if (code >= 0xd800 && code < 0xe000) {
        int low = code < 0xdc00 && j->end - j->at >= 6 && j->at[0] == '\\' && j->at[1] == 'u' ? hex(j->at + 2) : -1;
        if (low < 0xdc00 || low >= 0xe000) return fail(j, "surrogates must come in pairs");
        j->at += 6;
        code = 0x10000 + ((code - 0xd800) << 10) + low - 0xdc00;
    }
    *to = put_utf8(*to, code);
    return SL_OK;
}

static sl_code read_string(struct sl_str *out, struct json *j) {
    if (!take(j, '"')) return fail(j, "expected a string");
    const char *close = j->at;
    while (close < j->end && *close != '"') close += *close == '\\' && close + 1 < j->end ? 2 : 1;
    if (close >= j->end) {
        j->at = j->end;
        return fail(j, "unexpected EOF");
    }
    char *room = sl_arena_alloc(j->arena, (size_t)(close - j->at) + 1), *to = room;
    if (!room) return sl_fail_memory(j->err, (size_t)(close - j->at));
    while (j->at < close) {
        if (*j->at != '\\') {
            *to++ = *j->at++;
            continue;
        }
        j->at++;
        SL_TRY(read_escape(&to, j));
    }
    j->at = close + 1;
    *out = (struct sl_str){room, (size_t)(to - room)};
    return sl_utf8_valid(*out) ? SL_OK : fail(j, "invalid UTF-8");
}

/* ---- objects: `{ "name": value, ... }`. read_name gives the next name, or is done. */

static sl_code read_name(struct sl_str *name, bool *is_done, bool *is_first, struct json *j) {
    *is_done = take(j, '}');
    if (*is_done) return SL_OK;
    if (!*is_first && !take(j, ',')) return fail(j, "expected , or }");
    *is_first = false;
    SL_TRY(read_string(name, j));
    return take(j, ':') ? SL_OK : fail(j, "expected :");
}

static sl_code fail_field(struct json *j, struct sl_str name) {
    return sl_fail(j->err, SL_INVALID_ARGUMENT, "Error while parsing JSON: no such field: '%.*s' at offset %zu",
                   SL_STR_ARG(name), (size_t)(j->at - j->start));
}

/* ---- values */

static int base64_digit(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' || c == '-' ? 62 : c == '/' || c == '_' ? 63 : -1;
}

static sl_code read_bytes(void *to, struct json *j) {
    struct sl_str text, *out = to;
    SL_TRY(read_string(&text, j));
    char *room = (char *)(uintptr_t)text.p; /* the arena's own: what comes out is shorter */
    size_t n = 0;
    uint32_t bits = 0;
    int held = 0;
    while (text.n && text.p[text.n - 1] == '=') text.n--;
    for (size_t i = 0; i < text.n; i++) {
        int digit = base64_digit(text.p[i]);
        if (digit < 0) return fail(j, "invalid base64");
        bits = bits << 6 | (uint32_t)digit;
        held += 6;
        if (held >= 8) room[n++] = (char)(bits >> (held -= 8) & 255);
    }
    *out = (struct sl_str){room, n};
    return SL_OK;
}

/* A number, as it stands or in quotes. */
static sl_code read_number(struct sl_str *text, struct json *j) {
    if (peek(j) == '"') return read_string(text, j);
    const char *from = j->at;
    while (j->at < j->end && *j->at && strchr("+-0123456789.eE", *j->at)) j->at++;
    *text = (struct sl_str){from, (size_t)(j->at - from)};
    return text->n ? SL_OK : fail(j, "expected a number");
}

static sl_code read_float(void *to, struct json *j) {
    struct sl_str text;
    float *out = to;
    SL_TRY(read_number(&text, j));
    if (sl_str_is(text, "NaN")) *out = NAN;
    else if (sl_str_is(text, "Infinity")) *out = INFINITY;
    else if (sl_str_is(text, "-Infinity")) *out = -INFINITY;
    else if (text.n && strchr("+-0123456789.", text.p[0]) && sl_number_read(out, SL_FLOAT, text))
        return isinf(*out) ? fail(j, "number out of range") : SL_OK;
    else return fail(j, "invalid number");
    return SL_OK;
}

static sl_code read_int64(void *to, struct json *j) {
    struct sl_str text;
    int64_t *out = to;
    double number;
    SL_TRY(read_number(&text, j));
    if (sl_number_read(out, SL_INT64, text)) return SL_OK;
    if (!sl_number_read(&number, SL_DOUBLE, text) || !(fabs(number) < 0x1p63) || number != floor(number))
        return fail(j, "invalid number");
    *out = (int64_t)number;
    return SL_OK;
}

/* ---- the levels */

/* `[value, ...]`: `size` bytes each, into the arena. */
static sl_code read_array(void **items, size_t *count, struct json *j, size_t size,
                          sl_code (*read)(void *to, struct json *j)) {
    struct {
        char *items;
        size_t n, cap;
    } all = {0};
    sl_code code = take(j, '[') ? SL_OK : fail(j, "expected [");
    size_t n = 0;
    while (code == SL_OK && !take(j, ']')) {
        if (n && !take(j, ',')) code = fail(j, "expected , or ]");
        else if (sl_grow((void **)&all.items, &all.cap, n + 1, size)) code = sl_fail_memory(j->err, n * size);
        else if (take_word(j, "null")) memset(all.items + n++ * size, 0, size);
        else code = read(all.items + n++ * size, j);
    }
    *items = n && code == SL_OK ? sl_arena_array(j->arena, n, size) : NULL;
    if (n && code == SL_OK && !*items) code = sl_fail_memory(j->err, n * size);
    if (*items) memcpy(*items, all.items, n * size);
    *count = n;
    sl_free(all.items);
    return code;
}

/* `{"value": [...]}` of any of the three lists, which are alike: an array and unknown fields. */
static sl_code read_list(struct sl_pb_Feature *out, struct json *j, int which) {
    static sl_code (*const readers[])(void *, struct json *) = {NULL, read_bytes, read_float, read_int64};
    static const size_t sizes[] = {0, sizeof(struct sl_str), sizeof(float), sizeof(int64_t)};
    struct sl_str name;
    bool is_done, is_first = true;
    void *items = NULL;
    size_t n = 0;
    if (!take(j, '{')) return fail(j, "expected {");
    for (;;) {
        SL_TRY(read_name(&name, &is_done, &is_first, j));
        if (is_done) break;
        if (!sl_str_is(name, "value")) return fail_field(j, name);
        if (!take_word(j, "null")) SL_TRY(read_array(&items, &n, j, sizes[which], readers[which]));
    }
    out->which = which;
    if (which == SL_PB_Feature_bytes_list) {
        out->bytes_list = SL_ARENA_NEW(j->arena, struct sl_pb_BytesList);
        if (out->bytes_list) out->bytes_list->value.items = items, out->bytes_list->value.n = n;
    } else if (which == SL_PB_Feature_float_list) {
        out->float_list = SL_ARENA_NEW(j->arena, struct sl_pb_FloatList);
        if (out->float_list) out->float_list->value.items = items, out->float_list->value.n = n;
    } else {
        out->int64_list = SL_ARENA_NEW(j->arena, struct sl_pb_Int64List);
        if (out->int64_list) out->int64_list->value.items = items, out->int64_list->value.n = n;
    }
    return out->bytes_list ? SL_OK : sl_fail_memory(j->err, sizeof *out);
}

static sl_code read_feature(struct sl_pb_Feature *out, struct json *j) {
    static const char *const names[][2] = {{"bytes_list", "bytesList"},
                                           {"float_list", "floatList"},
                                           {"int64_list", "int64List"}};
    struct sl_str name;
    bool is_done, is_first = true;
    out->which = take_word(j, "null") ? IS_NULL : 0;
    if (out->which == IS_NULL) return SL_OK;
    if (!take(j, '{')) return fail(j, "expected {");
    for (;;) {
        int which = 0;
        SL_TRY(read_name(&name, &is_done, &is_first, j));
        if (is_done) return SL_OK;
        while (which < 3 && !sl_str_is(name, names[which][0]) && !sl_str_is(name, names[which][1])) which++;
        if (which == 3) return fail_field(j, name);
        if (take_word(j, "null")) continue;
        if (out->which) return fail(j, "the feature has several kinds");
        SL_TRY(read_list(out, j, which + 1));
    }
}

static sl_code read_map(struct sl_pb_map_string_Feature *out, struct json *j) {
    SL_VEC(struct sl_pb_entry_string_Feature) all = {0};
    bool is_done = false, is_first = true;
    sl_code code = take(j, '{') ? SL_OK : fail(j, "expected {");
    while (code == SL_OK) {
        struct sl_pb_entry_string_Feature entry = {0};
        code = read_name(&entry.key, &is_done, &is_first, j);
        if (code != SL_OK || is_done) break;
        code = read_feature(&entry.value, j);
        if (code == SL_OK && sl_vec_push(&all, entry)) code = sl_fail_memory(j->err, all.n * sizeof entry);
    }
    if (code == SL_OK && all.n) {
        out->items = SL_ARENA_ARRAY(j->arena, struct sl_pb_entry_string_Feature, all.n);
        if (out->items) memcpy(out->items, all.items, all.n * sizeof *all.items);
        else code = sl_fail_memory(j->err, all.n * sizeof *all.items);
        out->n = all.n;
    }
    sl_vec_free(&all);
    return code;
}

static sl_code read_features(struct sl_pb_Features *out, struct json *j) {
    struct sl_str name;
    bool is_done, is_first = true;
    if (!take(j, '{')) return fail(j, "expected {");
    for (;;) {
        SL_TRY(read_name(&name, &is_done, &is_first, j));
        if (is_done) return SL_OK;
        if (!sl_str_is(name, "feature")) return fail_field(j, name);
        if (!take_word(j, "null")) SL_TRY(read_map(&out->feature, j));
    }
}

static sl_code read_example(struct sl_pb_Example *out, struct json *j) {
    struct sl_str name;
    bool is_done = false, is_first = true;
    if (!take(j, '{')) return fail(j, "expected {");
    for (;;) {
        SL_TRY(read_name(&name, &is_done, &is_first, j));
        if (is_done) break;
        if (!sl_str_is(name, "features")) return fail_field(j, name);
        if (take_word(j, "null")) continue;
        out->features = SL_ARENA_NEW(j->arena, struct sl_pb_Features);
        if (!out->features) return sl_fail_memory(j->err, sizeof *out->features);
        SL_TRY(read_features(out->features, j));
    }
    (void)peek(j);
    return j->at == j->end ? SL_OK : fail(j, "text behind the object");
}

/* ---- the message. TensorFlow writes every value with a tag of its own, not packed, and so do we. */

static size_t varint_size(uint64_t value) {
    size_t n = 1;
    for (; value > 127; value >>= 7) n++;
    return n;
}
static void put_varint(struct sl_text *to, uint64_t value) {
    for (; value > 127; value >>= 7) sl_text_byte(to, (char)((value & 127) | 128));
    sl_text_byte(to, (char)value);
}
/* The tag of a field that holds bytes, and how many follow. */
static void put_head(struct sl_text *to, int field, size_t bytes) {
    sl_text_byte(to, (char)(field << 3 | SL_PB_WIRE_BYTES));
    put_varint(to, bytes);
}
static size_t with_head(size_t bytes) { return 1 + varint_size(bytes) + bytes; }

static size_t list_size(const struct sl_pb_Feature *f) {
    size_t size = 0;
    if (f->which == SL_PB_Feature_float_list) return f->float_list->value.n * (1 + sizeof(float));
    if (f->which == SL_PB_Feature_int64_list)
        for (size_t i = 0; i < f->int64_list->value.n; i++)
            size += 1 + varint_size((uint64_t)f->int64_list->value.items[i]);
    else
        for (size_t i = 0; i < f->bytes_list->value.n; i++) size += with_head(f->bytes_list->value.items[i].n);
    return size;
}

static void put_list(struct sl_text *to, const struct sl_pb_Feature *f) {
    put_head(to, f->which, list_size(f));
    if (f->which == SL_PB_Feature_float_list)
        for (size_t i = 0; i < f->float_list->value.n; i++) {
            sl_text_byte(to, 1 << 3 | SL_PB_WIRE_32);
            sl_text_add(to, (struct sl_str){(const char *)&f->float_list->value.items[i], sizeof(float)});
        }
    else if (f->which == SL_PB_Feature_int64_list)
        for (size_t i = 0; i < f->int64_list->value.n; i++) {
            sl_text_byte(to, 1 << 3 | SL_PB_WIRE_VARINT);
            put_varint(to, (uint64_t)f->int64_list->value.items[i]);
        }
    else
        for (size_t i = 0; i < f->bytes_list->value.n; i++) {
            put_head(to, 1, f->bytes_list->value.items[i].n);
            sl_text_add(to, f->bytes_list->value.items[i]);
        }
}

static size_t feature_size(const struct sl_pb_Feature *f) { return f->which > 0 ? with_head(list_size(f)) : 0; }
static size_t entry_size(const struct sl_pb_entry_string_Feature *e) {
    return with_head(e->key.n) + (e->value.which == IS_NULL ? 0 : with_head(feature_size(&e->value)));
}

static void put_features(struct sl_text *to, const struct sl_pb_Features *features) {
    size_t size = 0;
    for (size_t i = 0; i < features->feature.n; i++) size += with_head(entry_size(&features->feature.items[i]));
    put_head(to, 1, size);
    for (size_t i = 0; i < features->feature.n; i++) {
        const struct sl_pb_entry_string_Feature *e = &features->feature.items[i];
        put_head(to, 1, entry_size(e));
        put_head(to, 1, e->key.n);
        sl_text_add(to, e->key);
        if (e->value.which == IS_NULL) continue;
        put_head(to, 2, feature_size(&e->value));
        if (e->value.which) put_list(to, &e->value);
    }
}

sl_code sl_json_example(struct sl_text *out, struct sl_str text, struct sl_error *err) {
    struct sl_arena arena;
    struct sl_pb_Example example = {0};
    sl_arena_init(&arena);
    struct json j = {.start = text.p, .at = text.p, .end = text.p + text.n, .arena = &arena, .err = err};
    sl_code code = read_example(&example, &j);
    if (code == SL_OK && example.features) put_features(out, example.features);
    if (code == SL_OK && out->is_broken) code = sl_fail_memory(err, out->n);
    sl_arena_clear(&arena);
    return code;
}
