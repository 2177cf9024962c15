/* Summaries: what training programs write down as they go, as encoded Summary messages. */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/indices.h"
#include "backends/cpu/wide.h"
#include "base/alloc.h"
#include "base/str_map.h"
#include "formats/image_codec.h"
#include "formats/wav.h"
#include "proto/wire.h"
#include "tensor/float16.h"
#include "tensor/tensor_proto.h"

/* A message in the making: its parts are in the arena. */
struct summary {
    struct sl_kernel_context *k;
    struct sl_arena arena;
    struct sl_pb_Summary message;
};

static sl_code start(struct summary *s, struct sl_kernel_context *k, size_t values) {
    *s = (struct summary){.k = k};
    sl_arena_init(&s->arena);
    s->message.value.items = SL_ARENA_ARRAY(&s->arena, struct sl_pb_Summary_Value, values);
    s->message.value.n = values;
    if (s->message.value.items) return SL_OK;
    sl_arena_clear(&s->arena);
    return sl_fail_memory(k->err, values * sizeof *s->message.value.items);
}

/* Gives the message away as output 0 unless `code` says that it failed; frees all. */
static sl_code finish(struct summary *s, sl_code code) {
    struct sl_kernel_context *k = s->k;
    struct sl_str bytes;
    struct sl_view out;
    if (code == SL_OK) code = sl_pb_encode(&bytes, SL_PB_TYPE(Summary), &s->message, 0, &s->arena, k->err);
    if (code == SL_OK) code = sl_out_new(&out, k, 0, SL_SHAPE_SCALAR);
    if (code == SL_OK) code = sl_string_set(out.data, bytes, k->err);
    sl_arena_clear(&s->arena);
    return code;
}

static struct sl_str string_at(struct sl_view v, int64_t i) { return sl_string_get((const TF_TString *)v.data + i); }

/* The elements of `v` as double, in the arena; 16-bit floats go through float. */
static sl_code as_doubles(double **out, struct summary *s, struct sl_view v) {
    struct sl_wide wide;
    bool is_half = v.dtype == SL_HALF || v.dtype == SL_BFLOAT16;
    *out = SL_ARENA_ARRAY(&s->arena, double, (size_t)v.count + 1);
    if (!*out) return sl_fail_memory(s->k->err, (size_t)v.count * sizeof **out);
    SL_TRY(sl_wide_as(&wide, s->k, v, is_half ? SL_FLOAT : SL_DOUBLE));
    for (int64_t i = 0; i < v.count; i++)
        (*out)[i] = is_half ? (double)((const float *)wide.data)[i] : ((const double *)wide.data)[i];
    sl_wide_free(&wide);
    return SL_OK;
}

/* ---- numbers */

static sl_code scalar_summary_run(struct sl_kernel_context *k) {
    struct sl_view tags = sl_in(k, 0), values = sl_in(k, 1);
    if (!sl_same_shape(tags, values)) {
        if (tags.rank)
            return sl_invalid(k, "tags and values are not the same shape: %s != %s", SHAPE_OF(tags), SHAPE_OF(values));
        return sl_invalid(k, "tags and values are not the same shape: [] != %s (tag '%.*s')", SHAPE_OF(values),
                          SL_STR_ARG(string_at(tags, 0)));
    }
    struct sl_wide wide;
    struct summary s;
    SL_TRY(sl_wide_as(&wide, k, values, SL_FLOAT));
    sl_code code = start(&s, k, (size_t)tags.count);
    for (int64_t i = 0; code == SL_OK && i < tags.count; i++) {
        struct sl_pb_Summary_Value *value = &s.message.value.items[i];
        value->tag = string_at(tags, i);
        value->which = SL_PB_Summary_Value_simple_value;
        value->simple_value = ((const float *)wide.data)[i];
    }
    sl_wide_free(&wide);
    return code == SL_OK ? finish(&s, code) : code;
}

