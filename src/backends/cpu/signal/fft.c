/* Plans of Fourier transforms; isa/fft.inc has their stages. Called by fft_cpu.c and audio_cpu.c. */
#include "backends/cpu/signal/fft.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"

enum { STAGES_MAX = 32 };
#define LENGTH_MAX (INT64_C(1) << 26)

struct sl_fft_plan {
    int64_t n;
    bool is_double;
    int stages, radix[STAGES_MAX];
    void *roots;               /* exp(-2 pi i k / n), k < n */
    struct sl_fft_plan *power; /* Bluestein: a plan of a power of two, m >= 2 n - 1; else NULL */
    void *chirp;               /* n of exp(-pi i k^2 / n), ... */
    void *filter;              /* ... and the transform of its conjugate, m */
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

static size_t part_size(bool is_double) { return is_double ? sizeof(double) : sizeof(float); }
static void *at(void *parts, int64_t i, bool is_double) { return (char *)parts + i * (int64_t)part_size(is_double); }

void sl_fft_put_cell(void *cells, int64_t i, bool is_double, struct sl_cell c) {
    if (is_double) ((struct sl_cell *)cells)[i] = c;
    else {
        float *part = (float *)cells + 2 * i;
        part[0] = (float)c.re;
        part[1] = (float)c.im;
    }
}

/* The filter is made in double. */
static sl_code make_filter(struct sl_fft_plan *f, struct sl_error *err) {
    const int64_t n = f->n, m = f->power->n;
    struct sl_fft_plan *power;
    SL_TRY(sl_fft_new(&power, m, true, err));
    const size_t bytes = (size_t)sl_fft_room(power) * sizeof(double);
    double *room = sl_calloc(1, bytes);
    if (room) {
        for (int64_t k = 0; k < n; k++) {
            const struct sl_cell c = sl_fft_root((int64_t)((uint64_t)k * (uint64_t)k % (uint64_t)(2 * n)), 2 * n);
            const int64_t mirrored = k ? m - k : 0;
            sl_fft_put_cell(f->chirp, k, f->is_double, c);
            room[k] = room[mirrored] = c.re;
            room[m + k] = room[m + mirrored] = -c.im;
        }
        const struct sl_planes filter = sl_fft_run(power, room, 1);
        const double *re = filter.re, *im = filter.im;
        for (int64_t k = 0; k < m; k++)
            sl_fft_put_cell(f->filter, k, f->is_double, (struct sl_cell){re[k] / (double)m, im[k] / (double)m});
    }
    sl_free(room);
    sl_fft_free(power);
    return room ? SL_OK : sl_fail_memory(err, bytes);
}
static sl_code make_chirp(struct sl_fft_plan *f, struct sl_error *err) {
    int64_t m = 1;
    while (m < 2 * f->n - 1) m *= 2;
    SL_TRY(sl_fft_new(&f->power, m, f->is_double, err));
    const size_t bytes = (size_t)(f->n + m) * 2 * part_size(f->is_double);
    if (!(f->chirp = sl_calloc(1, bytes))) return sl_fail_memory(err, bytes);
    f->filter = at(f->chirp, 2 * f->n, f->is_double);
    return make_filter(f, err);
}

sl_code sl_fft_new(struct sl_fft_plan **plan, int64_t n, bool is_double, struct sl_error *err) {
    if (n <= 0 || n > LENGTH_MAX)
        return sl_fail(err, SL_INVALID_ARGUMENT, "FFT length must be in [1, 2^26], got %lld", (long long)n);
    struct sl_fft_plan *f = sl_calloc(1, sizeof *f);
    if (!f) return sl_fail_memory(err, sizeof *f);
    f->n = n;
    f->is_double = is_double;
    sl_code code = SL_OK;
    if (factor(f, n)) {
        const size_t bytes = (size_t)n * 2 * part_size(is_double);
        f->roots = sl_malloc(bytes);
        if (!f->roots) code = sl_fail_memory(err, bytes);
        for (int64_t k = 0; code == SL_OK && k < n; k++) sl_fft_put_cell(f->roots, k, is_double, sl_fft_root(k, n));
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
int sl_fft_lanes(bool is_double) { return SL_ISA_PICK(sl_fft_loops)(is_double)->lanes; }
int64_t sl_fft_room(const struct sl_fft_plan *f) { return f->power ? 2 * f->n + sl_fft_room(f->power) : 4 * f->n; }

static struct sl_planes exchanged(struct sl_planes p) { return (struct sl_planes){p.im, p.re}; }
/* Planes of n numbers, the i-th pair of `room`. */
static struct sl_planes planes_at(const struct sl_fft_plan *f, void *room, int64_t i, int64_t n) {
    return (struct sl_planes){at(room, 2 * i * n, f->is_double), at(room, (2 * i + 1) * n, f->is_double)};
}

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

/* The transform as a convolution with the chirp: j k = (j^2 + k^2 - (k - j)^2) / 2. */
static struct sl_planes run_chirp(const struct sl_fft_plan *f, const struct sl_fft_loops *loops, struct sl_planes lines,
                                  void *room) {
    const int64_t n = f->n * loops->lanes, m = f->power->n * loops->lanes;
    const struct sl_planes a = planes_at(f, room, 0, m), b = planes_at(f, room, 1, m);
    loops->multiply(a, lines, f->chirp, f->n);
    memset(at(a.re, n, f->is_double), 0, (size_t)(m - n) * part_size(f->is_double));
    memset(at(a.im, n, f->is_double), 0, (size_t)(m - n) * part_size(f->is_double));
    struct sl_planes c = run_stages(f->power, loops, a, b);
    loops->multiply(c, c, f->filter, f->power->n);
    c = exchanged(run_stages(f->power, loops, exchanged(c), exchanged(c.re == a.re ? b : a)));
    loops->multiply(lines, c, f->chirp, f->n);
    return lines;
}

const struct sl_fft_loops *sl_fft_loops_of(bool is_double, int lanes) {
    return lanes == 1 ? sl_fft_loops_base(is_double) : SL_ISA_PICK(sl_fft_loops)(is_double);
}

struct sl_planes sl_fft_run(const struct sl_fft_plan *f, void *room, int lanes) {
    const struct sl_fft_loops *loops = sl_fft_loops_of(f->is_double, lanes);
    const int64_t n = f->n * lanes;
    const struct sl_planes line = planes_at(f, room, 0, n);
    return f->power ? run_chirp(f, loops, line, at(room, 2 * n, f->is_double))
                    : run_stages(f, loops, line, planes_at(f, room, 1, n));
}
