/* What becomes of accumulators: conversion to the element type, mean, root, half. */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "backends/cpu/isa/float16.inc"
#include "backends/cpu/reduce/reduce.h"
#include "tensor/dtype.h"

#define RESULT(name, T, A, e)                                                                                          \
    static void name(void *to, const void *accs, int64_t n, double count) {                                            \
        T *restrict out = to;                                                                                          \
        const A *restrict acc = accs;                                                                                  \
        (void)count;                                                                                                   \
        for (int64_t i = 0; i < n; i++) {                                                                              \
            const A a = acc[i];                                                                                        \
            out[i] = (T)(e);                                                                                           \
        }                                                                                                              \
    }

/* Elements that are their own accumulators. */
RESULT(itself_1, uint8_t, uint8_t, a)
RESULT(itself_2, uint16_t, uint16_t, a)
RESULT(itself_4, uint32_t, uint32_t, a)
RESULT(itself_8, uint64_t, uint64_t, a)
RESULT(itself_16, double _Complex, double _Complex, a)
RESULT(float_of_sum, float, double, a)
RESULT(half_of_sum, uint16_t, double, half_of_float((float)a))
RESULT(bfloat16_of_sum, uint16_t, double, bfloat16_of_float((float)a))
RESULT(half_of_fold, uint16_t, float, half_of_float(a))
RESULT(bfloat16_of_fold, uint16_t, float, bfloat16_of_float(a))

/* The mean of no integers is 0. */
#define MEAN(T, A) RESULT(mean_##T, T, A, count > 0 ? a / (A)count : 0)
MEAN(int8_t, int64_t)
MEAN(int16_t, int64_t)
MEAN(int32_t, int64_t)
MEAN(int64_t, int64_t)
MEAN(uint8_t, uint64_t)
MEAN(uint16_t, uint64_t)
MEAN(uint32_t, uint64_t)
MEAN(uint64_t, uint64_t)
RESULT(mean_float, float, double, a / count)
RESULT(mean_double, double, double, a / count)
RESULT(mean_half, uint16_t, double, half_of_float((float)(a / count)))
RESULT(mean_bfloat16, uint16_t, double, bfloat16_of_float((float)(a / count)))

/* One part of a complex mean; that of no numbers is 0, though that of no real ones is NaN. */
RESULT(mean_complex64, float, double, count > 0 ? a / count : 0)
RESULT(mean_complex128, double, double, count > 0 ? a / count : 0)

/* The root of a sum that has wrapped below 0 is what x86-64 makes of NaN: the least int32 or int64, cut to the type. */
static inline int64_t root(int64_t a, int64_t least) { return a < 0 ? least : (int64_t)sqrt((double)a); }
RESULT(root_int8, int8_t, int8_t, root(a, INT32_MIN))
RESULT(root_int16, int16_t, int16_t, root(a, INT32_MIN))
RESULT(root_int32, int32_t, int32_t, root(a, INT32_MIN))
RESULT(root_int64, int64_t, int64_t, root(a, INT64_MIN))
RESULT(root_uint8, uint8_t, uint8_t, sqrt((double)a))
RESULT(root_uint16, uint16_t, uint16_t, sqrt((double)a))
RESULT(root_uint32, uint32_t, uint32_t, sqrt((double)a))
RESULT(root_uint64, uint64_t, uint64_t, sqrt((double)a))
RESULT(root_float, float, double, sqrt(a))
RESULT(root_double, double, double, sqrt(a))
RESULT(root_half, uint16_t, double, half_of_float((float)sqrt(a)))
RESULT(root_bfloat16, uint16_t, double, bfloat16_of_float((float)sqrt(a)))
RESULT(root_complex64, float _Complex, double, sqrt(a))
RESULT(root_complex128, double _Complex, double, sqrt(a))

RESULT(half_float, float, double, a * 0.5)
RESULT(half_double, double, double, a * 0.5)
RESULT(half_half, uint16_t, double, half_of_float((float)(a * 0.5)))
RESULT(half_bfloat16, uint16_t, double, bfloat16_of_float((float)(a * 0.5)))

static sl_reduce_finish_fn itself(enum sl_fold_kind fold, int dtype) {
    bool is_sum = fold == SL_FOLD_SUM || fold == SL_FOLD_SQUARES;
    if (dtype == SL_FLOAT && is_sum) return float_of_sum;
    if (dtype == SL_HALF) return is_sum ? half_of_sum : half_of_fold;
    if (dtype == SL_BFLOAT16) return is_sum ? bfloat16_of_sum : bfloat16_of_fold;
    switch (sl_dtype_size(dtype)) {
    case 1: return itself_1;
    case 2: return itself_2;
    case 4: return itself_4;
    case 8: return itself_8;
    case 16: return itself_16;
    default: return NULL;
    }
}

sl_reduce_finish_fn sl_reduce_finish(enum sl_fold_kind fold, enum sl_reduce_result result, int dtype) {
    static const sl_reduce_finish_fn mean[SL_DTYPE_COUNT] = {
        [SL_INT8] = mean_int8_t,         [SL_INT16] = mean_int16_t,
        [SL_INT32] = mean_int32_t,       [SL_INT64] = mean_int64_t,
        [SL_UINT8] = mean_uint8_t,       [SL_UINT16] = mean_uint16_t,
        [SL_UINT32] = mean_uint32_t,     [SL_UINT64] = mean_uint64_t,
        [SL_FLOAT] = mean_float,         [SL_DOUBLE] = mean_double,
        [SL_HALF] = mean_half,           [SL_BFLOAT16] = mean_bfloat16,
        [SL_COMPLEX64] = mean_complex64, [SL_COMPLEX128] = mean_complex128,
    };
    static const sl_reduce_finish_fn root_of[SL_DTYPE_COUNT] = {
        [SL_INT8] = root_int8,           [SL_INT16] = root_int16,
        [SL_INT32] = root_int32,         [SL_INT64] = root_int64,
        [SL_UINT8] = root_uint8,         [SL_UINT16] = root_uint16,
        [SL_UINT32] = root_uint32,       [SL_UINT64] = root_uint64,
        [SL_FLOAT] = root_float,         [SL_DOUBLE] = root_double,
        [SL_HALF] = root_half,           [SL_BFLOAT16] = root_bfloat16,
        [SL_COMPLEX64] = root_complex64, [SL_COMPLEX128] = root_complex128,
    };
    static const sl_reduce_finish_fn half_of[SL_DTYPE_COUNT] = {
        [SL_FLOAT] = half_float,
        [SL_DOUBLE] = half_double,
        [SL_HALF] = half_half,
        [SL_BFLOAT16] = half_bfloat16,
    };
    switch (result) {
    case SL_RESULT_MEAN: return mean[dtype];
    case SL_RESULT_ROOT: return root_of[dtype];
    case SL_RESULT_HALF: return half_of[dtype];
    default: return itself(fold, dtype);
    }
}
