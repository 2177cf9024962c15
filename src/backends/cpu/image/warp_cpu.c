/* Images seen another way: ImageProjectiveTransform, ScaleAndTranslate and its gradient, ExtractGlimpse. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/indices.h"
#include "backends/cpu/random/random_source.h"
#include "backends/cpu/resize.h"
#include "backends/cpu/types.inc"
#include "backends/cpu/wide.h"
#include "base/alloc.h"

static sl_code check_images(struct sl_kernel_context *k, struct sl_view images) {
    if (images.rank != 4) return sl_invalid(k, "input must be 4-dimensional%s", SHAPE_OF(images));
    return SL_OK;
}
/* Height and width, input i, each `least` or more. */
static sl_code read_size(int64_t size[2], struct sl_kernel_context *k, int i, int64_t least) {
    struct sl_view v = sl_in(k, i);
    if (v.rank != 1) return sl_invalid(k, "output shape must be 1-dimensional%s", SHAPE_OF(v));
    if (v.count != 2) return sl_invalid(k, "output shape must have two elements%s", SHAPE_OF(v));
    for (int d = 0; d < 2; d++) size[d] = sl_index_at(v, d);
    if (size[0] < least || size[1] < least) return sl_invalid(k, "output dimensions must be positive");
    return SL_OK;
}

/* ---- ImageProjectiveTransform: (x, y) of the result is ((a x + b y + c) / n, (d x + e y + f) / n) of the image,
 * n = g x + h y + 1 */
enum edge { EDGE_CONSTANT, EDGE_REFLECT, EDGE_WRAP, EDGE_NEAREST };

struct warp {
    const void *from;
    void *to;
    const float *transforms;
    const void *fill; /* one element */
    int64_t height, width, channels, to_height, to_width;
    bool is_bilinear, has_one_transform;
    enum edge edge;
    size_t size; /* of an element */
    void (*pixel)(const struct warp *w, int64_t image, float y, float x, void *to);
};

#define TYPES (FOR_FLOATS | FOR_INT32 | FOR_INT64 | FOR_UINT8)
#define BODY  "backends/cpu/image/projective.inc"
#include "backends/cpu/for_types.inc"

typedef void (*warp_fn)(const struct warp *w, int64_t image, float y, float x, void *to);
typedef void (*fill_fn)(void *to, float value);
#define WARPED(M, ...) FLOATS(M, __VA_ARGS__) M(INT32, __VA_ARGS__) M(INT64, __VA_ARGS__) M(UINT8, __VA_ARGS__)
static const warp_fn warp_pixels[SL_DTYPE_COUNT] = {WARPED(SL_TYPE_ENTRY, warp_pixel)};
static const fill_fn fill_elements[SL_DTYPE_COUNT] = {WARPED(SL_TYPE_ENTRY, fill_element)};

enum { BILINEAR = 8 }; /* beside the edge in the state's number */

static sl_code projective_create(void **state, struct sl_kernel_setup *setup) {
    static const char *const edges[] = {"CONSTANT", "REFLECT", "WRAP", "NEAREST"};
    struct sl_str name;
    int edge = 0;
    SL_TRY(sl_attr_string(&name, setup->attrs, "interpolation", setup->err));
    bool is_bilinear = sl_str_is(name, "BILINEAR");
    if (!is_bilinear && !sl_str_is(name, "NEAREST"))
        return sl_fail(setup->err, SL_INVALID_ARGUMENT,
                       "Invalid interpolation %.*s. Supported types: NEAREST, BILINEAR", SL_STR_ARG(name));
    SL_TRY(sl_attr_string(&name, setup->attrs, "fill_mode", setup->err));
    while (edge < 4 && !sl_str_is(name, edges[edge])) edge++;
    if (edge == 4)
        return sl_fail(setup->err, SL_INVALID_ARGUMENT,
                       "Invalid mode %.*s. Supported types: REFLECT, WRAP, CONSTANT, NEAREST", SL_STR_ARG(name));
    *state = (void *)(intptr_t)(edge | (is_bilinear ? BILINEAR : 0));
    return SL_OK;
}

