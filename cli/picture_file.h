/* Pictures in files as tensors: PNG, JPEG, GIF (its first picture), BMP and WebP, which is seen from their bytes. */
#ifndef SLUICE_CLI_PICTURE_FILE_H
#define SLUICE_CLI_PICTURE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tensorflow/c/c_api.h"

/* What the bytes 0 to 255 of a picture become. PIXELS_USUAL is 0..1 for real numbers and 0..255 for whole ones. */
enum pixel_range { PIXELS_USUAL, PIXELS_UNIT, PIXELS_SIGNED, PIXELS_BYTES };
/* "0..1", "-1..1", "0..255": false for anything else. */
bool pixel_range_parse(enum pixel_range *out, const char *text);

/* Whether a file of this name, or with these bytes, is a picture. */
bool is_picture_name(const char *path);
bool is_picture(const void *bytes, size_t n);

/* The input that a picture is for: `rank` -1 and dims -1 are not known. Its dims are taken as [N,H,W,C], [N,C,H,W],
 * [H,W,C], [C,H,W], [N,H,W] or [H,W], by which of them can count channels (1, 3 or 4; 3 where that is not known), or
 * as [N,H*W*C] and [H*W*C] when the picture has just so many elements. */
struct picture_input {
    TF_DataType type;
    int rank;
    const int64_t *dims;
    enum pixel_range range;
};
enum { PICTURE_TEXT = 240 };
/* The picture for this input, brought to its height and width where they are known. `text` then tells what was done,
 * "28 x 28 pixels, 1 channel, values 0..1"; and after an error, of which NULL is the sign, what is wrong. */
TF_Tensor *picture_decode(const void *bytes, size_t n, const struct picture_input *input, char text[PICTURE_TEXT]);

#endif
