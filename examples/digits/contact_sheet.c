/* Drawing: dark ink on white, digits from a 5 x 7 font. */
#include "contact_sheet.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef SL_HAVE_PNG
#include <png.h>
#endif

enum { COLUMNS = 25, MARGIN = 4, CAPTION = 12, FONT_WIDTH = 5, FONT_HEIGHT = 7 };

static const unsigned char font[11][FONT_HEIGHT] = {
    {14, 17, 19, 21, 25, 17, 14}, {4, 12, 4, 4, 4, 4, 14},    {14, 17, 1, 2, 4, 8, 31},   {31, 2, 4, 2, 1, 17, 14},
    {2, 6, 10, 18, 31, 2, 2},     {31, 16, 30, 1, 1, 17, 14}, {6, 8, 16, 30, 17, 17, 14}, {31, 1, 2, 4, 8, 8, 8},
    {14, 17, 17, 14, 17, 17, 14}, {14, 17, 17, 15, 1, 2, 12}, {0, 0, 31, 0, 31, 0, 0} /* = */
};

struct sheet {
    int width, height;
    unsigned char *rgb;
};

static void put(struct sheet *s, int x, int y, int red, int green, int blue) {
    unsigned char *p = s->rgb + 3 * ((size_t)y * (size_t)s->width + (size_t)x);
    p[0] = (unsigned char)red;
    p[1] = (unsigned char)green;
    p[2] = (unsigned char)blue;
}

static void draw_glyph(struct sheet *s, int x, int y, int glyph, const unsigned char colour[3]) {
    for (int row = 0; row < FONT_HEIGHT; row++)
        for (int column = 0; column < FONT_WIDTH; column++)
            if (font[glyph][row] >> (FONT_WIDTH - 1 - column) & 1)
                put(s, x + column, y + row, colour[0], colour[1], colour[2]);
}

static void draw_tile(struct sheet *s, int left, int top, const unsigned char *picture, int side, int guess,
                      int label) {
    static const unsigned char right[3] = {110, 110, 110}, wrong[3] = {210, 20, 20};
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++) {
            int light = 255 - picture[y * side + x];
            put(s, left + x, top + y, light, light, light);
        }
    int centre = left + side / 2;
    if (guess == label) {
        draw_glyph(s, centre - 2, top + side + 2, guess, right);
    } else { /* "3=5": read as 3, is 5 */
        draw_glyph(s, centre - 9, top + side + 2, guess, wrong);
        draw_glyph(s, centre - 2, top + side + 2, 10, wrong);
        draw_glyph(s, centre + 5, top + side + 2, label, wrong);
    }
}

#ifdef SL_HAVE_PNG
static const char *write_sheet(const struct sheet *s, const char *path) {
    png_image image;
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    image.width = (png_uint_32)s->width;
    image.height = (png_uint_32)s->height;
    image.format = PNG_FORMAT_RGB;
    if (png_image_write_to_file(&image, path, 0, s->rgb, 0, NULL)) return path;
    fprintf(stderr, "contact sheet: %s: %s\n", path, image.message);
    return NULL;
}
#else
static const char *write_sheet(const struct sheet *s, const char *path) {
    static char ppm[4096];
    snprintf(ppm, sizeof ppm, "%s.ppm", path);
    FILE *out = fopen(ppm, "wb");
    if (!out) {
        perror(ppm);
        return NULL;
    }
    fprintf(out, "P6 %d %d 255\n", s->width, s->height);
    fwrite(s->rgb, 3, (size_t)s->width * (size_t)s->height, out);
    return fclose(out) ? NULL : ppm;
}
#endif

const char *draw_contact_sheet(const char *path, const unsigned char *pictures, int side, const int *guesses,
                               const unsigned char *labels, int n) {
    int rows = (n + COLUMNS - 1) / COLUMNS, cell_width = side + MARGIN, cell_height = side + CAPTION + MARGIN;
    struct sheet s = {.width = COLUMNS * cell_width + MARGIN, .height = rows * cell_height + MARGIN};
    size_t bytes = (size_t)s.width * (size_t)s.height * 3;
    s.rgb = malloc(bytes);
    if (!s.rgb) return NULL;
    memset(s.rgb, 255, bytes);
    for (int i = 0; i < n; i++)
        draw_tile(&s, MARGIN + i % COLUMNS * cell_width, MARGIN + i / COLUMNS * cell_height,
                  pictures + (size_t)i * (size_t)(side * side), side, guesses[i], labels[i]);
    const char *written = write_sheet(&s, path);
    free(s.rgb);
    return written;
}
