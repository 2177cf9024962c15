/* isa/reduce_loops.inc for this instruction set. */
#include "backends/cpu/isa/reduce_loops.inc"
