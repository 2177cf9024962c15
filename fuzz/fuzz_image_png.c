/* The PNG decoder. The first byte picks channels and depth. */
#include "image_memory.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!size) return 0;
    struct image_memory m = {.each = (size_t)(*data & 4 ? 2 : 1)};
    const struct sl_image_sink sink = {image_memory_place, &m};
    struct sl_str file = {(const char *)data + 1, size - 1};
    struct sl_error err = {0};
    sl_code code = sl_png_decode((int[]){0, 1, 3, 4}[*data % 4], (int)m.each, file, &sink, &err);
    return image_memory_end(&m, code, &err);
}
