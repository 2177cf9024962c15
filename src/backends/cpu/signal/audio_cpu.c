/* Sound: wave files, spectrograms, cepstra of the mel scale (S. Davis, P. Mermelstein, "Comparison of parametric
 * representations for monosyllabic word recognition", 1980). */
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/indices.h"
#include "backends/cpu/signal/fft.h"
#include "base/alloc.h"
#include "formats/wav.h"

/* ---- files */

struct wanted {
    int64_t channels, samples; /* -1: as the file has it */
};

static sl_code decode_create(void **state, struct sl_kernel_setup *setup) {
    struct wanted *w = sl_calloc(1, sizeof *w);
    if (!w) return sl_fail_memory(setup->err, sizeof *w);
    sl_code code = sl_attr_int(&w->channels, setup->attrs, "desired_channels", setup->err);
    if (code == SL_OK) code = sl_attr_int(&w->samples, setup->attrs, "desired_samples", setup->err);
    if (code == SL_OK && w->channels < -1)
        code = sl_fail(setup->err, SL_INVALID_ARGUMENT, "desired_channels must be >= -1, got %" PRId64, w->channels);
    if (code == SL_OK && w->samples < -1)
        code = sl_fail(setup->err, SL_INVALID_ARGUMENT, "desired_samples must be >= -1, got %" PRId64, w->samples);
    if (code == SL_OK) *state = w;
    else sl_free(w);
    return code;
}
static void state_free(void *state) { sl_free(state); }

static sl_code decode_wav_run(struct sl_kernel_context *k) {
    const struct wanted *w = k->state;
    struct sl_view in = sl_in(k, 0), out;
    struct sl_wav wav;
    if (in.rank) return sl_invalid(k, "contents must be scalar, got shape %s", SHAPE_OF(in));
    SL_TRY(sl_wav_decode(&wav, sl_string_get(in.data), k->err));
    const int64_t channels = w->channels < 0 ? wav.channels : w->channels,
                  samples = w->samples < 0 ? wav.frames : w->samples;
    SL_TRY(sl_out_new(&out, k, 0, (struct sl_shape){2, (int64_t[]){samples, channels}}));
    float *to = out.data;
    for (int64_t s = 0; s < samples; s++)
        for (int64_t c = 0; c < channels; c++) { /* the last channel again for those that are missing */
            const int64_t from = c < wav.channels ? c : wav.channels - 1;
            *to++ = s < wav.frames ? sl_wav_sample(&wav, s * wav.channels + from) : 0;
        }
    return sl_out_int(k, 1, (int32_t)wav.rate);
}

static sl_code encode_wav_run(struct sl_kernel_context *k) {
    struct sl_view in = sl_in(k, 0), rate = sl_in(k, 1), out;
    struct sl_arena arena;
    struct sl_str file = {0};
    if (in.rank != 2) return sl_invalid(k, "audio must be 2-dimensional%s", SHAPE_OF(in));
    if (rate.rank) return sl_invalid(k, "Input sample_rate should be a scalar tensor, got %s instead.", SHAPE_OF(rate));
    SL_TRY(sl_out_new(&out, k, 0, SL_SHAPE_SCALAR));
    sl_arena_init(&arena);
    sl_code code = sl_wav_encode(&file, in.data, in.dims[0], in.dims[1], sl_index_at(rate, 0), &arena, k->err);
    if (code == SL_OK) code = sl_string_set(out.data, file, k->err);
    sl_arena_clear(&arena);
    return code;
}

/* ---- spectrograms */

struct spectrogram {
    struct sl_fft_plan *plan;
    int64_t window, stride, length; /* samples; `length` with zeros up to a power of two */
    bool is_squared;
    double weights[]; /* of Hann's window: `window` of them */
};

static void spectrogram_destroy(void *state) {
    struct spectrogram *s = state;
    sl_fft_free(s->plan);
    sl_free(s);
}
static sl_code spectrogram_create(void **state, struct sl_kernel_setup *setup) {
    int64_t window, stride, length = 1;
    bool is_squared;
    SL_TRY(sl_attr_int(&window, setup->attrs, "window_size", setup->err));
    SL_TRY(sl_attr_int(&stride, setup->attrs, "stride", setup->err));
    SL_TRY(sl_attr_bool(&is_squared, setup->attrs, "magnitude_squared", setup->err));
    if (window < 2 || window > 1 << 26 || stride < 1)
        return sl_fail(setup->err, SL_INVALID_ARGUMENT,
                       "Spectrogram initialization failed for window size %" PRId64 " and stride %" PRId64, window,
                       stride);
    while (length < window) length *= 2;
    const size_t bytes = sizeof(struct spectrogram) + (size_t)window * sizeof(double);
    struct spectrogram *s = sl_calloc(1, bytes);
    if (!s) return sl_fail_memory(setup->err, bytes);
    *s = (struct spectrogram){.window = window, .stride = stride, .length = length, .is_squared = is_squared};
    for (int64_t i = 0; i < window; i++) s->weights[i] = 0.5 - 0.5 * cos(2 * M_PI * (double)i / (double)window);
    sl_code code = sl_fft_new(&s->plan, length, true, setup->err);
    if (code == SL_OK) *state = s;
    else sl_free(s);
    return code;
}

