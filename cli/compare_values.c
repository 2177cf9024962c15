#include "compare_values.h"

#include <math.h>
#include <string.h>

#include "small_float.h"

bool is_complex_type(TF_DataType type) { return type == TF_COMPLEX64 || type == TF_COMPLEX128; }

/* The tolerance of a type; 0: its values are the same or they differ; -1: no numbers. */
static double tolerance_of(TF_DataType type) {
    switch (type) {
    case TF_DOUBLE:
    case TF_COMPLEX128: return 1e-10;
    case TF_FLOAT:
    case TF_COMPLEX64: return 1e-5;
    case TF_HALF: return 1e-2;
    case TF_BFLOAT16: return 5e-2;
    case TF_INT8:
    case TF_QINT8:
    case TF_UINT8:
    case TF_QUINT8:
    case TF_BOOL:
    case TF_INT16:
    case TF_QINT16:
    case TF_UINT16:
    case TF_QUINT16:
    case TF_INT32:
    case TF_QINT32:
    case TF_UINT32:
    case TF_INT64:
    case TF_UINT64: return 0;
    default: return -1;
    }
}

bool is_number_type(TF_DataType type) { return tolerance_of(type) >= 0; }

static void number_at(double out[2], const struct seen_value *v, int64_t i) {
    out[1] = 0;
    switch (v->type) {
    case TF_DOUBLE: out[0] = ((const double *)v->data)[i]; break;
    case TF_COMPLEX128:
        out[0] = ((const double *)v->data)[2 * i];
        out[1] = ((const double *)v->data)[2 * i + 1];
        break;
    case TF_FLOAT: out[0] = (double)((const float *)v->data)[i]; break;
    case TF_COMPLEX64:
        out[0] = (double)((const float *)v->data)[2 * i];
        out[1] = (double)((const float *)v->data)[2 * i + 1];
        break;
    case TF_HALF: out[0] = (double)half_value(((const uint16_t *)v->data)[i]); break;
    case TF_BFLOAT16: out[0] = (double)bfloat16_value(((const uint16_t *)v->data)[i]); break;
    case TF_INT8:
    case TF_QINT8: out[0] = ((const int8_t *)v->data)[i]; break;
    case TF_UINT8:
    case TF_QUINT8:
    case TF_BOOL: out[0] = ((const uint8_t *)v->data)[i]; break;
    case TF_INT16:
    case TF_QINT16: out[0] = ((const int16_t *)v->data)[i]; break;
    case TF_UINT16:
    case TF_QUINT16: out[0] = ((const uint16_t *)v->data)[i]; break;
    case TF_INT32:
    case TF_QINT32: out[0] = ((const int32_t *)v->data)[i]; break;
    case TF_UINT32: out[0] = ((const uint32_t *)v->data)[i]; break;
    case TF_INT64: out[0] = (double)((const int64_t *)v->data)[i]; break;
    case TF_UINT64: out[0] = (double)((const uint64_t *)v->data)[i]; break;
    default: out[0] = 0;
    }
}

static double size_of(const double v[2]) { return v[1] != 0 ? hypot(v[0], v[1]) : fabs(v[0]); }

static double largest_size(const struct seen_value *v) {
    double largest = 0, x[2];
    for (int64_t i = 0; i < v->count; i++) {
        number_at(x, v, i);
        const double size = size_of(x);
        if (isfinite(size) && size > largest) largest = size;
    }
    return largest;
}

/* How far apart; 0: equal; NaN: by more than can be said. */
static double distance(const double a[2], const double b[2]) {
    double d[2];
    for (int k = 0; k < 2; k++) {
        if (isnan(a[k]) && isnan(b[k])) d[k] = 0;
        else d[k] = a[k] == b[k] ? 0 : a[k] - b[k];
    }
    return size_of(d);
}

static void note(struct difference *out, int64_t i, const double a[2], const double b[2], double d) {
    const bool is_larger = !out->n || (!isnan(out->largest) && (isnan(d) || d > out->largest));
    out->n++;
    if (!is_larger) return;
    out->at = i;
    out->largest = d;
    memcpy(out->a, a, sizeof out->a);
    memcpy(out->b, b, sizeof out->b);
}

static bool same_strings(const TF_TString *a, const TF_TString *b) {
    const size_t n = TF_StringGetSize(a);
    return n == TF_StringGetSize(b) && !memcmp(TF_StringGetDataPointer(a), TF_StringGetDataPointer(b), n);
}

/* Elements that are no numbers, or whole numbers beyond what a double holds: compared as they lie. */
static bool same_bytes(const struct seen_value *a, const struct seen_value *b, int64_t i) {
    const size_t size = TF_DataTypeSize(a->type);
    if (a->type == TF_STRING) return same_strings((const TF_TString *)a->data + i, (const TF_TString *)b->data + i);
    return !memcmp((const char *)a->data + (size_t)i * size, (const char *)b->data + (size_t)i * size, size);
}

struct difference compare_values(const struct seen_value *a, const struct seen_value *b, double tolerance) {
    struct difference out = {.is_shape = a->type != b->type || a->rank != b->rank};
    for (int d = 0; d < a->rank && !out.is_shape; d++) out.is_shape = a->dims[d] != b->dims[d];
    if (out.is_shape) return out;
    const double of_type = tolerance_of(a->type);
    if (tolerance < 0) tolerance = of_type;
    const double scale = of_type > 0 ? largest_size(b) : 0;
    for (int64_t i = 0; i < a->count; i++) {
        double x[2] = {0, 0}, y[2] = {0, 0};
        if (of_type <= 0 && same_bytes(a, b, i)) continue;
        number_at(x, a, i);
        number_at(y, b, i);
        const double d = of_type < 0 ? NAN : distance(x, y), size = size_of(y);
        if (of_type > 0 && d <= tolerance * (size > scale && isfinite(size) ? size : scale)) continue;
        note(&out, i, x, y, d);
    }
    return out;
}
