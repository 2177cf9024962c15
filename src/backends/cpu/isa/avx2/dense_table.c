/* isa/dense_table.inc for this instruction set. */
#include "backends/cpu/isa/dense_table.inc"
