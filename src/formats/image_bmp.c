/* BMP, as far as its pixels are 8, 24 or 32 bits: palettes and compression are not looked at, a byte is grey. */
#include "formats/image_codec.h"

static int64_t number_at(struct sl_str file, size_t at) {
    const unsigned char *p = (const unsigned char *)file.p + at;
    return (int32_t)((uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24);
}

struct picture {
    int64_t start, width, height, channels, row; /* row: bytes, a multiple of 4 */
    bool is_top_down;
};
static sl_code read_header(struct picture *p, struct sl_str file, struct sl_error *err) {
    if (file.n < 32)
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "Incomplete bmp content, requires at least 32 bytes to find the header size, width, height, and "
                       "bpp, got %zu bytes",
                       file.n);
    p->start = number_at(file, 10);
    p->width = number_at(file, 18);
    p->height = number_at(file, 22);
    p->channels = (number_at(file, 28) & 0xffff) / 8;
    if (p->width <= 0) return sl_fail(err, SL_INVALID_ARGUMENT, "Width must be positive");
    if (p->height == 0) return sl_fail(err, SL_INVALID_ARGUMENT, "Height must be nonzero");
    if (p->start < 0) return sl_fail(err, SL_INVALID_ARGUMENT, "header size must be nonnegative");
    p->is_top_down = p->height < 0;
    if (p->is_top_down) p->height = -p->height;
    if (p->channels != 1 && p->channels != 3 && p->channels != 4)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Number of channels inherent in the image must be 1, 3 or 4, was %lld",
                       (long long)p->channels);
    p->row = (p->width * p->channels + 3) / 4 * 4;
    if (p->width > SL_IMAGE_BYTES_MAX || p->row > SL_IMAGE_BYTES_MAX * 2 / p->height)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Total possible pixel bytes must be less than 2^30");
    int64_t surplus = (int64_t)file.n - p->start - p->row * p->height;
    if (surplus != 0)
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "Input size should match (header_size + row_size * abs_height) but they differ by %lld",
                       (long long)surplus);
    return SL_OK;
}

/* The file's pixels are blue, green, red, alpha. */
static void convert_row(uint8_t *to, const unsigned char *from, const struct picture *p, int64_t channels) {
    for (int64_t x = 0; x < p->width; x++, from += p->channels, to += channels) {
        if (p->channels == 1)
            for (int64_t c = 0; c < channels; c++) to[c] = c < 3 ? from[0] : 255;
        else
            for (int64_t c = 0; c < channels; c++) to[c] = c < 3 ? from[2 - c] : p->channels == 4 ? from[3] : 255;
    }
}

sl_code sl_bmp_decode(int channels, struct sl_str file, const struct sl_image_sink *sink, struct sl_error *err) {
    struct picture p = {0};
    void *pixels;
    SL_TRY(read_header(&p, file, err));
    struct sl_image_size size = {1, p.height, p.width, channels ? channels : p.channels};
    SL_TRY(sl_image_place(&pixels, sink, size, 1, err));
    for (int64_t y = 0; y < p.height; y++) {
        int64_t row = p.is_top_down ? y : p.height - 1 - y;
        convert_row((uint8_t *)pixels + y * p.width * size.channels,
                    (const unsigned char *)file.p + p.start + row * p.row, &p, size.channels);
    }
    return SL_OK;
}
