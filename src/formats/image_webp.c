/* WebP, still or animated, by libwebp. */
#include "formats/image_codec.h"

#if SL_HAVE_WEBP
#include <string.h>

#include <webp/decode.h>
#include <webp/demux.h>

static sl_code invalid(struct sl_error *err, struct sl_str file) {
    return sl_fail(err, SL_INVALID_ARGUMENT, "Invalid WebP data, size %zu", file.n);
}

static sl_code decode_still(int channels, struct sl_str file, const WebPBitstreamFeatures *features,
                            const struct sl_image_sink *sink, struct sl_error *err) {
    struct sl_image_size size = {1, features->height, features->width, channels};
    void *pixels;
    SL_TRY(sl_image_place(&pixels, sink, size, 1, err));
    const int row = (int)(size.width * channels);
    const size_t bytes = (size_t)row * (size_t)size.height;
    const uint8_t *from = (const uint8_t *)file.p;
    const uint8_t *done = channels == 3 ? WebPDecodeRGBInto(from, file.n, pixels, bytes, row)
                                        : WebPDecodeRGBAInto(from, file.n, pixels, bytes, row);
    return done ? SL_OK : invalid(err, file);
}

static sl_code copy_frames(WebPAnimDecoder *decoder, uint8_t *to, struct sl_image_size size, struct sl_str file,
                           struct sl_error *err) {
    const int64_t n = size.height * size.width, channels = size.channels;
    for (int64_t i = 0; i < size.frames; i++) {
        uint8_t *from;
        int time;
        if (!WebPAnimDecoderGetNext(decoder, &from, &time)) return invalid(err, file);
        for (int64_t p = 0; p < n; p++, to += channels) memcpy(to, from + 4 * p, (size_t)channels);
    }
    return SL_OK;
}

/* Frames and canvas as the file's headers have them. */
static bool read_size(struct sl_image_size *size, const WebPData *data, int channels, bool only_first) {
    WebPDemuxer *demuxer = WebPDemux(data);
    if (!demuxer) return false;
    *size = (struct sl_image_size){WebPDemuxGetI(demuxer, WEBP_FF_FRAME_COUNT),
                                   WebPDemuxGetI(demuxer, WEBP_FF_CANVAS_HEIGHT),
                                   WebPDemuxGetI(demuxer, WEBP_FF_CANVAS_WIDTH), channels};
    if (only_first && size->frames > 1) size->frames = 1;
    WebPDemuxDelete(demuxer);
    return true;
}

/* The decoder allocates two canvases at once, so the size is agreed on before. */
static sl_code decode_animation(int channels, bool only_first, struct sl_str file, const struct sl_image_sink *sink,
                                struct sl_error *err) {
    WebPData data = {(const uint8_t *)file.p, file.n};
    WebPAnimDecoderOptions options;
    struct sl_image_size size;
    void *pixels;
    if (!WebPAnimDecoderOptionsInit(&options) || !read_size(&size, &data, channels, only_first))
        return invalid(err, file);
    SL_TRY(sl_image_place(&pixels, sink, size, 1, err));
    options.color_mode = MODE_RGBA;
    WebPAnimDecoder *decoder = WebPAnimDecoderNew(&data, &options);
    if (!decoder) return invalid(err, file);
    sl_code code = copy_frames(decoder, pixels, size, file, err);
    WebPAnimDecoderDelete(decoder);
    return code;
}

sl_code sl_webp_decode(int channels, bool only_first, struct sl_str file, const struct sl_image_sink *sink,
                       struct sl_error *err) {
    WebPBitstreamFeatures features;
    if (WebPGetFeatures((const uint8_t *)file.p, file.n, &features) != VP8_STATUS_OK) return invalid(err, file);
    if ((int64_t)features.width * features.height > SL_IMAGE_BYTES_MAX / 4)
        return sl_fail(err, SL_INVALID_ARGUMENT, "WebP image is too large: %d x %d", features.width, features.height);
    const int own = features.has_alpha || features.has_animation ? 4 : 3;
    if (channels && channels != own)
        return sl_fail(err, SL_INVALID_ARGUMENT, "`channels` must be 0 or %d for this WebP image, but got %d", own,
                       channels);
    channels = own;
    if (features.has_animation) return decode_animation(channels, only_first, file, sink, err);
    return decode_still(channels, file, &features, sink, err);
}

#else
sl_code sl_webp_decode(int channels, bool only_first, struct sl_str file, const struct sl_image_sink *sink,
                       struct sl_error *err) {
    (void)channels, (void)only_first, (void)file, (void)sink;
    return sl_fail(err, SL_UNIMPLEMENTED, "WebP needs the library libwebp, which is not built in");
}
#endif
