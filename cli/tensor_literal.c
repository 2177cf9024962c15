/* Text to tensor and back. The parser takes nested lists; every list of a level must be equally long. */
#include "tensor_literal.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "file_bytes.h"
#include "quoted_text.h"
#include "small_float.h"
#include "tensorflow/c/tf_tstring.h"

enum { MOST_RANK = 32 };

struct parser {
    const char *text, *at;
    TF_DataType type;
    int64_t dims[MOST_RANK];
    int rank; /* -1: not known yet */
    char *bytes;
    size_t size, cap, each;
    int64_t count;
    char *why;
};

static bool fail_at(struct parser *p, const char *what) {
    snprintf(p->why, VALUE_WHY, "%s at character %d of '%.60s'", what, (int)(p->at - p->text) + 1, p->text);
    return false;
}

static void *new_element(struct parser *p) {
    if (p->size + p->each > p->cap) {
        p->cap = (p->cap + p->each) * 2;
        p->bytes = must_allocate(p->bytes, p->cap);
    }
    void *element = p->bytes + p->size;
    p->size += p->each;
    p->count++;
    return element;
}

static bool put_integer(struct parser *p, int64_t least, uint64_t most) {
    char *end;
    errno = 0;
    bool negative = *p->at == '-';
    uint64_t u = 0;
    int64_t i = 0;
    if (negative) i = strtoll(p->at, &end, 0);
    else u = strtoull(p->at, &end, 0);
    if (end == p->at) return fail_at(p, "no whole number");
    if (errno == ERANGE || (negative ? i < least : u > most)) return fail_at(p, "the number is out of range");
    if (*end == '.' || *end == 'e' || *end == 'E') return fail_at(p, "a whole number is wanted");
    if (!negative) i = (int64_t)u;
    p->at = end;
    memcpy(new_element(p), &i, p->each); /* little-endian: the low bytes */
    return true;
}

static bool take_real(double *out, struct parser *p) {
    char *end;
    errno = 0;
    *out = strtod(p->at, &end);
    if (end == p->at) return fail_at(p, "no number");
    if (errno == ERANGE && isinf(*out)) return fail_at(p, "the number is out of range");
    p->at = end;
    return true;
}

/* 1, 2j, 1+2j, (1+2j) */
static bool put_complex(struct parser *p) {
    double wide[2] = {0, 0};
    bool is_in_brackets = *p->at == '(';
    p->at += is_in_brackets;
    if (!take_real(&wide[0], p)) return false;
    if (*p->at == 'j') {
        wide[1] = wide[0];
        wide[0] = 0;
        p->at++;
    } else if (*p->at == '+' || *p->at == '-') {
        if (!take_real(&wide[1], p)) return false;
        if (*p->at++ != 'j') return p->at--, fail_at(p, "a j is wanted");
    }
    if (is_in_brackets && *p->at++ != ')') return p->at--, fail_at(p, "a ) is wanted");
    float narrow[2] = {(float)wide[0], (float)wide[1]};
    memcpy(new_element(p), p->type == TF_COMPLEX64 ? (void *)narrow : (void *)wide, p->each);
    return true;
}

static bool put_real(struct parser *p) {
    double d;
    if (!take_real(&d, p)) return false;
    void *to = new_element(p);
    float f = (float)d;
    uint16_t small;
    switch (p->type) {
    case TF_FLOAT: memcpy(to, &f, 4); break;
    case TF_DOUBLE: memcpy(to, &d, 8); break;
    case TF_HALF:
        small = half_bits(f);
        memcpy(to, &small, 2);
        break;
    default: small = bfloat16_bits(f); memcpy(to, &small, 2);
    }
    return true;
}

static bool put_bool(struct parser *p) {
    static const struct {
        const char *word;
        bool value;
    } words[] = {{"true", true}, {"false", false}, {"True", true}, {"False", false}, {"1", true}, {"0", false}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t n = strlen(words[i].word);
        if (strncmp(p->at, words[i].word, n) != 0) continue;
        p->at += n;
        *(bool *)new_element(p) = words[i].value;
        return true;
    }
    return fail_at(p, "no true or false");
}

