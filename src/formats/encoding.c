/* Decoding and encoding of characters. Called by the kernels on Unicode. */
#include "formats/encoding.h"

#include <ctype.h>
#include <iconv.h>

#include "formats/icu_library.h"

#if SL_HAVE_ICU
#define HAS_ICU 1
#else
#define HAS_ICU 0
#endif

enum kind { UTF8, UTF16_BE, UTF16_LE, UTF16, UTF32_BE, UTF32_LE, UTF32, ASCII, LATIN1, BY_ICU, BY_ICONV };

/* Names are compared without regard to case and to what is neither letter nor digit. */
static const struct {
    char name[16];
    enum kind kind;
} known[] = {
    {"utf8", UTF8},        {"utf16be", UTF16_BE}, {"utf16le", UTF16_LE}, {"utf16", UTF16},   {"utf32be", UTF32_BE},
    {"utf32le", UTF32_LE}, {"utf32", UTF32},      {"usascii", ASCII},    {"ascii", ASCII},   {"iso88591", LATIN1},
    {"latin1", LATIN1},    {"l1", LATIN1},        {"iso646us", ASCII},   {"ibm819", LATIN1}, {"cp819", LATIN1},
};

static bool is_name(struct sl_str given, const char *name) {
    for (size_t i = 0; i < given.n; i++) {
        if (!isalnum((unsigned char)given.p[i])) continue;
        if (tolower((unsigned char)given.p[i]) != *name) return false;
        name++;
    }
    return *name == 0;
}

static sl_code fail_encoding(struct sl_str name, struct sl_error *err) {
    return sl_fail(err, SL_INVALID_ARGUMENT, "Could not create converter for input encoding: %.*s", SL_STR_ARG(name));
}

/* ---- encodings that are not known here: by ICU, or else by iconv, which knows fewer names and takes other bytes for
 * malformed */
#if SL_HAVE_ICU
static void note_malformed(const void *context, UConverterToUnicodeArgs *args, const char *bytes, int32_t n,
                           UConverterCallbackReason reason, UErrorCode *status) {
    if (reason > UCNV_IRREGULAR) return; /* not about bytes */
    ((struct sl_encoding_reader *)(uintptr_t)context)->is_malformed = true;
    sl_icu_library()->substitute(NULL, args, bytes, n, reason, status);
}
/* False: there is no ICU, or it does not know the name. */
static bool open_by_icu(struct sl_encoding_reader *reader, const char *name) {
    const struct sl_icu_library *icu = sl_icu_library();
    UErrorCode status = U_ZERO_ERROR;
    UConverter *converter = icu ? icu->open(name, &status) : NULL;
    if (!converter) return false;
    icu->set_callback(converter, note_malformed, reader, NULL, NULL, &status);
    reader->converter = converter;
    return true;
}
static void close_by_icu(struct sl_encoding_reader *reader) { sl_icu_library()->close(reader->converter); }
static int32_t next_by_icu(struct sl_encoding_reader *reader, struct sl_str *s) {
    const char *from = s->p, *end = s->p + s->n;
    UErrorCode status = U_ZERO_ERROR;
    reader->is_malformed = false;
    int32_t c = sl_icu_library()->next(reader->converter, &from, end, &status);
    *s = (struct sl_str){from, U_FAILURE(status) ? 0 : (size_t)(end - from)};
    return reader->is_malformed ? -1 : c; /* U+FFFF for bytes at the end that make no character, as in TensorFlow */
}
#else
static bool open_by_icu(struct sl_encoding_reader *reader, const char *name) { return (void)reader, (void)name, false; }
static void close_by_icu(struct sl_encoding_reader *reader) { (void)reader; }
static int32_t next_by_icu(struct sl_encoding_reader *reader, struct sl_str *s) { return (void)reader, (void)s, -2; }
#endif

