/* The WebP decoder. The first byte picks the channels and says whether one frame is enough. */
#include "image_memory.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!size) return 0;
    struct image_memory m = {.each = 1};
    const struct sl_image_sink sink = {image_memory_place, &m};
    struct sl_str file = {(const char *)data + 1, size - 1};
    struct sl_error err = {0};
    sl_code code = sl_webp_decode((int[]){0, 3, 4, 0}[*data % 4], *data & 4, file, &sink, &err);
    return image_memory_end(&m, code, &err);
}