static bool put_text(struct parser *p, const char *text, size_t n) {
    TF_TString *s = new_element(p);
    TF_TString_Init(s);
    TF_TString_Copy(s, text, n);
    return true;
}

/* So many hexadecimal digits; -1 when there are fewer. */
static int64_t take_hex(const char **at, int digits) {
    int64_t value = 0;
    for (int i = 0; i < digits; i++, ++*at) {
        int c = tolower((unsigned char)**at);
        if (!isxdigit(c)) return -1;
        value = value * 16 + (isdigit(c) ? c - '0' : c - 'a' + 10);
    }
    return value;
}

/* The character of \u; two of them where a character beyond 16 bits has a pair. False when it is none. */
static bool take_character(uint32_t *out, const char **at) {
    int64_t c = take_hex(at, 4), low = -1;
    if (c >= 0xd800 && c < 0xdc00 && (*at)[0] == '\\' && (*at)[1] == 'u') {
        *at += 2;
        low = take_hex(at, 4);
        if (low < 0xdc00 || low >= 0xe000) return false;
        c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
    }
    *out = (uint32_t)c;
    return c >= 0 && (c < 0xd800 || c >= 0xe000);
}

/* What stands behind a backslash, written to `to`; p->at goes behind it. False when it is no escape. */
static bool put_escape(char *to, size_t *n, struct parser *p) {
    static const char letters[] = "\"'\\/ntrbf", meant[] = "\"'\\/\n\t\r\b\f";
    char letter = *p->at;
    const char *known = letter ? strchr(letters, letter) : NULL;
    uint32_t character;
    int64_t byte;
    if (known) {
        to[(*n)++] = meant[known - letters];
        p->at++;
        return true;
    }
    if (letter != 'u' && letter != 'x') return false;
    p->at++;
    if (letter == 'u') {
        if (!take_character(&character, &p->at)) return false;
        *n += text_put(to + *n, character);
        return true;
    }
    byte = take_hex(&p->at, 2);
    if (byte < 0) return false;
    to[(*n)++] = (char)byte;
    return true;
}

/* Whether a quote begins a string: a single one must have its other half before a comma, a bracket or the end. */
static bool is_quoted(const char *at) {
    if (*at != '\'') return *at == '"';
    for (at++; *at && *at != '\''; at++) at += *at == '\\' && at[1];
    if (*at) at += 1 + strspn(at + 1, " \t\n");
    else return false;
    return !*at || *at == ',' || *at == ']';
}

static bool put_quoted(struct parser *p, char *room) {
    const char *begin = p->at, quote = *p->at++;
    size_t n = 0;
    while (*p->at && *p->at != quote) {
        const char *escape = p->at;
        if (*p->at != '\\') {
            room[n++] = *p->at++;
        } else if (p->at++, !put_escape(room, &n, p)) {
            p->at = escape;
            return fail_at(p, "none of \\\" \\\\ \\n \\t \\r \\u0000 \\x00");
        }
    }
    if (!*p->at) {
        p->at = begin;
        return fail_at(p, "the string does not end");
    }
    p->at++;
    return put_text(p, room, n);
}

static bool put_file(struct parser *p, char *path, size_t length) {
    size_t n;
    while (length && isspace((unsigned char)path[length - 1])) length--;
    path[length] = 0;
    char *bytes = file_read(path, &n);
    if (!bytes) return fail_at(p, "the file cannot be read");
    put_text(p, bytes, n);
    free(bytes);
    return true;
}

/* "..." or '...', or bare text that ends at a comma or bracket, or @ and a file's name. */
static bool put_string(struct parser *p) {
    char *room = must_allocate(NULL, strlen(p->at) + 1);
    const char *begin = p->at;
    size_t n = 0;
    bool ok;
    if (is_quoted(p->at)) {
        ok = put_quoted(p, room);
    } else {
        while (*p->at && (p->rank == 0 || (*p->at != ',' && *p->at != ']'))) room[n++] = *p->at++;
        room[n] = 0;
        ok = *begin == '@' ? put_file(p, room + 1, n - 1) : put_text(p, room, n);
    }
    free(room);
    return ok;
}

