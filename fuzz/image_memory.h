/* Where the fuzz targets of image decoders put pixels: heap memory of just the right size, written all over at the
 * end so that the sanitizers see whether it is as large as was said. */
#include <stdlib.h>
#include <string.h>

#include "formats/image_codec.h"

struct image_memory {
    void *pixels;
    size_t bytes, each; /* each: bytes of an element */
};

static sl_code image_memory_place(void **pixels, void *arg, struct sl_image_size size, struct sl_error *err) {
    struct image_memory *m = arg;
    if (m->pixels) abort(); /* once only */
    m->bytes = (size_t)(size.frames * size.height * size.width * size.channels) * m->each;
    if (m->bytes > 1 << 24) return sl_fail(err, SL_RESOURCE_EXHAUSTED, "large");
    *pixels = m->pixels = malloc(m->bytes);
    return m->pixels ? SL_OK : sl_fail_memory(err, m->bytes);
}

static int image_memory_end(struct image_memory *m, sl_code code, const struct sl_error *err) {
    if (code != SL_OK && code != err->code) abort();
    if (code == SL_OK && !m->pixels) abort();
    free(m->pixels);
    return 0;
}
