/* DecodeJpeg, DecodePng, DecodeGif, DecodeBmp, DecodeWebP, DecodeImage, DecodeAndCropJpeg, ExtractJpegShape,
 * EncodeJpeg, EncodeJpegVariableQuality, EncodePng: attrs, which op takes which format, types of elements.
 * image_codec.h does the rest. */
#include <stdlib.h>
#include <string.h>

#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/indices.h"
#include "base/alloc.h"
#include "formats/image_codec.h"

/* ---- decoding */
enum reader { READ_JPEG, READ_CROP, READ_PNG, READ_GIF, READ_BMP, READ_WEBP, READ_ANY };
static const char *const reader_names[] = {"decode_jpeg", "decode_and_crop_jpeg", "decode_png",  "decode_gif",
                                           "decode_bmp",  "decode_webp",          "decode_image"};

struct decoding {
    int64_t channels;
    struct sl_jpeg_reading jpeg;
    bool expands_animations;
};

static sl_code read_jpeg_attrs(struct sl_jpeg_reading *jpeg, struct sl_kernel_setup *setup) {
    int64_t ratio;
    struct sl_str dct;
    SL_TRY(sl_attr_int(&ratio, setup->attrs, "ratio", setup->err));
    if (ratio != 1 && ratio != 2 && ratio != 4 && ratio != 8)
        return sl_fail(setup->err, SL_INVALID_ARGUMENT, "ratio must be 1, 2, 4, or 8, got %lld", (long long)ratio);
    jpeg->ratio = (int)ratio;
    SL_TRY(sl_attr_bool(&jpeg->is_fancy, setup->attrs, "fancy_upscaling", setup->err));
    SL_TRY(sl_attr_bool(&jpeg->may_be_cut, setup->attrs, "try_recover_truncated", setup->err));
    SL_TRY(sl_attr_string(&dct, setup->attrs, "dct_method", setup->err));
    if (sl_str_is(dct, "INTEGER_ACCURATE")) jpeg->dct = SL_JPEG_ACCURATE;
    else if (dct.n && !sl_str_is(dct, "INTEGER_FAST"))
        return sl_fail(setup->err, SL_INVALID_ARGUMENT,
                       "dct_method must be one of {'', 'INTEGER_FAST', 'INTEGER_ACCURATE'}");
    return SL_OK;
}

static enum reader reader_of(const struct sl_kernel_def *def) { return *(const enum reader *)def->data; }

static sl_code decode_create(void **state, struct sl_kernel_setup *setup) {
    struct decoding d = {.jpeg = {.ratio = 1, .is_fancy = true}, .expands_animations = true};
    enum reader reader = reader_of(setup->def);
    if (reader == READ_GIF) d.channels = 3;
    else SL_TRY(sl_attr_int(&d.channels, setup->attrs, "channels", setup->err));
    if (d.channels != 0 && d.channels != 1 && d.channels != 3 && d.channels != 4)
        return sl_fail(setup->err, SL_INVALID_ARGUMENT, "`channels` must be 0, 1, 3 or 4 but got %lld",
                       (long long)d.channels);
    if (reader == READ_JPEG || reader == READ_CROP) SL_TRY(read_jpeg_attrs(&d.jpeg, setup));
    if (reader == READ_ANY) SL_TRY(sl_attr_bool(&d.expands_animations, setup->attrs, "expand_animations", setup->err));
    struct decoding *made = sl_malloc(sizeof *made);
    if (!made) return sl_fail_memory(setup->err, sizeof *made);
    *made = d;
    *state = made;
    return SL_OK;
}

/* Decoders write here: straight into the output, or into scratch memory when its elements must be converted. */
struct result {
    struct sl_kernel_context *k;
    int rank;       /* of the output: 4 has frames */
    int bytes;      /* of a decoded element */
    bool one_frame; /* more are refused */
    struct sl_view out;
    void *decoded;
    size_t scratch;
};

