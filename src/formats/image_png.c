/* PNG by libpng. It reports errors by a jump: everything that outlives a call is in `struct session`, which is
 * cleared in one place, and no function between setjmp and the library owns anything. */
#include "formats/image_codec.h"

#if SL_HAVE_PNG
#include <setjmp.h>
#include <string.h>

#include <png.h>

struct session {
    png_structp png;
    png_infop info;
    struct sl_error *err;
    sl_code code;
    struct sl_str file;
    size_t at;
    struct sl_text *text;
};

static void stop_on_error(png_structp png, png_const_charp message) {
    struct session *s = png_get_error_ptr(png);
    s->code = sl_fail(s->err, SL_INVALID_ARGUMENT, "Invalid PNG data, size %zu: %s", s->file.n, message);
    longjmp(png_jmpbuf(png), 1);
}
static void be_silent(png_structp png, png_const_charp message) {
    (void)png;
    (void)message;
}
static void read_bytes(png_structp png, png_bytep to, size_t n) {
    struct session *s = png_get_io_ptr(png);
    if (n > s->file.n - s->at) png_error(png, "the data end early");
    memcpy(to, s->file.p + s->at, n);
    s->at += n;
}
static void write_bytes(png_structp png, png_bytep from, size_t n) {
    struct session *s = png_get_io_ptr(png);
    sl_text_add(s->text, (struct sl_str){(const char *)from, n});
}
static void flush_bytes(png_structp png) { (void)png; }

/* ---- decoding */
/* The number of channels to decode to; asks the library for what leads there. */
static int choose(struct session *s, int channels, int bytes) {
    const int type = png_get_color_type(s->png, s->info), depth = png_get_bit_depth(s->png, s->info);
    const bool has_mask = png_get_valid(s->png, s->info, PNG_INFO_tRNS) != 0, is_colour = type & PNG_COLOR_MASK_COLOR;
    const bool has_alpha = type & PNG_COLOR_MASK_ALPHA;
    if (channels == 0) {
        channels = png_get_channels(s->png, s->info);
        if (type == PNG_COLOR_TYPE_PALETTE) channels = has_mask ? 4 : 3;
        else if (has_mask && !has_alpha) channels++;
    }
    const bool wants_alpha = channels % 2 == 0;
    if (type == PNG_COLOR_TYPE_PALETTE) png_set_palette_to_rgb(s->png);
    if (wants_alpha) {
        if (has_mask) png_set_tRNS_to_alpha(s->png);
        else if (!has_alpha) png_set_add_alpha(s->png, 0xffff, PNG_FILLER_AFTER);
    } else if (has_alpha || has_mask) {
        png_set_strip_alpha(s->png);
    }
    if (depth > 8 && bytes == 1) png_set_strip_16(s->png);
    if (depth > 8 && bytes == 2) png_set_swap(s->png);
    png_set_packing(s->png);
    if (!is_colour && depth < 8) png_set_expand_gray_1_2_4_to_8(s->png);
    if (channels < 3 && is_colour) png_set_rgb_to_gray(s->png, PNG_ERROR_ACTION_NONE, 0.299, 0.587);
    if (channels >= 3 && !is_colour) png_set_gray_to_rgb(s->png);
    return channels;
}

/* 8 bits to 16, from the last on: they share their memory. */
static void widen(void *pixels, int64_t n) {
    const uint8_t *from = pixels;
    uint16_t *to = pixels;
    for (int64_t i = n - 1; i >= 0; i--) to[i] = (uint16_t)(from[i] * 257);
}

/* Deflate makes at most 1032 bytes of one, so a short file has no large image: refused before there is memory for
 * it. */
static void check_length(struct session *s) {
    enum { MOST = 1032 };
    const uint64_t rows = png_get_image_height(s->png, s->info), row = png_get_rowbytes(s->png, s->info);
    if (row * rows / MOST > s->file.n) png_error(s->png, "the data end early");
}

