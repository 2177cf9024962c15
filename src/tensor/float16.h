/* One half or bfloat16 from and to float: to the nearest, half to even; a NaN stays a quiet NaN. For single
 * elements; kernels that convert many have vector loops of their own. Pure; thread-safe. */
#ifndef SL_TENSOR_FLOAT16_H
#define SL_TENSOR_FLOAT16_H

#include <stdint.h>
#include <string.h>

#include "tensor/dtype.h"

static inline float sl_float_of_bits(uint32_t bits) {
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}
static inline uint32_t sl_bits_of_float(float f) {
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

static inline float sl_float_of_bfloat16(sl_bfloat16 b) { return sl_float_of_bits((uint32_t)b.bits << 16); }
static inline sl_bfloat16 sl_bfloat16_of_float(float f) {
    uint32_t u = sl_bits_of_float(f);
    if ((u & 0x7fffffff) > 0x7f800000) return (sl_bfloat16){(uint16_t)(u >> 16 | 0x40)};
    return (sl_bfloat16){(uint16_t)((u + 0x7fff + (u >> 16 & 1)) >> 16)};
}

/* A denormal half is a whole number of 2^-24; no float denormals on the way, which may be read as zero. */
static inline float sl_float_of_half(sl_half h) {
    uint32_t sign = (uint32_t)(h.bits & 0x8000) << 16, rest = (uint32_t)(h.bits & 0x7fff) << 13;
    if (rest >= 0x0f800000) return sl_float_of_bits(sign | rest | 0x7f800000);
    if (rest < 0x00800000) return sl_float_of_bits(sign | sl_bits_of_float((float)(int)(h.bits & 0x3ff) * 0x1p-24f));
    return sl_float_of_bits(sign | (rest + (112u << 23)));
}
static inline sl_half sl_half_of_float(float f) {
    uint32_t u = sl_bits_of_float(f), sign = u >> 16 & 0x8000;
    u &= 0x7fffffff;
    uint32_t h;
    if (u > 0x7f800000) h = 0x7e00 | (u >> 13 & 0x1ff);
    else if (u >= 0x477ff000) h = 0x7c00; /* 65520 and more round to infinity */
    else if (u < 0x38800000)
        h = sl_bits_of_float(sl_float_of_bits(u) + 0.5f) - 0x3f000000; /* denormal: the sum rounds */
    else h = (u + 0xfff + (u >> 13 & 1) - 0x38000000) >> 13;
    return (sl_half){(uint16_t)(sign | h)};
}

#endif
