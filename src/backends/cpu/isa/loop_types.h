/* Lists of element types that lines of *_loops.def name, and what to do with them.
 *
 * For a list FLOATS: LOOPS_FLOATS(M, ...) is M(TYPE, ...) for every type that has a loop of its own, SET_FLOATS the
 * set of types a kernel serves by them. They differ: half and bfloat16 are computed through float, SIGNLESS loops
 * serve unsigned and signed integers, quantised types use the loops of their integers. */
#ifndef SL_BACKENDS_CPU_ISA_LOOP_TYPES_H
#define SL_BACKENDS_CPU_ISA_LOOP_TYPES_H

#include "tensor/dtype.h"

#define LOOPS_FLOATS(M, ...)       M(FLOAT, __VA_ARGS__) M(DOUBLE, __VA_ARGS__)
#define LOOPS_FLOAT_DOUBLE(M, ...) M(FLOAT, __VA_ARGS__) M(DOUBLE, __VA_ARGS__)
#define LOOPS_FLOAT(M, ...)        M(FLOAT, __VA_ARGS__)
#define LOOPS_HALF(M, ...)
#define LOOPS_COMPLEX(M, ...) M(COMPLEX64, __VA_ARGS__) M(COMPLEX128, __VA_ARGS__)
#define LOOPS_SIGNED(M, ...)  M(INT8, __VA_ARGS__) M(INT16, __VA_ARGS__) M(INT32, __VA_ARGS__) M(INT64, __VA_ARGS__)
#define LOOPS_UNSIGNED(M, ...)                                                                                         \
    M(UINT8, __VA_ARGS__) M(UINT16, __VA_ARGS__) M(UINT32, __VA_ARGS__) M(UINT64, __VA_ARGS__)
#define LOOPS_SIGNLESS(M, ...) LOOPS_SIGNED(M, __VA_ARGS__)
#define LOOPS_QUANTIZED(M, ...)
#define LOOPS_AS_DIV(M, ...) /* integers by the loops of Div */
#define LOOPS_INT32(M, ...)  M(INT32, __VA_ARGS__)
#define LOOPS_INT64(M, ...)  M(INT64, __VA_ARGS__)
#define LOOPS_BOOL(M, ...)   M(BOOL, __VA_ARGS__)

#define SET_FLOATS       SL_SET_FLOATS
#define SET_FLOAT_DOUBLE (SL_SET(FLOAT) | SL_SET(DOUBLE))
#define SET_FLOAT        SL_SET(FLOAT)
#define SET_HALF         SL_SET(HALF)
#define SET_COMPLEX      SL_SET_COMPLEX
#define SET_SIGNED       SL_SET_SIGNED
#define SET_UNSIGNED     SL_SET_UNSIGNED
#define SET_SIGNLESS     SL_SET_INTEGERS
#define SET_QUANTIZED    SL_SET_QUANTIZED
#define SET_AS_DIV       (SL_SET_SIGNED | SL_SET_UNSIGNED)
#define SET_INT32        SL_SET(INT32)
#define SET_INT64        SL_SET(INT64)
#define SET_BOOL         SL_SET(BOOL)

/* Kinds of line; every reader of a .def says what OP is. BY_HAND_INNER is INNER, its loops as BY_HAND has them;
 * BY_TABLE is BY_HAND, and by by_table.inc where there is AVX2. */
