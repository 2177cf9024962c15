/* ImageSummary: pictures as encoded Summary messages. Those of bytes are taken as they are; of others each is
 * stretched so that it fills the range of a byte. */
#include <math.h>
#include <string.h>

#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/debug/summary_message.h"
#include "backends/cpu/indices.h"
#include "base/alloc.h"
#include "formats/image_codec.h"
#include "tensor/float16.h"
#include "tensor/tensor_proto.h"

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

static sl_code put_picture(struct sl_summary *s, size_t i, struct sl_image_size size, const uint8_t *pixels,
                           int images_max) {
    struct sl_kernel_context *k = s->k;
    struct sl_text png = {0};
    struct sl_str tag = sl_string_get(sl_in(k, 0).data);
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

static sl_code put_pictures(struct sl_summary *s, struct sl_view in, struct sl_image_size size, int64_t n) {
    const struct picture_state *state = s->k->state;
    int64_t pixels = size.height * size.width, count = pixels * size.channels;
    bool is_bytes = in.dtype == SL_UINT8;
    double *numbers = NULL;
    uint8_t *bytes = sl_arena_alloc(&s->arena, (size_t)count);
    if (!bytes) return sl_fail_memory(s->k->err, (size_t)count);
    if (!is_bytes) SL_TRY(sl_summary_doubles(&numbers, s, in));
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
    struct sl_summary s;
    int64_t n = in.dims[0] < state->images_max ? in.dims[0] : state->images_max;
    SL_TRY(sl_summary_start(&s, k, (size_t)n));
    return sl_summary_finish(&s, put_pictures(&s, in, size, n));
}

/* clang-format off */
const struct sl_kernel_def sl_cpu_image_summary_rows[] = {
    KERNEL("ImageSummary", RULE("T", SL_SET(UINT8) | SL_SET(FLOAT) | SL_SET(HALF) | SL_SET(DOUBLE)), .run = picture_summary_run, .create = picture_create, .destroy = sl_free, .cost_element = 20)
    SL_ROWS_END
};
/* clang-format on */
