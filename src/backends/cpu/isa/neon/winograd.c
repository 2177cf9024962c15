/* isa/winograd.inc for this instruction set. */
#include "backends/cpu/isa/winograd.inc"
