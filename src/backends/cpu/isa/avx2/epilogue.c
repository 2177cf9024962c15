/* isa/epilogue.inc for this instruction set. */
#include "backends/cpu/isa/epilogue.inc"
