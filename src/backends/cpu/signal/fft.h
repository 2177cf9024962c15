/* Discrete Fourier transforms of any length, in float or double: mixed radix for lengths of small prime factors, else by a
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
/* Cells of several lines side by side, their real and imaginary parts apart, floats or doubles: of line l of `lanes`,
 * cell i is at i * lanes + l. */
struct sl_planes {
    void *re, *im;
};

struct sl_fft_plan;
/* 0 < n <= 2^26. */
sl_code sl_fft_new(struct sl_fft_plan **plan, int64_t n, bool is_double, struct sl_error *err);
void sl_fft_free(struct sl_fft_plan *plan);
int64_t sl_fft_length(const struct sl_fft_plan *plan);
/* As many lines go together best; a run takes one, or these. */
int sl_fft_lanes(bool is_double);
/* Floats or doubles of scratch memory that a run of one line needs, those of the line included: planes of `length` each
 * are its start. */
int64_t sl_fft_room(const struct sl_fft_plan *plan);
/* Of each line at the start of `room`, real parts first, the sums over j of line[j] exp(-2 pi i j k / n). They are where
 * the result points: within `room`. Who exchanges the planes, before and after, has exp(+...). */
struct sl_planes sl_fft_run(const struct sl_fft_plan *plan, void *room, int lanes);
/* exp(-2 pi i k / n), 0 <= k < n. */
struct sl_cell sl_fft_root(int64_t k, int64_t n);

/* ---- between fft.c, fft_cpu.c and isa/fft.inc */
enum { SL_FFT_RADIX_MAX = 13 };
/* Roots and factors are cells of the lines' type: two floats or doubles each. */
struct sl_fft_loops {
    int lanes;
    void (*stage)(struct sl_planes to, struct sl_planes from, const void *roots, int radix, int64_t rest,
                  int64_t stride);
    void (*multiply)(struct sl_planes to, struct sl_planes from, const void *by, int64_t n);
    /* Cell i by factors whose parts stand at re and im, i * step numbers on: for each line its own. */
    void (*twist)(struct sl_planes lines, const void *re, const void *im, int64_t n, int64_t step);
    /* `roots`: exp(-pi i k / m), k <= m / 2 */
    void (*mirror)(struct sl_planes p, const void *roots, int64_t m, bool is_back);
    /* n cells, or real numbers, `step` bytes apart, of lines that begin anywhere; written times `scale`. */
    void (*read)(struct sl_planes to, char *const *from, int64_t step, int64_t n, bool of_cells);
    void (*write)(char *const *to, int64_t step, struct sl_planes from, int64_t n, bool of_cells, double scale);
};
SL_ISA_DECLARE(const struct sl_fft_loops *, sl_fft_loops, (bool is_double))
/* Those for so many lines: sl_fft_lanes, or one. */
const struct sl_fft_loops *sl_fft_loops_of(bool is_double, int lanes);
/* Puts a cell into an array of such. */
void sl_fft_put_cell(void *cells, int64_t i, bool is_double, struct sl_cell c);

#endif
