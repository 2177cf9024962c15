/* Plans of Fourier transforms; isa/fft.inc has their stages. Called by fft_cpu.c and audio_cpu.c. */
#include "backends/cpu/signal/fft.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"

enum { STAGES_MAX = 32 };
#define LENGTH_MAX (INT64_C(1) << 26)

struct sl_fft_plan {
    int64_t n;
    int stages, radix[STAGES_MAX];
    struct sl_cell *roots;     /* exp(-2 pi i k / n), k < n */
    struct sl_fft_plan *power; /* Bluestein: a plan of a power of two, m >= 2 n - 1; else NULL */
    struct sl_cell *chirp;     /* n of exp(-pi i k^2 / n), ... */
    struct sl_cell *filter;    /* ... and the transform of its conjugate, m */
};

/* exp(-2 pi i k / n), 0 <= k < n. Taken from the first eighth of the circle, so that roots which mirror each other
 * do so exactly; the sine of 30 degrees, which the library's falls short of, is a half. */
struct sl_cell sl_fft_root(int64_t k, int64_t n) {
    const int64_t eighth = 8 * k / n, rest = 8 * k - eighth * n, from_axis = eighth % 2 ? n - rest : rest;
    const double angle = 3.14159265358979323846 * (double)from_axis / (double)(4 * n);
    const double near = cos(angle),
                 far = 3 * from_axis == 2 * n ? 0.5 : sin(angle); /* on the near axis, on the other */
    const bool is_upright = (eighth + 1) / 2 % 2;                 /* the near axis is the imaginary one */
    const double re = is_upright ? far : near, im = is_upright ? near : far;
    return (struct sl_cell){eighth >= 2 && eighth < 6 ? -re : re, eighth < 4 ? -im : im};
}

/* Fills radix, in the order in which TensorFlow takes them: a 2 comes first, then 8, 4 and the others. False when a
 * prime factor is too large. */
static bool factor(struct sl_fft_plan *f, int64_t n) {
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

static sl_code make_chirp(struct sl_fft_plan *f, struct sl_error *err) {
    int64_t n = f->n, m = 1;
    while (m < 2 * n - 1) m *= 2;
    SL_TRY(sl_fft_new(&f->power, m, err));
    size_t bytes = (size_t)(n + m) * sizeof *f->chirp;
    double *room = sl_malloc((size_t)sl_fft_room(f->power) * sizeof *room);
    f->chirp = sl_calloc((size_t)(n + m), sizeof *f->chirp);
    if (!f->chirp || !room) {
        sl_free(room);
        return sl_fail_memory(err, bytes);
    }
    f->filter = f->chirp + n;
    const struct sl_planes line = {room, room + m};
    memset(room, 0, (size_t)m * 2 * sizeof *room);
    for (int64_t k = 0; k < n; k++) {
        f->chirp[k] = sl_fft_root((int64_t)((uint64_t)k * (uint64_t)k % (uint64_t)(2 * n)), 2 * n);
        const int64_t mirrored = k ? m - k : 0;
        line.re[k] = line.re[mirrored] = f->chirp[k].re;
        line.im[k] = line.im[mirrored] = -f->chirp[k].im;
    }
    const struct sl_planes filter = sl_fft_run(f->power, line, room, 1);
    for (int64_t k = 0; k < m; k++) f->filter[k] = (struct sl_cell){filter.re[k] / (double)m, filter.im[k] / (double)m};
    sl_free(room);
    return SL_OK;
}

sl_code sl_fft_new(struct sl_fft_plan **plan, int64_t n, struct sl_error *err) {
    if (n <= 0 || n > LENGTH_MAX)
        return sl_fail(err, SL_INVALID_ARGUMENT, "FFT length must be in [1, 2^26], got %lld", (long long)n);
    struct sl_fft_plan *f = sl_calloc(1, sizeof *f);
    if (!f) return sl_fail_memory(err, sizeof *f);
    f->n = n;
    sl_code code = SL_OK;
    if (factor(f, n)) {
        f->roots = sl_malloc((size_t)n * sizeof *f->roots);
        if (!f->roots) code = sl_fail_memory(err, (size_t)n * sizeof *f->roots);
        for (int64_t k = 0; code == SL_OK && k < n; k++) f->roots[k] = sl_fft_root(k, n);
    } else {
        code = make_chirp(f, err);
    }
    if (code != SL_OK) sl_fft_free(f);
    else *plan = f;
    return code;
}

void sl_fft_free(struct sl_fft_plan *f) {
    if (!f) return;
    sl_fft_free(f->power);
    sl_free(f->roots);
    sl_free(f->chirp);
    sl_free(f);
}

int64_t sl_fft_length(const struct sl_fft_plan *f) { return f->n; }
int sl_fft_lanes(void) { return SL_ISA_PICK(sl_fft_loops)()->lanes; }
int64_t sl_fft_room(const struct sl_fft_plan *f) { return f->power ? 2 * f->n + sl_fft_room(f->power) : 4 * f->n; }

/* From `lines` to `other` and back; where the last stage wrote to. */
static struct sl_planes run_stages(const struct sl_fft_plan *f, const struct sl_fft_loops *loops,
                                   struct sl_planes lines, struct sl_planes other) {
    int64_t stride = 1, left = f->n;
    for (int i = 0; i < f->stages; i++) {
        left /= f->radix[i];
        loops->stage(other, lines, f->roots, f->radix[i], left, stride);
        stride *= f->radix[i];
        struct sl_planes next = lines;
        lines = other;
        other = next;
    }
    return lines;
}

static struct sl_planes exchanged(struct sl_planes p) { return (struct sl_planes){p.im, p.re}; }

/* The transform as a convolution with the chirp: j k = (j^2 + k^2 - (k - j)^2) / 2. */
static struct sl_planes run_chirp(const struct sl_fft_plan *f, const struct sl_fft_loops *loops, struct sl_planes lines,
                                  double *room) {
    const int64_t n = f->n * loops->lanes, m = f->power->n * loops->lanes;
    struct sl_planes a = {room, room + m}, b = {room + 2 * m, room + 3 * m};
    loops->multiply(a, lines, f->chirp, f->n);
    memset(a.re + n, 0, (size_t)(m - n) * sizeof *a.re);
    memset(a.im + n, 0, (size_t)(m - n) * sizeof *a.im);
    struct sl_planes c = run_stages(f->power, loops, a, b);
    loops->multiply(c, c, f->filter, f->power->n);
    c = exchanged(run_stages(f->power, loops, exchanged(c), exchanged(c.re == a.re ? b : a)));
    loops->multiply(lines, c, f->chirp, f->n);
    return lines;
}

const struct sl_fft_loops *sl_fft_loops_of(int lanes) {
    return lanes == 1 ? sl_fft_loops_base() : SL_ISA_PICK(sl_fft_loops)();
}

struct sl_planes sl_fft_run(const struct sl_fft_plan *f, struct sl_planes lines, double *room, int lanes) {
    const struct sl_fft_loops *loops = sl_fft_loops_of(lanes);
    const int64_t n = f->n * lanes;
    room += 2 * n; /* behind the lines */
    return f->power ? run_chirp(f, loops, lines, room)
                    : run_stages(f, loops, lines, (struct sl_planes){room, room + n});
}
