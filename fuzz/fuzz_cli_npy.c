/* .npy files that the command reads; what is read is written and read again. */
#include "npy.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char why[NPY_WHY];
    size_t n;
    TF_Tensor *tensor = npy_parse(data, size, why);
    if (!tensor) return 0;
    void *bytes = npy_format(&n, tensor, why);
    TF_Tensor *again = bytes ? npy_parse(bytes, n, why) : NULL;
    if (bytes && !again) abort();
    if (again) TF_DeleteTensor(again);
    free(bytes);
    TF_DeleteTensor(tensor);
    return 0;
}
