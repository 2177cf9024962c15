/* .npy files. The header is a Python dictionary in a fixed layout; only what NumPy writes is taken, everything is
 * bounded by the bytes that are there. */
#include "npy.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "quoted_text.h"
#include "tensorflow/c/tf_tstring.h"

static const struct kind {
    const char *descr; /* without byte order */
    TF_DataType type;
    int bytes;
} kinds[] = {
    {"f4", TF_FLOAT, 4},
    {"f8", TF_DOUBLE, 8},
    {"i4", TF_INT32, 4},
    {"u1", TF_UINT8, 1},
    {"i2", TF_INT16, 2},
    {"i1", TF_INT8, 1},
    {"i8", TF_INT64, 8},
    {"b1", TF_BOOL, 1},
    {"u2", TF_UINT16, 2},
    {"u4", TF_UINT32, 4},
    {"u8", TF_UINT64, 8},
    {"f2", TF_HALF, 2},
    {"c8", TF_COMPLEX64, 8},
    {"c16", TF_COMPLEX128, 16},
    /* NumPy has no bfloat16; arrays that the package ml_dtypes gives it are saved as bytes. */
    {"V2", TF_BFLOAT16, 2},
    /* Written as the whole numbers that they are, and never read as such. */
    {"i1", TF_QINT8, 1},
    {"u1", TF_QUINT8, 1},
    {"i2", TF_QINT16, 2},
    {"u2", TF_QUINT16, 2},
    {"i4", TF_QINT32, 4},
    {"i1", TF_INT4, 1},
    {"u1", TF_UINT4, 1},
};
enum { KINDS = sizeof kinds / sizeof *kinds, MOST_DIMS = 64, MOST_EMPTY = 1 << 20 };

struct header {
    const struct kind *kind; /* NULL: strings */
    char string_kind;        /* 'S' or 'U' */
    int64_t string_length;   /* characters */
    bool is_big, is_fortran;
    int rank;
    int64_t dims[MOST_DIMS], count;
    size_t element_bytes;
    const char *data;
    size_t data_bytes;
};

static bool refuse(char why[NPY_WHY], const char *text) {
    snprintf(why, NPY_WHY, "%s", text);
    return false;
}

static const char *skip_spaces(const char *p, const char *end) {
    while (p < end && (*p == ' ' || *p == '\n' || *p == '\t')) p++;
    return p;
}

/* The text after 'key': in the dictionary. */
static const char *find_key(const char *text, const char *end, const char *key) {
    size_t n = strlen(key);
    for (const char *p = text; (size_t)(end - p) > n + 3; p++)
        if ((*p == '\'' || *p == '"') && !memcmp(p + 1, key, n) && p[n + 1] == *p) {
            p = skip_spaces(p + n + 2, end);
            return p < end && *p == ':' ? skip_spaces(p + 1, end) : NULL;
        }
    return NULL;
}

static bool read_number(int64_t *out, const char **at, const char *end) {
    const char *p = *at;
    int64_t n = 0;
    if (p == end || *p < '0' || *p > '9') return false;
    for (; p < end && *p >= '0' && *p <= '9'; p++)
        if (__builtin_mul_overflow(n, 10, &n) || __builtin_add_overflow(n, *p - '0', &n)) return false;
    *at = p;
    *out = n;
    return true;
}

static bool read_descr(struct header *h, const char *p, const char *end, char why[NPY_WHY]) {
    char descr[16];
    size_t n = 0;
    if (!p || p == end || (*p != '\'' && *p != '"')) return refuse(why, "the header has no simple 'descr'");
    for (p++; p < end && *p != '\'' && *p != '"' && n + 1 < sizeof descr; p++) descr[n++] = *p;
    descr[n] = 0;
    const char *name = descr;
    if (*name == '<' || *name == '|' || *name == '=' || *name == '>') h->is_big = *name++ == '>';
    if (*name == 'S' || *name == 'U') {
        const char *digits = name + 1, *stop = descr + n;
        h->string_kind = *name;
        if (!read_number(&h->string_length, &digits, stop) || digits != stop || h->string_length > 1 << 24)
            return refuse(why, "the header's string type makes no sense");
        h->element_bytes = (size_t)h->string_length * (*name == 'U' ? 4 : 1);
        return true;
    }
    for (int i = 0; i < KINDS; i++)
        if (!strcmp(kinds[i].descr, name)) {
            h->kind = &kinds[i];
            h->element_bytes = (size_t)kinds[i].bytes;
            return true;
        }
    snprintf(why, NPY_WHY, "arrays of type '%s' are not supported", descr);
    return false;
}

