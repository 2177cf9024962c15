/* isa/fake_quant.inc for this instruction set. */
#include "backends/cpu/isa/fake_quant.inc"
