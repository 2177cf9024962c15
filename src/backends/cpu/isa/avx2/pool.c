/* isa/pool.inc for this instruction set. */
#include "backends/cpu/isa/pool.inc"
