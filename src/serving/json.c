/* One function checks all of a text, with a bit for each open bracket; the others trust it. */
#include "serving/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "formats/number_text.h"
#include "proto/wire.h"
#include "tensor/dtype.h"

static void pass_blanks(struct sl_json *j) {
    while (j->at < j->end && (*j->at == ' ' || *j->at == '\t' || *j->at == '\n' || *j->at == '\r')) j->at++;
}
static char peek(struct sl_json *j) {
    pass_blanks(j);
    return j->at < j->end ? *j->at : 0;
}

/* ---- checking */

struct check {
    struct sl_json j;
    const char *start;
    struct sl_error *err;
};

static sl_code fail(struct check *c, const char *what) {
    return sl_fail(c->err, SL_INVALID_ARGUMENT, "JSON: %s at byte %zu", c->j.at >= c->j.end ? "unexpected end" : what,
                   (size_t)(c->j.at - c->start));
}

static int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    c = (char)(c | 32);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}
/* Of four digits; -1 when they are none. */
static int hex(const char *p, const char *end) {
    int value = 0;
    if (end - p < 4) return -1;
    for (int i = 0; i < 4; i++) {
        int digit = hex_digit(p[i]);
        if (digit < 0) return -1;
        value = value * 16 + digit;
    }
    return value;
}

static sl_code check_escape(struct check *c) {
    c->j.at++; /* the backslash */
    if (c->j.at == c->j.end) return fail(c, "escape");
    if (*c->j.at && strchr("\"\\/bfnrt", *c->j.at)) {
        c->j.at++;
        return SL_OK;
    }
    int code = *c->j.at == 'u' ? hex(c->j.at + 1, c->j.end) : -1;
    if (code < 0) return fail(c, "invalid escape");
    if (code >= 0xd800 && code < 0xe000) {
        const char *second = c->j.at + 5;
        int low = code < 0xdc00 && c->j.end - second >= 6 && second[0] == '\\' && second[1] == 'u'
                      ? hex(second + 2, c->j.end)
                      : -1;
        if (low < 0xdc00 || low >= 0xe000) return fail(c, "half of a pair of surrogates");
        c->j.at += 6;
    }
    c->j.at += 5;
    return SL_OK;
}

static sl_code check_string(struct check *c) {
    if (peek(&c->j) != '"') return fail(c, "expected a string");
    const char *from = ++c->j.at;
    while (c->j.at < c->j.end && *c->j.at != '"') {
        if (*c->j.at == '\\') SL_TRY(check_escape(c));
        else if ((unsigned char)*c->j.at < 0x20) return fail(c, "control character in a string");
        else c->j.at++;
    }
    if (c->j.at == c->j.end) return fail(c, "string");
    if (!sl_utf8_valid((struct sl_str){from, (size_t)(c->j.at - from)}))
        return fail(c, "invalid UTF-8 before the end of the string");
    c->j.at++;
    return SL_OK;
}

static bool take_word(struct check *c, const char *word) {
    size_t n = strlen(word);
    if ((size_t)(c->j.end - c->j.at) < n || memcmp(c->j.at, word, n) != 0) return false;
    c->j.at += n;
    return true;
}

static size_t take_digits(struct check *c) {
    const char *from = c->j.at;
    while (c->j.at < c->j.end && *c->j.at >= '0' && *c->j.at <= '9') c->j.at++;
    return (size_t)(c->j.at - from);
}

static sl_code check_number(struct check *c) {
    (void)(*c->j.at == '-' && c->j.at++);
    if (take_word(c, "Infinity") || take_word(c, "Inf")) return SL_OK;
    const char *from = c->j.at;
    size_t n = take_digits(c);
    if (n == 0) return fail(c, "expected a value");
    if (n > 1 && *from == '0') return fail(c, "number that begins with 0");
    if (c->j.at < c->j.end && *c->j.at == '.') {
        c->j.at++;
        if (!take_digits(c)) return fail(c, "expected a digit");
    }
    if (c->j.at < c->j.end && (*c->j.at | 32) == 'e') {
        c->j.at++;
        if (c->j.at < c->j.end && (*c->j.at == '+' || *c->j.at == '-')) c->j.at++;
        if (!take_digits(c)) return fail(c, "expected a digit");
    }
    return SL_OK;
}

