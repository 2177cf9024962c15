/* Rows by number. Elements that only move go by the size of a row in bytes; those that are computed with, by type. */
#include "backends/cpu/scatter/rows.h"

#include <string.h>

#include "backends/cpu/array/move.h"
#include "backends/cpu/scatter/rows_loops.h"
#include "backends/cpu/types.inc"

/* ---- moving */
typedef uint64_t vector __attribute__((vector_size(16)));
typedef vector bytes_16 __attribute__((aligned(1), may_alias));
typedef uint8_t bytes_1 __attribute__((may_alias));
typedef uint16_t bytes_2 __attribute__((aligned(1), may_alias));
typedef uint32_t bytes_4 __attribute__((aligned(1), may_alias));
typedef uint64_t bytes_8 __attribute__((aligned(1), may_alias));

#define GATHER(type)                                                                                                   \
    do {                                                                                                               \
        const type none = {0};                                                                                         \
        for (int64_t i = 0; i < count; i++) ((type *)to)[i] = rows[i] < 0 ? none : ((const type *)from)[rows[i]];      \
    } while (0)

static void gather_bytes(char *to, const char *from, const int64_t *rows, int64_t count, int64_t bytes) {
    switch (bytes) {
    case 1: GATHER(bytes_1); return;
    case 2: GATHER(bytes_2); return;
    case 4: GATHER(bytes_4); return;
    case 8: GATHER(bytes_8); return;
    case 16: GATHER(bytes_16); return;
    default: break;
    }
    for (int64_t i = 0; i < count; i++, to += bytes) {
        if (rows[i] < 0) memset(to, 0, (size_t)bytes);
        else memcpy(to, from + rows[i] * bytes, (size_t)bytes);
    }
}

sl_code sl_rows_gather(int dtype, void *to, const void *from, const int64_t *rows, int64_t count, int64_t n,
                       struct sl_error *err) {
    int64_t bytes = n * (int64_t)sl_dtype_size(dtype);
    if (sl_dtype_is_plain(dtype)) {
        gather_bytes(to, from, rows, count, bytes);
        return SL_OK;
    }
    for (int64_t i = 0; i < count; i++)
        if (rows[i] >= 0)
            SL_TRY(sl_elements_copy(dtype, (char *)to + i * bytes, (const char *)from + rows[i] * bytes, n, err));
    return SL_OK;
}

#define PUT_ROWS(type)                                                                                                 \
    for (int64_t i = 0; i < count; i++)                                                                                \
        if (rows[i] >= 0) *(type *)(to + rows[i] * to_step) = *(const type *)(from + i * from_step);

static void put_bytes(char *to, const char *from, const int64_t *rows, int64_t count, int64_t bytes, int64_t to_step,
                      int64_t from_step) {
    switch (bytes) {
    case 1: PUT_ROWS(bytes_1) return;
    case 2: PUT_ROWS(bytes_2) return;
    case 4: PUT_ROWS(bytes_4) return;
    case 8: PUT_ROWS(bytes_8) return;
    case 16: PUT_ROWS(bytes_16) return;
    default: break;
    }
    for (int64_t i = 0; i < count; i++)
        if (rows[i] >= 0) memcpy(to + rows[i] * to_step, from + i * from_step, (size_t)bytes);
}

sl_code sl_rows_put(int dtype, void *to, const void *from, const int64_t *rows, int64_t count, int64_t n,
                    int64_t to_step, int64_t from_step, struct sl_error *err) {
    int64_t size = (int64_t)sl_dtype_size(dtype);
    if (sl_dtype_is_plain(dtype)) {
        put_bytes(to, from, rows, count, n * size, to_step * size, from_step * size);
        return SL_OK;
    }
    for (int64_t i = 0; i < count; i++)
        if (rows[i] >= 0)
            SL_TRY(sl_elements_copy(dtype, (char *)to + rows[i] * to_step * size,
                                    (const char *)from + i * from_step * size, n, err));
    return SL_OK;
}

