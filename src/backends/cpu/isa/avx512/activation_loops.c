/* isa/activation_loops.def for this instruction set. */
#define LOOPS_DEF  "backends/cpu/isa/activation_loops.def"
#define LOOPS_FIND SL_ISA_NAME(sl_activation_loop)
#include "backends/cpu/isa/elementwise_loops.inc"
