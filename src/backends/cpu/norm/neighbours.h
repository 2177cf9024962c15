/* Sums over neighbouring places, as local response normalisation needs them. Pure; thread-safe. */
#ifndef SL_BACKENDS_CPU_NORM_NEIGHBOURS_H
#define SL_BACKENDS_CPU_NORM_NEIGHBOURS_H

#include <stdint.h>

#include "backends/cpu/isa.h"

/* to[i] = offset + scale * (padded[i] + ... + padded[i + 2 * radius]) for i in [0, n). `padded` has n + 2 * radius
 * places, which are overwritten. */
SL_ISA_DECLARE(void, sl_sum_neighbours,
               (float *restrict to, float *padded, int64_t n, int64_t radius, float scale, float offset))

#endif