static float clamped(float x, float last) { return x < 0 ? 0 : x > last ? last : x; }
/* Repetitions that bring x < 0 near to 0; a number, whatever x is. */
static float whole_times(float x, float length) {
    float times = truncf(x / length);
    return times == times ? times : 0;
}
/* Brings a place into [0, n - 1] by the edge's rule; of constant edges it stays. */
static float within(enum edge edge, float x, int64_t n) {
    const float length = (float)n, last = (float)(n - 1);
    if (edge == EDGE_REFLECT) { /* d c b a | a b c d | d c b a */
        const float twice = 2 * length;
        if (x < 0) {
            if (n <= 1) return 0;
            if (x < twice) x += twice * whole_times(-x, twice);
            x = x < -length ? x + twice : -x - 1;
        } else if (x > last) {
            if (n <= 1) return 0;
            x -= twice * whole_times(x, twice);
            if (x >= length) x = twice - x - 1;
        }
        return clamped(x, last);
    }
    if (edge == EDGE_WRAP) { /* a b c d | a b c d | a b c d */
        if (x < 0) x = n <= 1 ? 0 : x + length * (whole_times(-x, last) + 1);
        else if (x > last) x = n <= 1 ? 0 : x - length * whole_times(x, last);
        return clamped(x, last);
    }
    return edge == EDGE_NEAREST ? clamped(x, last) : x;
}

static void warp_rows(void *arg, int64_t begin, int64_t end) {
    const struct warp *w = arg;
    const size_t pixel = (size_t)w->channels * w->size;
    for (int64_t i = begin; i < end; i++) {
        const int64_t image = i / w->to_height;
        const float y = (float)(i % w->to_height), *t = w->transforms + (w->has_one_transform ? 0 : 8 * image);
        for (int64_t column = 0; column < w->to_width; column++) {
            const float x = (float)column, n = t[6] * x + t[7] * y + 1;
            char *to = (char *)w->to + (size_t)(i * w->to_width + column) * pixel;
            if (n == 0) { /* at infinity */
                for (int64_t c = 0; c < w->channels; c++) memcpy(to + (size_t)c * w->size, w->fill, w->size);
                continue;
            }
            const float from_x = (t[0] * x + t[1] * y + t[2]) / n, from_y = (t[3] * x + t[4] * y + t[5]) / n;
            w->pixel(w, image, within(w->edge, from_y, w->height), within(w->edge, from_x, w->width), to);
        }
    }
}

static sl_code projective_run(struct sl_kernel_context *k) {
    struct sl_view images = sl_in(k, 0), transforms = sl_in(k, 1), out;
    int64_t size[2], mode = sl_state_number(k);
    float fill = 0;
    double element = 0; /* room for one */
    SL_TRY(check_images(k, images));
    if (transforms.rank != 2 || (transforms.dims[0] != images.dims[0] && transforms.dims[0] != 1) ||
        transforms.dims[1] != 8)
        return sl_invalid(k, "Input transform should be num_images x 8 or 1 x 8%s", SHAPE_OF(transforms));
    SL_TRY(read_size(size, k, 2, 1));
    if (sl_in_count(k) > 3) {
        struct sl_view v = sl_in(k, 3);
        if (v.rank != 0) return sl_invalid(k, "fill_value must be a scalar%s", SHAPE_OF(v));
        fill = *(const float *)v.data;
    }
    SL_TRY(sl_out_new(&out, k, 0, (struct sl_shape){4, (int64_t[]){images.dims[0], size[0], size[1], images.dims[3]}}));
    if (out.count == 0) return SL_OK;
    fill_elements[images.dtype](&element, fill);
    struct warp w = {.from = images.data, .to = out.data, .transforms = transforms.data, .fill = &element};
    w.height = images.dims[1];
    w.width = images.dims[2];
    w.channels = images.dims[3];
    w.to_height = size[0];
    w.to_width = size[1];
    w.is_bilinear = mode & BILINEAR;
    w.edge = (enum edge)(mode & (BILINEAR - 1));
    w.has_one_transform = transforms.dims[0] == 1;
    w.size = sl_dtype_size(images.dtype);
    w.pixel = warp_pixels[images.dtype];
    sl_kernel_split(k, images.dims[0] * size[0], (double)size[1] * (20 + 6 * (double)w.channels), warp_rows, &w);
    return SL_OK;
}

/* ---- ScaleAndTranslate: every element of the result is a weighted mean of what lies under a kernel around its
 * place */