static sl_code read_image(struct session *s, int channels, int bytes, const struct sl_image_sink *sink) {
    void *pixels;
    if (setjmp(png_jmpbuf(s->png))) return s->code;
    png_set_read_fn(s->png, s, read_bytes);
    png_set_user_limits(s->png, 1 << 27, 1 << 27);
    png_set_chunk_malloc_max(s->png, 1 << 24);
    png_read_info(s->png, s->info);
    check_length(s);
    const int depth = png_get_bit_depth(s->png, s->info);
    channels = choose(s, channels, bytes);
    const int passes = png_set_interlace_handling(s->png);
    png_read_update_info(s->png, s->info);
    struct sl_image_size size = {1, png_get_image_height(s->png, s->info), png_get_image_width(s->png, s->info),
                                 channels};
    SL_TRY(sl_image_place(&pixels, sink, size, bytes, s->err));
    const size_t row = png_get_rowbytes(s->png, s->info), given = bytes == 2 && depth > 8 ? 2 : 1;
    if (row != (size_t)(size.width * channels) * given)
        return sl_fail(s->err, SL_INVALID_ARGUMENT, "Invalid PNG data, size %zu: unexpected channels", s->file.n);
    for (int pass = 0; pass < passes; pass++)
        for (int64_t y = 0; y < size.height; y++) png_read_row(s->png, (png_bytep)pixels + (size_t)y * row, NULL);
    png_read_end(s->png, NULL);
    if (given < (size_t)bytes) widen(pixels, size.height * size.width * channels);
    return SL_OK;
}

sl_code sl_png_decode(int channels, int bytes, struct sl_str file, const struct sl_image_sink *sink,
                      struct sl_error *err) {
    struct session s = {.err = err, .file = file};
    s.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &s, stop_on_error, be_silent);
    if (!s.png) return sl_fail_memory(err, 1);
    s.info = png_create_info_struct(s.png);
    sl_code code = s.info ? read_image(&s, channels, bytes, sink) : sl_fail_memory(err, 1);
    png_destroy_read_struct(&s.png, &s.info, NULL);
    return code;
}

/* ---- encoding */
static sl_code write_image(struct session *s, int compression, int bytes, const void *pixels,
                           struct sl_image_size size) {
    static const int types[] = {0, PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                                PNG_COLOR_TYPE_RGB_ALPHA};
    if (setjmp(png_jmpbuf(s->png))) return s->code;
    png_set_write_fn(s->png, s, write_bytes, flush_bytes);
    png_set_user_limits(s->png, 1 << 27, 1 << 27);
    png_set_compression_level(s->png, compression);
    png_set_compression_mem_level(s->png, 9);
    png_set_IHDR(s->png, s->info, (png_uint_32)size.width, (png_uint_32)size.height, 8 * bytes, types[size.channels],
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(s->png, s->info);
    if (bytes == 2) png_set_swap(s->png);
    const size_t row = (size_t)(size.width * size.channels * bytes);
    for (int64_t y = 0; y < size.height; y++) png_write_row(s->png, (png_const_bytep)pixels + (size_t)y * row);
    png_write_end(s->png, NULL);
    return SL_OK;
}

sl_code sl_png_encode(struct sl_text *to, int compression, int bytes, const void *pixels, struct sl_image_size size,
                      struct sl_error *err) {
    struct session s = {.err = err, .text = to};
    s.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &s, stop_on_error, be_silent);
    if (!s.png) return sl_fail_memory(err, 1);
    s.info = png_create_info_struct(s.png);
    sl_code code = s.info ? write_image(&s, compression, bytes, pixels, size) : sl_fail_memory(err, 1);
    png_destroy_write_struct(&s.png, &s.info);
    if (code == SL_INVALID_ARGUMENT) return sl_fail(err, SL_INTERNAL, "PNG encoding failed");
    return code;
}

#else
static sl_code lacking(struct sl_error *err) {
    return sl_fail(err, SL_UNIMPLEMENTED, "PNG needs the library libpng, which is not built in");
}
sl_code sl_png_decode(int channels, int bytes, struct sl_str file, const struct sl_image_sink *sink,
                      struct sl_error *err) {
    (void)channels, (void)bytes, (void)file, (void)sink;
    return lacking(err);
}
sl_code sl_png_encode(struct sl_text *to, int compression, int bytes, const void *pixels, struct sl_image_size size,
                      struct sl_error *err) {
    (void)to, (void)compression, (void)bytes, (void)pixels, (void)size;
    return lacking(err);
}
#endif
