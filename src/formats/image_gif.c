/* GIF by giflib. Frames are painted one over the other, so that each is whole: where a frame has nothing, or is
 * transparent, the one before shows, under the first one black. */
#include "formats/image_codec.h"

#if SL_HAVE_GIF
#include <string.h>

#include <gif_lib.h>

struct source {
    struct sl_str file;
    size_t at;
};
static int read_bytes(GifFileType *gif, GifByteType *to, int n) {
    struct source *s = gif->UserData;
    size_t left = s->file.n - s->at, take = n < 0 ? 0 : (size_t)n < left ? (size_t)n : left;
    memcpy(to, s->file.p + s->at, take);
    s->at += take;
    return (int)take;
}

/* Sizes are declared before any pixel is there, and the library allocates by them: a file of a few bytes must not
 * cost more than an image may have, nor more than its bytes can say: a code of 12 bits stands for fewer than 3,840
 * pixels. */
enum { PIXELS_PER_BYTE = 2560 };
static sl_code check_sizes(struct sl_str file, struct sl_error *err) {
    const unsigned char *p = (const unsigned char *)file.p;
    size_t at = 13;
    int64_t total = 0;
    if (file.n < at) return sl_fail(err, SL_INVALID_ARGUMENT, "Invalid GIF data (size %zu)", file.n);
    if (p[10] & 0x80) at += (size_t)3 << ((p[10] & 7) + 1);
    while (at < file.n && p[at] != 0x3b) {
        if (p[at] == 0x2c) {
            if (file.n - at < 11) break;
            total += (int64_t)(p[at + 5] | p[at + 6] << 8) * (p[at + 7] | p[at + 8] << 8);
            if (total > SL_IMAGE_BYTES_MAX / 3 || total / PIXELS_PER_BYTE > (int64_t)file.n)
                return sl_fail(err, SL_INVALID_ARGUMENT, "Invalid GIF data: frames are too large");
            at += 11 + (p[at + 9] & 0x80 ? (size_t)3 << ((p[at + 9] & 7) + 1) : 0); /* the code size is in the 11 */
        } else if (p[at] == 0x21) {
            at += 2;
            /* from 5.2 on the library reads on behind a first block that is empty */
            if (GIFLIB_MAJOR * 100 + GIFLIB_MINOR >= 502 && at < file.n) at += 1 + (size_t)p[at];
        } else {
            break;
        }
        while (at < file.n && p[at]) at += 1 + (size_t)p[at]; /* blocks, up to an empty one */
        at++;
    }
    return SL_OK;
}

static sl_code paint(uint8_t *canvas, struct sl_image_size size, GifFileType *gif, int frame, struct sl_error *err) {
    const SavedImage *image = &gif->SavedImages[frame];
    const GifImageDesc *place = &image->ImageDesc;
    const ColorMapObject *colours = place->ColorMap ? place->ColorMap : gif->SColorMap;
    GraphicsControlBlock control;
    int transparent = NO_TRANSPARENT_COLOR;
    if (DGifSavedExtensionToGCB(gif, frame, &control) == GIF_OK) transparent = control.TransparentColor;
    if (!colours) return sl_fail(err, SL_INVALID_ARGUMENT, "missing color map for frame %d", frame);
    if (!image->RasterBits) return SL_OK;
    for (int64_t y = 0; y < place->Height; y++) {
        int64_t row = place->Top + y;
        if (row < 0 || row >= size.height) continue;
        for (int64_t x = 0; x < place->Width; x++) {
            int64_t column = place->Left + x;
            const int index = image->RasterBits[y * place->Width + x];
            if (column < 0 || column >= size.width || index == transparent || index >= colours->ColorCount) continue;
            uint8_t *to = canvas + (row * size.width + column) * 3;
            to[0] = colours->Colors[index].Red;
            to[1] = colours->Colors[index].Green;
            to[2] = colours->Colors[index].Blue;
        }
    }
    return SL_OK;
}

static sl_code paint_frames(GifFileType *gif, int frames, const struct sl_image_sink *sink, struct sl_error *err) {
    struct sl_image_size size = {.frames = frames, .channels = 3};
    void *pixels;
    for (int i = 0; i < gif->ImageCount; i++) { /* as large as the largest frame */
        const GifImageDesc *place = &gif->SavedImages[i].ImageDesc;
        if (place->Width > size.width) size.width = place->Width;
        if (place->Height > size.height) size.height = place->Height;
    }
    SL_TRY(sl_image_place(&pixels, sink, size, 1, err));
    const size_t bytes = (size_t)(size.height * size.width * 3);
    uint8_t *to = pixels;
    for (int i = 0; i < frames; i++, to += bytes) {
        if (i) memcpy(to, to - bytes, bytes);
        else memset(to, 0, bytes);
        SL_TRY(paint(to, size, gif, i, err));
    }
    return SL_OK;
}

sl_code sl_gif_decode(bool only_first, struct sl_str file, const struct sl_image_sink *sink, struct sl_error *err) {
    struct source source = {file, 0};
    int error = 0;
    SL_TRY(check_sizes(file, err));
    GifFileType *gif = DGifOpen(&source, read_bytes, &error);
    if (!gif) return sl_fail(err, SL_INVALID_ARGUMENT, "Invalid GIF data (size %zu), error %d", file.n, error);
    bool is_whole = DGifSlurp(gif) == GIF_OK;
    /* of a file that is broken later on, the frames before are given */
    int frames = gif->ImageCount - !is_whole;
    sl_code code;
    if (frames <= 0)
        code = sl_fail(err, SL_INVALID_ARGUMENT, "Invalid GIF data (size %zu), %s", file.n,
                       is_whole ? "gif file does not contain any image" : "it cannot be read");
    else code = paint_frames(gif, only_first ? 1 : frames, sink, err);
    DGifCloseFile(gif, &error);
    return code;
}

#else
sl_code sl_gif_decode(bool only_first, struct sl_str file, const struct sl_image_sink *sink, struct sl_error *err) {
    (void)only_first, (void)file, (void)sink;
    return sl_fail(err, SL_UNIMPLEMENTED, "GIF needs the library giflib, which is not built in");
}
#endif
