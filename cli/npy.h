/* NumPy's .npy files, from and to tensors. Format: numpy.lib.format (versions 1 to 3). */
#ifndef SLUICE_CLI_NPY_H
#define SLUICE_CLI_NPY_H

#include <stddef.h>

#include "tensorflow/c/c_api.h"

enum { NPY_WHY = 160 };

/* The tensor of an .npy file's bytes: numbers and bools of either byte order, C or Fortran order, fixed-length
 * strings (S and U). NULL after an error, which is told in `why`. */
TF_Tensor *npy_parse(const void *bytes, size_t size, char why[NPY_WHY]);
/* The file's bytes for a tensor, from malloc; `*size` of them. NULL with `why` for types that NumPy has no name for. */
void *npy_format(size_t *size, const TF_Tensor *tensor, char why[NPY_WHY]);

#endif
