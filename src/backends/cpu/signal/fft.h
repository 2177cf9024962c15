/* Discrete Fourier transforms of any length, in double: mixed radix for lengths of small prime factors, else by a
 * convolution (Bluestein, "A linear filtering approach to the computation of discrete Fourier transform", 1970).
 * Plans: immutable once made, so many threads may use one. */
#ifndef SL_BACKENDS_CPU_SIGNAL_FFT_H
#define SL_BACKENDS_CPU_SIGNAL_FFT_H

#include <stdbool.h>
#include <stdint.h>

#include "backends/cpu/isa.h"
#include "base/error.h"

struct sl_cell {
    double re, im;
};
/* Cells of several lines side by side, their real and imaginary parts apart: of line l of `lanes`, cell i is at i *
 * lanes + l. */
struct sl_planes {
    double *re, *im;
};

struct sl_fft_plan;
/* 0 < n <= 2^26. */
sl_code sl_fft_new(struct sl_fft_plan **plan, int64_t n, struct sl_error *err);
void sl_fft_free(struct sl_fft_plan *plan);
int64_t sl_fft_length(const struct sl_fft_plan *plan);
/* As many lines go together best; a run takes one, or these. */
int sl_fft_lanes(void);
/* Doubles of scratch memory that a run of one line needs, those of the line included: planes of `length` each are
 * its start. */
int64_t sl_fft_room(const struct sl_fft_plan *plan);
/* Of each line the sums over j of line[j] exp(-2 pi i j k / n). They are where the result points: within `room`. Who
 * exchanges the planes, before and after, has exp(+...). */
struct sl_planes sl_fft_run(const struct sl_fft_plan *plan, struct sl_planes lines, double *room, int lanes);
/* exp(-2 pi i k / n), 0 <= k < n. */
struct sl_cell sl_fft_root(int64_t k, int64_t n);

/* ---- between fft.c, fft_cpu.c and isa/fft.inc */
enum { SL_FFT_RADIX_MAX = 13 };
struct sl_fft_loops {
    int lanes;
    void (*stage)(struct sl_planes to, struct sl_planes from, const struct sl_cell *roots, int radix, int64_t rest,
                  int64_t stride);
    void (*multiply)(struct sl_planes to, struct sl_planes from, const struct sl_cell *by, int64_t n);
    /* `roots`: exp(-pi i k / m), k <= m / 2 */
    void (*mirror)(struct sl_planes p, const struct sl_cell *roots, int64_t m, bool is_back);
    /* n cells, or real numbers, `step` bytes apart, of lines that begin anywhere; written times `scale`. */
    void (*read)(struct sl_planes to, char *const *from, int64_t step, int64_t n, bool of_cells, bool of_double);
    void (*write)(char *const *to, int64_t step, struct sl_planes from, int64_t n, bool of_cells, bool of_double,
                  double scale);
};
SL_ISA_DECLARE(const struct sl_fft_loops *, sl_fft_loops, (void))
/* Those for so many lines: sl_fft_lanes, or one. */
const struct sl_fft_loops *sl_fft_loops_of(int lanes);

#endif
