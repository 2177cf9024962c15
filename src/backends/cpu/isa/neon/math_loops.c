/* isa/math_loops.def for this instruction set. */
#define LOOPS_DEF  "backends/cpu/isa/math_loops.def"
#define LOOPS_FIND SL_ISA_NAME(sl_math_loop)
#include "backends/cpu/isa/elementwise_loops.inc"