static bool put_element(struct parser *p) {
    switch (p->type) {
    case TF_INT8:
    case TF_QINT8: return put_integer(p, INT8_MIN, INT8_MAX);
    case TF_INT16:
    case TF_QINT16: return put_integer(p, INT16_MIN, INT16_MAX);
    case TF_INT32:
    case TF_QINT32: return put_integer(p, INT32_MIN, INT32_MAX);
    case TF_INT64: return put_integer(p, INT64_MIN, INT64_MAX);
    case TF_UINT8:
    case TF_QUINT8: return put_integer(p, 0, UINT8_MAX);
    case TF_UINT16:
    case TF_QUINT16: return put_integer(p, 0, UINT16_MAX);
    case TF_UINT32: return put_integer(p, 0, UINT32_MAX);
    case TF_UINT64: return put_integer(p, 0, UINT64_MAX);
    case TF_BOOL: return put_bool(p);
    case TF_STRING: return put_string(p);
    case TF_FLOAT:
    case TF_DOUBLE:
    case TF_HALF:
    case TF_BFLOAT16: return put_real(p);
    case TF_COMPLEX64:
    case TF_COMPLEX128: return put_complex(p);
    default: return fail_at(p, "values of this type cannot be written; feed an .npy file");
    }
}

static void skip(struct parser *p) {
    while (isspace((unsigned char)*p->at)) p->at++;
}

static bool parse_list(struct parser *p, int depth) {
    skip(p);
    if (*p->at != '[') {
        if (p->rank < 0) p->rank = depth;
        if (p->rank != depth) return fail_at(p, "a list is wanted");
        return put_element(p);
    }
    if (depth == MOST_RANK || depth == p->rank) return fail_at(p, "the lists are nested too deep");
    p->at++;
    int64_t n = 0;
    for (skip(p); *p->at != ']'; skip(p)) {
        if (n && *p->at++ != ',') {
            p->at--;
            return fail_at(p, "a comma or ] is wanted");
        }
        if (!parse_list(p, depth + 1)) return false;
        n++;
    }
    p->at++;
    if (n == 0 && p->rank < 0) p->rank = depth + 1;
    if (p->dims[depth] >= 0 && p->dims[depth] != n) return fail_at(p, "the lists of one level differ in length");
    p->dims[depth] = n;
    return true;
}

TF_Tensor *value_parse(const char *text, TF_DataType type, char why[VALUE_WHY]) {
    struct parser p = {.text = text, .at = text, .type = type, .rank = -1, .why = why};
    for (int i = 0; i < MOST_RANK; i++) p.dims[i] = -1;
    p.each = type == TF_STRING ? sizeof(TF_TString) : TF_DataTypeSize(type);
    TF_Tensor *t = NULL;
    if (type == TF_STRING && text[0] != '[') p.rank = 0;
    bool ok = parse_list(&p, 0);
    skip(&p);
    if (ok && *p.at) ok = fail_at(&p, "something follows the value");
    if (ok) {
        t = TF_AllocateTensor(type, p.dims, p.rank, p.size);
        if (!t) snprintf(why, VALUE_WHY, "there is no memory for it");
        else if (p.size) memcpy(TF_TensorData(t), p.bytes, p.size); /* strings move: the tensor owns them now */
    }
    if (!t && type == TF_STRING)
        for (int64_t i = 0; i < p.count; i++) TF_TString_Dealloc((TF_TString *)p.bytes + i);
    free(p.bytes);
    return t;
}

/* ---- printing */

/* The shortest of up to nine (seventeen) digits that reads back the same. */
static void print_real(FILE *out, double d, bool is_float, bool json) {
    if (isnan(d) || isinf(d)) {
        fprintf(out, json ? "\"%s\"" : "%s", isnan(d) ? "nan" : d < 0 ? "-inf" : "inf");
        return;
    }
    char text[40];
    for (int digits = is_float ? 6 : 15; digits <= (is_float ? 9 : 17); digits++) {
        snprintf(text, sizeof text, "%.*g", digits, d);
        if (is_float ? strtof(text, NULL) == (float)d : strtod(text, NULL) == d) break;
    }
    fputs(text, out);
}

