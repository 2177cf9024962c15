/* PNG pictures as tensors. */
#ifndef SLUICE_CLI_PICTURE_FILE_H
#define SLUICE_CLI_PICTURE_FILE_H

#include <stdint.h>

#include "tensorflow/c/c_api.h"

/* Reads a PNG for an input of this type and shape (rank -1: not known; dim -1: not known): [H,W,C], [N,H,W,C] with N
 * 1, or [H,W]. The last dim says how many channels (1, 3 or 4; 3 when it is not known). uint8 gives 0..255, float
 * and double 0..1. NULL after an error, which has been printed. */
TF_Tensor *picture_read(const char *path, TF_DataType type, int rank, const int64_t *dims);

#endif
