/* isa/random_loops.inc for this instruction set. */
#include "backends/cpu/isa/random_loops.inc"