struct windows {
    const struct spectrogram *s;
    const float *in;
    float *out;
    int64_t channels, windows; /* of `in`, of `out` */
    atomic_bool is_out_of_memory;
};

/* Item i is window i % windows of channel i / windows. */
static void transform_windows(void *arg, int64_t begin, int64_t end) {
    struct windows *w = arg;
    const struct spectrogram *s = w->s;
    const int64_t frequencies = s->length / 2 + 1;
    const size_t bytes = (size_t)sl_fft_room(s->plan) * sizeof(double);
    double *room = sl_scratch_new(bytes);
    if (!room) {
        atomic_store(&w->is_out_of_memory, true);
        return;
    }
    for (int64_t i = begin; i < end; i++) {
        const float *in = w->in + i % w->windows * s->stride * w->channels + i / w->windows;
        memset(room, 0, (size_t)s->length * 2 * sizeof *room);
        for (int64_t j = 0; j < s->window; j++) room[j] = s->weights[j] * (double)in[j * w->channels];
        const struct sl_planes sums = sl_fft_run(s->plan, room, 1);
        const double *re = sums.re, *im = sums.im;
        for (int64_t f = 0; f < frequencies; f++) {
            const float square = (float)(re[f] * re[f] + im[f] * im[f]);
            w->out[i * frequencies + f] = s->is_squared ? square : sqrtf(square);
        }
    }
    sl_scratch_free(room, bytes);
}

static sl_code spectrogram_run(struct sl_kernel_context *k) {
    const struct spectrogram *s = k->state;
    struct sl_view in = sl_in(k, 0), out;
    if (in.rank != 2) return sl_invalid(k, "input must be 2-dimensional%s", SHAPE_OF(in));
    const int64_t samples = in.dims[0], windows = samples < s->window ? 0 : 1 + (samples - s->window) / s->stride;
    SL_TRY(sl_out_new(&out, k, 0, (struct sl_shape){3, (int64_t[]){in.dims[1], windows, s->length / 2 + 1}}));
    if (out.count == 0) return SL_OK;
    struct windows w = {.s = s, .in = in.data, .out = out.data, .channels = in.dims[1], .windows = windows};
    sl_kernel_split(k, in.dims[1] * windows, (double)s->length * 20, transform_windows, &w);
    return atomic_load(&w.is_out_of_memory) ? sl_fail_memory(k->err, (size_t)s->length * sizeof(struct sl_cell))
                                            : SL_OK;
}

/* ---- cepstra */

struct mfcc {
    float upper, lower; /* Hz */
    int filters, coefficients;
};

static sl_code mfcc_create(void **state, struct sl_kernel_setup *setup) {
    struct mfcc m;
    SL_TRY(sl_attr_float(&m.upper, setup->attrs, "upper_frequency_limit", setup->err));
    SL_TRY(sl_attr_float(&m.lower, setup->attrs, "lower_frequency_limit", setup->err));
    SL_TRY(sl_attr_int32(&m.filters, setup->attrs, "filterbank_channel_count", setup->err));
    SL_TRY(sl_attr_int32(&m.coefficients, setup->attrs, "dct_coefficient_count", setup->err));
    struct mfcc *made = sl_malloc(sizeof *made);
    if (!made) return sl_fail_memory(setup->err, sizeof *made);
    *made = m;
    *state = made;
    return SL_OK;
}

static double mel(double hz) { return 1127 * log1p(hz / 700); }

/* What one spectrum of `bins` becomes. Filter f rises from centre f - 1 to its own and falls to centre f + 1 (of the
 * mel scale), so a bin between two centres belongs to both: `share` of it to the lower one, number `band` (-1: below
 * the first). */
struct filterbank {
    int64_t bins, first, last; /* bins [first, last] count */
    int filters, coefficients;
    int *band;       /* [bins] */
    double *share;   /* [bins] */
    double *cosines; /* [coefficients, filters] */
    double *sums;    /* [filters] */
    double *centres; /* [filters + 1] */
};

static void place_bins(struct filterbank *b, const struct mfcc *m, double hz_each) {
    const double low = mel((double)m->lower), spacing = (mel((double)m->upper) - low) / (m->filters + 1);
    for (int f = 0; f <= m->filters; f++) b->centres[f] = low + spacing * (f + 1);
    for (int64_t i = b->first, f = 0; i <= b->last; i++) {
        const double at = mel((double)i * hz_each);
        while (f < m->filters && b->centres[f] < at) f++;
        const double before = f ? b->centres[f - 1] : low;
        b->band[i] = (int)f - 1;
        b->share[i] = (b->centres[f] - at) / (b->centres[f] - before);
    }
}
static void make_cosines(struct filterbank *b) {
    const double scale = sqrt(2.0 / b->filters), step = M_PI / b->filters;
    for (int c = 0; c < b->coefficients; c++)
        for (int f = 0; f < b->filters; f++) b->cosines[c * b->filters + f] = scale * cos(c * step * (f + 0.5));
}

