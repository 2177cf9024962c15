/* Numbers to compute with, the same for the same seed. */
#ifndef SL_TESTS_CPU_NUMBERS_H
#define SL_TESTS_CPU_NUMBERS_H

#include "base/alloc.h"
#include "unit/unit.h"

/* `n` floats in [-0.5, 0.5); the caller frees them with sl_free. */
static inline float *numbers(int64_t n, uint32_t seed) {
    float *x = sl_malloc((size_t)n * sizeof *x);
    assert_non_null(x);
    for (int64_t i = 0; i < n; i++) {
        seed = seed * 1664525 + 1013904223;
        x[i] = (float)(seed >> 8) / (float)(1 << 24) - 0.5f;
    }
    return x;
}

#endif
