/* The JPEG decoder. The first byte picks channels, scale, method, and a part of the image. */
#include "image_memory.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!size) return 0;
    struct image_memory m = {.each = 1};
    const struct sl_image_sink sink = {image_memory_place, &m};
    struct sl_str file = {(const char *)data + 1, size - 1};
    struct sl_error err = {0};
    struct sl_jpeg_reading how = {.channels = (int[]){0, 1, 3, 0}[*data % 4], .ratio = 1 << (*data >> 2) % 4};
    how.is_fancy = how.may_be_cut = *data & 16;
    how.dct = *data & 32 ? SL_JPEG_ACCURATE : SL_JPEG_FAST;
    how.is_cropped = *data & 64;
    how.crop_y = how.crop_x = 1;
    how.crop_height = how.crop_width = 2;
    sl_code code = sl_jpeg_decode(&how, file, &sink, &err);
    return image_memory_end(&m, code, &err);
}