/* ---- histograms. Bucket i holds the values below limit i and not below limit i - 1. The limits are 0, then 1e-12 and on by
 * tenths up to 1e20 and DBL_MAX, and the same below zero. */

enum { LIMITS_MAX = 1600 };

struct histogram {
    double limits[LIMITS_MAX], counts[LIMITS_MAX];
    size_t n;
};

static void limits_make(struct histogram *h) {
    size_t half = 0;
    double *positive = h->counts; /* not needed yet */
    for (double limit = 1e-12; limit < 1e20; limit *= 1.1) positive[half++] = limit;
    positive[half++] = DBL_MAX;
    for (size_t i = 0; i < half; i++) h->limits[i] = -positive[half - 1 - i];
    h->limits[half] = 0;
    for (size_t i = 0; i < half; i++) h->limits[half + 1 + i] = positive[i];
    h->n = 2 * half + 1;
    for (size_t i = 0; i < h->n; i++) h->counts[i] = 0;
}

static size_t bucket_of(const struct histogram *h, double x) {
    size_t low = 0, high = h->n - 1; /* DBL_MAX itself falls into the last one */
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (h->limits[middle] > x) high = middle;
        else low = middle + 1;
    }
    return low;
}

static sl_code count_values(struct sl_pb_HistogramProto *to, struct histogram *h, const double *values, int64_t n,
                            struct sl_kernel_context *k) {
    to->min = DBL_MAX;
    to->max = -DBL_MAX;
    to->num = (double)n;
    for (int64_t i = 0; i < n; i++) {
        double x = values[i];
        if (isnan(x)) return sl_invalid(k, "Nan in summary histogram for: %.*s", SL_STR_ARG(k->node->name));
        if (isinf(x)) return sl_invalid(k, "Infinity in Histogram for: %.*s", SL_STR_ARG(k->node->name));
        h->counts[bucket_of(h, x)]++;
        if (x < to->min) to->min = x;
        if (x > to->max) to->max = x;
        to->sum += x;
        to->sum_squares += x * x;
    }
    return SL_OK;
}

/* Of empty buckets in a row only the last is written. */
static void write_buckets(struct sl_pb_HistogramProto *to, struct histogram *h) {
    size_t n = 0;
    for (size_t i = 0; i < h->n; i++) {
        if (h->counts[i] == 0 && i + 1 < h->n && h->counts[i + 1] == 0) continue;
        h->limits[n] = h->limits[i];
        h->counts[n++] = h->counts[i];
    }
    to->bucket_limit.items = h->limits;
    to->bucket.items = h->counts;
    to->bucket_limit.n = to->bucket.n = n;
}

static sl_code make_histogram(struct summary *s, struct sl_str tag, const double *values, int64_t n) {
    struct histogram *h = SL_ARENA_NEW(&s->arena, struct histogram);
    struct sl_pb_HistogramProto *to = SL_ARENA_NEW(&s->arena, struct sl_pb_HistogramProto);
    if (!h || !to) return sl_fail_memory(s->k->err, sizeof *h);
    limits_make(h);
    SL_TRY(count_values(to, h, values, n, s->k));
    write_buckets(to, h);
    s->message.value.items[0] =
        (struct sl_pb_Summary_Value){.tag = tag, .which = SL_PB_Summary_Value_histo, .histo = to};
    return SL_OK;
}

static sl_code histogram_summary_run(struct sl_kernel_context *k) {
    struct sl_view tag = sl_in(k, 0), values = sl_in(k, 1);
    if (tag.rank) return sl_invalid(k, "tags must be scalar");
    struct summary s;
    double *numbers;
    SL_TRY(start(&s, k, 1));
    sl_code code = as_doubles(&numbers, &s, values);
    return finish(&s, code == SL_OK ? make_histogram(&s, string_at(tag, 0), numbers, values.count) : code);
}

/* ---- several summaries as one */

struct merged {
    struct sl_pb_Summary_Value *items;
    size_t n, cap;
};

