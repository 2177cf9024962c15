/* isa/optimizer.inc for this instruction set. */
#include "backends/cpu/isa/optimizer.inc"
