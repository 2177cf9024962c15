/* UTF-8 by RFC 3629, base64 by RFC 4648. */
#include "quoted_text.h"

size_t text_put(char *to, uint32_t c) {
    if (c < 0x80) {
        to[0] = (char)c;
        return 1;
    }
    size_t n = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    static const uint8_t heads[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = n - 1; i > 0; i--, c >>= 6) to[i] = (char)(0x80 | (c & 63));
    to[0] = (char)(heads[n] | (c & (0xffu >> (n + 1))));
    return n;
}

size_t text_character(const char *s, size_t n) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    uint8_t head = (uint8_t)s[0];
    if (head < 0x80) return 1;
    size_t length = head >= 0xf0 ? 4 : head >= 0xe0 ? 3 : 2;
    uint32_t c = head & (0xffu >> (length + 1));
    if (head < 0xc0 || head > 0xf7 || length > n) return 0;
    for (size_t i = 1; i < length; i++) {
        if (((uint8_t)s[i] & 0xc0) != 0x80) return 0;
        c = c << 6 | ((uint8_t)s[i] & 63);
    }
    return c < least[length] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000) ? 0 : length;
}

/* An ASCII character within quotes. */
static void print_ascii(FILE *out, char c) {
    static const char named[] = "\"\\\n\t\r", letters[] = "\"\\ntr";
    for (size_t i = 0; named[i]; i++)
        if (c == named[i]) {
            fprintf(out, "\\%c", letters[i]);
            return;
        }
    if (c < 0x20 || c == 0x7f) fprintf(out, "\\u%04x", c);
    else putc(c, out);
}

void text_print(FILE *out, const char *s, size_t n) {
    putc('"', out);
    for (size_t i = 0, length; i < n; i += length ? length : 1) {
        length = text_character(s + i, n - i);
        if (!length) fprintf(out, "\\x%02x", (unsigned)(uint8_t)s[i]);
        else if (length == 1) print_ascii(out, s[i]);
        else fwrite(s + i, 1, length, out);
    }
    putc('"', out);
}

static void print_base64(FILE *out, const char *s, size_t n) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < n; i += 3) {
        uint32_t bits = 0;
        for (size_t k = 0; k < 3; k++) bits = bits << 8 | (i + k < n ? (uint8_t)s[i + k] : 0);
        for (size_t k = 0; k < 4; k++) putc(i + k <= n ? digits[bits >> (18 - 6 * k) & 63] : '=', out);
    }
}

void text_print_json(FILE *out, const char *s, size_t n) {
    size_t at = 0, length = 1;
    while (at < n && (length = text_character(s + at, n - at))) at += length;
    if (at == n) {
        text_print(out, s, n);
        return;
    }
    fputs("{\"b64\":\"", out);
    print_base64(out, s, n);
    fputs("\"}", out);
}