static sl_code merge_one(struct merged *all, struct sl_str_map *tags, struct summary *s, struct sl_str bytes) {
    struct sl_pb_Summary one;
    struct sl_kernel_context *k = s->k;
    if (sl_pb_decode(&one, SL_PB_TYPE(Summary), bytes, &s->arena, NULL) != SL_OK)
        return sl_invalid(k, "Could not parse one of the summary inputs");
    for (size_t i = 0; i < one.value.n; i++) {
        struct sl_str tag = one.value.items[i].tag;
        if (tag.n && sl_str_map_get(tags, tag))
            return sl_invalid(k, "Duplicate tag %.*s found in summary inputs", SL_STR_ARG(tag));
        if ((tag.n && sl_str_map_put(tags, tag, tags)) ||
            sl_grow((void **)&all->items, &all->cap, all->n + 1, sizeof *all->items))
            return sl_fail_memory(k->err, sizeof *all->items);
        all->items[all->n++] = one.value.items[i];
    }
    return SL_OK;
}

static sl_code merge_summary_run(struct sl_kernel_context *k) {
    struct summary s;
    struct merged all = {0};
    struct sl_str_map tags = {0};
    SL_TRY(start(&s, k, 1));
    sl_code code = SL_OK;
    for (int in = 0; code == SL_OK && in < sl_in_count(k); in++) {
        struct sl_view v = sl_in(k, in);
        for (int64_t i = 0; code == SL_OK && i < v.count; i++) code = merge_one(&all, &tags, &s, string_at(v, i));
    }
    s.message.value.items = all.items;
    s.message.value.n = all.n;
    code = finish(&s, code);
    sl_str_map_free(&tags);
    sl_free(all.items);
    return code;
}

/* ---- whole tensors */

static sl_code put_tensor(struct summary *s, struct sl_tensor *t) {
    struct sl_pb_Summary_Value *value = &s->message.value.items[0];
    value->tensor = SL_ARENA_NEW(&s->arena, struct sl_pb_TensorProto);
    if (!value->tensor) return sl_fail_memory(s->k->err, sizeof *value->tensor);
    value->which = SL_PB_Summary_Value_tensor;
    return sl_tensor_to_proto(value->tensor, t, &s->arena, s->k->err);
}

static sl_code finish_tensor(struct summary *s, sl_code code, int in) {
    struct sl_tensor *t = NULL;
    if (code == SL_OK) code = sl_in_tensor(&t, s->k, in);
    if (code == SL_OK) code = put_tensor(s, t);
    code = finish(s, code);
    sl_tensor_unref(t);
    return code;
}

static sl_code tensor_summary_run(struct sl_kernel_context *k) {
    struct summary s;
    SL_TRY(start(&s, k, 1));
    s.message.value.items[0].node_name = k->node->name;
    return finish_tensor(&s, SL_OK, 0);
}

static sl_code tensor_summary_v2_run(struct sl_kernel_context *k) {
    struct sl_view tag = sl_in(k, 0), metadata = sl_in(k, 2);
    struct summary s;
    if (tag.rank) return sl_invalid(k, "tag must be scalar");
    if (metadata.rank) return sl_invalid(k, "serialized_summary_metadata must be scalar");
    SL_TRY(start(&s, k, 1));
    struct sl_pb_Summary_Value *value = &s.message.value.items[0];
    value->tag = string_at(tag, 0);
    value->metadata = SL_ARENA_NEW(&s.arena, struct sl_pb_SummaryMetadata);
    sl_code code = value->metadata ? SL_OK : sl_fail_memory(k->err, sizeof *value->metadata);
    if (code == SL_OK &&
        sl_pb_decode(value->metadata, SL_PB_TYPE(SummaryMetadata), string_at(metadata, 0), &s.arena, NULL) != SL_OK)
        code = sl_invalid(k, "Could not parse serialized_summary_metadata");
    return finish_tensor(&s, code, 1);
}

/* ---- sound */

/* What attrs fix: the rate is one of them in the first version. */
struct audio_state {
    int outputs_max;
    float rate;
};

