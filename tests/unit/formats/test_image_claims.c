/* Images of a few bytes that claim millions of pixels: refused before anybody asks for memory for them. */
#include <string.h>

#include "base/alloc.h"
#include "formats/image_codec.h"
#include "unit/unit.h"

enum { SMALL = 8, LARGE = 12000 };

static struct sl_error err;
static size_t asked; /* pixels that memory was asked for */

static sl_code place(void **pixels, void *arg, struct sl_image_size size, struct sl_error *error) {
    asked = (size_t)(size.frames * size.height * size.width);
    *pixels = *(void **)arg = sl_malloc(asked * (size_t)size.channels);
    return *pixels ? SL_OK : sl_fail_memory(error, asked);
}

static sl_code decode(enum sl_image_format format, bool may_be_cut, struct sl_str file) {
    void *memory = NULL;
    const struct sl_image_sink sink = {place, &memory};
    const struct sl_jpeg_reading jpeg = {.ratio = 1, .is_fancy = true, .may_be_cut = may_be_cut};
    asked = 0;
    sl_code code = format == SL_IMAGE_PNG    ? sl_png_decode(0, 1, file, &sink, &err)
                   : format == SL_IMAGE_JPEG ? sl_jpeg_decode(&jpeg, file, &sink, &err)
                                             : sl_gif_decode(false, file, &sink, &err);
    sl_free(memory);
    return code;
}

static uint32_t crc_of(const unsigned char *p, size_t n) {
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < n; i++) {
        crc ^= p[i];
        for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    return ~crc;
}
static void put_32(unsigned char *p, uint32_t x) {
    for (int i = 0; i < 4; i++) p[i] = (unsigned char)(x >> (24 - 8 * i));
}

static const uint8_t pixels[SMALL * SMALL * 3];
static const struct sl_image_size small = {1, SMALL, SMALL, 3};

static void a_png(void **state) {
    (void)state;
    struct sl_text text = {.n = 0};
    if (sl_png_encode(&text, -1, 1, pixels, small, &err) == SL_UNIMPLEMENTED) skip();
    assert_ok(err, decode(SL_IMAGE_PNG, false, sl_text_str(&text)));
    assert_int_equal(asked, SMALL * SMALL);
    unsigned char *header = (unsigned char *)text.p + 8 + 4; /* type, width, height ... */
    put_32(header + 4, LARGE);
    put_32(header + 8, LARGE);
    put_32(header + 17, crc_of(header, 17));
    assert_fails(err, SL_INVALID_ARGUMENT, "the data end early", decode(SL_IMAGE_PNG, false, sl_text_str(&text)));
    assert_int_equal(asked, 0);
    sl_text_free(&text);
}

/* One that may be cut is what it claims to be. */
static void a_jpeg(void **state) {
    (void)state;
    struct sl_text text = {.n = 0};
    const struct sl_jpeg_writing how = {.quality = 90, .x_density = 1, .y_density = 1};
    if (sl_jpeg_encode(&text, &how, pixels, small, &err) == SL_UNIMPLEMENTED) skip();
    assert_ok(err, decode(SL_IMAGE_JPEG, false, sl_text_str(&text)));
    static const unsigned char frame[] = {0xff, 0xc0};
    unsigned char *size = memmem(text.p, text.n, frame, sizeof frame);
    assert_non_null(size);
    size[5] = size[7] = LARGE >> 8;
    size[6] = size[8] = LARGE & 255;
    assert_fails(err, SL_INVALID_ARGUMENT, "premature end of data", decode(SL_IMAGE_JPEG, false, sl_text_str(&text)));
    assert_int_equal(asked, 0);
    size[5] = size[7] = 0;
    size[6] = size[8] = 200;
    assert_ok(err, decode(SL_IMAGE_JPEG, true, sl_text_str(&text)));
    assert_int_equal(asked, 200 * 200);
    sl_text_free(&text);
}

static void a_gif(void **state) {
    (void)state;
    static const unsigned char file[] = {'G',  'I',  'F',  '8',  '9', 'a', 0xe0, 0x2e, 0xe0, 0x2e, 0x80, 0,
                                         0,    0,    0,    0,    255, 255, 255,  0x2c, 0,    0,    0,    0,
                                         0xe0, 0x2e, 0xe0, 0x2e, 0,   2,   2,    4,    1,    0,    0x3b};
    const struct sl_str bytes = {(const char *)file, sizeof file};
    if (decode(SL_IMAGE_GIF, false, bytes) == SL_UNIMPLEMENTED) skip();
    assert_fails(err, SL_INVALID_ARGUMENT, "frames are too large", decode(SL_IMAGE_GIF, false, bytes));
    assert_int_equal(asked, 0);
    /* behind an extension whose first block is empty, where the library reads on */
    unsigned char hidden[sizeof file + 6];
    static const unsigned char extension[] = {0x21, 0xf9, 0, 1, 0, 0};
    memcpy(hidden, file, 19);
    memcpy(hidden + 19, extension, sizeof extension);
    memcpy(hidden + 19 + sizeof extension, file + 19, sizeof file - 19);
    const struct sl_str longer = {(const char *)hidden, sizeof hidden};
    assert_fails(err, SL_INVALID_ARGUMENT, "frames are too large", decode(SL_IMAGE_GIF, false, longer));
    assert_int_equal(asked, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_png), cmocka_unit_test(a_jpeg), cmocka_unit_test(a_gif)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
