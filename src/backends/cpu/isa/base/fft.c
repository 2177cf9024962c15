/* isa/fft.inc for one line at a time. */
#define FFT_OF_ONE
#include "backends/cpu/isa/fft.inc"