struct filter {
    const char *name;
    float radius;
    float (*weight)(float x, float radius); /* x >= 0 */
};
static float lanczos(float x, float radius) {
    const float pi = 3.14159265359f;
    if (x > radius) return 0;
    if (x <= 1e-3f) return 1;
    return radius * sinf(pi * x) * sinf(pi * x / radius) / (pi * pi * x * x);
}
static float gaussian(float x, float radius) {
    const float deviation = radius / 3;
    return x >= radius ? 0 : expf(-x * x / (2 * deviation * deviation));
}
static float box(float x, float radius) {
    (void)radius;
    return x < 0.5f ? 1 : x == 0.5f ? 0.5f : 0;
}
static float triangle(float x, float radius) { return x < radius ? radius - x : 0; }
static float keys_cubic(float x, float radius) {
    if (x >= radius) return 0;
    if (x >= 1) return ((-0.5f * x + 2.5f) * x - 4) * x + 2;
    return ((1.5f * x - 2.5f) * x) * x + 1;
}
static float mitchell_cubic(float x, float radius) {
    if (x >= radius) return 0;
    if (x >= 1) return (((-7.0f / 18) * x + 2) * x - 10.0f / 3) * x + 16.0f / 9;
    return (((7.0f / 6) * x - 2) * x) * x + 8.0f / 9;
}
static const struct filter filters[] = {
    {"lanczos1", 1, lanczos},     {"lanczos3", 3, lanczos},
    {"lanczos5", 5, lanczos},     {"gaussian", 1.5f, gaussian},
    {"box", 0.5f, box},           {"triangle", 1, triangle},
    {"keyscubic", 2, keys_cubic}, {"mitchellcubic", 2, mitchell_cubic},
};
enum { ANTIALIAS = 16 }; /* beside the filter in the state's number */

static sl_code scale_create(void **state, struct sl_kernel_setup *setup) {
    struct sl_str name;
    bool is_antialiased;
    SL_TRY(sl_attr_string(&name, setup->attrs, "kernel_type", setup->err));
    SL_TRY(sl_attr_bool(&is_antialiased, setup->attrs, "antialias", setup->err));
    for (int i = 0; i < (int)(sizeof filters / sizeof *filters); i++)
        if (sl_str_is(name, filters[i].name)) {
            *state = (void *)(intptr_t)(i | (is_antialiased ? ANTIALIAS : 0));
            return SL_OK;
        }
    return sl_fail(setup->err, SL_INVALID_ARGUMENT, "Unrecognized kernel type: %.*s", SL_STR_ARG(name));
}

static sl_code axis_room(struct sl_resize_axis *a, struct sl_kernel_context *k, int64_t in, int64_t out,
                         int64_t width) {
    size_t taps, bytes;
    if (width > INT32_MAX || __builtin_mul_overflow((size_t)out, (size_t)width, &taps) ||
        __builtin_mul_overflow(taps, sizeof *a->index + sizeof *a->weight, &bytes) ||
        __builtin_add_overflow(bytes, (size_t)out * sizeof *a->count, &bytes))
        return sl_invalid(k, "the output is too large");
    *a = (struct sl_resize_axis){.in = in, .out = out, .scale = 1, .width = (int)width, .bytes = bytes};
    a->count = sl_scratch_new(bytes);
    if (!a->count) return sl_fail_memory(k->err, bytes);
    a->index = a->count + out;
    a->weight = (float *)(a->index + taps);
    return SL_OK;
}

/* Element i of the result lies at (i + 0.5 - translation) / scale. Outside of the image it is 0. */
static sl_code scaled_axis(struct sl_resize_axis *a, struct sl_kernel_context *k, int64_t in, int64_t out, float scale,
                           float translation) {
    const int64_t mode = sl_state_number(k);
    const struct filter *f = &filters[mode & (ANTIALIAS - 1)];
    const float step = 1 / scale, shift = -step * translation;
    const float stretch = mode & ANTIALIAS ? fmaxf(step, 1) : 1, shrink = 1 / stretch;
    const float reach = f->radius * stretch, widest = 2 * ceilf(reach) + 1;
    SL_TRY(axis_room(a, k, in, out, widest < (float)in ? (int64_t)widest : in));
    for (int64_t i = 0; i < out; i++) {
        const float at = ((float)i + 0.5f) * step + shift;
        int32_t *index = a->index + i * a->width;
        float *weight = a->weight + i * a->width, total = 0;
        a->count[i] = 1;
        index[0] = 0;
        weight[0] = 0;
        if (!(at >= 0 && at <= (float)in)) continue;
        const float last = (float)(in - 1);
        int64_t first = (int64_t)clamped(ceilf(at - reach - 0.5f), last);
        int64_t end = (int64_t)clamped(floorf(at + reach - 0.5f), last) + 1;
        if (end - first > a->width) end = first + a->width;
        for (int64_t j = first; j < end; j++) {
            index[j - first] = (int32_t)j;
            weight[j - first] = f->weight(fabsf(((float)j + 0.5f - at) * shrink), f->radius);
            total += weight[j - first];
        }
        if (end > first) a->count[i] = (int32_t)(end - first);
        if (fabsf(total) < 1000 * FLT_MIN) continue;
        const float one = 1 / total;
        for (int64_t j = 0; j < end - first; j++) weight[j] *= one;
    }
    return SL_OK;
}