static bool read_shape(struct header *h, const char *p, const char *end, char why[NPY_WHY]) {
    if (!p || p == end || *p++ != '(') return refuse(why, "the header has no 'shape'");
    h->count = 1;
    for (;;) {
        p = skip_spaces(p, end);
        if (p < end && *p == ')') return true;
        if (h->rank == MOST_DIMS) return refuse(why, "the array has too many dimensions");
        if (!read_number(&h->dims[h->rank], &p, end)) return refuse(why, "the header's shape makes no sense");
        if (__builtin_mul_overflow(h->count, h->dims[h->rank++], &h->count))
            return refuse(why, "the array is too large");
        p = skip_spaces(p, end);
        if (p < end && *p == ',') p++;
        else if (p == end || *p != ')') return refuse(why, "the header's shape makes no sense");
    }
}

static bool read_header(struct header *h, const char *bytes, size_t size, char why[NPY_WHY]) {
    const unsigned char *u = (const unsigned char *)bytes;
    memset(h, 0, sizeof *h);
    if (size < 10 || memcmp(bytes, "\x93NUMPY", 6) != 0) return refuse(why, "it does not begin as an .npy file");
    if (u[6] < 1 || u[6] > 3) return refuse(why, "its format version is not known");
    size_t at = u[6] == 1 ? 10 : 12, length = u[8] | (size_t)u[9] << 8;
    if (size < at) return refuse(why, "it ends within its header");
    if (u[6] > 1) length |= (size_t)u[10] << 16 | (size_t)u[11] << 24;
    if (length > size - at) return refuse(why, "it ends within its header");
    const char *text = bytes + at, *end = text + length;
    const char *order = find_key(text, end, "fortran_order");
    if (!order || end - order < 4) return refuse(why, "the header has no 'fortran_order'");
    h->is_fortran = !memcmp(order, "True", 4);
    if (!read_descr(h, find_key(text, end, "descr"), end, why) ||
        !read_shape(h, find_key(text, end, "shape"), end, why))
        return false;
    h->data = end;
    h->data_bytes = size - at - length;
    int64_t need;
    if (__builtin_mul_overflow(h->count, (int64_t)h->element_bytes, &need) || (uint64_t)need > h->data_bytes) {
        snprintf(why, NPY_WHY, "it holds %zu bytes of data but its shape needs %" PRId64 " elements of %zu",
                 h->data_bytes, h->count, h->element_bytes);
        return false;
    }
    if (h->element_bytes == 0 && h->count > MOST_EMPTY) { /* which no bytes of the file stand for */
        snprintf(why, NPY_WHY, "its shape has %" PRId64 " strings of no bytes; at most %d", h->count, MOST_EMPTY);
        return false;
    }
    return true;
}

/* Position in the file of element `i` of the row-major tensor. */
static int64_t file_index(const struct header *h, int64_t i) {
    if (!h->is_fortran || h->rank < 2) return i;
    int64_t at = 0, stride_before[MOST_DIMS], stride = 1;
    for (int d = 0; d < h->rank; d++) {
        stride_before[d] = stride;
        stride *= h->dims[d];
    }
    for (int d = h->rank - 1; d >= 0; d--) {
        at += i % h->dims[d] * stride_before[d];
        i /= h->dims[d];
    }
    return at;
}

static void copy_number(char *to, const char *from, const struct header *h) {
    int part = h->kind->type == TF_COMPLEX64 || h->kind->type == TF_COMPLEX128 ? h->kind->bytes / 2 : h->kind->bytes;
    for (int start = 0; start < h->kind->bytes; start += part)
        for (int b = 0; b < part; b++) to[start + b] = from[start + (h->is_big ? part - 1 - b : b)];
    if (h->kind->type == TF_BOOL) *to = *to != 0;
}