static sl_code place_pixels(void **pixels, void *arg, struct sl_image_size size, struct sl_error *err) {
    struct result *r = arg;
    const int64_t dims[4] = {size.frames, size.height, size.width, size.channels};
    if (r->one_frame && size.frames > 1)
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "Got %lld frames, but animated gifs can only be decoded by tf.io.decode_gif or "
                       "tf.io.decode_image",
                       (long long)size.frames);
    SL_TRY(sl_out_new(&r->out, r->k, 0, (struct sl_shape){r->rank, dims + 4 - r->rank}));
    *pixels = r->decoded = r->out.data;
    if (sl_dtype_size(r->out.dtype) == (size_t)r->bytes) return SL_OK;
    r->scratch = (size_t)(r->out.count * r->bytes);
    *pixels = r->decoded = sl_scratch_new(r->scratch);
    if (r->decoded) return SL_OK;
    size_t bytes = r->scratch;
    r->scratch = 0;
    return sl_fail_memory(err, bytes);
}

static void convert(const struct result *r) {
    const uint8_t *narrow = r->decoded;
    const uint16_t *wide = r->decoded;
    float *to = r->out.data;
    if (r->out.dtype == SL_UINT16)
        for (int64_t i = 0; i < r->out.count; i++) ((uint16_t *)r->out.data)[i] = (uint16_t)(narrow[i] * 256);
    else if (r->bytes == 1)
        for (int64_t i = 0; i < r->out.count; i++) to[i] = (float)narrow[i] * (1.0f / 255);
    else
        for (int64_t i = 0; i < r->out.count; i++) to[i] = (float)wide[i] * (1.0f / 65535);
}

static sl_code read_window(struct sl_jpeg_reading *jpeg, struct sl_kernel_context *k) {
    struct sl_view v = sl_in(k, 1);
    if (v.rank != 1) return sl_invalid(k, "crop_window must be 1-D, got shape %s", SHAPE_OF(v));
    if (v.count != 4) return sl_invalid(k, "crop_size must have four elements %s", SHAPE_OF(v));
    jpeg->is_cropped = true;
    jpeg->crop_y = sl_index_at(v, 0);
    jpeg->crop_x = sl_index_at(v, 1);
    jpeg->crop_height = sl_index_at(v, 2);
    jpeg->crop_width = sl_index_at(v, 3);
    return SL_OK;
}

/* Which formats an op takes beside its own, and what it may ask of them. */
static sl_code check_format(struct sl_kernel_context *k, enum sl_image_format format, int64_t channels) {
    static const char *const formats[] = {"", "JPEG", "PNG", "GIF", "BMP"};
    enum reader reader = reader_of(k->node->def);
    bool is_right = true;
    if (format == SL_IMAGE_UNKNOWN)
        return sl_invalid(k, "Unknown image file format. One of JPEG, PNG, GIF, BMP, WebP required.");
    if (format == SL_IMAGE_WEBP) {
        if (sl_out_type(k, 0) != SL_UINT8) return sl_invalid(k, "WebP images are uint8 only");
        return SL_OK;
    }
    if (format == SL_IMAGE_JPEG) is_right = reader != READ_BMP;
    if (format == SL_IMAGE_PNG) is_right = reader != READ_BMP && reader != READ_CROP;
    if (format == SL_IMAGE_GIF) is_right = reader != READ_BMP && reader != READ_CROP && reader != READ_WEBP;
    if (format == SL_IMAGE_BMP) is_right = reader == READ_BMP || reader == READ_ANY;
    if (!is_right)
        return sl_invalid(k, "Trying to decode %s format using a wrong op. Use `decode_image` instead. Op used: %s",
                          formats[format], reader_names[reader]);
    if (format == SL_IMAGE_JPEG && channels == 4) return sl_invalid(k, "channels must be 0, 1, or 3 for JPEG, got 4");
    if (format == SL_IMAGE_GIF && channels != 0 && channels != 3)
        return sl_invalid(k, "channels must be 0 or 3 for GIF, but got %lld", (long long)channels);
    if (format == SL_IMAGE_BMP && channels == 1)
        return sl_invalid(k, "`channels` must be 0, 3 or 4 for BMP, but got 1");
    return SL_OK;
}

