/* Reading .npy files as tensors. */
#include "npy_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "npy.h"

static char *read_file(const char *path, size_t *size) {
    FILE *in = fopen(path, "rb");
    char *bytes = NULL;
    size_t cap = 0;
    *size = 0;
    if (!in) {
        complain("%s: %s", path, strerror(errno));
        return NULL;
    }
    for (size_t got = 1; got; *size += got) {
        if (cap - *size < 65536) bytes = must_allocate(bytes, cap = cap * 2 + 131072);
        got = fread(bytes + *size, 1, cap - *size, in);
    }
    bool failed = ferror(in);
    fclose(in);
    if (!failed) return bytes;
    complain("%s: %s", path, strerror(errno));
    free(bytes);
    return NULL;
}

TF_Tensor *npy_read(const char *path) {
    char why[NPY_WHY];
    size_t size;
    char *bytes = read_file(path, &size);
    if (!bytes) return NULL;
    TF_Tensor *t = npy_parse(bytes, size, why);
    if (!t) complain("%s: %s", path, why);
    free(bytes);
    return t;
}