static sl_code audio_create(void **state, struct sl_kernel_setup *setup) {
    struct audio_state a = {0};
    SL_TRY(sl_attr_int32(&a.outputs_max, setup->attrs, "max_outputs", setup->err));
    if (setup->n_in < 3) SL_TRY(sl_attr_float(&a.rate, setup->attrs, "sample_rate", setup->err));
    struct audio_state *kept = sl_malloc(sizeof *kept);
    if (!kept) return sl_fail_memory(setup->err, sizeof *kept);
    *kept = a;
    *state = kept;
    return SL_OK;
}

static sl_code put_audio(struct summary *s, struct sl_view sound, size_t i, float rate, int outputs_max) {
    struct sl_kernel_context *k = s->k;
    struct sl_pb_Summary_Value *value = &s->message.value.items[i];
    struct sl_pb_Summary_Audio *audio = SL_ARENA_NEW(&s->arena, struct sl_pb_Summary_Audio);
    struct sl_str tag = string_at(sl_in(k, 0), 0);
    char *name = outputs_max > 1 ? sl_arena_format(&s->arena, "%.*s/audio/%zu", SL_STR_ARG(tag), i)
                                 : sl_arena_format(&s->arena, "%.*s/audio", SL_STR_ARG(tag));
    if (!audio || !name) return sl_fail_memory(k->err, tag.n);
    int64_t frames = sound.dims[1], channels = sound.rank == 3 ? sound.dims[2] : 1;
    *audio = (struct sl_pb_Summary_Audio){.sample_rate = rate,
                                          .num_channels = channels,
                                          .length_frames = frames,
                                          .content_type = SL_STR("audio/wav")};
    SL_TRY(sl_wav_encode(&audio->encoded_audio_string, (const float *)sound.data + (int64_t)i * frames * channels,
                         frames, channels, rate < 1 ? 1 : (int64_t)lrintf(rate), &s->arena, k->err));
    *value = (struct sl_pb_Summary_Value){.tag = sl_str_of(name), .which = SL_PB_Summary_Value_audio, .audio = audio};
    return SL_OK;
}

static sl_code audio_summary_run(struct sl_kernel_context *k) {
    const struct audio_state *a = k->state;
    struct sl_view tag = sl_in(k, 0), sound = sl_in(k, 1);
    float rate = a->rate;
    if (tag.rank) return sl_invalid(k, "Tag must be a scalar");
    if (sound.rank != 2 && sound.rank != 3) return sl_invalid(k, "Tensor must be 3-D or 2-D, got: %s", SHAPE_OF(sound));
    if (sl_in_count(k) > 2) {
        struct sl_view in = sl_in(k, 2);
        if (in.count != 1) return sl_invalid(k, "sample_rate must be a scalar");
        rate = ((const float *)in.data)[0];
    }
    if (!(rate > 0 && rate < 4294967296.f)) return sl_invalid(k, "sample_rate must be > 0");
    struct summary s;
    int64_t n = sound.dims[0] < a->outputs_max ? sound.dims[0] : a->outputs_max;
    SL_TRY(start(&s, k, (size_t)n));
    sl_code code = SL_OK;
    for (int64_t i = 0; code == SL_OK && i < n; i++) code = put_audio(&s, sound, (size_t)i, rate, a->outputs_max);
    return finish(&s, code);
}

/* ---- pictures. Those of bytes are taken as they are; of others each is stretched so that it fills the range of a byte. */

struct picture_state {
    int images_max;
    int n_bad; /* channels of the colour that stands for pixels that are no numbers */
    uint8_t bad[4];
};

