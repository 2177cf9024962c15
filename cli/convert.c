/* A number on its way between types is a whole number of 64 bits with its sign apart, or a double: every element of
 * every type here is one of the two exactly. */
#include "convert.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "small_float.h"

struct number {
    bool is_real, is_negative;
    uint64_t magnitude;
    double real;
};

static const struct number_type {
    TF_DataType type;
    char kind; /* 'i' with a sign, 'u' without, 'b' bool, 'f' float or double, 'h' half, 'B' bfloat16 */
    int bytes;
} number_types[] = {
    {TF_BOOL, 'b', 1},     {TF_INT8, 'i', 1},    {TF_INT16, 'i', 2},  {TF_INT32, 'i', 4},  {TF_INT64, 'i', 8},
    {TF_UINT8, 'u', 1},    {TF_UINT16, 'u', 2},  {TF_UINT32, 'u', 4}, {TF_UINT64, 'u', 8}, {TF_HALF, 'h', 2},
    {TF_BFLOAT16, 'B', 2}, {TF_FLOAT, 'f', 4},   {TF_DOUBLE, 'f', 8}, {TF_QINT8, 'i', 1},  {TF_QUINT8, 'u', 1},
    {TF_QINT16, 'i', 2},   {TF_QUINT16, 'u', 2}, {TF_QINT32, 'i', 4},
};

static const struct number_type *find_type(TF_DataType type) {
    for (size_t i = 0; i < sizeof number_types / sizeof *number_types; i++)
        if (number_types[i].type == type) return &number_types[i];
    return NULL;
}

static struct number get(const struct number_type *t, const char *at) {
    uint64_t bits = 0;
    float single;
    double real;
    uint16_t half;
    memcpy(&bits, at, (size_t)t->bytes); /* little-endian */
    memcpy(&half, at, t->bytes >= 2 ? 2 : 1);
    switch (t->kind) {
    case 'h': return (struct number){.is_real = true, .real = (double)half_value(half)};
    case 'B': return (struct number){.is_real = true, .real = (double)bfloat16_value(half)};
    case 'f':
        memcpy(&single, at, 4);
        if (t->bytes == 8) memcpy(&real, at, 8);
        else real = (double)single;
        return (struct number){.is_real = true, .real = real};
    case 'i': {
        int shift = 64 - 8 * t->bytes;
        int64_t value = (int64_t)(bits << shift) >> shift;
        return (struct number){.is_negative = value < 0,
                               .magnitude = value < 0 ? 0 - (uint64_t)value : (uint64_t)value};
    }
    default: return (struct number){.magnitude = bits};
    }
}

/* The whole number of a real one; false when it has none in 64 bits. `*is_same`: nothing stood behind the point. */
static bool make_whole(struct number *n, bool *is_same) {
    double whole = trunc(n->real);
    *is_same = whole == n->real;
    if (!(fabs(whole) < 0x1p64)) return false;
    n->is_negative = whole < 0;
    n->magnitude = (uint64_t)fabs(whole);
    return true;
}

/* False when the number is out of range; `*is_same`: nothing was lost. */
static bool put_whole(char *to, const struct number_type *t, struct number n, bool *is_same) {
    *is_same = true;
    if (n.is_real && !make_whole(&n, is_same)) return false;
    int bits = t->kind == 'b' ? 1 : t->kind == 'i' ? 8 * t->bytes - 1 : 8 * t->bytes;
    uint64_t most = bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
    if (n.is_negative && n.magnitude > (t->kind == 'i' ? most + 1 : 0)) return false;
    if (!n.is_negative && n.magnitude > most) return false;
    uint64_t value = n.is_negative ? 0 - n.magnitude : n.magnitude;
    memcpy(to, &value, (size_t)t->bytes);
    return true;
}

static bool put_real(char *to, const struct number_type *t, struct number n, bool *is_same) {
    double wanted = n.is_real ? n.real : (double)n.magnitude * (n.is_negative ? -1 : 1), got = wanted;
    float single = (float)wanted;
    uint16_t half = t->kind == 'h' ? half_bits(single) : bfloat16_bits(single);
    if (t->bytes == 8) memcpy(to, &wanted, 8);
    else if (t->bytes == 4) memcpy(to, &single, 4), got = (double)single;
    else memcpy(to, &half, 2), got = (double)(t->kind == 'h' ? half_value(half) : bfloat16_value(half));
    *is_same = got == wanted || (isnan(got) && isnan(wanted));
    if (!n.is_real && *is_same) *is_same = fabs(got) < 0x1p64 && (uint64_t)fabs(got) == n.magnitude;
    return true;
}

static bool put(char *to, const struct number_type *t, struct number n, bool *is_same) {
    bool is_whole = t->kind == 'i' || t->kind == 'u' || t->kind == 'b';
    return is_whole ? put_whole(to, t, n, is_same) : put_real(to, t, n, is_same);
}

static const char *number_text(char text[32], struct number n) {
    if (n.is_real) snprintf(text, 32, "%.9g", n.real);
    else snprintf(text, 32, "%s%" PRIu64, n.is_negative ? "-" : "", n.magnitude);
    return text;
}

bool tensor_converts(TF_DataType from, TF_DataType to) { return find_type(from) && find_type(to); }

TF_Tensor *tensor_convert(const TF_Tensor *tensor, TF_DataType type, bool rounds, char why[CONVERT_WHY]) {
    enum { MOST_DIMS = 64 };
    const struct number_type *from = find_type(TF_TensorType(tensor)), *to = find_type(type);
    int64_t dims[MOST_DIMS], count = TF_TensorElementCount(tensor);
    int rank = TF_NumDims(tensor);
    if (!from || !to || rank > MOST_DIMS) {
        snprintf(why, CONVERT_WHY, "values of type %s cannot be converted to %s", type_name(TF_TensorType(tensor)),
                 type_name(type));
        return NULL;
    }
    for (int d = 0; d < rank; d++) dims[d] = TF_Dim(tensor, d);
    TF_Tensor *out = must_have(TF_AllocateTensor(type, dims, rank, (size_t)count * (size_t)to->bytes));
    const char *source = TF_TensorData(tensor);
    char *target = TF_TensorData(out), text[32];
    for (int64_t i = 0; i < count; i++) {
        struct number n = get(from, source + i * from->bytes);
        bool is_same = true, is_within = put(target + i * to->bytes, to, n, &is_same);
        if (is_within && (is_same || rounds)) continue;
        snprintf(why, CONVERT_WHY, "element %" PRId64 ", %s, is %s %s%s", i, number_text(text, n),
                 is_within ? "not exact as" : "out of the range of", type_name(type),
                 is_within ? "; --cast rounds it" : "");
        TF_DeleteTensor(out);
        return NULL;
    }
    return out;
}
