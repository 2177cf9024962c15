/* Values as people write them for --feed; what is read is printed in both ways. The first byte is the type. */
#include "tensor_literal.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "command_parts.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static FILE *nowhere;
    char why[VALUE_WHY], *text;
    if (!nowhere && !(nowhere = fopen("/dev/null", "w"))) abort();
    if (size < 1 || !(text = malloc(size))) return 0;
    memcpy(text, data + 1, size - 1);
    text[size - 1] = 0;
    TF_Tensor *tensor = value_parse(text, (TF_DataType)(data[0] % 24 + 1), why);
    if (tensor) {
        value_print(nowhere, tensor, false);
        value_print_json(nowhere, tensor);
        TF_DeleteTensor(tensor);
    }
    free(text);
    return 0;
}
