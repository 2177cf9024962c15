/* Plans and loops of Fourier transforms. A stage of radix p turns lines of length n into p times as many of n / p, reading one buffer
 * and writing the other (Stockham), so that results come out in order. Called by fft_cpu.c. */
#include "backends/cpu/fft.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"

enum { RADIX_MAX = 13, STAGES_MAX = 32 };
#define LENGTH_MAX (INT64_C(1) << 26)

struct sl_fft {
    int64_t n;
    int stages, radix[STAGES_MAX];
    struct sl_cell *roots;  /* exp(-2 pi i k / n), k < n */
    struct sl_fft *power;   /* Bluestein: a plan of a power of two, m >= 2 n - 1; else NULL */
    struct sl_cell *chirp;  /* n of exp(-pi i k^2 / n), ... */
    struct sl_cell *filter; /* ... and the transform of its conjugate, m */
};

static struct sl_cell times(struct sl_cell a, struct sl_cell b) {
    return (struct sl_cell){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
/* exp(-2 pi i k / n), 0 <= k < n. Taken from the first eighth of the circle, so that roots which mirror each other do so exactly; the
 * sine of 30 degrees, which the library's falls short of, is a half. */
static struct sl_cell root(int64_t k, int64_t n) {
    const int64_t eighth = 8 * k / n, rest = 8 * k - eighth * n, from_axis = eighth % 2 ? n - rest : rest;
    const double angle = 3.14159265358979323846 * (double)from_axis / (double)(4 * n);
    const double near = cos(angle),
                 far = 3 * from_axis == 2 * n ? 0.5 : sin(angle); /* on the near axis, on the other */
    const bool is_upright = (eighth + 1) / 2 % 2;                 /* the near axis is the imaginary one */
    const double re = is_upright ? far : near, im = is_upright ? near : far;
    return (struct sl_cell){eighth >= 2 && eighth < 6 ? -re : re, eighth < 4 ? -im : im};
}

/* Fills radix, in the order in which TensorFlow takes them: a 2 comes first, then 8, 4 and the others. False when a prime factor is too
 * large. */
static bool factor(struct sl_fft *f, int64_t n) {
    static const int radices[] = {8, 4, 3, 5, 7, 11, 13};
    const int64_t odd = n / (n & -n);
    int twos = 0;
    for (int64_t rest = n / odd; rest > 1; rest /= 2) twos++;
    if (twos % 3 == 1) {
        f->radix[f->stages++] = 2;
        n /= 2;
    }
    for (size_t i = 0; i < sizeof radices / sizeof *radices; i++)
        while (n % radices[i] == 0) {
            f->radix[f->stages++] = radices[i];
            n /= radices[i];
        }
    return n == 1;
}

static sl_code make_chirp(struct sl_fft *f, struct sl_error *err) {
    int64_t n = f->n, m = 1;
    while (m < 2 * n - 1) m *= 2;
    SL_TRY(sl_fft_new(&f->power, m, err));
    size_t bytes = (size_t)(n + m) * sizeof *f->chirp;
    struct sl_cell *room = sl_malloc((size_t)sl_fft_room(f->power) * sizeof *room);
    f->chirp = sl_calloc((size_t)(n + m), sizeof *f->chirp);
    if (!f->chirp || !room) {
        sl_free(room);
        return sl_fail_memory(err, bytes);
    }
    f->filter = f->chirp + n;
    for (int64_t k = 0; k < n; k++) {
        f->chirp[k] = root((int64_t)((uint64_t)k * (uint64_t)k % (uint64_t)(2 * n)), 2 * n);
        struct sl_cell back = {f->chirp[k].re, -f->chirp[k].im};
        f->filter[k] = back;
        if (k) f->filter[m - k] = back;
    }
    sl_fft_run(f->power, f->filter, room, false);
    sl_free(room);
    return SL_OK;
}

sl_code sl_fft_new(struct sl_fft **plan, int64_t n, struct sl_error *err) {
    if (n <= 0 || n > LENGTH_MAX)
        return sl_fail(err, SL_INVALID_ARGUMENT, "FFT length must be in [1, 2^26], got %lld", (long long)n);
    struct sl_fft *f = sl_calloc(1, sizeof *f);
    if (!f) return sl_fail_memory(err, sizeof *f);
    f->n = n;
    sl_code code = SL_OK;
    if (factor(f, n)) {
        f->roots = sl_malloc((size_t)n * sizeof *f->roots);
        if (!f->roots) code = sl_fail_memory(err, (size_t)n * sizeof *f->roots);
        for (int64_t k = 0; code == SL_OK && k < n; k++) f->roots[k] = root(k, n);
    } else {
        code = make_chirp(f, err);
    }
    if (code != SL_OK) sl_fft_free(f);
    else *plan = f;
    return code;
}

void sl_fft_free(struct sl_fft *f) {
    if (!f) return;
    sl_fft_free(f->power);
    sl_free(f->roots);
    sl_free(f->chirp);
    sl_free(f);
}

int64_t sl_fft_room(const struct sl_fft *f) { return f->power ? f->power->n + sl_fft_room(f->power) : f->n; }

/* ---- stages: `from` is [radix][rest][stride], `to` is [rest][radix][stride] */
static void stage_2(struct sl_cell *restrict to, const struct sl_cell *restrict from, const struct sl_cell *roots,
                    int64_t rest, int64_t stride) {
    for (int64_t k = 0; k < rest; k++) {
        const struct sl_cell w = roots[k * stride];
        for (int64_t q = 0; q < stride; q++) {
            const struct sl_cell a = from[k * stride + q], b = from[(rest + k) * stride + q];
            to[2 * k * stride + q] = (struct sl_cell){a.re + b.re, a.im + b.im};
            to[(2 * k + 1) * stride + q] = times((struct sl_cell){a.re - b.re, a.im - b.im}, w);
        }
    }
}
static inline void four(struct sl_cell to[4], struct sl_cell a, struct sl_cell b, struct sl_cell c, struct sl_cell d) {
    const struct sl_cell s = {a.re + c.re, a.im + c.im}, t = {a.re - c.re, a.im - c.im};
    const struct sl_cell u = {b.re + d.re, b.im + d.im}, v = {b.im - d.im, d.re - b.re}; /* -i (b - d) */
    to[0] = (struct sl_cell){s.re + u.re, s.im + u.im};
    to[1] = (struct sl_cell){t.re + v.re, t.im + v.im};
    to[2] = (struct sl_cell){s.re - u.re, s.im - u.im};
    to[3] = (struct sl_cell){t.re - v.re, t.im - v.im};
}
static void stage_4(struct sl_cell *restrict to, const struct sl_cell *restrict from, const struct sl_cell *roots,
                    int64_t rest, int64_t stride) {
    for (int64_t k = 0; k < rest; k++) {
        const struct sl_cell w1 = roots[k * stride], w2 = roots[2 * k * stride], w3 = roots[3 * k * stride];
        for (int64_t q = 0; q < stride; q++) {
            const struct sl_cell *x = from + k * stride + q;
            struct sl_cell *y = to + 4 * k * stride + q, sums[4];
            four(sums, x[0], x[rest * stride], x[2 * rest * stride], x[3 * rest * stride]);
            y[0] = sums[0];
            y[stride] = times(sums[1], w1);
            y[2 * stride] = times(sums[2], w2);
            y[3 * stride] = times(sums[3], w3);
        }
    }
}
static void stage_8(struct sl_cell *restrict to, const struct sl_cell *restrict from, const struct sl_cell *roots,
                    int64_t rest, int64_t stride) {
    const double diagonal = 0.70710678118654752440;
    const int64_t step = rest * stride;
    for (int64_t k = 0; k < rest; k++)
        for (int64_t q = 0; q < stride; q++) {
            const struct sl_cell *x = from + k * stride + q;
            struct sl_cell *y = to + 8 * k * stride + q, even[4], odd[4];
            four(even, x[0], x[2 * step], x[4 * step], x[6 * step]);
            four(odd, x[step], x[3 * step], x[5 * step], x[7 * step]);
            odd[1] = (struct sl_cell){diagonal * (odd[1].re + odd[1].im), diagonal * (odd[1].im - odd[1].re)};
            odd[2] = (struct sl_cell){odd[2].im, -odd[2].re};
            odd[3] = (struct sl_cell){diagonal * (odd[3].im - odd[3].re), -diagonal * (odd[3].re + odd[3].im)};
            for (int64_t r = 0; r < 4; r++) {
                const struct sl_cell low = {even[r].re + odd[r].re, even[r].im + odd[r].im};
                const struct sl_cell high = {even[r].re - odd[r].re, even[r].im - odd[r].im};
                y[r * stride] = times(low, roots[r * k * stride]);
                y[(r + 4) * stride] = times(high, roots[(r + 4) * k * stride]);
            }
        }
}
/* An odd radix. Cells that mirror each other are added and subtracted first, so that what cancels does so exactly. */
static void stage_odd(struct sl_cell *restrict to, const struct sl_cell *restrict from, const struct sl_cell *roots,
                      int64_t radix, int64_t rest, int64_t stride, int64_t n) {
    const int64_t step = n / radix, half = radix / 2; /* step: between the radix's own roots */
    for (int64_t k = 0; k < rest; k++)
        for (int64_t q = 0; q < stride; q++) {
            struct sl_cell sum[RADIX_MAX / 2 + 1], difference[RADIX_MAX / 2 + 1];
            const struct sl_cell first = from[k * stride + q];
            struct sl_cell *y = to + radix * k * stride + q, all = first;
            for (int64_t j = 1; j <= half; j++) {
                const struct sl_cell a = from[(j * rest + k) * stride + q],
                                     b = from[((radix - j) * rest + k) * stride + q];
                sum[j] = (struct sl_cell){a.re + b.re, a.im + b.im};
                difference[j] = (struct sl_cell){a.re - b.re, a.im - b.im};
                all.re += sum[j].re;
                all.im += sum[j].im;
            }
            y[0] = all;
            for (int64_t r = 1; r <= half; r++) {
                struct sl_cell even = first, odd = {0, 0};
                for (int64_t j = 1; j <= half; j++) {
                    const struct sl_cell w = roots[j * r % radix * step];
                    even.re += sum[j].re * w.re;
                    even.im += sum[j].im * w.re;
                    odd.re -= difference[j].im * w.im;
                    odd.im += difference[j].re * w.im;
                }
                const struct sl_cell low = {even.re + odd.re, even.im + odd.im},
                                     high = {even.re - odd.re, even.im - odd.im};
                y[r * stride] = times(low, roots[k * r * stride]);
                y[(radix - r) * stride] = times(high, roots[k * (radix - r) * stride]);
            }
        }
}

static void run_stages(const struct sl_fft *f, struct sl_cell *line, struct sl_cell *room) {
    struct sl_cell *from = line, *to = room;
    int64_t stride = 1, left = f->n;
    for (int i = 0; i < f->stages; i++) {
        const int radix = f->radix[i];
        left /= radix;
        if (radix == 8) stage_8(to, from, f->roots, left, stride);
        else if (radix == 4) stage_4(to, from, f->roots, left, stride);
        else if (radix == 2) stage_2(to, from, f->roots, left, stride);
        else stage_odd(to, from, f->roots, radix, left, stride, f->n);
        stride *= radix;
        struct sl_cell *other = from;
        from = to;
        to = other;
    }
    if (from != line) memcpy(line, from, (size_t)f->n * sizeof *line);
}

/* The transform as a convolution with the chirp: j k = (j^2 + k^2 - (k - j)^2) / 2. */
static void run_chirp(const struct sl_fft *f, struct sl_cell *line, struct sl_cell *room) {
    const int64_t n = f->n, m = f->power->n;
    struct sl_cell *a = room;
    for (int64_t k = 0; k < n; k++) a[k] = times(line[k], f->chirp[k]);
    memset(a + n, 0, (size_t)(m - n) * sizeof *a);
    run_stages(f->power, a, room + m);
    for (int64_t k = 0; k < m; k++) { /* conjugated on both sides, the way forward is the way back */
        const struct sl_cell c = times(a[k], f->filter[k]);
        a[k] = (struct sl_cell){c.re, -c.im};
    }
    run_stages(f->power, a, room + m);
    for (int64_t k = 0; k < n; k++)
        line[k] = times((struct sl_cell){a[k].re / (double)m, -a[k].im / (double)m}, f->chirp[k]);
}

void sl_fft_run(const struct sl_fft *f, struct sl_cell *line, struct sl_cell *room, bool is_inverse) {
    for (int64_t k = 0; is_inverse && k < f->n; k++) line[k].im = -line[k].im;
    if (f->power) run_chirp(f, line, room);
    else run_stages(f, line, room);
    const double scale = 1 / (double)f->n;
    for (int64_t k = 0; is_inverse && k < f->n; k++) {
        line[k].re *= scale;
        line[k].im *= -scale;
    }
}