static sl_code decode_run(struct sl_kernel_context *k) {
    const struct decoding *d = k->state;
    enum reader reader = reader_of(k->node->def);
    struct sl_view in = sl_in(k, 0);
    if (in.rank) return sl_invalid(k, "`contents` must be scalar but got shape%s", SHAPE_OF(in));
    struct sl_str file = sl_string_get(in.data);
    enum sl_image_format format = sl_image_format(file);
    struct sl_jpeg_reading jpeg = d->jpeg;
    struct result r = {.k = k, .rank = 3, .bytes = 1};
    const struct sl_image_sink sink = {place_pixels, &r};
    SL_TRY(check_format(k, format, d->channels));
    if (reader == READ_CROP) SL_TRY(read_window(&jpeg, k));
    jpeg.channels = (int)d->channels;
    if (format == SL_IMAGE_PNG && sl_out_type(k, 0) != SL_UINT8) r.bytes = 2;
    bool may_have_frames = format == SL_IMAGE_WEBP || (format == SL_IMAGE_GIF && reader == READ_ANY);
    if (reader == READ_GIF || (may_have_frames && d->expands_animations)) r.rank = 4;
    r.one_frame = r.rank == 3 && reader != READ_ANY;
    sl_code code = SL_OK;
    switch (format) {
    case SL_IMAGE_JPEG: code = sl_jpeg_decode(&jpeg, file, &sink, k->err); break;
    case SL_IMAGE_PNG: code = sl_png_decode((int)d->channels, r.bytes, file, &sink, k->err); break;
    case SL_IMAGE_GIF: code = sl_gif_decode(r.rank == 3 && !r.one_frame, file, &sink, k->err); break;
    case SL_IMAGE_BMP: code = sl_bmp_decode((int)d->channels, file, &sink, k->err); break;
    default: code = sl_webp_decode((int)d->channels, r.rank == 3, file, &sink, k->err); break;
    }
    if (r.scratch) {
        if (code == SL_OK) convert(&r);
        sl_scratch_free(r.decoded, r.scratch);
    }
    return code;
}

static sl_code jpeg_shape_run(struct sl_kernel_context *k) {
    struct sl_view in = sl_in(k, 0), out;
    struct sl_image_size size;
    const int64_t three = 3;
    if (in.rank != 0) return sl_invalid(k, "contents must be scalar, got shape %s", SHAPE_OF(in));
    SL_TRY(sl_jpeg_size(&size, sl_string_get(in.data), k->err));
    SL_TRY(sl_out_new(&out, k, 0, (struct sl_shape){1, &three}));
    sl_indices_store(out, 0, (int64_t[]){size.height, size.width, size.channels}, 3);
    return SL_OK;
}

/* ---- encoding */
struct jpeg_state {
    struct sl_jpeg_writing how;
    int64_t channels; /* 0: those of the image */
    char xmp[];
};