#define UNARY(...)           OP(UNARY, __VA_ARGS__)
#define BY_HAND_INNER(...)   OP(BY_HAND_INNER, __VA_ARGS__)
#define BY_TABLE(...)        OP(BY_TABLE, __VA_ARGS__)
#define UNARY_IF(...)        OP(UNARY_IF, __VA_ARGS__) /* (test, e, exact): blocks whose x all pass the test take e */
#define BY_HAND(...)         OP(BY_HAND, __VA_ARGS__)  /* UNARY; float by by_hand.inc where there is AVX-512 */
#define INNER(...)           OP(INNER, __VA_ARGS__)    /* UNARY for other kernels; no kernel of its own */
#define BINARY(...)          OP(BINARY, __VA_ARGS__)   /* broadcasting */
#define COMPARE(...)         OP(COMPARE, __VA_ARGS__)  /* BINARY with a bool result */
#define TEST(...)            OP(TEST, __VA_ARGS__)     /* UNARY with a bool result */
#define LOGICAL(...)         OP(LOGICAL, __VA_ARGS__)  /* BINARY of bool, no attr T */
#define LOGICAL_NOT(...)     OP(LOGICAL_NOT, __VA_ARGS__) /* UNARY of bool, no attr T */
#define COUNT(...)           OP(COUNT, __VA_ARGS__)       /* UNARY with a uint8 result */
#define DIVIDE(...)          OP(DIVIDE, __VA_ARGS__)      /* BINARY that refuses an integer 0 in y */
#define DIVIDE_IF(...)       OP(DIVIDE_IF, __VA_ARGS__)   /* as UNARY_IF, of x and y */
#define DIVIDE_OLD(...)      OP(DIVIDE_OLD, __VA_ARGS__)  /* DIVIDE, but INTERNAL for such a 0, as in TensorFlow */
#define POWER(...)           OP(POWER, __VA_ARGS__)       /* BINARY that refuses an integer below 0 in y */
#define GRADIENT(...)        OP(GRADIENT, __VA_ARGS__)    /* BINARY without broadcasting: as many elements each */
#define IN_HALF(...)         OP(IN_HALF, __VA_ARGS__)     /* GRADIENT of half, through float; no kernel of its own */
#define JOIN(...)            OP(JOIN, __VA_ARGS__)        /* BINARY with a complex result */
#define PART(...)            OP(PART, __VA_ARGS__)        /* UNARY of complex numbers with a real result */
#define MATCHED(...)         OP(MATCHED, __VA_ARGS__)     /* BINARY of inputs of the same shape */
#define NEAR(...)            OP(NEAR, __VA_ARGS__)   /* COMPARE of inputs of the same shape; z is the attr tolerance */
#define SCALED(...)          OP(SCALED, __VA_ARGS__) /* UNARY; y is the attr alpha */
#define SCALED_GRADIENT(...) OP(SCALED_GRADIENT, __VA_ARGS__) /* MATCHED; z is the attr alpha */
#define CLAMP(...)           OP(CLAMP, __VA_ARGS__)           /* three inputs; y and z shaped as x or scalars */
#define SLOW(...)            OP(SLOW, __VA_ARGS__)            /* UNARY */
#define SLOW_BINARY(...)     OP(SLOW_BINARY, __VA_ARGS__)     /* functions that are long: not padded, not vectorised */
#define SLOW_TERNARY(...)    OP(SLOW_TERNARY, __VA_ARGS__)    /* three inputs of one shape, or scalars */

/* LOOPS(M, op, expression, lists ...) and SET(lists ...), for one to six lists. */
#define LOOPS(M, op, e, ...)                                                                                           \
    LOOPS_PICK(__VA_ARGS__, LOOPS_6, LOOPS_5, LOOPS_4, LOOPS_3, LOOPS_2, LOOPS_1)(M, op, e, __VA_ARGS__)
#define LOOPS_PICK(a, b, c, d, e, f, m, ...) m
#define LOOPS_1(M, op, e, list)              LOOPS_##list(M, op, e)
#define LOOPS_2(M, op, e, list, ...)         LOOPS_##list(M, op, e) LOOPS_1(M, op, e, __VA_ARGS__)
#define LOOPS_3(M, op, e, list, ...)         LOOPS_##list(M, op, e) LOOPS_2(M, op, e, __VA_ARGS__)
#define LOOPS_4(M, op, e, list, ...)         LOOPS_##list(M, op, e) LOOPS_3(M, op, e, __VA_ARGS__)
#define LOOPS_5(M, op, e, list, ...)         LOOPS_##list(M, op, e) LOOPS_4(M, op, e, __VA_ARGS__)
#define LOOPS_6(M, op, e, list, ...)         LOOPS_##list(M, op, e) LOOPS_5(M, op, e, __VA_ARGS__)
#define SET(...)                             LOOPS_PICK(__VA_ARGS__, SET_OF_6, SET_OF_5, SET_OF_4, SET_OF_3, SET_OF_2, SET_OF_1)(__VA_ARGS__)
#define SET_OF_1(list)                       SET_##list
#define SET_OF_2(list, ...)                  (SET_##list | SET_OF_1(__VA_ARGS__))
#define SET_OF_3(list, ...)                  (SET_##list | SET_OF_2(__VA_ARGS__))
#define SET_OF_4(list, ...)                  (SET_##list | SET_OF_3(__VA_ARGS__))
#define SET_OF_5(list, ...)                  (SET_##list | SET_OF_4(__VA_ARGS__))
#define SET_OF_6(list, ...)                  (SET_##list | SET_OF_5(__VA_ARGS__))

#endif
