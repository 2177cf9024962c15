/* The inner loops of reductions. Many elements are folded into few accumulators: isa/reduce_loops.inc makes the
 * loops of floats for every instruction set, reduce_loops.c the others, reduce.c leads them over tensors. The order
 * of every sum is fixed by the shape alone, so results are the same bits on every machine and for every number of
 * threads. Constant code; thread-safe. */
#ifndef SL_BACKENDS_CPU_REDUCE_REDUCE_LOOPS_H
#define SL_BACKENDS_CPU_REDUCE_REDUCE_LOOPS_H

#include <stdint.h>

#include "backends/cpu/isa.h"

/* WIDE_SUM: integers are summed as int64 or uint64. */
enum sl_fold_kind {
    SL_FOLD_SUM,
    SL_FOLD_WIDE_SUM,
    SL_FOLD_SQUARES,
    SL_FOLD_PROD,
    SL_FOLD_MAX,
    SL_FOLD_MIN,
    SL_FOLD_ALL,
    SL_FOLD_ANY
};

/* Most accumulators a call may have. */
enum { SL_REDUCE_TILE = 512 };

/* Accumulators have the element type, but: sums of float, half and bfloat16 are double, other folds of half and
 * bfloat16 float. */
struct sl_reduce_loop {
    int64_t acc_size; /* bytes of an accumulator */
    void (*start)(void *acc, int64_t n);
    /* Folds row r of x, elements x[r * stride] .. x[r * stride + n - 1], into acc[0 .. n-1], for `rows` rows; n <=
     * SL_REDUCE_TILE. */
    void (*columns)(void *acc, const void *x, int64_t rows, int64_t stride, int64_t n);
    /* Starts n accumulators and folds `length` consecutive elements into each: for short rows. */
    void (*short_rows)(void *acc, const void *x, int64_t n, int64_t length);
    /* Folds accumulators of `groups` * n, group after group, into the first n. */
    void (*fold)(void *acc, int64_t groups, int64_t n);
    /* As short_rows, of rows of 16 and more elements; NULL: not of this fold. */
    void (*rows)(void *acc, const void *x, int64_t n, int64_t length);
};

/* `dtype`: a real number type (ALL and ANY: bool; PROD: complex numbers, too); NULL for others. */
const struct sl_reduce_loop *sl_reduce_loop(enum sl_fold_kind fold, int dtype);
/* Its part that every instruction set has: floats. */
SL_ISA_DECLARE(const struct sl_reduce_loop *, sl_reduce_float_loop, (enum sl_fold_kind fold, int dtype))

#endif
