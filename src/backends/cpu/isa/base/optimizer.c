/* isa/optimizer.inc for this instruction set, and for complex numbers on all machines: vectors do not help them. */
#define WITH_COMPLEX
#include "backends/cpu/isa/optimizer.inc"