static void print_element(FILE *out, const TF_Tensor *t, int64_t i, bool json) {
    const char *data = TF_TensorData(t);
    TF_DataType type = TF_TensorType(t);
    const char *at = data + (size_t)i * (type == TF_STRING ? sizeof(TF_TString) : TF_DataTypeSize(type));
#define NUMBER(c_type, format) fprintf(out, format, *(const c_type *)at)
    switch (type) {
    case TF_FLOAT: print_real(out, *(const float *)at, true, json); break;
    case TF_DOUBLE: print_real(out, *(const double *)at, false, json); break;
    case TF_HALF: print_real(out, half_value(*(const uint16_t *)at), true, json); break;
    case TF_BFLOAT16: print_real(out, bfloat16_value(*(const uint16_t *)at), true, json); break;
    case TF_INT8:
    case TF_QINT8:
    case TF_INT4:
    case TF_INT2: NUMBER(int8_t, "%d"); break;
    case TF_UINT8:
    case TF_QUINT8:
    case TF_UINT4:
    case TF_UINT2: NUMBER(uint8_t, "%d"); break;
    case TF_INT16:
    case TF_QINT16: NUMBER(int16_t, "%d"); break;
    case TF_UINT16:
    case TF_QUINT16: NUMBER(uint16_t, "%d"); break;
    case TF_INT32:
    case TF_QINT32: NUMBER(int32_t, "%" PRId32); break;
    case TF_UINT32: NUMBER(uint32_t, "%" PRIu32); break;
    case TF_INT64: NUMBER(int64_t, "%" PRId64); break;
    case TF_UINT64: NUMBER(uint64_t, "%" PRIu64); break;
    case TF_BOOL: fputs(*(const bool *)at ? "true" : "false", out); break;
    case TF_STRING:
        (json ? text_print_json : text_print)(out, TF_TString_GetDataPointer((const TF_TString *)at),
                                              TF_TString_GetSize((const TF_TString *)at));
        break;
    case TF_COMPLEX64:
    case TF_COMPLEX128: {
        bool wide = type == TF_COMPLEX128;
        double re = wide ? ((const double *)at)[0] : ((const float *)at)[0],
               im = wide ? ((const double *)at)[1] : ((const float *)at)[1];
        fputs(json ? "[" : "(", out);
        print_real(out, re, !wide, json);
        fputs(json ? "," : im < 0 || (im == 0 && signbit(im)) ? "" : "+", out);
        print_real(out, im, !wide, json);
        fputs(json ? "]" : "j)", out);
        break;
    }
    default: fputs("\"?\"", out);
    }
#undef NUMBER
}

static int64_t below(const TF_Tensor *t, int d) {
    int64_t n = 1;
    for (int i = d + 1; i < TF_NumDims(t); i++) n *= TF_Dim(t, i);
    return n;
}

static void print_level(FILE *out, const TF_Tensor *t, int d, int64_t start, bool in_full, bool json) {
    enum { EDGE = 3 };
    if (d == TF_NumDims(t)) {
        print_element(out, t, start, json);
        return;
    }
    int64_t n = TF_Dim(t, d), each = below(t, d);
    bool innermost = d + 1 == TF_NumDims(t);
    putc('[', out);
    for (int64_t i = 0; i < n; i++) {
        if (!in_full && n > 2 * EDGE && i == EDGE) {
            fputs(innermost ? ", ..." : ",\n", out);
            if (!innermost) fprintf(out, "%*s...", d + 1, "");
            i = n - EDGE;
        }
        if (i && json) putc(',', out);
        else if (i && innermost) fputs(", ", out);
        else if (i) {
            fputs(",\n", out);
            fprintf(out, "%*s", d + 1, "");
        }
        print_level(out, t, d + 1, start + i * each, in_full, json);
    }
    putc(']', out);
}

void value_print(FILE *out, const TF_Tensor *t, bool in_full) {
    print_level(out, t, 0, 0, in_full || TF_TensorElementCount(t) <= 1000, false);
}

void value_print_json(FILE *out, const TF_Tensor *t) {
    fprintf(out, "{\"dtype\":\"%s\",\"shape\":[", type_name(TF_TensorType(t)));
    for (int i = 0; i < TF_NumDims(t); i++) fprintf(out, "%s%" PRId64, i ? "," : "", TF_Dim(t, i));
    fputs("],\"value\":", out);
    print_level(out, t, 0, 0, true, true);
    fputs("}", out);
}
