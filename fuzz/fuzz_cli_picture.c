/* PNG files that the command reads for inputs of several types and shapes. */
#include "picture_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "command_parts.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const int64_t dims[] = {1, -1, -1, 3};
    static const TF_DataType types[] = {TF_UINT8, TF_FLOAT, TF_DOUBLE, TF_INT32};
    char path[64];
    int file = memfd_create("picture", 0);
    if (file < 0 || write(file, data, size) != (ssize_t)size) abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    for (int t = 0; t < 4; t++) {
        TF_Tensor *tensor = t == 1 ? picture_read(path, types[t], 4, dims) : picture_read(path, types[t], -1, NULL);
        if (tensor) TF_DeleteTensor(tensor);
    }
    close(file);
    return 0;
}