/* The same weights the other way: what elements of the result an element of the image goes to. */
static sl_code turned_axis(struct sl_resize_axis *to, struct sl_kernel_context *k, const struct sl_resize_axis *a) {
    int32_t most = 1;
    int32_t *counts = sl_calloc((size_t)a->in, sizeof *counts);
    if (!counts) return sl_fail_memory(k->err, (size_t)a->in * sizeof *counts);
    for (int64_t i = 0; i < a->out; i++)
        for (int32_t t = 0; t < a->count[i]; t++) {
            int32_t n = ++counts[a->index[i * a->width + t]];
            if (n > most) most = n;
        }
    sl_free(counts);
    SL_TRY(axis_room(to, k, a->out, a->in, most));
    memset(to->count, 0, to->bytes);
    for (int64_t i = 0; i < a->out; i++)
        for (int32_t t = 0; t < a->count[i]; t++) {
            int64_t element = a->index[i * a->width + t], at = element * to->width + to->count[element]++;
            to->index[at] = (int32_t)i;
            to->weight[at] = a->weight[i * a->width + t];
        }
    for (int64_t i = 0; i < to->out; i++)
        if (to->count[i] == 0) to->count[i] = 1; /* of weight 0 */
    return SL_OK;
}

static sl_code read_pair(float to[2], struct sl_kernel_context *k, int i, const char *what) {
    struct sl_view v = sl_in(k, i);
    if (v.rank != 1) return sl_invalid(k, "%s must be 1-dimensional%s", what, SHAPE_OF(v));
    if (v.count != 2) return sl_invalid(k, "%s must have two elements%s", what, SHAPE_OF(v));
    memcpy(to, v.data, 2 * sizeof *to);
    return SL_OK;
}

/* Resizes from `from` to `to` by the two axes `a` (freed here). */
static sl_code run_axes(struct sl_kernel_context *k, struct sl_resize_axis a[2], struct sl_view from,
                        struct sl_view to) {
    struct sl_wide wide;
    sl_code code = sl_wide_as(&wide, k, from, SL_FLOAT);
    if (code == SL_OK) {
        code = sl_resize_run(k, SL_RESIZE_BICUBIC, &a[0], &a[1], from.dims[0], from.dims[3], to.data, wide.data);
        sl_wide_free(&wide);
    }
    return code;
}
static void axes_free(struct sl_resize_axis a[2]) {
    sl_resize_axis_free(&a[0]);
    sl_resize_axis_free(&a[1]);
}
/* The axes from an image of `in` to a result of `out`. */
static sl_code axes_new(struct sl_resize_axis a[2], struct sl_kernel_context *k, const int64_t *in,
                        const int64_t *out) {
    float scale[2], translation[2];
    SL_TRY(read_pair(scale, k, 2, "scale"));
    SL_TRY(read_pair(translation, k, 3, "translation"));
    if (!(scale[0] > 0 && scale[1] > 0)) return sl_invalid(k, "Scale must be greater than zero.");
    for (int d = 0; d < 2; d++)
        if (in[d] > INT32_MAX || out[d] > INT32_MAX) return sl_invalid(k, "sizes must fit in 32 bits");
    a[0] = a[1] = (struct sl_resize_axis){0};
    for (int d = 0; d < 2; d++) {
        sl_code code = scaled_axis(&a[d], k, in[d], out[d], scale[d], translation[d]);
        if (code != SL_OK) {
            axes_free(a);
            return code;
        }
    }
    return SL_OK;
}