static sl_code check_quality(struct sl_error *err, int64_t quality) {
    if (quality >= 0 && quality <= 100) return SL_OK;
    return sl_fail(err, SL_INVALID_ARGUMENT, "quality must be in [0,100], got %lld", (long long)quality);
}
static sl_code jpeg_create(void **state, struct sl_kernel_setup *setup) {
    int64_t quality, x, y;
    bool is_subsampled;
    struct sl_str format, unit, xmp;
    struct sl_jpeg_writing how = {0};
    SL_TRY(sl_attr_string(&format, setup->attrs, "format", setup->err));
    SL_TRY(sl_attr_int(&quality, setup->attrs, "quality", setup->err));
    SL_TRY(check_quality(setup->err, quality));
    SL_TRY(sl_attr_bool(&how.is_progressive, setup->attrs, "progressive", setup->err));
    SL_TRY(sl_attr_bool(&how.is_optimised, setup->attrs, "optimize_size", setup->err));
    SL_TRY(sl_attr_bool(&is_subsampled, setup->attrs, "chroma_downsampling", setup->err));
    SL_TRY(sl_attr_string(&unit, setup->attrs, "density_unit", setup->err));
    SL_TRY(sl_attr_int(&x, setup->attrs, "x_density", setup->err));
    SL_TRY(sl_attr_int(&y, setup->attrs, "y_density", setup->err));
    SL_TRY(sl_attr_string(&xmp, setup->attrs, "xmp_metadata", setup->err));
    if (xmp.n > 65000) return sl_fail(setup->err, SL_INVALID_ARGUMENT, "xmp_metadata is too long: %zu bytes", xmp.n);
    struct jpeg_state *s = sl_malloc(sizeof *s + xmp.n);
    if (!s) return sl_fail_memory(setup->err, sizeof *s + xmp.n);
    if (xmp.n) memcpy(s->xmp, xmp.p, xmp.n);
    how.quality = (int)quality;
    how.is_subsampled = is_subsampled;
    how.is_per_cm = sl_str_is(unit, "cm");
    how.x_density = (int)x;
    how.y_density = (int)y;
    how.xmp = (struct sl_str){s->xmp, xmp.n};
    s->how = how;
    s->channels = sl_str_is(format, "grayscale") ? 1 : sl_str_is(format, "rgb") ? 3 : 0;
    *state = s;
    return SL_OK;
}

/* One image into a string. */
static sl_code write_jpeg(TF_TString *to, const struct sl_jpeg_writing *how, struct sl_view image,
                          struct sl_error *err) {
    struct sl_text text = {0};
    const struct sl_image_size size = {1, image.dims[0], image.dims[1], image.dims[2]};
    sl_code code = sl_jpeg_encode(&text, how, image.data, size, err);
    if (code == SL_OK) code = sl_text_store(to, &text, err);
    sl_text_free(&text);
    return code;
}
static sl_code encode_jpeg(struct sl_kernel_context *k, const struct sl_jpeg_writing *how, int64_t channels) {
    struct sl_view image = sl_in(k, 0), out;
    if (image.rank != 3) return sl_invalid(k, "image must be 3-dimensional%s", SHAPE_OF(image));
    if (channels && image.dims[2] != channels)
        return sl_invalid(k, "format %s expects %lld channels, got %lld", channels == 1 ? "grayscale" : "rgb",
                          (long long)channels, (long long)image.dims[2]);
    if (image.dims[2] != 1 && image.dims[2] != 3)
        return sl_invalid(k, "image must have 1 or 3 channels, got shape %s", SHAPE_OF(image));
    if (image.count >= INT32_MAX) return sl_invalid(k, "Cannot encode images with >= max int32 elements");
    if (image.count == 0 || image.dims[0] > 65500 || image.dims[1] > 65500)
        return sl_fail(k->err, SL_INTERNAL, "JPEG encoding failed");
    SL_TRY(sl_out_new(&out, k, 0, SL_SHAPE_SCALAR));
    return write_jpeg(out.data, how, image, k->err);
}
static sl_code encode_jpeg_run(struct sl_kernel_context *k) {
    const struct jpeg_state *s = k->state;
    return encode_jpeg(k, &s->how, s->channels);
}
static sl_code encode_jpeg_quality_run(struct sl_kernel_context *k) {
    struct sl_view quality = sl_in(k, 1);
    struct sl_jpeg_writing how = {.is_subsampled = true, .x_density = 300, .y_density = 300};
    if (quality.rank != 0) return sl_invalid(k, "quality must be scalar: %s", SHAPE_OF(quality));
    SL_TRY(check_quality(k->err, sl_index_at(quality, 0)));
    how.quality = (int)sl_index_at(quality, 0);
    return encode_jpeg(k, &how, 0);
}