static void cepstrum(float *out, const struct filterbank *b, const float *spectrum) {
    memset(b->sums, 0, (size_t)b->filters * sizeof *b->sums);
    for (int64_t i = b->first; i <= b->last; i++) {
        const double x = sqrt((double)spectrum[i]), lower = x * b->share[i];
        const int band = b->band[i];
        if (band >= 0) b->sums[band] += lower;
        if (band + 1 < b->filters) b->sums[band + 1] += x - lower;
    }
    for (int f = 0; f < b->filters; f++) b->sums[f] = log(b->sums[f] < 1e-12 ? 1e-12 : b->sums[f]);
    for (int c = 0; c < b->coefficients; c++) {
        double sum = 0;
        for (int f = 0; f < b->filters; f++) sum += b->cosines[c * b->filters + f] * b->sums[f];
        out[c] = (float)sum;
    }
}

static sl_code mfcc_all(struct sl_kernel_context *k, struct sl_view out, struct sl_view in, struct sl_arena *arena) {
    const struct mfcc *m = k->state;
    const int64_t bins = in.dims[2], cells = (int64_t)m->coefficients * m->filters;
    const double hz_each = 0.5 * (double)sl_index_at(sl_in(k, 1), 0) / (double)(bins - 1);
    const double first = 1.5 + (double)m->lower / hz_each, last = (double)m->upper / hz_each;
    if (last >= (double)bins) { /* filters beyond what the spectrum has give nothing at all */
        memset(out.data, 0, (size_t)out.count * sizeof(float));
        return SL_OK;
    }
    struct filterbank b = {.bins = bins,
                           .first = first < (double)bins ? (int64_t)first : bins,
                           .last = (int64_t)last,
                           .filters = m->filters,
                           .coefficients = m->coefficients,
                           .band = SL_ARENA_ARRAY(arena, int, (size_t)bins),
                           .share = SL_ARENA_ARRAY(arena, double, (size_t)bins),
                           .cosines = SL_ARENA_ARRAY(arena, double, (size_t)cells),
                           .sums = SL_ARENA_ARRAY(arena, double, (size_t)m->filters),
                           .centres = SL_ARENA_ARRAY(arena, double, (size_t)m->filters + 1)};
    if (!b.band || !b.share || !b.cosines || !b.sums || !b.centres) return sl_fail_memory(k->err, (size_t)cells);
    place_bins(&b, m, hz_each);
    make_cosines(&b);
    for (int64_t i = 0; i < in.dims[0] * in.dims[1]; i++)
        cepstrum((float *)out.data + i * m->coefficients, &b, (const float *)in.data + i * bins);
    return SL_OK;
}

static sl_code mfcc_run(struct sl_kernel_context *k) {
    const struct mfcc *m = k->state;
    struct sl_view in = sl_in(k, 0), rate = sl_in(k, 1), out;
    struct sl_arena arena;
    if (in.rank != 3) return sl_invalid(k, "spectrogram must be 3-dimensional%s", SHAPE_OF(in));
    if (rate.rank) return sl_invalid(k, "Input sample_rate should be a scalar tensor, got %s instead.", SHAPE_OF(rate));
    if (in.dims[2] < 2 || sl_index_at(rate, 0) <= 0 || !(m->lower >= 0) || !(m->upper > m->lower) || m->filters < 1 ||
        m->coefficients < 1 || m->coefficients > m->filters)
        return sl_invalid(k,
                          "Mfcc initialization failed for channel count %" PRId64 ", sample rate %" PRId64
                          " and filterbank_channel_count %d",
                          in.dims[2], sl_index_at(rate, 0), m->filters);
    SL_TRY(sl_out_new(&out, k, 0, (struct sl_shape){3, (int64_t[]){in.dims[0], in.dims[1], m->coefficients}}));
    if (out.count == 0) return SL_OK;
    sl_arena_init(&arena);
    sl_code code = mfcc_all(k, out, in, &arena);
    sl_arena_clear(&arena);
    return code;
}

/* clang-format off */
const struct sl_kernel_def sl_cpu_audio_rows[] = {
    KERNEL("DecodeWav", NO_RULE, .run = decode_wav_run, .create = decode_create, .destroy = state_free, .cost_ns = 2000)
    KERNEL("EncodeWav", NO_RULE, .run = encode_wav_run, .cost_ns = 2000, .cost_element = 3)
    KERNEL("AudioSpectrogram", NO_RULE, .run = spectrogram_run, .create = spectrogram_create, .destroy = spectrogram_destroy, .cost_ns = 2000, .cost_element = 60)
    KERNEL("Mfcc", NO_RULE, .run = mfcc_run, .create = mfcc_create, .destroy = state_free, .cost_ns = 5000, .cost_element = 10)
    SL_ROWS_END
};
/* clang-format on */
