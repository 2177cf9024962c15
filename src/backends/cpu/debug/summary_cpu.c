/* Summaries: what training programs write down as they go, as encoded Summary messages. (Those of pictures:
 * image/image_summary_cpu.c.) */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/debug/summary_message.h"
#include "backends/cpu/indices.h"
#include "backends/cpu/wide.h"
#include "base/alloc.h"
#include "base/str_map.h"
#include "formats/wav.h"
#include "proto/wire.h"
#include "tensor/tensor_proto.h"

static struct sl_str string_at(struct sl_view v, int64_t i) { return sl_string_get((const TF_TString *)v.data + i); }

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
    struct sl_summary s;
    SL_TRY(sl_wide_as(&wide, k, values, SL_FLOAT));
    sl_code code = sl_summary_start(&s, k, (size_t)tags.count);
    for (int64_t i = 0; code == SL_OK && i < tags.count; i++) {
        struct sl_pb_Summary_Value *value = &s.message.value.items[i];
        value->tag = string_at(tags, i);
        value->which = SL_PB_Summary_Value_simple_value;
        value->simple_value = ((const float *)wide.data)[i];
    }
    sl_wide_free(&wide);
    return code == SL_OK ? sl_summary_finish(&s, code) : code;
}

/* ---- histograms. Bucket i holds the values below limit i and not below limit i - 1. The limits are 0, then 1e-12
 * and on by tenths up to 1e20 and DBL_MAX, and the same below zero. */

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

static sl_code make_histogram(struct sl_summary *s, struct sl_str tag, const double *values, int64_t n) {
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
    struct sl_summary s;
    double *numbers;
    SL_TRY(sl_summary_start(&s, k, 1));
    sl_code code = sl_summary_doubles(&numbers, &s, values);
    return sl_summary_finish(&s, code == SL_OK ? make_histogram(&s, string_at(tag, 0), numbers, values.count) : code);
}

/* ---- several summaries as one */

struct merged {
    struct sl_pb_Summary_Value *items;
    size_t n, cap;
};

static sl_code merge_one(struct merged *all, struct sl_str_map *tags, struct sl_summary *s, struct sl_str bytes) {
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
    struct sl_summary s;
    struct merged all = {0};
    struct sl_str_map tags = {0};
    SL_TRY(sl_summary_start(&s, k, 1));
    sl_code code = SL_OK;
    for (int in = 0; code == SL_OK && in < sl_in_count(k); in++) {
        struct sl_view v = sl_in(k, in);
        for (int64_t i = 0; code == SL_OK && i < v.count; i++) code = merge_one(&all, &tags, &s, string_at(v, i));
    }
    s.message.value.items = all.items;
    s.message.value.n = all.n;
    code = sl_summary_finish(&s, code);
    sl_str_map_free(&tags);
    sl_free(all.items);
    return code;
}

/* ---- whole tensors */

static sl_code put_tensor(struct sl_summary *s, struct sl_tensor *t) {
    struct sl_pb_Summary_Value *value = &s->message.value.items[0];
    value->tensor = SL_ARENA_NEW(&s->arena, struct sl_pb_TensorProto);
    if (!value->tensor) return sl_fail_memory(s->k->err, sizeof *value->tensor);
    value->which = SL_PB_Summary_Value_tensor;
    return sl_tensor_to_proto(value->tensor, t, &s->arena, s->k->err);
}

static sl_code finish_tensor(struct sl_summary *s, sl_code code, int in) {
    struct sl_tensor *t = NULL;
    if (code == SL_OK) code = sl_in_tensor(&t, s->k, in);
    if (code == SL_OK) code = put_tensor(s, t);
    code = sl_summary_finish(s, code);
    sl_tensor_unref(t);
    return code;
}

static sl_code tensor_summary_run(struct sl_kernel_context *k) {
    struct sl_summary s;
    SL_TRY(sl_summary_start(&s, k, 1));
    s.message.value.items[0].node_name = k->node->name;
    return finish_tensor(&s, SL_OK, 0);
}

static sl_code tensor_summary_v2_run(struct sl_kernel_context *k) {
    struct sl_view tag = sl_in(k, 0), metadata = sl_in(k, 2);
    struct sl_summary s;
    if (tag.rank) return sl_invalid(k, "tag must be scalar");
    if (metadata.rank) return sl_invalid(k, "serialized_summary_metadata must be scalar");
    SL_TRY(sl_summary_start(&s, k, 1));
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

static sl_code put_audio(struct sl_summary *s, struct sl_view sound, size_t i, float rate, int outputs_max) {
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
    struct sl_summary s;
    int64_t n = sound.dims[0] < a->outputs_max ? sound.dims[0] : a->outputs_max;
    SL_TRY(sl_summary_start(&s, k, (size_t)n));
    sl_code code = SL_OK;
    for (int64_t i = 0; code == SL_OK && i < n; i++) code = put_audio(&s, sound, (size_t)i, rate, a->outputs_max);
    return sl_summary_finish(&s, code);
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
    SL_ROWS_END
};
/* clang-format on */
