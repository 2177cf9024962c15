/* Filling a tensor with random numbers. Element e always comes from the same words of the generator, so neither
 * threads nor instruction sets change the words drawn. Thread-safe. */
#ifndef SL_BACKENDS_CPU_RANDOM_RANDOM_FILL_H
#define SL_BACKENDS_CPU_RANDOM_RANDOM_FILL_H

#include "kernel/kernel.h"
#include "kernel/philox.h"

enum sl_random_kind {
    SL_RANDOM_UNIFORM,   /* floats in [0, 1) */
    SL_RANDOM_NORMAL,    /* floats: mean 0, deviation 1 */
    SL_RANDOM_TRUNCATED, /* the same without those of 2 and more */
    SL_RANDOM_BITS,      /* integers: any bits */
    SL_RANDOM_RANGE      /* integers in [low, low + range) */
};

/* Fills `to`, whose type fits the kind. `low` and `range`, as bits of the type, are for SL_RANDOM_RANGE alone. */
void sl_random_fill(struct sl_kernel_context *k, struct sl_view to, enum sl_random_kind kind, struct sl_philox from,
                    uint64_t low, uint64_t range);

/* One group of numbers of a kind and type (floats alone), as double; returns how many. */
int sl_random_group(double to[4], enum sl_random_kind kind, int dtype, struct sl_philox *p);

#endif
