/* What all decoders share: which format a file has, how large an image may be. */
#include "formats/image_codec.h"

#include <inttypes.h>
#include <string.h>

#include "base/checked.h"

enum sl_image_format sl_image_format(struct sl_str file) {
    static const struct {
        struct sl_str start;
        enum sl_image_format format;
    } starts[] = {
        {{"\xff\xd8\xff", 3}, SL_IMAGE_JPEG},
        {{"\x89PNG\r\n\x1a\n", 8}, SL_IMAGE_PNG},
        {{"GIF8", 4}, SL_IMAGE_GIF},
        {{"BM", 2}, SL_IMAGE_BMP},
    };
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (sl_str_starts(file, starts[i].start)) return starts[i].format;
    if (file.n >= 12 && memcmp(file.p, "RIFF", 4) == 0 && memcmp(file.p + 8, "WEBP", 4) == 0) return SL_IMAGE_WEBP;
    return SL_IMAGE_UNKNOWN;
}

sl_code sl_image_place(void **pixels, const struct sl_image_sink *sink, struct sl_image_size size, int64_t bytes,
                       struct sl_error *err) {
    const int64_t factors[] = {size.frames, size.height, size.width, size.channels};
    int64_t total = bytes;
    for (int i = 0; i < 4; i++)
        if (factors[i] <= 0 || !sl_mul_i64(&total, total, factors[i]) || total > SL_IMAGE_BYTES_MAX)
            return sl_fail(err, SL_INVALID_ARGUMENT,
                           "image size is not supported: %" PRId64 " frames of %" PRId64 " x %" PRId64
                           " pixels of %" PRId64 " channels",
                           size.frames, size.width, size.height, size.channels);
    return sink->place(pixels, sink->arg, size, err);
}
