/* isa/triangle_rows.inc for this instruction set. */
#include "backends/cpu/isa/triangle_rows.inc"
