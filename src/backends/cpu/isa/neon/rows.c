/* isa/rows.inc for this instruction set. */
#include "backends/cpu/isa/rows.inc"