static sl_code png_create(void **state, struct sl_kernel_setup *setup) {
    int64_t level;
    SL_TRY(sl_attr_int(&level, setup->attrs, "compression", setup->err));
    if (level < -1 || level > 9)
        return sl_fail(setup->err, SL_INVALID_ARGUMENT, "compression should be in [-1,9], got %lld", (long long)level);
    *state = (void *)(intptr_t)level;
    return SL_OK;
}

static sl_code encode_png_run(struct sl_kernel_context *k) {
    struct sl_view images = sl_in(k, 0), out;
    int rank = images.rank;
    if (rank < 3) return sl_invalid(k, "images must be at least rank 3%s", SHAPE_OF(images));
    const int64_t *dims = images.dims + rank - 3;
    if (dims[0] == 0 || dims[1] == 0) return sl_invalid(k, "images must be non-empty%s", SHAPE_OF(images));
    if (images.count >= INT32_MAX) return sl_invalid(k, "image cannot have >= int32 max elements");
    if (dims[2] < 1 || dims[2] > 4) return sl_invalid(k, "image must have 1, 2, 3, or 4 channels%s", SHAPE_OF(images));
    if (dims[0] > 1 << 27 || dims[1] > 1 << 27) return sl_fail(k->err, SL_INTERNAL, "PNG encoding failed");
    SL_TRY(sl_out_new(&out, k, 0, (struct sl_shape){rank - 3, images.dims}));
    int bytes = (int)sl_dtype_size(images.dtype), level = (int)sl_state_number(k);
    const struct sl_image_size size = {1, dims[0], dims[1], dims[2]};
    int64_t each = dims[0] * dims[1] * dims[2] * bytes;
    struct sl_text text = {0};
    sl_code code = SL_OK;
    for (int64_t i = 0; i < out.count && code == SL_OK; i++) {
        sl_text_clear(&text);
        code = sl_png_encode(&text, level, bytes, (const char *)images.data + i * each, size, k->err);
        if (code == SL_OK) code = sl_text_store((TF_TString *)out.data + i, &text, k->err);
    }
    sl_text_free(&text);
    return code;
}

#define DECODE(op_, rules, reader_)                                                                                    \
    {.op = op_,                                                                                                        \
     .device = SL_HOST_DEVICE,                                                                                         \
     .types = {rules},                                                                                                 \
     .create = decode_create,                                                                                          \
     .destroy = sl_free,                                                                                               \
     .run = decode_run,                                                                                                \
     .cost_ns = 100000,                                                                                                \
     .data = &(const enum reader){reader_}},

/* clang-format off */
const struct sl_kernel_def sl_cpu_image_code_rows[] = {
    DECODE("DecodeJpeg", NO_RULE, READ_JPEG)
    DECODE("DecodeAndCropJpeg", NO_RULE, READ_CROP)
    DECODE("DecodePng", RULE("dtype", SL_SET(UINT8) | SL_SET(UINT16)), READ_PNG)
    DECODE("DecodeGif", NO_RULE, READ_GIF)
    DECODE("DecodeBmp", NO_RULE, READ_BMP)
    DECODE("DecodeWebP", RULE("dtype", SL_SET(UINT8)), READ_WEBP)
    DECODE("DecodeImage", RULE("dtype", SL_SET(UINT8) | SL_SET(UINT16) | SL_SET(FLOAT)), READ_ANY)
    KERNEL("ExtractJpegShape", RULE("output_type", SL_SET(INT32) | SL_SET(INT64)), .run = jpeg_shape_run, .cost_ns = 2000)
    KERNEL("EncodeJpeg", NO_RULE, .run = encode_jpeg_run, .create = jpeg_create, .destroy = sl_free, .cost_ns = 10000, .cost_element = 5)
    KERNEL("EncodeJpegVariableQuality", NO_RULE, .run = encode_jpeg_quality_run, .cost_ns = 10000, .cost_element = 5)
    KERNEL("EncodePng", RULE("T", SL_SET(UINT8) | SL_SET(UINT16)), .run = encode_png_run, .create = png_create, .cost_ns = 10000, .cost_element = 20)
    SL_ROWS_END
};
/* clang-format on */
