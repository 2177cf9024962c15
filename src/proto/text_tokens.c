/* Tokens are slices of the text; only strings with escapes or of several pieces are copied. Places are computed when an
 * error needs them, by counting lines from the start. */
#include "proto/text_tokens.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "proto/wire.h"

static bool in_name(char c) { return isalnum((unsigned char)c) || c == '_'; }
static bool in_digits(char c) { return c >= '0' && c <= '9'; }

sl_code sl_text_fail(const struct sl_text_tokens *t, const char *format, ...) {
    size_t line = 1;
    const char *line_start = t->start;
    for (const char *p = t->start; p < t->token.p; p++) {
        if (*p != '\n') continue;
        line++;
        line_start = p + 1;
    }
    char what[512];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    if (!sl_utf8_valid(sl_str_of(what))) /* cut within a character, or never one */
        for (char *p = what; *p; p++)
            if (*p & 0x80) *p = '?';
    return sl_fail(t->err, SL_INVALID_ARGUMENT, "%zu:%zu : %s", line, (size_t)(t->token.p - line_start) + 1, what);
}

/* ---- cutting ---- */

static void skip_space(struct sl_text_tokens *t) {
    const char *p = t->at;
    while (p < t->end) {
        if (*p == '#')
            while (p < t->end && *p != '\n') p++;
        else if (*p == ' ' || (*p >= '\t' && *p <= '\r')) p++;
        else break;
    }
    t->at = p;
}

static const char *number_end(const char *p, const char *end) {
    bool decimal = !(end - p > 1 && p[0] == '0' && (p[1] == 'x' || p[1] == 'X'));
    for (; p < end && (in_name(*p) || *p == '.'); p++)
        if (decimal && (*p == 'e' || *p == 'E') && end - p > 1 && (p[1] == '+' || p[1] == '-')) p++;
    return p;
}

static const char *string_end(const char *p, const char *end) {
    char quote = *p++;
    for (; p < end && *p != '\n'; p++) {
        if (*p == quote) return p + 1;
        if (*p == '\\' && ++p == end) break;
    }
    return NULL;
}

sl_code sl_text_next(struct sl_text_tokens *t) {
    skip_space(t);
    const char *p = t->at;
    t->token = (struct sl_str){p, 0};
    if (p == t->end) {
        t->kind = SL_TEXT_END;
        return SL_OK;
    }
    if (in_digits(*p) || (*p == '.' && t->end - p > 1 && in_digits(p[1]))) {
        t->kind = SL_TEXT_NUMBER;
        p = number_end(p, t->end);
    } else if (in_name(*p)) {
        t->kind = SL_TEXT_NAME;
        while (p < t->end && in_name(*p)) p++;
    } else if (*p == '"' || *p == '\'') {
        t->kind = SL_TEXT_STRING;
        p = string_end(p, t->end);
        if (!p) return sl_text_fail(t, "String missing ending quote.");
    } else {
        t->kind = SL_TEXT_SYMBOL;
        p++;
    }
    t->token.n = (size_t)(p - t->token.p);
    t->at = p;
    return SL_OK;
}

sl_code sl_text_open(struct sl_text_tokens *t, struct sl_str text) {
    t->start = t->at = text.n ? text.p : "";
    t->end = t->start + text.n;
    return sl_text_next(t);
}

sl_code sl_text_accept(struct sl_text_tokens *t, char symbol, bool *found) {
    *found = sl_text_is(t, symbol);
    return *found ? sl_text_next(t) : SL_OK;
}

sl_code sl_text_expect(struct sl_text_tokens *t, char symbol) {
    if (sl_text_is(t, symbol)) return sl_text_next(t);
    return t->kind == SL_TEXT_END
               ? sl_text_fail(t, "Expected \"%c\", found the end.", symbol)
               : sl_text_fail(t, "Expected \"%c\", found \"%.*s\".", symbol, SL_TEXT_EXCERPT(t->token));
}

sl_code sl_text_bracketed(struct sl_text_tokens *t, struct sl_str *name) {
    skip_space(t);
    const char *p = t->at;
    while (p < t->end && (in_name(*p) || *p == '.' || *p == '/' || *p == '-')) p++;
    *name = (struct sl_str){t->at, (size_t)(p - t->at)};
    t->at = p;
    SL_TRY(sl_text_next(t));
    return sl_text_expect(t, ']');
}

/* ---- strings ---- */