static sl_code read_bad_color(struct picture_state *s, struct sl_kernel_setup *setup) {
    const struct sl_pb_TensorProto *message;
    struct sl_tensor *t;
    SL_TRY(sl_attr_tensor(&message, setup->attrs, "bad_color", setup->err));
    SL_TRY(sl_tensor_from_proto(&t, message, setup->err));
    sl_code code = SL_OK;
    if (t->dtype != SL_UINT8 || t->rank != 1)
        code = sl_fail(setup->err, SL_INVALID_ARGUMENT, "Bad color must be a vector of uint8");
    s->n_bad = code == SL_OK ? (int)(t->count < 4 ? t->count : 4) : 0;
    if (s->n_bad) memcpy(s->bad, t->data, (size_t)s->n_bad);
    sl_tensor_unref(t);
    return code;
}
static sl_code picture_create(void **state, struct sl_kernel_setup *setup) {
    struct picture_state s = {0};
    SL_TRY(sl_attr_int32(&s.images_max, setup->attrs, "max_images", setup->err));
    SL_TRY(read_bad_color(&s, setup));
    struct picture_state *kept = sl_malloc(sizeof *kept);
    if (!kept) return sl_fail_memory(setup->err, sizeof *kept);
    *kept = s;
    *state = kept;
    return SL_OK;
}

static bool is_finite_pixel(const double *pixel, int64_t channels) {
    for (int64_t c = 0; c < channels; c++)
        if (!isfinite(pixel[c])) return false;
    return true;
}

static double rounded(float x, bool is_half) { return (double)(is_half ? sl_float_of_half(sl_half_of_float(x)) : x); }

/* Bytes of one picture. From 0 when nothing is below it, else with 0 in the middle. Computed in float, or in half. */
static void stretch(uint8_t *to, const double *from, int64_t pixels, int64_t channels, bool is_half,
                    const uint8_t *bad) {
    double low = INFINITY, high = -INFINITY, most, scale;
    for (int64_t i = 0; i < pixels; i++)
        for (int64_t c = 0; is_finite_pixel(from + i * channels, channels) && c < channels; c++) {
            low = fmin(low, from[i * channels + c]);
            high = fmax(high, from[i * channels + c]);
        }
    double offset = low < 0 ? 128 : 0, range = low < 0 ? 127 : 255;
    most = low < 0 ? fmax(fabs(low), fabs(high)) : high;
    scale = most < 1e-6 ? 0 : rounded((float)range / (float)most, is_half);
    for (int64_t i = 0; i < pixels; i++) {
        bool is_finite = is_finite_pixel(from + i * channels, channels);
        for (int64_t c = 0; c < channels; c++) {
            double x = from[i * channels + c];
            if (is_finite) x = rounded((float)rounded((float)x * (float)scale, is_half) + (float)offset, is_half);
            to[i * channels + c] = is_finite ? (uint8_t)x : bad[c];
        }
    }
}

static sl_code put_picture(struct summary *s, size_t i, struct sl_image_size size, const uint8_t *pixels,
                           int images_max) {
    struct sl_kernel_context *k = s->k;
    struct sl_text png = {0};
    struct sl_str tag = string_at(sl_in(k, 0), 0);
    struct sl_pb_Summary_Image *image = SL_ARENA_NEW(&s->arena, struct sl_pb_Summary_Image);
    char *name = images_max > 1 ? sl_arena_format(&s->arena, "%.*s/image/%zu", SL_STR_ARG(tag), i)
                                : sl_arena_format(&s->arena, "%.*s/image", SL_STR_ARG(tag));
    sl_code code = image && name ? sl_png_encode(&png, -1, 1, pixels, size, k->err) : sl_fail_memory(k->err, tag.n);
    if (code == SL_OK) {
        *image = (struct sl_pb_Summary_Image){.height = (int32_t)size.height,
                                              .width = (int32_t)size.width,
                                              .colorspace = (int32_t)size.channels,
                                              .encoded_image_string = sl_arena_str(&s->arena, sl_text_str(&png))};
        s->message.value.items[i] =
            (struct sl_pb_Summary_Value){.tag = sl_str_of(name), .which = SL_PB_Summary_Value_image, .image = image};
        if (!image->encoded_image_string.p) code = sl_fail_memory(k->err, png.n);
    }
    sl_text_free(&png);
    return code;
}

