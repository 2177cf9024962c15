/* isa/fft.inc for this instruction set. */
#include "backends/cpu/isa/fft.inc"