static int hex_digit(char c) {
    if (in_digits(c)) return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Reads `least` to `most` digits of `base` (8 or 16) at *p. False when there are fewer. */
static bool digits(uint32_t *value, const char **p, const char *end, unsigned base, int least, int most) {
    uint32_t v = 0;
    int n = 0;
    for (int d; n < most && *p < end && (d = hex_digit(**p)) >= 0 && (unsigned)d < base; n++, (*p)++)
        v = v * base + (uint32_t)d;
    *value = v;
    return n >= least;
}

static char *put_utf8(char *out, uint32_t c) {
    if (c < 0x80) {
        *out++ = (char)c;
        return out;
    }
    int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    static const uint8_t leads[] = {0, 0xc0, 0xe0, 0xf0};
    *out++ = (char)(leads[more] | c >> (6 * more));
    while (more-- > 0) *out++ = (char)(0x80 | (c >> (6 * more) & 0x3f));
    return out;
}

/* \uXXXX or \UXXXXXXXX behind the letter; two \u of a surrogate pair are one character. */
static bool unicode_escape(char **out, char letter, const char **p, const char *end) {
    uint32_t c, low;
    int width = letter == 'u' ? 4 : 8;
    if (!digits(&c, p, end, 16, width, width) || c > 0x10ffff) return false;
    if (c >= 0xd800 && c <= 0xdfff) {
        if (c >= 0xdc00 || end - *p < 6 || (*p)[0] != '\\' || (*p)[1] != 'u') return false;
        *p += 2;
        if (!digits(&low, p, end, 16, 4, 4) || low < 0xdc00 || low > 0xdfff) return false;
        c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
    }
    *out = put_utf8(*out, c);
    return true;
}

/* One escape, *p behind the backslash. What it stands for is never longer than itself. */
static bool escape(char **out, const char **p, const char *end) {
    static const char letters[] = "abfnrtv?\\'\"", values[] = "\a\b\f\n\r\t\v?\\'\"";
    uint32_t c;
    char letter = **p;
    const char *named = letter ? strchr(letters, letter) : NULL;
    if (named) {
        (*p)++;
        *(*out)++ = values[named - letters];
        return true;
    }
    if (letter >= '0' && letter <= '7') {
        if (!digits(&c, p, end, 8, 1, 3) || c > 0xff) return false;
        *(*out)++ = (char)c;
        return true;
    }
    (*p)++;
    if (letter == 'x') {
        if (!digits(&c, p, end, 16, 1, 2)) return false;
        *(*out)++ = (char)c;
        return true;
    }
    return (letter == 'u' || letter == 'U') && unicode_escape(out, letter, p, end);
}

/* Appends the current token's text, without quotes and escapes, at *out. */
static sl_code unquote(const struct sl_text_tokens *t, char **out) {
    const char *p = t->token.p + 1, *end = t->token.p + t->token.n - 1;
    while (p < end) {
        const char *stop = memchr(p, '\\', (size_t)(end - p));
        size_t plain = (size_t)((stop ? stop : end) - p);
        memcpy(*out, p, plain);
        *out += plain;
        if (!stop) return SL_OK;
        p = stop + 1;
        if (!escape(out, &p, end)) return sl_text_fail(t, "Invalid escape sequence in string literal.");
    }
    return SL_OK;
}

sl_code sl_text_string(struct sl_text_tokens *t, struct sl_str *value) {
    if (t->kind != SL_TEXT_STRING)
        return sl_text_fail(t, "Expected string, found \"%.*s\".", SL_TEXT_EXCERPT(t->token));
    struct sl_text_tokens first = *t;
    size_t pieces = 0, bytes = 0;
    for (; t->kind == SL_TEXT_STRING; pieces++) {
        bytes += t->token.n - 2;
        SL_TRY(sl_text_next(t));
    }
    *value = (struct sl_str){first.token.p + 1, bytes};
    if (pieces == 1 && !memchr(value->p, '\\', bytes)) return SL_OK;
    char *out = sl_arena_alloc(t->arena, bytes);
    if (!out) return sl_fail_memory(t->err, bytes);
    value->p = out;
    for (; pieces; pieces--) {
        SL_TRY(unquote(&first, &out));
        SL_TRY(sl_text_next(&first));
    }
    value->n = (size_t)(out - value->p);
    return SL_OK;
}

/* ---- numbers ---- */

/* The current token as an unsigned number: decimal, 0x hexadecimal, 0 octal. */
static sl_code magnitude(const struct sl_text_tokens *t, uint64_t *value, bool *fits) {
    const char *p = t->token.p, *end = p + t->token.n;
    unsigned base = 10;
    if (t->token.n > 2 && p[0] == '0' && (p[1] | 0x20) == 'x') {
        base = 16;
        p += 2;
    } else if (t->token.n > 1 && p[0] == '0') {
        base = 8;
        p++;
    }
    bool number = t->kind == SL_TEXT_NUMBER;
    *fits = true;
    for (*value = 0; number && p < end; p++) {
        int d = hex_digit(*p);
        number = d >= 0 && (unsigned)d < base;
        if (number &&
            (__builtin_mul_overflow(*value, base, value) || __builtin_add_overflow(*value, (unsigned)d, value)))
            *fits = false;
    }
    return number ? SL_OK : sl_text_fail(t, "Couldn't parse integer: %.*s", SL_TEXT_EXCERPT(t->token));
}

sl_code sl_text_unsigned(struct sl_text_tokens *t, uint64_t *value, uint64_t high) {
    bool fits;
    SL_TRY(magnitude(t, value, &fits));
    if (!fits || *value > high) return sl_text_fail(t, "Value out of range: %.*s", SL_TEXT_EXCERPT(t->token));
    return sl_text_next(t);
}

sl_code sl_text_signed(struct sl_text_tokens *t, int64_t *value, int64_t low, int64_t high) {
    bool negative, fits;
    uint64_t v;
    SL_TRY(sl_text_accept(t, '-', &negative));
    SL_TRY(magnitude(t, &v, &fits));
    if (!fits || v > (negative ? ~(uint64_t)low + 1 : (uint64_t)high))
        return sl_text_fail(t, "Value out of range: %s%.*s", negative ? "-" : "", SL_TEXT_EXCERPT(t->token));
    *value = (int64_t)(negative ? ~v + 1 : v);
    return sl_text_next(t);
}

static const char *skip_digits(const char *p, const char *end) {
    while (p < end && in_digits(*p)) p++;
    return p;
}

/* Whether the token is a decimal number, and where it ends without an 'f' behind it. */
static bool is_decimal(struct sl_str s, const char **number_end_out) {
    const char *p = s.p, *end = s.p + s.n;
    if (s.n > 1 && p[0] == '0' && in_digits(p[1])) return false; /* neither octal nor hexadecimal */
    p = skip_digits(p, end);
    if (p < end && *p == '.') p = skip_digits(p + 1, end);
    if (p < end && (*p | 0x20) == 'e') {
        p++;
        if (p < end && (*p == '+' || *p == '-')) p++;
        if (p == end || !in_digits(*p)) return false;
        p = skip_digits(p, end);
    }
    *number_end_out = p;
    return p == end || ((*p | 0x20) == 'f' && p + 1 == end);
}

static bool same_letters(struct sl_str s, const char *word) {
    return s.n == strlen(word) && strncasecmp(s.p, word, s.n) == 0;
}

sl_code sl_text_double(struct sl_text_tokens *t, double *value) {
    bool negative;
    SL_TRY(sl_text_accept(t, '-', &negative));
    const char *end;
    if (t->kind == SL_TEXT_NAME && (same_letters(t->token, "inf") || same_letters(t->token, "infinity"))) {
        *value = __builtin_inf();
    } else if (t->kind == SL_TEXT_NAME && same_letters(t->token, "nan")) {
        *value = __builtin_nan("");
    } else if (t->kind == SL_TEXT_NUMBER && is_decimal(t->token, &end)) {
        struct sl_str copy = sl_arena_str(t->arena, (struct sl_str){t->token.p, (size_t)(end - t->token.p)});
        if (!copy.p) return sl_fail_memory(t->err, t->token.n);
        *value = strtod(copy.p, NULL);
    } else {
        return sl_text_fail(t, "Couldn't parse float: %.*s", SL_TEXT_EXCERPT(t->token));
    }
    if (negative) *value = -*value;
    return sl_text_next(t);
}

sl_code sl_text_bool(struct sl_text_tokens *t, bool *value) {
    static const char *const words[] = {"false", "true", "False", "True", "f", "t", "0", "1"};
    if (t->kind == SL_TEXT_NAME || t->kind == SL_TEXT_NUMBER)
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if (sl_str_is(t->token, words[i])) {
                *value = i & 1;
                return sl_text_next(t);
            }
    return sl_text_fail(t, "Expected \"true\" or \"false\", found \"%.*s\".", SL_TEXT_EXCERPT(t->token));
}
