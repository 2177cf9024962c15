/* Tensors from .npy files. */
#ifndef SLUICE_CLI_NPY_FILE_H
#define SLUICE_CLI_NPY_FILE_H

#include "tensorflow/c/c_api.h"

/* What the file holds; NULL after an error, which has been printed. */
TF_Tensor *npy_read(const char *path);

#endif
