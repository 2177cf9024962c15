/* Reading files whole: also pipes, whose size nobody knows. */
#include "file_bytes.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"

char *file_read(const char *path, size_t *size) {
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