/* One fixed-length string; NULs at its end are padding. `room` has four bytes a character. */
static void copy_string(TF_TString *to, const char *from, const struct header *h, char *room) {
    size_t n = 0;
    TF_TString_Init(to);
    if (h->string_kind == 'S') {
        n = (size_t)h->string_length;
        while (n && !from[n - 1]) n--;
        TF_TString_Copy(to, from, n);
        return;
    }
    size_t last = 0;
    for (int64_t i = 0; i < h->string_length; i++) {
        const unsigned char *u = (const unsigned char *)from + 4 * i;
        uint32_t c = h->is_big ? (uint32_t)u[0] << 24 | (uint32_t)u[1] << 16 | (uint32_t)u[2] << 8 | u[3]
                               : (uint32_t)u[3] << 24 | (uint32_t)u[2] << 16 | (uint32_t)u[1] << 8 | u[0];
        n += text_put(room + n, c);
        if (c) last = n;
    }
    TF_TString_Copy(to, room, last);
}

TF_Tensor *npy_parse(const void *bytes, size_t size, char why[NPY_WHY]) {
    struct header h;
    if (!read_header(&h, bytes, size, why)) return NULL;
    TF_DataType type = h.kind ? h.kind->type : TF_STRING;
    size_t each = h.kind ? h.element_bytes : sizeof(TF_TString);
    int64_t total;
    TF_Tensor *t = NULL;
    char *room = malloc((size_t)h.string_length * 4 + 4);
    if (room && !__builtin_mul_overflow(h.count, (int64_t)each, &total))
        t = TF_AllocateTensor(type, h.dims, h.rank, (size_t)total);
    if (!t) {
        refuse(why, "there is no memory for it");
        free(room);
        return NULL;
    }
    char *to = TF_TensorData(t);
    for (int64_t i = 0; i < h.count; i++) {
        const char *from = h.data + (size_t)file_index(&h, i) * h.element_bytes;
        if (h.kind) copy_number(to + (size_t)i * each, from, &h);
        else copy_string((TF_TString *)to + i, from, &h, room);
    }
    free(room);
    return t;
}

void *npy_format(size_t *size, const TF_Tensor *t, char why[NPY_WHY]) {
    TF_DataType type = TF_TensorType(t);
    int64_t count = TF_TensorElementCount(t);
    char descr[32], shape[MOST_DIMS * 21 + 8];
    size_t each = 0, at = 0;
    const TF_TString *strings = type == TF_STRING ? TF_TensorData(t) : NULL;
    descr[0] = 0;
    for (int i = 0; i < KINDS; i++)
        if (kinds[i].type == type) {
            each = (size_t)kinds[i].bytes;
            snprintf(descr, sizeof descr, "%c%s", each == 1 ? '|' : '<', kinds[i].descr);
        }
    for (int64_t i = 0; strings && i < count; i++)
        if (TF_TString_GetSize(&strings[i]) > each) each = TF_TString_GetSize(&strings[i]);
    if (strings) snprintf(descr, sizeof descr, "|S%zu", each ? each : (each = 1));
    if (!descr[0] || TF_NumDims(t) > MOST_DIMS) {
        snprintf(why, NPY_WHY, "NumPy has no arrays of this type or rank");
        return NULL;
    }
    shape[at++] = '(';
    for (int d = 0; d < TF_NumDims(t); d++)
        at += (size_t)snprintf(shape + at, sizeof shape - at, "%s%" PRId64, d ? ", " : "", TF_Dim(t, d));
    snprintf(shape + at, sizeof shape - at, "%s)", TF_NumDims(t) == 1 ? "," : "");
    char dictionary[sizeof shape + 96];
    int length =
        snprintf(dictionary, sizeof dictionary, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }", descr, shape);
    size_t head = ((size_t)length + 11 + 63) / 64 * 64; /* the data begin at a multiple of 64 */
    char *out = malloc(head + (size_t)count * each + 1);
    if (!out) {
        refuse(why, "there is no memory for it");
        return NULL;
    }
    memcpy(out, "\x93NUMPY\x01\x00", 8);
    out[8] = (char)((head - 10) & 0xff);
    out[9] = (char)((head - 10) >> 8);
    memset(out + 10, ' ', head - 10);
    memcpy(out + 10, dictionary, (size_t)length);
    out[head - 1] = '\n';
    if (!strings && count) memcpy(out + head, TF_TensorData(t), (size_t)count * each);
    for (int64_t i = 0; strings && i < count; i++) {
        size_t n = TF_TString_GetSize(&strings[i]);
        memset(out + head + (size_t)i * each, 0, each);
        memcpy(out + head + (size_t)i * each, TF_TString_GetDataPointer(&strings[i]), n);
    }
    *size = head + (size_t)count * each;
    return out;
}
