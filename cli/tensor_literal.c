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

static uint16_t half_bits(float value) {
    uint32_t x;
    memcpy(&x, &value, 4);
    uint32_t sign = x >> 16 & 0x8000, magnitude = x & 0x7fffffff;
    if (magnitude > 0x7f800000) return (uint16_t)(sign | 0x7e00);
    if (magnitude >= 0x47800000) return (uint16_t)(sign | 0x7c00);
    if (magnitude < 0x38800000) { /* a denormal of half: let the float unit round */
        float scaled;
        memcpy(&scaled, &magnitude, 4);
        return (uint16_t)(sign | (uint32_t)lrintf(scaled * 16777216.0f));
    }
    magnitude += 0xfff + (magnitude >> 13 & 1);
    return (uint16_t)(sign | ((magnitude - 0x38000000) >> 13));
}

static float half_value(uint16_t bits) {
    int exponent = bits >> 10 & 31, fraction = bits & 0x3ff;
    float v = exponent == 0    ? ldexpf((float)fraction, -24)
              : exponent == 31 ? (fraction ? NAN : INFINITY)
                               : ldexpf((float)(fraction | 0x400), exponent - 25);
    return bits & 0x8000 ? -v : v;
}

static bool put_real(struct parser *p) {
    char *end;
    errno = 0;
    double d = strtod(p->at, &end);
    if (end == p->at) return fail_at(p, "no number");
    if (errno == ERANGE && isinf(d)) return fail_at(p, "the number is out of range");
    p->at = end;
    void *to = new_element(p);
    float f = (float)d, pair[2] = {f, 0};
    double wide[2] = {d, 0};
    uint32_t bits;
    uint16_t small;
    switch (p->type) {
    case TF_FLOAT: memcpy(to, &f, 4); break;
    case TF_DOUBLE: memcpy(to, &d, 8); break;
    case TF_COMPLEX64: memcpy(to, pair, 8); break;
    case TF_COMPLEX128: memcpy(to, wide, 16); break;
    case TF_HALF:
        small = half_bits(f);
        memcpy(to, &small, 2);
        break;
    default: /* bfloat16: the upper half of a float, to nearest even */
        memcpy(&bits, &f, 4);
        if (!isnan(f)) bits += 0x7fff + (bits >> 16 & 1);
        small = (uint16_t)(bits >> 16);
        memcpy(to, &small, 2);
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

/* "..." with \" \\ \n \t, or bare text that ends at a comma or bracket. */
static bool put_string(struct parser *p) {
    size_t room = strlen(p->at) + 1, n = 0;
    char *text = must_allocate(NULL, room);
    bool quoted = *p->at == '"';
    if (quoted) {
        for (p->at++; *p->at && *p->at != '"'; p->at++) {
            char c = *p->at;
            if (c == '\\' && p->at[1]) {
                c = *++p->at;
                c = (char)(c == 'n' ? '\n' : c == 't' ? '\t' : c);
            }
            text[n++] = c;
        }
        if (*p->at != '"') {
            free(text);
            return fail_at(p, "the string does not end");
        }
        p->at++;
    } else {
        while (*p->at && (p->rank == 0 || (*p->at != ',' && *p->at != ']'))) text[n++] = *p->at++;
    }
    TF_TString *s = new_element(p);
    TF_TString_Init(s);
    TF_TString_Copy(s, text, n);
    free(text);
    return true;
}

static bool put_element(struct parser *p) {
    switch (p->type) {
    case TF_INT8: return put_integer(p, INT8_MIN, INT8_MAX);
    case TF_INT16: return put_integer(p, INT16_MIN, INT16_MAX);
    case TF_INT32: return put_integer(p, INT32_MIN, INT32_MAX);
    case TF_INT64: return put_integer(p, INT64_MIN, INT64_MAX);
    case TF_UINT8: return put_integer(p, 0, UINT8_MAX);
    case TF_UINT16: return put_integer(p, 0, UINT16_MAX);
    case TF_UINT32: return put_integer(p, 0, UINT32_MAX);
    case TF_UINT64: return put_integer(p, 0, UINT64_MAX);
    case TF_BOOL: return put_bool(p);
    case TF_STRING: return put_string(p);
    case TF_FLOAT:
    case TF_DOUBLE:
    case TF_HALF:
    case TF_BFLOAT16:
    case TF_COMPLEX64:
    case TF_COMPLEX128: return put_real(p);
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

static void print_text(FILE *out, const char *s, size_t n) {
    putc('"', out);
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)s[i];
        if (c == '"' || c == '\\') fprintf(out, "\\%c", c);
        else if (c == '\n') fputs("\\n", out);
        else if (c < 0x20 || c == 0x7f) fprintf(out, "\\u%04x", c);
        else putc(c, out);
    }
    putc('"', out);
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
    case TF_BFLOAT16: {
        uint32_t bits = (uint32_t) * (const uint16_t *)at << 16;
        float f;
        memcpy(&f, &bits, 4);
        print_real(out, f, true, json);
        break;
    }
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
        print_text(out, TF_TString_GetDataPointer((const TF_TString *)at), TF_TString_GetSize((const TF_TString *)at));
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
