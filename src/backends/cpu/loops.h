/* The inner loops of element-wise ops: isa/<family>_loops.def says what they are, isa/elementwise_loops.inc makes
 * them for every instruction set, elementwise.c calls them. Constant code; thread-safe. */
#ifndef SL_BACKENDS_CPU_LOOPS_H
#define SL_BACKENDS_CPU_LOOPS_H

#include <stdint.h>

#include "backends/cpu/isa.h"
#include "backends/cpu/isa/loop_types.h"
#include "kernel/kernel.h"

/* Makes `n` elements of `to` from as many of each input; inputs that the op does not have are ignored. `to` may be
 * one of the inputs, but must not overlap one otherwise. */
typedef void (*sl_loop_fn)(void *to, const void *x, const void *y, const void *z, int64_t n);

struct sl_element_loop {
    sl_loop_fn run;      /* NULL: there is no loop for this type */
    sl_scalar_fn scalar; /* the same for one element; NULL for types that scalar code does not use much */
};

/* SL_LOOP_Add and so on: every line of the .def files that has loops of its own. */
#define OP(kind, op, ...) SL_LOOP_##op,
enum sl_loop_op {
#include "backends/cpu/isa/loop_names.inc"
    SL_LOOP_COUNT
};
#undef OP

/* The loop for inputs of type `dtype`. half and bfloat16 have none (they go through float), unsigned and quantised
 * integers only where it differs from the signed one. */
SL_ISA_DECLARE(struct sl_element_loop, sl_math_loop, (enum sl_loop_op op, int dtype))
SL_ISA_DECLARE(struct sl_element_loop, sl_activation_loop, (enum sl_loop_op op, int dtype))
/* The loop that converts x from one type to another, for the pairs that isa/cast_loops.inc names; NULL for others. */
SL_ISA_DECLARE(sl_loop_fn, sl_cast_loop, (int from, int to))
/* to = x ? y : z for elements of 1, 2, 4, 8 or 16 bytes; x is bool. */
SL_ISA_DECLARE(sl_loop_fn, sl_select_loop, (size_t bytes))

#endif