static bool open_by_iconv(struct sl_encoding_reader *reader, const char *name) {
    iconv_t converter = memchr(name, '/', strlen(name)) ? (iconv_t)-1 : iconv_open("UCS-4LE", name);
    if (converter == (iconv_t)-1) return false;
    reader->converter = converter;
    return true;
}

/* Opens the converter of a name, and says whose it is. */
static sl_code open_by_name(struct sl_encoding_reader *reader, const char *name, struct sl_error *err) {
    if (open_by_icu(reader, name)) reader->kind = BY_ICU;
    else if (open_by_iconv(reader, name)) reader->kind = BY_ICONV;
    else if (!HAS_ICU)
        return sl_fail(err, SL_UNIMPLEMENTED, "the encoding %s needs the library ICU, which is not built in", name);
    else return fail_encoding(sl_str_of(name), err);
    return SL_OK;
}

static enum kind known_kind(struct sl_str name) {
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (is_name(name, known[i].name)) return known[i].kind;
    return BY_ICU;
}

/* How long a byte order mark counts is ICU's secret: where it is there, it also reads what such marks may begin. */
sl_code sl_encoding_find(struct sl_encoding *out, struct sl_str name, struct sl_error *err) {
    struct sl_encoding_reader probe = {.kind = known_kind(name)};
    if (name.n == 0 || name.n >= sizeof out->name || memchr(name.p, 0, name.n)) return fail_encoding(name, err);
    memcpy(out->name, name.p, name.n);
    out->name[name.n] = 0;
    if (probe.kind == BY_ICU) SL_TRY(open_by_name(&probe, out->name, err));
    else if ((probe.kind == UTF16 || probe.kind == UTF32) && open_by_icu(&probe, out->name)) probe.kind = BY_ICU;
    out->kind = probe.kind;
    sl_encoding_end(&probe);
    return SL_OK;
}

sl_code sl_encoding_begin(struct sl_encoding_reader *reader, const struct sl_encoding *encoding, struct sl_error *err) {
    *reader = (struct sl_encoding_reader){.kind = encoding->kind};
    return encoding->kind >= BY_ICU ? open_by_name(reader, encoding->name, err) : SL_OK;
}

void sl_encoding_restart(struct sl_encoding_reader *reader) {
    reader->is_started = false;
    if (reader->kind == BY_ICONV) iconv(reader->converter, NULL, NULL, NULL, NULL);
}

void sl_encoding_end(struct sl_encoding_reader *reader) {
    if (reader->kind == BY_ICU) close_by_icu(reader);
    if (reader->kind == BY_ICONV) iconv_close(reader->converter);
}

static void drop(struct sl_str *s, size_t n) { *s = (struct sl_str){s->p + n, s->n - n}; }

/* `size` bytes as a number. */
static uint32_t unit(struct sl_str s, size_t at, size_t size, bool is_little) {
    uint32_t x = 0;
    for (size_t i = 0; i < size; i++) x = x << 8 | (unsigned char)s.p[at + (is_little ? size - 1 - i : i)];
    return x;
}

static int32_t next_utf16(struct sl_str *s, bool is_little) {
    if (s->n < 2) {
        drop(s, s->n);
        return -1;
    }
    int32_t c = (int32_t)unit(*s, 0, 2, is_little);
    size_t n = 2;
    if (sl_is_surrogate(c)) {
        int32_t low = s->n >= 4 ? (int32_t)unit(*s, 2, 2, is_little) : 0;
        bool is_pair = c < 0xdc00 && low >= 0xdc00 && low < 0xe000;
        if (c < 0xdc00 && s->n < 4) n = s->n;
        c = is_pair ? 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00) : -1;
        if (is_pair) n = 4;
    }
    drop(s, n);
    return c;
}

static int32_t next_utf32(struct sl_str *s, bool is_little) {
    if (s->n < 4) {
        drop(s, s->n);
        return -1;
    }
    uint32_t c = unit(*s, 0, 4, is_little);
    drop(s, 4);
    return c > SL_UNICODE_MAX || sl_is_surrogate((int32_t)c) ? -1 : (int32_t)c;
}

