/* The loops of random numbers for one instruction set: the words of Philox's blocks, and float numbers of them.
 * Constant code; thread-safe. */
#ifndef SL_BACKENDS_CPU_RANDOM_RANDOM_LOOPS_H
#define SL_BACKENDS_CPU_RANDOM_RANDOM_LOOPS_H

#include "backends/cpu/isa.h"
#include "kernel/philox.h"

/* Smaller numbers would give infinite logarithms. */
#define SL_LEAST_UNIFORM 1.0e-7f

struct sl_random_loops {
    /* The four words of each of the next blocks. */
    void (*words)(uint32_t *to, struct sl_philox from, int64_t blocks);
    /* A number in [0, 1) of each word. */
    void (*uniforms)(float *to, const uint32_t *words, int64_t n);
    /* Two normal numbers of each two words; n is even. */
    void (*normals)(float *to, const uint32_t *words, int64_t n);
};

SL_ISA_DECLARE(const struct sl_random_loops *, sl_random_loops, (void))

#endif
