/* isa/select_loops.inc for this instruction set. */
#include "backends/cpu/isa/select_loops.inc"