/* At the start of UTF-16 and UTF-32 without a named byte order: takes the mark that says it. */
static void take_mark(struct sl_encoding_reader *reader, struct sl_str *s, size_t size) {
    reader->is_little = false;
    if (s->n < size) return;
    uint32_t mark = unit(*s, 0, size, false), swapped = unit(*s, 0, size, true);
    reader->is_little = swapped == 0xfeff && mark != swapped;
    if (mark == 0xfeff || swapped == 0xfeff) drop(s, size);
}

/* iconv stops behind one character, as there is no room for a second. */
static int32_t next_by_iconv(struct sl_encoding_reader *reader, struct sl_str *s) {
    unsigned char c[4];
    char *in = (char *)(uintptr_t)s->p, *out = (char *)c;
    size_t n_in = s->n, n_out = sizeof c;
    iconv(reader->converter, &in, &n_in, &out, &n_out);
    if (n_out == sizeof c) {
        bool is_at_end = n_in == 0;
        drop(s, is_at_end ? s->n : s->n - n_in + 1);
        return is_at_end ? -2 : -1;
    }
    drop(s, s->n - n_in);
    return (int32_t)(c[0] | c[1] << 8 | c[2] << 16);
}

int32_t sl_encoding_next(struct sl_encoding_reader *reader, struct sl_str *s) {
    bool is_start = !reader->is_started;
    int32_t c;
    reader->is_started = true;
    switch (reader->kind) {
    case UTF8: return sl_utf8_next(s);
    case UTF16_BE: return next_utf16(s, false);
    case UTF16_LE: return next_utf16(s, true);
    case UTF32_BE: return next_utf32(s, false);
    case UTF32_LE: return next_utf32(s, true);
    case UTF16:
    case UTF32:
        if (is_start) take_mark(reader, s, reader->kind == UTF16 ? 2 : 4);
        if (s->n == 0) return 0xffff; /* a mark and nothing else */
        return reader->kind == UTF16 ? next_utf16(s, reader->is_little) : next_utf32(s, reader->is_little);
    case ASCII:
    case LATIN1:
        c = (unsigned char)s->p[0];
        drop(s, 1);
        return c >= 0x80 && reader->kind == ASCII ? -1 : c;
    case BY_ICU: return next_by_icu(reader, s);
    default: return next_by_iconv(reader, s);
    }
}

/* ---- encoding */

sl_code sl_utf_find(enum sl_utf *out, struct sl_str name, struct sl_error *err) {
    static const char *const names[] = {"UTF-8", "UTF-16-BE", "UTF-32-BE"};
    for (int i = 0; i < 3; i++)
        if (sl_str_is(name, names[i])) {
            *out = (enum sl_utf)i;
            return SL_OK;
        }
    return sl_fail(err, SL_INVALID_ARGUMENT, "Invalid output encoding: %.*s", SL_STR_ARG(name));
}

static void add_unit(struct sl_text *to, uint32_t x, int size) {
    for (int i = size - 1; i >= 0; i--) sl_text_byte(to, (char)(x >> 8 * i));
}

void sl_utf_add(struct sl_text *to, enum sl_utf form, int32_t c) {
    if (form == SL_UTF_8) sl_utf8_add(to, sl_is_surrogate(c) ? SL_REPLACEMENT : c);
    else if (form == SL_UTF_32_BE) add_unit(to, (uint32_t)c, 4);
    else if (c < 0x10000) add_unit(to, (uint32_t)c, 2);
    else {
        add_unit(to, 0xd800 + (((uint32_t)c - 0x10000) >> 10), 2);
        add_unit(to, 0xdc00 + (((uint32_t)c - 0x10000) & 0x3ff), 2);
    }
}
