/* Discrete Fourier transforms of any length, in double: mixed radix for lengths of small prime factors, else by a convolution
 * (Bluestein, "A linear filtering approach to the computation of discrete Fourier transform", 1970).
 * Plans: immutable once made, so many threads may use one. */
#ifndef SL_BACKENDS_CPU_FFT_H
#define SL_BACKENDS_CPU_FFT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct sl_cell {
    double re, im;
};

struct sl_fft;
/* 0 < n <= 2^26. */
sl_code sl_fft_new(struct sl_fft **plan, int64_t n, struct sl_error *err);
void sl_fft_free(struct sl_fft *plan);
/* Cells of scratch memory that a run needs. */
int64_t sl_fft_room(const struct sl_fft *plan);
/* line[0 ... n) in place: sum over j of line[j] exp(-2 pi i j k / n); with `is_inverse` exp(+...), and divided by n. */
void sl_fft_run(const struct sl_fft *plan, struct sl_cell *line, struct sl_cell *room, bool is_inverse);

#endif
