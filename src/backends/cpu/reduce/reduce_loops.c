/* The loops of reduce_loops.h over integers, bool and complex numbers. Compiled once: they are seldom reduced, and
 * memory is the limit soon. Overflow wraps, also below int: the arithmetic is unsigned. */
#include "backends/cpu/isa/reduce_columns.inc"

#define WRAPPING_SQUARE(x)      ((uint64_t)(x) * (x))
#define WRAPPING_MULTIPLY(a, b) ((uint64_t)(a) * (b))
#define SIGNLESS(fold, OP, LOAD, first)                                                                                \
    PLAIN(fold##_INT8, uint8_t, OP, LOAD, first)                                                                       \
    PLAIN(fold##_INT16, uint16_t, OP, LOAD, first)                                                                     \
    PLAIN(fold##_INT32, uint32_t, OP, LOAD, first)                                                                     \
    PLAIN(fold##_INT64, uint64_t, OP, LOAD, first)

#define UINT8_MIN  0
#define UINT16_MIN 0
#define UINT32_MIN 0
#define UINT64_MIN 0
#define ORDERED(fold, OP, limit)                                                                                       \
    PLAIN(fold##_INT8, int8_t, OP, ITSELF, INT8_##limit)                                                               \
    PLAIN(fold##_INT16, int16_t, OP, ITSELF, INT16_##limit)                                                            \
    PLAIN(fold##_INT32, int32_t, OP, ITSELF, INT32_##limit)                                                            \
    PLAIN(fold##_INT64, int64_t, OP, ITSELF, INT64_##limit)                                                            \
    PLAIN(fold##_UINT8, uint8_t, OP, ITSELF, UINT8_##limit)                                                            \
    PLAIN(fold##_UINT16, uint16_t, OP, ITSELF, UINT16_##limit)                                                         \
    PLAIN(fold##_UINT32, uint32_t, OP, ITSELF, UINT32_##limit)                                                         \
    PLAIN(fold##_UINT64, uint64_t, OP, ITSELF, UINT64_##limit)

/* Sums for means. */
#define WIDE(T, A, type)                                                                                               \
    COLUMNS(WIDE_SUM_##type, A, T, ADD, ITSELF)                                                                        \
    FRAME(WIDE_SUM_##type, A, T, ADD, ITSELF, 0)
WIDE(int8_t, int64_t, INT8)
WIDE(int16_t, int64_t, INT16)
WIDE(int32_t, int64_t, INT32)
WIDE(uint8_t, uint64_t, UINT8)
WIDE(uint16_t, uint64_t, UINT16)
WIDE(uint32_t, uint64_t, UINT32)

SIGNLESS(SUM, ADD, ITSELF, 0)
SIGNLESS(SQUARES, ADD, WRAPPING_SQUARE, 0)
SIGNLESS(PROD, WRAPPING_MULTIPLY, ITSELF, 1)
PLAIN(PROD_COMPLEX64, complex64, MULTIPLY, ITSELF, 1)
PLAIN(PROD_COMPLEX128, complex128, MULTIPLY, ITSELF, 1)
ORDERED(MAX, LARGER, MIN)
ORDERED(MIN, SMALLER, MAX)
PLAIN(ALL_BOOL, uint8_t, AND, ITSELF, 1)
PLAIN(ANY_BOOL, uint8_t, OR, ITSELF, 0)

#define TWINS(fold, dtype)                                                                                             \
    case KEY(SL_FOLD_##fold, SL_##dtype):                                                                              \
    case KEY(SL_FOLD_##fold, SL_U##dtype):                                                                             \
        return &fold##_##dtype;
#define SIGNLESS_CASES(fold) TWINS(fold, INT8) TWINS(fold, INT16) TWINS(fold, INT32) TWINS(fold, INT64)
#define ORDERED_CASES(fold)                                                                                            \
    CASE(fold, INT8)                                                                                                   \
    CASE(fold, INT16)                                                                                                  \
    CASE(fold, INT32)                                                                                                  \
    CASE(fold, INT64)                                                                                                  \
    CASE(fold, UINT8)                                                                                                  \
    CASE(fold, UINT16)                                                                                                 \
    CASE(fold, UINT32)                                                                                                 \
    CASE(fold, UINT64)

static const struct sl_reduce_loop *integer_loop(enum sl_fold_kind fold, int dtype) {
    switch (KEY(fold, dtype)) {
        SIGNLESS_CASES(SUM)
        CASE(WIDE_SUM, INT8)
        CASE(WIDE_SUM, INT16)
        CASE(WIDE_SUM, INT32)
        CASE(WIDE_SUM, UINT8)
        CASE(WIDE_SUM, UINT16)
        CASE(WIDE_SUM, UINT32)
        SIGNLESS_CASES(SQUARES)
        SIGNLESS_CASES(PROD)
        CASE(PROD, COMPLEX64)
        CASE(PROD, COMPLEX128)
        ORDERED_CASES(MAX)
        ORDERED_CASES(MIN)
        CASE(ALL, BOOL)
        CASE(ANY, BOOL)
    default: return NULL;
    }
}

const struct sl_reduce_loop *sl_reduce_loop(enum sl_fold_kind fold, int dtype) {
    const struct sl_reduce_loop *loop = integer_loop(fold, dtype);
    if (!loop && fold == SL_FOLD_WIDE_SUM) return sl_reduce_loop(SL_FOLD_SUM, dtype);
    return loop ? loop : SL_ISA_PICK(sl_reduce_float_loop)(fold, dtype);
}
