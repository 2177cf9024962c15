/* isa/depthwise.inc for this instruction set. */
#include "backends/cpu/isa/depthwise.inc"
