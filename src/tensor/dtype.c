/* The element type table, from dtype.def. */
#include "tensor/dtype.h"

static const struct {
    const char *name, *ref_name;
    unsigned char bytes;
} types[SL_DTYPE_COUNT] = {
#define DTYPE(name, number, text, bytes, c_type) [number] = {text, text "_ref", bytes},
#include "tensor/dtype.def"
#undef DTYPE
};

size_t sl_dtype_size(int dtype) {
    dtype = sl_dtype_base(dtype);
    return sl_dtype_is_valid(dtype) ? types[dtype].bytes : 0;
}

bool sl_dtype_is_plain(int dtype) {
    dtype = sl_dtype_base(dtype);
    return sl_dtype_is_valid(dtype) && dtype != SL_STRING && dtype != SL_RESOURCE && dtype != SL_VARIANT;
}

const char *sl_dtype_name(int dtype) {
    int base = sl_dtype_base(dtype);
    if (!sl_dtype_is_valid(base)) return "unknown";
    return dtype == base ? types[base].name : types[base].ref_name;
}

int sl_dtype_from_name(struct sl_str text) {
    char lower[32];
    if (sl_str_starts(text, SL_STR("DT_"))) {
        text.p += 3;
        text.n -= 3;
    }
    if (text.n == 0 || text.n >= sizeof lower) return 0;
    for (size_t i = 0; i < text.n; i++)
        lower[i] = (char)(text.p[i] >= 'A' && text.p[i] <= 'Z' ? text.p[i] - 'A' + 'a' : text.p[i]);
    struct sl_str name = {lower, text.n};
    if (sl_str_is(name, "float32")) return SL_FLOAT;
    if (sl_str_is(name, "float64")) return SL_DOUBLE;
    if (sl_str_is(name, "float16")) return SL_HALF;
    for (int d = 1; d < SL_DTYPE_COUNT; d++) {
        if (sl_str_is(name, types[d].name)) return d;
        if (sl_str_is(name, types[d].ref_name)) return d + SL_REF_OFFSET;
    }
    return 0;
}
