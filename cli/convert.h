/* Tensors of one number type as another. */
#ifndef SLUICE_CLI_CONVERT_H
#define SLUICE_CLI_CONVERT_H

#include <stdbool.h>

#include "tensorflow/c/c_api.h"

enum { CONVERT_WHY = 160 };

/* The elements as elements of `type`: bools, whole and real numbers. Without `rounds` each must be the same number
 * afterwards; with it real numbers lose digits, and whole ones of them what stands behind the point. A number out of
 * range is refused in any case. NULL with the reason in `why`; `tensor` stays the caller's. */
TF_Tensor *tensor_convert(const TF_Tensor *tensor, TF_DataType type, bool rounds, char why[CONVERT_WHY]);
/* Whether there is a conversion between the two types at all. */
bool tensor_converts(TF_DataType from, TF_DataType to);

#endif
