/* Files are told by the end of their names and by their first bytes; the first row that fits counts. */
#include "foreign_file.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "command.h"
#include "picture_file.h"

#define ZIP  "PK\x03\x04"
#define HDF5 "\x89HDF\r\n\x1a\n"

static const struct kind {
    const char *end, *magic; /* NULL: any */
    int at;                  /* where the magic stands */
    const char *what;
} kinds[] = {
    {".keras", ZIP, 0,
     "a Keras model: in Python, keras.saving.load_model(FILE).export(DIRECTORY) makes a SavedModel of it"},
    {".weights.h5", HDF5, 0,
     "the weights of a Keras model without its graph: load them into the model in Python, and model.export(DIRECTORY)"},
    {NULL, HDF5, 0,
     "an HDF5 file; of a Keras model, keras.saving.load_model(FILE).export(DIRECTORY) in Python makes a SavedModel"},
    {NULL, "TFL3", 4,
     "a TensorFlow Lite model, from which no graph can be had: take the SavedModel that it was made of"},
    {".onnx", NULL, 0, "an ONNX model: converters such as onnx2tf make a SavedModel of it"},
    {".npz", ZIP, 0, "an archive of NumPy arrays: numpy.save writes one alone, for --feed NAME=FILE.npy"},
    {NULL, "\x93NUMPY", 0, "a NumPy array: --feed NAME=FILE.npy feeds it to a graph"},
    {".pt", ZIP, 0, "a PyTorch model: export it to ONNX, and convert that to a SavedModel"},
    {".pth", ZIP, 0, "a PyTorch model: export it to ONNX, and convert that to a SavedModel"},
    {NULL, ZIP, 0, "a zip archive: unpack it first"},
    {NULL, "\x1f\x8b", 0, "compressed by gzip: unpack it first"},
    {"saved_model.pb", NULL, 0, "part of a SavedModel, which is its whole directory: name that"},
    {"saved_model.pbtxt", NULL, 0, "part of a SavedModel, which is its whole directory: name that"},
    {".index", NULL, 0, "part of a checkpoint, which has no graph: 'sluice ckpt ls PREFIX' lists its tensors"},
    {".data-00000-of-00001", NULL, 0,
     "part of a checkpoint, which has no graph: 'sluice ckpt ls PREFIX' lists its tensors"},
};

static bool has_end(const char *path, const char *end) {
    size_t n = strlen(path), m = strlen(end);
    return n >= m && !strcasecmp(path + n - m, end);
}

const char *foreign_file(const char *path) {
    char head[64] = {0};
    struct stat st;
    if (stat(path, &st) != 0 || !S_ISREG(st.st_mode)) return NULL;
    if (!st.st_size) return "an empty file";
    FILE *in = fopen(path, "rb");
    if (!in) return NULL;
    size_t n = fread(head, 1, sizeof head, in);
    fclose(in);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const struct kind *k = &kinds[i];
        size_t length = k->magic ? strlen(k->magic) : 0;
        bool has_magic = (size_t)k->at + length <= n && (!length || !memcmp(head + k->at, k->magic, length));
        if (has_magic && (!k->end || has_end(path, k->end))) return k->what;
    }
    return is_picture(head, n) ? "a picture: --feed NAME=FILE feeds it to a graph" : NULL;
}

bool complain_foreign(const char *path) {
    const char *what = foreign_file(path);
    if (what) complain("%s: this is %s", path, what);
    return what != NULL;
}
