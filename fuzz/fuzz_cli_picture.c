/* Pictures that the command decodes and fits to inputs of several types and shapes. What formats allow to be large in a
 * few bytes, as WebP does, is limited as a user would: by the memory of a step. */
#include "picture_file.h"

#include "command_parts.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    return setenv("SLUICE_STEP_MEMORY", "16M", 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const int64_t open[] = {1, -1, -1, 3}, planes[] = {-1, 3, 8, 8}, flat[] = {-1, 12};
    static const struct picture_input inputs[] = {{TF_UINT8, 4, open, PIXELS_USUAL},
                                                  {TF_FLOAT, 4, planes, PIXELS_SIGNED},
                                                  {TF_DOUBLE, 2, flat, PIXELS_UNIT},
                                                  {TF_INT32, -1, NULL, PIXELS_BYTES}};
    char text[PICTURE_TEXT];
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        TF_Tensor *tensor = picture_decode(data, size, &inputs[i], text);
        if (tensor) TF_DeleteTensor(tensor);
    }
    return 0;
}
