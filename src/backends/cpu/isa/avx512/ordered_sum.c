/* isa/ordered_sum.inc for this instruction set. */
#include "backends/cpu/isa/ordered_sum.inc"
