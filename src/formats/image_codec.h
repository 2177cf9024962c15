/* Image files to pixels and back: JPEG, PNG, GIF, WebP by optional libraries, BMP by code of our own. Files come
 * from outside: each decoder checks what it reads, bounds sizes, and answers INVALID_ARGUMENT; without its library
 * UNIMPLEMENTED.
 * Threads: pure functions. */
#ifndef SL_FORMATS_IMAGE_CODEC_H
#define SL_FORMATS_IMAGE_CODEC_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/str.h"
#include "formats/text.h"

struct sl_image_size {
    int64_t frames, height, width, channels;
};
/* Where pixels go. A decoder calls `place` once, when it knows the size; it gives the memory of frames * height *
 * width * channels elements, row by row, uninitialised, or fails. The memory is its own to keep, also when decoding
 * fails later. */
struct sl_image_sink {
    sl_code (*place)(void **pixels, void *arg, struct sl_image_size size, struct sl_error *err);
    void *arg;
};
/* No image has more bytes than this. */
#define SL_IMAGE_BYTES_MAX (INT64_C(1) << 29)
/* Calls `place` when the size is within bounds, else fails. `bytes`: of an element. */
sl_code sl_image_place(void **pixels, const struct sl_image_sink *sink, struct sl_image_size size, int64_t bytes,
                       struct sl_error *err);

enum sl_image_format { SL_IMAGE_UNKNOWN, SL_IMAGE_JPEG, SL_IMAGE_PNG, SL_IMAGE_GIF, SL_IMAGE_BMP, SL_IMAGE_WEBP };
/* By the first bytes. */
enum sl_image_format sl_image_format(struct sl_str file);

enum sl_jpeg_dct { SL_JPEG_FAST, SL_JPEG_ACCURATE };
struct sl_jpeg_reading {
    int channels; /* 0: as in the file (at most 3), 1, 3 */
    int ratio;    /* 1, 2, 4, 8: so many times smaller */
    enum sl_jpeg_dct dct;
    bool is_fancy;   /* smooth upsampling of colours */
    bool may_be_cut; /* a file that ends early is completed */
    bool is_cropped; /* only this part: */
    int64_t crop_y, crop_x, crop_height, crop_width;
};
sl_code sl_jpeg_decode(const struct sl_jpeg_reading *how, struct sl_str file, const struct sl_image_sink *sink,
                       struct sl_error *err);
sl_code sl_jpeg_size(struct sl_image_size *size, struct sl_str file, struct sl_error *err); /* frames 1 */

struct sl_jpeg_writing {
    int quality; /* 0 ... 100 */
    bool is_progressive, is_optimised, is_subsampled, is_per_cm;
    int x_density, y_density;
    struct sl_str xmp; /* metadata; empty: none */
};
/* pixels [height, width, channels], 1 or 3 channels of a byte. */
sl_code sl_jpeg_encode(struct sl_text *to, const struct sl_jpeg_writing *how, const uint8_t *pixels,
                       struct sl_image_size size, struct sl_error *err);

/* Elements of 1 byte, or 2 in the machine's order. channels: 0 as in the file, 1, 3, 4. */
sl_code sl_png_decode(int channels, int bytes, struct sl_str file, const struct sl_image_sink *sink,
                      struct sl_error *err);
/* compression: -1 (usual) ... 9. */
sl_code sl_png_encode(struct sl_text *to, int compression, int bytes, const void *pixels, struct sl_image_size size,
                      struct sl_error *err);

/* Every frame whole, 3 channels; `only_first` decodes no more than one. */
sl_code sl_gif_decode(bool only_first, struct sl_str file, const struct sl_image_sink *sink, struct sl_error *err);
/* channels: 0 as in the file, or those that it has. `only_first` decodes no more than one frame. */
sl_code sl_webp_decode(int channels, bool only_first, struct sl_str file, const struct sl_image_sink *sink,
                       struct sl_error *err);
/* channels: 0 as in the file, 1, 3, 4. */
sl_code sl_bmp_decode(int channels, struct sl_str file, const struct sl_image_sink *sink, struct sl_error *err);

#endif
