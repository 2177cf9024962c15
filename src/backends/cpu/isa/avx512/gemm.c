/* isa/gemm.inc for this instruction set. */
#include "backends/cpu/isa/gemm.inc"