static sl_code check_scalar(struct check *c) {
    if (peek(&c->j) == '"') return check_string(c);
    if (take_word(c, "true") || take_word(c, "false") || take_word(c, "null") || take_word(c, "NaN")) return SL_OK;
    return c->j.at < c->j.end ? check_number(c) : fail(c, "value");
}

sl_code sl_json_check(struct sl_str text, struct sl_error *err) {
    struct check c = {{text.p, text.p + text.n}, text.p, err};
    bool is_object[SL_JSON_DEPTH];
    int depth = 0;
    for (bool is_first = true;;) { /* in front of a value, or, when is_first within brackets, of their end */
        if (depth && is_first && peek(&c.j) == (is_object[depth - 1] ? '}' : ']')) {
            c.j.at++;
            depth--;
        } else {
            if (depth && is_object[depth - 1]) {
                SL_TRY(check_string(&c));
                if (peek(&c.j) != ':') return fail(&c, "expected :");
                c.j.at++;
            }
            char open = peek(&c.j);
            if (open == '[' || open == '{') {
                if (depth == SL_JSON_DEPTH) return fail(&c, "too deep");
                is_object[depth++] = open == '{';
                c.j.at++;
                is_first = true;
                continue;
            }
            SL_TRY(check_scalar(&c));
        }
        while (depth && peek(&c.j) == (is_object[depth - 1] ? '}' : ']')) {
            c.j.at++;
            depth--;
        }
        if (!depth) break;
        if (peek(&c.j) != ',') return fail(&c, is_object[depth - 1] ? "expected , or }" : "expected , or ]");
        c.j.at++;
        is_first = false;
    }
    if (peek(&c.j) || c.j.at < c.j.end) return fail(&c, "text behind the value");
    return SL_OK;
}

/* ---- cursors */

struct sl_json sl_json_begin(struct sl_str text) {
    return (struct sl_json){text.p, text.p + text.n};
}

enum sl_json_kind sl_json_kind(struct sl_json *j) {
    switch (peek(j)) {
    case '[': return SL_JSON_LIST;
    case '{': return SL_JSON_OBJECT;
    case '"': return SL_JSON_STRING;
    case 't':
    case 'f': return SL_JSON_BOOL;
    case 'n': return SL_JSON_NULL;
    default: return SL_JSON_NUMBER;
    }
}

const char *sl_json_kind_name(enum sl_json_kind kind) {
    static const char *const names[] = {"null", "a bool", "a number", "a string", "a list", "an object"};
    return names[kind];
}

void sl_json_enter(struct sl_json *j) {
    (void)peek(j);
    j->at++;
}

bool sl_json_next(struct sl_json *j) {
    char c = peek(j);
    if (c == ',') j->at++;
    else if (c == ']' || c == '}' || !c) {
        j->at += j->at < j->end;
        return false;
    }
    return true;
}

/* From behind the opening quote to behind the closing one; whether there are escapes. */
static bool pass_string(struct sl_json *j) {
    bool has_escapes = false;
    while (j->at < j->end && *j->at != '"') {
        has_escapes |= *j->at == '\\';
        j->at += *j->at == '\\' ? 2 : 1;
    }
    j->at++;
    return has_escapes;
}