static sl_code scale_run(struct sl_kernel_context *k) {
    struct sl_view images = sl_in(k, 0), out;
    struct sl_resize_axis a[2];
    int64_t size[2];
    SL_TRY(check_images(k, images));
    SL_TRY(read_size(size, k, 1, 1));
    if (images.dims[3] <= 0) return sl_invalid(k, "image must have at least one channel");
    if (images.dims[1] <= 0 || images.dims[2] <= 0) return sl_invalid(k, "input image must be of non-zero size");
    SL_TRY(sl_out_new(&out, k, 0, (struct sl_shape){4, (int64_t[]){images.dims[0], size[0], size[1], images.dims[3]}}));
    SL_TRY(axes_new(a, k, images.dims + 1, size));
    sl_code code = out.count ? run_axes(k, a, images, out) : SL_OK;
    axes_free(a);
    return code;
}

static sl_code scale_grad_run(struct sl_kernel_context *k) {
    struct sl_view grads = sl_in(k, 0), images = sl_in(k, 1), out;
    struct sl_resize_axis forward[2], a[2] = {{0}, {0}};
    if (grads.rank != 4) return sl_invalid(k, "input must be 4-dimensional%s", SHAPE_OF(grads));
    if (images.rank != 4) return sl_invalid(k, "original_image must be 4-dimensional%s", SHAPE_OF(images));
    SL_TRY(sl_out_new(&out, k, 0,
                      (struct sl_shape){4, (int64_t[]){grads.dims[0], images.dims[1], images.dims[2], grads.dims[3]}}));
    if (out.count == 0 || grads.count == 0) {
        memset(out.data, 0, (size_t)out.count * sizeof(float));
        return SL_OK;
    }
    SL_TRY(axes_new(forward, k, images.dims + 1, grads.dims + 1));
    sl_code code = turned_axis(&a[0], k, &forward[0]);
    if (code == SL_OK) code = turned_axis(&a[1], k, &forward[1]);
    if (code == SL_OK) code = run_axes(k, a, grads, out);
    axes_free(forward);
    axes_free(a);
    return code;
}

/* ---- ExtractGlimpse: a window of fixed size of each image; what lies outside of the image is noise */
enum noise { NOISE_UNIFORM, NOISE_GAUSSIAN, NOISE_ZERO };
struct glimpse {
    bool is_centred, is_normalised, is_second;
    enum noise noise;
};

static sl_code glimpse_create(void **state, struct sl_kernel_setup *setup) {
    static const char *const noises[] = {"uniform", "gaussian", "zero"};
    struct glimpse g = {.is_second = sl_str_is(setup->op->name, "ExtractGlimpseV2")};
    bool is_uniform;
    struct sl_str noise;
    int i = 0;
    SL_TRY(sl_attr_bool(&g.is_centred, setup->attrs, "centered", setup->err));
    SL_TRY(sl_attr_bool(&g.is_normalised, setup->attrs, "normalized", setup->err));
    SL_TRY(sl_attr_bool(&is_uniform, setup->attrs, "uniform_noise", setup->err));
    SL_TRY(sl_attr_string(&noise, setup->attrs, "noise", setup->err));
    while (i < 3 && !sl_str_is(noise, noises[i])) i++;
    if (is_uniform && i != NOISE_UNIFORM && noise.n)
        return sl_fail(setup->err, SL_INVALID_ARGUMENT,
                       "The uniform_noise and noise should not be specified at the same time");
    if (i == 3)
        return sl_fail(setup->err, SL_INVALID_ARGUMENT, "The noise should be uniform, gaussian, or zero but is %.*s",
                       SL_STR_ARG(noise));
    g.noise = (enum noise)i;
    struct glimpse *made = sl_malloc(sizeof *made);
    if (!made) return sl_fail_memory(setup->err, sizeof *made);
    *made = g;
    *state = made;
    return SL_OK;
}

/* Where the window begins along one dim. */
static int64_t glimpse_start(const struct glimpse *g, float offset, int64_t length, int64_t size) {
    float at = offset;
    if (g->is_normalised) at *= (float)length;
    if (!g->is_second) { /* the first version takes it for the window's centre in any case */
        if (g->is_centred) at = at / 2 + (float)length / 2;
        at -= (float)size / 2;
    } else if (g->is_centred) {
        at = g->is_normalised ? at / 2 + (float)length / 2 - (float)size / 2 : at + (float)length / 2;
    }
    return at > -0x1p40f && at < 0x1p40f ? (int64_t)at : INT64_C(1) << 40;
}

/* Numbers like those of the image: between its least and its greatest, or of its mean and deviation. The same for
 * the same image and place. */
