/* isa/cast_loops.inc for this instruction set. */
#include "backends/cpu/isa/cast_loops.inc"
