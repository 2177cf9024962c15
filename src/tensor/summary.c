/* Elements and tensors as text. */
#include "tensor/summary.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/vec.h"
#include "tensor/float16.h"
#include "tensor/object.h"

static const char *float_text(char text[SL_ELEMENT_TEXT], float f) {
    snprintf(text, SL_ELEMENT_TEXT, "%.6g", (double)f);
    if (f == f && strtof(text, NULL) != f) snprintf(text, SL_ELEMENT_TEXT, "%.9g", (double)f);
    return f == f ? text : strcpy(text, "nan");
}

static const char *double_text(char text[SL_ELEMENT_TEXT], double d) {
    snprintf(text, SL_ELEMENT_TEXT, "%.15g", d);
    if (d == d && strtod(text, NULL) != d) snprintf(text, SL_ELEMENT_TEXT, "%.17g", d);
    return d == d ? text : strcpy(text, "nan");
}

/* A case for integers of C type T. */
#define INTEGER(name, T, format, as)                                                                                   \
    case SL_##name: snprintf(text, SL_ELEMENT_TEXT, "%" format, (as)(*(const T *)e)); return text;

const char *sl_element_text(char text[SL_ELEMENT_TEXT], int dtype, const void *e) {
    switch (dtype) {
        INTEGER(BOOL, bool, "d", int)
        INTEGER(INT8, int8_t, "d", int)
        INTEGER(INT16, int16_t, "d", int)
        INTEGER(INT32, int32_t, PRId32, int32_t)
        INTEGER(INT64, int64_t, PRId64, int64_t)
        INTEGER(UINT8, uint8_t, "u", unsigned)
        INTEGER(UINT16, uint16_t, "u", unsigned)
        INTEGER(UINT32, uint32_t, PRIu32, uint32_t)
        INTEGER(UINT64, uint64_t, PRIu64, uint64_t)
        INTEGER(QINT8, int8_t, "d", int)
        INTEGER(QINT16, int16_t, "d", int)
        INTEGER(QINT32, int32_t, PRId32, int32_t)
        INTEGER(QUINT8, uint8_t, "u", unsigned)
        INTEGER(QUINT16, uint16_t, "u", unsigned)
        INTEGER(INT4, int8_t, "d", int)
        INTEGER(INT2, int8_t, "d", int)
        INTEGER(UINT4, uint8_t, "u", unsigned)
        INTEGER(UINT2, uint8_t, "u", unsigned)
    case SL_FLOAT: return float_text(text, *(const float *)e);
    case SL_DOUBLE: return double_text(text, *(const double *)e);
    case SL_HALF: return float_text(text, sl_float_of_half(*(const sl_half *)e));
    case SL_BFLOAT16: return float_text(text, sl_float_of_bfloat16(*(const sl_bfloat16 *)e));
    default: return strcpy(text, "?");
    }
}

/* ---- whole tensors */

struct writer {
    SL_VEC(char) text;
    bool failed;
    struct sl_view v;
    int64_t at, end; /* the next element, and the one after the last that is shown */
};

static void put(struct writer *w, const char *p, size_t n) {
    if (w->failed || sl_vec_reserve(&w->text, n + 1)) {
        w->failed = true;
        return;
    }
    memcpy(w->text.items + w->text.n, p, n);
    w->text.n += n;
}
static void put_text(struct writer *w, const char *text) { put(w, text, strlen(text)); }

static void put_escaped(struct writer *w, struct sl_str s) {
    for (size_t i = 0; i < s.n; i++) {
        unsigned char c = (unsigned char)s.p[i];
        char octal[8];
        switch (c) {
        case '\n': put(w, "\\n", 2); break;
        case '\r': put(w, "\\r", 2); break;
        case '\t': put(w, "\\t", 2); break;
        case '"': put(w, "\\\"", 2); break;
        case '\'': put(w, "\\'", 2); break;
        case '\\': put(w, "\\\\", 2); break;
        default:
            if (c >= 32 && c < 127) put(w, (const char *)&c, 1);
            else put(w, octal, (size_t)snprintf(octal, sizeof octal, "\\%03o", (unsigned)c));
        }
    }
}

static void put_object(struct writer *w, const struct sl_object *o) {
    const char *name = o ? o->type->name : "";
    const char *last = strrchr(name, ':');
    put(w, "<", 1);
    put_text(w, last ? last + 1 : name);
    put(w, ">", 1);
}

static void put_element(struct writer *w) {
    const char *e = (const char *)w->v.data + (size_t)w->at++ * sl_dtype_size(w->v.dtype);
    char text[SL_ELEMENT_TEXT];
    if (w->v.dtype == SL_STRING) put_escaped(w, sl_string_get((const TF_TString *)e));
    else if (w->v.dtype == SL_RESOURCE || w->v.dtype == SL_VARIANT) put_object(w, *(struct sl_object *const *)e);
    else put_text(w, sl_element_text(text, w->v.dtype, e));
}

/* Elements of the last dimension, or nested brackets of the others; nothing once the last shown element is written. */
static void put_dimension(struct writer *w, int d) {
    if (d >= w->v.rank - 1) {
        int64_t n = w->v.rank ? w->v.dims[d] : 1;
        for (int64_t i = 0; i < n; i++) {
            if (w->at >= w->end) {
                if (d > 0) put(w, "...", 3);
                return;
            }
            if (i) put(w, " ", 1);
            put_element(w);
        }
        return;
    }
    for (int64_t i = 0; i < w->v.dims[d] && w->at < w->end && !w->failed; i++) {
        put(w, "[", 1);
        put_dimension(w, d + 1);
        put(w, "]", 1);
    }
}

sl_code sl_view_summary(char **out, struct sl_view v, int64_t most, struct sl_error *err) {
    struct writer w = {.v = v, .end = most < 0 || most > v.count ? v.count : most};
    put_dimension(&w, 0);
    if (w.end < v.count) put(&w, "...", 3);
    put(&w, "", 1);
    if (w.failed) {
        sl_vec_free(&w.text);
        return sl_fail_memory(err, (size_t)w.end);
    }
    *out = w.text.items;
    return SL_OK;
}
