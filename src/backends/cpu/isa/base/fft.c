/* isa/fft.inc for one line at a time. */
#define FFT_OF_ONE
#ifndef __clang__
#pragma GCC optimize("no-tree-vectorize") /* of parts of a cell: larger, not faster */
#endif
#include "backends/cpu/isa/fft.inc"
