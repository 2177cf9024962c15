/* isa/neighbours.inc for this instruction set. */
#include "backends/cpu/isa/neighbours.inc"