static sl_code put_pictures(struct summary *s, struct sl_view in, struct sl_image_size size, int64_t n) {
    const struct picture_state *state = s->k->state;
    int64_t pixels = size.height * size.width, count = pixels * size.channels;
    bool is_bytes = in.dtype == SL_UINT8;
    double *numbers = NULL;
    uint8_t *bytes = sl_arena_alloc(&s->arena, (size_t)count);
    if (!bytes) return sl_fail_memory(s->k->err, (size_t)count);
    if (!is_bytes) SL_TRY(as_doubles(&numbers, s, in));
    for (int64_t i = 0; i < n; i++) {
        const uint8_t *from = is_bytes ? (const uint8_t *)in.data + i * count : bytes;
        if (!is_bytes) stretch(bytes, numbers + i * count, pixels, size.channels, in.dtype == SL_HALF, state->bad);
        SL_TRY(put_picture(s, (size_t)i, size, from, state->images_max));
    }
    return SL_OK;
}

static sl_code picture_summary_run(struct sl_kernel_context *k) {
    const struct picture_state *state = k->state;
    struct sl_view tag = sl_in(k, 0), in = sl_in(k, 1);
    if (tag.rank) return sl_invalid(k, "Tags must be a scalar");
    if (in.rank != 4 || (in.dims[3] != 1 && in.dims[3] != 3 && in.dims[3] != 4))
        return sl_invalid(k, "Tensor must be 4-D with last dim 1, 3, or 4, not %s", SHAPE_OF(in));
    if (in.dims[1] == 0 || in.dims[2] == 0)
        return sl_invalid(k, "input tensor must have non-zero dims. Found: %s.", SHAPE_OF(in));
    if (in.dims[1] > INT32_MAX / 64 || in.dims[2] > INT32_MAX / 64)
        return sl_invalid(k, "image is too large: %s", SHAPE_OF(in));
    if (in.dtype != SL_UINT8 && state->n_bad < in.dims[3])
        return sl_invalid(k, "expected bad_color to have at least %d values, got %d", (int)in.dims[3], state->n_bad);
    struct sl_image_size size = {.frames = 1, .height = in.dims[1], .width = in.dims[2], .channels = in.dims[3]};
    struct summary s;
    int64_t n = in.dims[0] < state->images_max ? in.dims[0] : state->images_max;
    SL_TRY(start(&s, k, (size_t)n));
    return finish(&s, put_pictures(&s, in, size, n));
}

#define REAL_T RULE("T", SL_SET_REAL)
/* clang-format off */
const struct sl_kernel_def sl_cpu_summary_rows[] = {
    KERNEL("ScalarSummary", REAL_T, .run = scalar_summary_run, .cost_ns = 300)
    KERNEL("HistogramSummary", REAL_T, .run = histogram_summary_run, .cost_ns = 10000, .cost_element = 10)
    KERNEL("MergeSummary", NO_RULE, .run = merge_summary_run, .cost_ns = 1000)
    KERNEL("TensorSummary", RULE("T", SL_SET_ALL), .run = tensor_summary_run, .cost_ns = 500)
    KERNEL("TensorSummaryV2", RULE("T", SL_SET_ALL), .run = tensor_summary_v2_run, .cost_ns = 500)
    KERNEL("AudioSummary", NO_RULE, .run = audio_summary_run, .create = audio_create, .destroy = sl_free, .cost_element = 2)
    KERNEL("AudioSummaryV2", NO_RULE, .run = audio_summary_run, .create = audio_create, .destroy = sl_free, .cost_element = 2)
    KERNEL("ImageSummary", RULE("T", SL_SET(UINT8) | SL_SET(FLOAT) | SL_SET(HALF) | SL_SET(DOUBLE)), .run = picture_summary_run, .create = picture_create, .destroy = sl_free, .cost_element = 20)
    SL_ROWS_END
};
/* clang-format on */
