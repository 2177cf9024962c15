/* Colour: RGBToHSV, HSVToRGB, AdjustHue, AdjustSaturation, AdjustContrastv2. Pixels are the last dim. */
#include <math.h>
#include <string.h>

#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/indices.h"
#include "backends/cpu/types.inc"

#define ABS(x) _Generic((x), float : fabsf, double : fabs)(x)
enum { SOME_PIXELS = 64 };
#define RGB_OF(C)                                                                                                      \
    static inline C clamp_##C(C x) { /* in two steps, without branches */                                              \
        const C above = x < 0 ? 0 : x;                                                                                 \
        return above > 1 ? 1 : above;                                                                                  \
    }                                                                                                                  \
    static void rgb_of_##C(C rgb[3][SOME_PIXELS], const C *hue, const C *s, const C *v, int64_t n) {                   \
        for (int64_t i = 0; i < n; i++) {                                                                              \
            rgb[0][i] = (1 - s[i] + s[i] * clamp_##C(ABS(hue[i] - 3) - 1)) * v[i];                                     \
            rgb[1][i] = (1 - s[i] + s[i] * clamp_##C(2 - ABS(hue[i] - 2))) * v[i];                                     \
            rgb[2][i] = (1 - s[i] + s[i] * clamp_##C(2 - ABS(4 - hue[i]))) * v[i];                                     \
        }                                                                                                              \
    }
RGB_OF(float)
RGB_OF(double)

#define TYPES FOR_FLOATS
#define BODY  "backends/cpu/image/colour.inc"
#include "backends/cpu/for_types.inc"

typedef void (*colour_fn)(void *to, const void *from, int64_t pixels);
static const colour_fn to_hsv[SL_DTYPE_COUNT] = {FLOATS(SL_TYPE_ENTRY, rgb_to_hsv)};
static const colour_fn to_rgb[SL_DTYPE_COUNT] = {FLOATS(SL_TYPE_ENTRY, hsv_to_rgb)};

struct pixels {
    const char *from;
    char *to;
    int64_t bytes; /* of a pixel */
    colour_fn convert;
    float amount; /* AdjustHue: turns of the circle; AdjustSaturation: factor */
};

static void convert_range(void *arg, int64_t begin, int64_t end) {
    const struct pixels *p = arg;
    p->convert(p->to + begin * p->bytes, p->from + begin * p->bytes, end - begin);
}

static sl_code convert(struct sl_kernel_context *k, const colour_fn *converters) {
    struct sl_view in = sl_in(k, 0), out;
    if (in.rank < 1) return sl_invalid(k, "input must be at least 1D%s", SHAPE_OF(in));
    if (in.dims[in.rank - 1] != 3)
        return sl_fail(k->err, SL_FAILED_PRECONDITION, "input must have 3 channels but input only has %lld channels.",
                       (long long)in.dims[in.rank - 1]);
    SL_TRY(sl_out_reuse(&out, k, 0, sl_view_shape(in), 0, 1));
    struct pixels p = {in.data, out.data, 3 * (int64_t)sl_dtype_size(in.dtype), converters[in.dtype], 0};
    sl_kernel_split(k, in.count / 3, 6, convert_range, &p);
    return SL_OK;
}
static sl_code rgb_to_hsv_run(struct sl_kernel_context *k) { return convert(k, to_hsv); }
static sl_code hsv_to_rgb_run(struct sl_kernel_context *k) { return convert(k, to_rgb); }

/* ---- one side of HSV changed */
/* The colour of a hue (from 0 up to, not with, 6): between two corners of the hexagon one channel is `top`, one
 * `low`, and one goes from the one to the other. */
static inline void rgb_of_hue(float *rgb, float hue, float top, float low) {
    static const uint8_t top_at[6] = {0, 1, 1, 2, 2, 0}, low_at[6] = {2, 2, 0, 0, 1, 1};
    const int corner = hue > 0 ? (int)hue % 6 : 0, t = top_at[corner], l = low_at[corner];
    const float part = (hue - (float)corner) * (top - low);
    const float way[2] = {low + part, top - part}; /* no branch: it would be taken every other time */
    rgb[3 - t - l] = way[corner % 2];
    rgb[t] = top;
    rgb[l] = low;
}
/* fmodf(x, 6). */
static inline float turned(float x) {
    if (!(fabsf(x) < 12)) return fmodf(x, 6);
    return x >= 6 ? x - 6 : x <= -6 ? x + 6 : x;
}
/* Hues (from 0 to 6, not turned) and extremes of n <= SOME_PIXELS pixels. */
static void hues_of(float *hue, float *top, float *low, const float *x, int64_t n) {
    for (int64_t i = 0; i < n; i++) {
        const float r = x[3 * i], g = x[3 * i + 1], b = x[3 * i + 2];
        const float larger = g > b ? g : b, smaller = g < b ? g : b;
        top[i] = r > larger ? r : larger;
        low[i] = r < smaller ? r : smaller;
        const float range = top[i] - low[i], other = g == top[i] ? b - r : r - g, turn = g == top[i] ? 2.0f : 4.0f;
        const float part = (r == top[i] ? g - b : other) / range + (r == top[i] ? 0.0f : turn);
        const float any = range > 0 ? part : 0;
        hue[i] = any < 0 ? any + 6 : any;
    }
}
static void turn_hue(void *arg, int64_t begin, int64_t end) {
    const struct pixels *p = arg;
    float hue[SOME_PIXELS], top[SOME_PIXELS], low[SOME_PIXELS];
    for (int64_t at = begin; at < end; at += SOME_PIXELS) {
        const int64_t n = end - at < SOME_PIXELS ? end - at : SOME_PIXELS;
        hues_of(hue, top, low, (const float *)(const void *)p->from + 3 * at, n);
        for (int64_t i = 0; i < n; i++) {
            const float turn = turned(hue[i] + p->amount * 6);
            rgb_of_hue((float *)(void *)p->to + 3 * (at + i), turn < 0 ? turn + 6 : turn, top[i], low[i]);
        }
    }
}
static void scale_saturation(void *arg, int64_t begin, int64_t end) {
    const struct pixels *p = arg;
    float hue[SOME_PIXELS], top[SOME_PIXELS], low[SOME_PIXELS];
    for (int64_t at = begin; at < end; at += SOME_PIXELS) {
        const int64_t n = end - at < SOME_PIXELS ? end - at : SOME_PIXELS;
        hues_of(hue, top, low, (const float *)(const void *)p->from + 3 * at, n);
        for (int64_t i = 0; i < n; i++) {
            const float share = (top[i] - low[i]) / top[i], saturation = top[i] > 0 ? share : 0;
            low[i] = top[i] - clamp_float(saturation * p->amount) * top[i];
        }
        for (int64_t i = 0; i < n; i++) rgb_of_hue((float *)(void *)p->to + 3 * (at + i), hue[i], top[i], low[i]);
    }
}

static sl_code adjust(struct sl_kernel_context *k, const char *what,
                      void (*change)(void *arg, int64_t begin, int64_t end)) {
    struct sl_view in = sl_in(k, 0), amount = sl_in(k, 1), out;
    if (in.rank < 3) return sl_invalid(k, "input must be at least 3-D, got shape%s", SHAPE_OF(in));
    if (amount.rank != 0) return sl_invalid(k, "%s must be scalar: %s", what, SHAPE_OF(amount));
    if (in.dims[in.rank - 1] != 3)
        return sl_invalid(k, "input must have 3 channels but instead has %lld channels",
                          (long long)in.dims[in.rank - 1]);
    SL_TRY(sl_out_reuse(&out, k, 0, sl_view_shape(in), 0, 1));
    struct pixels p = {.from = in.data, .to = out.data, .amount = *(const float *)amount.data};
    sl_kernel_split(k, in.count / 3, 12, change, &p);
    return SL_OK;
}
static sl_code adjust_hue_run(struct sl_kernel_context *k) { return adjust(k, "delta", turn_hue); }
static sl_code adjust_saturation_run(struct sl_kernel_context *k) { return adjust(k, "scale", scale_saturation); }

/* ---- AdjustContrastv2: away from the mean of the image's channel. Images are taken in pieces, whose sums are added
 * in order. */
enum { PIECE = 8192, SOME_CHANNELS = 8 }; /* elements, about */
struct contrast {
    const float *from;
    float *to;
    int64_t pixels, channels, pieces, piece_pixels; /* of an image; of a piece */
    float factor;
    double *sums; /* of each piece, by channel */
    float *means; /* of each image */
};
/* The first pixel of piece i of all, and how many there are. */
static int64_t piece_of(int64_t *n, const struct contrast *a, int64_t i) {
    const int64_t first = i % a->pieces * a->piece_pixels, left = a->pixels - first;
    *n = left < a->piece_pixels ? left : a->piece_pixels;
    return i / a->pieces * a->pixels + first;
}
static void sum_pieces(void *arg, int64_t begin, int64_t end) {
    const struct contrast *a = arg;
    for (int64_t i = begin, n; i < end; i++) {
        const float *x = a->from + piece_of(&n, a, i) * a->channels;
        double *sum = a->sums + i * a->channels;
        memset(sum, 0, (size_t)a->channels * sizeof *sum);
        if (a->channels == 3) {
            double r = 0, g = 0, b = 0;
            for (int64_t p = 0; p < n; p++, x += 3) r += (double)x[0], g += (double)x[1], b += (double)x[2];
            sum[0] = r, sum[1] = g, sum[2] = b;
        } else {
            for (int64_t p = 0; p < n; p++, x += a->channels)
                for (int64_t c = 0; c < a->channels; c++) sum[c] += (double)x[c];
        }
    }
}
static void change_pieces(void *arg, int64_t begin, int64_t end) {
    const struct contrast *a = arg;
    for (int64_t i = begin, n; i < end; i++) {
        const int64_t first = piece_of(&n, a, i) * a->channels;
        const float *x = a->from + first, *mean = a->means + i / a->pieces * a->channels;
        float *y = a->to + first;
        if (a->channels > SOME_CHANNELS) {
            for (int64_t p = 0; p < n; p++, x += a->channels, y += a->channels)
                for (int64_t c = 0; c < a->channels; c++) y[c] = (x[c] - mean[c]) * a->factor + mean[c];
            continue;
        }
        float means[SOME_CHANNELS * SOME_PIXELS]; /* of so many pixels, so that loops are long */
        const int64_t most = a->channels * SOME_PIXELS;
        for (int64_t j = 0; j < most; j++) means[j] = mean[j % a->channels];
        for (int64_t left = n * a->channels; left > 0; left -= most, x += most, y += most) {
            const int64_t some = left < most ? left : most;
            for (int64_t j = 0; j < some; j++) y[j] = (x[j] - means[j]) * a->factor + means[j];
        }
    }
}
static void find_means(const struct contrast *a, int64_t images) {
    for (int64_t i = 0; i < images; i++) {
        double *sum = a->sums + i * a->pieces * a->channels;
        for (int64_t p = 1; p < a->pieces; p++)
            for (int64_t c = 0; c < a->channels; c++) sum[c] += sum[p * a->channels + c];
        for (int64_t c = 0; c < a->channels; c++) a->means[i * a->channels + c] = (float)(sum[c] / (double)a->pixels);
    }
}

static sl_code adjust_contrast_run(struct sl_kernel_context *k) {
    struct sl_view in = sl_in(k, 0), factor = sl_in(k, 1), out;
    if (in.rank < 3) return sl_invalid(k, "input must be at least 3-D, got shape%s", SHAPE_OF(in));
    if (factor.rank != 0) return sl_invalid(k, "contrast_factor must be scalar: %s", SHAPE_OF(factor));
    SL_TRY(sl_out_reuse(&out, k, 0, sl_view_shape(in), 0, 1));
    if (out.count == 0) return SL_OK;
    struct contrast a = {.from = in.data, .to = out.data, .factor = *(const float *)factor.data};
    a.channels = in.dims[in.rank - 1];
    a.pixels = in.dims[in.rank - 2] * in.dims[in.rank - 3];
    a.piece_pixels = PIECE / a.channels + 1;
    a.pieces = (a.pixels - 1) / a.piece_pixels + 1;
    const int64_t images = in.count / (a.pixels * a.channels), pieces = images * a.pieces;
    const size_t sums = (size_t)(pieces * a.channels) * sizeof *a.sums;
    const size_t bytes = sums + (size_t)(images * a.channels) * sizeof *a.means;
    if (!(a.sums = sl_scratch_new(bytes))) return sl_fail_memory(k->err, bytes);
    a.means = (float *)(void *)((char *)a.sums + sums);
    const double piece_elements = (double)(in.count / pieces);
    sl_kernel_split(k, pieces, piece_elements, sum_pieces, &a);
    find_means(&a, images);
    sl_kernel_split(k, pieces, piece_elements, change_pieces, &a);
    sl_scratch_free(a.sums, bytes);
    return SL_OK;
}

/* clang-format off */
const struct sl_kernel_def sl_cpu_colour_rows[] = {
    KERNEL("AdjustContrastv2", RULE("T", SL_SET(FLOAT)), .run = adjust_contrast_run, .cost_element = 2)
    KERNEL("AdjustHue", RULE("T", SL_SET(FLOAT)), .run = adjust_hue_run, .cost_element = 5)
    KERNEL("AdjustSaturation", RULE("T", SL_SET(FLOAT)), .run = adjust_saturation_run, .cost_element = 5)
    KERNEL("HSVToRGB", RULE("T", SL_SET_FLOATS), .run = hsv_to_rgb_run, .cost_element = 2)
    KERNEL("RGBToHSV", RULE("T", SL_SET_FLOATS), .run = rgb_to_hsv_run, .cost_element = 3)
    SL_ROWS_END
};
/* clang-format on */
