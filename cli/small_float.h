/* Floating-point numbers of two bytes: half (IEEE 754 binary16) and bfloat16 (the upper half of a float). */
#ifndef SLUICE_CLI_SMALL_FLOAT_H
#define SLUICE_CLI_SMALL_FLOAT_H

#include <math.h>
#include <stdint.h>
#include <string.h>

/* To nearest, ties to even. */
static inline uint16_t half_bits(float value) {
    uint32_t x;
    memcpy(&x, &value, 4);
    uint32_t sign = x >> 16 & 0x8000, magnitude = x & 0x7fffffff;
    if (magnitude > 0x7f800000) return (uint16_t)(sign | 0x7e00);
    if (magnitude >= 0x47800000) return (uint16_t)(sign | 0x7c00);
    if (magnitude < 0x38800000) { /* a denormal of half: let the float unit round */
        float scaled;
        memcpy(&scaled, &magnitude, 4);
        return (uint16_t)(sign | (uint32_t)lrintf(scaled * 16777216.0f));
    }
    magnitude += 0xfff + (magnitude >> 13 & 1);
    return (uint16_t)(sign | ((magnitude - 0x38000000) >> 13));
}

static inline float half_value(uint16_t bits) {
    int exponent = bits >> 10 & 31, fraction = bits & 0x3ff;
    float v = exponent == 0    ? ldexpf((float)fraction, -24)
              : exponent == 31 ? (fraction ? NAN : INFINITY)
                               : ldexpf((float)(fraction | 0x400), exponent - 25);
    return bits & 0x8000 ? -v : v;
}

/* To nearest, ties to even. */
static inline uint16_t bfloat16_bits(float value) {
    uint32_t bits;
    memcpy(&bits, &value, 4);
    if (!isnan(value)) bits += 0x7fff + (bits >> 16 & 1);
    return (uint16_t)(bits >> 16);
}

static inline float bfloat16_value(uint16_t half) {
    uint32_t bits = (uint32_t)half << 16;
    float value;
    memcpy(&value, &bits, 4);
    return value;
}

#endif
