/* isa/quantize.inc for this instruction set. */
#include "backends/cpu/isa/quantize.inc"