/* ---- computing */
/* The lowest integer over -1 wraps; by 0 is the caller's fault and gives 0. */
#define DIVIDE_SIGNED(type, wide)                                                                                      \
    static inline type divide_##type(type a, type b) {                                                                 \
        return b == 0 ? 0 : b == -1 ? (type)(0 - (wide)a) : (type)(a / b);                                             \
    }
DIVIDE_SIGNED(int8_t, uint32_t)
DIVIDE_SIGNED(int16_t, uint32_t)
DIVIDE_SIGNED(int32_t, uint32_t)
DIVIDE_SIGNED(int64_t, uint64_t)

#define QUOTIENT(a, b) ((a) / (b))
#define TYPES          FOR_FLOATS | FOR_COMPLEX
#define BODY           "backends/cpu/scatter/combine.inc"
#include "backends/cpu/for_types.inc"
#undef QUOTIENT
#define QUOTIENT(a, b) ((b) ? (C)((a) / (b)) : (C)0)
#define TYPES          FOR_UNSIGNED
#define BODY           "backends/cpu/scatter/combine.inc"
#include "backends/cpu/for_types.inc"
#undef QUOTIENT
#define QUOTIENT(a, b)                                                                                                 \
    _Generic(a, int8_t                                                                                                 \
             : divide_int8_t, int16_t                                                                                  \
             : divide_int16_t, int32_t                                                                                 \
             : divide_int32_t, int64_t                                                                                 \
             : divide_int64_t)(a, b)
#define TYPES FOR_SIGNED
#define BODY  "backends/cpu/scatter/combine.inc"
#include "backends/cpu/for_types.inc"

#define ROWS_OF_BOOL(name, operator)                                                                                   \
    static void name##_BOOL(void *to, const void *from, const int64_t *rows, int64_t count, int64_t n,                 \
                            int64_t to_step, int64_t from_step) {                                                      \
        for (int64_t i = 0; i < count; i++) {                                                                          \
            if (rows[i] < 0) continue;                                                                                 \
            uint8_t *restrict t = (uint8_t *)to + rows[i] * to_step;                                                   \
            const uint8_t *restrict f = (const uint8_t *)from + i * from_step;                                         \
            for (int64_t j = 0; j < n; j++) t[j] = (uint8_t)(t[j] operator f[j]);                                      \
        }                                                                                                              \
    }
ROWS_OF_BOOL(either, |)
ROWS_OF_BOOL(both, &)
ROWS_OF_BOOL(different, ^)

static const sl_combine_fn combines[SL_COMBINE_OPS][SL_DTYPE_COUNT] = {
    [SL_COMBINE_ADD] = {NUMBERS(SL_TYPE_ENTRY, add)[SL_BOOL] = either_BOOL},
    [SL_COMBINE_SUB] = {NUMBERS(SL_TYPE_ENTRY, sub)[SL_BOOL] = different_BOOL},
    [SL_COMBINE_MUL] = {NUMBERS(SL_TYPE_ENTRY, mul)[SL_BOOL] = both_BOOL},
    [SL_COMBINE_DIV] = {NUMBERS(SL_TYPE_ENTRY, divide)},
    [SL_COMBINE_MIN] = {REAL(SL_TYPE_ENTRY, minimum)[SL_BOOL] = both_BOOL},
    [SL_COMBINE_MAX] = {REAL(SL_TYPE_ENTRY, maximum)[SL_BOOL] = either_BOOL},
    [SL_COMBINE_LOWER] = {FLOATS(SL_TYPE_ENTRY, lower)},
    [SL_COMBINE_HIGHER] = {FLOATS(SL_TYPE_ENTRY, higher)},
};

sl_combine_fn sl_combine_find(enum sl_combine_op op, int dtype) {
    if (op == SL_COMBINE_ADD && (dtype == SL_FLOAT || dtype == SL_DOUBLE))
        return SL_ISA_PICK(sl_rows_loops)(dtype == SL_DOUBLE)->add;
    return sl_dtype_is_valid(dtype) ? combines[op][dtype] : NULL;
}
