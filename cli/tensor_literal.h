/* Tensors as people write and read them. */
#ifndef SLUICE_CLI_TENSOR_LITERAL_H
#define SLUICE_CLI_TENSOR_LITERAL_H

#include <stdbool.h>
#include <stdio.h>

#include "tensorflow/c/c_api.h"

enum { VALUE_WHY = 200 };

/* A tensor of this type from text: 3, -1.5e3, true, "text", [1, 2, 3], [[1, 2], [3, 4]]. NULL after an error, told
 * in `why` with the place. */
TF_Tensor *value_parse(const char *text, TF_DataType type, char why[VALUE_WHY]);
/* Like NumPy prints arrays; more than 1,000 elements are summarised unless `in_full`. */
void value_print(FILE *out, const TF_Tensor *tensor, bool in_full);
/* As JSON: {"dtype":"float","shape":[2],"value":[1,2]}; NaN and infinities as strings, complex numbers as pairs. */
void value_print_json(FILE *out, const TF_Tensor *tensor);

#endif
