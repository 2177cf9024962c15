/* isa/softmax.inc for this instruction set. */
#include "backends/cpu/isa/softmax.inc"