static bool ends_scalar(char c) {
    return c == ',' || c == ']' || c == '}' || c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

static struct sl_str pass_scalar(struct sl_json *j) {
    (void)peek(j);
    const char *from = j->at;
    while (j->at < j->end && !ends_scalar(*j->at)) j->at++;
    return (struct sl_str){from, (size_t)(j->at - from)};
}

void sl_json_skip(struct sl_json *j) {
    int depth = 0;
    do {
        char c = peek(j);
        if (c == '[' || c == '{') depth++, j->at++;
        else if (c == ']' || c == '}') depth--, j->at++;
        else if (c == ',' || c == ':') j->at++;
        else if (c == '"') j->at++, (void)pass_string(j);
        else
            while (j->at < j->end && !ends_scalar(*j->at)) j->at++;
    } while (depth && j->at < j->end);
}

struct sl_str sl_json_slice(struct sl_json *j) {
    (void)peek(j);
    const char *from = j->at;
    sl_json_skip(j);
    return (struct sl_str){from, (size_t)(j->at - from)};
}

struct sl_str sl_json_number(struct sl_json *j) {
    return pass_scalar(j);
}
bool sl_json_bool(struct sl_json *j) { return pass_scalar(j).p[0] == 't'; }

static char *put_utf8(char *to, int c) {
    if (c < 0x80) {
        *to++ = (char)c;
        return to;
    }
    int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    *to++ = (char)((more == 1 ? 0xc0 : more == 2 ? 0xe0 : 0xf0) | c >> 6 * more);
    while (more-- > 0) *to++ = (char)(0x80 | (c >> 6 * more & 63));
    return to;
}

/* `*p` is behind the backslash. */
static char *put_escape(char *to, const char **p, const char *end) {
    static const char from[] = "\"\\/bfnrt", into[] = "\"\\/\b\f\n\r\t";
    char c = *(*p)++;
    const char *found = strchr(from, c);
    if (c != 'u' && found) {
        *to++ = into[found - from];
        return to;
    }
    int code = hex(*p, end);
    *p += 4;
    if (code >= 0xd800 && code < 0xe000) {
        code = 0x10000 + ((code - 0xd800) << 10) + hex(*p + 2, end) - 0xdc00;
        *p += 6;
    }
    return put_utf8(to, code);
}

sl_code sl_json_string(struct sl_str *out, struct sl_json *j, struct sl_arena *arena, struct sl_error *err) {
    (void)peek(j);
    const char *from = ++j->at;
    bool has_escapes = pass_string(j);
    const char *end = j->at - 1;
    *out = (struct sl_str){from, (size_t)(end - from)};
    if (!has_escapes) return SL_OK;
    char *room = sl_arena_alloc(arena, out->n), *to = room;
    if (!room) return sl_fail_memory(err, out->n);
    while (from < end) {
        if (*from == '\\') from++, to = put_escape(to, &from, end);
        else *to++ = *from++;
    }
    *out = (struct sl_str){room, (size_t)(to - room)};
    return SL_OK;
}

sl_code sl_json_name(struct sl_str *out, struct sl_json *j, struct sl_arena *arena, struct sl_error *err) {
    SL_TRY(sl_json_string(out, j, arena, err));
    (void)peek(j);
    j->at++; /* the colon */
    return SL_OK;
}

size_t sl_json_count(const struct sl_json *at) {
    struct sl_json j = *at;
    size_t n = 0;
    bool is_object = sl_json_kind(&j) == SL_JSON_OBJECT;
    for (sl_json_enter(&j); sl_json_next(&j); n++) {
        if (is_object) {
            sl_json_skip(&j);
            (void)peek(&j);
            j.at++;
        }
        sl_json_skip(&j);
    }
    return n;
}

sl_code sl_json_member(bool *found, struct sl_str *out, struct sl_str object, const char *name, struct sl_arena *arena,
                       struct sl_error *err) {
    struct sl_json j = sl_json_begin(object);
    *found = false;
    for (sl_json_enter(&j); sl_json_next(&j);) {
        struct sl_str member;
        SL_TRY(sl_json_name(&member, &j, arena, err));
        struct sl_str value = sl_json_slice(&j);
        if (!sl_str_is(member, name)) continue;
        *found = true;
        *out = value;
    }
    return SL_OK;
}

/* ---- writing */

/* Bytes of the character at `p`; 0 when it is malformed. */
static size_t character(const char *p, const char *end) {
    unsigned char c = (unsigned char)*p;
    size_t n = c < 0x80 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
    return (size_t)(end - p) >= n && sl_utf8_valid((struct sl_str){p, n}) ? n : 0;
}

void sl_json_put_string(struct sl_text *to, struct sl_str s) {
    const char *end = s.p + s.n;
    sl_text_byte(to, '"');
    for (const char *p = s.p; p < end;) {
        size_t n = character(p, end);
        if (n == 0) sl_text_words(to, "\xef\xbf\xbd"), n = 1;
        else if (*p == '"' || *p == '\\') sl_text_byte(to, '\\'), sl_text_byte(to, *p);
        else if (*p == '\n') sl_text_words(to, "\\n");
        else if (n == 1 && ((unsigned char)*p < 0x20 || *p == 0x7f)) sl_text_format(to, "\\u%04x", (unsigned)*p);
        else sl_text_add(to, (struct sl_str){p, n});
        p += n;
    }
    sl_text_byte(to, '"');
}

static void put_decimal(struct sl_text *to, const char *text) {
    sl_text_words(to, text);
    if (!strpbrk(text, ".eE")) sl_text_words(to, ".0");
}
static bool put_special(struct sl_text *to, double value) {
    if (isfinite(value)) return false;
    sl_text_words(to, isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity");
    return true;
}

/* A number of usual size with few digits: the first power of ten that makes it whole. The quotient of two doubles that
 * are exact is rounded as a reader rounds the decimal. */
static bool put_short(struct sl_text *to, double value, bool is_float) {
    static const double tens[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10};
    enum { POWERS = sizeof tens / sizeof *tens };
    const double size = fabs(value);
    char digits[24];
    uint64_t bits;
    if (value != 0 && (size < 1e-3 || size >= 1e7)) return false;
    for (int power = 0; power < (is_float ? 9 : POWERS); power++) {
        const double whole = nearbyint(size * tens[power]);
        double back = whole / tens[power];
        memcpy(&bits, &back, sizeof bits);
        if (whole > 0x1p53 || (is_float && (bits & 0x1fffffff) == 0x10000000))
            continue; /* half way between two floats */
        if (is_float ? (float)back != (float)size : back != size) continue;
        uint64_t left = (uint64_t)whole;
        char *at = digits + sizeof digits;
        for (int n = 0; n < power || left || n <= power; n++) {
            if (n == power) *--at = '.';
            *--at = (char)('0' + left % 10);
            left /= 10;
        }
        if (signbit(value)) *--at = '-';
        sl_text_add(to, (struct sl_str){at, (size_t)(digits + sizeof digits - at)});
        if (power == 0) sl_text_byte(to, '0');
        return true;
    }
    return false;
}

void sl_json_put_double(struct sl_text *to, double value) {
    char text[40];
    if (put_special(to, value) || put_short(to, value, false)) return;
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (digits == 17 || strtod(text, NULL) == value) break;
    }
    put_decimal(to, text);
}

void sl_json_put_float(struct sl_text *to, float value) {
    char text[40];
    if (put_special(to, (double)value) || put_short(to, (double)value, true)) return;
    for (int digits = 6; digits <= 9; digits++) {
        float back;
        snprintf(text, sizeof text, "%.*g", digits, (double)value);
        if (digits == 9 || (sl_number_read(&back, SL_FLOAT, sl_str_of(text)) && back == value)) break;
    }
    put_decimal(to, text);
}

/* ---- base64 */

void sl_base64_put(struct sl_text *to, struct sl_str bytes) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < bytes.n; i += 3) {
        size_t n = bytes.n - i < 3 ? bytes.n - i : 3;
        uint32_t bits = 0;
        for (size_t k = 0; k < 3; k++) bits = bits << 8 | (k < n ? (unsigned char)bytes.p[i + k] : 0);
        for (size_t k = 0; k < 4; k++) sl_text_byte(to, k <= n ? digits[bits >> (18 - 6 * k) & 63] : '=');
    }
}

static int base64_digit(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' || c == '-' ? 62 : c == '/' || c == '_' ? 63 : -1;
}

sl_code sl_base64_read(struct sl_str *out, struct sl_str text, struct sl_arena *arena, struct sl_error *err) {
    char *room = sl_arena_alloc(arena, text.n);
    size_t n = 0, padding = 0;
    uint32_t bits = 0;
    int held = 0;
    if (!room) return sl_fail_memory(err, text.n);
    while (padding < 2 && text.n && text.p[text.n - 1] == '=') text.n--, padding++;
    for (size_t i = 0; i < text.n; i++) {
        int digit = base64_digit(text.p[i]);
        if (digit < 0) return sl_fail(err, SL_INVALID_ARGUMENT, "invalid base64 at character %zu", i);
        bits = bits << 6 | (uint32_t)digit;
        held += 6;
        if (held >= 8) room[n++] = (char)(bits >> (held -= 8) & 255);
    }
    if (text.n % 4 == 1) return sl_fail(err, SL_INVALID_ARGUMENT, "base64 that ends too early");
    *out = (struct sl_str){room, n};
    return SL_OK;
}
