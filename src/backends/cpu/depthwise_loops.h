/* The loop of depthwise convolutions. Constant code; thread-safe. */
#ifndef SL_BACKENDS_CPU_DEPTHWISE_LOOPS_H
#define SL_BACKENDS_CPU_DEPTHWISE_LOOPS_H

#include <stdbool.h>
#include <stdint.h>

#include "backends/cpu/isa.h"

/* to[c] = sum over i < count of x[i][c] * w[i][c] for c < n; += when `adds`. */
typedef void (*sl_weigh_fn)(void *to, int64_t count, const void *const *x, const void *const *w, int64_t n, bool adds);

SL_ISA_DECLARE(sl_weigh_fn, sl_weigh_loop, (bool is_double))

#endif
