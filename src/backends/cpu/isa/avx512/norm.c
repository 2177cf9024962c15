/* isa/norm.inc for this instruction set. */
#include "backends/cpu/isa/norm.inc"