static void add_noise(float *to, const struct glimpse *g, const float *image, int64_t n, int64_t count, int64_t seed) {
    float low = INFINITY, high = -INFINITY;
    double sum = 0, squares = 0;
    struct sl_philox random = sl_philox_at(0x5eed, 0, (uint64_t)seed);
    if (g->noise == NOISE_ZERO || n == 0) {
        memset(to, 0, (size_t)count * sizeof *to);
        return;
    }
    for (int64_t i = 0; i < n; i++) {
        low = fminf(low, image[i]);
        high = fmaxf(high, image[i]);
        sum += (double)image[i];
    }
    for (int64_t i = 0; i < n; i++)
        squares += ((double)image[i] - sum / (double)n) * ((double)image[i] - sum / (double)n);
    const float mean = (float)(sum / (double)n), deviation = (float)sqrt(squares / (double)n);
    for (int64_t i = 0; i < count; i += 2) {
        uint32_t words[4];
        float pair[2];
        sl_philox_next(words, &random);
        if (g->noise == NOISE_GAUSSIAN) sl_normal_floats(pair, words[0], words[1]);
        for (int j = 0; j < 2 && i + j < count; j++)
            to[i + j] = g->noise == NOISE_GAUSSIAN ? mean + deviation * pair[j]
                                                   : low + (high - low) * sl_uniform_float(words[j]);
    }
}

static sl_code glimpse_run(struct sl_kernel_context *k) {
    const struct glimpse *g = k->state;
    struct sl_view in = sl_in(k, 0), offsets = sl_in(k, 2), out;
    int64_t size[2];
    SL_TRY(check_images(k, in));
    SL_TRY(read_size(size, k, 1, 0));
    if (offsets.rank != 2) return sl_invalid(k, "input must be a matrix%s", SHAPE_OF(offsets));
    if (offsets.dims[0] != in.dims[0]) return sl_invalid(k, "offset.dim_size(0) must equal to the batch size");
    if (offsets.dims[1] != 2) return sl_invalid(k, "offset should be of size 2 on dimension 1");
    SL_TRY(sl_out_new(&out, k, 0, (struct sl_shape){4, (int64_t[]){in.dims[0], size[0], size[1], in.dims[3]}}));
    if (out.count == 0) return SL_OK;
    const int64_t height = in.dims[1], width = in.dims[2], depth = in.dims[3];
    for (int64_t i = 0; i < in.dims[0]; i++) {
        const float *offset = (const float *)offsets.data + 2 * i,
                    *from = (const float *)in.data + i * height * width * depth;
        float *to = (float *)out.data + i * size[0] * size[1] * depth;
        int64_t y = glimpse_start(g, offset[0], height, size[0]), x = glimpse_start(g, offset[1], width, size[1]);
        int64_t first = x < 0 ? -x : 0, last = x + size[1] > width ? width - x : size[1];
        if (y < 0 || x < 0 || y + size[0] > height || x + size[1] > width)
            add_noise(to, g, from, height * width * depth, size[0] * size[1] * depth, i);
        for (int64_t row = 0; row < size[0]; row++)
            if (y + row >= 0 && y + row < height && first < last)
                memcpy(to + (row * size[1] + first) * depth, from + ((y + row) * width + x + first) * depth,
                       (size_t)((last - first) * depth) * sizeof *to);
    }
    return SL_OK;
}

#define PROJECTIVE .run = projective_run, .create = projective_create, .cost_element = 8
#define SCALE      .create = scale_create, .cost_element = 8
#define GLIMPSE    .run = glimpse_run, .create = glimpse_create, .destroy = sl_free, .cost_element = 1
#define WARP_TYPES (SL_SET_FLOATS | SL_SET(INT32) | SL_SET(INT64) | SL_SET(UINT8))
/* clang-format off */
const struct sl_kernel_def sl_cpu_warp_rows[] = {
    KERNEL("ExtractGlimpse", NO_RULE, GLIMPSE)
    KERNEL("ExtractGlimpseV2", NO_RULE, GLIMPSE)
    KERNEL("ImageProjectiveTransformV2", RULE("dtype", WARP_TYPES), PROJECTIVE)
    KERNEL("ImageProjectiveTransformV3", RULE("dtype", WARP_TYPES), PROJECTIVE)
    KERNEL("ScaleAndTranslate", RULE("T", SL_SET_REAL), .run = scale_run, SCALE)
    KERNEL("ScaleAndTranslateGrad", RULE("T", SL_SET(FLOAT)), .run = scale_grad_run, SCALE)
    SL_ROWS_END
};
/* clang-format on */
