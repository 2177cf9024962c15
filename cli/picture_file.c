/* PNG through libpng's simplified interface, which does colour, depth and palette itself. Without libpng, reading a
 * picture says so. */
#include "picture_file.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"

#ifdef SL_HAVE_PNG
#include <png.h>
#include <sys/stat.h>

/* Number of elements that are laid out, and the tensor's shape: the wanted one with what is open filled in from the
 * picture. */
static int fit_shape(int64_t out[4], int rank, int64_t height, int64_t width, int64_t channels) {
    int64_t picture[4] = {1, height, width, channels};
    if (rank < 0) rank = 4;
    if (rank == 2 && channels == 1) {
        out[0] = height;
        out[1] = width;
        return 2;
    }
    if (rank != 3 && rank != 4) return -1;
    for (int i = 0; i < rank; i++) out[i] = picture[4 - rank + i];
    return rank;
}

/* Whether the file may have so many pixels: of one bit at least, of which compression makes at most 1032 out of one. */
static bool can_hold(const char *path, uint64_t width, uint64_t height) {
    struct stat st;
    return stat(path, &st) == 0 && width <= 1 << 15 && height <= 1 << 15 &&
           width * height / 8 <= 1032 * (uint64_t)st.st_size;
}

TF_Tensor *picture_read(const char *path, TF_DataType type, int rank, const int64_t *dims) {
    int64_t channels = rank == 2 ? 1 : rank >= 3 && dims[rank - 1] > 0 ? dims[rank - 1] : 3, shape[4];
    png_image image;
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    if (type != TF_UINT8 && type != TF_FLOAT && type != TF_DOUBLE) {
        complain("%s: a picture can be fed to an input of type uint8, float or double, not %s", path, type_name(type));
        return NULL;
    }
    if (channels != 1 && channels != 3 && channels != 4) {
        complain("%s: the input wants %d channels, a picture has 1, 3 or 4", path, (int)channels);
        return NULL;
    }
    if (!png_image_begin_read_from_file(&image, path)) {
        complain("%s: %s", path, image.message);
        return NULL;
    }
    image.format = channels == 1 ? PNG_FORMAT_GRAY : channels == 3 ? PNG_FORMAT_RGB : PNG_FORMAT_RGBA;
    size_t n = PNG_IMAGE_SIZE(image);
    if (!can_hold(path, image.width, image.height)) {
        complain("%s: the picture is larger than the file can hold, or than 32768", path);
        png_image_free(&image);
        return NULL;
    }
    unsigned char *pixels = must_allocate(NULL, n);
    if (!png_image_finish_read(&image, NULL, pixels, 0, NULL)) {
        complain("%s: %s", path, image.message);
        free(pixels);
        return NULL;
    }
    int got = fit_shape(shape, rank, image.height, image.width, channels);
    TF_Tensor *t = got < 0 ? NULL : TF_AllocateTensor(type, shape, got, n * TF_DataTypeSize(type));
    if (!t) complain("%s: a picture does not fit an input of rank %d", path, rank);
    for (size_t i = 0; t && i < n; i++) {
        if (type == TF_UINT8) ((unsigned char *)TF_TensorData(t))[i] = pixels[i];
        else if (type == TF_FLOAT) ((float *)TF_TensorData(t))[i] = (float)pixels[i] / 255.0f;
        else ((double *)TF_TensorData(t))[i] = pixels[i] / 255.0;
    }
    free(pixels);
    return t;
}
#else
TF_Tensor *picture_read(const char *path, TF_DataType type, int rank, const int64_t *dims) {
    (void)type, (void)rank, (void)dims;
    complain("%s: this build reads no PNG pictures (libpng was not found); feed an .npy file", path);
    return NULL;
}
#endif
